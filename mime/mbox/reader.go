package mbox

import (
	"bytes"
	"fmt"
	"io"
	"iter"

	"absolink/mime"
)

// The reader goes from one "From " at a line start to the next, and calls separator for each.
// Meanwhile the bytes of the message stay in the window. If they become too many, they move to a
// store. The store holds up to Options.Hold bytes in memory. Beyond that it leaves the bytes in the
// file, or puts them into a temporary file if the mailbox comes from a pipe.
//
// In CL and CL2 the reader first examines the offset that Content-Length gives. If a separator is
// there, nothing before it is a separator. If not, the message is read as in the other variants.

const (
	headSize   = 64 << 10 // first bytes of the mailbox, which show the byte that ends lines
	maxHeader  = 1 << 20  // bytes of a heading in which Content-Length is searched
	maxDefects = 20       // of a message
)

// Reader cuts a mailbox into messages. It is not safe for concurrent use, but any goroutine may use
// and release its messages.
type Reader struct {
	o     Options
	src   *source
	w     *window
	store store

	eol    byte
	seeker seeker
	begun  bool
	err    error

	at     int64 // start of the next message
	lead   int   // bytes before its separator
	sep    int   // bytes of its separator
	number int   // number of the last message
	line   int64 // line number at the kept offset, or 0 if unknown
}

// NewReader returns a reader of the mailbox in r. The current position of r is offset 0 of the
// mailbox. If r is an io.ReaderAt and can seek, as a file can, it is read only with ReadAt.
// Messages above Options.Hold then refer to r, which must not change while they are in use. Any
// other r is read as a stream.
func NewReader(r io.Reader, o Options) *Reader {
	return newReader(r, o, windowSize)
}

func newReader(r io.Reader, o Options, window int) *Reader {
	o = o.withDefaults()
	src := newSource(r, o.TempDir)
	return &Reader{o: o, src: src, w: newWindow(src, window), store: store{src: src, hold: o.Hold, dir: o.TempDir}}
}

// All yields the messages from the next one on. If reading fails, the last pair is nil with the
// error of [Reader.Next]. The caller must release each message.
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
// reading the mailbox or a temporary file. The message with the error is not returned, and further
// calls return the same error.
func (r *Reader) Next() (*Message, error) {
	if r.err != nil {
		return nil, r.err
	}
	if !r.begun {
		if err := r.begin(); err != nil {
			return nil, r.fail(err)
		}
		r.begun = true
	}
	v, err := r.w.view(r.at, lookahead)
	switch {
	case err != nil:
		return nil, r.fail(err)
	case len(v) == 0 || r.o.End > 0 && r.at >= r.o.End:
		return nil, r.fail(io.EOF)
	}
	m := r.open(v)
	head, err := r.heading(r.at + m.Content.Start)
	if err != nil {
		return nil, r.fail(err)
	}
	end, sep, err := r.end(m, head)
	if err != nil {
		return nil, r.fail(err)
	}
	if err := r.finish(m, end); err != nil {
		return nil, r.fail(err)
	}
	r.at, r.lead, r.sep = end, 0, sep
	return m, nil
}

// fail ends the reading and returns the error that Next returns from now on.
func (r *Reader) fail(err error) error {
	r.w.close()
	r.src.leave()
	r.store.drop()
	r.err = err
	if err != io.EOF {
		r.err = fmt.Errorf("reading the message at offset %d: %w", r.at, err)
	}
	return r.err
}

// begin finds the byte that ends lines and goes to the first message of the range.
func (r *Reader) begin() error {
	head, err := r.head()
	if err != nil {
		return err
	}
	if r.eol == 0 {
		r.eol = eolOf(head)
	}
	r.seeker.eol = r.eol
	if r.o.Start <= 0 {
		r.line = 1
		r.lead = len(byteOrderMark(head))
		r.sep = first(head[r.lead:], r.eol)
		return nil
	}
	r.at = r.o.Start
	if err := r.w.skip(r.at); err != nil {
		return err
	}
	if r.sep, err = r.known(r.at); err == nil && r.sep == 0 {
		r.at, r.sep, err = r.search(nil, r.at)
	}
	r.w.kept = r.at
	if r.at == r.o.Start && r.o.Number > 0 {
		r.number = r.o.Number - 1
		r.line = r.o.Line
	}
	return err
}

// known returns the length of the separator at the start of a range, if the range begins with a
// message that a Content-Length has led to. In variants that do not use Content-Length it returns
// 0.
func (r *Reader) known(at int64) (int, error) {
	if !r.o.Variant.counted() {
		return 0, nil
	}
	v, err := r.w.view(at, lookahead)
	return separator(v[:min(len(v), lookahead)], r.eol, true), err
}

// head returns the first bytes of the mailbox, enough to contain a line end if there is one.
func (r *Reader) head() (v []byte, err error) {
	if r.src.file != nil {
		v = make([]byte, headSize)
		n, err := r.src.peek(v, 0)
		return v[:n], err
	}
	for n := lookahead + len(mark); ; n = len(v) + 1 {
		if v, err = r.w.view(0, n); err != nil {
			return nil, err
		}
		v = v[:min(len(v), headSize)]
		if bytes.IndexByte(v, '\n') >= 0 || len(v) < n {
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

const mark = "\xef\xbb\xbf"

func byteOrderMark(b []byte) []byte {
	if bytes.HasPrefix(b, []byte(mark)) {
		return b[:len(mark)]
	}
	return nil
}

// open makes the message whose first bytes are v.
func (r *Reader) open(v []byte) *Message {
	m := &Message{Offset: r.at, Line: r.line, Variant: r.o.Variant, eol: r.eol}
	start := int64(r.lead)
	m.Separator = mime.Span{Start: start, End: start + int64(r.sep)}
	m.Content = mime.Span{Start: m.Separator.End, End: m.Separator.End}
	if r.lead > 0 {
		m.defect(0, "byte order mark before the first separator")
	}
	switch rest := v[r.lead:]; {
	case r.sep == 0 && !startsMessage(rest):
		m.defect(start, "text before the first separator")
		return m
	case r.sep == 0:
		m.defect(start, "no separator before the first message")
	case rest[0] == '>':
		m.defect(start, "the first separator is quoted")
	}
	r.number++
	m.Number = r.number
	return m
}

// end returns the end of m, whose heading is head, and the length of the separator there. It sets
// Content.End to the end of the body if Content-Length gives it, otherwise to the end of the
// heading.
func (r *Reader) end(m *Message, head []byte) (end int64, sep int, err error) {
	start := r.at + m.Content.Start
	m.Content.End += int64(len(head))
	switch {
	case m.Number == 0:
	case r.o.Variant.counted():
		body, end, sep, err := r.counted(m, head)
		if err != nil {
			return 0, 0, err
		}
		if end > 0 {
			m.Content.End, m.counted = body, true
			return end, sep, r.pass(end)
		}
	case r.o.Lengths:
		if _, _, err := r.measure(m, head); err != nil {
			return 0, 0, err
		}
	}
	return r.search(m, start)
}

// search returns the offset and the length of the first separator at or after start, which must be
// the start of a line. Without a separator it returns the end of the mailbox. A line that begins
// with "From " and is not a separator becomes a defect of m. If m is nil, search drops the bytes
// before the separator and ends with the range.
func (r *Reader) search(m *Message, start int64) (at int64, sep int, err error) {
	pos := max(start-1, 0)
	for {
		if m == nil && r.o.End > 0 && pos >= r.o.End {
			return pos, 0, nil
		}
		if err := r.spill(pos, m != nil); err != nil {
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
			r.w.looked += int64(len(v))
			pos += int64(len(v) - patternSize + 1)
			continue
		}
		r.w.looked += int64(i) + 1
		pos += int64(i) + 1
		if sep, err = r.separator(pos); sep > 0 || err != nil {
			return pos, sep, err
		}
		if m != nil {
			m.defect(pos-r.at, "line that begins with \"From \" and is not a separator")
		}
	}
}

// separator returns the length of the separator at an offset, or 0. A line that begins with "From "
// must be there.
func (r *Reader) separator(at int64) (int, error) {
	v, err := r.w.view(at, lookahead)
	if err != nil {
		return 0, err
	}
	r.w.looked += int64(min(len(v), lookahead))
	i := int(at - r.w.at)
	return separator(v[:min(len(v), lookahead)], r.eol, blankBefore(r.w.buf[:i], i, r.eol)), nil
}

// pass reads on to the end of a message, if the end is known.
func (r *Reader) pass(end int64) error {
	for !r.w.eof && r.w.end() < end {
		if err := r.spill(r.w.end(), true); err != nil {
			return err
		}
		if err := r.w.fill(); err != nil {
			return err
		}
	}
	if r.w.end() < end {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// spill makes room in the window if many bytes come before an offset. The bytes move to the store,
// or are dropped if they belong to no message that is read.
func (r *Reader) spill(to int64, read bool) error {
	if to-r.w.kept <= int64(cap(r.w.buf)/2) {
		return nil
	}
	if !read {
		r.w.kept = to
		return nil
	}
	return r.keep(to)
}

// keep moves the bytes before an offset to the store.
func (r *Reader) keep(to int64) error {
	b := r.w.between(r.w.kept, to)
	r.w.looked += int64(len(b))
	r.count(b)
	r.w.kept = to
	return r.store.add(b)
}

// count advances the line number past b.
func (r *Reader) count(b []byte) {
	if r.line > 0 {
		r.line += int64(bytes.Count(b, []byte{r.eol}))
	}
}

// finish gives m its bytes, up to the offset end.
func (r *Reader) finish(m *Message, end int64) error {
	m.size = end - r.at
	tail := r.w.buf[max(0, end-context-r.w.at) : end-r.w.at]
	if r.store.empty() {
		r.count(r.w.between(r.w.kept, end))
		r.w.give(m, end)
	} else {
		if err := r.keep(end); err != nil {
			return err
		}
		r.store.take(m)
	}
	m.close(tail)
	return r.watch(m)
}

// watch lets [Message.Admit] examine the mailbox after m.
func (r *Reader) watch(m *Message) error {
	if !r.o.Lengths {
		return nil
	}
	m.src = r.src
	m.src.join()
	if m.length == nil || m.length.lands() {
		return nil
	}
	return r.src.hold(r.w.between(r.w.kept, r.w.end()))
}
