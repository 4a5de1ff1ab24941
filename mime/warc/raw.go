package warc

import "io"

// raw reads the stored bytes of the container, from a file or a pipe. After damage, the search for
// the next record begins before the offset of the damage. So raw keeps the last bytes of a pipe.
type raw struct {
	off int64 // offset of the next byte that Read returns
	err error // the first error of the file or pipe, except io.EOF

	file      io.ReaderAt // nil for a pipe
	fileStart int64       // offset in file of the first byte of the container
	size      int64       // size of the container, if it is a file

	// rangeEnd is Options.End. No Read of a file crosses it: the file may be on a server, and bytes
	// after the range would be fetched in vain.
	rangeEnd int64

	limit     int64 // offset at which reading stops; 0 if there is no limit
	overLimit bool  // a Read was refused because of limit

	pipe       io.Reader
	pushedBack []byte // bytes that Read returns before it reads the pipe again
	recent     []byte // the bytes before off, at least keepSize of them
	keepSize   int
}

// readBuffer is the number of stored bytes that are read at once.
const readBuffer = 64 << 10

// newRaw returns a raw that begins at the current position of r. r counts as a file if it is an
// io.ReaderAt and can seek. Otherwise r counts as a pipe.
func newRaw(r io.Reader) *raw {
	at, ok := r.(io.ReaderAt)
	seeker, can := r.(io.Seeker)
	if ok && can {
		if start, err := seeker.Seek(0, io.SeekCurrent); err == nil {
			if end, err := seeker.Seek(0, io.SeekEnd); err == nil {
				if _, err = seeker.Seek(start, io.SeekStart); err == nil {
					return &raw{file: at, fileStart: start, size: end - start}
				}
			}
		}
	}
	return &raw{pipe: r}
}

// reopen returns another raw of the same file. It begins at the start of the container.
func (r *raw) reopen() *raw { return &raw{file: r.file, fileStart: r.fileStart, size: r.size} }

// Read reads the next bytes into p, which must not be empty. If the file or pipe fails, Read sets
// r.err and returns io.EOF. A pipe may return its last bytes together with io.EOF.
func (r *raw) Read(p []byte) (n int, err error) {
	switch {
	case r.limit > 0 && r.off >= r.limit:
		r.overLimit = true
		return 0, io.EOF
	case r.file != nil:
		if left := r.rangeEnd - r.off; left > 0 && left < int64(len(p)) {
			p = p[:left]
		}
		if n, err = r.file.ReadAt(p, r.fileStart+r.off); n > 0 {
			err = nil
		}
	case len(r.pushedBack) > 0:
		n = copy(p, r.pushedBack)
		r.pushedBack = r.pushedBack[n:]
		r.remember(p[:n])
	case r.err != nil:
		return 0, io.EOF
	default:
		n, err = readSome(r.pipe, p)
		r.remember(p[:n])
	}
	r.off += int64(n)
	if err != nil && err != io.EOF {
		r.err, err = err, io.EOF
	}
	return n, err
}

// maxEmptyReads is the number of successive reads that may return no byte. After that, the pipe
// counts as broken.
const maxEmptyReads = 100

// readSome reads at least one byte, or returns an error.
func readSome(r io.Reader, p []byte) (n int, err error) {
	for range maxEmptyReads {
		if n, err = r.Read(p); n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}

// remember adds p to the recent bytes of a pipe.
func (r *raw) remember(p []byte) {
	if len(r.recent)+len(p) > 2*r.keepSize+readBuffer {
		r.recent = append(r.recent[:0], r.recent[max(0, len(r.recent)-r.keepSize):]...)
	}
	r.recent = append(r.recent, p...)
}

// unread makes Read return b again. b holds the bytes before off.
func (r *raw) unread(b []byte) {
	r.off -= int64(len(b))
	if r.file == nil {
		r.pushedBack = append(append([]byte(nil), b...), r.pushedBack...)
		r.recent = r.recent[:max(0, len(r.recent)-len(b))]
	}
}

// seek goes to an offset of the container, and returns true if it succeeded. A pipe can only go
// back, and only over the recent bytes.
func (r *raw) seek(to int64) bool {
	if r.file != nil {
		r.off = to
		return true
	}
	n := r.off - to
	if n < 0 || n > int64(len(r.recent)) {
		return false
	}
	cut := len(r.recent) - int(n)
	r.pushedBack = append(append([]byte(nil), r.recent[cut:]...), r.pushedBack...)
	r.recent, r.off = r.recent[:cut], to
	return true
}
