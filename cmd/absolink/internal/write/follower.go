package write

import (
	"context"
	"io"
	"math"
	"os"
	"sync"

	"absolink/cmd/absolink/internal/files"
)

// follower writes the output of a mailbox to a file, while another goroutine reads it back from the
// file. The reader follows the writer, so both together take little longer than writing.
type follower struct {
	ctx  context.Context
	file *os.File
	out  *files.Appender

	mu      sync.Mutex
	changed sync.Cond // signals changes of written and ended
	written int64     // bytes in the file
	ended   error     // nil while more bytes may follow, then io.EOF or the reason to stop reading

	done   chan struct{} // closed when verify has returned
	result error         // of verify; set before done is closed
	panic  any           // the value of a panic of verify, or nil; set before done is closed
}

// follow returns a follower for the empty file f. On another goroutine, verify reads the output
// from its beginning. It gets io.EOF at the end once finish is called. The caller must call stop.
func follow(ctx context.Context, f *os.File, verify func(output io.Reader) error) *follower {
	w := &follower{ctx: ctx, file: f, out: files.NewAppender(f), done: make(chan struct{})}
	w.changed.L = &w.mu
	go func() {
		defer close(w.done)
		defer func() { w.panic = recover() }()
		w.result = verify(io.NewSectionReader(w, 0, math.MaxInt64))
	}()
	return w
}

func (w *follower) Write(p []byte) (int, error) {
	n, err := w.out.Write(p)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.written += int64(n)
	w.changed.Signal()
	return n, err
}

// ReadAt reads the file. It waits until the file has the bytes for all of p, or until no more bytes
// follow.
func (w *follower) ReadAt(p []byte, offset int64) (int, error) {
	if err := w.await(offset + int64(len(p))); err != nil && err != io.EOF {
		return 0, err
	}
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.file.ReadAt(p, offset)
}

// await waits until size bytes are written, and then returns nil. If no more bytes follow, it
// returns io.EOF or the reason to stop reading.
func (w *follower) await(size int64) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.written < size && w.ended == nil {
		w.changed.Wait()
	}
	return w.ended
}

// finish ends the output, and returns the result of verify. If verify panics, finish panics too.
func (w *follower) finish() error {
	w.end(io.EOF)
	<-w.done
	if w.panic != nil {
		panic(w.panic)
	}
	return w.result
}

// stop waits until verify has returned. If finish was not called, stop makes the reads of verify
// fail.
func (w *follower) stop() {
	w.end(errStopped)
	<-w.done
}

// end sets w.ended. After finish it changes nothing, because verify has returned.
func (w *follower) end(reason error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = reason
	w.changed.Signal()
}
