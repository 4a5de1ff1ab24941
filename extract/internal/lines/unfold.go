package lines

import (
	"bytes"
	"unicode/utf8"

	"absolink/extract/internal/reading"
	"absolink/extract/internal/text"
	"absolink/resolve/ascii"
)

// lineEnd returns the end of the line at i and the start of the next one.
func lineEnd(data []byte, i int) (end, next int) {
	n := bytes.IndexAny(data[i:], "\r\n")
	switch {
	case n < 0:
		return len(data), len(data)
	case data[i+n] == '\r' && i+n+1 < len(data) && data[i+n+1] == '\n':
		return i + n, i + n + 2
	}
	return i + n, i + n + 1
}

// unfolder decodes folded lines. A fold is a line end followed by a blank.
type unfolder struct {
	t               *reading.Text
	keepBlanks      bool // the blank of a fold is part of the text
	keepFolds       bool // the line end of a fold is part of the text, as LF
	splitChars      bool // a fold may split a character (RFC 5545 section 3.1)
	quotedPrintable bool // soft line breaks of quoted-printable also join lines
	latin1          bool // bytes above ASCII are Latin-1
	encodedWords    bool // encoded words (RFC 2047) are decoded
}

// decode returns the lines of a span, unfolded and decoded.
func (u *unfolder) decode(s text.Span) reading.Value {
	t, data := u.t, u.t.Data[:s.End]
	v := t.Begin(s)
	for i := s.Start; i < s.End; {
		switch b := data[i]; {
		case ascii.LineEnd.Has(b):
			next := u.foldEnd(data, i)
			if u.keepFolds {
				t.Decoded.AppendToken(text.Span{Start: i, End: next}, []byte{'\n'})
			}
			i = next
		case u.quotedPrintable && b == '=' && i+1 < s.End && ascii.LineEnd.Has(data[i+1]):
			_, i = lineEnd(data, i)
		case u.encodedWords && b == '=' && i < s.End-1 && data[i+1] == '?':
			i = u.appendWord(data, i)
		case b < utf8.RuneSelf:
			n := plainEnd(data, i)
			t.Decoded.AppendSame(i, data[i:n])
			i = n
		default:
			var buf [8]byte
			char, next, ok := u.appendChar(buf[:0], data, i)
			t.Decoded.AppendToken(text.Span{Start: i, End: next}, char)
			v.Broken = v.Broken || !ok
			i = next
		}
	}
	return t.Taken(v)
}

// appendWord appends the encoded word at i, or only the byte if no word begins there. It returns
// the offset after the word. If another word follows, it also skips the white space before that
// word.
func (u *unfolder) appendWord(data []byte, i int) int {
	decoded, next, ok := decodeWord(data, i)
	if !ok {
		u.t.Decoded.AppendSame(i, data[i:i+1])
		return i + 1
	}
	u.t.Decoded.AppendToken(text.Span{Start: i, End: next}, decoded)
	rest := bytes.TrimLeft(data[next:], " \t\r\n")
	if at := len(data) - len(rest); at > next {
		if _, _, ok := decodeWord(data, at); ok {
			return at
		}
	}
	return next
}

// plainEnd returns the end of a run of ASCII bytes from i on: at least one byte, and up to the next
// line end or '='.
func plainEnd(data []byte, i int) int {
	for i++; i < len(data) && data[i] < utf8.RuneSelf && data[i] != '=' && !ascii.LineEnd.Has(data[i]); i++ {
	}
	return i
}

// foldEnd returns the offset after the fold at i.
func (u *unfolder) foldEnd(data []byte, i int) int {
	_, next := lineEnd(data, i)
	if !u.keepBlanks && next < len(data) && (data[next] == ' ' || data[next] == '\t') {
		next++
	}
	return next
}

// appendChar appends the character at i, which is not ASCII, and returns the offset after it. ok is
// false if U+FFFD replaces an invalid sequence.
func (u *unfolder) appendChar(dst, data []byte, i int) (out []byte, next int, ok bool) {
	switch {
	case u.latin1:
		return utf8.AppendRune(dst, rune(data[i])), i + 1, true
	case u.splitChars:
		return u.appendFoldedChar(dst, data, i)
	}
	end, _ := lineEnd(data, i)
	return u.t.Char(dst, data[:end], i)
}

// appendFoldedChar is appendChar for a character that may contain folds.
func (u *unfolder) appendFoldedChar(dst, data []byte, i int) (out []byte, next int, ok bool) {
	var raw [4]byte
	var ends [4]int
	n := 0
	for j := i; j < len(data) && n < len(raw); {
		if ascii.LineEnd.Has(data[j]) {
			j = u.foldEnd(data, j)
			continue
		}
		raw[n] = data[j]
		j++
		ends[n] = j
		n++
	}
	out, used, ok := u.t.Charset().Append(dst, raw[:n], 0, false)
	return out, ends[used-1], ok
}
