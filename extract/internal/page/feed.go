package page

import (
	"bytes"

	"absolink/base"
	"absolink/extract/internal/escape"
	"absolink/extract/internal/json"
	"absolink/extract/internal/place"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/ref"
	"absolink/extract/internal/text"
)

// A JSON Feed (version 1.1) is a feed as a JSON text. Its URLs are resolved against its own URI.
// The HTML of an item is resolved as in RSS: against the url of the item, then the home_page_url of
// the feed, then the URI of the feed. These members may come after the HTML, so their layers get a
// number when the feed or the item begins.

// jsonFeed is the state of reading a JSON Feed.
type jsonFeed struct {
	f    *Finder
	scan json.Scanner
	home int // number of the layer of the home_page_url
	item int // number of the layer of the url of the current item
	at   int // start of the current item
}

// Feed reads the text as a JSON Feed. It skips everything that is not JSON and never fails.
func (f *Finder) Feed() {
	t := &f.Text
	x := jsonFeed{f: f, home: t.Doc.Layers.Add(base.None, "", t.Own), at: -1}
	from := t.Start()
	for x.scan.Reset(t.Data[from:]); x.scan.Next(); {
		object, row := x.place()
		if row == nil {
			continue
		}
		t.Element, t.Rel = object, ""
		x.enter(object)
		start, end := from+x.scan.Start, from+x.scan.End
		if row.Type == place.TypeDocument {
			x.html(start, end)
			continue
		}
		m := reading.Maker{Text: t, Row: row, Attr: t.Doc.Intern(x.scan.KeyAt(x.scan.Depth - 1)), Kind: row.Kind,
			Layer: t.Current, Value: t.Text(start, end), Sheet: true}
		if row.Type != place.TypeNames || bytes.IndexByte(m.Value.Bytes, ':') >= 0 {
			x.url(&m)
		}
	}
}

// place returns the type of the object that holds the string found last, such as item, and the row
// for the member of the string. The row is nil if the string is neither a URL nor HTML.
func (x *jsonFeed) place() (object string, row *place.Row) {
	s := &x.scan
	if s.IsKey || s.Depth == 0 {
		return "", nil
	}
	object = "feed"
	for d := range s.Depth - 1 {
		key := s.KeyAt(d)
		if len(key) == 0 {
			continue // an array
		}
		object = place.FeedObject(key)
		if object == "" {
			return "", nil // an extension
		}
	}
	return object, place.FeedMember(object, s.KeyAt(s.Depth-1))
}

// items is the depth of the objects in the array of items.
const items = 2

// enter numbers the layer of the current item, if the string found last is the first string of this
// item.
func (x *jsonFeed) enter(object string) {
	at := x.scan.ContainerAt(items)
	if object == "feed" || at < 0 || string(x.scan.KeyAt(0)) != "items" {
		x.item = 0
	} else if at != x.at || x.item == 0 {
		x.item = x.f.Doc.Layers.Add(base.None, "", x.home)
	}
	x.at = at
}

// url adds the URL that is the value of m.
func (x *jsonFeed) url(m *reading.Maker) {
	if m.Row.Base == place.BaseNone {
		m.Layer = ref.NoLayer
	}
	r := m.Add(m.Value.Whole(), escape.Single)
	r.Context.Token = escape.Literal
	if x.scan.Escaped {
		r.Value = json.AppendUnescaped(nil, r.Value)
	}
	switch {
	case m.Attr == "home_page_url":
		x.link(x.home, r.Value)
	case m.Attr == "url" && x.f.Element == "item":
		x.link(x.item, r.Value)
	}
}

// link makes value the base of a layer. Only the first value for a layer counts.
func (x *jsonFeed) link(n int, value []byte) {
	ls := &x.f.Doc.Layers
	if n == 0 || ls.Has(n) {
		return
	}
	ls.Set(n, base.FeedLink, x.f.Doc.Intern(value))
	if !bytes.Contains(value, []byte("://")) {
		ls.SetOuter(n, x.f.Own) // a relative link is resolved against the URI of the feed
	}
}

// html reads the HTML in the string between two offsets.
func (x *jsonFeed) html(start, end int) {
	f := x.f
	layer := x.item
	if layer == 0 {
		layer = x.home
	}
	in := f.inside(f.literal(start, end), layer)
	in.Context = &escape.Context{Outer: f.Context, Literal: true, Sheet: true}
	in.HTML()
}

// literal decodes the string of JSON between two offsets of f.Data, which is in UTF-8.
func (f *Finder) literal(start, end int) reading.Value {
	v := f.Begin(text.Span{Start: start, End: end})
	for i := start; i < end; {
		n := bytes.IndexByte(f.Data[i:end], '\\')
		if n < 0 {
			n = end - i
		}
		f.AppendCharset(i, i+n)
		i += n
		if i < end {
			var buf [8]byte
			char, size := json.AppendFirst(buf[:0], f.Data[i:end])
			f.Decoded.AppendToken(text.Span{Start: i, End: i + size}, char)
			i += size
		}
	}
	return f.Taken(v)
}
