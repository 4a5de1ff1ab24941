package reportpage

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// top counts texts. If there are too many different texts, it forgets the rarest texts.
type top struct {
	texts     map[string]*Group
	total     int
	forgotten int // the sum of the forgotten counts
}

// Group is a text, the number of times that it was found, and the first places where it was found.
type Group struct {
	Text   string   `json:"text"`
	N      int      `json:"number"`
	Places []string `json:"places,omitempty"`
}

const (
	maxTexts  = 10000 // largest number of different texts that are counted at the same time
	maxGroups = 50    // largest number of groups on the page
	maxPlaces = 3     // number of places that a group stores
)

// add counts text, which was found at place. An empty place is not stored.
func (t *top) add(text, place string) {
	t.total++
	g := t.texts[text]
	if g == nil {
		if len(text) > maxText || !isPlain(text) {
			text = printable(text)
			g = t.texts[text]
		}
		if g == nil {
			g = t.newGroup(text)
		}
	}
	g.N++
	if place != "" && len(g.Places) < maxPlaces {
		g.Places = append(g.Places, printable(place))
	}
}

// isPlain reports whether text has only printable ASCII characters, so printable would not change
// them.
func isPlain(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

// newGroup adds a group for text.
func (t *top) newGroup(text string) *Group {
	if t.texts == nil {
		t.texts = make(map[string]*Group)
	}
	if len(t.texts) == maxTexts {
		t.forget()
	}
	text = strings.Clone(text)
	g := &Group{Text: text}
	t.texts[text] = g
	return g
}

// forget drops the rarer half of the texts.
func (t *top) forget() {
	for _, g := range t.sorted()[maxTexts/2:] {
		t.forgotten += g.N
		delete(t.texts, g.Text)
	}
}

// sorted returns all groups, the most frequent first.
func (t *top) sorted() []*Group {
	return slices.SortedFunc(maps.Values(t.texts), func(a, b *Group) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Text, b.Text))
	})
}

// List holds the most frequent texts, and the sum of all other counts.
type List struct {
	Groups      []*Group `json:"groups"`
	Others      int      `json:"others"`
	Approximate bool     `json:"about,omitempty"` // some texts were forgotten, so numbers may be too small
}

// list returns the most frequent texts.
func (t *top) list() List {
	all := t.sorted()
	l := List{Groups: all[:min(len(all), maxGroups)], Others: t.total, Approximate: t.forgotten > 0}
	for _, g := range l.Groups {
		l.Others -= g.N
	}
	return l
}
