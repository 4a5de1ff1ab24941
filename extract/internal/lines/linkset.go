package lines

import (
	"absolink/extract/internal/place"
	"absolink/extract/internal/reading"
)

// Linkset reads the text as a linkset (RFC 9264 Section 4.1): the value of a Link field, in which
// line ends may be between any two tokens. Its references are only listed.
func Linkset(t *reading.Text) {
	row := place.Field([]byte("link"))
	m := reading.Maker{Text: t, Row: row, Kind: row.Kind, Layer: t.Current,
		Value: t.Text(t.Start(), len(t.Data)), Sheet: true}
	t.Element = "linkset"
	m.Cut(row.Type)
}
