package reading

import (
	"absolink/extract/internal/escape"
	"absolink/extract/internal/prose"
	"absolink/extract/internal/text"
)

// Prose adds the URIs in the value, which is running text.
func (m *Maker) Prose() {
	for u := range prose.Find(m.Value.Bytes, m.Text.Doc.Options.BareHosts) {
		r := m.Add(text.Span{Start: u.Start, End: u.End}, escape.Prose)
		r.Text = true
		r.Hyphen, r.Unclear = u.Uncertain, u.UnclearEnd
		if len(u.URI) != u.End-u.Start {
			r.Value = []byte(u.URI)
		}
	}
}
