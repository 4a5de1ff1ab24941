package extract_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"absolink/base"
	"absolink/extract"
	"absolink/resolve"
	"absolink/testdata/effort"
)

// described lists the results of the references of a document, and the document with the edits.
func described(r *extract.Resolver, d *extract.Doc) string {
	var b strings.Builder
	for l := range r.Links(d) {
		fmt.Fprintf(&b, "%s %q of %q, %v %v, %v, %q\n", l.Status, l.URI, l.Base, l.Change, l.Drop, l.Err, l.Warnings)
	}
	fmt.Fprintf(&b, "%q", extract.Apply(nil, d.Data, r.Edits(nil, d)))
	return b.String()
}

// A Resolver and a Doc that were used for other documents, layers, charsets and policies give the
// same results as new ones.
func TestUsedAgain(t *testing.T) {
	texts := []string{
		"<a href=f>", "<base href=/b/><a href=f>", "<base href=//c.test/><a href=f><a href=#x><a href=HTTP://D.test>",
		"<object codebase=c/ data=g></object><a href='?\xe9'>", "<a href='?\xe9'><a href=\xe9><a href=g?y>",
		"<base href=c/><object codebase=d/ data=g></object><a href='x?\xe9\\y'>",
		strings.Repeat("<object codebase=c/ data=g></object><object codebase=d data=g></object>", 6) + "<a href=f>",
		"<meta charset=koi8-r><a href='?\xe9'>", "<svg xml:base=e/><a xlink:href=h>",
	}
	layers := []*base.Layer{
		nil,
		{Source: base.URL, Value: "http://a.test/d/e"},
		{Source: base.ContentLocation, Value: "l/", Outer: &base.Layer{Source: base.URL, Value: "http://b.test/"}},
		{Source: base.ContentBase, Value: "http://m.test/", Inherited: true},
	}
	policies := []base.Policy{
		{}, {Force: "http://f.test/g/"}, {Rules: resolve.Options{Rules: resolve.WHATWG}},
		{Rules: resolve.Options{Rules: resolve.RFC2396}, MIME: base.MIMERFC2110},
	}
	random := rand.New(rand.NewPCG(5, 6))
	var kept extract.Resolver
	var reused extract.Doc
	for range effort.Pick(20_000, 300) {
		set := func(r *extract.Resolver, d *extract.Doc, seed uint64) {
			same := rand.New(rand.NewPCG(seed, 0))
			d.Reset()
			d.Format = extract.HTML
			d.Data = []byte(texts[same.IntN(len(texts))])
			d.Layer = layers[same.IntN(len(layers))]
			d.Charset = []string{"", "utf-8", "windows-1252", "koi8-r", "x-unknown"}[same.IntN(5)]
			r.Policy = policies[same.IntN(len(policies))]
			r.BaseElement = extract.BaseElement(same.IntN(3))
			r.Normalize = same.IntN(3) == 0
			r.Fragments = same.IntN(3) == 0
		}
		seed := random.Uint64()
		var fresh extract.Resolver
		var d extract.Doc
		set(&fresh, &d, seed)
		set(&kept, &reused, seed)
		want := described(&fresh, &d)
		if got := described(&kept, &reused); got != want {
			t.Fatalf("%q in %+v under %+v, used again:\n%s\nwant\n%s", d.Data, d.Layer, kept.Policy, got, want)
		}
		if random.IntN(4) == 0 { // a new Doc for a used Resolver, and the other way round
			reused = extract.Doc{}
		}
		if random.IntN(4) == 0 {
			kept = extract.Resolver{}
		}
	}
}
