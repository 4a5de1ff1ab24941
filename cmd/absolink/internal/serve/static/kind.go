package static

import (
	"bytes"
	"errors"
	"slices"

	"absolink/cmd/absolink/internal/kinds"
	"absolink/extract"
)

var (
	errProgram = errors.New("this page reads documents, messages and mailboxes; the program reads other files, such " +
		"as web archives, compressed files and Markdown: absolink extract FILE")
	errKind = errors.New("neither a known document nor a message: give the file a name with the right " +
		"ending, such as .html or .eml")
)

// kind returns the kind of d. given is its name if it is known, or "".
func (d *Document) kind(given string) (kinds.Kind, error) {
	k := kinds.Other
	if given == "" {
		head := d.Data[:min(len(d.Data), kinds.HeadSize)]
		if isPacked(head) {
			return k, errProgram
		}
		id := kinds.Identify(head, d.Name)
		k = id.Kind
		if isMarkdown(id.Ending) {
			k = kinds.Kind(extract.Markdown)
		}
	} else if i := slices.IndexFunc(kinds.All, func(k kinds.Kind) bool { return k.String() == given }); i >= 0 {
		k = kinds.All[i]
	}
	switch {
	case k == kinds.Other:
		return k, errKind
	case k == kinds.Kind(extract.Markdown):
	case k.Single(), k == kinds.Mbox:
		return k, nil
	case k == kinds.Message, k == kinds.MHTML: // one name for both, as in the service
		return kinds.Message, nil
	}
	return kinds.Other, errProgram
}

// isPacked reports whether a file that begins with head is compressed or an archive of files.
func isPacked(head []byte) bool {
	for _, start := range []string{"PK\x03\x04", "\x1f\x8b", "\x28\xb5\x2f\xfd"} {
		if bytes.HasPrefix(head, []byte(start)) {
			return true
		}
	}
	return false
}

// isMarkdown reports whether files of Markdown have the ending. The program of the page does not
// read Markdown, so package kinds takes them for text.
func isMarkdown(ending string) bool {
	return slices.Contains([]string{".md", ".markdown", ".mdown", ".mkd"}, ending)
}
