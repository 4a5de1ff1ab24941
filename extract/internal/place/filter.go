package place

import (
	"slices"
	"strings"
	"sync"

	"absolink/extract/internal/markup"
)

// newFilter returns the filter of the scanner for rows up to a treatment.
func newFilter(most Treatment) *markup.Filter {
	any := []string{"rel", "xmlns:*"}
	for i := range htmlRows {
		if p := &htmlRows[i]; p.matters(most) && slices.ContainsFunc(strings.Fields(p.Elements), isWild) {
			any = append(any, p.names()...)
		}
	}
	f := markup.NewFilter(any...)
	f.Attrs("style", "type")
	f.Attrs("script", "type")
	f.Foreign("type")
	for i := range htmlRows {
		if p := &htmlRows[i]; p.matters(most) {
			p.keep(f)
		}
	}
	f.Tags("style")
	f.Calls("style") // most style attributes have no call
	return f
}

// keep makes f keep the attributes that a row reads of the elements that it names.
func (p *Row) keep(f *markup.Filter) {
	attrs := p.names()
	for e := range strings.FieldsSeq(p.Elements) {
		switch sp, name := space(e); {
		case isWild(e):
		case sp != markup.HTML:
			f.Foreign(attrs...)
		default:
			f.Attrs(name, attrs...)
			if name == "img" {
				f.Attrs("image", attrs...) // another name for img
			}
		}
	}
}

// isWild reports whether e stands for elements of the HTML namespace with many names.
func isWild(e string) bool { return e == "*" || isHyphen(e) }

// isHyphen reports whether e stands for elements with a hyphen in their names.
func isHyphen(e string) bool { return e == "-" || e == "amp-*" }

// The filters with Options.Lazy, and with Options.Scripts.
var (
	wantLazy = sync.OnceValue(func() *markup.Filter { return newFilter(Lazy) })
	wantAll  = sync.OnceValue(func() *markup.Filter { return newFilter(Scripts) })
)

// WantFor returns the filter of the scanner.
func (l *Lookup) WantFor(lazy, scripts bool) *markup.Filter {
	switch {
	case scripts:
		return wantAll()
	case lazy:
		return wantLazy()
	}
	return l.want
}
