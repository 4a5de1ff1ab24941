package reading_test

import (
	"testing"

	"absolink/extract/internal/charset"
	"absolink/extract/internal/lines"
	"absolink/extract/internal/page"
	"absolink/extract/internal/place"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/readingtest"
	"absolink/extract/internal/xml"
)

// made are documents with all their references and problems.
var made = []struct {
	name string
	doc  *readingtest.Doc
	want []string
}{
	{"URLs",
		markupOf(`<a href=" x ">`, reading.Options{}),
		[]string{
			`9-12 a@href nav " x "`,
		}},
	{"script URLs",
		markupOf(`<a href="javascript:f('/a')"><a href="x"><a href="javascript:g('/b'+c)">`,
			reading.Options{Scripts: true}),
		[]string{
			`23-25 a@href script "/a" prefix list=12 token=3`,
			`38-39 a@href nav "x"`,
			`50-70 a@href nav "javascript:g('/b'+c)"`,
		}},
	{"lists",
		markupOf(`<img srcset="a 1x,b 2x"><object archive="c d"><applet archive="e, f"><a ping="g  h">`,
			reading.Options{}),
		[]string{
			`13-14 img@srcset res "a" list=3`,
			`18-19 img@srcset res "b" list=3`,
			`41-42 object@archive res "c" list=1`,
			`43-44 object@archive res "d" list=1`,
			`63-64 applet@archive res "e" list=2`,
			`66-67 applet@archive res "f" list=2`,
			`78-79 a@ping ping "g" list=1`,
			`81-82 a@ping ping "h" list=1`,
		}},
	{"pieces of templates in lists",
		markupOf(`<img srcset="a 1x, {{ b }}, c {{d}}, e"><object archive="f {{ g }} h {{i}}j k"><`+
			`a href="{{ l }}">`, reading.Options{}),
		[]string{
			`13-14 img@srcset res "a" list=3`,
			`19-21 img@srcset res "{{" template list=3`,
			`28-29 img@srcset res "c" list=3`,
			`37-38 img@srcset res "e" list=3`,
			`57-58 object@archive res "f" list=1`,
			`59-61 object@archive res "{{" template list=1`,
			`62-63 object@archive res "g" template list=1`,
			`64-66 object@archive res "}}" template list=1`,
			`67-68 object@archive res "h" list=1`,
			`69-75 object@archive res "{{i}}j" template list=1`,
			`76-77 object@archive res "k" list=1`,
			`88-95 a@href nav "{{ l }}"`,
		}},
	{"bare parts",
		markupOf("<img srcset=a,b><a ping=c><p style=b:url(d)>", reading.Options{}),
		[]string{
			`12-15 img@srcset res "a,b" quote='\x00' list=3 bare=1`,
			`24-25 a@ping ping "c" quote='\x00' list=1 bare=1`,
			`41-42 p@style res "d" utf8 quote='\x00' token=1 bare=2`,
		}},
	{"tokens of CSS",
		markupOf("<p style=\"b:url(c\\29 d)\" title><p style=\"b:url(&quot;e\\66&quot;)\"><style>f"+
			"{g:url('h\\\ni')}</style>", reading.Options{}),
		[]string{
			`16-22 p@style res "c)d" utf8 token=1`,
			`53-57 p@style res "ef" utf8 inner='"' token=1`,
			`82-86 style@ res "hi" inner='\'' token=1 sheet`,
		}},
	{"broken tokens of CSS",
		markupOf("<p style=\x22b:url(\xff\x5c66)\x22><style>a{b:url(\xc3\x5c66)}</style>", reading.Options{}),
		[]string{
			"16-20 p@style res \"\ufffdf\" broken utf8 token=1",
			"38-42 style@ res \"\ufffdf\" broken token=1 sheet",
		}},
	{"links of a meta",
		markupOf(`<meta http-equiv=link content="&lt;a>; rel=next, &lt;b>"><a href=c>`, reading.Options{}),
		[]string{
			`35-36 meta@content service "a" listed list=11`,
			`53-54 meta@content service "b" listed list=11`,
			`65-66 a@href nav "c" quote='\x00' bare=1`,
		}},
	{"linked data",
		markupOf(`<script type="application/ld+json">{"@context":{"@base":"http://b.test/"},"url":`+
			`"x","@id":"y"}</script><a href=z>`, reading.Options{}),
		[]string{
			`81-82 script@ meta "x" in @base "http://b.test/" listed token=2 sheet`,
			`91-92 script@ meta "y" in @base "http://b.test/" listed token=2 sheet`,
			`111-112 a@href nav "z" quote='\x00' bare=1`,
		}},
	{"linked data without a base",
		markupOf(`<script type="application/ld+json">{"url":"x"}</script>`, reading.Options{}),
		[]string{
			`43-44 script@ meta "x" listed token=2 sheet`,
		}},
	{"hosts that are names",
		markupOf(`<meta property="og:image" content="example.org"><embed href="www.example.org">`,
			reading.Options{Lazy: true}),
		[]string{
			`35-46 meta@content meta "example.org"`,
			`61-76 embed@href res "www.example.org"`,
		}},
	{"hosts that are names, listed",
		markupOf(`<meta property="og:image" content="example.org"><embed href=" www.example.org ">`+
			`<embed href="x">`, reading.Options{}),
		[]string{
			`35-46 meta@content meta "example.org" listed`,
			`61-78 embed@href res " www.example.org " listed doubtful`,
			`93-94 embed@href res "x" listed`,
		}},
	{"open references before",
		markupOf(`<img srcset="&amp,b 1x, &lt=c 2x, d&comma"><p style="a:&#65url(b)"><a href="&ampx">`,
			reading.Options{}),
		[]string{
			`13-19 img@srcset res "&,b" list=3`,
			`24-29 img@srcset res "&lt=c" list=3`,
			`34-41 img@srcset res "d&comma" list=3`,
			`76-81 a@href nav "&ampx"`,
		}},
	{"open references outward",
		markupOf(`<iframe srcdoc="<img srcset='&amp;ampx,b 1x,&amp,c 2x'>"></iframe><iframe srcdoc`+
			`="<img srcset='x&#44y'>"></iframe>`, reading.Options{}),
		[]string{
			`29-40 img@srcset res "&ampx,b" utf8 quote='\'' list=3 /`,
			`44-50 img@srcset res "&,c" utf8 quote='\'' list=3 /`,
			`95-101 img@srcset res "x,y" utf8 quote='\'' list=3 /`,
		}},
	{"classes",
		markupOf(`<object classid="clsid:x" data="clsid:y"><object classid="x">`, reading.Options{}),
		[]string{
			`17-24 object@classid plugin "clsid:x" identifier`,
			`32-39 object@data res "clsid:y"`,
			`58-59 object@classid plugin "x"`,
		}},
	{"noscript",
		markupOf(`<noscript><a href="&lt;/noscript"><a href="x"><a href="</NOSCRIPT y"></noscript>`+
			`<a href="</noscript">`, reading.Options{}),
		[]string{
			`19-32 a@href nav "</noscript" fixed`,
			`43-44 a@href nav "x"`,
			`55-67 a@href nav "</NOSCRIPT y" fixed`,
			`89-99 a@href nav "</noscript" fixed`,
		}},
	{"dropped tags",
		markupOf("<svg><style>a{b:url(c</i>d)}</g>e{f:url(g)}</h></style>", reading.Options{}),
		[]string{
			`20-26 style@ res "cd" listed unsafe token=1`,
			`40-41 style@ res "g" token=1`,
			"20 split-reference",
		}},
	{"fixed strings of scripts",
		markupOf(`<script>a="/b<!--c";d="/e</s"</script><p onclick="f('/g<!--h')">`, reading.Options{Scripts: true}),
		nil},
	{"joined strings",
		markupOf(`<script>a="http://b.test/"+c;d="/e"+f;g=h+"/i"</script>`, reading.Options{Scripts: true}),
		[]string{
			`11-25 script@ script "http://b.test/" joined prefix list=13 token=2 sheet`,
		}},
	{"names",
		markupOf(`<p itemtype="a://b c" itemid="d"><link rel="schema.DC" href="e">`, reading.Options{}),
		[]string{
			`13-18 p@itemtype identifier "a://b" identifier listed absolute list=1`,
			`19-20 p@itemtype identifier "c" identifier listed absolute list=1`,
			`30-31 p@itemid identifier "d" identifier listed`,
			`61-62 link@href identifier "e" rel="schema.DC" identifier`,
		}},
	{"elements of many names",
		markupOf("<x\x00y itemid=\x22z\x22><AMP-X src=\x22w\x22>", reading.Options{}),
		[]string{
			"13-14 x\ufffdy@itemid identifier \"z\" identifier listed",
			`28-29 amp-x@src res "w"`,
		}},
	{"windows-1252",
		inCharset("<a href=\x22\xe9\x22><a href=\x22\xe9&amp;\x22><style>a{b:url(\xe9)}</style><scr"+
			"ipt type=importmap>{\x22imports\x22:{\x22./\xe9\x22:\x22./\xe9\x22}}</script>", "windows-1252"),
		[]string{
			"9-10 a@href nav \"\u00e9\"",
			"21-27 a@href nav \"\u00e9&\"",
			"44-45 style@ res \"\u00e9\" token=1 sheet",
			"91-94 script@ script \"./\u00e9\" listed list=17 token=2 sheet",
			"97-100 script@ script \"./\u00e9\" list=16 token=2 sheet",
		}},
	{"Shift JIS",
		inCharset("<a href=\x22\x83\x5c\x22><img srcset=\x22\x83\x5c 1x,b 2x\x22>", "shift_jis"),
		[]string{
			"9-11 a@href nav \"\u30bd\"",
			"26-28 img@srcset res \"\u30bd\" list=3",
			`32-33 img@srcset res "b" list=3`,
		}},
	{"ISO-2022-JP",
		inCharset("\x1b(J<a href=\x22x\x22><a href=\x22\x1b(Jy\x22>", "iso-2022-jp"),
		[]string{
			`12-13 a@href nav "x" roman=3`,
			`27-28 a@href nav "y" listed unsafe roman=3`,
			"27 shifted-reference",
		}},
	{"an import cut off in ISO-2022-JP",
		inCharset("<style>@import \x22\x1b$BF|K\x5c", "iso-2022-jp"),
		[]string{
			"16-23 style@ res \"\u65e5\u672c\" listed unsafe utf8 inner='\"' token=1 sheet",
			"16 shifted-reference",
		}},
	{"UTF-16",
		inCharset("\xff\xfe<\x00a\x00 \x00h\x00r\x00e\x00f\x00=\x00x\x00>\x00", "utf-16le"),
		[]string{
			`18-20 a@href nav "x" quote='\x00' bare=1 / quote='\x00' wide=1 sheet`,
		}},
	{"open references before parts",
		markupOf(`<img srcset="a 1x&#44b 2x&#x2cc 3x&#44;d"><p style="a:url&lparb)"><p style="a:ur`+
			`l(&quotc)">`, reading.Options{}),
		[]string{
			`13-14 img@srcset res "a" list=3`,
			`21-22 img@srcset res "b" list=3 open=1`,
			`39-40 img@srcset res "d" list=3`,
			`82-88 p@style res "&quotc" utf8 token=1`,
		}},
	{"open references of documents around",
		markupOf(`<iframe srcdoc="<a href=&quotx><img srcset='a 1x&#44b,c 2x&amp;#44d'>"></iframe>`+
			`<iframe srcdoc="<a href=x><a href=y>"></iframe>`, reading.Options{}),
		[]string{
			`24-30 a@href nav "&quotx" utf8 quote='\x00' bare=1 /`,
			`44-45 img@srcset res "a" utf8 quote='\'' list=3 /`,
			`52-55 img@srcset res "b,c" utf8 quote='\'' list=3 open=2 /`,
			`66-67 img@srcset res "d" utf8 quote='\'' list=3 open=1 /`,
			`104-105 a@href nav "x" utf8 quote='\x00' bare=1 /`,
			`114-115 a@href nav "y" utf8 quote='\x00' bare=1 /`,
		}},
	{"fields",
		fieldsOf("Link: <a>; rel=next, <b>\nLocation: c\n"),
		[]string{
			`7-8 header@link nav "a" rel="next" listed list=11 sheet`,
			`22-23 header@link nav "b" listed list=11 sheet`,
			`35-36 header@location nav "c" listed list=11 sheet`,
		}},
	{"attributes of XML",
		xmlOf(`<a xlink:href="b&amp;c" rel="n"><style xmlns="http://www.w3.org/1999/xhtml">d{e:` +
			`url(f\66)}</style></a>`),
		[]string{
			`15-22 a@xlink:href nav "b&c" rel="n" xml`,
			`46-74 style@xmlns identifier "http://www.w3.org/1999/xhtml" identifier liste` +
				`d absolute list=1 xml`,
			`84-88 style@ res "ff" token=1 xml`,
		}},
	{"XML",
		xmlOf(`<rss><channel><link>a</link><description>&lt;img srcset="b 1x, c 2x"></descripti` +
			`on></channel></rss>`),
		[]string{
			`20-21 link@ nav "a" xml`,
			`57-58 img@srcset res "b" in feed-link "a" utf8 list=3 / xml`,
			`63-64 img@srcset res "c" in feed-link "a" utf8 list=3 / xml`,
		}},
	{"parts of pieces of XML",
		xmlOf(`<rss><channel><description>&lt;img srcset="b<![CDATA[ 1x, c]]>d 2x"></descriptio` +
			`n></channel></rss>`),
		[]string{
			`43-44 img@srcset res "b" utf8 list=3 / xml`,
			`58-63 img@srcset res "cd" listed unsafe utf8 list=3 cdata / xml`,
			"58 split-reference",
		}},
}

// markupOf returns a document of HTML that is read with options.
func markupOf(s string, o reading.Options) *readingtest.Doc {
	return &readingtest.Doc{Data: []byte(s), Charset: "utf-8", Find: (*page.Finder).HTML, Options: o}
}

// inCharset returns a document like markupOf, in a charset.
func inCharset(s, name string) *readingtest.Doc {
	d := markupOf(s, reading.Options{})
	d.Charset = name
	return d
}

// xmlOf returns a document of XML, whose elements are those of feeds.
func xmlOf(s string) *readingtest.Doc {
	return &readingtest.Doc{Data: []byte(s), Declared: charset.InXML, Find: func(f *page.Finder) {
		new(xml.Reader).Read(f, place.RSSSpace)
	}}
}

// fieldsOf returns a heading.
func fieldsOf(s string) *readingtest.Doc {
	return &readingtest.Doc{Data: []byte(s), Charset: "utf-8", Find: func(f *page.Finder) { lines.Heading(&f.Text) }}
}

func TestMaker(t *testing.T) {
	for _, tt := range made {
		tt.doc.Check(t, tt.name, tt.want)
	}
}
