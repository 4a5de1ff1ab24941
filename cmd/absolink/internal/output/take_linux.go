package output

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"

	"absolink/cmd/absolink/internal/temporary"
)

// take gives the file temp the name path, which must stand for what src says. Even
// a change in the last moment is not lost: the two names are exchanged, what path
// stood for is looked at under its new name, and if it is another file, or was
// changed, it gets its name back. Where the file system cannot do that the new file just
// takes the name. What path stood for is locked meanwhile: another run would take it for
// left over under the name temp.
func take(temp, path string, src fs.FileInfo) error {
	if old, err := os.Open(path); err == nil {
		defer old.Close()
		temporary.HoldSoon(old) // where another program keeps it locked that does as well
	}
	err := exchange(temp, path)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.ENOTSUP) {
		return os.Rename(temp, path)
	}
	if err != nil {
		return err
	}
	if err := unchanged(temp, src); err != nil {
		return errors.Join(err, exchange(temp, path))
	}
	return nil // temp is the old file now, and goes as every temporary file does
}

func exchange(a, b string) error {
	err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
	if err != nil {
		return &os.LinkError{Op: "exchange", Old: a, New: b, Err: err}
	}
	return nil
}
