package pipe

import (
	"slices"

	"absolink/cmd/absolink/internal/record"
)

// Form is the form of the output in answers.
type Form uint8

// The forms. Output in the form Lines or Rows comes before the end record. Output in the form
// Columns or Document comes after the end record, which has the length of the output.
const (
	Lines    Form = iota // JSON objects, one a line
	Rows                 // lines of values with tabs between; only the line of the end record begins with NUL
	Columns              // an Arrow IPC stream
	Document             // the rewritten document
)

// lengthFirst reports whether the end record with the length of the output comes first.
func (f Form) lengthFirst() bool { return f >= Columns }

// Result is the result of the work on a document.
type Result struct {
	Done     bool     // the document was read, or rewritten
	Error    string   // why the document was not read or rewritten; empty if Done is set
	Outcome  string   // outcome in the words of package report, such as "rewritten"
	Edits    int      // number of edited links
	Links    int      // number of listed links
	Problems int      // number of problems; some have no message
	Messages []string // lines about the document, as on standard error without --pipe
}

// maxHeld is the size limit in bytes for output that waits for the turn of its answer. If the
// length comes first, output is held without a limit.
const maxHeld = 256 << 10

// answer is the answer to a frame. The answer to the next frame reuses its memory.
type answer struct {
	number int // of the frame
	form   Form
	order  *order
	out    *output
	slots  chan struct{} // has an element for this answer, unless freed is set

	held    []byte // output that is not yet written
	record  []byte // the end record
	hasTurn bool   // awaitTurn has returned
	freed   bool   // freeSlot was called
}

// begin prepares the answer to the frame with a number. p.slots must have an element for it.
func (a *answer) begin(number int, p *pipe) {
	*a = answer{number: number, form: p.options.Form, order: &p.order, out: p.out, slots: p.slots,
		held: a.held[:0], record: a.record[:0]}
}

// freeSlot lets another goroutine work. Only the first call counts.
func (a *answer) freeSlot() {
	if !a.freed {
		a.freed = true
		<-a.slots
	}
}

// awaitTurn waits until all earlier answers are written. While it waits, another goroutine works.
func (a *answer) awaitTurn() {
	if a.hasTurn {
		return
	}
	if !a.order.hasTurn(a.number) {
		a.freeSlot()
		a.order.await(a.number)
	}
	a.hasTurn = true
}

// Write adds output of the command. It holds the output back until the answer has its turn. If the
// output becomes larger than maxHeld, Write waits for the turn. If the length comes first, Write
// never waits.
func (a *answer) Write(b []byte) (int, error) {
	if a.mayHold(len(b)) {
		a.held = append(a.held, b...)
		return len(b), nil
	}
	if err := a.writeHeld(); err != nil {
		return 0, err
	}
	if err := a.out.write(b); err != nil {
		return 0, err
	}
	return len(b), nil
}

// mayHold reports whether n more bytes of output need not be written yet.
func (a *answer) mayHold(n int) bool {
	if a.form.lengthFirst() {
		return true
	}
	if a.hasTurn || a.order.hasTurn(a.number) {
		return false
	}
	return len(a.held)+n <= maxHeld
}

// writeHeld writes the output that was held back, when the answer has its turn.
func (a *answer) writeHeld() error {
	a.awaitTurn()
	if len(a.held) == 0 {
		return nil
	}
	err := a.out.write(a.held)
	a.held = a.held[:0]
	return err
}

// end writes the rest of the answer to the frame with this id.
func (a *answer) end(id []byte, r *Result) error {
	if a.form.lengthFirst() {
		return a.endWithOutput(id, r)
	}
	if err := a.writeHeld(); err != nil {
		return err
	}
	a.record = a.form.endRecord(a.record, id, r, -1)
	return a.out.writeLast(a.record)
}

// endWithOutput writes the end record, and then the output. If the document failed, its output is
// dropped.
func (a *answer) endWithOutput(id []byte, r *Result) error {
	a.awaitTurn()
	if !r.Done {
		a.record = a.form.endRecord(a.record, id, r, -1)
		return a.out.writeLast(a.record)
	}
	a.record = a.form.endRecord(a.record, id, r, len(a.held))
	if len(a.held) == 0 {
		return a.out.writeLast(a.record)
	}
	if err := a.out.write(a.record); err != nil {
		return err
	}
	return a.out.writeLast(a.held)
}

// usualEnd is enough bytes for most end records without an id.
const usualEnd = 160

// endRecord appends the end record to dst. size is the length of the output after the record, or
// negative if the record has no length.
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
