package mbox

import (
	"bytes"
	"io"
	"strconv"

	"absolink/mime"
	"absolink/mime/internal/header"
)

// counted returns where the body of m ends by its Content-Length, in the message,
// where the message ends, and the length of the separator there. end is 0 if the
// field does not count: it is missing, stands twice, is no number, or does not lead
// to a separator or to the end of the mailbox. Up to two blank lines may stand between.
func (r *Reader) counted(m *Message, head []byte) (body, end int64, sep int, err error) {
	l, sep, err := r.measure(m, head)
	switch {
	case err != nil || l.digits.Len() == 0:
		return 0, 0, 0, err
	case !l.lands():
		m.defect(l.field, "Content-Length that does not lead to a separator")
		return 0, 0, 0, nil
	}
	return l.end, r.at + l.next, sep, nil
}

// measure reads the Content-Length of m, and looks where it leads: to a separator of a
// length, or elsewhere. Without one that is a number l is zero.
func (r *Reader) measure(m *Message, head []byte) (l length, sep int, err error) {
	n, at, digits := contentLength(head, r.eol)
	r.w.looked += int64(len(head) + landingSize)
	if digits.Len() == 0 {
		return l, 0, nil
	}
	start := m.Content.Start
	l = length{field: start + at, digits: mime.Span{Start: start + digits.Start, End: start + digits.End},
		start: m.Content.End, end: m.Content.End + n}
	v, err := r.around(r.at + l.end)
	if err != nil {
		return l, 0, err
	}
	blanks, sep, ok := landing(v, r.eol)
	if ok {
		l.next = l.end + int64(blanks)
	}
	if r.o.Lengths {
		kept := l
		m.length = &kept
	}
	return l, sep, nil
}

// heading returns the header at an offset with the blank line that ends it, nothing
// if none does before a line that begins with "From ". It is valid until the next view.
func (r *Reader) heading(start int64) ([]byte, error) {
	for pos, n := 0, 4<<10; ; n *= 2 {
		v, err := r.w.view(start, n)
		if err != nil {
			return nil, err
		}
		var blank bool
		r.w.looked += int64(len(v) - pos) // at most
		pos, blank = headEnd(v, pos, r.eol)
		switch {
		case blank && pos <= maxHeader:
			return v[:pos], nil
		case blank || pos < 0 || len(v) < n || n > maxHeader:
			return nil, nil
		}
	}
}

// headEnd goes through the lines of a header from the one at pos on. It returns the
// offset after the first blank line, or that of the line which does not end in b, or -1
// at a line that begins as a separator does.
func headEnd(b []byte, pos int, eol byte) (end int, blank bool) {
	for {
		n := lineLength(b[pos:], eol)
		switch {
		case n == 0:
			return pos, false
		case n == 1 || n == 2 && eol == '\n' && b[pos] == '\r':
			return pos + n, true
		case b[pos] == 'F' && startsSeparator(b[pos:pos+n]):
			return -1, false
		}
		pos += n
	}
}

// contentLength returns the value of the only Content-Length of a header, the offset
// of the field and where its digits stand, which is nowhere if there is no such field
// that holds a number. It reads the field as package mime does, which changes it when
// an edit changes the size.
func contentLength(head []byte, eol byte) (n, at int64, digits mime.Span) {
	none := mime.Span{}
	for pos := 0; pos < len(head); {
		end := fieldEnd(head, pos, eol)
		if value, ok := lengthField(head[pos:end]); ok {
			if digits != none {
				return 0, 0, none
			}
			first := int64(pos + value)
			digits = mime.Span{Start: first, End: first + int64(len(bytes.TrimRight(head[first:end], " \t\r\n")))}
			at = int64(pos)
		}
		pos = end
	}
	if digits == none {
		return 0, 0, none
	}
	n, err := strconv.ParseInt(string(head[digits.Start:digits.End]), 10, 64)
	if err != nil || n < 0 || n > 1<<60 {
		return 0, 0, none
	}
	return n, at, digits
}

// fieldEnd returns the offset after the field at pos with the lines that continue it.
func fieldEnd(head []byte, pos int, eol byte) int {
	for {
		n := lineLength(head[pos:], eol)
		if n == 0 {
			return len(head)
		}
		pos += n
		if pos == len(head) || head[pos] != ' ' && head[pos] != '\t' {
			return pos
		}
	}
}

// lengthField returns the offset of the value of a field if it is a Content-Length.
func lengthField(field []byte) (value int, ok bool) {
	if len(field) == 0 || field[0]|0x20 != 'c' {
		return 0, false
	}
	colon := header.Colon(field)
	if colon < 0 || !header.Named(field[:colon], "Content-Length") {
		return 0, false
	}
	return len(field) - len(bytes.TrimLeft(field[colon+1:], " \t\r\n")), true
}

// landingSize is the number of bytes that tell where a Content-Length leads: the
// last of the body, two blank lines, a separator.
const landingSize = 1 + 2*2 + lookahead

// around returns the bytes from the one before an offset on, those that tell
// whether a message ends there, none if the offset lies beyond the mailbox.
func (r *Reader) around(body int64) ([]byte, error) {
	if body-r.w.kept <= int64(cap(r.w.buf)/2) {
		v, err := r.w.view(body-1, landingSize)
		return v[:min(len(v), landingSize)], err
	}
	b := make([]byte, landingSize)
	n := 0
	if there := r.w.end() - (body - 1); there > 0 {
		n = copy(b, r.w.buf[body-1-r.w.at:])
	}
	for n < len(b) {
		k, err := r.src.peek(b[n:], body-1+int64(n))
		if err != nil && err != io.EOF {
			return nil, err
		}
		if k == 0 {
			break
		}
		n += k
	}
	return b[:n], nil
}

// landing returns the length of the blank lines after the first byte of b and that
// of the separator after them. ok is false if neither a separator nor the end of the
// mailbox is there, or the first byte is missing.
func landing(b []byte, eol byte) (blanks, sep int, ok bool) {
	if len(b) == 0 {
		return 0, 0, false
	}
	rest := b[1:]
	for range 3 {
		sep = separator(rest[:min(len(rest), lookahead)], eol, true)
		blanks = len(b) - 1 - len(rest)
		if len(rest) == 0 || sep > 0 && (blanks > 0 || b[0] == eol) {
			return blanks, sep, true
		}
		n := lineLength(rest[:min(len(rest), 2)], eol)
		if n == 0 || n == 2 && rest[0] != '\r' {
			return 0, 0, false
		}
		rest = rest[n:]
	}
	return 0, 0, false
}
