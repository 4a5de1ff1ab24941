package mbox

import (
	"bytes"
	"io"
	"strconv"

	"absolink/mime"
	"absolink/mime/internal/header"
)

// endByLength returns where m ends by its Content-Length. body is the end of the body, as an offset
// in the message. end is the end of the message, as an offset in the mailbox. sep is the length of
// the separator at end, or 0. If m has no valid Content-Length, end is 0; lengths.go says which
// fields are valid.
func (r *Reader) endByLength(m *Message, head []byte) (body, end int64, sep int, err error) {
	l, sep, err := r.readLength(m, head)
	switch {
	case err != nil || l.digits.Len() == 0:
		return 0, 0, 0, err
	case !l.isValid():
		m.addDefect(l.fieldStart, "Content-Length that does not lead to a separator")
		return 0, 0, 0, nil
	}
	return l.bodyEnd, r.next + l.nextMessage, sep, nil
}

// readLength finds the Content-Length in head, the header of m. It examines the bytes at the offset
// to which the field leads. sep is the length of the separator there, or 0. If findContentLength
// finds no field, l is the zero value. If Options.Lengths is set, readLength also sets m.length.
func (r *Reader) readLength(m *Message, head []byte) (l contentLength, sep int, err error) {
	n, fieldStart, digits := findContentLength(head, r.eol)
	r.w.examined += int64(len(head) + afterBody)
	if digits.Len() == 0 {
		return l, 0, nil
	}
	start := m.Content.Start
	l = contentLength{
		fieldStart: start + fieldStart,
		digits:     mime.Span{Start: start + digits.Start, End: start + digits.End},
		bodyStart:  m.Content.End,
		bodyEnd:    m.Content.End + n,
	}
	v, err := r.bytesAround(r.next + l.bodyEnd)
	if err != nil {
		return l, 0, err
	}
	blanks, sep, ok := separatorAfter(v, r.eol)
	if ok {
		l.nextMessage = l.bodyEnd + int64(blanks)
	}
	if r.o.Lengths {
		onHeap := l // otherwise l itself would always be on the heap
		m.length = &onHeap
	}
	return l, sep, nil
}

// readHeader returns the header that begins at the offset start, with the blank line that ends it.
// The header is valid until the next call of r.w.view. In these cases readHeader finds no header,
// and returns nil:
//
//   - A line that begins like a separator comes before the blank line.
//   - The mailbox ends before the blank line.
//   - The header is longer than maxHeader.
func (r *Reader) readHeader(start int64) ([]byte, error) {
	for pos, n := 0, 4<<10; ; n *= 2 {
		v, err := r.w.view(start, n)
		if err != nil {
			return nil, err
		}
		var blank bool
		r.w.examined += int64(len(v) - pos) // an upper limit: headEnd may stop earlier
		pos, blank = headEnd(v, pos, r.eol)
		switch {
		case blank && pos <= maxHeader:
			return v[:pos], nil
		case blank || pos < 0 || len(v) < n || n > maxHeader:
			return nil, nil
		}
	}
}

// headEnd returns the offset after the first blank line of b[pos:], and true. A line must begin at
// pos. If b has no blank line, headEnd returns the start of the last line, which has no line end,
// and false. If a line that begins like a separator comes first, it returns -1 and false.
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

// findContentLength returns the value n of the Content-Length of a header, the offset of the field,
// and the span of its digits. The span is empty if the header has no such field, or several, or if
// the value is not a number. Change.Edits of package mime also corrects this field, so both must
// find the same value.
func findContentLength(head []byte, eol byte) (n, fieldStart int64, digits mime.Span) {
	none := mime.Span{}
	for pos := 0; pos < len(head); {
		end := fieldEnd(head, pos, eol)
		if value, ok := contentLengthValue(head[pos:end]); ok {
			if digits != none {
				return 0, 0, none
			}
			first := int64(pos + value)
			digits = mime.Span{Start: first, End: first + int64(len(bytes.TrimRight(head[first:end], " \t\r\n")))}
			fieldStart = int64(pos)
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
	return n, fieldStart, digits
}

// fieldEnd returns the offset after the field at pos. Lines that begin with a blank or a tab
// continue the field.
func fieldEnd(head []byte, pos int, eol byte) int {
	for {
		n := lineLength(head[pos:], eol)
		if n == 0 { // head ends inside a line, which readHeader never returns
			return len(head)
		}
		pos += n
		if pos == len(head) || head[pos] != ' ' && head[pos] != '\t' {
			return pos
		}
	}
}

// contentLengthValue returns the offset of the value in a field. ok reports whether the field is a
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

// afterBody is the number of bytes that are examined to find out if a Content-Length is valid. They
// are the last byte of the body, two blank lines, and the lookahead bytes of a separator.
const afterBody = 1 + 2*2 + lookahead

// bytesAround returns afterBody bytes. The first of them is the byte before the offset bodyEnd. If
// the mailbox ends earlier, bytesAround returns fewer bytes. It returns none if bodyEnd is after
// the end of the mailbox.
func (r *Reader) bytesAround(bodyEnd int64) ([]byte, error) {
	start := bodyEnd - 1
	if bodyEnd-r.w.need <= int64(cap(r.w.buf)/2) {
		v, err := r.w.view(start, afterBody)
		return v[:min(len(v), afterBody)], err
	}
	b := make([]byte, afterBody)
	n := 0
	if start < r.w.end() {
		n = copy(b, r.w.buf[start-r.w.start:])
	}
	for n < len(b) {
		k, err := r.src.peek(b[n:], start+int64(n))
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

// separatorAfter examines b, the bytes that bytesAround returns. The first byte of b is the last
// byte of a body. ok reports whether a separator or the end of the mailbox follows, perhaps after
// one or two blank lines. separatorAfter also returns the length of the blank lines and the length
// of the separator. If b is empty, ok is false.
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
