package pipe

import (
	"errors"
	"io"
	"syscall"
)

// errNoData is ERROR_NO_DATA, the error of a write to a pipe that is being closed.
const errNoData = syscall.Errno(232)

// isClosed reports whether err says that the other end of standard output is closed.
func isClosed(err error) bool {
	return errors.Is(err, syscall.ERROR_BROKEN_PIPE) || errors.Is(err, errNoData) || errors.Is(err, io.ErrClosedPipe)
}
