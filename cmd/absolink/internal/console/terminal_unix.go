//go:build unix

package console

import "golang.org/x/sys/unix"

// isTerminal reports whether a file has a window size, as only terminals do.
func isTerminal(fd uintptr) bool {
	_, err := unix.IoctlGetWinsize(int(fd), unix.TIOCGWINSZ)
	return err == nil
}

// enableColors returns true: terminals obey the sequences of ECMA-48.
func enableColors(uintptr) bool { return true }
