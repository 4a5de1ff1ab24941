package reference

import (
	"bytes"
	"fmt"
	"strconv"

	"absolink/base"
	"absolink/cmd/absolink/internal/record"
	"absolink/resolve"
)

// strips reports whether what surrounds a URI in text is taken off. Under the URL Standard all of a
// line is the reference. Of a comparison the other rule sets have it taken off.
func (o *Options) strips() bool {
	return !o.KeepDelimiters && (o.Rules.Rules != resolve.WHATWG || o.View == Comparison)
}

// strip takes off what surrounds a URI in text, with a note where there is no record to hold
// it, and reports whether there was any of it.
func (s *Shower) strip(given []byte) ([]byte, bool) {
	if !wrapped(given) || !s.o.strips() {
		return given, false
	}
	ref, stripped := bare(given)
	if stripped && s.o.Format == record.Text {
		s.notes.Printf("%s: read as %q (RFC 2396 Appendix E)", s.quote(given), clip(ref))
	}
	return ref, stripped
}

// unwrap returns the value of a flag without what surrounds a URI in text, with a note.
func (s *Shower) unwrap(flag, value string) string {
	if !s.o.strips() {
		return value
	}
	text, stripped := bare([]byte(value))
	if stripped {
		s.notes.Printf("%s %q: read as %q (RFC 2396 Appendix E)", flag, value, text)
	}
	return string(text)
}

// wrapped reports whether bare may have something to do.
func wrapped(ref []byte) bool {
	if len(ref) == 0 {
		return false
	}
	first := ref[0]
	return first <= ' ' || first == '<' || first == '"' || first|0x20 == 'u' || ref[len(ref)-1] <= ' '
}

const blanks = " \t\n\v\f\r"

// bare takes off what surrounds a URI in text (RFC 2396 Appendix E): blanks, quotes or
// angle brackets, in which other blanks count for nothing, and the prefix "URL:". It
// reports whether there was any of it.
func bare(ref []byte) ([]byte, bool) {
	trimmed := bytes.Trim(ref, blanks)
	if delimited(trimmed) {
		// which has the same delimiters, and no comments
		field := base.Layer{Source: base.Snapshot, Value: string(trimmed)}
		uri, _ := field.Reference()
		return []byte(uri), true
	}
	return trimmed, len(trimmed) < len(ref)
}

// delimited reports whether s stands in quotes or angle brackets, or behind "URL:".
func delimited(s []byte) bool {
	if len(s) < 2 {
		return false
	}
	first, last := s[0], s[len(s)-1]
	return first == '<' && last == '>' || first == '"' && last == '"' ||
		len(s) > 4 && bytes.EqualFold(s[:4], []byte("URL:"))
}

// quote is a reference as messages have it, with the number of its line.
func (s *Shower) quote(ref []byte) string {
	q := strconv.Quote(string(clip(ref)))
	if s.line > 0 {
		return fmt.Sprintf("line %d: %s", s.line, q)
	}
	return q
}

// clip is as much of a reference as a message has room for.
func clip(ref []byte) []byte { return ref[:min(len(ref), 200)] }
