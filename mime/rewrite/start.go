package rewrite

import (
	"bytes"
	"slices"
	"strings"

	"absolink/extract"
	"absolink/resolve"
)

// In a template or a script, unknown bytes may follow the start of a URL. So a move replaces only
// the bytes of the start that change. In "http://old.example" + path it replaces the scheme and the
// host, and adds no slash.

// moveStart is move for a link of which only the start is certain. known is the number of bytes at
// the beginning of l that are the start of a URL. open reports whether the document has more of
// this URL after them. done is false if l should move like any other link. For an open l, done is
// always true.
func (m *mover) moveStart(l *Link, known int, open bool) (text []byte, done bool) {
	blanks := known - len(bytes.TrimLeft(l.Value[:known], "\t\n\f\r "))
	begin := string(l.Value[blanks:known])
	host := bareHost(begin)
	stays := open // an open URL whose start cannot move stays as it is written
	r := resolve.Split(begin)
	if !r.HasAuthority || r.Scheme == "" && (open || !host) {
		return l.URI, stays
	}
	uri := string(m.p.r.Resolver.Resolve(&l.Link, []byte(begin)))
	if uri == "" || !open && m.usesForm && !host {
		return l.URI, stays
	}
	to, err := m.site.Map.Move(uri, m.p.Written)
	if err != nil {
		m.unmoved(l, uri+": "+err.Error())
		return nil, true
	}
	if to == uri && l.Status != extract.Resolved {
		l.Change = false
		return nil, true
	}
	if open {
		start, ok := m.newStart(uri, to)
		if !ok {
			m.unmoved(l, uri+": more follows, which the rule may map to something else")
			return nil, true
		}
		to = start
	} else if text, ok := m.strip(l, to); ok {
		return text, true
	}
	if host {
		uri = strings.TrimSuffix(uri, "/")
		to = strings.TrimSuffix(to, "/")
	}
	m.writeStart(l, blanks, begin, uri, to, open)
	return l.written, true
}

// writeStart writes a new start of l. l begins with a number of blanks and begin, its known start.
// uri is the URI of begin, and to is the URI of the new start. writeStart replaces only the bytes
// that change. If that is impossible, an open l stays as it is written, and any other l is replaced
// by to.
func (m *mover) writeStart(l *Link, blanks int, begin, uri, to string, open bool) {
	r := &m.p.r.Resolver
	same := commonSuffix(uri, to)
	changed, start := len(uri)-same, to[:len(to)-same]
	var edits []extract.Edit
	ok := sameStart(begin, uri, changed)
	if ok {
		edits, ok = r.AppendPart(nil, &l.Link, blanks, blanks+changed, []byte(start))
	}
	ok = ok && m.leadsTo(l, start+begin[changed:], to)
	switch {
	case ok:
		l.written = slices.Concat(l.Value[:blanks], []byte(start), l.Value[blanks+changed:])
		l.tail = len(l.Value) - blanks - len(begin)
	case open:
		l.written = l.URI
		m.unmoved(l, to+": it is written in a way in which its start cannot be replaced")
		return
	default:
		l.written = []byte(to)
		l.tail = 0
		edits = []extract.Edit{l.Edit(l.written)}
	}
	l.Change, l.edits, l.Status = true, edits, extract.AbsoluteRef
	l.URI = r.Resolve(&l.Link, l.written)
	if l.URI == nil {
		l.Status = extract.Suspect // its host contains a piece of a template
	}
}

// leadsTo reports whether written, an absolute URL in place of l, resolves to the same URI as to.
// Sometimes it does not: ".." in its path can lead out of the prefix that the map gives.
func (m *mover) leadsTo(l *Link, written, to string) bool {
	leads := m.p.r.Resolver.Resolve(&l.Link, []byte(written))
	return leads != nil && string(leads) == string(m.p.r.Resolver.Resolve(&l.Link, []byte(to)))
}

// newStart returns the text that replaces uri, the start of a URL. to is the URI to which the map
// moves uri. The rest of the URL must stay as it is. To check this, newStart also moves uri with
// example bytes after it. ok is false if these bytes change.
func (m *mover) newStart(uri, to string) (start string, ok bool) {
	more := "/x"
	if strings.ContainsAny(uri, "?#") || strings.HasSuffix(uri, "/") {
		more = "x"
	} else {
		to = strings.TrimSuffix(to, "/") // the rule may add this slash
	}
	if m.site.Map.Unwrap {
		more += "&x=%2F" // unwrapping cuts this parameter off, or decodes it
	}
	longer, err := m.site.Map.Move(uri+more, m.p.Written)
	return to, err == nil && longer == to+more
}

// bareHost reports whether an absolute URL ends with its host.
func bareHost(uri string) bool {
	_, host, _ := strings.Cut(uri, "//")
	return host != "" && !strings.ContainsAny(host, "/?#")
}

// commonSuffix returns the length of the longest common suffix of a and b.
func commonSuffix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// sameStart reports whether begin, the text of an absolute URL, starts with the first n bytes of
// uri, its URI. The case of scheme and host does not matter.
func sameStart(begin, uri string, n int) bool {
	origin := originLength(uri)
	if originLength(begin) != origin || !strings.EqualFold(begin[:origin], uri[:origin]) {
		return false
	}
	return n <= origin || n <= len(begin) && begin[origin:n] == uri[origin:n]
}

// originLength returns the length of the scheme and authority at the start of an absolute URL.
func originLength(uri string) int {
	start := strings.Index(uri, "//") + len("//")
	if n := strings.IndexAny(uri[start:], "/?#"); n >= 0 {
		return start + n
	}
	return len(uri)
}
