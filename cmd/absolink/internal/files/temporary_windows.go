package files

import (
	"errors"
	"io/fs"
	"os"
)

// errBusy is the error of flock if another process has locked the file.
var errBusy = errors.New("is locked")

// flock is not supported on this system. So left-over files cannot be distinguished from files in
// use, and stay.
func flock(*os.File, bool) error { return errors.ErrUnsupported }

// isMine returns false: the owner of a file is unknown on this system.
func isMine(fs.FileInfo) bool { return false }
