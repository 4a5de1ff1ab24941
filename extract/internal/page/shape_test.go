package page_test

import (
	"testing"

	"absolink/base"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/readingtest"
)

// shapes are documents with all their references and problems.
var shapes = []struct {
	name string
	doc  *readingtest.Doc
	want []string
}{
	{"base",
		htmlDoc(`<a href="x"><base href="y"><base href="z"><a href="w">`),
		[]string{
			`9-10 a@href nav "x" in base-element "y"`,
			`24-25 base@href meta "y" listed doubt=2`,
			`39-40 base@href meta "z" listed doubt=8`,
			`51-52 a@href nav "w" in base-element "y"`,
			"12 base-late",
			"27 base-repeated",
		}},
	{"base with two hrefs",
		htmlDoc(`<base href="y" href="z"><img src="x">`),
		[]string{
			`12-13 base@href meta "y" listed`,
			`34-35 img@src res "x" in base-element "y"`,
		}},
	{"base that gives none",
		htmlDoc(`<a href="http://a.test/"><base href=" DATA:x"><base href="javascript:y">`),
		[]string{
			`9-23 a@href nav "http://a.test/" in base-element " DATA:x"`,
			`37-44 base@href meta " DATA:x" listed doubt=4`,
			`58-70 base@href meta "javascript:y" listed doubt=8`,
			"25 base-data",
			"46 base-repeated",
		}},
	{"base that is javascript",
		htmlDoc(`<base href="JavaScript:y">`),
		[]string{
			`12-24 base@href meta "JavaScript:y" listed doubt=4`,
			"0 base-data",
		}},
	{"base in noscript",
		htmlDoc(`<noscript><base href="y"></noscript>`),
		[]string{
			`22-23 base@href meta "y" listed doubt=1`,
			"10 base-in-noscript",
		}},
	{"base behind a fragment",
		htmlDoc(`<a href="#f"><a href="http://a.test/"><base href="y">`),
		[]string{
			`9-11 a@href nav "#f" in base-element "y"`,
			`22-36 a@href nav "http://a.test/" in base-element "y"`,
			`50-51 base@href meta "y" listed`,
		}},
	{"base without href",
		htmlDoc(`<base target=x><base href="y">`),
		[]string{
			`27-28 base@href meta "y" listed`,
		}},
	{"base in a frameset",
		htmlDoc(`<html><head></head><body><base href="y"><frameset><frame src="x">`),
		[]string{
			`37-38 base@href meta "y" listed`,
			`62-63 frame@src frame "x" in base-element "y"`,
		}},
	{"base before a frameset",
		htmlDoc(`<html><head><base href="y"></head><frameset><frame src="x">`),
		[]string{
			`24-25 base@href meta "y" listed`,
			`56-57 frame@src frame "x" in base-element "y"`,
		}},
	{"no base, frameset",
		htmlDoc(`<frameset><frame src="x">`),
		[]string{
			`22-23 frame@src frame "x"`,
		}},
	{"codebase",
		htmlDoc(`<object codebase="c/" classid="d" data="x" archive="y z"></object><applet codebase="c/" ` +
			`code="A" archive="x,y"></applet><object data="x">`),
		[]string{
			`18-20 object@codebase meta "c/"`,
			`31-32 object@classid plugin "d" in codebase "c/"`,
			`40-41 object@data res "x" in codebase "c/"`,
			`52-53 object@archive res "y" in codebase "c/" list=1`,
			`54-55 object@archive res "z" in codebase "c/" list=1`,
			`84-86 applet@codebase meta "c/"`,
			`94-95 applet@code plugin "A" identifier listed absolute`,
			`106-107 applet@archive res "x" in codebase "c/" list=2`,
			`108-109 applet@archive res "y" in codebase "c/" list=2`,
			`134-135 object@data res "x"`,
		}},
	{"codebase of browsers",
		with(htmlDoc(`<object codebase="c/" classid="d" data="x"></object>`), reading.Options{HTML5Objects: true}),
		[]string{
			`18-20 object@codebase meta "c/" in url "http://a.test/"`,
			`31-32 object@classid plugin "d" in url "http://a.test/"`,
			`40-41 object@data res "x" in url "http://a.test/"`,
		}},
	{"class id",
		htmlDoc(`<object classid="clsid:1"><object classid="java:a"><object classid="x.py"><object classi` +
			`d="CLSID:2">`),
		[]string{
			`17-24 object@classid plugin "clsid:1" identifier`,
			`43-49 object@classid plugin "java:a" identifier`,
			`68-72 object@classid plugin "x.py"`,
			`91-98 object@classid plugin "CLSID:2" identifier`,
		}},
	{"form",
		htmlDoc(`<form action="x"><button formaction="y"><input type=image src="z" formaction="w"></form>`),
		[]string{
			`14-15 form@action form "x" form`,
			`37-38 button@formaction form "y" form`,
			`63-64 input@src res "z"`,
			`78-79 input@formaction form "w" form`,
		}},
	{"fallback",
		htmlDoc(`<html manifest="m"><base href="b/"><meta http-equiv="refresh" content="1;url=x"><html ma` +
			`nifest="n">`),
		[]string{
			`16-17 html@manifest res "m"`,
			`31-33 base@href meta "b/" listed`,
			`77-78 meta@content nav "x" in base-element "b/" list=4`,
			`96-97 html@manifest res "n" in base-element "b/"`,
		}},
	{"refresh before base",
		htmlDoc(`<meta http-equiv="refresh" content="1;url=x"><base href="b/"><meta http-equiv="refresh" ` +
			`content="1;url=y">`),
		[]string{
			`42-43 meta@content nav "x" list=4`,
			`57-59 base@href meta "b/" listed`,
			`103-104 meta@content nav "y" in base-element "b/" list=4`,
		}},
	{"link types",
		htmlDoc(`<a rel="next  nofollow" href="x">y</a><a href="z"><link rel="a&amp;b" href="x"><area hre` +
			`f="x" rel>`),
		[]string{
			`30-31 a@href nav "x" rel="next  nofollow"`,
			`47-48 a@href nav "z"`,
			`76-77 link@href nav "x" rel="a&b"`,
			`91-92 area@href nav "x"`,
		}},
	{"quotes",
		htmlDoc(`<a href=x><a href='x'><a href="x"><a href><a href=''><img src=a srcset='b, c 2x'>`),
		[]string{
			`8-9 a@href nav "x" quote='\x00' bare=1`,
			`19-20 a@href nav "x" quote='\''`,
			`31-32 a@href nav "x"`,
			`41-41 a@href nav "" quote='\x00' bare=3`,
			`51-51 a@href nav "" quote='\''`,
			`62-63 img@src res "a" quote='\x00' bare=1`,
			`72-73 img@srcset res "b" quote='\'' list=3`,
			`75-76 img@srcset res "c" quote='\'' list=3`,
		}},
	{"not decoded alike",
		htmlDoc("<a href=\"a&amp;b\"><a href=\"a&b\"><a href=\"a&#x26;b&lt\"><a href=\"\u00e4\"><a href=" +
			"\"\u00e4&amp;\">"),
		[]string{
			`9-16 a@href nav "a&b"`,
			`27-30 a@href nav "a&b"`,
			`41-52 a@href nav "a&b<"`,
			"63-65 a@href nav \"\u00e4\"",
			"76-83 a@href nav \"\u00e4&\"",
		}},
	{"broken characters",
		htmlDoc("<a href=\x22\xff\x22><a href=\x22x\xff\x22><a href=\x22y\x22>"),
		[]string{
			"9-10 a@href nav \"\ufffd\" broken",
			"21-23 a@href nav \"x\ufffd\" broken",
			`34-35 a@href nav "y"`,
		}},
	{"NUL and line ends",
		htmlDoc("<a href=\x22\x00x\x22><a href=\x22y\r\nz\x22><a \x00href=n>"),
		[]string{
			"9-11 a@href nav \"\ufffdx\"",
			`22-26 a@href nav "y\nz"`,
		}},
	{"srcdoc",
		htmlDoc(`<base href="b/"><iframe src="s" srcdoc="<a href=&quot;x&amp;amp;y&quot;><base href=z><a ` +
			`href=w>"></iframe><a href="v">`),
		[]string{
			`12-14 base@href meta "b/" listed`,
			`29-30 iframe@src frame "s" in base-element "b/"`,
			`54-65 a@href nav "x&y" in base-element "z" in base-element "b/" utf8 /`,
			`83-84 base@href meta "z" in base-element "b/" listed utf8 quote='\x00' bare=1 /`,
			`93-94 a@href nav "w" in base-element "z" in base-element "b/" utf8 quote='\x00' bare=1 /`,
			`115-116 a@href nav "v" in base-element "b/"`,
		}},
	{"two srcdocs",
		htmlDoc(`<iframe srcdoc="<a href=1>"></iframe><iframe srcdoc="<base href=2><a href=3>"></iframe><` +
			`iframe srcdoc="<a href=4>"></iframe>`),
		[]string{
			`24-25 a@href nav "1" utf8 quote='\x00' bare=1 /`,
			`64-65 base@href meta "2" listed utf8 quote='\x00' bare=1 /`,
			`74-75 a@href nav "3" in base-element "2" utf8 quote='\x00' bare=1 /`,
			`111-112 a@href nav "4" utf8 quote='\x00' bare=1 /`,
		}},
	{"srcdoc too deep",
		htmlDoc(`<a href=0><iframe srcdoc="<a href=1><iframe srcdoc=&quot;<a href=2><iframe srcdoc=&amp;q` +
			`uot;<a href=3><iframe srcdoc=&amp;amp;quot;<a href=4><iframe srcdoc=&amp;amp;amp;quot;<a` +
			` href=5><iframe srcdoc=&amp;amp;amp;amp;quot;<a href=6><iframe srcdoc=&amp;amp;amp;amp;a` +
			`mp;quot;<a href=7><iframe srcdoc=&amp;amp;amp;amp;amp;amp;quot;<a href=8><iframe srcdoc=` +
			`&amp;amp;amp;amp;amp;amp;amp;quot;<a href=9>&amp;amp;amp;amp;amp;amp;amp;quot;></iframe>` +
			`&amp;amp;amp;amp;amp;amp;quot;></iframe>&amp;amp;amp;amp;amp;quot;></iframe>&amp;amp;amp` +
			`;amp;quot;></iframe>&amp;amp;amp;quot;></iframe>&amp;amp;quot;></iframe>&amp;quot;></ifr` +
			`ame>&quot;></iframe>"></iframe>`),
		[]string{
			`8-9 a@href nav "0" quote='\x00' bare=1`,
			`34-35 a@href nav "1" utf8 quote='\x00' bare=1 /`,
			`65-66 a@href nav "2" utf8 quote='\x00' bare=1 / /`,
			`100-101 a@href nav "3" utf8 quote='\x00' bare=1 / / /`,
			`139-140 a@href nav "4" utf8 quote='\x00' bare=1 / / / /`,
			`182-183 a@href nav "5" utf8 quote='\x00' bare=1 / / / / /`,
			`229-230 a@href nav "6" utf8 quote='\x00' bare=1 / / / / / /`,
			`280-281 a@href nav "7" utf8 quote='\x00' bare=1 / / / / / / /`,
			`335-336 a@href nav "8" utf8 quote='\x00' bare=1 / / / / / / / /`,
			"386 srcdoc-too-deep",
		}},
	{"srcdoc without attributes",
		htmlDoc(`<iframe srcdoc="<style>a{b:url(x)}</style><script src=y></script>"><iframe srcdoc="">`),
		[]string{
			`31-32 style@ res "x" utf8 token=1 sheet /`,
			`54-55 script@src res "y" utf8 quote='\x00' bare=1 /`,
		}},
	{"comments",
		with(htmlDoc(`<!--<a href="x">--><!-- <base href="y"> --><!--[if mso]><img src="z"><![endif]--><!docty`+
			`pe <a href=n>><!-- --><!----><a href="w">`), reading.Options{Comments: true}),
		[]string{
			`13-14 a@href nav "x" in url "http://a.test/" utf8 / quote='\x00' comment`,
			`36-37 base@href meta "y" in url "http://a.test/" listed utf8 / quote='\x00' comment`,
			`66-67 img@src res "z" in url "http://a.test/" utf8 / quote='\x00' comment`,
			`126-127 a@href nav "w" in url "http://a.test/"`,
		}},
	{"conditional comments",
		with(htmlDoc(`<!--<a href="x">--><!--[if mso]><img src="z"><![endif]--><!--[IF mso]><img src="y"><![EN`+
			`DIF] --><!--[if mso><img src="n"><![endif]--><!--[if mso]><![endif]--><!--[if]><![endif]`+
			`><img src=n>-->`), reading.Options{ConditionalComments: true}),
		[]string{
			`42-43 img@src res "z" in url "http://a.test/" utf8 / quote='\x00' comment`,
			`80-81 img@src res "y" in url "http://a.test/" utf8 / quote='\x00' comment`,
		}},
	{"comments too deep",
		with(htmlDoc(`<iframe srcdoc="<!--<a href=1>-->"></iframe>`), reading.Options{Comments: true}),
		[]string{
			`28-29 a@href nav "1" in url "http://a.test/" utf8 quote='\x00' bare=1 / quote='\x00'` +
				` comment /`,
		}},
	{"settings of blocks",
		with(htmlDoc("<!-- wp:image {\"url\":\"/a.png\",\"n\":\"x\"} --><!-- wp:image/x {\"url\":\"\\/b\"} /--"+
			"><!-- wp: {\"url\":\"/n\"} --><!-- wp:x y {\"url\":\"/n\"} --><!--wp:x{\"url\":\"/n\"}--"+
			"><!-- wp:a }{ --><!--wp:a\t{\"b\":\"/c\"}-->"), reading.Options{Comments: true}),
		[]string{
			`22-28 wp:image@ res "/a.png" in url "http://a.test/" utf8 list=10 token=2 sheet / qu` +
				`ote='\x00' comment`,
			`66-69 wp:image/x@ res "/b" in url "http://a.test/" utf8 list=10 token=2 sheet / quot` +
				`e='\x00' comment`,
			`183-185 wp:a@ res "/c" in url "http://a.test/" utf8 list=12 token=2 sheet / quote='\` +
				`x00' comment`,
		}},
	{"noscript",
		htmlDoc(`<noscript><img src="x"><style>a{b:url(c</noscript)}</style></noscript><noscript><a href=` +
			`"</NOSCRIPT"><iframe srcdoc="<a href='&lt;/noscript'>"></iframe></noscript>`),
		[]string{
			`20-21 img@src res "x"`,
			`38-49 style@ res "c</noscript" token=1 sheet fixed`,
			`89-99 a@href nav "</NOSCRIPT" fixed`,
			`126-139 a@href nav "</noscript" utf8 quote='\'' fixed /`,
		}},
	{"style",
		htmlDoc(`<style>@import "a";b{c:url(d)}</style><style type="TEXT/css ">b{c:url(e)}</style><style ` +
			`type="">b{c:url(f)}</style><style type=x>b{c:url(n)}</style><p style="b:url(g)">`),
		[]string{
			`16-17 style@ res "a" utf8 inner='"' token=1 sheet`,
			`27-28 style@ res "d" token=1 sheet`,
			`70-71 style@ res "e" token=1 sheet`,
			`104-105 style@ res "f" token=1 sheet`,
			`164-165 p@style res "g" utf8 token=1`,
		}},
	{"style of SVG",
		htmlDoc(`<svg><style>a{b:url(c&amp;d)}<!-- x -->e{f:url(g)}<![CDATA[h{i:url("j&amp;")}]]></style>` +
			`<style type="x">a{b:url(n)}</style><style/><a href="k"></svg><style>l{m:url(o)}</style>`),
		[]string{
			`20-27 style@ res "c&d" token=1`,
			`47-48 style@ res "g" token=1`,
			`68-74 style@ res "j&amp;" inner='"' token=1 sheet`,
			`140-141 a@href nav "k"`,
			`164-165 style@ res "o" token=1 sheet`,
		}},
	{"style of SVG with comments",
		with(htmlDoc("<svg><style>a{b:url(c)}</style><!--<a href=d>--></svg>"), reading.Options{Comments: true}),
		[]string{
			`20-21 style@ res "c" in url "http://a.test/" token=1`,
			`43-44 a@href nav "d" in url "http://a.test/" utf8 quote='\x00' bare=1 / quote='\x00'` +
				` comment`,
		}},
	{"dropped tags in a style of SVG",
		htmlDoc("<svg><g><style>a{b:url(c</x>d</>e)}f{g:url(h)}</style></g><style>a{b:url(i</x>j)}</style" +
			"></svg>"),
		[]string{
			`23-33 style@ res "cde" listed unsafe token=1`,
			`43-44 style@ res "h" token=1`,
			`73-79 style@ res "ij" listed unsafe token=1`,
			"23 split-reference",
		}},
	{"broken characters around dropped tags",
		htmlDoc("<svg><style>a{b:url(\xff</x>c)}</style><style>a{b:url(c</x>\xff)}</style></svg>"),
		[]string{
			`20-26 style@ res "�c" listed unsafe broken token=1`,
			`51-57 style@ res "c�" listed unsafe broken token=1`,
			`20 split-reference`,
		}},
	{"math",
		htmlDoc(`<math href="x"><mi xlink:href="y"><annotation-xml encoding="text/html"><a href="z"></ann` +
			`otation-xml></math>`),
		[]string{
			`12-13 math@href nav "x"`,
			`31-32 mi@xlink:href nav "y"`,
			`80-81 a@href nav "z"`,
		}},
	{"script",
		with(htmlDoc(`<script>a="/b";c='/d'</script><script type=module>e="/f"</script><script type=text/x>n="`+
			`/n"</script><script type=importmap>{"imports":{"a":"./g"}}</script><a href="javascript:h`+
			`('/i')" onclick="j('/k')">`), reading.Options{Scripts: true}),
		[]string{
			`11-13 script@ script "/b" in url "http://a.test/" prefix list=12 token=2 sheet`,
			`18-20 script@ script "/d" in url "http://a.test/" prefix list=12 token=2 sheet`,
			`53-55 script@ script "/f" in url "http://a.test/" prefix list=12 token=2 sheet`,
			`140-143 script@ script "./g" in url "http://a.test/" list=16 token=2 sheet`,
			`178-180 a@href script "/i" in url "http://a.test/" prefix list=12 token=3`,
			`196-198 a@onclick script "/k" in url "http://a.test/" prefix list=12 token=2`,
		}},
	{"script data",
		htmlDoc(`<script>a="/n"</script><script type=importmap>{"imports":{"a":"./g"}}</script><script ty` +
			`pe="application/ld+json">{"@context":{"@base":"http://b.test/"},"url":"x"}</script><scri` +
			`pt type=speculationrules>{"prefetch":[{"urls":["y"]}]}</script>`),
		[]string{
			`63-66 script@ script "./g" list=16 token=2 sheet`,
			`159-160 script@ meta "x" in @base "http://b.test/" listed token=2 sheet`,
			`224-225 script@ res "y" listed token=2 sheet`,
		}},
	{"source maps",
		htmlDoc("<script>x\n//# sourceMappingURL=a</script><style>y\n/*# sourceMappingURL=b */</style><sc" +
			"ript type=text/x>x\n//# sourceMappingURL=n</script><script>\n//# sourceMappingURL=</scri" +
			"pt><script>//# sourceMappingURL=c</script><script>//# sourceMappingURL=a b</script>"),
		[]string{
			`31-32 script@ service "a" listed list=19 sheet`,
			`71-72 style@ service "b" listed list=19 sheet`,
			`126-127 script@ service "n" listed list=19 sheet`,
			`204-205 script@ service "c" listed list=19 sheet`,
		}},
	{"source map in an open URL",
		htmlDoc("<style>p{b:url(c/*#sourceMappingURL=d*/</style><script>//@ sourceMappingURL=e\n</script>"),
		[]string{
			`15-39 style@ res "c/*#sourceMappingURL=d*/" token=1 sheet`,
			`76-77 script@ service "e" listed list=19 sheet`,
		}},
	{"lazy",
		with(htmlDoc(`<img data-src="x" src="y"><a data-href="z" data-x='{"a":"/b"}'><embed href="c"><meta pro`+
			`perty="og:image" content="d">`), reading.Options{Lazy: true}),
		[]string{
			`15-16 img@data-src res "x" in url "http://a.test/"`,
			`23-24 img@src res "y" in url "http://a.test/"`,
			`40-41 a@data-href nav "z" in url "http://a.test/"`,
			`57-59 a@data-x res "/b" in url "http://a.test/" quote='\'' list=12 token=2`,
			`76-77 embed@href res "c" in url "http://a.test/"`,
			`114-115 meta@content meta "d" in url "http://a.test/"`,
		}},
	{"not lazy",
		htmlDoc(`<img data-src="x" src="y"><embed href="c"><meta property="og:image" content="d"><img src` +
			`set="a 1x, {{b}}, c">`),
		[]string{
			`23-24 img@src res "y"`,
			`39-40 embed@href res "c" listed`,
			`77-78 meta@content meta "d" listed`,
			`93-94 img@srcset res "a" list=3`,
			`99-104 img@srcset res "{{b}}" template list=3`,
			`106-107 img@srcset res "c" list=3`,
		}},
	{"meta",
		htmlDoc(`<meta name="twitter:image" content="x"><meta name=" Twitter:URL " content="y"><meta name` +
			`="msapplication-TileImage" content="z"><meta itemprop="url" content="w"><meta itemprop="` +
			`image" content="http://a.test/"><meta name=author content=n>`),
		[]string{
			`36-37 meta@content meta "x"`,
			`75-76 meta@content meta "y"`,
			`124-125 meta@content res "z"`,
			`157-158 meta@content meta "w" listed`,
			`192-206 meta@content meta "http://a.test/" listed list=10`,
		}},
	{"conditions",
		htmlDoc(`<input src="n"><input type=IMAGE src="x"><input type=text src="n"><link href="n" rel=x><` +
			`link rel="Stylesheet" href="y"><param name=x value=n><param name=x value=y valuetype=REF>`),
		[]string{
			`12-13 input@src res "n"`,
			`38-39 input@src res "x"`,
			`63-64 input@src res "n"`,
			`78-79 link@href nav "n" rel="x"`,
			`116-117 link@href res "y" rel="Stylesheet"`,
			`161-162 param@value plugin "y" listed quote='\x00' bare=1`,
		}},
	{"names",
		htmlDoc(`<html xmlns="http://www.w3.org/1999/xhtml" xmlns:v="urn:x" xmlns:w="y" xmlns:="urn:z" xm` +
			`lns:u="a&#58;//b"><p itemtype="a b" itemid="c" property="d:e" typeof="http://f.test/" ab` +
			`out="[g:h]" resource="i">`),
		[]string{
			`13-41 html@xmlns identifier "http://www.w3.org/1999/xhtml" identifier listed absolut` +
				`e list=1`,
			`52-57 html@xmlns:v identifier "urn:x" identifier listed absolute list=1`,
			`95-104 html@xmlns:u identifier "a://b" identifier listed absolute list=1`,
			`119-120 p@itemtype identifier "a" identifier listed absolute list=1`,
			`121-122 p@itemtype identifier "b" identifier listed absolute list=1`,
			`132-133 p@itemid identifier "c" identifier listed`,
			`158-172 p@typeof identifier "http://f.test/" identifier listed absolute list=1`,
			`198-199 p@resource identifier "i" identifier listed`,
		}},
	{"prefixes",
		htmlDoc(`<p prefix="a: http://b.test/ c: d"><p vocab="http://e.test/">`),
		[]string{
			`14-28 p@prefix identifier "http://b.test/" identifier listed absolute list=1`,
			`45-59 p@vocab identifier "http://e.test/" identifier listed absolute list=1`,
		}},
	{"URIs of names",
		htmlDoc(`<p x-y="http://n.test/" xmlns:a="n:x" xmlns:b="URN:y" xmlns:c="&#117;rn:z" xmlns:d="q" x` +
			`mlns:e=":" xmlns:f="u:/"><p typeof="foaf:Person http://f.test/#g" rel="h">`),
		[]string{
			`47-52 p@xmlns:b identifier "URN:y" identifier listed absolute list=1`,
			`63-73 p@xmlns:c identifier "urn:z" identifier listed absolute list=1`,
			`136-152 p@typeof identifier "http://f.test/#g" rel="h" identifier listed absolute list=1`,
		}},
	{"ping",
		htmlDoc("<a href=\"x\" ping=\"a  b\tc\"><area ping=\"\">"),
		[]string{
			`9-10 a@href nav "x"`,
			`18-19 a@ping ping "a" list=1`,
			`21-22 a@ping ping "b" list=1`,
			`23-24 a@ping ping "c" list=1`,
		}},
	{"element names",
		htmlDoc(`<A HREF="x"><IMG SRC="y"><Custom-Element src="z"><x:y href="n"><amp-img src="w"><imaGe s` +
			`rc="v">`),
		[]string{
			`9-10 a@href nav "x"`,
			`22-23 img@src res "y"`,
			`77-78 amp-img@src res "w"`,
			`92-93 img@src res "v"`,
		}},
	{"sheet",
		with(sheetDoc("\xef\xbb\xbf@import \x22a\x22 x;@import url(b);c{d:url(\x22e\x5c66\x22) url('f g')}@name"+
			"space \x22h\x22;"), reading.Options{}),
		[]string{
			`12-13 @ res "a" in url "http://a.test/" utf8 inner='"' token=1 sheet`,
			`29-30 @ res "b" in url "http://a.test/" utf8 token=1 sheet`,
			`41-45 @ res "ef" in url "http://a.test/" inner='"' token=1 sheet`,
			`53-56 @ res "f g" in url "http://a.test/" inner='\'' token=1 sheet`,
			`71-72 @ identifier "h" in url "http://a.test/" identifier inner='"' token=1 sheet`,
		}},
	{"sheet with a source map",
		with(sheetDoc("a{b:url(c)}\n/*# sourceMappingURL=d.map */ \n"), reading.Options{}),
		[]string{
			`8-9 @ res "c" in url "http://a.test/" token=1 sheet`,
			`33-38 @ service "d.map" in url "http://a.test/" listed list=19 sheet`,
		}},
	{"sheet with an open URL",
		with(sheetDoc("a{b:url(c/*# sourceMappingURL=d*/"), reading.Options{}),
		[]string{
			`30-31 @ service "d" in url "http://a.test/" listed list=19 sheet`,
		}},
	{"no source map",
		with(sheetDoc(`/*# sourceMappingURL=a"b*/`), reading.Options{}),
		nil},
	{"empty source map",
		with(sheetDoc("/*# sourceMappingURL= */"), reading.Options{}),
		nil},
	{"source map and blanks",
		with(sheetDoc("/*@\t sourceMappingURL=a\t*/"), reading.Options{}),
		[]string{
			`22-23 @ service "a" in url "http://a.test/" listed list=19 sheet`,
		}},
	{"loaders",
		with(sheetDoc("a{b:AlphaImageLoader(src='c')}"), reading.Options{Scripts: true}),
		[]string{
			`26-27 @ res "c" in url "http://a.test/" inner='\'' token=1 sheet`,
		}},
	{"manifest",
		with(manifestDoc(`{"id":"i","scope":"a","start_url":"b\/c","icons":[{"src":"d","x":"n"}],"share_target":{"`+
			`action":"e"},"n":{"scope":"n"},"shortcuts":[{"url":"f","icons":[{"src":"g"}]}],"related_`+
			`applications":[{"url":"h"}],"$schema":"j"}`), reading.Options{}),
		[]string{
			`7-8 @ identifier "i" layer=-1 identifier listed absolute token=2 sheet`,
			`19-20 @ nav "a" in url "http://a.test/" token=2 sheet`,
			`35-39 @ nav "b/c" in url "http://a.test/" token=2 sheet`,
			`58-59 @ res "d" in url "http://a.test/" token=2 sheet`,
			`97-98 @ form "e" in url "http://a.test/" token=2 sheet`,
			`140-141 @ nav "f" in url "http://a.test/" token=2 sheet`,
			`160-161 @ res "g" in url "http://a.test/" token=2 sheet`,
			`199-200 @ nav "h" in url "http://a.test/" token=2 sheet`,
			`215-216 @ identifier "j" layer=-1 identifier listed absolute token=2 sheet`,
		}},
	{"array as a manifest",
		with(manifestDoc(`["start_url","x"]`), reading.Options{}),
		nil},
	{"string as a manifest",
		with(manifestDoc(`"start_url"`), reading.Options{}),
		nil},
	{"script alone",
		with(scriptDoc("a=\"/b\"\n//# sourceMappingURL=c.map"), reading.Options{Scripts: true}),
		[]string{
			`3-5 @ script "/b" in url "http://a.test/" prefix list=12 token=2 sheet`,
			`28-33 @ service "c.map" in url "http://a.test/" listed list=19 sheet`,
		}},
	{"script alone, not read",
		with(scriptDoc("\xef\xbb\xbfa=\x22/b\x22\n//# sourceMappingURL=c.map"), reading.Options{}),
		[]string{
			`31-36 @ service "c.map" in url "http://a.test/" listed list=19 sheet`,
		}},
	{"shortest script with a map",
		with(scriptDoc("//# sourceMappingURL=c"), reading.Options{}),
		[]string{
			`21-22 @ service "c" in url "http://a.test/" listed list=19 sheet`,
		}},
}

// with returns d with options.
func with(d *readingtest.Doc, o reading.Options) *readingtest.Doc {
	d.Options = o
	d.Layer = &base.Layer{Source: base.URL, Value: "http://a.test/"}
	return d
}

func TestShapes(t *testing.T) {
	for _, tt := range shapes {
		tt.doc.Check(t, tt.name, tt.want)
	}
}
