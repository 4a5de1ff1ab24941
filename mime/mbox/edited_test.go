package mbox

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"absolink/extract"
	"absolink/mime"
)

// A mailbox with edited messages holds the same messages, each with its edits. In HTML each "<a"
// gets an attribute; in plain text each "http:" gets its own line.
func TestEditedMailboxes(t *testing.T) {
	for _, l := range layouts {
		t.Run(fmt.Sprint(l.variant, " ", l.name), func(t *testing.T) {
			box, _ := build(t, l)
			o := Options{Variant: l.variant}
			var out bytes.Buffer
			var want []string
			edited, refused := 0, 0
			for _, m := range list(NewReader(strings.NewReader(box), o)) {
				edits := links(t, m)
				if err := m.Verify(edits); err != nil {
					edits, refused = nil, refused+1
				}
				edited += min(1, len(edits))
				g := see(t, m)
				want = append(want, g.sep, applied(g.content, edits), g.rest)
				if err := m.Write(&out, edits); err != nil {
					t.Fatal(err)
				}
			}
			got := texts(all(t, NewReader(stream{&out}, o)))
			if !slices.Equal(got, want) {
				t.Fatalf("%d messages after edits, want %d, or others", len(got)/3, len(want)/3)
			}
			if edited < 10 || refused > 0 {
				t.Errorf("%d messages edited, %d refused, want at least 10 and none", edited, refused)
			}
		})
	}
}

// links edits links of m, even if they are signed.
func links(t *testing.T, m *Message) []mime.Edit {
	parsed, err := m.Parse(mime.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	c := parsed.Change()
	for e := range parsed.Root.All() {
		if l, err := e.Leaf(); err == nil && strings.HasPrefix(e.MediaType(), "text/") {
			old, text := "<a ", ` data-x="From http://example.test/?a=b"`
			if !e.HTML() {
				old, text = "http:", "x: http:\nFrom x:"
			}
			c.Edit(l, insertions(l.Data, old, text)) // a refused leaf stays unchanged
		}
	}
	edits, err := c.Edits()
	if err != nil {
		return nil
	}
	return edits
}

// insertions inserts text after the first two bytes of each old.
func insertions(data []byte, old, text string) (edits []extract.Edit) {
	for at := 0; ; {
		i := bytes.Index(data[at:], []byte(old))
		if i < 0 {
			return edits
		}
		at += i + 2
		edits = append(edits, extract.Edit{Span: extract.Span{Start: at, End: at}, New: []byte(text)})
	}
}
