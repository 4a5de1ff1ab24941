package source

import (
	"path/filepath"

	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/input"
)

// duplicates finds files that several arguments lead to, since a file must be replaced only once.
// The zero value is ready for use.
type duplicates struct {
	files    map[string]string // the argument of each file, by the real path of the file
	lastArg  string
	lastReal string // real path of lastArg
}

// skipRepeated sets f.Skip if an earlier argument has led to the same file. arg leads to f.
func (o *duplicates) skipRepeated(f *input.File, arg string) {
	if !f.IsInput() || f.Path == "" {
		return
	}
	if o.lastArg != arg {
		o.lastArg = arg
		o.lastReal = ""
		if real, err := files.RealPath(arg); err == nil {
			o.lastReal = real
		}
	}
	path := o.lastReal
	if !f.Named {
		path = filepath.Join(o.lastReal, filepath.FromSlash(f.Rel))
	}
	if first, ok := o.files[path]; ok {
		f.Skip.Cause = input.Duplicate
		f.Skip.Why = "the same file as " + first + ", which is given too: it is done once"
		if input.IsDir(first) {
			f.Skip.Why = "a file of " + first + ", which is given too: it is done once"
		}
		return
	}
	if o.files == nil {
		o.files = make(map[string]string)
	}
	o.files[path] = arg
}
