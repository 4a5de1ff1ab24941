package markup

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// corpusDir returns the folder of documents that the environment names.
func corpusDir(t testing.TB) string {
	dir := os.Getenv("ABSOLINK_CORPUS")
	if dir == "" {
		t.Skip("ABSOLINK_CORPUS is not set")
	}
	return dir
}

// document is one input with its name in failure texts.
type document struct {
	name string
	data []byte
}

// corpusDocuments loads every file below the folders: pages, and messages as
// the bytes that they are, which are fine broken HTML.
func corpusDocuments(t testing.TB, atLeast int, folders ...string) []document {
	dir := corpusDir(t)
	var docs []document
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(dir, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.Contains(path, "oracle") {
				return err
			}
			name, _ := filepath.Rel(dir, path)
			docs = append(docs, document{name, load(t, path)})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(docs) < atLeast {
		t.Fatalf("%d documents in %s, want at least %d", len(docs), dir, atLeast)
	}
	return docs
}

// load reads a file, unpacked where its name ends in .gz.
func load(t testing.TB, path string) []byte {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(path, ".gz") {
		return data
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	data, err = io.ReadAll(r)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return data
}

// ownPages loads the project's own pages.
func ownPages(t testing.TB) []document {
	paths, err := filepath.Glob("../../../testdata/pages/*.html")
	if err != nil || len(paths) < 4 {
		t.Fatalf("pages in testdata/pages: %d (%v), want at least 4", len(paths), err)
	}
	var docs []document
	for _, path := range paths {
		docs = append(docs, document{filepath.Base(path), load(t, path)})
	}
	return docs
}
