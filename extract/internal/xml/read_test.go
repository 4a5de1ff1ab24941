package xml_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"absolink/base"
	"absolink/extract/internal/charset"
	"absolink/extract/internal/page"
	"absolink/extract/internal/place"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/readingtest"
	"absolink/extract/internal/text"
	"absolink/extract/internal/xml"
)

// documents are documents with all their references and problems.
var documents = []struct {
	name string
	doc  *readingtest.Doc
	want []string
}{
	{"XHTML",
		read(place.HTMLSpace, `<html xmlns="http://www.w3.org/1999/xhtml"><head><base href="/b/"/><meta name="r`+
			`obots" content="none"/></head><body><a href="x" rel="next">y</a><A HREF="n"/><im`+
			`g src='i' SRC="n"/><image src="n"/><p style="a:url(s)"/><custom-x src="n"/></bod`+
			`y></html>`),
		[]string{
			`13-41 html@xmlns identifier "http://www.w3.org/1999/xhtml" in base-element "` +
				`/b/" identifier listed absolute list=1 xml`,
			`61-64 base@href meta "/b/" listed xml`,
			`125-126 a@href nav "x" rel="next" in base-element "/b/" xml`,
			`167-168 img@src res "i" in base-element "/b/" quote='\'' xml`,
			`211-212 p@style res "s" in base-element "/b/" utf8 token=1 xml`,
		}},
	{"base without the namespace",
		read(place.HTMLSpace, `<html><base href="/b/"/><h:base xmlns:h="http://www.w3.org/1999/xhtml" href="/c/`+
			`"/><a href="x"/></html>`),
		[]string{
			`18-21 base@href meta "/b/" listed xml`,
			`41-69 base@xmlns:h identifier "http://www.w3.org/1999/xhtml" in base-element` +
				` "/c/" identifier listed absolute list=1 xml`,
			`77-80 base@href meta "/c/" listed xml`,
			`92-93 a@href nav "x" in base-element "/c/" xml`,
		}},
	{"no namespace at all",
		read(place.HTMLSpace, `<html><a href="x"/><a xmlns="" href="y"/><a xmlns="http://n.example/" href="n"/>`+
			`</html>`),
		[]string{
			`15-16 a@href nav "x" xml`,
			`37-38 a@href nav "y" xml`,
			`51-68 a@xmlns identifier "http://n.example/" identifier listed absolute list=1 xml`,
		}},
	{"prefixes",
		read(place.NoSpace, `<h:a xmlns:h="http://www.w3.org/1999/xhtml" href="x"><h:a xmlns:h="urn:n" href="`+
			`n"/><h:a href="y"/></h:a>`),
		[]string{
			`14-42 a@xmlns:h identifier "http://www.w3.org/1999/xhtml" identifier listed ` +
				`absolute list=1 xml`,
			`50-51 a@href nav "x" xml`,
			`67-72 a@xmlns:h identifier "urn:n" identifier listed absolute list=1 xml`,
			`95-96 a@href nav "y" xml`,
		}},
	{"prefix declared in another element",
		read(place.NoSpace, `<r><a xmlns:h="http://www.w3.org/1999/xhtml"/><h:a href="n"/><i:a xmlns:i="&#104`+
			`;ttp://www.w3.org/1999/xhtml" href="x"/><xml:a xmlns:xml="http://www.w3.org/1999`+
			`/xhtml" href="n"/></r>`),
		[]string{
			`15-43 a@xmlns:h identifier "http://www.w3.org/1999/xhtml" identifier listed ` +
				`absolute list=1 xml`,
			`75-108 a@xmlns:i identifier "http://www.w3.org/1999/xhtml" identifier listed` +
				` absolute list=1 xml`,
			`116-117 a@href nav "x" xml`,
			`138-166 a@xmlns:xml identifier "http://www.w3.org/1999/xhtml" identifier lis` +
				`ted absolute list=1 xml`,
		}},
	{"usual prefixes",
		read(place.NoSpace, `<r><html:a href="x"/><svg:use href="y"/><v:fill src="z"/><xi:include href="w"/><`+
			`xsl:import href="v"/><unknown:a href="n"/></r>`),
		[]string{
			`17-18 a@href nav "x" xml`,
			`36-37 use@href res "y" xml`,
			`53-54 v:fill@src res "z" xml`,
			`75-76 include@href res "w" xml`,
			`97-98 import@href res "v" xml`,
		}},
	{"odd names",
		read(place.NoSpace, `<r><:a href="n"/><a: href="n"/><html: href="n"/><b xmlnsx="urn:n"  xmlns:="urn:m`+
			`" xmlns:c=""/></r>`),
		nil},
	{"xlink",
		read(place.NoSpace, `<a xmlns:k="http://www.w3.org/1999/xlink" k:href="x"><b k:href="y" k:show="embed`+
			`"/><c k:actuate="onLoad" k:href="z"/><d href="n"/><e k:show="new" k:actuate="onL`+
			`oad" k:href="w"/><f k:actuate="onRequest" k:href="v" k:role="r" k:arcrole="urn:q`+
			`"/></a>`),
		[]string{
			`12-40 a@xmlns:k identifier "http://www.w3.org/1999/xlink" identifier listed ` +
				`absolute list=1 xml`,
			`50-51 a@xlink:href nav "x" xml`,
			`64-65 b@xlink:href res "y" xml`,
			`113-114 c@xlink:href res "z" xml`,
			`173-174 e@xlink:href nav "w" xml`,
			`210-211 f@xlink:href nav "v" xml`,
			`235-240 f@xlink:arcrole identifier "urn:q" identifier listed absolute list=1 xml`,
		}},
	{"xml:base",
		read(place.NoSpace, `<a xml:base="/a/"><b xml:base="b/" xlink:href="x"/><c xlink:href="y"/></a>`),
		[]string{
			`13-16 a@xml:base meta "/a/" listed xml`,
			`31-33 b@xml:base meta "b/" in xml:base "/a/" listed xml`,
			`47-48 b@xlink:href nav "x" in xml:base "b/" in xml:base "/a/" xml`,
			`66-67 c@xlink:href nav "y" in xml:base "/a/" xml`,
		}},
	{"xml:base of the parent alone",
		read(place.HTMLSpace, `<html><div xml:base="c/"><a href="x"/></div><a href="y" XML:BASE="n"/></html>`),
		[]string{
			`21-23 div@xml:base meta "c/" listed xml`,
			`34-35 a@href nav "x" in xml:base "c/" xml`,
			`53-54 a@href nav "y" xml`,
		}},
	{"SVG",
		read(place.SVGSpace, `<svg xmlns="http://www.w3.org/2000/svg"><a xlink:href="x"/><linearGradient href=`+
			`"g"/><lineargradient href="n"/><rect fill="url(f.svg#a)"/><style><!-- c -->a{b:u`+
			`rl(<![CDATA[s)}]]></style><Style>a{b:url(n)}</Style></svg>`),
		[]string{
			`12-38 svg@xmlns identifier "http://www.w3.org/2000/svg" identifier listed ab` +
				`solute list=1 xml`,
			`55-56 a@xlink:href nav "x" xml`,
			`81-82 lineargradient@href res "g" xml`,
			`107-108 lineargradient@href res "n" xml`,
			`127-134 rect@fill res "f.svg#a" utf8 token=1 xml`,
			`172-173 style@ res "s" token=1 xml cdata`,
			`201-202 style@ res "n" token=1 xml`,
		}},
	{"style",
		read(place.HTMLSpace, `<html><style>a{b:url(c&amp;d)}</style><style type=" Text/CSS ">a{b:url(e)}</styl`+
			`e><style type="x">a{b:url(n)}</style><style type="">a{b:url(f)}</style><style/><`+
			`/html>`),
		[]string{
			`21-28 style@ res "c&d" token=1 xml`,
			`71-72 style@ res "e" token=1 xml`,
			`140-141 style@ res "f" token=1 xml`,
		}},
	{"script",
		read(place.HTMLSpace, `<html><script>if (a&lt;b) "<a href='n'/>";</script><a href="x"/><script type="im`+
			`portmap">{"imports": {"a": <![CDATA["./x&y.js"}}]]></script><script src="s"/><b>`+
			`<script><script/></script></b><img src="y"/></html>`),
		[]string{
			`60-61 a@href nav "x" xml`,
			`117-125 script@ script "./x&y.js" list=16 token=2 xml cdata`,
			`153-154 script@src res "s" xml`,
			`200-201 img@src res "y" xml`,
		}},
	{"instruction",
		read(place.NoSpace, `<?xml-stylesheet type="text/css" href="s.css?a&amp;b"?><?xml-stylesheetx href="n`+
			`"?><?xml-stylesheet?><?other href="n"?><a/><?xml-stylesheet href="n"?>`),
		[]string{
			`39-52 ?xml-stylesheet@href res "s.css?a&b" xml`,
		}},
	{"document type",
		read(place.SVGSpace, `<!DOCTYPE svg PUBLIC "p" "x.dtd" [<!ENTITY p SYSTEM "p.gif" NDATA g><!ENTITY % q`+
			` SYSTEM "q.ent"><!NOTATION g SYSTEM "g"><!NOTATION h PUBLIC "i">]><svg xml:base=`+
			`"/o/"/>`),
		[]string{
			`26-31 !doctype@system identifier "x.dtd" identifier listed xml`,
			`53-58 !entity@system identifier "p.gif" identifier listed xml`,
			`89-94 !entity@system identifier "q.ent" identifier listed xml`,
			`117-118 !notation@system identifier "g" identifier listed xml`,
			`161-164 svg@xml:base meta "/o/" listed xml`,
		}},
	{"document type inside",
		read(place.NoSpace, `<a><!DOCTYPE svg SYSTEM "n"></a>`),
		[]string{
			"3 not-well-formed",
		}},
	{"entities",
		read(place.SVGSpace, `<!DOCTYPE svg [<!ENTITY s "http://www.w3.org/2000/svg"><!ENTITY h "x&#38;amp;y">`+
			`<!ENTITY n '&h;z'><!ENTITY h "again"><!ENTITY m "<b/>"><!ENTITY l "&#38;#60;"><!`+
			`ENTITY e SYSTEM "e"><!ENTITY o "&o;"><!ENTITY c "q">]><svg xmlns="&s;"><a href="`+
			`&n;1"/><a href="&no;"/><a href="&amp;&#65;&lt;&gt;&quot;&apos;&#x41;"/><a href="`+
			`&m;"/><a href="&l;"/><a href="&e;"/><a href="&o;"/><a href="&c;"/><a href="x y"/`+
			`></svg>`),
		[]string{
			`177-178 !entity@system identifier "e" identifier listed xml`,
			`226-229 svg@xmlns identifier "http://www.w3.org/2000/svg" identifier listed ` +
				`absolute list=1 xml`,
			`240-244 a@href nav "x&yz1" xml`,
			`256-260 a@href nav "&no;" listed unsafe xml`,
			`272-308 a@href nav "&A<>\"'A" xml`,
			`320-323 a@href nav "&m;" listed unsafe xml`,
			`335-338 a@href nav "<" xml`,
			`350-353 a@href nav "&e;" listed unsafe xml`,
			`365-368 a@href nav "&o;" listed unsafe xml`,
			`380-383 a@href nav "q" xml`,
			`395-398 a@href nav "x y" xml`,
			"256 unread-entity",
		}},
	{"an entity of one character",
		read(place.SVGSpace, `<!DOCTYPE svg [<!ENTITY c "q">]><svg><a href="&c;r"/></svg>`),
		[]string{
			`46-50 a@href nav "qr" xml`,
		}},
	{"references to entities that are left alone",
		read(place.HTMLSpace, `<html><a href="&nbsp;"/><a href="x"/></html>`),
		[]string{
			`15-21 a@href nav "&nbsp;" listed unsafe xml`,
			`33-34 a@href nav "x" xml`,
			"15 unread-entity",
		}},
	{"entities of HTML",
		read(place.HTMLSpace, `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x"><html><a href="&eac`+
			`ute;&copy;"/><a href="&none;"/><a href="&eacutex;"/></html>`),
		[]string{
			`58-59 !doctype@system identifier "x" identifier listed xml`,
			"76-90 a@href nav \"\u00e9\u00a9\" xml",
			`102-108 a@href nav "&none;" listed unsafe xml`,
			`120-129 a@href nav "&eacutex;" listed unsafe xml`,
			"102 unread-entity",
		}},
	{"no references",
		read(place.HTMLSpace, `<html><a href="&"/><a href="&;"/><a href="&#;"/><a href="&#x;"/><a href="&#x1100`+
			`00;"/><a href="&#65"/><a href="&#0;"/><a href="&#a;"/><a href="&amp"/><a href="&`+
			`a b;"/></html>`),
		[]string{
			`15-16 a@href nav "&" xml`,
			`28-30 a@href nav "&;" xml`,
			`42-45 a@href nav "&#;" xml`,
			`57-61 a@href nav "&#x;" xml`,
			`73-83 a@href nav "&#x110000;" xml`,
			`95-99 a@href nav "&#65" xml`,
			`111-115 a@href nav "&#0;" xml`,
			`127-131 a@href nav "&#a;" xml`,
			`143-147 a@href nav "&amp" xml`,
			`159-164 a@href nav "&a b;" xml`,
			"15 not-well-formed",
		}},
	{"names of entities",
		read(place.HTMLSpace, `<!DOCTYPE html [<!ENTITY a.b-c:d_e1 "x">]><html><a href="&a.b-c:d_e1;"/></html>`),
		[]string{
			`57-69 a@href nav "x" xml`,
		}},
	{"line ends and tabs",
		read(place.HTMLSpace, "<html><a href=\x22a\r\nb\rc\nd\te\x22/><a href=\x22f&#9;g\x22/><style>a{b:url(\r"+
			"\n\x22c\x22\r)}</style></html>"),
		[]string{
			`15-25 a@href nav "a b c d e" xml`,
			`37-43 a@href nav "f\tg" xml`,
			`64-65 style@ res "c" inner='"' token=1 xml`,
		}},
	{"NUL and broken characters",
		read(place.HTMLSpace, "<html><a href=\x22\x00\x22/><a href=\x22x\xff\x22/><a href=\x22\xc3\xa9\x22/><a "+
			"href=\x22\xc3\xa9&amp;\x22/><style>a{b:url(\xff)}</style></html>"),
		[]string{
			"15-16 a@href nav \"\ufffd\" xml",
			"28-30 a@href nav \"x\ufffd\" broken xml",
			"42-44 a@href nav \"\u00e9\" xml",
			"56-63 a@href nav \"\u00e9&\" xml",
			"81-82 style@ res \"\ufffd\" broken token=1 xml",
		}},
	{"another charset",
		read(place.HTMLSpace, "<?xml version=\x221.0\x22 encoding=\x22windows-1252\x22?><html><a href=\x22\xe9"+
			"\x22/><a href=\x22x\x22/></html>"),
		[]string{
			"60-61 a@href nav \"\u00e9\" xml",
			`73-74 a@href nav "x" xml`,
		}},
	{"sitemap",
		read(place.NoSpace, "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:i=\"http://w"+
			"ww.google.com/schemas/sitemap-image/1.1\"><url><loc> /a?b&amp;c </loc><i:image><"+
			"i:loc><![CDATA[i&j]]></i:loc></i:image><loc>\n</loc><loc/></url></urlset>"),
		[]string{
			`15-58 urlset@xmlns identifier "http://www.sitemaps.org/schemas/sitemap/0.9" ` +
				`identifier listed absolute list=1 xml`,
			`69-116 urlset@xmlns:i identifier "http://www.google.com/schemas/sitemap-imag` +
				`e/1.1" identifier listed absolute list=1 xml`,
			`129-139 loc@ nav "/a?b&c" xml`,
			`171-174 loc@ res "i&j" xml cdata`,
		}},
	{"sitemap without a namespace",
		read(place.NoSpace, "<sitemapindex><sitemap><loc>x</loc></sitemap></sitemapindex>"),
		[]string{
			`28-29 loc@ nav "x" xml`,
		}},
	{"formats without a namespace",
		read(place.NoSpace, `<opml version="2.0"><body><outline text="&lt;a href='x'>" xmlUrl="f" htmlUrl="h"`+
			`/></body></opml>`),
		[]string{
			`53-54 a@href nav "x" utf8 quote='\'' / xml`,
			`66-67 outline@xmlurl service "f" xml`,
			`78-79 outline@htmlurl nav "h" xml`,
		}},
	{"another root",
		read(place.NoSpace, "<other><link>n</link><loc>n</loc></other>"),
		nil},
	{"RSS",
		read(place.NoSpace, `<rss><channel><link>http://c.example/c/</link><description>&lt;a href=x&gt;</des`+
			`cription><item><description><![CDATA[<img src="i">]]></description><link>http://`+
			`i.example/i/p</link><link>http://n.example/</link><guid>12</guid><guid isPermaLi`+
			`nk="true">g</guid><guid>http://g.example/</guid><guid isPermaLink=" FALSE ">http`+
			`://h.example/</guid><guid isPermaLink="false">a:b</guid><enclosure url="e"/></it`+
			`em><item><description>&lt;a href=y&gt;</description></item></channel></rss>`),
		[]string{
			`20-39 link@ nav "http://c.example/c/" xml`,
			`70-71 a@href nav "x" in feed-link "http://c.example/c/" utf8 quote='\x00' ba` +
				`re=1 / xml`,
			`127-128 img@src res "i" in feed-link "http://i.example/i/p" in feed-link "ht` +
				`tp://c.example/c/" utf8 cdata / xml cdata`,
			`153-173 link@ nav "http://i.example/i/p" xml`,
			`186-203 link@ nav "http://n.example/" xml`,
			`250-251 guid@ nav "g" xml`,
			`264-281 guid@ nav "http://g.example/" xml`,
			`316-333 guid@ identifier "http://h.example/" identifier xml`,
			`366-369 guid@ identifier "a:b" identifier xml`,
			`392-393 enclosure@url res "e" xml`,
			`433-434 a@href nav "y" in feed-link "http://c.example/c/" utf8 quote='\x00' ` +
				`bare=1 / xml`,
		}},
	{"relative links of RSS",
		read(place.NoSpace, "<rss><channel><link>c/</link><item><link>i/</link><description>&lt;a href=x&gt;<"+
			"/description></item><description>&lt;a href=y&gt;</description><image><link>n/</"+
			"link></image></channel><link>m/</link></rss>"),
		[]string{
			`20-22 link@ nav "c/" xml`,
			`41-43 link@ nav "i/" xml`,
			`74-75 a@href nav "x" in feed-link "i/" utf8 quote='\x00' bare=1 / xml`,
			`124-125 a@href nav "y" in feed-link "c/" utf8 quote='\x00' bare=1 / xml`,
			`156-158 link@ nav "n/" xml`,
			`189-191 link@ nav "m/" xml`,
		}},
	{"RSS with xml:base",
		read(place.NoSpace, `<rss xml:base="http://x.example/"><channel><link>l</link><item><description>&lt;`+
			`a href=x></description></item></channel></rss>`),
		[]string{
			`15-32 rss@xml:base meta "http://x.example/" listed xml`,
			`49-50 link@ nav "l" in xml:base "http://x.example/" xml`,
			`87-88 a@href nav "x" in xml:base "http://x.example/" utf8 quote='\x00' bare=` +
				`1 / xml`,
		}},
	{"RSS with an inner xml:base",
		read(place.NoSpace, `<rss><channel><link>http://l.test/</link><item xml:base="http://x.example/"><des`+
			`cription>&lt;a href=x></description></item><item><description>&lt;a href=y></des`+
			`cription></item></channel></rss>`),
		[]string{
			`20-34 link@ nav "http://l.test/" xml`,
			`57-74 item@xml:base meta "http://x.example/" listed xml`,
			`100-101 a@href nav "x" in xml:base "http://x.example/" utf8 quote='\x00' bar` +
				`e=1 / xml`,
			`153-154 a@href nav "y" in feed-link "http://l.test/" utf8 quote='\x00' bare=` +
				`1 / xml`,
		}},
	{"RSS 1.0",
		read(place.NoSpace, `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://p`+
			`url.org/rss/1.0/"><channel rdf:about="a"><link>http://c.example/</link></channel`+
			`><item><description>&lt;a href="x"></description></item></rdf:RDF>`),
		[]string{
			`20-63 rdf@xmlns:rdf identifier "http://www.w3.org/1999/02/22-rdf-syntax-ns#"` +
				` identifier listed absolute list=1 xml`,
			`72-96 rdf@xmlns identifier "http://purl.org/rss/1.0/" identifier listed abso` +
				`lute list=1 xml`,
			`118-119 channel@rdf:about identifier "a" identifier listed xml`,
			`127-144 link@ nav "http://c.example/" xml`,
			`192-193 a@href nav "x" in feed-link "http://c.example/" utf8 / xml`,
		}},
	{"bare HTML in RSS",
		read(place.NoSpace, `<rss><channel><link>http://c.test/</link><item><description>t <a href="x">&lt;b `+
			`cite=n&gt;</a> &lt;img src=y&gt;</description></item></channel></rss>`),
		[]string{
			`20-34 link@ nav "http://c.test/" xml`,
			`71-72 a@href nav "x" in feed-link "http://c.test/" xml`,
			`107-108 img@src res "y" in feed-link "http://c.test/" utf8 quote='\x00' bare` +
				`=1 / xml`,
		}},
	{"bare HTML in RSS with xml:base",
		read(place.NoSpace, `<rss xml:base="b/"><channel><description><a href="x"/></description></channel></rss>`),
		[]string{
			`15-17 rss@xml:base meta "b/" listed xml`,
			`50-51 a@href nav "x" in xml:base "b/" xml`,
		}},
	{"Atom",
		read(place.NoSpace, `<feed><link href="l" rel="self"/><entry xml:base="/e/"><link rel="enclosure" hre`+
			`f="m"/><link rel="Edit" href="o"/><link rel="replies" href="p"/><link rel="servi`+
			`ce" href="q"/><link rel="edit-media" href="r"/><link rel="alternate" href="s"/><`+
			`link href="t"/><content type="html">&lt;a href="x"&gt;</content><content type="T`+
			`ext/HTML">&lt;a href="z"&gt;</content><summary>&lt;a href="n"></summary><content`+
			` type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><a href="y"/></div></con`+
			`tent><icon>i</icon><id>http://id.test/</id><content src="c"/></entry></feed>`),
		[]string{
			`18-19 link@href service "l" rel="self" xml`,
			`50-53 entry@xml:base meta "/e/" listed xml`,
			`83-84 link@href res "m" rel="enclosure" in xml:base "/e/" xml`,
			`110-111 link@href service "o" rel="Edit" in xml:base "/e/" xml`,
			`140-141 link@href service "p" rel="replies" in xml:base "/e/" xml`,
			`170-171 link@href service "q" rel="service" in xml:base "/e/" xml`,
			`203-204 link@href service "r" rel="edit-media" in xml:base "/e/" xml`,
			`235-236 link@href nav "s" rel="alternate" in xml:base "/e/" xml`,
			`251-252 link@href nav "t" in xml:base "/e/" xml`,
			`288-289 a@href nav "x" in xml:base "/e/" utf8 / xml`,
			`342-343 a@href nav "z" in xml:base "/e/" utf8 / xml`,
			`426-454 div@xmlns identifier "http://www.w3.org/1999/xhtml" in xml:base "/e/` +
				`" identifier listed absolute list=1 xml`,
			`465-466 a@href nav "y" in xml:base "/e/" xml`,
			`491-492 icon@ res "i" in xml:base "/e/" xml`,
			`503-518 id@ identifier "http://id.test/" in xml:base "/e/" identifier listed` +
				` absolute xml`,
			`537-538 content@src res "c" in xml:base "/e/" xml`,
		}},
	{"HTML in Atom that was not escaped",
		read(place.NoSpace, `<feed><entry><content type="html"><a href="n"/></content></entry></feed>`),
		nil},
	{"an entry alone",
		read(place.NoSpace, `<entry><link href="l"/></entry>`),
		[]string{
			`19-20 link@href nav "l" xml`,
		}},
	{"media",
		read(place.NoSpace, `<rss xmlns:m="http://search.yahoo.com/mrss/"><m:thumbnail url="t"/><m:text type=`+
			`"html">&lt;a href="x"></m:text><m:text>&lt;a href="n"></m:text></rss>`),
		[]string{
			`14-43 rss@xmlns:m identifier "http://search.yahoo.com/mrss/" identifier list` +
				`ed absolute list=1 xml`,
			`63-64 thumbnail@url res "t" xml`,
			`99-100 a@href nav "x" utf8 / xml`,
		}},
	{"an export of WordPress",
		read(place.NoSpace, `<rss><channel><wp:base_site_url> /a </wp:base_site_url><item><excerpt:encoded>&l`+
			`t;a href="c"></excerpt:encoded></item></channel></rss>`),
		[]string{
			`33-35 base_site_url@ nav "/a" prefix xml`,
			`90-91 a@href nav "c" utf8 / xml`,
		}},
	{"pieces",
		read(place.NoSpace, "<rss><channel><link>a<!-- c -->b</link><docs> <![CDATA[d]]> </docs><docs>e<![CDA"+
			"TA[f]]></docs><docs><![CDATA[]]></docs><docs><?x?>g</docs><docs>h<b>n</b></docs>"+
			"</channel></rss>"),
		[]string{
			`20-32 link@ nav "ab" listed unsafe xml`,
			`55-56 docs@ nav "d" xml cdata`,
			`73-84 docs@ nav "ef" listed unsafe xml`,
			`130-131 docs@ nav "g" xml`,
			`144-145 docs@ nav "h" xml`,
			"20 split-reference",
		}},
	{"references in pieces",
		read(place.NoSpace, `<rss><channel><description>&lt;a href="x"><![CDATA[<a href="y&amp;"><a href="]]>`+
			`z"&gt;<![CDATA[<img src=w>]]></description></channel></rss>`),
		[]string{
			`39-40 a@href nav "x" utf8 / xml`,
			`60-66 a@href nav "y&" utf8 cdata / xml`,
			`80-81 a@href nav "z" utf8 / xml`,
			`104-105 img@src res "w" utf8 quote='\x00' bare=1 cdata / xml`,
		}},
	{"elements inside of a text",
		read(place.NoSpace, `<rss><channel><description>&lt;a href="x"&gt;<b xlink:href="y"/>&lt;a href="z"&g`+
			`t;</description></channel></rss>`),
		[]string{
			`39-40 a@href nav "x" utf8 / xml`,
			`60-61 b@xlink:href nav "y" xml`,
			`76-77 a@href nav "z" utf8 / xml`,
		}},
	{"text of a text",
		read(place.NoSpace, `<rss><channel><description>a<link>n</link>&lt;a href="x"&gt;</description></chan`+
			`nel></rss>`),
		[]string{
			`54-55 a@href nav "x" utf8 / xml`,
		}},
	{"parts of entities",
		read(place.NoSpace, `<!DOCTYPE rss [<!ENTITY t "&#38;lt;a href=x>"><!ENTITY u "x/y">]><rss><channel><`+
			`description>&t;&lt;a href="&u;z"></description><docs>&u;</docs></channel></rss>`),
		[]string{
			`92-95 a@href nav "x" listed unsafe utf8 quote='\x00' bare=1 / xml`,
			`107-111 a@href nav "x/yz" utf8 / xml`,
			`133-136 docs@ nav "x/y" xml`,
			"92 split-reference",
		}},
	{"deep entities",
		read(place.NoSpace, `<!DOCTYPE rss [<!ENTITY e0 "&e1;"><!ENTITY e1 "&e2;"><!ENTITY e2 "&e3;"><!ENTITY`+
			` e3 "&e4;"><!ENTITY e4 "&e5;"><!ENTITY e5 "&e6;"><!ENTITY e6 "&e7;"><!ENTITY e7 `+
			`"&e8;"><!ENTITY e8 "&e9;"><!ENTITY e9 "&e10;"><!ENTITY e10 "&e11;"><!ENTITY e11 `+
			`"&e12;"><!ENTITY e12 "&e13;"><!ENTITY e13 "&e14;"><!ENTITY e14 "&e15;"><!ENTITY `+
			`e15 "&e16;"><!ENTITY e16 "&e17;"><!ENTITY e17 "&e18;"><!ENTITY e18 "x">]><rss><d`+
			`ocs>&e2;</docs><docs>&e1;</docs></rss>`),
		[]string{
			`404-408 docs@ nav "&e2;" listed unsafe xml`,
			`421-425 docs@ nav "&e1;" listed unsafe xml`,
			"404 unread-entity",
		}},
	{"schema locations",
		read(place.NoSpace, `<a xsi:schemaLocation="http://n.example/ n.xsd" xsi:noNamespaceSchemaLocation="m`+
			`.xsd" rdf:about="r"/>`),
		[]string{
			`23-40 a@xsi:schemalocation identifier "http://n.example/" identifier listed ` +
				`list=1 xml`,
			`41-46 a@xsi:schemalocation identifier "n.xsd" identifier listed list=1 xml`,
			`79-84 a@xsi:nonamespaceschemalocation identifier "m.xsd" identifier listed xml`,
			`97-98 a@rdf:about identifier "r" identifier listed xml`,
		}},
	{"XHTML with attributes of XML",
		read(place.HTMLSpace, `<html xsi:schemaLocation="http://n.example/ n.xsd"><a xml:base="b/" href="x" xli`+
			`nk:href="y" rdf:resource="z"/></html>`),
		[]string{
			`26-43 html@xsi:schemalocation identifier "http://n.example/" identifier list` +
				`ed list=1 xml`,
			`44-49 html@xsi:schemalocation identifier "n.xsd" identifier listed list=1 xml`,
			`64-66 a@xml:base meta "b/" listed xml`,
			`74-75 a@href nav "x" in xml:base "b/" xml`,
			`89-90 a@xlink:href nav "y" in xml:base "b/" xml`,
			`106-107 a@rdf:resource identifier "z" in xml:base "b/" identifier listed xml`,
		}},
	{"unclosed",
		read(place.NoSpace, "<rss><channel><item><link>x</item><item></guid><link>y"),
		[]string{
			`26-27 link@ nav "x" xml`,
			`53-54 link@ nav "y" xml`,
			"27 not-well-formed",
			"open",
		}},
	{"end tags",
		read(place.HTMLSpace, `<html><p></q><a href="x"/></p></html>`),
		[]string{
			`22-23 a@href nav "x" xml`,
			"9 not-well-formed",
		}},
	{"end tags of outer elements",
		read(place.HTMLSpace, `<html><p xml:base="b/"><a></p><a href="x"/></html>`),
		[]string{
			`19-21 p@xml:base meta "b/" listed xml`,
			`39-40 a@href nav "x" xml`,
			"26 not-well-formed",
		}},
	{"end tag too far out",
		read(place.HTMLSpace, `<html><p xml:base="b/"><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i>`+
			`<i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i`+
			`><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i></p><a href="x"/></html>`),
		[]string{
			`19-21 p@xml:base meta "b/" listed xml`,
			`228-229 a@href nav "x" in xml:base "b/" xml`,
			"215 not-well-formed",
			"open",
		}},
	{"end tag far out",
		read(place.HTMLSpace, `<html><p xml:base="b/"><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i>`+
			`<i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i`+
			`><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i></p><a href="x"/></html>`),
		[]string{
			`19-21 p@xml:base meta "b/" listed xml`,
			`225-226 a@href nav "x" xml`,
			"212 not-well-formed",
		}},
	{"cut off",
		read(place.HTMLSpace, `<html><a href="x"/><a href="y`),
		[]string{
			`15-16 a@href nav "x" xml`,
			"19 not-well-formed",
			"open",
		}},
	{"cut off behind the root",
		read(place.HTMLSpace, "<html/><a"),
		[]string{
			"7 not-well-formed",
		}},
	{"comments",
		commented(place.NoSpace, `<a xml:base="/x/"><!--<a href=d>--><!-- <base href="e"> --></a>`),
		[]string{
			`13-16 a@xml:base meta "/x/" in url "http://a.test/" listed xml`,
			`30-31 a@href nav "d" in xml:base "/x/" in url "http://a.test/" utf8 quote='\` +
				`x00' bare=1 / quote='\x00' comment hyphens`,
			`52-53 base@href meta "e" in xml:base "/x/" in url "http://a.test/" listed ut` +
				`f8 / quote='\x00' comment hyphens`,
		}},
	{"comments not read",
		read(place.NoSpace, "<a><!--<a href=d>--></a>"),
		nil},
	{"comment in a text",
		commented(place.NoSpace, "<rss><link>/l<!-- <a href=c> --></link></rss>"),
		[]string{
			`11-13 link@ nav "/l" in url "http://a.test/" xml`,
			`26-27 a@href nav "c" in url "http://a.test/" utf8 quote='\x00' bare=1 / quot` +
				`e='\x00' comment hyphens`,
		}},
	{"srcdoc",
		read(place.HTMLSpace, `<html xmlns="http://www.w3.org/1999/xhtml"><iframe srcdoc="&lt;a href='x&amp;amp`+
			`;y'>"/></html>`),
		[]string{
			`13-41 html@xmlns identifier "http://www.w3.org/1999/xhtml" identifier listed` +
				` absolute list=1 xml`,
			`71-82 a@href nav "x&y" utf8 quote='\'' / xml`,
		}},
	{"robots",
		read(place.HTMLSpace, `<html><meta name="robots" content="none"/></html>`),
		nil},
	{"a link alone",
		read(place.NoSpace, `<link xmlns="http://purl.org/rss/1.0/">x</link>`),
		[]string{
			`13-37 link@xmlns identifier "http://purl.org/rss/1.0/" identifier listed absolute list=1 xml`,
			`39-40 link@ nav "x" xml`,
		}},
	{"math",
		read(place.NoSpace, `<math xmlns="http://www.w3.org/1998/Math/MathML" href="x"><MI href="n"/><mi href`+
			`="y"/></math>`),
		[]string{
			`13-47 math@xmlns identifier "http://www.w3.org/1998/Math/MathML" identifier ` +
				`listed absolute list=1 xml`,
			`55-56 math@href nav "x" xml`,
			`68-69 mi@href nav "n" xml`,
			`82-83 mi@href nav "y" xml`,
		}},
	{"VML",
		read(place.NoSpace, `<v:fill xmlns:v="urn:schemas-microsoft-com:vml" src="x" o:href="y"/>`),
		[]string{
			`17-46 v:fill@xmlns:v identifier "urn:schemas-microsoft-com:vml" identifier l` +
				`isted absolute list=1 xml`,
			`53-54 v:fill@src res "x" xml`,
			`64-65 v:fill@o:href res "y" xml`,
		}},
	{"long names",
		read(place.NoSpace, `<r><x:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa xli`+
			`nk:bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb="n"/><`+
			`html:a href="x"/></r>`),
		[]string{
			`173-174 a@href nav "x" xml`,
		}},
}

// read returns a document; bare is the vocabulary of its elements without a namespace.
func read(bare place.Vocabulary, s string) *readingtest.Doc {
	var r xml.Reader
	return &readingtest.Doc{Data: []byte(s), Declared: charset.InXML,
		Find: func(f *page.Finder) { r.Read(f, bare) }}
}

// commented returns the same document, read with the markup in comments.
func commented(bare place.Vocabulary, s string) *readingtest.Doc {
	d := read(bare, s)
	d.Options = reading.Options{Comments: true}
	d.Layer = &base.Layer{Source: base.URL, Value: "http://a.test/"}
	return d
}

func TestRead(t *testing.T) {
	for _, tt := range documents {
		tt.doc.Check(t, tt.name, tt.want)
	}
}

// A document in UTF-16 has the same references, at the offsets of the same characters.
func TestReadUTF16(t *testing.T) {
	for _, tt := range documents {
		if bytes.IndexByte(tt.doc.Data, 0) >= 0 || !text.IsASCII(tt.doc.Data) {
			continue
		}
		d := *tt.doc
		d.Data = readingtest.UTF16(string(tt.doc.Data), true)
		var got, want []string
		for r := range tt.doc.Refs() {
			r.Start, r.End = 2+2*r.Start, 2+2*r.End
			want = append(want, readingtest.Describe(r))
		}
		for r := range d.Refs() {
			got = append(got, strings.TrimSuffix(readingtest.Describe(r), " / quote='\\x00' wide=2 sheet"))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: references of %q in UTF-16:\n  %s\nwant\n  %s", tt.name, tt.doc.Data,
				strings.Join(got, "\n  "), strings.Join(want, "\n  "))
		}
	}
}

// At most 64 xml:base attributes are in force at once. References deeper inside have no base.
func TestXMLBaseTooDeep(t *testing.T) {
	for _, deep := range []int{63, 64, 65, 66} {
		const open, link = `<a xml:base="b/">`, `<c xlink:href="x"/>`
		d := read(place.NoSpace, strings.Repeat(open, deep)+link+strings.Repeat("</a>", deep)+link)
		var layers []string
		for r := range d.Refs() {
			n := 0
			for l := r.Layer; l != nil; l = l.Outer {
				n++
			}
			if r.Attr == "xlink:href" {
				value := "none"
				if r.Layer != nil {
					value = r.Layer.Value
				}
				layers = append(layers, fmt.Sprint(n, " ", value))
			}
		}
		want := []string{fmt.Sprint(deep, " b/"), "0 none"}
		var problems []string
		if deep > 64 {
			want[0] = fmt.Sprint(deep, " about:blank")
			problems = []string{fmt.Sprint(64*len(open), " xml-base-too-deep")}
		}
		if got := d.Problems(); !slices.Equal(layers, want) || !slices.Equal(got, problems) {
			t.Errorf("%d deep: layers %q, problems %q, want %q, %q",
				deep, layers, got, want, problems)
		}
	}
}

// The result does not depend on the document that was read before.
func TestReadAgain(t *testing.T) {
	var r xml.Reader
	var d readingtest.Doc
	for _, tt := range documents {
		want := tt.doc.Described()
		d.Data, d.Declared, d.Options, d.Layer = tt.doc.Data, tt.doc.Declared, tt.doc.Options, tt.doc.Layer
		for _, bare := range []place.Vocabulary{place.NoSpace, place.HTMLSpace, place.SVGSpace} {
			d.Find = func(f *page.Finder) { r.Read(f, bare) }
			got := d.Described()
			fresh := read(bare, string(d.Data))
			fresh.Options = d.Options
			fresh.Layer = d.Layer
			if alone := fresh.Described(); !slices.Equal(got, alone) {
				t.Errorf("%s behind others:\n  %s\nalone\n  %s", tt.name,
					strings.Join(got, "\n  "), strings.Join(alone, "\n  "))
			}
		}
		if again := tt.doc.Described(); !slices.Equal(again, want) {
			t.Errorf("%s again: %q, want %q", tt.name, again, want)
		}
	}
}
