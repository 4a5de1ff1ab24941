package escape

import (
	"bytes"
	"unicode/utf8"

	"absolink/resolve/ascii"
)

// A destination of Markdown must not change the structure of the text around it, in any parser
// (CommonMark 6.3, GitHub Flavored Markdown 4.10). Character references replace the characters that
// may have a meaning there: a backquote would begin code, and a bar would end a cell of a table.
// But the new destination has at least as many bars as the old one: with fewer bars, text before a
// row of hyphens could become a table. Autolinks and URLs in text have no escapes. They hold only
// URIs without such characters.

// maxParentheses is the number of parentheses that may be open in a destination.
const maxParentheses = 32

// appendDestination appends uri as the destination of a link, an image or a definition. form is
// Destination or Pointed. A destination without brackets gets brackets if it needs them. bars is
// the number of bars of uri that are written as '|', from the first on.
func appendDestination(dst, uri []byte, form List, lineStart bool, bars uint8) []byte {
	enclose := form == Destination && needsBrackets(uri)
	if enclose {
		dst = append(dst, '<')
	}
	for i := 0; i < len(uri); {
		c, n := utf8.DecodeRune(uri[i:])
		switch {
		case c == utf8.RuneError && n == 1, c < ' ', c == 0x7f, c == '\\':
			dst = ascii.AppendPercent(dst, uri[i])
		case c == '|' && bars > 0:
			dst = append(dst, '|')
			bars--
		case i == 0 && lineStart && !beginsWithScheme(uri),
			c > 0x7f, bytes.IndexByte([]byte("`|<>"), byte(c)) >= 0, c == '&' && looksLikeReference(uri[i:]):
			dst = appendNumeric(dst, c)
		default:
			dst = append(dst, byte(c))
		}
		i += n
	}
	if enclose {
		dst = append(dst, '>')
	}
	return dst
}

// appendInMarkdown appends html, an attribute value in Markdown. Backquotes, and all bars after the
// first ones, become character references.
func appendInMarkdown(dst, html []byte, bars uint8) []byte {
	for _, c := range html {
		switch {
		case c == '|' && bars > 0:
			dst = append(dst, '|')
			bars--
		case c == '`', c == '|':
			dst = appendNumeric(dst, rune(c))
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// needsBrackets reports whether uri is a destination only in < and >.
func needsBrackets(uri []byte) bool {
	open := 0
	for _, c := range uri {
		switch c {
		case ' ':
			return true
		case '(':
			open++
		case ')':
			open--
		}
		if open < 0 || open > maxParentheses {
			return true
		}
	}
	return open > 0 || len(uri) == 0
}

// looksLikeReference reports whether b, which begins with '&', begins like a character reference.
func looksLikeReference(b []byte) bool {
	for i, c := range b[1:] {
		switch {
		case c == ';':
			return i > 0
		case c == '#' && i == 0, ascii.Alnum.Has(c):
		default:
			return false
		}
	}
	return false
}

// beginsWithScheme reports whether uri has a scheme. No block of Markdown begins with one.
func beginsWithScheme(uri []byte) bool {
	for i, c := range uri {
		switch {
		case ascii.Letter.Has(c):
		case i > 0 && c == ':':
			return i > 1
		case i > 0 && (ascii.Alnum.Has(c) || c == '+' || c == '-' || c == '.'):
		default:
			return false
		}
	}
	return false
}

// isScalar reports whether uri is a value of YAML and TOML in quotes, or of YAML without quotes.
func isScalar(uri []byte, quote byte) bool {
	for _, c := range uri {
		if c <= ' ' || c >= 0x7f || bytes.IndexByte([]byte("\\\"'"), c) >= 0 ||
			quote == ',' && bytes.IndexByte([]byte(",[]{}"), c) >= 0 {
			return false
		}
	}
	if quote == '"' || quote == '\'' {
		return true
	}
	return len(uri) > 0 && uri[len(uri)-1] != ':' && (ascii.Alnum.Has(uri[0]) || uri[0] == '/' || uri[0] == '.')
}

// longestScheme is the number of bytes of the longest scheme of an autolink (CommonMark 6.5).
const longestScheme = 32

// isAutolink reports whether uri, in < and >, is an autolink, and is read back unchanged.
func isAutolink(uri []byte) bool {
	if !beginsWithScheme(uri) || bytes.IndexByte(uri, ':') > longestScheme {
		return false
	}
	for i, c := range uri {
		if c <= ' ' || c >= 0x7f || bytes.IndexByte([]byte("<>`|\\"), c) >= 0 ||
			c == '&' && looksLikeReference(uri[i:]) {
			return false
		}
	}
	return true
}

// isBareURL reports whether all parsers of GitHub Flavored Markdown read uri in text as a URL.
func isBareURL(uri []byte) bool {
	rest, ok := bytes.CutPrefix(uri, []byte("http://"))
	if !ok {
		rest, ok = bytes.CutPrefix(uri, []byte("https://"))
	}
	if !ok {
		rest, ok = bytes.CutPrefix(uri, []byte("ftp://"))
	}
	if !ok || !hasDomain(rest) {
		return false
	}
	open := 0
	for i, c := range uri {
		switch {
		case c == '(':
			open++
		case c == ')':
			open--
		case c == '&' && looksLikeReference(uri[i:]), !ascii.Alnum.Has(c) && bytes.IndexByte(literal, c) < 0:
			return false
		}
		if open < 0 {
			return false
		}
	}
	last := uri[len(uri)-1]
	return open == 0 && (last == ')' || last == '/' || last == '-' || last == '=' || last == '#' || last == '@' ||
		last == '%' || last == '+' || last == '$' || ascii.Alnum.Has(last))
}

// literal are the characters besides letters and digits that all parsers take as a part of a URL.
var literal = []byte("-._~:/?#@!$&(),;=%+")

// hasDomain reports whether b begins with a host of at least two labels, the last of lower-case
// letters, and with an optional port.
func hasDomain(b []byte) bool {
	if end := bytes.IndexAny(b, "/?#"); end >= 0 {
		b = b[:end]
	}
	host, port, _ := bytes.Cut(b, []byte(":"))
	for _, c := range port {
		if c < '0' || c > '9' {
			return false
		}
	}
	dot := bytes.LastIndexByte(host, '.')
	if dot <= 0 || dot == len(host)-1 {
		return false
	}
	for _, c := range host[dot+1:] {
		if c < 'a' || c > 'z' {
			return false
		}
	}
	for _, c := range host {
		if !ascii.Alnum.Has(c) && c != '-' && c != '.' {
			return false
		}
	}
	return true
}
