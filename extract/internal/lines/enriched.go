package lines

import (
	"bytes"

	"absolink/extract/internal/reading"
	"absolink/extract/internal/text"
	"absolink/resolve/ascii"
)

// Enriched text (RFC 1896, and richtext of RFC 1341 section 7.1.3) is plain text with commands in
// angle brackets. The reader removes the commands, so a URI with a command inside stays one URI.
// Both << and the <lt> of richtext mean '<'. Parameters of commands and comments are not text.
// Brackets that cannot be a command are text.

// Enriched reads the text as enriched text. A param or comment command without an end command hides
// nothing. Enriched never fails.
func Enriched(t *reading.Text) {
	start := t.Start()
	w := enrichedText{t: t, unclosed: make(map[string]bool)}
	v := t.Begin(text.Span{Start: start, End: len(t.Data)})
	w.appendText(start)
	v.Broken = w.broken
	addProse(t, t.Taken(v))
}

// enrichedText decodes enriched text.
type enrichedText struct {
	t        *reading.Text
	broken   bool
	unclosed map[string]bool // names of commands that have no end command in the rest of the text
}

// appendText appends the text from an offset on to w.t.Decoded.
func (w *enrichedText) appendText(i int) {
	data := w.t.Data
	for i < len(data) {
		n := bytes.IndexByte(data[i:], '<')
		if n < 0 {
			n = len(data) - i
		}
		w.broken = w.t.AppendCharset(i, i+n) || w.broken
		i += n
		if i < len(data) {
			i = w.readBracket(i)
		}
	}
}

// readBracket reads the command or character that begins with the '<' at i. It returns the offset
// after it.
func (w *enrichedText) readBracket(i int) int {
	data, t := w.t.Data, &w.t.Decoded
	if bytes.HasPrefix(data[i+1:], []byte("<")) {
		t.AppendToken(text.Span{Start: i, End: i + 2}, []byte("<"))
		return i + 2
	}
	name, next := commandAt(data, i)
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
		return w.hiddenEnd(name, next)
	}
	return next
}

// maxCommand is the length of the longest name of a command (RFC 1896 section 3).
const maxCommand = 60

// commandAt returns the name of the command at i in lower case, and the offset after it. The name
// of an end command begins with '/'. next is -1 if there is no command at i.
func commandAt(data []byte, i int) (name string, next int) {
	start := i + 1
	n := start
	if n < len(data) && data[n] == '/' {
		n++
	}
	first := n
	for n < len(data) && n-first <= maxCommand && (ascii.Alnum.Has(data[n]) || data[n] == '-') {
		n++
	}
	if n == first || n-first > maxCommand || n == len(data) || data[n] != '>' {
		return "", -1
	}
	var buf [maxCommand + 1]byte
	return string(text.AppendLower(buf[:0], data[start:n])), n + 1
}

// hiddenEnd returns the offset after the end command of the command whose content begins at i. It
// returns i if there is no end command.
func (w *enrichedText) hiddenEnd(name string, i int) int {
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
