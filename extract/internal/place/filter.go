package place

import (
	"slices"
	"strings"
	"sync"

	"absolink/extract/internal/markup"
)

// newFilter returns the filter of the scanner for the rows that are read with maxTreatment, see
// isRead.
func newFilter(maxTreatment Treatment) *markup.Filter {
	any := []string{"rel", "xmlns:*"}
	for i := range htmlRows {
		if p := &htmlRows[i]; p.isRead(maxTreatment) && slices.ContainsFunc(strings.Fields(p.Elements), isWild) {
			any = append(any, p.names()...)
		}
	}
	f := markup.NewFilter(any...)
	f.Attrs("style", "type")
	f.Attrs("script", "type")
	f.Foreign("type")
	for i := range htmlRows {
		if p := &htmlRows[i]; p.isRead(maxTreatment) {
			p.addTo(f)
		}
	}
	f.Tags("style")
	f.Calls("style") // most style attributes have no function such as url()
	return f
}

// addTo makes f keep the attributes that the row reads, of the elements that the row names.
func (p *Row) addTo(f *markup.Filter) {
	attrs := p.names()
	for e := range strings.FieldsSeq(p.Elements) {
		switch sp, name := splitSpace(e); {
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

// isWild reports whether e stands for elements of HTML with any name, or with any hyphenated name.
func isWild(e string) bool { return e == "*" || isHyphen(e) }

// isHyphen reports whether e stands for elements with a hyphen in their names.
func isHyphen(e string) bool { return e == "-" || e == "amp-*" }

// The filters with Options.Lazy, and with Options.Scripts.
var (
	lazyFilter    = sync.OnceValue(func() *markup.Filter { return newFilter(Lazy) })
	scriptsFilter = sync.OnceValue(func() *markup.Filter { return newFilter(Scripts) })
)

// WantFor returns the filter of the scanner for Options.Lazy and Options.Scripts.
func (l *Lookup) WantFor(lazy, scripts bool) *markup.Filter {
	switch {
	case scripts:
		return scriptsFilter()
	case lazy:
		return lazyFilter()
	}
	return l.filter
}
