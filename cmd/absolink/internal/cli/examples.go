package cli

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unicode"
)

// examples returns three commands to start with. They name a page and a message among the entries
// of a directory, if there are any.
func examples(entries []os.DirEntry) string {
	page := exampleFile(entries, "page.html", ".html", ".htm", ".xhtml")
	message := exampleFile(entries, "message.eml", ".eml", ".mbox", ".mht", ".mhtml")
	return "  absolink extract " + page + "\n  absolink rewrite --base http://example.com/dir/ " + page +
		" > absolute.html\n  absolink base " + message
}

// exampleFile returns the first file whose name has one of extensions, quoted for a shell. It
// returns other if there is none that a terminal can show.
func exampleFile(entries []os.DirEntry, other string, extensions ...string) string {
	for _, e := range entries {
		name := e.Name()
		known := slices.Contains(extensions, strings.ToLower(filepath.Ext(name)))
		if known && e.Type().IsRegular() && isPrintable(name) {
			return shellQuoted(name)
		}
	}
	return other
}

func isPrintable(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar })
}

// shellQuoted returns the name of a file as a shell of this system reads it.
func shellQuoted(name string) string {
	if strings.HasPrefix(name, "-") {
		name = "./" + name // not a flag
	}
	plain := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._/-+,@", r)
	}
	switch {
	case !strings.ContainsFunc(name, func(r rune) bool { return !plain(r) }):
		return name
	case runtime.GOOS == "windows":
		return `"` + name + `"` // no name has a quotation mark
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}
