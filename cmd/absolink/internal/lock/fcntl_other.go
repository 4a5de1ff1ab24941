//go:build unix && !linux

package lock

import "golang.org/x/sys/unix"

// setLock takes a lock that belongs to the process. The lock ends when the process closes any
// descriptor of the mailbox, so readers must keep the mailbox open until Release.
const setLock = unix.F_SETLK
