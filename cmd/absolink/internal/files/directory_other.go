//go:build unix && !linux

package files

import (
	"errors"

	"golang.org/x/sys/unix"
)

// accessSearch is the access mode that opens a directory.
const accessSearch = unix.O_RDONLY

// Exchange is not supported here.
func (d *Dir) Exchange(a, b string) error { return errors.ErrUnsupported }

// renameNew is not supported here.
func (d *Dir) renameNew(from, to string) error { return errors.ErrUnsupported }

// openBelow is not supported here: no system call refuses links in the middle of a path.
func openBelow(int, string, int) (int, error) { return -1, unix.ENOSYS }
