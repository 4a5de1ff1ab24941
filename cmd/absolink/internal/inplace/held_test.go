package inplace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"absolink/cmd/absolink/internal/files"
)

// The directory of the last file stays open. Each directory works until its last file is done, and
// is closed then.
func TestHeld(t *testing.T) {
	root := t.TempDir()
	opened := 0
	open := func(path string) (*files.Dir, error) {
		opened++
		return files.OpenDir(path)
	}
	path := func(name string) string {
		path := filepath.Join(root, name)
		os.MkdirAll(path, 0o700)
		os.WriteFile(filepath.Join(path, "f"), nil, 0o600)
		return path
	}
	works := func(d *heldDir) bool {
		_, err := d.Lstat("f")
		return err == nil
	}
	var h held
	var all []*heldDir
	for i, name := range []string{"a", "a", "b", "b", "a"} {
		d, err := h.directory(path(name), open)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, d)
		if want := []int{1, 1, 2, 2, 3}[i]; opened != want {
			t.Errorf("after file %d: opened %d directories, want %d", i, opened, want)
		}
	}
	if _, err := h.directory(filepath.Join(root, "missing"), open); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing directory: got error %v, want ErrNotExist", err)
	}
	for i, d := range all {
		if !works(d) {
			t.Errorf("the directory of file %d is closed too early", i)
		}
		d.Close()
	}
	if !works(all[4]) {
		t.Error("the last directory is closed before close")
	}
	h.close()
	h.close()
	for i, d := range all {
		if works(d) {
			t.Errorf("the directory of file %d stays open", i)
		}
	}
	again, err := h.directory(path("a"), open)
	if err != nil {
		t.Fatal(err)
	}
	if !works(again) {
		t.Error("after close, a closed directory is used again")
	}
	again.Close()
	h.close()
}

// Many files use directories at once.
func TestHeldConcurrently(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"a", "b", "c"} {
		os.Mkdir(filepath.Join(root, name), 0o700)
	}
	var h held
	var all sync.WaitGroup
	for n := range 300 {
		all.Go(func() {
			d, err := h.directory(filepath.Join(root, string("abc"[n%3])), files.OpenDir)
			if err != nil {
				t.Error(err)
				return
			}
			defer d.Close()
			if _, err := d.Lstat("."); err != nil {
				t.Errorf("file %d: %v", n, err)
			}
		})
	}
	all.Wait()
	h.close()
}
