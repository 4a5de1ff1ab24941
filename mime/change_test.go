package mime

import (
	"bytes"
	"errors"
	"io"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"absolink/testdata/interrupt"
)

// rewrite replaces OLD by new in every leaf that is HTML.
func rewrite(t *testing.T, msg, new string, breakSignatures bool) (string, []string) {
	t.Helper()
	m := parse(t, msg)
	c := m.Change()
	c.BreakSignatures = breakSignatures
	var errs []string
	for e := range m.Root.All() {
		if !e.HTML() {
			continue
		}
		l, err := e.Leaf()
		if err == nil {
			err = c.Edit(l, replaced(l.Data, "OLD", new))
		}
		if err != nil {
			errs = append(errs, err.Error())
		}
	}
	edits, err := c.Edits()
	if err != nil {
		return msg, append(errs, err.Error())
	}
	return applied(t, msg, edits), errs
}

func TestChange(t *testing.T) {
	html := "Content-Type: text/html\n\n<a href=OLD>\n"
	for _, c := range []struct{ name, msg, new, want, err string }{
		{"no edit", "Content-Type: text/html\n\n<p>\n", "n", "Content-Type: text/html\n\n<p>\n", ""},
		{"one leaf", html, "http://x/", "Content-Type: text/html\n\n<a href=http://x/>\n", ""},
		{"text/plain is not touched", "\nOLD", "n", "\nOLD", ""},
		{"two leaves", around("mixed", "", "b", html+"\n--b\n"+html), "n",
			around("mixed", "", "b", strings.ReplaceAll(html+"\n--b\n"+html, "OLD", "n")), ""},
		{"CRLF", crlf(around("mixed", "", "b", html)), "http://x/",
			crlf(around("mixed", "", "b", strings.ReplaceAll(html, "OLD", "http://x/"))), ""},
		{"no final boundary", "Content-Type: multipart/mixed; boundary=b\n\n--b\n" + html, "n",
			"Content-Type: multipart/mixed; boundary=b\n\n--b\n" + strings.ReplaceAll(html, "OLD", "n"), ""},
		{"signed part beside another", around("mixed", "", "b", around("signed", "", "c", html)+"\n--b\n"+html), "n",
			around("mixed", "", "b", around("signed", "", "c", html)+"\n--b\n"+strings.ReplaceAll(html, "OLD", "n")),
			"part 1.1: offset 120: signed"},
		{"a text that becomes a boundary", around("mixed", "", "b", "Content-Type: text/html\n\n<pre>\n-OLD\n"), "-b",
			around("mixed", "", "b",
				"Content-Type: text/html\n\n<pre>\n-OLD\n"), "part 1: offset 72: a line would begin like a separator"},
		{"a message in CR mode that gets a LF", "Content-Type: text/html\r\rOLD\r",
			"a\nb", "Content-Type: text/html\r\rOLD\r",
			"part 1: offset 25: after the edits the message would be read with other line ends"},

		{"Content-Length", "Content-Type: text/html\nContent-Length: 13\n\n<a href=OLD>\n",
			"http://x/", "Content-Type: text/html\nContent-Length: 19\n\n<a href=http://x/>\n", ""},
		{"Content-Length that was wrong", "Content-Type: text/html\nContent-Length: 14\n\n<a href=OLD>\n",
			"http://x/", "Content-Type: text/html\nContent-Length: 14\n\n<a href=http://x/>\n", ""},
		{"Content-Length twice", "Content-Type: text/html\nContent-Length: 13\nContent-Length: 13\n\n<a href=OLD>\n",
			"http://x/", "Content-Type: text/html\nContent-Length: 13\nContent-Length: 13\n\n<a href=http://x/>\n", ""},
		{"Content-Length that gets a digit, in a Content-Length",
			"Content-Type: message/rfc822\nContent-Length: 52\n\nContent-Type: text/html\nContent-Length: 9\n\n<a " +
				"b=OLD>", "http://x/",
			"Content-Type: message/rfc822\nContent-Length: 59\n\nContent-Type: text/html\nContent-Length: 15\n\n<a " +
				"b=http://x/>", ""},
		{"Lines", "Content-Type: text/html\nLines: 2\nContent-Transfer-Encoding: quoted-printable\n\n<a href=3DOLD>\n" +
			"<p>\n", strings.Repeat("x", 70),
			"Content-Type: text/html\nLines: 3\nContent-Transfer-Encoding: quoted-printable\n\n<a href=3D" +
				strings.Repeat("x", 65) + "=\nxxxxx>\n<p>\n", ""},
		{"Lines without a last line end",
			"Content-Type: text/html\nLines: 1\nContent-Transfer-Encoding: quoted-printable\n\n<a href=3DOLD>",
			strings.Repeat("x", 70),
			"Content-Type: text/html\nLines: 2\nContent-Transfer-Encoding: quoted-printable\n\n<a href=3D" +
				strings.Repeat("x", 65) + "=\nxxxxx>", ""},
		{"Lines of the whole message",
			"Lines: 7\n" + around("mixed", "", "b",
				"Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<a href=3DOLD>\n"+
					"<p>"), strings.Repeat("x", 70),
			"Lines: 8\n" + around("mixed", "", "b",
				"Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<a href=3D"+
					strings.Repeat("x", 65)+"=\nxxxxx>\n<p>"), ""},
		{"numbers in a message whose inner numbers change",
			"Lines: 8\n" + around("mixed", "", "b", "Content-Type: text/html\nContent-Length: 4\n"+
				"Content-MD5: KD8onERbKD5u3U2s7LWNMg==\n\nOLD\n"), "newer",
			"Lines: 8\n" + around("mixed", "", "b", "Content-Type: text/html\nContent-Length: 6\n"+
				"Content-MD5: 7pajD7F6zWjuffODGRO1pw==\n\nnewer\n"), ""},
		{"Content-MD5 over CRLF", "Content-Type: text/html\nContent-MD5: KD8onERbKD5u3U2s7LWNMg==\n\nOLD\n",
			"new", "Content-Type: text/html\nContent-MD5: AL9V1UBKSlGs4Em30syR6Q==\n\nnew\n", ""},
		{"Content-MD5 over LF", "Content-Type: text/html\nContent-MD5: wZITCYZRHQeqssr4tkF9PQ==\n\nOLD\n",
			"new", "Content-Type: text/html\nContent-MD5: nNWZo1I4mOahLhPseH2lCg==\n\nnew\n", ""},
		{"Content-MD5 that was wrong", "Content-Type: text/html\nContent-MD5: AAAAAAAAAAAAAAAAAAAAAA==\n\nOLD\n",
			"new", "Content-Type: text/html\nContent-MD5: AAAAAAAAAAAAAAAAAAAAAA==\n\nnew\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, errs := rewrite(t, c.msg, c.new, false)
			if got != c.want {
				t.Errorf("rewritten:\ngot  %q\nwant %q", got, c.want)
			}
			if e := strings.Join(errs, "; "); e != c.err {
				t.Errorf("errors: got %q, want %q", e, c.err)
			}
		})
	}
}

func TestChangeBreakSignatures(t *testing.T) {
	html := "Content-Type: text/html\n\n<a href=OLD>\n"
	for _, c := range []struct {
		name, msg string
		edited    bool
	}{
		{"signed", around("signed", "", "b", html), true},
		{"encrypted", around("encrypted", "", "b", html), false},
	} {
		got, _ := rewrite(t, c.msg, "n", true)
		if edited := got != c.msg; edited != c.edited {
			t.Errorf("%s with BreakSignatures: edited %v, want %v", c.name, edited, c.edited)
		}
	}
}

// TestVerify makes edits that no leaf would make. The comparison of the trees must detect them.
func TestVerify(t *testing.T) {
	msg := around("mixed", "", "b", "Content-Type: text/html\n\nOLD\n")
	m := parse(t, msg)
	body := m.Root.Parts[0].Body
	at := int64(strings.Index(msg, "OLD"))
	for _, c := range []struct {
		name string
		edit Edit
		want string
	}{
		{"in a body", Edit{Span{at, at + 3}, []byte("new")}, ""},
		{"a whole body", Edit{body, nil}, ""},
		{"a boundary in a body", Edit{Span{at, at + 3}, []byte("\n--b\n")},
			"after the edits the message would have another structure"},
		{"a final boundary in a body", Edit{Span{at, at + 3}, []byte("\n--b--\n")},
			"after the edits the message would have another structure"},
		{"the media type", Edit{Span{at - 6, at - 2}, []byte("gif")},
			"after the edits the message would have another structure"},
		{"a field", Edit{Span{at - 1, at - 1}, []byte("Subject: x\n")},
			"after the edits the message would have another structure"},
		{"a boundary goes", Edit{Span{body.End, body.End + 4}, nil},
			"after the edits the message would have another structure"},
	} {
		err := m.verify([]Edit{c.edit})
		if (err == nil) != (c.want == "") || err != nil && err.(*Defect).Text != c.want {
			t.Errorf("%s: verify error %v, want %q", c.name, err, c.want)
		}
	}
}

func TestEditTwicePanics(t *testing.T) {
	m := parse(t, "Content-Type: text/html\n\nOLD\n")
	l, err := m.Root.Leaf()
	if err != nil {
		t.Fatal(err)
	}
	c := m.Change()
	if err := c.Edit(l, replaced(l.Data, "OLD", "n")); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if recover() == nil {
			t.Error("the second Edit of a leaf did not panic")
		}
	}()
	c.Edit(l, replaced(l.Data, "OLD", "n"))
}

func TestEditsTwicePanics(t *testing.T) {
	c := parse(t, "Content-Type: text/html\n\nOLD\n").Change()
	if edits, err := c.Edits(); edits != nil || err != nil {
		t.Errorf("Edits without an edit: %v, %v", edits, err)
	}
	defer func() {
		if recover() == nil {
			t.Error("the second call of Edits did not panic")
		}
	}()
	c.Edits()
}

// Edits are sorted by start, and insertions come before replacements at the same start.
func TestSortEdits(t *testing.T) {
	at := func(start, end int64) Edit { return Edit{Span: Span{start, end}} }
	want := []Edit{at(0, 0), at(0, 3), at(3, 3), at(3, 9), at(9, 10), at(1<<40, 1<<40), at(1<<40, 1<<50)}
	for seed := range int64(50) {
		got := slices.Clone(want)
		rand.New(rand.NewSource(seed)).Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
		sortEdits(got)
		for i := range got {
			if got[i].Span != want[i].Span {
				t.Fatalf("sorted edits %v, want %v", got, want)
			}
		}
	}
}

// Write reports a reader that is too short, and passes other errors on.
func TestWriteShort(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct{ end, want error }{
		{nil, io.ErrUnexpectedEOF}, {io.EOF, io.ErrUnexpectedEOF}, {broken, broken},
	} {
		r := &shrunk{text: "abcdef", end: c.end}
		for size := range int64(9) {
			var out strings.Builder
			err := Write(&out, r, size, []Edit{{Span{1, min(2, size)}, []byte("X")}}[:min(size, 1)])
			if size <= 6 && err != nil || size > 6 && !errors.Is(err, c.want) {
				t.Errorf("Write of %d bytes of 6: %v, want %v", size, err, c.want)
			}
			if want := "aXcdef"[:min(size, 6)]; size <= 6 && size != 1 && out.String() != want {
				t.Errorf("Write of %d bytes: %q, want %q", size, out.String(), want)
			}
		}
	}
}

// Write passes on an error of each write to its output.
func TestWriteFails(t *testing.T) {
	edits := []Edit{{Span{1, 2}, []byte("X")}, {Span{4, 4}, []byte("Y")}}
	for n := range 5 { // a, X, cd, Y, ef
		err := Write(&interrupt.Writer{W: io.Discard, Left: n}, memory("abcdef"), 6, edits)
		if !errors.Is(err, interrupt.ErrWrite) {
			t.Errorf("Write of which write %d fails: error %v, want %v", n, err, interrupt.ErrWrite)
		}
	}
}

func TestSplice(t *testing.T) {
	src := "0123456789"
	edits := []Edit{{Span{0, 0}, []byte("A")}, {Span{2, 4}, nil},
		{Span{5, 6}, []byte("BCD")}, {Span{10, 10}, []byte("E")}}
	const want = "A014BCD6789E"
	if got := applied(t, src, edits); got != want {
		t.Errorf("Write = %q, want %q", got, want)
	}
	s := newSplice(strings.NewReader(src), 10, edits)
	for from := range len(want) {
		for to := from; to <= len(want); to++ {
			b := make([]byte, to-from)
			if n, err := s.ReadAt(b, int64(from)); n != len(b) || err != nil || string(b) != want[from:to] {
				t.Errorf("ReadAt(%d, %d) = %d, %v, %q, want %q", len(b), from, n, err, b, want[from:to])
			}
		}
	}
	if err := iotest.TestReader(io.NewSectionReader(memory(want), 0, int64(len(want))), []byte(want)); err != nil {
		t.Error(err)
	}
	edited, size := parse(t, src).Edited(edits)
	if err := iotest.TestReader(io.NewSectionReader(edited, 0, size), []byte(want)); err != nil {
		t.Error(err)
	}
	for _, r := range []io.ReaderAt{s, edited, memory(want)} {
		for off, want := range map[int64]int{10: 2, 12: 0, 13: 0} {
			if n, err := r.ReadAt(make([]byte, 4), off); n != want || err != io.EOF {
				t.Errorf("%T: ReadAt past the end = %d, %v, want %d, EOF", r, n, err, want)
			}
		}
	}
}

// faulty returns an error from an offset on.
type faulty struct {
	r    io.ReaderAt
	from int64
}

func (f faulty) ReadAt(b []byte, off int64) (int, error) {
	if off+int64(len(b)) <= f.from {
		return f.r.ReadAt(b, off)
	}
	n, _ := f.r.ReadAt(b[:max(0, min(int64(len(b)), f.from-off))], off)
	return n, interrupt.ErrRead
}

// An edit fails if any one of its reads fails: of the message, a body, its lines or the new scan.
func TestChangeFaultyReader(t *testing.T) {
	msg := around("mixed", "Lines: 9\nContent-Length: 99\n", "b", "Content-Type: text/html\nLines: 2\n\n--x\nOLD\n")
	edit := func(r io.ReaderAt) error {
		m, err := Parse(r, int64(len(msg)), Limits{})
		if err != nil {
			return err
		}
		l, err := m.Root.Parts[0].Leaf()
		if err != nil {
			return err
		}
		c := m.Change()
		if err := c.Edit(l, replaced(l.Data, "OLD", "new\nnew")); err != nil {
			return err
		}
		edits, err := c.Edits()
		if err != nil {
			return err
		}
		return Write(io.Discard, r, int64(len(msg)), edits)
	}
	const many = 1000
	all := &interrupt.Reader{R: strings.NewReader(msg), Left: many}
	if err := edit(all); err != nil {
		t.Fatal(err)
	}
	if reads := many - all.Left; reads < 5 {
		t.Errorf("%d reads, want more", reads)
	}
	for n := range many - all.Left {
		if err := edit(&interrupt.Reader{R: strings.NewReader(msg), Left: n}); !errors.Is(err, interrupt.ErrRead) {
			t.Errorf("read %d fails, and the edit returns %v", n+1, err)
		}
	}
}

func TestParseFaultyReader(t *testing.T) {
	msg := around("mixed", "", "b", "Content-Type: text/html\n\n<a href=OLD>\n")
	for from := range len(msg) {
		m, err := Parse(faulty{strings.NewReader(msg), int64(from)}, int64(len(msg)), Limits{})
		if !errors.Is(err, interrupt.ErrRead) || m == nil || m.Root == nil {
			t.Fatalf("Parse of a reader that fails at %d = %v, %v, want a tree and the error", from, m, err)
		}
		verbatim(t, "faulty", m, int64(from))
	}
	m := parse(t, msg)
	m.r = faulty{strings.NewReader(msg), 10}
	if _, err := m.Root.Parts[0].Leaf(); !errors.Is(err, interrupt.ErrRead) {
		t.Errorf("Leaf of a reader that fails: error %v, want %v", err, interrupt.ErrRead)
	}
	if err := Write(new(bytes.Buffer), m.r, int64(len(msg)), nil); !errors.Is(err, interrupt.ErrRead) {
		t.Errorf("Write of a reader that fails: error %v, want %v", err, interrupt.ErrRead)
	}
}
