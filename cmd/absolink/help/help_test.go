package help_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/help"
)

func TestRender(t *testing.T) {
	tests := []struct{ name, in, plain, bold string }{
		{"heading", "# units: a run\n", "units: a run\n",
			"\x1b[1munits:\x1b[22m \x1b[1ma\x1b[22m \x1b[1mrun\x1b[22m\n"},
		{"paragraphs are wrapped", "one two\nthree four five\n\nsix\n",
			"one two three four\nfive\n\nsix\n", "one two three four\nfive\n\nsix\n"},
		{"code", "type `--to relative` now", "type `--to relative`\nnow\n",
			"type \x1b[1m--to\x1b[22m \x1b[1mrelative\x1b[22m\nnow\n"},
		{"strong", "a **b** c", "a b c\n", "a \x1b[1mb\x1b[22m c\n"},
		{"link", "[a](b)", "a (b)\n", "a (b)\n"},
		{"list", "- one two three four five\n- six\n  seven\n",
			"- one two three four\n  five\n- six seven\n", "- one two three four\n  five\n- six seven\n"},
		{"fences are not wrapped", "a\n```console\n$ absolink extract page.html\n\n  b\n```\nc\n",
			"a\n  $ absolink extract page.html\n\n    b\nc\n", "a\n  $ absolink extract page.html\n\n    b\nc\n"},
		{"a fence without its end", "```\na\n", "  a\n", "  a\n"},
		{"table", "| k | v |\n|---|---|\n| a | b \\| c |\n", "k  v\na  b | c\n", "k  v\na  b | c\n"},
		{"table without header", "| | |\n|---|---|\n| `é` | b |\n| aaaaa | c |\n",
			"`é`    b\naaaaa  c\n", "\x1b[1mé\x1b[22m      b\naaaaa  c\n"},
		{"a word that is longer than a line", "aaaaaaaaaaaaaaaaaaaaaaaa b",
			"aaaaaaaaaaaaaaaaaaaaaaaa\nb\n", "aaaaaaaaaaaaaaaaaaaaaaaa\nb\n"},
		{"nothing", "", "\n", "\n"},
	}
	for _, tt := range tests {
		if got := (help.Renderer{Width: 20}).Render(tt.in); got != tt.plain {
			t.Errorf("%s: Render(%q): got %q, want %q", tt.name, tt.in, got, tt.plain)
		}
		if got := (help.Renderer{Width: 20, Bold: true}).Render(tt.in); got != tt.bold {
			t.Errorf("%s: Render(%q) in bold: got %q, want %q", tt.name, tt.in, got, tt.bold)
		}
	}
	table := (help.Renderer{Width: 40}).Render("| a | one two three four five six seven eight nine |\n")
	if want := "a  one two three four five six seven\n   eight nine\n"; table != want {
		t.Errorf("Render of a long cell: got %q, want %q", table, want)
	}
	wide := (help.Renderer{Width: 40}).Render("| one two three | b |\n| c | d |\n")
	if want := "one two three\n   b\nc  d\n"; wide != want {
		t.Errorf("Render of a long first cell: got %q, want %q", wide, want)
	}
	three := (help.Renderer{Width: 40}).Render("| one | two three | four |\n| a | | b |\n")
	if want := "one\n    two three\n    four\na\n    b\n"; three != want {
		t.Errorf("Render of three columns: got %q, want %q", three, want)
	}
}

// A topic is found by its name, and has what is generated in it.
func TestFind(t *testing.T) {
	topic, ok := help.Find("links")
	if text := topic.Markdown(); !ok || !strings.Contains(text, "\n| `nav` | leads to another document: `<a ") {
		t.Errorf("Find(links): got %v and %q, want the topic with the kinds", ok, text)
	}
	if alias, ok := help.Find("csv"); !ok || alias != topic {
		t.Errorf("Find(csv): got %v, want the topic links", alias)
	}
	if text := help.Clauses().Markdown(); !strings.Contains(text, "\n## RFC 2396\n\n```\n") ||
		!strings.HasSuffix(text, "\n```\n") {
		t.Errorf("Clauses: got %q, want the clauses", text)
	}
	if topic, ok := help.Find("nosuch"); ok || topic != (help.Topic{}) {
		t.Errorf("Find(nosuch): got %v, want none", topic)
	}
}

// A word that is no topic is searched in the texts, in any case.
func TestAboutSearches(t *testing.T) {
	root := &cobra.Command{Use: "absolink"}
	r := help.Renderer{Width: 80}
	for _, word := range []string{"punycode", "PUNYCODE", "robots.txt", "broken links"} {
		got, err := r.About(root, strings.Fields(word))
		head := fmt.Sprintf("There is no topic %q. These topics contain it; absolink help TOPIC prints one.\n\n", word)
		if err != nil || !strings.HasPrefix(got, head+"sites    ") {
			t.Errorf("About %s: got %q and error %v, want lines of sites", word, got, err)
		}
		for line := range strings.Lines(strings.TrimPrefix(got, head)) {
			if n := utf8.RuneCountInString(line); n > 81 {
				t.Errorf("About %s: a line of %d columns: %s", word, n, line)
			}
			if !strings.Contains(strings.ToLower(line), strings.ToLower(word)) && !strings.HasSuffix(line, " more)\n") {
				t.Errorf("About %s: a line without it: %s", word, line)
			}
		}
	}
	for word, want := range map[string]string{"qq": "there is help on", "xyzzy": "there is help on",
		"layer": "did you mean absolink help layers?"} {
		if got, err := r.About(root, []string{word}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("About %s: got %q and error %v, want %s", word, got, err, want)
		}
	}
}
