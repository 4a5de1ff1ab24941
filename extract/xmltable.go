package extract

import (
	"slices"
	"strings"
	"sync"

	"absolink/extract/internal/markup"
)

// The table of the places in XML vocabularies where a reference can stand. Those
// of XHTML, SVG and MathML are in the table of HTML. Elements and attributes are
// known by namespace and local name; in the table the namespace is written as the
// prefix that is usual for it.

// vocabulary is a namespace that the tables know.
type vocabulary uint8

const (
	noSpace    vocabulary = iota // no namespace
	otherSpace                   // one that no table knows
	htmlSpace
	svgSpace
	mathSpace
	xmlSpace
	vmlSpace
	rssSpace
	atomSpace
	opmlSpace
	sitemapSpace
	rdfSpace
	mediaSpace
	moreSpaces // namespaces of no meaning but that of their rows begin here
)

// vocabularies are the namespaces by their usual prefix, in the order of the
// constants above.
var vocabularies = []struct{ prefix, names string }{
	noSpace:      {"", ""},
	otherSpace:   {"?", ""},
	htmlSpace:    {"html", "http://www.w3.org/1999/xhtml"},
	svgSpace:     {"svg", "http://www.w3.org/2000/svg"},
	mathSpace:    {"math", "http://www.w3.org/1998/Math/MathML"},
	xmlSpace:     {"xml", "http://www.w3.org/XML/1998/namespace"},
	vmlSpace:     {"v", "urn:schemas-microsoft-com:vml"},
	rssSpace:     {"rss", "http://purl.org/rss/1.0/ http://purl.org/net/rss1.1# http://my.netscape.com/rdf/simple/0.9/ http://channel.netscape.com/rdf/simple/0.9/ http://backend.userland.com/rss2 http://backend.userland.com/RSS2 http://blogs.law.harvard.edu/tech/rss"},
	atomSpace:    {"atom", "http://www.w3.org/2005/Atom http://purl.org/atom/ns# https://www.w3.org/2005/Atom"},
	opmlSpace:    {"opml", "http://www.opml.org/spec2 http://opml.org/spec2"},
	sitemapSpace: {"sitemap", "http://www.sitemaps.org/schemas/sitemap/0.9 https://www.sitemaps.org/schemas/sitemap/0.9 http://www.google.com/schemas/sitemap/0.84 http://www.google.com/schemas/sitemap/0.90"},
	rdfSpace:     {"rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"},
	mediaSpace:   {"media", "http://search.yahoo.com/mrss/ http://search.yahoo.com/mrss https://search.yahoo.com/mrss/ http://video.search.yahoo.com/mrss http://video.search.yahoo.com/mrss/"},
	moreSpaces:   {"o", "urn:schemas-microsoft-com:office:office"},
	{"xlink", "http://www.w3.org/1999/xlink"},
	{"xsi", "http://www.w3.org/2001/XMLSchema-instance"},
	{"content", "http://purl.org/rss/1.0/modules/content/"},
	{"itunes", "http://www.itunes.com/dtds/podcast-1.0.dtd http://www.itunes.com/DTDs/Podcast-1.0.dtd http://www.itunes.com/DTDs/PodCast-1.0.dtd"},
	{"googleplay", "http://www.google.com/schemas/play-podcasts/1.0"},
	{"podcast", "https://podcastindex.org/namespace/1.0 https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md"},
	{"wfw", "http://wellformedweb.org/CommentAPI/"},
	{"thr", "http://purl.org/syndication/thread/1.0"},
	{"app", "http://www.w3.org/2007/app"},
	{"feedburner", "http://rssnamespace.org/feedburner/ext/1.0"},
	{"trackback", "http://madskills.com/public/xml/rss/module/trackback/"},
	{"creativecommons", "http://backend.userland.com/creativeCommonsRssModule"},
	{"image", "http://www.google.com/schemas/sitemap-image/1.1"},
	{"video", "http://www.google.com/schemas/sitemap-video/1.1"},
	{"xi", "http://www.w3.org/2001/XInclude"},
	{"xsl", "http://www.w3.org/1999/XSL/Transform"},
}

// row makes a row. Attributes "" is the text of the elements.
func row(elements, attributes string, t ValueType, b BaseRule, k Kind, d Treatment) Place {
	return Place{Elements: elements, Attributes: attributes, Type: t, Base: b, Kind: k, Default: d}
}

// XMLPlaces returns the rows of XML vocabularies, in no order that means anything.
// Elements and attributes are written with the usual prefix of their namespace,
// xml:* is any element; "" as Attributes is the text of the elements, "?" begins
// the name of an instruction and "!" that of a declaration.
func XMLPlaces() []Place { return slices.Concat(xmlPlaces, []Place{stylesheetPlace, systemPlace}) }

// when limits a row, for the reader of the table; feed.go decides.
func when(condition string, p Place) Place {
	p.If = condition
	return p
}

// xmlPlaces are the rows. The base of all is the nearest xml:base, which lies
// around that of the document.
var xmlPlaces = []Place{
	// Any element.
	row("xml:*", "xml:base", TypeURL, BaseDocument, KindMeta, ListOnly),
	row("xml:*", "xlink:href", TypeURL, BaseDocument, KindNav, Rewrite), // res if xlink:show or xlink:actuate load it
	row("xml:*", "xlink:role xlink:arcrole", TypeNames, BaseNone, KindIdentifier, Never),
	row("xml:*", "xsi:schemalocation", TypeBlanks, BaseDocument, KindIdentifier, Never),
	row("xml:*", "xsi:nonamespaceschemalocation", TypeURL, BaseDocument, KindIdentifier, Never),
	row("xml:*", "xmlns", TypeNames, BaseNone, KindIdentifier, Never),
	row("xml:*", "rdf:about rdf:resource", TypeURL, BaseDocument, KindIdentifier, Never),
	row("xi:include", "href", TypeURL, BaseDocument, KindRes, Rewrite),
	row("xsl:import xsl:include", "href", TypeURL, BaseDocument, KindRes, Rewrite),

	// RSS 0.9x, 1.0 and 2.0.
	row("rss:link rss:comments rss:docs", "", TypeURL, BaseDocument, KindNav, Rewrite),
	when("ispermalink=true", row("rss:guid", "", TypeURL, BaseDocument, KindNav, Rewrite)), // without it, if it is absolute
	row("rss:url", "", TypeURL, BaseDocument, KindRes, Rewrite),
	row("rss:source", "url", TypeURL, BaseDocument, KindMeta, Rewrite),
	row("rss:enclosure", "url", TypeURL, BaseDocument, KindRes, Rewrite),
	row("rss:category", "domain", TypeNames, BaseNone, KindIdentifier, Never),
	row("rss:description content:encoded", "", TypeDocument, BaseDocument, KindNav, Rewrite),
	row("wfw:comment wfw:commentrss trackback:ping", "", TypeURL, BaseDocument, KindService, Rewrite),
	row("trackback:about", "", TypeURL, BaseDocument, KindNav, Rewrite),
	row("feedburner:origlink feedburner:origenclosurelink", "", TypeURL, BaseDocument, KindNav, ListOnly),
	row("creativecommons:license", "", TypeURL, BaseDocument, KindNav, Rewrite),

	// Media in feeds.
	row("media:content media:thumbnail media:player media:subtitle", "url", TypeURL, BaseDocument, KindRes, Rewrite),
	row("media:peerlink media:license", "href", TypeURL, BaseDocument, KindNav, Rewrite),
	row("media:embed", "url", TypeURL, BaseDocument, KindFrame, Rewrite),
	row("media:backlink", "", TypeURL, BaseDocument, KindNav, Rewrite),
	when("type=html text/html", row("media:description media:title media:text", "", TypeDocument, BaseDocument, KindNav, Rewrite)),
	row("itunes:image googleplay:image podcast:image", "href", TypeURL, BaseDocument, KindRes, Rewrite),
	row("itunes:new-feed-url", "", TypeURL, BaseDocument, KindNav, Rewrite),
	row("itunes:summary", "", TypeDocument, BaseDocument, KindNav, Rewrite),
	row("podcast:transcript podcast:chapters", "url", TypeURL, BaseDocument, KindRes, Rewrite),
	row("podcast:funding", "url", TypeURL, BaseDocument, KindNav, Rewrite),

	// Atom 1.0 and 0.3.
	row("atom:link", "href", TypeURL, BaseDocument, KindNav, Rewrite), // the kind by rel
	row("atom:icon atom:logo", "", TypeURL, BaseDocument, KindRes, Rewrite),
	row("atom:uri atom:url", "", TypeURL, BaseDocument, KindNav, Rewrite),
	row("atom:generator", "uri url", TypeURL, BaseDocument, KindMeta, Rewrite),
	row("atom:content", "src", TypeURL, BaseDocument, KindRes, Rewrite),
	row("atom:id", "", TypeURL, BaseNone, KindIdentifier, Never),
	row("atom:category", "scheme", TypeURL, BaseNone, KindIdentifier, Never),
	when("type=html text/html", row("atom:title atom:subtitle atom:summary atom:content atom:rights atom:tagline atom:info atom:copyright", "", TypeDocument, BaseDocument, KindNav, Rewrite)),
	row("thr:in-reply-to", "href source", TypeURL, BaseDocument, KindNav, Rewrite),
	row("thr:in-reply-to", "ref", TypeURL, BaseNone, KindIdentifier, Never),
	row("app:collection app:categories", "href", TypeURL, BaseDocument, KindService, Rewrite),

	// Outlines.
	row("opml:outline", "xmlurl", TypeURL, BaseDocument, KindService, Rewrite),
	row("opml:outline", "htmlurl url", TypeURL, BaseDocument, KindNav, Rewrite),
	row("opml:outline", "text", TypeDocument, BaseDocument, KindNav, Rewrite),
	row("opml:docs opml:ownerid", "", TypeURL, BaseDocument, KindMeta, Rewrite),

	// Sitemaps.
	row("sitemap:loc", "", TypeURL, BaseDocument, KindNav, Rewrite),
	row("image:loc video:thumbnail_loc video:content_loc", "", TypeURL, BaseDocument, KindRes, Rewrite),
	row("image:license video:gallery_loc", "", TypeURL, BaseDocument, KindNav, Rewrite),
	row("video:player_loc", "", TypeURL, BaseDocument, KindFrame, Rewrite),
	row("video:uploader", "info", TypeURL, BaseDocument, KindNav, Rewrite),
}

// Rows of what is no element.
var (
	stylesheetPlace = row("?xml-stylesheet", "href", TypeURL, BaseOuter, KindRes, Rewrite)
	systemPlace     = row("!doctype !entity !notation", "system", TypeURL, BaseOuter, KindIdentifier, Never)
)

// xmlLookup is the compiled table: by namespace the names of elements, and by
// element and attribute the row. Attribute number 0 stands for the text.
type xmlLookup struct {
	prefixes map[string]vocabulary // usual prefix → namespace
	spaces   map[string]vocabulary // name of a namespace → namespace
	attrs    names
	elements []names    // by namespace
	rows     [][][]int8 // [namespace][number of the element, 0 = any][attribute] → 1 + index into xmlPlaces
}

// xmlTable is built when the first document of XML is read.
var xmlTable = sync.OnceValue(compileXML)

// compileXML builds the lookup of xmlPlaces.
func compileXML() *xmlLookup {
	l := &xmlLookup{prefixes: make(map[string]vocabulary), spaces: make(map[string]vocabulary)}
	for i, v := range vocabularies {
		if v.names != "" {
			l.prefixes[v.prefix] = vocabulary(i)
		}
		for n := range strings.FieldsSeq(v.names) {
			l.spaces[n] = vocabulary(i)
		}
	}
	for _, p := range xmlPlaces {
		for a := range strings.FieldsSeq(p.Attributes) {
			l.attrs.add(a)
		}
	}
	l.elements, l.rows = make([]names, len(vocabularies)), make([][][]int8, len(vocabularies))
	for i := range l.rows {
		l.rows[i] = [][]int8{l.emptyRow()}
	}
	for i, p := range xmlPlaces {
		for e := range strings.FieldsSeq(p.Elements) {
			l.fill(p, int8(i+1), e)
		}
	}
	return l
}

func (l *xmlLookup) emptyRow() []int8 { return make([]int8, len(l.attrs.list)+1) }

// fill enters a row of the table for the element e.
func (l *xmlLookup) fill(p Place, index int8, e string) {
	prefix, local, _ := strings.Cut(e, ":")
	v := l.prefixes[prefix]
	n := uint8(0)
	if local != "*" {
		n = l.elements[v].add(local)
	}
	if int(n) == len(l.rows[v]) {
		l.rows[v] = append(l.rows[v], l.emptyRow())
	}
	if p.Attributes == "" {
		l.rows[v][n][0] = index
	}
	for a := range strings.FieldsSeq(p.Attributes) {
		l.rows[v][n][l.attrs.add(a)] = index
	}
}

// element returns the rows of an element by attribute, and its name if the table
// has it. An element without rows has those of "any element" only.
func (l *xmlLookup) element(v vocabulary, local []byte) (row []int8, known string) {
	if n := l.elements[v].find(local); n > 0 {
		return l.rows[v][n], l.elements[v].list[n-1]
	}
	return l.rows[noSpace][0], ""
}

// any returns the row of an attribute of any element, nil if there is none.
func (l *xmlLookup) any(attr uint8) *Place {
	if n := l.rows[xmlSpace][0][attr]; n > 0 && attr > 0 {
		return &xmlPlaces[n-1]
	}
	return nil
}

// markupSpace returns the namespace of the table of HTML, and whether v is one of its.
func (v vocabulary) markupSpace() (markup.Space, bool) {
	switch v {
	case htmlSpace, vmlSpace:
		return markup.HTML, true
	case svgSpace:
		return markup.SVG, true
	case mathSpace:
		return markup.MathML, true
	}
	return markup.HTML, false
}
