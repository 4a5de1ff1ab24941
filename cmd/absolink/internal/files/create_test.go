package files_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"absolink/cmd/absolink/internal/files"
)

var old = time.Date(2001, 2, 3, 4, 5, 6, 7000, time.UTC)

// file makes a file with a known mode and time in the current directory.
func file(t *testing.T, name string) fs.FileInfo {
	t.Helper()
	if err := os.WriteFile(name, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	os.Chtimes(name, old, old)
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

func text(s string) files.Writer {
	return func(f *os.File) error { _, err := f.WriteString(s); return err }
}

func content(t *testing.T, name, want string) {
	t.Helper()
	got, err := os.ReadFile(name)
	if err != nil || string(got) != want {
		t.Errorf("%s: got %q and error %v, want %q", name, got, err, want)
	}
}

func names(t *testing.T, want string) {
	t.Helper()
	var got []string
	entries, _ := os.ReadDir(".")
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if g := strings.Join(got, " "); g != want {
		t.Errorf("directory: got %q, want %q", g, want)
	}
}

func TestReplace(t *testing.T) {
	t.Chdir(t.TempDir())
	info := file(t, "a")
	if err := replace(t, "a", info, files.Options{Backup: "~"}, text("new")); err != nil {
		t.Fatal(err)
	}
	content(t, "a", "new")
	content(t, "a~", "old")
	names(t, "a a~")
	now, _ := os.Stat("a")
	if now.Mode() != info.Mode() || !now.ModTime().Equal(old) {
		t.Errorf("Replace: got mode %v and time %v, want %v and %v", now.Mode(), now.ModTime(), info.Mode(), old)
	}
}

// replace calls files.Replace in the current directory.
func replace(t *testing.T, name string, info fs.FileInfo, o files.Options, write files.Writer) error {
	t.Helper()
	dir, err := files.OpenDir(".")
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	return files.Replace(dir, name, info, o, write)
}

// Replace does not follow a link. A directory that takes the place of the open one is not touched.
func TestReplaceFollowsNoLinks(t *testing.T) {
	t.Chdir(t.TempDir())
	os.MkdirAll("elsewhere", 0o777)
	os.Mkdir("d", 0o777)
	info := file(t, "elsewhere/a")
	os.Symlink("elsewhere/a", "l")
	if err := replace(t, "l", info, files.Options{}, text("new")); err == nil ||
		err.Error() != "l is a symbolic link by now" {
		t.Errorf("Replace of a link: got error %v, want that it is one", err)
	}
	info = file(t, "d/a")
	dir, err := files.OpenDir("d")
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	swap := func(f *os.File) error {
		f.WriteString("new")
		return errors.Join(os.Rename("d", "d2"), os.Symlink("elsewhere", "d"))
	}
	if err := files.Replace(dir, "a", info, files.Options{Backup: "~", Name: "b"}, swap); err != nil {
		t.Fatal(err)
	}
	content(t, "elsewhere/a", "old")
	content(t, "d2/b", "new")
	content(t, "d2/a~", "old")
	for name, want := range map[string]int{"elsewhere": 1, "d2": 2} {
		if entries, _ := os.ReadDir(name); len(entries) != want {
			t.Errorf("%s: got %v, want %d files", name, entries, want)
		}
	}
}

// A writer that panics leaves nothing behind.
func TestWriterPanics(t *testing.T) {
	t.Chdir(t.TempDir())
	info := file(t, "a")
	func() {
		defer func() { recover() }()
		replace(t, "a", info, files.Options{Backup: "~"},
			func(f *os.File) error { f.WriteString("half"); panic("boom") })
	}()
	content(t, "a", "old")
	names(t, "a")
}

func TestReplaceRefuses(t *testing.T) {
	boom := errors.New("boom")
	tests := []struct {
		name  string
		setup func(t *testing.T) fs.FileInfo
		write files.Writer
		want  string
		files string
	}{
		{"hard links", func(t *testing.T) fs.FileInfo {
			file(t, "a")
			os.Link("a", "b")
			info, _ := os.Stat("a")
			return info
		}, text("new"), "has 2 names (hard links), and the other names would keep the old content", "a b"},
		{"a directory", func(t *testing.T) fs.FileInfo {
			info, _ := os.Stat(".")
			return info
		}, text("new"), "is not a regular file, so it cannot be replaced in place", ""},
		{"a file that changed", func(t *testing.T) fs.FileInfo {
			info := file(t, "a")
			os.Chtimes("a", old, old.Add(time.Second))
			return info
		}, text("new"), "was changed by another program meanwhile", "a"},
		{"a file that was replaced", func(t *testing.T) fs.FileInfo {
			info := file(t, "a")
			file(t, "b")
			os.Rename("b", "a")
			return info
		}, text("new"), "was changed by another program meanwhile", "a"},
		{"a backup that exists", func(t *testing.T) fs.FileInfo {
			file(t, "a~")
			return file(t, "a")
		}, text("new"), "its backup a~ exists already; give another --backup, or move the old one away", "a a~"},
		{"a writer that fails", func(t *testing.T) fs.FileInfo { return file(t, "a") },
			func(f *os.File) error { f.WriteString("half"); return boom }, "boom", "a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			info := tt.setup(t)
			err := replace(t, "a", info, files.Options{Backup: "~"}, tt.write)
			if err == nil || err.Error() != tt.want {
				t.Errorf("Replace: got error %v, want %q", err, tt.want)
			}
			names(t, tt.files)
			if tt.files != "" {
				content(t, "a", "old")
			}
		})
	}
}

func TestCreate(t *testing.T) {
	t.Chdir(t.TempDir())
	info := file(t, "src")
	os.MkdirAll("x/y", 0o777)
	if err := files.Create("x/y/a", info, text("new")); err != nil {
		t.Fatal(err)
	}
	content(t, "x/y/a", "new")
	got, _ := os.Stat("x/y/a")
	if got.Mode() != info.Mode() || !got.ModTime().Equal(old) {
		t.Errorf("Create: got mode %v and time %v, want %v and %v", got.Mode(), got.ModTime(), info.Mode(), old)
	}
	if err := files.Create("x/y/b", info, func(f *os.File) error {
		if now, err := f.Stat(); err != nil || now.Mode().Perm() != 0o600 {
			t.Errorf("Create: got mode %v and error %v while it is written, want 0600", now.Mode(), err)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
	if err := files.Create("x/y", info, text("new")); err == nil {
		t.Error("Create over a directory: got no error, want a refusal")
	}
	if err := files.Create("src/a", info, text("new")); err == nil {
		t.Error("Create below a file: got no error, want one")
	}
}

func TestTree(t *testing.T) {
	t.Chdir(t.TempDir())
	os.MkdirAll("in/sub", 0o777)
	os.MkdirAll("out", 0o777)
	file(t, "in/a")
	file(t, "f")
	os.Link("f", "out/f")
	os.Symlink("in", "alias")
	os.Symlink("../in/sub", "out/sub")
	tests := []struct {
		name string
		dir  string
		args []string
		want string // part of the refusal, or empty
	}{
		{"apart", "out", []string{"in"}, ""},
		{"new", "new/deep", []string{"in", "f"}, ""},
		{"the input itself", "in", []string{"in"}, "lies in the input in"},
		{"through a link", "alias", []string{"in"}, "lies in the input in"},
		{"below the input", "in/sub", []string{"in"}, "lies in the input in"},
		{"the directory of a file", ".", []string{"f"}, "is the input f"},
		{"a hard link to the input", "out", []string{"f"}, "is the input f"},
		{"a file", "f", []string{"in"}, "-o takes a directory"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := files.NewTree(tt.dir, tt.args)
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("NewTree(%q, %q): got error %v, want %q", tt.dir, tt.args, err, tt.want)
			}
		})
	}
	tree, err := files.NewTree("out", []string{"in"})
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.Begin(); err != nil {
		t.Fatal(err)
	}
	if p, err := tree.Reserve("x/a", "", nil); err != nil || !strings.HasSuffix(p, filepath.FromSlash("out/x/a")) {
		t.Errorf("Path(x/a): got %q and error %v, want out/x/a", p, err)
	}
	if _, err := tree.Reserve("x/a", "", nil); err == nil {
		t.Error("Path(x/a) again: got no error, want a refusal")
	}
	if _, err := tree.Reserve("sub/a", "", nil); err == nil {
		t.Error("Path(sub/a) through a link into the input: got no error, want a refusal")
	}
	os.Mkdir("away", 0o777)
	os.Symlink("../away", "out/leads")
	if _, err := tree.Reserve("leads/d/a", "", nil); err == nil ||
		!strings.HasSuffix(err.Error(), "out/leads is a symbolic link, and absolink does not write through links") {
		t.Errorf("Path(leads/d/a) through a link: got error %v, want a refusal", err)
	}
}

// A run completes the work of a run that was killed between the backup and the rename.
func TestReplaceAfterBackup(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "a")
	os.Link("a", "a~")
	info, _ := os.Stat("a")
	if err := replace(t, "a", info, files.Options{}, text("new")); err == nil {
		t.Error("Replace without a backup: got no error, want that it has two names")
	}
	if err := replace(t, "a", info, files.Options{Backup: "~"}, text("new")); err != nil {
		t.Fatal(err)
	}
	content(t, "a", "new")
	content(t, "a~", "old")
}

func TestReplaceRenames(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "taken")
	info := file(t, "a")
	if err := replace(t, "a", info, files.Options{Name: "taken"}, text("new")); err == nil ||
		err.Error() != "its new name taken is taken" {
		t.Errorf("Replace: got error %v, want that the name is taken", err)
	}
	content(t, "a", "old")
	content(t, "taken", "old")
	if err := replace(t, "a", info, files.Options{Name: "b", ModTime: old.Add(time.Hour)}, text("new")); err != nil {
		t.Fatal(err)
	}
	names(t, "b taken")
	content(t, "b", "new")
	if now, _ := os.Stat("b"); !now.ModTime().Equal(old.Add(time.Hour)) {
		t.Errorf("Replace: got time %v, want %v", now.ModTime(), old.Add(time.Hour))
	}
}

// When Ready is called, the new content is complete. If Ready returns an error, the old file stays.
func TestReplaceReady(t *testing.T) {
	t.Chdir(t.TempDir())
	info := file(t, "a")
	boom := errors.New("boom")
	err := replace(t, "a", info, files.Options{Ready: func(f *os.File, name string) error {
		content(t, f.Name(), "new")
		if now, _ := f.Stat(); name != "a" || now.Mode() != info.Mode() || !now.ModTime().Equal(old) {
			t.Errorf("Ready: got name %q, mode %v, time %v, want a, %v, %v",
				name, now.Mode(), now.ModTime(), info.Mode(), old)
		}
		return boom
	}}, text("new"))
	if err != boom {
		t.Errorf("Replace: got error %v, want that of Ready", err)
	}
	content(t, "a", "old")
	names(t, "a")
}

// Errors of the operating system do not name a temporary file.
func TestReplaceErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	info := file(t, "a")
	gone := file(t, "gone")
	os.Remove("gone")
	tests := []struct {
		name, path string
		info       fs.FileInfo
		write      files.Writer
		want       string
	}{
		{"a file that is gone", "gone", gone, text("new"), "open: no such file or directory"},
		{"a new file that goes meanwhile", "a", info,
			func(f *os.File) error { return os.Remove(f.Name()) }, "exchange: no such file or directory"},
		{"a file that goes meanwhile", "a", info,
			func(*os.File) error { return os.Remove("a") }, "lstat: no such file or directory"},
	}
	for _, tt := range tests {
		if err := replace(t, tt.path, tt.info, files.Options{}, tt.write); err == nil || err.Error() != tt.want {
			t.Errorf("%s: Replace: got error %v, want %q", tt.name, err, tt.want)
		}
	}
	names(t, "")
}

// Errors of the caller keep their text and their kind. Only the path of the temporary file is left
// out, which means nothing to a user.
func TestReplaceKeepsErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	info := file(t, "a")
	system := &fs.PathError{Op: "open", Path: "/journal", Err: errors.New("no room")}
	for _, tt := range []struct {
		name  string
		err   error
		want  string
		kept  bool // the error is a *Refusal
		ready bool // Ready returns the error, and not the writer
	}{
		{"context", fmt.Errorf("journal: %w", system), "journal: open /journal: no room", false, true},
		{"another file", system, "open /journal: no room", false, true},
		{"a refusal joined with another error", errors.Join(&files.Refusal{Reason: "stays"}, system),
			"stays\nopen /journal: no room", true, true},
		{"context of the writer", fmt.Errorf("verify: %w", system), "verify: open /journal: no room", false, false},
		{"another file of the writer", system, "open /journal: no room", false, false},
	} {
		var o files.Options
		write := text("new")
		if tt.ready {
			o.Ready = func(*os.File, string) error { return tt.err }
		} else {
			write = func(*os.File) error { return tt.err }
		}
		err := replace(t, "a", info, o, write)
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s: got error %v, want %q", tt.name, err, tt.want)
		}
		if refusal := new(files.Refusal); errors.As(err, &refusal) != tt.kept {
			t.Errorf("%s: error %v is a *Refusal: got %t, want %t", tt.name, err, !tt.kept, tt.kept)
		}
		content(t, "a", "old")
	}
	err := replace(t, "a", info, files.Options{}, func(f *os.File) error {
		return &fs.PathError{Op: "write", Path: f.Name(), Err: errors.New("no room")}
	})
	if err == nil || err.Error() != "write: no room" {
		t.Errorf("the temporary file: got error %v, want %q", err, "write: no room")
	}
	names(t, "a")
}

// A file that gets the new name in the last moment is not overwritten. The old name then has the
// new content.
func TestReplaceNameTakenMeanwhile(t *testing.T) {
	t.Chdir(t.TempDir())
	info := file(t, "a")
	err := replace(t, "a", info, files.Options{Name: "b", Ready: func(*os.File, string) error {
		return os.WriteFile("b", []byte("foreign"), 0o600)
	}}, text("new"))
	want := "its content was replaced, but it keeps its name: its new name b is taken"
	if err == nil || err.Error() != want {
		t.Errorf("Replace: got error %v, want %q", err, want)
	}
	if refusal := new(files.Refusal); errors.As(err, &refusal) {
		t.Errorf("Replace: error %v is a *Refusal, although the content was replaced", err)
	}
	content(t, "a", "new")
	content(t, "b", "foreign")
	names(t, "a b")
}

// A new name that exists is refused before the content is written, and also if it is taken
// meanwhile.
func TestReplaceNameTakenEarly(t *testing.T) {
	t.Chdir(t.TempDir())
	info := file(t, "a")
	for _, name := range []string{"b", "c"} {
		file(t, "b")
		written := false
		err := replace(t, "a", info, files.Options{Name: name}, func(*os.File) error {
			written = true
			file(t, "c")
			return nil
		})
		if want := "its new name " + name + " is taken"; err == nil || err.Error() != want {
			t.Errorf("Replace: got error %v, want %q", err, want)
		}
		if want := name == "c"; written != want {
			t.Errorf("Replace with new name %s: wrote the content: got %t, want %t", name, written, want)
		}
		content(t, "a", "old")
	}
}

// If the file cannot be replaced after its backup was made, the backup is removed, so that the next
// run is not refused. It stays if it is the only name of the old file.
func TestReplaceFailsAfterBackup(t *testing.T) {
	t.Chdir(t.TempDir())
	info := file(t, "a")
	remove := func(f *os.File) error { return os.Remove(f.Name()) }
	if err := replace(t, "a", info, files.Options{Backup: "~"}, remove); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Replace: got error %v, want %v", err, fs.ErrNotExist)
	}
	content(t, "a", "old")
	names(t, "a")
	if err := replace(t, "a", info, files.Options{Backup: "~"}, text("new")); err != nil {
		t.Errorf("Replace in the next run: got error %v", err)
	}
}

// If the system cannot tell whether the new name exists, the error does not say that it is taken.
func TestReplaceNameUnknown(t *testing.T) {
	t.Chdir(t.TempDir())
	info := file(t, "a")
	err := replace(t, "a", info, files.Options{Name: strings.Repeat("b", 300)}, text("new"))
	if err == nil || err.Error() != "lstat: file name too long" {
		t.Errorf("Replace: got error %v, want %q", err, "lstat: file name too long")
	}
	content(t, "a", "old")
}

func TestRename(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "a")
	os.WriteFile("b", []byte("foreign"), 0o600)
	dir, err := files.OpenDir(".")
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	if err := files.Rename(dir, "a", "b"); err == nil || err.Error() != "its new name b is taken" {
		t.Errorf("Rename to a name that exists: got error %v, want that it is taken", err)
	}
	content(t, "b", "foreign")
	if err := files.Rename(dir, "a", "c"); err != nil {
		t.Error(err)
	}
	content(t, "c", "old")
	names(t, "b c")
}
