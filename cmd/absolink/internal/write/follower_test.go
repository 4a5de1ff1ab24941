package write

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"absolink/testdata/effort"
)

// newFile returns an empty file.
func newFile(t *testing.T) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// The reader gets all bytes, in pieces of any size, whatever the sizes of the writes.
func TestFollowerReadsAll(t *testing.T) {
	var want []byte
	for i := range effort.Pick(3000, 1200) { // at least 4097 bytes
		want = fmt.Appendf(want, "%d,", i)
	}
	for _, size := range []int{1, 7, 4096, len(want), len(want) + 1} {
		for _, step := range []int{1, 100, len(want)} {
			var got bytes.Buffer
			w := follow(t.Context(), newFile(t), func(output io.Reader) error {
				_, err := io.CopyBuffer(struct{ io.Writer }{&got}, output, make([]byte, size))
				return err
			})
			for b := want; len(b) > 0; {
				n := min(step, len(b))
				if n, err := w.Write(b[:n]); err != nil {
					t.Fatal(n, err)
				}
				b = b[n:]
			}
			err := w.finish()
			w.stop()
			if err != nil || !bytes.Equal(got.Bytes(), want) {
				t.Errorf("reads of %d bytes after writes of %d: %d bytes, %v", size, step, got.Len(), err)
			}
		}
	}
}

// A read waits for the bytes that it asks for, and reports the end only after finish.
func TestFollowerWaits(t *testing.T) {
	read := make(chan string)
	w := follow(t.Context(), newFile(t), func(output io.Reader) error {
		b := make([]byte, 4)
		for {
			n, err := io.ReadFull(output, b)
			read <- string(b[:n])
			if err != nil {
				return err
			}
		}
	})
	defer w.stop()
	io.WriteString(w, "ab")
	io.WriteString(w, "cde")
	if got := <-read; got != "abcd" {
		t.Errorf("first read: %q", got)
	}
	go func() {
		if got := <-read; got != "e" {
			t.Errorf("last read: %q", got)
		}
	}()
	if err := w.finish(); err != io.ErrUnexpectedEOF {
		t.Errorf("finish: %v, want the error of the reader", err)
	}
}

// The reader sees the bytes of the file, not those that were passed to Write.
func TestFollowerReadsTheFile(t *testing.T) {
	f := newFile(t)
	written := make(chan bool)
	var got []byte
	w := follow(t.Context(), f, func(output io.Reader) (err error) {
		<-written
		got, err = io.ReadAll(output)
		return err
	})
	defer w.stop()
	io.WriteString(w, "old bytes")
	if _, err := f.WriteAt([]byte("new"), 0); err != nil {
		t.Fatal(err)
	}
	close(written)
	if err := w.finish(); err != nil || string(got) != "new bytes" {
		t.Errorf("%q, %v", got, err)
	}
}

// Without finish, the reader gets an error, and stop returns after it.
func TestFollowerStops(t *testing.T) {
	returned := false
	w := follow(t.Context(), newFile(t), func(output io.Reader) error {
		_, err := io.ReadAll(output)
		if !errors.Is(err, errStopped) {
			t.Errorf("read after stop: %v", err)
		}
		returned = true
		return err
	})
	io.WriteString(w, "ab")
	w.stop()
	if !returned {
		t.Error("stop returned before the reader")
	}
}

// A cancelled run stops the reader, although all bytes are there.
func TestFollowerIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	ready := make(chan bool)
	w := follow(ctx, newFile(t), func(output io.Reader) error {
		<-ready
		_, err := io.ReadAll(output)
		return err
	})
	defer w.stop()
	io.WriteString(w, "ab")
	cancel()
	close(ready)
	if err := w.finish(); !errors.Is(err, context.Canceled) {
		t.Errorf("finish: %v", err)
	}
}

// A panic of the reader becomes a panic of the writer, which the run reports for this input alone.
func TestFollowerPanics(t *testing.T) {
	w := follow(t.Context(), newFile(t), func(io.Reader) error { panic("broken") })
	defer w.stop()
	defer func() {
		if got := recover(); got != "broken" {
			t.Errorf("panic of finish: %v", got)
		}
	}()
	w.finish()
	t.Error("finish returned")
}

// An error of writing shows in Write, and the bytes before it can be read.
func TestFollowerFailsToWrite(t *testing.T) {
	f := newFile(t)
	readOnly, err := os.Open(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	defer readOnly.Close()
	w := follow(t.Context(), readOnly, func(output io.Reader) error {
		_, err := io.ReadAll(output)
		return err
	})
	defer w.stop()
	if n, err := io.WriteString(w, "ab"); n != 0 || err == nil {
		t.Errorf("Write: %d, %v", n, err)
	}
}
