package base

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"strings"
)

// Reference returns the URI reference in the value of l, without the text around it. It removes
// white space at the ends of an embedded value. In a Content-Base or Content-Location field it
// removes comments, all white space, one pair of quotes or angle brackets, and the prefix "URL:".
// It decodes encoded words (RFC 2047) in such a field. A Snapshot-Content-Location is treated in
// the same way, but its comments stay. The values of other sources stay as they are. Reference
// returns "" and false if an encoded word cannot be decoded.
func (l *Layer) Reference() (string, bool) {
	switch {
	case l.Source.isMIMEField():
		return referenceInField(withoutComments(l.Value))
	case l.Source == Snapshot:
		return referenceInField(l.Value)
	case l.Source.isEmbedded():
		return strings.Trim(l.Value, "\t\n\f\r "), true
	}
	return l.Value, true
}

// Bounds returns the offsets of the start and the end of the reference in Value. Comments, white
// space, quotes and angle brackets around the reference are not within these bounds. l must be a
// Content-Base or Content-Location field.
func (l *Layer) Bounds() (start, end int) {
	v := withoutComments(l.Value)
	start, end = trimmedBounds(v, 0, len(v))
	if isWrapped(v[start:end]) {
		start, end = trimmedBounds(v, start+1, end-1)
	}
	return start, end
}

// trimmedBounds returns the bounds of s[start:end] without the white space at its ends.
func trimmedBounds(s string, start, end int) (from, to int) {
	from = end - len(strings.TrimLeft(s[start:end], " \t\r\n"))
	return from, from + len(strings.TrimRight(s[from:end], " \t\r\n"))
}

// referenceInField returns the reference in value, the value of a field without its comments. It
// decodes encoded words if the whole value consists of them. Then it removes all white space (RFC
// 2396 5.1.1), one pair of quotes or angle brackets, and the prefix "URL:". Percent-encoded bytes
// stay. It returns "" and false if an encoded word cannot be decoded.
func referenceInField(value string) (string, bool) {
	words := strings.Fields(value)
	if allEncoded(words) {
		decoder := mime.WordDecoder{CharsetReader: charsetReader}
		for i, w := range words {
			decoded, err := decoder.Decode(w)
			if err != nil {
				return "", false
			}
			words[i] = withoutSpace(decoded)
		}
	}
	uri := unwrapped(strings.Join(words, ""))
	if len(uri) >= 4 && strings.EqualFold(uri[:4], "URL:") {
		uri = uri[4:]
	}
	return uri, true
}

// charsetReader returns a reader of the bytes of r, decoded from charset into UTF-8. A language may
// follow the name of the charset (RFC 2231 Section 5). Invalid bytes are an error, because a base
// is never guessed.
func charsetReader(charset string, r io.Reader) (io.Reader, error) {
	charset, _, _ = strings.Cut(charset, "*")
	decode, err := decoder(charset)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	text, err := decode(data)
	if err == nil && bytes.ContainsRune(text, '\ufffd') {
		err = errors.New("bytes that are not a character in " + charset)
	}
	return bytes.NewReader(text), err
}

// withoutSpace returns s without white space.
func withoutSpace(s string) string { return strings.Join(strings.Fields(s), "") }

// unwrapped returns s without a pair of quotes or angle brackets around it.
func unwrapped(s string) string {
	if isWrapped(s) {
		return s[1 : len(s)-1]
	}
	return s
}

// isWrapped reports whether s is in quotes or angle brackets.
func isWrapped(s string) bool {
	n := len(s)
	return n >= 2 && (s[0] == '"' && s[n-1] == '"' || s[0] == '<' && s[n-1] == '>')
}

// allEncoded reports whether every word is an encoded-word by the grammar of RFC 2047 Section 2.
func allEncoded(words []string) bool {
	for _, w := range words {
		if !isEncodedWord(w) {
			return false
		}
	}
	return true
}

// isEncodedWord reports whether w is "=?" charset "?" encoding "?" encoded-text "?=".
func isEncodedWord(w string) bool {
	inner, ok := strings.CutPrefix(w, "=?")
	if !ok {
		return false
	}
	inner, ok = strings.CutSuffix(inner, "?=")
	if !ok {
		return false
	}
	f := strings.Split(inner, "?")
	return len(f) == 3 && f[0] != "" && len(f[1]) == 1 && strings.ContainsAny(f[1], "bBqQ") && f[2] != ""
}
