package lines

import (
	"bytes"

	"absolink/extract/internal/escape"
	"absolink/extract/internal/place"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/text"
)

// RFC 9309 does not define the lines of robots.txt that name sitemaps (Section 2.2.4). The sitemap
// protocol requires an absolute URL, but crawlers also resolve a relative one. All other text is
// running text.

// Robots reads the text as a robots.txt. Its references are only listed, but absolute URLs may
// move.
func Robots(t *reading.Text) {
	from := t.Start() // start of the text that was not searched yet
	for i := from; i < len(t.Data); {
		end, next := lineEnd(t.Data, i)
		if v := sitemapValue(t.Data[i:end]); isRelative(t.Data[i+v.Start : i+v.End]) {
			addProse(t, t.Text(from, i))
			m := reading.Maker{Text: t, Row: place.Plain, Kind: place.KindNav,
				Layer: t.Current, Value: t.Text(i+v.Start, i+v.End), Sheet: true}
			m.Add(text.Span{Start: 0, End: len(m.Value.Bytes)}, escape.Prose)
			from = next
		}
		i = next
	}
	addProse(t, t.Text(from, len(t.Data)))
}

// sitemapValue returns the span of the value in a line that names a sitemap. It returns an empty
// span for any other line.
func sitemapValue(line []byte) text.Span {
	line, _, _ = bytes.Cut(line, []byte{'#'})
	colon := bytes.IndexByte(line, ':')
	if colon < 0 || !text.IsFold(text.Stripped(line[:colon]), "sitemap") {
		return text.Span{}
	}
	return text.Trimmed(line, text.Span{Start: colon + 1, End: len(line)})
}

// isRelative reports whether the value of a line is a relative reference. The search of running
// text finds URLs with a scheme. A value such as www.example.org/a.xml, which lacks only the
// scheme, is not a relative reference.
func isRelative(value []byte) bool {
	if len(value) == 0 || bytes.ContainsAny(value, " \t:<>\"") || text.HasPrefixFold(value, "www.") {
		return false
	}
	first, _, more := bytes.Cut(value, []byte{'/'})
	return !more || len(bytes.Trim(first, ".")) == 0 || bytes.IndexByte(first, '.') < 0
}
