// The containers that tests of several subjects make.

package e2e

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
)

// webRecord is a record of a web archive with one link, and enough text that a few thousand records
// are no small archive.
func webRecord(i int) string { return longRecord(i, 1) }

// longRecord is webRecord with a text of several times the length.
func longRecord(i, times int) string {
	body := fmt.Sprintf("<a href=\"l%d\">%s</a>", i, strings.Repeat("text ", i%100*times))
	block := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.test/d%d/\r\n"+
		"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		i, len(block), block)
}

// webArchive returns n records with requests between them, both plain and in gzip members.
func webArchive(n int) (plain, members string) { return longArchive(n, 1) }

// longArchive is webArchive with texts of several times the length.
func longArchive(n, times int) (plain, members string) {
	var p, m bytes.Buffer
	z, _ := gzip.NewWriterLevel(&m, gzip.BestSpeed)
	for i := range n {
		for _, text := range []string{longRecord(i, times),
			"WARC/1.0\r\nWARC-Type: request\r\nContent-Length: 0\r\n\r\n\r\n\r\n"} {
			p.WriteString(text)
			z.Reset(&m)
			io.WriteString(z, text)
			z.Close()
		}
	}
	return p.String(), m.String()
}

// letter is a message of a mailbox with a link, and enough text that a few thousand messages are no
// small mailbox.
func letter(i int, link string) string {
	return fmt.Sprintf("From a@b.test Thu Jan  1 00:00:00 1970\nMessage-ID: <%d@b.test>\nContent-Type: text/html\n\n"+
		"<a href=\"%s\">%s</a>\n\n",
		i, link, strings.Repeat("text ", i%100))
}

func letters(n int, link func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(letter(i, link(i)))
	}
	return b.String()
}

// longer returns a mailbox of letters with texts of several times the length.
func longer(box string, times int) string {
	return strings.ReplaceAll(box, "text ", strings.Repeat("text ", times))
}

func relative(i int) string { return fmt.Sprintf("l%d", i) }
func absolute(i int) string { return fmt.Sprintf("http://example.test/l%d", i) }
