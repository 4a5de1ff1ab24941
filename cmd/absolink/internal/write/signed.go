package write

import (
	"os"

	"absolink/cmd/absolink/internal/input"
	"absolink/extract"
)

// signatureEndings are the endings of files that sign the file beside them: x.txt.asc signs x.txt.
var signatureEndings = []string{".asc", ".sig"}

// isSigned reports whether a file beside in signs its bytes. It returns false, without a look at
// the disk, if in has no running text, or if no rule may change that text.
func (w *worker) isSigned(in *input.Document) bool {
	if w.c.site.Map.Empty() || w.c.o.Move.NoText || in.Path == "" {
		return false
	}
	if in.Kind.Single() && in.Kind.Format() != extract.Plain {
		return false
	}
	if w.lastSigned.path != in.Path { // all messages of a mailbox have its path
		w.lastSigned.path = in.Path
		w.lastSigned.signed = hasSignature(in.Path)
	}
	return w.lastSigned.signed
}

// hasSignature reports whether a file beside the file at path signs it.
func hasSignature(path string) bool {
	for _, ending := range signatureEndings {
		if info, err := os.Stat(path + ending); err == nil && info.Mode().IsRegular() {
			return true
		}
	}
	return false
}
