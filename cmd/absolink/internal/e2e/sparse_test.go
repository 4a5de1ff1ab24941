//go:build linux

package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// The copy of a sparse file has the same bytes and holes, even at its end.
func TestCopiedHoles(t *testing.T) {
	dir := t.TempDir()
	os.Mkdir(filepath.Join(dir, "tree"), 0o777)
	for name, places := range map[string][]int64{"middle.bin": {0, 8 << 20}, "end.bin": {4 << 20}, "all.bin": nil} {
		f, err := os.Create(filepath.Join(dir, "tree", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range places {
			f.WriteAt([]byte("\x01data"), at)
		}
		f.Truncate(8<<20 + 5)
		f.Close()
		if used(t, f.Name()) > 1<<20 {
			t.Skipf("the file system of %s keeps no holes: set TMPDIR to one that does, such as tmpfs", dir)
		}
	}
	cmd := exec.Command("absolink", "rewrite", "-q", "-o", "out", "tree")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range []string{"middle.bin", "end.bin", "all.bin"} {
		want, _ := os.ReadFile(filepath.Join(dir, "tree", name))
		got, err := os.ReadFile(filepath.Join(dir, "out", name))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: the copy has %d bytes and error %v, want the same %d", name, len(got), err, len(want))
		}
		if n := used(t, filepath.Join(dir, "out", name)); n > 1<<20 {
			t.Errorf("%s: the copy takes %d bytes on the disk, want its holes kept", name, n)
		}
	}
}

// used returns the number of bytes that a file takes on the disk.
func used(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Sys().(*syscall.Stat_t).Blocks * 512
}
