package extract

import (
	"strings"
	"sync"

	"absolink/extract/internal/json"
)

// The manifest of a web application (Web Application Manifest, and Manifest
// Incubations) is a JSON text, resolved against its own URI. Which strings are
// URLs is told by the member that holds them and the outermost member around that.

// manifestPlaces are the rows of members: Elements are the outermost members, "*"
// any one, "" none: the member is itself one of the outermost.
var manifestPlaces = []Place{
	{Attributes: "start_url scope", Kind: KindNav},
	{Attributes: "id $schema", Base: BaseNone, Kind: KindIdentifier, Default: Never},
	{Elements: "icons screenshots shortcuts file_handlers tab_strip icons_localized screenshots_localized", Attributes: "src", Kind: KindRes},
	{Elements: "serviceworker", Attributes: "src", Kind: KindScript},
	{Elements: "serviceworker", Attributes: "scope", Kind: KindNav},
	{Elements: "shortcuts protocol_handlers related_applications tab_strip", Attributes: "url", Kind: KindNav},
	{Elements: "note_taking", Attributes: "new_note_url", Kind: KindNav},
	{Elements: "lock_screen", Attributes: "start_url", Kind: KindNav},
	{Elements: "share_target file_handlers", Attributes: "action", Kind: KindForm},
	{Elements: "scope_extensions", Attributes: "origin", Base: BaseNone, Kind: KindIdentifier, Default: Never},
}

// Members returns the table of members of manifests: Elements are the outermost
// members around the one that Attributes names, "" for none.
func Members() []Place { return manifestPlaces }

// members are the rows by outermost member and member.
var members = sync.OnceValue(func() map[[2]string]*Place {
	m := make(map[[2]string]*Place)
	for i := range manifestPlaces {
		p := &manifestPlaces[i]
		for name := range strings.FieldsSeq(p.Attributes) {
			for _, top := range strings.Split(p.Elements, " ") {
				m[[2]string{top, name}] = p
			}
		}
	}
	return m
})

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
		if p.Base == BaseNone {
			m.layer = noLayer
		}
		v := m.v.bytes[s.Start:s.End:s.End]
		if s.Escaped {
			v = f.unescapedLiteral(v)
		}
		m.addToken(Span{s.Start, s.End}, v, literalToken)
	}
}

// manifestPlace returns the row of the string found last, nil if it is no URL.
func manifestPlace(s *json.Scanner) *Place {
	if s.IsKey || s.Depth == 0 {
		return nil
	}
	name := s.Key(s.Depth - 1)
	if name == nil {
		return nil
	}
	top := ""
	member := string(name) // before the next call of Key
	if s.Depth > 1 {
		top = string(s.Key(0))
	}
	return members()[[2]string{top, member}]
}
