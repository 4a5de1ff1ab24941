package extract

import (
	"bytes"

	"absolink/extract/internal/markup"
	"absolink/extract/internal/text"
)

// Gaps returns the offsets in d.Data of the white space that stands before an attribute of a
// tag, in order: a line end there changes nothing but the white space of the tag. It is nil
// where there is none, for formats without tags, and for XML in which HTML sees other
// comments. Of d it reads Format and Data alone.
//
// It errs on the side of none: text that switches character sets has no gaps, nor has what
// follows an element inside of which other rules hold for comments and raw text (foreign
// content, select, frameset), or a script with a comment in it.
func (d *Doc) Gaps() []int {
	switch d.Format {
	case HTML:
	case XHTML, XML, SVG, Feed, OPML:
		if bytes.Contains(d.Data, []byte("<!--")) || bytes.Contains(d.Data, []byte("<![CDATA[")) {
			return nil
		}
	default:
		return nil
	}
	if bytes.IndexByte(d.Data, 0x1b) >= 0 || bytes.Contains(d.Data, []byte("~{")) || bytes.IndexByte(d.Data, 0) >= 0 {
		return nil
	}
	return tagGaps(d.Data)
}

// tagGaps returns the gaps of the start tags of an HTML text.
func tagGaps(data []byte) (gaps []int) {
	s := markup.Scanner{Only: markup.Set(markup.StartTag, markup.RawText)}
	s.Reset(data)
	for kind := s.Next(); kind != markup.EOF; kind = s.Next() {
		if kind == markup.RawText {
			if bytes.Contains(data[s.TextStart:s.TextEnd], []byte("<!--")) && text.IsFold(data[s.NameStart:s.NameEnd], "script") {
				return gaps
			}
			continue
		}
		at := s.NameEnd
		for _, a := range s.EveryAttr() {
			if data[at] == ' ' || data[at] == '\t' {
				gaps = append(gaps, at)
			}
			if at = max(a.NameEnd, a.End); a.Quote != 0 {
				at++
			}
		}
		if otherRules(data[s.NameStart:s.NameEnd]) {
			return gaps
		}
	}
	return gaps
}

// otherRules reports whether comments and raw text are cut by other rules in an element.
func otherRules(name []byte) bool {
	for _, n := range [...]string{"svg", "math", "select", "frameset", "plaintext"} {
		if text.IsFold(name, n) {
			return true
		}
	}
	return false
}
