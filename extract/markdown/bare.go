package markdown

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// URLs in text are links in GitHub Flavored Markdown (0.29, Section 6.9: autolinks). Where the
// specification and GitHub's own parser differ, this package follows the parser: it also finds
// http, https and ftp URLs behind punctuation and with hosts without a dot.

// schemes are the schemes of URLs in text.
var schemes = []string{"http", "https", "ftp"}

// urlBefore looks for the start of a URL in text. line begins with the ':' or the first '.' of the
// URL, and before is the text before line. n is the number of bytes at the end of before that
// belong to the URL, or -1 if there is no URL. prefix precedes the URL in its value.
func urlBefore(before, line []byte) (n int, prefix string) {
	if line[0] == '.' {
		return wwwBefore(before)
	}
	if len(line) < 4 || line[1] != '/' || line[2] != '/' {
		return -1, ""
	}
	for n = 0; n < len(before) && isLetter(before[len(before)-1-n]); n++ {
	}
	scheme := string(before[len(before)-n:])
	for _, s := range schemes {
		if strings.EqualFold(s, scheme) {
			return n, ""
		}
	}
	return -1, ""
}

// wwwBefore is urlBefore for www.example.org.
func wwwBefore(before []byte) (n int, prefix string) {
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

// urlEnd returns the length of the URL at the start of b. b reaches to the end of the line. at is
// the offset of the ':' or first '.' of the URL. The result is 0 if the host is not valid.
func urlEnd(b []byte, at int) int {
	host := at + len("://")
	least := 1
	if b[at] == '.' {
		host = 0
		least = len("www.") + 1
	}
	n := hostEnd(b[host:])
	if n < least {
		return 0
	}
	end := host + n
	for end < len(b) && !isSpace(b[end]) && b[end] != '<' {
		end++
	}
	return trimmedEnd(b[:end])
}

// hostEnd returns the length of the host at the start of b. It is 0 if one of the last two labels
// of the host has an underscore.
func hostEnd(b []byte) (n int) {
	last, beforeLast := 0, 0 // underscores in labels
	for n < len(b) {
		r, size := utf8.DecodeRune(b[n:])
		if isMark(r) && (n == 0 || r != '-' && r != '_' && r != '.') {
			break
		}
		switch r {
		case '_':
			last++
		case '.':
			beforeLast, last = last, 0
		}
		n += size
	}
	if last > 0 || beforeLast > 0 {
		return 0
	}
	return n
}

// isMark reports whether r is white space or punctuation.
func isMark(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsPunct(r) || unicode.IsSymbol(r) || unicode.IsControl(r)
}

// trimmedEnd returns the length of a URL without the punctuation at its end that belongs to the
// text. A parenthesis belongs to the URL if it closes one in it.
func trimmedEnd(b []byte) int {
	opening := bytes.Count(b, []byte("("))
	closing := bytes.Count(b, []byte(")"))
	end := len(b)
	for end > 0 {
		switch c := b[end-1]; {
		case strings.IndexByte(`?!.,:*_~'"`, c) >= 0:
			end--
		case c == ')':
			if closing <= opening {
				return end
			}
			closing--
			end--
		case c == ';':
			name := end - 1
			for name > 0 && isLetter(b[name-1]) {
				name--
			}
			if name > 0 && name < end-1 && b[name-1] == '&' {
				end = name - 1
			} else {
				end--
			}
		default:
			return end
		}
	}
	return 0
}
