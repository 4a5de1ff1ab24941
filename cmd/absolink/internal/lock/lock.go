// Package lock keeps mail programs, and other absolink runs, away from a mailbox while it is read
// and replaced.
//
// A mailbox is locked in two ways, one after the other, as mail programs do it: by a record lock
// (fcntl) on the file, and by a file with its name and .lock appended, which only one process can
// make. The lines of that file are the process number, "absolink", the machine, and an identifier
// of the running kernel. Everybody may read it. The lock files of procmail (0444) and liblockfile
// (0644) are readable too, and these programs look for the process number. They, Dovecot and
// Postfix treat a lock as stale by its age (two minutes and more), so absolink touches the file
// while it holds the lock.
//
// While the process lives, it also holds a lock (flock) on the .lock file. If no process holds that
// lock, and the file belongs to this user and machine, a killed process left the file, and it is
// removed. A container counts as the machine that it runs on. Any other lock is waited for, and
// then respected.
//
// Files in reading order: lock.go, lock_unix.go with fcntl_linux.go and fcntl_other.go,
// lock_windows.go.
package lock

// Busy is the error of a mailbox that somebody else keeps locked for too long. Nothing was done.
type Busy struct {
	By   string
	file bool // By names a .lock file
}

func (b *Busy) Error() string {
	if b.file {
		return "is locked by " + b.By +
			": try again when that program has finished, or remove this file if it runs no more"
	}
	return "is locked by " + b.By + ": try again when that has finished"
}
