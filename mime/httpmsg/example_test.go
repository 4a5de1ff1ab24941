package httpmsg_test

import (
	"fmt"

	"absolink/base"
	"absolink/extract"
	"absolink/mime/httpmsg"
)

// A response as curl -i writes it, in chunks. Its heading also refers to a resource.
func ExampleMessage_Reset() {
	const data = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nTransfer-Encoding: chunked\r\n" +
		"Link: <style.css>; rel=stylesheet\r\n\r\n10\r\n<a href=next.htm\r\n6\r\nl>x</a\r\n1\r\n>\r\n0\r\n\r\n"
	var m httpmsg.Message
	m.Reset([]byte(data), httpmsg.Options{})
	retrieved := &base.Layer{Source: base.URL, Value: "http://example.org/dir/page.html"}

	var resolver extract.Resolver
	var heading extract.Doc
	m.Heading(&heading, retrieved)
	for link := range resolver.Links(&heading) {
		fmt.Printf("heading: %s\n", link.URI)
	}
	body, err := m.Body()
	if err != nil {
		fmt.Println(err)
		return
	}
	for link := range resolver.Links(body.Doc(retrieved)) {
		at, ok := body.Source(link.Span)
		fmt.Printf("body: %s, bytes %d to %d of the response, %v\n", link.URI, at.Start, at.End, ok)
	}
	// Output:
	// heading: http://example.org/dir/style.css
	// body: http://example.org/dir/next.html, bytes 134 to 148 of the response, true
}

// A response as a client has it. For net/http, fields is its Header.
func ExampleNew() {
	fields := map[string][]string{"Content-Type": {"text/html; charset=utf-8"}, "Link": {"<style.css>; rel=stylesheet"}}
	m := httpmsg.New(200, fields, []byte("<a href=next.html>next</a>"), httpmsg.Options{})
	for l, err := range m.Links("http://example.org/dir/page.html") {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s %s\n", l.Element, l.URI)
	}
	// Output:
	// header http://example.org/dir/style.css
	// a http://example.org/dir/next.html
}
