package reportpage

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// top counts texts. Of many different ones it forgets the rarest.
type top struct {
	texts     map[string]*Group
	total     int
	forgotten int // how many were counted of those that it forgot
}

// Group is a text with how often it was counted, and where first.
type Group struct {
	Text   string   `json:"text"`
	N      int      `json:"number"`
	Places []string `json:"places,omitempty"`
}

const (
	maxTexts  = 10000 // that are counted at once
	maxGroups = 50    // that are shown
	maxPlaces = 3     // of a group that are shown
)

// add counts text, which was found at place; "" = that is not asked for.
func (t *top) add(text, place string) {
	t.total++
	g := t.texts[text]
	if g == nil {
		if len(text) > maxText || !isPlain(text) {
			text = shown(text)
			g = t.texts[text]
		}
		if g == nil {
			g = t.make(text)
		}
	}
	g.N++
	if place != "" && len(g.Places) < maxPlaces {
		g.Places = append(g.Places, shown(place))
	}
}

// isPlain reports whether shown returns text as it is.
func isPlain(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

func (t *top) make(text string) *Group {
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

// forget forgets the rarer half.
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

// List is the most frequent texts, and how often all others were counted.
type List struct {
	Groups []*Group `json:"groups"`
	Others int      `json:"others"`
	About  bool     `json:"about,omitempty"` // there were so many texts that numbers may be too small
}

func (t *top) list() List {
	all := t.sorted()
	l := List{Groups: all[:min(len(all), maxGroups)], Others: t.total, About: t.forgotten > 0}
	for _, g := range l.Groups {
		l.Others -= g.N
	}
	return l
}
