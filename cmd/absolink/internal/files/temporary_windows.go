package files

import (
	"errors"
	"io/fs"
	"os"
)

// errBusy is the error of flock if another process has locked the file.
var errBusy = errors.New("is locked")

// flock is not supported here. So left-over files cannot be distinguished from files in use, and
// stay.
func flock(*os.File, bool) error { return errors.ErrUnsupported }

// isMine reports whether a file belongs to the user of the process. That is unknown here, so it
// returns false.
func isMine(fs.FileInfo) bool { return false }
