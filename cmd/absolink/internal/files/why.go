package files

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
)

// Why describes err, the error of making the file at path or opening it for writing, and says what
// to do. The text does not have the path or the name of a system call: the message of the caller
// has the path.
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
