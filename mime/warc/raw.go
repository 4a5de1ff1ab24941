package warc

import "io"

// raw reads the container from a file or a pipe. After damage, a search begins some bytes back, so
// the last bytes of a pipe are kept.
type raw struct {
	off int64 // offset of the next byte that Read returns
	err error // error of the reader, except io.EOF

	file io.ReaderAt // nil for a pipe
	base int64       // offset in file of the container's first byte
	size int64       // size of the container, in a file
	stop int64       // offset that no single Read crosses, because the bytes after it may be expensive; 0 if none

	most int64 // offset at which reading stops; 0 if none
	over bool  // most was reached

	pipe io.Reader
	last []byte // bytes before off, at least kept of them
	kept int
	back []byte // bytes that are read again before the pipe continues
}

// readBuffer is the number of bytes that are read at once.
const readBuffer = 64 << 10

// newRaw treats r as a file if r is an io.ReaderAt and can seek.
func newRaw(r io.Reader) *raw {
	at, ok := r.(io.ReaderAt)
	seeker, can := r.(io.Seeker)
	if ok && can {
		if base, err := seeker.Seek(0, io.SeekCurrent); err == nil {
			if end, err := seeker.Seek(0, io.SeekEnd); err == nil {
				if _, err = seeker.Seek(base, io.SeekStart); err == nil {
					return &raw{file: at, base: base, size: end - base}
				}
			}
		}
	}
	return &raw{pipe: r}
}

// anew returns the same file, at its start.
func (r *raw) anew() *raw { return &raw{file: r.file, base: r.base, size: r.size} }

// Read reads the next bytes. An error of the reader ends the container and is kept in err.
func (r *raw) Read(p []byte) (n int, err error) {
	switch {
	case len(p) == 0:
		return 0, nil
	case r.most > 0 && r.off >= r.most:
		r.over = true
		return 0, io.EOF
	case r.file != nil:
		if left := r.stop - r.off; left > 0 && left < int64(len(p)) {
			p = p[:left]
		}
		if n, err = r.file.ReadAt(p, r.base+r.off); n > 0 {
			err = nil
		}
	case len(r.back) > 0:
		n = copy(p, r.back)
		r.back = r.back[n:]
		r.keep(p[:n])
	case r.err != nil:
		return 0, io.EOF
	default:
		n, err = readSome(r.pipe, p)
		r.keep(p[:n])
	}
	r.off += int64(n)
	if err != nil && err != io.EOF {
		r.err, err = err, io.EOF
	}
	if n > 0 {
		err = nil
	}
	return n, err
}

// readSome reads at least one byte, or returns an error.
func readSome(r io.Reader, p []byte) (n int, err error) {
	for range 100 {
		if n, err = r.Read(p); n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}

// keep adds p to the last bytes of a pipe.
func (r *raw) keep(p []byte) {
	if len(r.last)+len(p) > 2*r.kept+readBuffer {
		r.last = append(r.last[:0], r.last[max(0, len(r.last)-r.kept):]...)
	}
	r.last = append(r.last, p...)
}

// keepFor sets how many bytes of a pipe are kept: the distance that a search goes back after
// damage, and the bytes that are read ahead.
func (r *raw) keepFor(kind codec, ahead int) { r.kept = int(kind.back()) + ahead }

// unread gives back bytes that Read has returned last.
func (r *raw) unread(b []byte) bool {
	if r.file != nil {
		r.off -= int64(len(b))
		return true
	}
	r.back = append(append([]byte(nil), b...), r.back...)
	r.last = r.last[:max(0, len(r.last)-len(b))]
	r.off -= int64(len(b))
	return true
}

// seek goes to an offset. In a pipe it can go only a limited distance back. It reports whether it
// succeeded.
func (r *raw) seek(to int64) bool {
	if r.file != nil {
		r.off = to
		return true
	}
	n := r.off - to
	if n < 0 || n > int64(len(r.last)) {
		return false
	}
	cut := len(r.last) - int(n)
	r.back = append(append([]byte(nil), r.last[cut:]...), r.back...)
	r.last, r.off = r.last[:cut], to
	return true
}
