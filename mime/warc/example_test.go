package warc_test

import (
	"fmt"
	"io"
	"strings"

	"absolink/extract"
	"absolink/mime/httpmsg"
	"absolink/mime/warc"
)

func Example() {
	archive := "WARC/1.1\r\n" +
		"WARC-Type: response\r\n" +
		"WARC-Target-URI: http://example.com/dir/page.html\r\n" +
		"Content-Type: application/http; msgtype=response\r\n" +
		"Content-Length: 78\r\n\r\n" +
		"HTTP/1.1 200 OK\r\n" +
		"Content-Type: text/html\r\n\r\n" +
		"<a href=\"next.html\">Next</a> page\r\n" +
		"\r\n\r\n"
	r := warc.NewReader(strings.NewReader(archive), warc.Options{})
	var resolver extract.Resolver
	for {
		rec, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		if msg := rec.Message(httpmsg.Options{}); msg != nil {
			body, err := msg.Body()
			if err != nil {
				fmt.Println(err)
				return
			}
			for link := range resolver.Links(body.Doc(rec.Layer(nil))) {
				fmt.Printf("record %d: %s\n", rec.Number, link.URI)
			}
		}
		for _, d := range rec.Defects {
			fmt.Printf("record %d, at %d: %s\n", rec.Number, d.Offset, d.Text)
		}
		rec.Release()
	}
	// Output:
	// record 1: http://example.com/dir/next.html
}
