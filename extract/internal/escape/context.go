package escape

import (
	"bytes"

	"absolink/extract/internal/json"
	"absolink/extract/internal/text"
)

// Context describes the surroundings of a reference that decide how it is escaped. The zero Context
// is the whole value of an attribute, in any quotes.
type Context struct {
	Outer   *Context // context of the document around this one, for example around a srcdoc; nil at the top
	List    List     // the list that contains the reference
	Token   Token
	Sheet   bool  // text without character references: in style and script elements, and in formats without tags
	XML     bool  // in XML, with its escapes
	Literal bool  // the context is a string of JSON around the document
	Comment bool  // the context is a comment around the markup with the reference
	Hyphens bool  // the comment is in XML, which cannot contain two hyphens (XML 1.0 production 15)
	CDATA   bool  // the XML around the document is a CDATA section
	Bare    Bare  // the attribute value has no quotes
	Quote   byte  // the quote around the attribute value
	Inner   byte  // the quote around the URL inside the value: in a CSS string or a refresh
	Wide    Wide  // the encoding of the top document
	Roman   Roman // the ends of the edit at which ISO-2022-JP is JIS X 0201 Roman
	Fixed   bool  // an edit would move the end of the element around the reference

	LineStart bool  // a destination of Markdown begins a line
	Markdown  bool  // the reference is in an attribute of HTML in Markdown
	Bars      uint8 // the number of bars that Markdown has as '|' in the reference

	// Open has bit n set if, in the n-th document outward, a character reference without ';' ends
	// where the reference begins.
	Open uint16
}

// Bare says how an attribute value without quotes can be edited.
type Bare uint8

const (
	InQuotes   Bare = iota
	BareWhole       // the reference is the whole value, so quotes can be put around it
	BarePart        // the reference is a part of the value
	BareAbsent      // the '=' is missing too
)

// Holds reports whether uri, written at p, is read back unchanged. A list or refresh cannot hold a
// reference that contains one of its separators. Text that looks like a name is not read as a URL.
// A fixed place holds nothing. In a place of Markdown with bars, uri needs at least as many bars.
// For the ends of a srcset candidate see CutsComma.
func (p *Context) Holds(uri []byte) bool {
	if p.Fixed || bytes.Count(uri, []byte("|")) < int(p.Bars) {
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
	case Optional:
		return !IsNone(uri)
	case Unquoted:
		return !json.HasQuote(uri)
	case Joined:
		return json.Likely(uri) && json.HasHost(uri)
	case Module:
		return json.Likely(uri) && json.IsSpecifier(uri)
	case Specifier:
		return json.IsSpecifier(uri)
	case Key:
		return json.IsKey(uri)
	case Map:
		return json.IsMap(uri)
	case Scalar:
		return isScalar(uri, p.Inner)
	case Autolink:
		return isAutolink(uri)
	case BareURL:
		return isBareURL(uri)
	}
	return true
}

// IsNone reports whether v is the word none, in any case and perhaps in white space. In places that
// allow it, it stands for no URL.
func IsNone(v []byte) bool { return text.IsFold(text.Stripped(v), "none") }

// startsURL reports whether the start of uri, which is in a refresh without quotes, is read as the
// start of a URL. A separator or "url=" would be read as text before the URL.
func startsURL(uri []byte) bool {
	if len(uri) > 0 && (uri[0] == ';' || uri[0] == ',') {
		return false
	}
	rest, ok := bytes.CutPrefix(bytes.ToLower(uri), []byte("url"))
	return !ok || len(rest) == 0 || rest[0] != '='
}

// enclosed reports whether the byte after every reference at p exists and is not '>'.
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

// InLiteral reports whether backslashes begin escapes at p: it is in a string of a script or of
// JSON, or in markup in a string of JSON.
func (p *Context) InLiteral() bool {
	if p.Token == Literal {
		return true
	}
	for ; p != nil; p = p.Outer {
		if p.Literal {
			return true
		}
	}
	return false
}

// CutsComma reports whether the srcset parser would cut off a comma at an end of uri.
func (p *Context) CutsComma(uri []byte) bool {
	return p.List == Srcset && len(uri) > 0 && (uri[0] == ',' || uri[len(uri)-1] == ',')
}

// Fit returns uri as it is read back after it was written. This is uri itself, or uri with %2C for
// a comma that CutsComma finds, or with %5C for each backslash in a destination of Markdown.
func (p *Context) Fit(uri []byte) []byte {
	switch {
	case p.CutsComma(uri):
		return appendListed(nil, uri, Srcset, 0)
	case (p.List == Destination || p.List == Pointed) && bytes.IndexByte(uri, '\\') >= 0:
		return bytes.ReplaceAll(uri, []byte(`\`), []byte("%5C"))
	}
	return uri
}
