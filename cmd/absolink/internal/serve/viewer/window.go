package viewer

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"

	"absolink/extract"
)

// Piece is a piece of the source: a mark if Row is not 0, or a gap if Left is not 0.
type Piece struct {
	Text  string
	Row   int
	Class string
	Left  int // bytes of a gap
}

const (
	maxWindow = 200 << 10
	maxMark   = 4 << 10
	around    = 400 // bytes that are shown around a mark
)

// window cuts the source around the marks of the page.
func (v *view) window() {
	marks := slices.Clone(v.Rows)
	slices.SortFunc(marks, func(a, b Row) int { return a.span.Start - b.span.Start })
	text, at, used := newReader(v.data, v.encoding), 0, 0
	show := func(p Piece, s extract.Span) {
		if s.Start > at {
			v.Source = append(v.Source, Piece{Left: s.Start - at})
		}
		p.Text = text.read(s.Start, s.End)
		v.Source, at, used = append(v.Source, p), s.End, used+len(p.Text)
	}
	for i, m := range marks {
		if m.span.Start < at && i > 0 || m.span.End > len(v.data) || used > maxWindow {
			continue // inside another reference, as in srcdoc
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

// reader decodes pieces of a document in order. Unless the document is UTF-8, it decodes from the
// beginning: with multibyte characters or escape sequences no other place is safe to start at. A
// character that two pieces share belongs to the second.
type reader struct {
	data   []byte
	at     int
	utf8   bool
	decode interface {
		Transform(dst, src []byte, atEOF bool) (written, taken int, err error)
	}
}

func newReader(data []byte, encoding string) *reader {
	e, err := htmlindex.Get(encoding)
	if err != nil { // only mail has this charset
		e, err = ianaindex.MIME.Encoding(encoding)
	}
	if e == nil || err != nil {
		encoding = "utf-8"
		e, _ = htmlindex.Get(encoding)
	}
	return &reader{data: data, utf8: encoding == "utf-8", decode: e.NewDecoder()}
}

// read returns the text of a piece, which must not begin before the end of the previous piece.
func (r *reader) read(start, end int) string {
	switch {
	case start <= r.at:
	case r.utf8 && start-r.at >= utf8.UTFMax:
		for r.at = start; r.at < min(start+utf8.UTFMax-1, len(r.data)) && !utf8.RuneStart(r.data[r.at]); {
			r.at++ // skip the rest of a character that began in a gap
		}
	default:
		r.to(start, nil)
	}
	var text strings.Builder
	r.to(end, &text)
	return text.String()
}

// to decodes the bytes up to end, except a character that ends behind end.
func (r *reader) to(end int, text *strings.Builder) {
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
