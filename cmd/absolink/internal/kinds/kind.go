// Package kinds tells the kinds of files by their names and their first bytes.
//
//	id := kinds.Identify(data[:min(len(data), kinds.HeadSize)], "page.html")
//
// Markdown is a kind of its own only in a program that imports package extract/markdown. Otherwise
// it is text.
//
// Files in reading order: kind.go, emlx.go and wacz.go (how such files begin), foreign.go (formats
// that are not read), likely.go (hints for files of unknown kinds).
package kinds

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"absolink/extract"
)

// Kind is the kind of a file: the format of a single document, a message, or a container. The zero
// value is Other. In an option it means that the kind is detected.
type Kind uint8

// The kinds. A single document has the number of its [extract.Format].
const (
	Other   Kind = Kind(extract.Unknown)
	HTML    Kind = Kind(extract.HTML) // one page
	Message Kind = 64 + iota          // one Internet message (RFC 5322)
	MHTML                             // one message that is an archive of a page (RFC 2557)
	Mbox                              // a mailbox file; a From_ line is before each message
	Maildir                           // a directory of messages; only in options: its files have the kind Message
	Emlx                              // one message as Apple Mail stores it
	WARC                              // a web archive (WARC or ARC), plain, or in gzip or zstd
	HTTP                              // one HTTP response with its header
	WACZ                              // a zip file of web archives
)

// All lists the kinds that a user may name.
var All = func() (list []Kind) {
	for f := extract.HTML; f <= extract.JSONLinkset; f++ {
		list = append(list, Kind(f))
	}
	return append(list, Message, MHTML, Mbox, Maildir, Emlx, WARC, WACZ, HTTP, Kind(extract.Script))
}()

// Format returns the format of a single document. It returns Unknown for any other kind.
func (k Kind) Format() extract.Format {
	if k >= Message {
		return extract.Unknown
	}
	return extract.Format(k)
}

// Single reports whether a file of the kind is a single document.
func (k Kind) Single() bool { return k.Format() != extract.Unknown }

// Container reports whether a file of the kind is read item by item, whatever its size.
func (k Kind) Container() bool { return k == Mbox || k == WARC || k == WACZ }

// Mail reports whether a file of the kind is one message.
func (k Kind) Mail() bool { return k == Message || k == MHTML || k == Emlx }

// String returns the name of the kind, as a value of --type.
func (k Kind) String() string {
	if name := containerNames[k]; name != "" {
		return name
	}
	return k.Format().String()
}

var containerNames = [...]string{Other: "other", Message: "message", MHTML: "mhtml",
	Mbox: "mbox", Maildir: "maildir", Emlx: "emlx", WARC: "warc", HTTP: "http", WACZ: "wacz"}

// Names returns the names of All.
func Names() []string {
	var names []string
	for _, k := range All {
		names = append(names, k.String())
	}
	return names
}

// The name of a file and its first bytes tell its kind. Package extract knows the endings of
// documents, and the first bytes that rule out an ending. This table has the endings of messages
// and containers:
//
//	ending          kind      ruled out by the first bytes of
//	.eml            Message   a page, an archive, a response; with a From_ line it is read as Mbox
//	.mht .mhtml     MHTML     the same
//	.mbox .mboxrd … Mbox      a page, a message, an archive, a response
//	.emlx           Emlx      a page, a message, a mailbox, an archive, a response
//	.warc .arc      WARC      a page, a message, a mailbox, a response
//	.wacz           WACZ      the same
//	of a document   document  a message, a mailbox, an archive or a response, but only a sure one
//	any other       as the first bytes say
//
// The first bytes of a format that is not read (foreign.go) rule out all endings but .wacz. First
// bytes are sure if no ordinary text begins like this. A text may begin with "From here on" or
// "Subject: x". But it does not begin with the fields of a mail server, or with a mailbox separator
// that has a date and a mail field after it.

// kindNamed returns the kind of messages or containers that an ending names. It returns Other for
// any other ending.
func kindNamed(ending string) Kind {
	switch ending {
	case ".eml":
		return Message
	case ".mht", ".mhtml":
		return MHTML
	case ".emlx":
		return Emlx
	case ".mbox", ".mboxrd", ".mboxo", ".mboxcl", ".mboxcl2":
		return Mbox
	case ".warc", ".arc":
		return WARC
	case ".wacz":
		return WACZ
	}
	return Other
}

// IsFileName reports whether name has the ending of a file of a known kind, or of a format that is
// not read, so that it is hardly a host. Endings of programs that are also top-level domains do not
// count.
func IsFileName(name string) bool {
	var doc extract.Doc
	format, ending, _ := doc.Identify(name)
	last := strings.ToLower(path.Ext(name))
	switch {
	case format != extract.Unknown, kindNamed(ending) != Other, slices.Contains(foreignEndings, last):
		return true
	case ending == last && slices.Contains(programDomains, last):
		return false
	}
	return ending != ""
}

// programDomains lists endings of programs and data that are also top-level domains.
var programDomains = []string{".cc", ".map", ".pl", ".pm", ".properties", ".py", ".rs", ".sh"}

// HeadSize is the number of the first bytes of a file that tell its kind.
const HeadSize = 64 << 10

// Identity is the kind of a file, judged by its name and its first bytes.
type Identity struct {
	Kind     Kind
	Named    Kind   // the kind by the name alone; Other if the name tells no kind that is read
	Ending   string // the well-known ending of the name, or empty
	Misnamed bool   // the first bytes contradict the name, so they decided
}

// Detect returns the Kind of the result of [Identify].
func Detect(head []byte, name string) Kind { return Identify(head, name).Kind }

// Identify finds the kind of a file from its name, which may be empty, and from the first bytes of
// its content.
func Identify(head []byte, name string) Identity {
	if name != "" {
		name = path.Base(name)
	}
	doc := extract.Doc{Data: head}
	format, ending, misnamed := doc.Identify(name)
	id := Identity{Kind: Kind(doc.Format), Named: Kind(format), Ending: ending, Misnamed: misnamed}
	named := kindNamed(ending)
	container := named != Other
	begins, sure := beginning(head)
	f := ForeignOf(head, name)
	switch {
	case f != nil && begins == Other && named != WACZ && (container || f.sure || f.Mail && id.Ending == ""):
		id.Kind = Other
		id.Named = named
		id.Misnamed = id.Ending != ""
		return id
	case container:
		id.Named = named
		id.setContainer(begins, head)
	case begins == Other || id.Ending != "" && !sure:
		if id.Kind == HTML && id.Ending == "" && name == "" && SpoiledMessage(head) {
			id.Kind = Other // the tag is in the body of a message, in a transfer coding
		}
	default:
		id.Kind = begins
		id.Misnamed = id.Ending != ""
	}
	if id.Kind == Message && isArchive(head, id.Ending) {
		id.Kind = MHTML
	}
	return id
}

// setContainer sets the kind of a file whose name has the ending of a message or a container.
// begins is the kind by the first bytes.
func (id *Identity) setContainer(begins Kind, head []byte) {
	switch {
	case begins == Message && id.Named == Emlx && !headed(head):
		id.Kind = Emlx
	case begins != Other:
		id.Kind = begins
		id.Misnamed = begins != id.Named && !(id.Named == MHTML && begins == Message)
	case id.Misnamed: // a page
	default:
		id.Kind = id.Named
	}
}

// beginning returns the kind of a message or container that begins with head, or Other. sure is
// true if no document begins like this.
func beginning(head []byte) (kind Kind, sure bool) {
	text := bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	if bytes.HasPrefix(head, []byte(ZstdDictionary)) || isRecord(head) {
		return WARC, true
	}
	if found, sure := response(head); found {
		return HTTP, sure
	}
	if isWACZ(head) {
		return WACZ, true
	}
	if isEmlx(head) {
		return Emlx, false
	}
	if found, sure := mailbox(text); found {
		return Mbox, sure
	}
	if found, sure := headerBlock(text); found {
		return Message, sure
	}
	return Other, false
}

// isRecord reports whether head begins with the first line of a WARC, or with the first record of
// an ARC. If the WARC has a second line, it must be a field.
func isRecord(head []byte) bool {
	if bytes.HasPrefix(head, []byte("filedesc:")) {
		return true
	}
	line, rest := CutLine(bytes.TrimLeft(head, "\r\n"))
	version, ok := bytes.CutPrefix(line, []byte("WARC/"))
	if !ok || !isVersion(bytes.TrimRight(version, " \t")) {
		return false
	}
	field, _ := CutLine(rest)
	return len(rest) == 0 || fieldName(field) != ""
}

// response reports whether head begins with the status line of an HTTP response. If there is a
// second line, it must be a field or blank. sure is true if it is a field: an ordinary text may
// begin with "HTTP/1.1 200 is", too.
func response(head []byte) (found, sure bool) {
	line, rest := CutLine(head)
	line, ok := bytes.CutPrefix(line, []byte("HTTP/"))
	version, status, _ := bytes.Cut(line, []byte(" "))
	status = bytes.TrimLeft(status, " ")
	if !ok || !isVersion(version) || len(status) < 3 || !isNumber(status[:3]) || len(status) > 3 && status[3] != ' ' {
		return false, false
	}
	field, _ := CutLine(rest)
	sure = fieldName(field) != ""
	return sure || len(field) == 0, sure
}

// isVersion reports whether b is a number, or two numbers with a dot between them.
func isVersion(b []byte) bool {
	major, minor, dot := bytes.Cut(b, []byte("."))
	return isNumber(major) && (!dot || isNumber(minor))
}

func isNumber(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(b) > 0
}

// hasUTF16Mark reports whether head begins with the byte order mark of UTF-16.
func hasUTF16Mark(head []byte) bool {
	return bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff"))
}

// ZstdDictionary is the start of the frame with the dictionary of a web archive in zstd. No other
// kind of file begins with such a frame.
const ZstdDictionary = "\x5d\x2a\x4d\x18"

// SpoiledMessage reports whether header fields of a message are near the start of text, although
// its first line is not a field. Such a file must not be read as a page because of a tag in its
// body: the transfer encoding of the body would then be read as content.
func SpoiledMessage(text []byte) bool {
	need := 2
	for rest := text[:min(len(text), 1024)]; len(rest) > 0 && need > 0; {
		var line []byte
		line, rest = CutLine(rest)
		if len(line) > 0 && line[0] == '<' {
			return false
		}
		switch name := fieldName(line); {
		case strongFields()[name]:
			need -= 2
		case weakFields()[name]:
			need--
		}
	}
	return need <= 0
}

// isArchive reports whether the message that head begins is an MHTML archive.
func isArchive(head []byte, ending string) bool {
	switch ending {
	case ".mht", ".mhtml":
		return true
	case ".eml":
		return false
	}
	block := head[:blankLine(head)]
	return bytes.Contains(bytes.ToLower(block), []byte("\nsnapshot-content-location:"))
}

// strongFields are the names of fields that only messages have. Other texts may also begin with
// weakFields.
var (
	strongFields = fieldSet("received return-path message-id mime-version content-type content-transfer-encoding " +
		"content-base content-location delivered-to dkim-signature snapshot-content-location x-mozilla-status " +
		"x-mailer references in-reply-to")
	weakFields = fieldSet("from to cc bcc subject date reply-to sender newsgroups path lines organization")
)

func fieldSet(names string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := make(map[string]bool)
		for _, n := range strings.Fields(names) {
			set[n] = true
		}
		return set
	})
}

// isMailField reports whether messages have fields with the lower-case name.
func isMailField(name string) bool {
	return strongFields()[name] || weakFields()[name] || strings.HasPrefix(name, "x-") ||
		slices.Contains(strings.Fields(mailFields), name)
}

// mailFields are more names of mail fields. They do not show by themselves that a text is a
// message.
const mailFields = ` status envelope-to authentication-results arc-seal arc-message-signature
	arc-authentication-results received-spf errors-to list-id list-post precedence resent-from resent-date resent-to
	resent-message-id xref approved content-length user-agent comments keywords `

// servers are fields that mail programs write, by name. A field counts only if its value matches
// the expression. Such a field never begins an ordinary text.
var servers = sync.OnceValue(func() map[string]*regexp.Regexp {
	list := make(map[string]*regexp.Regexp)
	for name, expr := range map[string]string{
		"received":                  `(?i)^\s*\(?(from|by)\s`,
		"return-path":               `^\s*<[^<>]*>`,
		"message-id":                `^\s*<[^<>\s]+>`,
		"mime-version":              `^\s*(\([^)]*\)\s*)?[0-9]+\.[0-9]+`,
		"content-transfer-encoding": `(?i)^\s*"?(7bit|8bit|binary|quoted-printable|base64)\b`,
		"delivered-to":              `^\s*\S+@\S+\s*$`,
		"dkim-signature":            `^\s*\w+\s*=`,
		"snapshot-content-location": `^\s*\w+:`,
		"x-mozilla-status":          `^\s*[0-9a-fA-F]{4}\s*$`,
	} {
		list[name] = regexp.MustCompile(expr)
	}
	return list
})

// headerBlock reports whether text begins with the header block of a message. The block has a
// strong field or two weak fields; before them it may have other fields, but no other lines. Or it
// begins with a quoted mailbox separator and a field. sure is true if the block has one of the
// servers fields and another mail field.
func headerBlock(text []byte) (found, sure bool) {
	if rest, quoted := bytes.CutPrefix(text, []byte(">")); quoted {
		found, _ = mailbox(rest)
		return found, false
	}
	need := 2
	mail := 0
	server := false
	rest := text
	for len(rest) > 0 && !(server && mail > 1) {
		var line []byte
		line, rest = CutLine(rest)
		if len(line) == 0 {
			break
		}
		if line[0] == ' ' || line[0] == '\t' {
			continue
		}
		name := fieldName(line)
		if name == "" {
			break
		}
		switch {
		case strongFields()[name]:
			need -= 2
		case weakFields()[name]:
			need--
		}
		if !isMailField(name) {
			continue
		}
		mail++
		if value := servers()[name]; value != nil && value.Match(line[bytes.IndexByte(line, ':')+1:]) {
			server = true
		}
	}
	return need <= 0, need <= 0 && server && mail > 1
}

// CutLine splits b after its first line, which ends with LF, CRLF or CR. The line is returned
// without its end.
func CutLine(b []byte) (line, rest []byte) {
	i := lineEnd(b)
	if i < 0 {
		return b, nil
	}
	if b[i] == '\r' && i+1 < len(b) && b[i+1] == '\n' {
		return b[:i], b[i+2:]
	}
	return b[:i], b[i+1:]
}

// lineEnd returns the offset of the first LF or CR in b, or -1.
func lineEnd(b []byte) int {
	const step = 256 // bytes searched at a time: a short line must not cost a search through the rest of b
	for at := 0; at < len(b); at += step {
		part := b[at:min(at+step, len(b))]
		end := bytes.IndexByte(part, '\n')
		if end >= 0 {
			part = part[:end]
		}
		if cr := bytes.IndexByte(part, '\r'); cr >= 0 {
			return at + cr
		}
		if end >= 0 {
			return at + end
		}
	}
	return -1
}

// blankLine returns the offset of the first blank line of b, or the length of b.
func blankLine(b []byte) int {
	for rest := b; len(rest) > 0; {
		var line []byte
		at := len(b) - len(rest)
		line, rest = CutLine(rest)
		if len(line) == 0 {
			return at
		}
	}
	return len(b)
}

// fieldName returns the lower-case name of the header field line, or "" if line is not a field (RFC
// 5322, 3.6.8). Blanks may stand before the colon.
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

// mailbox reports whether text begins with a From_ line, followed by a header field or a quoted
// From_ line. The From_ line must have a date. It may have an address or a single word instead, if
// a mail field or a quoted From_ line follows. sure is true if the line has a date, and a mail
// field or a quoted From_ line follows.
func mailbox(text []byte) (found, sure bool) {
	line, rest := CutLine(bytes.TrimLeft(text, "\r\n\t "))
	if !bytes.HasPrefix(line, []byte("From ")) || fieldName(line) == "from" {
		return false, false
	}
	next, _ := CutLine(rest)
	name := fieldName(next)
	quoted := bytes.HasPrefix(next, []byte(">From "))
	if name == "" && !quoted {
		return false, false
	}
	mail := isMailField(name) || quoted
	if dated().Match(line) {
		return true, mail
	}
	sender, more, _ := bytes.Cut(bytes.TrimSpace(line[len("From "):]), []byte(" "))
	return mail && (len(more) == 0 || bytes.IndexByte(sender, '@') > 0), false
}

// dated matches a From_ line with a date. No line of ordinary text matches by chance.
var dated = lazyExpr(`\b(Sun|Mon|Tue|Wed|Thu|Fri|Sat)\b.*\b[0-9]{1,2}:[0-9]{2}(:[0-9]{2})?\b.*\b[0-9]{4}\b`)
