// Package lock locks a mailbox while it is read and replaced, so that mail programs and other
// absolink runs do not change it.
//
// A mailbox is locked in two ways, as mail programs do it: first by a record lock (fcntl) on the
// file, and then by a .lock file. Its name is the name of the mailbox with .lock appended, and only
// one process can make it. Its lines are the process number, "absolink", the machine, and an
// identifier of the running kernel. Everybody may read it, because procmail and liblockfile look
// for the process number. These programs, Dovecot and Postfix ignore a .lock file that is older
// than some minutes. So absolink renews the time of the file while it holds the lock.
//
// The process also holds a lock (flock) on the .lock file, which ends with the process. If no
// process holds that lock, and the file belongs to this user and machine, a killed process left the
// file, and Acquire removes it. A container counts as the machine that it runs on. For any other
// lock Acquire waits a few seconds.
//
// On Windows there are no record locks of mail programs. There only the .lock file keeps other
// programs away, and a mailbox that another program has opened for itself alone is refused.
//
// Files in reading order: lock.go, acquire.go; lock_unix.go with fcntl_linux.go and fcntl_other.go,
// lock_windows.go.
package lock

// Suffix is appended to the name of a mailbox for the name of its .lock file.
const Suffix = ".lock"

// Busy is the error of Acquire if another process keeps the mailbox locked.
type Busy struct {
	By   string // that process, or its .lock file
	file bool   // By names a .lock file
}

func (b *Busy) Error() string {
	if b.file {
		return "is locked by " + b.By +
			": try again when that program has finished, or remove this file if it runs no more"
	}
	return "is locked by " + b.By + ": try again when that has finished"
}
