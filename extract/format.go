package extract

import (
	"strings"
	"sync"

	"absolink/extract/internal/page"
)

// To add a format, add the following; tests report most of the missing parts:
//
//   - a constant. The order counts: XHTML to OpenSearch are XML, --type takes HTML to
//     JSONLinkset for files, and Heading and all later ones are only in messages and responses.
//   - a row in formats, and a case in ListOnly if it is never rewritten.
//   - cases in declaration and find of doc.go, and in detect.go: a row for the endings of its
//     files, and a beginning if its content shows the format.
//   - a finder: in package lines if it is read line by line, in page if it belongs to web pages,
//     in xml if its tags are XML. If the tables of internal/place do not have its references,
//     add a row to place/text.go, and pass each reference to reading.Maker.Add with the
//     escape.List for its place.
//   - rows in format_test.go and formats_test.go, a document in testdata/torture with its row in
//     torture_test.go, one in cmd/absolink/internal/e2e/testdata/script/formats.txtar.
//   - a decision in takesRelative of mime/rewrite/moving.go.
//   - words in help/places.md, and in README and CHANGELOG, which no test checks.
//   - in cmd/absolink/internal a case in kinds.Likely, which suggests a --type, and in
//     identifyRetrieved of package input if its media type does not show it; no test checks
//     these either.

// Format is the kind of a document. The zero value leaves the choice to [Detect].
type Format uint8

const (
	Unknown     Format = iota
	HTML               // HTML as browsers read it
	XHTML              // XHTML as XML
	XML                // XML of another vocabulary
	SVG                // an image
	Feed               // RSS 0.9x, 1.0 and 2.0, Atom
	Sitemap            // a sitemap or an index of sitemaps
	OPML               // an outline
	OpenSearch         // the description of a search engine
	CSS                // a style sheet
	Plain              // plain text
	Manifest           // the manifest of a web application
	Bookmarks          // a Netscape bookmark file
	Markdown           // Markdown; import package extract/markdown, which reads it
	JSONFeed           // a JSON Feed
	URLList            // a sitemap as a text file: one URL a line
	HeaderRules        // a file _headers: header fields for the responses of a site
	Linkset            // a set of links as text (RFC 9264)
	WAT                // the JSON of Common Crawl about one response
	JSONLinkset        // a set of links as JSON (RFC 9264)
	Script             // JavaScript; its string literals are read with Options.Scripts
	Heading            // the header fields of a message or a response

	// Formats that are only in messages and responses. They have no extension.

	Calendar // iCalendar and vCalendar
	Card     // vCard
	Enriched // enriched text and richtext
)

// formats holds, by Format, its name and its media types, the usual one first. The endings of file
// names are in detect.go.
var formats = [...]struct{ name, media string }{
	HTML:        {"html", "text/html text/x-amp-html text/watch-html"},
	XHTML:       {"xhtml", "application/xhtml+xml"},
	XML:         {"xml", "application/xml text/xml"},
	SVG:         {"svg", "image/svg+xml"},
	Feed:        {"feed", "application/rss+xml application/atom+xml application/rdf+xml"},
	Sitemap:     {"sitemap", "application/xml"},
	OpenSearch:  {"opensearch", "application/opensearchdescription+xml"},
	OPML:        {"opml", "text/x-opml text/x-opml+xml application/opml+xml"},
	CSS:         {"css", "text/css"},
	Plain:       {"text", "text/plain"},
	Manifest:    {"manifest", "application/manifest+json"},
	Bookmarks:   {"bookmarks", "text/html"},
	Markdown:    {"markdown", "text/markdown text/x-markdown"},
	JSONFeed:    {"json-feed", "application/feed+json"},
	URLList:     {"url-list", "text/plain"},
	HeaderRules: {"headers", "text/plain"},
	Linkset:     {"linkset", "application/linkset"},
	WAT:         {"wat", "application/json"},
	JSONLinkset: {"json-linkset", "application/linkset+json"},
	Script: {"script",
		"text/javascript application/javascript application/x-javascript text/ecmascript application/ecmascript text/" +
			"jscript"},
	Heading:  {"heading", "text/rfc822-headers"},
	Calendar: {"calendar", "text/calendar text/x-vcalendar"},
	Card:     {"vcard", "text/vcard text/x-vcard text/directory"},
	Enriched: {"enriched", "text/enriched text/richtext"},
}

// String returns the name of f, or "" for Unknown.
func (f Format) String() string {
	if int(f) < len(formats) {
		return formats[f].name
	}
	return ""
}

// MediaType returns the usual media type of documents of the format, or "" for Unknown.
func (f Format) MediaType() string {
	if int(f) < len(formats) {
		media, _, _ := strings.Cut(formats[f].media, " ")
		return media
	}
	return ""
}

// ListOnly reports whether a [Resolver] lists the references of documents of the format and never
// rewrites them. When a site moves, package mime/rewrite changes the absolute URLs in Plain and
// Enriched.
func (f Format) ListOnly() bool {
	switch f {
	case Plain, Linkset, WAT, JSONLinkset, Heading, Calendar, Card, Enriched:
		return true
	}
	return false
}

// readable reports whether the program contains the finder of the format.
func (f Format) readable() bool { return f != Markdown || page.Markdown != nil }

// byMedia holds the formats by media type. A media type that several formats share belongs to the
// first of them.
var byMedia = sync.OnceValue(func() map[string]Format {
	all := make(map[string]Format)
	for f := range formats {
		if Format(f) == Heading || Format(f) == WAT {
			continue // their media types do not show these formats
		}
		for _, media := range strings.Fields(formats[f].media) {
			if _, taken := all[media]; !taken {
				all[media] = Format(f)
			}
		}
	}
	return all
})

// FormatOf returns the format of documents with a media type, or Unknown. Case and parameters do
// not matter. A type that ends in +xml is XML. Markdown is Unknown if the program does not import
// package extract/markdown.
func FormatOf(mediaType string) Format {
	mediaType, _, _ = strings.Cut(mediaType, ";")
	mediaType = strings.ToLower(strings.Trim(mediaType, "\t\r\n "))
	if f, ok := byMedia()[mediaType]; ok && f.readable() {
		return f
	}
	if strings.HasSuffix(mediaType, "+xml") {
		return XML
	}
	return Unknown
}
