package mime

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"absolink/base"
	"absolink/extract"
	"absolink/testdata/effort"
)

// counter counts the bytes that are read.
type counter struct {
	io.ReaderAt
	n int64
}

func (c *counter) ReadAt(b []byte, off int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(b, off)
	c.n += int64(n)
	return n, err
}

func nested(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
	}
	b.WriteString("Content-Type: text/html\n\nleaf\n")
	for i := n - 1; i >= 0; i-- {
		fmt.Fprintf(&b, "--b%d--\n", i)
	}
	return b.String()
}

func manyParts(n int) string {
	return "Content-Type: multipart/mixed; boundary=b\n\n" + strings.Repeat("--b\n\nx\n", n) + "--b--\n"
}

// TestHostile parses messages that are large or deep on purpose. The tree stays bounded, the
// defects say so, and the bytes are read about once.
func TestHostile(t *testing.T) {
	head := "Content-Type: multipart/mixed; boundary=b\n\n--b\n"
	many := effort.Pick(5<<20, 512<<10)
	for _, c := range []struct {
		name, msg string
		entities  int
		defect    string
	}{
		{"100 nested multiparts", nested(99), 100, ""},
		{"3,000 nested multiparts", nested(3000), 101, "nested deeper than the limit: its parts are not read"},
		{"messages in messages", strings.Repeat("Content-Type: message/rfc822\n\n", 3000),
			101, "nested deeper than the limit: its parts are not read"},
		{"9,999 parts", manyParts(9_999), 10_000, ""},
		{"more parts than the limit", manyParts(effort.Pick(20_000, 10_100)), 10_001,
			"@70040: the message has more than 10000 parts: the other parts are not read, and no part is edited"},
		{"a large header in one line", head + strings.Repeat("x", effort.Pick(3<<20, 1<<20)) + "\n\n--b--\n",
			2, "header larger than the limit: its parts are not read"},
		{"a large header of short fields", head + strings.Repeat("a:b\n", effort.Pick(3<<18, 1<<18)) + "\n\n--b--\n",
			2, "header larger than the limit: its parts are not read"},
		{"many Content-Locations",
			strings.Repeat("Content-Location: http://x/\n", effort.Pick(1_000_000, 100_000)) + "\n",
			1, "header larger than the limit: its parts are not read"},
		{"a line of dashes", head + "\n" + strings.Repeat("-", many), 2, "no final boundary"},
		{"lines of dashes", head + "\n" + strings.Repeat("--\n", many/3), 2, "no final boundary"},
		{"blanks after a boundary", head + "\n--b--" + strings.Repeat(" ", many), 2, "no final boundary"},
		{"a long boundary",
			strings.NewReplacer("=b", "="+strings.Repeat("b", 10_000), "--b",
				"--"+strings.Repeat("b", 10_000)).Replace(manyParts(2)), 3, ""},
		{"a boundary beyond the limit",
			"Content-Type: multipart/mixed; boundary=" + strings.Repeat("b",
				10_001) + "\n\n", 1, "multipart without a usable boundary"},
		{"a bare CR in a long line", head + "\n" + strings.Repeat("x\r", many/2), 2, "no final boundary"},
		{"only CR", strings.Repeat("x:\r", 1<<16), 1, "no blank line after the header"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &counter{ReaderAt: strings.NewReader(c.msg)}
			m, err := Parse(r, int64(len(c.msg)), Limits{})
			if err != nil {
				t.Fatal(err)
			}
			verbatim(t, c.name, m, int64(len(c.msg)))
			n := 0
			for range m.Root.All() {
				n++
			}
			if n != c.entities {
				t.Errorf("%d entities, want %d", n, c.entities)
			}
			if (c.defect == "") != (len(m.Defects) == 0) || c.defect != "" && !strings.Contains(defects(m), c.defect) {
				t.Errorf("defects %.300s, want %q", defects(m), c.defect)
			}
			if len(m.Defects) > maxDefects {
				t.Errorf("%d defects, want at most %d", len(m.Defects), maxDefects)
			}
			if limit := 3*int64(len(c.msg)) + 4*windowSize; r.n > limit {
				t.Errorf("%d bytes read of %d, want at most %d", r.n, len(c.msg), limit)
			}
		})
	}
}

// repeated is a reader of size bytes that are not in memory: head, unit again and again, tail.
type repeated struct {
	head, unit, tail string
	size             int64
}

func (r repeated) ReadAt(b []byte, off int64) (n int, err error) {
	end := r.size - int64(len(r.tail))
	for n < len(b) && off < r.size {
		var k int
		switch at := off - int64(len(r.head)); {
		case at < 0:
			k = copy(b[n:], r.head[off:])
		case off < end:
			k = copy(b[n:n+int(min(end-off, int64(len(b)-n)))], r.unit[at%int64(len(r.unit)):])
		default:
			k = copy(b[n:], r.tail[off-end:])
		}
		n, off = n+k, off+int64(k)
	}
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// TestLongLine has an HTML part before an attachment with a line of 100 MB. That line must never be
// held in memory.
func TestLongLine(t *testing.T) {
	z := repeated{
		head: "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n<a href=OLD>\n--b\n" +
			"Content-Type: image/png\n\n",
		unit: strings.Repeat("A", 4096),
		tail: "\n--b--\n",
		size: 100 << 20,
	}
	m, err := Parse(z, z.size, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Root.Parts) != 2 || len(m.Defects) != 0 {
		t.Fatalf("Parse: %d parts, defects %q, want 2 and none", len(m.Root.Parts), defects(m))
	}
	if _, err := m.Root.Parts[1].Leaf(); err == nil || !strings.Contains(err.Error(), "more than the limit") {
		t.Errorf("Leaf of 100 MB: error %v, want the limit", err)
	}
	l, err := m.Root.Parts[0].Leaf()
	if err != nil {
		t.Fatal(err)
	}
	c := m.Change()
	if err := c.Edit(l, replaced(l.Data, "OLD", "http://x/")); err != nil {
		t.Fatal(err)
	}
	edits, err := c.Edits()
	if err != nil || len(edits) != 1 {
		t.Fatalf("Edits = %v, %v, want one", edits, err)
	}
}

// TestLimitsLeaveBytes edits parts beside parts that were not entered because of the limits.
func TestLimitsLeaveBytes(t *testing.T) {
	html := "Content-Type: text/html\n\nOLD\n"
	msg := around("mixed", "", "b", html+"\n--b\n"+strings.Repeat("X: y\n", 100)+"\n"+html+"\n--b\n"+html)
	m, err := Parse(strings.NewReader(msg), int64(len(msg)), Limits{Header: 200})
	if err != nil {
		t.Fatal(err)
	}
	c := m.Change()
	for e := range m.Root.All() {
		if l, err := e.Leaf(); err == nil && e.HTML() {
			if err := c.Edit(l, replaced(l.Data, "OLD", "new")); err != nil {
				t.Fatal(err)
			}
		}
	}
	edits, err := c.Edits()
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.ReplaceAll(html, "OLD", "new")
	want := around("mixed", "", "b", edited+"\n--b\n"+strings.Repeat("X: y\n", 100)+"\n"+html+"\n--b\n"+edited)
	if got := applied(t, msg, edits); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A message with more parts than the limit is read up to the limit, and never edited.
func TestTooManyParts(t *testing.T) {
	html := "Content-Type: text/html\n\nOLD\n"
	for n, want := range map[int]string{2: "", 3: "", 4: "offset 43: the message has more than 4 parts",
		5: "offset 43: the message has more than 4 parts"} {
		msg := "Content-Type: multipart/mixed; boundary=b\n\n" + strings.Repeat("--b\n"+html, n) + "--b--\n"
		m, err := Parse(strings.NewReader(msg), int64(len(msg)), Limits{Parts: 4})
		if err != nil {
			t.Fatal(err)
		}
		var formats []string
		for e := range m.Root.All() {
			if len(e.Parts) == 0 {
				formats = append(formats, e.Format().String())
			}
		}
		read := slices.Repeat([]string{"html"}, min(n, 3))
		if n > 3 {
			read = append(read, "")
		}
		if !slices.Equal(formats, read) {
			t.Errorf("formats of %d parts: got %q, want %q", n, formats, read)
		}
		l, err := m.Root.Parts[0].Leaf()
		if err != nil {
			t.Fatal(err)
		}
		c := m.Change()
		if err := c.Edit(l, replaced(l.Data, "OLD", "new")); err != nil {
			t.Fatal(err)
		}
		edits, err := c.Edits()
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != want || (want == "") != (len(edits) == 1) {
			t.Errorf("Edits of %d parts: got %v, %q, want %q", n, edits, got, want)
		}
	}
}

// TestMemory parses, edits and writes messages that are large in one respect. The memory in use
// must not grow with them.
func TestMemory(t *testing.T) {
	const mb = 1 << 20
	size := effort.Pick[int64](64*mb, 34*mb)
	part := "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n<a href=OLD>\n--b\n"
	for _, c := range []struct {
		name  string
		msg   repeated
		taken int64 // bytes in all, by two scans
	}{
		{"a large header in one line",
			repeated{part + "X: ", strings.Repeat("x", 4096), "\n\ny\n--b--\n", size}, 16 * mb},
		{"a large header of short fields",
			repeated{part, strings.Repeat("Content-Location: http://x.example/\n", 100),
				"\n\ny\n--b--\n", size}, 32 * mb},
		{"boundary lines", repeated{part, strings.Repeat("--b\n", 1000), "--b--\n", size}, 32 * mb},
		{"a large attachment",
			repeated{part + "Content-Type: image/png\n\n", strings.Repeat("QUFB\n", 1000), "\n--b--\n",
				effort.Pick[int64](200*mb, size)}, mb},
		{"messages inside each other",
			repeated{part, strings.Repeat("Content-Type: message/rfc822\n\n", 100), "\n--b--\n", size}, 4 * mb},
	} {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			m, err := Parse(c.msg, c.msg.size, Limits{})
			if err != nil {
				t.Fatal(err)
			}
			l, err := m.Root.Parts[0].Leaf()
			if err != nil {
				t.Fatal(err)
			}
			change := m.Change()
			if err := change.Edit(l, replaced(l.Data, "OLD", "http://x/")); err != nil {
				t.Fatal(err)
			}
			edits, err := change.Edits()
			if more := len(m.Root.Parts) >= 10_000; (err != nil) != more || len(edits) != 1 && !more {
				t.Fatalf("Edits = %v, %v, want one, or an error for too many parts", edits, err)
			}
			if err := Write(io.Discard, c.msg, c.msg.size, edits); err != nil {
				t.Fatal(err)
			}
			runtime.ReadMemStats(&after)
			if got := int64(after.TotalAlloc - before.TotalAlloc); got > c.taken {
				t.Errorf("%d bytes taken for a message of %d, want at most %d", got, c.msg.size, c.taken)
			}
		})
	}
}

func TestWriteStreams(t *testing.T) {
	r := &counter{ReaderAt: bytes.NewReader(make([]byte, 1<<20))}
	if err := Write(io.Discard, r, 1<<20, []Edit{{Span{10, 20}, []byte("x")}}); err != nil {
		t.Fatal(err)
	}
	if r.n != 1<<20-10 {
		t.Errorf("Write read %d bytes, want %d", r.n, 1<<20-10)
	}
}

// TestSenders rewrites messages whose bases are chosen to do harm, once with every sender trusted
// and once with none. No heading changes, and no part, field or tag is added. Without trust, no
// host of the sender gets into a link that did not name it.
func TestSenders(t *testing.T) {
	for _, name := range []string{"injection.eml", "hosts.eml", "foreign.eml", "trust.eml", "feed.eml"} {
		msg := mailFiles(t)[name]
		for _, trust := range []base.Trust{base.TrustAll, base.TrustHeaders, base.TrustNone} {
			checkSender(t, msg, trust)
		}
	}
}

// FuzzSender lets a sender choose the three bases of a message.
func FuzzSender(f *testing.F) {
	f.Add("http://evil.example/\"onclick=\"x\"/</a>",
		"http://e.example/\r\nBcc: x@example.org", "=?utf-8?Q?http://e.example/=0D=0ABcc:x?=")
	f.Add("&#13;&#10;--b&#13;&#10;", "file:///etc/", "http://127.0.0.1/--b--")
	f.Add("http://e.example/'><script>", "cid:a@b", "\\\\host\\share")
	f.Fuzz(func(t *testing.T, element, content, location string) {
		for _, cut := range []string{"\r", "\n", "\x00", "\x1b", "~"} {
			content, location = strings.ReplaceAll(content, cut, ""), strings.ReplaceAll(location, cut, "")
		}
		msg := around("related", "", "b",
			"Content-Type: text/html; charset=utf-8\nContent-Base: "+content+"\nContent-Location: "+location+
				"\n\n<base href=\""+strings.ReplaceAll(element, "\"", "&quot;")+
				"\"><a href=x.html>x</a> <a href='y.html'>y</a> <p style=\"background:url(z.png)\">"+
				"\n--b\nContent-Type: text/html\n\n<a href=\"q.html\">")
		for _, trust := range []base.Trust{base.TrustAll, base.TrustNone} {
			checkSender(t, []byte(msg), trust)
		}
	})
}

// checkSender rewrites a message under the operator's base and compares the outlines: sections,
// fields, and for each leaf its tags without their values.
func checkSender(t *testing.T, msg []byte, trust base.Trust) {
	t.Helper()
	const operator = "http://operator.example/d/"
	outer := &base.Layer{Source: base.Option, Value: operator}
	m := parse(t, string(msg))
	policy := base.Policy{Trust: trust}
	c, names := m.Change(), m.InMessage(&policy, outer)
	for e := range m.Root.All() {
		l, err := e.Leaf()
		if err != nil || !e.HTML() {
			continue
		}
		r := extract.Resolver{Policy: policy, InMessage: names(e)}
		for link := range r.Links(l.Doc(outer)) {
			if link.Status == extract.Resolved && trust == base.TrustNone && link.Base != operator {
				t.Errorf("%q resolves %q under %q, want the operator's base", msg, link.Value, link.Base)
			}
		}
		if err := c.Edit(l, r.Edits(nil, l.Doc(outer))); err != nil {
			continue
		}
	}
	edits, err := c.Edits()
	if err != nil {
		return // it stays unchanged
	}
	out := applied(t, string(msg), edits)
	if got, want := bones(t, out), bones(t, string(msg)); got != want {
		t.Errorf("rewritten under trust %v:\n%s\nhas other bones than\n%s", trust, out, msg)
	}
}

// bones returns the headings of a message and the tags of its HTML without their values.
func bones(t *testing.T, msg string) string {
	var b strings.Builder
	for e := range parse(t, msg).Root.All() {
		fmt.Fprintf(&b, "part %s %q\n", e.Section, e.head)
		l, err := e.Leaf()
		if err != nil || !e.HTML() {
			continue
		}
		z := html.NewTokenizer(bytes.NewReader(l.Data))
		for z.Next() != html.ErrorToken {
			token := z.Token()
			fmt.Fprintf(&b, "%v %s", token.Type, token.Data)
			for _, a := range token.Attr {
				fmt.Fprintf(&b, " %s", a.Key)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}
