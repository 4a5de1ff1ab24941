package page

import (
	"bytes"
	"slices"

	"absolink/extract/internal/markup"
	"absolink/extract/internal/text"
)

// Gaps returns the offsets of the white space before attributes in the start tags of an HTML text,
// or nil. It stops at an element whose comments and raw text may follow other rules.
func Gaps(data []byte) (gaps []int) {
	s := markup.Scanner{Only: markup.Set(markup.StartTag, markup.RawText)}
	s.Reset(data)
	for kind := s.Next(); kind != markup.EOF; kind = s.Next() {
		if kind == markup.RawText {
			if bytes.Contains(data[s.TextStart:s.TextEnd], []byte("<!--")) &&
				text.IsFold(data[s.NameStart:s.NameEnd], "script") {
				return gaps
			}
			continue
		}
		at := s.NameEnd
		for _, a := range s.EveryAttr() {
			if data[at] == ' ' || data[at] == '\t' {
				gaps = append(gaps, at)
			}
			at = max(a.NameEnd, a.End)
			if a.Quote != 0 {
				at++
			}
		}
		if contains(otherRules, data[s.NameStart:s.NameEnd]) {
			return gaps
		}
	}
	return gaps
}

// otherRules are the elements in which comments and raw text follow other rules.
var otherRules = []string{"svg", "math", "select", "frameset", "plaintext"}

// contains reports whether one of the names is name in any case.
func contains(names []string, name []byte) bool {
	return slices.ContainsFunc(names, func(n string) bool { return text.IsFold(name, n) })
}
