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
// the same lines. rest are the remaining edits.
func (q *quotedEditor) editGroup(edits []extract.Edit) (group extract.Edit, rest []extract.Edit) {
	replaced := q.encodedSpan(edits[0].Span) // the span that the last edit so far replaces
	start, _ := q.lineAt(replaced.Start)
	content := append(q.content[:0], q.raw[start:replaced.Start]...)
	content = appendEscaped(content, edits[0].New)
	rest = edits[1:]
	for ; len(rest) > 0; rest = rest[1:] {
		next := q.encodedSpan(rest[0].Span)
		next.Start = max(next.Start, replaced.End)
		if next.Start > q.contentEnd(replaced.End) {
			break // the edit begins on another line
		}
		content = append(content, q.raw[replaced.End:next.Start]...)
		content = appendEscaped(content, rest[0].New)
		replaced = next
	}
	end := q.contentEnd(replaced.End)
	content = append(content, q.raw[replaced.End:end]...)
	q.content = content
	_, last := q.lineAt(replaced.End)
	lines := q.layout(content, q.raw[start:], q.l.eolAt(last.End), !last.Soft)
	return extract.Edit{Span: extract.Span{Start: start, End: end}, New: lines}, rest
}

// contentEnd returns the end of the content of the line that holds an offset. If the offset is
// inside the line end, because an edit replaces a part of it, contentEnd returns the offset.
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

// layout breaks content with soft breaks into lines of at most q.max bytes. No line begins like a
// separator or a boundary, except the first line if the old line did. old is the old body from the
// first replaced line on. hard is set if a hard line end or the end of the body follows. The last
// line must then not end in a blank.
func (q *quotedEditor) layout(content, old, eol []byte, hard bool) []byte {
	if n := len(content); hard && n > 0 && (content[n-1] == ' ' || content[n-1] == '\t') {
		content = appendEscape(content[:n-1:n-1], content[n-1])
	}
	out := make([]byte, 0, len(content)+4*(len(content)/q.max+2))
	mayStartBadly := startsBadly(old) // whether the current line may begin badly
	if len(content) < q.max && !startsBadly(content) {
		return append(out, content...)
	}
	length := 0 // of the current line
	for i := 0; i < len(content); {
		n := coding.QuotedToken(content[i:])
		room := q.max - len("=")
		if hard && i+n == len(content) { // no soft break follows
			room = q.max
		}
		if length > 0 && length+n > room {
			out = append(append(out, '='), eol...)
			length = 0
			mayStartBadly = false
		}
		if length == 0 && !mayStartBadly && startsBadly(content[i:]) {
			out = appendEscape(out, content[i])
			length = len("=XX")
		} else {
			out = append(out, content[i:i+n]...)
			length += n
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
