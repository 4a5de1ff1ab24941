package markup

import (
	"strings"
	"testing"
)

// Of all elements of HTML, those that are obsolete too, none is taken for another.
func TestSlots(t *testing.T) {
	names := strings.Fields(`a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink
		blockquote body br button canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt
		em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe
		image img input ins isindex kbd keygen label legend li link listing main map mark marquee math menu menuitem meta meter
		multicol nav nextid nobr noembed noframes noscript object ol optgroup option output p param picture plaintext pre progress q
		rb rp rt rtc ruby s samp script search section select slot small source spacer span strike strong style sub summary sup svg
		table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr xmp`)
	seen := make(map[uint32]string)
	for _, name := range names {
		if other := seen[slot([]byte(name))]; other != "" {
			t.Errorf("%s and %s have the same slot", other, name)
		}
		seen[slot([]byte(name))] = name
	}
}

// What is open around svg is known by name: <html> does not make </hgroup> close it.
func TestOpenOutside(t *testing.T) {
	for src, want := range map[string]Space{
		`<html><svg></hgroup><g>`: SVG, `<ol><svg></math><g>`: SVG, `<div><svg></div><g>`: HTML, `<div></div><svg></div><g>`: SVG,
	} {
		var s Scanner
		s.Reset([]byte(src))
		last := HTML
		for k := s.Next(); k != EOF; k = s.Next() {
			if k == StartTag {
				last = s.Space
			}
		}
		if last != want {
			t.Errorf("%s: g is of space %d, want %d", src, last, want)
		}
	}
}
