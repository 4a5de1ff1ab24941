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

// The copy of a Maildir is a Maildir: it has the directories cur, new and tmp. If the name of a
// message gives a size, the name of the copy gives the size of the copy.

// toMaildir reports whether the output of f is a message of a Maildir.
func (t *Tree) toMaildir(f *input.File) bool { return f.Maildir != "" && t.o.Name == "" }

// RelPathEdited returns the slash path of the output of in with the edits of p. It differs from
// [Tree.RelPath] if in is a message of a Maildir whose name gives its size. If the names of two
// messages differ only in their sizes, both keep their names, because the copies might get the same
// size.
func (t *Tree) RelPathEdited(in *input.Document, p *rewrite.Plan, e *report.Entry) (string, error) {
	rel := t.RelPath(&in.File)
	dir, base := path.Split(rel)
	if !t.toMaildir(&in.File) || !p.Edited() || t.o.KeepNames {
		return rel, nil
	}
	name := maildir.Split(base)
	if !name.TellsSize() {
		return rel, nil
	}
	before, after, err := inplace.SizesOf(in, p)
	if err != nil || !name.Agree(before.Disk, before.CRLF) {
		return rel, err // the size in the name was wrong before
	}
	if t.existing.hasTwin(in.Path) {
		e.Problems.Note("", "its copy keeps the name, with the size before the edits: the name of another message "+
			"differs only in the size")
		return rel, nil
	}
	return dir + name.With(after.Disk, after.CRLF).String(), nil
}

// completeMaildir makes cur, new and tmp in the copy of the Maildir original. rel is the slash path
// of a message in the copy. tmp is made like cur, because original may lack tmp.
func (t *Tree) completeMaildir(rel, original string) error {
	dir := path.Dir(path.Dir(rel))
	for _, d := range []struct{ name, like string }{{"cur", "cur"}, {"new", "new"}, {"tmp", "cur"}} {
		if err := t.tree.MakeDir(path.Join(dir, d.name), filepath.Join(original, d.like)); err != nil {
			return err
		}
	}
	return nil
}
