package kinds

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"absolink/extract"
)

// hintSize is the number of bytes that a hint looks at. It is small because trees have many files
// of unknown kinds.
const hintSize = 1024

// IsBinary reports whether head has control characters that texts do not have. Text in UTF-16 with
// a byte order mark is not binary.
func IsBinary(head []byte) bool {
	return !hasUTF16Mark(head) && bytes.ContainsFunc(head[:min(len(head), hintSize)], func(r rune) bool {
		return r < ' ' && !strings.ContainsRune("\t\n\f\r\x1b", r)
	})
}

// LikelyNamed returns the kind as which a file with this ending can probably be read. The ending is
// of a format that is not read.
func LikelyNamed(head []byte, ending string) Kind {
	head = head[:min(len(head), hintSize)]
	switch ending {
	case ".scss", ".sass", ".less", ".styl":
		return Kind(extract.CSS)
	case ".json":
		if IsManifest(head) {
			return Kind(extract.Manifest)
		}
	}
	return Kind(extract.Plain)
}

// IsManifest reports whether head is JSON with a member that only a manifest has.
func IsManifest(head []byte) bool {
	return jsonStart().Match(bytes.TrimLeft(head, "\ufeff\r\n\t ")) && manifestKey().Match(head)
}

// Likely returns the kind that a text of unknown kind probably has.
func Likely(head []byte) Kind {
	head = head[:min(len(head), hintSize)]
	first, _ := CutLine(head)
	switch text := bytes.TrimLeft(head, "\ufeff\r\n\t "); {
	case SpoiledMessage(head) && bytes.HasPrefix(text, []byte("From ")):
		return Mbox
	case SpoiledMessage(head):
		return Message
	case IsManifest(head):
		return Kind(extract.Manifest)
	case markdown().Match(text):
		return Kind(extract.Markdown)
	case jsonStart().Match(text):
		return Kind(extract.Plain)
	case styleStart().Match(text):
		return Kind(extract.CSS)
	case bytes.IndexByte(head, '<') >= 0, bytes.HasPrefix(head, []byte("{%")), bytes.HasPrefix(head, []byte("{{")):
		return HTML
	case fieldName(first) != "":
		return Message
	}
	return Kind(extract.Plain)
}

// Expressions for the first bytes of a file. markdown matches a heading before a blank line, a
// link, an image or a definition of Markdown. jsonStart matches the beginning of JSON. manifestKey
// matches a member that only the manifest of a web application has. styleStart matches the
// beginning of a style sheet: comments, then an at-rule, or selectors and a declaration.
var (
	markdown    = lazyExpr(`^#{1,6} .*\r?\n[ \t]*\r?\n|[^"]\]\([^ \t\r\n"]|(?m:^ {0,3}\[[^\]\n"]+\]:[ \t]+\S)`)
	jsonStart   = lazyExpr(`^(\{\s*["}]|\[)`)
	manifestKey = lazyExpr(`"(start_url|icons|short_name|related_applications|scope|screenshots|shortcuts|` +
		`share_target|protocol_handlers|file_handlers|serviceworker|note_taking|` +
		`lock_screen|tab_strip)"\s*:`)
	styleStart = lazyExpr(`^(/\*(?s:.*?)\*/\s*)*(@(charset|import|media|font-face|namespace|layer|supports)\b|` +
		`[^{}<;"%]{1,200}\{\s*([\w-]+\s*:|\}))`)
)

// lazyExpr returns a function that returns the compiled expression. It compiles it at the first
// call, because few runs need it.
func lazyExpr(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
