package rewrite

import (
	"strings"

	"absolink/resolve"
)

// A URL pattern in href_matches of speculation rules, and a URL template in JSON-LD, are not URLs:
// some of their characters stand for others. Only their beginning, up to a slash, is a URL. It
// moves like any other URL, and the rest stays unchanged after it.

// movePattern is move for l, whose first n bytes are a URL.
func (m *mover) movePattern(l *Link, n int) []byte {
	if m.like != nil {
		return m.movePatternAsWritten(l, n)
	}
	was := string(l.URI)
	first := *l // the URL
	first.Value = l.Value[:n]
	rest := string(l.Value[n:])
	b, err := resolve.NewBase(l.Base, m.site.Map.Options)
	if err == nil && n > 0 {
		was, err = b.Resolve(string(first.Value))
	}
	if err != nil || n == 0 || l.Unsafe {
		l.Change = false
		m.noteLeft(l, was, m.site.Map.URI(was))
		return l.URI
	}
	uri, here, err := m.target(&first, was)
	if err != nil {
		m.unmoved(l, was+": "+err.Error())
		return l.URI
	}
	l.Change = l.Change || m.changes(&first, was, uri, here)
	text := m.site.Map.URI(was)
	if here {
		ref := m.page.Reference(uri)
		if continues(ref) {
			text = ref
		}
		if m.stays(&first.Link, ref, uri) {
			l.Change = false
		}
	}
	text += rest
	if l.Change {
		l.URI = []byte(m.leads(text))
	}
	return []byte(text)
}

// leads returns the URI to which text leads from the new place of the document.
func (m *mover) leads(text string) string {
	if m.page != nil {
		return m.page.URI(text)
	}
	b, err := resolve.NewBase("", m.site.Map.Options)
	if err != nil {
		return text
	}
	uri, err := b.Resolve(text)
	if err != nil {
		return text
	}
	return uri
}

// continues reports whether a pattern may continue after ref. It may not after dots and a slash,
// because browsers parse a pattern before they resolve its dots.
func continues(ref string) bool {
	return strings.HasSuffix(ref, "/") && !strings.HasSuffix(ref, "./")
}
