package rewrite_test

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"

	"absolink/base"
	"absolink/extract"
	"absolink/mime/document"
	"absolink/mime/mbox"
	"absolink/mime/rewrite"
	"absolink/resolve/move"
)

// A message is rewritten, and every byte outside the edits is kept: the case of field names, the
// quotes around the boundary, and the missing line end.
func Example() {
	const message = "From: a@example.org\n" +
		"CONTENT-type: multipart/mixed; boundary='b'\n\n" +
		"--'b'\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n" +
		"<A HREF=3D\"../a=2Ehtml\">  a </A>\n" +
		"--'b'\nContent-Type: text/html\nContent-Base: http://other.example/\n\n" +
		"<img src='b.png' alt = ../b>\n" +
		"--'b'--"
	src := &document.Source{Message: true, At: strings.NewReader(message), Size: int64(len(message))}
	outer := &base.Layer{Source: base.Option, Value: "http://example.com/mail/1.eml"}

	var r rewrite.Rewriter
	p, err := r.Plan(src, outer)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := p.Write(os.Stdout); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("\n%d references were edited\n", p.References)
	// Output:
	// From: a@example.org
	// CONTENT-type: multipart/mixed; boundary='b'
	//
	// --'b'
	// Content-Type: text/html
	// Content-Transfer-Encoding: quoted-printable
	//
	// <A HREF=3D"http://example.com/a.html">  a </A>
	// --'b'
	// Content-Type: text/html
	// Content-Base: http://other.example/
	//
	// <img src='http://other.example/b.png' alt = ../b>
	// --'b'--
	// 2 references were edited
}

// In a page that moves, only the pictures are rewritten. Then the output is verified.
func ExampleRewriter_Verify() {
	var site move.Site
	if err := site.Map.Add("http://old.example/", "http://new.example/"); err != nil {
		fmt.Println(err)
		return
	}
	page := []byte(`<a href="http://old.example/p"><img src="q.png"></a>`)
	src := &document.Source{Format: extract.HTML, At: bytes.NewReader(page), Size: int64(len(page)), Data: page}
	r := rewrite.Rewriter{Site: &site}
	outer := &base.Layer{Source: base.Option, Value: "http://old.example/"}
	p, err := r.Visit(src, outer,
		func(_ *rewrite.Plan, _ *document.Document, links iter.Seq[*rewrite.Link]) error {
			for l := range links {
				l.Keep = l.Element != "img"
			}
			return nil
		})
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := p.Output()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(out.Data))
	fmt.Println(r.Verify(p, out))
	out.Data = []byte(`<a href="http://old.example/p"><img src="http://elsewhere.example/q.png"></a>`)
	fmt.Println(r.Verify(p, out))
	// Output:
	// <a href="http://old.example/p"><img src="http://new.example/q.png"></a>
	// <nil>
	// link 2 of the output is not as planned
}

// A mailbox is rewritten message by message, and read again at the end.
func ExampleMailbox() {
	const box = "From a@example.org Thu Jan  1 00:00:00 1970\nContent-Type: text/html\n\n<a href=1>\n\n" +
		"From b@example.org Thu Jan  1 00:00:00 1970\nContent-Type: text/html\n\n<a href=2>\n"
	outer := &base.Layer{Source: base.DefaultBase, Value: "http://example.com/"}
	var (
		r    rewrite.Rewriter
		b    rewrite.Mailbox
		file bytes.Buffer
	)
	out := b.Writer(&file)
	messages := mbox.NewReader(strings.NewReader(box), mbox.Options{Lengths: true})
	for {
		m, err := messages.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		src := &document.Source{Message: true,
			At: io.NewSectionReader(m, m.Content.Start, m.Content.Len()), Size: m.Content.Len()}
		p, err := r.Plan(src, outer)
		if err == nil {
			err = p.Fit(m)
		}
		if err == nil {
			err = b.Add(m, p)
		}
		if err != nil {
			fmt.Printf("message %d stays as it was written: %v\n", m.Number, err)
		}
		if err := b.Write(out, m, p); err != nil {
			fmt.Println(err)
			return
		}
		m.Release()
	}
	fmt.Println(b.Verify(bytes.NewReader(file.Bytes()), mbox.RD))
	fmt.Print(file.String())
	// Output:
	// <nil>
	// From a@example.org Thu Jan  1 00:00:00 1970
	// Content-Type: text/html
	//
	// <a href=http://example.com/1>
	//
	// From b@example.org Thu Jan  1 00:00:00 1970
	// Content-Type: text/html
	//
	// <a href=http://example.com/2>
}
