package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// corpora are folders of real documents, and the least number of files that
// must be found in each.
var corpora = []struct {
	folder string
	files  int
}{
	{"mail", 1600},
	{"mhtml", 13},
	{"pages/readability/html", 130},
}

const corpusBase = "http://example.test/dir/page.html"

// Over real pages and mail: what is rewritten verifies, a second rewrite changes
// nothing, and the output lists the same URIs whatever the number of workers.
func TestCorpora(t *testing.T) {
	root := os.Getenv("ABSOLINK_CORPUS")
	if root == "" {
		t.Skip("the corpus folder ABSOLINK_CORPUS is not set")
	}
	for _, c := range corpora {
		t.Run(c.folder, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if n := unpack(t, filepath.Join(root, c.folder), "in"); n < c.files {
				t.Fatalf("%s: got %d files, want at least %d", c.folder, n, c.files)
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

// rewriteCorpus rewrites a tree; nothing in it may fail to verify.
func rewriteCorpus(t *testing.T, from, to string) {
	t.Helper()
	code, _, stderr := runs(t, "", "rewrite", "--verify", "--default-base", corpusBase, "--report", to+".jsonl", "-o", to, from)
	if code != exitDone && code != exitDefects {
		t.Errorf("rewrite -o %s %s: got exit code %d, want %d or %d", to, from, code, exitDone, exitDefects)
	}
	for line := range strings.Lines(stderr) {
		if strings.Contains(line, "verify: ") || strings.Contains(line, "stays as written: ") || strings.Contains(line, "internal error") {
			t.Errorf("rewrite -o %s %s: %s", to, from, line)
		}
	}
}

// sameWhereUnchanged compares what was written without an edit with the input.
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

// editsOf returns the number of edits of each input in a report, which has a line for
// each message of a mailbox.
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
	code, out, stderr := runs(t, "", "extract", "-q", "--format", format, "--jobs", jobs, "--default-base", corpusBase, dir)
	if code != exitDone && code != exitDefects {
		t.Errorf("extract %s: got exit code %d and %q, want %d or %d", dir, code, stderr, exitDone, exitDefects)
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
			t.Errorf("%s: the second rewrite changed it (error %v)", rel, err)
		}
		return nil
	})
}

// unpack copies the files below from, those in gzip without it, and returns
// their number.
func unpack(t *testing.T, from, to string) (n int) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(from, path)
		if short, ok := strings.CutSuffix(rel, ".gz"); ok {
			rel = short
			r, err := gzip.NewReader(bytes.NewReader(content))
			if err != nil {
				return err
			}
			if content, err = io.ReadAll(r); err != nil {
				return err
			}
		}
		save(t, filepath.Join(to, rel), content)
		n++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}
