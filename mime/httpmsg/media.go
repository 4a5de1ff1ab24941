package httpmsg

import (
	"bytes"
	"strings"

	"absolink/extract"
)

// The media type of a response, as browsers find it: the last of several
// Content-Types that can be read counts (Fetch Standard, "extract a MIME type"),
// and content decides where none is given or none means anything (MIME Sniffing
// Standard Section 7). Beyond browsers, feeds that are sent as HTML or XML are
// read as feeds (Section 8.5 there), since no reader of them does otherwise.

// MediaType returns the media type in lower case and its charset, "" for what is
// not given or cannot be read.
func (m *Message) MediaType() (media, charset string) { return m.media, m.charset }

// mediaType finds them, once for all who ask.
func (m *Message) mediaType() {
	list := m.bare
	if !m.sole {
		list = m.list("Content-Type")
	}
	m.media, m.charset = lastType(list)
}

// lastType returns the last media type of a list. A charset before it counts if
// it is that of the same media type.
func lastType(list string) (media, charset string) {
	for list != "" {
		var value string
		value, list = cutList(list)
		essence, params, _ := strings.Cut(value, ";")
		essence = strings.ToLower(strings.Trim(essence, " \t\r\n"))
		if !isType(essence) {
			continue
		}
		c := charsetOf(params)
		if c != "" || essence != media {
			charset = c
		}
		media = essence
	}
	return media, charset
}

// cutList cuts a list at its first comma outside quotes.
func cutList(list string) (value, rest string) {
	quoted := false
	for i := 0; i < len(list); i++ {
		switch c := list[i]; {
		case c == '\\' && quoted:
			i++
		case c == '"':
			quoted = !quoted
		case c == ',' && !quoted:
			return list[:i], list[i+1:]
		}
	}
	return list, ""
}

// isType reports whether a media type is one that says something.
func isType(s string) bool {
	kind, sub, ok := strings.Cut(s, "/")
	return ok && kind != "" && sub != "" && s != "*/*" &&
		!strings.ContainsAny(s, " \t\"(),:<=>?@[]{}\\") && !strings.Contains(sub, "/")
}

// charsetOf returns the first charset among parameters.
func charsetOf(params string) string {
	for params != "" {
		name, rest, ok := strings.Cut(params, "=")
		if i := strings.IndexByte(name, ';'); i >= 0 { // a parameter without a value
			params = params[i+1:]
			continue
		}
		if !ok {
			return ""
		}
		var value string
		value, params = cutParam(rest)
		if strings.EqualFold(strings.Trim(name, " \t\r\n"), "charset") && value != "" {
			return value
		}
	}
	return ""
}

// cutParam cuts the value that s begins with from the parameters behind it.
func cutParam(s string) (value, rest string) {
	if !strings.HasPrefix(s, `"`) {
		value, rest, _ = strings.Cut(s, ";")
		return strings.TrimRight(value, " \t\r\n"), rest
	}
	var b strings.Builder
	i := 1
	for ; i < len(s) && s[i] != '"'; i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	_, rest, _ = strings.Cut(s[min(i+1, len(s)):], ";")
	return b.String(), rest
}

// documentType returns the format and charset of the decoded body.
func (m *Message) documentType(data []byte) (extract.Format, string) {
	media, charset := m.MediaType()
	switch media {
	case "", "unknown/unknown", "application/unknown":
		return m.sniff(data), charset
	case "application/warc-fields":
		return extract.Heading, charset
	}
	f := extract.FormatOf(media)
	switch f {
	case extract.XML:
		f = extract.Detect(data, media) // what it is more closely
	case extract.HTML:
		if extract.Detect(data, media) == extract.Feed {
			f = extract.Feed
		}
	case extract.Plain:
		if binary(data) {
			f = extract.Unknown
		}
	}
	return f, charset
}

// RobotsTxt makes b a plain text, whatever its media type is, since the caller knows b as a
// robots.txt by its URL. It does nothing if the body is binary, or begins as markup or JSON does:
// many servers answer with a page.
func (b *Body) RobotsTxt() {
	text := bytes.TrimLeft(bytes.TrimPrefix(b.Data, []byte("\xef\xbb\xbf")), " \t\r\n")
	if len(text) == 0 || binary(b.Data) || bytes.IndexByte([]byte("<{["), text[0]) >= 0 {
		return
	}
	b.inside = extract.Plain
}

// sniff finds the format of a body of no known type. With nosniff, and so with a
// server that means it, it is text or nothing (Section 7.1, "sniff-scriptable"). A fragment is
// text, as in browsers.
func (m *Message) sniff(data []byte) extract.Format {
	v, _ := m.Get("X-Content-Type-Options")
	if f := extract.Detect(data, "application/unknown"); f != extract.Unknown && !strings.EqualFold(v, "nosniff") {
		return f
	}
	if len(data) == 0 || binary(data) {
		return extract.Unknown
	}
	return extract.Plain
}

// binary reports whether the beginning of a body holds bytes that no text does
// (Section 7.2), unless a byte order mark says that it is text.
func binary(data []byte) bool {
	head := data[:min(len(data), 1445)]
	for _, mark := range []string{"\xfe\xff", "\xff\xfe", "\xef\xbb\xbf"} {
		if bytes.HasPrefix(head, []byte(mark)) {
			return false
		}
	}
	for _, c := range head {
		if c <= 0x08 || c == 0x0b || 0x0e <= c && c <= 0x1a || 0x1c <= c && c <= 0x1f {
			return true
		}
	}
	return false
}
