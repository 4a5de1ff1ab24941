package extract

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"absolink/extract/internal/charset"
	"absolink/extract/internal/page"
	"absolink/extract/internal/place"
	"absolink/extract/internal/xml"
)

// Detect finds the format of a document, from the content first, then from name: a file name or
// a media type, "" if unknown. Content is HTML where a browser would take it as such (MIME
// Sniffing Standard 7.1), in UTF-16 too where a byte order mark says so. Formats of XML are
// known by the first element; a page that begins with an XML declaration is XHTML, unless name
// says HTML. Style sheets, plain text and manifests are known by their names alone. If neither
// decides, data with a tag in its first 1,024 bytes is HTML, as a fragment or a template is,
// unless name is that of another kind of file. Everything else is Unknown.
func Detect(data []byte, name string) Format {
	head := startOf(data)
	named := formatNamed(name)
	if f := xmlFormat(head, named); f != Unknown {
		return f
	}
	switch {
	case page.Begins(head):
		return HTML
	case page.BeginsBookmarks(head):
		return Bookmarks
	case named == Unknown && !otherKind(name) && page.HasTag(head):
		return HTML
	}
	return named
}

// maxStart is how many bytes decide about the format of a document.
const maxStart = 16 << 10

// startOf returns the first bytes of a document, those of UTF-16 without the NULs,
// and without a byte order mark.
func startOf(data []byte) []byte {
	head := data[:min(len(data), maxStart)]
	form, n := charset.Mark(head)
	switch {
	case n == 0 && len(head) >= 2 && (head[0] == 0 && head[1] == '<' || head[0] == '<' && head[1] == 0):
		return bytes.ReplaceAll(head, []byte{0}, nil)
	case n > 0 && form != charset.UTF8:
		return bytes.ReplaceAll(head[n:], []byte{0}, nil)
	}
	return head[n:]
}

// otherExtensions are those of programs, data and prose in which tags may be quoted.
var otherExtensions = strings.Fields(`.js .mjs .cjs .jsx .ts .tsx .json .jsonl .ndjson .map .md .markdown .mdx .rst .adoc .tex .py .rb
	.pl .pm .go .c .h .cc .cpp .hpp .cs .java .kt .swift .rs .scala .lua .sh .bash .zsh .ps1 .bat .sql .yml .yaml .toml .ini
	.cfg .conf .properties .csv .tsv .log .diff .patch .po .pot .r .ipynb .scss .sass .less .ics .vcf .emlx`)

// otherKind reports whether name, a file name or a media type, is that of a file which is
// no page, whatever it quotes.
func otherKind(name string) bool {
	switch top, _, _ := strings.Cut(name, "/"); strings.ToLower(top) {
	case "application", "audio", "font", "image", "message", "model", "multipart", "text", "video":
		return true
	}
	return slices.Contains(otherExtensions, strings.ToLower(path.Ext(name)))
}

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
// says is XML, Unknown if it is not XML: an HTML page may begin with an XML
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
