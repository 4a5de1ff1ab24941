package markdown

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// URLs in text are links in GitHub Flavored Markdown (0.29, Section 6.9: autolinks). Where the
// specification and GitHub's own parser differ, this package follows the parser: URLs of http,
// https and ftp may follow punctuation, and their hosts need no dot.
//
// A URL is found at its ':', or at the first '.' of www.example.org. Its start is searched
// backwards from there, and its end forwards.

// schemes are the schemes of URLs in text.
var schemes = []string{"http", "https", "ftp"}

// urlStart searches for the start of a URL. line begins with the ':' or the first '.' of the URL,
// and before is the text in front of it. n is the number of bytes of the URL in before, or -1 if
// there is no URL. prefix is "http://" if the URL has no scheme.
func urlStart(before, line []byte) (n int, prefix string) {
	if line[0] == '.' {
		return wwwStart(before)
	}
	if len(line) < 4 || line[1] != '/' || line[2] != '/' {
		return -1, ""
	}
	for n < len(before) && isLetter(before[len(before)-1-n]) {
		n++
	}
	scheme := strings.ToLower(string(before[len(before)-n:]))
	if !slices.Contains(schemes, scheme) {
		return -1, ""
	}
	return n, ""
}

// wwwStart is urlStart for www.example.org.
func wwwStart(before []byte) (n int, prefix string) {
	rest, ok := bytes.CutSuffix(before, []byte("www"))
	if !ok {
		return -1, ""
	}
	if len(rest) > 0 && !isSpace(rest[len(rest)-1]) && bytes.IndexByte([]byte("*_~("), rest[len(rest)-1]) < 0 {
		return -1, ""
	}
	return len("www"), "http://"
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// urlLength returns the length of the URL at the start of b, or 0 if its host is not valid. b ends
// with the line. at is the offset of the ':' or the first '.' of the URL.
func urlLength(b []byte, at int) int {
	host := at + len("://")
	shortest := 1
	if b[at] == '.' {
		host = 0
		shortest = len("www.") + 1
	}
	n := hostLength(b[host:])
	if n < shortest {
		return 0
	}
	end := host + n
	for end < len(b) && !isSpace(b[end]) && b[end] != '<' {
		end++
	}
	return trimmedLength(b[:end])
}

// hostLength returns the length of the host at the start of b. It returns 0 if one of the last two
// labels of the host has an underscore.
func hostLength(b []byte) (n int) {
	inLast := 0       // underscores in the last label
	inBeforeLast := 0 // underscores in the label before it
	for n < len(b) {
		r, size := utf8.DecodeRune(b[n:])
		if isSeparator(r) && (n == 0 || r != '-' && r != '_' && r != '.') {
			break
		}
		switch r {
		case '_':
			inLast++
		case '.':
			inBeforeLast = inLast
			inLast = 0
		}
		n += size
	}
	if inLast > 0 || inBeforeLast > 0 {
		return 0
	}
	return n
}

// isSeparator reports whether r is white space, punctuation, a symbol or a control character.
func isSeparator(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsPunct(r) || unicode.IsSymbol(r) || unicode.IsControl(r)
}

// trimmedLength returns the length of a URL without the punctuation at its end that belongs to the
// sentence. A ')' belongs to the URL if the URL has the '(' that it closes. What looks like a
// character reference at the end, such as &amp;, does not belong to the URL.
func trimmedLength(url []byte) int {
	opening := bytes.Count(url, []byte("("))
	closing := bytes.Count(url, []byte(")"))
	end := len(url)
	for end > 0 {
		switch c := url[end-1]; {
		case strings.IndexByte(`?!.,:*_~'"`, c) >= 0:
			end--
		case c == ')':
			if closing <= opening {
				return end
			}
			closing--
			end--
		case c == ';':
			end -= lastReferenceLength(url[:end])
		default:
			return end
		}
	}
	return 0
}

// lastReferenceLength returns the length of the character reference at the end of b, or 1 if b ends
// with a ';' that belongs to none. Only names of letters count.
func lastReferenceLength(b []byte) int {
	start := len(b) - len(";")
	for start > 0 && isLetter(b[start-1]) {
		start--
	}
	if start > 0 && start < len(b)-1 && b[start-1] == '&' {
		return len(b) - start + len("&")
	}
	return len(";")
}
