package extract

import (
	"absolink/extract/internal/escape"
	"absolink/extract/internal/json"
	"absolink/extract/internal/place"
	"absolink/extract/internal/text"
)

// Script elements hold data blocks beside scripts. What they hold is told by the
// type attribute of the tag, which comes before their text.

// scriptTag notes what the text of the script that begins will be.
func (f *finder) scriptTag() {
	f.blockAt, f.block = f.scan.NameStart, place.Script
	if a := f.attribute(place.AttrType); a != nil {
		f.block = place.ScriptText(f.value(a).bytes)
	}
}

// rawText looks at the text of a raw text element.
func (f *finder) rawText() {
	s := &f.scan
	switch name := f.data[s.NameStart:s.NameEnd]; {
	case text.IsFold(name, "script"):
		f.scriptText()
	case text.IsFold(name, "style") && !f.sheetSkip:
		f.sheet(f.styleText(s.TextStart, s.TextEnd), true)
		f.namedMap(s.TextStart, s.TextEnd)
	}
}

// scriptText looks at the text of a script element.
func (f *finder) scriptText() {
	s, row := &f.scan, f.block
	if f.blockAt != s.NameStart {
		row = place.Script // its tag has no attribute that matters
	}
	f.element, f.rel = "script", ""
	if row != nil && (row.Default != place.Scripts || f.doc.Options.Scripts) {
		m := maker{f: f, row: row, kind: row.Kind, layer: f.late, v: f.nulReplaced(s.TextStart, s.TextEnd), sheet: true}
		f.cut(row.Type, &m)
	}
	if row == nil || row == place.Script {
		f.namedMap(s.TextStart, s.TextEnd)
	}
}

// namedMap adds the URL of the source map that the text of a script or style element
// names at its end.
func (f *finder) namedMap(start, end int) {
	if end-start < len("//# sourceMappingURL=") {
		return
	}
	from, to, ok := json.SourceMap(f.data[start:end])
	if !ok || f.doc.refs.End() > f.source(text.Span{Start: start + from, End: start + to}).Start {
		return // also in what is no comment, but a part of a URL that is not closed
	}
	m := maker{f: f, row: place.SourceMap, kind: place.KindService, layer: f.late, v: f.nulReplaced(start+from, start+to), sheet: true}
	m.add(text.Span{Start: 0, End: len(m.v.bytes)}, escape.Blanks)
}
