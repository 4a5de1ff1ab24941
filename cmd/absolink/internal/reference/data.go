package reference

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"absolink/cmd/absolink/internal/record"
	"absolink/resolve"
	"absolink/resolve/ascii"
)

// data prints data escaped for a component, or a component without its escapes.
func (s *Shower) data(value []byte) error {
	key, result := "escaped", ""
	if s.o.View == Escaped {
		result = escape(string(value), s.o.Keep)
	} else {
		key = "unescaped"
		result = resolve.Unescape(string(value))
	}
	if s.o.Format != record.Text {
		s.entry.begin()
		s.entry.bytes("value", known(value))
		s.entry.bytes(key, []byte(result))
		return s.entry.end(s.out)
	}
	line := escapeControls(result)
	if line != result {
		s.notes.Printf("%s: control characters stay escaped; --format jsonl shows what they are", s.quote(value))
	}
	_, err := s.out.WriteString(line + "\n")
	return err
}

// escape percent-encodes data for a place in a URI: every byte except the unreserved characters of
// RFC 3986 2.3 and the characters in keep. A "%" is data too, and becomes "%25" (RFC 2396 2.4.2).
func escape(data, keep string) string {
	const unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
	out := make([]byte, 0, len(data)+len(data)/2)
	for i := 0; i < len(data); i++ {
		if c := data[i]; strings.IndexByte(unreserved, c) >= 0 || strings.IndexByte(keep, c) >= 0 {
			out = append(out, c)
		} else {
			out = ascii.AppendPercent(out, c)
		}
	}
	return string(out)
}

// escapeControls escapes control characters, since they would end the line or reach a terminal.
func escapeControls(s string) string {
	var out []byte
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if unicode.IsControl(r) {
			out = append(out, escape(s[i:i+n], "")...)
		} else {
			out = append(out, s[i:i+n]...)
		}
		i += n
	}
	return string(out)
}
