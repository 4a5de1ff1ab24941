package mime

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"absolink/base"
	"absolink/extract"
)

// page is an HTML part with the given fields, and with elements before its link.
func page(fields, before string) string {
	return "Content-Type: text/html\n" + fields + "\n" + before + `<a href="x.html">x</a>` + "\n"
}

// around puts a part into a multipart.
func around(kind, fields, boundary, part string) string {
	return "Content-Type: multipart/" + kind + "; boundary=" + boundary + "\n" + fields + "\n--" + boundary + "\n" +
		part + "\n--" + boundary + "--\n"
}

// leafOf returns the last HTML leaf of a message.
func leafOf(t *testing.T, msg string) *Leaf {
	t.Helper()
	var leaf *Leaf
	for e := range parse(t, msg).Root.All() {
		if e.HTML() {
			l, err := e.Leaf()
			if err != nil {
				t.Fatal(err)
			}
			leaf = l
		}
	}
	if leaf == nil {
		t.Fatalf("no HTML leaf in %q", msg)
	}
	return leaf
}

// TestSituations checks the rows of the table of situations on whole messages: the URI of the
// reference x.html under each rule for headings.
func TestSituations(t *testing.T) {
	const cb, cl = "Content-Base: http://cb.example/b/\n", "Content-Location: http://cl.example/d/p\n"
	got := &base.Layer{Source: base.Option, Value: "http://got.example/dir/"}
	for _, c := range []struct {
		name, msg                 string
		outer                     *base.Layer
		rfc2396, rfc2557, rfc2110 string
	}{
		{"nothing at all", page("", ""), nil, "", "", ""},
		{"only a retrieval URI", page("", ""), got,
			"http://got.example/dir/x.html", "http://got.example/dir/x.html", "http://got.example/dir/x.html"},
		{"absolute BASE over Content-Base and Content-Location", page(cb+cl, `<base href="http://b.example/a/">`), nil,
			"http://b.example/a/x.html", "http://b.example/a/x.html", "http://b.example/a/x.html"},
		{"relative BASE over Content-Location", page(cl, `<base href="sub/">`), nil,
			"http://cl.example/d/sub/x.html", "http://cl.example/d/x.html", "http://cl.example/d/x.html"},
		{"javascript: BASE", page(cl, `<base href="javascript:0">`), nil,
			"http://cl.example/d/x.html", "http://cl.example/d/x.html", "http://cl.example/d/x.html"},
		{"data: BASE", page(cl, `<base href="data:text/html,x">`), nil,
			"http://cl.example/d/x.html", "http://cl.example/d/x.html", "http://cl.example/d/x.html"},
		{"invalid BASE", page(cl, `<base href="http://[bad/">`), nil,
			"http://cl.example/d/x.html", "http://cl.example/d/x.html", "http://cl.example/d/x.html"},
		{"Content-Base absolute and Content-Location", page(cb+cl, ""), nil,
			"http://cb.example/b/x.html", "http://cl.example/d/x.html", "http://cb.example/b/x.html"},
		{"Content-Base quoted", page("Content-Base: \"http://cb.example/b/\"\n", ""), nil,
			"http://cb.example/b/x.html", "", "http://cb.example/b/x.html"},
		{"Content-Base folded", page("Content-Base: http://cb.example/\n b/\n\tc/\n", ""), nil,
			"http://cb.example/b/c/x.html", "", "http://cb.example/b/c/x.html"},
		{"Content-Base with URL:", page("Content-Base: <URL:http://cb.example/b/>\n", ""), nil,
			"http://cb.example/b/x.html", "", "http://cb.example/b/x.html"},
		{"Content-Base relative", page("Content-Base: /b/\n"+cl, ""), nil,
			"http://cl.example/d/x.html", "http://cl.example/d/x.html", "http://cl.example/d/x.html"},
		{"Content-Location relative, nothing outside", page("Content-Location: d/p\n", ""), nil, "", "", ""},
		{"Content-Location relative and retrieval URI", page("Content-Location: d/p\n", ""), got,
			"http://got.example/dir/d/x.html", "http://got.example/dir/x.html", "http://got.example/dir/d/x.html"},
		{"multipart has Content-Location, part none", around("related", cl, "b", page("", "")), nil,
			"http://cl.example/d/x.html", "http://cl.example/d/x.html", ""},
		{"multipart/related has Content-Base", around("related", cb, "b", page("", "")), nil,
			"http://cb.example/b/x.html", "", ""},
		{"multipart/mixed has Content-Base", around("mixed", cb, "b", page("", "")), nil,
			"http://cb.example/b/x.html", "", ""},
		{"part relative over that of the multipart",
			around("related", cl, "b", page("Content-Location: e/p\n", "")), nil,
			"http://cl.example/d/e/x.html", "http://cl.example/d/x.html", ""},
		{"three relative levels under one absolute",
			around("mixed", cl, "a", around("mixed", "Content-Location: a/\n", "b",
				around("related", "Content-Location: b/\n", "c", page("Content-Location: c/p\n", "")))), nil,
			"http://cl.example/d/a/b/c/x.html", "http://cl.example/d/x.html", ""},
		{"message inside, outer Content-Location",
			around("mixed", cl, "b", "Content-Type: message/rfc822\n\n"+page("", "")), nil,
			"http://cl.example/d/x.html", "http://cl.example/d/x.html", ""},
		{"Content-Location cid:", page("Content-Location: cid:a@b\n", ""), nil, "", "", ""},
		{"Content-Location mid:", page("Content-Location: mid:a@b\n", ""), nil, "", "", ""},
		{"Content-Location news:", page("Content-Location: news:a.b\n", ""), nil, "", "", ""},
		{"Content-Location urn:", page("Content-Location: urn:a:b\n", ""), nil, "", "", ""},
		{"Content-Location cid: in a retrieved message", page("Content-Location: cid:a@b\n", ""), got, "", "", ""},
		{"BASE file:", page(cl, `<base href="file:///c:/d/">`), nil, "", "", ""},
		{"Content-Base file:", page("Content-Base: file:///c:/d/\n", ""), nil, "", "", ""},
		{"Content-Location file:", page("Content-Location: file:///c:/d/p\n", ""), nil, "", "", ""},
		{"only Snapshot-Content-Location", page("Snapshot-Content-Location: http://s.example/d/p\n", ""), nil,
			"http://s.example/d/x.html", "", ""},
		{"first of two Content-Locations", page(cl+"Content-Location: http://other.example/\n", ""), nil,
			"http://cl.example/d/x.html", "http://cl.example/d/x.html", "http://cl.example/d/x.html"},
		{"blank before the colon", page("content-base : http://cb.example/b/\n", ""), nil,
			"http://cb.example/b/x.html", "", "http://cb.example/b/x.html"},
	} {
		for _, rule := range []struct {
			mime base.MIMEBase
			want string
		}{{base.MIMERFC2396, c.rfc2396}, {base.MIMERFC2557, c.rfc2557}, {base.MIMERFC2110, c.rfc2110}} {
			r := extract.Resolver{Policy: base.Policy{MIME: rule.mime}}
			uri := ""
			for l := range r.Links(leafOf(t, c.msg).Doc(c.outer)) {
				if l.Element == "a" {
					uri = string(l.URI)
				}
			}
			if uri != rule.want {
				t.Errorf("%s, %v: x.html is %q, want %q", c.name, rule.mime, uri, rule.want)
			}
		}
	}
}

func TestNoInheritAcrossMessages(t *testing.T) {
	msg := around("mixed", "Content-Location: http://cl.example/d/p\n", "b",
		"Content-Type: message/rfc822\nContent-Base: http://cb.example/\n\n"+page("", ""))
	layer := leafOf(t, msg).Entity.Layer(nil)
	if uri, _ := layer.Base(&base.Policy{}); uri != "http://cb.example/" {
		t.Errorf("Base = %q, want that of the message/rfc822", uri)
	}
	if uri, _ := layer.Base(&base.Policy{NoInheritAcrossMessages: true}); uri != "" {
		t.Errorf("Base with NoInheritAcrossMessages = %q, want none", uri)
	}
}

func TestLayer(t *testing.T) {
	msg := around("mixed", "Content-Location: L0\n", "b",
		"Content-Type: message/rfc822\nContent-Base: B1\n\n"+
			around("related", "Content-Location: L2\nSnapshot-Content-Location: S\n",
				"c", page("Content-Location: L3\nContent-Base: B3\n", "")))
	var got []base.Layer
	for l := leafOf(t, msg).Entity.Layer(&base.Layer{Source: base.DefaultBase, Value: "D"}); l != nil; l = l.Outer {
		one := *l
		one.Outer = nil
		got = append(got, one)
	}
	want := []base.Layer{
		{Source: base.ContentBase, Value: "B3", Part: "1.1"},
		{Source: base.ContentLocation, Value: "L3", Part: "1.1"},
		{Source: base.ContentLocation, Value: "L2", Part: "1", Inherited: true},
		{Source: base.ContentBase, Value: "B1", Part: "1", Inherited: true, Across: true},
		{Source: base.ContentLocation, Value: "L0", Part: "", Inherited: true, Across: true},
		{Source: base.Snapshot, Value: "S", Part: "1"},
		{Source: base.DefaultBase, Value: "D"},
	}
	if len(got) != len(want) {
		t.Fatalf("Layer: %d layers %+v, want %d", len(got), got, len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("Layer %d = %+v, want %+v", i, got[i], want[i])
		}
	}
}

func TestNames(t *testing.T) {
	image := func(fields string) string { return "Content-Type: image/gif\n" + fields + "\nGIF\n" }
	join := func(b string, parts ...string) string { return strings.Join(parts, "\n--"+b+"\n") }
	for _, c := range []struct {
		name, msg, value, uri string
		want                  bool
	}{
		{"cid", around("related", "", "b", join("b", page("", ""), image("Content-ID: <a@b>\n"))),
			"cid:a@b", "cid:a@b", true},
		{"cid escaped", around("related", "", "b", join("b", page("", ""), image("Content-ID: <a%b@c>\n"))),
			"CID:a%25b%40c", "", true},
		{"cid without a part", around("related", "", "b", join("b", page("", ""), image("Content-ID: <a@b>\n"))),
			"cid:x@b", "cid:x@b", false},
		{"cid as written", around("related", "", "b", join("b", page("", ""), image("Content-ID: <a%20c@b>\n"))),
			"cid:a%20c@b", "", true},
		{"cid that is not escaped, Content-ID that is",
			around("related", "", "b",
				join("b", page("", ""), image("Content-ID: <a%2Bc@b>\n"))), "cid:a+c@b", "", true},
		{"cid escaped in lower case",
			around("related", "", "b",
				join("b", page("", ""), image("Content-ID: <a+c@b>\n"))), "cid:a%2bc@b", "", true},
		{"Content-ID without brackets", around("related", "", "b", join("b", page("", ""), image("Content-ID: a@b\n"))),
			"cid:a@b", "", true},
		{"Content-ID in quotes", around("related", "", "b", join("b", page("", ""), image("Content-ID: \"a@b\"\n"))),
			"cid:a@b", "", true},
		{"Content-ID folded", around("related", "", "b", join("b", page("", ""), image("Content-ID:\n <a@\n b>\n"))),
			"cid:a@b", "", true},
		{"Content-ID with a blank", around("related", "", "b", join("b", page("", ""), image("Content-ID: <a c@b>\n"))),
			"cid:a%20c@b", "", true},
		{"Content-ID in an encoded word",
			around("related", "", "b",
				join("b", page("", ""), image("Content-ID: =?utf-8?Q?=3Ca=40b=3E?=\n"))), "cid:a@b", "", true},
		{"Content-ID with an encoded word in brackets",
			around("related", "", "b",
				join("b", page("", ""), image("Content-ID: <=?iso-8859-2?B?YUBi?=>\n"))), "cid:a@b", "", true},
		{"cid of a Content-Location (as browsers write it)",
			around("related", "", "b",
				join("b", page("", ""), image("Content-Location: cid:a@b\n"))), "cid:a@b", "cid:a@b", true},
		{"cid of a Content-Location in capitals, with a fragment",
			around("related", "", "b",
				join("b", page("", ""), image("Content-Location: CID:a@b#x\n"))), "Cid:a@b#y", "", true},
		{"cid of a Content-Location, escaped",
			around("related", "", "b",
				join("b", page("", ""), image("Content-Location: cid:a%2Bc%40b\n"))), "cid:a+c@b", "", true},
		{"cid of a Content-Location that is not escaped",
			around("related", "", "b",
				join("b", page("", ""), image("Content-Location: cid:a+c@b\n"))), "cid:a%2Bc%40b", "", true},
		{"cid of a Content-Location in encoded words",
			around("related", "", "b",
				join("b", page("", ""),
					image("Content-Location: =?utf-8?Q?cid:a?=\n =?utf-8?Q?=40b?=\n"))), "cid:a@b", "", true},
		{"cid of a Content-Location in an encoded word of another charset",
			around("related", "", "b",
				join("b", page("", ""), image("Content-Location: =?koi8-r?Q?cid:a=40b?=\n"))), "cid:a@b", "", true},
		{"cid of a Content-Location in a surrounding related",
			around("related", "", "b",
				join("b", around("related", "", "c", page("", "")),
					image("Content-Location: cid:a@b\n"))), "cid:a@b", "", true},
		{"cid of a Content-Location in an inner related",
			around("related", "", "b",
				join("b", around("related", "", "c", image("Content-Location: cid:a@b\n")),
					page("", ""))), "cid:a@b", "", false},
		{"cid of a Content-Location beside a Content-ID (RFC 2557 9.5)",
			around("related", "", "b",
				join("b", page("", ""),
					image("Content-ID: <x@b>\nContent-Location: cid:a@b\n"))), "cid:a@b", "", false},
		{"cid of an empty Content-Location",
			around("related", "", "b", join("b", page("", ""), image("Content-Location: cid:\n"))), "cid:", "", false},
		{"empty Content-ID", around("related", "", "b", join("b", page("", ""), image("Content-ID: <>\n"))),
			"cid:", "", false},
		{"Content-Location with another scheme",
			around("related", "", "b",
				join("b", page("", ""), image("Content-Location: mid:a@b\n"))), "cid:a@b", "", false},
		{"absolute Content-Location",
			around("related", "", "b",
				join("b", page("", ""),
					image("Content-Location: http://x.example/"+
						"i.gif\n"))), "http://x.example/i.gif", "http://x.example/i.gif", true},
		{"with a fragment",
			around("related", "", "b",
				join("b", page("", ""),
					image("Content-Location: http://x.example/"+
						"i.gif\n"))), "http://x.example/i.gif#f", "http://x.example/i.gif#f", true},
		{"relative reference, absolute Content-Location",
			around("related", "", "b",
				join("b", page("Content-Location: http://x.example/p\n", ""),
					image("Content-Location: http://x.example/i.gif\n"))), "i.gif", "http://x.example/i.gif", true},
		{"relative both, with a base",
			around("related", "Content-Location: http://x.example/d/\n", "b",
				join("b", page("Content-Location: p\n", ""),
					image("Content-Location: i.gif\n"))), "./i.gif", "http://x.example/d/i.gif", true},
		{"relative both, without a base",
			around("related", "", "b",
				join("b", page("", ""), image("Content-Location: i.gif\n"))), "./i.gif", "", true},
		{"as text (RFC 2110 8.2)",
			around("related", "", "b",
				join("b", page("Content-Location: http://x.example/d/\n", ""),
					image("Content-Location: i.gif\n"))), "i.gif", "http://x.example/d/i.gif", true},
		{"octet by octet",
			around("related", "", "b",
				join("b", page("", ""),
					image("Content-Location: http://x.example/"+
						"I.gif\n"))), "http://x.example/i.gif", "http://x.example/i.gif", false},
		{"folded Content-Location",
			around("related", "", "b",
				join("b", page("", ""),
					image("Content-Location: http://x.example/\n long/"+
						"i.gif\n"))), "http://x.example/long/i.gif", "http://x.example/long/i.gif", true},
		{"file: of a word processor",
			around("related", "", "b",
				join("b", page("Content-Location: file:///C:/1/p.htm\n", ""),
					image("Content-Location: file:///C:/1/i.gif\n"))), "i.gif", "", true},
		{"part below an alternative",
			around("related", "", "b",
				join("b", around("alternative", "", "c", page("", "")),
					image("Content-ID: <a@b>\n"))), "cid:a@b", "cid:a@b", true},
		{"surrounding related",
			around("related", "", "b",
				join("b", around("related", "", "c", page("", "")),
					image("Content-ID: <a@b>\n"))), "cid:a@b", "cid:a@b", true},
		{"inner related",
			around("related", "", "b",
				join("b", around("related", "", "c", image("Content-ID: <a@b>\n")),
					page("", ""))), "cid:a@b", "cid:a@b", false},
		{"parallel related",
			around("mixed", "", "b",
				join("b", around("related", "", "c", image("Content-ID: <a@b>\n")),
					around("related", "", "d", page("", "")))), "cid:a@b", "cid:a@b", false},
		{"inside a message in the related",
			around("related", "", "b",
				join("b", "Content-Type: message/rfc822\n\n"+image("Content-ID: <a@b>\n"),
					page("", ""))), "cid:a@b", "cid:a@b", false},
		{"mixed is no related", around("mixed", "", "b", join("b", page("", ""), image("Content-ID: <a@b>\n"))),
			"cid:a@b", "cid:a@b", false},
		{"Content-Location with a comment (RFC 2557 4.1)",
			around("related", "", "b",
				join("b", page("", ""),
					image("Content-Location: http://x.example/i.gif (a "+
						"picture)\n"))), "http://x.example/i.gif", "http://x.example/i.gif", true},
		{"Content-Location behind a comment",
			around("related", "", "b",
				join("b", page("", ""), image("Content-Location: (a picture) i.gif\n"))), "i.gif", "", true},
		{"Content-Location with a parenthesis",
			around("related", "", "b",
				join("b", page("", ""),
					image("Content-Location: http://x.example/"+
						"i_(b).gif\n"))), "http://x.example/i_(b).gif", "http://x.example/i_(b).gif", true},
		{"Content-Base with a comment",
			around("related", "", "b",
				join("b", page("", ""),
					image("Content-Base: (the base) <http://b.example/>\nContent-Location: "+
						"i.gif\n"))), "http://b.example/i.gif", "http://b.example/i.gif", true},
		{"Content-ID with a comment",
			around("related", "", "b",
				join("b", page("", ""), image("Content-ID: <a@b> (a picture)\n"))), "cid:a@b", "", true},
		{"Content-ID behind a comment",
			around("related", "", "b",
				join("b", page("", ""), image("Content-ID: (a picture) <a@b>\n"))), "cid:a@b", "", true},
		{"Content-ID with a parenthesis",
			around("related", "", "b",
				join("b", page("", ""), image("Content-ID: <a(b)@b>\n"))), "cid:a(b)@b", "", true},
		{"Content-ID in an encoded word, with a comment",
			around("related", "", "b",
				join("b", page("", ""),
					image("Content-ID: =?koi8-r?Q?=3Ca=40b=3E?= (a picture)\n"))), "cid:a@b", "", true},
		{"cid of a Content-Location with a comment",
			around("related", "", "b",
				join("b", page("", ""), image("Content-Location: cid:a@b (a style sheet)\n"))), "cid:a@b", "", true},
		{"Content-Base beside a relative Content-Location (RFC 2110 4.2)",
			around("related", "", "b",
				join("b", page("", ""),
					image("Content-Base: http://b.example/\nContent-Location: "+
						"i.gif\n"))), "http://b.example/i.gif", "http://b.example/i.gif", true},
		{"Content-Base beside it, behind it and in quotes",
			around("related", "", "b",
				join("b", page("", ""),
					image("Content-Location: i.gif\nContent-Base: \"http://b.example/\n d/"+
						"\"\n"))), "http://b.example/d/i.gif", "http://b.example/d/i.gif", true},
		{"Content-Base beside it: not the name in the page",
			around("related", "", "b",
				join("b", page("", ""),
					image("Content-Base: http://b.example/\nContent-Location: i.gif\n"))), "i.gif", "", false},
		{"Content-Base beside it: not below the base of the page",
			around("related", "", "b",
				join("b", page("Content-Base: http://p.example/\n", ""),
					image("Content-Base: http://b.example/\nContent-Location: "+
						"i.gif\n"))), "i.gif", "http://p.example/i.gif", false},
		{"Content-Base beside it: below the base of the page, the same",
			around("related", "", "b",
				join("b", page("Content-Base: http://b.example/\n", ""),
					image("Content-Base: http://b.example/\nContent-Location: "+
						"i.gif\n"))), "i.gif", "http://b.example/i.gif", true},
		{"Content-Base beside it over that of the multipart",
			around("related", "Content-Base: http://m.example/\n", "b",
				join("b", page("", ""),
					image("Content-Base: http://b.example/\nContent-Location: "+
						"i.gif\n"))), "i.gif", "http://m.example/i.gif", false},
		{"a relative Content-Base beside it",
			around("related", "Content-Base: http://m.example/\n", "b",
				join("b", page("", ""),
					image("Content-Base: b/\nContent-Location: i.gif\n"))), "i.gif", "http://m.example/i.gif", true},
		{"a relative Content-Base beside it, as text",
			around("related", "", "b",
				join("b", page("", ""), image("Content-Base: b/\nContent-Location: i.gif\n"))), "i.gif", "", true},
		{"an unusable Content-Base beside it",
			around("related", "Content-Base: http://m.example/\n", "b",
				join("b", page("", ""),
					image("Content-Base: urn:a:b\nContent-Location: ./"+
						"i.gif\n"))), "i.gif", "http://m.example/i.gif", false},
		{"Content-Base beside an absolute Content-Location",
			around("related", "", "b",
				join("b", page("", ""),
					image("Content-Base: http://b.example/\nContent-Location: http://c.example/"+
						"i.gif\n"))), "http://c.example/i.gif", "http://c.example/i.gif", true},
		{"empty reference", around("related", "", "b", join("b", page("Content-Location:\n", ""), image(""))),
			"", "", false},
	} {
		e := leafOf(t, c.msg).Entity
		names := e.m.InMessage(nil, nil)(e) // nil outside a multipart/related
		if got := names != nil && names([]byte(c.value), []byte(c.uri)); got != c.want {
			t.Errorf("%s: Names(e)(%q, %q) = %v, want %v", c.name, c.value, c.uri, got, c.want)
		}
	}
}

// Under RFC 2110, too, the Content-Base beside a Content-Location is its base. RFC 2557 has no
// Content-Base.
func TestNamesContentBase(t *testing.T) {
	msg := around("related", "", "b",
		page("", "")+"\n--b\nContent-Base: http://b.example/\nContent-Location: i.gif\n\nGIF\n")
	l := leafOf(t, msg)
	for _, c := range []struct {
		mime       base.MIMEBase
		value, uri string
		want       bool
	}{
		{base.MIMERFC2396, "http://b.example/i.gif", "http://b.example/i.gif", true},
		{base.MIMERFC2396, "i.gif", "", false},
		{base.MIMERFC2110, "http://b.example/i.gif", "http://b.example/i.gif", true},
		{base.MIMERFC2110, "i.gif", "", false},
		{base.MIMERFC2557, "http://b.example/i.gif", "http://b.example/i.gif", false},
		{base.MIMERFC2557, "i.gif", "", true},
	} {
		names := l.Entity.m.InMessage(&base.Policy{MIME: c.mime}, nil)(l.Entity)
		if got := names([]byte(c.value), []byte(c.uri)); got != c.want {
			t.Errorf("under %v: Names(e)(%q, %q) = %v, want %v", c.mime, c.value, c.uri, got, c.want)
		}
	}
}

// Location gives the Content-Location as it is written, and resolved against the layers around it.
func TestLocation(t *testing.T) {
	const part = "Content-Type: image/gif\n%s\nGIF\n"
	for _, c := range []struct{ name, top, fields, value, uri string }{
		{"none", "", "", "", ""},
		{"empty", "", "Content-Location: \n", "", ""},
		{"absolute", "", "Content-Location: <http://a.example/i.gif#f>\n",
			"http://a.example/i.gif", "http://a.example/i.gif"},
		{"relative", "", "Content-Location: i.gif\n", "i.gif", ""},
		{"relative under the multipart", "Content-Base: http://m.example/\n",
			"Content-Location: i.gif\n", "i.gif", "http://m.example/i.gif"},
		{"relative to the Content-Base beside it", "Content-Base: http://m.example/\n",
			"Content-Base: http://b.example/\nContent-Location: i.gif\n", "i.gif", "http://b.example/i.gif"},
		{"cid", "", "Content-Location: cid:a@b\n", "cid:a@b", "cid:a@b"},
	} {
		m := parse(t, around("related", c.top, "b", fmt.Sprintf(part, c.fields)))
		if value, uri := m.Root.Parts[0].Location(nil, nil); value != c.value || uri != c.uri {
			t.Errorf("%s: Location = %q, %q, want %q, %q", c.name, value, uri, c.value, c.uri)
		}
	}
	m := parse(t, "Content-Location: x\nContent-Type: text/html\n\n<p>\n")
	if value, uri := m.Root.Location(nil, &base.Layer{Source: base.Option, Value: "http://o.example/"}); value != "x" ||
		uri != "http://o.example/x" {
		t.Errorf("Location of the message = %q, %q", value, uri)
	}
	if value, uri := m.Root.Location(&base.Policy{Force: "not a URI"}, nil); value != "x" || uri != "" {
		t.Errorf("Location with a base that is not a URI = %q, %q", value, uri)
	}
	m = parse(t, around("related", "", "b",
		fmt.Sprintf(part, "Content-Base: http://b.example/\nContent-Location: i.gif\n")))
	if _, uri := m.Root.Parts[0].Location(&base.Policy{MIME: base.MIMERFC2557}, nil); uri != "" {
		t.Errorf("Location under RFC 2557 = %q, want none", uri)
	}
}

// A part is found in the nearest multipart/related first, then anywhere in the message.
func TestParts(t *testing.T) {
	image := func(fields string) string { return "Content-Type: image/gif\n" + fields + "\nGIF\n" }
	msg := around("mixed", "", "b",
		image("Content-ID: <a@b>\n")+"\n--b\n"+image("Content-ID: <c@b>\nContent-Location: http://x.example/i\n")+
			"\n--b\n"+around("related", "", "c", page("", "")+"\n--c\n"+image("Content-ID: <a@b>\n")))
	e := leafOf(t, msg).Entity
	parts := e.m.PartFinder(nil, nil)
	for _, c := range []struct{ value, uri, want string }{
		{"cid:a@b", "cid:a@b", "3.2"}, {"cid:c@b", "cid:c@b", "2"}, {"http://x.example/i",
			"http://x.example/i", "2"}, {"cid:no@b", "cid:no@b", ""}, {"", "", ""},
	} {
		got := ""
		if part := parts(e, []byte(c.value), []byte(c.uri)); part != nil {
			got = part.Section
		}
		if got != c.want {
			t.Errorf("Parts(%q) = part %q, want %q", c.value, got, c.want)
		}
	}
	first := e.m.Root.Parts[0]
	if part := parts(first, []byte("cid:a@b"), nil); part != first {
		t.Errorf("a part outside of the related does not name itself")
	}
}

// A cid: URL is missing if no part of the message has its Content-ID, in any multipart.
func TestNamesMissing(t *testing.T) {
	image := "Content-Type: image/gif\nContent-ID: <a%b@c>\nContent-Location: cid:beside@c\n\nGIF\n--b\n" +
		"Content-Type: text/css\nContent-Location: cid:css@c\n\np{}\n"
	related := leafOf(t, around("related", "", "b", page("", "")+"\n--b\n"+image)).Entity
	mixed := leafOf(t, around("mixed", "", "b", page("", "")+"\n--b\n"+image)).Entity
	for _, c := range []struct {
		value string
		want  bool
	}{
		{"cid:a%25b@c", false}, {"CID:a%25b%40c#x", false}, {"cid:a%b@c",
			false}, {" cid:a%b@c\t", false}, {"\n cid:x@c", true},
		{"cid:x@c", true}, {"cid:", true}, {"http://a.example/", false}, {"",
			false}, {"cid:css@c", false}, {"cid:c%73s%40c", false}, {"cid:beside@c", true},
	} {
		for _, e := range []*Entity{related, mixed} {
			if got := e.Missing([]byte(c.value)); got != c.want {
				t.Errorf("Missing(%q) = %v, want %v", c.value, got, c.want)
			}
		}
	}
}

func TestNamesUnderRetrievalURI(t *testing.T) {
	msg := around("related", "", "b", page("", "")+"\n--b\nContent-Location: http://x.example/d/i.gif\n\nGIF\n")
	l := leafOf(t, msg)
	outer := &base.Layer{Source: base.Option, Value: "http://x.example/d/p"}
	if !l.Entity.m.InMessage(nil, outer)(l.Entity)([]byte("i.gif"), nil) {
		t.Error("For(i.gif) under http://x.example/d/p = false, want true")
	}
	if l.Entity.m.InMessage(nil, nil)(l.Entity)([]byte("i.gif"), nil) {
		t.Error("For(i.gif) without a base = true, want false")
	}
	forced := &base.Policy{Force: "http://f.example/"}
	if !l.Entity.m.InMessage(forced, outer)(l.Entity)([]byte("i.gif"), nil) {
		t.Error("For(i.gif) with a forced base = false, want true")
	}
	file := leafOf(t, strings.ReplaceAll(msg, "http://x.example/", "file:///x/"))
	outer = &base.Layer{Source: base.ContentLocation, Value: "file:///x/d/p"}
	if !file.Entity.m.InMessage(nil, outer)(file.Entity)([]byte("i.gif"), nil) {
		t.Error("For(i.gif) under a file: base = false, want true")
	}
}

// TestNamesUntrusted resolves a reference only under the operator's base. The reference still names
// a part of the message.
func TestNamesUntrusted(t *testing.T) {
	msg := around("related", "", "b",
		page("Content-Location: http://x.example/d/p\n", "")+
			"\n--b\nContent-Location: http://x.example/d/x.html\n\nGIF\n")
	l := leafOf(t, msg)
	outer := &base.Layer{Source: base.Option, Value: "http://op.example/"}
	for _, c := range []struct {
		trust  base.Trust
		status extract.Status
	}{{base.TrustAll, extract.InMessage}, {base.TrustHeaders, extract.InMessage}, {base.TrustNone, extract.InMessage}} {
		p := base.Policy{Trust: c.trust}
		r := extract.Resolver{Policy: p, InMessage: l.Entity.m.InMessage(&p, outer)(l.Entity)}
		for link := range r.Links(l.Doc(outer)) {
			if link.Status != c.status {
				t.Errorf("%s under trust %v: %v, want %v", link.Value, c.trust, link.Status, c.status)
			}
		}
	}
}

func TestDKIM(t *testing.T) {
	text := "Content-Type: text/html\n\n<p>\n"
	for _, c := range []struct {
		name, msg string
		want      []bool // of each entity in its order
	}{
		{"none", text, []bool{false}},
		{"DKIM", "dkim-signature: v=1\n" + text, []bool{true}},
		{"ARC", "ARC-Message-Signature: i=1\n" + text, []bool{true}},
		{"DomainKeys", "DomainKey-Signature : a=rsa\n" + text, []bool{true}},
		{"the results alone",
			"ARC-Authentication-Results: i=1\nARC-Seal: i=1\nAuthentication-Results: x; dkim=pass\n" +
				text, []bool{false}},
		{"of the message around",
			"DKIM-Signature: v=1\n" + around("mixed", "", "b",
				"Content-Type: message/rfc822\n\n"+text), []bool{true, true, true}},
		{"of the message inside",
			around("mixed", "", "b", "Content-Type: message/rfc822\n\nDKIM-Signature: v=1\n"+text), []bool{false,
				false, true}},
	} {
		var got []bool
		for e := range parse(t, c.msg).Root.All() {
			got = append(got, e.DKIM())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: DKIM of the entities = %v, want %v", c.name, got, c.want)
		}
	}
}

func TestProtected(t *testing.T) {
	text := "Content-Type: text/html\n\n<p>\n"
	for _, c := range []struct{ name, msg, want string }{
		{"plain", text, ""},
		{"multipart/signed", around("signed", "", "b", text), "signed"},
		{"below multipart/signed", around("signed", "", "b", around("mixed", "", "c", text)), "signed"},
		{"multipart/encrypted", around("encrypted", "", "b", text), "encrypted"},
		{"message inside signed", around("signed", "", "b", "Content-Type: message/rfc822\n\n"+text), "signed"},
		{"S/MIME", "Content-Type: application/pkcs7-mime; smime-type=enveloped-data\n\nx", "encrypted"},
		{"S/MIME signed data", "Content-Type: application/x-pkcs7-mime; smime-type=signed-data\n\nx", "signed"},
		{"PGP", "Content-Type: application/pgp\n\nx", "signed"},
		{"PGP encrypted", "Content-Type: application/pgp-encrypted\n\nx", "encrypted"},
		{"clear-signed", "Content-Type: text/html\n\n<pre>\n-----BEGIN PGP SIGNED MESSAGE-----\n", "signed"},
		{"delivery-status", "Content-Type: message/delivery-status\n\nx", "message/delivery-status"},
		{"disposition-notification", "Content-Type: message/disposition-notification\n\nx",
			"message/disposition-notification"},
		{"rfc822-headers", "Content-Type: text/rfc822-headers\n\nx", "text/rfc822-headers"},
		{"partial", "Content-Type: message/partial; id=a; number=1\n\nx", "message/partial"},
		{"external-body", "Content-Type: message/external-body; access-type=URL\n\nx", "message/external-body"},
		{"encoded message", "Content-Type: message/rfc822\nContent-Transfer-Encoding: quoted-printable\n\nx",
			"message in a transfer encoding"},
		{"no usable boundary", "Content-Type: multipart/mixed\n\n<p>", "multipart without a usable boundary"},
	} {
		checkProtected(t, c.name, c.msg, c.want)
		signed := c.want
		if signed == "" {
			signed = "signed"
		}
		checkProtected(t, c.name+" in multipart/signed", around("signed", "", "x", c.msg), signed)
		checkProtected(t, c.name+" in multipart/encrypted", around("encrypted", "", "x", c.msg), "encrypted")
		both := around("signed", "", "y", around("encrypted", "", "x", c.msg))
		checkProtected(t, c.name+" in both", both, "encrypted")
	}
}

// checkProtected checks Leaf.Protected for the last entity of a message. A signature that may be
// broken does not allow an edit if there is any other reason.
func checkProtected(t *testing.T, name, msg, want string) {
	t.Helper()
	m := parse(t, msg)
	var last *Entity
	for e := range m.Root.All() {
		last = e
	}
	l, err := last.Leaf()
	if err != nil {
		t.Fatalf("%s: Leaf: %v", name, err)
	}
	if got := l.Protected(); got != want {
		t.Errorf("%s: Protected = %q, want %q", name, got, want)
	}
	c := m.Change()
	c.BreakSignatures = true
	err = c.Edit(l, []extract.Edit{{Span: extract.Span{}, New: []byte("a")}})
	if (err != nil) != (want != "" && want != "signed") {
		t.Errorf("%s: an edit that may break signatures gets the error %v", name, err)
	}
}

// A heading counts as across messages only for the documents behind a message/rfc822, whichever
// document is asked first.
func TestLayersAcross(t *testing.T) {
	msg := around("mixed", "Content-Location: http://m.example/\n", "b", page("", "")+
		"\n--b\nContent-Type: message/rfc822\nContent-Location: inner/\n\n"+page("", ""))
	for _, order := range [][]int{{0, 1}, {1, 0}, {0, 1, 0, 1}, {1, 0, 1, 0}} {
		var documents []*Entity
		for e := range parse(t, msg).Root.All() {
			if e.HTML() {
				documents = append(documents, e)
			}
		}
		for _, i := range order {
			got := ""
			for l := documents[i].Layer(nil); l != nil; l = l.Outer {
				got += fmt.Sprintf(" %s %v %v", l.Value, l.Inherited, l.Across)
			}
			want := []string{" http://m.example/ true false", " inner/ true true http://m.example/ true true"}[i]
			if got != want {
				t.Errorf("asked in the order %v, document %d has the layers%s, want%s", order, i, got, want)
			}
		}
	}
}

// Parts share the layers around them. At each of three sizes the number of layers grows with the
// entities, not with their depth.
func TestLayersShared(t *testing.T) {
	const depth = 45
	for _, c := range []struct {
		name  string
		start string // of the outermost entity
		part  func(i int) string
	}{
		{"parts without fields", "", func(int) string { return "Content-Type: text/html\n\n<a href=x>\n" }},
		{"parts with a location", "", func(i int) string {
			return fmt.Sprintf("Content-Type: text/html\nContent-Location: %d/\n\n<a href=x>\n", i)
		}},
		{"parts in a message each", "",
			func(int) string { return "Content-Type: message/rfc822\n\nContent-Type: text/html\n\n<a href=x>\n" }},
		{"below a snapshot", "Snapshot-Content-Location: http://s.example/\n",
			func(int) string { return "Content-Type: text/html\n\n<a href=x>\n" }},
	} {
		for _, parts := range []int{50, 100, 200} {
			msg := c.start
			for i := range depth {
				msg += fmt.Sprintf("Content-Type: multipart/mixed; boundary=b%d\nContent-Location: a/\n\n--b%d\n", i, i)
			}
			for i := range parts {
				msg += c.part(i) + fmt.Sprintf("--b%d\n", depth-1)
			}
			outer := &base.Layer{Source: base.DefaultBase, Value: "http://d.example/"}
			made := make(map[*base.Layer]bool)
			leaves := 0
			for e := range parse(t, msg).Root.All() {
				if e.HTML() {
					leaves++
				}
				for l := e.Layer(outer); l != nil; l = l.Outer {
					made[l] = true
				}
			}
			if most := 3*depth + 2*parts + 3; leaves != parts || len(made) > most {
				t.Errorf("%s: %d leaves of %d in %d entities have %d layers, want at most %d",
					c.name, leaves, parts, depth, len(made), most)
			}
		}
	}
}
