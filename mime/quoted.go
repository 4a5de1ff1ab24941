package mime

import (
	"bytes"

	"absolink/extract"
)

// Quoted-printable is edited where it stands. A line of the encoded body is
// content, then "=" if the break after it is soft, blanks that transport may
// have added, and the line end. An edit replaces content only: the content of
// the lines that it touches is joined, the new bytes are put in encoded, and the
// result is laid out anew with soft breaks where it is too long. What ends the
// last touched line stays, so that every other line stays as it is.

// decodeQuoted decodes quoted-printable (RFC 2045 Section 6.7). An "=" that
// begins neither an escape nor a soft break stands for itself.
func decodeQuoted(raw []byte, cr bool) (t extract.Text, problem string) {
	t.Data = make([]byte, 0, len(raw))
	for pos := 0; pos < len(raw); {
		l := quotedLineAt(raw, pos, cr)
		if !appendQuoted(&t, raw, pos, l.content) {
			problem = "escapes that are none in quoted-printable"
		}
		if !l.soft {
			t.AppendSame(l.end, raw[l.end:l.next])
		}
		pos = l.next
	}
	return t, problem
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
		if n = quotedToken(raw[pos:end]); n == 3 {
			b := byte(unhex(raw[pos+1])<<4 | unhex(raw[pos+2]))
			t.AppendToken(extract.Span{Start: pos, End: pos + 3}, []byte{b})
		} else {
			ok = false
			t.AppendSame(pos, raw[pos:pos+1])
		}
		pos += n
	}
	return ok
}

// quotedToken returns the length of the token that b begins with: 3 for an
// escape, else 1.
func quotedToken(b []byte) int {
	if len(b) >= 3 && b[0] == '=' && unhex(b[1]) >= 0 && unhex(b[2]) >= 0 {
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
	q.max = min(maxLine, max(76, longestLine(l.raw, lineEndByte(q.cr))))
	for rest := edits; len(rest) > 0; {
		var e extract.Edit
		e, rest = q.group(rest)
		raw = append(raw, trimmed(l.raw, e))
	}
	return raw, edits, nil
}

type quotedEditor struct {
	l   *Leaf
	raw []byte
	cr  bool
	max int // bytes of a line that is laid out
}

// group makes one edit of all edits that touch the same lines and returns the
// edits that follow.
func (q *quotedEditor) group(edits []extract.Edit) (extract.Edit, []extract.Edit) {
	at := q.span(edits[0].Span)
	start := bytes.LastIndexByte(q.raw[:at.Start], lineEndByte(q.cr)) + 1
	content := append([]byte(nil), q.raw[start:at.Start]...)
	for {
		content = appendEscaped(content, edits[0].New)
		edits = edits[1:]
		if len(edits) == 0 {
			break
		}
		next := q.span(edits[0].Span)
		if next.Start > quotedLineAt(q.raw, at.End, q.cr).content {
			break
		}
		content = append(content, q.raw[at.End:next.Start]...)
		at = next
	}
	line := quotedLineAt(q.raw, at.End, q.cr)
	content = append(content, q.raw[at.End:line.content]...)
	laid := q.layout(content, q.raw[start:], q.l.lineEnd(line.end), !line.soft)
	return extract.Edit{Span: extract.Span{Start: start, End: line.content}, New: laid}, edits
}

// span returns the encoded bytes of a decoded span. A span that begins at a line
// end begins with the end of the content, before blanks that were added.
func (q *quotedEditor) span(s extract.Span) extract.Span {
	r := q.l.Raw(s)
	start := bytes.LastIndexByte(q.raw[:r.Start], lineEndByte(q.cr)) + 1
	r.Start = min(r.Start, quotedLineAt(q.raw, start, q.cr).content)
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
	var out []byte
	fresh := !startsBadly(old)
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
