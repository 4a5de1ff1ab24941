package move

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/json"
	"io"
	"strings"
	"unicode/utf8"

	"absolink/resolve/ascii"
)

// coding is the encoding of the target in a wrapped link.
type coding uint8

const (
	percent  coding = iota // percent-encoded
	markup                 // percent-encoded, and & may be written as &amp;
	hyphens                // as markup, with - for % and _ for /
	stars                  // each star stands for bytes that are listed in base64: see fillStars
	cached                 // host and path without a scheme; s/ before them means https
	deflated               // base64 of the zlib stream of a JSON object with the member url
)

// decode decodes text, the encoded target of a wrapped link. ok is false if text is not valid in
// this coding.
func (c coding) decode(text string) (target string, ok bool) {
	switch c {
	case markup:
		return unescapeMarkup(text)
	case hyphens:
		return unescapeMarkup(strings.NewReplacer("-", "%", "_", "/").Replace(text))
	case stars:
		return fillStars(text)
	case cached:
		return uncache(text)
	case deflated:
		return inflate(text)
	}
	return unescape(text)
}

// unescape decodes percent-encoded bytes. A plus stays: it could only stand for a blank, and a URL
// has no blanks. ok is false if a "%" begins no escape, or if the result is not UTF-8.
func unescape(text string) (s string, ok bool) {
	if !strings.Contains(text, "%") {
		return text, utf8.ValidString(text)
	}
	b := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '%' {
			if i+2 >= len(text) || ascii.Hex(text[i+1]) < 0 || ascii.Hex(text[i+2]) < 0 {
				return "", false
			}
			c = byte(ascii.Hex(text[i+1])<<4 | ascii.Hex(text[i+2]))
			i += 2
		}
		b = append(b, c)
	}
	return string(b), utf8.Valid(b)
}

// unescapeMarkup decodes percent-encoded bytes as unescape does, and then replaces "&amp;" by "&",
// because the text may come from an attribute of HTML.
func unescapeMarkup(text string) (s string, ok bool) {
	s, ok = unescape(text)
	return strings.ReplaceAll(s, "&amp;", "&"), ok
}

// runLetters are letters that stand for a number of bytes if they follow two stars: A for 2 bytes,
// B for 3, and so on.
const runLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// fillStars decodes the URL in
//
//	https://h.example/*newsletter__;Iw!!customer!signature$
//
// A star stands for the next byte of the list after "__;". Two stars stand for several bytes; the
// letter after them gives the number. ok is false if the number of bytes in the list does not fit
// the stars, or if no signature with a dollar sign at its end follows. The decoder of the vendor
// counts characters instead of bytes, so fillStars first takes the list as characters, and then as
// bytes. At most one of the two fits.
func fillStars(text string) (s string, ok bool) {
	at := strings.LastIndex(text, "__;")
	if at < 0 {
		return "", false
	}
	list, signature, _ := strings.Cut(text[at+len("__;"):], "!")
	if strings.Trim(signature, "!$") == "" || strings.IndexByte(signature, '$') != len(signature)-1 {
		return "", false
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(strings.TrimRight(list, "="))
	if err != nil || !utf8.Valid(b) {
		return "", false
	}
	text, ok = unescape(text[:at])
	if !ok {
		return "", false
	}
	text = withBothSlashes(text)
	s, ok = fill(text, strings.Split(string(b), ""))
	if ok {
		return s, true
	}
	var single []string
	for i := range b {
		single = append(single, string(b[i:i+1]))
	}
	s, ok = fill(text, single)
	return s, ok && utf8.ValidString(s)
}

// fill replaces the stars in text by pieces. ok is false if there are too many or too few pieces.
func fill(text string, pieces []string) (s string, ok bool) {
	var out strings.Builder
	for {
		before, after, found := strings.Cut(text, "*")
		out.WriteString(before)
		if !found {
			return out.String(), len(pieces) == 0
		}
		n := 1
		if len(after) > 1 && after[0] == '*' {
			run := strings.IndexByte(runLetters, after[1])
			if run < 0 {
				return "", false
			}
			n, after = run+2, after[2:]
		}
		if n > len(pieces) {
			return "", false
		}
		for _, piece := range pieces[:n] {
			out.WriteString(piece)
		}
		pieces, text = pieces[n:], after
	}
}

// withBothSlashes restores the slash that some programs remove from "https://" in a path.
func withBothSlashes(text string) string {
	scheme, rest, ok := strings.Cut(text, ":/")
	if !ok || strings.ContainsAny(scheme, "/?#") || strings.HasPrefix(rest, "/") {
		return text
	}
	return scheme + "://" + rest
}

// uncache returns the URL of a document in an AMP cache or viewer. ok is false if there is no host,
// or if the path has an escaped question mark or number sign, which may or may not be a delimiter.
func uncache(text string) (s string, ok bool) {
	scheme := "http://"
	if rest, secure := strings.CutPrefix(text, "s/"); secure {
		scheme, text = "https://", rest
	}
	n := strings.IndexAny(text, "/?#")
	if n < 0 {
		n = len(text)
	}
	host, ok := unescape(text[:n])
	if !ok || !strings.Contains(host, ".") || strings.ContainsAny(host, "@/?#\\") {
		return "", false
	}
	rest, fragment, hasFragment := strings.Cut(text[n:], "#")
	path, query, _ := strings.Cut(rest, "?")
	lower := strings.ToLower(path)
	if strings.Contains(lower, "%3f") || strings.Contains(lower, "%23") {
		return "", false
	}
	s = scheme + host + path
	query = withoutParameters(query, isCacheParameter)
	if query != "" {
		s += "?" + query
	}
	if hasFragment {
		s += "#" + fragment
	}
	return s, true
}

// isCacheParameter reports whether AMP caches or viewers add a parameter with this name to a URL.
func isCacheParameter(name string) bool {
	switch name {
	case "amp_gsa", "amp_r", "amp_kit", "usqp":
		return true
	}
	return strings.HasPrefix(name, "amp_js")
}

// maxInflated is the maximum size in bytes of the JSON object in a wrapped link.
const maxInflated = 64 << 10

// inflate decodes text in the coding deflated. It returns the member url of the JSON object.
func inflate(text string) (s string, ok bool) {
	b, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(text, "="))
	if err != nil {
		return "", false
	}
	r, err := zlib.NewReader(bytes.NewReader(b))
	if err != nil {
		return "", false
	}
	b, err = io.ReadAll(io.LimitReader(r, maxInflated+1))
	if err != nil || len(b) > maxInflated {
		return "", false
	}
	var object struct{ URL string }
	if err := json.Unmarshal(b, &object); err != nil {
		return "", false
	}
	return object.URL, object.URL != ""
}
