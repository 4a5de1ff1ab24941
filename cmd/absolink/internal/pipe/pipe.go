// Package pipe implements the flag --pipe of extract, rewrite and base: a client sends documents
// over a pipe, and gets an answer for each.
//
//	err := pipe.Run(ctx, os.Stdin, os.Stdout, &pipe.Options{Jobs: 2, MaxSize: max, New: newCall})
//
// The client sends frames. Each frame is answered with the output of the command, and an end
// record: one line of JSON that says whether the document was read, with the messages about it. The
// answers come in the order of the frames. A goroutine takes a frame, does the work, and waits
// until its answer has its turn. While it waits, others work on the next frames.
//
// Files in reading order: frame.go (the header of a frame), output.go (when answers are flushed),
// closed_unix.go, closed_windows.go, answer.go (an answer and its end record), pipe.go.
package pipe

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
)

// Options say how frames are answered.
type Options struct {
	Jobs    int   // number of frames worked on at once, besides the one whose answer is written; default 1
	MaxSize int64 // size limit of the content of a frame in bytes; a larger frame fails; it must be set
	Form    Form  // of the answers

	// New returns a Call. It is called again whenever all calls are in use, by one goroutine at a
	// time.
	New func() (Call, error)
	// Check returns why a document with the description g cannot be read, or nil. If Check is nil,
	// every description is accepted.
	Check func(g *input.Given) error
}

// Call does the work of a command on one document after the other. Only one goroutine uses it at a
// time.
type Call interface {
	// Do writes the output of the command for the document g to out. Faults of the document are in
	// the Result. An error comes from out or ctx.
	Do(ctx context.Context, g *input.Given, out io.Writer) (*Result, error)
}

// No further frame is read while the frames in memory have more than readAhead bytes.
const readAhead = 64 << 20

// Run answers the frames of in until its end, or until out is closed; then it returns nil. The
// error is a [*flag.Error] if a frame is damaged. When ctx is done, Run returns at once. After an
// error or a done ctx, goroutines may still read in and write to out.
func Run(ctx context.Context, in io.Reader, out io.Writer, o *Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p := newPipe(in, out, o)
	goroutines := 1
	if o.Jobs > 1 {
		goroutines = 2 * o.Jobs // half of them may wait for their turn
	}
	for range goroutines {
		go p.serve(ctx)
	}
	select {
	case err := <-p.ended:
		if isClosed(err) {
			return nil
		}
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// pipe is the state of a Run.
type pipe struct {
	o     *Options
	out   *output
	order order
	work  chan struct{} // has an element for each goroutine at work
	ended chan error    // the result of Run

	reading sync.Mutex // held while a frame is read; guards the fields up to the next blank line
	in      *bufio.Reader
	frames  int  // number of frames that were read
	over    bool // no further frame can be read

	calls     sync.Mutex // guards idleCalls, and is held during Options.New
	idleCalls []Call
}

func newPipe(in io.Reader, out io.Writer, o *Options) *pipe {
	p := &pipe{o: o, work: make(chan struct{}, max(o.Jobs, 1)), ended: make(chan error, 1)}
	p.out = newOutput(out)
	p.in = bufio.NewReaderSize(&flushingReader{in, p.out}, 64<<10)
	p.order.changed.L = &p.order.mu
	return p
}

// end ends Run. Only the first call counts.
func (p *pipe) end(err error) {
	select {
	case p.ended <- err:
	default:
	}
}

// frame is a frame with its number, from 1.
type frame struct {
	header
	number int
	line   []byte // the first line; the next frame reuses its memory
	data   []byte // the content; the next frame reuses its memory
}

// serve answers one frame after the other.
func (p *pipe) serve(ctx context.Context) {
	f := new(frame)
	for {
		p.reading.Lock()
		if p.over || ctx.Err() != nil {
			p.reading.Unlock()
			return
		}
		p.frames++
		f.number = p.frames
		err := p.read(f)
		p.over = err != nil
		p.reading.Unlock()
		if err != nil {
			p.order.await(f.number)
			p.finish(f.number, err)
			return
		}
		if err := p.answer(ctx, f); err != nil {
			p.end(err)
			return
		}
		p.order.pass(f.number, int64(len(f.data)))
		if cap(f.data) > maxKept {
			f.data = nil
		}
	}
}

// maxKept is the size in bytes of the largest buffer that is kept for the next frame.
const maxKept = 1 << 20

// finish ends Run after the last answer. err is the error of reading the next frame, whose number
// is given.
func (p *pipe) finish(number int, err error) {
	if failed := p.out.flush(); failed != nil {
		p.end(failed)
		return
	}
	if err == io.EOF {
		p.end(nil)
		return
	}
	if failed := (*readError)(nil); errors.As(err, &failed) {
		p.end(fmt.Errorf("--pipe: frame %d: %w", number, failed.error))
		return
	}
	hint := ""
	if number > 1 {
		hint = fmt.Sprintf("; if it looks right, the length of frame %d is wrong", number-1)
	}
	p.end(flag.Errorf("--pipe: frame %d is damaged: %v%s", number, err, hint))
}

// read reads the next frame. At the end of the stream the error is io.EOF.
func (p *pipe) read(f *frame) error {
	f.data = f.data[:0]
	line, err := p.readLine(f.line)
	f.line = line
	if err != nil {
		return err
	}
	if err := f.parse(line); err != nil {
		return err
	}
	if limit := min(p.o.MaxSize, maxLength); f.length > limit {
		f.fail("%s", f.excess())
	}
	if f.fault != "" {
		n, err := io.CopyN(io.Discard, p.in, f.length)
		return f.missing(n, err)
	}
	p.order.admit(f.length)
	return p.readData(f)
}

// readData reads the content of f.
func (p *pipe) readData(f *frame) error {
	size := int(f.length)
	if cap(f.data) < size {
		f.data = make([]byte, size, size+size/4)
	}
	f.data = f.data[:size]
	n, err := io.ReadFull(p.in, f.data)
	return f.missing(int64(n), err)
}

// readError is an error of the operating system. The frame itself may be right.
type readError struct{ error }

// missing returns the error for a frame of whose content only n bytes came. err is the error of the
// read, or nil if all bytes came.
func (f *frame) missing(n int64, err error) error {
	switch {
	case err == nil:
		return nil
	case err == io.EOF, err == io.ErrUnexpectedEOF:
		return fmt.Errorf("the input ends after %d of its %d bytes", n, f.length)
	}
	return &readError{fmt.Errorf("read: %w, after %d of its %d bytes", err, n, f.length)}
}

// readLine reads the first line of a frame, and returns it without its end. It reuses memory.
func (p *pipe) readLine(memory []byte) ([]byte, error) {
	line := memory[:0]
	for {
		part, err := p.in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(bytes.TrimSuffix(line, []byte("\n"))) > maxHeader:
			return line, errors.New("its first line is longer than 1 MiB")
		case err == nil:
			return line[:len(line)-1], nil
		case err == io.EOF && len(line) == 0:
			return line, io.EOF
		case err == io.EOF:
			return line, errors.New("the input ends in its first line")
		case err != bufio.ErrBufferFull:
			return line, &readError{fmt.Errorf("read: %w", err)}
		}
	}
}

// answer does the work on f and writes the answer, once it has its turn.
func (p *pipe) answer(ctx context.Context, f *frame) error {
	a := &answer{p: p, number: f.number}
	p.work <- struct{}{}
	defer a.leave()
	if f.fault == "" && p.o.Check != nil {
		if err := p.o.Check(&f.given); err != nil {
			f.fail("%v", err)
		}
	}
	if f.fault != "" {
		return a.end(f.id, f.failure())
	}
	call, err := p.takeCall()
	if err != nil {
		p.order.await(f.number)
		p.out.flush()
		return err
	}
	f.given.Data = f.data
	result, err := call.Do(ctx, &f.given, a)
	if err != nil {
		return err
	}
	p.putCall(call)
	return a.end(f.id, result)
}

// failure returns the result of a frame with a fault.
func (f *frame) failure() *Result {
	text := "absolink: " + cmp.Or(f.given.Name, input.Stdin) + ": " + f.fault
	return &Result{Error: f.fault, Outcome: string(report.Failed), Problems: 1,
		Messages: []string{console.Printable(text)}}
}

// takeCall returns a call that no goroutine uses.
func (p *pipe) takeCall() (Call, error) {
	p.calls.Lock()
	defer p.calls.Unlock()
	if n := len(p.idleCalls) - 1; n >= 0 {
		call := p.idleCalls[n]
		p.idleCalls = p.idleCalls[:n]
		return call, nil
	}
	return p.o.New()
}

func (p *pipe) putCall(call Call) {
	p.calls.Lock()
	p.idleCalls = append(p.idleCalls, call)
	p.calls.Unlock()
}

// order lets answers pass in the order of their frames, and bounds the memory of the frames.
type order struct {
	mu      sync.Mutex
	changed sync.Cond
	passed  int   // number of answers that are written
	held    int64 // bytes of the frames in memory
}

// await waits until the answers of all frames before frame n are written.
func (o *order) await(n int) {
	o.mu.Lock()
	for o.passed < n-1 {
		o.changed.Wait()
	}
	o.mu.Unlock()
}

// isNext reports whether the answers of all frames before frame n are written.
func (o *order) isNext(n int) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.passed == n-1
}

// pass notes that the answer of frame n is written, and that the bytes of the frame are free.
func (o *order) pass(n int, size int64) {
	o.mu.Lock()
	o.passed = n
	o.held -= size
	o.mu.Unlock()
	o.changed.Broadcast()
}

// admit waits until a frame of n bytes may be read, and counts its bytes.
func (o *order) admit(n int64) {
	o.mu.Lock()
	for o.held > readAhead {
		o.changed.Wait()
	}
	o.held += n
	o.mu.Unlock()
}
