package viewer

import (
	"slices"
	"strings"

	"golang.org/x/text/encoding/htmlindex"

	"absolink/extract"
)

// Piece is a piece of the source: a mark where Row is not 0, or something left out.
type Piece struct {
	Text  string
	Row   int
	Class string
	Left  int // bytes that are left out
}

const (
	maxWindow = 200 << 10
	around    = 400 // bytes that are shown around a mark
)

// window makes the source around the marks of the page.
func (v *view) window() {
	marks := slices.Clone(v.Rows)
	slices.SortFunc(marks, func(a, b Row) int { return a.span.Start - b.span.Start })
	at, used := 0, 0
	show := func(s extract.Span) {
		if s.Start > at {
			v.Source = append(v.Source, Piece{Left: s.Start - at})
		}
		text := v.decoded(v.data[s.Start:s.End])
		v.Source, at, used = append(v.Source, Piece{Text: text}), s.End, used+len(text)
	}
	for i, m := range marks {
		if m.span.Start < at && i > 0 || m.span.End > len(v.data) || used > maxWindow {
			continue // inside of another one, as in srcdoc
		}
		if m.span.Start > at {
			from := at
			if m.span.Start-at > 2*around {
				if i > 0 {
					show(extract.Span{Start: at, End: at + around})
				}
				from = m.span.Start - around
			}
			show(extract.Span{Start: from, End: m.span.Start})
		}
		text := v.decoded(v.data[m.span.Start:m.span.End])
		v.Source = append(v.Source, Piece{Text: text, Row: m.N, Class: m.Status})
		at, used = m.span.End, used+len(text)
	}
	if end := min(len(v.data), at+around); len(marks) > 0 && used <= maxWindow {
		show(extract.Span{Start: at, End: end})
	} else if len(marks) == 0 {
		show(extract.Span{End: min(len(v.data), 4*around)})
	}
	if at < len(v.data) {
		v.Source = append(v.Source, Piece{Left: len(v.data) - at})
	}
}

// decoded returns a piece of the document as text.
func (v *view) decoded(b []byte) string {
	if e, err := htmlindex.Get(v.encoding); err == nil && v.encoding != "utf-8" {
		if text, err := e.NewDecoder().Bytes(b); err == nil {
			return string(text)
		}
	}
	return strings.ToValidUTF8(string(b), "\ufffd")
}
