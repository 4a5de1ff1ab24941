package lines

import (
	"bytes"

	"absolink/extract/internal/escape"
	"absolink/extract/internal/place"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/text"
)

// A sitemap may be a text file with one URL a line and no other text (sitemaps.org). A line with
// blanks is running text, and a line that begins with '#' is a comment that some sites write.

// URLs reads the text as a list of URLs, one a line.
func URLs(t *reading.Text) {
	m := reading.Maker{Text: t, Row: place.Listed, Kind: place.Listed.Kind, Layer: t.Current, Sheet: true}
	for i := t.Start(); i < len(t.Data); {
		end, next := lineEnd(t.Data, i)
		s := text.Trimmed(t.Data, text.Span{Start: i, End: end})
		i = next
		switch line := t.Data[s.Start:s.End]; {
		case len(line) == 0:
		case bytes.ContainsAny(line, " \t") || line[0] == '#':
			addProse(t, t.Text(s.Start, s.End))
		default:
			m.Value = t.Text(s.Start, s.End)
			m.Add(m.Value.Whole(), escape.Blanks)
		}
	}
}
