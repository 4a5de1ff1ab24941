package markup

import (
	"fmt"
	"strings"
	"testing"

	"absolink/testdata/effort"
)

// These inputs would take minutes if any step read the bytes after it twice.
func TestHostile(t *testing.T) {
	n := effort.Pick(100_000, 5000)
	var distinct, bold strings.Builder
	for i := range n {
		fmt.Fprintf(&distinct, " a%d=%[1]d", i)
		fmt.Fprintf(&bold, "<b a=%d>", i)
	}
	for _, c := range []struct {
		name, src string
		tokens    int
		attrs     int // of the first start tag
	}{
		{"attributes", "<a" + distinct.String() + ">", 1, n},
		{"attributes twice", "<a" + distinct.String() + strings.ToUpper(distinct.String()) + ">", 1, n},
		{"equal attributes", "<a" + strings.Repeat(" b=1", n) + ">", 1, 1},
		{"nesting", strings.Repeat("<div>", n) + strings.Repeat("</div>", n), 2 * n, 0},
		{"nesting in SVG", strings.Repeat("<svg>", n) + strings.Repeat("</x>", n), 2 * n, 0},
		{"nesting of integration points", strings.Repeat("<svg><desc><i>", n) + strings.Repeat("</desc>", n), 4 * n, 0},
		{"end tags that ask for what is open outside", strings.Repeat("<svg><g></i>", n), 3 * n, 0},
		{"formatting elements that are made again",
			"<svg></i></svg>" + strings.Repeat("<p><b><i>x</p>", n), 4*n + 3, 0},
		{"formatting elements that are adopted",
			"<svg><desc>" + strings.Repeat("<b><div><i>", n) + strings.Repeat("</b>", n), 4*n + 2, 0},
		{"formatting elements that all differ",
			"<svg></i></svg><p>" + bold.String() + strings.Repeat("x</p><p>", n), 3*n + 4, 0},
		{"formatting elements below too many",
			"<svg></i></svg>" + strings.Repeat("<div>", 510) + "<p>" +
				bold.String() + strings.Repeat("x</p><p>", n), 3*n + 514, 0},
		{"formatting elements that are closed by one",
			"<svg></i></svg>" + bold.String() + "<div>" + strings.Repeat("</b>x", n), 2*n + 4, 0},
		{"parts of tables", "<svg></td></svg>" + strings.Repeat("<table><td>", n) + strings.Repeat("</tbody>", n),
			3*n + 3, 0},
		{"framesets", strings.Repeat("<frameset>x", n), n, 0},
		{"framesets that count never", "<br>" + strings.Repeat("<frameset>", n), n + 1, 0},
		{"fonts in SVG", "<svg>" + strings.Repeat("<font a=1 b=2 c=3>", n), n + 1, 0},
		{"templates", strings.Repeat("<template>", n) + strings.Repeat("</template>", n), 2 * n, 0},
		{"openings of comments", "<!--" + strings.Repeat("<!--", n), 1, 0},
		{"dashes", "<!--" + strings.Repeat("--!", n), 1, 0},
		{"less-than signs", strings.Repeat("<", n), 0, 0},
		{"quotes that never end", strings.Repeat("<a b='", n), 0, 0},
		{"raw text end tags", "<style>" + strings.Repeat("</styl", n), 2, 0},
		{"script escapes", "<script>" + strings.Repeat("<!--<script>", n), 2, 0},
		{"script escapes that end", "<script>" + strings.Repeat("<!--<script></script>-->", n), 2, 0},
		{"escaped scripts before one far end of the escape",
			strings.Repeat("<script><!--</script>", n) + "-->", 3 * n, 0},
		{"escaped scripts without an end of the escape", strings.Repeat("<script><!--</script>", n), 3 * n, 0},
		{"CDATA openings", "<svg>" + strings.Repeat("<![CDATA[", n), 2, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var s Scanner
			tokens, attrs := 0, -1
			s.Reset([]byte(c.src))
			for kind := s.Next(); kind != EOF; kind = s.Next() {
				tokens++
				if attrs < 0 && kind == StartTag {
					attrs = len(s.Attrs)
				}
			}
			if tokens != c.tokens || max(attrs, 0) != c.attrs {
				t.Errorf("scan: %d tokens, the first with %d attributes, want %d and %d",
					tokens, attrs, c.tokens, c.attrs)
			}
			if len(s.stack) > maxDepth {
				t.Errorf("scan: stack of %d elements, want %d at most", len(s.stack), maxDepth)
			}
		})
	}
}

// The search for the end of a raw reference, comment or quote is done only once for each.
func TestHostileReferences(t *testing.T) {
	src := strings.Repeat("&", 100_000) + strings.Repeat("&#", 100_000) +
		"&#" + strings.Repeat("9", 100_000) + "&" + strings.Repeat("a", 100_000)
	got := AppendUnescaped(nil, []byte(src), true)
	if want := len(src) - 100_002 + len("\uFFFD"); len(got) != want {
		t.Errorf("AppendUnescaped of %d bytes gives %d, want %d", len(src), len(got), want)
	}
}

func TestReuse(t *testing.T) {
	var s Scanner
	dump(&s, "<svg><desc><template><noscript><style>a")
	got := dump(&s, "<title><a></title><base>")
	want := []string{"title", `raw title "<a>"`, "/title", "base"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("scan after Reset:\n got %q\nwant %q", got, want)
	}
	if kind := s.Next(); kind != EOF {
		t.Errorf("Next after the end = %d, want EOF", kind)
	}
}

func TestFilters(t *testing.T) {
	src := `<!--x--><a class=b HREF=c><p><base><img alt=d src=e><style>f</style></p>`
	for _, c := range []struct {
		name string
		s    Scanner
		want []string
	}{
		{"wanted attributes", Scanner{Filter: filter(NewFilter("href", "src")), Only: Set(StartTag)},
			[]string{"a HREF=c", "p", "base", "img src=e", "style"}},
		{"tags with wanted attributes", Scanner{Filter: NewFilter("href", "src"), Only: Set(StartTag)},
			[]string{"a HREF=c", "img src=e"}},
		{"and one tag more", Scanner{Filter: filter(NewFilter("href", "src"), "base"), Only: Set(StartTag, RawText)},
			[]string{"a HREF=c", "base", "img src=e", `raw style "f"`}},
		{"attributes by element", Scanner{Filter: byElement(), Only: Set(StartTag, RawText)},
			[]string{"a HREF=c", "img alt=d", `raw style "f"`}},
		{"end tags", Scanner{Only: Set(EndTag)}, []string{"/style", "/p"}},
		{"comments", Scanner{Only: Set(Comment)}, []string{`comment "x"`}},
	} {
		if got := dump(&c.s, src); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: scan of %q:\n got %q\nwant %q", c.name, src, got, c.want)
		}
	}
}

// filter adds tags to f, or all tags if tags is empty.
func filter(f *Filter, tags ...string) *Filter {
	f.Tags(tags...)
	return f
}

// byElement is a filter that wants different attributes of each element.
func byElement() *Filter {
	f := NewFilter("style")
	f.Attrs("a", "href")
	f.Attrs("img", "alt")
	f.Attrs("frameset", "src")
	f.Foreign("class")
	return f
}

func TestNames(t *testing.T) {
	n := newNames("href", "xlink:href", strings.Repeat("z", 70))
	for name, want := range map[string]bool{
		"href": true, "HREF": true, "hrEF": true, "hxxf": true, "hrex": false, "src": false, "href2": false, "": false,
		"XLINK:href": true, strings.Repeat("z", 70): true, strings.Repeat("z",
			69): false, strings.Repeat("Z", 70): true,
	} {
		if got := n.Has([]byte(name)); got != want {
			t.Errorf("Has(%q) = %v, want %v", name, got, want)
		}
	}
	n = newNames("on*")
	for name, want := range map[string]bool{"on": true, "onX": true,
		"on" + strings.Repeat("x", 70): true, "xon": false} {
		if got := n.Has([]byte(name)); got != want {
			t.Errorf("on*: Has(%q) = %v, want %v", name, got, want)
		}
	}
	if !(*Names)(nil).Has([]byte("x")) {
		t.Error("a nil set has not every name")
	}
}

func TestRest(t *testing.T) {
	for src, want := range map[string]int{"": 0, "a<b>c": 5, "a<b>c<d e": 5, "a</b": 1, "a<": 2, "a</": 3} {
		var s Scanner
		s.Reset([]byte(src))
		for s.Next() != EOF {
		}
		if s.Start != want || s.End != len(src) {
			t.Errorf("EOF of %q at [%d:%d], want [%d:%d]", src, s.Start, s.End, want, len(src))
		}
	}
}
