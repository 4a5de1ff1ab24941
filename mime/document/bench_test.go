package document_test

import (
	"bytes"
	"fmt"
	"testing"

	"absolink/base"
	"absolink/extract"
	"absolink/mime/document"
)

// smallMail holds messages of some 300 bytes. Mailboxes contain millions of such messages.
var smallMail = [...]string{
	"From: Ann <ann@example.org>\r\nTo: bob@example.org\r\nSubject: Tomorrow\r\nDate: Mon, 2 Mar 1998 10:00:00 " +
		"+0000\r\n" +
		"Message-ID: <a1@example.org>\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=us-ascii\r\n\r\n" +
		"<p>See <a href=\"http://example.org/plan\">the plan</a> and <a href=\"notes.html\">notes</a>.\r\n",
	"From: Ann <ann@example.org>\r\nTo: bob@example.org\r\nSubject: Tomorrow\r\nDate: Mon, 2 Mar 1998 10:00:00 " +
		"+0000\r\n" +
		"Message-ID: <a2@example.org>\r\nContent-Base: http://example.org/d/\r\nMIME-Version: 1.0\r\nContent-Type: " +
		"text/html; charset=us-ascii\r\n\r\n" +
		"<p>See <a href=\"plan.html\">plan</a> and <a href=\"notes.html\">notes</a>.\r\n",
}

// BenchmarkSmallMail parses a message in memory and lists its links. It asks for no subject,
// sender, date or Message-ID.
func BenchmarkSmallMail(b *testing.B) {
	for i, name := range [...]string{"no base", "Content-Base"} {
		for _, listing := range [...]bool{false, true} {
			b.Run(fmt.Sprintf("%s listing %v", name, listing),
				func(b *testing.B) { benchmarkMail(b, []byte(smallMail[i]), listing) })
		}
	}
}

func benchmarkMail(b *testing.B, msg []byte, listing bool) {
	outer := &base.Layer{Source: base.DefaultBase, Value: "http://example.test/dir/"}
	var set document.Set
	var r extract.Resolver
	b.SetBytes(int64(len(msg)))
	b.ReportAllocs()
	for b.Loop() {
		src := document.Source{Message: true, At: bytes.NewReader(msg), Size: int64(len(msg)), Data: msg}
		if err := set.Open(&src, outer, document.Options{Listing: listing}); err != nil {
			b.Fatal(err)
		}
		links := 0
		for d := range set.All() {
			r.InMessage = d.InMessage()
			for range r.Links(d.Doc) {
				links++
			}
		}
		if links < 2 {
			b.Fatalf("%d links, want at least 2", links)
		}
	}
}
