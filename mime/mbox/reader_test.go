package mbox

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"
)

// got is the part of a message that a test compares.
type got struct {
	number             int
	offset, line       int64
	lead, sep, content string
	rest               string
	defects            string
}

func (g got) all() string { return g.lead + g.sep + g.content + g.rest }

func (g got) String() string {
	return fmt.Sprintf("%d at %d line %d: %q %q %q %q%s\n", g.number,
		g.offset, g.line, g.lead, g.sep, g.content, g.rest, g.defects)
}

// see reads a whole message.
func see(t testing.TB, m *Message) got {
	t.Helper()
	var out bytes.Buffer
	if err := m.Write(&out, nil); err != nil {
		t.Fatalf("Write: %v", err)
	}
	b := out.String()
	if int64(len(b)) != m.Size() {
		t.Fatalf("Size = %d of a message of %d bytes", m.Size(), len(b))
	}
	g := got{m.Number, m.Offset, m.Line, b[:m.Separator.Start], b[m.Separator.Start:m.Separator.End],
		b[m.Content.Start:m.Content.End], b[m.Content.End:], ""}
	if m.Separator.End != m.Content.Start {
		t.Fatalf("separator %v, content %v of message %d", m.Separator, m.Content, m.Number)
	}
	for _, d := range m.Defects {
		g.defects += fmt.Sprintf("; %d %s", d.Offset, d.Text)
	}
	return g
}

// all reads a mailbox to its end.
func all(t testing.TB, r *Reader) (list []got) {
	t.Helper()
	for {
		m, err := r.Next()
		if err == io.EOF {
			return list
		}
		if err != nil {
			t.Fatalf("Next: %v", err)
		}
		list = append(list, see(t, m))
		m.Release()
	}
}

// stream hides that a reader is a file.
type stream struct{ io.Reader }

// smallWindow is a window that is too small for the messages of the tests.
const smallWindow = 4 << 10

const (
	date  = "From a@x Thu Jan  1 00:00:00 2026\n"
	plain = "From a@x on some day\n"
)

var readTests = []struct {
	name, in string
	variant  Variant
	want     []got
}{
	{"empty", "", RD, nil},
	{"one", date + "A: b\n\nbody\n", RD, []got{{1, 0, 1, "", date, "A: b\n\nbody\n", "", ""}}},
	{"two", date + "A: b\n\nbody\n\n" + plain + "C: d\n\nlast\n", RD, []got{
		{1, 0, 1, "", date, "A: b\n\nbody\n", "\n", ""},
		{2, 46, 6, "", plain, "C: d\n\nlast\n", "", ""}}},
	{"no newline at the end", date + "A: b\n\nbody", RD, []got{{1, 0, 1, "", date, "A: b\n\nbody", "", ""}}},
	{"separator without a newline", date + "A: b\n\nbody\n\nFrom x Thu Jan  1 00:00 2026", RD, []got{
		{1, 0, 1, "", date, "A: b\n\nbody\n", "\n", ""},
		{2, 46, 6, "", "From x Thu Jan  1 00:00 2026", "", "", ""}}},
	{"no blank line before a date", date + "A: b\n\nbody\n" + date + "C: d\n\nlast\n\n", RD, []got{
		{1, 0, 1, "", date, "A: b\n\nbody\n", "", ""},
		{2, 45, 5, "", date, "C: d\n\nlast\n", "\n", ""}}},
	{"two blank lines", date + "A: b\n\nbody\n\n\n" + plain + "C: d\n\nlast\n\n\n", RD, []got{
		{1, 0, 1, "", date, "A: b\n\nbody\n\n", "\n", ""},
		{2, 47, 7, "", plain, "C: d\n\nlast\n\n", "\n", ""}}},
	{"blank line of the header alone", date + "A: b\n\n" + plain + "C: d\n\n\n" + date + "\n", RD, []got{
		{1, 0, 1, "", date, "A: b\n\n", "", ""},
		{2, 40, 4, "", plain, "C: d\n\n", "\n", ""},
		{3, 68, 8, "", date, "\n", "", ""}}},
	{"CRLF", "From a\r\nA: b\r\n\r\nbody\r\n\r\nFrom b\r\nC: d\r\n\r\nlast\r\n", RD, []got{
		{1, 0, 1, "", "From a\r\n", "A: b\r\n\r\nbody\r\n", "\r\n", ""},
		{2, 24, 6, "", "From b\r\n", "C: d\r\n\r\nlast\r\n", "", ""}}},
	{"mixed line ends", "From a\nA: b\r\n\nbody\n\r\nFrom b\r\nC: d\n\r\nlast\r\n\nFrom c\nE: f\n", RD, []got{
		{1, 0, 1, "", "From a\n", "A: b\r\n\nbody\n", "\r\n", ""},
		{2, 21, 6, "", "From b\r\n", "C: d\n\r\nlast\r\n", "\n", ""},
		{3, 43, 11, "", "From c\n", "E: f\n", "", ""}}},
	{"CR alone", "From a\rA: b\r\rbody\r\rFrom b\rC: d\r\rlast\r", RD, []got{
		{1, 0, 1, "", "From a\r", "A: b\r\rbody\r", "\r", ""},
		{2, 19, 6, "", "From b\r", "C: d\r\rlast\r", "", ""}}},
	{"byte order mark", "\xef\xbb\xbf" + date + "A: b\n\nbody\n", RD, []got{
		{1, 0, 1, "\xef\xbb\xbf", date, "A: b\n\nbody\n", "", "; 0 byte order mark before the first separator"}}},
	{"first separator is quoted", ">From a\nA: b\n\nbody\n\n>From a\nA: b\n", RD, []got{
		{1, 0, 1, "", ">From a\n", "A: b\n\nbody\n\n>From a\nA: b\n", "", "; 0 the first separator is quoted"}}},
	{"quoted line begins a message", date + ">From b\nA: b\n\nbody\n", RD, []got{
		{1, 0, 1, "", date, ">From b\nA: b\n\nbody\n", "", ""}}},
	{"blank lines first", "\n\nFrom a\nA: b\n", RD, []got{
		{0, 0, 1, "", "", "\n", "\n", "; 0 text before the first separator"},
		{1, 2, 3, "", "From a\n", "A: b\n", "", ""}}},
	{"text first", "hello\n\nFrom a\nA: b\n", RD, []got{
		{0, 0, 1, "", "", "hello\n\n", "", "; 0 text before the first separator"},
		{1, 7, 3, "", "From a\n", "A: b\n", "", ""}}},
	{"message without a separator first", "A: b\n\nbody\n\nFrom a\nC: d\n", RD, []got{
		{1, 0, 1, "", "", "A: b\n\nbody\n", "\n", "; 0 no separator before the first message"},
		{2, 12, 5, "", "From a\n", "C: d\n", "", ""}}},
	{"no separator at all", "hello\n", RD,
		[]got{{0, 0, 1, "", "", "hello\n", "", "; 0 text before the first separator"}}},
	{"first line has no other sign", "From here\nto there\n", RD, []got{
		{1, 0, 1, "", "From here\n", "to there\n", "", ""}}},
	{"text that looks like a separator",
		date + "A: b\n\nSee\nFrom here\nnote: that\n\nFrom there\nno field\nFrom x :\n\nFrom : a@x\nB: c\n", RD, []got{
			{1, 0, 1, "", date,
				"A: b\n\nSee\nFrom here\nnote: that\n\nFrom there\nno field\nFrom x :\n\nFrom : a@x\nB: c\n", "",
				"; 44 line that begins with \"From \" and is not a separator" +
					"; 66 line that begins with \"From \" and is not a separator" +
					"; 86 line that begins with \"From \" and is not a separator" +
					"; 96 line that begins with \"From \" and is not a separator"}}},
	{"address after a line", date + "A: b\n\nSee\n\nFrom the page\nhttp://x/\n\nFrom it\na/b: c\n", RD, []got{
		{1, 0, 1, "", date, "A: b\n\nSee\n\nFrom the page\nhttp://x/\n\nFrom it\na/b: c\n", "",
			"; 45 line that begins with \"From \" and is not a separator" +
				"; 70 line that begins with \"From \" and is not a separator"}}},
	{"quoted lines", date + "A: b\n\n\n>From a\nA: b\n\n>>From b\nC: d\n", RD, []got{
		{1, 0, 1, "", date, "A: b\n\n\n>From a\nA: b\n\n>>From b\nC: d\n", "", ""}}},
	{"message that begins badly", date + " folded\n\nbody\n\n" + date + "junk\nC: d\n\nlast\n", RD, []got{
		{1, 0, 1, "", date, " folded\n\nbody\n", "\n", ""},
		{2, 49, 6, "", date, "junk\nC: d\n\nlast\n", "", ""}}},
	{"separators after each other", date + date + "A: b\n", RD, []got{
		{1, 0, 1, "", date, "", "", ""},
		{2, 34, 2, "", date, "A: b\n", "", ""}}},
	{"counted", "From a\nContent-Length: 5\n\nbody\n\nFrom b\nContent-Length: 4\n\nlast", CL, []got{
		{1, 0, 1, "", "From a\n", "Content-Length: 5\n\nbody\n", "\n", ""},
		{2, 32, 6, "", "From b\n", "Content-Length: 4\n\nlast", "", ""}}},
	{"counted without a blank line", "From a\nContent-Length: 5\n\nbody\nFrom b\nB: c\n\nlast", CL2, []got{
		{1, 0, 1, "", "From a\n", "Content-Length: 5\n\nbody\n", "", ""},
		{2, 31, 5, "", "From b\n", "B: c\n\nlast", "", ""}}},
	{"counted with two blank lines", "From a\r\nContent-Length: 6\r\n\r\nbody\r\n\r\n\r\nFrom b\r\nB: c\r\n",
		CL2, []got{
			{1, 0, 1, "", "From a\r\n", "Content-Length: 6\r\n\r\nbody\r\n", "\r\n\r\n", ""},
			{2, 39, 7, "", "From b\r\n", "B: c\r\n", "", ""}}},
	{"blank line is counted", "From a\nContent-Length: 6\n\nbody\n\nFrom b\nB: c\n", CL2, []got{
		{1, 0, 1, "", "From a\n", "Content-Length: 6\n\nbody\n\n", "", ""},
		{2, 32, 6, "", "From b\n", "B: c\n", "", ""}}},
	{"separator that is counted", "From a\nContent-Length: 18\n\nSee\n\nFrom b\nB: c\n\n\nFrom c\nC: d\n\n\n",
		CL2, []got{
			{1, 0, 1, "", "From a\n", "Content-Length: 18\n\nSee\n\nFrom b\nB: c\n\n", "\n", ""},
			{2, 46, 10, "", "From c\n", "C: d\n\n", "\n", ""}}},
	{"empty body is counted", "From a\ncontent-length : 0\n\n\nFrom b\nB: c\n", CL, []got{
		{1, 0, 1, "", "From a\n", "content-length : 0\n\n", "\n", ""},
		{2, 28, 5, "", "From b\n", "B: c\n", "", ""}}},
	{"wrong count", "From a\nA: b\nContent-Length: 7\n\nbody\n\nFrom b\nB: c\n", CL2, []got{
		{1, 0, 1, "", "From a\n", "A: b\nContent-Length: 7\n\nbody\n",
			"\n", "; 12 Content-Length that does not lead to a separator"},
		{2, 37, 7, "", "From b\n", "B: c\n", "", ""}}},
	{"count past the end",
		"From a\nContent-Length: 1000000\n\nbody\n\nFrom b\nB: c\nContent-Length: 1152921504606846976\n\nx\n",
		CL, []got{
			{1, 0, 1, "", "From a\n", "Content-Length: 1000000\n\nbody\n",
				"\n", "; 7 Content-Length that does not lead to a separator"},
			{2, 38, 6, "", "From b\n", "B: c\nContent-Length: 1152921504606846976\n\nx\n",
				"", "; 12 Content-Length that does not lead to a separator"}}},
	{"counts that are none",
		"From a\nContent-Length: 5\nContent-Length: 5\n\nSee\n\nFrom b\nContent-Length: 6x\n\nbody\n\nFrom c\n" +
			"Content-Length: 1152921504606846977\n\nx\n", CL, []got{
			{1, 0, 1, "", "From a\n", "Content-Length: 5\nContent-Length: 5\n\nSee\n", "\n", ""},
			{2, 49, 7, "", "From b\n", "Content-Length: 6x\n\nbody\n", "\n", ""},
			{3, 82, 12, "", "From c\n", "Content-Length: 1152921504606846977\n\nx\n", "", ""}}},
	{"count in the middle of a line", "From a\nContent-Length: 4\n\nSee From b\nB: c\n\nFrom c\nC: d\n", CL2, []got{
		{1, 0, 1, "", "From a\n", "Content-Length: 4\n\nSee From b\nB: c\n",
			"\n", "; 7 Content-Length that does not lead to a separator"},
		{2, 43, 7, "", "From c\n", "C: d\n", "", ""}}},
	{"count that mboxrd does not read", "From a\nContent-Length: 19\n\nSee\n\nFrom b\nB: c\n\n\nFrom c\nC: d\n",
		RD, []got{
			{1, 0, 1, "", "From a\n", "Content-Length: 19\n\nSee\n", "\n", ""},
			{2, 32, 6, "", "From b\n", "B: c\n\n", "\n", ""},
			{3, 46, 10, "", "From c\n", "C: d\n", "", ""}}},
}

// Each case is read by all readers: from a file and from a pipe, whole and byte by byte, and
// through windows of several sizes. Some readers hold messages in memory, others do not.
func TestRead(t *testing.T) {
	for _, tt := range readTests {
		t.Run(tt.name, func(t *testing.T) {
			want := fmt.Sprint(tt.want)
			for how, r := range readers(t, tt.in, Options{Variant: tt.variant}) {
				if got := fmt.Sprint(all(t, r)); got != want {
					t.Errorf("%s, %s: messages of %q:\n%swant\n%s", tt.variant, how, tt.in, got, want)
				}
			}
		})
	}
}

// readers returns readers for all ways to read a mailbox.
func readers(t testing.TB, in string, o Options) map[string]*Reader {
	held, spooled := o, o
	spooled.Hold = 1
	spooled.TempDir = t.TempDir()
	return map[string]*Reader{
		"file":                newReader(strings.NewReader(in), held, windowSize),
		"file, small":         newReader(strings.NewReader(in), spooled, 64),
		"pipe":                newReader(stream{strings.NewReader(in)}, held, windowSize),
		"pipe, small":         newReader(stream{strings.NewReader(in)}, spooled, 64),
		"pipe, byte by byte":  newReader(iotest.OneByteReader(strings.NewReader(in)), held, smallWindow),
		"pipe, error at last": newReader(iotest.DataErrReader(strings.NewReader(in)), spooled, 64),
	}
}

func TestVariant(t *testing.T) {
	for v, want := range []string{RD: "rd", O: "o", CL: "cl", CL2: "cl2"} {
		if got := Variant(v).String(); got != want {
			t.Errorf("String = %q, want %q", got, want)
		}
	}
	for v, want := range map[Variant]string{4: "Variant(4)", 9: "Variant(9)"} {
		if got := v.String(); got != want {
			t.Errorf("String = %q, want %q", got, want)
		}
	}
}

// An error of a pipe comes after the messages before it. Next then returns it again.
func TestReadError(t *testing.T) {
	in := date + "Content-Length: 5\n\nbody\n\n" + date + "Content-Length: 100\n\nlast\n"
	failed := errors.New("failed")
	for n := range in {
		for _, v := range []Variant{RD, CL} {
			r := newReader(io.MultiReader(strings.NewReader(in[:n]), iotest.ErrReader(failed)), Options{Variant: v}, 64)
			list, err := untilError(r)
			if !errors.Is(err, failed) {
				t.Fatalf("%s: error after %d bytes: got %v, want %v", v, n, err, failed)
			}
			if _, again := r.Next(); again != err {
				t.Errorf("%s: Next after an error: got %v, want %v", v, again, err)
			}
			if n < 66+lookahead && len(list) > 0 && see(t, list[0]).all() != in[:65] {
				t.Errorf("%s: message %q of %q", v, see(t, list[0]).all(), in[:n])
			}
		}
	}
}

// An error that comes together with bytes comes after the messages in these bytes.
func TestReadErrorWithBytes(t *testing.T) {
	in := date + "A: b\n\nbody\n\n" + date + "A: b\n\n" + strings.Repeat("last\n", 2*lookahead)
	failed := errors.New("failed")
	for _, kind := range []string{"file", "pipe"} {
		src := newSource(stream{failing{in, failed}}, "")
		if kind == "file" {
			src = newSource(failing{in, failed}, "")
		}
		r := &Reader{src: src, w: newWindow(src, windowSize), store: store{src: src}, eol: '\n'}
		list, err := untilError(r)
		if len(list) != 1 || !errors.Is(err, failed) {
			t.Errorf("%s: got %d messages and %v, want one and %v", kind, len(list), err, failed)
		}
	}
}

// failing returns an error together with its last bytes, and then again.
type failing struct {
	data string
	err  error
}

func (f failing) ReadAt(b []byte, off int64) (int, error) {
	if n := copy(b, f.data[off:]); n < len(b) {
		return n, f.err
	}
	return len(b), nil
}

func (f failing) Read(b []byte) (int, error) { return f.ReadAt(b, 0) } // called only once

func (f failing) Seek(offset int64, _ int) (int64, error) { return offset, nil }

// If a pipe breaks where a Content-Length ends the body, the end of the mailbox is not there. The
// field may not decide where the message ends.
func TestReadErrorAtLength(t *testing.T) {
	body := strings.Repeat("text\n", 2000)
	failed := errors.New("failed")
	for _, window := range []int{64, 4 << 10, windowSize} {
		for _, n := range []int{len(body) / 2, len(body)} {
			in := fmt.Sprintf("%sContent-Length: %d\n\n%s", date, n, body)
			box := io.MultiReader(strings.NewReader(in[:len(in)-len(body)+n]), iotest.ErrReader(failed))
			r := newReader(box, Options{Variant: CL2, TempDir: t.TempDir()}, window)
			if list, err := untilError(r); len(list) > 0 || !errors.Is(err, failed) {
				t.Errorf("window %d: a pipe that breaks after %d bytes of the body: got %d messages, %v, want none, %v",
					window, n, len(list), err, failed)
			}
		}
	}
}

// If bytes of a pipe cannot be stored, they are lost. Then read does not return the bytes after
// them.
func TestStoreErrorOfPipe(t *testing.T) {
	full, err := temporary(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	full.Close()
	src := newSource(stream{strings.NewReader(strings.Repeat("x", 100<<10))}, "")
	src.stored = full
	if n, err := src.peek(make([]byte, 10), 20); !errors.Is(err, os.ErrClosed) {
		t.Fatalf("peek without room: got %d, %v, want %v", n, err, os.ErrClosed)
	}
	if n, err := src.read(make([]byte, 10)); n > 0 || !errors.Is(err, os.ErrClosed) {
		t.Errorf("read after it: got %d, %v, want 0, %v", n, err, os.ErrClosed)
	}
}

// A reader that returns nothing gives an error, not an endless loop.
func TestNoProgress(t *testing.T) {
	if m, err := NewReader(silent{}, Options{}).Next(); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("Next of a reader that gives nothing: got %v, %v, want %v", m, err, io.ErrNoProgress)
	}
}

type silent struct{}

func (silent) Read([]byte) (int, error) { return 0, nil }

// A file is read from its current position, which does not change.
func TestPosition(t *testing.T) {
	in := strings.NewReader("skipped\n" + date + "A: b\n\nbody\n")
	if _, err := in.Seek(8, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		got := all(t, NewReader(in, Options{Hold: 1}))
		if len(got) != 1 || got[0].offset != 0 || got[0].sep != date {
			t.Errorf("messages of a file that stands at 8: got %v, want one at 0", got)
		}
	}
}

func untilError(r *Reader) (list []*Message, err error) {
	for {
		m, err := r.Next()
		if err != nil {
			return list, err
		}
		list = append(list, m)
	}
}
