package input

import (
	"bytes"
	"io"
	"path"
	"strings"

	"absolink/cmd/absolink/internal/coding"
	"absolink/extract"
)

// Kind is what a file is: the format of a single document, or a container. The zero
// value stands for a file of any other kind, and as a setting for "find out".
type Kind uint8

// The kinds. Those of single documents have the numbers of their formats.
const (
	Other   Kind = Kind(extract.Unknown)
	HTML    Kind = Kind(extract.HTML) // one page
	Message Kind = 64 + iota          // one Internet message (RFC 5322)
	MHTML                             // one message that is the archive of a page (RFC 2557)
	Mbox                              // a mailbox file of messages behind From_ lines
	Maildir                           // a directory of messages; a setting only, its files are of the kind Message
	Emlx                              // one message as Apple Mail keeps it
	WARC                              // a web archive of records (ISO 28500), whose reader undoes gzip and zstd itself
	HTTP                              // one HTTP response with its heading
	WACZ                              // a zip file of web archives
)

// Kinds are those that a user may name.
var Kinds = func() (list []Kind) {
	for f := extract.HTML; f <= extract.Bookmarks; f++ {
		list = append(list, Kind(f))
	}
	return append(list, Message, MHTML, Mbox, Maildir, Emlx, WARC, WACZ, HTTP, Kind(extract.Script))
}()

// Format returns the format of a single document, Unknown for a container.
func (k Kind) Format() extract.Format {
	if k >= Message {
		return extract.Unknown
	}
	return extract.Format(k)
}

// Single reports whether a file of the kind is a single document.
func (k Kind) Single() bool { return k.Format() != extract.Unknown }

// Container reports whether a file of the kind is read item by item, however large.
func (k Kind) Container() bool { return k == Mbox || k == WARC || k == WACZ }

// Mail reports whether a file of the kind is one message.
func (k Kind) Mail() bool { return k == Message || k == MHTML || k == Emlx }

// held reports whether a file of the kind is read into memory as a whole.
func (k Kind) held() bool { return k.Single() || k == HTTP }

func (k Kind) String() string {
	if name := containerNames[k]; name != "" {
		return name
	}
	return k.Format().String()
}

var containerNames = map[Kind]string{Other: "other", Message: "message", MHTML: "mhtml", Mbox: "mbox", Maildir: "maildir", Emlx: "emlx", WARC: "warc", HTTP: "http", WACZ: "wacz"}

// Names returns the names of Kinds.
func Names() []string {
	var names []string
	for _, k := range Kinds {
		names = append(names, k.String())
	}
	return names
}

// Detect finds the kind of a file from the beginning of its content, and where
// that does not decide from its name. A header block decides first, since a
// page never begins with header fields, while a message may hold a page. What
// begins with a From_ line is a mailbox, be it of one message: whether there is
// another one behind it cannot be told of a pipe.
func Detect(head []byte, name string) Kind {
	text := bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	switch {
	case mailbox(text):
		return Mbox
	case bytes.HasPrefix(head, []byte("WARC/")), bytes.HasPrefix(head, []byte(zstdDictionary)):
		return WARC
	case bytes.HasPrefix(head, []byte("HTTP/")):
		return HTTP
	case isWACZ(head, name):
		return WACZ
	case isEmlx(head), strings.EqualFold(path.Ext(name), ".emlx") && !headed(head):
		return Emlx
	}
	if block, ok := headerBlock(text); ok {
		if isArchive(block, name) {
			return MHTML
		}
		return Message
	}
	if foreign(text) {
		return Other
	}
	return byFormat(head, name)
}

// byFormat decides for content that does not begin with a header block. NUL
// bytes in what does not look like a document say that it is no document, whatever its
// name, unless a byte order mark explains them.
func byFormat(head []byte, name string) Kind {
	container := Other
	switch strings.ToLower(path.Ext(name)) {
	case ".eml":
		name, container = "message/rfc822", Message // which keeps a fragment from being a page
	case ".mht", ".mhtml":
		name, container = "message/rfc822", MHTML
	case ".emlx":
		return Emlx
	case ".warc":
		return WARC
	case ".wacz":
		return WACZ
	}
	if bytes.IndexByte(head, 0) >= 0 && !wide(head) && extract.Detect(head, "") == extract.Unknown {
		name = ""
	}
	if container == Other {
		name = path.Base(name)
	}
	format := extract.Detect(head, name)
	if format == extract.HTML && extract.Detect(nil, name) == extract.Unknown && spoiledMessage(head) {
		format = extract.Detect(head, "message/rfc822")
	}
	if format != extract.Unknown {
		return Kind(format)
	}
	return container
}

// wide reports whether head begins with the byte order mark of UTF-16.
func wide(head []byte) bool {
	return bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff"))
}

// zstdDictionary begins the frame with the dictionary that a web archive in zstd
// may begin with; nothing else has such a frame first.
const zstdDictionary = "\x5d\x2a\x4d\x18"

// foreign reports whether text is of a kind that can hold header fields or
// pages but is not understood as a whole.
func foreign(text []byte) bool {
	for _, start := range []string{"%PDF-", `{\rtf`, "filedesc:"} { // the last is ARC's
		if bytes.HasPrefix(text, []byte(start)) {
			return true
		}
	}
	return false
}

// spoiledMessage reports whether the header block of a message stands behind the first
// line of text, which is not one of its fields. The codings of its body would be taken for
// content if a tag in it made it a page.
func spoiledMessage(text []byte) bool {
	need := 2
	for rest := text[:min(len(text), 1024)]; len(rest) > 0 && need > 0; {
		var line []byte
		if line, rest = cutLine(rest); len(line) > 0 && line[0] == '<' {
			return false
		}
		switch name := fieldName(line); {
		case strongFields[name]:
			need -= 2
		case weakFields[name]:
			need--
		}
	}
	return need <= 0
}

// isArchive reports whether a header block is that of an MHTML archive.
func isArchive(block []byte, name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".mht", ".mhtml":
		return true
	case ".eml":
		return false
	}
	block = bytes.ToLower(block)
	return bytes.Contains(block, []byte("\nsnapshot-content-location:"))
}

// Fields that only a message has, and fields that other texts may begin with too.
var (
	strongFields = fieldSet("received return-path message-id mime-version content-type content-transfer-encoding " +
		"content-base content-location delivered-to dkim-signature snapshot-content-location x-mozilla-status x-mailer references in-reply-to")
	weakFields = fieldSet("from to cc bcc subject date reply-to sender newsgroups path lines organization")
)

func fieldSet(names string) map[string]bool {
	set := make(map[string]bool)
	for _, n := range strings.Fields(names) {
		set[n] = true
	}
	return set
}

// headerBlock returns the header block that text begins with, if it surely is
// that of a message: one strong field or two weak ones, or a From_ line and one
// field of any name. Up to its first blank line nothing but fields and their
// continuations may stand in it before these are found.
func headerBlock(text []byte) (block []byte, ok bool) {
	need := 2
	rest := text
	if bytes.HasPrefix(text, []byte("From ")) || bytes.HasPrefix(text, []byte(">From ")) {
		need = 1
		_, rest = cutLine(text)
	}
	for len(rest) > 0 {
		var line []byte
		line, rest = cutLine(rest)
		if len(line) == 0 {
			break
		}
		if line[0] == ' ' || line[0] == '\t' {
			continue
		}
		name := fieldName(line)
		switch {
		case name == "":
			return text, false
		case strongFields[name]:
			need -= 2
		case weakFields[name] || need == 1:
			need--
		}
		if need <= 0 {
			return text[:blankLine(text)], true
		}
	}
	return text, false
}

// cutLine cuts the first line off; it ends at LF, CRLF or CR.
func cutLine(b []byte) (line, rest []byte) {
	i := bytes.IndexAny(b, "\r\n")
	if i < 0 {
		return b, nil
	}
	if b[i] == '\r' && i+1 < len(b) && b[i+1] == '\n' {
		return b[:i], b[i+2:]
	}
	return b[:i], b[i+1:]
}

// blankLine returns the offset of the first blank line of b, or its length.
func blankLine(b []byte) int {
	for rest := b; len(rest) > 0; {
		var line []byte
		at := len(b) - len(rest)
		if line, rest = cutLine(rest); len(line) == 0 {
			return at
		}
	}
	return len(b)
}

// fieldName returns the lower-case name of the header field that line begins
// with (RFC 5322 3.6.8, blanks before the colon allowed), "" if it is none.
func fieldName(line []byte) string {
	name, _, ok := bytes.Cut(line, []byte(":"))
	name = bytes.TrimRight(name, " \t")
	if !ok || len(name) == 0 || len(name) > 76 {
		return ""
	}
	for _, c := range name {
		if c <= ' ' || c > '~' {
			return ""
		}
	}
	return strings.ToLower(string(name))
}

// mailbox reports whether text begins with a From_ line that a header field, or a
// quoted one, follows.
func mailbox(text []byte) bool {
	line, rest := cutLine(bytes.TrimLeft(text, "\r\n"))
	if !bytes.HasPrefix(line, []byte("From ")) || fieldName(line) == "from" {
		return false
	}
	next, _ := cutLine(rest)
	return fieldName(next) != "" || bytes.HasPrefix(next, []byte(">From "))
}

// PlainRecordAt reports whether a record of a web archive begins at an offset without being compressed.
func PlainRecordAt(r io.ReaderAt, at int64) bool {
	var b [5]byte
	n, _ := r.ReadAt(b[:], at)
	return bytes.EqualFold(b[:n], []byte("WARC/"))
}

// RecordAt reports whether something begins at an offset that can be a record of a web
// archive, or the member that holds one.
func RecordAt(r io.ReaderAt, at int64) bool {
	var b [4]byte
	n, _ := r.ReadAt(b[:], at)
	return at == 0 || PlainRecordAt(r, at) || coding.Detect(b[:n], "") != coding.None
}
