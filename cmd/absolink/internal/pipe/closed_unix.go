//go:build unix

package pipe

import (
	"errors"
	"io"
	"syscall"
)

// isClosed reports whether err says that the other end of standard output is closed.
func isClosed(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}
