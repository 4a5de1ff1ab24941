package extract

import (
	"absolink/extract/internal/escape"
	"absolink/extract/internal/json"
	"absolink/extract/internal/place"
	"absolink/extract/internal/ref"
	"absolink/extract/internal/text"
)

// The manifest of a web application (Web Application Manifest, and Manifest
// Incubations) is a JSON text, resolved against its own URI. Which strings are
// URLs is told by the member that holds them and the outermost member around that.

// manifest reads the text as the manifest of a web application.
func (f *finder) manifest() {
	f.element, f.rel = "", ""
	m := maker{f: f, layer: f.late, v: f.sheetText(f.contentStart(), len(f.data)), sheet: true}
	s := &f.json
	for s.Reset(m.v.bytes); s.Next(); {
		p := manifestPlace(s)
		if p == nil {
			continue
		}
		m.row, m.kind, m.layer = p, p.Kind, f.late
		if p.Base == place.BaseNone {
			m.layer = ref.NoLayer
		}
		v := m.v.bytes[s.Start:s.End:s.End]
		if s.Escaped {
			v = f.unescapedLiteral(v)
		}
		m.addToken(text.Span{Start: s.Start, End: s.End}, v, escape.Literal)
	}
}

// manifestPlace returns the row of the string found last, nil if it is no URL.
func manifestPlace(s *json.Scanner) *place.Row {
	if s.IsKey || s.Depth == 0 {
		return nil
	}
	name := s.Key(s.Depth - 1)
	if name == nil {
		return nil
	}
	top := ""
	inner := string(name) // before the next call of Key
	if s.Depth > 1 {
		top = string(s.Key(0))
	}
	return place.Member(top, inner)
}

// addToken adds the string that a token of a script or of JSON stands for.
func (m *maker) addToken(s text.Span, value []byte, form escape.Token) *ref.Ref {
	r := m.add(s, escape.Single)
	r.Value, r.Context.Token = value, form
	if r.Context.Bare == escape.BareWhole {
		r.Context.Bare = escape.BarePart
	}
	return r
}

// unescapedLiteral returns the value of a string with escapes.
func (f *finder) unescapedLiteral(v []byte) []byte {
	t := &f.text.Data
	start := len(*t)
	*t = json.AppendUnescaped(*t, v)
	return (*t)[start:len(*t):len(*t)]
}
