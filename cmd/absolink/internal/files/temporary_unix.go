//go:build unix

package files

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// errBusy is the error of flock where another process has locked the file.
const errBusy = unix.EWOULDBLOCK

// flock locks f, and takes up again what a signal interrupts. It waits for other processes,
// or not.
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

// Mine reports whether a file belongs to the user who runs, or that one is root, who gives
// files to the owners of those that they replace.
func Mine(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && (os.Geteuid() == 0 || int(st.Uid) == os.Geteuid())
}
