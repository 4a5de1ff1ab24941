package mbox

import (
	"bytes"
	"fmt"
	"io"
	"iter"

	"absolink/mime"
)

// The Reader finds each line that begins with "From ", and asks separatorLen if the line is a
// separator. Meanwhile the bytes of the message stay in the window. If they become too many, they
// move to a store. The store holds up to Options.Hold bytes in memory. A larger message stays in
// the file, or goes to a temporary file if the mailbox comes from a pipe.
//
// In CL and CL2 the Reader first examines the offset to which Content-Length leads. If the field is
// valid, the body ends there, even if a line before it looks like a separator. Otherwise the Reader
// searches for the separator as in the other variants.

const (
	headSize   = 64 << 10 // number of bytes at the start of the mailbox that are searched for a line end
	maxHeader  = 1 << 20  // size in bytes of the largest header that readHeader finds
	maxDefects = 20       // largest number of defects that a message has
)

// Reader cuts a mailbox into messages. It is not safe for concurrent use, but any goroutine may use
// and release its messages.
type Reader struct {
	o     Options
	src   *source
	w     *window
	store store

	eol     byte // byte that ends lines: LF or CR; 0 before the first message
	seeker  seeker
	started bool
	err     error // returned by Next from now on

	next   int64 // start of the next message
	bomLen int   // length of the byte order mark before the separator of the next message
	sepLen int   // length of the separator of the next message
	number int   // number of the message that was returned last
	line   int64 // line number at w.need, or 0 if it is unknown
}

// NewReader returns a Reader of the mailbox in r. The mailbox begins at the current position of r.
//
// If r is an io.ReaderAt and can seek, as a file can, the Reader calls ReadAt. Messages above
// Options.Hold then also read from r, and so does [Message.Admit]. So r must not change until the
// messages are released. Any other r is read from start to end, as a pipe.
func NewReader(r io.Reader, o Options) *Reader {
	return newReader(r, o, windowSize)
}

func newReader(r io.Reader, o Options, window int) *Reader {
	o = o.withDefaults()
	src := newSource(r, o.TempDir)
	st := store{src: src, maxInMemory: o.Hold, dir: o.TempDir}
	return &Reader{o: o, src: src, w: newWindow(src, window), store: st}
}

// All yields all messages that Next has not returned yet. If reading fails, All last yields nil and
// the error of [Reader.Next]. The caller must release each message.
func (r *Reader) All() iter.Seq2[*Message, error] {
	return func(yield func(*Message, error) bool) {
		for {
			m, err := r.Next()
			if err == io.EOF || !yield(m, err) || err != nil {
				return
			}
		}
	}
}

// Next returns the next message, or io.EOF after the last message. Any other error comes from
// reading the mailbox or from a temporary file. Next does not return a message that it could not
// read to its end. After an error, all further calls return the same error.
func (r *Reader) Next() (*Message, error) {
	if r.err != nil {
		return nil, r.err
	}
	if !r.started {
		if err := r.toFirstMessage(); err != nil {
			return nil, r.fail(err)
		}
		r.started = true
	}
	v, err := r.w.view(r.next, lookahead)
	switch {
	case err != nil:
		return nil, r.fail(err)
	case len(v) == 0 || r.o.End > 0 && r.next >= r.o.End:
		return nil, r.fail(io.EOF)
	}
	m := r.newMessage(v)
	head, err := r.readHeader(r.next + m.Content.Start)
	if err != nil {
		return nil, r.fail(err)
	}
	end, sep, err := r.findEnd(m, head)
	if err != nil {
		return nil, r.fail(err)
	}
	if err := r.complete(m, end); err != nil {
		return nil, r.fail(err)
	}
	r.next = end
	r.bomLen = 0
	r.sepLen = sep
	return m, nil
}

// fail ends the reading. It frees the memory of the Reader, and returns the error that Next returns
// from now on.
func (r *Reader) fail(err error) error {
	r.w.close()
	r.src.removeUser()
	r.store.drop()
	r.err = err
	if err != io.EOF {
		r.err = fmt.Errorf("reading the message at offset %d: %w", r.next, err)
	}
	return r.err
}

// toFirstMessage sets r.eol, and goes to the first message of the range.
func (r *Reader) toFirstMessage() error {
	head, err := r.firstBytes()
	if err != nil {
		return err
	}
	if r.eol == 0 {
		r.eol = eolOf(head)
	}
	r.seeker.eol = r.eol
	if r.o.Start <= 0 {
		r.line = 1
		r.bomLen = len(bomOf(head))
		r.sepLen = firstSeparatorLen(head[r.bomLen:], r.eol)
		return nil
	}
	r.next = r.o.Start
	if err := r.w.seek(r.next); err != nil {
		return err
	}
	if r.sepLen, err = r.separatorAtStart(r.next); err == nil && r.sepLen == 0 {
		r.next, r.sepLen, err = r.search(nil, r.next)
	}
	r.w.need = r.next
	if r.next == r.o.Start && r.o.Number > 0 {
		r.number = r.o.Number - 1
		r.line = r.o.Line
	}
	return err
}

// separatorAtStart returns the length of the separator at the start of a range, or 0 if there is
// none. In CL and CL2 the range begins with a message, and the line before its separator need not
// be blank. In RD and O the range may begin anywhere. Then separatorAtStart returns 0, and search
// finds the separator.
func (r *Reader) separatorAtStart(start int64) (int, error) {
	if !r.o.Variant.usesLength() {
		return 0, nil
	}
	v, err := r.w.view(start, lookahead)
	return separatorLen(v[:min(len(v), lookahead)], r.eol, true), err
}

// firstBytes returns the first bytes of the mailbox, in which eolOf and firstSeparatorLen find the
// line end and the first separator. These are headSize bytes, or the whole mailbox if it is
// smaller. If the line end is known already, firstBytes may return fewer bytes. From a pipe it
// stops as soon as it has the bytes for firstSeparatorLen, and one of them is a line feed.
func (r *Reader) firstBytes() (v []byte, err error) {
	if r.src.file != nil && r.eol == 0 {
		v = make([]byte, headSize)
		n, err := r.src.peek(v, 0)
		return v[:n], err
	}
	for n := len(bom) + len(">") + lookahead; ; n = len(v) + 1 {
		if v, err = r.w.view(0, n); err != nil {
			return nil, err
		}
		v = v[:min(len(v), headSize)]
		if r.eol != 0 || bytes.IndexByte(v, '\n') >= 0 || len(v) < n {
			return v, nil
		}
	}
}

// eolOf returns the byte that ends lines: LF, or CR if the first bytes have CR but no LF.
func eolOf(head []byte) byte {
	if bytes.IndexByte(head, '\n') < 0 && bytes.IndexByte(head, '\r') >= 0 {
		return '\r'
	}
	return '\n'
}

// bom is the byte order mark in UTF-8.
const bom = "\xef\xbb\xbf"

// bomOf returns the byte order mark at the start of b, or nil.
func bomOf(b []byte) []byte {
	if bytes.HasPrefix(b, []byte(bom)) {
		return b[:len(bom)]
	}
	return nil
}

// newMessage returns a message that begins with v. It sets the start of the message, its separator,
// its number, and the defects of the separator.
func (r *Reader) newMessage(v []byte) *Message {
	m := &Message{Offset: r.next, Line: r.line, Variant: r.o.Variant, eol: r.eol}
	start := int64(r.bomLen)
	m.Separator = mime.Span{Start: start, End: start + int64(r.sepLen)}
	m.Content = mime.Span{Start: m.Separator.End, End: m.Separator.End}
	if r.bomLen > 0 {
		m.addDefect(0, "byte order mark before the first separator")
	}
	switch rest := v[r.bomLen:]; {
	case r.sepLen == 0 && !startsMessage(rest):
		m.addDefect(start, "text before the first separator")
		return m
	case r.sepLen == 0:
		m.addDefect(start, "no separator before the first message")
	case rest[0] == '>':
		m.addDefect(start, "the first separator is quoted")
	}
	r.number++
	m.Number = r.number
	return m
}

// findEnd returns the end of m, and the length of the separator there. head is the header of m. If
// Content-Length gives the end of the body, findEnd sets Content.End to this offset. Otherwise it
// sets Content.End to the end of the header, and complete later moves it to the end of the body.
func (r *Reader) findEnd(m *Message, head []byte) (end int64, sep int, err error) {
	start := r.next + m.Content.Start
	m.Content.End += int64(len(head))
	switch {
	case m.Number == 0:
	case r.o.Variant.usesLength():
		body, end, sep, err := r.endByLength(m, head)
		if err != nil {
			return 0, 0, err
		}
		if end > 0 {
			m.Content.End, m.endsByLength = body, true
			return end, sep, r.readTo(end)
		}
	case r.o.Lengths:
		if _, _, err := r.readLength(m, head); err != nil {
			return 0, 0, err
		}
	}
	return r.search(m, start)
}

// search returns the offset and the length of the first separator that begins at start or later. It
// does not examine the first line of the mailbox. If it finds no separator, it returns the end of
// the mailbox and 0. search adds a defect to m for each line that begins with "From " and is not a
// separator.
//
// If m is nil, search looks for the first message of a range, and drops the bytes before it. If no
// separator begins in the range, search returns an offset after the range, and sep has no meaning.
func (r *Reader) search(m *Message, start int64) (offset int64, sep int, err error) {
	pos := max(start-1, 0)
	for {
		if m == nil && r.o.End > 0 && pos >= r.o.End {
			return pos, 0, nil
		}
		if err := r.makeRoom(pos, m != nil); err != nil {
			return 0, 0, err
		}
		v, err := r.w.view(pos, patternSize)
		if err != nil {
			return 0, 0, err
		}
		i := r.seeker.index(v)
		if i < 0 && r.w.eof {
			return r.w.end(), 0, nil
		}
		if i < 0 {
			r.w.examined += int64(len(v))
			pos += int64(len(v) - patternSize + 1)
			continue
		}
		r.w.examined += int64(i) + 1
		pos += int64(i) + 1
		if sep, err = r.separatorLenAt(pos); sep > 0 || err != nil {
			return pos, sep, err
		}
		if m != nil {
			m.addDefect(pos-r.next, "line that begins with \"From \" and is not a separator")
		}
	}
}

// separatorLenAt returns the length of the separator at an offset, or 0 if the line there is not a
// separator. The line must begin with "From ".
func (r *Reader) separatorLenAt(offset int64) (int, error) {
	v, err := r.w.view(offset, lookahead)
	if err != nil {
		return 0, err
	}
	i := int(offset - r.w.start)
	return separatorLen(v[:min(len(v), lookahead)], r.eol, isBlankBefore(r.w.buf[:i], i, r.eol)), nil
}

// readTo reads up to the end of the message. The bytes go to the window. If they are too many for
// the window, they go to the store.
func (r *Reader) readTo(messageEnd int64) error {
	for !r.w.eof && r.w.end() < messageEnd {
		if err := r.makeRoom(r.w.end(), true); err != nil {
			return err
		}
		if err := r.w.fill(); err != nil {
			return err
		}
	}
	if r.w.end() < messageEnd {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// makeRoom makes room in the window if more than half of it holds needed bytes that lie before end.
// If inMessage is true, makeRoom moves these bytes to the store. Otherwise they belong to no
// message, and makeRoom drops them.
func (r *Reader) makeRoom(end int64, inMessage bool) error {
	if end-r.w.need <= int64(cap(r.w.buf)/2) {
		return nil
	}
	if !inMessage {
		r.w.need = end
		return nil
	}
	return r.moveToStore(end)
}

// moveToStore moves the needed bytes before the offset end from the window to the store.
func (r *Reader) moveToStore(end int64) error {
	b := r.w.between(r.w.need, end)
	r.w.examined += int64(len(b))
	r.countLines(b)
	r.w.need = end
	return r.store.add(b)
}

// countLines adds the lines of b to the line number.
func (r *Reader) countLines(b []byte) {
	if r.line > 0 {
		r.line += int64(bytes.Count(b, []byte{r.eol}))
	}
}

// complete gives m its bytes, and sets the end of its content. end is the offset where m ends.
func (r *Reader) complete(m *Message, end int64) error {
	m.size = end - r.next
	tail := r.w.buf[max(0, end-lookbehind-r.w.start) : end-r.w.start]
	if r.store.empty() {
		r.countLines(r.w.between(r.w.need, end))
		r.w.handOver(m, end)
	} else {
		if err := r.moveToStore(end); err != nil {
			return err
		}
		r.store.moveTo(m)
	}
	m.setContentEnd(tail)
	return r.prepareAdmit(m)
}

// prepareAdmit prepares m for [Message.Admit], if Options.Lengths is set. If m has an invalid
// Content-Length and the mailbox comes from a pipe, the source must keep the bytes after m.
func (r *Reader) prepareAdmit(m *Message) error {
	if !r.o.Lengths {
		return nil
	}
	m.src = r.src
	m.src.addUser()
	if m.length == nil || m.length.isValid() {
		return nil
	}
	return r.src.hold(r.w.between(r.w.need, r.w.end()))
}
