//go:build unix && !linux

package files

import (
	"errors"

	"golang.org/x/sys/unix"
)

const search = unix.O_RDONLY

// Exchange is not to be had here.
func (d *Dir) Exchange(a, b string) error { return errors.ErrUnsupported }

// openBelow is not to be had here: one call cannot refuse all links.
func openBelow(int, string, int) (int, error) { return -1, unix.ENOSYS }
