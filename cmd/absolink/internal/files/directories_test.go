//go:build unix

package files_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"absolink/cmd/absolink/internal/files"
	"absolink/testdata/effort"
)

func TestMain(m *testing.M) {
	syscall.Umask(0o022)
	effort.MainInMemory(m)
}

// New directories have the permissions of their sources. Existing directories stay as they are.
func TestDirectories(t *testing.T) {
	const setgid = fs.ModeSetgid
	tests := []struct {
		name string
		in   map[string]fs.FileMode // directories of the inputs
		was  map[string]fs.FileMode // directories of the output that existed before
		from map[string][]string    // directories of the output and their sources
		want map[string]fs.FileMode
	}{
		{"the top", map[string]fs.FileMode{"in": 0o700}, nil,
			map[string][]string{".": {"in"}}, map[string]fs.FileMode{".": 0o700}},
		{"that nobody may write to", map[string]fs.FileMode{"in": 0o555, "in/a": 0o755, "in/a/b": 0o500}, nil,
			map[string][]string{"a/b": {"in/a/b"}}, map[string]fs.FileMode{".": 0o555, "a": 0o755, "a/b": 0o500}},
		{"that others may write to", map[string]fs.FileMode{"in": 0o777, "in/a": 0o775}, nil,
			map[string][]string{"a": {"in/a"}}, map[string]fs.FileMode{".": 0o755, "a": 0o755}},
		{"of no source", nil, nil, map[string][]string{"a/b": {""}},
			map[string]fs.FileMode{".": 0o755, "a": 0o755, "a/b": 0o755}},
		{"of two", map[string]fs.FileMode{"in": 0o755, "in/a": 0o750, "two": 0o755, "two/a": 0o705}, nil,
			map[string][]string{"a": {"in/a", "two/a", ""}}, map[string]fs.FileMode{".": 0o755, "a": 0o700}},
		{"that were there", map[string]fs.FileMode{"in": 0o700, "in/a": 0o700, "in/a/b": 0o700},
			map[string]fs.FileMode{".": 0o755, "a": 0o711}, map[string][]string{"a/b": {"in/a/b"}},
			map[string]fs.FileMode{".": 0o755, "a": 0o711, "a/b": 0o700}},
		{"of a group", map[string]fs.FileMode{"in": 0o755, "in/a": 0o700}, map[string]fs.FileMode{".": 0o755 | setgid},
			map[string][]string{"a": {"in/a"}}, map[string]fs.FileMode{".": 0o755 | setgid, "a": 0o700 | setgid}},
		{"of a source with a group", map[string]fs.FileMode{"in": 0o755 | setgid}, nil,
			map[string][]string{".": {"in"}}, map[string]fs.FileMode{".": 0o755 | setgid}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			makeDirs(t, ".", tt.in)
			makeDirs(t, "out", tt.was)
			tree, err := files.NewTree("out", nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := tree.Begin(); err != nil {
				t.Fatal(err)
			}
			for dir, list := range tt.from {
				for i, from := range list {
					if path, err := tree.Reserve(dir+"/"+strconv.Itoa(i), from, nil); err != nil {
						t.Error(err)
					} else if err := tree.Create(path, nil, text("new")); err != nil {
						t.Error(err)
					}
				}
			}
			if err := tree.Finish(nil); err != nil {
				t.Error(err)
			}
			for dir, want := range tt.want {
				info, err := os.Stat(filepath.Join("out", dir))
				if err != nil {
					t.Fatal(err)
				}
				if got := info.Mode() &^ fs.ModeDir; got != want {
					t.Errorf("out/%s: got mode %v, want %v", dir, got, want)
				}
			}
		})
	}
}

// A run that was killed before it wrote anything has not left its output open to others. The run
// that resumes it gives the output its mode.
func TestTopOfKilledRun(t *testing.T) {
	t.Chdir(t.TempDir())
	makeDirs(t, ".", map[string]fs.FileMode{"in": 0o550})
	for _, want := range []fs.FileMode{0o750, 0o550} {
		tree, err := files.NewTree("out", []string{"in"})
		if err != nil {
			t.Fatal(err)
		}
		tree.SetResumed()
		if tree.Begin() != nil {
			t.Fatal("Begin: got an error, want none")
		}
		if want == 0o550 {
			if err := tree.Finish(nil); err != nil {
				t.Error(err)
			}
		}
		if info, err := os.Stat("out"); err != nil || info.Mode().Perm() != want {
			t.Errorf("out: got %v and error %v, want mode %v", info, err, want)
		}
	}
}

// makeDirs makes directories below top with their modes. At the end it makes them removable for the
// test.
func makeDirs(t *testing.T, top string, dirs map[string]fs.FileMode) {
	t.Helper()
	for dir := range dirs {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for dir, mode := range dirs {
		if err := os.Chmod(filepath.Join(top, dir), mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				os.Chmod(path, 0o700)
			}
			return nil
		})
	})
}

// Modes are set through the open directory. A link that takes the place of the directory does not
// change the mode of another one.
func TestModesOfOpenDirectory(t *testing.T) {
	t.Chdir(t.TempDir())
	makeDirs(t, ".", map[string]fs.FileMode{"in/a": 0o700, "two/a": 0o700, "other": 0o755})
	tree, err := files.NewTree("out", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.Begin(); err != nil {
		t.Fatal(err)
	}
	if _, err := tree.Reserve("a/1", "in/a", nil); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename("out/a", "moved"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../other", "out/a"); err != nil {
		t.Fatal(err)
	}
	if _, err := tree.Reserve("a/2", "two/a", nil); err == nil {
		t.Error("Path below a link: got no error")
	}
	if info, _ := os.Stat("other"); info.Mode().Perm() != 0o755 {
		t.Errorf("mode of the other directory: got %v, want %v", info.Mode().Perm(), fs.FileMode(0o755))
	}
}

// During the run somebody replaces directories of the output by links. Nothing is written, linked,
// removed or changed where the links lead.
func TestLinkedDirectories(t *testing.T) {
	t.Chdir(t.TempDir())
	makeDirs(t, ".",
		map[string]fs.FileMode{"in": 0o700, "in/a": 0o700, "in/a/b": 0o700, "other": 0o755, "other/b": 0o755})
	file(t, "other/1")
	file(t, "other/b/1")
	tree, err := files.NewTree("out", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.Begin(); err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	var paths []string
	for _, rel := range []string{"a/1", "a/b/1", "a/link", "a/b/link", "top"} {
		path, err := tree.Reserve(rel, filepath.Join("in", filepath.Dir(rel)), nil)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	before := list(t, "other")
	if err := errors.Join(os.Rename("out/a", "moved"), os.Symlink("../other", "out/a")); err != nil {
		t.Fatal(err)
	}
	var refusal *files.Refusal
	for _, path := range paths[:2] {
		if err := tree.Create(path, nil, text("new")); !errors.As(err, &refusal) ||
			!strings.Contains(err.Error(), "out/a is a symbolic link by now: absolink does not write through links") {
			t.Errorf("Create(%s): got error %v, want a refusal", path, err)
		}
	}
	for _, rel := range []string{"a/b/c", "a/c"} {
		if err := tree.MakeDir(rel, "in/a/b"); !errors.As(err, &refusal) {
			t.Errorf("Directory(%s): got error %v, want a refusal", rel, err)
		}
	}
	if err := tree.Create(paths[4], nil, text("new")); err != nil {
		t.Error(err)
	}
	tree.AddLink(paths[2], "top")
	tree.AddLink(paths[3], "top")
	tree.SetOutputPath("there", "a/1")
	tree.AddLink(filepath.Join(filepath.Dir(paths[4]), "inner"), "there")
	if err := tree.Finish(func(path, target string) { t.Errorf("%s dangles", path) }); !errors.As(err, &refusal) {
		t.Errorf("Finish: got error %v, want a refusal", err)
	}
	if after := list(t, "other"); after != before {
		t.Errorf("the other directory: got %s, want %s", after, before)
	}
	content(t, "out/top", "new")
	if _, err := os.Lstat("out/inner"); err == nil {
		t.Error("out/inner is a link to what is outside of the output, want none")
	}
}

// Somebody replaces the output itself by a link. Files still go to the directory that the run began
// with.
func TestLinkedTop(t *testing.T) {
	t.Chdir(t.TempDir())
	makeDirs(t, ".", map[string]fs.FileMode{"other": 0o755})
	tree, err := files.NewTree("out", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.Begin(); err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	if err := errors.Join(os.Rename("out", "moved"), os.Symlink("other", "out")); err != nil {
		t.Fatal(err)
	}
	path, err := tree.Reserve("a/1", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(tree.Create(path, nil, text("new")), tree.Finish(nil)); err != nil {
		t.Fatal(err)
	}
	content(t, "moved/a/1", "new")
	if after := list(t, "other"); strings.Contains(after, "a") {
		t.Errorf("the other directory: got %s, want nothing in it", after)
	}
}

// list lists the files below a directory with their paths, modes and sizes.
func list(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil {
			rel, _ := filepath.Rel(dir, path)
			fmt.Fprintln(&b, rel, info.Mode(), info.Size())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
