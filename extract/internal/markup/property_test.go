package markup

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// FuzzScanner asserts the properties that every caller relies on. Tokens are in order and do not
// overlap, and every span is inside its token. A scan with filters gives the tokens of a full scan
// that pass them.
func FuzzScanner(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		checkScan(t, data)
	})
}

func TestScanOfPages(t *testing.T) {
	for _, doc := range ownDocuments(t, "pages", 5) {
		checkScan(t, doc.Data)
	}
}

func checkScan(t *testing.T, data []byte) {
	t.Helper()
	links := Scanner{Filter: filter(NewFilter("href", "src", "on*"), "base"), Only: Set(StartTag, RawText, Comment)}
	compareScans(t, data, links, func(element, attr []byte) bool {
		return is(attr, "href") || is(attr, "src")
	})
	// a filter almost never wants end tags
	elements := Scanner{Filter: filter(byElement(), "base"), Only: Set(StartTag, RawText)}
	compareScans(t, data, elements, func(element, attr []byte) bool {
		return is(attr, "style") || is(attr, "href") && is(element, "a") || is(attr, "alt") && is(element, "img")
	})
}

// compareScans compares a scan with a filter with one without. The filter wants base elements and
// the wanted attributes.
func compareScans(t *testing.T, data []byte, some Scanner, wanted func(element, attr []byte) bool) {
	t.Helper()
	full := Scanner{}
	full.Reset(data)
	some.Reset(data)
	for end := 0; ; end = full.End {
		kind := full.Next()
		if err := checkSpans(&full, kind, end, len(data)); err != nil {
			t.Fatalf("scan of %q: %v", data, err)
		}
		if kind != EOF && !(some.Only.has(kind) && passes(&full, kind, data, wanted)) {
			continue
		}
		k := some.Next()
		checkPlain(t, &some)
		for k == StartTag && !passes(&some, k, data, wanted) { // a filter lets more tags pass
			k = some.Next()
		}
		if got, want := describe(&some, k, data, wanted), describe(&full, kind, data, wanted); got != want {
			t.Fatalf("filtered scan of %q: %s, want %s", data, got, want)
		}
		if kind == EOF {
			return
		}
	}
}

// checkSpans reports a span of the current token of s that is out of order.
func checkSpans(s *Scanner, kind Kind, after, limit int) error {
	order := []int{after, s.Start}
	switch kind {
	case StartTag:
		order = append(order, s.NameStart, s.NameEnd)
		for _, a := range s.Attrs {
			order = append(order, a.NameStart, a.NameEnd, a.Start, a.End)
		}
	case EndTag:
		order = append(order, s.NameStart, s.NameEnd)
	case RawText, Comment, Doctype, CDATA:
		order = append(order, s.TextStart, s.TextEnd)
	}
	order = append(order, s.End, limit)
	for i, n := range order[1:] {
		if n < order[i] {
			return fmt.Errorf("spans of a token of kind %d are out of order: %v", kind, order)
		}
	}
	if kind != EOF && s.Start == s.End {
		return fmt.Errorf("token of kind %d is empty at %d", kind, s.Start)
	}
	return nil
}

// passes reports whether the current token of s is wanted: a base element, a start tag with a
// wanted attribute, or not a tag.
func passes(s *Scanner, kind Kind, data []byte, wanted func(element, attr []byte) bool) bool {
	name := data[s.NameStart:s.NameEnd]
	if kind != StartTag {
		return true
	}
	return is(name, "base") ||
		slices.ContainsFunc(s.Attrs, func(a Attr) bool { return wanted(name, data[a.NameStart:a.NameEnd]) })
}

// describe writes the current token of s, with its wanted attributes.
func describe(s *Scanner, kind Kind, data []byte, wanted func(element, attr []byte) bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d [%d:%d] template %d noscript %d frameset %v",
		kind, s.Start, s.End, s.Template, s.NoScript, s.Frameset)
	switch kind {
	case RawText:
		fmt.Fprintf(&b, " name %d text [%d:%d]", s.NameStart, s.TextStart, s.TextEnd)
	case Comment:
		fmt.Fprintf(&b, " text [%d:%d]", s.TextStart, s.TextEnd)
	}
	if kind != StartTag {
		return b.String()
	}
	fmt.Fprintf(&b, " space %d closing %v", s.Space, s.SelfClosing)
	for _, a := range s.Attrs {
		if wanted(data[s.NameStart:s.NameEnd], data[a.NameStart:a.NameEnd]) {
			fmt.Fprintf(&b, " %+v", a)
		}
	}
	return b.String()
}

// checkPlain compares the Plain of attributes with the bytes of their values.
func checkPlain(t *testing.T, s *Scanner) {
	t.Helper()
	for _, a := range s.Attrs {
		if value := s.data[a.Start:a.End]; a.Plain && (a.Quote == 0 || PlainEnd(value, 0) < len(value)) {
			t.Fatalf("scan of %q: the value %q is taken for plain", s.data, value)
		}
	}
}
