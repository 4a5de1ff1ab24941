package mime

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"absolink/extract"
)

// seeds adds messages of each kind to a fuzz target.
func seeds(add func(msg string)) {
	html := "Content-Type: text/html\nContent-Transfer-Encoding: %s\n\n%s\n"
	qp := fmt.Sprintf(html, "quoted-printable", "<a href=3D\"x\">=\n=E9 \n")
	b64 := fmt.Sprintf(html, "base64", "PGEgaHJlZj14PgpGcm9tIHgK\nPGEgaHJlZj14Pg==")
	bit := fmt.Sprintf(html, "8bit", "<a href=x>\n>From x\n--\n")
	for _, msg := range []string{"", qp, b64, bit,
		around("mixed", "Content-Base: http://x/\n", "b", qp+"\n--b\n"+b64),
		around("related", "", "b", around("alternative", "", "bb", bit+"\n--bb\n"+qp)),
		around("digest", "", "b", qp),
		"Content-Type: message/rfc822\nContent-Length: 5\nLines: 2\n\n" + bit,
		"From x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n" + qp,
		"\xef\xbb\xbf>From x\nnonsense\n\n\x00",
	} {
		add(msg)
		add(crlf(msg))
		add(strings.ReplaceAll(msg, "\n", "\r"))
	}
}

func FuzzParse(f *testing.F) {
	seeds(func(msg string) { f.Add([]byte(msg)) })
	f.Fuzz(func(t *testing.T, msg []byte) {
		size := int64(len(msg))
		m, err := Parse(bytes.NewReader(msg), size, Limits{Depth: 10, Parts: 50, Header: 500})
		if err != nil {
			t.Fatalf("Parse: %v", err)
		}
		verbatim(t, "fuzz", m, size)
		if edits, err := m.Change().Edits(); len(edits) != 0 || err != nil {
			t.Errorf("Edits of an empty change = %v, %v, want none", edits, err)
		}
		small := new(Message)
		err = small.scan(bytes.NewReader(msg), size, Limits{Depth: 10, Parts: 50, Header: 500}, minWindow)
		if err != nil {
			t.Fatalf("scan: %v", err)
		}
		if got, want := outline(small, string(msg))+defects(small), outline(m, string(msg))+defects(m); got != want {
			t.Errorf("a small window gives\n%swant\n%s", got, want)
		}
		inMemory(t, m, msg)
	})
}

// inBytes returns a message in memory.
func inBytes(msg []byte, lim Limits) *Message {
	m := new(Message)
	m.Reset(msg, lim)
	return m
}

// inMemory compares m with the result of Reset for the same message. It also compares the leaves of
// m with leaves that share one piece of memory. The message itself must not change.
func inMemory(t *testing.T, m *Message, msg []byte) {
	t.Helper()
	before := string(msg)
	got := inBytes(msg, m.limits)
	if got, want := outline(got, before)+defects(got), outline(m, before)+defects(m); got != want {
		t.Errorf("Reset gives\n%swant\n%s", got, want)
	}
	var l Leaf
	parts := slices.Collect(m.Root.All())
	for i, e := range slices.Collect(got.Root.All()) {
		if !slices.Equal(e.fields, parts[i].fields) || string(e.head) != string(parts[i].head) {
			t.Errorf("Reset: part %q has fields %v of %q, want %v of %q",
				e.Section, e.fields, e.head, parts[i].fields, parts[i].head)
		}
		want, wantErr := parts[i].Leaf()
		err := e.FillLeaf(&l)
		switch {
		case fmt.Sprint(err) != fmt.Sprint(wantErr):
			t.Errorf("FillLeaf of part %q: %v, want %v", e.Section, err, wantErr)
		case err == nil && (string(l.Data) != string(want.Data) || l.Problem != want.Problem):
			t.Errorf("FillLeaf of part %q = %q, %q, want %q, %q", e.Section, l.Data, l.Problem, want.Data, want.Problem)
		}
		for k := 0; err == nil && k < len(l.Data); k += 1 + len(l.Data)/20 {
			at := extract.Span{Start: k, End: k + 1}
			if got, want := l.Source(at), want.Source(at); got != want {
				t.Errorf("FillLeaf of part %q: Source(%v) = %v, want %v", e.Section, at, got, want)
			}
		}
	}
	if string(msg) != before {
		t.Errorf("the message was %q and is %q", before, msg)
	}
}

// One piece of memory serves for bodies in all encodings, one after the other.
func TestFillLeaf(t *testing.T) {
	msg := "Content-Type: multipart/mixed; boundary=b\n\n" +
		"--b\n\nas it is\n" +
		"--b\nContent-Transfer-Encoding: base64\n\nYmFzZTY0IHRoYXQgaXMgbG9uZ2Vy\n" +
		"--b\nContent-Transfer-Encoding: x-unknown\n\nnothing\n" +
		"--b\nContent-Transfer-Encoding: 8bit\n\nas it is, too\n" +
		"--b\nContent-Transfer-Encoding: quoted-printable\n\nq=3Dp\n--b--\n"
	m := inBytes([]byte(msg), Limits{})
	want := []string{"as it is", "base64 that is longer", "", "as it is, too", "q=p"}
	var l Leaf
	for i, e := range m.Root.Parts {
		got := ""
		if err := e.FillLeaf(&l); err == nil {
			got = string(l.Data)
		}
		if got != want[i] {
			t.Errorf("FillLeaf of part %q = %q, want %q", e.Section, got, want[i])
		}
	}
	inMemory(t, parse(t, msg), []byte(msg))
}

func FuzzChange(f *testing.F) {
	seeds(func(msg string) { f.Add([]byte(msg), uint(3), uint(7), []byte("http://x/?a=b")) })
	f.Add([]byte("Content-Type: text/html\n\n<a href=x>"), uint(3), uint(0), bytes.Repeat([]byte("y"), 1100))
	f.Fuzz(func(t *testing.T, msg []byte, at, step uint, text []byte) {
		m, err := Parse(bytes.NewReader(msg), int64(len(msg)), Limits{Depth: 10, Parts: 50})
		if err != nil {
			t.Fatal(err)
		}
		c := m.Change()
		made := map[*Entity][]extract.Edit{}
		for e := range m.Root.All() {
			l, err := e.Leaf()
			if err != nil {
				continue
			}
			edits := every(l.Data, at, step, text)
			if len(edits) > 0 && c.Edit(l, edits) == nil {
				made[e] = edits
			}
		}
		edits, err := c.Edits()
		if err != nil {
			return
		}
		if err := m.verify(edits); err != nil && len(edits) > 0 {
			t.Errorf("Edits of %q: got %v, which a scan does not verify: %v", msg, edits, err)
		}
		checkEdited(t, "fuzz", m, msg, made, edits)
		checkLines(t, m, msg, edits)
	})
}

// every returns edits of one byte at the offset at and every step bytes after it.
func every(data []byte, at, step uint, text []byte) (edits []extract.Edit) {
	for i := uint64(at); i < uint64(len(data)); i += uint64(step%100) + 2 {
		edits = append(edits, extract.Edit{Span: extract.Span{Start: int(i), End: int(i) + 1}, New: text})
	}
	return edits
}

// checkLines counts the lines that begin like a separator or boundary.
func checkLines(t *testing.T, m *Message, msg []byte, edits []Edit) {
	out := applied(t, string(msg), edits)
	count := func(s string) (n int) {
		for line := range strings.SplitSeq(s, string(m.eol)) {
			if startsBadly([]byte(line)) {
				n++
			}
		}
		return n
	}
	if got, was := count(out), count(string(msg)); got > was {
		t.Errorf("%d lines begin like a separator, %d did before:\n%q\n%q", got, was, out, msg)
	}
}
