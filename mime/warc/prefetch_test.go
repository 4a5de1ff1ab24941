package warc

import (
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"absolink/testdata/effort"
)

// manyMembers writes n pages in gzip members, which compress badly.
func manyMembers(n int) string { return joined(members200()[:n]...) }

// members200 returns the first 200 members of manyMembers.
var members200 = sync.OnceValue(func() (members []string) {
	random := rand.New(rand.NewPCG(3, 5))
	for range 200 {
		page := make([]byte, 1+random.IntN(9000))
		for i := range page {
			page[i] = byte(' ' + random.IntN(90))
		}
		members = append(members, gz(response("http://a.test/", string(page))))
	}
	return members
})

// aheadRanges is the number of ranges in the archives of aheadArchives, at least.
var aheadRanges = effort.Pick(4, 2)

// aheadArchives returns archives of gzip members with more than aheadRanges ranges of a size, most
// of them damaged or unusual, and other archives. more are the members after what is unusual.
func aheadArchives(each, more string, size int) map[string]func() string {
	text := response("http://b.test/", "y")
	texts := effort.Pick(4000, 700)
	at := (aheadRanges - 1) * size
	return map[string]func() string{
		"gzip members":          func() string { return each },
		"damage":                func() string { return each[:size+20] + "junk" + each[size+500:] },
		"damage at a range":     func() string { return each[:at] + each[at+1:] },
		"an archive in another": func() string { return each + gzStored(rec("resource", "", each)) + more },
		"a large record": func() string {
			return each + gz(response("http://l.test/", strings.Repeat("x", maxRecords+1))) + more
		},
		"plain behind members": func() string { return each + text + text + more },
		"a tail":               func() string { return each + strings.Repeat("\x00", 2*size) },
		"one member":           func() string { return gz(strings.Repeat(text, texts)) },
		"plain":                func() string { return strings.Repeat(text, texts) },
		"nothing":              func() string { return "" },
	}
}

// The records are the same with and without reading ahead.
func TestAhead(t *testing.T) {
	each := manyMembers(effort.Pick(200, 80))
	if len(each) < aheadRanges*rangeSize {
		t.Fatalf("%d bytes are too few ranges", len(each))
	}
	for name, archive := range aheadArchives(each, effort.Pick(each, manyMembers(9)), rangeSize) {
		data := archive()
		want := outline(t, strings.NewReader(data), Options{})
		for _, n := range effort.Pick([]int{1, 2, 5}, []int{2}) {
			if got := outline(t, strings.NewReader(data), Options{Ahead: n}); got != want {
				t.Errorf("%s, Ahead %d: got\n%.2000s\nwant\n%.2000s", name, n, got, want)
			}
		}
	}
}

// Most records of an archive come from the goroutines that read ahead.
func TestAheadIsUsed(t *testing.T) {
	r := NewReader(strings.NewReader(manyMembers(200)), Options{Ahead: 3})
	defer r.Stop()
	ahead := 0
	for n := 0; n < 200; n++ {
		rec, err := r.Next()
		if err != nil || rec.Number != n+1 {
			t.Fatalf("Next: got record %d, %v, want %d", rec.Number, err, n+1)
		}
		if p := r.prefetch; p != nil && p.behind {
			ahead++
		}
		rec.Release()
	}
	if ahead < 100 {
		t.Errorf("%d of 200 records were read ahead, want 100 or more", ahead)
	}
}

// Reset may come at any record. The next records are those of the other archive.
func TestResetAhead(t *testing.T) {
	data := manyMembers(60)
	other := strings.Repeat(gz(numbered(7, "<a href=7>")), 3)
	for _, n := range []int{0, 1, 20, 60} {
		for name, archive := range map[string]string{"members": other, "plain": numbered(7, ""), "nothing": ""} {
			r := NewReader(strings.NewReader(data), Options{Ahead: 3})
			for range n {
				rec, err := r.Next()
				if err != nil {
					t.Fatalf("Next: %v", err)
				}
				rec.Release()
			}
			r.Reset(strings.NewReader(archive), Options{})
			got := ""
			for rec, err := range r.All() {
				if err != nil {
					t.Fatalf("All: %v", err)
				}
				got += line(t, rec, true)
				rec.Release()
			}
			if want := outline(t, strings.NewReader(archive), Options{}); got != want {
				t.Errorf("%s after %d records of another archive: got\n%swant\n%s", name, n, got, want)
			}
		}
	}
}

// Stop may come at any record, and twice. Then a Reader may be Reset.
func TestStop(t *testing.T) {
	data := manyMembers(100)
	want := outline(t, strings.NewReader(data), Options{})
	r := NewReader(strings.NewReader(data), Options{Ahead: 3})
	for _, n := range []int{0, 1, 30, 100} {
		for range n {
			rec, err := r.Next()
			if err != nil {
				t.Fatalf("Next: %v", err)
			}
			rec.Release()
		}
		r.Stop()
		r.Stop()
		r.Reset(strings.NewReader(data), Options{Ahead: 3})
	}
	var b strings.Builder
	for rec, err := range r.All() {
		if err != nil {
			t.Fatalf("All: %v", err)
		}
		b.WriteString(line(t, rec, true))
		rec.Release()
	}
	if b.String() != want {
		t.Errorf("All after Reset: got\n%.2000s\nwant\n%.2000s", b.String(), want)
	}
}

// slowFile counts the calls of ReadAt that have not returned.
type slowFile struct {
	*strings.Reader
	calls atomic.Int64
}

func (f *slowFile) ReadAt(p []byte, off int64) (int, error) {
	f.calls.Add(1)
	defer f.calls.Add(-1)
	time.Sleep(100 * time.Microsecond)
	return f.Reader.ReadAt(p, off)
}

// After Stop, Reset, an error and the end, no goroutine reads the file.
func TestStopWaits(t *testing.T) {
	const members = 60
	data := manyMembers(members)
	for _, n := range []int{1, 2, 30, members + 1} {
		for _, reset := range []bool{false, true} {
			file := &slowFile{Reader: strings.NewReader(data)}
			r := NewReader(file, Options{Ahead: 3})
			for range n {
				if _, err := r.Next(); err != nil && n <= members {
					t.Fatalf("Next: %v", err)
				}
			}
			switch {
			case reset:
				r.Reset(strings.NewReader(""), Options{})
			case n <= members:
				r.Stop()
			}
			if calls := file.calls.Load(); calls != 0 {
				t.Errorf("after %d records: %d goroutines read the file", n, calls)
			}
		}
	}
}

// A panic while a range is read ahead reaches the caller, after the records before it.
func TestAheadPanic(t *testing.T) {
	data := manyMembers(150)
	file := io.NewSectionReader(&panicking{strings.NewReader(data), 2*rangeSize + 100}, 0, int64(len(data)))
	n := 0
	defer func() {
		if got := recover(); got != "boom" || n == 0 || n == 150 {
			t.Errorf("panic of Next: %v, after %d records", got, n)
		}
	}()
	r := NewReader(file, Options{Ahead: 4})
	for ; n < 150; n++ {
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
	}
}

// A Reader that has panicked is not used again. Any other one is.
func TestAheadAfterPanic(t *testing.T) {
	data := manyMembers(3)
	for _, broken := range []bool{false, true} {
		file := newRaw(strings.NewReader(data))
		if broken {
			file.file = &panicking{strings.NewReader(data), 0}
		}
		old := new(Reader)
		p := &prefetcher{readers: make(chan *Reader, 1)}
		p.readers <- old
		f := &readRange{done: make(chan struct{})}
		p.read(f, file, Options{End: int64(len(data))})
		<-f.done
		if again := <-p.readers; (again == old) == broken || f.complete == broken || (len(f.records) == 3) == broken {
			t.Errorf("panic %v: the Reader is used again: %v; complete %v with %d records",
				broken, again == old, f.complete, len(f.records))
		}
		f.release()
	}
}

// panicking panics if it is read from an offset on.
type panicking struct {
	r    io.ReaderAt
	from int64
}

func (f *panicking) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > f.from {
		panic("boom")
	}
	return f.r.ReadAt(p, off)
}

// An error of the file comes after the records before it.
func TestAheadError(t *testing.T) {
	data := manyMembers(150)
	bad := func() io.Reader {
		return io.NewSectionReader(&failing{strings.NewReader(data), 2*rangeSize + 100}, 0, int64(len(data)))
	}
	read := func(o Options) (n int, err error) {
		for rec, err := range recordsOf(bad(), o) {
			if err != nil {
				return n, err
			}
			n++
			rec.Release()
		}
		return n, nil
	}
	want, _ := read(Options{})
	got, err := read(Options{Ahead: 4})
	if got != want || !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("All: got %d records and %v, want %d and %v", got, err, want, io.ErrNoProgress)
	}
}
