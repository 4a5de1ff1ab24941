package journal

import (
	"errors"
	"io/fs"
	"path/filepath"
	"testing"
)

// What is on the disk already is not flushed again, what was added since is, and after a
// flush that failed none counts.
func TestSync(t *testing.T) {
	dir := t.TempDir()
	j, err := Create(filepath.Join(dir, "journal"), Run{Roots: Roots{dir}})
	if err != nil {
		t.Fatal(err)
	}
	add := func() {
		t.Helper()
		if _, err := j.append([]byte("{}\n")); err != nil {
			t.Fatal(err)
		}
	}
	add()
	if err := j.sync(); err != nil || j.synced != j.currentSize() {
		t.Fatalf("sync: %v, %d of %d bytes are on the disk", err, j.synced, j.currentSize())
	}
	add()
	if j.synced == j.currentSize() {
		t.Fatal("lines count as flushed before they are")
	}
	j.file.Close()
	if err := j.sync(); !errors.Is(err, fs.ErrClosed) {
		t.Fatalf("sync of a closed file: %v", err)
	}
	j.synced = j.currentSize()
	if err := j.sync(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("sync after one that failed: %v, want the error of that", err)
	}
}
