package reading

import (
	"iter"

	"absolink/extract/internal/escape"
	"absolink/extract/internal/prose"
	"absolink/extract/internal/text"
)

// Prose adds the URIs in the value, which is running text.
func (m *Maker) Prose() { m.addFound(prose.Find(m.Value.Bytes, m.Text.Doc.Options.BareHosts)) }

// Fields adds the URIs in the value, a table whose fields end at commas.
func (m *Maker) Fields() { m.addFound(prose.FindInFields(m.Value.Bytes, m.Text.Doc.Options.BareHosts)) }

// addFound adds URIs of the value.
func (m *Maker) addFound(list iter.Seq[prose.Found]) {
	for u := range list {
		r := m.Add(text.Span{Start: u.Start, End: u.End}, escape.Prose)
		r.Text = true
		r.Hyphen, r.Unclear = u.Uncertain, u.UnclearEnd
		if len(u.URI) != u.End-u.Start {
			r.Value = []byte(u.URI)
		}
	}
}
