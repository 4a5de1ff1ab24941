package mime

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"absolink/testdata/effort"
	"absolink/testdata/interrupt"
)

// TestBoundaryAtWindowEnd places a boundary line at each offset around the end of the first window.
func TestBoundaryAtWindowEnd(t *testing.T) {
	const head = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\n"
	for at := windowSize - 6; at <= windowSize+6; at++ {
		msg := head + strings.Repeat("x", at-len(head)) + "\n--b--\n"
		m, err := Parse(bytes.NewReader([]byte(msg)), int64(len(msg)), Limits{})
		if err != nil || len(m.Defects) > 0 || len(m.Root.Parts) != 1 || m.Root.Parts[0].Body.End != int64(at) {
			t.Errorf("line end at %d: %v, defects %q, parts %d, want one that ends at it",
				at, err, defects(m), len(m.Root.Parts))
		}
	}
}

// TestReadOnce has many lines that look like boundaries at the end of a window, where less is left
// than the scanner examines for each of them.
func TestReadOnce(t *testing.T) {
	msg := "Content-Type: multipart/mixed; boundary=b\n\n--b\n\n" +
		strings.Repeat("x\n", windowSize/2) + strings.Repeat("--\n", 300)
	r := &counter{ReaderAt: strings.NewReader(msg)}
	if _, err := Parse(r, int64(len(msg)), Limits{}); err != nil {
		t.Fatal(err)
	}
	if most := int64(len(msg) + windowSize); r.n > most {
		t.Errorf("Parse read %d bytes of a message of %d, want at most %d", r.n, len(msg), most)
	}
}

// TestShrunk reads the body of a message whose file has become shorter.
func TestShrunk(t *testing.T) {
	msg := "Content-Type: text/html\n\n<p>text</p>\n"
	r := &shrunk{text: msg}
	m, err := Parse(r, int64(len(msg)), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, end := range []error{nil, io.EOF} {
		r.text, r.end = msg[:30], end
		if _, err := m.Root.Leaf(); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("Leaf of a shrunk file whose reader ends with %v: %v, want %v", end, err, io.ErrUnexpectedEOF)
		}
	}
	r.end = errors.New("broken")
	if _, err := m.Root.Leaf(); !errors.Is(err, r.end) {
		t.Errorf("Leaf of a reader that fails: %v, want %v", err, r.end)
	}
}

// Parse reports a message that ends before its size, and a read that fails, wherever it ends. The
// boundary line is at the start of a window, so the scanner looks back into the window before it.
func TestParseCut(t *testing.T) {
	const head = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\n"
	for off := -3; off <= 3; off++ {
		msg := head + strings.Repeat("x", windowSize-len(head)+off) + "\n--b\n\ny\n--b--\n"
		for _, end := range []error{nil, io.EOF} {
			r := &shrunk{text: msg[:len(msg)-10], end: end}
			m, err := Parse(r, int64(len(msg)), Limits{})
			if err != io.ErrUnexpectedEOF || m.Root.Body.End != int64(len(r.text)) {
				t.Errorf("cut message: error %v and %d bytes, want %v and %d", err, m.Root.Body.End,
					io.ErrUnexpectedEOF, len(r.text))
			}
		}
		for n := 0; ; n++ {
			r := &interrupt.Reader{R: strings.NewReader(msg), Left: n}
			_, err := Parse(r, int64(len(msg)), Limits{})
			if r.Left >= 0 {
				break
			}
			if !errors.Is(err, interrupt.ErrRead) {
				t.Errorf("read %d fails: error %v, want %v", n, err, interrupt.ErrRead)
			}
		}
	}
}

// shrunk reads text, and returns end if text is shorter than the read.
type shrunk struct {
	text string
	end  error
}

func (s *shrunk) ReadAt(b []byte, off int64) (int, error) {
	if off >= int64(len(s.text)) {
		return 0, s.end
	}
	n := copy(b, s.text[off:])
	if n < len(b) {
		return n, s.end
	}
	return n, nil
}

// A message is read alike through windows and in memory, wherever a window ends: in a header field,
// in the lines of an envelope, in a body, and at line ends with and without CR.
func TestWindowEnds(t *testing.T) {
	pad := func(n int) string { return strings.Repeat("x", n) }
	for name, text := range map[string]func(n int) string{
		"envelope":     func(n int) string { return "From a " + pad(n) + "\nSubject: a\n\nbody\n" },
		"field":        func(n int) string { return "A: " + pad(n) + "\nSubject: a\n b\n\nbody\n" },
		"folded field": func(n int) string { return "A: b\n " + pad(n) + "\nSubject: a\n\nbody\n" },
		"last field":   func(n int) string { return "A: " + pad(n) },
		"no field":     func(n int) string { return "A: b\n" + pad(n) + "\n\nbody" },
		"many fields":  func(n int) string { return strings.Repeat("A: b\n", n/6) + "C: " + pad(n%6) + "\n\nbody" },
		"field of a part": func(n int) string {
			return "Content-Type: multipart/mixed; boundary=b\n\n--b\nA: " + pad(n) + "\nB: c\n\none\n--b--\n"
		},
		"field before a boundary": func(n int) string {
			return "Content-Type: multipart/mixed; boundary=b\nA: " + pad(n) + "\n--b\n\none\n--b--\n"
		},
		"field of a part before a boundary": func(n int) string {
			return "Content-Type: multipart/mixed; boundary=b\n\n--b\nA: " + pad(n) + "\n--b\n\none\n--b--\n"
		},
		"preamble": func(n int) string {
			return "Content-Type: multipart/mixed; boundary=b\n\n" + pad(n) + "\n--b\n\none\n--b--\n" + pad(n)
		},
	} {
		around := effort.Pick(3, 1)
		for off := -around; off <= around; off++ {
			for _, windows := range []int{1, 2} {
				for _, lf := range []bool{true, false} {
					msg := text(windows*windowSize + off - strings.Index(text(0)+"x", "x"))
					if !lf {
						msg = crlf(msg)
					}
					m := parse(t, msg)
					want := inBytes([]byte(msg), Limits{})
					if got, want := outline(m, msg)+defects(m), outline(want, msg)+defects(want); got != want {
						t.Errorf("%s, %d bytes: got\n%.300s\nwant\n%.300s", name, len(msg), got, want)
					}
				}
			}
		}
	}
}

// The lines of a body are counted through windows, with one that has no line end.
func TestCountLines(t *testing.T) {
	for body, want := range map[string][2]int64{"": {0, 0}, "a": {0, 1}, "a\n": {1, 0}, "a\nb": {1, 1}, "\n\n": {2, 0},
		strings.Repeat("x\n", windowSize) + "x":                     {windowSize, 1},
		strings.Repeat("x", windowSize) + "\n":                      {1, 0},
		strings.Repeat("x", windowSize-1) + "\n":                    {1, 0},
		strings.Repeat("x", windowSize-1) + "\n" + "x":              {1, 1},
		strings.Repeat("x", windowSize-1) + "\n" + "x\r" + "\n\n\n": {4, 0}} {
		msg := "Subject: x\n\n" + body
		m := parse(t, msg)
		ended, unended, err := m.Root.countLines()
		if ended != want[0] || unended != want[1] || err != nil {
			t.Errorf("countLines of %.20q, %d bytes: got %d, %d, %v, want %d", body, len(body), ended, unended, err,
				want)
		}
	}
	text := "Subject: x\n\nbody\n"
	r := &shrunk{text: text}
	m, err := Parse(r, int64(len(text)), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	r.text = text[:3]
	r.end = errors.New("broken")
	if _, _, err := m.Root.countLines(); !errors.Is(err, r.end) {
		t.Errorf("countLines of a file that fails: got %v, want %v", err, r.end)
	}
}

// The first byte that ends a line decides, LF before CR. A message without an LF in which a CR
// comes only behind the first window has LF.
func TestFindEOL(t *testing.T) {
	long := strings.Repeat("x", windowSize)
	for msg, want := range map[string]byte{
		"": '\n', "x": '\n', "x\n": '\n', "\r": '\r', "\rx": '\r', "x\ry\n": '\n', "\n\r": '\n',
		"\r" + long: '\r', "\r" + long + "\n": '\n', long: '\n', long + long: '\n', long + "\r": '\n',
		long + "\n": '\n',
	} {
		if got := parse(t, msg).eol; got != want {
			t.Errorf("a message of %d bytes that begins with %.3q has line ends %q, want %q", len(msg), msg, got, want)
		}
	}
}

// A line end may be the first byte of a window.
func TestLongSeparator(t *testing.T) {
	for n := windowSize - 2; n <= windowSize+2; n++ {
		msg := "From " + strings.Repeat("x", n-len("From ")) + "\nFrom y\nSubject: a\n\n\nbody\n"
		e := parse(t, msg).Root
		if e.Head.Start != int64(n)+8 || e.Head.Len() != 11 {
			t.Errorf("behind a separator of %d bytes, the heading is %v", n, e.Head)
		}
	}
}

// A heading whose end is in view gets memory of its size. A blank line of another kind behind it
// does not matter.
func TestHeadingMemory(t *testing.T) {
	for _, field := range []string{"A: b\n", "A: b\r\n"} {
		for _, behind := range []string{"", "x\n\n", "x\r\n\r\n", "\n\n", "\r\n\r\n"} {
			heading := strings.Repeat(field, 1200)
			e := parse(t, heading+strings.TrimPrefix(field, "A: b")+behind).Root
			if string(e.head) != heading || cap(e.head) > len(heading)*5/4 {
				t.Errorf("a heading of %d bytes with %q behind it has %d bytes in memory for %d", len(heading),
					behind, len(e.head), cap(e.head))
			}
		}
	}
}

// The blanks behind a boundary are limited, also in the last line of a message, in each form.
func TestBoundaryPadding(t *testing.T) {
	const head = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nbody"
	for n := maxPadding - 3; n <= maxPadding+5; n++ {
		for _, line := range []string{"--b--", "--b"} {
			for _, end := range []string{"", "\n", "\nx\n"} {
				msg := head + "\n" + line + strings.Repeat(" ", n) + end
				counts := len(line)+n+min(len(end), 1) <= len("--b--")+maxPadding // with the line end
				forms := map[string]*Message{"window": parse(t, msg), "memory": inBytes([]byte(msg), Limits{})}
				for form, m := range forms {
					first := m.Root.Parts[0]
					if got := first.Body.End == int64(len(head)); got != counts {
						t.Errorf("%s: %q with %d blanks and %q behind it is a boundary: %v, want %v",
							form, line, n, end, got, counts)
					}
				}
			}
		}
	}
}
