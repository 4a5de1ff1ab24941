package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
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

// A TemporaryError is the error of making a temporary file in Dir, if another directory would help.
type TemporaryError struct {
	Dir string // [os.TempDir]
	Err error  // the reason, without a path
}

// Error returns the directory, the reason, and the environment variable to set.
func (e *TemporaryError) Error() string {
	return fmt.Sprintf("cannot make a temporary file in %s (%v): set %s to another directory",
		e.Dir, e.Err, temporaryVariable())
}

// Unwrap returns the reason.
func (e *TemporaryError) Unwrap() error { return e.Err }

// explainTemporary returns err, the error of making a temporary file in [os.TempDir]. If another
// directory would help, the result is a [TemporaryError]. err may be nil.
func explainTemporary(err error) error {
	var pe *fs.PathError
	if !errors.As(err, &pe) {
		return err
	}
	for _, reason := range []error{fs.ErrNotExist, fs.ErrPermission, syscall.EROFS} {
		if errors.Is(err, reason) {
			return &TemporaryError{Dir: os.TempDir(), Err: pe.Err}
		}
	}
	return err
}

// temporaryVariable returns the name of the environment variable that sets [os.TempDir].
func temporaryVariable() string {
	if restricted {
		return "TMP"
	}
	return "TMPDIR"
}
