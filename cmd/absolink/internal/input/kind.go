package input

import (
	"bytes"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

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

var containerNames = map[Kind]string{Other: "other", Message: "message", MHTML: "mhtml",
	Mbox: "mbox", Maildir: "maildir", Emlx: "emlx", WARC: "warc", HTTP: "http", WACZ: "wacz"}

// Names returns the names of Kinds.
func Names() []string {
	var names []string
	for _, k := range Kinds {
		names = append(names, k.String())
	}
	return names
}

// A file is told by its name and by its very beginning. The table of endings, and the beginnings
// that no document of a name has, are in package extract; those of messages and containers are
// here:
//
//	ending          kind      ruled out by the beginning of
//	.eml            Message   a page, an archive, a response; with a From_ line it is read as Mbox
//	.mht .mhtml     MHTML     the same
//	.mbox .mboxrd … Mbox      a page, a message, an archive, a response
//	.emlx           Emlx      a page, a message, a mailbox, an archive, a response
//	.warc           WARC      a page, a message, a mailbox, a response
//	.wacz           WACZ      the same
//	of a document   document  a message, a mailbox, an archive or a response, but only a sure one
//	none            as the beginning says
//
// All but .wacz are also ruled out by the beginning of a format that is not read (foreign.go).
// A beginning is sure if no text begins so: "From here on" or "Subject: x" may begin one, a
// separator with a date and a field of mail, or the fields of a mail server, do not.

// kindNamed returns the kind of messages and containers by the ending of their names, Other for
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
	case ".warc":
		return WARC
	case ".wacz":
		return WACZ
	}
	return Other
}

// Identity is what the name and the beginning of a file say of it.
type Identity struct {
	Kind     Kind
	Named    Kind   // what the name alone says, Other if nothing, or a kind that is not read
	Ending   string // the well-known ending of the name, "" if there is none
	Misnamed bool   // no file of the name begins so, and the beginning has decided
}

// Detect finds the kind of a file as Identify does.
func Detect(head []byte, name string) Kind { return Identify(head, name).Kind }

// Identify finds the kind of a file from its name, "" if it has none, and from the beginning of its
// content.
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
	f := foreignFormat(head, name)
	switch {
	case f != nil && begins == Other && named != WACZ && (container || f.sure):
		id.Kind = Other
		id.Named = named
		id.Misnamed = id.Ending != ""
		return id
	case container:
		id.Named = named
		id.contain(begins, head)
	case begins == Other || id.Ending != "" && !sure:
		if id.Kind == HTML && id.Ending == "" && name == "" && spoiledMessage(head) {
			id.Kind = Other // the tag stands in the body of a message, in a coding
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

// contain settles the kind of a file that is named as a message or a container.
func (id *Identity) contain(begins Kind, head []byte) {
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

// beginning returns the kind of message or container that head begins, Other if it begins none,
// and whether no document begins so.
func beginning(head []byte) (kind Kind, sure bool) {
	text := bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	if bytes.HasPrefix(head, []byte(zstdDictionary)) || isRecord(head) {
		return WARC, true
	}
	if isResponse(head) {
		return HTTP, true
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

// isRecord reports whether head begins with the first line of a record of a web archive, and a
// field if anything follows.
func isRecord(head []byte) bool {
	line, rest := cutLine(bytes.TrimLeft(head, "\r\n"))
	version, ok := bytes.CutPrefix(line, []byte("WARC/"))
	if !ok || !isVersion(bytes.TrimRight(version, " \t")) {
		return false
	}
	field, _ := cutLine(rest)
	return len(rest) == 0 || fieldName(field) != ""
}

// isResponse reports whether head begins with the status line of a response and a field.
func isResponse(head []byte) bool {
	line, rest := cutLine(head)
	line, ok := bytes.CutPrefix(line, []byte("HTTP/"))
	version, status, _ := bytes.Cut(line, []byte(" "))
	status = bytes.TrimLeft(status, " ")
	if !ok || !isVersion(version) || len(status) < 3 || !isNumber(status[:3]) || len(status) > 3 && status[3] != ' ' {
		return false
	}
	field, _ := cutLine(rest)
	return len(field) == 0 || fieldName(field) != ""
}

// isVersion reports whether b is a number, or two with a dot between them.
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

// wide reports whether head begins with the byte order mark of UTF-16.
func wide(head []byte) bool {
	return bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff"))
}

// zstdDictionary begins the frame with the dictionary that a web archive in zstd
// may begin with; nothing else has such a frame first.
const zstdDictionary = "\x5d\x2a\x4d\x18"

// spoiledMessage reports whether the header block of a message stands behind the first
// line of text, which is not one of its fields. The codings of its body would be taken for
// content if a tag in it made it a page.
func spoiledMessage(text []byte) bool {
	need := 2
	for rest := text[:min(len(text), 1024)]; len(rest) > 0 && need > 0; {
		var line []byte
		line, rest = cutLine(rest)
		if len(line) > 0 && line[0] == '<' {
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

// Fields that only a message has, and fields that other texts may begin with too.
var (
	strongFields = fieldSet("received return-path message-id mime-version content-type content-transfer-encoding " +
		"content-base content-location delivered-to dkim-signature snapshot-content-location x-mozilla-status " +
		"x-mailer references in-reply-to")
	weakFields = fieldSet("from to cc bcc subject date reply-to sender newsgroups path lines organization")
)

func fieldSet(names string) map[string]bool {
	set := make(map[string]bool)
	for _, n := range strings.Fields(names) {
		set[n] = true
	}
	return set
}

// isMailField reports whether messages have fields of a name, in lower case.
func isMailField(name string) bool {
	return strongFields[name] || weakFields[name] || strings.HasPrefix(name, "x-") ||
		slices.Contains(strings.Fields(mailFields), name)
}

// mailFields are other names of fields that the first one of a message in a mailbox may have.
const mailFields = ` status envelope-to authentication-results arc-seal arc-message-signature
	arc-authentication-results received-spf errors-to list-id list-post precedence resent-from resent-date resent-to
	resent-message-id xref approved content-length user-agent comments keywords `

// servers are the fields that programs write and that no text begins with, with the expression
// that their values match.
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

// headerBlock reports whether text begins with the header block of a message: one strong field or
// two weak ones, or a quoted separator of a mailbox and its field. Up to its first blank line
// nothing but fields and their continuations may stand in it before these are found. sure says that
// one of servers is among its fields, and another one of mail.
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
		line, rest = cutLine(rest)
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
		case strongFields[name]:
			need -= 2
		case weakFields[name]:
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
		line, rest = cutLine(rest)
		if len(line) == 0 {
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

// mailbox reports whether text begins with a From_ line that a header field, or a quoted one,
// follows. The From_ line has a date, or it has an address or a single word and the field is one
// of mail. sure says that it has a date and the field is one of mail.
func mailbox(text []byte) (found, sure bool) {
	line, rest := cutLine(bytes.TrimLeft(text, "\r\n\t "))
	if !bytes.HasPrefix(line, []byte("From ")) || fieldName(line) == "from" {
		return false, false
	}
	next, _ := cutLine(rest)
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

// dated matches a From_ line with a date, which no line of a text has by chance.
var dated = lazily(`\b(Sun|Mon|Tue|Wed|Thu|Fri|Sat)\b.*\b[0-9]{1,2}:[0-9]{2}(:[0-9]{2})?\b.*\b[0-9]{4}\b`)

// PlainRecordAt reports whether a record of a web archive begins at an offset without being
// compressed.
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
