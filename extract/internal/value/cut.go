package value

import (
	"bytes"

	"absolink/extract/internal/escape"
	"absolink/extract/internal/json"
	"absolink/extract/internal/place"
	"absolink/extract/internal/text"
)

// Reset makes c cut a value of a type. kind is the kind of its references, unless the value itself
// says otherwise. c keeps value until the next Reset.
func (c *Cutter) Reset(t place.ValueType, kind place.Kind, value []byte) {
	c.Part = Part{}
	c.value, c.typ, c.kind = value, t, kind
	c.at, c.parts, c.found, c.loader = 0, c.parts[:0], false, loader{}
	c.list = escape.Single
	c.hasComment = false
	if t >= place.TypeJSON && t <= place.TypeLazySet {
		c.typ = c.plainType(t)
		t = c.typ
	}
	switch t {
	case place.TypeCSS, place.TypeSheet:
		c.css.Reset(value, t == place.TypeCSS)
	case place.TypeLinkedData, place.TypeImportMap, place.TypeSpeculation, place.TypeAnalytics, place.TypeEndpoints,
		place.TypeJSON:
		c.hasOrigin = t == place.TypeAnalytics && json.HasOrigin(value)
		c.json.Reset(value)
		c.hasComment = hasCommentStart(value)
	case place.TypeScript:
		c.literals.Reset(value)
		c.hasComment = hasCommentStart(value)
	case place.TypeScriptURL:
		c.resetLiterals()
	}
}

// Next finds the next reference and reports whether there is one.
func (c *Cutter) Next() bool {
	c.Part = Part{Kind: c.kind}
	switch c.typ {
	case place.TypeCSS, place.TypeSheet:
		return c.nextInSheet()
	case place.TypeLinkedData, place.TypeImportMap, place.TypeSpeculation, place.TypeAnalytics, place.TypeEndpoints,
		place.TypeJSON:
		return c.nextInData()
	case place.TypeScript:
		return c.nextLiteral(escape.Literal)
	case place.TypeScriptURL:
		return c.nextInScriptURL()
	case place.TypeLinks:
		return c.nextLinkPart()
	}
	if c.at < 0 {
		return false
	}
	c.nextSimple()
	return c.at >= 0
}

// nextSimple reads the next reference of a value whose type needs no other state than an offset.
func (c *Cutter) nextSimple() {
	b := c.value
	switch c.typ {
	case place.TypeBlanks:
		c.List = escape.Blanks
		c.Span, c.at = nextToken(b, c.at)
	case place.TypeNames:
		c.List = escape.Blanks
		c.Span, c.at = nextURIToken(b, c.at)
	case place.TypeCommas:
		c.List = escape.Commas
		c.Span, c.at = nextItem(b, c.at, ',')
	case place.TypeSemicolons:
		c.List = escape.Semicolons
		c.Span, c.at = nextItem(b, c.at, ';')
	case place.TypeSrcset:
		c.List = escape.Srcset
		c.Span, c.at = nextCandidate(b, c.at)
	case place.TypeReports:
		c.List = escape.Policy
		c.Span, c.at = nextReportURI(b, c.at)
	case place.TypeQuoted:
		c.List, c.Quote = escape.Quotes, '"'
		c.Span, c.at = nextQuotedURL(b, c.at)
	case place.TypeURIs:
		c.List = escape.Semicolons
		var name []byte
		name, c.Span, c.at = nextNamedURI(b, c.at)
		if text.HasPrefixFold(name, "icon") {
			c.Kind = place.KindRes
		}
	case place.TypeAngles, place.TypeMailing, place.TypeStrings:
		c.nextInField()
	default:
		c.readWhole()
	}
}

// readWhole reads a value with at most one reference.
func (c *Cutter) readWhole() {
	b := c.value
	all := text.Span{Start: 0, End: len(b)}
	ok := c.at == 0 // the value was not read yet
	c.at = len(b) + 1
	c.List = c.list
	c.Span = all
	switch {
	case !ok:
	case c.typ == place.TypeVariables:
		c.List = escape.Variables
		c.Span = text.Trimmed(b, all)
		ok = c.Start < c.End
	case c.typ == place.TypeOptional:
		c.List = escape.Optional
		ok = !escape.IsNone(b)
	case c.typ == place.TypeRefresh:
		c.List = escape.Refresh
		c.Span, c.Quote, ok = refreshURL(b)
	case c.typ == place.TypeCURIE:
		ok = !isCompactURI(b)
	case c.typ == place.TypeNamed:
		c.List = escape.Name
		v := text.Stripped(b)
		ok = !json.IsName(v)
		c.Doubtful = !json.IsSure(v)
	case c.typ == place.TypeGuess:
		c.List = escape.Guess
		c.Span = text.Trimmed(b, all)
		v := b[c.Start:c.End]
		ok = json.Likely(v)
		c.Doubtful = !json.IsSureGuess(v)
	case place.TypeWhole <= c.typ && c.typ <= place.TypeExternal:
		c.List = escape.Prose
		ok = c.readField()
	}
	if !ok {
		c.at = -1
	}
}

// isCompactURI reports whether v is a compact URI or a blank node (RDFa 1.1 section 6).
func isCompactURI(v []byte) bool {
	v = v[text.SkipBlank(v, 0):]
	return len(v) > 0 && v[0] == '[' || bytes.HasPrefix(v, []byte("_:"))
}

// nextLinkPart makes the next reference of a Link field the current part.
func (c *Cutter) nextLinkPart() bool {
	for len(c.parts) == 0 && c.at >= 0 {
		c.readLink()
	}
	return c.popPart()
}
