package reference

import (
	"unicode"
	"unicode/utf8"

	"absolink/cmd/absolink/internal/record"
	"absolink/resolve"
)

// data prints data escaped for a component, or a component with its escapes undone.
func (s *Shower) data(value []byte) error {
	key, result := "escaped", ""
	if s.o.View == Escaped {
		result = resolve.Escape(string(value), s.o.Keep)
	} else {
		key, result = "unescaped", resolve.Unescape(string(value))
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

// escapeControls escapes control characters, which would end the line or reach a
// terminal.
func escapeControls(s string) string {
	var out []byte
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if unicode.IsControl(r) {
			out = append(out, resolve.Escape(s[i:i+n], "")...)
		} else {
			out = append(out, s[i:i+n]...)
		}
		i += n
	}
	return string(out)
}
