package place

import (
	"strings"
	"sync"

	"absolink/extract/internal/text"
)

// These are the properties and parameters of calendars (RFC 5545, 7986, 9073, 9253; vCalendar 1.0)
// and of cards (RFC 2426, 2739, 6350, 6715, 8605, 9554; vCard 2.1) whose values hold URIs. All of
// them are only listed. The URIs are absolute. TypeURL is for properties whose value is always a
// URI; a value without a scheme is not resolved. TypeAbsolute is for properties that may also have
// other values, such as a name: only a value with a scheme is a URI.

// Lexicon holds the properties and parameters of a format with content lines.
type Lexicon struct {
	Element             string // the element that is reported for references in values
	byName, byParameter map[string]*Row
}

// newLexicon returns the lexicon of a format.
func newLexicon(element string, properties, parameters []Row) *Lexicon {
	return &Lexicon{element, rowsByName(properties), rowsByName(parameters)}
}

// rowsByName returns the rows by the names in their attributes.
func rowsByName(rows []Row) map[string]*Row {
	m := make(map[string]*Row)
	for i := range rows {
		for name := range strings.FieldsSeq(rows[i].Attributes) {
			m[name] = &rows[i]
		}
	}
	return m
}

// Property returns the row of a property by its name in lower case, or nil. isURI reports whether
// its VALUE parameter declares a URI.
func (w *Lexicon) Property(name []byte, isURI bool) *Row {
	p := w.byName[string(name)]
	if p == nil && text.HasPrefixFold(name, "x-") {
		p = w.byName["x-*"]
	}
	if isURI && (p == nil || p.Type == TypeText) {
		p = w.byName["*"]
	}
	return p
}

// Parameter returns the row of a parameter of any property by its name in lower case, or nil.
func (w *Lexicon) Parameter(name []byte) *Row { return w.byParameter[string(name)] }

// calendarProperties are the rows of properties, calendarParameters the rows of parameters of any
// property.
var (
	calendarProperties = []Row{
		{"calendar", "url conference", TypeURL, BaseNone, KindNav, ListOnly, ""},
		{"calendar", "attach", TypeURL, BaseNone, KindRes, ListOnly, ""},
		{"calendar", "source tzurl", TypeURL, BaseNone, KindService, ListOnly, ""},
		{"calendar", "image", TypeAbsolute, BaseNone, KindRes, ListOnly, ""},
		{"calendar", "organizer attendee calendar-address link", TypeAbsolute, BaseNone, KindNav, ListOnly, ""},
		{"calendar", "concept", TypeURL, BaseNone, KindIdentifier, Never, ""},
		{"calendar", "description styled-description comment summary location contact x-*",
			TypeText, BaseNone, KindNav, ListOnly, ""},
		{"calendar", "*", TypeURL, BaseNone, KindNav, ListOnly, "value=uri url cal-address"},
	}
	calendarParameters = []Row{
		{"*", "altrep dir sent-by delegated-from delegated-to member", TypeAbsolute, BaseNone, KindNav, ListOnly, ""},
		{"*", "schema linkrel", TypeAbsolute, BaseNone, KindIdentifier, Never, ""},
	}
)

// Calendar returns the lexicon of calendars.
var Calendar = sync.OnceValue(func() *Lexicon { return newLexicon("calendar", calendarProperties, calendarParameters) })

// cardProperties are the rows of properties, cardParameters the rows of parameters of any property.
var (
	cardProperties = []Row{
		{"vcard", "url", TypeURL, BaseNone, KindNav, ListOnly, ""},
		{"vcard", "source fburl caluri capuri", TypeURL, BaseNone, KindService, ListOnly, ""},
		{"vcard", "photo logo sound key", TypeAbsolute, BaseNone, KindRes, ListOnly, ""},
		{"vcard", "caladruri socialprofile x-socialprofile impp tel geo related agent org-directory contact-uri",
			TypeAbsolute, BaseNone, KindNav, ListOnly, ""},
		{"vcard", "uid member", TypeAbsolute, BaseNone, KindIdentifier, Never, ""},
		{"vcard", "note x-*", TypeText, BaseNone, KindNav, ListOnly, ""},
		{"vcard", "*", TypeURL, BaseNone, KindNav, ListOnly, "value=uri url cal-address"},
	}
	cardParameters = []Row{
		{"*", "geo author", TypeAbsolute, BaseNone, KindNav, ListOnly, ""},
	}
)

// Card returns the lexicon of cards.
var Card = sync.OnceValue(func() *Lexicon { return newLexicon("vcard", cardProperties, cardParameters) })
