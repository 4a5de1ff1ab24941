package mbox_test

import (
	"fmt"
	"log"
	"os"
	"strings"

	"absolink/mime"
	"absolink/mime/mbox"
)

const box = `From a@example.org Thu Jan  1 00:00:00 2026
Subject: one
Content-Type: text/html

<a href="x">

From b@example.org Thu Jan  1 00:00:01 2026
Subject: two

>From here on it is text.
`

func ExampleReader() {
	r := mbox.NewReader(strings.NewReader(box), mbox.Options{})
	for msg, err := range r.All() {
		if err != nil {
			log.Fatal(err)
		}
		m, err := msg.Parse(mime.Limits{})
		if err != nil {
			log.Fatal(err)
		}
		subject, _ := m.Root.Get("Subject")
		fmt.Println(msg.Number, msg.Offset, msg.Line, subject)
		msg.Release()
	}
	// Output:
	// 1 0 1 one
	// 2 96 7 two
}

func ExampleMessage_Write() {
	msg, err := mbox.NewReader(strings.NewReader(box), mbox.Options{}).Next()
	if err != nil {
		log.Fatal(err)
	}
	at := int64(strings.Index(box, "x\"")) - msg.Content.Start
	edits := []mime.Edit{{Span: mime.Span{Start: at, End: at + 1}, New: []byte("http://example.org/x")}}
	if err := msg.Verify(edits); err != nil {
		log.Fatal(err)
	}
	if err := msg.Write(os.Stdout, edits); err != nil {
		log.Fatal(err)
	}
	// Output:
	// From a@example.org Thu Jan  1 00:00:00 2026
	// Subject: one
	// Content-Type: text/html
	//
	// <a href="http://example.org/x">
}
