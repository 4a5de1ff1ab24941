package markup

import (
	"path/filepath"
	"testing"

	"absolink/testdata/corpus"
)

// ownDocuments loads documents of the project: the files of a folder of testdata.
func ownDocuments(t testing.TB, folder string, least int) (docs []corpus.Document) {
	t.Helper()
	paths, err := filepath.Glob("../../../testdata/" + folder + "/*")
	if err != nil || len(paths) < least {
		t.Fatalf("%d documents in testdata/%s (%v), want at least %d", len(paths), folder, err, least)
	}
	for _, path := range paths {
		docs = append(docs, corpus.Document{Name: filepath.Base(path), Data: corpus.Load(t, path)})
	}
	return docs
}
