package coding

import (
	"bytes"

	"absolink/extract"
	"absolink/resolve/ascii"
)

// Quoted decodes quoted-printable (RFC 2045 Section 6.7). An "=" that begins neither an escape nor
// a soft break stays an "=".
func Quoted(t *extract.Text, raw []byte, eol byte) (problem string) {
	t.Grow(len(raw), min(2*bytes.Count(raw, []byte("="))+1, len(raw)/32+1))
	ok := false
	if padded(raw, eol) {
		ok = decodeLines(t, raw, eol)
	} else {
		ok = decodePlain(t, raw, eol)
	}
	if !ok {
		problem = "escapes that are none in quoted-printable"
	}
	return problem
}

// NeverQuoted reports whether raw was never encoded, although it is labelled quoted-printable. Call
// it only if raw has an "=" that begins no escape. raw was never encoded if it has neither an
// encoded "=" nor a soft line break. Something that looks like an escape is then text, as in
// "v=20".
func NeverQuoted(raw []byte, eol byte) bool {
	for {
		i := bytes.IndexByte(raw, '=')
		if i < 0 {
			return true
		}
		raw = raw[i+1:]
		if len(raw) > 1 && raw[0] == '3' && raw[1]|0x20 == 'd' || softEnd(raw, eol) {
			return false
		}
	}
}

// softEnd reports whether an "=" before b would be a soft break: only blanks come before the line
// end.
func softEnd(b []byte, eol byte) bool {
	b = bytes.TrimLeft(b, " \t")
	if len(b) > 1 && eol == '\n' && b[0] == '\r' {
		b = b[1:]
	}
	return len(b) > 0 && b[0] == eol
}

// padded reports whether a line ends in blanks, which are not part of the content.
func padded(raw []byte, eol byte) bool {
	for len(raw) > 0 {
		line, rest := raw, []byte(nil)
		if i := bytes.IndexByte(raw, eol); i >= 0 {
			line = raw[:i]
			rest = raw[i+1:]
			if eol == '\n' && i > 0 && line[i-1] == '\r' {
				line = line[:i-1]
			}
		}
		if n := len(line); n > 0 && (line[n-1] == ' ' || line[n-1] == '\t') {
			return true
		}
		raw = rest
	}
	return false
}

// decodeLines decodes a body line by line. It reports whether every "=" begins an escape or a soft
// break.
func decodeLines(t *extract.Text, raw []byte, eol byte) bool {
	ok := true
	for pos := 0; pos < len(raw); {
		l := QuotedLineAt(raw, pos, eol)
		ok = appendQuoted(t, raw, pos, l.Content) && ok
		if !l.Soft {
			t.AppendSame(l.End, raw[l.End:l.Next])
		}
		pos = l.Next
	}
	return ok
}

// decodePlain does the work of decodeLines for a body that is not padded. It goes from one "=" to
// the next and need not examine lines.
func decodePlain(t *extract.Text, raw []byte, eol byte) bool {
	ok := true
	for pos := 0; pos < len(raw); {
		n := bytes.IndexByte(raw[pos:], '=')
		if n < 0 {
			n = len(raw) - pos
		}
		t.AppendSame(pos, raw[pos:pos+n])
		pos += n
		if pos == len(raw) {
			break
		}
		n = softBreak(raw[pos:], eol)
		if n == 0 {
			n = QuotedToken(raw[pos:])
			ok = appendToken(t, raw, pos, n) && ok
		}
		pos += n
	}
	return ok
}

// softBreak returns the length of the soft break at the start of b, or 0.
func softBreak(b []byte, eol byte) int {
	switch {
	case len(b) == 1:
		return 1
	case b[1] == eol:
		return 2
	case eol == '\n' && len(b) > 2 && b[1] == '\r' && b[2] == '\n':
		return 3
	}
	return 0
}

// appendToken appends the escape of n bytes at pos, or a plain "=" if n is 1. It reports whether
// the token is an escape.
func appendToken(t *extract.Text, raw []byte, pos, n int) bool {
	if n == 1 {
		t.AppendSame(pos, raw[pos:pos+1])
		return false
	}
	b := [1]byte{byte(ascii.Hex(raw[pos+1])<<4 | ascii.Hex(raw[pos+2]))}
	t.AppendEscapes(pos, b[:])
	return true
}

// appendQuoted decodes raw[pos:end], the content of one line, and reports whether every "=" in it
// begins an escape.
func appendQuoted(t *extract.Text, raw []byte, pos, end int) bool {
	ok := true
	for pos < end {
		n := bytes.IndexByte(raw[pos:end], '=')
		if n < 0 {
			n = end - pos
		}
		if n > 0 {
			t.AppendSame(pos, raw[pos:pos+n])
			pos += n
			continue
		}
		n = QuotedToken(raw[pos:end])
		ok = appendToken(t, raw, pos, n) && ok
		pos += n
	}
	return ok
}

// QuotedToken returns the length of the first token of b: 3 for an escape, otherwise 1.
func QuotedToken(b []byte) int {
	if len(b) >= 3 && b[0] == '=' && ascii.Hex(b[1]) >= 0 && ascii.Hex(b[2]) >= 0 {
		return 3
	}
	return 1
}

// QuotedLine is one line of an encoded body, as offsets in the body. Content is the end of the
// content, End the start of the line end, and Next the start of the next line.
type QuotedLine struct {
	Content, End, Next int
	Soft               bool // the line ends in a soft break
}

// QuotedLineAt returns the rest of the line from pos on.
func QuotedLineAt(raw []byte, pos int, eol byte) QuotedLine {
	l := QuotedLine{End: len(raw), Next: len(raw)}
	if i := bytes.IndexByte(raw[pos:], eol); i >= 0 {
		l.End = pos + i
		l.Next = pos + i + 1
		if eol == '\n' && i > 0 && raw[l.End-1] == '\r' {
			l.End--
		}
	}
	for l.Content = l.End; l.Content > pos && (raw[l.Content-1] == ' ' || raw[l.Content-1] == '\t'); {
		l.Content--
	}
	if l.Content > pos && raw[l.Content-1] == '=' {
		l.Content--
		l.Soft = true
	}
	return l
}
