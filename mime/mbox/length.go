package mbox

import (
	"bytes"
	"io"
	"strconv"

	"absolink/mime"
	"absolink/mime/internal/header"
)

// endByLength returns where m ends by its Content-Length: the end of its body as an offset in the
// message, the end of the message as an offset in the mailbox, and the length of the separator
// there. end is 0 if the field is missing, occurs twice, is not a number, or is not right (see
// lengths.go).
func (r *Reader) endByLength(m *Message, head []byte) (body, end int64, sep int, err error) {
	l, sep, err := r.readLength(m, head)
	switch {
	case err != nil || l.digits.Len() == 0:
		return 0, 0, 0, err
	case !l.isRight():
		m.addDefect(l.fieldStart, "Content-Length that does not lead to a separator")
		return 0, 0, 0, nil
	}
	return l.bodyEnd, r.next + l.nextMessage, sep, nil
}

// readLength reads the Content-Length of m, and examines the bytes where the body ends by it. sep
// is the length of the separator there, or 0. If m has no Content-Length that is a number, l is
// zero.
func (r *Reader) readLength(m *Message, head []byte) (l contentLength, sep int, err error) {
	n, at, digits := findContentLength(head, r.eol)
	r.w.examined += int64(len(head) + afterBody)
	if digits.Len() == 0 {
		return l, 0, nil
	}
	start := m.Content.Start
	l = contentLength{fieldStart: start + at, digits: mime.Span{Start: start + digits.Start, End: start + digits.End},
		bodyStart: m.Content.End, bodyEnd: m.Content.End + n}
	v, err := r.bytesAround(r.next + l.bodyEnd)
	if err != nil {
		return l, 0, err
	}
	blanks, sep, ok := separatorAfter(v, r.eol)
	if ok {
		l.nextMessage = l.bodyEnd + int64(blanks)
	}
	if r.o.Lengths {
		kept := l // l itself must not escape
		m.length = &kept
	}
	return l, sep, nil
}

// readHeader returns the header at an offset, with the blank line that ends it. It returns nil if a
// line that begins with "From " comes before the blank line, or if the header is longer than
// maxHeader. The header is valid until the next call of r.w.view.
func (r *Reader) readHeader(start int64) ([]byte, error) {
	for pos, n := 0, 4<<10; ; n *= 2 {
		v, err := r.w.view(start, n)
		if err != nil {
			return nil, err
		}
		var blank bool
		r.w.examined += int64(len(v) - pos) // at most
		pos, blank = headEnd(v, pos, r.eol)
		switch {
		case blank && pos <= maxHeader:
			return v[:pos], nil
		case blank || pos < 0 || len(v) < n || n > maxHeader:
			return nil, nil
		}
	}
}

// headEnd returns the offset after the first blank line of b, from the line at pos on. If b ends
// before a blank line, it returns the start of the last line, which is not complete, and false. At
// a line that begins like a separator it returns -1 and false.
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

// findContentLength returns the value of the Content-Length of a header, the offset of the field,
// and the span of its digits. The span is empty if the header has no such field, or several, or if
// the value is not a number. It must read the field as package mime does, which corrects the field
// after edits.
func findContentLength(head []byte, eol byte) (n, at int64, digits mime.Span) {
	none := mime.Span{}
	for pos := 0; pos < len(head); {
		end := fieldEnd(head, pos, eol)
		if value, ok := contentLengthValue(head[pos:end]); ok {
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

// fieldEnd returns the offset after the field at pos and the lines that continue it.
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

// contentLengthValue returns the offset of the value in a field. ok is false if the field is not a
// Content-Length.
func contentLengthValue(field []byte) (value int, ok bool) {
	if len(field) == 0 || field[0]|0x20 != 'c' {
		return 0, false
	}
	colon := header.Colon(field)
	if colon < 0 || !header.Named(field[:colon], "Content-Length") {
		return 0, false
	}
	return len(field) - len(bytes.TrimLeft(field[colon+1:], " \t\r\n")), true
}

// afterBody is the number of bytes from which bytesAround can tell whether a Content-Length is
// right: the last byte of the body, two blank lines, and a separator.
const afterBody = 1 + 2*2 + lookahead

// bytesAround returns the bytes around an offset, from the byte before it on. They suffice to
// decide whether a body ends at the offset. It returns no bytes if the offset is after the end of
// the mailbox.
func (r *Reader) bytesAround(body int64) ([]byte, error) {
	if body-r.w.kept <= int64(cap(r.w.buf)/2) {
		v, err := r.w.view(body-1, afterBody)
		return v[:min(len(v), afterBody)], err
	}
	b := make([]byte, afterBody)
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

// separatorAfter returns the length of the blank lines after the first byte of b, which is the last
// byte of a body, and the length of the separator after them. There may be at most two blank lines.
// ok is false if neither a separator nor the end of the mailbox follows, or if b is empty.
func separatorAfter(b []byte, eol byte) (blanks, sep int, ok bool) {
	if len(b) == 0 {
		return 0, 0, false
	}
	rest := b[1:]
	for range 3 {
		sep = separatorLen(rest[:min(len(rest), lookahead)], eol, true)
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
