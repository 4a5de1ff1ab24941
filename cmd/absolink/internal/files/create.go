package files

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Writer writes the content of a new file to f. If it returns an error, the old file stays.
type Writer func(f *os.File) error

// Refusal is the error for a file that was not written because the write would lose something. The
// system would have allowed it.
type Refusal struct{ Reason string }

func (r *Refusal) Error() string { return r.Reason }

// refuse returns a *Refusal.
func refuse(format string, a ...any) error { return &Refusal{fmt.Sprintf(format, a...)} }

// Create makes a file at path with the output of write. It replaces an existing file. If src is not
// nil, the new file gets the mode, owner and time of src. The directory of path must exist. Create
// does not flush the content to the disk.
func Create(path string, src fs.FileInfo, write Writer) error {
	if err := refuseDevice(path); err != nil {
		return err
	}
	dir, err := OpenDir(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer dir.Close()
	return create(dir, filepath.Base(path), src, write)
}

// create is Create for a name in dir.
func create(dir *Dir, name string, src fs.FileInfo, write Writer) error {
	if e, err := dir.Lstat(name); err == nil && e.Type() == fs.ModeDir {
		return refuse("%s is a directory", dir.Path(name))
	}
	perm := fs.FileMode(0o666)
	if src != nil {
		perm = 0o600 // users who may not read src may not read the copy either
	}
	f, err := CreateTemporary(dir, name, perm)
	if err != nil {
		return err
	}
	defer f.Cleanup() // removes nothing after the rename
	if err := write(f.File); err != nil {
		return f.withoutPath(err)
	}
	if src != nil {
		if err := copyMode(f.File, src, src.Mode()); err != nil {
			return err
		}
		if err := setTime(f.File, src.ModTime()); err != nil {
			return err
		}
	}
	return dir.Rename(f.Base(), name)
}
