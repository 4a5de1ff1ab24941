package inplace_test

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/inplace"
	"absolink/testdata/effort"
)

const undone = "<a href=x>"

// replacedTree lays a tree and replaces its files with the journal j. It returns the files before
// and after.
func replacedTree(t *testing.T) (before, after map[string]string) {
	t.Helper()
	lay(t, map[string]string{"s/a.html": undone, "s/d/b.html": undone, "s/d/e/c.html": undone, "s/dd.html": undone,
		"f/b.html": undone, "f/a:2,S": undone, "f/a:2,T": undone, "f/g/b.html": undone, "f/h/b.html": undone,
		"box/cur/1.h:2,S": "Content-Type: text/html\n\n" + undone,
		"box/new/2.h":     "Content-Type: text/html\n\n" + undone})
	if err := os.MkdirAll("box/tmp", 0o777); err != nil {
		t.Fatal(err)
	}
	before = files(t, ".")
	if _, err := replace(t, inplace.Options{Journal: "j"}, 0, "s", "box", "f"); err != nil {
		t.Fatal(err)
	}
	after = files(t, ".")
	delete(after, "j")
	return before, after
}

// An undo of some files leaves the others, which can be put back later.
func TestUndoSome(t *testing.T) {
	for i, tt := range []struct {
		paths []string
		want  string
	}{
		{[]string{"s/a.html"}, "s/a.html"},
		{[]string{"s/d"}, "s/d/b.html s/d/e/c.html"},
		{[]string{"s/d/"}, "s/d/b.html s/d/e/c.html"},
		{[]string{"f/g/b.html"}, "f/g/b.html"},
		{[]string{"f/a:2,S"}, "f/a:2,S"},
		{[]string{"./s/d/../d/e", "s/a.html"}, "s/a.html s/d/e/c.html"},
		{[]string{"s/d", "s/d/e"}, "s/d/b.html s/d/e/c.html"},
		{[]string{"box/cur/1.h:2,S"}, "box/cur/1.h:2,S"},
		{[]string{"box/cur/1.h:2,RS"}, "box/cur/1.h:2,S"},
		{[]string{"box/cur/2.h:2,"}, "box/new/2.h"},
		{[]string{"box"}, "box/cur/1.h:2,S box/new/2.h"},
		{[]string{"box/cur"}, "box/cur/1.h:2,S"},
		{[]string{"box/cur/1.h:2,S", "box/cur/1.h:2,RS"}, "box/cur/1.h:2,S"},
		{[]string{"link"}, "s/d/b.html s/d/e/c.html"},
	} {
		before, after := replacedTree(t)
		if tt.paths[0] == "link" {
			tt.paths[0] = linkTo(t, "s/d")
		}
		listed := listUndo(t, tt.paths...)
		want := maps.Clone(after)
		for name := range strings.FieldsSeq(tt.want) {
			want[name] = before[name]
		}
		undo(t, "j", tt.paths...)
		check := func(want map[string]string) {
			t.Helper()
			got := files(t, ".")
			delete(got, "j")
			if !maps.Equal(got, want) {
				t.Errorf("undo of %q: the files are %q, want %q", tt.paths, got, want)
			}
		}
		check(want)
		if !slices.Equal(listed, strings.Fields(tt.want)) {
			t.Errorf("undo of %q: %q are listed, want %s", tt.paths, listed, tt.want)
		}
		if i%effort.Pick(1, 4) > 0 {
			continue // some cases show that the others can be put back
		}
		if again := listUndo(t); len(again)+len(listed) != len(before) {
			t.Errorf("undo of %q: then %q are listed", tt.paths, again)
		}
		undo(t, "j")
		check(before)
	}
}

// linkTo makes a symbolic link elsewhere to a directory.
func linkTo(t *testing.T, dir string) string {
	t.Helper()
	abs, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(abs, link); err != nil {
		t.Fatal(err)
	}
	return link
}

// listUndo returns the files that an undo would put back, as slash paths in order.
func listUndo(t *testing.T, paths ...string) (list []string) {
	t.Helper()
	tree := files(t, ".")
	var out strings.Builder
	r, _ := newRun(t, io.Discard)
	if err := inplace.Undo(t.Context(), r, inplace.UndoOptions{Journal: "j", Paths: paths, List: &out}); err != nil {
		t.Fatal(err)
	}
	if now := files(t, "."); !maps.Equal(now, tree) {
		t.Errorf("the list of an undo changed the files to %q", now)
	}
	here, err := filepath.EvalSymlinks(".")
	if err == nil {
		here, err = filepath.Abs(here)
	}
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		rel, err := filepath.Rel(here, strings.TrimSuffix(line, "\n"))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, filepath.ToSlash(rel))
	}
	slices.Sort(list)
	return list
}

// A file that is no journal is refused, and stays as it is.
func TestUndoRefusesJournal(t *testing.T) {
	before := map[string]string{"j": "<a href=x>"}
	lay(t, before)
	r, _ := newRun(t, io.Discard)
	err := inplace.Undo(t.Context(), r, inplace.UndoOptions{Journal: "j"})
	var usage *flag.Error
	const want = "--undo j: is not a journal of absolink: give the file that --journal named"
	if !errors.As(err, &usage) || err.Error() != want {
		t.Errorf("undo of a page: got error %v, want %q", err, want)
	}
	if got := files(t, "."); !maps.Equal(got, before) {
		t.Errorf("undo of a page: the files are %q, want %q", got, before)
	}
}

// A path without a file of the run is refused before anything is put back.
func TestUndoRefusesPaths(t *testing.T) {
	_, after := replacedTree(t)
	for path, why := range map[string]string{"s/none.html": "replaced no file", "none/x": "no such file",
		"s/a.html/x": "not a directory", "s/d.html": "replaced no file", "box/cur/3.h:2,S": "replaced no file",
		"../s/a.html": "no such file", "j": "replaced no file"} {
		r, _ := newRun(t, io.Discard)
		err := inplace.Undo(t.Context(), r, inplace.UndoOptions{Journal: "j", Paths: []string{"s/a.html", path}})
		var usage *flag.Error
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), path) ||
			!strings.Contains(err.Error(), why) {
			t.Errorf("undo of %s: got error %v, want a *flag.Error: %s", path, err, why)
		}
		got := files(t, ".")
		delete(got, "j")
		if !maps.Equal(got, after) {
			t.Errorf("undo of %s: the files are %q, want them as they were", path, got)
		}
	}
}

// The journal is read once, however many paths are chosen.
func TestUndoManyPaths(t *testing.T) {
	tree := make(map[string]string)
	var paths []string
	for i := range 40 {
		path := fmt.Sprintf("s/%d.html", i)
		tree[path] = undone
		paths = append(paths, path)
	}
	lay(t, tree)
	if _, err := replace(t, inplace.Options{Journal: "j"}, 0, "s"); err != nil {
		t.Fatal(err)
	}
	allocations := func(paths []string) float64 {
		return testing.AllocsPerRun(2, func() {
			r, _ := newRun(t, io.Discard)
			if err := inplace.Undo(t.Context(), r, inplace.UndoOptions{Journal: "j", Paths: paths}); err == nil {
				t.Error("a missing path is not refused")
			}
		})
	}
	one := allocations([]string{"s/none.html"})
	all := allocations(append(paths, "s/none.html"))
	if all > 4*one {
		t.Errorf("choosing %d paths takes %.0f allocations, one takes %.0f", len(paths)+1, all, one)
	}
}

// Files that an undo would refuse are named when it is listed, and not listed.
func TestUndoListRefuses(t *testing.T) {
	replacedTree(t)
	if err := errors.Join(os.WriteFile("s/a.html", []byte("other"), 0o666), os.Remove("s/d/b.html"),
		os.WriteFile("s/dd.html", []byte(undone), 0o666)); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	r, d := newRun(t, io.Discard)
	o := inplace.UndoOptions{Journal: "j", Paths: []string{"s"}, List: &out}
	if err := inplace.Undo(t.Context(), r, o); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(out.String(), "\n"); got != 1 || !strings.HasSuffix(out.String(), "c.html\n") {
		t.Errorf("listed are %q, want c.html alone", out.String())
	}
	said := strings.Join(d.outcomes, "\n")
	for _, want := range []string{"a.html refused was changed after the run", "b.html failed is not there any more",
		"dd.html unchanged"} {
		if !strings.Contains(said, want) {
			t.Errorf("the outcomes are\n%s\nwant %q", said, want)
		}
	}
}

// A file that was replaced twice is listed once, and is put back to its first bytes.
func TestUndoTwice(t *testing.T) {
	before, _ := replacedTree(t)
	if err := os.WriteFile("s/a.html", []byte("<a href=y>"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := replace(t, inplace.Options{Journal: "j", Resume: true}, 0, "s"); err != nil {
		t.Fatal(err)
	}
	if got := listUndo(t, "s/a.html"); !slices.Equal(got, []string{"s/a.html"}) {
		t.Errorf("listed are %q, want the file once", got)
	}
	var out strings.Builder
	r, d := newRun(t, &out)
	o := inplace.UndoOptions{Journal: "j", Paths: []string{"s/a.html"}, List: io.Discard}
	if err := inplace.Undo(t.Context(), r, o); err != nil {
		t.Fatal(err)
	}
	if len(d.outcomes) != 2 || !strings.HasSuffix(d.outcomes[0], " restored") ||
		!strings.Contains(d.outcomes[1], " refused ") {
		t.Errorf("the outcomes are %q, want the second run restored, the first one refused", d.outcomes)
	}
	undo(t, "j", "s/a.html")
	got, err := os.ReadFile("s/a.html")
	if err != nil || string(got) != "<a href=y>" {
		t.Errorf("the file holds %q, error %v, want the bytes before the second run", got, err)
	}
	undo(t, "j", "s/d", "box", "s/dd.html", "f")
	for name, want := range files(t, ".") {
		if name != "j" && name != "s/a.html" && want != before[name] {
			t.Errorf("%s holds %q, want %q", name, want, before[name])
		}
	}
}

// A file that got its old bytes between two runs is listed once, and is put back once.
func TestUndoSameTwice(t *testing.T) {
	before, _ := replacedTree(t)
	if err := os.WriteFile("s/a.html", []byte(undone), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := replace(t, inplace.Options{Journal: "j", Resume: true}, 0, "s"); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	r, d := newRun(t, io.Discard)
	o := inplace.UndoOptions{Journal: "j", Paths: []string{"s/a.html"}, List: &out}
	if err := inplace.Undo(t.Context(), r, o); err != nil {
		t.Fatal(err)
	}
	want := filepath.Join("s", "a.html") + " restored"
	if strings.Count(out.String(), "\n") != 1 || len(d.outcomes) != 1 || !strings.HasSuffix(d.outcomes[0], want) {
		t.Errorf("listed are %q with the outcomes %q, want the file once", out.String(), d.outcomes)
	}
	undo(t, "j")
	got := files(t, ".")
	delete(got, "j")
	if !maps.Equal(got, before) {
		t.Errorf("after the undo the files are %q, want %q", got, before)
	}
}

// The name of a file outside of a Maildir stays, whatever sizes it seems to tell.
func TestSizeOutsideMaildir(t *testing.T) {
	lay(t, map[string]string{"s/1.h,S=39:2,S": mail, "s/dovecot.index": ""})
	for _, size := range []inplace.MaildirSize{inplace.RefuseSize, inplace.RenameSize} {
		if err := os.WriteFile("s/1.h,S=39:2,S", []byte(mail), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := replace(t, inplace.Options{Maildir: size}, 0, "s"); err != nil {
			t.Fatal(err)
		}
		if got := files(t, "s"); got["s/1.h,S=39:2,S"] != mailAfter || len(got) != 2 {
			t.Errorf("with %v the files are %q, want the same names", size, got)
		}
	}
}

// A file that an undo refuses can be put back by a later undo.
func TestUndoAfterRefusal(t *testing.T) {
	before, after := replacedTree(t)
	for _, name := range []string{"s/a.html", "s/d/b.html", "box/cur/1.h:2,S"} {
		if err := os.WriteFile(name, []byte("other"), 0o666); err != nil {
			t.Fatal(err)
		}
		if d := undo(t, "j", name); len(d.outcomes) != 1 || !strings.Contains(d.outcomes[0], " refused ") {
			t.Errorf("undo of %s: got %q, want it refused", name, d.outcomes)
		}
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
		if d := undo(t, "j", name); len(d.outcomes) != 1 || !strings.Contains(d.outcomes[0], " failed ") {
			t.Errorf("undo of %s, which is missing: got %q, want a failure", name, d.outcomes)
		}
		if err := os.WriteFile(name, []byte(after[name]), 0o666); err != nil {
			t.Fatal(err)
		}
		if d := undo(t, "j", name); len(d.outcomes) != 1 || !strings.HasSuffix(d.outcomes[0], " restored") {
			t.Errorf("undo of %s, which has its bytes again: got %q, want it restored", name, d.outcomes)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != before[name] {
			t.Errorf("%s has %q, %v, want %q", name, got, err, before[name])
		}
	}
}

// An undo, and the list of an undo, count the files at their end.
func TestUndoCounts(t *testing.T) {
	replacedTree(t)
	for _, tt := range []struct {
		o    inplace.UndoOptions
		want string
	}{
		{inplace.UndoOptions{Journal: "j", Paths: []string{"s/a.html"}, List: io.Discard}, "1 file would be put back"},
		{inplace.UndoOptions{Journal: "j", Paths: []string{"s/d"}, List: io.Discard}, "2 files would be put back"},
		{inplace.UndoOptions{Journal: "j", Paths: []string{"s/d"}}, "2 files put back"},
		{inplace.UndoOptions{Journal: "j", Paths: []string{"s/d"}, List: io.Discard}, "0 files would be put back"},
	} {
		var stderr strings.Builder
		r, _ := newRun(t, &stderr)
		if err := inplace.Undo(t.Context(), r, tt.o); err != nil || !strings.Contains(stderr.String(), tt.want) {
			t.Errorf("Undo of %q: got %q, %v, want %q", tt.o.Paths, stderr.String(), err, tt.want)
		}
	}
}
