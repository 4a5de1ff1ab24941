package files

import (
	"errors"

	"golang.org/x/sys/unix"
)

// search opens a directory that only needs to be searched, not read.
const search = unix.O_PATH

// Exchange has two files swap their names. The error is errors.ErrUnsupported where that
// cannot be done.
func (d *Dir) Exchange(a, b string) error {
	err := d.link("exchange", a, b, func() error { return unix.Renameat2(d.fd(), a, d.fd(), b, unix.RENAME_EXCHANGE) })
	if errors.Is(err, unix.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return errors.ErrUnsupported
	}
	return err
}

// openBelow opens what has the path rel below the directory fd, through no symbolic link. A
// system before Linux 5.6 cannot, nor one where a filter of system calls stands in the way.
func openBelow(fd int, rel string, flag int) (int, error) {
	return unix.Openat2(fd, rel, &unix.OpenHow{
		Flags:   uint64(flag | unix.O_LARGEFILE),
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS,
	})
}
