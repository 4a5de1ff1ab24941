package lines_test

import (
	"fmt"
	"testing"

	"absolink/extract/internal/charset"
	"absolink/extract/internal/lines"
	"absolink/extract/internal/page"
	"absolink/extract/internal/readingtest"
)

// The documents of the formats that this package reads.

func plain(s string) *readingtest.Doc {
	return &readingtest.Doc{Data: []byte(s), Find: func(f *page.Finder) { lines.Plain(&f.Text) }}
}

func flowed(s string, tight bool) *readingtest.Doc {
	return &readingtest.Doc{Data: []byte(s), Find: func(f *page.Finder) { lines.Flowed(&f.Text, tight) }}
}

func robots(s string) *readingtest.Doc {
	return &readingtest.Doc{Data: []byte(s), Find: func(f *page.Finder) { lines.Robots(&f.Text) }}
}

func enriched(s string) *readingtest.Doc {
	return &readingtest.Doc{Data: []byte(s), Find: func(f *page.Finder) { lines.Enriched(&f.Text) }}
}

func heading(s string) *readingtest.Doc {
	return &readingtest.Doc{Data: []byte(s), Declared: charset.FixedUTF8,
		Find: func(f *page.Finder) { lines.Heading(&f.Text) }}
}

func calendar(s string) *readingtest.Doc {
	return &readingtest.Doc{Data: []byte(s), Declared: charset.FixedUTF8,
		Find: func(f *page.Finder) { lines.Calendar(&f.Text, markup) }}
}

func card(s string) *readingtest.Doc {
	return &readingtest.Doc{Data: []byte(s), Find: func(f *page.Finder) { lines.Card(&f.Text, markup) }}
}

// markup is a [lines.HTML].
func markup(data []byte, add func(lines.PageRef)) {
	d := readingtest.Doc{Data: data, Charset: "utf-8", Find: (*page.Finder).HTML}
	for r := range d.Refs() {
		add(lines.PageRef{Span: r.Span, Value: r.Value, Kind: r.Kind,
			Element: r.Element, Attr: r.Attr, Rel: r.Rel, Identifier: r.Identifier})
	}
}

// listed returns "offset kind value" of each reference, none of them in an element.
func listed(t *testing.T, d *readingtest.Doc) (list []string) {
	t.Helper()
	for r := range d.Refs() {
		if r.Element != "" || r.Attr != "" {
			t.Errorf("Refs(%q): element %q, attribute %q, want none", d.Data, r.Element, r.Attr)
		}
		list = append(list, fmt.Sprintf("%d %s %s", r.Start, r.Kind, r.Value))
	}
	return list
}
