package extract

import (
	"absolink/extract/internal/place"
	"absolink/extract/internal/xml"
)

// formatOf returns the format that the root says, Unknown if it says nothing. sure
// means that the document is XML for other reasons.
func formatOf(r *xml.Root, sure bool) Format {
	switch r.Local {
	case "html":
		if r.In(place.HTMLSpace, sure) {
			return XHTML
		}
	case "svg":
		if r.In(place.SVGSpace, sure) || r.Space == place.OtherSpace {
			return SVG
		}
	case "rss":
		return Feed
	case "RDF":
		if r.RSS {
			return Feed
		}
	case "feed", "entry":
		if r.In(place.AtomSpace, sure) {
			return Feed
		}
	case "urlset", "sitemapindex":
		if r.In(place.SitemapSpace, sure) {
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
	r := xml.RootOf(head)
	f := formatOf(&r, r.Declared || named.isXML())
	switch {
	case f == XHTML && !r.Declared && !(named.isXML() && r.Spaced):
		return Unknown
	case (f == XHTML || f == SVG || f == Unknown) && named == HTML:
		return Unknown
	case f != Unknown:
		return f
	case named.isXML() && r.Local != "html":
		return named
	case r.Declared:
		return XML
	}
	return Unknown
}
