package container

import (
	"io"
	"math/rand"
	"runtime"
	"slices"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/unit"
	"absolink/mime"
	"absolink/mime/mbox"
)

// Ranges of a local archive are read ahead, on as many goroutines as there are jobs, within bounds.
// Ranges of an archive on a server are not.
func TestReadAhead(t *testing.T) {
	for _, url := range []string{"", "http://a.test/"} {
		for jobs, want := range map[int]int{0: 0, 1: 1, 5: 5, maxAhead: maxAhead,
			1 << 20: max(maxAhead, runtime.GOMAXPROCS(0))} {
			r := &records{in: &input.Document{File: input.File{URL: url}}}
			r.readAhead(jobs)
			if url != "" {
				want = 0
			}
			if r.options.Ahead != want {
				t.Errorf("URL %q, %d jobs: Ahead is %d, want %d", url, jobs, r.options.Ahead, want)
			}
		}
	}
}

// A unit that was read to its end has found the record after it, for other units of the archive.
func TestUnitsFindStarts(t *testing.T) {
	const record = "WARC/1.0\r\nWARC-Type: resource\r\nContent-Type: text/html\r\nContent-Length: 1\r\n\r\nx\r\n\r\n"
	data := strings.Repeat(record, 9)
	rn := new(Runner)
	for at := int64(0); at < int64(len(data)); at += 40 {
		u := &unit.Unit{Path: "a", Ranged: true, Offset: at, Length: 40}
		in := &input.Document{File: input.File{Source: "a", Unit: u},
			Content:  input.Content{At: strings.NewReader(data), Size: int64(len(data))},
			Decision: input.Decision{Kind: input.WARC}}
		known := rn.startsOf("a").before(at)
		content := &leastOffset{Reader: strings.NewReader(data), least: int64(len(data))}
		r := rn.newRecords(in, content)
		for {
			item, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			item.Release()
		}
		if content.least < known {
			t.Errorf("the unit at %d was read from the offset %d, want %d or more", at, content.least, known)
		}
		size := int64(len(record))
		next := min((u.End()+size-1)/size*size, int64(len(data))-size) // no record follows the last one
		if got := rn.startsOf("a").before(int64(len(data))); got != next {
			t.Errorf("after the unit at %d: the last known start is %d, want %d", at, got, next)
		}
		if got := rn.startsOf("b").before(int64(len(data))); got != 0 {
			t.Errorf("a start of another archive is known: %d", got)
		}
	}
}

// The search for a record begins at the last known start at or before an offset, in whatever order
// the starts were found.
func TestStarts(t *testing.T) {
	var s starts
	if got := s.before(100); got != 0 {
		t.Errorf("before(100) without a start: got %d, want 0", got)
	}
	r := rand.New(rand.NewSource(1))
	known := []int64{0}
	for range 200 {
		at := 1 + r.Int63n(500)
		s.add(at)
		known = append(known, at)
		offset := r.Int63n(550)
		want := int64(0)
		for _, k := range known {
			if k <= offset {
				want = max(want, k)
			}
		}
		if got := s.before(offset); got != want {
			t.Fatalf("before(%d) of %v: got %d, want %d", offset, s.offsets, got, want)
		}
	}
	if !slices.IsSorted(s.offsets) || len(slices.Compact(slices.Clone(s.offsets))) != len(s.offsets) {
		t.Errorf("the starts are %v, want each once and in order", s.offsets)
	}
}

// A message whose bytes are not in memory never counts as blank lines.
func TestDamageOfBlankLines(t *testing.T) {
	for data, want := range map[string]bool{"": false, "\n": true, "\r\n\n": true, "x\n": false} {
		m := &Message{Message: &mbox.Message{Data: []byte(data), Defects: []mime.Defect{{Text: "defect"}}},
			in: &input.Document{Content: input.Content{Coding: coding.Gzip}}}
		list := m.damage(0)
		if len(list) != 1 || list[0].Minor != want || (list[0].Detail == "defect") == want {
			t.Errorf("damage of a message with the bytes %q: got %+v, want blank lines: %v", data, list, want)
		}
	}
}

// leastOffset is a file that notes the least offset of its reads after the start of the file.
type leastOffset struct {
	*strings.Reader
	least int64
}

func (f *leastOffset) ReadAt(p []byte, off int64) (int, error) {
	if off > 0 { // the first bytes tell the format
		f.least = min(f.least, off)
	}
	return f.Reader.ReadAt(p, off)
}
