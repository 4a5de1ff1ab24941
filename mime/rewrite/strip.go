package rewrite

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"absolink/extract"
)

// strip plans the edits that remove the tracking parameters of l, an absolute link that moves to
// uri. It returns the new text. All other bytes of l stay as they are written. ok is false if the
// move changes more, or if the parameters cannot be removed alone.
func (m *mover) strip(l *Link, uri string) (text []byte, ok bool) {
	if !m.site.Map.StripTracking || m.locked(l) {
		return nil, false
	}
	r, value := &m.p.r.Resolver, string(l.Value)
	to := []byte(m.site.Map.Strip(value))
	if string(to) == value || string(r.Resolve(&l.Link, to)) != uri {
		return nil, false
	}
	tail := 0
	if isText(m.d.Format) || l.InText() {
		tail = len(to) - lengthASCII(to) // running text already holds these letters
	}
	if !l.Holds(to[:len(to)-tail]) {
		return nil, false
	}
	var edits []extract.Edit
	for _, s := range m.removedSpans(value, string(to)) {
		edits, ok = r.AppendPart(edits, &l.Link, s.Start, s.End, nil)
		if !ok {
			return nil, false
		}
	}
	l.Change, l.edits, l.Status = true, edits, extract.AbsoluteRef
	l.written, l.tail = to, tail
	l.URI = []byte(uri)
	return to, true
}

// lengthASCII returns the number of bytes before the first letter outside of ASCII in b.
func lengthASCII(b []byte) int {
	n := bytes.IndexFunc(b, func(c rune) bool { return c >= utf8.RuneSelf })
	if n < 0 {
		return len(b)
	}
	return n
}

// removedSpans returns the spans of url to remove. Their removal gives to, a URL with fewer
// parameters.
func (m *mover) removedSpans(url, to string) (list []extract.Span) {
	withoutFragment, _, _ := strings.Cut(url, "#")
	at := strings.IndexByte(withoutFragment, '?')
	if stays, _, _ := strings.Cut(to, "#"); !strings.Contains(stays, "?") {
		return []extract.Span{{Start: at, End: len(withoutFragment)}}
	}
	first := true // no parameter before this one stays
	for parameter := range strings.SplitSeq(withoutFragment[at+1:], "&") {
		start, end := at+1, at+1+len(parameter)
		at = end
		tracks := m.site.Map.Strip("http://h/?"+parameter) == "http://h/"
		switch {
		case !tracks:
			first = false
		case first:
			list = append(list, extract.Span{Start: start, End: end + 1})
		default:
			list = append(list, extract.Span{Start: start - 1, End: end})
		}
	}
	return list
}
