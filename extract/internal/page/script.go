package page

import (
	"bytes"

	"absolink/extract/internal/escape"
	"absolink/extract/internal/json"
	"absolink/extract/internal/markup"
	"absolink/extract/internal/place"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/text"
)

// Script elements hold scripts or data blocks. The type attribute of the tag, which comes before
// the text, decides.

// Script reads the text as a script file. It adds the URLs that the options ask for in scripts, and
// the source map that a comment at the end names.
func Script(t *reading.Text) {
	m := reading.Maker{Text: t, Row: place.Script, Kind: place.Script.Kind,
		Layer: t.Current, Value: t.RawText(t.Start(), len(t.Data)), Sheet: true}
	if t.Doc.Options.Scripts {
		m.Cut(place.TypeScript)
	}
	scriptMap(t, t.Start(), len(t.Data))
}

// Script notes the kind of text in the script element that begins. It returns the row for this
// text, or nil without a row, or if the options leave it out.
func (f *Finder) Script() *place.Row {
	f.script.at, f.script.row = f.Scan.NameStart, place.Script
	if a := f.Attribute(place.AttrType); a != nil {
		typ := f.AttrBytes(a)
		f.script.row = place.ScriptText(typ)
		if f.script.row == place.Script && text.IsFold(text.Stripped(typ), "application/json") && f.configures() {
			f.script.row = place.Analytics
		}
	}
	return f.wanted(f.script.row)
}

// configures reports whether the current script element is the configuration of an amp-analytics:
// its tag follows the tag of amp-analytics. White space and comments may be between the two.
func (f *Finder) configures() bool {
	before := f.Data[max(0, f.Scan.Start-analyticsWithin):f.Scan.Start]
	for {
		before = bytes.TrimRight(before, "\t\n\f\r ")
		if !bytes.HasSuffix(before, []byte("-->")) {
			break
		}
		n := bytes.LastIndex(before, []byte("<!--"))
		if n < 0 {
			return false
		}
		before = before[:n]
	}
	if !bytes.HasSuffix(before, []byte(">")) {
		return false
	}
	n := len(before)
	for range analyticsTries {
		n = bytes.LastIndexByte(before[:n], '<')
		if n < 0 {
			return false
		}
		if text.HasPrefixFold(before[n:], analyticsTag) {
			var s markup.Scanner
			s.Reset(before[n:])
			return s.Next() == markup.StartTag && s.End == len(before)-n && s.NameEnd == len(analyticsTag)
		}
	}
	return false
}

const (
	analyticsTag    = "<amp-analytics"
	analyticsWithin = 2048 // number of bytes before a script that are searched for the tag
	analyticsTries  = 4    // number of '<' that are tried; the attributes of the tag may contain some
)

// wanted returns the row of a script, or nil if the options leave it out.
func (f *Finder) wanted(row *place.Row) *place.Row {
	if row != nil && row.Default == place.Scripts && !f.Doc.Options.Scripts {
		return nil
	}
	return row
}

// rawText reads the text of a raw text element.
func (f *Finder) rawText() {
	s := &f.Scan
	f.NoScript = f.inNoScript()
	f.Doc.RawEnds = append(f.Doc.RawEnds, f.Source(text.Span{Start: s.TextStart, End: s.TextEnd}).End)
	switch name := f.Data[s.NameStart:s.NameEnd]; {
	case text.IsFold(name, "script"):
		f.scriptText()
	case text.IsFold(name, "style") && !f.style.skip:
		f.sheet(f.Style(s.TextStart, s.TextEnd), true)
		f.namedMap(s.TextStart, s.TextEnd)
	}
}

// scriptText reads the text of a script element.
func (f *Finder) scriptText() {
	s, row := &f.Scan, f.script.row
	if f.script.at != s.NameStart {
		row = place.Script // its tag has no attribute that matters
	}
	f.Element, f.Rel = "script", ""
	if row := f.wanted(row); row != nil {
		m := reading.Maker{Text: &f.Text, Row: row, Kind: row.Kind, Layer: f.Current,
			Value: f.RawText(s.TextStart, s.TextEnd), Sheet: true, Script: true}
		m.Cut(row.Type)
	}
	if row == nil || row == place.Script {
		f.namedMap(s.TextStart, s.TextEnd)
	}
}

// namedMap adds the URL of the source map that is named at the end of a script or style element.
func (f *Finder) namedMap(start, end int) { scriptMap(&f.Text, start, end) }

// scriptMap does the work of namedMap. The script or style sheet is the text of t between two
// offsets.
func scriptMap(t *reading.Text, start, end int) {
	if end-start < len("//# sourceMappingURL=") {
		return
	}
	from, to, ok := json.SourceMap(t.Data[start:end])
	if !ok || t.Doc.Refs.End() > t.Source(text.Span{Start: start + from, End: start + to}).Start {
		return // the name is in a URL that is not closed, and not in a comment
	}
	m := reading.Maker{Text: t, Row: place.SourceMap, Kind: place.KindService,
		Layer: t.Current, Value: t.RawText(start+from, start+to), Sheet: true}
	m.Add(m.Value.Whole(), escape.Map)
}
