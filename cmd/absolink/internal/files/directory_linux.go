package files

import (
	"errors"

	"golang.org/x/sys/unix"
)

// search opens a directory for searching, which needs no permission to read it.
const search = unix.O_PATH

// Exchange swaps the names of two files. The error is errors.ErrUnsupported if the system or the
// file system cannot do it.
func (d *Dir) Exchange(a, b string) error {
	err := d.link("exchange", a, b, func() error { return unix.Renameat2(d.fd(), a, d.fd(), b, unix.RENAME_EXCHANGE) })
	if errors.Is(err, unix.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return errors.ErrUnsupported
	}
	return err
}

// renameNew is [Dir.RenameNew]. The error is errors.ErrUnsupported if the system or the file system
// cannot do it in one step.
func (d *Dir) renameNew(from, to string) error {
	err := d.link("rename", from, to, func() error {
		return unix.Renameat2(d.fd(), from, d.fd(), to, unix.RENAME_NOREPLACE)
	})
	if errors.Is(err, unix.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return errors.ErrUnsupported
	}
	return err
}

// openBelow opens the file or directory at rel below the directory fd, through no symbolic link. It
// fails before Linux 5.6, and where a filter of system calls forbids it.
func openBelow(fd int, rel string, flag int) (int, error) {
	return unix.Openat2(fd, rel, &unix.OpenHow{
		Flags:   uint64(flag | unix.O_LARGEFILE),
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS,
	})
}
