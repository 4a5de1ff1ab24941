package extract_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"absolink/base"
	"absolink/extract"
)

// Documents of a format are either rewritten or only listed.
func TestListOnly(t *testing.T) {
	layer := &base.Layer{Source: base.URL, Value: "http://a.test/"}
	for format, tt := range map[extract.Format]struct {
		text     string
		listOnly bool
	}{
		extract.HTML:    {`<a href="x">`, false},
		extract.CSS:     {`a{b:url(x)}`, false},
		extract.Feed:    {`<rss><channel><link>x</link></channel></rss>`, false},
		extract.Plain:   {`http://a.test/x`, true},
		extract.Linkset: {`<x>; rel="y"`, true},
		extract.Card:    {"BEGIN:VCARD\nURL:http://a.test/x\nEND:VCARD\n", true},
		extract.Calendar: {"BEGIN:VCALENDAR\nBEGIN:VEVENT\nURL:http://a.test/x\nEND:VEVENT\nEND:VCALENDAR\n",
			true},
		extract.JSONLinkset: {`{"linkset":[{"anchor":"x","item":[{"href":"y"}]}]}`, true},
		extract.Heading:     {"Link: <x>; rel=y\r\n\r\n", true},
		extract.Enriched:    {"http://a.test/x", true},
		extract.WAT: {`{"Envelope":{"Payload-Metadata":{"HTTP-Response-Metadata":{"HTML-Metadata":` +
			`{"Links":[{"path":"A@/href","url":"x"}]}}}}}`, true},
	} {
		d := &extract.Doc{Format: format, Data: []byte(tt.text), Layer: layer}
		var r extract.Resolver
		links := len(slices.Collect(r.Links(d)))
		edits := r.Edits(nil, d)
		if format.ListOnly() != tt.listOnly || links == 0 || (len(edits) == 0) != tt.listOnly {
			t.Errorf("%v: ListOnly is %v, and %d of %d links are rewritten; want ListOnly %v",
				format, format.ListOnly(), len(edits), links, tt.listOnly)
		}
	}
}

// The text of a link is that of the link at the offset, and of no other.
func TestLinkText(t *testing.T) {
	var list []string
	for i := range 9 {
		list = append(list, fmt.Sprintf(`{"path":"A@/href","url":"http://a.test/%d","text":"text %d"}`, i, i))
	}
	data := `{"Envelope":{"Payload-Metadata":{"HTTP-Response-Metadata":{"HTML-Metadata":{"Links":[` +
		strings.Join(list, ",") + `]}}}}}`
	d := &extract.Doc{Format: extract.WAT, Data: []byte(data)}
	texts := make(map[int]string)
	for l := range new(extract.Resolver).Links(d) {
		texts[l.Start] = "text " + string(l.Value[len("http://a.test/"):])
	}
	if len(texts) != 9 {
		t.Fatalf("%d links, want 9", len(texts))
	}
	for at := range len(data) {
		if got := d.LinkText(at); got != texts[at] {
			t.Errorf("LinkText(%d) = %q, want %q", at, got, texts[at])
		}
	}
}

// The additions of a web archive are the bytes from mark to mark.
func TestAdditions(t *testing.T) {
	const toolbar = "<!-- BEGIN WAYBACK TOOLBAR INSERT --><a href=x>x</a><!-- END WAYBACK TOOLBAR INSERT -->"
	const archived = "<!-- FILE ARCHIVED ON x AND RETRIEVED FROM y -->"
	page := "<html><head><body>" + toolbar + "<p>é" + archived
	for format, want := range map[extract.Format][]string{extract.HTML: {toolbar, archived}, extract.CSS: nil} {
		d := &extract.Doc{Format: format, Data: []byte(page)}
		var got []string
		spans, missing := d.Additions()
		for _, s := range spans {
			got = append(got, page[s.Start:s.End])
		}
		if !slices.Equal(got, want) || missing != "" {
			t.Errorf("%v: the additions are %q, missing %q, want %q", format, got, missing, want)
		}
	}
	d := &extract.Doc{Format: extract.HTML, Data: []byte(strings.Replace(page, "END WAYBACK", "END", 1))}
	if spans, missing := d.Additions(); len(spans) > 0 || missing == "" {
		t.Errorf("without the mark of an end: got %v, missing %q", spans, missing)
	}
}
