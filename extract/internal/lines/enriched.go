package lines

import (
	"bytes"

	"absolink/extract/internal/reading"
	"absolink/extract/internal/text"
	"absolink/resolve/ascii"
)

// Enriched text (RFC 1896, and richtext of RFC 1341 section 7.1.3) is plain text with commands in
// angle brackets. The reader removes the commands, so a URI with a command inside stays one URI. <<
// and <lt> of richtext mean '<'. The parameters of a command and comments are not text. Brackets
// that cannot be a command are text.

// Enriched reads the text as enriched text. A command without its end hides nothing. Enriched never
// fails.
func Enriched(t *reading.Text) {
	start := t.Start()
	w := enriched{t: t, unclosed: make(map[string]bool)}
	v := t.Begin(text.Span{Start: start, End: len(t.Data)})
	w.text(start)
	v.Broken = w.broken
	prose(t, t.Taken(v))
}

// enriched decodes enriched text.
type enriched struct {
	t        *reading.Text
	broken   bool
	unclosed map[string]bool // commands whose end does not follow
}

// text appends the text from an offset on to w.t.Decoded.
func (w *enriched) text(i int) {
	data := w.t.Data
	for i < len(data) {
		n := bytes.IndexByte(data[i:], '<')
		if n < 0 {
			n = len(data) - i
		}
		w.broken = w.t.AppendCharset(i, i+n) || w.broken
		i += n
		if i < len(data) {
			i = w.bracket(i)
		}
	}
}

// bracket reads the '<' at i and returns the offset after the command or character that begins
// there.
func (w *enriched) bracket(i int) int {
	data, t := w.t.Data, &w.t.Decoded
	if bytes.HasPrefix(data[i+1:], []byte("<")) {
		t.AppendToken(text.Span{Start: i, End: i + 2}, []byte("<"))
		return i + 2
	}
	name, next := command(data, i)
	if next < 0 {
		t.AppendSame(i, data[i:i+1])
		return i + 1
	}
	switch name {
	case "lt":
		t.AppendToken(text.Span{Start: i, End: next}, []byte("<"))
	case "nl", "np":
		t.AppendToken(text.Span{Start: i, End: next}, []byte("\n"))
	case "param", "comment":
		return w.hidden(name, next)
	}
	return next
}

// longestCommand is the length of the longest name of a command (RFC 1896 section 3).
const longestCommand = 60

// command returns the name of the command at i in lower case, and the offset after it. The name of
// an end command begins with '/'. next is -1 without a command.
func command(data []byte, i int) (name string, next int) {
	start := i + 1
	n := start
	if n < len(data) && data[n] == '/' {
		n++
	}
	first := n
	for n < len(data) && n-first <= longestCommand && (ascii.Alnum.Has(data[n]) || data[n] == '-') {
		n++
	}
	if n == first || n-first > longestCommand || n == len(data) || data[n] != '>' {
		return "", -1
	}
	var buf [longestCommand + 1]byte
	return string(text.AppendLower(buf[:0], data[start:n])), n + 1
}

// hidden returns the offset after the end of the command whose content begins at i. It returns i if
// the command has no end.
func (w *enriched) hidden(name string, i int) int {
	data := w.t.Data
	for at := i; !w.unclosed[name]; {
		n := bytes.Index(data[at:], []byte("</"))
		if n < 0 {
			break
		}
		at += n
		if text.HasPrefixFold(data[at+2:], name+">") {
			return at + len("</>") + len(name)
		}
		at += 2
	}
	w.unclosed[name] = true
	return i
}
