package extract_test

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing/fstest"

	"absolink/extract"
	"absolink/mime/httpmsg"
	"absolink/mime/rewrite"
	"absolink/mime/warc"
)

// The tour shows uses of the module in ten lines each.

// A step of a crawler: the links of a response, including its header fields. With net/http, fields
// is resp.Header, and the URL is the one of resp.Request, after redirects.
func Example_tourCrawl() {
	fields := map[string][]string{"Content-Type": {"text/html"}, "Link": {"<style.css>; rel=stylesheet"}}
	body := []byte(`<base href=/docs/><a href=intro.html>`)
	m := httpmsg.New(200, fields, body, httpmsg.Options{})
	for l, err := range m.Links("http://example.com/dir/") {
		if err != nil {
			fmt.Println(err) // the body is too large, or in an unknown coding
			break
		}
		fmt.Println(l.Kind, string(l.URI))
	}
	// Output:
	// res http://example.com/dir/style.css
	// meta http://example.com/docs/
	// nav http://example.com/docs/intro.html
}

// A message, from a reader to a writer: its links become absolute, nothing else changes.
func Example_tourMessage() {
	in := strings.NewReader("Content-Type: text/html\n\n<a href=news.html>News</a>\n")
	var r rewrite.Rewriter
	res, err := r.Message(os.Stdout, in, "http://example.com/")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d edited, %d problems\n", res.References, len(res.Problems))
	// Output:
	// Content-Type: text/html
	//
	// <a href=http://example.com/news.html>News</a>
	// 1 edited, 0 problems
}

// A tree of files that were retrieved from http://example.com/.
func Example_tourTree() {
	tree := fstest.MapFS{"a.html": {Data: []byte("<a href=b/>")}, "b/index.html": {Data: []byte("<img src=c.png>")}}
	err := fs.WalkDir(tree, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || path.Ext(name) != ".html" {
			return err
		}
		page, err := fs.ReadFile(tree, name)
		for l := range extract.Links(page, "http://example.com/"+name) {
			fmt.Println(name, string(l.URI))
		}
		return err
	})
	fmt.Println(err)
	// Output:
	// a.html http://example.com/b/
	// b/index.html http://example.com/b/c.png
	// <nil>
}

// A web archive, record by record.
func Example_tourArchive() {
	archive := warc.NewReader(strings.NewReader(archived), warc.Options{})
	for rec, err := range archive.All() {
		if err != nil {
			fmt.Println(err)
			break
		}
		if m := rec.Message(httpmsg.Options{}); m != nil {
			for l, err := range m.Links(rec.TargetURI) {
				fmt.Println(rec.Number, string(l.URI), err)
			}
		}
		rec.Release()
	}
	// Output:
	// 1 http://example.com/dir/next.html <nil>
}

const archived = "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.com/dir/page.html\r\n" +
	"Content-Type: application/http; msgtype=response\r\nContent-Length: 64\r\n\r\n" +
	"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=next.html>Next\r\n\r\n\r\n"
