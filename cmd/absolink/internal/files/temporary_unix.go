//go:build unix

package files

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// errBusy is the error of flock if another process has locked the file.
const errBusy = unix.EWOULDBLOCK

// flock locks f. If another process has locked f, flock waits if waits is true, and otherwise
// returns errBusy.
func flock(f *os.File, waits bool) error {
	how := unix.LOCK_EX
	if !waits {
		how |= unix.LOCK_NB
	}
	for {
		if err := unix.Flock(int(f.Fd()), how); err != unix.EINTR {
			return err
		}
	}
}

// isMine reports whether a file belongs to the user of the process. For root it returns true for
// every file, because root gives a temporary file to the owner of the file that it replaces.
func isMine(_ *os.File, info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && (os.Geteuid() == 0 || int(st.Uid) == os.Geteuid())
}
