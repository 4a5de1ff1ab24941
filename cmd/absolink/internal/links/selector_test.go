package links

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"

	"absolink/testdata/effort"
)

// pageOf parses a page.
func pageOf(t *testing.T, text string) *goquery.Document {
	t.Helper()
	root, err := html.ParseWithOptions(strings.NewReader(text), html.ParseOptionEnableScripting(false))
	if err != nil {
		t.Fatal(err)
	}
	return goquery.NewDocumentFromNode(root)
}

// Selectors match the same elements as in cascadia, in pages of any shape.
func TestSelectorLikeCascadia(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	var page func(depth int) string
	page = func(depth int) string {
		var b strings.Builder
		for range random.IntN(5) {
			name := pick("b", "i", "p", "div", "span", "ul")
			fmt.Fprintf(&b, "<%s%s>", name, pick("", "", " class=x", " id=y", " title='a ~ b'", " data-b=1"))
			if depth < 6 {
				b.WriteString(page(depth + 1))
			}
			b.WriteString(pick("", "text", "<!-- c -->", "") + "</" + name + ">" + pick("", " ", "<!---->"))
		}
		return b.String()
	}
	compound := func() string {
		return pick("b", "i", "p", "*", "div", ".x", "#y", "[title]", "[title='a ~ b']", `[title="a, b"]`,
			"b.x", "span:first-child", "b:nth-child(2n + 1)", "i:nth-last-of-type(2)", ":not(b)", ":not(b, i)",
			"p:has(b)", ":not(p > b)", ":not(b ~ i)", "div:has(b + i)", "p:contains('text')", "p:only-child", ":empty",
			"b:last-of-type", ":nth-of-type(odd)", ":root", `\62`, `\62 .x`, `b\.x`, `\000062:first-child`, `[data-b]`,
			"ul:not(:first-child)", ":not(:nth-child(2), b)", ":not(:not(b > i))", ":NOT(.x):First-Child",
			"b:first-child.x", ":nth-child(-n+2)", ":nth-last-child(3n-1)", ":haschild(b)",
			":nth-child(0)", ":not([title='a ~ b'])", "p:only-of-type:not(.x)[title]")
	}
	for range effort.Pick(1500, 150) {
		doc := pageOf(t, page(0))
		var list []string
		for range 1 + random.IntN(2) {
			text := compound()
			for range random.IntN(4) {
				text += pick(" ", " > ", "+", " ~ ", "~", "/**/>", " /* , */ ", ">") + compound()
			}
			list = append(list, text)
		}
		text := strings.Join(list, pick(",", ", ", " , "))
		want, err := cascadia.ParseGroup(text)
		s, failed := parseSelector(text)
		if (err == nil) != (failed == nil) {
			t.Fatalf("parseSelector(%q): got error %v, want %v", text, failed, err)
		}
		if err != nil {
			continue
		}
		selecting := 0
		for i := range s.chains {
			if s.chains[i].selects {
				selecting++
			}
		}
		if selecting != len(list) {
			t.Errorf("%q is cut into %d selectors, want %d", text, selecting, len(list))
		}
		var expected []*html.Node
		for n := range doc.Nodes[0].Descendants() {
			if n.Type == html.ElementNode && want.Match(n) {
				expected = append(expected, n)
			}
		}
		m := s.newMatching()
		if got := doc.FindMatcher(m).Nodes; !slices.Equal(got, expected) || m.exceeded() {
			out, _ := doc.Html()
			t.Fatalf("%q in %s: got %d elements, want %d", text, out, len(got), len(expected))
		}
	}
}

// A list that cannot be cut is matched as a whole, for example because of an expression or of many
// compounds.
func TestSelectorUncut(t *testing.T) {
	doc := pageOf(t, "<p title=\"it's\"><b>x</b> <i>y</i></p>"+strings.Repeat("<div>", 70)+"<b>z</b>")
	for text, want := range map[string]int{
		"[title#=(it's ?)]":                             1,
		"p:matches(x ?y), b":                            3,
		strings.Repeat("div ", 63) + "b":                1,
		strings.Repeat("div > ", 62) + "div > b":        1,
		strings.Repeat("b, ", maxChains-1) + "b":        2,
		strings.Repeat("p > ", 2) + "b":                 0,
		":not(" + strings.Repeat("div ", 10) + "b) ~ i": 1,
		"*|* > b": 2,
	} {
		s, err := parseSelector(text)
		if err != nil {
			t.Errorf("%.100s: %v", text, err)
			continue
		}
		m := s.newMatching()
		if got := doc.FindMatcher(m).Length(); got != want || m.exceeded() {
			t.Errorf("%.100s: got %d elements, exceeded %v, want %d", text, got, m.exceeded(), want)
		}
	}
	for _, text := range []string{"", "a[", "a >", "> a", "a,,b", "a:nth-child(x)", "a::before"} {
		if _, err := parseSelector(text); err == nil {
			t.Errorf("%q: got no error", text)
		}
	}
	for text, want := range map[string]string{strings.Repeat("b, ", maxChains) +
		"b": "it has more than 2000 selectors", strings.Repeat("b ",
		maxCompounds) + "b": "one selector has more than 64 parts"} {
		if _, err := parseSelector(text); err == nil || err.Error() != want {
			t.Errorf("%.20s…: got error %v, want %s", text, err, want)
		}
		if err := new(Choice).SetSelector(text); err == nil || !strings.HasSuffix(err.Error(), "is too large: "+want) {
			t.Errorf("SetSelector(%.20s…): got error %v, want … is too large: %s", text, err, want)
		}
	}
}

// In a page with very many siblings or very deep nesting, a selector either matches quickly or is
// reported as too slow. Combinators are never too slow.
func TestSelectorWork(t *testing.T) {
	n := effort.Pick(50_000, 8_000)
	towers := effort.Pick(200, 50)
	wide := pageOf(t, strings.Repeat("<b></b>", n)+"<i></i>"+strings.Repeat("<b></b><!-- c -->", n)+"<i></i>")
	tower := strings.Repeat("<div>", 400) + "<b>text</b>" + strings.Repeat("</div>", 400)
	deep := pageOf(t, strings.Repeat(tower, towers))
	few := effort.Pick(towers, 10)
	narrow := pageOf(t, strings.Repeat(tower, few)) // the selectors that look into each element take long
	for _, tt := range []struct {
		name, text string
		doc        *goquery.Document
		want       int // -1 if the selector takes too long
	}{
		{"wide", "b ~ i", wide, 2},
		{"wide", "b ~ b", wide, 2*n - 1},
		{"wide", "b ~ b ~ i", wide, 2},
		{"wide", "p ~ b ~ i", wide, 0},
		{"wide", "p ~ b ~ b ~ b ~ i", wide, 0},
		{"wide", "i + b", wide, 1},
		{"wide", "body b ~ i ~ i", wide, 1},
		{"wide", "b:nth-of-type(2n)", wide, n},
		{"wide", "b:nth-child(2n)", wide, n},
		{"wide", "b:nth-last-child(3)", wide, 1},
		{"wide", "b:nth-last-of-type(2n+1)", wide, n},
		{"wide", "b:only-of-type", wide, 0},
		{"wide", "i:not(b ~ i)", wide, 0},
		{"wide", "b:not(b ~ b)", wide, 1},
		{"wide", "b:not(:nth-child(2n)) ~ i:not(:first-child)", wide, 2},
		{"wide", "body:has(i)", wide, 1},
		{"wide", "body:has(p ~ b ~ i)", wide, -1},
		{"wide", "b:has(x)", wide, 0},
		{"wide", "body:has(b:nth-child(2n))", wide, -1},
		{"deep", "div div div b", deep, towers},
		{"deep", "p div div div b", deep, 0},
		{"narrow", "div:contains(none)", narrow, 0},
		{"narrow", "div:has(b)", narrow, 400 * few},
		{"deep", "div:has(div b)", deep, -1},
	} {
		s, err := parseSelector(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		m := s.newMatching()
		got := tt.doc.FindMatcher(m).Length()
		if m.exceeded() {
			got = -1
		}
		took := time.Since(began)
		if got != tt.want || took > 15*time.Second {
			t.Errorf("%s, %q: got %d elements in %v (work %.0f), want %d", tt.name, tt.text, got, took, m.work, tt.want)
		}
		t.Logf("%s, %q: %d in %v, work %.0f", tt.name, tt.text, got, took, m.work)
	}
}

// The cost of a pseudo-class counts the combinators of its argument, but not the + of a formula.
func TestSelectorCost(t *testing.T) {
	for text, want := range map[string]cost{
		":lang(en)":                       {ancestorSteps: 1},
		":has(b ~ i + u)":                 {visitsDescendants: true, siblingSteps: 2},
		":has(b i, p > u)":                {visitsDescendants: true, ancestorSteps: 1},
		":has(b:not(.x) i ~ u)":           {visitsDescendants: true, siblingSteps: 1, ancestorSteps: 1},
		":has(b:nth-child(2n+1))":         {visitsDescendants: true, visitsSiblings: true},
		":has(b:nth-child(2n+1) ~ i ~ u)": {visitsDescendants: true, visitsSiblings: true, siblingSteps: 2},
		":has(b:nth-child(2n) i, p + b u)": {visitsDescendants: true, visitsSiblings: true, siblingSteps: 1,
			ancestorSteps: 2},
	} {
		if got := costOf(text); got != want {
			t.Errorf("costOf(%q) = %+v, want %+v", text, got, want)
		}
	}
}
