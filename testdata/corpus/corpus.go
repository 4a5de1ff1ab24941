// Package corpus finds the documents and tables that tests read from outside their packages. They
// are below the folder that ABSOLINK_CORPUS names. Without that variable they are the small ones of
// the project, so that every checkout runs the same tests on less data.
package corpus

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Own reports whether the corpus is the project's own.
func Own() bool { return os.Getenv("ABSOLINK_CORPUS") == "" }

// Least returns the number of items that a test must find: whole in the corpus of ABSOLINK_CORPUS,
// own in the project's own.
func Least(whole, own int) int {
	if Own() {
		return own
	}
	return whole
}

// Path returns the path of a file or folder of the corpus. name is slash-separated.
func Path(name string) string {
	if Own() {
		return filepath.Join(own, filepath.FromSlash(name))
	}
	return filepath.Join(os.Getenv("ABSOLINK_CORPUS"), filepath.FromSlash(name))
}

// own is the folder of the project's corpus. It is empty outside the project, where tests run the
// command as a program. A test starts in the folder of its package.
var own = func() string {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	for top := dir; top != filepath.Dir(top); top = filepath.Dir(top) {
		if _, err := os.Stat(filepath.Join(top, "go.mod")); err == nil {
			return filepath.Join(top, "testdata", "corpus")
		}
	}
	return ""
}()

// folder is a folder of documents: its place in the project, or empty, and the smallest number of
// files in it.
type folder struct {
	own          string
	whole, least int
}

var folders = map[string]folder{
	"pages":                  {"../pages", 130, 5},
	"pages/readability/html": {"../pages", 130, 5},
	"html":                   {"../torture", 5, 15},
	"mail":                   {"../mail", 1600, 50},
	"mhtml":                  {"", 13, 0},
	"warc":                   {"warc", 60, 12},
}

// Folder returns the path of a folder of documents.
func Folder(name string) string {
	if Own() {
		return filepath.Join(own, filepath.FromSlash(folders[name].own))
	}
	return Path(name)
}

// Document is a file of the corpus.
type Document struct {
	Name string // its path in the corpus
	Data []byte // its content; unpacked if its name ends in .gz and it is not an archive
}

// notes lists endings of files that describe documents and are not documents themselves.
var notes = []string{".tsv", ".json", ".md", ".py", ".jsonl"}

// Documents returns the documents below folders of the corpus, sorted by folder and name. It fails
// the test if there are too few of them.
func Documents(t testing.TB, names ...string) (list []Document) {
	t.Helper()
	for _, name := range names {
		f, known := folders[name]
		if !known {
			t.Fatalf("%s is no folder of documents", name)
		}
		if Own() && f.own == "" {
			continue
		}
		found := below(t, name)
		if least := Least(f.whole, f.least); len(found) < least {
			t.Fatalf("%d documents in %s, want at least %d", len(found), Folder(name), least)
		}
		list = append(list, found...)
	}
	return list
}

// below returns the documents of one folder.
func below(t testing.TB, name string) (list []Document) {
	t.Helper()
	top := Folder(name)
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || name != "html" && slices.Contains(notes, filepath.Ext(path)) ||
			strings.Contains(path, "oracle") {
			return err
		}
		short, err := filepath.Rel(top, path)
		list = append(list, Document{name + "/" + filepath.ToSlash(short), Load(t, path)})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// Oracle returns the path of the file with Chromium's results for a page.
func Oracle(page Document) string {
	name, _, _ := strings.Cut(filepath.Base(page.Name), ".html")
	if Own() {
		return Path("pages/own/oracle/" + name + ".jsonl.gz")
	}
	return Path("pages/readability/oracle/" + name + ".jsonl.gz")
}

// Load reads a file. It unpacks the file if its name ends in .gz, except for archives, which are
// compressed record by record.
func Load(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(path, ".gz") || strings.HasSuffix(path, "arc.gz") {
		return data
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err == nil {
		data, err = io.ReadAll(r)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return data
}
