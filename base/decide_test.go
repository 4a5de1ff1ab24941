package base

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"absolink/resolve"
)

// layers links the given layers, innermost first.
func layers(ls ...Layer) *Layer {
	var outer *Layer
	for i := len(ls) - 1; i >= 0; i-- {
		l := ls[i]
		l.Outer = outer
		outer = &l
	}
	return outer
}

func element(v string) Layer { return Layer{Source: BaseElement, Value: v} }
func contentBase(level int, v string) Layer {
	return Layer{Source: ContentBase, Value: v, Inherited: level > 0}
}
func location(level int, v string) Layer {
	return Layer{Source: ContentLocation, Value: v, Inherited: level > 0}
}
func outerMessage(v string) Layer {
	return Layer{Source: ContentLocation, Value: v, Inherited: true, Across: true}
}
func retrieval(v string) Layer { return Layer{Source: Option, Value: v} }
func snapshot(v string) Layer  { return Layer{Source: Snapshot, Value: v} }

// TestSituations is a table of situations: the URI of the reference x.html in each of them,
// under each --mime-base.
func TestSituations(t *testing.T) {
	const got = "http://got.example/dir/"
	for _, c := range []struct {
		name                      string
		layers                    *Layer
		rfc2396, rfc2557, rfc2110 string
	}{
		{"nothing at all", nil, "", "", ""},
		{"only a retrieval URI", layers(retrieval(got)),
			got + "x.html", got + "x.html", got + "x.html"},
		{"absolute BASE over Content-Base and Content-Location",
			layers(element("http://b.example/b/"), contentBase(0, "http://cb.example/"),
				location(0, "http://cl.example/")),
			"http://b.example/b/x.html", "http://b.example/b/x.html", "http://b.example/b/x.html"},
		{"relative BASE over Content-Location", layers(element("sub/"), location(0, "http://cl.example/d/p")),
			"http://cl.example/d/sub/x.html", "http://cl.example/d/x.html", "http://cl.example/d/x.html"},
		{"javascript: BASE", layers(element("javascript:void(0)"), location(0, "http://cl.example/")),
			"http://cl.example/x.html", "http://cl.example/x.html", "http://cl.example/x.html"},
		{"data: BASE", layers(element("data:text/html,x"), location(0, "http://cl.example/")),
			"http://cl.example/x.html", "http://cl.example/x.html", "http://cl.example/x.html"},
		{"invalid BASE", layers(element("http://[bad/"), location(0, "http://cl.example/")),
			"http://cl.example/x.html", "http://cl.example/x.html", "http://cl.example/x.html"},
		{"Content-Base absolute and Content-Location",
			layers(contentBase(0, "http://cb.example/"), location(0, "http://cl.example/")),
			"http://cb.example/x.html", "http://cl.example/x.html", "http://cb.example/x.html"},
		{"Content-Base quoted", layers(contentBase(0, ` "http://cb.example/d/"`)),
			"http://cb.example/d/x.html", "", "http://cb.example/d/x.html"},
		{"Content-Base folded", layers(contentBase(0, " http://cb.example/\r\n\tlong/\r\n  path/")),
			"http://cb.example/long/path/x.html", "", "http://cb.example/long/path/x.html"},
		{"Content-Base <URL:…>", layers(contentBase(0, "<URL:http://cb.example/d/>")),
			"http://cb.example/d/x.html", "", "http://cb.example/d/x.html"},
		{"Content-Base relative", layers(contentBase(0, "/d/"), location(0, "http://cl.example/")),
			"http://cl.example/x.html", "http://cl.example/x.html", "http://cl.example/x.html"},
		{"Content-Location relative, nothing outside", layers(location(0, "dir/page.html")), "", "", ""},
		{"Content-Location relative and retrieval URI", layers(location(0, "sub/page.html"), retrieval(got)),
			got + "sub/x.html", got + "x.html", got + "sub/x.html"},
		{"multipart has Content-Location, part none", layers(location(1, "http://m.example/d/")),
			"http://m.example/d/x.html", "http://m.example/d/x.html", ""},
		{"multipart has Content-Base", layers(contentBase(1, "http://m.example/d/")),
			"http://m.example/d/x.html", "", ""},
		{"part Content-Location relative over that of the multipart",
			layers(location(0, "sub/p.html"), location(1, "http://m.example/d/")),
			"http://m.example/d/sub/x.html", "http://m.example/d/x.html", ""},
		{"three relative levels under one absolute",
			layers(location(0, "c/p"), location(1, "b/"), location(2, "a/"), location(3, "http://m.example/d/")),
			"http://m.example/d/a/b/c/x.html", "http://m.example/d/x.html", ""},
		{"message/rfc822 inside, outer Content-Location", layers(outerMessage("http://o.example/d/")),
			"http://o.example/d/x.html", "http://o.example/d/x.html", ""},
		{"Content-Location cid:", layers(location(0, "cid:a@b"), retrieval(got)), "", "", ""},
		{"Content-Location mid:", layers(location(0, "mid:a@b"), retrieval(got)), "", "", ""},
		{"Content-Location news:", layers(location(0, "news:a@b"), retrieval(got)), "", "", ""},
		{"Content-Location urn:", layers(location(0, "urn:isbn:1"), retrieval(got)), "", "", ""},
		{"BASE file:", layers(element("file:///home/me/"), retrieval(got)), "", "", ""},
		{"Content-Base file:", layers(contentBase(0, "file:///home/me/"), retrieval(got)), "", got + "x.html", ""},
		{"Content-Location file:", layers(location(0, "file:///home/me/"), retrieval(got)), "", "", ""},
		{"only Snapshot-Content-Location", layers(snapshot("http://s.example/d/p")),
			"http://s.example/d/x.html", "", ""},
	} {
		for mime, want := range map[MIMEBase]string{MIMERFC2396: c.rfc2396,
			MIMERFC2557: c.rfc2557, MIMERFC2110: c.rfc2110} {
			p := &Policy{MIME: mime}
			if got := resolved(t, c.layers, p, "x.html"); got != want {
				t.Errorf("%s: x.html under %v = %q, want %q", c.name, mime, got, want)
			}
		}
	}
}

// resolved returns ref against the base of l, or "".
func resolved(t *testing.T, l *Layer, p *Policy, ref string) string {
	t.Helper()
	uri, _ := l.Base(p)
	b, err := resolve.NewBase(uri, p.Rules)
	if err != nil {
		t.Fatalf("NewBase(%q): %v", uri, err)
	}
	got, err := b.Resolve(ref)
	if err != nil {
		return ""
	}
	return got
}

func TestBase(t *testing.T) {
	rfc := Policy{Rules: resolve.Options{Rules: resolve.RFC2396}}
	for _, c := range []struct {
		name   string
		layers *Layer
		policy Policy
		uri    string
		from   Source
	}{
		{"no layers", nil, Policy{}, "", None},
		{"default", layers(Layer{Source: DefaultBase, Value: "http://d.example/"}),
			Policy{}, "http://d.example/", DefaultBase},
		{"retrieval before default",
			layers(retrieval("http://r.example/"), Layer{Source: DefaultBase, Value: "http://d.example/"}),
			Policy{}, "http://r.example/", Option},
		{"BASE with http: and no slashes", layers(element("http:b/"), retrieval("http://r.example/x/")),
			Policy{}, "http://r.example/x/b/", BaseElement},
		{"BASE with http: and one slash", layers(element("http:/b/"), retrieval("http://r.example/x/")),
			Policy{}, "http://r.example/b/", BaseElement},
		{"BASE with a blank, http: and no slashes", layers(element(" http:b/ "), retrieval("http://r.example/x/")),
			Policy{}, "http://r.example/x/b/", BaseElement},
		{"BASE with http: and nothing", layers(element("http:"), retrieval("http://r.example/x/y")),
			Policy{}, "http://r.example/x/y", BaseElement},
		{"forced", layers(element("http://b.example/")),
			Policy{Force: "http://f.example/"}, "http://f.example/", Forced},
		{"forced file:", nil, Policy{Force: "file:///x/"}, "file:///x/", Forced},
		{"operator's file:", layers(retrieval("file:///x/y")), Policy{}, "file:///x/y", Option},
		{"client's file:", &Layer{Source: URL, Value: "file:///x/y"}, Policy{}, "file:///x/y", URL},
		{"BASE over operator's file:", layers(element("z/"), retrieval("file:///x/y")),
			Policy{}, "file:///x/z/", BaseElement},
		{"BASE file: allowed", layers(element("file:///x/")), Policy{FileBase: true}, "file:///x/", BaseElement},
		{"BASE about: stops", layers(element("about:blank"), retrieval("http://r.example/")), Policy{}, "", None},
		{"BASE urn: stops", layers(element("urn:a:b"), retrieval("http://r.example/")), Policy{}, "", None},
		{"BASE in an unknown charset stops",
			layers(Layer{Source: BaseElement, Value: "http://b.example/\ufffd/", UnknownCharset: "x-foo"},
				retrieval("http://r.example/")), Policy{}, "", None},
		{"relative BASE in an unknown charset stops",
			layers(Layer{Source: BaseElement, Value: "\ufffd/", UnknownCharset: "x-foo"},
				retrieval("http://r.example/")), Policy{}, "", None},
		{"BASE in an unknown charset that is not trusted",
			layers(Layer{Source: BaseElement, Value: "\ufffd/", UnknownCharset: "x-foo", Part: "1"},
				retrieval("http://r.example/")), Policy{Trust: TrustHeaders}, "http://r.example/", Option},
		{"field that is not UTF-8 stops",
			layers(location(0, "http://b.example/\xe9/p"), retrieval("http://r.example/")), Policy{}, "", None},
		{"relative field that is not UTF-8 stops",
			layers(location(0, "\xe9/"), retrieval("http://r.example/")), Policy{}, "", None},
		{"encoded word that is not UTF-8 stops",
			layers(contentBase(0, "=?utf-8?q?http://b.example/=E9/?="),
				retrieval("http://r.example/")), Policy{}, "", None},
		{"BASE under a field that is not UTF-8",
			layers(element("http://b.example/"),
				location(0, "http://c.example/\xe9/")), Policy{}, "http://b.example/", BaseElement},
		{"field whose file name is not UTF-8",
			layers(location(0, "http://b.example/d/\xe9.html"),
				retrieval("http://r.example/")), Policy{}, "http://b.example/d/%EF%BF%BD.html", ContentLocation},
		{"field whose query is not UTF-8",
			layers(location(0, "http://b.example/?q=\xe9/"),
				retrieval("http://r.example/")), Policy{}, "http://b.example/?q=%EF%BF%BD/", ContentLocation},
		{"field in UTF-8", layers(location(0, "http://b.example/\u00e9/p"), retrieval("http://r.example/")),
			Policy{}, "http://b.example/%C3%A9/p", ContentLocation},
		{"BASE thismessage: stops", layers(element("thismessage:/"), retrieval("http://r.example/")),
			Policy{}, "", None},
		{"javascript with a tab inside", layers(element("java\tscript:x"), retrieval("http://r.example/")),
			Policy{}, "http://r.example/", Option},
		{"relative BASE under a stop", layers(element("x/"), location(0, "cid:a"), retrieval("http://r.example/")),
			Policy{}, "", None},
		{"relative BASE, nothing around it", layers(element("x/")), Policy{}, "", None},
		{"empty BASE", layers(element(""), retrieval("http://r.example/d/p?q#f")),
			Policy{}, "http://r.example/d/p?q", BaseElement},
		{"empty BASE, RFC 2396", layers(element(""), retrieval("http://r.example/d/p")),
			rfc, "http://r.example/d/p", BaseElement},
		{"BASE //host", layers(element("//h.example/x/"), retrieval("https://r.example/")),
			Policy{}, "https://h.example/x/", BaseElement},
		{"BASE with blanks around", layers(element(" \n http://b.example/ ")), rfc, "http://b.example/", BaseElement},
		{"BASE http:dir/ takes the scheme", layers(element("http:dir/"), retrieval("http://r.example/a/b")),
			Policy{}, "http://r.example/a/dir/", BaseElement},
		{"BASE http:dir/ behind a control", layers(element("\x1fhttp:dir/"), retrieval("http://r.example/a/b")),
			Policy{}, "http://r.example/a/dir/", BaseElement},
		{"BASE http:dir/ with a line end", layers(element(" ht\ntp\r:\tdir/"), retrieval("http://r.example/a/b")),
			Policy{}, "http://r.example/a/dir/", BaseElement},
		{"BASE http:// behind a control", layers(element("\x1fhttp:/\n/x/"), retrieval("http://r.example/a/b")),
			Policy{}, "http://x/", BaseElement},
		{"BASE http:// with a tab", layers(element("http:\t//x/"), retrieval("http://r.example/a/b")),
			Policy{}, "http://x/", BaseElement},
		{"BASE http:// with a carriage return", layers(element("http:/\r/x/"), retrieval("http://r.example/a/b")),
			Policy{}, "http://x/", BaseElement},
		{"path of a rule", layers(Layer{Source: HeadersPath, Value: "/d/"}, retrieval("http://r.example/a/b")),
			Policy{}, "http://r.example/d/", HeadersPath},
		{"BASE http:dir/ alone", layers(element("http:dir/")), Policy{}, "http://dir/", BaseElement},
		{"BASE relative over a relative Content-Location over a multipart",
			layers(element("c/"), location(0, "b/"),
				location(1, "http://m.example/a/")), Policy{}, "http://m.example/a/b/c/", BaseElement},
		{"not across messages", layers(outerMessage("http://o.example/"), retrieval("http://r.example/")),
			Policy{NoInheritAcrossMessages: true}, "http://r.example/", Option},
		{"empty Content-Location", layers(location(0, "  "), location(1, "http://m.example/")),
			Policy{}, "http://m.example/", ContentLocation},
		{"retrieval before snapshot", layers(retrieval("http://r.example/")).WithSnapshot("http://s.example/", ""),
			Policy{}, "http://r.example/", Option},
		{"snapshot before default",
			layers(Layer{Source: DefaultBase, Value: "http://d.example/"}).WithSnapshot("http://s.example/", ""),
			Policy{}, "http://s.example/", Snapshot},
		{"encoded-words", layers(location(0, " =?us-ascii?Q?http://e.example/?=\r\n =?us-ascii?B?ZGlyLw==?=")),
			Policy{}, "http://e.example/dir/", ContentLocation},
		{"encoded-word in an unknown charset stops",
			layers(location(0, "=?x-none?Q?http://e.example/?="), location(1, "http://m.example/")),
			Policy{}, "", None},
		{"encoded-word in US-ASCII with another byte stops",
			layers(location(0, "=?us-ascii?Q?http://e.example/=FF/?="), location(1, "http://m.example/")),
			Policy{}, "", None},
		{"encoded-word in an unknown charset that is not trusted",
			layers(location(0, "=?x-none?Q?http://e.example/?="), retrieval("http://r.example/")),
			Policy{Trust: TrustNone}, "http://r.example/", Option},
		{"encoded-word in ISO-8859-1, which means windows-1252",
			layers(location(0, "=?iso-8859-1?Q?http://e.example/=93/?=")), Policy{},
			"http://e.example/%E2%80%9C/", ContentLocation},
		{"encoded-word with unknown bytes in its file name",
			layers(location(0, "=?unknown-8bit?Q?http://e.example/d/=E9?=")), Policy{},
			"http://e.example/d/%EF%BF%BD", ContentLocation},
		{"encoded-word with unknown bytes in its directory",
			layers(location(0, "=?unknown-8bit?Q?http://e.example/=E9/?="), location(1, "http://m.example/")),
			Policy{}, "", None},
		{"snapshot that is not UTF-8 stops",
			layers(snapshot("http://s.example/\xe9/"), Layer{Source: DefaultBase, Value: "http://d.example/"}),
			Policy{}, "", None},
		{"address in a web archive that is not UTF-8 stops",
			layers(Layer{Source: WARCTarget, Value: "http://w.example/\xe9/"}), Policy{}, "", None},
		{"option that is not UTF-8 stops", layers(retrieval("http://r.example/\xe9/")), Policy{}, "", None},
	} {
		uri, from := c.layers.Base(&c.policy)
		source := None
		if from != nil {
			source = from.Source
		}
		if uri != c.uri || source != c.from {
			t.Errorf("%s: Base() = %q from %q, want %q from %q", c.name, uri, source, c.uri, c.from)
		}
	}
}

func TestExplain(t *testing.T) {
	chain := layers(element("sub/"), contentBase(0, "rel/"),
		location(0, "http://cl.example/d/p"), retrieval("http://r.example/"))
	want := []Step{
		{URI: "http://cl.example/d/sub/", Used: true},
		{Reason: "not absolute"},
		{URI: "http://cl.example/d/p", Reason: "an inner layer gives the base"},
		{Reason: "an inner layer gives the base"},
	}
	got := chain.Explain(nil)
	if len(got) != len(want) {
		t.Fatalf("Explain() has %d steps, want %d", len(got), len(want))
	}
	l := chain
	for i, w := range want {
		w.Layer, l = l, l.Outer
		if got[i] != w {
			t.Errorf("Explain()[%d] = %+v, want %+v", i, got[i], w)
		}
	}
}

func TestTrust(t *testing.T) {
	in := func(l Layer) Layer { l.Part = "1"; return l }
	for _, c := range []struct {
		name               string
		layers             *Layer
		all, headers, none string
	}{
		{"BASE of a mail part over its heading",
			layers(in(element("http://b.example/")),
				in(location(0, "http://cl.example/d/")), retrieval("http://r.example/")),
			"http://b.example/", "http://cl.example/d/", "http://r.example/"},
		{"relative BASE of a mail part",
			layers(in(element("sub/")), in(location(0, "http://cl.example/d/")), retrieval("http://r.example/")),
			"http://cl.example/d/sub/", "http://cl.example/d/", "http://r.example/"},
		{"codebase in a mail part",
			layers(in(Layer{Source: Codebase, Value: "http://c.example/"}), retrieval("http://r.example/")),
			"http://c.example/", "http://r.example/", "http://r.example/"},
		{"unusable BASE of a mail part, which stops the search",
			layers(in(element("urn:a:b")), in(location(0, "http://cl.example/"))),
			"", "http://cl.example/", ""},
		{"BASE of a page", layers(element("http://b.example/"), retrieval("http://r.example/")),
			"http://b.example/", "http://b.example/", "http://r.example/"},
		{"relative heading under a retrieval URI", layers(in(location(0, "d/")), retrieval("http://r.example/")),
			"http://r.example/d/", "http://r.example/d/", "http://r.example/"},
		{"Content-Base of the message around", layers(contentBase(1, "http://cb.example/")),
			"http://cb.example/", "http://cb.example/", ""},
		{"Snapshot-Content-Location",
			layers(snapshot("http://s.example/"), Layer{Source: DefaultBase, Value: "http://d.example/"}),
			"http://s.example/", "http://s.example/", "http://d.example/"},
		{"where a document was fetched from",
			layers(element("http://b.example/"), Layer{Source: URL, Value: "http://u.example/"}),
			"http://b.example/", "http://b.example/", "http://u.example/"},
		{"what a record of a crawl says",
			layers(element("http://b.example/"), Layer{Source: WARCTarget, Value: "http://w.example/"}),
			"http://b.example/", "http://b.example/", "http://w.example/"},
	} {
		for trust, want := range map[Trust]string{TrustAll: c.all, TrustHeaders: c.headers, TrustNone: c.none} {
			if got, _ := c.layers.Base(&Policy{Trust: trust}); got != want {
				t.Errorf("%s: Base under trust %v = %q, want %q", c.name, trust, got, want)
			}
		}
	}
}

func TestTrustReason(t *testing.T) {
	chain := layers(Layer{Source: BaseElement, Value: "http://b.example/", Part: "1"},
		location(0, "http://cl.example/"))
	for trust, want := range map[Trust]string{
		TrustHeaders: "not trusted: it is from a document in a message",
		TrustNone:    "not trusted: it is from a document or a header field",
	} {
		if got := chain.Explain(&Policy{Trust: trust})[0].Reason; got != want {
			t.Errorf("Explain()[0].Reason under trust %v = %q, want %q", trust, got, want)
		}
	}
}

func TestExplainCharset(t *testing.T) {
	steps := layers(Layer{Source: BaseElement, Value: "\ufffd/", UnknownCharset: "x-foo"},
		retrieval("http://r.example/")).Explain(nil)
	if want := `the charset "x-foo" is not known`; steps[0].Used || steps[0].Reason != want || steps[1].Used {
		t.Errorf("Explain() = %+v, want the first unused, reason %q", steps, want)
	}
}

func TestExplainBytes(t *testing.T) {
	steps := layers(location(0, "http://b.example/\xe9/"), retrieval("http://r.example/")).Explain(nil)
	if want := "it has bytes that are not UTF-8, and its charset is unknown"; steps[0].Used ||
		steps[0].Reason != want || steps[1].Used {
		t.Errorf("Explain() = %+v, want the first unused, reason %q", steps, want)
	}
}

func TestExplainStop(t *testing.T) {
	steps := layers(element("x/"), location(0, "cid:a@b"), retrieval("http://r.example/")).Explain(nil)
	for i, want := range []string{"no usable base around it", "cid: names parts of a message",
		"an inner layer prevents a base"} {
		if steps[i].Used || !strings.Contains(steps[i].Reason, want) {
			t.Errorf("Explain()[%d] = used %v, reason %q, want a reason with %q",
				i, steps[i].Used, steps[i].Reason, want)
		}
		if stops := i == 1; steps[i].Stops != stops {
			t.Errorf("Explain()[%d].Stops = %v, want %v", i, steps[i].Stops, stops)
		}
	}
}

// A layer that does not count has another reason if a layer inside it is too long, or gives a base
// although the search has stopped.
func TestUnusedReason(t *testing.T) {
	long := strings.Repeat("x", 5000) + "/"
	for _, c := range []struct {
		name    string
		layers  *Layer
		reasons []string
	}{
		{"too long together", layers(location(0, long), location(1, "http://h/"+long)),
			[]string{"base-too-long: each relative link would repeat 10011 bytes of the base, and the limit is 8192",
				"an inner layer prevents a base"}},
		{"a BASE that needs no base", layers(element("http:x/"), location(0, "cid:a"), retrieval("http://r.example/")),
			[]string{"", "cid: names parts of a message and is no base", "an inner layer gives the base"}},
	} {
		for i, step := range c.layers.Explain(nil) {
			if step.Reason != c.reasons[i] {
				t.Errorf("%s: Explain()[%d].Reason = %q, want %q", c.name, i, step.Reason, c.reasons[i])
			}
		}
	}
}

// The part of a base that references inherit has a maximum length. A longer base stops the search,
// like any unusable base.
func TestTooLong(t *testing.T) {
	long := func(n int) string { return strings.Repeat("x", n) }
	for _, c := range []struct {
		name   string
		layers *Layer
		uri    string
		reason string // of the first layer
	}{
		{"a path of 8 KiB", layers(element("http://h/" + long(8182) + "/")), "http://h/" + long(8182) + "/", ""},
		{"a path of one byte more", layers(element("http://h/"+long(8183)+"/"), retrieval("http://r.example/")),
			"", "base-too-long: each relative link would repeat 8193 bytes of the base, and the limit is 8192"},
		{"a last segment and a query, which few references inherit",
			layers(element("http://h/" + long(9000) + "?/" + long(9000))), "http://h/" +
				long(9000) + "?/" + long(9000), ""},
		{"a query of 32 KiB", layers(contentBase(0, "http://h/?"+long(32759)), location(0, "http://cl.example/")),
			"", "base-too-long: the base has 32769 bytes, and the limit is 32768"},
		{"an authority alone", layers(contentBase(0, "foo://"+long(8187))), "",
			"base-too-long: each relative link would repeat 8193 bytes of the base, and the limit is 8192"},
		{"an authority alone, not too long", layers(contentBase(0, "foo://"+long(8186))), "foo://" + long(8186), ""},
		{"no authority", layers(contentBase(0, "foo:/"+long(8187)+"/"), retrieval("http://r.example/")),
			"", "base-too-long: each relative link would repeat 8193 bytes of the base, and the limit is 8192"},
		{"a relative one that becomes too long",
			layers(location(0, long(5000)+"/"), location(1, "http://h/"+long(4000)+"/"),
				retrieval("http://r.example/")),
			"", "base-too-long: each relative link would repeat 9011 bytes of the base, and the limit is 8192"},
		{"relative ones in one that became too long",
			layers(location(0, "a/"), location(1, long(5000)+"/"),
				location(2, "http://h/"+long(4000)+"/"), retrieval("http://r.example/")),
			"", "relative, and no usable base around it"},
		{"an absolute one in one that is too long",
			layers(location(0, "http://in.example/"),
				contentBase(1, "http://h/"+long(9000)+"/")), "http://in.example/", ""},
		{"what the operator gives", layers(retrieval("http://h/" + long(9000) + "/")), "",
			"base-too-long: each relative link would repeat 9010 bytes of the base, and the limit is 8192"},
	} {
		if uri, from := c.layers.Base(nil); uri != c.uri || (from == nil) != (uri == "") {
			t.Errorf("%s: Base() = %.40q of %d bytes, want %.40q of %d", c.name, uri, len(uri), c.uri, len(c.uri))
		}
		if got := c.layers.Explain(nil)[0].Reason; got != c.reason {
			t.Errorf("%s: Explain()[0].Reason = %q, want %q", c.name, got, c.reason)
		}
	}
}

// A BASE that a template will write stops the search, but not with a forced base.
func TestUnknown(t *testing.T) {
	unknown := element("{{ base }}/")
	unknown.Template = true
	chain := layers(element("x/"), unknown, retrieval("http://r.example/"))
	if uri, from := chain.Base(nil); uri != "" || from != nil {
		t.Errorf("Base() = %q, %v, want none", uri, from)
	}
	if got, want := chain.Explain(nil)[1].Reason, "it is a piece of a template"; got != want {
		t.Errorf("Explain()[1].Reason = %q, want %q", got, want)
	}
	if uri, _ := chain.Base(&Policy{Force: "http://f.example/"}); uri != "http://f.example/" {
		t.Errorf("Base() of a forced base = %q", uri)
	}
	rule := &Layer{Source: HeadersPath, Value: "/d/*", Template: true}
	if uri, _ := rule.Base(nil); uri != "" {
		t.Errorf("Base() of a rule for many pages = %q, want none", uri)
	}
	if got, want := rule.Explain(nil)[0].Reason, "it stands for many pages"; got != want {
		t.Errorf("Explain()[0].Reason = %q, want %q", got, want)
	}
}

func TestExplainForced(t *testing.T) {
	steps := layers(element("http://b.example/")).Explain(&Policy{Force: "http://f.example/"})
	if len(steps) != 2 || !steps[0].Used || steps[0].Layer.Source != Forced || steps[1].Used {
		t.Errorf("Explain() = %+v, want the forced layer used, then the BASE unused", steps)
	}
	if got, want := steps[1].Reason, "the forced base replaces it"; got != want {
		t.Errorf("Explain()[1].Reason = %q, want %q", got, want)
	}
}

func TestRetrieval(t *testing.T) {
	chain := layers(element("http://b.example/"),
		location(0, "http://cl.example/")).WithSnapshot("http://s.example/p", "")
	if got, want := chain.Retrieval(nil), "http://s.example/p"; got != want {
		t.Errorf("Retrieval() = %q, want %q", got, want)
	}
	chain = layers(element("http://b.example/"), retrieval("http://r.example/p"))
	if got, want := chain.Retrieval(&Policy{Force: "http://f.example/"}), "http://r.example/p"; got != want {
		t.Errorf("Retrieval() = %q, want %q", got, want)
	}
}

func TestReference(t *testing.T) {
	for _, c := range []struct {
		in, want string
		ok       bool
	}{
		{" http://a.example/ ", "http://a.example/", true},
		{`"http://a.example/ b"`, "http://a.example/b", true},
		{"<URL:http://a.example/>", "http://a.example/", true},
		{"url:http://a.example/", "http://a.example/", true},
		{"<http://a.example/", "<http://a.example/", true},
		{"http://a.example/%20x", "http://a.example/%20x", true},
		{"=?utf-8?Q?x?= y", "=?utf-8?Q?x?=y", true},
		{"=?utf-8?Q?a=20b?=", "ab", true},
		{"=?utf-8?X?a?=", "=?utf-8?X?a?=", true},
		{"=?utf-8?B?!!?=", "", false},
		{"=?koi8-r?B?aHR0cDovL2EuZXhhbXBsZS/G?=", "http://a.example/ф", true},
		{"=?Shift_JIS?Q?http://a.example/=95=5C?= =?iso-2022-jp*ja?B?GyRCS1wbKEI=?=", "http://a.example/表本", true},
		{"=?windows-1252?Q?a=E9?=", "aé", true},
		{"=?windows-1252?Q?a=81?=", "", false},
		{"=?ISO-8859-1?Q?a=E9=80?=", "aé€", true},
		{"=?latin1?Q?a=80?=", "a€", true},
		{"=?us-ascii?Q?a=7F?=", "a\x7f", true},
		{"=?US-ASCII?Q?a=80?=", "", false},
		{"=?US-ASCII*en?Q?a=FF?=", "", false},
		{"=?US-ASCII?Q?a=C2=80?=", "", false},
		{"=?ascii?B?gA==?=", "", false},
		{"=?ANSI_X3.4-1968?Q?a=FF?=", "", false},
		{"=?UTF-8?Q?a=C3=A9?=", "aé", true},
		{"=?utf-8?Q?a=E9?=", "a\xe9", true},
		{"=?utf8*de?Q?a=E9?=", "a\xe9", true},
		{"=?unknown-8bit?Q?a=E9?=", "a\xe9", true},
		{"=?utf-8?Q?a=EF=BF=BD?=", "a\ufffd", true},
		{"=?big5?Q?a=FF?=", "", false},
		{"=?iso-2022-kr?Q?a?=", "", false},
		{"", "", true},
		{`"`, `"`, true},
	} {
		if got, ok := (&Layer{Source: ContentLocation, Value: c.in}).Reference(); got != c.want || ok != c.ok {
			t.Errorf("Reference of a field %q = %q, %v, want %q, %v", c.in, got, ok, c.want, c.ok)
		}
	}
}

// FuzzBase checks that a document or message never yields an unusable base, and that Explain agrees
// with Base.
func FuzzBase(f *testing.F) {
	f.Add("sub/", "\"http://cb.example/\"", "page.html", "http://m.example/", uint8(0))
	f.Add("javascript:x", "<URL:x>", "cid:a", "file:///x", uint8(1))
	f.Add("file:///x", "", "=?utf-8?Q?x?=", "data:,", uint8(2))
	f.Fuzz(func(t *testing.T, elem, cb, cl, outer string, mode uint8) {
		p := &Policy{MIME: MIMEBase(mode % 3),
			Rules: resolve.Options{Rules: resolve.Rules(mode / 3 % 3)}, Trust: Trust(mode / 9 % 3)}
		chain := layers(element(elem), contentBase(0, cb), location(0, cl), location(1, outer))
		uri, from := chain.Base(p)
		if (uri == "") != (from == nil) {
			t.Fatalf("Base() = %q from %v: one without the other", uri, from)
		}
		if from != nil {
			if _, rest, ok := strings.Cut(uri, ":"); !ok || !strings.HasPrefix(rest, "/") ||
				tooLongReason(uri) != "" || strings.HasPrefix(strings.ToLower(uri), "file:") {
				t.Fatalf("Base() = %q, which is no usable base", uri)
			}
		}
		if p.Trust == TrustNone && from != nil {
			t.Fatalf("Base() = %q, although no layer is trusted", uri)
		}
		for i, st := range chain.Explain(p) {
			if st.Used != (st.Layer == from) || st.Used && st.URI != uri || !st.Used && st.Reason == "" {
				t.Fatalf("Explain()[%d] = %+v, but Base() = %q from %v", i, st, uri, from)
			}
		}
	})
}

// Layers that documents share are judged once, at each of three sizes. A Memo gives the same result
// for each document as its layers alone.
func TestMemo(t *testing.T) {
	const depth = 40
	for _, documents := range []int{10, 20, 40} {
		var m Memo
		for message := range 2 {
			shared := layers(location(1, fmt.Sprintf("http://h/%d/", message)),
				Layer{Source: DefaultBase, Value: "http://d.example/"})
			for range depth {
				shared = &Layer{Source: ContentLocation, Value: "a/", Inherited: true, Outer: shared}
			}
			judged := m.judged
			m.Base(shared, nil)
			m.Base(shared, nil)
			if got := m.judged - judged; got != depth+1 {
				t.Errorf("the shared layers were judged %d times, want %d", got, depth+1)
			}
			for i := range documents {
				l := &Layer{Source: ContentLocation, Value: fmt.Sprintf("%d/", i), Outer: shared}
				if i%2 == 1 {
					l = &Layer{Source: BaseElement, Value: "b/", Outer: shared}
				}
				uri, from := m.Base(l, nil)
				if wantURI, want := l.Base(nil); uri != wantURI || from != want || from != l {
					t.Fatalf("document %d: Memo.Base = %q from %v, want %q from %v", i, uri, from, wantURI, want)
				}
				if len(m.cached) != depth+1 {
					t.Fatalf("document %d: %d layers are known, want %d", i, len(m.cached), depth+1)
				}
				if got, want := m.Explain(l, nil), l.Explain(nil); !slices.Equal(got, want) {
					t.Fatalf("document %d: Memo.Explain = %+v, want %+v", i, got, want)
				}
			}
		}
		if want := 2 * (2*documents + depth + 1); m.judged != want {
			t.Errorf("%d documents in %d layers: %d layers were judged, want %d",
				documents, depth, m.judged, want)
		}
	}
}

// An outer layer that was judged for one document does not count for another document whose search
// ends before it.
func TestMemoEnds(t *testing.T) {
	outer := layers(location(1, "out/"), retrieval("http://r.example/"))
	inner := &Layer{Source: ContentLocation, Value: "http://in.example/", Inherited: true, Outer: outer}
	stop := &Layer{Source: ContentLocation, Value: "cid:a", Inherited: true, Outer: outer}
	var m Memo
	for _, l := range []*Layer{outer, inner, stop, outer, stop, inner} {
		uri, from := m.Base(l, nil)
		if want, wantFrom := l.Base(nil); uri != want || from != wantFrom {
			t.Errorf("Memo.Base(%q) = %q, want %q", l.Value, uri, want)
		}
		if got, want := m.Explain(l, nil), l.Explain(nil); !slices.Equal(got, want) {
			t.Errorf("Memo.Explain(%q) = %+v, want %+v", l.Value, got, want)
		}
	}
	m.Forget()
	if len(m.cached) != 0 {
		t.Errorf("after Forget %d layers are known", len(m.cached))
	}
}
