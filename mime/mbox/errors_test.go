package mbox

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"

	"absolink/mime"
	"absolink/testdata/interrupt"
)

// At whichever call the reading of a file fails, Next returns the error, and never the end of the
// mailbox.
func TestReadErrorAtEachCall(t *testing.T) {
	body := strings.Repeat("text\n", 1000)
	counted := fmt.Sprintf("Content-Length: %d\n\n%s\n", len(body), body)
	first := date + "A: b\n\n" + body + "\n"
	in := first + date + counted + date + "Content-Length: 9999\n\n" + body + "\n" + date + counted
	for _, o := range []Options{{}, {Lengths: true}, {Variant: CL}, {Variant: CL2, Start: int64(len(first))},
		{Start: 100}, {Start: 100, Number: 2, Line: 3}} {
		o.Hold = 1
		for n := 0; ; n++ {
			file := &interrupt.Reader{R: strings.NewReader(in), Left: n}
			r := newReader(io.NewSectionReader(file, 0, int64(len(in))), o, smallWindow)
			_, err := untilError(r)
			if file.Left >= 0 {
				if err != io.EOF || n < 3 {
					t.Errorf("%+v: after %d calls: got %v", o, n, err)
				}
				break
			}
			if !errors.Is(err, interrupt.ErrRead) {
				t.Errorf("%+v: reading fails at call %d: got %v, want %v", o, n, err, interrupt.ErrRead)
			}
		}
	}
}

// Verify returns an error if the message cannot be read to its end.
func TestVerifyErrorAtEachCall(t *testing.T) {
	in := date + "A: b\n\n" + strings.Repeat("text\n", 3000) + "\n" + date + "A: b\n\n" + strings.Repeat("text\n", 3000)
	edit := []mime.Edit{{Span: mime.Span{Start: 10, End: 12}, New: []byte("long")}}
	cut := []mime.Edit{{Span: mime.Span{Start: 10, End: 12}, New: []byte("\n\n" + date + "A: b\n\n")}}
	for number, edits := range [][]mime.Edit{edit, edit, cut, cut} {
		number %= 2
		failed := 0
		for n := 0; ; n++ {
			file := &interrupt.Reader{R: strings.NewReader(in), Left: 1 << 30}
			m := list(newReader(io.NewSectionReader(file, 0, int64(len(in))), Options{Hold: 1}, smallWindow))[number]
			file.Left = n
			err := m.Verify(edits)
			if file.Left >= 0 {
				if isCut := &edits[0] == &cut[0]; (err != nil) != isCut || failed < 2 {
					t.Errorf("Verify after %d calls: got %v, want an error: %v", n, err, isCut)
				}
				break
			}
			failed++
			if !errors.Is(err, interrupt.ErrRead) {
				t.Errorf("reading fails at call %d: Verify: got %v, want %v", n, err, interrupt.ErrRead)
			}
		}
	}
}

// Write returns the error of any call of the writer.
func TestWriteErrorAtEachCall(t *testing.T) {
	in := date + "A: b\n\n" + strings.Repeat("text\n", 3000)
	edits := []mime.Edit{{Span: mime.Span{Start: 10, End: 12}, New: []byte("long")},
		{Span: mime.Span{Start: 20, End: 20}, New: []byte("text")}}
	for how, r := range readers(t, in, Options{}) {
		m, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range [][]mime.Edit{nil, edits[:1], edits} {
			for n := 0; ; n++ {
				w := &interrupt.Writer{W: io.Discard, Left: n}
				err := m.Write(w, e)
				if w.Left >= 0 {
					if err != nil || n == 0 {
						t.Errorf("%s: %d edits and %d calls: got %v", how, len(e), n, err)
					}
					break
				}
				if !errors.Is(err, interrupt.ErrWrite) {
					t.Errorf("%s: %d edits, writing fails at call %d: got %v, want %v", how, len(e), n, err,
						interrupt.ErrWrite)
				}
			}
		}
	}
}

// A message that needs a temporary file is an error if there is none, wherever its bytes become too
// many.
func TestStoreErrorAtEachSize(t *testing.T) {
	in := date + "A: b\n\n" + strings.Repeat("text\n", 3000)
	for hold := 1; hold < len(in)+1000; hold += 500 {
		r := newReader(stream{strings.NewReader(in)}, Options{Hold: hold, TempDir: t.TempDir() + "/none"}, smallWindow)
		list, err := untilError(r)
		if hold >= len(in) && (len(list) != 1 || err != io.EOF) ||
			hold < len(in) && (len(list) != 0 || !errors.Is(err, fs.ErrNotExist)) {
			t.Errorf("Hold %d of %d bytes: got %d messages and %v", hold, len(in), len(list), err)
		}
	}
}
