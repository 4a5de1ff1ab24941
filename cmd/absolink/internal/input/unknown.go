package input

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"strings"
	"sync"

	"absolink/extract"
)

// explainUnknown says why a file that begins with head is not read, and which type may fit.
func explainUnknown(head []byte, name string, id *Identity, g *Given) string {
	why := "cannot tell the type: it is binary data"
	switch f := foreignFormat(head, name); {
	case len(head) == 0:
		return "cannot tell the type: it is empty"
	case f != nil:
		why = f.String()
	case isBinary(head):
	case id.Ending != "" && !id.Misnamed:
		likely := likelyName(head[:min(len(head), hintSize)], id.Ending)
		return fmt.Sprintf("a %s file, which is not read; %s reads it as %s", id.Ending,
			g.typeSetting(likely.String()), likely)
	default:
		likely := likelyType(head[:min(len(head), hintSize)])
		why = fmt.Sprintf("cannot tell the type (it starts with %q); try %s", firstWords(head),
			g.typeSetting(likely.String()))
	}
	if id.Misnamed && id.Named != Other {
		why += fmt.Sprintf("; it is named as %s, and %s reads it so", id.Named, id.Named.setting(g))
	}
	return why
}

// setting returns the advice of typeSetting for k, with any other flag that the kind needs.
func (k Kind) setting(g *Given) string {
	setting := g.typeSetting(k.String())
	if k == Kind(extract.Script) {
		return setting + " --scripts"
	}
	return setting
}

// explainMisnamed says that the first bytes of a file told its kind, not its name.
func (id *Identity) explainMisnamed(g *Given) string {
	if id.Named == Other {
		return fmt.Sprintf("a %s file that begins as %[2]s: read as %[2]s; %[3]s reads it as another kind",
			id.Ending, id.Kind, g.typeSetting(""))
	}
	return fmt.Sprintf("named as %s, but begins as %[2]s: read as %[2]s; %[3]s reads it as named",
		id.Named, id.Kind, id.Named.setting(g))
}

// hintSize is the number of bytes that a hint looks at. It is small because trees have many files
// of unknown kinds.
const hintSize = 1024

// isBinary reports whether head has control characters that texts do not have. Text in UTF-16 with
// a byte order mark is not binary.
func isBinary(head []byte) bool {
	return !hasUTF16Mark(head) && bytes.ContainsFunc(head[:min(len(head), hintSize)], func(r rune) bool {
		return r < ' ' && !strings.ContainsRune("\t\n\f\r\x1b", r)
	})
}

// firstWords returns the first characters of the first non-blank line of head.
func firstWords(head []byte) string {
	line, _ := cutLine(bytes.TrimLeft(head, "\r\n\t "))
	return string(bytes.TrimSpace(bytes.ToValidUTF8(line[:min(len(line), 24)], nil)))
}

// likelyName returns the kind as which a file with this ending can probably be read. The ending is
// of a format that is not read.
func likelyName(head []byte, ending string) Kind {
	switch ending {
	case ".scss", ".sass", ".less", ".styl":
		return Kind(extract.CSS)
	case ".json":
		if isManifest(head) {
			return Kind(extract.Manifest)
		}
	}
	return Kind(extract.Plain)
}

// isManifest reports whether head is JSON with a member that only a manifest has.
func isManifest(head []byte) bool {
	return jsonStart().Match(bytes.TrimLeft(head, "\ufeff\r\n\t ")) && manifestKey().Match(head)
}

// likelyType returns the kind that a text of unknown kind probably has.
func likelyType(head []byte) Kind {
	first, _ := cutLine(head)
	switch text := bytes.TrimLeft(head, "\ufeff\r\n\t "); {
	case spoiledMessage(head) && bytes.HasPrefix(text, []byte("From ")):
		return Mbox
	case spoiledMessage(head):
		return Message
	case isManifest(head):
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

// isTemplate reports whether a file has the name of a template. A server or site generator makes
// pages from templates.
func isTemplate(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".inc", ".tpl", ".tmpl", ".twig", ".j2", ".jinja", ".jinja2",
		".njk", ".liquid", ".erb", ".ejs", ".hbs", ".mustache":
		return true
	}
	return false
}

// lazyExpr returns a function that returns the compiled expression. It compiles it at the first
// call, because few runs need it.
func lazyExpr(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
