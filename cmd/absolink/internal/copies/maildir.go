package copies

import (
	"path"
	"path/filepath"

	"absolink/cmd/absolink/internal/inplace"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/maildir"
	"absolink/cmd/absolink/internal/report"
	"absolink/mime/rewrite"
)

// A Maildir that is written below -o is one again: it has its three directories,
// and where the name of a message tells its size the copy's name tells its own.

// Counterpart returns the slash path that the output of in has with the edits of p. Of messages
// whose names differ in their sizes only each keeps its name: two of them may get one size.
func (t *Tree) Counterpart(in *input.Document, p *rewrite.Plan, e *report.Entry) (string, error) {
	dir, own := path.Split(in.Rel)
	if in.Maildir == "" || !p.Edited() || t.o.KeepNames {
		return in.Rel, nil
	}
	name := maildir.Split(own)
	if !name.TellsSize() {
		return in.Rel, nil
	}
	before, after, err := inplace.SizesOf(in, p)
	if err != nil || !name.Agree(before.Disk, before.CRLF) {
		return in.Rel, err // it was wrong before, or means something else
	}
	if t.existing.hasTwin(in.Path) {
		e.Problems.Note("", "its copy keeps the name, which tells the size of before: another message differs from it "+
			"in nothing else")
		return in.Rel, nil
	}
	return dir + name.With(after.Disk, after.CRLF).String(), nil
}

// completeMaildir makes the three directories of the copy of a Maildir that the message
// with the slash path rel lies in. The Maildir may lack its tmp.
func (t *Tree) completeMaildir(rel, from string) error {
	dir := path.Dir(path.Dir(rel))
	for _, d := range []struct{ name, like string }{{"cur", "cur"}, {"new", "new"}, {"tmp", "cur"}} {
		if err := t.tree.Directory(path.Join(dir, d.name), filepath.Join(from, d.like)); err != nil {
			return err
		}
	}
	return nil
}
