// Package pipe implements the flag --pipe of extract, rewrite and base: a client sends documents
// over a pipe, and gets an answer for each.
//
//	err := pipe.Run(ctx, os.Stdin, os.Stdout, &pipe.Options{Jobs: 2, MaxSize: max, New: newCall})
//
// The client sends each document in a frame. The answer to a frame is the output of the command,
// and an end record: one line of JSON that says whether the document was read, with the messages
// about it. The answers are written in the order of the frames.
//
// Each of several goroutines reads a frame, does the work, waits until all earlier answers are
// written, and writes its own answer. While it waits, others work on later frames.
//
// Files in reading order: header.go (the header of a frame), json.go (the members of a header),
// order.go (the turns of answers), read.go (reading a frame), output.go (when answers are flushed),
// closed_unix.go, closed_windows.go, answer.go (an answer and its end record), pipe.go (Run).
package pipe

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
)

// Options say how frames are answered.
type Options struct {
	// Jobs is the number of frames that are worked on at once; 0 means 1. With more than one job,
	// work may go on with one more frame: one whose answer has waited for its turn, and is being
	// written.
	Jobs int
	// MaxSize is the size limit in bytes for the content of a frame. A larger frame fails. MaxSize
	// must be set.
	MaxSize int64
	Form    Form // form of the answers

	// New returns a new Call. It is called when all earlier Calls are in use, and never by two
	// goroutines at once.
	New func() (Call, error)
	// Check returns the reason if the document that g describes cannot be read, otherwise nil. g
	// does not have the content. Several goroutines may call Check at once. A nil Check accepts
	// every document.
	Check func(g *input.Given) error
}

// Call does the work of a command on one document after the other. Only one goroutine uses it at a
// time.
type Call interface {
	// Do writes the output of the command for the document g to out. Faults of the document are in
	// the Result. An error comes from out or ctx.
	Do(ctx context.Context, g *input.Given, out io.Writer) (Result, error)
}

// Run reads frames and writes their answers. It returns nil when frames ends, or when the client
// has closed its end of answers. It returns a [*flag.Error] if a frame is damaged. When ctx is
// done, Run returns at once. Unless frames has ended, goroutines may still use frames and answers.
func Run(ctx context.Context, frames io.Reader, answers io.Writer, o *Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p := newPipe(frames, answers, o)
	for range p.goroutines {
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
	options *Options
	order   order
	out     *output
	slots   chan struct{} // has an element for each goroutine that works on a document
	ended   chan error    // gets the result of Run

	goroutines int
	kept       int // size limit in bytes for memory that a goroutine keeps for the next frame

	reading sync.Mutex // held while a frame is read; guards the fields up to the next blank line
	in      *bufio.Reader
	frames  int  // number of frames whose reading has begun
	over    bool // no further frame can be read

	calls     sync.Mutex // guards idleCalls, and is held during Options.New
	idleCalls []Call
}

func newPipe(frames io.Reader, answers io.Writer, o *Options) *pipe {
	p := &pipe{options: o, slots: make(chan struct{}, max(o.Jobs, 1)), ended: make(chan error, 1)}
	p.goroutines = 1
	if o.Jobs > 1 {
		p.goroutines = 2 * o.Jobs // half of them may wait for their turn to write
	}
	p.kept = min(maxKept, readAhead/p.goroutines)
	p.out = newOutput(answers)
	p.in = bufio.NewReaderSize(&flushingReader{frames, p.out}, 64<<10)
	p.order.changed.L = &p.order.mu
	return p
}

// end ends Run with the result err. Only the first call counts.
func (p *pipe) end(err error) {
	select {
	case p.ended <- err:
	default:
	}
}

// serve answers one frame after the other.
func (p *pipe) serve(ctx context.Context) {
	f := new(frame)
	for p.next(ctx, f) {
		if err := p.answer(ctx, f); err != nil {
			p.end(err)
			return
		}
		p.order.done(f.number, int64(len(f.data)))
		f.trim(p.kept)
	}
}

// next reads the next frame into f. It returns false if no frame can be read, or if ctx is done.
// The goroutine that finds the end of the frames, or a damaged frame, also ends Run.
func (p *pipe) next(ctx context.Context, f *frame) bool {
	p.reading.Lock()
	if p.over || ctx.Err() != nil {
		p.reading.Unlock()
		return false
	}
	p.frames++
	f.number = p.frames
	err := f.read(p.in, p.options.MaxSize, &p.order)
	p.over = err != nil
	p.reading.Unlock()
	if err != nil {
		p.finish(f.number, err)
		return false
	}
	return true
}

// finish waits until all answers before frame n are written, and ends Run. err says why frame n was
// not read; it is io.EOF if the stream ended before the frame.
func (p *pipe) finish(n int, err error) {
	p.order.await(n)
	if failed := p.out.flush(); failed != nil {
		p.end(failed)
		return
	}
	if err == io.EOF {
		p.end(nil)
		return
	}
	if failed := (*readError)(nil); errors.As(err, &failed) {
		p.end(fmt.Errorf("--pipe: frame %d: %w", n, failed.error))
		return
	}
	hint := ""
	if n > 1 {
		hint = fmt.Sprintf("; if frame %d looks right, the length of frame %d is wrong", n, n-1)
	}
	p.end(flag.Errorf("--pipe: frame %d is damaged: %v%s", n, err, hint))
}

// answer does the work on f, and writes the answer.
func (p *pipe) answer(ctx context.Context, f *frame) error {
	p.slots <- struct{}{}
	a := &f.answer
	a.begin(f.number, p)
	defer a.freeSlot()
	if f.fault == "" && p.options.Check != nil {
		if err := p.options.Check(&f.given); err != nil {
			f.fail("%v", err)
		}
	}
	if f.fault != "" {
		result := f.failure()
		return a.end(f.id, &result)
	}
	call, err := p.takeCall()
	if err != nil {
		a.awaitTurn()
		p.out.flush() // the answers before this one
		return err
	}
	f.given.Data = f.data
	result, err := call.Do(ctx, &f.given, a)
	if err != nil {
		return err
	}
	p.putCall(call)
	return a.end(f.id, &result)
}

// takeCall returns a Call that no goroutine uses.
func (p *pipe) takeCall() (Call, error) {
	p.calls.Lock()
	defer p.calls.Unlock()
	if n := len(p.idleCalls) - 1; n >= 0 {
		call := p.idleCalls[n]
		p.idleCalls = p.idleCalls[:n]
		return call, nil
	}
	return p.options.New()
}

// putCall makes a Call available to takeCall.
func (p *pipe) putCall(call Call) {
	p.calls.Lock()
	p.idleCalls = append(p.idleCalls, call)
	p.calls.Unlock()
}
