//go:build unix

package source_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/source"
)

// CopyPath returns a path for exactly the files that a run reads, and for links to them, also where
// other links and named pipes lie on the way.
func TestCopyPathIsOfInputs(t *testing.T) {
	lay(t, map[string]string{"s/v1/a.html": "", "s/v1/d/b.html": "", "s/c.html": "", "out/e.html": "", "f.html": ""})
	for link, target := range map[string]string{
		"s/latest": "v1", "s/newest": "latest", "s/v1/up": "..", "s/out": "../out", "s/v1/d/far": "../../../out",
		"s/c2.html": "c.html", "s/c3.html": "c2.html", "s/through.html": "latest/a.html", "s/away.html": "../f.html",
		"s/gone.html": "missing", "s/pipe2.html": "pipe.html", "s/v1/dir.html": "d", "top": "s",
	} {
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
	}
	for _, pipe := range []string{"s/pipe.html", "s/v1/pipe.html"} {
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var names []string // all paths below s that have at most one step through each directory link
	var add func(name string, links int)
	add = func(name string, links int) {
		names = append(names, strings.TrimPrefix(name, "s/"))
		if info, err := os.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			links++
		}
		entries, err := os.ReadDir(name)
		if err != nil || links > 2 {
			return
		}
		for _, e := range entries {
			add(name+"/"+e.Name(), links)
		}
	}
	add("s", 0)
	for _, arg := range []string{"s", "s/", "top", "s/v1", "s/latest"} {
		for _, follow := range []bool{false, true} {
			s := source.Set{Follow: follow}
			if err := s.SetArgs([]string{arg}); err != nil {
				t.Fatal(err)
			}
			read := make(map[string]bool)
			for f, err := range s.All(t.Context(), nil) {
				if err == nil && (f.IsInput() || f.Skip.Cause == input.ToInput) {
					read[filepath.ToSlash(f.Rel)] = true
				}
			}
			if len(read) == 0 {
				t.Fatalf("a run of %s reads nothing", arg)
			}
			for _, name := range names {
				path, err := filepath.Abs(arg)
				if err != nil {
					t.Fatal(err)
				}
				path = filepath.Join(path, name)
				if info, err := os.Stat(path); err != nil || info.IsDir() {
					continue
				}
				want := ""
				if read[name] {
					want = name
				}
				if got := s.CopyPath(path); got != want {
					t.Errorf("CopyPath(%s/%s) with Follow %v: got %q, want %q", arg, name, follow, got, want)
				}
			}
		}
	}
}
