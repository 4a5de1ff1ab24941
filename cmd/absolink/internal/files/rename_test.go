package files

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"
)

// RenameNew overwrites no file, also on systems that need two steps for that.
func TestRenameNew(t *testing.T) {
	for name, rename := range map[string]func(*Dir, string, string) error{
		"RenameNew": (*Dir).RenameNew, "renameInSteps": (*Dir).renameInSteps} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			dir, err := OpenDir(".")
			if err != nil {
				t.Fatal(err)
			}
			defer dir.Close()
			os.WriteFile("a", []byte("a"), 0o600)
			os.WriteFile("b", []byte("b"), 0o600)
			if err := rename(dir, "a", "b"); !errors.Is(err, fs.ErrExist) {
				t.Errorf("%s to a name that exists: got error %v, want %v", name, err, fs.ErrExist)
			}
			if err := rename(dir, "none", "c"); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s of no file: got error %v, want %v", name, err, fs.ErrNotExist)
			}
			if err := rename(dir, "a", "c"); err != nil {
				t.Errorf("%s to a new name: got error %v", name, err)
			}
			for path, want := range map[string]string{"a": "", "b": "b", "c": "a"} {
				if got, _ := os.ReadFile(path); string(got) != want {
					t.Errorf("%s after %s: got %q, want %q", path, name, got, want)
				}
			}
		})
	}
}

// If the new file cannot get its new name, the error says that the content was replaced. The
// directory is flushed in any case.
func TestRenameFails(t *testing.T) {
	t.Chdir(t.TempDir())
	dir, err := OpenDir(".")
	if err != nil {
		t.Fatal(err)
	}
	tt := &target{dir: dir, name: "none", o: &Options{Name: "b"}}
	const want = "its content was replaced, but it keeps its name: rename: "
	err = tt.finishRename()
	if err == nil || err.Error() != want+fs.ErrNotExist.Error() && err.Error() != want+"no such file or directory" {
		t.Errorf("rename of no file: got error %v, want %q and that there is no file", err, want)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("rename of no file: error %v is not %v", err, fs.ErrNotExist)
	}
	dir.Close() // so that no call works
	err = tt.finishRename()
	if err == nil || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), "; open: ") {
		t.Errorf("rename in a closed directory: got error %v, want also one of the flush", err)
	}
	tt.o.Name = ""
	if err := tt.finishRename(); err == nil || !strings.HasPrefix(err.Error(), "open: ") {
		t.Errorf("rename to no new name: got error %v, want only one of the flush", err)
	}
}

// A user who may not keep the owner is refused. Other errors are failures. Both wrap their cause.
func TestOwnerError(t *testing.T) {
	for cause, want := range map[error]bool{syscall.EPERM: true, syscall.EINVAL: true, syscall.EIO: false} {
		err := ownerError(&opError{"chown", cause})
		if want := "cannot keep its owner: chown: " + cause.Error(); err.Error() != want {
			t.Errorf("ownerError(%v): got %q, want %q", cause, err, want)
		}
		if refusal := new(Refusal); errors.As(err, &refusal) != want || !errors.Is(err, cause) {
			t.Errorf("ownerError(%v): got %v, want a *Refusal: %t, and that it wraps the cause", cause, err, want)
		}
	}
}

// The backup is removed only if the old file also has its own name.
func TestUnlinkBackup(t *testing.T) {
	for name, tt := range map[string]struct {
		last func()
		want bool // the backup stays
	}{
		"both names":                 {func() {}, false},
		"replaced":                   {func() { os.WriteFile("b", nil, 0o600); os.Rename("b", "a") }, true},
		"removed":                    {func() { os.Remove("a") }, true},
		"another file is the backup": {func() { os.Remove("a~"); os.WriteFile("a~", nil, 0o600) }, true},
	} {
		t.Chdir(t.TempDir())
		os.WriteFile("a", []byte("old"), 0o600)
		src, _ := os.Stat("a")
		os.Link("a", "a~")
		tt.last()
		dir, _ := OpenDir(".")
		(&target{dir: dir, name: "a", src: src, o: &Options{Backup: "~"}}).unlinkBackup()
		dir.Close()
		if _, err := os.Stat("a~"); (err == nil) != tt.want {
			t.Errorf("%s: the backup stays: got %t, want %t", name, err == nil, tt.want)
		}
	}
}
