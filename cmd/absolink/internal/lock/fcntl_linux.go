package lock

import "golang.org/x/sys/unix"

// setLock takes a lock that belongs to the open file, not to the process: that
// the process reads the mailbox elsewhere, and closes it there, does not end it.
const setLock = unix.F_OFD_SETLK
