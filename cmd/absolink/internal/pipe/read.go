package pipe

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
)

// frame is a frame that was read. Each goroutine has one struct, and reads every frame into it to
// reuse its memory.
type frame struct {
	header
	number int    // the first frame of the stream has 1
	line   []byte // the first line, without its end
	data   []byte // the content; empty if read has skipped it
	answer answer // to the frame
}

// maxKept is the size in bytes of the largest memory that is kept for the next frame. Pages of
// several MB are frequent enough that new memory for each of them takes time. With many goroutines
// the limit is lower: together they keep at most readAhead bytes for contents, and as many for
// outputs.
const maxKept = 4 << 20

// trim gives up memory of more than size bytes for the content, the output or the end record.
func (f *frame) trim(size int) {
	if cap(f.data) > size {
		f.data = nil
	}
	if cap(f.answer.held) > size {
		f.answer.held = nil
	}
	if cap(f.answer.record) > size {
		f.answer.record = nil
	}
}

// readError is an error of the operating system. The frame itself may be right.
type readError struct{ error }

// read reads the next frame. It skips the content if the header has a fault, or if the content is
// larger than maxSize. An error says why the end of the frame cannot be found. The error is io.EOF
// if the stream ends before the frame.
func (f *frame) read(r *bufio.Reader, maxSize int64, o *order) error {
	f.data = f.data[:0]
	if err := f.readLine(r); err != nil {
		return err
	}
	if err := f.parse(f.line); err != nil {
		return err
	}
	if f.length > min(maxSize, maxLength) {
		f.fail("%s", f.tooLarge())
	}
	if f.fault != "" {
		n, err := io.CopyN(io.Discard, r, f.length)
		return f.contentError(n, err)
	}
	o.reserve(f.length)
	return f.readData(r)
}

// readLine reads the first line of a frame.
func (f *frame) readLine(r *bufio.Reader) error {
	f.line = f.line[:0]
	for {
		part, err := r.ReadSlice('\n')
		f.line = append(f.line, part...)
		switch {
		case len(bytes.TrimSuffix(f.line, []byte("\n"))) > maxHeader:
			return errors.New("its first line is longer than 1 MiB")
		case err == nil:
			f.line = f.line[:len(f.line)-1]
			return nil
		case err == io.EOF && len(f.line) == 0:
			return io.EOF
		case err == io.EOF:
			return errors.New("the input ends in its first line")
		case err != bufio.ErrBufferFull:
			return &readError{fmt.Errorf("read: %w", err)}
		}
	}
}

// readData reads the content.
func (f *frame) readData(r *bufio.Reader) error {
	size := int(f.length)
	if cap(f.data) < size {
		f.data = make([]byte, size, size+size/4)
	}
	f.data = f.data[:size]
	n, err := io.ReadFull(r, f.data)
	return f.contentError(int64(n), err)
}

// contentError returns the error for a content that could not be read to its end, because of err
// after n bytes. It returns nil if err is nil.
func (f *frame) contentError(n int64, err error) error {
	switch {
	case err == nil:
		return nil
	case err == io.EOF, err == io.ErrUnexpectedEOF:
		return fmt.Errorf("the input ends after %d of %d bytes of the content", n, f.length)
	}
	return &readError{fmt.Errorf("read: %w, after %d of %d bytes of the content", err, n, f.length)}
}

// failure returns the result of a frame with a fault.
func (f *frame) failure() Result {
	text := "absolink: " + cmp.Or(f.given.Name, input.Stdin) + ": " + f.fault
	return Result{Error: f.fault, Outcome: string(report.Failed), Problems: 1,
		Messages: []string{console.Printable(text)}}
}
