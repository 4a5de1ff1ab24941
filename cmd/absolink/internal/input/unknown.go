package input

import (
	"bytes"
	"fmt"
	"path"
	"strings"

	"absolink/cmd/absolink/internal/kinds"
	"absolink/extract"
)

// explainUnknown says why a file that begins with head is not read, and which type may fit.
func explainUnknown(head []byte, name string, id *kinds.Identity, g *Given) string {
	why := "cannot tell the type: it is binary data"
	switch f := kinds.ForeignOf(head, name); {
	case len(head) == 0:
		return "cannot tell the type: it is empty"
	case f != nil:
		why = f.String()
	case kinds.IsBinary(head):
	case id.Ending != "" && !id.Misnamed:
		likely := kinds.LikelyNamed(head, id.Ending)
		return fmt.Sprintf("a %s file, which is not read; %s reads it as %s", id.Ending,
			g.typeSetting(likely.String()), likely)
	default:
		likely := kinds.Likely(head)
		why = fmt.Sprintf("cannot tell the type (it starts with %q); try %s", firstWords(head),
			g.typeSetting(likely.String()))
	}
	if id.Misnamed && id.Named != Other {
		why += fmt.Sprintf("; it is named as %s, and %s reads it so", id.Named, g.kindSetting(id.Named))
	}
	return why
}

// kindSetting returns the advice of typeSetting for k, with any other flag that the kind needs.
func (g *Given) kindSetting(k Kind) string {
	setting := g.typeSetting(k.String())
	switch {
	case k != Kind(extract.Script):
		return setting
	case g != nil && g.Framed:
		return setting + ", with --scripts for all frames," // no key of a frame stands for this flag
	}
	return setting + " --scripts"
}

// explainMisnamed says that the first bytes of a file told its kind, not its name.
func explainMisnamed(id *kinds.Identity, g *Given) string {
	if id.Named == Other {
		return fmt.Sprintf("a %s file that begins as %[2]s: read as %[2]s; %[3]s reads it as another kind",
			id.Ending, id.Kind, g.typeSetting(""))
	}
	return fmt.Sprintf("named as %s, but begins as %[2]s: read as %[2]s; %[3]s reads it as named",
		id.Named, id.Kind, g.kindSetting(id.Named))
}

// firstWords returns the first characters of the first non-blank line of head.
func firstWords(head []byte) string {
	line, _ := kinds.CutLine(bytes.TrimLeft(head, "\r\n\t "))
	return string(bytes.TrimSpace(bytes.ToValidUTF8(line[:min(len(line), 24)], nil)))
}

// isTemplate reports whether a file has the name of a template. A server or site generator makes
// pages from templates. The endings are those of templates in package extract.
func isTemplate(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".inc", ".tpl", ".tmpl", ".twig", ".j2", ".jinja", ".jinja2",
		".njk", ".liquid", ".erb", ".ejs", ".hbs", ".mustache", ".mako":
		return true
	}
	return false
}
