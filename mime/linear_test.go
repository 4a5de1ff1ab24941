package mime

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"absolink/base"
	"absolink/extract"
	"absolink/testdata/effort"
)

// prefixes is a message in which each boundary is a prefix of the next one. Its leaf has n lines
// that begin like the boundaries.
func prefixes(n int) string {
	var b strings.Builder
	boundary := ""
	for range 60 {
		boundary += "b"
		fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=%s\n\n--%s\n", boundary, boundary)
	}
	b.WriteString("Content-Type: text/html\n\n")
	for i := range n {
		b.WriteString("--" + boundary + strings.Repeat("b", 1+i%40) + "\n")
	}
	for ; boundary != ""; boundary = boundary[1:] {
		b.WriteString("--" + boundary + "--\n")
	}
	return b.String()
}

// located has a page with n references, and n parts that they may name.
func located(n int) string {
	var b strings.Builder
	b.WriteString("Content-Type: multipart/related; boundary=b\nContent-Location: http://x.example/d/\n\n--b\n" +
		"Content-Type: text/html\n\n")
	for i := range n {
		fmt.Fprintf(&b, "<img src=\"i%d.gif\"> <a href=\"p%d.html\">\n", i, i)
	}
	for i := range n {
		fmt.Fprintf(&b, "--b\nContent-Type: image/gif\nContent-Location: i%d.gif\n\nGIF\n", i)
	}
	return b.String() + "--b--\n"
}

// TestLinear does what a rewriter does to messages that are large in one respect, and to others of
// four times the size. The bytes that are read, examined and allocated grow no faster than the
// size, except for the steps in which slices grow.
func TestLinear(t *testing.T) {
	leaf := func(encoding string, n int, unit string) string {
		return "Content-Type: text/html\nContent-Transfer-Encoding: " + encoding + "\n\n" + strings.Repeat(unit, n)
	}
	for _, c := range []struct {
		name string
		msg  func(n int) string
		n    int
	}{
		{"nested multiparts", nested, 10_000},
		{"parts", manyParts, 4500},
		{"nested messages", func(n int) string { return strings.Repeat("Content-Type: message/rfc822\n\n", n) },
			50_000},
		{"boundaries that are prefixes", prefixes, 20_000},
		{"parts with locations", located, 2500},
		{"fields", func(n int) string { return strings.Repeat("Content-Location: a\n", n) + "\n" }, 20_000},
		{"lines of one field",
			func(n int) string { return "Content-Type: text/html;\n" + strings.Repeat(" a=b;\n", n) + "\n" }, 50_000},
		{"quoted-printable in one line",
			func(n int) string { return leaf("quoted-printable", n, `<a href=3D"x">y</a> `) }, 5000},
		{"quoted-printable in short lines",
			func(n int) string { return leaf("quoted-printable", n, "<a href=3D=\n\"x\">y</a>\n") }, 5000},
		{"base64", func(n int) string { return leaf("base64", n, "PGEgaHJlZj0ieCI+\n") }, 5000},
		{"one line of 8bit", func(n int) string { return leaf("8bit", n, `<a href="x">y</a> `) }, 5000},
		{"broken lines of 7bit", func(n int) string { return leaf("7bit", n, `<a`+long(970)+` href="x">`+"\n") }, 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := effort.Pick(c.n, c.n/3)
			whole, quarter := countAll(t, c.msg(n)), countAll(t, c.msg(n/4))
			for what, cost := range whole {
				if cost > 8*quarter[what]+slack[what] {
					t.Errorf("%d units: %d %s, a quarter of them: %d", n, cost, what, quarter[what])
				}
			}
		})
	}
}

// slack is the change of a count that memory kept from one message to the next can cause.
var slack = map[string]int64{"bytes allocated": 1 << 19, "allocations": 1000}

// countAll returns the cost of rewriting a message, the lowest of several runs.
func countAll(t *testing.T, msg string) map[string]int64 {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // memory that is kept is not allocated again
	least := map[string]int64{}
	for round := range 2 {
		var before, after runtime.MemStats
		r := &counter{ReaderAt: strings.NewReader(msg)}
		runtime.ReadMemStats(&before)
		m := rewriteAll(t, r, int64(len(msg)))
		runtime.ReadMemStats(&after)
		for what, n := range map[string]int64{"bytes read": r.n, "bytes looked at": m.examined,
			"bytes allocated": int64(after.TotalAlloc - before.TotalAlloc),
			"allocations":     int64(after.Mallocs - before.Mallocs)} {
			if round == 0 || n < least[what] {
				least[what] = n
			}
		}
	}
	return least
}

func rewriteAll(t *testing.T, src io.ReaderAt, size int64) *Message {
	outer := &base.Layer{Source: base.Option, Value: "http://example.test/dir/page.html"}
	m, err := Parse(src, size, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	c, names := m.Change(), m.InMessage(nil, outer)
	var r extract.Resolver
	for e := range m.Root.All() {
		if !e.HTML() || len(e.Parts) > 0 {
			continue
		}
		l, err := e.Leaf()
		if err != nil {
			t.Fatal(err)
		}
		r.InMessage = names(e)
		if err := c.Edit(l, r.Edits(nil, l.Doc(outer))); err != nil && e.Protected() == "" {
			t.Fatal(err)
		}
	}
	edits, err := c.Edits()
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(io.Discard, src, size, edits); err != nil {
		t.Fatal(err)
	}
	return m
}
