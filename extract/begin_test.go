package extract

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"absolink/base"
	"absolink/extract/internal/readingtest"
)

// If a document begins like no file with its name, the beginning decides. Text that only looks
// alike does not.
func TestBeginningDecides(t *testing.T) {
	wide := func(text string, big bool) string {
		return string(bytes.TrimLeft(readingtest.UTF16(text, big), "\xff\xfe"))
	}
	for _, tt := range []struct {
		data, name string
		want       Format
	}{
		// UTF-16 without a byte order mark
		{wide("<html><p>", false), "", HTML},
		{wide("<html><p>", true), "", HTML},
		{"\x00\x00<html>", "a.bin", Unknown},
		{"x\x00<\x00", "a.bin", Unknown},
		// files of other kinds
		{"%PDF-1.4\n<p>", "a.html", Unknown},
		{"%PDF-1.4\r\n<p>", "a.html", Unknown},
		{"%PDF-1.4 \n<p>", "a.html", Unknown},
		{"%PDF-1\n<p>", "a.html", HTML},
		{"%PDF-1.47\n<p>", "a.html", HTML},
		{"%PDF-is a format\n<p>", "a.html", HTML},
		{"%PDF-1.4", "a.html", HTML},
		{"PK\x03\x04<html>", "a.html", Unknown},
		{"text\x00text", "a.txt", Unknown},
		{strings.Repeat("x", 1023) + "\x00", "a.txt", Unknown},
		{strings.Repeat("x", 1024) + "\x00", "a.txt", Plain},
		{"<p>\x00", "a.html", HTML},
		// a style element begins no page, since people put it into style sheets
		{"<style>a{}</style>", "a.css", CSS},
		{" <STYLE>a{}</STYLE>", "a.css", CSS},
		{"<p>a{}", "a.css", HTML},
		// a whole page in a text
		{"<html><head>", "a.txt", HTML},
		{"<!DOCTYPE html><html>", "a.txt", HTML},
		{"<html> is the first tag", "a.txt", Plain},
		{"<p>x", "a.txt", Plain},
		{"<html><head>", "a.md", Markdown},
	} {
		if got := Detect([]byte(tt.data), tt.name); got != tt.want {
			t.Errorf("Detect(%.40q, %q) = %v, want %v", tt.data, tt.name, got, tt.want)
		}
	}
}

// A resolver that is used for many documents, under changing policies, gives each link the URI and
// the base that a new resolver gives.
func TestPoliciesOfDocuments(t *testing.T) {
	layers := []*base.Layer{
		{Source: base.URL, Value: "http://a.test/d/e"}, {Source: base.URL, Value: "http://b.test/"}, nil}
	policies := []base.Policy{{}, {Force: "http://f.test/g/"}, {}}
	docs := []string{`<a href=f>`, `<base href=/b/><a href=f>`, `<object codebase=c/ data=g>`}
	var kept Resolver
	for round := range 3 {
		for _, layer := range layers {
			for _, policy := range policies {
				for _, text := range docs {
					list := func(r *Resolver) (links []string) {
						r.Policy = policy
						for l := range r.Links(&Doc{Format: HTML, Data: []byte(text), Layer: layer}) {
							links = append(links, l.Status.String()+" "+string(l.URI)+" of "+l.Base)
						}
						return links
					}
					if got, want := list(&kept), list(new(Resolver)); !slices.Equal(got, want) {
						t.Errorf("round %d: links of %s in %v under %+v: got %q, want %q",
							round, text, layer, policy, got, want)
					}
				}
			}
		}
	}
}

// A link names the layer that gave its base, and its reference the layers around it.
func TestLayersOfLinks(t *testing.T) {
	d := webPage(`<a href=x><base href=/b/><object codebase=c/ data=g></object>` +
		`<form action=""><input formaction=y></form>`)
	want := map[string]base.Source{"x": base.BaseElement, "/b/": base.URL, "c/": base.BaseElement, "g": base.Codebase,
		"": base.BaseElement, "y": base.BaseElement}
	n := 0
	for l := range new(Resolver).Links(d) {
		n++
		if l.From == nil || l.From.Source != want[string(l.Value)] {
			t.Errorf("%q has its base from %+v, want %v", l.Value, l.From, want[string(l.Value)])
		}
		bases := map[base.Source]string{base.URL: l.Base, base.BaseElement: "http://example.test/b/",
			base.Codebase: "http://example.test/b/c/"}
		if l.Base == "" || l.Base != bases[want[string(l.Value)]] {
			t.Errorf("%q has the base %q, want that of %v", l.Value, l.Base, want[string(l.Value)])
		}
		if l.Layer == nil || l.Layer.Source != want[string(l.Value)] {
			t.Errorf("%q is in the layer %+v, want %v", l.Value, l.Layer, want[string(l.Value)])
		}
		if form := len(l.Value) == 0 || string(l.Value) == "y"; l.Form != form {
			t.Errorf("%q is of a form: %v, want %v", l.Value, l.Form, form)
		}
	}
	if n != len(want) {
		t.Errorf("got %d links, want %d", n, len(want))
	}
}

// The warning about two charsets belongs to the references that are not ASCII.
func TestConflictWarnings(t *testing.T) {
	d := webPage("<meta charset=utf-8><a href=\xe9><a href=x><a href='&eacute;'>")
	d.Charset = "windows-1252"
	var got []bool
	for l := range new(Resolver).Links(d) {
		got = append(got, slices.Contains(l.Warnings, string(CharsetConflict)))
	}
	if want := []bool{true, false, true}; !slices.Equal(got, want) {
		t.Errorf("the links have the warning: %v, want %v", got, want)
	}
}

// Edits that were made in any order are sorted by Compare, and applied. Edits that overlap are a
// mistake of the caller.
func TestApplyInOrder(t *testing.T) {
	const text = "0123456789"
	edits := []Edit{{Span{8, 9}, []byte("I")}, {Span{0, 0}, []byte("<")}, {Span{3, 5}, nil},
		{Span{10, 10}, []byte(">")}, {Span{5, 6}, []byte("five")}}
	for range 5 {
		sorted := slices.Clone(edits)
		slices.SortStableFunc(sorted, Edit.Compare)
		if got, want := string(Apply([]byte("x"), []byte(text), sorted)), "x<012five67I9>"; got != want {
			t.Errorf("Apply: got %q, want %q", got, want)
		}
		edits = append(edits[1:], edits[0])
	}
	defer func() {
		if recover() == nil {
			t.Error("Apply of edits that overlap does not panic")
		}
	}()
	Apply(nil, []byte(text), []Edit{{Span{2, 5}, nil}, {Span{4, 6}, nil}})
}
