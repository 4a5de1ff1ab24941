package files

import (
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// errBusy is the error of flock if another process has locked the file.
const errBusy = windows.ERROR_LOCK_VIOLATION

// lockOffset is the high half of the offset of the byte that flock locks. No file is that long.
// Other programs cannot read or write locked bytes on Windows.
const lockOffset = 0x7fff_ffff

// flock locks f until it is closed. If another process has locked f, flock waits if waits is true,
// and otherwise returns errBusy.
func flock(f *os.File, waits bool) error {
	flags := uint32(windows.LOCKFILE_EXCLUSIVE_LOCK)
	if !waits {
		flags |= windows.LOCKFILE_FAIL_IMMEDIATELY
	}
	return windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{OffsetHigh: lockOffset})
}

// isMine reports whether f belongs to the user of the process, or to the administrators if the user
// is one of them: the system gives them the files that they make.
func isMine(f *os.File, _ fs.FileInfo) bool { return CheckOwner(f) == nil }
