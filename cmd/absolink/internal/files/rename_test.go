package files

import (
	"errors"
	"io/fs"
	"os"
	"testing"
)

// RenameNew overwrites no file, also on systems that need two steps for that.
func TestRenameNew(t *testing.T) {
	for name, rename := range map[string]func(*Dir, string, string) error{
		"RenameNew": (*Dir).RenameNew, "renameSteps": (*Dir).renameSteps} {
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
