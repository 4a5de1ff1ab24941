package lines

import (
	"bytes"

	"absolink/extract/internal/text"
	"absolink/resolve/ascii"
)

// contentLine has the pieces of an unfolded content line.
type contentLine struct {
	name       []byte // in lower case, without the group
	parameters int    // offset of the ';' or ':' after the name
	value      text.Span

	hasType         bool // the line has a VALUE parameter
	isURI           bool // VALUE declares the value a URI
	isBinary        bool // the value is data in base64
	quotedPrintable bool // the value is in quoted-printable
	isMarkup        bool // the text of the value has another type than text/plain
	isHTML          bool // the text is HTML
}

// parse sets the pieces of l from b, an unfolded line. ok is false if b is not a content line.
func (l *contentLine) parse(b []byte) (ok bool) {
	*l = contentLine{name: l.name[:0]}
	i := bytes.IndexAny(b, ";:")
	if i < 0 {
		return false
	}
	name := bytes.TrimSpace(b[bytes.LastIndexByte(b[:i], '.')+1 : i])
	l.name = text.AppendLower(l.name, name)
	l.parameters = i
	for i < len(b) && b[i] == ';' {
		var name []byte
		var list text.Span
		name, list, i = parameterAt(b, i+1)
		l.readParameter(name, text.Stripped(b[list.Start:list.End]))
	}
	l.value = text.Span{Start: i + 1, End: len(b)}
	return i < len(b) && isPropertyName(name)
}

// isPropertyName reports whether b can be the name of a property (RFC 5545 Section 3.1).
func isPropertyName(b []byte) bool {
	for _, c := range b {
		if !ascii.Alnum.Has(c) && c != '-' && c != '_' {
			return false
		}
	}
	return len(b) > 0
}

// readParameter sets the fields that a parameter declares about the value. In version 2.1 the name
// of a parameter may be missing.
func (l *contentLine) readParameter(name, value []byte) {
	switch {
	case text.IsFold(name, "value"):
		l.hasType = true
		l.isURI = text.IsFold(value, "uri") || text.IsFold(value, "url") || text.IsFold(value, "cal-address")
		l.isBinary = l.isBinary || text.IsFold(value, "binary") || text.IsFold(value, "inline")
	case text.IsFold(name, "encoding") || len(name) == 0:
		l.isBinary = l.isBinary || text.IsFold(value, "base64") || text.IsFold(value, "b")
		l.quotedPrintable = l.quotedPrintable || text.IsFold(value, "quoted-printable")
	case text.IsFold(name, "fmttype"):
		s := withoutQuotes(value, text.Span{Start: 0, End: len(value)})
		value = value[s.Start:s.End]
		l.isMarkup = !text.IsFold(value, "text/plain")
		l.isHTML = text.IsFold(value, "text/html")
	}
}

// parameterAt reads the parameter at i, after its ';'. list is the span of its values. next is the
// offset of the following ';' or ':', or len(b).
func parameterAt(b []byte, i int) (name []byte, list text.Span, next int) {
	start := i
	for i < len(b) && b[i] != '=' && b[i] != ';' && b[i] != ':' {
		i++
	}
	if i == len(b) || b[i] != '=' {
		return nil, text.Span{Start: start, End: i}, i
	}
	name = bytes.TrimSpace(b[start:i])
	list.Start = i + 1
	for next = elementEnd(b, i+1); next < len(b) && b[next] == ','; {
		next = elementEnd(b, next+1)
	}
	list.End = next
	return name, list, next
}

// elementEnd returns the end of the parameter value that begins at i.
func elementEnd(b []byte, i int) int {
	if i < len(b) && b[i] == '"' {
		n := bytes.IndexByte(b[i+1:], '"')
		if n < 0 {
			return len(b)
		}
		i += n + 2
	}
	for i < len(b) && b[i] != ',' && b[i] != ';' && b[i] != ':' {
		i++
	}
	return i
}

// withoutQuotes returns s without surrounding white space and double quotes.
func withoutQuotes(b []byte, s text.Span) text.Span {
	s = text.Trimmed(b, s)
	if s.End-s.Start >= 2 && b[s.Start] == '"' && b[s.End-1] == '"' {
		return text.Span{Start: s.Start + 1, End: s.End - 1}
	}
	return s
}

// The characters that begin escapes.
const (
	backslashEscapes = `\`  // in values (RFC 5545 section 3.3.11), and in some URIs, which should not have them
	quotedEscapes    = `\=` // in values in quoted-printable
	caretEscapes     = `^`  // in parameters (RFC 6868)
)

// appendEscape appends the character of the escape at i, or the byte itself if no escape begins
// there. It returns the offset after it.
func appendEscape(t *text.Text, b []byte, i int) int {
	var next byte
	if i+1 < len(b) {
		next = b[i+1]
	}
	char := byte(0)
	switch b[i] {
	case '\\':
		char = backslashEscape(next)
	case '^':
		char = caretEscape(next)
	case '=':
		if high, low := hexAt(b, i+1), hexAt(b, i+2); high >= 0 && low >= 0 {
			t.AppendEscapes(i, []byte{byte(high<<4 | low)})
			return i + 3
		}
	}
	if char == 0 {
		t.AppendSame(i, b[i:i+1])
		return i + 1
	}
	t.AppendToken(text.Span{Start: i, End: i + 2}, []byte{char})
	return i + 2
}

// backslashEscape returns the character of a backslash and c, or 0 if they are not an escape.
func backslashEscape(c byte) byte {
	switch c {
	case 'n', 'N':
		return '\n'
	case '\\', ',', ';', ':':
		return c
	}
	return 0
}

// caretEscape returns the character of a caret and c, or 0 if they are not an escape.
func caretEscape(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case '\'':
		return '"'
	case '^':
		return c
	}
	return 0
}
