package kinds

import (
	"bytes"
	"path"
	"strings"
)

// Foreign is a format that is not read, with a command that converts it.
type Foreign struct {
	start   string                              // the first bytes of a file
	matches func(head []byte, name string) bool // a second condition, or nil
	name    string
	advice  string
	Mail    bool // the format holds mail, so its files are reported in directories, too
	sure    bool // no text begins with start, so the name of the file does not count
}

// foreigns are the formats that other programs convert.
var foreigns = []Foreign{
	{start: "!BDN", name: "a mailbox of Outlook (.pst, .ost)", Mail: true,
		advice: `"readpst -e -o DIR FILE" (package pst-utils) makes .eml files of it`},
	{start: "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", matches: isOutlookMessage,
		name: "a message of Outlook (.msg)", Mail: true,
		advice: `"msgconvert FILE" (package libemail-outlook-message-perl) makes an .eml of it`},
	{start: "\xcf\xad\x12\xfe", name: "a mailbox of Outlook Express (.dbx)", Mail: true,
		advice: `"undbx FILE DIR" (package undbx) makes .eml files of it`},
	{start: "\x01\x01\x01\x01", matches: isMMDF, name: "a mailbox in the format MMDF",
		Mail: true, sure: true, advice: converted("MMDF")},
	{start: "BABYL OPTIONS:", name: "a mailbox in the format Babyl, of Rmail",
		Mail: true, sure: true, advice: converted("Babyl")},
	{start: "\xfe\xff", matches: isWideMail, name: wideName, Mail: true, advice: narrowed("UTF-16")},
	{start: "\x00", matches: isWideMail, name: wideName, Mail: true, advice: narrowed("UTF-16BE")},
	{start: "\xff\xfe", matches: isWideMail, name: wideName, Mail: true, advice: narrowed("UTF-16")},
	{matches: isWideMail, name: wideName, Mail: true, advice: narrowed("UTF-16LE")},
	{start: "%PDF-", name: "a PDF", advice: `"pdftohtml -s FILE" (package poppler-utils) makes HTML of it`},
	{start: "\xfd7zXZ\x00", name: "a file in the coding xz",
		advice: `"xz -dc FILE > NEW" (package xz-utils) undoes it`},
	{start: "PK\x03\x04", name: "a zip archive", advice: `"unzip FILE -d DIR" (package unzip) takes its files out`},
	{start: "PK\x05\x06", name: "a zip archive", advice: `"unzip FILE -d DIR" (package unzip) takes its files out`},
	{matches: isTar, name: "a tar archive", advice: `"tar -xf FILE -C DIR" takes its files out`},
}

// wideName is the name of the formats that isWideMail accepts.
const wideName = "a message, mailbox or archive in UTF-16, as PowerShell writes it with >"

// narrowed returns the advice for text in a charset of UTF-16.
func narrowed(charset string) string {
	return `"iconv -f ` + charset + ` -t UTF-8 FILE > NEW" makes it readable`
}

// foreignEndings lists the endings of foreigns and of compressed files.
var foreignEndings = []string{".pst", ".ost", ".msg", ".dbx", ".pdf", ".xz", ".zip", ".tar", ".tgz", ".gz", ".zst",
	".bz2"}

// converted returns the advice for a mailbox in a format of Python's mailbox module.
func converted(format string) string {
	return `"python3 -c 'import mailbox as m, sys; old = m.` + format + `(sys.argv[1]); new = m.mbox(sys.argv[2]); ` +
		`[new.add(old.get_bytes(k)) for k in old.keys()]; new.close()' FILE NEW.mbox" makes an mbox file of it`
}

// ForeignOf returns the format in foreigns of a file that begins with head, or nil.
func ForeignOf(head []byte, name string) *Foreign {
	for i := range foreigns {
		f := &foreigns[i]
		if bytes.HasPrefix(head, []byte(f.start)) && (f.matches == nil || f.matches(head, name)) {
			return f
		}
	}
	return nil
}

// String returns a message that the format is not read, with the advice.
func (f *Foreign) String() string { return f.name + ", which is not read; " + f.advice }

// isOutlookMessage reports whether an OLE file is a message, by its name or by the names in it.
func isOutlookMessage(head []byte, name string) bool {
	return strings.EqualFold(path.Ext(name), ".msg") ||
		bytes.Contains(head, []byte("_\x00_\x00s\x00u\x00b\x00s\x00t\x00g\x001\x00"))
}

// isMMDF reports whether the first line of head has only the separator of messages in MMDF.
func isMMDF(head []byte, _ string) bool {
	line, _ := CutLine(head)
	return len(line) == len("\x01\x01\x01\x01")
}

// isTar reports whether head begins with the header of a tar archive (POSIX ustar, GNU).
func isTar(head []byte, _ string) bool {
	const magic = 257
	return len(head) >= 512 && bytes.HasPrefix(head[magic:], []byte("ustar"))
}

// isWideMail reports whether head begins like a message, mailbox or archive that a program has
// converted to UTF-16, with or without a byte order mark. These formats consist of bytes, so no
// charset fits them.
func isWideMail(head []byte, name string) bool {
	text := head
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		text = head[2:]
	}
	if len(text) < 2 || (text[0] == 0) == (text[1] == 0) {
		return false
	}
	zero := 1 // the byte of each pair that is zero in ASCII
	if text[0] == 0 {
		zero = 0
	}
	narrow := make([]byte, 0, min(len(text), maxWide)/2)
	for i := 0; i+1 < len(text) && len(narrow) < maxWide/2; i += 2 {
		c := text[i+1-zero]
		if text[i+zero] != 0 {
			c = '?'
		}
		narrow = append(narrow, c)
	}
	kind, _ := beginning(narrow)
	return kind != Other
}

// maxWide is the number of bytes that isWideMail reads.
const maxWide = 8 << 10
