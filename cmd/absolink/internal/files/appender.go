package files

import "os"

// writebackSize is the number of bytes that an Appender collects in the memory of the system.
const writebackSize = 8 << 20

// Appender writes a large new file from its beginning. Meanwhile the system writes the bytes to the
// disk, so that a flush at the end waits for few of them.
type Appender struct {
	f       *os.File
	size    int64 // bytes written so far
	started int64 // bytes whose write-back has started
}

// NewAppender returns an Appender to the empty file f.
func NewAppender(f *os.File) *Appender { return &Appender{f: f} }

// Write writes p at the end of the file.
func (a *Appender) Write(p []byte) (int, error) {
	n, err := a.f.Write(p)
	a.size += int64(n)
	if a.size-a.started >= writebackSize {
		startWriteback(a.f, a.started, a.size-a.started)
		a.started = a.size
	}
	return n, err
}
