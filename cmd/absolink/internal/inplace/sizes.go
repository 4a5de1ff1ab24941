package inplace

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"

	"absolink/cmd/absolink/internal/coding"
)

// indexes has the names of the files of Dovecot's index. Dovecot stores the sizes of the messages
// of a Maildir in them.
var indexes = []string{"dovecot-uidlist", "dovecot.index", "dovecot.index.log", "dovecot.index.cache"}

// hasIndex reports whether Dovecot's index is in the Maildir at dir. If Dovecot keeps the index
// elsewhere, hasIndex returns false.
func hasIndex(dir string) bool {
	return slices.ContainsFunc(indexes, func(name string) bool {
		_, err := os.Lstat(filepath.Join(dir, name))
		return err == nil
	})
}

// Sizes are the two sizes of a message in bytes.
type Sizes struct {
	Disk int64 // with the line ends in the file
	CRLF int64 // with CRLF at the end of each line
}

// sizesOfStored returns the sizes of a message. name is the base name of its file, stored are the
// bytes of the file, and size is their number. If the file is compressed, the sizes are those of
// its decompressed content.
func sizesOfStored(name string, stored io.ReaderAt, size int64) (Sizes, error) {
	file := io.NewSectionReader(stored, 0, size)
	var head [16]byte
	n, err := file.ReadAt(head[:], 0)
	if err != nil && err != io.EOF {
		return Sizes{}, err
	}
	content, err := coding.Detect(head[:n], name).File(file)
	if err != nil {
		return Sizes{}, err
	}
	defer content.Close()
	var c counter
	_, err = io.Copy(&c, content)
	return c.Sizes, err
}

// counter is a writer that counts the Sizes of all text that is written to it. The zero value is
// ready to use.
type counter struct {
	Sizes
	cr bool // the last byte was a CR
}

// Write adds the sizes of p to the Sizes of c. It never fails.
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
