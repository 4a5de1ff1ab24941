package place

// This is the table of the places for references in XML vocabularies. XHTML, SVG and MathML are in
// the table of HTML. Elements and attributes are identified by namespace and local name. In the
// table, the usual prefix stands for the namespace.

// Vocabulary is a namespace of the tables.
type Vocabulary uint8

const (
	NoSpace    Vocabulary = iota // no namespace
	OtherSpace                   // a namespace that no table has
	HTMLSpace
	SVGSpace
	mathSpace
	XMLSpace
	VMLSpace
	RSSSpace
	AtomSpace
	OPMLSpace
	SitemapSpace
	RdfSpace
	MediaSpace
	SearchSpace // OpenSearch
	TileSpace   // browserconfig.xml, whose elements have no namespace
	moreSpaces  // namespaces without special rules begin here
)

// vocabularies are the namespaces by their usual prefix, in the order of the constants above.
var vocabularies = []struct{ prefix, names string }{
	NoSpace:    {"", ""},
	OtherSpace: {"?", ""},
	HTMLSpace:  {"html", "http://www.w3.org/1999/xhtml"},
	SVGSpace:   {"svg", "http://www.w3.org/2000/svg"},
	mathSpace:  {"math", "http://www.w3.org/1998/Math/MathML"},
	XMLSpace:   {"xml", "http://www.w3.org/XML/1998/namespace"},
	VMLSpace:   {"v", "urn:schemas-microsoft-com:vml"},
	RSSSpace: {"rss",
		"http://purl.org/rss/1.0/ http://purl.org/net/rss1.1# http://my.netscape.com/rdf/simple/0.9/ http://" +
			"channel.netscape.com/rdf/simple/0.9/ http://backend.userland.com/rss2 http://backend.userland.com/RSS2 " +
			"http://blogs.law.harvard.edu/tech/rss"},
	AtomSpace: {"atom", "http://www.w3.org/2005/Atom http://purl.org/atom/ns# https://www.w3.org/2005/Atom"},
	OPMLSpace: {"opml", "http://www.opml.org/spec2 http://opml.org/spec2"},
	SitemapSpace: {"sitemap",
		"http://www.sitemaps.org/schemas/sitemap/0.9 https://www.sitemaps.org/schemas/sitemap/0.9 http://" +
			"www.google.com/schemas/sitemap/0.84 http://www.google.com/schemas/sitemap/0.90"},
	RdfSpace: {"rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"},
	MediaSpace: {"media",
		"http://search.yahoo.com/mrss/ http://search.yahoo.com/mrss https://search.yahoo.com/mrss/ http://" +
			"video.search.yahoo.com/mrss http://video.search.yahoo.com/mrss/"},
	SearchSpace: {"opensearch",
		"http://a9.com/-/spec/opensearch/1.1/ https://a9.com/-/spec/opensearch/1.1/ " +
			"http://a9.com/-/spec/opensearch/1.0/ http://a9.com/-/spec/opensearchdescription/1.1/ " +
			"http://a9.com/-/spec/opensearchdescription/1.0/"},
	TileSpace:  {"browserconfig", ""},
	moreSpaces: {"o", "urn:schemas-microsoft-com:office:office"},
	{"moz", "http://www.mozilla.org/2006/browser/search/"},
	{"xlink", "http://www.w3.org/1999/xlink"},
	{"xsi", "http://www.w3.org/2001/XMLSchema-instance"},
	{"content", "http://purl.org/rss/1.0/modules/content/"},
	{"itunes", "http://www.itunes.com/dtds/podcast-1.0.dtd http://www.itunes.com/DTDs/Podcast-1.0.dtd http://" +
		"www.itunes.com/DTDs/PodCast-1.0.dtd"},
	{"googleplay", "http://www.google.com/schemas/play-podcasts/1.0"},
	{"podcast", "https://podcastindex.org/namespace/1.0 https://github.com/Podcastindex-org/podcast-namespace/blob/" +
		"main/docs/1.0.md"},
	{"wfw", "http://wellformedweb.org/CommentAPI/"},
	{"thr", "http://purl.org/syndication/thread/1.0"},
	{"app", "http://www.w3.org/2007/app"},
	{"feedburner", "http://rssnamespace.org/feedburner/ext/1.0"},
	{"trackback", "http://madskills.com/public/xml/rss/module/trackback/"},
	{"creativecommons", "http://backend.userland.com/creativeCommonsRssModule"},
	{"excerpt", "http://wordpress.org/export/1.2/excerpt/ http://wordpress.org/export/1.1/excerpt/ http://" +
		"wordpress.org/export/1.0/excerpt/"},
	{"wp", "http://wordpress.org/export/1.2/ http://wordpress.org/export/1.1/ http://wordpress.org/export/1.0/"},
	{"image", "http://www.google.com/schemas/sitemap-image/1.1"},
	{"video", "http://www.google.com/schemas/sitemap-video/1.1"},
	{"xi", "http://www.w3.org/2001/XInclude"},
	{"xsl", "http://www.w3.org/1999/XSL/Transform"},
}

// xmlRows are the rows. Their conditions are for documentation: the reader decides them while it
// reads a feed. BaseDocument means the nearest xml:base here. A relative xml:base is resolved
// against the base of the document.
var xmlRows = []Row{
	// Any element.
	{"xml:*", "xml:base", TypeURL, BaseDocument, KindMeta, ListOnly, ""},
	{"xml:*", "xlink:href", TypeURL, BaseDocument, KindNav, Rewrite, ""}, // res if xlink:show or xlink:actuate load it
	{"xml:*", "xlink:role xlink:arcrole", TypeNames, BaseNone, KindIdentifier, Never, ""},
	{"xml:*", "xsi:schemalocation", TypeBlanks, BaseDocument, KindIdentifier, Never, ""},
	{"xml:*", "xsi:nonamespaceschemalocation", TypeURL, BaseDocument, KindIdentifier, Never, ""},
	{"xml:*", "xmlns", TypeNames, BaseNone, KindIdentifier, Never, ""},
	{"xml:*", "rdf:about rdf:resource", TypeURL, BaseDocument, KindIdentifier, Never, ""},
	{"xi:include", "href", TypeURL, BaseDocument, KindRes, Rewrite, ""},
	{"xsl:import xsl:include", "href", TypeURL, BaseDocument, KindRes, Rewrite, ""},

	// RSS 0.9x, 1.0 and 2.0.
	{"rss:link rss:comments rss:docs", "", TypeURL, BaseDocument, KindNav, Rewrite, ""},
	// The row also applies if ispermalink is missing and the value is an absolute URL.
	{"rss:guid", "", TypeURL, BaseDocument, KindNav, Rewrite, "ispermalink=true"},
	{"rss:url", "", TypeURL, BaseDocument, KindRes, Rewrite, ""},
	{"rss:source", "url", TypeURL, BaseDocument, KindMeta, Rewrite, ""},
	{"rss:enclosure", "url", TypeURL, BaseDocument, KindRes, Rewrite, ""},
	{"rss:category", "domain", TypeNames, BaseNone, KindIdentifier, Never, ""},
	{"rss:description content:encoded excerpt:encoded", "", TypeDocument, BaseDocument, KindNav, Rewrite, ""},
	{"wfw:comment wfw:commentrss trackback:ping", "", TypeURL, BaseDocument, KindService, Rewrite, ""},
	{"trackback:about", "", TypeURL, BaseDocument, KindNav, Rewrite, ""},
	{"feedburner:origlink feedburner:origenclosurelink", "", TypeURL, BaseDocument, KindNav, ListOnly, ""},
	// Exports of WordPress.
	{"wp:base_site_url wp:base_blog_url", "", TypePrefix, BaseDocument, KindNav, Rewrite, ""},
	{"wp:attachment_url", "", TypeURL, BaseDocument, KindRes, Rewrite, ""},
	{"creativecommons:license", "", TypeURL, BaseDocument, KindNav, Rewrite, ""},

	// Media in feeds.
	{"media:content media:thumbnail media:player media:subtitle", "url", TypeURL, BaseDocument, KindRes, Rewrite, ""},
	{"media:peerlink media:license", "href", TypeURL, BaseDocument, KindNav, Rewrite, ""},
	{"media:embed", "url", TypeURL, BaseDocument, KindFrame, Rewrite, ""},
	{"media:backlink", "", TypeURL, BaseDocument, KindNav, Rewrite, ""},
	{"media:description media:title media:text", "", TypeDocument,
		BaseDocument, KindNav, Rewrite, "type=html text/html"},
	{"itunes:image googleplay:image podcast:image", "href", TypeURL, BaseDocument, KindRes, Rewrite, ""},
	{"itunes:new-feed-url", "", TypeURL, BaseDocument, KindNav, Rewrite, ""},
	{"itunes:summary", "", TypeDocument, BaseDocument, KindNav, Rewrite, ""},
	{"podcast:transcript podcast:chapters", "url", TypeURL, BaseDocument, KindRes, Rewrite, ""},
	{"podcast:funding", "url", TypeURL, BaseDocument, KindNav, Rewrite, ""},

	// Atom 1.0 and 0.3.
	{"atom:link", "href", TypeURL, BaseDocument, KindNav, Rewrite, ""}, // rel decides the kind
	{"atom:icon atom:logo", "", TypeURL, BaseDocument, KindRes, Rewrite, ""},
	{"atom:uri atom:url", "", TypeURL, BaseDocument, KindNav, Rewrite, ""},
	{"atom:generator", "uri url", TypeURL, BaseDocument, KindMeta, Rewrite, ""},
	{"atom:content", "src", TypeURL, BaseDocument, KindRes, Rewrite, ""},
	{"atom:id", "", TypeURL, BaseNone, KindIdentifier, Never, ""},
	{"atom:category", "scheme", TypeURL, BaseNone, KindIdentifier, Never, ""},
	{"atom:title atom:subtitle atom:summary atom:content atom:rights atom:tagline atom:info atom:copyright",
		"", TypeDocument, BaseDocument, KindNav, Rewrite, "type=html text/html"},
	{"thr:in-reply-to", "href source", TypeURL, BaseDocument, KindNav, Rewrite, ""},
	{"thr:in-reply-to", "ref", TypeURL, BaseNone, KindIdentifier, Never, ""},
	{"app:collection app:categories", "href", TypeURL, BaseDocument, KindService, Rewrite, ""},

	// Outlines.
	{"opml:outline", "xmlurl", TypeURL, BaseDocument, KindService, Rewrite, ""},
	{"opml:outline", "htmlurl url", TypeURL, BaseDocument, KindNav, Rewrite, ""},
	{"opml:outline", "text", TypeDocument, BaseDocument, KindNav, Rewrite, ""},
	{"opml:docs opml:ownerid", "", TypeURL, BaseDocument, KindMeta, Rewrite, ""},

	// Search engines for browsers (OpenSearch 1.1 Draft 6, and Mozilla's additions).
	{"opensearch:url moz:url", "template", TypeVariables, BaseDocument, KindService, Rewrite, ""},
	{"opensearch:url", "", TypeVariables, BaseDocument, KindService, Rewrite, ""}, // version 1.0
	{"opensearch:image moz:image", "", TypeURL, BaseDocument, KindRes, Rewrite, ""},
	{"moz:searchform opensearch:searchform", "", TypeURL, BaseDocument, KindNav, Rewrite, ""},
	{"moz:updateurl moz:iconupdateurl", "", TypeURL, BaseDocument, KindService, Rewrite, ""},

	// Tiles of Windows (browserconfig.xml).
	{"browserconfig:square70x70logo browserconfig:square150x150logo browserconfig:wide310x150logo " +
		"browserconfig:square310x310logo browserconfig:tileimage", "src", TypeURL, BaseDocument, KindRes, Rewrite, ""},
	{"browserconfig:polling-uri browserconfig:polling-uri2 browserconfig:polling-uri3 browserconfig:polling-uri4 " +
		"browserconfig:polling-uri5", "src", TypeURL, BaseDocument, KindRes, Rewrite, ""},

	// Sitemaps.
	{"sitemap:loc", "", TypeURL, BaseDocument, KindNav, Rewrite, ""},
	{"image:loc video:thumbnail_loc video:content_loc", "", TypeURL, BaseDocument, KindRes, Rewrite, ""},
	{"image:license video:gallery_loc", "", TypeURL, BaseDocument, KindNav, Rewrite, ""},
	{"video:player_loc", "", TypeURL, BaseDocument, KindFrame, Rewrite, ""},
	{"video:uploader", "info", TypeURL, BaseDocument, KindNav, Rewrite, ""},
}

// Rows of instructions and declarations.
var (
	Stylesheet = &Row{"?xml-stylesheet", "href", TypeURL, BaseOuter, KindRes, Rewrite, ""}
	System     = &Row{"!doctype !entity !notation", "system", TypeURL, BaseOuter, KindIdentifier, Never, ""}
)
