package sheet

import (
	"slices"
	"strings"
	"unicode/utf8"

	"absolink/cmd/absolink/internal/charset"
	"absolink/extract"
)

// Piece is a piece of the source. It is the mark of a reference if Row is not 0, a gap if Left is
// not 0, and plain text otherwise.
type Piece struct {
	Text  string
	Row   int    // number of the reference
	Class string // status of the reference
	Left  int    // number of bytes in the gap
}

const (
	maxWindow = 200 << 10 // bytes of text after which no further mark is shown
	maxMark   = 4 << 10   // bytes of a mark that are shown
	around    = 400       // bytes that are shown before and after a mark
)

// cutSource sets v.Source to the pieces of the source around the references of the page.
func (v *View) cutSource() {
	marks := slices.Clone(v.Rows)
	slices.SortFunc(marks, func(a, b Row) int { return a.span.Start - b.span.Start })
	text, at, used := newSourceReader(v.data, v.encoding), 0, 0
	show := func(p Piece, s extract.Span) {
		if s.Start > at {
			v.Source = append(v.Source, Piece{Left: s.Start - at})
		}
		p.Text = text.read(s.Start, s.End)
		v.Source, at, used = append(v.Source, p), s.End, used+len(p.Text)
	}
	for i, m := range marks {
		if m.span.Start < at && i > 0 || m.span.End > len(v.data) || used > maxWindow {
			continue // the reference is inside another one, as in srcdoc, or there is no room
		}
		if m.span.Start > at {
			from := at
			if m.span.Start-at > 2*around {
				if i > 0 {
					show(Piece{}, extract.Span{Start: at, End: at + around})
				}
				from = m.span.Start - around
			}
			show(Piece{}, extract.Span{Start: from, End: m.span.Start})
		}
		show(Piece{Row: m.N, Class: m.Status},
			extract.Span{Start: m.span.Start, End: min(m.span.End, m.span.Start+maxMark)})
		if m.span.End > at {
			v.Source, at = append(v.Source, Piece{Left: m.span.End - at}), m.span.End
		}
		if n := slices.IndexFunc(v.Rows, func(r Row) bool { return r.N == m.N }); n >= 0 {
			v.Rows[n].Marked = true
		}
	}
	if len(marks) > 0 && used <= maxWindow {
		show(Piece{}, extract.Span{Start: at, End: min(len(v.data), at+around)})
	} else if len(marks) == 0 {
		show(Piece{}, extract.Span{End: min(len(v.data), 4*around)})
	}
	if at < len(v.data) {
		v.Source = append(v.Source, Piece{Left: len(v.data) - at})
	}
}

// sourceReader decodes pieces of a document, in their order. If the document is not UTF-8, it
// decodes all bytes from the beginning, because multibyte characters and escape sequences allow no
// other start. If a character lies in two pieces, it belongs to the second.
type sourceReader struct {
	data   []byte
	at     int
	utf8   bool
	decode interface {
		Transform(dst, src []byte, atEOF bool) (written, taken int, err error)
	}
}

func newSourceReader(data []byte, encoding string) *sourceReader {
	decoder := charset.Decoder(encoding)
	if decoder == nil {
		encoding = "utf-8"
		decoder = charset.Decoder(encoding)
	}
	return &sourceReader{data: data, utf8: encoding == "utf-8", decode: decoder}
}

// read returns the text of the bytes from start to end. start must not be before the end of the
// previous piece.
func (r *sourceReader) read(start, end int) string {
	switch {
	case start <= r.at:
	case r.utf8 && start-r.at >= utf8.UTFMax:
		for r.at = start; r.at < min(start+utf8.UTFMax-1, len(r.data)) && !utf8.RuneStart(r.data[r.at]); {
			r.at++ // skip the rest of a character that began in a gap
		}
	default:
		r.decodeTo(start, nil)
	}
	var text strings.Builder
	r.decodeTo(end, &text)
	return text.String()
}

// decodeTo decodes the bytes up to end. It leaves out a character that ends after end. text may be
// nil.
func (r *sourceReader) decodeTo(end int, text *strings.Builder) {
	var room [4 << 10]byte
	for r.at < end {
		written, taken, _ := r.decode.Transform(room[:], r.data[r.at:end], end == len(r.data))
		r.at += taken
		if text != nil {
			text.Write(room[:written])
		}
		if taken == 0 && written == 0 {
			return
		}
	}
}
