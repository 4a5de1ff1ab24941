package extract

import "absolink/base"

// Ref is one reference in a document.
type Ref struct {
	Span                   // of this one reference in Doc.Data, not of the whole attribute or style sheet
	Value      []byte      // decoded: character references, CSS escapes, charset; neither stripped nor resolved
	Kind       Kind        // what it is for
	Element    string      // lower case
	Attr       string      // lower case; "" for text (a style element)
	Rel        string      // link types, separated by blanks, as written; "" if none
	Layer      *base.Layer // what it is resolved against; nil = nothing
	Identifier bool        // names something, is no link
	ListOnly   bool        // listed, and left as it is unless an option says otherwise
	Form       bool        // a FORM action or formaction: empty stands for the document or its base

	layer    int // number of Layer
	place    place
	broken   bool // the value held bytes that are not of the charset
	relative bool // the table gives its place a base
	hyphen   bool // in running text, where a line ended in a hyphen that may not belong to it
	unclear  bool // in running text, where it cannot be told whether the letters at its end belong to it
	noscript bool // a BASE that counts, and stands in a noscript element
	utf8     bool // its query is written in UTF-8, whatever the charset of the document
	easy     bool // its place needs no thought (easy.go)
}

// place is where a reference stands, as far as the escapes of what is written
// there depend on it.
type place struct {
	outer   *place   // the place of the document that this one stands in, as srcdoc; nil at the top
	list    listForm // between which separators
	token   tokenForm
	sheet   bool   // the text of a style element, which has no character references
	xml     bool   // in XML, with its escapes
	comment bool   // what the markup in a comment is around
	cdata   bool   // the XML around it all is a CDATA section
	bare    bare   // no quotes around the attribute value
	quote   byte   // of the attribute value
	inner   byte   // of the URL inside of the value: in a CSS string or a refresh
	wide    wide   // the encoding of the top
	roman   roman  // at which ends ISO-2022-JP is JIS X 0201 Roman
	open    uint16 // bit n: at n documents outward a reference without ';' ends where this one begins
}

// bare says what an attribute value without quotes can take.
type bare uint8

const (
	quoted     bare = iota
	bareWhole       // the reference is the whole value, quotes can be put around it
	barePart        // it is a part of the value
	bareAbsent      // there is no '=' either
)

type listForm uint8

const (
	single listForm = iota
	blankList
	commaList
	srcsetList
	refreshForm
	semicolonList
	angleForm  // between angle brackets
	quotedForm // between the quotes that inner names
	policyList // blanks, semicolons or commas
	guessForm  // text that is a reference only as long as it looks like one
	nameForm   // text that is a reference only as long as it looks like no name
	textForm   // running text, where a URI stands between blanks or brackets
)

// tokenForm says what the value is written as, before all that is around it.
type tokenForm uint8

const (
	noToken      tokenForm = iota
	cssToken               // a string of CSS or an unquoted url()
	literalToken           // a string of JSON or of a script
	percentToken           // the same in a javascript: URL, whose percent-encoding is undone before it runs
)

// Holds reports whether uri is read back as it is from the place of the reference: in
// a list or refresh, what ends a reference cannot be a part of one.
func (r Ref) Holds(uri []byte) bool { return r.place.holds(uri) }

// Fit returns uri as it is read back from the place of the reference where Edit writes it:
// with %2C for a comma at an end of a srcset candidate, which its parser would cut off.
func (r Ref) Fit(uri []byte) []byte {
	if r.place.list == srcsetList && edgeComma(uri) {
		return appendListed(nil, uri, srcsetList, 0)
	}
	return uri
}

// edgeComma reports whether uri begins or ends with a comma.
func edgeComma(uri []byte) bool {
	return len(uri) > 0 && (uri[0] == ',' || uri[len(uri)-1] == ',')
}

// Edit returns the edit of Doc.Data that replaces the reference by uri, quoted
// and escaped for its place exactly once, so that it can never break out of
// there. What is written is ASCII. A byte that the place cannot hold at all is
// percent-encoded: white space and commas where they separate URLs, NUL, bytes
// that are no UTF-8.
func (r Ref) Edit(uri []byte) Edit {
	return Edit{r.Span, r.place.append(nil, uri)}
}
