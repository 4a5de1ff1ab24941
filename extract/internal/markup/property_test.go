package markup

import (
	"fmt"
	"strings"
	"testing"
)

// FuzzScanner asserts what every caller relies on: tokens lie in the input in
// order and do not overlap, every span lies inside its token, and a scan with
// filters gives the tokens of a full scan that pass them.
func FuzzScanner(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkScan(t, data) })
}

func TestScanOfPages(t *testing.T) {
	for _, doc := range ownPages(t) {
		checkScan(t, doc.data)
	}
}

func checkScan(t *testing.T, data []byte) {
	t.Helper()
	full := Scanner{}
	some := Scanner{Want: NewNames("href", "src"), Tags: NewNames("base"), Only: Set(StartTag, RawText)}
	full.Reset(data)
	some.Reset(data)
	for end := 0; ; end = full.End {
		kind := full.Next()
		if err := checkSpans(&full, kind, end, len(data)); err != nil {
			t.Fatalf("scan of %q: %v", data, err)
		}
		if kind != EOF && !passes(&full, &some, kind, data) {
			continue
		}
		if got, want := describe(&some, some.Next(), nil, data), describe(&full, kind, some.Want, data); got != want {
			t.Fatalf("filtered scan of %q: %s, want %s", data, got, want)
		}
		if kind == EOF {
			return
		}
	}
}

// checkSpans reports a span of the token that s found that is out of order.
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

// passes reports whether the token that full found passes the filters of some.
func passes(full, some *Scanner, kind Kind, data []byte) bool {
	if kind != StartTag {
		return some.Only.has(kind)
	}
	for _, a := range full.Attrs {
		if some.Want.Has(data[a.NameStart:a.NameEnd]) {
			return true
		}
	}
	return some.Tags.Has(data[full.NameStart:full.NameEnd])
}

// describe writes the token that s found, with the attributes in want.
func describe(s *Scanner, kind Kind, want *Names, data []byte) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d [%d:%d] template %d noscript %d frameset %v", kind, s.Start, s.End, s.Template, s.NoScript, s.Frameset)
	if kind == RawText {
		fmt.Fprintf(&b, " name %d text [%d:%d]", s.NameStart, s.TextStart, s.TextEnd)
	}
	if kind != StartTag {
		return b.String()
	}
	fmt.Fprintf(&b, " space %d closing %v", s.Space, s.SelfClosing)
	for _, a := range s.Attrs {
		if want.Has(data[a.NameStart:a.NameEnd]) {
			fmt.Fprintf(&b, " %+v", a)
		}
	}
	return b.String()
}
