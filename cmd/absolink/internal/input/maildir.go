package input

import (
	"io/fs"
	"path/filepath"

	"absolink/mime/maildir"
)

// maildirs are the Maildirs that a walk has entered.
type maildirs map[string]bool

// enter says of a directory whether it is to be walked. It must be asked of
// each before its entries.
func (m *maildirs) enter(dir string) error {
	dir = filepath.Clean(dir)
	parent := filepath.Dir(dir)
	in := (*m)[parent] && dir != parent
	switch {
	case maildir.Is(dir):
		if *m == nil {
			*m = make(maildirs)
		}
		(*m)[dir] = true
	case in && !holdsMail(dir), m.message(dir):
		return fs.SkipDir
	}
	return nil
}

// of returns the Maildir that a file is a message of, or why a file in a Maildir
// is none.
func (m *maildirs) of(path string) (in, skip string) {
	switch {
	case m.message(path):
		return filepath.Dir(filepath.Dir(path)), ""
	case (*m)[filepath.Dir(path)]:
		return "", "no message of the Maildir that it lies in"
	}
	return "", ""
}

// message reports whether an entry lies in cur or new of a Maildir.
func (m *maildirs) message(path string) bool {
	dir := filepath.Dir(path)
	return (*m)[filepath.Dir(dir)] && holdsMail(dir)
}

// MaildirOf returns the Maildir that a file is a message of by its path, "" if of
// none.
func MaildirOf(path string) string {
	dir := filepath.Dir(path)
	if in := filepath.Dir(dir); holdsMail(dir) && maildir.Is(in) {
		return in
	}
	return ""
}

func holdsMail(dir string) bool {
	name := filepath.Base(dir)
	return name == "cur" || name == "new"
}
