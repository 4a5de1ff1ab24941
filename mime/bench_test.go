package mime

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"mime/quotedprintable"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"absolink/base"
	"absolink/extract"
	"absolink/mime/internal/coding"
)

// benchMessage returns a message made of the project's own pages, in each transfer encoding, with
// attachments that bring it to size bytes or a little more.
func benchMessage(b *testing.B, size int) []byte {
	b.Helper()
	paths, err := filepath.Glob("../testdata/pages/*.html")
	if err != nil || len(paths) < 3 {
		b.Fatalf("%d pages, %v, want at least 3", len(paths), err)
	}
	var msg bytes.Buffer
	msg.WriteString("From: a@example.org\r\nSubject: bench\r\nMIME-Version: 1.0\r\nContent-Base: http://example.org/" +
		"d/\r\n" +
		"Content-Type: multipart/mixed; boundary=\"----=_bench\"\r\n\r\n")
	rng := rand.New(rand.NewPCG(1, 2))
	attachment := make([]byte, 96<<10)
	for i := 0; msg.Len() < size; i++ {
		page, err := os.ReadFile(paths[i%len(paths)])
		if err != nil {
			b.Fatal(err)
		}
		benchPart(&msg, "text/html; charset=utf-8", i%2, page)
		for k := range attachment {
			attachment[k] = byte(rng.Uint32())
		}
		benchPart(&msg, "application/octet-stream", 1, attachment)
	}
	msg.WriteString("------=_bench--\r\n")
	return msg.Bytes()
}

func benchPart(msg *bytes.Buffer, kind string, encoding int, data []byte) {
	name := [...]string{"quoted-printable", "base64"}[encoding]
	fmt.Fprintf(msg, "------=_bench\r\nContent-Type: %s\r\nContent-Transfer-Encoding: %s\r\n\r\n", kind, name)
	if encoding == 0 {
		w := quotedprintable.NewWriter(msg)
		w.Write(data)
		w.Close()
		msg.WriteString("\r\n")
		return
	}
	digits := base64.StdEncoding.EncodeToString(data)
	for len(digits) > 76 {
		msg.WriteString(digits[:76] + "\r\n")
		digits = digits[76:]
	}
	msg.WriteString(digits + "\r\n")
}

func benchParse(b *testing.B, msg []byte) *Message {
	b.Helper()
	m, err := Parse(bytes.NewReader(msg), int64(len(msg)), Limits{})
	if err != nil || len(m.Defects) > 0 {
		b.Fatalf("Parse: %v, defects %q", err, defects(m))
	}
	return m
}

// BenchmarkMessage does to a message of 4 MB what the commands do. For comparison, go-message walks
// it and decodes every leaf. With x/net/html it also rewrites every second leaf, which is HTML, and
// writes the message.
func BenchmarkMessage(b *testing.B) {
	msg := benchMessage(b, 4<<20)
	outer := &base.Layer{Source: base.DefaultBase, Value: "http://example.org/"}
	for _, c := range []struct {
		name string
		run  func()
	}{
		{"scan", func() { benchParse(b, msg) }},
		{"decode all", func() {
			for e := range benchParse(b, msg).Root.All() {
				if len(e.Parts) == 0 {
					benchLeaf(b, e)
				}
			}
		}},
		{"decode HTML", func() {
			for e := range benchParse(b, msg).Root.All() {
				if e.HTML() {
					benchLeaf(b, e)
				}
			}
		}},
		{"extract", func() { extractMail(b, msg, outer) }},
		{"rewrite", func() {
			if err := rewriteMail(b, msg, outer); err != nil {
				b.Fatal(err)
			}
		}},
		{"peer go-message walk and decode", func() {
			if leaves, err := peer(msg); err != nil || len(leaves) < 10 {
				b.Fatalf("%d leaves, %v", len(leaves), err)
			}
		}},
		{"peer go-message and x/net/html rewriter", func() {
			if err := peerRewrite(io.Discard, msg,
				&url.URL{Scheme: "http", Host: "example.org", Path: "/d/"}); err != nil {
				b.Fatal(err)
			}
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(msg)))
			b.ReportAllocs()
			for b.Loop() {
				c.run()
			}
		})
	}
}

func benchLeaf(b *testing.B, e *Entity) *Leaf {
	l, err := e.Leaf()
	if err != nil || l.Problem != "" {
		b.Fatalf("Leaf: %v %s", err, l.Problem)
	}
	return l
}

// BenchmarkNested shows that time grows only with the size: the MB/s of both sizes should be alike.
func BenchmarkNested(b *testing.B) {
	for _, c := range []struct {
		name string
		msg  string
	}{
		{"1500 multiparts", nested(1500)}, {"3000 multiparts", nested(3000)},
		{"5000 parts", manyParts(5000)}, {"9999 parts", manyParts(9999)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.msg)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(bytes.NewReader([]byte(c.msg)), int64(len(c.msg)), Limits{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkLongLine edits many places of one line. The MB/s of both sizes should be alike.
func BenchmarkLongLine(b *testing.B) {
	for _, c := range []struct {
		encoding string
		size     int
	}{{"quoted-printable", 1 << 18}, {"quoted-printable", 1 << 20}, {"8bit", 1 << 18}, {"8bit", 1 << 20}} {
		b.Run(fmt.Sprintf("%s/%d", c.encoding, c.size), func(b *testing.B) {
			msg := "Content-Transfer-Encoding: " + c.encoding + "\n\n" +
				strings.Repeat("<a href=3D'OLD'>text</a> ", c.size/25)
			l := benchLeaf(b, benchParse(b, []byte(msg)).Root)
			edits := replaced(l.Data, "OLD", "http://example.org/")
			b.SetBytes(int64(len(msg)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := l.Edits(edits); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkDecode decodes one page in each transfer encoding. The decoders of the standard library
// are the comparison.
func BenchmarkDecode(b *testing.B) {
	page, err := os.ReadFile("../testdata/pages/news.html")
	if err != nil {
		b.Fatal(err)
	}
	var qp, b64 bytes.Buffer
	benchPart(&qp, "text/html", 0, page)
	benchPart(&b64, "text/html", 1, page)
	for _, c := range []struct {
		name string
		part []byte
		run  func(raw []byte) int
	}{
		{"quoted-printable", qp.Bytes(),
			func(raw []byte) int { var t extract.Text; coding.Quoted(&t, raw, '\n'); return len(t.Data) }},
		{"quoted-printable peer", qp.Bytes(), func(raw []byte) int {
			n, _ := io.Copy(io.Discard, quotedprintable.NewReader(bytes.NewReader(raw)))
			return int(n)
		}},
		{"base64", b64.Bytes(),
			func(raw []byte) int { var t extract.Text; coding.Base64(&t, raw, '\n'); return len(t.Data) }},
		{"base64 peer", b64.Bytes(), func(raw []byte) int {
			n, _ := io.Copy(io.Discard, base64.NewDecoder(base64.StdEncoding, bytes.NewReader(raw)))
			return int(n)
		}},
	} {
		_, raw, _ := bytes.Cut(c.part, []byte("\r\n\r\n"))
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				if c.run(raw) < len(page) {
					b.Fatal("bytes are missing")
				}
			}
		})
	}
}
