package httpmsg

import (
	"bytes"
	"strings"

	"absolink/extract"
)

// The media type of a response is found as in browsers. If there are several Content-Types, the
// last valid one counts (Fetch Standard, "extract a MIME type"). If there is none, or if it is
// unknown/unknown, the content decides (MIME Sniffing Standard Section 7). A feed that is sent as
// HTML or XML is read as a feed, as feed readers do and browsers do not.

// MediaType returns the media type in lower case, and its charset. media is empty if it is missing
// or not valid. charset is empty if it is missing, but need not be a known charset.
func (m *Message) MediaType() (media, charset string) { return m.mediaType, m.charset }

// setMediaType sets the results of MediaType.
func (m *Message) setMediaType() {
	list := m.bodyType
	if !m.bodyOnly {
		list = m.joined("Content-Type")
	}
	m.mediaType, m.charset = lastType(list)
}

// lastType returns the last media type of a list, and its charset. If the last media type has no
// charset, and the media type before it is the same, the charset of that one counts.
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

// isType reports whether s is a valid media type other than */*.
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

// cutParam cuts the value at the start of s from the parameters after it.
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
	if m.IsBareJSON() {
		f = extract.Detect(data, "body.json")
	}
	switch f {
	case extract.XML:
		f = extract.Detect(data, media) // which kind of XML it is
	case extract.HTML:
		if extract.Detect(data, media) == extract.Feed {
			f = extract.Feed
		}
	case extract.Plain:
		if isBinary(data) {
			f = extract.Unknown
		}
	}
	return f, charset
}

// IsBareJSON reports whether m is a body without a header, in JSON. The content then tells its
// format: it may be a WAT record of Common Crawl.
func (m *Message) IsBareJSON() bool {
	media, _ := m.MediaType()
	return m.bodyOnly && media == "application/json"
}

// RobotsTxt marks b as a robots.txt, because the URL of b says so. b then counts as plain text,
// whatever its media type is. But many servers answer with a page: if b begins like markup or JSON,
// or is binary, RobotsTxt does nothing.
func (b *Body) RobotsTxt() {
	text := bytes.TrimLeft(bytes.TrimPrefix(b.Data, []byte("\xef\xbb\xbf")), " \t\r\n")
	if len(text) == 0 || isBinary(b.Data) || bytes.IndexByte([]byte("<{["), text[0]) >= 0 {
		return
	}
	b.format = extract.Plain
}

// sniff returns the format of a body without a known type. If the server sends nosniff, the body is
// text or not a document (Section 7.1, "sniff-scriptable"). A fragment of markup is text, as in
// browsers.
func (m *Message) sniff(data []byte) extract.Format {
	v, _ := m.Get("X-Content-Type-Options")
	if f := extract.Detect(data, "application/unknown"); f != extract.Unknown && !strings.EqualFold(v, "nosniff") {
		return f
	}
	if len(data) == 0 || isBinary(data) {
		return extract.Unknown
	}
	return extract.Plain
}

// isBinary reports whether the beginning of a body holds bytes that text never has (Section 7.2). A
// byte order mark makes it text.
func isBinary(data []byte) bool {
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
