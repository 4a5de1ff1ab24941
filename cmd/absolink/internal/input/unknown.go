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

// unknown says why nothing is known of a file that begins with head, and which --type may
// fit.
func unknown(head []byte, name string) string {
	if len(head) == 0 {
		return "cannot tell what this is, it is empty"
	}
	if hint := foreignMail(head, name); hint != "" {
		return hint
	}
	if bytes.HasPrefix(head, []byte("%PDF-")) {
		return "a PDF, which is not read; \"pdftohtml -s FILE\" (package poppler-utils) makes HTML of it"
	}
	if isBinary(head) {
		return "cannot tell what this is, it is binary data"
	}
	return fmt.Sprintf("cannot tell what this is (it starts with %q); try --type %s", beginning(head), likelyType(head[:min(len(head), looked)], name))
}

// foreignMail names mail that another program has to convert, and that program; "" if head
// begins none.
func foreignMail(head []byte, name string) string {
	switch {
	case bytes.HasPrefix(head, []byte("!BDN")):
		return "a mailbox of Outlook (.pst, .ost), which is not read; \"readpst -e -o DIR FILE\" (package pst-utils) makes .eml files of it"
	case bytes.HasPrefix(head, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) && (strings.EqualFold(path.Ext(name), ".msg") || bytes.Contains(head, []byte("_\x00_\x00s\x00u\x00b\x00s\x00t\x00g\x001\x00"))):
		return "a message of Outlook (.msg), which is not read; \"msgconvert FILE\" (package libemail-outlook-message-perl) makes an .eml of it"
	case bytes.HasPrefix(head, []byte("\xcf\xad\x12\xfe")):
		return "a mailbox of Outlook Express (.dbx), which is not read; \"undbx FILE DIR\" (package undbx) makes .eml files of it"
	}
	return ""
}

// looked is how many bytes a hint is taken from: trees hold many files of no known kind.
const looked = 1024

// isBinary reports whether head holds bytes that no text does, unless a byte order mark
// explains them.
func isBinary(head []byte) bool {
	return !wide(head) && bytes.ContainsFunc(head[:min(len(head), looked)], func(r rune) bool {
		return r < ' ' && !strings.ContainsRune("\t\n\f\r\x1b", r)
	})
}

// beginning returns the first characters of the first line that is not blank.
func beginning(head []byte) string {
	line, _ := cutLine(bytes.TrimLeft(head, "\r\n\t "))
	return string(bytes.TrimSpace(bytes.ToValidUTF8(line[:min(len(line), 24)], nil)))
}

// likelyType returns the kind that a text of no known kind can be read as.
func likelyType(head []byte, name string) Kind {
	first, _ := cutLine(head)
	switch strings.ToLower(path.Ext(name)) {
	case ".scss", ".sass", ".less":
		return Kind(extract.CSS)
	case ".md", ".markdown", ".rst", ".csv", ".log":
		return Kind(extract.Plain)
	}
	switch text := bytes.TrimLeft(head, "\ufeff\r\n\t "); {
	case spoiledMessage(head) && bytes.HasPrefix(text, []byte("From ")):
		return Mbox
	case spoiledMessage(head):
		return Message
	case jsonStart().Match(text):
		if manifestKey().Match(text) {
			return Kind(extract.Manifest)
		}
		return Kind(extract.Plain)
	case styleStart().Match(text):
		return Kind(extract.CSS)
	case strings.EqualFold(path.Ext(name), ".json"):
		return Kind(extract.Plain)
	case IsTemplate(name), bytes.IndexByte(head, '<') >= 0, bytes.HasPrefix(head, []byte("{%")), bytes.HasPrefix(head, []byte("{{")):
		return HTML
	case fieldName(first) != "":
		return Message
	}
	return Kind(extract.Plain)
}

// What a text in JSON begins with, a member that only a manifest of a web application has,
// and what a style sheet begins with: comments, then an at-rule or selectors and a declaration.
var (
	jsonStart   = lazily(`^(\{\s*["}]|\[)`)
	manifestKey = lazily(`"(start_url|icons|short_name|related_applications)"\s*:`)
	styleStart  = lazily(`^(/\*(?s:.*?)\*/\s*)*(@(charset|import|media|font-face|namespace|layer|supports)\b|[^{}<;"%]{1,200}\{\s*([\w-]+\s*:|\}))`)
)

// lazily compiles an expression when it is first needed: few runs do.
func lazily(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// IsTemplate reports whether a file is by its name a page that a server or a generator of
// sites makes others of.
func IsTemplate(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".php", ".asp", ".aspx", ".jsp", ".inc", ".tpl", ".j2":
		return true
	}
	return false
}
