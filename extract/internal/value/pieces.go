package value

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"absolink/extract/internal/charset"
	"absolink/extract/internal/text"
	"absolink/resolve"
)

// A long parameter may be cut into pieces, and its text may be percent-encoded in a charset (RFC
// 2231): URL*0, URL*1, or URL*, or URL*0*.

// param is a parameter of a header field.
type param struct {
	text.Span        // covers its value, or all its pieces
	text      string // without quotes, escapes and folding
	split     bool   // it has one of the forms of RFC 2231
}

// piece is one piece of a parameter.
type piece struct {
	text.Span
	n       int  // from 0
	encoded bool // it is percent-encoded
}

// findText returns the parameter with a name, at or after i. name must be in lower case. The form
// with a charset counts first, then the pieces, then the plain form. If a piece is missing or
// occurs twice, the pieces do not count, because a part of the text would be missing.
func findText(b []byte, i int, name string) (p param, ok bool) {
	plain, ok := findParam(b, i, name)
	pieces, whole := findPieces(b, i, name)
	if !whole {
		if !ok {
			return param{}, false
		}
		return param{Span: plain, text: pieceText(b, plain)}, true
	}
	p = param{Span: pieces[0].Span, split: true}
	var joined []byte
	label := ""
	for _, s := range pieces {
		p.Start = min(p.Start, s.Start)
		p.End = max(p.End, s.End)
		value := pieceText(b, s.Span)
		if s.encoded && s.n == 0 {
			label, value = cutLabel(value)
		}
		if s.encoded {
			value = resolve.Unescape(value)
		}
		joined = append(joined, value...)
	}
	p.text = string(joined)
	if decoded, ok := charset.InUTF8(joined, label); ok {
		p.text = string(decoded)
	}
	return p, true
}

// findPieces returns the pieces of the parameter with a name, at or after i, in their order. ok is
// false if there are none, or if they are not numbered from 0 without a gap.
func findPieces(b []byte, i int, name string) (pieces []piece, ok bool) {
	for i < len(b) {
		var key []byte
		var value text.Span
		key, value, i = scanParam(b, i)
		if len(key) <= len(name) || key[len(name)] != '*' || !text.IsFold(key[:len(name)], name) {
			continue
		}
		number, encoded := strings.CutSuffix(string(key[len(name)+1:]), "*")
		if number == "" && !encoded {
			return []piece{{Span: value, encoded: true}}, true // name*
		}
		if n, err := strconv.Atoi(number); err == nil && strconv.Itoa(n) == number {
			pieces = append(pieces, piece{value, n, encoded})
		}
	}
	slices.SortStableFunc(pieces, func(p, q piece) int { return p.n - q.n })
	for n, p := range pieces {
		if p.n != n {
			return nil, false
		}
	}
	return pieces, len(pieces) > 0
}

// pieceText returns the text of a value, without escapes and folding.
func pieceText(b []byte, s text.Span) string {
	v := unquoted(b[s.Start:s.End])
	if bytes.ContainsAny(v, "\r\n") {
		v = bytes.ReplaceAll(bytes.ReplaceAll(v, []byte("\r"), nil), []byte("\n"), nil)
	}
	return string(v)
}

// cutLabel cuts charset'language' from the start of an encoded value.
func cutLabel(value string) (label, rest string) {
	parts := strings.SplitN(value, "'", 3)
	if len(parts) < 3 {
		return "", value
	}
	return parts[0], parts[2]
}
