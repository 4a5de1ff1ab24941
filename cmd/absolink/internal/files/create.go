package files

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Writer writes the content of a new file. If it returns an error, the old file stays.
type Writer func(f *os.File) error

// Refusal is an error that says why a file was not written: writing would have lost something. It
// is not a failure of the system.
type Refusal struct{ Reason string }

func (r *Refusal) Error() string { return r.Reason }

func refuse(format string, a ...any) error { return &Refusal{fmt.Sprintf(format, a...)} }

// Create writes the file path with the mode and time of src, which may be nil. The directory of
// path must exist. An existing file is replaced. The content is not flushed to the disk.
func Create(path string, src fs.FileInfo, write Writer) error {
	dir, err := OpenDir(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer dir.Close()
	return create(dir, filepath.Base(path), src, write)
}

// create is Create for a name in dir.
func create(dir *Dir, name string, src fs.FileInfo, write Writer) error {
	if there, err := dir.Lstat(name); err == nil && there.Type() == fs.ModeDir {
		return refuse("%s is a directory", dir.Path(name))
	}
	perm := fs.FileMode(0o666)
	if src != nil {
		perm = 0o600 // users who may not read src must not read the copy either
	}
	f, err := pending(dir, name, perm, write)
	if err != nil {
		return err
	}
	defer f.Cleanup() // closes f; after the rename there is nothing to remove
	if src != nil {
		if err := imitate(f.File, src, src.Mode()); err != nil {
			return err
		}
		if err := setTime(f.File, src.ModTime()); err != nil {
			return err
		}
	}
	return dir.Rename(f.Base(), name)
}

// pending writes the temporary file for name in dir. It removes the file if write fails or panics.
func pending(dir *Dir, name string, perm fs.FileMode, write Writer) (*Temporary, error) {
	f, err := CreateTemporary(dir, name, perm)
	if err != nil {
		return nil, err
	}
	written := false
	defer func() {
		if !written {
			f.Cleanup()
		}
	}()
	if err := write(f.File); err != nil {
		return nil, err
	}
	written = true
	return f, nil
}
