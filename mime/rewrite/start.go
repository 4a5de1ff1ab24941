package rewrite

import (
	"bytes"
	"slices"
	"strings"

	"absolink/extract"
	"absolink/resolve"
)

// In a template or a script, an unknown rest may follow an absolute URL. So a move replaces only
// the part of its start that changes. In "http://old.example" + path it replaces the scheme and the
// host, and adds no slash.

// start plans the move of l, a URL of which the first known bytes are known. If it is open, more
// bytes follow. start returns the new text. ok is false if l may be rewritten like any other link.
func (m *mover) start(l *Link, known int, open bool) (text []byte, ok bool) {
	blanks := known - len(bytes.TrimLeft(l.Value[:known], "\t\n\f\r "))
	begin := string(l.Value[blanks:known])
	host := bareHost(begin)
	r := resolve.Split(begin)
	if !r.HasAuthority || r.Scheme == "" && (open || !host) {
		return l.URI, open
	}
	uri := string(m.p.r.Resolver.Resolve(&l.Link, []byte(begin)))
	if uri == "" || !open && m.formed && !host {
		return l.URI, open
	}
	to, err := m.site.Map.Move(uri, m.p.Written)
	if err != nil {
		m.unmoved(l, uri+": "+err.Error())
		return l.URI, true
	}
	if to == uri && l.Status != extract.Resolved {
		l.Change = false
		return l.URI, true
	}
	if open {
		to, ok = m.keepsRest(uri, to)
		if !ok {
			m.unmoved(l, uri+": more follows, which the rule may map to something else")
			return l.URI, true
		}
	}
	if host {
		uri = strings.TrimSuffix(uri, "/")
		to = strings.TrimSuffix(to, "/")
	}
	m.writeStart(l, blanks, begin, uri, to, open)
	return l.written, true
}

// writeStart gives l a new start. The known text of l after its blanks is begin, which leads to
// uri; the new start must lead to the URI to. writeStart replaces only the part that changes. If
// that part cannot be separated from the rest, it replaces all of l, unless l is open.
func (m *mover) writeStart(l *Link, blanks int, begin, uri, to string, open bool) {
	r := &m.p.r.Resolver
	rest := commonSuffix(uri, to)
	changed, start := len(uri)-rest, to[:len(to)-rest]
	var edits []extract.Edit
	ok := sameStart(begin, uri, changed)
	if ok {
		edits, ok = r.AppendPart(nil, &l.Link, blanks, blanks+changed, []byte(start))
	}
	ok = ok && m.leadsTo(l, start+begin[changed:], to)
	switch {
	case ok:
		l.written = slices.Concat(l.Value[:blanks], []byte(start), l.Value[blanks+changed:])
		l.unknown = len(l.Value) - blanks - len(begin)
	case open:
		l.written = l.URI
		m.unmoved(l, to+": it is written in a way in which its start cannot be replaced")
		return
	default:
		l.written = []byte(to)
		l.unknown = 0
		edits = []extract.Edit{l.Edit(l.written)}
	}
	l.Change, l.edits, l.Status = true, edits, extract.AbsoluteRef
	l.URI = r.Resolve(&l.Link, l.written)
	if l.URI == nil {
		l.Status = extract.Suspect // its host contains a piece of a template
	}
}

// leadsTo reports whether written, an absolute URL in the place of l, leads to the URI to. With
// dots in its path it may not: they climb out of the prefix that a map gives.
func (m *mover) leadsTo(l *Link, written, to string) bool {
	leads := m.p.r.Resolver.Resolve(&l.Link, []byte(written))
	return leads != nil && string(leads) == string(m.p.r.Resolver.Resolve(&l.Link, []byte(to)))
}

// keepsRest returns the new start of a URL whose start is uri. to is the URI to which the map moves
// uri. ok is false if the map could change the bytes after uri.
func (m *mover) keepsRest(uri, to string) (start string, ok bool) {
	more := "/x"
	if strings.ContainsAny(uri, "?#") || strings.HasSuffix(uri, "/") {
		more = "x"
	} else {
		to = strings.TrimSuffix(to, "/") // the rule adds it
	}
	if m.site.Map.Unwrap {
		more += "&x=%2F" // a wrap would end before it, or decode it
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

// sameStart reports whether the first n bytes of uri, an absolute URL, equal those of begin, its
// text as written. The case of scheme and host does not matter.
func sameStart(begin, uri string, n int) bool {
	origin := originLength(uri)
	if originLength(begin) != origin || !strings.EqualFold(begin[:origin], uri[:origin]) {
		return false
	}
	return n <= origin || n <= len(begin) && begin[origin:n] == uri[origin:n]
}

// originLength returns the length of scheme and authority of an absolute URL.
func originLength(uri string) int {
	start := strings.Index(uri, "//") + len("//")
	if n := strings.IndexAny(uri[start:], "/?#"); n >= 0 {
		return start + n
	}
	return len(uri)
}
