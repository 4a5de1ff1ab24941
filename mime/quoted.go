package mime

import (
	"bytes"

	"absolink/extract"
	"absolink/mime/internal/coding"
)

// Edits of quoted-printable change only the lines that they touch. An encoded line consists of
// content, "=" if its line break is soft, blanks that a mail server may have added, and the line
// end. The content of all lines that an edit touches is joined. The new bytes are encoded and
// inserted, and lines that are too long get soft breaks. The end of the last touched line stays, so
// the lines after it do not change.

// editQuoted turns edits of the decoded text into edits of the encoded body.
func editQuoted(l *Leaf, edits []extract.Edit) (raw, decoded []extract.Edit, err error) {
	q := quotedEditor{l: l, raw: l.raw, eol: l.Entity.m.eol}
	q.max = min(maxLine, max(76, longestContent(l.raw, q.eol)))
	for rest := edits; len(rest) > 0; {
		var e extract.Edit
		e, rest = q.editGroup(rest)
		raw = append(raw, trimUnchanged(l.raw, e))
	}
	return raw, edits, nil
}

// longestContent returns the length of the longest line, without the blanks at its end, which a
// mail server may have added.
func longestContent(b []byte, eol byte) (longest int) {
	for len(b) > 0 {
		line, rest, _ := bytes.Cut(b, []byte{eol})
		longest = max(longest, len(bytes.TrimRight(line, " \t\r")))
		b = rest
	}
	return longest
}

// quotedEditor edits the body of a leaf.
type quotedEditor struct {
	l   *Leaf
	raw []byte
	eol byte
	max int // longest line, in bytes, that layout writes

	start   int               // start of current
	current coding.QuotedLine // the line that lineAt returned last; its Next is 0 before the first call
	content []byte            // joined content of the lines being edited
}

// lineAt returns the line that holds an offset, and the start of the line. A second call for the
// same line takes no time, so many edits of a long line take linear time.
func (q *quotedEditor) lineAt(pos int) (start int, l coding.QuotedLine) {
	if q.start <= pos && pos < q.current.Next {
		return q.start, q.current
	}
	q.start = bytes.LastIndexByte(q.raw[:pos], q.eol) + 1
	q.current = coding.QuotedLineAt(q.raw, q.start, q.eol)
	return q.start, q.current
}

// editGroup returns one edit of the encoded body for the first edit and those after it that touch
// the same lines. It also returns the remaining edits.
func (q *quotedEditor) editGroup(edits []extract.Edit) (extract.Edit, []extract.Edit) {
	at := q.encodedSpan(edits[0].Span)
	start, _ := q.lineAt(at.Start)
	content := append(q.content[:0], q.raw[start:at.Start]...)
	for {
		content = appendEscaped(content, edits[0].New)
		edits = edits[1:]
		if len(edits) == 0 {
			break
		}
		next := q.encodedSpan(edits[0].Span)
		next.Start = max(next.Start, at.End)
		if next.Start > q.contentEnd(at.End) {
			break
		}
		content = append(content, q.raw[at.End:next.Start]...)
		at = next
	}
	_, line := q.lineAt(at.End)
	line.Content = q.contentEnd(at.End)
	content = append(content, q.raw[at.End:line.Content]...)
	q.content = content
	laid := q.layout(content, q.raw[start:], q.l.eolAt(line.End), !line.Soft)
	return extract.Edit{Span: extract.Span{Start: start, End: line.Content}, New: laid}, edits
}

// contentEnd returns the end of the content after the offset. It returns the offset itself if an
// edit replaced part of the line end.
func (q *quotedEditor) contentEnd(pos int) int {
	_, l := q.lineAt(pos)
	return max(pos, l.Content)
}

// encodedSpan returns the span of the encoded body for a decoded span. If the decoded span begins
// at a line end, the encoded span begins at the end of the content, before the added blanks.
func (q *quotedEditor) encodedSpan(s extract.Span) extract.Span {
	r := q.l.Raw(s)
	_, line := q.lineAt(r.Start)
	r.Start = min(r.Start, line.Content)
	if s.Start == s.End {
		r.End = r.Start
	}
	return r
}

// layout breaks content with soft breaks into lines of at most q.max bytes. No new line begins like
// a separator or a boundary. old is the old body from the first replaced line on. hard means that a
// hard line end or the end of the body follows, so content must not end in a blank.
func (q *quotedEditor) layout(content, old, eol []byte, hard bool) []byte {
	if n := len(content); hard && n > 0 && (content[n-1] == ' ' || content[n-1] == '\t') {
		content = appendEscape(content[:n-1:n-1], content[n-1])
	}
	out := make([]byte, 0, len(content)+4*(len(content)/q.max+2))
	fresh := !startsBadly(old) // the current line must not begin badly; the first may, if the old one did
	if len(content) < q.max && !(fresh && startsBadly(content)) {
		return append(out, content...)
	}
	for line, i := 0, 0; i < len(content); {
		n := coding.QuotedToken(content[i:])
		room := q.max - 1 // a soft break needs one byte
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

// appendEscaped appends b, encoded so that it may be anywhere in a line except at its end.
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
