// Package maildir tells what a Maildir is, and what the names of its messages
// say: https://cr.yp.to/proto/maildir.html, with the sizes that Courier and Dovecot
// add to them.
//
// A Maildir is a directory with cur and new in it. Each file there is one message;
// what stands in tmp is still being delivered. A name is
//
//	UNIQUE,S=SIZE,W=VSIZE:2,FLAGS
//
// where SIZE is that of the file, and VSIZE the size with CRLF at the end of every
// line. Both are hints that a server trusts: when they are wrong it fails to give
// the message out. A message that changes its size has to change its name.
package maildir

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Is reports whether the directory dir is a Maildir: it has cur and new.
func Is(dir string) bool {
	return isDir(filepath.Join(dir, "cur")) && isDir(filepath.Join(dir, "new"))
}

// Holds reports whether the file path is a message of a Maildir, by where it stands.
func Holds(path string) bool {
	dir, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return false
	}
	base := filepath.Base(dir)
	return (base == "cur" || base == "new") && Is(filepath.Dir(dir))
}

// indexes are the files in which Dovecot remembers the messages of a Maildir.
var indexes = []string{"dovecot-uidlist", "dovecot.index", "dovecot.index.log", "dovecot.index.cache"}

// Indexed reports whether Dovecot remembers the messages of the Maildir dir, by the files
// that it keeps there: the sizes too, as far as it has been asked for them. It may be set up
// to keep them elsewhere.
func Indexed(dir string) bool {
	return slices.ContainsFunc(indexes, func(name string) bool {
		_, err := os.Lstat(filepath.Join(dir, name))
		return err == nil
	})
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Unknown is a size that a name does not tell.
const Unknown = -1

// Name is the name of a message, taken apart. A part is "" if the name lacks it.
type Name struct {
	Unique string // what no other message of the Maildir has
	Fields string // what stands between it and the flags, from the comma on: ",S=12,W=13"
	Info   string // the flags with what sets them off: ":2,FS"; where a file system forbids colons ";2,FS" or "!2,FS"
}

// Split takes the base name of a file apart. It never fails: Split(s).String() == s for
// every s.
func Split(s string) Name {
	var n Name
	n.Unique, n.Info = cut(s, infoAt(s))
	n.Unique, n.Fields = cut(n.Unique, strings.IndexByte(n.Unique, ','))
	return n
}

// String puts the name together again.
func (n Name) String() string { return n.Unique + n.Fields + n.Info }

func cut(s string, at int) (before, after string) {
	if at < 0 {
		return s, ""
	}
	return s[:at], s[at:]
}

// infoAt returns where the flags begin: at the first colon, else at the first
// other sign that is used in its place.
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

// Sizes returns the sizes that the name tells, [Unknown] (-1) where it tells none.
func (n Name) Sizes() Sizes {
	return Sizes{n.number("S="), n.number("W=")}
}

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

// TellsSize reports whether the name tells a size.
func (n Name) TellsSize() bool {
	s := n.Sizes()
	return s.Disk != Unknown || s.CRLF != Unknown
}

// Telling returns the name with the sizes s, also where it told none.
func (n Name) Telling(s Sizes) Name {
	if !n.TellsSize() {
		n.Fields += ",S=0,W=0"
	}
	return n.With(s)
}

// With returns the name with the sizes s in the place of those that it tells.
// A size that it does not tell is not added.
func (n Name) With(s Sizes) Name {
	fields := strings.Split(n.Fields, ",")
	for i, f := range fields {
		fields[i] = put(put(f, "S=", s.Disk), "W=", s.CRLF)
	}
	n.Fields = strings.Join(fields, ",")
	return n
}

// put replaces the number behind key, if that is what field is.
func put(field, key string, size int64) string {
	digits, ok := strings.CutPrefix(field, key)
	if _, err := strconv.ParseUint(digits, 10, 63); !ok || err != nil {
		return field
	}
	return key + strconv.FormatInt(size, 10)
}

// Sizes are the two sizes of a message.
type Sizes struct {
	Disk int64 // bytes of the file
	CRLF int64 // bytes with CRLF at the end of each line
}

// Agree reports whether what the name tells, if it tells anything, is s.
func (n Name) Agree(s Sizes) bool { return n.With(s) == n }

// Counter is a writer that counts the sizes of a message. The zero value is ready.
type Counter struct {
	Sizes
	cr bool // the last byte was a CR
}

// Write counts p, a piece of any length, and never fails.
func (c *Counter) Write(p []byte) (int, error) {
	lf := bytes.Count(p, []byte{'\n'})
	crlf := bytes.Count(p, []byte("\r\n"))
	if c.cr && len(p) > 0 && p[0] == '\n' {
		crlf++
	}
	if len(p) > 0 {
		c.cr = p[len(p)-1] == '\r'
	}
	c.Disk += int64(len(p))
	c.CRLF += int64(len(p) + lf - crlf)
	return len(p), nil
}
