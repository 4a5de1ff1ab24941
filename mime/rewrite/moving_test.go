package rewrite

import (
	"testing"

	"absolink/extract"
)

// Each format has a row, so that a new format needs a decision.
func TestPlaced(t *testing.T) {
	want := map[extract.Format]bool{
		extract.HTML: true, extract.XHTML: true, extract.XML: true,
		extract.SVG: true, extract.CSS: true, extract.Manifest: true, extract.Markdown: true,
		// read far from their place
		extract.Feed: false, extract.Sitemap: false, extract.OPML: false,
		extract.Bookmarks: false, extract.Script: false,
		extract.OpenSearch: false, extract.JSONFeed: false, extract.URLList: false, extract.HeaderRules: false,
		// never rewritten
		extract.Plain: false, extract.Heading: false, extract.Calendar: false,
		extract.Card: false, extract.Enriched: false,
		extract.Linkset: false, extract.JSONLinkset: false, extract.WAT: false,
	}
	for f := extract.HTML; f.String() != ""; f++ {
		w, ok := want[f]
		if !ok {
			t.Errorf("%v: may its links be relative, with rewrite --to relative? Say so in placed of moving.go, and "+
				"in a row here", f)
		} else if got := takesRelative(f); got != w {
			t.Errorf("takesRelative(%v) = %v, want %v", f, got, w)
		}
	}
}
