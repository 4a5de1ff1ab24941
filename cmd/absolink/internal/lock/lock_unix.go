//go:build unix

package lock

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"absolink/cmd/absolink/internal/files"
)

// lockRecords opens the mailbox name in dir, and takes the record lock on the whole file. The
// caller must close the file.
func lockRecords(ctx context.Context, dir *files.Dir, name string) (*os.File, error) {
	file, err := dir.Open(name, os.O_RDWR, 0)
	if err != nil {
		return nil, withoutPath(err)
	}
	if err := wait(ctx, false, func() (string, error) { return tryRecordLock(file) }); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// tryRecordLock takes the record lock on the whole file. It returns the holder if it cannot.
func tryRecordLock(file *os.File) (string, error) {
	err := unix.FcntlFlock(file.Fd(), setLock, &unix.Flock_t{Type: unix.F_WRLCK, Whence: io.SeekStart})
	if errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EACCES) {
		return "another program (fcntl)", nil
	}
	return "", err
}

// touch sets the modification time of f to the current time.
func touch(f *os.File) error { return unix.Futimes(int(f.Fd()), nil) }

// lacksLinks reports whether err, the error of a new hard link, says that the file system has none.
func lacksLinks(err error) bool {
	return errors.Is(err, unix.EPERM) || errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.ENOSYS)
}

// isMine reports whether a file belongs to the current user. The .lock files of other users are
// never removed.
func isMine(_ *os.File, info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}
