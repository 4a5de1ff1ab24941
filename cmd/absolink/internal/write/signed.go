package write

import (
	"os"

	"absolink/cmd/absolink/internal/input"
	"absolink/extract"
)

// signatureEndings are the endings of signature files: x.txt.asc beside x.txt signs x.txt.
var signatureEndings = []string{".asc", ".sig"}

// isSigned reports whether the file of the input has a signature file beside it. The result matters
// only for edits of running text. So isSigned returns false without looking for a file if the input
// has no running text, or if no rule may change it.
func (w *worker) isSigned(in *input.Document) bool {
	if w.c.site.Map.Empty() || w.c.o.Move.NoText || in.Path == "" {
		return false
	}
	if in.Kind.Single() && in.Kind.Format() != extract.Plain {
		return false
	}
	if w.lastSigned.path != in.Path { // all messages of a mailbox have the same path
		w.lastSigned.path = in.Path
		w.lastSigned.signed = hasSignature(in.Path)
	}
	return w.lastSigned.signed
}

// hasSignature reports whether the file at path has a signature file beside it.
func hasSignature(path string) bool {
	for _, ending := range signatureEndings {
		if info, err := os.Stat(path + ending); err == nil && info.Mode().IsRegular() {
			return true
		}
	}
	return false
}
