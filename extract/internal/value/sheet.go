package value

import (
	"absolink/extract/internal/css"
	"absolink/extract/internal/escape"
	"absolink/extract/internal/place"
	"absolink/extract/internal/text"
)

// nextInSheet reads the next URL of a style sheet or a declaration list. CSS gives the URL parser
// no charset (CSS Values 4, 4.5.4), so queries are written in UTF-8. But a url() in a style sheet
// uses the charset of the document or file, as in Chromium.
func (c *Cutter) nextInSheet() bool {
	if c.Loaders {
		return c.nextInSheetOrLoader()
	}
	return c.nextURL()
}

// nextURL makes the next URL of the style sheet the current part.
func (c *Cutter) nextURL() bool {
	s := &c.css
	if !s.Next() {
		return false
	}
	c.Span = text.Span{Start: s.Start, End: s.End}
	c.Token, c.Quote = escape.CSS, s.Quote
	c.UTF8 = c.typ == place.TypeCSS || s.Context == css.Import
	c.form = verbatim
	if s.Escaped {
		c.form = inCSS
	}
	if s.Context == css.Namespace || s.Context == css.Document {
		c.Kind = place.KindIdentifier
	}
	return true
}

// nextInSheetOrLoader reads the next URL of the style sheet or the next picture of a filter,
// whichever comes first.
func (c *Cutter) nextInSheetOrLoader() bool {
	if len(c.parts) == 0 && c.nextURL() {
		c.parts = append(c.parts, c.Part)
	}
	l := &c.loader
	l.findNext(c.value)
	if !l.pending || len(c.parts) > 0 && c.parts[0].Start <= l.Start {
		return c.popPart()
	}
	l.pending = false
	c.Part = Part{Span: l.Span, Token: escape.CSS, Quote: l.quote, Kind: c.kind}
	return true
}
