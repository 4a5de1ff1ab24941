package httpmsg

import (
	"bytes"
	"fmt"
	"strings"

	"absolink/mime"
)

// Entities returns a body that is a multipart or a message as a MIME message, or nil for other
// bodies. The rules of MIME apply to the parts inside: their headings give bases. The heading of
// the response gives a base only with Options.RFC2616. Entities makes a heading for the message;
// offset is the start of the body after that heading.
func (b *Body) Entities(lim mime.Limits) (m *mime.Message, offset int64, err error) {
	media, _ := b.Message.MediaType()
	if kind, _, _ := strings.Cut(media, "/"); kind != "multipart" &&
		media != "message/rfc822" && media != "message/global" {
		return nil, 0, nil
	}
	var msg bytes.Buffer
	fmt.Fprintf(&msg, "Content-Type: %s\r\n", b.Message.lastValue("Content-Type"))
	if b.Message.opts.RFC2616 {
		for _, name := range []string{"Content-Base", "Content-Location"} {
			if v, n := b.Message.Get(name); n > 0 {
				fmt.Fprintf(&msg, "%s: %s\r\n", name, v)
			}
		}
	}
	msg.WriteString("\r\n")
	offset = int64(msg.Len())
	msg.Write(b.Data)
	m, err = mime.Parse(bytes.NewReader(msg.Bytes()), int64(msg.Len()), lim)
	return m, offset, err
}

// lastValue returns the last value of a field that holds a media type. For a bare body it returns
// its media type.
func (m *Message) lastValue(name string) (value string) {
	if m.sole {
		return m.bare
	}
	for v := range m.Values(name) {
		if media, _ := lastType(v); media != "" {
			value = v
		}
	}
	return value
}
