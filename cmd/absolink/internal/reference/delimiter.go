package reference

import (
	"bytes"
	"fmt"
	"strconv"

	"absolink/base"
	"absolink/cmd/absolink/internal/record"
	"absolink/resolve"
)

// strips reports whether delimiters around a URI are removed. Under the URL Standard the whole line
// is the reference. In a comparison they are removed for the other rule sets.
func (o *Options) strips() bool {
	return !o.KeepDelimiters && (o.Rules.Rules != resolve.WHATWG || o.View == Comparison)
}

// strip removes the delimiters around a URI, and reports whether there were any. In text output it
// prints a note; records have a warning instead.
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

// unwrap returns the value of a flag without the delimiters around it, and prints a note if there
// were any.
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

// wrapped reports whether bare may have something to remove.
func wrapped(ref []byte) bool {
	if len(ref) == 0 {
		return false
	}
	first := ref[0]
	return first <= ' ' || first == '<' || first == '"' || first|0x20 == 'u' || ref[len(ref)-1] <= ' '
}

const blanks = " \t\n\v\f\r"

// bare removes the delimiters around a URI (RFC 2396 Appendix E): blanks, the prefix "URL:", and
// quotes or angle brackets. Blanks inside these do not count. It reports whether there were any
// delimiters.
func bare(ref []byte) ([]byte, bool) {
	trimmed := bytes.Trim(ref, blanks)
	if delimited(trimmed) {
		// this field has the same delimiters, and no comments
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

// quote returns a reference as messages show it, with its line number.
func (s *Shower) quote(ref []byte) string {
	q := strconv.Quote(string(clip(ref)))
	if s.line > 0 {
		return fmt.Sprintf("line %d: %s", s.line, q)
	}
	return q
}

// clip returns the beginning of a reference that fits into a message.
func clip(ref []byte) []byte { return ref[:min(len(ref), 200)] }
