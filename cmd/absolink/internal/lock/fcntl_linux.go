package lock

import "golang.org/x/sys/unix"

// setLock takes a lock that belongs to the open file, not to the process. The lock stays if the
// process opens and closes the mailbox elsewhere.
const setLock = unix.F_OFD_SETLK
