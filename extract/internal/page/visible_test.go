package page_test

import (
	"slices"
	"strings"
	"testing"

	"absolink/extract/internal/ref"
)

// visibleCases lists pages and the URLs that a reader sees in their text, as the bytes of the page.
var visibleCases = []struct {
	page string
	want []string
}{
	{`http://h/`, []string{"http://h/"}},
	{`<p>a http://h/x, b</p>`, []string{"http://h/x"}},
	{`<a href="http://h/1">http://h/2</a>http://h/3`, []string{"http://h/2", "http://h/3"}},
	{`<a>http://h/1</a><a>http://h/2</a>`, []string{"http://h/1", "http://h/2"}},
	{`<td>http://h/1<td>http://h/2<br>http://h/3<img src=x>http://h/4`,
		[]string{"http://h/1", "http://h/2", "http://h/3", "http://h/4"}},
	{`http://h/<b>x</b><i>y</I>.`, []string{"http://h/<b>x</b><i>y"}},
	{`http://h<wbr>.example/`, []string{"http://h<wbr>.example/"}},
	{`http://<!-- c -->h/`, []string{"http://<!-- c -->h/"}},
	{`http&#58;//h/?a&amp;b`, []string{"http&#58;//h/?a&amp;b"}},
	{`&lt;http://h/&gt;`, []string{"http://h/"}},
	{`<code>http://h/1</code>http://h/2<kbd>http://h/3</kbd>http://h/4<samp>http://h/5</samp>`,
		[]string{"http://h/2", "http://h/4"}},
	{`<code>a<CODE>b</code>http://h/1</Code>http://h/2</code>http://h/3`, []string{"http://h/2", "http://h/3"}},
	{`<code><b>http://h/1</b></code>`, nil},
	{`<code>http://h/1`, nil},
	{`<script>http://h/1</script><style>http://h/2</style><textarea>http://h/3</textarea><title>http://h/4</title>` +
		`<iframe>http://h/5</iframe><xmp>http://h/6</xmp><noembed>http://h/7</noembed>http://h/8`,
		[]string{"http://h/8"}},
	{`<plaintext>http://h/1`, nil},
	{`<svg><text>http://h/1</text><style>http://h/2</style></svg>http://h/3<math><mi>http://h/4</mi></math>`,
		[]string{"http://h/3"}},
	{`<!-- http://h/1 --><!doctype http://h/2><? http://h/3 ?></ http://h/4>`, nil},
	{`<p title="http://h/1">http://h/2<p title="`, []string{"http://h/2"}},
	{`http://h/1<span style="background:url(b)">http://h/2</span> http://h/3`, []string{"http://h/1<span style=\"" +
		"background:url(b)\">http://h/2", "http://h/3"}},
	{`www.h.example text mailto:a@h.example`, []string{"mailto:a@h.example"}},
	{`http://h/?a&copy=1`, []string{"http://h/?a"}},
	{`<i>http</i>://h/?a&copy=1`, []string{"http</i>://h/?a"}},
	{`<option>http://h/1</option><noscript>http://h/2</noscript>`, []string{"http://h/1", "http://h/2"}},
}

// visibleOf returns the bytes of the references in the text of a page, and those of all others.
func visibleOf(page string, on bool) (visible, others []string) {
	d := htmlDoc(page)
	d.Options.VisibleText = on
	at := 0
	for r := range d.Refs() {
		raw := page[r.Start:r.End]
		if inText(&r) {
			visible = append(visible, raw)
		} else {
			others = append(others, raw)
		}
		if r.Start < at {
			others = append(others, "out of order: "+raw)
		}
		at = r.Start
	}
	return visible, others
}

func inText(r *ref.Ref) bool {
	return r.Text && r.ListOnly && r.Element == "" && r.Attr == ""
}

func TestVisible(t *testing.T) {
	for _, test := range visibleCases {
		got, others := visibleOf(test.page, true)
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.page, got, test.want)
		}
		none, want := visibleOf(test.page, false)
		if len(none) > 0 || !slices.Equal(others, want) {
			t.Errorf("%s: without the option got %q and %q, with it %q", test.page, none, want, others)
		}
	}
}

// Without a scheme, hosts are read on request. Invalid bytes are noted, also in one of several
// pieces.
func TestVisibleOptions(t *testing.T) {
	d := htmlDoc("<p>www.h.example</p>")
	for _, hosts := range []bool{false, true} {
		d.Options.VisibleText, d.Options.BareHosts = true, hosts
		n := 0
		for range d.Refs() {
			n++
		}
		if (n == 1) != hosts {
			t.Errorf("BareHosts %t: %d references", hosts, n)
		}
	}
	for page, want := range map[string]bool{"http://h/": false, "\xff http://h/": true, "\xff <b>http://h/</b>": true,
		"http://h/<b>x</b> \xff": true, "<p>\xff<p>http://h/<b>x</b>": false} {
		d := htmlDoc(page)
		d.Options.VisibleText = true
		for r := range d.Refs() {
			if r.Broken != want {
				t.Errorf("%q: Broken is %t, want %t", page, r.Broken, want)
			}
		}
	}
}

// Whatever element is around a URL, its text is read unless it is code or raw text. The elements
// within a line do not end a URL.
func TestVisibleElements(t *testing.T) {
	never := strings.Fields("code kbd samp script style textarea title iframe xmp noembed noframes " +
		"plaintext svg math frameset")
	names := "a abbr acronym address article aside b bdi bdo big blockquote button caption center cite dd del " +
		"details dfn div dl dt em fieldset figcaption figure font footer form h1 h6 header i ins label legend " +
		"li main mark nav nobr ol option p pre q s section select small span strike strong sub summary sup " +
		"table tbody td tfoot th thead time tr tt u ul unknown x-custom noscript code kbd samp script style " +
		"textarea title iframe xmp noembed noframes plaintext svg math"
	for _, name := range strings.Fields(names) {
		for _, spelling := range []string{name, strings.ToUpper(name)} {
			page := "<" + spelling + " class=x>http://h/1</" + spelling + ">"
			got, _ := visibleOf(page, true)
			if want := !slices.Contains(never, name); want != (len(got) == 1) {
				t.Errorf("%s: got %q", page, got)
			}
		}
	}
}

// An edit in the text of a page, or of a page in it, is read back.
func TestVisibleEscapes(t *testing.T) {
	const uri = "https://new.example/?a&b<c"
	for _, page := range []string{"<p>http://h/1</p>", "<p>&lt;http://h/1&gt;", "x&amp http://h/1",
		`<iframe srcdoc="<p>http://h/1 &amp;amp; x</p>"></iframe>`, `<iframe srcdoc='&lt;b>http://h/1'>`} {
		d := htmlDoc(page)
		d.Options.VisibleText = true
		var edited string
		for r := range d.Refs() {
			if inText(&r) {
				edited = page[:r.Start] + string(r.Context.Append(nil, []byte(uri))) + page[r.End:]
			}
		}
		d = htmlDoc(edited)
		d.Options.VisibleText = true
		var got []string
		for r := range d.Refs() {
			if inText(&r) {
				got = append(got, string(r.Value))
			}
		}
		if want := []string{"https://new.example/?a&b%3Cc"}; !slices.Equal(got, want) {
			t.Errorf("%s: %s has %q, want %q", page, edited, got, want)
		}
	}
}
