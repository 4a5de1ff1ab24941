package e2e

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"

	"absolink/testdata/effort"
)

var swaps = flag.Int("swap", 8, "run so often while another program exchanges files of the tree for symbolic links")

// swapSecret is the content of files outside the tree that no run may read. swapForeign is the
// content of files that no run may write to.
const (
	swapSecret  = "http://secret.test/"
	swapForeign = "foreign"
	swapFiles   = 40
)

// swapping is a run that another program disturbs.
type swapping struct {
	name string
	args []string
	with []string // pairs of paths that are exchanged while the run lasts
}

var swappings = []swapping{
	{"extract a directory", []string{"extract", "-j", "2", "--root", "site=http://old.test/", "site"},
		[]string{"site/sub/d", "link/d"}},
	{"extract a directory above", []string{"extract", "-j", "2", "--root", "site=http://old.test/", "site"},
		[]string{"site/sub", "link/sub"}},
	{"extract a file", []string{"extract", "-j", "2", "--root", "site=http://old.test/", "site"},
		[]string{"site/sub/d/1.html", "link/1.html"}},
	{"extract the input", []string{"extract", "-j", "2", "--root", "site=http://old.test/", "site/sub"},
		[]string{"site/sub/d", "link/d"}},
	{"copy a directory", []string{"rewrite", "-j", "2", "--root", "site=http://old.test/", "-o", "out", "site"},
		[]string{"site/sub/d", "link/d"}},
	{"copy a file", []string{"rewrite", "-j", "2", "--root", "site=http://old.test/", "-o", "out", "site"},
		[]string{"site/sub/d/1.html", "link/1.html"}},
	{"copy a Maildir", []string{"rewrite", "-j", "2", "--default-base", "http://old.test/", "-o", "out", "box"},
		[]string{"box/new", "link/new"}},
	{"write", []string{"rewrite", "-j", "2", "--root", "site=http://old.test/", "-o", "out", "site"},
		[]string{"out/sub/d", "link/out"}},
	{"write above", []string{"rewrite", "-j", "2", "--root", "site=http://old.test/", "-o", "out", "site"},
		[]string{"out/sub", "link/above"}},
	{"overwrite",
		[]string{"rewrite", "-j", "2", "--root", "site=http://old.test/", "-o",
			"there", "--overwrite", "site"}, []string{"there/sub/d", "link/out"}},
	{"overwrite above",
		[]string{"rewrite", "-j", "2", "--root", "site=http://old.test/", "-o",
			"there", "--overwrite", "site"}, []string{"there/sub", "link/above"}},
	{"overwrite a file",
		[]string{"rewrite", "-j", "2", "--root", "site=http://old.test/", "-o", "there",
			"--overwrite", "site"}, []string{"there/sub/d/1.html", "link/foreign"}},
	{"overwrite a Maildir",
		[]string{"rewrite", "-j", "2", "--default-base", "http://old.test/", "-o",
			"mails", "--overwrite", "box"}, []string{"mails/cur", "link/mails"}},
}

// Another program exchanges files and directories for symbolic links while a run lasts. The run
// reads and writes nothing through a symbolic link.
func TestSwapped(t *testing.T) {
	effort.Only(t)
	if runtime.GOMAXPROCS(0) < 2 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	}
	hits, refused := 0, 0
	for i := range max(*swaps, len(swappings)) {
		s := &swappings[i%len(swappings)]
		dir := quickDir(t)
		t.Chdir(dir)
		swapTree(t)
		before := swapOutside(t)
		var out, err bytes.Buffer
		stop := exchange(t, s.with)
		absolink(s.args, strings.NewReader(""), &out, &err)
		stop()
		if strings.Contains(err.String(), "symbolic link") {
			refused++
		}
		for _, dir := range []string{"out", "there", "mails"} {
			filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
				if err == nil && d.Type().IsRegular() {
					text, _ := os.ReadFile(path)
					out.Write(text)
				}
				if err == nil && d.Name() == "secret.html" {
					out.WriteString(swapSecret)
				}
				return nil
			})
		}
		if strings.Contains(out.String(), swapSecret) {
			t.Errorf("%s: run %d read a file outside of the tree", s.name, i)
			hits++
		}
		after := swapOutside(t)
		maps.DeleteFunc(after, func(path, what string) bool { return before[path] == what })
		if len(after) > 0 {
			t.Errorf("%s: run %d wrote outside of the output: %.200q", s.name, i, fmt.Sprint(after))
			hits++
		}
		t.Chdir("/")
		os.RemoveAll(dir)
	}
	t.Logf("%d runs, %d of them met a link, %d hits", max(*swaps, len(swappings)), refused, hits)
}

// swapTree makes the files of the test in the current directory.
func swapTree(t *testing.T) {
	t.Helper()
	save := func(name, text string) {
		err := os.MkdirAll(filepath.Dir(name), 0o755)
		if err == nil {
			err = os.WriteFile(name, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := range swapFiles {
		name := fmt.Sprintf("%d.html", i)
		save("site/sub/d/"+name, "<!DOCTYPE html><a href=x>")
		save("there/sub/d/"+name, "old")
		save("secret/"+name, "<!DOCTYPE html><a href="+swapSecret+">")
		save("secret/d/"+name, "<!DOCTYPE html><a href="+swapSecret+">")
		save("elsewhere/"+name, swapForeign)
		save("elsewhere/d/"+name, swapForeign)
		mail := fmt.Sprintf("%d:2,S", i)
		html := "Content-Type: text/html\n\n<a href="
		save("box/new/"+mail, html+"x>\n")
		save("box/cur/c"+mail, html+"x>\n")
		save("secret/"+mail, html+swapSecret+">\n")
		save("mails/cur/c"+fmt.Sprintf("%d:2,F", i), "old")
		save("mails/new/"+mail, "old")
		save("elsewhere/c"+fmt.Sprintf("%d:2,F", i), swapForeign)
	}
	save("secret/secret.html", "<!DOCTYPE html><a href="+swapSecret+">")
	save("link/none", "")
	for name, target := range map[string]string{
		"d": "../secret", "sub": "../secret", "1.html": "../secret/1.html", "new": "../secret",
		"out": "../elsewhere", "above": "../elsewhere", "foreign": "../elsewhere/1.html", "mails": "../elsewhere",
	} {
		abs, err := filepath.Abs(filepath.Join("link", target))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(abs, filepath.Join("link", name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("sub/d/2.html", "site/inner.html"); err != nil {
		t.Fatal(err)
	}
	os.Chmod("elsewhere", 0o711)
	os.Chmod("elsewhere/d", 0o711)
}

// swapOutside returns the files outside the output, with their modes and contents.
func swapOutside(t *testing.T) map[string]string {
	t.Helper()
	files := make(map[string]string)
	for _, dir := range []string{"elsewhere", "secret"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			text := ""
			if d.Type().IsRegular() {
				content, _ := os.ReadFile(path)
				text = string(content)
			}
			files[path] = info.Mode().String() + " " + text
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// exchange repeatedly exchanges the two paths until stop is called. In the end both are in their
// old places.
func exchange(t *testing.T, paths []string) (stop func()) {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	a, b := filepath.Join(dir, paths[0]), filepath.Join(dir, paths[1])
	var ended atomic.Bool
	done := make(chan int)
	go func() {
		n := 0
		for !ended.Load() || n%2 == 1 {
			if unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE) == nil {
				n++
			}
			for range n % 7 * 50 { // so that the run sometimes gets past its checks
				runtime.Gosched()
			}
		}
		done <- n
	}()
	return func() {
		ended.Store(true)
		<-done
	}
}
