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

// A Maildir below -o is a Maildir again: it has its three directories, and names with a size have
// the size of the copy.

// inMaildir reports whether the output of f is a message of a Maildir.
func (t *Tree) inMaildir(f *input.File) bool { return f.Maildir != "" && t.o.Name == "" }

// Counterpart returns the slash path of the output of in with the edits of p. If names differ only
// in their sizes, the copies keep their names, since two of them might get the same size.
func (t *Tree) Counterpart(in *input.Document, p *rewrite.Plan, e *report.Entry) (string, error) {
	rel := t.Rel(&in.File)
	dir, own := path.Split(rel)
	if !t.inMaildir(&in.File) || !p.Edited() || t.o.KeepNames {
		return rel, nil
	}
	name := maildir.Split(own)
	if !name.TellsSize() {
		return rel, nil
	}
	before, after, err := inplace.SizesOf(in, p)
	if err != nil || !name.Agree(before.Disk, before.CRLF) {
		return rel, err // the size was wrong before, or means something else
	}
	if t.existing.hasTwin(in.Path) {
		e.Problems.Note("", "its copy keeps the name, which tells the size of before: another message differs from it "+
			"in nothing else")
		return rel, nil
	}
	return dir + name.With(after.Disk, after.CRLF).String(), nil
}

// completeMaildir makes the three directories of the copy of a Maildir. The message with the slash
// path rel lies in it. The original may lack tmp.
func (t *Tree) completeMaildir(rel, from string) error {
	dir := path.Dir(path.Dir(rel))
	for _, d := range []struct{ name, like string }{{"cur", "cur"}, {"new", "new"}, {"tmp", "cur"}} {
		if err := t.tree.Directory(path.Join(dir, d.name), filepath.Join(from, d.like)); err != nil {
			return err
		}
	}
	return nil
}
