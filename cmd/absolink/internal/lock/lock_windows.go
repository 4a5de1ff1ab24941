package lock

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/windows"

	"absolink/cmd/absolink/internal/files"
)

// lockRecords waits until no program has opened the mailbox name in dir for itself alone. It keeps
// no lock, because the system would then not rename the mailbox.
func lockRecords(ctx context.Context, dir *files.Dir, name string) (*os.File, error) {
	return nil, wait(ctx, false, func() (string, error) {
		f, err := dir.Open(name, os.O_RDWR, 0)
		if errors.Is(err, windows.ERROR_SHARING_VIOLATION) {
			return "another program", nil
		}
		if err != nil {
			return "", err
		}
		return "", f.Close()
	})
}

// touch sets the modification time of f to the current time.
func touch(f *os.File) error {
	now := windows.NsecToFiletime(time.Now().UnixNano())
	return windows.SetFileTime(windows.Handle(f.Fd()), nil, nil, &now)
}

// lacksLinks reports whether err, the error of a new hard link, says that the file system has none.
func lacksLinks(err error) bool {
	return errors.Is(err, windows.ERROR_INVALID_FUNCTION) || errors.Is(err, windows.ERROR_NOT_SUPPORTED)
}

// isMine reports whether a file belongs to the current user. The .lock files of other users are
// never removed.
func isMine(f *os.File, _ fs.FileInfo) bool { return files.CheckOwner(f) == nil }
