package main

import (
	"os"
	"path"
	"path/filepath"

	"absolink/cmd/absolink/internal/input"
	"absolink/mime"
	"absolink/mime/maildir"
)

// A Maildir that is written below -o is one again: it has its three directories,
// and where the name of a message tells its size the copy's name tells its own.

// counterpart returns the slash path below -o that in has with the edits of p.
func (x *rewriting) counterpart(in *input.Document, p *plan) (string, error) {
	dir, own := path.Split(in.Rel)
	if in.Maildir == "" || len(p.edits) == 0 || x.maildirSize == keepSize {
		return in.Rel, nil
	}
	name := maildir.Split(own)
	if s := name.Sizes(); s.Disk == maildir.Unknown && s.CRLF == maildir.Unknown {
		return in.Rel, nil
	}
	var before, after maildir.Counter
	if err := mime.Write(&before, in.At, in.Size, nil); err != nil {
		return "", err
	}
	if err := mime.Write(&after, in.At, in.Size, p.edits); err != nil {
		return "", err
	}
	if !name.Agree(before.Sizes) {
		return in.Rel, nil // it was wrong before, or means something else
	}
	return dir + name.With(after.Sizes).String(), nil
}

// completeMaildir makes the three directories of the Maildir that the file at path
// is a message of.
func completeMaildir(path string) error {
	dir := filepath.Dir(filepath.Dir(path))
	for _, name := range []string{"cur", "new", "tmp"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o777); err != nil {
			return err
		}
	}
	return nil
}
