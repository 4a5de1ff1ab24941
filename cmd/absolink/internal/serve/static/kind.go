package static

import (
	"bytes"
	"errors"
	"path"
	"strings"

	"absolink/extract"
)

// kind is the kind of a document: a format, message or mailbox.
type kind uint8

const (
	message kind = 200 + iota // an Internet message or an MHTML archive
	mailbox                   // a mailbox file
)

// String returns the name of the kind, as a value of --type.
func (k kind) String() string {
	switch k {
	case message:
		return "message"
	case mailbox:
		return "mbox"
	}
	return k.format().String()
}

// format returns the format of a single document, or Unknown.
func (k kind) format() extract.Format {
	if k >= message {
		return extract.Unknown
	}
	return extract.Format(k)
}

var (
	errProgram = errors.New("this page reads documents, messages and mailboxes; the program reads web archives, " +
		"compressed files and Markdown: absolink extract FILE")
	errKind = errors.New("neither a known document nor a message: give the file a name with the right " +
		"ending, such as .html or .eml")
)

// kind returns the kind of d. given is its name if it is known, or "".
func (d *Document) kind(given string) (kind, error) {
	switch given {
	case "":
		return d.detect()
	case "message", "mhtml":
		return message, nil
	case "mbox":
		return mailbox, nil
	}
	for f := extract.HTML; f <= extract.JSONLinkset; f++ {
		if f.String() == given {
			return kind(f), nil
		}
	}
	return 0, errKind
}

// detect finds the kind of d by its name and its first bytes.
func (d *Document) detect() (kind, error) {
	head := bytes.TrimPrefix(d.Data, []byte("\xef\xbb\xbf"))
	for _, start := range []string{"WARC/", "filedesc:", "PK\x03\x04", "\x1f\x8b", "\x28\xb5\x2f\xfd"} {
		if bytes.HasPrefix(head, []byte(start)) {
			return 0, errProgram
		}
	}
	format := extract.Detect(d.Data, d.Name)
	switch strings.ToLower(path.Ext(d.Name)) {
	case ".md", ".markdown", ".mdown", ".mkd":
		return 0, errProgram
	case ".eml", ".mht", ".mhtml", ".mbox":
		format = extract.Detect(d.Data, "")
		if format != extract.HTML || !bytes.HasPrefix(bytes.TrimSpace(head), []byte("<")) {
			format = extract.Unknown
			if !isMailbox(head) {
				return message, nil
			}
		}
	}
	switch {
	case isMailbox(head):
		return mailbox, nil
	case mailFields(head) >= 2:
		return message, nil
	case format == extract.Unknown:
		return 0, errKind
	}
	return kind(format), nil
}

// isMailbox reports whether text begins with a separator of messages and a field of a message.
func isMailbox(text []byte) bool {
	if !bytes.HasPrefix(text, []byte("From ")) {
		return false
	}
	_, rest, _ := bytes.Cut(text, []byte("\n"))
	return mailFields(rest) > 0
}

// mailNames are the names of fields with which messages begin.
var mailNames = strings.Fields("from to cc bcc subject date reply-to sender received return-path message-id " +
	"mime-version content-type content-transfer-encoding content-base content-location delivered-to " +
	"dkim-signature snapshot-content-location list-id")

// mailFields returns the number of fields of messages at the start of text. Other fields and folded
// lines may be between them.
func mailFields(text []byte) (n int) {
	for line := range bytes.Lines(text) {
		line = bytes.TrimRight(line, "\r\n")
		if len(line) > 0 && (line[0] == ' ' || line[0] == '\t') {
			continue
		}
		name, _, found := bytes.Cut(line, []byte(":"))
		if !found || len(name) == 0 || bytes.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return n
		}
		for _, known := range mailNames {
			if strings.EqualFold(known, string(name)) {
				n++
			}
		}
	}
	return n
}
