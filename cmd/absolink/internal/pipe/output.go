package pipe

import (
	"bufio"
	"io"
	"sync"
	"time"
)

// A client may send a frame and wait for its answer, or send many frames before it reads the first
// answer. In the first case, an answer must not stay in a buffer. In the second case, a write for
// each small answer would take more time than the work. So answers are buffered, and flushed
//
//   - before each read of standard input: it may block, and the read buffer holds no whole frame,
//   - after an answer, if such a read is under way,
//   - otherwise a millisecond after the first answer in the buffer.

// flushDelay is the longest time that an answer stays in the buffer.
const flushDelay = time.Millisecond

// output writes answers. It is safe for concurrent use. After an error it writes nothing more.
type output struct {
	mu      sync.Mutex
	w       *bufio.Writer
	reads   bool        // a read of standard input is under way
	timer   *time.Timer // flushes w
	running bool        // timer is running
}

func newOutput(w io.Writer) *output {
	o := &output{w: bufio.NewWriterSize(w, 64<<10)}
	o.timer = time.AfterFunc(time.Hour, func() { o.flush() })
	o.timer.Stop()
	return o
}

// write writes b.
func (o *output) write(b []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	_, err := o.w.Write(b)
	return err
}

// writeLast writes b, the end of an answer, and flushes it soon.
func (o *output) writeLast(b []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	_, err := o.w.Write(b)
	switch {
	case err != nil:
		return err
	case o.reads:
		return o.w.Flush()
	case !o.running:
		o.running = true
		o.timer.Reset(flushDelay)
	}
	return nil
}

// flush writes what the buffer holds.
func (o *output) flush() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.running = false
	return o.w.Flush()
}

// setReads notes whether a read of standard input is under way. If one begins, it flushes first.
func (o *output) setReads(on bool) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.reads = on
	if !on {
		return nil
	}
	return o.w.Flush()
}

// flushingReader is standard input. Each read flushes the output first, and fails if that fails:
// nobody gets the answers any more.
type flushingReader struct {
	io.Reader
	out *output
}

func (r *flushingReader) Read(b []byte) (int, error) {
	if err := r.out.setReads(true); err != nil {
		return 0, err
	}
	n, err := r.Reader.Read(b)
	r.out.setReads(false)
	return n, err
}
