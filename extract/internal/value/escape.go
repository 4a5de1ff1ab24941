package value

import (
	"bytes"

	"absolink/extract/internal/css"
	"absolink/extract/internal/json"
	"absolink/extract/internal/text"
	"absolink/resolve"
)

// Plain reports whether the bytes of the span are the reference, without any decoding.
func (p *Part) Plain() bool { return p.form == verbatim }

// AppendValue appends the reference found last, without its escapes.
func (c *Cutter) AppendValue(dst []byte) []byte {
	v := c.value[c.Start:c.End]
	switch c.form {
	case inCSS:
		return css.AppendUnescaped(dst, v, c.Quote != 0)
	case inJSON:
		return json.AppendUnescaped(dst, lineFeeds(v))
	case inScript:
		return json.AppendUnescaped(dst, v)
	case percentEncoded:
		return append(dst, resolve.Unescape(string(v))...)
	case percentEscaped:
		return json.AppendUnescaped(dst, []byte(resolve.Unescape(string(v))))
	case spaced:
		return append(dst, text.WithoutBlanks(v)...)
	case cleaned:
		return append(dst, c.cleanedURI...)
	}
	return append(dst, v...)
}

// lineFeeds returns v with LF line ends, as the preprocessing of HTML writes them (13.2.3.5).
func lineFeeds(v []byte) []byte {
	if bytes.IndexByte(v, '\r') < 0 {
		return v
	}
	v = bytes.ReplaceAll(v, []byte("\r\n"), []byte{'\n'})
	return bytes.ReplaceAll(v, []byte{'\r'}, []byte{'\n'})
}
