package mime

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"absolink/extract"
)

// parse parses a message that is a string.
func parse(t testing.TB, msg string) *Message {
	t.Helper()
	m, err := Parse(strings.NewReader(msg), int64(len(msg)), Limits{})
	if err != nil {
		t.Fatalf("Parse: error %v, want none", err)
	}
	return m
}

// crlf returns s with CRLF line ends.
func crlf(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }

// outline writes a tree as one line for each entity: section, media type, body.
func outline(m *Message, msg string) string {
	var b strings.Builder
	for e := range m.Root.All() {
		body := "…"
		if len(e.Parts) == 0 {
			body = fmt.Sprintf("%q", msg[e.Body.Start:e.Body.End])
		}
		fmt.Fprintf(&b, "%s|%s|%d|%s\n", e.Section, e.MediaType(), len(e.fields), body)
	}
	return b.String()
}

func defects(m *Message) string {
	var b strings.Builder
	for _, d := range m.Defects {
		fmt.Fprintf(&b, "%s@%d: %s\n", d.Part, d.Offset, d.Text)
	}
	return b.String()
}

// applied writes a message with edits.
func applied(t testing.TB, msg string, edits []Edit) string {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, strings.NewReader(msg), int64(len(msg)), edits); err != nil {
		t.Fatalf("Write: error %v, want none", err)
	}
	return out.String()
}

// replaced returns the edits that replace each occurrence of old in data.
func replaced(data []byte, old, new string) (edits []extract.Edit) {
	for at := 0; ; {
		i := bytes.Index(data[at:], []byte(old))
		if i < 0 {
			return edits
		}
		at += i
		edits = append(edits, extract.Edit{Span: extract.Span{Start: at, End: at + len(old)}, New: []byte(new)})
		at += len(old)
	}
}
