package httpmsg

import (
	"bytes"
	"fmt"
	"strings"

	"absolink/mime"
)

// Entities returns the body as a MIME message if it is a multipart or a message, and nil otherwise.
// The header fields of the parts inside give bases, by the rules of MIME. Those of the response
// give a base only with Options.RFC2616. Entities writes a header in front of the body, and parses
// both. Offsets of m count in these bytes, in which the body begins at offset.
func (b *Body) Entities(lim mime.Limits) (m *mime.Message, offset int64, err error) {
	media, _ := b.Message.MediaType()
	if kind, _, _ := strings.Cut(media, "/"); kind != "multipart" &&
		media != "message/rfc822" && media != "message/global" {
		return nil, 0, nil
	}
	var msg bytes.Buffer
	fmt.Fprintf(&msg, "Content-Type: %s\r\n", b.Message.contentType())
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

// contentType returns the last Content-Type with a valid media type. For a message without a header
// it returns the media type of the body.
func (m *Message) contentType() (value string) {
	if m.bodyOnly {
		return m.bodyType
	}
	for v := range m.Values("Content-Type") {
		if media, _ := lastType(v); media != "" {
			value = v
		}
	}
	return value
}
