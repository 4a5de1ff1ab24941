package inplace

import (
	"errors"
	"os"
	"path/filepath"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/maildir"
	"absolink/cmd/absolink/internal/report"
	"absolink/mime"
	"absolink/mime/rewrite"
)

// The size of a Maildir message may be stored elsewhere: in its name, and in Dovecot's index of the
// Maildir. A server that finds another size does not deliver the message.

// MaildirSize says how to treat a Maildir message whose size is stored elsewhere and changes.
type MaildirSize uint8

// The treatments.
const (
	RefuseSize MaildirSize = iota // the message stays as it is
	RenameSize                    // the name gets the new size
	KeepSize                      // the name stays, and has the wrong size
)

var maildirSizeNames = []string{RefuseSize: "refuse", RenameSize: "rename", KeepSize: "keep"}

// String returns refuse, rename or keep.
func (m MaildirSize) String() string { return maildirSizeNames[m] }

// MaildirName returns the new base name of in after the edits of p, or "" if the name stays or in
// is not a message of a Maildir. A name with a wrong size is corrected, which e reports, or refused
// with a *[files.Refusal].
func (r *Run) MaildirName(in *input.Document, p *rewrite.Plan, e *report.Entry) (string, error) {
	path, err := r.place(in)
	if err != nil || !input.MaildirHolds(path) {
		return "", err
	}
	name := maildir.Split(filepath.Base(path))
	if !name.TellsSize() && (!p.Edited() || !indexed(maildirOf(path))) {
		return "", nil
	}
	before, after, err := SizesOf(in, p)
	if err != nil {
		return "", err
	}
	telling := name.Telling(after.Disk, after.CRLF)
	if name.TellsSize() && name == telling || !name.TellsSize() && before == after {
		return "", nil
	}
	switch r.o.Maildir {
	case RefuseSize:
		return "", refuseSizes(name, before)
	case KeepSize:
		return "", nil
	}
	if !p.Edited() {
		e.Problems.Note("", "its name told another size than it has: it is "+telling.String()+" now")
		if e.Result.Outcome() == report.Unchanged {
			e.Result.SetOutcome(report.Rewritten)
		}
	}
	return telling.String(), nil
}

// refuseSizes returns the reason why a message stays as it is. before has its sizes before the
// edits.
func refuseSizes(name maildir.Name, before Sizes) error {
	reason := "its name tells its size, which would change; --maildir-size rename or keep lets it"
	switch {
	case !name.TellsSize():
		reason = "Dovecot's index of the Maildir knows its size, which would change; --maildir-size rename adds the " +
			"new size to its name, keep leaves the name, and then " + cacheCommand
	case !name.Agree(before.Disk, before.CRLF):
		reason = "its name tells another size than it has; --maildir-size rename puts it right"
	}
	return &files.Refusal{Reason: reason}
}

// SizesOf returns the sizes of the message in without and with the edits of p. They count its
// content, as Dovecot does in compressed files too.
func SizesOf(in *input.Document, p *rewrite.Plan) (before, after Sizes, err error) {
	var old, made counter
	err = errors.Join(mime.Write(&old, in.At, in.Size, nil), p.Write(&made))
	return old.Sizes, made.Sizes, err
}

// cacheCommand makes Dovecot look up the sizes of messages again.
const cacheCommand = "doveadm mailbox cache remove -u USER all has Dovecot look anew"

// noteStale counts a message that was replaced under its old name, if its size changed and only
// Dovecot's index stores it.
func (r *Run) noteStale(path string, size int64) {
	if !input.MaildirHolds(path) || maildir.Split(filepath.Base(path)).TellsSize() || !indexed(maildirOf(path)) {
		return
	}
	if info, err := os.Lstat(path); err == nil && info.Size() != size {
		r.stale.Add(1)
	}
}

// SumUp prints the number of messages with a wrong size in Dovecot's index, and a remedy.
func (r *Run) SumUp() {
	if n := int(r.stale.Load()); n > 0 && !r.o.Quiet {
		r.r.Account.Console.Printf("%s under the old name, and Dovecot's index knows the old size: %s",
			console.Plural(n, "message changed its size", "messages changed their size"), cacheCommand)
	}
}

// maildirOf returns the Maildir of the message path.
func maildirOf(path string) string { return filepath.Dir(filepath.Dir(path)) }
