package markdown_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"absolink/extract"
)

// A rewritten document must be the same document with other destinations. goldmark and cmark-gfm,
// the parser of GitHub, parse the input and the output with all extensions.

// github parses Markdown with all of GitHub's extensions.
var github = goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote))

// rewritten returns a document with absolute links, and the values of the references that stay
// although they are relative.
func rewritten(source []byte) (out []byte, left map[string]bool) {
	d := read(string(source))
	left = make(map[string]bool)
	var r extract.Resolver
	for l := range r.Links(d) {
		if !l.Change {
			left[string(l.Value)] = true
		}
	}
	return extract.Apply(nil, source, r.Edits(nil, d)), left
}

// checkSame checks the property for one document, with goldmark.
func checkSame(t *testing.T, name string, source []byte) (out []byte) {
	t.Helper()
	out, left := rewritten(source)
	before, old := skeleton(source)
	after, now := skeleton(out)
	if before != after {
		t.Errorf("%s: %q became %q:\n%s", name, source[:min(len(source), 2000)], out[:min(len(out), 2000)],
			difference(before, after))
		return out
	}
	for i := range now {
		switch {
		case now[i] == old[i] && (left[old[i]] || isAbsolute(old[i])):
		case now[i] != old[i] && isAbsolute(now[i]) && !isAbsolute(old[i]):
		default:
			t.Errorf("%s: destination %d, %q, became %q", name, i, old[i], now[i])
		}
	}
	return out
}

func isAbsolute(uri string) bool {
	return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`).MatchString(uri)
}

// difference returns the lines of two texts from the first difference on.
func difference(a, b string) string {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	i = max(0, strings.LastIndexByte(a[:i], '\n'))
	return fmt.Sprintf("%.300s\n--- became\n%.300s", a[i:], b[i:])
}

// attribute matches the values of attributes of HTML.
var attribute = regexp.MustCompile(`(?s)([\w:-]\s*=\s*)("[^"]*"|'[^']*'|[^\s"'>]+)`)

// skeleton returns what goldmark parses, without destinations, and the destinations.
func skeleton(source []byte) (string, []string) {
	var b strings.Builder
	var destinations []string
	add := func(raw []byte) {
		raw = util.UnescapePunctuations(raw)
		raw = util.ResolveEntityNames(util.ResolveNumericReferences(raw))
		destinations = append(destinations, string(raw))
	}
	html := func(s []byte) { b.Write(attribute.ReplaceAll(s, []byte("$1*"))) }
	root := github.Parser().Parse(text.NewReader(source))
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			b.WriteString(")\n")
			return ast.WalkContinue, nil
		}
		b.WriteString("(" + n.Kind().String() + " ")
		switch n := n.(type) {
		case *ast.Link:
			fmt.Fprintf(&b, "%q", n.Title)
			add(n.Destination)
		case *ast.Image:
			fmt.Fprintf(&b, "%q", n.Title)
			add(n.Destination)
		case *ast.LinkReferenceDefinition:
			fmt.Fprintf(&b, "%q %q", n.Label, n.Title)
			add(n.Destination)
		case *ast.Text:
			fmt.Fprintf(&b, "%q %v %v", n.Value(source), n.SoftLineBreak(), n.HardLineBreak())
		case *ast.AutoLink:
			fmt.Fprintf(&b, "%q", n.Label(source))
		case *ast.RawHTML:
			html(n.Segments.Value(source))
		case *ast.HTMLBlock:
			html(n.Lines().Value(source))
		default:
			if n.Type() == ast.TypeBlock && n.FirstChild() == nil {
				fmt.Fprintf(&b, "%q", n.Lines().Value(source))
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String(), destinations
}

// examples returns the examples of CommonMark 0.31.2, from goldmark's own tests.
func examples(t testing.TB) (list [][]byte) {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/yuin/goldmark").Output()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "_test", "spec.json"))
	if err != nil {
		t.Fatal(err)
	}
	var spec []struct{ Markdown string }
	if err := json.Unmarshal(data, &spec); err != nil {
		t.Fatal(err)
	}
	if len(spec) != 652 {
		t.Fatalf("%d examples, want 652", len(spec))
	}
	for _, e := range spec {
		list = append(list, []byte(e.Markdown))
	}
	return list
}

// extensions are documents with the extensions of GitHub Flavored Markdown.
var extensions = []string{
	"|a|b|\n|-|-|\n|[c](d)|![e](f\\|g)|\n", "- [ ] [a](b)\n- [x] http://c.d/e\n",
	"~~[a](b)~~ ~c~",
	"a[^1] [b](c)\n\n[^1]: [d](e)\n\n    f ![g](h)\n", "http://a.b/c www.d.e (https://f.g/(h)) i@j.k",
	"| [a](b) |\n| - |\n> [c](d)\n", "[a]: b\n\n|[a]|\n|-|\n|![a]|\n",
	"<b>[a](b)</b> <img src=\"c\"> <!-- [d](e) -->\n",
	"> [!NOTE]\n> [a](b)\n", "# [a](b) `c` #\n\n[d](e)\n===\n", "1. [a](b)\n   - ![c](d)\n\n   [e]: f\n",
	"[![a](b)](c) **[d](e \"f\")** *<g:h>*\n", "a ` [b](c)\n", "a ` [b](c`d) `e`\n", "[a](\n  b\n)\n",
	"[a](b|c)|d\n-|-\n", "[a](b|c)\n-|-\n", "a|<img src='b|c'>\n-|-\n", "a|![b](c|)|\n-|-|-\nd|e|f\n",
	"[a](b\\|c)|d\n-|-\n", "<img srcset='a|b, c|d 2x'>|e\n-|-\n", "a|b\n-|-\n[c](d|e)|f\n-|-\n",
}

func TestSpecification(t *testing.T) {
	documents := examples(t)
	for _, s := range extensions {
		documents = append(documents, []byte(s))
	}
	var pairs [][2][]byte
	for i, source := range documents {
		pairs = append(pairs, [2][]byte{source, checkSame(t, fmt.Sprint("example ", i+1), source)})
	}
	checkCmark(t, pairs)
}

// renderer is a program that reads documents from standard input, each with a NUL behind it, and
// writes them as HTML in the same way.
const renderer = `
import sys, cmarkgfm
from cmarkgfm.cmark import Options as o
for s in sys.stdin.buffer.read().split(b'\0')[:-1]:
    options = o.CMARK_OPT_UNSAFE | o.CMARK_OPT_FOOTNOTES
    html = cmarkgfm.github_flavored_markdown_to_html(s.decode('utf-8', 'replace'), options)
    sys.stdout.buffer.write(html.encode() + b'\0')
`

// checkCmark checks that cmark-gfm renders inputs and outputs alike, except for attributes.
func checkCmark(t *testing.T, pairs [][2][]byte) {
	t.Helper()
	checkCmarkPages(t, pairs, func(page string) string { return attribute.ReplaceAllString(page, "$1*") })
}

// checkCmarkPages checks that reduce has the same result for the pages that cmark-gfm makes of
// inputs and outputs.
func checkCmarkPages(t *testing.T, pairs [][2][]byte, reduce func(page string) string) {
	t.Helper()
	python := os.Getenv("ABSOLINK_CMARK")
	if python == "" {
		t.Log("ABSOLINK_CMARK does not name a Python with cmarkgfm: cmark-gfm was not asked")
		return
	}
	var in bytes.Buffer
	for _, p := range pairs {
		for _, document := range p {
			in.Write(bytes.ReplaceAll(document, []byte{0}, []byte("\ufffd")))
			in.WriteByte(0)
		}
	}
	cmd := exec.Command(python, "-c", renderer)
	cmd.Stdin, cmd.Stderr = &in, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	pages := bytes.Split(out, []byte{0})
	if len(pages) != 2*len(pairs)+1 {
		t.Fatalf("%d pages of %d documents", len(pages), 2*len(pairs))
	}
	for i, p := range pairs {
		before := reduce(string(pages[2*i]))
		after := reduce(string(pages[2*i+1]))
		if before != after {
			t.Errorf("cmark-gfm: document %d, %q, became %q:\n%s", i+1, p[0][:min(len(p[0]), 2000)],
				p[1][:min(len(p[1]), 2000)], difference(before, after))
		}
	}
}

// TestReadmes checks the property for the Markdown of packages, in the directories that
// ABSOLINK_READMES names, separated as in PATH.
func TestReadmes(t *testing.T) {
	list := os.Getenv("ABSOLINK_READMES")
	if list == "" {
		t.Skip("ABSOLINK_READMES names no directories with Markdown")
	}
	seen := make(map[string]bool)
	var pairs [][2][]byte
	for _, dir := range filepath.SplitList(list) {
		_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || !isReadme(path) {
				return nil
			}
			source, err := os.ReadFile(path)
			if err != nil || len(source) > 1<<20 || seen[string(source)] {
				return nil
			}
			seen[string(source)] = true
			if strings.HasSuffix(path, "METADATA") {
				_, source, _ = bytes.Cut(source, []byte("\n\n"))
			}
			pairs = append(pairs, [2][]byte{source, checkSame(t, path, source)})
			return nil
		})
	}
	t.Logf("%d documents", len(pairs))
	checkCmark(t, pairs)
}

func isReadme(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".md", ".markdown":
		return true
	}
	return filepath.Base(path) == "METADATA"
}
