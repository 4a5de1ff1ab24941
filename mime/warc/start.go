package warc

import (
	"bytes"
	"fmt"
	"io"
)

// startMode is the way in which a Reader finds its first record.
type startMode int

const (
	// startTop reads from the beginning of the archive, and skips the records before Options.Start.
	startTop startMode = iota
	// startSearch searches a file for the first record of the range (sync.go).
	startSearch
	// startKnown goes to Options.Start, because the options say that a record begins there.
	startKnown
	// startMember goes to Options.Start in a file of gzip members. A Reader of the same file has
	// found a member there that begins with a record.
	startMember
	// startGuess takes the first member after Options.Start that begins with a record (guess.go).
	startGuess
)

// startFor returns the mode for the options of a caller.
func startFor(in *raw, o Options) startMode {
	isFile := in.file != nil
	switch {
	case (o.Aligned || o.Indexed) && (isFile || o.Start == 0):
		return startKnown
	case o.Start > 0 && isFile:
		return startSearch
	}
	return startTop
}

// toFirstRecord moves the window to the first record of the range, or to the end of the range.
func (r *Reader) toFirstRecord() {
	r.w.src = r.newSource(r.firstBytes())
	_, r.w.plain = r.w.src.(plain)
	switch r.start {
	case startTop:
		r.startAtTop()
	case startSearch:
		if !r.seekFirst() {
			r.readPreamble()
		}
		r.skipToRange()
	case startKnown, startMember:
		r.startAtKnown()
	case startGuess:
		r.startOnGuess()
	}
}

// firstBytes returns bytes that tell the kind of the container: its first bytes. With startKnown,
// the bytes at Options.Start suffice if they begin a plain record or a gzip member. Then nothing
// else of the file is read.
func (r *Reader) firstBytes() []byte {
	if r.start == startKnown {
		if b := r.peek(r.o.Start); startsWithWARC(b) || gzipMagic(b) == 0 {
			return b
		}
	}
	return r.peek(0)
}

// peek returns the bytes at an offset of the container, and then goes to its beginning. In a pipe
// the offset must be 0.
func (r *Reader) peek(off int64) []byte {
	var b [8]byte
	r.raw.seek(off)
	n, _ := io.ReadFull(r.raw, b[:]) // raw keeps the error, and readNext returns it
	r.raw.seek(0)                    // a pipe still has these bytes
	return b[:n]
}

// newSource returns the source for a container that begins with first.
func (r *Reader) newSource(first []byte) source {
	switch {
	case gzipMagic(first) == 0:
		return r.gzipMembers()
	case zstdMagic(first) == 0:
		return r.zstdFrames()
	}
	return plain{r.raw}
}

// gzipMembers returns the members of a gzip file. It reuses the memory of the members that r has
// read before Reset.
func (r *Reader) gzipMembers() *members {
	if s, ok := r.w.src.(*members); ok {
		if _, ok := s.kind.(*gzipCodec); ok {
			s.reset(r.raw, r.o.Indexed)
			return s
		}
	}
	return newMembers(r.raw, new(gzipCodec), readBuffer, r.o.Indexed)
}

// zstdFrames returns the members of a zstd file. It reads the dictionary, if there is one.
func (r *Reader) zstdFrames() *members {
	s := newMembers(r.raw, new(zstdCodec), 4*readBuffer, r.o.Indexed)
	codec, err := newZstd(s.br)
	s.kind = codec
	s.first = s.offset()
	if err != nil {
		s.report(0, err.Error())
	}
	return s
}

// startAtTop moves to the first record of the range from the beginning of the archive.
func (r *Reader) startAtTop() {
	if r.w.plain && r.o.Start <= 0 {
		r.w.line = 1
	}
	r.readPreamble()
	r.skipToRange()
}

// startAtKnown goes to the record that begins at Options.Start.
func (r *Reader) startAtKnown() {
	if !r.w.src.open(r.o.Start) {
		r.startAtTop() // Start is 0, and a pipe cannot go back to the start of a large dictionary
		return
	}
	if r.w.plain {
		r.w.pos = r.o.Start
		r.w.line = 1
		return
	}
	if !r.w.atEnd() && !r.atRecord() {
		r.scanToRecord() // the member begins with the end of the record before
	}
}

// readPreamble advances from the beginning of the archive to the first record. If bytes before that
// record have defects, r.preamble is a Record of them.
func (r *Reader) readPreamble() {
	rec := &Record{Line: r.w.line, Compressed: !r.w.plain}
	off := r.w.offset()
	n := r.w.fill(len(arcStart))
	switch {
	case r.w.atEnd() || r.atRecord():
	case bytes.HasPrefix(r.w.buf[:n], []byte(arcStart)):
		rec.report(off, "ARC, the format before WARC, is not read")
		r.scanToRecord()
	default:
		rec.report(off, fmt.Sprintf("%d bytes before the first record", r.scanToRecord()))
	}
	rec.End = r.endOffset()
	rec.Defects = append(rec.Defects, r.w.takeDefects()...)
	if len(rec.Defects) > 0 && r.o.Start == 0 {
		r.preamble = rec
	}
}

// arcStart begins the files of the format ARC.
const arcStart = "filedesc:"

// skipToRange advances over the records before Options.Start.
func (r *Reader) skipToRange() {
	if r.o.Start <= 0 {
		return
	}
	var rec Record
	for !r.w.atEnd() {
		r.switchToMembers()
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
