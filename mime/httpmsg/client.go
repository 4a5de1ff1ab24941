package httpmsg

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"absolink/base"
	"absolink/extract"
	"absolink/resolve"
)

// New returns the response that a client has received, made of its status code, its header
// fields (an http.Header is such a map) and its body. The client must have undone the transfer
// coding; [Message.Body] undoes the content codings that the fields name. New copies the body
// behind a heading of the fields, sorted by name. Offsets count from the start of that heading.
func New(status int, fields map[string][]string, body []byte, o Options) *Message {
	data := fmt.Appendf(nil, "HTTP/1.1 %03d \r\n", status)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if strings.EqualFold(name, "Transfer-Encoding") {
			continue // the body has none any more
		}
		for _, value := range fields[name] {
			data = fmt.Appendf(data, "%s: %s\r\n", oneLine.Replace(name), oneLine.Replace(value))
		}
	}
	data = append(append(data, "\r\n"...), body...)
	m := new(Message)
	m.clear(data, o)
	m.parse(0)
	m.mediaType()
	return m
}

// oneLine keeps a field from becoming two.
var oneLine = strings.NewReplacer("\r", " ", "\n", " ")

// Links returns the links of m, retrieved from url: those of its heading, such as Link and
// Location, and those of its body if that is a single document. The error is that of Body; the
// links of the heading are returned with it. For a body that is a multipart, see package
// document; for other rules, [Message.Heading] and [Body.Doc].
func (m *Message) Links(url string) ([]extract.Link, error) {
	var heading extract.Doc
	outer := &base.Layer{Source: base.URL, Value: url}
	m.Heading(&heading, outer)
	links := slices.Collect(new(extract.Resolver).Links(&heading))
	b, err := m.Body()
	if err == nil {
		err = b.Unpack(path.Base(resolve.Split(url).Path))
	}
	if err != nil {
		return links, err
	}
	if d := b.Doc(outer); d.Format != extract.Unknown {
		links = slices.AppendSeq(links, new(extract.Resolver).Links(d))
	}
	return links, nil
}
