package extract

import (
	"bytes"
	"unicode/utf8"

	"absolink/extract/internal/css"
	"absolink/extract/internal/json"
	"absolink/resolve/ascii"
)

// A reference is written from the inside out: what the list or refresh that it
// stands in would cut is percent-encoded, then come the escapes of CSS, then
// those of HTML, then those of each document around. Every stage turns bytes
// into bytes, and ASCII into ASCII.

// append appends uri as it is to be written at p.
func (p *place) append(dst, uri []byte) []byte {
	if p.roman != 0 {
		return p.roman.append(dst, p.appendASCII(nil, uri))
	}
	return p.appendASCII(dst, uri)
}

// appendASCII is append where ASCII stands for itself.
func (p *place) appendASCII(dst, uri []byte) []byte {
	if (p.list != single || p.token != noToken) && !isTame(uri) {
		if p.list != single {
			uri = appendListed(nil, uri, p.list, p.inner)
		}
		uri = p.token.append(uri, p.inner)
	}
	if p.outer == nil {
		return p.appendHTML(dst, uri, p.open&1 > 0)
	}
	return p.appendOuter(dst, p.appendHTML(nil, uri, p.open&1 > 0))
}

// isTame reports whether uri stands for itself in every list and token.
func isTame(uri []byte) bool {
	for _, c := range uri {
		if !tame[c] {
			return false
		}
	}
	return true
}

// tame are the bytes that stand for themselves in every list and token.
var tame = func() (t [256]bool) {
	for c := byte('!'); c < 0x7f; c++ {
		t[c] = bytes.IndexByte([]byte("\"'()<>\\`{%,;"), c) < 0
	}
	return t
}()

// append returns uri as a token; a CSS string stands in the given quotes.
func (t tokenForm) append(uri []byte, quote byte) []byte {
	switch t {
	case cssToken:
		return css.AppendString(nil, uri, quote)
	case literalToken:
		return json.AppendString(nil, uri)
	case percentToken:
		return bytes.ReplaceAll(json.AppendString(nil, uri), []byte("%"), []byte("%25"))
	}
	return uri
}

// appendOuter appends b, which is ready for its own document, as the documents
// and the encoding around it want it.
func (p *place) appendOuter(dst, b []byte) []byte {
	open := p.open
	for o := p.outer; o != nil; o = o.outer {
		open >>= 1
		switch {
		case o.xml:
			b = o.appendXML(nil, b, p.cdata)
		case o.comment:
			b = appendCommented(nil, b, p.enclosed())
		default:
			b = o.appendHTML(nil, b, open&1 > 0)
		}
	}
	for o := p; o != nil; o = o.outer {
		if o.wide != narrow {
			return o.wide.append(dst, b)
		}
	}
	return append(dst, b...)
}

// appendHTML appends uri with the escapes of the attribute value. Where a
// character reference without its semicolon stands before it, open, the first
// byte must not go on with that.
func (p *place) appendHTML(dst, uri []byte, open bool) []byte {
	switch {
	case p.xml:
		return p.appendXML(dst, uri, p.cdata)
	case p.sheet:
		return append(dst, uri...)
	case open && len(uri) > 0 && (ascii.IsAlnum(uri[0]) || uri[0] == '=' || uri[0] == ';'):
		dst = appendNumeric(dst, rune(uri[0]))
		return appendEscaped(dst, uri[1:], p.quote)
	case p.bare == bareAbsent:
		return append(appendEscaped(append(dst, `="`...), uri, '"'), '"')
	case p.bare == bareWhole && (needsQuotes(uri) || p.outer.commented()):
		return append(appendEscaped(append(dst, '"'), uri, '"'), '"')
	}
	return appendEscaped(dst, uri, p.quote)
}

// needsQuotes reports whether an attribute value must stand in quotes (HTML 13.1.2.3).
func needsQuotes(value []byte) bool {
	for _, c := range value {
		if c <= ' ' || c == '"' || c == '\'' || c == '=' || c == '<' || c == '>' || c == '`' {
			return true
		}
	}
	return len(value) == 0
}

// appendEscaped appends text as an attribute value in the given quotes; 0 is none.
func appendEscaped(dst, text []byte, quote byte) []byte {
	for i := 0; i < len(text); {
		n := 0
		for i+n < len(text) && free[text[i+n]] {
			n++
		}
		if dst = append(dst, text[i:i+n]...); i+n == len(text) {
			return dst
		}
		i += n
		dst, n = appendSpecial(dst, text[i:], quote)
		i += n
	}
	return dst
}

// free are the bytes that stand for themselves in every attribute value.
var free = func() (t [256]bool) {
	for c := byte('!'); c < 0x7f; c++ {
		t[c] = bytes.IndexByte([]byte("\"'&<>=`"), c) < 0
	}
	return t
}()

// appendSpecial appends the character at the start of text, and returns its length.
func appendSpecial(dst, text []byte, quote byte) ([]byte, int) {
	r, n := utf8.DecodeRune(text)
	switch {
	case r == utf8.RuneError && n == 1 || r == 0:
		dst = ascii.AppendPercent(dst, text[0])
	case r == '&':
		dst = append(dst, "&amp;"...)
	case r == '<':
		dst = append(dst, "&lt;"...)
	case r == '"' && quote != '\'':
		dst = append(dst, "&quot;"...)
	case needsReference(r, quote):
		dst = appendNumeric(dst, r)
	default:
		dst = append(dst, byte(r))
	}
	return dst, n
}

// needsReference reports whether r must be a numeric character reference.
func needsReference(r rune, quote byte) bool {
	if r < ' ' || r >= 0x7f || r == '\'' && quote != '"' {
		return true
	}
	return quote == 0 && (r == ' ' || r == '=' || r == '>' || r == '`')
}

// appendNumeric appends the numeric character reference of r.
func appendNumeric(dst []byte, r rune) []byte {
	if 0x80 <= r && r < 0xa0 {
		// &#128; to &#159; mean other characters (HTML 13.2.5.80).
		for _, c := range utf8.AppendRune(nil, r) {
			dst = ascii.AppendPercent(dst, c)
		}
		return dst
	}
	return appendDecimal(dst, r)
}

// appendDecimal appends the decimal character reference of r.
func appendDecimal(dst []byte, r rune) []byte {
	dst = append(dst, "&#"...)
	var digits [8]byte
	i := len(digits)
	for ; r > 0; r /= 10 {
		i--
		digits[i] = '0' + byte(r%10)
	}
	return append(append(dst, digits[i:]...), ';')
}

// holds reports whether uri is read back from p as it is: what ends a reference in a list
// or refresh cannot be a part of one, and what looks like a name is none. (At the ends of a srcset candidate it is reported.)
func (p *place) holds(uri []byte) bool {
	switch p.list {
	case commaList:
		return bytes.IndexByte(uri, ',') < 0
	case semicolonList:
		return bytes.IndexByte(uri, ';') < 0
	case refreshForm:
		return p.inner == 0 || bytes.IndexByte(uri, p.inner) < 0
	case nameForm:
		return !json.IsName(uri)
	}
	return true
}

// appendListed appends uri with all that would end it early in a list
// percent-encoded; in a refresh inner is the quote around it.
func appendListed(dst, uri []byte, form listForm, inner byte) []byte {
	for i, c := range uri {
		edge := i == 0 || i == len(uri)-1
		var cut bool
		switch form {
		case blankList:
			cut = blank(c)
		case commaList:
			cut = c == ',' || edge && blank(c)
		case srcsetList:
			cut = blank(c) || c == ',' && edge
		case refreshForm:
			cut = inner != 0 && c == inner || edge && blank(c) || i == 0 && (c == '"' || c == '\'')
		case semicolonList:
			cut = c == ';' || edge && blank(c)
		case angleForm:
			cut = c == '<' || c == '>' || edge && blank(c)
		case quotedForm:
			cut = c == inner
		case policyList:
			cut = blank(c) || c == ';' || c == ','
		case guessForm:
			cut = c <= ' ' || c == '<' || c == '>' || c == '"'
		case textForm:
			cut = c <= ' ' || c >= 0x7f || c == '<' || c == '>' || c == '"'
		}
		if cut {
			dst = ascii.AppendPercent(dst, c)
		} else {
			dst = append(dst, c)
		}
	}
	return dst
}

// blank reports whether c is ASCII white space (Infra Standard 4.6).
func blank(c byte) bool { return blanks[c] }

func isBlank(r rune) bool { return r <= ' ' && blanks[r] }

var blanks = [256]bool{' ': true, '\t': true, '\n': true, '\f': true, '\r': true}

// wide says how the characters of the top document become bytes.
type wide uint8

const (
	narrow wide = iota // ASCII is one byte
	utf16LE
	utf16BE
)

// append appends b, which is ASCII.
func (w wide) append(dst, b []byte) []byte {
	for _, c := range b {
		switch w {
		case utf16LE:
			dst = append(dst, c, 0)
		case utf16BE:
			dst = append(dst, 0, c)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}
