package escape

import (
	"bytes"

	"absolink/extract/internal/css"
	"absolink/extract/internal/json"
	"absolink/resolve/ascii"
)

// List is the kind of list that contains a reference. It decides which characters would end the
// reference early.
type List uint8

const (
	Single List = iota // all of the value: nothing is percent-encoded
	Blanks             // separated by white space, which is percent-encoded
	Commas
	Srcset
	Refresh
	Semicolons
	Angles    // in angle brackets
	Quotes    // in the quotes of inner
	Policy    // separated by blanks, semicolons or commas
	Guess     // a text that is a reference only as long as it looks like one
	Name      // a text that is a reference only as long as it does not look like a name
	Prose     // running text, with the URI between blanks or brackets
	Likely    // a string of a script that is a reference only as long as it looks like one
	Joined    // the same with a scheme and a host: other strings are joined with it
	Text      // the same for a value that may be a text: see json.IsURLText
	Unquoted  // a reference only as long as no quote makes it an expression
	Specifier // an address of an import map, which begins with a scheme, a slash or dots
	Key       // a key of an import map that begins like an address
	Pattern   // a URL pattern, whose special characters stand for others
	Map       // the name of a source map in a comment
	Variables // a URL in which a program replaces names in braces
	Optional  // a reference only as long as it is not the word none

	// Places of Markdown: see markdown.go.

	Destination // a destination without brackets
	Pointed     // a destination in < and >
	Autolink    // an absolute URI in < and >
	BareURL     // an absolute URL in text
	Scalar      // a value of front matter, in the quotes of inner; inner is ',' in a list in brackets

	// Module is the name of a module in a script. It looks like a reference, and begins with a
	// scheme, a slash or dots. Any other name is not a URL.
	Module
)

// Token is the kind of token that holds the value.
type Token uint8

const (
	NoToken Token = iota
	CSS           // a string of CSS or an unquoted url()
	Literal       // a string of JSON or of a script
	Percent       // the same in a javascript: URL, which is percent-decoded before it runs
)

// append returns uri as the content of a token. A CSS string is in the given quotes.
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

// appendListed appends uri and percent-encodes all characters that would end it early in a list. In
// a refresh, inner is the quote around uri.
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

// inList reports whether uri is literal in every list and token.
func inList(uri []byte) bool {
	for _, c := range uri {
		if !isInList[c] {
			return false
		}
	}
	return true
}

// isInList are the bytes that are literal in every list and token.
var isInList = func() (t [256]bool) {
	for c := byte('!'); c < 0x7f; c++ {
		t[c] = bytes.IndexByte([]byte("\"'()<>\\`{%,;*"), c) < 0
	}
	return t
}()
