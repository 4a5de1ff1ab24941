package e2e

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"absolink/cmd/absolink/internal/cli"
	"absolink/testdata/corpus"
)

const corpusBase = "http://example.test/dir/page.html"

// Real pages and mail are rewritten. The output verifies, a second rewriting changes nothing, and
// the output has the same URIs for any number of workers.
func TestCorpora(t *testing.T) {
	for _, folder := range []string{"mail", "mhtml", "pages/readability/html"} {
		t.Run(folder, func(t *testing.T) {
			documents := corpus.Documents(t, folder)
			if len(documents) == 0 {
				return // the project's own archives of pages are among its mail
			}
			t.Chdir(t.TempDir())
			for _, d := range documents {
				save(t, filepath.Join("in", filepath.FromSlash(strings.TrimSuffix(d.Name, ".gz"))), d.Data)
			}
			rewriteCorpus(t, "in", "once")
			sameWhereUnchanged(t, "in", "once")
			rewriteCorpus(t, "once", "twice")
			sameTrees(t, "once", "twice")
			if before, after := listed(t, "in", "text", "1"), listed(t, "once", "text", "8"); before != after {
				t.Errorf("extract after rewrite: got %d bytes of URIs, want the %d of before", len(after), len(before))
			}
			if one, eight := listed(t, "in", "jsonl", "1"), listed(t, "in", "jsonl", "8"); one != eight {
				t.Errorf("extract --jobs 8: got %d bytes of records, want the %d of --jobs 1", len(eight), len(one))
			}
		})
	}
}

// damaged matches the project's own messages with a leaf that cannot be written.
var damaged = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`mail/(badbase64|truncated|uuencode)\.eml:`)
})

// rewriteCorpus rewrites a tree. Everything must verify.
func rewriteCorpus(t *testing.T, from, to string) {
	t.Helper()
	code, _, stderr := runs(t, "", "rewrite", "--verify", "--default-base",
		corpusBase, "--report", to+".jsonl", "-o", to, from)
	if code != cli.ExitDone && code != cli.ExitDefects {
		t.Errorf("rewrite -o %s %s: got exit code %d, want %d or %d", to, from, code, cli.ExitDone, cli.ExitDefects)
	}
	for line := range strings.Lines(stderr) {
		if strings.Contains(line, "verify: ") ||
			strings.Contains(line, "stays as written: ") && !damaged().MatchString(line) ||
			strings.Contains(line, "internal error") {
			t.Errorf("rewrite -o %s %s: %s", to, from, line)
		}
	}
}

// sameWhereUnchanged compares the files that were written without an edit with the input.
func sameWhereUnchanged(t *testing.T, from, to string) {
	t.Helper()
	for source, edits := range editsOf(t, to+".jsonl") {
		before, _ := os.ReadFile(source)
		after, err := os.ReadFile(to + strings.TrimPrefix(source, from))
		if same := err == nil && bytes.Equal(before, after); same != (edits == 0) {
			t.Errorf("%s has %d edits: got the same bytes %v (error %v)", source, edits, same, err)
		}
	}
}

// editsOf returns the number of edits of each input, from a report that has a line for each message
// of a mailbox.
func editsOf(t *testing.T, report string) map[string]int {
	t.Helper()
	lines, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	edits := make(map[string]int)
	for line := range strings.Lines(string(lines)) {
		var e struct {
			Source string
			Edits  int
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		edits[e.Source] += e.Edits
	}
	return edits
}

func listed(t *testing.T, dir, format, jobs string) string {
	t.Helper()
	code, out, stderr := runs(t, "", "extract", "-q", "--format",
		format, "--jobs", jobs, "--default-base", corpusBase, dir)
	if code != cli.ExitDone && code != cli.ExitDefects {
		t.Errorf("extract %s: got exit code %d and %q, want %d or %d", dir, code, stderr, cli.ExitDone, cli.ExitDefects)
	}
	return out
}

// sameTrees compares the files of two trees byte for byte.
func sameTrees(t *testing.T, a, b string) {
	t.Helper()
	filepath.WalkDir(a, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		rel, _ := filepath.Rel(a, path)
		if got, err := os.ReadFile(filepath.Join(b, rel)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: it has changed (error %v)", rel, err)
		}
		return nil
	})
}
