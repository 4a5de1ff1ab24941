package warc

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

// corpus returns the archives of the corpus.
func corpus(t testing.TB) map[string][]byte {
	t.Helper()
	dir := os.Getenv("ABSOLINK_CORPUS")
	if dir == "" {
		t.Skip("ABSOLINK_CORPUS is not set")
	}
	files := make(map[string][]byte)
	err := filepath.WalkDir(filepath.Join(dir, "warc"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		files[strings.TrimPrefix(path, dir)] = data
		return err
	})
	if err != nil || len(files) < 60 {
		t.Fatalf("%d archives in %s, want 60 at least: %v", len(files), dir, err)
	}
	return files
}

// Every archive is read or reported, as a file, a byte at a time, and in ranges.
func TestCorpus(t *testing.T) {
	for name, data := range corpus(t) {
		whole := outline(t, bytes.NewReader(data), Options{})
		t.Logf("%s\n%s", name, whole)
		if whole == "" && len(data) > 23 {
			t.Errorf("%s: neither a record nor a defect", name)
		}
		if got := outline(t, iotest.OneByteReader(bytes.NewReader(data)), Options{}); got != whole {
			t.Errorf("%s: a byte at a time gives\n%swant\n%s", name, got, whole)
		}
		for _, size := range []int{1, 7, 100, 1000, 5000} {
			if size < 100 && len(data) > 3000 {
				continue
			}
			ranges(t, name, data, size)
		}
	}
}
