package inplace

import (
	"errors"
	"io"
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

// A mail server takes the size of a Maildir message from its name. If the name has no size, the
// server Dovecot takes it from its index, which is usually in the Maildir. If the size is wrong,
// the server fails to deliver the message to mail programs.

// MaildirSize says what to do with a Maildir message if edits would make the size in its name or in
// Dovecot's index wrong. It also applies if the size in the name is wrong before the edits.
type MaildirSize uint8

// The values of MaildirSize.
const (
	RefuseSize MaildirSize = iota // the message stays unchanged
	RenameSize                    // the message is edited, and its name gets the right size
	KeepSize                      // the message is edited, and the size in the name or index is wrong
)

var maildirSizeNames = []string{RefuseSize: "refuse", RenameSize: "rename", KeepSize: "keep"}

// String returns refuse, rename or keep.
func (m MaildirSize) String() string { return maildirSizeNames[m] }

// MaildirName returns the new base name of the message doc after the edits of p. It returns "" if
// doc keeps its name, or is not a message of a Maildir.
//
// If Options.Maildir is KeepSize, doc keeps its name. If it is RefuseSize, MaildirName returns a
// *[files.Refusal] instead of a new name. If p has no edits, but the size in the name is wrong, the
// new name has the right size. Then MaildirName adds a note with the new name to e, and sets the
// outcome in e.
func (r *Run) MaildirName(doc *input.Document, p *rewrite.Plan, e *report.Entry) (string, error) {
	path, err := r.realPathOf(doc)
	if err != nil || !input.MaildirHolds(path) {
		return "", err
	}
	name := maildir.Split(filepath.Base(path))
	if !name.TellsSize() && (!p.Edited() || !hasIndex(maildirOf(path))) {
		return "", nil
	}
	before, after, err := SizesOf(doc, p)
	if err != nil {
		return "", err
	}
	telling := name.Telling(after.Disk, after.CRLF)
	if name.TellsSize() && name == telling || !name.TellsSize() && before == after {
		return "", nil
	}
	switch r.o.Maildir {
	case RefuseSize:
		return "", sizeRefusal(name, before)
	case KeepSize:
		return "", nil
	}
	if !p.Edited() {
		e.Problems.Note("", "the size in its name was wrong: its new name is "+telling.String())
		if e.Result.Outcome() == report.Unchanged {
			e.Result.SetOutcome(report.Rewritten)
		}
	}
	return telling.String(), nil
}

// sizeRefusal returns a *files.Refusal that says why a message with this name stays unchanged.
// before has the sizes of the message before the edits.
func sizeRefusal(name maildir.Name, before Sizes) error {
	reason := "its name tells its size, which would change; --maildir-size rename or keep allows this"
	switch {
	case !name.TellsSize():
		reason = "Dovecot's index has its size, which would change; --maildir-size rename adds the new size to its " +
			"name, and --maildir-size keep leaves the name"
	case !name.Agree(before.Disk, before.CRLF):
		reason = "the size in its name is wrong; --maildir-size rename corrects the name"
	}
	return &files.Refusal{Reason: reason}
}

// SizesOf returns the sizes of the message doc, before and after the edits of p. If the file is
// compressed, these are the sizes of the decompressed content, because Dovecot stores those.
func SizesOf(doc *input.Document, p *rewrite.Plan) (before, after Sizes, err error) {
	var oldBytes, newBytes counter
	err = errors.Join(mime.Write(&oldBytes, doc.At, doc.Size, nil), p.Write(&newBytes))
	return oldBytes.Sizes, newBytes.Sizes, err
}

// cacheCommand tells the user how to make Dovecot read the sizes of messages again.
const cacheCommand = "doveadm mailbox cache remove -u USER all makes Dovecot read the sizes again"

// indexedSizes returns the sizes of the message at path. It assumes that Dovecot's index has these
// sizes. stored are the bytes of the file, and size is their number. The result is nil if the file
// is not a Maildir message, or cannot be read. It is also nil if Dovecot does not use its index for
// the message: the Maildir has no index, or the name of the message has a size.
func indexedSizes(path string, stored io.ReaderAt, size int64) *Sizes {
	if !input.MaildirHolds(path) || maildir.Split(filepath.Base(path)).TellsSize() || !hasIndex(maildirOf(path)) {
		return nil
	}
	sizes, err := sizesOfStored(filepath.Base(path), stored, size)
	if err != nil {
		return nil
	}
	return &sizes
}

// noteStale compares the sizes of a replaced message with indexed, the result of indexedSizes
// before the replacement. If they differ, it counts the message in r.stale. name is the name that
// the message had in dir before the replacement. If no message has this name now, noteStale does
// nothing.
func (r *Run) noteStale(dir *files.Dir, name string, indexed *Sizes) {
	if indexed == nil {
		return
	}
	f, err := dir.Open(name, os.O_RDONLY, 0)
	if err != nil {
		return // the run or a mail program has renamed the message
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	if sizes, err := sizesOfStored(name, f, info.Size()); err == nil && sizes != *indexed {
		r.stale.Add(1)
	}
}

// SumUp prints how many messages now have a wrong size in Dovecot's index, and the command that
// makes Dovecot read the sizes again. It prints nothing if there are none, or with Options.Quiet.
func (r *Run) SumUp() {
	if n := int(r.stale.Load()); n > 0 && !r.o.Quiet {
		changed := console.Plural(n, "message changed its size", "messages changed their size")
		r.runner.Account.Console.Printf("%s but not the name, so Dovecot's index is out of date: %s", changed,
			cacheCommand)
	}
}

// maildirOf returns the Maildir of the message at path.
func maildirOf(path string) string { return filepath.Dir(filepath.Dir(path)) }
