package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// The bodies of the project's messages list the links that stand in links.tsv: those of
// RFC 2110 and RFC 2557 Section 9 among them, which these texts give.
func TestMessages(t *testing.T) {
	text, err := os.ReadFile(repository + "testdata/mail/links.tsv")
	if err != nil {
		t.Fatal(err)
	}
	want := make(map[string][]string)
	for line := range strings.Lines(string(text)) {
		if name, rest, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); ok && !strings.HasPrefix(line, "#") {
			want[name] = append(want[name], rest)
		}
	}
	if len(want) < 15 {
		t.Fatalf("links.tsv: got %d messages, want at least 15", len(want))
	}
	for name, links := range want {
		if got := linksOf(t, name); !slices.Equal(got, links) {
			t.Errorf("extract %s:\ngot  %q\nwant %q", name, got, links)
		}
	}
}

// linksOf lists the links of the bodies of a message as links.tsv writes them.
func linksOf(t *testing.T, name string) (lines []string) {
	t.Helper()
	_, out, _ := runs(t, "", "extract", "--format", "jsonl", repository+"testdata/mail/"+name)
	for line := range strings.Lines(out) {
		var r struct{ Element, Part, Value, Status, URI string }
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("extract %s: %v", name, err)
		}
		if r.Element == "header" {
			continue
		}
		lines = append(lines, strings.TrimRight(strings.Join([]string{r.Part, r.Value, r.Status, r.URI}, "\t"), "\t"))
	}
	return lines
}
