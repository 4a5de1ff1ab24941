package page

import (
	stdjson "encoding/json"
	"strings"

	"absolink/base"
	"absolink/extract/internal/json"
	"absolink/extract/internal/place"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/ref"
	"absolink/extract/internal/text"
)

// A WAT record of Common Crawl is a JSON text about one response. It has the fields of the heading,
// the base and links of the head of the page, and the links of its body. A link has a path such as
// A@/href, which names its element and attribute, and perhaps other attributes and its text. A
// reference is looked up in the table of HTML, like a reference of the page itself, and is only
// listed. The base may come after the links, so its layer gets a number first.

// wat is the state of reading a WAT record.
type wat struct {
	f    *Finder
	scan json.Scanner
	from int // offset of the scanned text in f.Data
	base int // number of the layer of the base of the page

	open    bool // members holds the members of an object
	at      int  // start of that object
	meta    bool // the object describes a meta element
	members map[string]text.Span
	row     place.Row // the row of the link, which is only listed
}

// WAT reads the text as a WAT record. It skips everything that is not JSON, and never fails.
func (f *Finder) WAT() {
	x := wat{f: f, from: f.Start(), base: f.Own, members: make(map[string]text.Span)}
	data := f.Data[x.from:]
	for x.scan.Reset(data); x.scan.Next(); {
		if !x.scan.IsKey {
			x.value()
		}
	}
	x.flush()
	if !stdjson.Valid(data) {
		f.Problem(x.from, reading.InvalidJSON)
	}
}

// around are the members around the description of a response.
var around = [...]string{"Envelope", "Payload-Metadata", "HTTP-Response-Metadata"}

// value reads the string found last, which is the value of a member.
func (x *wat) value() {
	s := &x.scan
	for d, name := range around {
		if string(s.KeyAt(d)) != name {
			return
		}
	}
	depth := len(around)
	list := string(s.KeyAt(depth))
	if list == "Headers" {
		x.flush()
		if s.Depth == depth+2 || s.Depth == depth+3 && s.KeyAt(depth+2) == nil { // several values are an array
			x.header(string(s.KeyAt(depth + 1)))
		}
		return
	}
	if list != "HTML-Metadata" {
		return
	}
	depth++
	list = string(s.KeyAt(depth))
	if list == "Head" {
		depth++
		list = string(s.KeyAt(depth))
	}
	switch {
	case list == "Base" && s.Depth == depth+1:
		x.flush()
		x.setBase()
	case (list == "Links" || list == "Link" || list == "Scripts" || list == "Metas") && s.Depth == depth+3:
		x.member(depth+2, list == "Metas")
	}
}

// span returns the span of the string found last in the text of the finder.
func (x *wat) span() text.Span {
	return text.Span{Start: x.from + x.scan.Start, End: x.from + x.scan.End}
}

// string returns the string in a span without its escapes.
func (x *wat) string(s text.Span) string {
	return x.f.Doc.Intern(json.AppendUnescaped(nil, x.f.Data[s.Start:s.End]))
}

// member notes a member of the object at a depth.
func (x *wat) member(depth int, meta bool) {
	if at := x.scan.ContainerAt(depth); !x.open || at != x.at {
		x.flush()
		x.open = true
		x.at = at
		x.meta = meta
	}
	name := strings.ToLower(string(x.scan.KeyAt(depth)))
	if _, known := x.members[name]; !known {
		x.members[name] = x.span()
	}
}

// attribute returns the value of an attribute of the element that the members describe, or "".
func (x *wat) attribute(name string) string {
	s, ok := x.members[name]
	if !ok {
		return ""
	}
	return x.string(s)
}

// flush adds the reference that the noted members describe, and forgets them.
func (x *wat) flush() {
	if !x.open {
		return
	}
	x.open = false
	defer clear(x.members)
	element, attr, url := "meta", "content", "content"
	if !x.meta {
		element, attr, _ = strings.Cut(strings.ToLower(x.attribute("path")), "@/")
		url = "url"
	}
	row := place.Of("", element, attr, x.attribute)
	if element == "style/#text" {
		element, attr = "style", ""
		row = place.StyleLink
		url = "href"
	}
	s, ok := x.members[url]
	if !ok || row == nil && x.meta {
		return
	}
	if row == nil {
		row = place.WATLink
	}
	if !x.reads(row) {
		return
	}
	x.row = *row
	if row.Default != place.Never {
		x.row.Default = place.ListOnly
	}
	row = &x.row
	f := x.f
	f.Element = f.Doc.Intern([]byte(element))
	f.Rel = x.attribute("rel")
	m := reading.Maker{Text: &f.Text, Row: row, Attr: f.Doc.Intern([]byte(attr)), Kind: row.Kind,
		Layer: x.base, Sheet: true}
	if element == "form" && attr == "action" {
		m.ID = place.AttrAction
	}
	if element == "link" {
		m.Kind = place.LinkKind(f.Rel)
	}
	if row.Base == place.BaseOuter {
		m.Layer = ref.OuterLayer
	}
	m.Value = f.literal(s.Start, s.End)
	m.Cut(row.Type)
	x.describe(s.Start)
}

// reads reports whether the options read the references of a row.
func (x *wat) reads(row *place.Row) bool {
	switch row.Default {
	case place.Bookmarks:
		return false
	case place.Lazy:
		return x.f.Doc.Options.Lazy
	case place.Scripts:
		return x.f.Doc.Options.Scripts
	}
	return row.Type != place.TypeDocument
}

// describe notes the text of the link whose URL begins at an offset.
func (x *wat) describe(at int) {
	for _, name := range []string{"text", "alt", "title"} {
		if words := strings.Join(strings.Fields(x.attribute(name)), " "); words != "" {
			at = x.f.Source(text.Span{Start: at, End: at}).Start
			x.f.Doc.Texts = append(x.f.Doc.Texts, reading.LinkText{At: at, Text: words})
			return
		}
	}
}

// setBase makes the string found last the base of the page, and adds it as the reference of the
// base element. Only the first base counts.
func (x *wat) setBase() {
	f, s := x.f, x.span()
	f.Element, f.Rel = "base", ""
	row := place.Of("", "base", "href", x.attribute) // which is only listed
	m := reading.Maker{Text: &f.Text, Row: row, Attr: "href", Kind: row.Kind, Layer: ref.OuterLayer, Sheet: true,
		Value: f.literal(s.Start, s.End)}
	m.Cut(row.Type)
	if ls := &f.Doc.Layers; !ls.Has(x.base) {
		ls.Set(x.base, base.BaseElement, f.Doc.Intern(m.Value.Bytes))
	}
}

// header adds the references in the string found last, the value of a header field. Fields for mail
// are left out.
func (x *wat) header(name string) {
	f, s := x.f, x.span()
	name = strings.ToLower(name)
	row := place.Field([]byte(name))
	if row == nil || row.Type == place.TypeExternal || row.Type == place.TypeOutlink {
		return
	}
	f.Element, f.Rel = "header", ""
	m := reading.Maker{Text: &f.Text, Row: row, Attr: f.Doc.Intern([]byte(name)), Kind: row.Kind, Sheet: true,
		Value: f.literal(s.Start, s.End), Layer: ref.OuterLayer}
	switch row.Base {
	case place.BaseNone:
		m.Layer = ref.NoLayer
	case place.BaseEntity:
		m.Layer = ref.EntityLayer
	case place.BaseContent:
		m.Layer = ref.ContentLayer
	}
	if row.Type == place.TypeText {
		m.Prose()
		return
	}
	m.Cut(row.Type)
}
