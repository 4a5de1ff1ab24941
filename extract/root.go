package extract

import (
	"bytes"

	"absolink/extract/internal/markup"
	"absolink/extract/internal/place"
)

// root is the first element of what may be XML, and so decides its format.
type root struct {
	declared bool // there is an XML declaration
	local    string
	space    place.Vocabulary // otherSpace where the name of the namespace is written with references
	spaced   bool             // it is in a namespace
	rss      bool             // it declares a namespace of RSS 1.0
}

// rootOf reads the start of a document up to its first start tag.
func rootOf(head []byte) (r root) {
	head = bytes.TrimLeft(head, "\t\n\f\r ")
	r.declared = bytes.HasPrefix(head, []byte("<?xml"))
	var s markup.Scanner
	s.Reset(head)
	for {
		switch s.NextXML() {
		case markup.EOF:
			return r
		case markup.StartTag:
			r.read(&s, head)
			return r
		}
	}
}

// read notes the start tag that s scanned.
func (r *root) read(s *markup.Scanner, head []byte) {
	prefix, local := split(head[s.NameStart:s.NameEnd])
	r.local, r.space = string(local), place.Usual(prefix)
	for _, a := range s.Attrs {
		own, other := split(head[a.NameStart:a.NameEnd])
		if string(own) != "xmlns" && string(other) != "xmlns" {
			continue
		}
		v, known := place.VocabularyOf(head[a.Start:a.End])
		if !known {
			v = place.OtherSpace
		}
		r.rss = r.rss || v == place.RSSSpace
		if string(own) == "xmlns" && bytes.Equal(other, prefix) || prefix == nil && own == nil {
			r.space, r.spaced = v, true
		}
	}
}

// format returns the format that the root says, Unknown if it says nothing. sure
// means that the document is XML for other reasons.
func (r *root) format(sure bool) Format {
	is := func(v place.Vocabulary) bool { return r.space == v || r.space == place.NoSpace && sure }
	switch r.local {
	case "html":
		if is(place.HTMLSpace) {
			return XHTML
		}
	case "svg":
		if is(place.SVGSpace) || r.space == place.OtherSpace {
			return SVG
		}
	case "rss":
		return Feed
	case "RDF":
		if r.rss {
			return Feed
		}
	case "feed", "entry":
		if is(place.AtomSpace) {
			return Feed
		}
	case "urlset", "sitemapindex":
		if is(place.SitemapSpace) {
			return Sitemap
		}
	case "opml":
		return OPML
	}
	return Unknown
}

// isXML reports whether documents of the format are XML.
func (f Format) isXML() bool { return XHTML <= f && f <= OPML }

// xmlFormat returns the format of a document that begins as XML, or that its name
// says is XML, Unknown if it is none: an HTML page may begin with an XML
// declaration, and a page of XHTML that its name does not say to be XML is read
// as browsers read it, as HTML.
func xmlFormat(head []byte, named Format) Format {
	r := rootOf(head)
	f := r.format(r.declared || named.isXML())
	switch {
	case f == XHTML && !r.declared && !(named.isXML() && r.spaced):
		return Unknown
	case (f == XHTML || f == SVG || f == Unknown) && named == HTML:
		return Unknown
	case f != Unknown:
		return f
	case named.isXML() && r.local != "html":
		return named
	case r.declared:
		return XML
	}
	return Unknown
}
