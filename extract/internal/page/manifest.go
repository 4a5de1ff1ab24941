package page

import (
	"absolink/extract/internal/escape"
	"absolink/extract/internal/json"
	"absolink/extract/internal/place"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/ref"
	"absolink/extract/internal/text"
)

// The manifest of a web application (Web Application Manifest, and Manifest Incubations) is a JSON
// text that is resolved against its own URI. The member that holds a string and the outermost
// member around it decide whether the string is a URL.

// Manifest reads the text as the manifest of a web application. It skips everything that is not
// JSON and never fails.
func Manifest(t *reading.Text) {
	m := reading.Maker{Text: t, Layer: t.Current, Value: t.Text(t.Start(), len(t.Data)), Sheet: true}
	var s json.Scanner
	for s.Reset(m.Value.Bytes); s.Next(); {
		p := manifestPlace(&s)
		if p == nil {
			continue
		}
		m.Row, m.Kind, m.Layer = p, p.Kind, t.Current
		if p.Base == place.BaseNone {
			m.Layer = ref.NoLayer
		}
		r := m.Add(text.Span{Start: s.Start, End: s.End}, escape.Single)
		r.Context.Token = escape.Literal
		if s.Escaped {
			r.Value = json.AppendUnescaped(nil, r.Value)
		}
	}
}

// manifestPlace returns the row of the string found last, or nil if the string is not a URL.
func manifestPlace(s *json.Scanner) *place.Row {
	if s.IsKey || s.Depth == 0 {
		return nil
	}
	name := s.KeyAt(s.Depth - 1)
	if name == nil {
		return nil
	}
	top := ""
	inner := string(name) // copied, because the next call of KeyAt overwrites it
	if s.Depth > 1 {
		top = string(s.KeyAt(0))
	}
	return place.Member(top, inner)
}
