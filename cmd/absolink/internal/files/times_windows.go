package files

import (
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// setTime sets the modification time of f. It does not use the name of f, because a user who may
// rename files in the directory could give that name to another file.
func setTime(f *os.File, at time.Time) error {
	mod := windows.NsecToFiletime(at.UnixNano())
	if err := windows.SetFileTime(windows.Handle(f.Fd()), nil, nil, &mod); err != nil {
		return &os.PathError{Op: "SetFileTime", Path: f.Name(), Err: err}
	}
	return nil
}
