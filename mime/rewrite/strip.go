package rewrite

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"absolink/extract"
)

// strip plans the edits of l, an absolute link that moves to uri, if its move only removes tracking
// parameters. All other bytes of l stay as they are written. strip returns the new text. ok is
// false if the move changes more, or if the parameters cannot be separated from the rest.
func (m *mover) strip(l *Link, uri string) (text []byte, ok bool) {
	if !m.site.Map.StripTracking || m.locked(l) {
		return nil, false
	}
	r, value := &m.p.r.Resolver, string(l.Value)
	to := []byte(m.site.Map.Strip(value))
	if string(to) == value || string(r.Resolve(&l.Link, to)) != uri {
		return nil, false
	}
	unknown := 0
	if isText(m.d.Format) || l.InText() {
		unknown = len(to) - lengthASCII(to) // running text holds letters that stay as they are
	}
	if !l.Holds(to[:len(to)-unknown]) {
		return nil, false
	}
	var edits []extract.Edit
	for _, s := range m.stripped(value, string(to)) {
		edits, ok = r.AppendPart(edits, &l.Link, s.Start, s.End, nil)
		if !ok {
			return nil, false
		}
	}
	l.Change, l.edits, l.Status = true, edits, extract.AbsoluteRef
	l.written, l.unknown = to, unknown
	l.URI = []byte(uri)
	return to, true
}

// lengthASCII returns the number of bytes before the first letter of b outside of ASCII.
func lengthASCII(b []byte) int {
	n := bytes.IndexFunc(b, func(c rune) bool { return c >= utf8.RuneSelf })
	if n < 0 {
		return len(b)
	}
	return n
}

// stripped returns the spans of a URL that lead to the URL to, which has fewer parameters.
func (m *mover) stripped(url, to string) (list []extract.Span) {
	before, _, _ := strings.Cut(url, "#")
	at := strings.IndexByte(before, '?')
	if stays, _, _ := strings.Cut(to, "#"); !strings.Contains(stays, "?") {
		return []extract.Span{{Start: at, End: len(before)}}
	}
	first := true // no parameter has stayed
	for parameter := range strings.SplitSeq(before[at+1:], "&") {
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
