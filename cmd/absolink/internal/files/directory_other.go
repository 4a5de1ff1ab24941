//go:build unix && !linux

package files

import (
	"errors"

	"golang.org/x/sys/unix"
)

const search = unix.O_RDONLY

// Exchange is not supported here.
func (d *Dir) Exchange(a, b string) error { return errors.ErrUnsupported }

// renameNew is not supported here.
func (d *Dir) renameNew(from, to string) error { return errors.ErrUnsupported }

// openBelow is not supported here: no single call refuses all links.
func openBelow(int, string, int) (int, error) { return -1, unix.ENOSYS }
