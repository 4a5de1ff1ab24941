package rewrite

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"absolink/extract"
)

// stripping is the removal of the tracking parameters of a link.
type stripping struct {
	edits []extract.Edit
	spans []extract.Span // of the value of the link, removed by the edits
	to    []byte         // the value without them
	tail  int            // number of old bytes at the end of to that Holds need not check
}

// strip plans the edits that remove the tracking parameters of l, an absolute link that moves to
// uri. It returns the new text. All other bytes of l stay as they are written. ok is false if the
// move changes more, or if the parameters cannot be removed alone.
func (m *mover) strip(l *Link, uri string) (text []byte, ok bool) {
	s, ok := m.planStripping(l, uri)
	if !ok {
		return nil, false
	}
	m.apply(l, s, uri)
	return s.to, true
}

// apply makes l change by s. uri is the new URI of l.
func (m *mover) apply(l *Link, s stripping, uri string) {
	l.Change, l.edits, l.Status = true, s.edits, extract.AbsoluteRef
	l.written, l.tail = s.to, s.tail
	l.URI = []byte(uri)
}

// planStripping does the work of strip, but does not change l.
func (m *mover) planStripping(l *Link, uri string) (s stripping, ok bool) {
	if !m.site.Map.StripTracking || m.locked(l) {
		return s, false
	}
	r, value := &m.p.r.Resolver, string(l.Value)
	s.to = []byte(m.site.Map.Strip(value))
	if string(s.to) == value || string(r.Resolve(&l.Link, s.to)) != uri {
		return s, false
	}
	if isText(m.d.Format) || l.InText() {
		s.tail = len(s.to) - lengthASCII(s.to) // running text has these bytes already, so it holds them
	}
	if !l.Holds(s.to[:len(s.to)-s.tail]) {
		return s, false
	}
	s.spans = m.removedSpans(value, string(s.to))
	for _, span := range s.spans {
		s.edits, ok = r.AppendPart(s.edits, &l.Link, span.Start, span.End, nil)
		if !ok {
			return s, false
		}
	}
	return s, true
}

// lengthASCII returns the number of bytes before the first letter outside of ASCII in b.
func lengthASCII(b []byte) int {
	n := bytes.IndexFunc(b, func(c rune) bool { return c >= utf8.RuneSelf })
	if n < 0 {
		return len(b)
	}
	return n
}

// removedSpans returns the spans of url to remove. Without these spans, url becomes the URL to,
// which has fewer parameters.
func (m *mover) removedSpans(url, to string) (list []extract.Span) {
	withoutFragment, _, _ := strings.Cut(url, "#")
	at := strings.IndexByte(withoutFragment, '?')
	if stays, _, _ := strings.Cut(to, "#"); !strings.Contains(stays, "?") {
		return []extract.Span{{Start: at, End: len(withoutFragment)}}
	}
	first := true // all parameters so far are removed
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
