package base

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"strings"

	"golang.org/x/text/encoding/htmlindex"
)

// Reference returns the URI reference in the value of l, without the text around it. In an
// attribute this is white space at its ends. In a Content-Base or Content-Location field it is
// comments, all white space, and one pair of quotes or angle brackets. There it also removes the
// prefix "URL:" and the coding of RFC 2047. Reference returns "" and false if an encoded word of a
// field cannot be decoded.
func (l *Layer) Reference() (string, bool) {
	switch {
	case l.Source.header():
		return cleanField(withoutComments(l.Value))
	case l.Source == Snapshot:
		return cleanField(l.Value)
	case l.Source.embedded():
		return strings.Trim(l.Value, "\t\n\f\r "), true
	}
	return l.Value, true
}

// Bounds returns the start and the end of the reference in the Value of l, a Content-Base or
// Content-Location field. Comments, white space, quotes and angle brackets around the reference are
// excluded.
func (l *Layer) Bounds() (start, end int) {
	v := withoutComments(l.Value)
	start, end = trimmed(v, 0, len(v))
	if wrapped(v[start:end]) {
		start, end = trimmed(v, start+1, end-1)
	}
	return start, end
}

// trimmed returns the bounds of a part of s without the white space at its ends.
func trimmed(s string, start, end int) (from, to int) {
	from = end - len(strings.TrimLeft(s[start:end], " \t\r\n"))
	return from, from + len(strings.TrimRight(s[from:end], " \t\r\n"))
}

// cleanField reads a Content-Base or Content-Location field. If the whole value consists of RFC
// 2047 words, it decodes them. It removes every blank and line end (5.1.1: white space is ignored),
// then one pair of quotes or angle brackets, then the prefix "URL:". It keeps percent-encoded
// bytes. It returns "" and false if an encoded word cannot be decoded.
func cleanField(value string) (string, bool) {
	words := strings.Fields(value)
	if allEncoded(words) {
		decoder := mime.WordDecoder{CharsetReader: charsetReader}
		for i, w := range words {
			decoded, err := decoder.Decode(w)
			if err != nil {
				return "", false
			}
			words[i] = dropBlanks(decoded)
		}
	}
	uri := unwrap(strings.Join(words, ""))
	if len(uri) >= 4 && strings.EqualFold(uri[:4], "URL:") {
		uri = uri[4:]
	}
	return uri, true
}

// charsetReader returns a reader of the text in r, in UTF-8. A language may follow the charset (RFC
// 2231 Section 5). Bytes that are not a character are an error, since a base is never guessed.
func charsetReader(charset string, r io.Reader) (io.Reader, error) {
	charset, _, _ = strings.Cut(charset, "*")
	enc, err := htmlindex.Get(charset)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(enc.NewDecoder().Reader(r))
	if err == nil && bytes.ContainsRune(text, '\ufffd') {
		err = errors.New("bytes that are not a character in " + charset)
	}
	return bytes.NewReader(text), err
}

func dropBlanks(s string) string { return strings.Join(strings.Fields(s), "") }

func unwrap(s string) string {
	if wrapped(s) {
		return s[1 : len(s)-1]
	}
	return s
}

// wrapped reports whether s is in quotes or angle brackets.
func wrapped(s string) bool {
	n := len(s)
	return n >= 2 && (s[0] == '"' && s[n-1] == '"' || s[0] == '<' && s[n-1] == '>')
}

// allEncoded reports whether every word is an encoded-word by the grammar of RFC 2047 Section 2.
func allEncoded(words []string) bool {
	for _, w := range words {
		if !encodedWord(w) {
			return false
		}
	}
	return true
}

// encodedWord matches "=?" charset "?" encoding "?" encoded-text "?=".
func encodedWord(w string) bool {
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
