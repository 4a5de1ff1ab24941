package inplace

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
)

// indexes are the files in which Dovecot stores facts about the messages of a Maildir.
var indexes = []string{"dovecot-uidlist", "dovecot.index", "dovecot.index.log", "dovecot.index.cache"}

// indexed reports whether Dovecot keeps its index in the Maildir dir. The index may have the sizes
// of messages. Dovecot may be configured to keep it elsewhere.
func indexed(dir string) bool {
	return slices.ContainsFunc(indexes, func(name string) bool {
		_, err := os.Lstat(filepath.Join(dir, name))
		return err == nil
	})
}

// Sizes are the two sizes of a message.
type Sizes struct {
	Disk int64 // bytes of the file
	CRLF int64 // bytes with CRLF at the end of each line
}

// counter is a writer that counts the sizes of a message. The zero value is ready.
type counter struct {
	Sizes
	cr bool // the last byte was a CR
}

// Write counts p, a piece of any length, and never fails.
func (c *counter) Write(p []byte) (int, error) {
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
