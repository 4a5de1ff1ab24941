package warc

import (
	"fmt"
	"io"
)

// startMode says how a Reader finds its first record.
type startMode int

const (
	// modeTop reads from the beginning of the archive, and skips the records before Options.Start.
	modeTop startMode = iota
	// modeSearch searches a file for the first record of the range (rangestart.go).
	modeSearch
	// modeKnown goes to Options.Start, because the options say that a record begins there.
	modeKnown
	// modeMember goes to Options.Start in a file of gzip members. Another Reader has found that a
	// member begins there with a record.
	modeMember
	// modeGuess goes to the first member that begins with a record, at or after Options.Start. That
	// member may lie inside a record (guess.go).
	modeGuess
)

// modeFor returns the mode for the options of a caller.
func modeFor(in *raw, o Options) startMode {
	isFile := in.file != nil
	switch {
	case (o.Aligned || o.Indexed) && (isFile || o.Start == 0):
		return modeKnown
	case o.Start > 0 && isFile:
		return modeSearch
	}
	return modeTop
}

// toFirstRecord moves the window to the first record of the range, or to the end of the range.
func (r *Reader) toFirstRecord() {
	first := r.firstBytes()
	r.arc = r.isARC(first)
	r.w.src = r.newSource(first)
	_, r.w.plain = r.w.src.(plain)
	switch r.mode {
	case modeTop:
		r.startAtTop()
	case modeSearch:
		if !r.seekFirst() {
			r.readPreamble()
		}
		r.skipToRange()
	case modeKnown, modeMember:
		r.startAtKnown()
	case modeGuess:
		r.startOnGuess()
	}
}

// firstBytes returns the bytes that tell the kind of the container. Usually these are its first
// bytes. With modeKnown, they are the bytes at Options.Start if a plain record or a gzip member
// begins there. Then the start of the file is not read.
func (r *Reader) firstBytes() []byte {
	if r.mode == modeKnown {
		b := r.peek(r.o.Start, maxMagic)
		if startsWithWARC(b) || gzipMagic(b) == 0 {
			return b
		}
		if zstdMagic(b) != 0 { // b is no zstd frame, so it may begin the line of an ARC record
			b = r.peekLine(r.o.Start)
			if startsWithARC(b) {
				return b
			}
		}
	}
	return r.peek(0, maxMagic)
}

// maxMagic is the number of bytes that tell the kind of a container.
const maxMagic = 8

// peek returns up to n bytes from an offset of the container on. After that, the container is read
// from its beginning. In a pipe the offset must be 0.
func (r *Reader) peek(off int64, n int) []byte {
	b := make([]byte, n)
	r.raw.seek(off)
	n, _ = io.ReadFull(r.raw, b) // raw keeps the error, and readNext returns it
	r.raw.seek(0)                // a pipe still has these bytes
	return b[:n]
}

// peekLine returns up to maxLine bytes from an offset of the container on, so that startsWithARC
// can examine them. If the bytes of the range are enough, it returns only those: a server may have
// to send the bytes after the range.
func (r *Reader) peekLine(off int64) []byte {
	if b := r.peek(off, r.inRange(off, maxLine)); startsWithARC(b) {
		return b
	}
	return r.peek(off, maxLine)
}

// inRange returns the number of bytes, at most n, from the offset off to the end of the range. If
// no range ends after off, it returns n.
func (r *Reader) inRange(off int64, n int) int {
	if left := r.raw.rangeEnd - off; left > 0 {
		return int(min(int64(n), left))
	}
	return n
}

// newSource returns the source for a container. first is the result of firstBytes.
func (r *Reader) newSource(first []byte) source {
	switch {
	case gzipMagic(first) == 0:
		return r.gzipMembers()
	case zstdMagic(first) == 0:
		return r.zstdFrames()
	}
	return plain{r.raw}
}

// stopsAtRangeEnd reports whether r reads no member that begins at the end of the range.
func (r *Reader) stopsAtRangeEnd() bool { return r.o.Indexed && r.o.End > 0 }

// gzipMembers returns the source for a gzip file. If r read another gzip file before Reset,
// gzipMembers reuses the memory of that source.
func (r *Reader) gzipMembers() *members {
	if s, ok := r.w.src.(*members); ok {
		if _, ok := s.codec.(*gzipCodec); ok {
			s.arc = r.arc
			s.reset(r.raw, r.stopsAtRangeEnd())
			return s
		}
	}
	s := newMembers(r.raw, new(gzipCodec), readBuffer, r.stopsAtRangeEnd())
	s.arc = r.arc
	return s
}

// zstdFrames returns the source for a zstd file. It reads the dictionary, if there is one.
func (r *Reader) zstdFrames() *members {
	s := newMembers(r.raw, new(zstdCodec), 4*readBuffer, r.stopsAtRangeEnd())
	frames, err := newZstd(s.br)
	s.codec = frames
	s.first = s.offset()
	if err != nil {
		s.report(0, err.Error())
	}
	return s
}

// startAtTop reads from the beginning of the archive up to the first record of the range.
func (r *Reader) startAtTop() {
	if r.w.plain && r.o.Start == 0 {
		r.w.line = 1
	}
	r.readPreamble()
	r.skipToRange()
}

// startAtKnown goes to the record that begins at Options.Start.
func (r *Reader) startAtKnown() {
	if !r.w.src.open(r.o.Start) {
		r.startAtTop() // a pipe, with a dictionary at its start that is larger than the bytes that raw keeps
		return
	}
	if r.w.plain {
		r.w.pos = r.o.Start
		r.w.line = 1
		return
	}
	if !r.w.atEnd() && !r.atRecord() {
		r.scanToRecord() // the member begins with the end of the previous record
	}
}

// readPreamble advances from the beginning of the archive to the first record. If it finds defects
// on the way, and Options.Start is 0, it sets r.preamble to a Record with these defects.
func (r *Reader) readPreamble() {
	rec := &Record{Line: r.w.line, Compressed: !r.w.plain}
	off := r.w.offset()
	if !r.w.atEnd() && !r.atRecord() {
		rec.report(off, fmt.Sprintf("%d bytes before the first record", r.scanToRecord()))
	}
	rec.End = r.endOffset()
	rec.addAll(r.w.drainDefects())
	if len(rec.Defects) > 0 && r.o.Start == 0 {
		r.preamble = rec
	}
}

// skipToRange advances over the records before Options.Start.
func (r *Reader) skipToRange() {
	if r.o.Start == 0 {
		return
	}
	var rec Record
	for r.beforeRecord() {
		off := r.w.offset()
		if off >= r.o.Start || r.o.End > 0 && off >= r.o.End {
			return
		}
		if !r.seekNext() {
			r.parse(&rec, off)
			rec.Release()
		}
	}
}
