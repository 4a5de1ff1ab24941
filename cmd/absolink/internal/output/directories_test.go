//go:build unix

package output_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"absolink/cmd/absolink/internal/output"
)

func TestMain(m *testing.M) {
	syscall.Umask(0o022)
	m.Run()
}

// Directories that are made permit what those that they are copies of permit; those that
// were there stay as they are.
func TestDirectories(t *testing.T) {
	const setgid = fs.ModeSetgid
	tests := []struct {
		name string
		in   map[string]fs.FileMode // directories of inputs
		was  map[string]fs.FileMode // directories of the output that were there
		from map[string][]string    // directories of the output and what they are copies of
		want map[string]fs.FileMode
	}{
		{"the top", map[string]fs.FileMode{"in": 0o700}, nil, map[string][]string{".": {"in"}}, map[string]fs.FileMode{".": 0o700}},
		{"that nobody may write to", map[string]fs.FileMode{"in": 0o555, "in/a": 0o755, "in/a/b": 0o500}, nil,
			map[string][]string{"a/b": {"in/a/b"}}, map[string]fs.FileMode{".": 0o555, "a": 0o755, "a/b": 0o500}},
		{"that others may write to", map[string]fs.FileMode{"in": 0o777, "in/a": 0o775}, nil,
			map[string][]string{"a": {"in/a"}}, map[string]fs.FileMode{".": 0o755, "a": 0o755}},
		{"of no source", nil, nil, map[string][]string{"a/b": {""}}, map[string]fs.FileMode{".": 0o755, "a": 0o755, "a/b": 0o755}},
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
			tree, err := output.NewTree("out", nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := tree.Begin(); err != nil {
				t.Fatal(err)
			}
			for dir, list := range tt.from {
				for i, from := range list {
					if path, err := tree.Path(dir+"/"+strconv.Itoa(i), from, nil); err != nil {
						t.Error(err)
					} else if err := output.Create(path, nil, text("new")); err != nil {
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

// A run that was killed before it wrote anything has not left its output open to others, and
// the one that goes on gives it its mode.
func TestTopOfKilledRun(t *testing.T) {
	t.Chdir(t.TempDir())
	makeDirs(t, ".", map[string]fs.FileMode{"in": 0o550})
	for _, want := range []fs.FileMode{0o750, 0o550} {
		tree, err := output.NewTree("out", []string{"in"})
		if err != nil {
			t.Fatal(err)
		}
		if tree.Resume(); tree.Begin() != nil {
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

// makeDirs makes directories below top with their modes, and gives them back to the test
// that removes them.
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

// Modes are set through the open directory: whoever exchanges it for a link has no other
// directory's mode set.
func TestModesOfOpenDirectory(t *testing.T) {
	t.Chdir(t.TempDir())
	makeDirs(t, ".", map[string]fs.FileMode{"in/a": 0o700, "two/a": 0o700, "other": 0o755})
	tree, err := output.NewTree("out", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.Begin(); err != nil {
		t.Fatal(err)
	}
	if _, err := tree.Path("a/1", "in/a", nil); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename("out/a", "moved"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../other", "out/a"); err != nil {
		t.Fatal(err)
	}
	if _, err := tree.Path("a/2", "two/a", nil); err == nil {
		t.Error("Path below a link: got no error")
	}
	if info, _ := os.Stat("other"); info.Mode().Perm() != 0o755 {
		t.Errorf("mode of the other directory: got %v, want %v", info.Mode().Perm(), fs.FileMode(0o755))
	}
}
