package mbox

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"absolink/extract"
	"absolink/mime"
)

var verifyTests = []struct {
	name    string
	variant Variant
	in      string
	edits   [][2]string // old text, which occurs once in the first message, and new
	ok      bool
}{
	{"no edit", RD, date + "A: b\n\nbody\n", nil, true},
	{"line grows", RD, date + "A: b\n\nbody\n\n" + date + "A: b\n", [][2]string{{"body", "longer body"}}, true},
	{"line after a quoted line", RD, date + "A: b\n\n\n>From here\nbody\n", [][2]string{{"body", "http://x/"}}, true},
	{"line after one that was none becomes a field", RD,
		date + "A: b\n\n\nFrom here\nbody>\n", [][2]string{{"body", "mailto:x"}}, false},
	{"line after one that was none stays none", RD,
		date + "A: b\n\n\nFrom here\nbody>\n", [][2]string{{"body", "http://x/"}}, true},
	{"line becomes a separator", RD, date + "A: b\n\nSee\n\nfrom here\nB: c\n", [][2]string{{"from", "From"}}, false},
	{"line of a message without a separator does", RD,
		"A: b\n\nSee\n\nfrom here\nB: c\n", [][2]string{{"from", "From"}}, false},
	{"line in front becomes blank", RD, date + "A: b\n\nSee\nFrom here\nB: c\n", [][2]string{{"See", ""}}, false},
	{"last line end goes", RD, date + "A: b\n\nbody\n" + date + "A: b\n", [][2]string{{"body\n", "body"}}, false},
	{"last line end before a blank line goes", RD,
		date + "A: b\n\nbody\n\n" + date + "A: b\n", [][2]string{{"body\n", "body"}}, false},
	{"last line without an end grows", RD, date + "A: b\n\nbody", [][2]string{{"body", "longer body"}}, true},
	{"last line without an end gets one", RD, date + "A: b\n\nbody", [][2]string{{"body", "body\n"}}, false},
	{"blank line is added at the end", RD, date + "A: b\n\nbody\n" + date + "A: b\n",
		[][2]string{{"body\n", "body\n\n"}}, false},
	{"first separator needs no field", RD, date + "A: b\n\nbody\n\n", [][2]string{{"A:", "!!"}}, true},
	{"line feed in a mailbox with CR", RD, "From a\rA: b\r\rbody\r", [][2]string{{"body", "x\ny"}}, false},
	{"count stays wrong", CL2, date + "Content-Length: 9\n\nbody\n\n" + date + "A: b\n",
		[][2]string{{"body", "longer"}}, true},
	{"count follows", CL2, date + "Content-Length: 5\n\nbody\n\n" + date + "A: b\n",
		[][2]string{{": 5", ": 12"}, {"body", "longer body"}}, true},
	{"count of a body with a separator does not follow", CL2,
		date + "Content-Length: 20\n\nbody\n\nFrom x\nA: b\n\n\n" + date + "A: b\n",
		[][2]string{{"body", "longer body"}}, false},
	{"count of a body with a separator follows", CL2,
		date + "Content-Length: 20\n\nbody\n\nFrom x\nA: b\n\n\n" + date + "A: b\n",
		[][2]string{{"20", "27"}, {"body", "longer body"}}, true},
	{"CRLF", RD, "From a\r\nA: b\r\n\r\nbody\r\n\r\nFrom b\r\nA: b\r\n", [][2]string{{"body", "longer body"}}, true},
	{"CR", RD, "From a\rA: b\r\rbody\r\rFrom b\rA: b\r", [][2]string{{"body", "longer body"}}, true},
	{"byte order mark", RD, "\xef\xbb\xbf" + date + "A: b\n\nbody\n", [][2]string{{"body", "longer body"}}, true},
	{"text before the first separator", RD, "hello\n\n" + date + "A: b\n\nbody\n",
		[][2]string{{"hello", "hallo hallo"}}, true},
	{"text before the first separator becomes a field", RD,
		"hello\n\n" + date + "A: b\n\nbody\n", [][2]string{{"hello", "hello:"}}, false},
}

func TestVerify(t *testing.T) {
	for _, tt := range verifyTests {
		for how, r := range readers(t, tt.in, Options{Variant: tt.variant}) {
			m, err := r.Next()
			if err != nil {
				t.Fatal(err)
			}
			err = m.Verify(editsOf(see(t, m).content, tt.edits))
			if (err == nil) != tt.ok {
				t.Errorf("%s, %s: Verify of edits %q of %q: got %v, want ok %v",
					tt.name, how, tt.edits, tt.in, err, tt.ok)
			}
		}
	}
}

// Each byte of each message is replaced. If Verify accepts the edit, the whole mailbox is cut into
// the same messages as before. The separators have each pair of signs.
func TestVerifyInMailbox(t *testing.T) {
	const sep = "From a@b Sat Jan  3 01:05:34 1996\n"
	const box = "From a\nA: b\n\nx\n\n" + "From b\nA: b\n\nx\n\n" + sep + "no field\n\nx\n" + sep + "A: b\n\nx\n"
	accepted := 0
	for _, eol := range []string{"\n", "\r\n", "\r"} {
		in := strings.ReplaceAll(box, "\n", eol)
		for _, v := range []Variant{RD, CL2} {
			whole := list(newReader(strings.NewReader(in), Options{Variant: v}, smallWindow))
			if len(whole) != 4 {
				t.Fatalf("%v: %d messages of %q, want 4", v, len(whole), in)
			}
			for i, m := range whole {
				for at := range m.Content.Len() {
					for _, text := range []string{"", "!", ": ", "\n", "\r", "\n\nFrom c\nA: "} {
						edits := []mime.Edit{{Span: mime.Span{Start: at, End: at + 1}, New: []byte(text)}}
						if m.Verify(edits) != nil {
							continue
						}
						accepted++
						checkSameCut(t, whole, i, edits)
					}
				}
			}
		}
	}
	if accepted < 100 {
		t.Errorf("Verify accepted %d edits, want 100 at least", accepted)
	}
}

// checkSameCut writes the messages with the edits of message i, and reads them again.
func checkSameCut(t *testing.T, whole []*Message, i int, edits []mime.Edit) {
	t.Helper()
	var out bytes.Buffer
	var want, got []int
	for k, m := range whole {
		want = append(want, out.Len())
		if k != i {
			m.Write(&out, nil)
			continue
		}
		m.Write(&out, edits)
	}
	for _, m := range list(newReader(bytes.NewReader(out.Bytes()), Options{Variant: whole[i].Variant}, smallWindow)) {
		got = append(got, int(m.Offset))
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v: message %d with %q in place of %v: messages of %q begin at %d, want %d",
			whole[i].Variant, i, edits[0].New, edits[0].Span, out.String(), got, want)
	}
}

// Verify needs no temporary file, however large the message is.
func TestVerifyWithoutTempDir(t *testing.T) {
	body := strings.Repeat("text\n", 200<<10) + "last"
	in := fmt.Sprintf("%sContent-Length: %d\n\n%s\n\n%sA: b\n", date, len(body), body, date)
	edits := editsOf(in[len(date):],
		[][2]string{{fmt.Sprint(len(body)), fmt.Sprint(len(body) + 2)}, {"last", "longer"}})
	dir := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, filepath.Join(dir, "none"))
	}
	for _, hold := range []int{1, 16 << 20} {
		r := NewReader(stream{strings.NewReader(in)}, Options{Variant: CL2, Hold: hold, TempDir: dir})
		m, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Verify(edits); err != nil {
			t.Errorf("hold %d: Verify: %v", hold, err)
		}
		m.Release()
	}
}

// Verify fails if the file of the mailbox has become shorter.
func TestVerifyShorterFile(t *testing.T) {
	s := synthetic{"From a\nA: b\n\n", 1 << 20, 1<<20 + 15}
	file := &shrinking{synthetic: s}
	m, err := NewReader(io.NewSectionReader(file, 0, s.size), Options{Hold: 1000}).Next()
	if err != nil {
		t.Fatal(err)
	}
	file.synthetic.size = 1 << 19
	edits := []mime.Edit{{Span: mime.Span{Start: 100, End: 101}, New: []byte("text")}}
	if err := m.Verify(edits); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("Verify of a message of a file that shrank: got %v, want %v", err, io.ErrUnexpectedEOF)
	}
}

func editsOf(content string, changes [][2]string) (edits []mime.Edit) {
	for _, c := range changes {
		at := int64(strings.Index(content, c[0]))
		edits = append(edits, mime.Edit{Span: mime.Span{Start: at, End: at + int64(len(c[0]))}, New: []byte(c[1])})
	}
	return edits
}

func TestWrite(t *testing.T) {
	in := "\xef\xbb\xbf" + date + "A: b\n\nbody\n\n" + date + "A: b\n"
	want := "\xef\xbb\xbf" + date + "A: b\n\nlonger text\n\n"
	for how, r := range readers(t, in, Options{}) {
		m, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := m.Write(&out, editsOf("A: b\n\nbody\n", [][2]string{{"body", "longer text"}})); err != nil ||
			out.String() != want {
			t.Errorf("%s: Write of the first message of %q = %q, %v, want %q", how, in, out.String(), err, want)
		}
	}
}

// The edits of a Change do not change how the mailbox is cut, or Verify returns an error. A
// Content-Length that ends a message follows the edits.
func FuzzVerify(f *testing.F) {
	html := "Content-Type: text/html\nContent-Length: 31\n\n<a title='\n\nFrom x' href=\nfoo.html>\n\n"
	for _, v := range []Variant{RD, CL2} {
		f.Add(date+html+date+html, uint8(v), uint16(20), uint8(9), "mailto:x")
	}
	for _, tt := range readTests {
		f.Add(tt.in, uint8(tt.variant), uint16(3), uint8(4), "x")
	}
	f.Fuzz(func(t *testing.T, in string, variant uint8, at uint16, step uint8, text string) {
		o := Options{Variant: Variant(variant % 4)}
		var out bytes.Buffer
		var want []got
		for _, m := range list(newReader(strings.NewReader(in), o, smallWindow)) {
			edits := changed(t, m, int(at), int(step)+1, text)
			if m.Verify(edits) != nil {
				edits = nil
			}
			g := see(t, m)
			g.content = applied(g.content, edits)
			want = append(want, g)
			if err := m.Write(&out, edits); err != nil {
				t.Fatalf("Write: %v", err)
			}
		}
		again := all(t, newReader(bytes.NewReader(out.Bytes()), o, smallWindow))
		if got, want := texts(again), texts(want); !slices.Equal(got, want) && !misled(in, o) {
			t.Errorf("%s: messages of the edited %q:\n%q\nwant\n%q", o.Variant, in, got, want)
		}
	})
}

// misled reports whether a Content-Length leads nowhere. After other messages have changed, it may
// lead to a separator.
func misled(in string, o Options) bool {
	return slices.ContainsFunc(list(newReader(strings.NewReader(in), o, smallWindow)), func(m *Message) bool {
		return slices.ContainsFunc(m.Defects,
			func(d mime.Defect) bool { return strings.Contains(d.Text, "does not lead") })
	})
}

func list(r *Reader) []*Message {
	list, _ := untilError(r)
	return list
}

// changed edits every leaf of m.
func changed(t *testing.T, m *Message, at, step int, text string) []mime.Edit {
	parsed, err := m.Parse(mime.Limits{})
	if err != nil {
		t.Fatalf("Parse: %v", err)
	}
	c := parsed.Change()
	for e := range parsed.Root.All() {
		if l, err := e.Leaf(); err == nil {
			c.Edit(l, every(l.Data, at, step, text)) // a refused leaf stays unchanged
		}
	}
	edits, err := c.Edits()
	if err != nil {
		return nil
	}
	return edits
}

// every replaces the byte at the offset at, and each byte step bytes after it.
func every(data []byte, at, step int, text string) (edits []extract.Edit) {
	for i := at; i < len(data); i += step {
		edits = append(edits, extract.Edit{Span: extract.Span{Start: i, End: i + 1}, New: []byte(text)})
	}
	return edits
}

func applied(s string, edits []mime.Edit) string {
	var out strings.Builder
	at := int64(0)
	for _, e := range edits {
		out.WriteString(s[at:e.Start])
		out.Write(e.New)
		at = e.End
	}
	return out.String() + s[at:]
}

func texts(list []got) []string {
	var out []string
	for _, g := range list {
		out = append(out, g.sep, g.content, g.rest)
	}
	return out
}
