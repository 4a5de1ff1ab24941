package main

import (
	"errors"
	"os"
	"path/filepath"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/output"
	"absolink/cmd/absolink/internal/report"
	"absolink/mime"
	"absolink/mime/maildir"
)

// The size of a message of a Maildir is known elsewhere, too: its name may tell it, and
// where Dovecot has read the Maildir its index does. A server that finds another size
// does not give the message out.

// maildirSize says what becomes of a message of a Maildir whose size is known elsewhere
// and changes.
type maildirSize uint8

const (
	refuseSize maildirSize = iota // the message stays as it is
	renameSize                    // the name tells the new size
	keepSize                      // the name stays, and is wrong
)

var maildirSizes = []string{refuseSize: "refuse", renameSize: "rename", keepSize: "keep"}

func (m maildirSize) String() string { return maildirSizes[m] }

// newName returns the base name that in gets in place with the edits of p, "" if it keeps
// its own. A name that tells another size than the file has is put right, or refused.
func (x *rewriting) newName(in *input.Document, p *plan, e *report.Entry) (string, error) {
	path, err := x.real(in.Path)
	if err != nil || !maildir.Holds(path) {
		return "", err
	}
	name := maildir.Split(filepath.Base(path))
	if !name.TellsSize() && (len(p.edits) == 0 || !maildir.Indexed(maildirOf(path))) {
		return "", nil
	}
	before, after, err := p.sizes(in)
	if err != nil {
		return "", err
	}
	telling := name.Telling(after)
	if name.TellsSize() && name == telling || !name.TellsSize() && before == after {
		return "", nil
	}
	switch x.maildirSize {
	case refuseSize:
		return "", refuseSizes(name, before)
	case keepSize:
		return "", nil
	}
	if len(p.edits) == 0 {
		e.Note("", "its name told another size than it has: it is "+telling.String()+" now")
		if e.Outcome == report.Unchanged {
			e.Outcome = report.Rewritten
		}
	}
	return telling.String(), nil
}

// refuseSizes says why a message that had the sizes before the edits stays as it is.
func refuseSizes(name maildir.Name, before maildir.Sizes) error {
	reason := "its name tells its size, which would change; --maildir-size rename or keep lets it"
	switch {
	case !name.TellsSize():
		reason = "Dovecot's index of the Maildir knows its size, which would change; --maildir-size rename adds the new size to its name, keep leaves the name, and then " + cacheCommand
	case !name.Agree(before):
		reason = "its name tells another size than it has; --maildir-size rename puts it right"
	}
	return &output.Refusal{Reason: reason}
}

// sizes returns those of the message in without and with the edits of p: of its content, as
// Dovecot counts them in compressed files as well.
func (p *plan) sizes(in *input.Document) (before, after maildir.Sizes, err error) {
	var old, made maildir.Counter
	err = errors.Join(mime.Write(&old, in.At, in.Size, nil), mime.Write(&made, in.At, in.Size, p.edits))
	return old.Sizes, made.Sizes, err
}

// cacheCommand has Dovecot find out the sizes of messages anew.
const cacheCommand = "doveadm mailbox cache remove -u USER all has Dovecot look anew"

// noteStale counts a message that was replaced under its old name, if it had another size
// and Dovecot's index is what knows that.
func (d *durable) noteStale(path string, size int64) {
	if !maildir.Holds(path) || maildir.Split(filepath.Base(path)).TellsSize() || !maildir.Indexed(maildirOf(path)) {
		return
	}
	if info, err := os.Lstat(path); err == nil && info.Size() != size {
		d.stale.Add(1)
	}
}

// sumUpStale says how many messages there were, and what helps.
func (d *durable) sumUpStale(r *runner) {
	if n := int(d.stale.Load()); n > 0 && !r.o.quiet {
		r.con.Printf("%s under the old name, and Dovecot's index knows the old size: %s", console.Plural(n, "message changed its size", "messages changed their size"), cacheCommand)
	}
}

// maildirOf returns the Maildir that path is a message of.
func maildirOf(path string) string { return filepath.Dir(filepath.Dir(path)) }
