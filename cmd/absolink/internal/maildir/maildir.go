// Package maildir splits the names of messages in a Maildir (https://cr.yp.to/proto/maildir.html),
// with the sizes that Courier and Dovecot add to them.
//
// A Maildir is a directory that contains cur and new. Each file in these two is one message. Files
// in tmp are still being delivered. A name is
//
//	UNIQUE,S=SIZE,W=VSIZE:2,FLAGS
//
// SIZE is the size of the file. VSIZE is the size with CRLF at the end of every line. A server
// trusts both sizes: if they are wrong, it fails to deliver the message to its clients. So a
// message whose size changes must be renamed.
package maildir

import (
	"path/filepath"
	"strconv"
	"strings"
)

// Unknown stands for a size that a name does not have.
const Unknown = -1

// Name is the name of a message, split into parts. A part that the name lacks is empty.
type Name struct {
	Unique string // differs from all other messages of the Maildir
	Fields string // everything between Unique and the flags, from the comma on: ",S=12,W=13"
	// the flags with the separator before them: ":2,FS"; ";2,FS" or "!2,FS" on a file system that
	// forbids colons
	Info string
}

// Split splits the base name of a file. It never fails: Split(s).String() == s for every s.
func Split(s string) Name {
	var n Name
	n.Unique, n.Info = cut(s, infoAt(s))
	n.Unique, n.Fields = cut(n.Unique, strings.IndexByte(n.Unique, ','))
	return n
}

// Key returns a key for the message at path, in new or cur of a Maildir: the Maildir and the unique
// name. The key stays the same when a mail program moves the message from new to cur, or changes
// the rest of its name. It is not a path.
func Key(path string) string {
	return filepath.Dir(filepath.Dir(path)) + "\x00" + Split(filepath.Base(path)).Unique
}

// Renamed returns the base name current with the Fields of the base name from. The unique name and
// the flags of current stay, because mail programs may have changed the flags since.
func Renamed(current, from string) string {
	n := Split(current)
	n.Fields = Split(from).Fields
	return n.String()
}

// String joins the parts of the name.
func (n Name) String() string { return n.Unique + n.Fields + n.Info }

func cut(s string, at int) (before, after string) {
	if at < 0 {
		return s, ""
	}
	return s[:at], s[at:]
}

// infoAt returns the start of the flags: the first colon, or else the first other separator, or -1.
func infoAt(s string) int {
	if i := strings.IndexByte(s, ':'); i >= 0 {
		return i
	}
	for i := range len(s) {
		if rest := s[i:]; strings.HasPrefix(rest, ";2,") || strings.HasPrefix(rest, "!2,") {
			return i
		}
	}
	return -1
}

// Sizes returns the sizes in the name, in bytes: disk is the size of the file, crlf its size with
// CRLF at the end of each line. Each is [Unknown] (-1) if the name does not have it.
func (n Name) Sizes() (disk, crlf int64) { return n.number("S="), n.number("W=") }

func (n Name) number(key string) int64 {
	for f := range strings.SplitSeq(n.Fields, ",") {
		if digits, ok := strings.CutPrefix(f, key); ok {
			if v, err := strconv.ParseUint(digits, 10, 63); err == nil {
				return int64(v)
			}
		}
	}
	return Unknown
}

// TellsSize reports whether the name has at least one size.
func (n Name) TellsSize() bool {
	disk, crlf := n.Sizes()
	return disk != Unknown || crlf != Unknown
}

// Telling returns the name with these sizes. A name without sizes gets both. A name with only one
// size gets only that one.
func (n Name) Telling(disk, crlf int64) Name {
	if !n.TellsSize() {
		n.Fields += ",S=0,W=0"
	}
	return n.With(disk, crlf)
}

// With returns the name with its sizes replaced by these. A size that the name does not have is
// never added.
func (n Name) With(disk, crlf int64) Name {
	fields := strings.Split(n.Fields, ",")
	for i, f := range fields {
		fields[i] = put(put(f, "S=", disk), "W=", crlf)
	}
	n.Fields = strings.Join(fields, ",")
	return n
}

// put returns field with its number replaced by size, if field is key and a number. Otherwise it
// returns field.
func put(field, key string, size int64) string {
	digits, ok := strings.CutPrefix(field, key)
	if _, err := strconv.ParseUint(digits, 10, 63); !ok || err != nil {
		return field
	}
	return key + strconv.FormatInt(size, 10)
}

// Agree reports whether the sizes in the name are these. A size that the name does not have agrees
// with any.
func (n Name) Agree(disk, crlf int64) bool { return n.With(disk, crlf) == n }
