package resolve

import (
	"strings"
	"testing"
)

// The tables of this file cover the clauses of the documents without an example in the documents,
// one per row; testdata/clauses.tsv names the rows.

// stepClauses are steps of the algorithms, each with the bases or references that distinguish it
// from its neighbours. Want "" is an error.
var stepClauses = []struct {
	name, base, ref string
	o               Options
	want            string
}{
	{"draft-00e 6 step 1, no base", "", "g", Options{Rules: Draft00e}, ""},
	{"draft-00e 6 step 1, no base, absolute", "", "http://a/g", Options{Rules: Draft00e}, "http://a/g"},
	{"draft-00e 6 step 2a, empty", "http://a/b;p?q", "", Options{Rules: Draft00e}, "http://a/b;p?q"},
	{"draft-00e 6 step 2b, scheme", "http://a/b", "ftp:../g", Options{Rules: Draft00e}, "ftp:../g"},
	{"draft-00e 6 step 2c, inherited scheme", "foo://a/b", "//h/./g", Options{Rules: Draft00e}, "foo://h/./g"},
	{"draft-00e 6 step 3, server", "http://u@a:1/b", "g", Options{Rules: Draft00e}, "http://u@a:1/g"},
	{"draft-00e 6 step 4, slash", "http://a/b/c", "/g/../h", Options{Rules: Draft00e}, "http://a/g/../h"},
	{"draft-00e 6 step 5a, parameters", "http://a/b/c;p?q", ";x", Options{Rules: Draft00e}, "http://a/b/c;x"},
	{"draft-00e 6 step 5b, query", "http://a/b/c;p?q", "?y", Options{Rules: Draft00e}, "http://a/b/c;p?y"},
	{"draft-00e 6 step 5b, neither", "http://a/b/c;p?q", "#s", Options{Rules: Draft00e}, "http://a/b/c;p?q#s"},
	{"draft-00e 6 step 6, last segment", "http://a/b/c", "g;x", Options{Rules: Draft00e}, "http://a/b/g;x"},
	{"draft-00e 6 step 6a, dot segments", "http://a/b/c", "./g/././h/.i/j.",
		Options{Rules: Draft00e}, "http://a/b/g/h/.i/j."},
	{"draft-00e 6 step 6b, dot at the end", "http://a/b/c", "g/.", Options{Rules: Draft00e}, "http://a/b/g/"},
	{"draft-00e 6 step 6c, leftmost first", "http://a/b/c",
		"d/e/../../../f/../g", Options{Rules: Draft00e}, "http://a/g"},
	{"draft-00e 6 step 6c, excess", "http://a/b/c", "../../../g", Options{Rules: Draft00e}, "http://a/../../g"},
	{"draft-00e 6 step 6d, dots at the end", "http://a/b/c", "d/e/..", Options{Rules: Draft00e}, "http://a/b/d/"},
	{"draft-00e 6, parameters are no path", "ftp://a/b/c;type=d/e", "g", Options{Rules: Draft00e}, "ftp://a/b/g"},
	{"draft-00e 4.3, order of components", "http://a/b", "g;p;q?r;s?t#u?v#w",
		Options{Rules: Draft00e}, "http://a/g;p;q?r;s?t#u?v#w"},
	{"draft-00e 4.3.1, server up to the slash", "http://a/b", "//h?x/y?z", Options{Rules: Draft00e}, "http://h?x/y?z"},
	{"draft-00e 4.3.3, empty parameters", "http://a/b;p?q", ";?y", Options{Rules: Draft00e}, "http://a/b;p?y"},
	{"draft-00e 4.3.4, empty query", "http://a/b;p?q", "?", Options{Rules: Draft00e}, "http://a/b;p?q"},
	{"draft-00e 2.3.3, unwise and national characters", "http://a/b", "{g}|\\^`/é?日 #\u202e€", Options{Rules: Draft00e},
		"http://a/%7Bg%7D%7C%5C%5E%60/%C3%A9?%E6%97%A5%C2%A0#%E2%80%AE%E2%82%AC"},
	{"draft-00e 4.3.1, a question mark in a user", "http://u?v@h/x", "/g", Options{Rules: Draft00e}, "http://u?v@h/g"},
	{"draft-00e 4.3.2, dot before a colon", "http://a/b",
		"./this:that", Options{Rules: Draft00e}, "http://a/this:that"},

	{"draft-02 5.2 step 1, undefined and empty", "http://a/b?q", "g?#", Options{Rules: Draft02}, "http://a/g?#"},
	{"draft-02 5.2 step 2, empty", "http://a/b", "", Options{Rules: Draft02, Document: "http://d/"}, "http://d/"},
	{"draft-02 5.2 step 2, empty query", "http://a/b?q", "?",
		Options{Rules: Draft02, Document: "http://d/"}, "http://a/?"},
	{"draft-02 5.2 step 3, scheme", "http://a/b", "http:../g", Options{Rules: Draft02}, "http:../g"},
	{"draft-02 5.2 step 4, network path", "foo://a/b", "//h/../g?y", Options{Rules: Draft02}, "foo://h/../g?y"},
	{"draft-02 5.2 step 4, no server", "foo:/a/b", "g", Options{Rules: Draft02}, "foo:/a/g"},
	{"draft-02 5.2 step 5, absolute path", "http://a/b/c", "/g/../h", Options{Rules: Draft02}, "http://a/g/../h"},
	{"draft-02 5.2 step 6a, last segment", "http://a/b/c;p?q/r", "g", Options{Rules: Draft02}, "http://a/b/g"},
	{"draft-02 5.2 step 6b, empty path", "http://a/b/c;p?q", ";x", Options{Rules: Draft02}, "http://a/b/;x"},
	{"draft-02 5.2 step 6c, query in the buffer", "http://a/b/c", "g?y/../../h", Options{Rules: Draft02}, "http://a/h"},
	{"draft-02 5.2 step 6d, dots in the query", "http://a/b/c", "g?y/./x", Options{Rules: Draft02}, "http://a/b/g?y/x"},
	{"draft-02 5.2 step 6e, dot at the end", "http://a/b/c", "g/.", Options{Rules: Draft02}, "http://a/b/g/"},
	{"draft-02 5.2 step 6f, leftmost first", "http://a/b/c",
		"d/e/../../../f/../g", Options{Rules: Draft02}, "http://a/g"},
	{"draft-02 5.2 step 6g, dots at the end", "http://a/b/c", "d/e/..", Options{Rules: Draft02}, "http://a/b/d/"},
	{"draft-02 5.2 step 6h, first question mark", "http://a/b/c",
		"g?x?y/z", Options{Rules: Draft02}, "http://a/b/g?x?y/z"},
	{"draft-02 5.2 step 6i, no query left", "http://a/b/c", "?y/..", Options{Rules: Draft02}, "http://a/b/"},
	{"draft-02 5.2 step 7, recombined", "foo://h", "?y#z", Options{Rules: Draft02}, "foo://h?y#z"},
	{"draft-02 5.2, the query of the base", "http://a/b?x/../y", "?z", Options{Rules: Draft02}, "http://a/?z"},

	{"draft-02 2.3.3, unwise and national characters", "http://a/b", "{g}|\\^`/é?日 #\u202e€", Options{Rules: Draft02},
		"http://a/%7Bg%7D%7C%5C%5E%60/%C3%A9?%E6%97%A5%C2%A0#%E2%80%AE%E2%82%AC"},
	{"draft-02 4.3.1, no question mark in a user", "http://u?v@h/x", "/g", Options{Rules: Draft02}, "http://u/g"},
	{"draft-02 B, no scheme by its grammar", "http://a/b", "a_b:c/d", Options{Rules: Draft02}, "http://a/a_b:c/d"},
	{"draft-02 5, unsuitable base", "mailto:a@b", "g", Options{Rules: Draft02}, ""},
	{"draft-00e 4.2, unsuitable base", "mailto:a@b", "g", Options{Rules: Draft00e}, ""},
	{"draft-00e 4.1, no scheme before a colon", "http://a/b", "g/a:b", Options{Rules: Draft00e}, "http://a/g/a:b"},

	{"rfc2396 5.2 step 1, undefined and empty", "http://a/b?q", "g?#", Options{Rules: RFC2396}, "http://a/g?#"},
	{"rfc2396 5.2 step 2, empty", "http://a/b", "", Options{Rules: RFC2396, Document: "http://d/x?y"}, "http://d/x?y"},
	{"rfc2396 5.2 step 2, fragment", "http://a/b", "#s",
		Options{Rules: RFC2396, Document: "http://d/x?y"}, "http://d/x?y#s"},
	{"rfc2396 5.2 step 2, empty query", "http://a/b?q", "?",
		Options{Rules: RFC2396, Document: "http://d/"}, "http://a/?"},
	{"rfc2396 5.2 step 3, scheme", "http://a/b", "http:../g", Options{Rules: RFC2396}, "http:../g"},
	{"rfc2396 5.2 step 3, inherited scheme", "foo://a/b", "g", Options{Rules: RFC2396}, "foo://a/g"},
	{"rfc2396 5.2 step 3, work-around", "http://a/b/c", "http:../g",
		Options{Rules: RFC2396, CompatScheme: true}, "http://a/g"},
	{"rfc2396 5.2 step 4, network path", "foo://a/b", "//h/../g?y", Options{Rules: RFC2396}, "foo://h/../g?y"},
	{"rfc2396 5.2 step 4, no authority", "foo:/a/b", "g", Options{Rules: RFC2396}, "foo:/a/g"},
	{"rfc2396 5.2 step 4, authority", "http://u@a:1/b", "g", Options{Rules: RFC2396}, "http://u@a:1/g"},
	{"rfc2396 5.2 step 5, absolute path", "http://a/b/c", "/g/../h", Options{Rules: RFC2396}, "http://a/g/../h"},
	{"rfc2396 5.2 step 6a, last segment", "http://a/b/c;p?q/r", "g", Options{Rules: RFC2396}, "http://a/b/g"},
	{"rfc2396 5.2 step 6b, empty path", "http://a/b/c;p?q", ";x", Options{Rules: RFC2396}, "http://a/b/;x"},
	{"rfc2396 5.2 step 6c, dot segments", "http://a/b/c",
		"./g/././h/.i/j.", Options{Rules: RFC2396}, "http://a/b/g/h/.i/j."},
	{"rfc2396 5.2 step 6d, dot at the end", "http://a/b/c", "g/.", Options{Rules: RFC2396}, "http://a/b/g/"},
	{"rfc2396 5.2 step 6e, leftmost first", "http://a/b/c",
		"d/e/../../../f/../g", Options{Rules: RFC2396}, "http://a/g"},
	{"rfc2396 5.2 step 6f, dots at the end", "http://a/b/c", "d/e/..", Options{Rules: RFC2396}, "http://a/b/d/"},
	{"rfc2396 5.2 step 6g, kept", "http://a/b/c", "../../g", Options{Rules: RFC2396}, "http://a/../g"},
	{"rfc2396 5.2 step 6g, removed", "http://a/b/c", "../../g",
		Options{Rules: RFC2396, ExcessDots: RemoveDots}, "http://a/g"},
	{"rfc2396 5.2 step 6g, refused", "http://a/b/c", "../../g", Options{Rules: RFC2396, ExcessDots: RefuseDots}, ""},
	{"rfc2396 5.2 step 6h, the path alone", "http://a/b/c", "g?y/../x#s/../t",
		Options{Rules: RFC2396}, "http://a/b/g?y/../x#s/../t"},
	{"rfc2396 5.2 step 7, recombined", "foo://h", "?y#z", Options{Rules: RFC2396}, "foo://h?y#z"},
	{"rfc2396 5.2, the query of the base", "http://a/b?x", "?z", Options{Rules: RFC2396}, "http://a/?z"},
	{"rfc2396 5, dot before a colon", "http://a/b", "./this:that", Options{Rules: RFC2396}, "http://a/this:that"},
	{"rfc2396 5, unsuitable base", "mailto:a@b", "g", Options{Rules: RFC2396}, ""},
	{"rfc2396 4.1, a second crosshatch", "http://a/b", "g#s#t", Options{Rules: RFC2396}, "http://a/g#s#t"},
	{"rfc2396 4.3, the authority wins", "http://a/b", "//g//h", Options{Rules: RFC2396}, "http://g//h"},
	{"rfc2396 2.1, letters outside of ASCII", "http://a/b", "é?日#€",
		Options{Rules: RFC2396}, "http://a/%C3%A9?%E6%97%A5#%E2%82%AC"},
	{"rfc2396 3.2, the authority ends at a question mark",
		"http://h?q@i/x", "/g", Options{Rules: RFC2396}, "http://h/g"},
	{"rfc2396 2.4.2, what is escaped stays so", "http://a/b",
		"%7e%2f%25", Options{Rules: RFC2396}, "http://a/%7e%2f%25"},
	{"rfc2396 2.4.3, excluded characters are escaped", "http://a/b", "g <\"{}|\\^[]`>%",
		Options{Rules: RFC2396}, "http://a/g%20%3C%22%7B%7D%7C%5C%5E[]%60%3E%25"},
	{"draft-02 2.3.3, excluded characters are escaped", "http://a/b", "g <\"{}|\\^[]`>%\x7f",
		Options{Rules: Draft02}, "http://a/g%20%3C%22%7B%7D%7C%5C%5E[]%60%3E%25%7F"},
	{"draft-00e 2.3.3, excluded characters are escaped", "http://a/b", "g <\"{}|\\^[]`>%\x7fé",
		Options{Rules: Draft00e}, "http://a/g%20%3C%22%7B%7D%7C%5C%5E[]%60%3E%25%7F%C3%A9"},
}

// ftp, http and file are hierarchical, and names below their bases are resolved (RFC 1738 Section
// 2.3). Schemes without a hierarchy give no base.
func TestHierarchicalSchemes(t *testing.T) {
	for _, rules := range []Rules{RFC3986, RFC2396, Draft02, Draft00e} {
		for _, base := range []string{"ftp://h.example/a/b",
			"http://h.example/a/b", "file:///a/b", "file://h.example/a/b"} {
			dir, _ := strings.CutSuffix(base, "b")
			check(t, base, "c", Options{Rules: rules}, dir+"c")
			check(t, base, "../c", Options{Rules: rules}, strings.TrimSuffix(dir, "a/")+"c")
		}
	}
	for _, rules := range []Rules{RFC2396, Draft02, Draft00e} {
		for _, base := range []string{"mailto:a@b.example", "news:a.b", "news:1@h.example"} {
			check(t, base, "c", Options{Rules: rules}, "")
		}
	}
}

func TestStepClauses(t *testing.T) {
	for _, c := range stepClauses {
		t.Run(c.name, func(t *testing.T) { check(t, c.base, c.ref, c.o, c.want) })
	}
}
