package files

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
)

// Why returns the reason why the file at path could not be made or opened for writing, and what to
// do. The text has neither the path nor the name of a system call: the message of the caller names
// the file.
func Why(path string, err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Sprintf("there is no directory %s: make it, or give another name", filepath.Dir(path))
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return err.Error() + ": give another name"
}
