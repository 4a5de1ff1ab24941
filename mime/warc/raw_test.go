package warc

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"absolink/testdata/effort"
)

// turns returns the results of its functions, one for each Read.
type turns []func(p []byte) (int, error)

func (t *turns) Read(p []byte) (int, error) {
	next := (*t)[0]
	*t = (*t)[1:]
	return next(p)
}

// A pipe that has failed is not read again, and each call of Next returns its error.
func TestErrorStays(t *testing.T) {
	broken := errors.New("broken")
	one := response("http://a/", "x")
	for name, data := range map[string]string{"plain": one, "gzip": gz(one), "zstd": zst(one), "nothing": ""} {
		for _, more := range []string{"", data} {
			pipe := &turns{
				func(p []byte) (int, error) { return copy(p, data), nil },
				func(p []byte) (int, error) { return copy(p, more), broken },
			}
			rd := NewReader(pipe, Options{})
			var err error
			for err == nil {
				_, err = rd.Next()
			}
			for range 3 {
				if err != broken {
					t.Errorf("%s, then %d bytes and an error: Next: got %v, want %v", name, len(more), err, broken)
				}
				_, err = rd.Next()
			}
			r := newRaw(&turns{func(p []byte) (int, error) { return copy(p, data), broken }})
			got, err := io.ReadAll(r)
			if string(got) != data || err != nil || r.err != broken || r.off != int64(len(data)) {
				t.Errorf("%s: %d bytes, %v, kept %v, offset %d", name, len(got), err, r.err, r.off)
			}
			if n, err := r.Read(make([]byte, 9)); n != 0 || err != io.EOF {
				t.Errorf("%s: Read after an error: got %d, %v, want 0, %v", name, n, err, io.EOF)
			}
		}
	}
}

// A pipe may return no bytes for a while. If it never returns any, it is broken.
func TestEmptyReads(t *testing.T) {
	one := response("http://a/", "x")
	none := func([]byte) (int, error) { return 0, nil }
	for n := range 3 * maxEmptyReads {
		pipe := turns{func(p []byte) (int, error) { return copy(p, one), nil }}
		for range n {
			pipe = append(pipe, none)
		}
		pipe = append(pipe, func(p []byte) (int, error) { return copy(p, one), io.EOF })
		pipe = append(pipe, func(p []byte) (int, error) { return 0, io.EOF })
		r := newRaw(&pipe)
		got, err := io.ReadAll(r)
		if n < maxEmptyReads {
			if string(got) != one+one || err != nil || r.err != nil {
				t.Errorf("%d reads without bytes: got %d bytes, %v, %v", n, len(got), err, r.err)
			}
			continue
		}
		if string(got) != one || r.err != io.ErrNoProgress || r.off != int64(len(one)) {
			t.Errorf("%d reads without bytes: got %d bytes up to %d, %v, want %d and %v",
				n, len(got), r.off, r.err, len(one), io.ErrNoProgress)
		}
	}
}

// A file begins at its position, and a pipe where it is. Both end where the input ends.
func TestNewRaw(t *testing.T) {
	const text = "0123456789"
	for at := range len(text) + 1 {
		file := strings.NewReader(text)
		file.Seek(int64(at), io.SeekStart)
		r := newRaw(file)
		if r.file == nil || r.fileStart != int64(at) || r.size != int64(len(text)-at) {
			t.Errorf("a file at %d of %d bytes: got start %d and size %d", at, len(text), r.fileStart, r.size)
		}
		for _, r := range []*raw{r, r.reopen(), newRaw(onlyReader{file})} {
			if got, err := io.ReadAll(iotest.OneByteReader(r)); string(got) != text[at:] || err != nil {
				t.Errorf("read from %d: got %q, %v, want %q", at, got, err, text[at:])
			}
		}
	}
}

// A raw goes back over the bytes that it keeps, in a file and in a pipe, and returns them again.
func TestGoBack(t *testing.T) {
	var b strings.Builder
	for i := 0; b.Len() < 5*readBuffer; i++ {
		b.WriteString(strings.Repeat(string(rune('a'+i%26)), i%7))
	}
	text := b.String()
	for _, keep := range []int{0, 1, 1000, readBuffer} {
		for _, size := range effort.Pick([]int{100, 1001, readBuffer}, []int{1001, readBuffer}) {
			for _, kind := range []string{"file", "pipe"} {
				r := newRaw(strings.NewReader(text))
				if kind == "pipe" {
					r = newRaw(pieces{strings.NewReader(text), size})
				}
				r.keepSize = keep
				p := make([]byte, size)
				for step := 0; r.off < int64(len(text)); step++ {
					before := r.off
					n, err := r.Read(p)
					if err != nil || string(p[:n]) != text[before:before+int64(n)] || r.off != before+int64(n) {
						t.Fatalf("%s of %d, keeps %d: Read at %d: got %d bytes, %v", kind, size, keep, before, n, err)
					}
					if step%3 > 0 {
						continue
					}
					r.unread(p[:n])
					if r.off != before {
						t.Fatalf("%s of %d: unread at %d: got %d", kind, size, before, r.off)
					}
					back := max(0, before-int64(keep))
					if !r.seek(back) || r.off != back {
						t.Fatalf("%s of %d, keeps %d: seek from %d to %d: got false", kind, size, keep, before, back)
					}
					for r.off < before+int64(n) {
						at := r.off
						k, err := r.Read(p)
						if err != nil || string(p[:k]) != text[at:at+int64(k)] {
							t.Fatalf("%s of %d, keeps %d: Read again at %d: got %d bytes, %v",
								kind, size, keep, at, k, err)
						}
					}
				}
				if kind == "pipe" && r.seek(r.off+1) {
					t.Errorf("pipe of %d: seek after the end: got true", size)
				}
				if kind == "pipe" && r.seek(0) {
					t.Errorf("pipe of %d, keeps %d: seek to its start: got true", size, keep)
				}
			}
		}
	}
}
