package base

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"strings"
	"unicode/utf8"
)

// Reference returns the URI reference in the value of l, without the text around it:
//
//   - From a Content-Base or Content-Location field it removes comments, all white space, one pair
//     of quotes or angle brackets, and the prefix "URL:". If the field consists only of encoded
//     words (RFC 2047), Reference decodes them.
//   - From a Snapshot-Content-Location it removes the same, but not comments.
//   - From a value in the document it removes the white space at both ends.
//   - It returns all other values unchanged.
//
// If an encoded word cannot be decoded, Reference returns "" and false.
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
// space, quotes and angle brackets around the reference are outside of these bounds. A prefix
// "URL:" is inside them, but [Layer.Reference] removes it. l must be a Content-Base or
// Content-Location field.
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

// referenceInField returns the reference in the value of a field. If the whole value consists of
// encoded words, referenceInField decodes them. Then it removes all white space (RFC 2396 5.1.1),
// one pair of quotes or angle brackets, and the prefix "URL:". It keeps comments and
// percent-encoded bytes. If an encoded word cannot be decoded, it returns "" and false.
func referenceInField(value string) (string, bool) {
	words := strings.Fields(value)
	if allEncoded(words) {
		for i, w := range words {
			text, err := decodeWord(w)
			if err != nil {
				return "", false
			}
			words[i] = withoutSpace(text)
		}
	}
	uri := unwrapped(strings.Join(words, ""))
	if len(uri) >= 4 && strings.EqualFold(uri[:4], "URL:") {
		uri = uri[4:]
	}
	return uri, true
}

// byteDecoder undoes the B or Q encoding of an encoded word. It does not convert the bytes to
// UTF-8.
var byteDecoder = mime.WordDecoder{
	CharsetReader: func(_ string, r io.Reader) (io.Reader, error) { return r, nil },
}

// decodeWord returns the text of an encoded word. isEncodedWord(word) must be true. decodeWord
// returns an error if the charset is unknown, or if bytes are invalid in it. With U+FFFD in place
// of such bytes, the base would be wrong. In UTF-8 and UNKNOWN-8BIT (RFC 1428) decodeWord returns
// the bytes without a check. The caller must check them, like the bytes of a field without encoded
// words.
//
// decodeWord replaces the name of the charset by "bytes" for byteDecoder. Otherwise
// [mime.WordDecoder] would convert US-ASCII and ISO-8859-1 itself. It would then put U+FFFD or
// control characters in place of some bytes.
func decodeWord(word string) (string, error) {
	parts := strings.Split(word, "?") // "=", charset, encoding, encoded text, "="
	data, err := byteDecoder.Decode("=?bytes?" + parts[2] + "?" + parts[3] + "?=")
	if err != nil {
		return "", err
	}
	charset, _, _ := strings.Cut(parts[1], "*") // a language may follow (RFC 2231 Section 5)
	switch strings.ToLower(charset) {
	case "utf-8", "utf8", "unknown-8bit":
		return data, nil
	case "us-ascii", "ascii", "ansi_x3.4-1968": // decoder would read these as windows-1252; mail does not
		if strings.IndexFunc(data, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
			return "", notInCharset(charset)
		}
		return data, nil
	}
	decode, err := decoder(charset)
	if err != nil {
		return "", err
	}
	text, err := decode([]byte(data))
	if err == nil && bytes.ContainsRune(text, utf8.RuneError) {
		err = notInCharset(charset)
	}
	return string(text), err
}

// notInCharset returns the error for bytes that are invalid in a charset.
func notInCharset(charset string) error {
	return errors.New("bytes that are invalid in " + charset)
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
