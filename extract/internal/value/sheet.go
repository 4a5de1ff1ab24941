package value

import (
	"absolink/extract/internal/css"
	"absolink/extract/internal/escape"
	"absolink/extract/internal/place"
	"absolink/extract/internal/text"
)

// sheet reads the next URL of a style sheet or a list of declarations. CSS gives the URL parser no
// charset (CSS Values 4, 4.5.4), and browsers write queries in UTF-8. But Chromium uses the charset
// of the document for the url() of a style element, and so do we.
func (c *Cutter) sheet() bool {
	if c.Loaders {
		return c.sheetOrLoader()
	}
	return c.url()
}

func (c *Cutter) url() bool {
	s := &c.css
	if !s.Next() {
		return false
	}
	c.Span = text.Span{Start: s.Start, End: s.End}
	c.Token, c.Quote = escape.CSS, s.Quote
	c.UTF8 = c.typ == place.TypeCSS || s.Context == css.Import
	c.form = asItStands
	if s.Escaped {
		c.form = inCSS
	}
	if s.Context == css.Namespace || s.Context == css.Document {
		c.Kind = place.KindIdentifier
	}
	return true
}

// sheetOrLoader reads the next URL of the style sheet or the next picture of a filter, whichever
// comes first.
func (c *Cutter) sheetOrLoader() bool {
	if len(c.parts) == 0 && c.url() {
		c.parts = append(c.parts, c.Part)
	}
	l := &c.loader
	l.next(c.value)
	if !l.pending || len(c.parts) > 0 && c.parts[0].Start <= l.Start {
		return c.take()
	}
	l.pending = false
	c.Part = Part{Span: l.Span, Token: escape.CSS, Quote: l.quote, Kind: c.kind}
	return true
}
