package directory

import (
	"errors"

	"golang.org/x/sys/unix"
)

// search opens a directory that only needs to be searched, not read.
const search = unix.O_PATH

// Exchange has two files swap their names. The error is errors.ErrUnsupported where that
// cannot be done.
func (d *Dir) Exchange(a, b string) error {
	fd := int(d.file.Fd())
	err := unix.Renameat2(fd, a, fd, b, unix.RENAME_EXCHANGE)
	if err == unix.EINVAL || errors.Is(err, errors.ErrUnsupported) {
		return errors.ErrUnsupported
	}
	return d.link("exchange", a, b, err)
}
