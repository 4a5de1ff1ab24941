package page

import (
	"absolink/extract/internal/escape"
	"absolink/extract/internal/json"
	"absolink/extract/internal/place"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/text"
)

// Linkset reads the text as a linkset in JSON (RFC 9264 Section 4.2): an array of link contexts,
// which hold targets by their link types. It skips everything that is not JSON and never fails. Its
// references are only listed. Anchors and targets are resolved against the URI of the linkset.
func Linkset(t *reading.Text) {
	m := reading.Maker{Text: t, Layer: t.Current, Value: t.Text(t.Start(), len(t.Data)), Sheet: true}
	var s json.Scanner
	for s.Reset(m.Value.Bytes); s.Next(); {
		if s.IsKey || string(s.KeyAt(0)) != "linkset" {
			continue
		}
		switch string(s.KeyAt(s.Depth - 1)) {
		case "anchor":
			m.Row = place.Anchor
			t.Rel = ""
			m.Kind = m.Row.Kind
			if s.Depth != contextDepth {
				continue
			}
		case "href":
			m.Row = place.Target
			t.Rel = t.Doc.Intern(s.KeyAt(contextDepth - 1))
			m.Kind = place.LinkKind(t.Rel)
			if s.Depth != targetDepth {
				continue
			}
		default:
			continue
		}
		t.Element, m.Attr = m.Row.Elements, m.Row.Attributes
		r := m.Add(text.Span{Start: s.Start, End: s.End}, escape.Single)
		r.Context.Token = escape.Literal
		if s.Escaped {
			r.Value = json.AppendUnescaped(nil, r.Value)
		}
	}
	t.Rel = ""
}

// Depths of the members of a linkset.
const (
	contextDepth = 3 // in the object of a context, in the array "linkset" of the outermost object
	targetDepth  = 5 // in the object of a target, in the array of its link type
)
