package extract

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"absolink/base"
	"absolink/resolve"
)

func TestPolicies(t *testing.T) {
	drop, absolutize := Resolver{BaseElement: DropBase}, Resolver{BaseElement: AbsolutizeBase}
	tests := []struct {
		name     string
		r        Resolver
		in, want string
	}{
		{"fragments off", Resolver{}, `<a href="#s"><a href="">`, `<a href="#s"><a href="">`},
		{"fragments", Resolver{Fragments: true}, `<a href="#s"><a href=""><a href>`,
			`<a href="http://example.test/dir/page.html#s"><a href="http://example.test/dir/page.html"><a href="http://example.test/dir/page.html">`},
		{"fragments of maps and pictures stay", Resolver{Fragments: true},
			`<img usemap="#m"><svg><use href="#i"/></svg><p style="fill:url(#g)"><form action="">`,
			`<img usemap="#m"><svg><use href="#i"/></svg><p style="fill:url(#g)"><form action="">`},
		{"fragments with a BASE", Resolver{Fragments: true}, `<base href="/b"><a href="#s">`,
			`<base href="/b"><a href="http://example.test/b#s">`},
		{"fragments by RFC 2396",
			Resolver{Fragments: true,
				Policy: base.Policy{Rules: resolve.Options{Rules: resolve.RFC2396}}}, `<base href="/b"><a href="#s">`,
			`<base href="/b"><a href="http://example.test/dir/page.html#s">`},
		{"normalize off", Resolver{}, `<a href="HTTP://A.test:80/b/../c">`, `<a href="HTTP://A.test:80/b/../c">`},
		{"normalize", Resolver{Normalize: true},
			`<a href="HTTP://A.test:80/b/../c"><a href=" mailto:x"><a href="javascript: x"><a href=http://b.test/><a href="http://b.test"><a href="javascript:x">`,
			`<a href="http://a.test/c"><a href="mailto:x"><a href="javascript: x"><a href=http://b.test/><a href="http://b.test/"><a href="javascript:x">`},
		{"what may be a name stays", drop,
			`<base href="/b/"><script type="application/ld+json">{"license":"Apache-2.0","image":["i.png","/j.png"]}</script>`,
			`<base ><script type="application/ld+json">{"license":"Apache-2.0","image":["http://example.test/b/i.png","/j.png"]}</script>`},
		{"absolutize", absolutize, `<base href="../b/"><a href=x>`,
			`<base href="http://example.test/b/"><a href=http://example.test/b/x>`},
		{"drop", drop, `<base href="../b/" target=t><a href=x><a href="#s">`,
			`<base  target=t><a href=http://example.test/b/x><a href="http://example.test/b/#s">`},
		{"drop, nothing to write out", drop, `<base href="page.html"><a href="#s"><form action="">`,
			`<base ><a href="#s"><form action="">`},
		{"drop, but parts of pictures stay", drop,
			`<base href="/b/"><img usemap="#m"><svg><use href="#i"/><use xlink:href="#i"/><path fill="url(#g)"/><a href="#s"/><image href="#i"/></svg><p style="fill:url(#g)"><style>a{b:url(#g)}</style><use href="#i">`,
			`<base ><img usemap="#m"><svg><use href="#i"/><use xlink:href="#i"/><path fill="url(#g)"/><a href="http://example.test/b/#s"/><image href="http://example.test/b/#i"/></svg><p style="fill:url(#g)"><style>a{b:url(#g)}</style><use href="#i">`},
		{"drop by RFC 2396",
			Resolver{BaseElement: DropBase,
				Policy: base.Policy{Rules: resolve.Options{Rules: resolve.RFC2396}}}, `<base href="/b"><a href="#s"><a href=x>`,
			`<base ><a href="#s"><a href=http://example.test/x>`},
		{"drop what is listed only", drop, `<base href="/b/"><script type=application/ld+json>{"url":"c"}</script>`,
			`<base ><script type=application/ld+json>{"url":"http://example.test/b/c"}</script>`},
		{"drop two", drop, `<base href="/b/"><base href="/c/"><a href=x>`,
			`<base ><base ><a href=http://example.test/b/x>`},
		{"drop two attributes", drop, `<base href="/b/"HREF='/c/' href id=i><a href=x>`,
			`<base   id=i><a href=http://example.test/b/x>`},
		{"drop, but not in a template", drop, `<template><base href="/c/"></template><base href="/b/"><a href=x>`,
			`<template><base href="/c/"></template><base ><a href=http://example.test/b/x>`},
		{"drop, but not one that ends the search", drop,
			`<base href="file:///b/"><a href=x>`, `<base href="file:///b/"><a href=x>`},
		{"drop one that is skipped", drop, `<base href="data:,b"><a href=x>`,
			`<base ><a href=http://example.test/dir/x>`},
		{"drop around a codebase", drop, `<base href="/b/"><object codebase=c/ archive="d" attributionsrc=e>`,
			`<base ><object codebase=http://example.test/b/c/ archive="http://example.test/b/c/d" attributionsrc=e>`},
		{"drop around a srcdoc", drop,
			`<base href="/b/"><iframe srcdoc="<base href=c/><a href=x><a href='#s'>"></iframe>`,
			`<base ><iframe srcdoc="<base href=http://example.test/b/c/><a href=http://example.test/b/c/x><a href='http://example.test/b/c/#s'>"></iframe>`},
		{"drop with a reference in the tag", drop, `<base style="a:url(x)" href=/b/ class="url(y)">`,
			`<base style="a:url(http://example.test/b/x)"  class="url(y)">`},
	}
	for _, tt := range tests {
		d := document([]byte(tt.in), "utf-8")
		got := Apply(nil, d.Data, tt.r.Edits(nil, d))
		if string(got) != tt.want {
			t.Errorf("%s: %q became\n     %q\nwant %q", tt.name, tt.in, got, tt.want)
		}
		var edits []Edit
		for l := range tt.r.Links(d) {
			edits = tt.r.AppendEdits(edits, &l)
		}
		slices.SortStableFunc(edits, Edit.Compare)
		if string(Apply(nil, d.Data, edits)) != tt.want {
			t.Errorf("%s: link by link %q became\n     %q\nwant %q", tt.name, tt.in, Apply(nil, d.Data, edits), tt.want)
		}
		if again := tt.r.Edits(nil, document(got, "utf-8")); len(again) > 0 {
			t.Errorf("%s: rewriting %q again edits %d links, want none", tt.name, got, len(again))
		}
	}
}

// A reference of each element of SVG that names a part of a picture stays if BASE is dropped. A
// link stays only if its URI does not change.
func TestPartsOfPictures(t *testing.T) {
	names := strings.Fields("altGlyph animate animateColor animateMotion animateTransform discard feImage filter " +
		"glyphRef linearGradient mpath pattern radialGradient set textPath tref use")
	for _, name := range append(names, "a", "image") {
		for _, attr := range []string{"href", "xlink:href"} {
			d := document([]byte("<base href='/b/'><svg><"+name+" "+attr+"='#i'/></svg>"), "utf-8")
			r := Resolver{BaseElement: DropBase}
			got := len(r.Edits(nil, d))
			if part := slices.Contains(names, name); part && got != 1 || !part && got != 2 {
				t.Errorf("%s of %s, a part %v: got %d edits with that of BASE", attr, name, part, got)
			}
		}
	}
}

// Only XML can have two attributes in a tag that have one name, each with its own edit, and
// attributes whose names differ only in case.
func TestDropInXML(t *testing.T) {
	tests := []struct{ in, want string }{
		{`<base href="/b/" href="/c/"/>`, `<base  />`},
		{`<base href="data:,b" href="/c/"/>`, `<base  />`},
		{`<base HREF="/a/" href="/b/"/>`, `<base HREF="/a/" />`},
	}
	const root = `<html xmlns="http://www.w3.org/1999/xhtml">`
	for _, tt := range tests {
		d := document([]byte(root+tt.in), "utf-8")
		d.Format = XHTML
		r := Resolver{BaseElement: DropBase}
		edits := r.Edits(nil, d)
		if got := string(Apply(nil, d.Data, edits)); got != root+tt.want ||
			len(edits) > 1 && edits[0].End > edits[1].Start {
			t.Errorf("Edits(%q) = %v make %q, want %q", tt.in, edits, got, root+tt.want)
		}
	}
}

// FuzzPolicies: with every policy the output lists the same URIs, except a BASE that is dropped,
// and a second run edits nothing.
func FuzzPolicies(f *testing.F) {
	for i, s := range seeds {
		f.Add([]byte(s), uint8(1<<(i%5)))
	}
	f.Add([]byte("<base/href='/b/'href=c><a href='#s'><object codebase=x data=y>"), uint8(8))
	f.Fuzz(func(t *testing.T, data []byte, n uint8) {
		r := Resolver{Fragments: n&1 > 0, Normalize: n&2 > 0, BaseElement: BaseElement(n >> 2 % 3),
			Policy: base.Policy{Rules: resolve.Options{Rules: resolve.Rules(n >> 4 % 5)}}}
		d := document(data, "utf-8")
		var want []string
		var edits []Edit
		for l := range r.Links(d) {
			edits = r.AppendEdits(edits, &l)
			if !l.Drop {
				want = append(want, string(l.Fit(l.URI)))
			}
		}
		slices.SortStableFunc(edits, Edit.Compare)
		out := Apply(nil, data, edits)
		if all := Apply(nil, data, r.Edits(nil, d)); !bytes.Equal(all, out) {
			t.Fatalf("Edits of %q make %q, AppendEdits %q", data, all, out)
		}
		if r.BaseElement == DropBase && !r.dropping.on && len(d.in.Bases) > 0 {
			return
		}
		i := 0
		for l := range r.Links(document(out, "utf-8")) {
			if i >= len(want) || string(l.URI) != want[i] && l.Status != IdentifierRef && l.Status != Suspect {
				t.Fatalf("%q became %q: link %d is %q, want %q", data, out, i, l.URI, want)
			}
			i++
		}
		if i != len(want) {
			t.Fatalf("%q became %q: %d links, want %q", data, out, i, want)
		}
		if again := r.Edits(nil, document(out, "utf-8")); len(again) > 0 {
			t.Fatalf("%q became %q, and again %q", data, out, Apply(nil, out, again))
		}
	})
}

// If the BASE is dropped, a reference that names a part of a picture by its fragment stays. An
// empty one means the BASE, and becomes absolute.
func TestEmptyPartsOfPictures(t *testing.T) {
	for _, place := range []string{`<svg><use href="%s"/></svg>`, `<svg><pattern href="%s"/></svg>`,
		`<style>a{b:url("%s")}</style>`, `<img usemap="%s">`} {
		for value, want := range map[string]string{"": "http://b.test/", "#": "#", "#a": "#a"} {
			page := `<base href="http://b.test/">` + place
			d := &Doc{Format: HTML, Charset: "utf-8", Data: fmt.Appendf(nil, page, value),
				Layer: &base.Layer{Source: base.URL, Value: "http://a.test/"}}
			r := Resolver{BaseElement: DropBase}
			var edits []Edit
			for l := range r.Links(d) {
				edits = r.AppendEdits(edits, &l)
			}
			if got, want := string(Apply(nil, d.Data, edits)), fmt.Sprintf("<base >"+place, want); got != want {
				t.Errorf("without the BASE, %q in %s gives %s, want %s", value, place, got, want)
			}
		}
	}
}
