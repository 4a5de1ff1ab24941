package rewrite

import (
	"strings"

	"absolink/resolve"
)

// A URL pattern in href_matches of speculation rules, and a URL template in JSON-LD or OpenSearch,
// are not URLs: some of their characters are wildcards or placeholders. Only their start, up to a
// slash or a query, is a URL. This start moves like any other URL. The rest follows it unchanged.

// movePattern is move for a pattern or template l, whose first n bytes are a URL.
func (m *mover) movePattern(l *Link, n int) []byte {
	if m.bases != nil {
		return m.movePatternAsWritten(l, n)
	}
	was := string(l.URI)
	first := *l // the URL at the start
	first.Value = l.Value[:n]
	rest := string(l.Value[n:])
	b, err := resolve.NewBase(l.Base, m.site.Map.Options)
	if err == nil && n > 0 {
		was, err = b.Resolve(string(first.Value))
	}
	if err != nil || n == 0 || l.Unsafe {
		l.Change = false
		m.noteLeft(l, was, m.site.Map.URI(was))
		return nil
	}
	uri, inSiteForm, err := m.target(&first, was)
	if err != nil {
		m.unmoved(l, was+": "+err.Error())
		return nil
	}
	l.Change = l.Change || m.changes(&first, was, uri, inSiteForm)
	text := m.site.Map.URI(was)
	if inSiteForm {
		ref := m.page.Reference(uri)
		if continues(ref, rest) {
			text = ref
		}
		if m.alreadyLeads(&first.Link, ref, uri) {
			l.Change = false
		}
	}
	if l.Change {
		l.URI = []byte(m.patternAtNewPlace(l, text, rest))
	}
	return []byte(text + rest)
}

// patternAtNewPlace returns the URI of text followed by rest. If the URI of l ends with rest, the
// resolver has not encoded the names in braces. Then patternAtNewPlace adds rest unchanged, too.
func (m *mover) patternAtNewPlace(l *Link, text, rest string) string {
	if strings.HasSuffix(string(l.URI), rest) {
		return m.resolveAtNewPlace(text) + rest
	}
	return m.resolveAtNewPlace(text + rest)
}

// resolveAtNewPlace resolves text against the new URI of the document. It returns text if that is
// impossible.
func (m *mover) resolveAtNewPlace(text string) string {
	if m.page != nil {
		return m.page.URI(text)
	}
	b, err := resolve.NewBase("", m.site.Map.Options)
	if err == nil {
		if uri, err := b.Resolve(text); err == nil {
			return uri
		}
	}
	return text
}

// continues reports whether the rest of a pattern may follow ref. A query may follow any path. A
// path must not follow "./" or "../", because browsers parse a pattern before they resolve its
// dots.
func continues(ref, rest string) bool {
	if strings.HasPrefix(rest, "?") || strings.HasPrefix(rest, "#") {
		return ref != "" && !strings.ContainsAny(ref, "?#")
	}
	return strings.HasSuffix(ref, "/") && !strings.HasSuffix(ref, "./")
}
