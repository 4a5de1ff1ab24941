package mime

import (
	"bytes"
	"encoding/base64"
	"slices"

	"absolink/extract"
	"absolink/mime/internal/coding"
)

// A quartet is a group of 4 digits of base64, which stand for 3 bytes.

// editBase64 re-encodes the end of the body: all lines from the line of the first edit on. The new
// lines have base64Width digits. The lines before them stay, and so do the blanks and line ends
// after the last digit. If the body lacked padding at its end, the new body lacks it too.
func editBase64(l *Leaf, edits []extract.Edit) (raw, decoded []extract.Edit, err error) {
	if l.Problem != "" {
		return nil, nil, l.Entity.errorf("%s", l.Problem)
	}
	eol := l.Entity.m.eol
	start, decodedStart := base64Line(l, edits[0].Start, eol)
	end := len(bytes.TrimRight(l.raw, " \t\r\n"))
	start = min(start, end)
	s := scratches.Get().(*scratch)
	defer s.release()
	s.edited = extract.Apply(s.edited[:0], l.Data[decodedStart:], shifted(edits, -decodedStart))
	width := base64Width(l.raw[:end], base64.StdEncoding.EncodedLen(len(s.edited)), eol)
	lines := base64Lines(s.edited, width, l.eolAt(l.lineEnd(start)))
	if !s.decodesToEdited(lines) {
		return nil, nil, l.Entity.errorf("the edited base64 body does not decode to the edited text")
	}
	lines = unpadded(lines, missingPadding(l.raw))
	e := extract.Edit{Span: extract.Span{Start: start, End: end}, New: lines}
	return []extract.Edit{trimUnchanged(l.raw, e)}, edits, nil
}

// missingPadding returns the number of "=" to leave out at the end of an edited body, so that it
// lacks padding as raw does. It returns 2 if raw lacks all its padding, and 1 if raw lacks the
// second of two "=".
func missingPadding(raw []byte) int {
	n, last := 0, byte(0)
	for _, c := range raw {
		if coding.Base64Digit[c] < 64 || c == '=' {
			n++
			last = c
		}
	}
	switch {
	case n%4 == 0:
		return 0
	case last == '=':
		return 1
	}
	return 2
}

// unpadded returns lines of base64 without their last n "=", or without all of them if there are
// fewer.
func unpadded(lines []byte, n int) []byte {
	for ; n > 0 && bytes.HasSuffix(lines, []byte("=")); n-- {
		lines = bytes.TrimRight(lines[:len(lines)-1], "\r\n")
	}
	return lines
}

// decodesToEdited reports whether lines of base64 decode to s.edited. If they do, the whole body
// decodes to the edited text, because the first of these lines begins with a quartet.
func (s *scratch) decodesToEdited(lines []byte) bool {
	s.decoded = slices.Grow(s.decoded[:0], base64.StdEncoding.DecodedLen(len(lines)))
	n, err := base64.StdEncoding.Decode(s.decoded[:cap(s.decoded)], lines)
	return err == nil && bytes.Equal(s.decoded[:n], s.edited)
}

// base64Lines encodes text in lines of n bytes, without a line end after the last line.
func base64Lines(text []byte, n int, eol []byte) []byte {
	if n%4 > 0 {
		return cutLines(base64.StdEncoding.AppendEncode(nil, text), n, eol)
	}
	digits := base64.StdEncoding.EncodedLen(len(text))
	out := make([]byte, 0, digits+(digits/n+1)*len(eol))
	for line := n / 4 * 3; len(text) > line; text = text[line:] {
		out = append(base64.StdEncoding.AppendEncode(out, text[:line]), eol...)
	}
	return base64.StdEncoding.AppendEncode(out, text)
}

// base64Line finds the line from which the body must be encoded again: the last line that begins
// with a quartet, and whose text does not begin after at, an offset in the decoded body. start is
// the offset of this line in the encoded body, and decoded is the offset of its text.
func base64Line(l *Leaf, at int, eol byte) (start, decoded int) {
	at -= at % 3
	end := l.Raw(extract.Span{Start: at, End: at}).Start
	for digits := 0; ; {
		start = bytes.LastIndexByte(l.raw[:end], eol) + 1
		for _, c := range l.raw[start:end] {
			if coding.Base64Digit[c] < 64 {
				digits++
			}
		}
		if digits%4 == 0 || start == 0 {
			return start, at - digits/4*3
		}
		end = start - 1
	}
}

// base64Width returns the line length for a new body. It is the length of the first old line, or of
// the second if that is longer. A body in one line of more than 76 digits stays in one line if the
// new line is not too long for mail, or if the old line was already too long.
func base64Width(raw []byte, digits int, eol byte) int {
	first, rest, more := bytes.Cut(bytes.TrimLeft(raw, " \t\r\n"), []byte{eol})
	second, _, _ := bytes.Cut(rest, []byte{eol})
	width := max(len(bytes.TrimSpace(first)), len(bytes.TrimSpace(second)))
	switch {
	case more:
		return max(width, 4)
	case width > maxLine, width > 76 && digits <= maxLine:
		return max(digits, 1)
	}
	return 76
}

// cutLines cuts b into lines of n bytes, without a line end after the last line.
func cutLines(b []byte, n int, eol []byte) []byte {
	out := make([]byte, 0, len(b)+(len(b)/n+1)*len(eol))
	for len(b) > n {
		out = append(append(out, b[:n]...), eol...)
		b = b[n:]
	}
	return append(out, b...)
}
