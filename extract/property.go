package extract

import (
	"strings"
	"sync"
)

// The properties of calendars (RFC 5545, 7986, 9073, 9253; vCalendar 1.0) and of cards
// (RFC 2426, 2739, 6350, 6715, 8605, 9554; vCard 2.1) whose values hold URIs, and the
// parameters that do. All of them are listed only. URIs are absolute there: what has no
// scheme is not resolved, and where a value may be something else, it is no URI.

// lexicon is what a format made of content lines has.
type lexicon struct {
	element    string // that references in values are said to stand in
	properties []Place
	parameters []Place // of any property

	byName, byParameter map[string]*Place
}

var calendarWords = sync.OnceValue((&lexicon{
	element: "calendar",
	properties: []Place{
		{Attributes: "url conference", Kind: KindNav},
		{Attributes: "attach", Kind: KindRes},
		{Attributes: "source tzurl", Kind: KindService},
		{Attributes: "image", Type: TypeAbsolute, Kind: KindRes},
		{Attributes: "organizer attendee calendar-address link", Type: TypeAbsolute, Kind: KindNav},
		{Attributes: "concept", Kind: KindIdentifier},
		{Attributes: "description styled-description comment summary location contact x-*", Type: TypeText, Kind: KindNav},
		{Attributes: "*", Kind: KindNav, If: "value=uri url cal-address"},
	},
	parameters: []Place{
		{Attributes: "altrep dir sent-by delegated-from delegated-to member", Type: TypeAbsolute, Kind: KindNav},
		{Attributes: "schema linkrel", Type: TypeAbsolute, Kind: KindIdentifier},
	},
}).indexed)

var cardWords = sync.OnceValue((&lexicon{
	element: "vcard",
	properties: []Place{
		{Attributes: "url", Kind: KindNav},
		{Attributes: "source fburl caluri capuri", Kind: KindService},
		{Attributes: "photo logo sound key", Type: TypeAbsolute, Kind: KindRes},
		{Attributes: "caladruri socialprofile x-socialprofile impp tel geo related agent org-directory contact-uri", Type: TypeAbsolute, Kind: KindNav},
		{Attributes: "uid member", Type: TypeAbsolute, Kind: KindIdentifier},
		{Attributes: "note x-*", Type: TypeText, Kind: KindNav},
		{Attributes: "*", Kind: KindNav, If: "value=uri url cal-address"},
	},
	parameters: []Place{
		{Attributes: "geo author", Type: TypeAbsolute, Kind: KindNav},
	},
}).indexed)

// indexed completes the rows, and returns w.
func (w *lexicon) indexed() *lexicon {
	w.byName = named(w.properties, w.element)
	w.byParameter = named(w.parameters, "*")
	return w
}

// named completes the rows and returns them by name.
func named(rows []Place, element string) map[string]*Place {
	m := make(map[string]*Place)
	for i := range rows {
		p := &rows[i]
		p.Elements, p.Base, p.Default = element, BaseNone, ListOnly
		if p.Kind == KindIdentifier {
			p.Default = Never
		}
		for name := range strings.FieldsSeq(p.Attributes) {
			m[name] = p
		}
	}
	return m
}

// Properties returns the table of properties of calendars and cards: Elements is
// "calendar" or "vcard" where Attributes are the names of properties, and "*", any
// property, where they are those of parameters.
func Properties() []Place {
	var list []Place
	for _, w := range []*lexicon{calendarWords(), cardWords()} {
		list = append(append(list, w.properties...), w.parameters...)
	}
	return list
}

// property returns the row of a property, its name in lower case, nil if there is
// none. isURI says that its VALUE is a URI.
func (w *lexicon) property(name []byte, isURI bool) *Place {
	p := w.byName[string(name)]
	if p == nil && hasPrefixFold(name, "x-") {
		p = w.byName["x-*"]
	}
	if isURI && (p == nil || p.Type == TypeText) {
		p = w.byName["*"]
	}
	return p
}
