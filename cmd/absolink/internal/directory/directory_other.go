//go:build unix && !linux

package directory

import (
	"errors"

	"golang.org/x/sys/unix"
)

const search = unix.O_RDONLY

// Exchange is not to be had here.
func (d *Dir) Exchange(a, b string) error { return errors.ErrUnsupported }
