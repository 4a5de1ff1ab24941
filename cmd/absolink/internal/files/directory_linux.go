package files

import (
	"errors"

	"golang.org/x/sys/unix"
)

// accessSearch is the access mode that opens a directory for searching. It needs no permission to
// read the directory.
const accessSearch = unix.O_PATH

// Exchange swaps the names of two files. The error is errors.ErrUnsupported if the system or the
// file system cannot do it.
func (d *Dir) Exchange(a, b string) error {
	err := d.callLink("exchange", a, b, func() error {
		return unix.Renameat2(d.fd(), a, d.fd(), b, unix.RENAME_EXCHANGE)
	})
	if errors.Is(err, unix.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return errors.ErrUnsupported
	}
	return err
}

// renameNew is [Dir.RenameNew]. The error is errors.ErrUnsupported if the system or the file system
// cannot do it in one step.
func (d *Dir) renameNew(from, to string) error {
	err := d.callLink("rename", from, to, func() error {
		return unix.Renameat2(d.fd(), from, d.fd(), to, unix.RENAME_NOREPLACE)
	})
	if errors.Is(err, unix.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return errors.ErrUnsupported
	}
	return err
}

// openBelow opens the file or directory at rel below the directory fd, through no symbolic link. It
// fails before Linux 5.6, and if a filter of system calls forbids it.
func openBelow(fd int, rel string, flag int) (int, error) {
	return unix.Openat2(fd, rel, &unix.OpenHow{
		Flags:   uint64(flag | unix.O_LARGEFILE),
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS,
	})
}
