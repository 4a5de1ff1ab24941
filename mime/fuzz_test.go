package mime

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"mime/quotedprintable"
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
		small, err := scan(bytes.NewReader(msg), size, Limits{Depth: 10, Parts: 50, Header: 500}, minWindow)
		if err != nil {
			t.Fatalf("scan: %v", err)
		}
		if got, want := outline(small, string(msg))+defects(small), outline(m, string(msg))+defects(m); got != want {
			t.Errorf("a small window gives\n%swant\n%s", got, want)
		}
		inMemory(t, m, msg)
	})
}

// inMemory compares m with what ParseBytes makes of the same message, and its leaves
// with those that one piece of memory serves for. Nothing may touch the message.
func inMemory(t *testing.T, m *Message, msg []byte) {
	t.Helper()
	before := string(msg)
	got := ParseBytes(msg, m.lim)
	if got, want := outline(got, before)+defects(got), outline(m, before)+defects(m); got != want {
		t.Errorf("ParseBytes gives\n%swant\n%s", got, want)
	}
	var l Leaf
	parts := slices.Collect(m.Root.All())
	for i, e := range slices.Collect(got.Root.All()) {
		if !slices.Equal(e.Fields, parts[i].Fields) || string(e.head) != string(parts[i].head) {
			t.Errorf("ParseBytes: part %q has fields %v of %q, want %v of %q", e.Section, e.Fields, e.head, parts[i].Fields, parts[i].head)
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
	m := ParseBytes([]byte(msg), Limits{})
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

// FuzzQuoted holds the decoder against that of the standard library wherever
// the latter accepts the input.
func FuzzQuoted(f *testing.F) {
	f.Add([]byte("a=3Db=\n c \r\n=e9="))
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, cr := range []bool{false, true} {
			var lines extract.Text
			ok := decodeLines(&lines, raw, cr)
			if got, problem := decoded(decodeQuoted, raw, cr); !bytes.Equal(got.Data, lines.Data) || ok != (problem == "") {
				t.Errorf("decodeQuoted(%q, %v) = %q, %q, line by line %q, %v", raw, cr, got.Data, problem, lines.Data, ok)
			}
		}
		want, err := io.ReadAll(quotedprintable.NewReader(bytes.NewReader(raw)))
		if err != nil || bytes.Contains(bytes.ReplaceAll(raw, []byte("\r\n"), nil), []byte("\r")) {
			return // bare CRs are bytes of a line here, blanks at its end there
		}
		got, _ := decoded(decodeQuoted, raw, false)
		if !bytes.Equal(got.Data, want) {
			t.Errorf("decodeQuoted(%q) = %q, want %q", raw, got.Data, want)
		}
		checkMap(t, got, raw)
	})
}

// FuzzBase64 holds the decoder against that of the standard library: what that
// accepts has no problem and the same bytes, and the other way round.
func FuzzBase64(f *testing.F) {
	f.Add([]byte("YWJj\nZA=\n=\n"))
	f.Add([]byte("YWJjZ*"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		plain := strings.NewReplacer(" ", "", "\t", "").Replace(string(raw))
		want, err := base64.StdEncoding.DecodeString(plain)
		got, problem := decoded(decodeBase64, raw, false)
		if (err == nil) != (problem == "") {
			t.Fatalf("decodeBase64(%q): problem %q, the library says %v", raw, problem, err)
		}
		if err == nil && !bytes.Equal(got.Data, want) {
			t.Errorf("decodeBase64(%q) = %q, want %q", raw, got.Data, want)
		}
		checkMap(t, got, raw)
	})
}

// FuzzUuencode decodes what was encoded, and whatever else is given.
func FuzzUuencode(f *testing.F) {
	f.Add([]byte("abc"), "begin 644 a\n#86)C\n`\nend\n")
	f.Fuzz(func(t *testing.T, data []byte, raw string) {
		var b strings.Builder
		b.WriteString("begin 644 a\n")
		for rest := data; len(rest) > 0; {
			n := min(len(rest), 45)
			line := append(bytes.Clone(rest[:n]), 0, 0)
			b.WriteByte(byte(n) + ' ')
			for i := 0; i < n; i += 3 {
				for _, six := range [4]byte{line[i] >> 2, line[i]<<4 | line[i+1]>>4, line[i+1]<<2 | line[i+2]>>6, line[i+2]} {
					b.WriteByte((six&63+63)%64 + '!')
				}
			}
			b.WriteByte('\n')
			rest = rest[n:]
		}
		b.WriteString("`\nend\n")
		got, problem := decoded(decodeUuencode, []byte(b.String()), false)
		if problem != "" || !bytes.Equal(got.Data, data) {
			t.Errorf("decodeUuencode(%q) = %q, %q, want %q", b.String(), got.Data, problem, data)
		}
		got, _ = decoded(decodeUuencode, []byte(raw), false)
		if len(got.Data) > len(raw) {
			t.Errorf("decodeUuencode(%q) has %d bytes, more than that", raw, len(got.Data))
		}
	})
}

// decoded returns what a decoder makes of a body.
func decoded(decode func(*extract.Text, []byte, bool) string, raw []byte, cr bool) (t extract.Text, problem string) {
	problem = decode(&t, raw, cr)
	return t, problem
}

// checkMap checks that decoded bytes come from raw ones in their order.
func checkMap(t *testing.T, text extract.Text, raw []byte) {
	at := 0
	for i := range text.Data {
		s := text.Raw(extract.Span{Start: i, End: i + 1})
		if s.Start < at || s.End <= s.Start || s.End > len(raw) {
			t.Fatalf("decoded byte %d of %q is raw %v, want it after %d", i, raw, s, at)
		}
		at = s.Start
	}
}
