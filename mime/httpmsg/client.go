package httpmsg

import (
	"fmt"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"

	"absolink/base"
	"absolink/extract"
	"absolink/resolve"
)

// New returns the message of a response that a client has received. fields may be an http.Header.
// The client must have undone the transfer coding, but not the content codings that fields names:
// [Message.Body] undoes them. New writes the fields, sorted by name, and a copy of body into new
// memory. Offsets of the message count there.
func New(status int, fields map[string][]string, body []byte, o Options) *Message {
	data := fmt.Appendf(nil, "HTTP/1.1 %03d \r\n", status)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if strings.EqualFold(name, "Transfer-Encoding") {
			continue // the client has undone it
		}
		for _, value := range fields[name] {
			data = fmt.Appendf(data, "%s: %s\r\n", oneLine.Replace(name), oneLine.Replace(value))
		}
	}
	data = append(append(data, "\r\n"...), body...)
	m := new(Message)
	m.clear(data, o)
	m.parse(0)
	m.setMediaType()
	return m
}

// oneLine replaces line ends by blanks, so that a field cannot become two fields.
var oneLine = strings.NewReplacer("\r", " ", "\n", " ")

// Links yields the links of m, which was retrieved from url. First come the links of its header
// fields, such as Link and Location. Then come the links of its body, if the body is one document.
// If the body cannot be read, the last pair is the zero Link with the error of [Message.Body]. The
// caller may keep the links. For a multipart, use package document. For other rules of resolving,
// use [Message.Heading] and [Body.Doc].
func (m *Message) Links(url string) iter.Seq2[extract.Link, error] {
	return func(yield func(extract.Link, error) bool) {
		outer := &base.Layer{Source: base.URL, Value: url}
		var heading extract.Doc
		m.Heading(&heading, outer)
		for l := range new(extract.Resolver).Links(&heading) {
			if !yield(l, nil) {
				return
			}
		}
		b, err := m.Body()
		if err == nil {
			err = b.Unpack(path.Base(resolve.Split(url).Path))
		}
		if err != nil {
			yield(extract.Link{}, err)
			return
		}
		d := b.Doc(outer)
		if d.Format == extract.Unknown {
			return
		}
		for l := range new(extract.Resolver).Links(d) {
			if !yield(l, nil) {
				return
			}
		}
	}
}
