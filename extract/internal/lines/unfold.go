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
	t      *reading.Text
	blanks bool // the blank of a fold is part of the text
	folds  bool // the line end of a fold is part of the text too, as LF
	chars  bool // a fold may split a character (RFC 5545 section 3.1)
	quoted bool // soft line breaks of quoted-printable also join lines
	latin  bool // bytes above ASCII are Latin-1
	words  bool // encoded words (RFC 2047) are decoded
}

// value decodes the lines of a span.
func (u *unfolder) value(s text.Span) reading.Value {
	t, data := u.t, u.t.Data[:s.End]
	v := t.Begin(s)
	for i := s.Start; i < s.End; {
		switch b := data[i]; {
		case ascii.LineEnd.Has(b):
			next := u.fold(data, i)
			if u.folds {
				t.Decoded.AppendToken(text.Span{Start: i, End: next}, []byte{'\n'})
			}
			i = next
		case u.quoted && b == '=' && i+1 < s.End && ascii.LineEnd.Has(data[i+1]):
			_, i = lineEnd(data, i)
		case u.words && b == '=' && i < s.End-1 && data[i+1] == '?':
			i = u.word(data, i)
		case b < utf8.RuneSelf:
			n := foldable(data, i)
			t.Decoded.AppendSame(i, data[i:n])
			i = n
		default:
			var buf [8]byte
			char, next, ok := u.char(buf[:0], data, i)
			t.Decoded.AppendToken(text.Span{Start: i, End: next}, char)
			v.Broken = v.Broken || !ok
			i = next
		}
	}
	return t.Taken(v)
}

// word appends the encoded word at i, or only the byte if no word begins there. It returns the
// offset after the word, and skips white space before another word.
func (u *unfolder) word(data []byte, i int) int {
	decoded, next, ok := encodedWord(data, i)
	if !ok {
		u.t.Decoded.AppendSame(i, data[i:i+1])
		return i + 1
	}
	u.t.Decoded.AppendToken(text.Span{Start: i, End: next}, decoded)
	rest := bytes.TrimLeft(data[next:], " \t\r\n")
	if at := len(data) - len(rest); at > next {
		if _, _, ok := encodedWord(data, at); ok {
			return at
		}
	}
	return next
}

// foldable returns the end of the ASCII text at i, which has at least one byte and contains no
// fold.
func foldable(data []byte, i int) int {
	for i++; i < len(data) && data[i] < utf8.RuneSelf && data[i] != '=' && !ascii.LineEnd.Has(data[i]); i++ {
	}
	return i
}

// fold returns the offset after the fold at i.
func (u *unfolder) fold(data []byte, i int) int {
	_, next := lineEnd(data, i)
	if !u.blanks && next < len(data) && (data[next] == ' ' || data[next] == '\t') {
		next++
	}
	return next
}

// char appends the character at i, which is not ASCII, and returns the offset after it. ok is false
// if U+FFFD replaces an invalid sequence.
func (u *unfolder) char(dst, data []byte, i int) (out []byte, next int, ok bool) {
	switch {
	case u.latin:
		return utf8.AppendRune(dst, rune(data[i])), i + 1, true
	case u.chars:
		return u.foldedChar(dst, data, i)
	}
	end, _ := lineEnd(data, i)
	return u.t.Char(dst, data[:end], i)
}

// foldedChar is char for a character that may contain folds.
func (u *unfolder) foldedChar(dst, data []byte, i int) (out []byte, next int, ok bool) {
	var raw [4]byte
	var ends [4]int
	n := 0
	for j := i; j < len(data) && n < len(raw); {
		if ascii.LineEnd.Has(data[j]) {
			j = u.fold(data, j)
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
