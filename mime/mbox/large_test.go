package mbox

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"absolink/testdata/effort"
)

// synthetic is a mailbox of any size that is not in memory: the same few messages again and again,
// with blank bytes as bodies.
type synthetic struct {
	heading string // separator and header
	body    int64
	size    int64
}

func (s synthetic) message() int64 { return int64(len(s.heading)) + s.body + 2 }

// ReadAt implements io.ReaderAt.
func (s synthetic) ReadAt(b []byte, off int64) (n int, err error) {
	for n < len(b) && off < s.size {
		at := off % s.message()
		k := int(min(int64(len(b)-n), s.size-off))
		switch end := int64(len(s.heading)) + s.body; {
		case at < int64(len(s.heading)):
			k = copy(b[n:n+k], s.heading[at:])
		case at < end:
			k = int(min(int64(k), end-at))
			clear(b[n : n+k])
		default:
			b[n], k = '\n', 1
		}
		n, off = n+k, off+int64(k)
	}
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// offsets returns the offsets of the messages that r returns.
func offsets(t *testing.T, r *Reader) (list []int64) {
	t.Helper()
	end := int64(-1)
	for {
		m, err := r.Next()
		if err == io.EOF {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		if m.Number != len(list)+1 || len(list) > 0 && m.Offset != end {
			t.Fatalf("message %d at %d, want number %d at %d", m.Number, m.Offset, len(list)+1, end)
		}
		end = m.Offset + m.Size()
		list = append(list, m.Offset)
		m.Release()
	}
}

// A mailbox above 1 GB, or 100 MB in the short form, with messages above and below Hold gives the
// same messages in ranges of 64 KB to 1 GB.
func TestLargeRanges(t *testing.T) {
	mb := effort.Pick[int64](1<<20, 100<<10) // of the first mailbox
	for _, s := range []synthetic{
		{"From a\nA: b\n\n", 300*mb + 17, 1300 * mb},
		{"From a\nA: b\n\n", 3<<20 + 1, effort.Pick[int64](100, 30) << 20},
		{"From a\nA: b\n\n", 10_001, 20 << 20},
	} {
		box := io.NewSectionReader(s, 0, s.size)
		var want []int64
		for at := int64(0); at < s.size; at += s.message() {
			want = append(want, at)
		}
		for _, size := range []int64{64 << 10, 1 << 20, 1024 * mb} {
			if size < s.size/effort.Pick[int64](1000, 100) {
				continue
			}
			var got []int64
			for start := int64(0); start < s.size; start += size {
				got = append(got,
					offsets(t, NewReader(box, Options{Hold: 1 << 20, Start: start, End: start + size}))...)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%d bytes in ranges of %d: messages at %d, want %d", s.size, size, got, want)
			}
		}
	}
}

// The memory in use does not grow with the mailbox, nor with its messages.
func TestMemory(t *testing.T) {
	size := effort.Pick[int64](100<<20, 20<<20)
	for name, s := range map[string]synthetic{
		"small messages":        {"From a\nA: b\n\n", 5000, size},
		"messages of 4 MB":      {"From a\nA: b\n\n", 4 << 20, effort.Pick[int64](200<<20, 20<<20)},
		"message above Hold":    {"From a\nA: b\n\n", size, size},
		"count above Hold":      {fmt.Sprintf("From a\nContent-Length: %d\n\n", size), size, size + 1<<20},
		"count that leads away": {"From a\nContent-Length: 99999999\n\n", 1 << 20, size},
	} {
		var before, after runtime.MemStats
		emptyPools()
		runtime.ReadMemStats(&before)
		r := NewReader(stream{io.NewSectionReader(s, 0, s.size)},
			Options{Variant: CL2, Hold: 5 << 20, TempDir: t.TempDir()})
		offsets(t, r)
		emptyPools()
		runtime.ReadMemStats(&after)
		if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 16<<20 {
			t.Errorf("%s: %d bytes more are held", name, grown)
		}
		if got := after.TotalAlloc - before.TotalAlloc; got > uint64(2*s.size) {
			t.Errorf("%s: %d bytes allocated for %d", name, got, s.size)
		}
	}
}

// emptyPools collects garbage and the content of every sync.Pool, which survives one collection.
func emptyPools() {
	runtime.GC()
	runtime.GC()
}

// limited counts the bytes that are read from a mailbox.
type limited struct {
	io.Reader
	n *int64
}

func (l limited) Read(b []byte) (int, error) {
	n, err := l.Reader.Read(b)
	*l.n += int64(n)
	return n, err
}

// A pipe is read only once, even if many Content-Lengths lead far ahead.
func TestCountsThatLeadAway(t *testing.T) {
	message := "From a@x Thu Jan  1 00:00:00 2026\nContent-Length: %d\n\nbody\n\n"
	for _, n := range []int{500, 1000} {
		box := strings.Repeat(fmt.Sprintf(message, 50_000_000), n/2) + strings.Repeat(fmt.Sprintf(message, 20_000), n/2)
		var read int64
		r := newReader(limited{strings.NewReader(box), &read}, Options{Variant: CL, TempDir: t.TempDir()}, smallWindow)
		if got := len(all(t, r)); got != n || read != int64(len(box)) {
			t.Errorf("%d messages in %d bytes: got %d, read %d", n, len(box), got, read)
		}
	}
}

// If a temporary file cannot be created, the message gets an error, and no message before it is
// lost.
func TestNoTempDir(t *testing.T) {
	box := date + "A: b\n\nbody\n\n" + date + "A: b\n\n" + strings.Repeat("x\n", windowSize)
	r := NewReader(stream{strings.NewReader(box)}, Options{Hold: 1000, TempDir: t.TempDir() + "/none"})
	list, err := untilError(r)
	if len(list) != 1 || err == io.EOF || err == nil {
		t.Errorf("Next: %d messages and %v, want one and that the directory does not exist", len(list), err)
	}
}

// Messages do not change while others are read and released.
func TestRelease(t *testing.T) {
	var box strings.Builder
	n := effort.Pick(300, 120)
	for i := range n {
		fmt.Fprintf(&box, "%sA: %d\n\n%s\n", date, i, strings.Repeat(fmt.Sprintf("%d\n", i), i*10))
	}
	for how, r := range readers(t, box.String(), Options{Hold: 100 << 10}) {
		var held []*Message
		var want []got
		checked := 0
		for m, err := r.Next(); err != io.EOF; m, err = r.Next() {
			if err != nil {
				t.Fatal(err)
			}
			held, want = append(held, m), append(want, see(t, m))
			for len(held)-checked > 7 {
				if got, want := see(t, held[checked]), want[checked]; got != want {
					t.Fatalf("%s: message %d has changed", how, want.number)
				}
				held[checked].Release()
				checked++
			}
		}
		if len(held) != n {
			t.Errorf("%s: %d messages, want %d", how, len(held), n)
		}
	}
}

// Release closes the temporary file of a message, and removes it from the users of its block and of
// the source. A Reader that is at the end is no user either.
func TestReleaseUsers(t *testing.T) {
	in := date + "A: b\n\nsmall\n\n" + date + "A: b\n\n" + strings.Repeat("large\n", 10000)
	r := newReader(stream{strings.NewReader(in)}, Options{Hold: 1, Lengths: true, TempDir: t.TempDir()}, smallWindow)
	messages := list(r)
	if len(messages) != 2 || messages[0].block == nil || messages[1].file == nil {
		t.Fatalf("got %d messages, want a small one and a large one", len(messages))
	}
	small, large := messages[0], messages[1]
	block, file := small.block, large.file
	if got, users := block.users.Load(), r.src.users.Load(); got != 1 || users != 2 {
		t.Errorf("the block has %d users and the source %d, want 1 and 2", got, users)
	}
	small.Release()
	if got, users := block.users.Load(), r.src.users.Load(); got != 0 || users != 1 {
		t.Errorf("after Release of the small message: the block has %d users and the source %d, want 0 and 1",
			got, users)
	}
	large.Release()
	if _, err := file.Stat(); !errors.Is(err, os.ErrClosed) || r.src.users.Load() != 0 {
		t.Errorf("after Release of the large message: its file gives %v, and the source has %d users, want %v and none",
			err, r.src.users.Load(), os.ErrClosed)
	}
}

// If a file has become shorter, the message that misses bytes is an error.
func TestShorterFile(t *testing.T) {
	s := synthetic{"From a\nA: b\n\n", 1 << 20, 1<<20 + 15}
	file := &shrinking{synthetic: s}
	r := NewReader(io.NewSectionReader(file, 0, s.size), Options{Hold: 1000})
	m, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	file.synthetic.size = 1 << 19
	if err := m.Write(io.Discard, nil); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("Write of a message of a file that shrank: got %v, want %v", err, io.ErrUnexpectedEOF)
	}
}

// A message is also an error if the file becomes shorter or unreadable while the message is read,
// after its Content-Length was found to lead to the next one.
func TestShorterFileInMessage(t *testing.T) {
	const n = 1 << 20
	box := fmt.Sprintf("From a\nContent-Length: %d\n\n%s\nFrom b\nA: b\n\n", n, strings.Repeat("x\n", n/2))
	for _, want := range []error{io.ErrUnexpectedEOF, io.ErrClosedPipe} {
		for _, hold := range []int{1000, 2 * n} {
			foundEnd := false
			file := readerAt(func(p []byte, off int64) (int, error) {
				foundEnd = foundEnd || off > n/2
				switch {
				case foundEnd && off < n/2 && want == io.ErrUnexpectedEOF:
					return 0, io.EOF
				case foundEnd && off < n/2:
					return 0, want
				}
				return strings.NewReader(box).ReadAt(p, off)
			})
			r := NewReader(io.NewSectionReader(file, 0, int64(len(box))), Options{Hold: hold, Variant: CL2})
			if m, err := r.Next(); !errors.Is(err, want) {
				t.Errorf("Hold %d: got the message %+v and %v, want %v", hold, m, err, want)
			}
		}
	}
}

type readerAt func(p []byte, off int64) (int, error)

func (f readerAt) ReadAt(p []byte, off int64) (int, error) { return f(p, off) }

type shrinking struct{ synthetic }

// After the last unhold, the temporary file of a pipe does not grow any more, even if it was small
// at that time.
func TestUnholdEndsStoring(t *testing.T) {
	size := effort.Pick[int64](3*maxHeld, maxHeld+8<<20)
	src := newSource(stream{io.NewSectionReader(synthetic{"From a\nA: b\n\n", 5000, size}, 0, size)}, t.TempDir())
	defer src.removeUser()
	if err := src.hold(nil); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 128<<10)
	if _, err := src.read(b); err != nil {
		t.Fatal(err)
	}
	src.unhold(1)
	read := int64(0)
	for n, err := src.read(b); err != io.EOF; n, err = src.read(b) {
		if err != nil {
			t.Fatal(err)
		}
		read += int64(n)
	}
	info, err := src.stored.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Size(); got > maxHeld+1<<20 {
		t.Errorf("the temporary file has %d bytes after %d of the pipe, want at most about %d", got, read, maxHeld)
	}
}
