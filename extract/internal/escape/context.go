package escape

import (
	"bytes"

	"absolink/extract/internal/json"
)

// Context is what is around a reference, as far as the escapes of what is written there
// depend on it. The zero Context is the whole value of an attribute, in whatever quotes.
type Context struct {
	Outer   *Context // of the document that this one stands in, as srcdoc; nil at the top
	List    List     // between which separators
	Token   Token
	Sheet   bool   // text without character references: that of style and script elements, and of formats without tags
	XML     bool   // in XML, with its escapes
	Comment bool   // what the markup in a comment is around
	Hyphens bool   // of a comment in XML, which cannot hold two of them (XML 1.0 production 15)
	CDATA   bool   // the XML around it all is a CDATA section
	Bare    Bare   // no quotes around the attribute value
	Quote   byte   // of the attribute value
	Inner   byte   // of the URL inside of the value: in a CSS string or a refresh
	Wide    Wide   // the encoding of the top
	Roman   Roman  // at which ends ISO-2022-JP is JIS X 0201 Roman
	Fixed   bool   // an edit would move the end of the element around the reference
	Open    uint16 // bit n: at n documents outward a reference without ';' ends where this one begins
}

// Bare says what an attribute value without quotes can take.
type Bare uint8

const (
	InQuotes   Bare = iota
	BareWhole       // the reference is the whole value, quotes can be put around it
	BarePart        // it is a part of the value
	BareAbsent      // there is no '=' either
)

// Holds reports whether uri is read back from p as it is: what ends a reference in a list or
// refresh cannot be a part of one, and what looks like a name is not a URL. A fixed place holds
// nothing. For the ends of a srcset candidate see CutsComma.
func (p *Context) Holds(uri []byte) bool {
	if p.Fixed {
		return false
	}
	for o := p.Outer; o != nil; o = o.Outer {
		if o.Hyphens && bytes.Contains(uri, []byte("--")) {
			return false
		}
	}
	if p.List != Single && p.List != Srcset && !inList(uri) &&
		!bytes.Equal(appendListed(nil, uri, p.List, p.Inner), uri) {
		return false
	}
	switch p.List {
	case Refresh:
		return p.Inner != 0 || startsURL(uri)
	case Name:
		return !json.IsName(uri)
	case Guess, Likely:
		return json.Likely(uri)
	case Text:
		return json.IsURLText(uri)
	case Unquoted:
		return !json.HasQuote(uri)
	case Joined:
		return json.Likely(uri) && json.HasHost(uri)
	case Specifier:
		return json.IsSpecifier(uri)
	case Key:
		return json.IsKey(uri)
	case Map:
		return json.IsMap(uri)
	}
	return true
}

// startsURL reports whether the start of uri, which no quote encloses in a refresh, is read as that
// of a URL. A separator and "url=" would be read as what stands before one.
func startsURL(uri []byte) bool {
	if len(uri) > 0 && (uri[0] == ';' || uri[0] == ',') {
		return false
	}
	rest, ok := bytes.CutPrefix(bytes.ToLower(uri), []byte("url"))
	return !ok || len(rest) == 0 || rest[0] != '='
}

// enclosed reports whether a byte other than '>' stands behind every reference at p.
func (p *Context) enclosed() bool {
	switch p.List {
	case Angles, Guess, Prose:
		return false
	}
	return p.Quote != 0 || p.Sheet
}

// Commented reports whether p is in markup in a comment.
func (p *Context) Commented() bool {
	for ; p != nil; p = p.Outer {
		if p.Comment {
			return true
		}
	}
	return false
}

// CutsComma reports whether the parser of a srcset would cut off a comma at an end of uri.
func (p *Context) CutsComma(uri []byte) bool {
	return p.List == Srcset && len(uri) > 0 && (uri[0] == ',' || uri[len(uri)-1] == ',')
}

// Fit returns uri as it is read back from where it was written: uri itself, or with %2C
// for such a comma.
func (p *Context) Fit(uri []byte) []byte {
	if p.CutsComma(uri) {
		return appendListed(nil, uri, Srcset, 0)
	}
	return uri
}
