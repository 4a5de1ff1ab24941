package write

import (
	"os"

	"absolink/cmd/absolink/internal/input"
	"absolink/extract"
)

// signatures are the endings of files that sign the file beside them: x.txt.asc signs x.txt.
var signatures = []string{".asc", ".sig"}

// isSigned reports whether a file beside in signs its bytes. It looks only for files with running
// text, and only if a rule may change that text.
func (w *worker) isSigned(in *input.Document) bool {
	if w.c.site.Map.Empty() || w.c.o.Move.NoText || in.Path == "" {
		return false
	}
	if in.Kind.Single() && in.Kind.Format() != extract.Plain {
		return false
	}
	if w.signed.path != in.Path {
		w.signed.path = in.Path
		w.signed.is = hasSignature(in.Path)
	}
	return w.signed.is
}

// hasSignature reports whether a file beside the file at path signs it.
func hasSignature(path string) bool {
	for _, ending := range signatures {
		if info, err := os.Stat(path + ending); err == nil && info.Mode().IsRegular() {
			return true
		}
	}
	return false
}
