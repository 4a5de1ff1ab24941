package files

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
)

// Why says why the file at path could not be made or opened for writing, and what to do: err
// without the path and the name of a call. It is for messages that have the path already.
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
