package mime

import (
	"bytes"

	"absolink/extract"
	"absolink/resolve/ascii"
)

// Quoted-printable is edited where it stands. A line of the encoded body is
// content, then "=" if the break after it is soft, blanks that transport may
// have added, and the line end. An edit replaces content only: the content of
// the lines that it touches is joined, the new bytes are put in encoded, and the
// result is laid out anew with soft breaks where it is too long. What ends the
// last touched line stays, so that every other line stays as it is.

// decodeQuoted decodes quoted-printable (RFC 2045 Section 6.7). An "=" that
// begins neither an escape nor a soft break stands for itself.
func decodeQuoted(t *extract.Text, raw []byte, cr bool) (problem string) {
	t.Grow(len(raw), min(2*bytes.Count(raw, []byte("="))+1, len(raw)/32+1))
	ok := false
	if padded(raw, cr) {
		ok = decodeLines(t, raw, cr)
	} else {
		ok = decodePlain(t, raw, cr)
	}
	if !ok {
		problem = "escapes that are none in quoted-printable"
	}
	return problem
}

// padded reports whether there are blanks at the end of a line, which do not count.
func padded(raw []byte, cr bool) bool {
	for len(raw) > 0 {
		line, rest := raw, []byte(nil)
		if i := bytes.IndexByte(raw, lineEndByte(cr)); i >= 0 {
			line, rest = raw[:i], raw[i+1:]
			if !cr && i > 0 && line[i-1] == '\r' {
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

// decodeLines decodes a body line by line. It reports whether every "=" has a meaning.
func decodeLines(t *extract.Text, raw []byte, cr bool) bool {
	ok := true
	for pos := 0; pos < len(raw); {
		l := quotedLineAt(raw, pos, cr)
		ok = appendQuoted(t, raw, pos, l.content) && ok
		if !l.soft {
			t.AppendSame(l.end, raw[l.end:l.next])
		}
		pos = l.next
	}
	return ok
}

// decodePlain is decodeLines for a body that is not padded: it goes from one "="
// to the next and need not look at lines.
func decodePlain(t *extract.Text, raw []byte, cr bool) bool {
	ok := true
	for pos := 0; pos < len(raw); {
		n := bytes.IndexByte(raw[pos:], '=')
		if n < 0 {
			n = len(raw) - pos
		}
		t.AppendSame(pos, raw[pos:pos+n])
		if pos += n; pos == len(raw) {
			break
		}
		if n = softBreak(raw[pos:], cr); n == 0 {
			n = quotedToken(raw[pos:])
			ok = appendToken(t, raw, pos, n) && ok
		}
		pos += n
	}
	return ok
}

// softBreak returns the length of the soft break that b begins with, 0 if it
// begins with none.
func softBreak(b []byte, cr bool) int {
	switch {
	case len(b) == 1:
		return 1
	case b[1] == lineEndByte(cr):
		return 2
	case !cr && len(b) > 2 && b[1] == '\r' && b[2] == '\n':
		return 3
	}
	return 0
}

// appendToken appends the escape of n bytes at pos, or the "=" there if n is 1,
// and reports whether it is an escape.
func appendToken(t *extract.Text, raw []byte, pos, n int) bool {
	if n == 1 {
		t.AppendSame(pos, raw[pos:pos+1])
		return false
	}
	b := [1]byte{byte(ascii.Hex(raw[pos+1])<<4 | ascii.Hex(raw[pos+2]))}
	t.AppendEscapes(pos, b[:])
	return true
}

// appendQuoted decodes raw[pos:end], content of one line, and reports whether
// every "=" in it begins an escape.
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
		n = quotedToken(raw[pos:end])
		ok = appendToken(t, raw, pos, n) && ok
		pos += n
	}
	return ok
}

// quotedToken returns the length of the token that b begins with: 3 for an
// escape, else 1.
func quotedToken(b []byte) int {
	if len(b) >= 3 && b[0] == '=' && ascii.Hex(b[1]) >= 0 && ascii.Hex(b[2]) >= 0 {
		return 3
	}
	return 1
}

// quotedLine is one line of an encoded body as offsets in it: content ends the
// content, end is where the line end begins, next the line after it.
type quotedLine struct {
	content, end, next int
	soft               bool
}

// quotedLineAt looks at the rest of the line at pos.
func quotedLineAt(raw []byte, pos int, cr bool) quotedLine {
	l := quotedLine{end: len(raw), next: len(raw)}
	if i := bytes.IndexByte(raw[pos:], lineEndByte(cr)); i >= 0 {
		l.end, l.next = pos+i, pos+i+1
		if !cr && i > 0 && raw[l.end-1] == '\r' {
			l.end--
		}
	}
	for l.content = l.end; l.content > pos && (raw[l.content-1] == ' ' || raw[l.content-1] == '\t'); {
		l.content--
	}
	if l.content > pos && raw[l.content-1] == '=' {
		l.content--
		l.soft = true
	}
	return l
}

func lineEndByte(cr bool) byte {
	if cr {
		return '\r'
	}
	return '\n'
}

// editQuoted turns edits of the decoded text into edits of the encoded body.
func editQuoted(l *Leaf, edits []extract.Edit) (raw, decoded []extract.Edit, err error) {
	q := quotedEditor{l: l, raw: l.raw, cr: l.Entity.m.eol == '\r'}
	q.max = min(maxLine, max(76, longestContent(l.raw, lineEndByte(q.cr))))
	for rest := edits; len(rest) > 0; {
		var e extract.Edit
		e, rest = q.group(rest)
		raw = append(raw, trimmed(l.raw, e))
	}
	return raw, edits, nil
}

// longestContent returns the length of the longest line without the blanks at
// its end, which transport may have added.
func longestContent(b []byte, eol byte) (longest int) {
	for len(b) > 0 {
		line, rest, _ := bytes.Cut(b, []byte{eol})
		longest = max(longest, len(bytes.TrimRight(line, " \t\r")))
		b = rest
	}
	return longest
}

type quotedEditor struct {
	l   *Leaf
	raw []byte
	cr  bool
	max int // bytes of a line that is laid out

	start   int        // of the line looked at last
	current quotedLine // that line; its next is 0 before the first
	content []byte     // of the lines at hand
}

// line returns the line that holds the offset, and its start. Looking at one line
// again is free, so that many edits of a long line take linear time.
func (q *quotedEditor) line(pos int) (start int, l quotedLine) {
	if q.start <= pos && pos < q.current.next {
		return q.start, q.current
	}
	q.start = bytes.LastIndexByte(q.raw[:pos], lineEndByte(q.cr)) + 1
	q.current = quotedLineAt(q.raw, q.start, q.cr)
	return q.start, q.current
}

// group makes one edit of all edits that touch the same lines and returns the
// edits that follow.
func (q *quotedEditor) group(edits []extract.Edit) (extract.Edit, []extract.Edit) {
	at := q.span(edits[0].Span)
	start, _ := q.line(at.Start)
	content := append(q.content[:0], q.raw[start:at.Start]...)
	for {
		content = appendEscaped(content, edits[0].New)
		edits = edits[1:]
		if len(edits) == 0 {
			break
		}
		next := q.span(edits[0].Span)
		if next.Start = max(next.Start, at.End); next.Start > q.contentEnd(at.End) {
			break
		}
		content = append(content, q.raw[at.End:next.Start]...)
		at = next
	}
	_, line := q.line(at.End)
	line.content = q.contentEnd(at.End)
	content = append(content, q.raw[at.End:line.content]...)
	q.content = content
	laid := q.layout(content, q.raw[start:], q.l.lineEnd(line.end), !line.soft)
	return extract.Edit{Span: extract.Span{Start: start, End: line.content}, New: laid}, edits
}

// contentEnd returns where the content after the offset ends: at the offset, if an
// edit took a part of the line end.
func (q *quotedEditor) contentEnd(pos int) int {
	_, l := q.line(pos)
	return max(pos, l.content)
}

// span returns the encoded bytes of a decoded span. A span that begins at a line
// end begins with the end of the content, before blanks that were added.
func (q *quotedEditor) span(s extract.Span) extract.Span {
	r := q.l.Raw(s)
	_, line := q.line(r.Start)
	r.Start = min(r.Start, line.content)
	if s.Start == s.End {
		r.End = r.Start
	}
	return r
}

// layout breaks content softly into lines of at most q.max bytes. A line that
// is new does not begin like a separator or a boundary; hard says that a hard
// line end or the end of the body follows, where no blank may stand.
func (q *quotedEditor) layout(content, old, eol []byte, hard bool) []byte {
	if n := len(content); hard && n > 0 && (content[n-1] == ' ' || content[n-1] == '\t') {
		content = appendEscape(content[:n-1:n-1], content[n-1])
	}
	out := make([]byte, 0, len(content)+4*(len(content)/q.max+2))
	fresh := !startsBadly(old)
	if len(content) < q.max && !(fresh && startsBadly(content)) {
		return append(out, content...)
	}
	for line, i := 0, 0; i < len(content); {
		n := quotedToken(content[i:])
		room := q.max - 1
		if hard && i+n == len(content) {
			room++
		}
		if line > 0 && line+n > room {
			out = append(append(out, '='), eol...)
			line, fresh = 0, true
		}
		if line == 0 && fresh && startsBadly(content[i:]) {
			out = appendEscape(out, content[i])
			line += 3
		} else {
			out = append(out, content[i:i+n]...)
			line += n
		}
		i += n
	}
	return out
}

// appendEscaped appends b so that it stands anywhere in a line but at its end.
func appendEscaped(dst, b []byte) []byte {
	for _, c := range b {
		if c == '=' || c < ' ' && c != '\t' || c > '~' {
			dst = appendEscape(dst, c)
		} else {
			dst = append(dst, c)
		}
	}
	return dst
}

func appendEscape(dst []byte, c byte) []byte {
	const hex = "0123456789ABCDEF"
	return append(dst, '=', hex[c>>4], hex[c&15])
}
