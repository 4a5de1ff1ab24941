package base

import (
	"mime"
	"strings"
)

// Reference returns the URI reference in the value of l without what may stand around it. In
// an attribute that is white space at its ends. In a Content-Base or Content-Location field it
// is all white space, one pair of quotes or angle brackets, the prefix "URL:" and the coding of
// RFC 2047. Reference returns "" and false if an encoded word of a field cannot be decoded.
func (l *Layer) Reference() (string, bool) {
	switch {
	case l.Source.header(), l.Source == Snapshot:
		return cleanField(l.Value)
	case l.Source.embedded():
		return strings.Trim(l.Value, "\t\n\f\r "), true
	}
	return l.Value, true
}

// cleanField reads a Content-Base or Content-Location field: RFC 2047 words are
// decoded where the whole value consists of them, every blank and line end is
// dropped (5.1.1: white space is ignored), then one pair of quotes or angle
// brackets, then the prefix "URL:". Percent-encoded bytes stay. It returns "" and false
// where an encoded word cannot be decoded.
func cleanField(value string) (string, bool) {
	words := strings.Fields(value)
	if allEncoded(words) {
		for i, w := range words {
			decoded, err := new(mime.WordDecoder).Decode(w)
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

func dropBlanks(s string) string { return strings.Join(strings.Fields(s), "") }

func unwrap(s string) string {
	if n := len(s); n >= 2 && (s[0] == '"' && s[n-1] == '"' || s[0] == '<' && s[n-1] == '>') {
		return s[1 : n-1]
	}
	return s
}

// allEncoded reports whether every word is an encoded-word by the grammar of
// RFC 2047 Section 2. There is at least one word then.
func allEncoded(words []string) bool {
	for _, w := range words {
		if !encodedWord(w) {
			return false
		}
	}
	return len(words) > 0
}

// encodedWord matches "=?" charset "?" encoding "?" encoded-text "?=".
func encodedWord(w string) bool {
	inner, ok := strings.CutPrefix(w, "=?")
	if !ok {
		return false
	}
	if inner, ok = strings.CutSuffix(inner, "?="); !ok {
		return false
	}
	f := strings.Split(inner, "?")
	return len(f) == 3 && f[0] != "" && len(f[1]) == 1 && strings.ContainsAny(f[1], "bBqQ") && f[2] != ""
}
