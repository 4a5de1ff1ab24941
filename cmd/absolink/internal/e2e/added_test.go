//go:build unix

package e2e

import (
	"os"
	"slices"
	"strings"
	"testing"

	"absolink/cmd/absolink/help"
	"absolink/cmd/absolink/internal/cli"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/kinds"
	"absolink/extract"
	"absolink/resolve"
)

// The tests of this file fail if a new format or rule set lacks something, and say what is still to
// do.

// described maps formats to the words of "absolink help places" that describe them.
var described = map[extract.Format]string{
	extract.HTML: "HTML", extract.XHTML: "XHTML", extract.XML: "XML",
	extract.SVG: "SVG", extract.Feed: "feeds", extract.Sitemap: "sitemaps",
	extract.OPML: "outlines", extract.CSS: "Style sheets", extract.Plain: "Plain text", extract.Manifest: "Manifests",
	extract.Bookmarks: "Bookmark files", extract.Script: "`--scripts`", extract.Heading: "header fields",
	extract.OpenSearch: "OpenSearch", extract.JSONFeed: "JSON Feed", extract.URLList: "sitemap.txt",
	extract.HeaderRules: "_headers", extract.Linkset: "linkset", extract.JSONLinkset: "linkset",
	extract.WAT: "WAT", extract.Markdown: "Markdown",
	extract.Calendar: "Calendars", extract.Card: "vCards", extract.Enriched: "enriched text",
}

func TestEveryFormatIsShown(t *testing.T) {
	script, err := os.ReadFile("testdata/script/formats.txtar")
	if err != nil {
		t.Fatal(err)
	}
	topic, _ := help.Find("constructs")
	for f := extract.HTML; f.String() != ""; f++ {
		file := "\n-- one/" + f.String() + " --\n"
		if !slices.Contains(kinds.All, input.Kind(f)) {
			file = "\nContent-Type: " + f.MediaType() + "\n" // only messages hold it
		}
		if f != extract.Heading && !strings.Contains(string(script), file) {
			t.Errorf("%v: testdata/script/formats.txtar shows no document of the format: add one, under the line %q",
				f, strings.TrimSpace(file))
		}
		if words := described[f]; words == "" || !strings.Contains(topic.Markdown(), words) {
			t.Errorf("%v: say in help/places.md what is read of the format, and here, in described, with which "+
				"words: %q are not there", f, words)
		}
	}
}

func TestEveryRuleSetIsTaken(t *testing.T) {
	topic, _ := help.Find("rules")
	for r := resolve.WHATWG; !strings.HasPrefix(r.String(), "rules("); r++ {
		for _, command := range []string{"extract", "base", "rewrite", "resolve"} {
			c, _, err := cli.Command([]string{command}).Find([]string{command})
			if err != nil {
				t.Fatal(err)
			}
			f := c.Flags().Lookup("rules")
			if err := f.Value.Set(r.String()); err != nil {
				t.Errorf("absolink %s --rules %v: %v: add it to AllRules of internal/reference", command, r, err)
			}
			if !strings.Contains(f.Usage, r.String()) {
				t.Errorf("absolink %s --help: --rules does not name %v: add it to the usage, in common.go of "+
					"internal/command and flags.go of internal/reference", command, r)
			}
		}
		if !strings.Contains(topic.Markdown(), "| `"+r.String()+"` |") {
			t.Errorf("%v: help/rules.md has no row for it in the table of rule sets: add it", r)
		}
	}
}
