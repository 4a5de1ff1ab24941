package place

// This is the only table of the places for references in HTML. The span scanner, package
// extract/dom and the documentation use it.

// openGraph are the properties of Open Graph (ogp.me) whose values are URLs. The values of
// openGraphObjects are URLs of people and works, but many pages write names there.
const (
	openGraph = "og:image og:image:url og:image:secure_url og:video og:video:url og:video:secure_url og:audio " +
		"og:audio:url og:audio:secure_url og:url og:see_also og:logo"
	openGraphObjects = "article:author article:publisher music:song music:musician music:album music:creator " +
		"music:playlist music:radio_station video:actor video:director video:writer video:series"
)

// htmlRows are the rows of attributes. If several rows apply to a place, one that names the element
// counts before one for any element, and then the first one.
var htmlRows = []Row{
	// Links, and the document as a whole.
	{"a area", "href", TypeURL, BaseDocument, KindNav, Rewrite, ""},
	{"a area", "ping", TypeBlanks, BaseDocument, KindPing, Rewrite, ""},
	{"a img script", "attributionsrc", TypeBlanks, BaseDocument, KindPing, ListOnly, ""},
	{"a", "icon_uri icon", TypeURL, BaseDocument, KindRes, Bookmarks, ""},
	{"a", "feedurl", TypeURL, BaseDocument, KindService, Bookmarks, ""},
	{"a link", "urn", TypeURL, BaseNone, KindIdentifier, Never, ""},
	{"link", "href", TypeURL, BaseDocument, KindNav, Rewrite, ""}, // rel decides the kind
	{"link", "imagesrcset", TypeSrcset, BaseDocument, KindRes, Rewrite, ""},
	{"blockquote q ins del", "cite", TypeURL, BaseDocument, KindMeta, Rewrite, ""},
	{"img frame iframe", "longdesc", TypeURL, BaseDocument, KindNav, Rewrite, ""},

	// The document.
	{"base", "href", TypeURL, BaseOuter, KindMeta, ListOnly, ""},
	{"html", "manifest", TypeURL, BaseSoFar, KindRes, Rewrite, ""},
	{"html", "version", TypeNames, BaseNone, KindIdentifier, Never, ""},
	{"head", "profile", TypeBlanks, BaseDocument, KindIdentifier, Never, ""},
	{"meta", "content", TypeRefresh, BaseSoFar, KindNav, Rewrite, "http-equiv=refresh"},

	// Meta elements, whose meaning depends on their name.
	{"meta", "content", TypeURL, BaseNone, KindMeta, Never, "http-equiv=content-base content-location base"},
	{"meta", "content", TypeURL, BaseDocument, KindService, ListOnly, "http-equiv=location x-pingback"},
	{"meta", "content", TypeAngles, BaseDocument, KindService, ListOnly, "http-equiv=link"},
	{"meta", "content", TypeQuoted, BaseNone, KindService, ListOnly, "http-equiv=pics-label"},
	{"meta", "content", TypeReports, BaseDocument, KindService, ListOnly,
		"http-equiv=content-security-policy content-security-policy-report-only"},
	{"meta", "content", TypeURL, BaseDocument, KindMeta, LazyRewrite, "property name=" + openGraph},
	{"meta", "content", TypeNamed, BaseDocument, KindMeta, LazyRewrite, "property name=" + openGraphObjects},
	{"meta", "content", TypeURL, BaseDocument, KindMeta, Rewrite,
		"name property=twitter:image twitter:image:src twitter:image0 twitter:image1 twitter:image2 twitter:image3 " +
			"twitter:player twitter:player:stream twitter:url twitter:app:url:* al:*:url al:*:web_url"},
	{"meta", "content", TypeURL, BaseDocument, KindRes, Rewrite,
		"name=msapplication-tileimage msapplication-square*logo msapplication-wide*logo"},
	{"meta", "content", TypeOptional, BaseDocument, KindRes, Rewrite, "name=msapplication-config"},
	{"meta", "content", TypeURL, BaseDocument, KindNav, Rewrite, "name=msapplication-starturl"},
	{"meta", "content", TypeURIs, BaseDocument, KindNav, Rewrite, "name=msapplication-task"},
	{"meta", "content", TypeURIs, BaseDocument, KindRes, Rewrite,
		"name=msapplication-badge msapplication-notification"},
	{"meta", "content", TypeURL, BaseDocument, KindMeta, ListOnly,
		"name=thumbnail image identifier-url citation_*_url parsely-link parsely-image-url sailthru.image.full " +
			"sailthru.image.thumb monetization"},
	{"meta", "content", TypeGuess, BaseDocument, KindMeta, ListOnly,
		"name=dc.identifier dc.source dcterms.identifier dcterms.source"},
	{"meta", "content", TypeNames, BaseNone, KindService, ListOnly, "name=go-import go-source"},
	{"meta", "content", TypeURL, BaseDocument, KindMeta, ListOnly,
		"itemprop=url sameas contenturl embedurl thumbnailurl discussionurl installurl downloadurl"},
	{"meta", "content", TypeNamed, BaseDocument, KindMeta, ListOnly, "itemprop=image logo mainentityofpage"},
	{"meta", "content", TypeGuess, BaseDocument, KindMeta, ListOnly, "itemprop=*"},

	// Media, forms and plugins.
	// Images and media.
	{"body table thead tbody tfoot tr td th layer ilayer", "background", TypeURL, BaseDocument, KindRes, Rewrite, ""},
	{"img source video audio track embed bgsound xml portal model script input layer ilayer fig overlay note hr ul " +
		"li h1 h2 h3 h4 h5 h6 amp-*", "src", TypeURL, BaseDocument, KindRes, Rewrite, ""},
	{"-", "src", TypeBound, BaseDocument, KindRes, Lazy, ""},
	{"amp-*", "href", TypeURL, BaseDocument, KindNav, Rewrite, ""},
	{"amp-*", "config", TypeURL, BaseDocument, KindService, Rewrite, ""}, // of amp-analytics
	{"-", "href", TypeBound, BaseDocument, KindNav, Lazy, ""},
	{"frame iframe fencedframe", "src", TypeURL, BaseDocument, KindFrame, Rewrite, ""},
	{"iframe", "srcdoc", TypeDocument, BaseSoFar, KindFrame, Rewrite, ""},
	{"img source -", "srcset", TypeSrcset, BaseDocument, KindRes, Rewrite, ""},
	{"video audio -", "poster", TypeURL, BaseDocument, KindRes, Rewrite, ""},
	{"img input object", "usemap", TypeURL, BaseDocument, KindRes, Rewrite, ""},
	{"img", "lowsrc dynsrc vrml", TypeURL, BaseDocument, KindRes, Rewrite, ""},
	{"img", "href", TypeURL, BaseDocument, KindNav, ListOnly, ""},
	{"command menuitem", "icon", TypeURL, BaseDocument, KindRes, Rewrite, ""},
	{"import", "implementation", TypeURL, BaseDocument, KindRes, ListOnly, ""},

	// Forms.
	{"form isindex", "action", TypeURL, BaseDocument, KindForm, Rewrite, ""},
	{"form", "action-xhr", TypeURL, BaseDocument, KindForm, Rewrite, ""},
	{"button input", "formaction", TypeURL, BaseDocument, KindForm, Rewrite, ""},

	// Plugins.
	{"embed", "pluginspage pluginurl", TypeURL, BaseDocument, KindMeta, Rewrite, ""},
	{"embed", "href qtsrc", TypeURL, BaseDocument, KindRes, LazyRewrite, ""},
	{"embed", "target", TypeURL, BaseDocument, KindNav, Lazy, ""},
	{"object applet", "codebase", TypeURL, BaseDocument, KindMeta, Rewrite, ""},
	{"object", "data", TypeURL, BaseCodebase, KindRes, Rewrite, ""},
	{"object", "classid", TypeURL, BaseCodebase, KindPlugin, Rewrite, ""},
	{"object", "archive", TypeBlanks, BaseCodebase, KindRes, Rewrite, ""},
	{"applet", "code", TypeName, BaseNone, KindPlugin, Never, ""},
	{"applet", "object", TypeURL, BaseCodebase, KindPlugin, ListOnly, ""},
	{"applet", "archive", TypeCommas, BaseCodebase, KindRes, Rewrite, ""},
	{"param", "value", TypeURL, BaseDocument, KindPlugin, LazyRewrite, "valuetype=ref"},
	{"param", "value", TypeURL, BaseDocument, KindPlugin, Lazy, "name=movie src url href codebase"},
	{"param", "value", TypeLazyText, BaseDocument, KindPlugin, Lazy, "name=filename data flashvars"},

	// VML, as office programs write it.
	{"v:fill v:image v:imagedata v:stroke v:shape v:rect v:roundrect v:oval v:line v:polyline v:curve v:arc v:group " +
		"v:background", "src o:href href altimg", TypeURL, BaseDocument, KindRes, Rewrite, ""},

	// Any element, and SVG and MathML inside HTML.
	{"*", "style", TypeCSS, BaseDocument, KindRes, Rewrite, ""},
	{"*", "itemid", TypeURL, BaseDocument, KindIdentifier, Never, ""},
	{"*", "itemtype", TypeBlanks, BaseNone, KindIdentifier, Never, ""},
	{"*", "itemprop vocab typeof property datatype prefix rel rev xmlns xsi:schemalocation " +
		"xsi:nonamespaceschemalocation", TypeNames, BaseNone, KindIdentifier, Never, ""},
	{"*", "about resource", TypeCURIE, BaseDocument, KindIdentifier, Never, ""},
	{"*", "datasrc", TypeURL, BaseDocument, KindRes, ListOnly, ""},
	{"*", "xml:base", TypeURL, BaseDocument, KindMeta, ListOnly, ""},
	{"*", "xlink:href", TypeURL, BaseDocument, KindNav, Rewrite, ""},
	{"*", "xlink:role xlink:arcrole", TypeNames, BaseNone, KindIdentifier, Never, ""},

	{"svg:a", "href xlink:href", TypeURL, BaseDocument, KindNav, Rewrite, ""},
	{"svg:image svg:use svg:script svg:feimage svg:pattern svg:lineargradient svg:radialgradient svg:filter " +
		"svg:textpath svg:tref svg:mpath svg:set svg:animate svg:animatecolor svg:animatemotion svg:animatetransform " +
		"svg:cursor svg:altglyph svg:glyphref svg:font-face-uri svg:color-profile svg:discard svg:view",
		"href xlink:href", TypeURL, BaseDocument, KindRes, Rewrite, ""},
	{"svg:image", "src", TypeURL, BaseDocument, KindRes, ListOnly, ""},
	{"svg:*", "fill stroke clip-path mask filter marker marker-start marker-mid marker-end cursor color-profile src",
		TypeCSS, BaseDocument, KindRes, Rewrite, ""},
	{"math:*", "href xlink:href", TypeURL, BaseDocument, KindNav, Rewrite, ""},
	{"math:*", "definitionurl cdbase", TypeURL, BaseNone, KindIdentifier, Never, ""},
	{"math:mglyph math:annotation math:annotation-xml", "src", TypeURL, BaseDocument, KindRes, Rewrite, ""},
	{"math:math", "altimg", TypeURL, BaseDocument, KindRes, Rewrite, ""},

	// Attributes that scripts read, and values that may be references.
	{"*", "data-src data-lazy-src data-full-src data-full-url poster-portrait-src poster-square-src " +
		"poster-landscape-src publisher-logo-src ios-src", TypeLazy, BaseDocument, KindRes, Lazy, ""},
	{"*", "data-original data-lazy data-bg data-background data-background-image data-poster data-image data-thumb",
		TypeLazyText, BaseDocument, KindRes, Lazy, ""},
	{"*", "data-srcset data-original-set data-lazy-srcset data-bg-set", TypeLazySet, BaseDocument, KindRes, Lazy, ""},
	{"*", "data-iframe-src", TypeLazy, BaseDocument, KindFrame, Lazy, ""},
	{"*", "data-href data-url", TypeLazy, BaseDocument, KindNav, Lazy, ""},
	{"*", "data-permalink", TypeLazyText, BaseDocument, KindNav, Lazy, ""},
	{"*", "hx-get hx-post hx-put hx-patch hx-delete data-hx-get data-hx-post data-hx-put data-hx-patch " +
		"data-hx-delete up-href", TypeURL, BaseDocument, KindForm, Lazy, ""},
	{"*", "data-remote", TypeLazyText, BaseDocument, KindForm, Lazy, ""},
	{"*", "url swurl", TypeLazy, BaseDocument, KindNav, Lazy, ""},
	{"*", "data filename", TypeLazyText, BaseDocument, KindNav, Lazy, ""},
	{"*", "data-*", TypeJSON, BaseDocument, KindRes, Lazy, ""},
	{"svg:animate svg:animatecolor svg:animatemotion svg:animatetransform svg:set",
		"from to by", TypeURL, BaseDocument, KindRes, Lazy, "attributename=href xlink:href"},
	{"svg:animate svg:animatecolor svg:animatemotion svg:animatetransform", "values",
		TypeSemicolons, BaseDocument, KindRes, Lazy, "attributename=href xlink:href"},
	{"*", "on*", TypeScript, BaseDocument, KindScript, Scripts, ""},
}

// linkKinds are the kinds of link elements by the link types in rel, all in lower case. A link with
// several types has the kind of the first row that names one. A link without any of these types is
// KindNav.
var linkKinds = []Row{
	{"link", "href", TypeURL, BaseDocument, KindRes, Rewrite,
		"rel=stylesheet icon mask-icon fluid-icon manifest preload modulepreload prefetch prerender import fontdef " +
			"compression-dictionary"},
	{"link", "href", TypeURL, BaseDocument, KindHint, Rewrite, "rel=dns-prefetch preconnect"},
	{"link", "href", TypeURL, BaseDocument, KindService, Rewrite,
		"rel=pingback webmention hub self edituri wlwmanifest indieauth-metadata authorization_endpoint " +
			"token_endpoint micropub oembed archives timemap timegate memento original"},
	{"link", "href", TypeURL, BaseDocument, KindIdentifier, Rewrite, "rel=profile describedby type"},
}

// linkFamilies are prefixes of link types. A link type with such a prefix has the kind of the link
// type in the field like.
var linkFamilies = []struct {
	prefix string
	like   []byte
}{
	{"apple-touch-", []byte("icon")},
	{"openid", []byte("pingback")},
	{"schema.", []byte("type")},
}
