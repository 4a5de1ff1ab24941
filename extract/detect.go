package extract

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"sync"

	"absolink/extract/internal/charset"
	"absolink/extract/internal/css"
	"absolink/extract/internal/json"
	"absolink/extract/internal/page"
	"absolink/extract/internal/place"
	"absolink/extract/internal/text"
	"absolink/extract/internal/xml"
)

// The format of a document is found by its name and its beginning. If the ending of the name is in
// the table endings, and documents with this ending can begin like this one, the name decides.
// Otherwise the beginning decides. Only a byte order mark, white space and comments may precede the
// beginning. Markup after other text does not count: it may be in a string, a comment or a
// sentence.

// beginning is a set of properties of the beginning of a document.
type beginning uint8

const (
	binary   beginning = 1 << iota // bytes that no text has
	tag                            // a tag of HTML, other than style, which people put into style sheets
	pageTag                        // a document type, or a tag that belongs before the body of a page
	whole                          // the first tag of a page, directly followed by another tag
	feed                           // the root of a feed, a sitemap or an outline
	declared                       // an XML declaration, and a root that is not a page
	image                          // an XML declaration, and the root of an image
)

// endings are the well-known endings of file names. A row holds the format of files with the
// endings of its list, and the beginnings that such a file never has. The format is Unknown for
// files that are not read as documents. For XML the root element decides. The first row of a format
// is also used for its media types.
var endings = []struct {
	format Format
	never  beginning
	list   string
}{
	{HTML, binary | feed, ".html .htm .shtml .shtm"},
	{HTML, binary | feed | declared | image, ".php .phtml .php3 .php4 .php5 .php7 .php8 .asp .aspx .jsp .cfm"},
	{XHTML, binary, ".xhtml .xht"},
	{XML, binary, ".xml"},
	{SVG, binary, ".svg"},
	{Feed, binary, ".rss .atom .rdf"},
	{OPML, binary, ".opml"},
	{OpenSearch, binary, ".osdx"},
	{CSS, binary | tag | feed | declared | image, ".css"},
	{Script, binary | pageTag | feed | declared | image, ".js .mjs"},
	{Plain, binary | whole | feed | image, ".txt .text .rst .rest"},
	{Markdown, binary, ".md .markdown .mdown .mkd"}, // Markdown may begin with any markup
	{Manifest, binary | tag | feed | declared | image, ".webmanifest"},
	{Linkset, binary, ".linkset"}, // it begins with <URL>
	{JSONFeed, binary | tag | feed | declared | image, ".jsonfeed"},
	{JSONLinkset, binary | tag | feed | declared | image, ""},
	{WAT, binary | tag | feed | declared | image, ""},

	// Files that are known by their whole name: see formatNamed.
	{URLList, binary | tag | feed | declared | image, ""},
	{HeaderRules, binary | tag | feed | declared | image, ""},

	// Messages and archives.
	{Unknown, tag | feed | declared | image,
		".eml .mht .mhtml .emlx .mbox .mboxrd .mboxo .mboxcl .mboxcl2 .mmdf .warc .wacz .arc"},

	// Programs, data and prose that may quote tags anywhere.
	{Unknown, pageTag | feed | declared | image,
		`.cjs .jsx .ts .tsx .json .jsonl .ndjson .json5 .geojson .map .mdx .adoc .asciidoc .tex .py .pyi
		.rb .pl .pm .go .c .h .cc .cpp .hpp .cs .java .kt .swift .rs .scala .lua .dart .hs .ex .el .lisp .groovy
		.proto .graphql .cmake
		.sh .bash .zsh .ps1 .bat .sql .yml .yaml .toml .ini .properties .csv .tsv .log .diff .patch .po .pot .r .ipynb
		.scss .sass .less .styl .ics .vcf .vtt .srt`},
}

// These endings do not show the format. They mark compressed files, files that a crawler is still
// writing, and templates. The ending before them counts.
var (
	outer     = []string{".gz", ".gzip", ".zst", ".zstd", ".br", ".bz2", ".bzip2", ".open"}
	templates = []string{".inc", ".tpl", ".tmpl", ".twig", ".j2",
		".jinja", ".jinja2", ".njk", ".liquid", ".erb", ".ejs",
		".hbs", ".mustache", ".mako"}
)

// rowOf maps an ending to the index of its row in endings.
var rowOf = sync.OnceValue(func() map[string]int {
	rows := make(map[string]int)
	for i, row := range endings {
		for ending := range strings.FieldsSeq(row.list) {
			rows[ending] = i
		}
	}
	return rows
})

// rowFor returns the index of the first row of a format, which is also the row of its media types.
func rowFor(f Format) (row int, ok bool) {
	for i := range endings {
		if f != Unknown && endings[i].format == f {
			return i, true
		}
	}
	return 0, false
}

// identity is the result of identify.
type identity struct {
	format   Format // Unknown if no format is recognised, or if files with this name are not read as documents
	named    Format // the format according to the name alone, or Unknown
	ending   string // the well-known ending of the file name
	misnamed bool   // no document with this name begins like this one, so the beginning has decided
}

// identify finds the format of a document from its name and its beginning. The name is a file name
// or a media type.
func identify(data []byte, name string) (id identity) {
	head := startOf(data)
	media := isMediaType(name)
	row, known := 0, false
	if media {
		row, known = rowFor(FormatOf(name))
	} else {
		id.ending = ending(name)
		row, known = rowOf()[id.ending]
		if f := formatNamed(name); f != Unknown {
			row, known = rowFor(f)
		}
	}
	switch found, begins := begin(head, media); {
	case !known && found == Unknown && !media && css.Begins(head):
		id.format = CSS
	case !known && found == Unknown && name == "" && begins&binary == 0 && page.HasTag(head):
		id.format = HTML
	case !known:
		id.format = found
	case id.ending == ".json" && jsonFormat(head) != Unknown:
		id.named = jsonFormat(head)
		id.format = id.named
	case endings[row].format.isXML():
		id.named = endings[row].format
		id.format = namedXML(head, id.named)
		id.misnamed = id.format != id.named && (id.named != XML || !id.format.isXML())
	case begins&endings[row].never != 0:
		id.named = endings[row].format
		id.format = found
		id.misnamed = true
	default:
		id.named = endings[row].format
		id.format = id.named
		if id.named == HTML && page.BeginsBookmarks(head) {
			id.format = Bookmarks
		}
	}
	if !id.named.readable() {
		id.named = Plain
	}
	if !id.format.readable() {
		id.format = Plain
	}
	return id
}

// Detect finds the format of a document from name, which is a file name or a media type, and from
// the beginning of data. If the name is well known, and documents with this name can begin like
// data, the name decides. Otherwise a tag of HTML, the first rule of a style sheet, or the first
// element of XML decides. If name is a media type that does not show a format, only beginnings that
// browsers know count (MIME Sniffing Standard 7.1). If name is "", data with a tag in its first
// 1,024 bytes is HTML. data may be in UTF-16 with a byte order mark. Markdown is Plain if the
// program does not import package extract/markdown. If nothing shows the format, Detect returns
// Unknown.
func Detect(data []byte, name string) Format { return identify(data, name).format }

// ending returns the well-known ending of a file name in lower case, or "". An ending of a template
// may follow it. Programs that save sites write the query of the URL into the name, after "?",
// "%3F" or "@". This query does not count.
func ending(name string) string {
	name = strings.ToLower(path.Base(strings.TrimSpace(name)))
	found := lastEnding(name)
	for _, mark := range []string{"?", "%3f", "@"} {
		if file, _, query := strings.Cut(name, mark); query && found == "" {
			found = lastEnding(file)
		}
	}
	return found
}

func lastEnding(name string) string {
	for {
		ending := path.Ext(name)
		if _, known := rowOf()[ending]; known {
			return ending
		}
		if !slices.Contains(outer, ending) && !slices.Contains(templates, ending) {
			return ""
		}
		name = strings.TrimSuffix(name, ending)
	}
}

// formatNamed returns the format that a whole file name shows, such as _headers, or Unknown.
// Endings of compressed files and a query after the name do not count.
func formatNamed(name string) Format {
	name = path.Base(strings.TrimSpace(name))
	name, _, _ = strings.Cut(name, "?")
	for slices.Contains(outer, strings.ToLower(path.Ext(name))) {
		name = strings.TrimSuffix(name, path.Ext(name))
	}
	name = strings.ToLower(name)
	switch {
	case name == "_headers":
		return HeaderRules
	case strings.HasPrefix(name, "sitemap") && path.Ext(name) == ".txt":
		return URLList
	}
	return Unknown
}

// jsonFormat returns the format that the members of a JSON object show, or Unknown. A JSON Feed has
// a version, which is a URL of jsonfeed.org. A linkset has a member "linkset", and a WAT record has
// a member "Envelope".
func jsonFormat(head []byte) Format {
	head = bytes.TrimLeft(head, "\t\n\r ")
	if len(head) == 0 || head[0] != '{' {
		return Unknown
	}
	var s json.Scanner
	for s.Reset(head); s.Next(); {
		value := head[s.Start:s.End]
		switch {
		case s.Depth != 1:
		case s.IsKey && string(value) == "linkset":
			return JSONLinkset
		case s.IsKey && string(value) == "Envelope":
			return WAT
		case !s.IsKey && string(s.KeyAt(0)) == "version" && isFeedVersion(json.AppendUnescaped(nil, value)):
			return JSONFeed
		}
	}
	return Unknown
}

// isFeedVersion reports whether v is the version of a JSON Feed.
func isFeedVersion(v []byte) bool {
	_, rest, ok := bytes.Cut(v, []byte("://"))
	return ok && bytes.HasPrefix(bytes.TrimPrefix(rest, []byte("www.")), []byte("jsonfeed.org/version/"))
}

// isMediaType reports whether name is a media type.
func isMediaType(name string) bool {
	switch top, _, _ := strings.Cut(name, "/"); strings.ToLower(top) {
	case "application", "audio", "font", "image", "message", "model", "multipart", "text", "video", "unknown":
		return strings.Contains(name, "/")
	}
	return false
}

// maxStart is the number of bytes that decide the format of a document.
const maxStart = 16 << 10

// startOf returns the first bytes of a document without a byte order mark. It removes the NULs of
// UTF-16.
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

// begin returns the format according to the tags of head, and the properties of head. If browser is
// set, it accepts fewer tags at the beginning of a page, as browsers do.
func begin(head []byte, browser bool) (Format, beginning) {
	root := xml.RootOf(head)
	found := Unknown
	if !root.Mentioned {
		found = formatOf(&root, root.Declared)
	}
	switch {
	case found == XHTML && root.Declared:
		return XHTML, tag | pageTag | whole
	case found == SVG && root.Declared:
		return SVG, image
	case found == SVG:
		return SVG, tag
	case found != Unknown && found != XHTML:
		return found, feed
	case root.Declared:
		return XML, declared
	}
	found, begins := beginText(head, browser)
	if found == Unknown && root.Spaced && !root.Mentioned && !browser {
		found = XML
		if root.Local == "stylesheet" || root.Local == "transform" {
			found = HTML // XSLT: package xml would not find the links of its pages, which have no namespace
		}
	}
	return found, begins
}

// beginText does the work of begin for a text that is not XML.
func beginText(head []byte, browser bool) (Format, beginning) {
	var begins beginning
	if !styled(head) && page.BeginsWithTag(head) {
		begins |= tag
	}
	if page.BeginsAsPage(head) {
		begins |= pageTag
	}
	if page.IsWhole(head) {
		begins |= whole
	}
	if isBinary(head) {
		begins |= binary
	}
	switch {
	case jsonFormat(head) != Unknown && !browser:
		return jsonFormat(head), begins
	case page.BeginsBookmarks(head):
		return Bookmarks, tag | pageTag | whole
	case page.Begins(head), !browser && page.BeginsWithTag(head):
		return HTML, begins
	}
	return Unknown, begins
}

// styled reports whether head begins with a style element.
func styled(head []byte) bool { return text.HasPrefixFold(page.Start(head), "<style") }

// signatures are the first bytes of kinds of binary files in which a NUL may be missing.
var signatures = []string{"\x89PNG\r", "\xff\xd8\xff", "PK\x03\x04", "\x1f\x8b\x08",
	"BZh91AY", "\xfd7zXZ", `{\rtf1\`, "filedesc://", "!BDN", "\xd0\xcf\x11\xe0"}

// isPDF reports whether head begins with the first line of a PDF, such as "%PDF-1.4". A text about
// PDF may begin with a longer line.
func isPDF(head []byte) bool {
	rest, ok := bytes.CutPrefix(head, []byte("%PDF-"))
	end := bytes.IndexAny(rest[:min(len(rest), 8)], "\r\n")
	return ok && end >= 0 && len(bytes.TrimSpace(rest[:end])) == len("1.4")
}

// maxNUL is the number of bytes that are searched for NUL.
const maxNUL = 1024

// isBinary reports whether head cannot be the beginning of a text: it begins with a signature, or
// has a NUL and no tag of HTML.
func isBinary(head []byte) bool {
	for _, s := range signatures {
		if bytes.HasPrefix(head, []byte(s)) {
			return true
		}
	}
	if isPDF(head) {
		return true
	}
	return bytes.IndexByte(head[:min(len(head), maxNUL)], 0) >= 0 && !page.HasTag(head)
}

// formatOf returns the format of a document with the root r, or Unknown. sure reports whether the
// document is known to be XML.
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
	case "OpenSearchDescription":
		if r.In(place.SearchSpace, sure) || r.Space == place.OtherSpace {
			return OpenSearch
		}
	case "SearchPlugin":
		if r.Spaced {
			return OpenSearch
		}
	}
	return Unknown
}

// isXML reports whether documents of the format are XML.
func (f Format) isXML() bool { return XHTML <= f && f <= OpenSearch }

// namedXML returns the format of a document. named is the format according to its name, a format of
// XML. The root element decides. A page with neither an XML declaration nor a namespace is HTML, as
// in browsers.
func namedXML(head []byte, named Format) Format {
	root := xml.RootOf(head)
	found := formatOf(&root, true)
	switch {
	case found == XHTML && !root.Declared && !root.Spaced:
		return HTML
	case found != Unknown:
		return found
	case isBinary(head):
		return Unknown
	case root.Declared && root.Local == "html":
		return XML
	case page.BeginsAsPage(head):
		return HTML
	}
	return named
}
