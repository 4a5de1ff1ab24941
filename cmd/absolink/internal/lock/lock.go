// Package lock keeps mail programs, and other runs of ours, away from a mailbox
// while it is read and replaced.
//
// A mailbox is locked in the two ways that mail programs use, one after the
// other: with a record lock (fcntl) on the file, and with a file of its name and
// .lock behind it that only one can make. That file tells, line by line, the number of the
// process, "absolink", the machine, and what stands for the kernel that the process runs on.
// Everybody may read it, as those of procmail (0444) and liblockfile (0644), which look for the
// number; and since they, Dovecot and Postfix take a lock for stale by its age (after two
// minutes and more) it is touched as long as it is held.
//
// As long as the process lives it also holds a lock (flock) on
// it; so one of this user and machine that no process locks was left by a process that was
// killed, and is removed. A container counts as the machine that it runs on. Any other lock is
// waited for, and then respected.
package lock

// Busy is the error of a mailbox that somebody else has locked for longer than
// is waited for. Nothing was done.
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
