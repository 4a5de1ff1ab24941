package lines_test

import (
	"testing"

	"absolink/base"
	"absolink/extract/internal/readingtest"
)

// shapes are documents with all their references.
var shapes = []struct {
	name string
	doc  *readingtest.Doc
	want []string
}{
	{"plain",
		plain("see <http://a.test/b-\nc>, http://d.test/日本 and http://e.test/f."),
		[]string{
			`5-23 @ nav "http://a.test/b-c" listed hyphen list=11 sheet`,
			`26-40 @ nav "http://d.test/" listed unclear list=11 sheet`,
			`51-66 @ nav "http://e.test/f" listed list=11 sheet`,
		}},
	{"plain with hosts",
		withHosts(plain("see www.a.test/b or (www.c.test).")),
		[]string{
			`4-16 @ nav "http://www.a.test/b" listed doubtful list=11 sheet`,
			`21-31 @ nav "http://www.c.test" listed doubtful list=11 sheet`,
		}},
	{"plain, broken",
		charsetOf(plain("\xff http://a.test/\xff"), "utf-8"),
		[]string{
			`2-16 @ nav "http://a.test/" listed broken unclear list=11 sheet`,
		}},
	{"flowed",
		flowed("> <http://a.test/b \r\n> c> x\r\n>> http://d.test/\r\n", false),
		[]string{
			`3-24 @ nav "http://a.test/bc" listed list=11 sheet`,
			`32-46 @ nav "http://d.test/" listed list=11 sheet`,
		}},
	{"flowed, broken",
		charsetOf(flowed("a \xff \nb http://c.test/ \nd", true), "utf-8"),
		[]string{
			`7-24 @ nav "http://c.test/d" listed broken list=11 sheet`,
		}},
	{"flowed at its ends",
		flowed("http://a.test/ \nb \n\n> \n http://c.test/ \n>d\n>> e \n-- \nhttp://f.test/ \n -- \ng", true),
		[]string{
			`0-17 @ nav "http://a.test/b" listed list=11 sheet`,
			`24-38 @ nav "http://c.test/" listed list=11 sheet`,
			`53-67 @ nav "http://f.test/" listed list=11 sheet`,
		}},
	{"enriched",
		enriched("<bold>http://a.test/b</bold> <<http://c.test/> <lt>http://d.test/<nl>e <np>http:" +
			"//f.test/</x-yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy>g <x-yyyy" +
			"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy>http://h.test/<x-yyyyyyyy" +
			"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy>"),
		[]string{
			`6-21 @ nav "http://a.test/b" listed list=11 sheet`,
			`31-45 @ nav "http://c.test/" listed list=11 sheet`,
			`51-65 @ nav "http://d.test/" listed list=11 sheet`,
			`75-152 @ nav "http://f.test/g" listed list=11 sheet`,
			`215-229 @ nav "http://h.test/" listed list=11 sheet`,
		}},
	{"enriched, hidden",
		enriched("<param>http://n.test/</param><comment>http://n.test/</bold></comment>http://a.te" +
			"st/<comment>http://b.test/<param>x</param>"),
		[]string{
			`69-106 @ nav "http://a.test/http://b.test/" listed list=11 sheet`,
		}},
	{"enriched, hidden twice",
		enriched("<param>a<param>http://b.test/<comment>c</comment>"),
		[]string{
			`15-29 @ nav "http://b.test/" listed list=11 sheet`,
		}},
	{"enriched, broken",
		charsetOf(enriched("\xff<bold>http://a.test/</bold>\xff"), "utf-8"),
		[]string{
			`7-21 @ nav "http://a.test/" listed broken unclear list=11 sheet`,
		}},
	{"enriched, cut off",
		enriched("http://a.test/<"),
		[]string{
			`0-14 @ nav "http://a.test/" listed list=11 sheet`,
		}},
	{"robots",
		robots("Sitemap: /a.xml\nx http://b.test/\nsitemap : c.xml # d\r\nSitemap: e.test/f\nSit" +
			"emap: ./g.h/i\nSitemap: \"j\"\nSitemap: .."),
		[]string{
			`9-15 @ nav "/a.xml" listed list=11 sheet`,
			`18-32 @ nav "http://b.test/" listed list=11 sheet`,
			`43-48 @ nav "c.xml" listed list=11 sheet`,
			`81-88 @ nav "./g.h/i" listed list=11 sheet`,
			`111-113 @ nav ".." listed list=11 sheet`,
		}},
	{"fields",
		inEntity(heading("Content-Location: \"a b\" (c)\r\nContent-Base: http://b.test/\r\nX-URL: see http" +
			"://c.test/d\r\n e\r\nList-Help: <f>, <mailto:g@h.test>\r\nArchived-At: i\r\nLoca" +
			"tion: j\r\nReferer: k\r\nX-Report-Abuse: l http://m.test/ n-\r\n")),
		[]string{
			`19-22 header@content-location meta "ab" layer=-2 in content-base "http://b.t` +
				`est/" listed list=11 sheet`,
			`43-57 header@content-base meta "http://b.test/" layer=-1 listed absolute lis` +
				`t=11 sheet`,
			`70-85 header@x-url meta "http://c.test/d" layer=-3 in content-base "http://b` +
				`.test/" listed list=11 sheet`,
			`103-104 header@list-help nav "f" layer=-3 in content-base "http://b.test/" l` +
				`isted list=11 sheet`,
			`108-123 header@list-help nav "mailto:g@h.test" layer=-3 in content-base "htt` +
				`p://b.test/" listed list=11 sheet`,
			`139-140 header@archived-at nav "i" layer=-3 in content-base "http://b.test/"` +
				` listed list=11 sheet`,
			`152-153 header@location nav "j" in content-base "http://b.test/" in content-` +
				`location "http://l.test/" listed list=11 sheet`,
			`164-165 header@referer identifier "k" layer=-1 identifier listed absolute li` +
				`st=11 sheet`,
			`185-199 header@x-report-abuse nav "http://m.test/" layer=-1 listed absolute ` +
				`list=11 sheet`,
		}},
	{"fields without layers",
		heading("Content-Location: a\nLocation : b\n\t c\nList-Help : <d>\n x: y\nX-URL:e\n:f\nURL\n"),
		[]string{
			`18-19 header@content-location meta "a" layer=-2 listed list=11 sheet`,
			`31-36 header@location nav "b\t c" listed list=11 sheet`,
			`50-51 header@list-help nav "d" layer=-3 listed list=11 sheet`,
			`65-66 header@x-url meta "e" layer=-3 listed list=11 sheet`,
		}},
	{"fields with CR",
		heading("Location: a\rb\rX-URL: c\r"),
		[]string{
			`10-11 header@location nav "a" listed list=11 sheet`,
			`21-22 header@x-url meta "c" layer=-3 listed list=11 sheet`,
		}},
	{"fields with CR and LF",
		heading("Location: a\rb\nX-URL: c\n"),
		[]string{
			`10-13 header@location nav "ab" listed list=11 sheet`,
			`21-22 header@x-url meta "c" layer=-3 listed list=11 sheet`,
		}},
	{"content types",
		heading("Content-Type: message/external-body; access-type=url; url=\"a\"\nContent-Type:\t" +
			"MESSAGE/external-body; access-type=URL; url=b\nContent-Type: text/external-body;" +
			" access-type=url; url=n\nContent-Type: \nContent-Type: (c) message/external-body" +
			"; access-type=url; url=d\nContent-Type:  message/external-body; access-type=url;" +
			" url=e\n"),
		[]string{
			`59-60 header@content-type res "a" listed list=11 sheet`,
			`120-121 header@content-type res "b" listed list=11 sheet`,
			`318-319 header@content-type res "e" listed list=11 sheet`,
		}},
	{"fields in Latin-1",
		heading("Link: </\xe9>; rel=\xe8\nLocation: /\xc3\xa9\nX-URL: =?iso-8859-1?q?/=E9?= \xe9\n"),
		[]string{
			"7-9 header@link nav \"/é\" rel=\"è\" listed list=11 sheet",
			"28-31 header@location nav \"/é\" listed list=11 sheet",
			"39-62 header@x-url meta \"/éé\" layer=-3 listed list=11 sheet",
		}},
	{"fields in UTF-8",
		charsetOf(heading("Link: </\xe9>\nLocation: /\xc3\xa9\n"), "utf-8"),
		[]string{
			"7-9 header@link nav \"/�\" listed broken list=11 sheet",
			"21-24 header@location nav \"/é\" listed list=11 sheet",
		}},
	{"encoded words",
		heading("X-URL: =?utf-8?q?a=5Fb?= =?utf-8?q?c?=\nX-URL: x=?utf-8?q?n?=\nX-URL: \"=?utf-8?" +
			"Q?d?=\"\nX-URL: =?utf-8?b?ZQ?=\nX-URL: =?utf-8?b?ZQ==?=\nX-URL: =?utf-8?b?!?=\nX" +
			"-URL: =?utf-8?x?n?=\nX-URL: =?utf-8?qq?n?=\nX-URL: =??q?n?=\nX-URL: =?utf-8?q?n" +
			"\nX-URL: =?utf-8?q\nX-URL: =?utf-8?q?a=4?=\nX-URL: =?utf-8?q?a=4g=g4?=\nX-URL: =" +
			"?utf-8?q?=C3=A9?=\nX-URL: =?utf-8*en?q?f?=\nX-URL: =?iso-2022-jp?q?=1B$BF|=1B(B?" +
			"=\nX-URL: =?utf-16?q?=E9?=\nX-URL: =?utf-16?q?g?=\nX-URL: =?shift_jis?q?=81?=\nX" +
			"-URL: =?utf-8?q?h?=\n =?utf-8?q?i?=\n j\nX-URL: <=?utf-8?q?k?=,=?utf-8?q?l?=>\n"),
		[]string{
			`7-38 header@x-url meta "a_bc" layer=-3 listed list=11 sheet`,
			`46-60 header@x-url meta "x=?utf-8?q?n?=" layer=-3 listed list=11 sheet`,
			`69-82 header@x-url meta "d" layer=-3 listed list=11 sheet`,
			`91-105 header@x-url meta "e" layer=-3 listed list=11 sheet`,
			`113-129 header@x-url meta "e" layer=-3 listed list=11 sheet`,
			`158-171 header@x-url meta "=?utf-8?x?n?=" layer=-3 listed list=11 sheet`,
			`179-193 header@x-url meta "=?utf-8?qq?n?=" layer=-3 listed list=11 sheet`,
			`201-209 header@x-url meta "=??q?n?=" layer=-3 listed list=11 sheet`,
			`217-228 header@x-url meta "=?utf-8?q?n" layer=-3 listed list=11 sheet`,
			`236-245 header@x-url meta "=?utf-8?q" layer=-3 listed list=11 sheet`,
			`253-268 header@x-url meta "a=4" layer=-3 listed list=11 sheet`,
			`276-295 header@x-url meta "a=4g=g4" layer=-3 listed list=11 sheet`,
			"303-321 header@x-url meta \"é\" layer=-3 listed list=11 sheet",
			`329-345 header@x-url meta "f" layer=-3 listed list=11 sheet`,
			"353-383 header@x-url meta \"日\" layer=-3 listed list=11 sheet",
			"391-407 header@x-url meta \"�\" layer=-3 listed list=11 sheet",
			`415-429 header@x-url meta "g" layer=-3 listed list=11 sheet`,
			`464-495 header@x-url meta "hij" layer=-3 listed list=11 sheet`,
			`504-531 header@x-url meta "k,l" layer=-3 listed list=11 sheet`,
		}},
	{"calendar",
		calendar("URL:http://a.test/\r\nATTACH:cid:x\r\nIMAGE:n\r\nIMAGE:b+c-d.e1:f\r\nIMAGE:1b:n" +
			"\r\nIMAGE:b_c:n\r\nIMAGE:b:n\r\nIMAGE:{a:n\r\nIMAGE:@a:n\r\nIMAGE:Za:y\r\nIMAGE:" +
			"az:y\r\nIMAGE:a{:n\r\n"),
		[]string{
			`4-18 calendar@url nav "http://a.test/" layer=-1 listed absolute list=11 sheet`,
			`27-32 calendar@attach res "cid:x" layer=-1 listed absolute list=11 sheet`,
			`49-59 calendar@image res "b+c-d.e1:f" layer=-1 listed absolute list=11 sheet`,
			`127-131 calendar@image res "Za:y" layer=-1 listed absolute list=11 sheet`,
			`139-143 calendar@image res "az:y" layer=-1 listed absolute list=11 sheet`,
		}},
	{"parameters",
		calendar("SUMMARY;ALTREP=\"http://a.test/^n^'^^^x\";DIR=http://b.test/,\"http://c.test/\"," +
			";MEMBER=\" d:e \",\"f:g:n:x\r\nX-A;ALTREP=aa:b;ALTREP=\"\":c\r\nX-B;LINKREL=\"aa" +
			":b\":c\r\n"),
		[]string{
			`16-38 summary@altrep nav "http://a.test/\n\"^^x" layer=-1 listed absolute li` +
				`st=11 sheet`,
			`60-74 calendar@summary nav "http://c.test/" layer=-1 listed absolute list=11 sheet`,
			`144-148 x-b@linkrel identifier "aa:b" layer=-1 identifier listed absolute li` +
				`st=11 sheet`,
		}},
	{"one quote",
		calendar("SUMMARY;ALTREP=\":x\r\nSUMMARY;ALTREP=\"aa:b\"c:d\r\nSUMMARY;ALTREP=aa:\"b\":d\r\n"),
		nil},
	{"values of parameters",
		calendar("X-A;VALUE=URI:b\r\nX-B;VALUE=\" url \":c\r\nX-C;VALUE=\"URL\":n\r\nX-D;VALUE=cal" +
			"-address:d\r\nX-E;VALUE=text:e http://f.test/\r\nURL;VALUE=URI:g\r\nURL;VALUE=x:" +
			"n\r\nURL;VALUE=x:hh:i\r\nURL;VALUE=BINARY:n\r\nURL;VALUE=inline:n\r\nURL;ENCODIN" +
			"G=B:n\r\nURL;ENCODING=base64:n\r\nURL;ENCODING=8bit:j\r\nURL;X:k\r\nURL;base64:n\r\n"),
		[]string{
			`14-15 calendar@x-a nav "b" layer=-1 listed absolute list=11 sheet`,
			`79-80 calendar@x-d nav "d" layer=-1 listed absolute list=11 sheet`,
			`99-113 calendar@x-e nav "http://f.test/" layer=-1 listed absolute list=11 sheet`,
			`129-130 calendar@url nav "g" layer=-1 listed absolute list=11 sheet`,
			`159-163 calendar@url nav "hh:i" layer=-1 listed absolute list=11 sheet`,
			`264-265 calendar@url nav "j" layer=-1 listed absolute list=11 sheet`,
			`273-274 calendar@url nav "k" layer=-1 listed absolute list=11 sheet`,
		}},
	{"types of text",
		calendar("X-A;FMTTYPE=text/plain:http://a.test/\r\nX-A;FMTTYPE=text/html:<a href=b rel=c>" +
			"\\n<img src=\"d\\,e\"><p itemid=f>\r\nX-A;FMTTYPE=x/y:http://n.test/\r\nX-A:http" +
			"://g.test/\r\n"),
		[]string{
			`23-37 calendar@x-a nav "http://a.test/" layer=-1 listed absolute list=11 sheet`,
			`69-70 a@href nav "b" rel="c" layer=-1 listed absolute list=11 sheet`,
			`89-93 img@src res "d,e" layer=-1 listed absolute list=11 sheet`,
			`105-106 p@itemid identifier "f" layer=-1 identifier listed absolute list=11 sheet`,
			`145-159 calendar@x-a nav "http://g.test/" layer=-1 listed absolute list=11 sheet`,
		}},
	{"groups and names",
		calendar("a.b.URL:c\r\n URL :d\r\nURL :e\r\n.URL:f\r\nU-R_L:http://n.test/\r\nX-U_L:http:/" +
			"/g.test/\r\nURL;X;Y=z;=w:h\r\nURL\r\nURL;X=y\r\n"),
		[]string{
			`8-18 calendar@url nav "cURL :d" layer=-1 listed absolute list=11 sheet`,
			`25-26 calendar@url nav "e" layer=-1 listed absolute list=11 sheet`,
			`33-34 calendar@url nav "f" layer=-1 listed absolute list=11 sheet`,
			`64-78 calendar@x-u_l nav "http://g.test/" layer=-1 listed absolute list=11 sheet`,
			`93-94 calendar@url nav "h" layer=-1 listed absolute list=11 sheet`,
		}},
	{"escapes",
		calendar("DESCRIPTION:http://a.test/\\,b\\;c\\:d\\\\e\\f\\nhttp://g.test/\\Nh\\\r\nURL:i" +
			"\\nj\\\r\n"),
		[]string{
			`12-35 calendar@description nav "http://a.test/,b;c:d" layer=-1 listed absolute unclear` +
				` list=11 sheet`,
			`42-56 calendar@description nav "http://g.test/" layer=-1 listed absolute lis` +
				`t=11 sheet`,
			`66-71 calendar@url nav "i\nj\\" layer=-1 listed absolute list=11 sheet`,
		}},
	{"folds",
		calendar("UR\r\n L:htt\r\n\tp://a.test/\r\n \r\n b\r\nURL:c\n d\rURL:e\r f"),
		[]string{
			`7-31 calendar@url nav "http://a.test/b" layer=-1 listed absolute list=11 sheet`,
			`37-41 calendar@url nav "cd" layer=-1 listed absolute list=11 sheet`,
			`46-50 calendar@url nav "ef" layer=-1 listed absolute list=11 sheet`,
		}},
	{"folded characters",
		calendar("COMMENT:\xe6\r\n \x97\r\n \xa5 http://a.test/\xc3\n \xa9 b\r\nCOMMENT:\xe6\r\n " +
			"\x97 http://c.test/\r\nURL:d\xff\r\nURL:\xf0\r\n \x9f\r\n \x98\r\n \x80e\r\nURL:\xc3"),
		[]string{
			"18-36 calendar@comment nav \"http://a.test/é\" layer=-1 listed absolute list" +
				"=11 sheet",
			`54-68 calendar@comment nav "http://c.test/" layer=-1 listed broken absolute ` +
				`list=11 sheet`,
			"74-76 calendar@url nav \"d�\" layer=-1 listed broken absolute list=11 sheet",
			"82-96 calendar@url nav \"😀e\" layer=-1 listed absolute list=11 sheet",
			"102-103 calendar@url nav \"�\" layer=-1 listed broken absolute list=11 sheet",
		}},
	{"hosts in a calendar",
		withHosts(calendar("COMMENT:see www.a.test/b and <http://c.test/\\nd>\r\nCOMMENT:http://e.test/日本\r\n")),
		[]string{
			`12-24 calendar@comment nav "http://www.a.test/b" layer=-1 listed doubtful ab` +
				`solute list=11 sheet`,
			`30-47 calendar@comment nav "http://c.test/d" layer=-1 listed absolute list=1` +
				`1 sheet`,
			`58-72 calendar@comment nav "http://e.test/" layer=-1 listed absolute unclear` +
				` list=11 sheet`,
		}},
	{"cards",
		card("BEGIN:VCARD\r\nVERSION: 2.1 \r\nURL:http://a.test/ b\r\n c\r\nNOTE:http://d.test" +
			"/\r\n e\r\nEND:VCARD\r\nBEGIN:VCARD\r\nURL:f g\r\n h\r\nVERSION:1.0\r\nURL:i\r\n" +
			" j\r\n"),
		[]string{
			`32-52 vcard@url nav "http://a.test/bc" layer=-1 listed absolute list=11 sheet`,
			`59-73 vcard@note nav "http://d.test/" layer=-1 listed absolute list=11 sheet`,
			`107-114 vcard@url nav "f gh" layer=-1 listed absolute list=11 sheet`,
			`133-138 vcard@url nav "ij" layer=-1 listed absolute list=11 sheet`,
		}},
	{"quoted-printable",
		card("URL;ENCODING=QUOTED-PRINTABLE:a=3D=\r\nb=\r\n c=3\r\nURL;QUOTED-PRINTABLE:=C3=A9" +
			"=e\r\nNOTE;QUOTED-PRINTABLE:http://d.test/=0Ae=\n"),
		[]string{
			`30-45 vcard@url nav "a=b c=3" layer=-1 listed absolute list=11 sheet`,
			"68-76 vcard@url nav \"é=e\" layer=-1 listed absolute list=11 sheet",
			`100-114 vcard@note nav "http://d.test/" layer=-1 listed absolute list=11 sheet`,
		}},
	{"a charset of cards",
		charsetOf(card("URL:\xe9\r\nNOTE:\xe8 http://a.test/\xe9\r\n"), "windows-1252"),
		[]string{
			"4-5 vcard@url nav \"é\" layer=-1 listed absolute list=11 sheet",
			"14-29 vcard@note nav \"http://a.test/é\" layer=-1 listed absolute list=11 sheet",
		}},
}

// charsetOf returns d in a charset.
func charsetOf(d *readingtest.Doc, name string) *readingtest.Doc {
	d.Charset = name
	return d
}

// withHosts returns d, which is then read with hosts that have no scheme.
func withHosts(d *readingtest.Doc) *readingtest.Doc {
	d.Options.BareHosts = true
	return d
}

// inEntity returns the heading d of an entity, with its layers.
func inEntity(d *readingtest.Doc) *readingtest.Doc {
	location := &base.Layer{Source: base.ContentLocation, Value: "http://l.test/"}
	d.Layer = &base.Layer{Source: base.ContentBase, Value: "http://b.test/", Outer: location}
	return d
}

func TestShapes(t *testing.T) {
	for _, tt := range shapes {
		tt.doc.Check(t, tt.name, tt.want)
	}
}
