package base

import (
	"strings"
	"testing"
	"testing/quick"

	"absolink/testdata/effort"
)

// TestComments: RFC 2557 Section 4.1 and RFC 5322 Section 3.2.2 allow comments in fields, and URIs
// may contain parentheses.
func TestComments(t *testing.T) {
	for _, c := range []struct{ name, in, want, within string }{
		{"behind", "http://o.example/1/x.png (a picture)", "http://o.example/1/x.png", "http://o.example/1/x.png"},
		{"before", "(old) http://o.example/1/p", "http://o.example/1/p", "http://o.example/1/p"},
		{"before and behind", "(a) x.png\t(b)", "x.png", "x.png"},
		{"nested", "x.png (a (b) c)", "x.png", "x.png"},
		{"with escapes", `x.png (a \) b \( c)`, "x.png", "x.png"},
		{"two", "x.png (a) (b)", "x.png", "x.png"},
		{"in brackets, and a comment behind a fold", "<http://o.example/p>\r\n (c)",
			"http://o.example/p", "http://o.example/p"},
		{"in quotes, and a comment behind a fold", "\"http://o.example/p\"\n\t(c)",
			"http://o.example/p", "http://o.example/p"},
		{"encoded words, and a comment behind a fold",
			"=?us-ascii?Q?http://o.example/?=\r\n =?us-ascii?Q?p?=\r\n (c)\r\n (d)",
			"http://o.example/p", "=?us-ascii?Q?http://o.example/?=\r\n =?us-ascii?Q?p?="},
		{"an encoded word, a blank, and a comment behind a fold", "=?us-ascii?Q?p?= \r\n (c)", "p", "=?us-ascii?Q?p?="},
		{"a comment behind a comment and a fold", "x.png (a)\r\n (b)", "x.png", "x.png"},
		{"a comment behind a fold and one more", "x.png (a)\r\n y (b)\r\n (c)", "x.pngy", "x.png (a)\r\n y"},
		{"part of a URI behind a comment and a fold", "x (a)\r\n y\r\n (b)", "xy(b)", "x (a)\r\n y\r\n (b)"},
		{"two that touch", "x.png (a)(b)", "x.png", "x.png"},
		{"empty", "x.png ()", "x.png", "x.png"},
		{"over lines", "x.png (a\r\n b)", "x.png", "x.png"},
		{"before a fold", "x.png (a)\r\n", "x.png", "x.png"},
		{"between the pieces of a folded URI", "http://o.example/ (a)\r\n x.png (b)",
			"http://o.example/x.png", "http://o.example/ (a)\r\n x.png"},
		{"alone on the first line", "(a)\r\n x.png", "x.png", "x.png"},
		{"around brackets", "(a) <http://o.example/p> (b)", "http://o.example/p", "http://o.example/p"},
		{"touching brackets", "(a)<http://o.example/p>(b)", "http://o.example/p", "http://o.example/p"},
		{"touching quotes", `(a)"http://o.example/p"(b)`, "http://o.example/p", "http://o.example/p"},
		{"beside URL:", "<URL:http://o.example/p> (b)", "http://o.example/p", "URL:http://o.example/p"},
		{"beside encoded words", "=?us-ascii?Q?http://o.example/?= =?us-ascii?Q?p?= (b)",
			"http://o.example/p", "=?us-ascii?Q?http://o.example/?= =?us-ascii?Q?p?="},
		{"behind a fold at the start", "\r\n (a) x.png", "x.png", "x.png"},
		{"behind a bare carriage return at the start", "\r(a) x.png", "x.png", "x.png"},
		{"before a line feed", "x.png (a)\n", "x.png", "x.png"},
		{"before a line feed and the URI", "(a)\nx.png", "x.png", "x.png"},
		{"before a carriage return and the URI", "(a)\rx.png", "x.png", "x.png"},
		{"before a tab and the URI", "(a)\tx.png", "x.png", "x.png"},
		{"alone", "(a)", "", ""},
		{"nothing", "", "", ""},

		{"part of a URI", "wiki/Foo_(bar)", "wiki/Foo_(bar)", "wiki/Foo_(bar)"},
		{"part of a URI and a comment", "wiki/Foo_(bar) (a page)", "wiki/Foo_(bar)", "wiki/Foo_(bar)"},
		{"at the start of a URI", "(a)b", "(a)b", "(a)b"},
		{"apart before, not behind", "http://o.example/ (a)b", "http://o.example/(a)b", "http://o.example/ (a)b"},
		{"in brackets", "<wiki/Foo (bar)>", "wiki/Foo(bar)", "wiki/Foo (bar)"},
		{"in quotes", `"wiki/Foo (bar)"`, "wiki/Foo(bar)", "wiki/Foo (bar)"},
		{"in quotes, and a comment", `"wiki/Foo (bar)" (a page)`, "wiki/Foo(bar)", "wiki/Foo (bar)"},
		{"behind a fold", "http://o.example/wiki/Foo_\r\n (bar)",
			"http://o.example/wiki/Foo_(bar)", "http://o.example/wiki/Foo_\r\n (bar)"},
		{"behind a fold and more blanks", "http://o.example/wiki/Foo_\n\t (bar)",
			"http://o.example/wiki/Foo_(bar)", "http://o.example/wiki/Foo_\n\t (bar)"},
		{"behind a fold and text", "http://o.example/wiki/\n Foo (bar)",
			"http://o.example/wiki/Foo", "http://o.example/wiki/\n Foo"},
		{"not closed", "x.png (a", "x.png(a", "x.png (a"},
		{"closed too often", "x.png a)", "x.pnga)", "x.png a)"},
		{"a bracket that is not closed", "<x.png (a)", "<x.png", "<x.png"},
		{"a quote that is not closed", `x" (a)`, `x"`, `x"`},
		{"a bracket in a comment", "x.png (<a>)", "x.png", "x.png"},
		{"a quote in a comment", `x.png (a") (b")`, "x.png", "x.png"},
	} {
		for _, source := range []Source{ContentLocation, ContentBase} {
			l := &Layer{Source: source, Value: c.in}
			got, ok := l.Reference()
			start, end := l.Bounds()
			if got != c.want || !ok || c.in[start:end] != c.within {
				t.Errorf("%s: Reference of %q = %q, %v in %q, want %q in %q",
					c.name, c.in, got, ok, c.in[start:end], c.want, c.within)
			}
		}
	}
	if got, _ := (&Layer{Source: Snapshot, Value: "http://o.example/ (a)"}).Reference(); got != "http://o.example/(a)" {
		t.Errorf("Reference of a Snapshot-Content-Location with a parenthesis = %q", got)
	}
	if got, _ := (&Layer{Source: BaseElement,
		Value: "http://o.example/ (a)"}).Reference(); got != "http://o.example/ (a)" {
		t.Errorf("Reference of a BASE with a parenthesis = %q", got)
	}
}

// A field without "(" is unchanged, and comments before and after the URI change nothing.
func TestCommentsQuick(t *testing.T) {
	property := func(uri, before, behind string) bool {
		plain := strings.NewReplacer("(", "", ")", "", "\\", "", "\r", "", "\n", "", "=?", "")
		uri, before, behind = plain.Replace(uri), plain.Replace(before), plain.Replace(behind)
		want, _ := referenceInField(uri)
		commented := Layer{Source: ContentLocation, Value: "(" + before + ") " + uri + " (" + behind + ")"}
		got, ok := commented.Reference()
		bare := Layer{Source: ContentLocation, Value: uri}
		same, _ := bare.Reference()
		return ok && got == want && same == want
	}
	if err := quick.Check(property, nil); err != nil {
		t.Error(err)
	}
}

// A field of a megabyte takes no more than linear time.
func TestCommentsLinear(t *testing.T) {
	for _, piece := range []string{"(", " (", ")", " ()", "<", "<>", `"`, " (a)b", `\(`, "((", "<(", `"(`, " (\n", "=?a?q?b?=\n"} {
		for _, end := range []string{"", ")", ">", `"`, "x"} {
			value := strings.Repeat(piece, effort.Pick(1<<20, 1<<18)/len(piece)) + end
			(&Layer{Source: ContentLocation, Value: value}).Bounds()
		}
	}
}

func TestCommentLen(t *testing.T) {
	for in, want := range map[string]int{
		"": 0, "a": 0, "()": 2, "(a) b": 3, "(a (b) c)d": 9,
		`(a\)b)c`: 6, `(\`: 0, "(a": 0, "((a)": 0, ")(": 0, `\()`: 0,
	} {
		if got := commentLen(in); got != want {
			t.Errorf("commentLen(%q) = %d, want %d", in, got, want)
		}
	}
}
