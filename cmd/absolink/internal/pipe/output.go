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
//   - before each read of standard input, because the client may wait for an answer,
//   - after each answer that is written while such a read waits,
//   - otherwise ten milliseconds after the first answer in the buffer.
//
// The last rule counts only if many frames were read at once and some of them take long. With a
// shorter delay the whole work would be slower, because each flush by the timer wakes a thread.

// flushDelay is the longest time that a complete answer stays in the buffer.
const flushDelay = 10 * time.Millisecond

// output writes answers. It is safe for concurrent use. After an error it writes nothing more.
type output struct {
	mu      sync.Mutex
	w       *bufio.Writer
	reading bool        // a read of standard input is under way
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
	case o.reading:
		return o.w.Flush()
	case !o.running:
		o.running = true
		o.timer.Reset(flushDelay)
	}
	return nil
}

// flush writes the buffered bytes.
func (o *output) flush() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.running = false
	return o.w.Flush()
}

// beginRead flushes, and notes that a read of standard input begins.
func (o *output) beginRead() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.reading = true
	return o.w.Flush()
}

// endRead notes that the read of standard input has ended.
func (o *output) endRead() {
	o.mu.Lock()
	o.reading = false
	o.mu.Unlock()
}

// flushingReader is standard input. Each read flushes the output first. If that fails, the read
// fails too, because the client does not get answers any more.
type flushingReader struct {
	io.Reader
	out *output
}

func (r *flushingReader) Read(b []byte) (int, error) {
	if err := r.out.beginRead(); err != nil {
		return 0, err
	}
	n, err := r.Reader.Read(b)
	r.out.endRead()
	return n, err
}
