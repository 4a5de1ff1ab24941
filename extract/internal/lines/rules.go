package lines

import (
	"bytes"
	"strings"

	"absolink/base"
	"absolink/extract/internal/place"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/ref"
	"absolink/extract/internal/text"
	"absolink/resolve/ascii"
)

// The file _headers of a site at Netlify, Cloudflare Pages and other hosts holds header fields for
// the responses of the site. A line without indentation is a path, or an absolute URL at
// Cloudflare. The indented lines after it are fields. '*' and names after a colon in the path stand
// for anything, so references that are relative to the path have no base there. Links in Link
// fields are rewritten; URLs in other fields are only listed.

// Rules reads the text as a file _headers.
func Rules(t *reading.Text) {
	t.Element = "header"
	r := rules{t: t, from: t.Own, below: t.Own}
	for i := t.Start(); i < len(t.Data); {
		end, next := lineEnd(t.Data, i)
		line := t.Data[i:end]
		s := text.Trimmed(t.Data, text.Span{Start: i, End: end})
		switch {
		case s.Start == s.End || t.Data[s.Start] == '#':
		case ascii.Space.Has(line[0]):
			r.field(s)
		default:
			r.path(t.Data[s.Start:s.End])
		}
		i = next
	}
}

// rules are the rules of one path.
type rules struct {
	t     *reading.Text
	from  int // number of the layer for references that begin with a slash
	below int // number of the layer for other references without a scheme
}

// path begins the rules of a path or an absolute URL.
func (r *rules) path(path []byte) {
	layers := &r.t.Doc.Layers
	value := r.t.Doc.Intern(path)
	before, _, pattern := cutPattern(value)
	r.from = r.t.Own
	r.below = layers.Add(base.HeadersPath, value, r.t.Own)
	if pattern {
		layers.SetPattern(r.below)
	}
	_, host, absolute := strings.Cut(before, "://")
	switch {
	case !absolute:
	case strings.Contains(host, "/"):
		r.from = layers.Add(base.HeadersPath, before, r.t.Own)
	default:
		r.from = r.below
	}
}

// cutPattern returns the part of a path before the first '*' or placeholder. ok is false if there
// is none.
func cutPattern(path string) (before, rest string, ok bool) {
	for i := range len(path) {
		colon := path[i] == ':' && i+1 < len(path) && ascii.Letter.Has(path[i+1])
		if path[i] == '*' || colon {
			return path[:i], path[i:], true
		}
	}
	return path, "", false
}

// field reads a field.
func (r *rules) field(s text.Span) {
	t := r.t
	line := t.Data[s.Start:s.End]
	colon := bytes.IndexByte(line, ':')
	if colon < 0 {
		return
	}
	name := bytes.TrimRight(line[:colon], " \t")
	name = bytes.TrimPrefix(name, []byte("! ")) // Cloudflare removes a field so
	if !place.MayBeField(name) {
		return
	}
	var buf [place.LongestName]byte
	name = text.AppendLower(buf[:0], name)
	row := place.RuleField(name)
	if row == nil {
		return
	}
	s = text.Trimmed(t.Data, text.Span{Start: s.Start + colon + 1, End: s.End})
	m := reading.Maker{Text: t, Row: row, Attr: t.Doc.Intern(name), Kind: row.Kind,
		Value: t.Text(s.Start, s.End), Sheet: true}
	m.Layer = r.below
	first := t.Doc.Refs.Len()
	m.Cut(row.Type)
	t.Doc.Refs.Relayer(first, func(value []byte) int { return r.layer(row, value) })
}

// layer returns the number of the layer for a reference in a field.
func (r *rules) layer(row *place.Row, value []byte) int {
	switch {
	case row.Base == place.BaseNone:
		return ref.NoLayer
	case len(value) > 0 && value[0] == '/', bytes.Contains(value, []byte("://")):
		return r.from
	}
	return r.below
}
