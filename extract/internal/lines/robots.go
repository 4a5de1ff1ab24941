package lines

import (
	"bytes"

	"absolink/extract/internal/escape"
	"absolink/extract/internal/place"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/text"
)

// RFC 9309 leaves the lines of robots.txt that name sitemaps to others (Section 2.2.4). Those ask
// for an absolute URL, and crawlers resolve a relative one as well. All other text is running text.

// Robots reads the text as a robots.txt. Its references are never rewritten.
func Robots(t *reading.Text) {
	from := t.Start()
	for i := from; i < len(t.Data); {
		end, next := lineEnd(t.Data, i)
		if v := sitemap(t.Data[i:end]); isRelative(t.Data[i+v.Start : i+v.End]) {
			prose(t, t.Text(from, i))
			m := reading.Maker{Text: t, Row: place.Plain, Kind: place.KindNav,
				Layer: t.Current, Value: t.Text(i+v.Start, i+v.End), Sheet: true}
			m.Add(text.Span{Start: 0, End: len(m.Value.Bytes)}, escape.Prose)
			from = next
		}
		i = next
	}
	prose(t, t.Text(from, len(t.Data)))
}

// sitemap returns where the value of a line stands that names a sitemap, an empty span for any
// other line.
func sitemap(line []byte) text.Span {
	if n := bytes.IndexByte(line, '#'); n >= 0 {
		line = line[:n]
	}
	colon := bytes.IndexByte(line, ':')
	if colon < 0 || !text.IsFold(text.Stripped(line[:colon]), "sitemap") {
		return text.Span{}
	}
	return text.Trimmed(line, text.Span{Start: colon + 1, End: len(line)})
}

// isRelative reports whether the value of a line is a relative reference. A URL with a scheme is
// found as running text. www.example.org/a.xml is a host whose scheme was forgotten.
func isRelative(value []byte) bool {
	if len(value) == 0 || bytes.ContainsAny(value, " \t:<>\"") || text.HasPrefixFold(value, "www.") {
		return false
	}
	first, _, more := bytes.Cut(value, []byte{'/'})
	return !more || len(bytes.Trim(first, ".")) == 0 || bytes.IndexByte(first, '.') < 0
}
