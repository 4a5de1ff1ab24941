package escape

import (
	"bytes"

	"absolink/extract/internal/css"
	"absolink/extract/internal/json"
	"absolink/resolve/ascii"
)

// List says between which separators a reference stands, and so what would end it early.
type List uint8

const (
	Single List = iota // all of the value: nothing is percent-encoded
	Blanks             // between white space, which is percent-encoded
	Commas
	Srcset
	Refresh
	Semicolons
	Angles    // between angle brackets
	Quotes    // between the quotes that inner names
	Policy    // blanks, semicolons or commas
	Guess     // text that is a reference only as long as it looks like one
	Name      // text that is a reference only as long as it looks like no name
	Prose     // running text, where a URI stands between blanks or brackets
	Likely    // a string of a script that is a reference only as long as it looks like one
	Joined    // the same with a scheme and a host: other strings are joined with it
	Text      // the same for what may be a text, see json.IsURLText
	Unquoted  // a reference only as long as no quote makes it an expression
	Specifier // an address of an import map, which begins with a scheme, a slash or dots
	Key       // a key of an import map that begins so
	Pattern   // a pattern of URLs, whose special characters stand for others
	Map       // the name of a source map in a comment
)

// Token says what the value is written as, before all that is around it.
type Token uint8

const (
	NoToken Token = iota
	CSS           // a string of CSS or an unquoted url()
	Literal       // a string of JSON or of a script
	Percent       // the same in a javascript: URL, whose percent-encoding is undone before it runs
)

// append returns uri as a token; a CSS string stands in the given quotes.
func (t Token) append(uri []byte, quote byte) []byte {
	switch t {
	case CSS:
		return css.AppendString(nil, uri, quote)
	case Literal:
		return json.AppendString(nil, uri)
	case Percent:
		return bytes.ReplaceAll(json.AppendString(nil, uri), []byte("%"), []byte("%25"))
	}
	return uri
}

// appendListed appends uri with all that would end it early in a list
// percent-encoded; in a refresh inner is the quote around it.
func appendListed(dst, uri []byte, form List, inner byte) []byte {
	for i, c := range uri {
		edge := i == 0 || i == len(uri)-1
		var cut bool
		switch form {
		case Blanks:
			cut = ascii.Space.Has(c)
		case Commas:
			cut = c == ',' || edge && ascii.Space.Has(c)
		case Srcset:
			cut = ascii.Space.Has(c) || c == ',' && edge
		case Refresh:
			cut = inner != 0 && c == inner || edge && ascii.Space.Has(c) ||
				inner == 0 && i == 0 && (c == '"' || c == '\'')
		case Semicolons:
			cut = c == ';' || edge && ascii.Space.Has(c)
		case Angles:
			cut = c == '<' || c == '>' || edge && ascii.Space.Has(c)
		case Quotes:
			cut = c == inner
		case Policy:
			cut = ascii.Space.Has(c) || c == ';' || c == ','
		case Guess:
			cut = c <= ' ' || c == '<' || c == '>' || c == '"'
		case Map:
			cut = ascii.Space.Has(c) || c == '"' || c == '\'' ||
				c == '*' && (i > 0 && uri[i-1] == '/' || i+1 < len(uri) && uri[i+1] == '/')
		case Prose:
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

// inList reports whether uri stands for itself in every list and token.
func inList(uri []byte) bool {
	for _, c := range uri {
		if !isInList[c] {
			return false
		}
	}
	return true
}

// isInList are the bytes that stand for themselves in every list and token.
var isInList = func() (t [256]bool) {
	for c := byte('!'); c < 0x7f; c++ {
		t[c] = bytes.IndexByte([]byte("\"'()<>\\`{%,;*"), c) < 0
	}
	return t
}()
