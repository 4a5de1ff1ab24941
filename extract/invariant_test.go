package extract

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"absolink/base"
	"absolink/extract/internal/escape"
	"absolink/extract/internal/readingtest"
	"absolink/resolve"
	"absolink/testdata/corpus"
)

const target = "http://example.test/dir/page.html"

func document(data []byte, charset string, o ...Options) *Doc {
	d := &Doc{Format: HTML, Data: data, Charset: charset, Layer: &base.Layer{Source: base.Option, Value: target}}
	for _, o := range o {
		d.Options = o
	}
	return d
}

// optionsOf returns the options for the bits of n.
func optionsOf(n uint8) Options {
	return Options{Lazy: n&1 > 0, Scripts: n&2 > 0, Comments: n&4 > 0, HTML5Objects: n&8 > 0,
		VisibleText: n&16 > 0}
}

// rewritten returns a document with absolute links.
func rewritten(d *Doc) []byte {
	var r Resolver
	return Apply(nil, d.Data, r.Edits(nil, d))
}

// outcome is the result of one link as the list of links shows it.
type outcome struct {
	status Status
	uri    string
	fixed  bool // not rewritten, since it is only listed or its place cannot hold it
	value  string
}

func outcomes(r *Resolver, d *Doc) (list []outcome) {
	for l := range r.Links(d) {
		fixed := l.ListOnly || slices.Contains(l.Warnings, "unwritable")
		list = append(list, outcome{l.Status, string(l.Fit(l.URI)), fixed, string(l.Value)})
	}
	return list
}

// checkRewrite checks the invariants of rewriting for a document and returns the rewritten
// document.
func checkRewrite(t *testing.T, name string, data []byte, charset string, o resolve.Options, more ...Options) []byte {
	t.Helper()
	r := Resolver{Policy: base.Policy{Rules: o}}
	d := document(data, charset, more...)
	before := outcomes(&r, d)
	edits := r.Edits(nil, d)
	out := Apply(nil, data, edits)
	if len(edits) == 0 && !bytes.Equal(out, data) {
		t.Errorf("%s: no edit, and yet a change", name)
	}
	after := outcomes(&r, document(out, charset, more...))
	if len(after) != len(before) {
		t.Errorf("%s: %d links after rewriting, want %d", name, len(after), len(before))
		return out
	}
	for i := range before {
		want := before[i]
		if want.status == Resolved && !want.fixed {
			want.status = AbsoluteRef
		}
		if after[i].status != want.status || after[i].uri != want.uri {
			t.Errorf("%s: link %d, %q, is %s %q after rewriting, want %s %q", name, i,
				before[i].value, after[i].status, after[i].uri, want.status, want.uri)
		}
	}
	if again := r.Edits(nil, document(out, charset, more...)); len(again) > 0 {
		t.Errorf("%s: rewriting again edits %d links, want none", name, len(again))
	}
	return out
}

var seeds = []string{
	`<a href=x>y</a><a href="?a&amp;b"><a href='z'><a href><a href=>`,
	`<base href=b/><img srcset="a 1x, b,c 2x" src=d><link rel=icon imagesrcset=,x>`,
	`<meta http-equiv=refresh content="0;url='x'"><meta http-equiv=refresh content='0;"x'><meta http-equiv=refresh content=0;x>`,
	`<p style="a:url(x) url('y') url(&quot;z&quot;)"><p style=a:url(x)><p style='b:url("x\22")'>`,
	`<style>@import "a";b{c:url(d)}</style><svg><style>a{b:url(c)}<![CDATA[d{e:url(f)}]]></style></svg>`,
	`<iframe srcdoc="<a href='x'><p style=&quot;a:url(&amp;quot;b&amp;quot;)&quot;><iframe srcdoc='<a href=y>'>"></iframe><iframe srcdoc=<a/href=x>></iframe>`,
	`<object codebase=c data=d archive="a b"><applet archive=a,b codebase="d"><a ping="p q">`,
	`<svg><a xlink:href=x /><image href='y'/><rect fill="url(z)"/></svg><math href=m>`,
	`<template><base href=t><a href=x></template><noscript><a href=y></noscript><!-- <a href=z> --><textarea><a href=w></textarea>`,
	`<meta http-equiv=content-base content=http://a/><meta http-equiv=Link content="<a>; rel=&quot;x,y&quot;, <b>"><meta http-equiv=pics-label content='(P "http://c/" "d")'><meta http-equiv=content-security-policy content="img-src *; report-uri e f, report-uri g"><meta property="og:image" content=h><meta name=" Twitter:image " content=i property=og:url>`,
	`<meta name=msapplication-task content="name=a; action-uri=b;icon-uri = c"><meta name=msapplication-notification content="polling-uri=d;polling-uri2=e"><meta name=msapplication-square70x70logo content=f><meta name=citation_pdf_url content=g><meta name=go-import content="h git http://i/"><meta itemprop=image content=j><meta itemprop=x content=./k><meta itemprop=y content=l><meta name=al:ios:url content=m>`,
	`<a href="javascript:go('/x',&quot;y.html&quot;,'a%2520.png')" onclick="f('./z')"><script>var a='/b',c="d.js"</script><p data-src=e hx-get=f data-srcset="g 1x"><!-- <a href=h><img src=i> --><!--[if mso]><v:rect href=j><style>a{b:url(k)}</style><a href=l-><![endif]--><svg><animate attributeName=href to=m values="n;o"/></svg><param name=movie value=p>`,
	`<script type=importmap>{"imports":{"a":"/<!--<script>","b":"/c"}}</script></script><noscript><a href="/</noscript>"></noscript>`,
	`<meta property=article:author content="x/y z"><meta property=music:song content="a b"><script type=application/ld+json>{"@context":["http://a/",{"@base":"b/"}],"url":"c","license":"g","image":["d",{"@id":"_:e"}],"x":"f"}</script><script type=importmap>{"imports":{"a":"./b","c":"d"},"scopes":{"e":{"f":"/g\u0041"}}}</script><script type=speculationrules>{"prefetch":[{"urls":["h"],"where":{"href_matches":["i"]}}]}</script>`,
}

// FuzzRewrite checks the invariants of rewriting, with every rule set.
func FuzzRewrite(f *testing.F) {
	for i, s := range seeds {
		f.Add([]byte(s), uint8(i))
		f.Add([]byte(s), uint8(35))
	}
	f.Fuzz(func(t *testing.T, data []byte, rules uint8) {
		o := resolve.Options{Rules: resolve.Rules(rules % 5)}
		more := optionsOf(rules / 5)
		out := checkRewrite(t, "fuzz", data, "utf-8", o, more)
		if where, _ := judgeOf(more).changed(data, out); where != "" {
			t.Errorf("%q became %q: %s", data, out, where)
		}
	})
}

// FuzzInjection writes hostile URIs into every place of a document. According to the tree of the
// output nothing else changes. In places that do not depend on their content, every reference is
// read back as it was written.
func FuzzInjection(f *testing.F) {
	for i, s := range seeds {
		f.Add([]byte(s),
			[]string{`"><script>alert(1)</script>`, `'>`, "x y,z", "&quot;&amp", "\n\\);}", "</style>]]>", "`=",
				"\x00\u0080\xff", "&#60;", "http://e/;,", "http://e/'",
				"http://e/--!>", "http://e/-->", "http://e/\\\"}"}[i])
	}
	f.Fuzz(func(t *testing.T, data []byte, uri string) {
		if uri == "" {
			return
		}
		o := Options{Lazy: true, Comments: len(data)%2 > 0}
		j := judge{comments: o.Comments, blocks: true}
		out, _ := inject(document(data, "utf-8", o), uri, false)
		if where, _ := j.changed(data, out); where != "" {
			t.Fatalf("%q became %q: %s", data, out, where)
		}
		out, want := inject(document(data, "utf-8", o), uri, true)
		i := 0
		for r := range document(out, "utf-8", o).Refs() {
			if i < len(want) && !readsAs(r.Value, want[i]) {
				t.Errorf("%q became %q: reference %d is %q, want %q", data, out, i, r.Value, want[i])
			}
			i++
		}
		if i != len(want) {
			t.Errorf("%q became %q: %d references, want %d", data, out, i, len(want))
		}
	})
}

// inject writes uri into every place of a document that may be written, around the existing value.
// If firm is set, it writes only into places that hold a reference whatever its value. If a tag
// splits a reference of the document, nothing is written, since an edit would remove the tag.
// inject returns the document and its expected references. It writes the same for equal values,
// since the parser counts equal elements (HTML 13.2.4.3).
func inject(d *Doc, uri string, firm bool) (out []byte, want []string) {
	var edits []Edit
	split := slices.ContainsFunc(d.Problems(), func(p Problem) bool { return p.Kind == "split-reference" })
	for r := range d.Refs() {
		value := string(r.Value)
		if !split && !r.Identifier && !r.Fixed() && !(firm && r.loose()) {
			value = uri + hex.EncodeToString(r.Value) + uri
			edits = append(edits, r.Edit([]byte(value)))
		}
		want = append(want, value)
	}
	return Apply(nil, d.Data, edits), want
}

// loose reports whether r is a reference only as long as it looks like one.
func (r *Ref) loose() bool {
	return r.context().List == escape.Guess || r.context().List == escape.Name ||
		r.context().Token == escape.Literal || !r.shape.Relative || r.Attr == "" && r.Kind == KindService
}

// readsAs reports whether a reference is read back as it was written. Percent-encoding of bytes
// that its place cannot hold is ignored.
func readsAs(got []byte, written string) bool {
	return resolve.Unescape(string(got)) == resolve.Unescape(written)
}

func TestPagesRewritten(t *testing.T) {
	for _, l := range loadPages(t) {
		for _, rules := range []resolve.Rules{resolve.WHATWG, resolve.RFC3986, resolve.RFC2396} {
			out := checkRewrite(t, l.Name+" "+rules.String(), l.data, "", resolve.Options{Rules: rules})
			if rules == resolve.WHATWG && !strings.HasPrefix(l.Charset, "UTF-16") {
				judge{}.check(t, l.Name, l.data, out)
			}
		}
	}
	for _, l := range loadPages(t) {
		o := optionsOf(7)
		out := checkRewrite(t, l.Name+" with options", l.data, "", resolve.Options{}, o)
		if !strings.HasPrefix(l.Charset, "UTF-16") {
			judgeOf(o).check(t, l.Name+" with options", l.data, out)
		}
	}
}

// TestMailRewritten reads every message of the corpus as if it were HTML. Documents with so many
// kinds of damage must neither panic nor break the invariants.
func TestMailRewritten(t *testing.T) {
	for _, m := range corpus.Documents(t, "mail") {
		if len(m.Data) <= 1<<20 {
			checkRewrite(t, m.Name, m.Data, "", resolve.Options{})
		}
	}
}

// TestSuitesRewritten checks the invariants for the documents of other tools' tests.
func TestSuitesRewritten(t *testing.T) {
	names, _ := filepath.Glob(corpus.Path("html/*.json"))
	n := 0
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var file struct {
			Cases []struct{ HTML, Body string }
		}
		if err := json.Unmarshal(data, &file); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i, c := range file.Cases {
			n++
			in := []byte(c.HTML + c.Body)
			id := fmt.Sprintf("%s %d", filepath.Base(name), i)
			judge{}.check(t, id, in, checkRewrite(t, id, in, "utf-8", resolve.Options{}))
		}
	}
	if least := corpus.Least(100, 70); n < least {
		t.Fatalf("%d cases, want at least %d", n, least)
	}
}

// fuzzCharsets are charsets of every kind: one byte, several, wide, with states.
var fuzzCharsets = []string{"windows-1252", "shift_jis", "gb18030", "big5", "euc-kr", "euc-jp", "utf-16le",
	"utf-16be", "iso-2022-jp", "replacement", "", "iso-8859-15", "gbk", "x-user-defined", "iso-2022-jp-1"}

// FuzzCharsets checks the invariants of rewriting in other charsets. The trees are built from the
// decoded text.
func FuzzCharsets(f *testing.F) {
	for i, s := range seeds {
		f.Add([]byte(s+"<a href='\x83\x5c\xc6\xfc?\x1b$BF|K\\\x1b(B'>"), uint8(i))
		f.Add([]byte(s+"<a href='\x81\x30\x81'><a href='\x8f\xa2'>\x81<a href=\x84\x31\xa4\x37?\xf0\x40\x80>"),
			uint8(i))
		f.Add(readingtest.UTF16(s, i%2 == 0), uint8(6))
	}
	for _, tt := range shiftCases {
		f.Add([]byte(escaped(tt.in)), uint8(8))
		f.Add([]byte(escaped("<p>^$(D0!^(B"+tt.in)), uint8(14))
	}
	f.Fuzz(func(t *testing.T, data []byte, charset uint8) {
		label := fuzzCharsets[int(charset)%len(fuzzCharsets)]
		out := checkRewrite(t, "fuzz", data, label, resolve.Options{})
		checkMap(t, document(data, label))
		if where, _ := (judge{}).changed(inUTF8(data, label), inUTF8(out, label)); where != "" {
			t.Errorf("%s: %q became %q: %s", label, data, out, where)
		}
	})
}

// inUTF8 returns a document in UTF-8.
func inUTF8(data []byte, label string) []byte {
	d := document(data, label)
	if text := d.Scanned(); !text.Identity() {
		return text.Data
	}
	return d.in.Charset().Decode(nil, data)
}

// checkMap checks the map of a document that was decoded as a whole. Decoded text comes from
// increasing raw offsets, and each character from its own bytes.
func checkMap(t *testing.T, d *Doc) {
	t.Helper()
	whole := d.Scanned()
	var last Span
	for i, c := range whole.Data {
		s := whole.Raw(Span{Start: i, End: i + 1})
		if s != last && s.Start < last.End || s.End <= s.Start || s.End > len(d.Data) {
			t.Fatalf("%q: byte %d comes from %v, the one before from %v of %d bytes", d.Data, i, s, last, len(d.Data))
		}
		if s.End-s.Start == 1 && c < 0x80 && d.Data[s.Start] != c {
			t.Fatalf("%q: %q comes from %q", d.Data, c, d.Data[s.Start])
		}
		last = s
	}
}
