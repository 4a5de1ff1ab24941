//go:build unix && !linux

package lock

import "golang.org/x/sys/unix"

// setLock takes a lock that belongs to the process. It ends when the process
// closes the mailbox anywhere, so whoever reads it has to keep it open until Release.
const setLock = unix.F_SETLK
