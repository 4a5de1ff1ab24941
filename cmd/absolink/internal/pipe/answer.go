package pipe

import (
	"slices"

	"absolink/cmd/absolink/internal/record"
)

// Form is the form of answers.
type Form uint8

// The forms. In the first two the output of the command comes before the end record. In the others
// it comes after the end record, which has its length.
const (
	Lines    Form = iota // JSON objects, one a line
	Rows                 // lines of values with tabs between; only the line of the end record begins with NUL
	Columns              // an Arrow IPC stream
	Document             // the rewritten document
)

// whole reports whether the length of the output must be known before it is written.
func (f Form) whole() bool { return f >= Columns }

// Result is the outcome of a document.
type Result struct {
	Done     bool     // the document was read, or rewritten
	Error    string   // why not; empty if Done is set
	Outcome  string   // in the words of package report, such as "rewritten"
	Edits    int      // number of edited links
	Links    int      // number of listed links
	Problems int      // number of problems; some have no message
	Messages []string // the lines about the document that standard error would show
}

// maxHeld is the largest number of bytes of an answer that are held back while it waits for its
// turn.
const maxHeld = 256 << 10

// answer is the answer of a frame.
type answer struct {
	p      *pipe
	number int    // of the frame
	held   []byte // bytes that are not yet written
	left   bool   // leave was called
	turn   bool   // all earlier answers are written
}

// leave gives up the place at work, so that another goroutine can take it. Only the first call
// counts.
func (a *answer) leave() {
	if !a.left {
		a.left = true
		<-a.p.work
	}
}

// Write adds output of the command. It holds the output back until the answer has its turn. If the
// output becomes too large, Write waits for the turn, unless the length must be known first.
func (a *answer) Write(b []byte) (int, error) {
	if a.p.o.Form.whole() || !a.turn && !a.p.order.isNext(a.number) && len(a.held)+len(b) <= maxHeld {
		a.held = append(a.held, b...)
		return len(b), nil
	}
	if err := a.begin(); err != nil {
		return 0, err
	}
	if err := a.p.out.write(b); err != nil {
		return 0, err
	}
	return len(b), nil
}

// begin waits for the turn of the answer, and writes the bytes that were held back. While it waits,
// another goroutine works.
func (a *answer) begin() error {
	if !a.turn {
		if !a.p.order.isNext(a.number) {
			a.leave()
			a.p.order.await(a.number)
		}
		a.turn = true
	}
	if len(a.held) == 0 {
		return nil
	}
	err := a.p.out.write(a.held)
	a.held = a.held[:0]
	return err
}

// end writes the rest of the answer. id is the id of the frame.
func (a *answer) end(id []byte, r *Result) error {
	if !a.p.o.Form.whole() {
		if err := a.begin(); err != nil {
			return err
		}
		return a.p.out.writeLast(a.p.o.Form.endRecord(nil, id, r, -1))
	}
	size := -1
	output := a.held
	if r.Done {
		size = len(output)
	}
	a.held = nil
	if err := a.begin(); err != nil {
		return err
	}
	last := a.p.o.Form.endRecord(nil, id, r, size)
	if size > 0 {
		if err := a.p.out.write(last); err != nil {
			return err
		}
		last = output
	}
	return a.p.out.writeLast(last)
}

// usualEnd is the size in bytes of most end records, without the id.
const usualEnd = 160

// endRecord appends the end record to dst. size is the size of the output that follows, or negative
// if no output follows.
func (f Form) endRecord(dst, id []byte, r *Result, size int) []byte {
	dst = slices.Grow(dst, usualEnd+len(id))
	if f == Rows {
		dst = append(dst, 0)
	}
	o := record.Object(append(dst, '{')).String("record", "end").Int("v", 1)
	if len(id) > 0 {
		o = o.Raw("id", id)
	}
	status := "failed"
	if r.Done {
		status = "done"
	}
	o = o.String("status", status).String("error", r.Error)
	if f == Document {
		o = o.String("outcome", r.Outcome).Int("edits", int64(r.Edits))
	}
	o = o.Int("link_count", int64(r.Links)).Int("problem_count", int64(r.Problems))
	if len(r.Messages) == 0 {
		o = o.Raw("messages", []byte("[]"))
	} else {
		o = o.Strings("messages", r.Messages)
	}
	if size >= 0 {
		o = o.Int("length", int64(size))
	}
	return append(o, "}\n"...)
}
