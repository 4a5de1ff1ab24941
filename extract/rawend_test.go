package extract

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"absolink/extract/internal/markup"
	"absolink/resolve"
	"absolink/testdata/effort"
)

// An edit moves the boundaries of tokens only by its own length. Two tokenizers check this: the one
// of this module, and the one of x/net/html, which also has the states of scripts (HTML 13.2.5.4 to
// 31).

// shifts map the offsets of a document to offsets after its edits, which are sorted.
type shifts []Edit

// start returns the new offset of a token that begins at p.
func (s shifts) start(p int) int { return s.moved(p, func(e Edit) bool { return e.Start < p }) }

// end returns the new offset of a token that ends at p.
func (s shifts) end(p int) int { return s.moved(p, func(e Edit) bool { return e.End <= p }) }

func (s shifts) moved(p int, before func(Edit) bool) int {
	out := p
	for _, e := range s {
		if !before(e) {
			break
		}
		out += len(e.New) - (e.End - e.Start)
	}
	return out
}

// tokensOf returns the tokens of the scanner as text, with offsets after edits.
func tokensOf(data []byte, s shifts) (list []string) {
	var scan markup.Scanner
	for scan.Reset(data); ; {
		kind := scan.Next()
		if kind == markup.EOF {
			return append(list, fmt.Sprint("end ", s.end(len(data))))
		}
		token := fmt.Sprint(kind, s.start(scan.Start), s.end(scan.End), scan.SelfClosing)
		switch kind {
		case markup.StartTag:
			token += fmt.Sprintf(" %s", data[scan.NameStart:scan.NameEnd])
			for _, a := range scan.EveryAttr() {
				end := a.End
				if a.Quote != 0 {
					end++
				}
				token += fmt.Sprintf(" %s %d to %d", data[a.NameStart:a.NameEnd],
					s.start(a.NameStart), s.end(max(end, a.NameEnd)))
			}
		case markup.RawText, markup.Comment, markup.CDATA:
			token += fmt.Sprint(" text ", s.start(scan.TextStart), s.end(scan.TextEnd))
		}
		list = append(list, token)
	}
}

// witnessOf returns the tokens of x/net/html as text, with offsets after edits if there are any. It
// adds the tokens of each srcdoc without offsets.
func witnessOf(data []byte, s shifts, depth int) (list []string) {
	z := html.NewTokenizer(bytes.NewReader(data))
	for at := 0; ; {
		kind := z.Next()
		if kind == html.ErrorToken {
			return list
		}
		end := at + len(z.Raw())
		token := kind.String()
		if depth == 0 {
			token += fmt.Sprint(" ", s.start(at), s.end(end))
		}
		at = end
		if kind == html.StartTagToken || kind == html.SelfClosingTagToken || kind == html.EndTagToken {
			name, more := z.TagName()
			token += " " + string(name)
			for frame := string(name) == "iframe"; more; {
				var key, value []byte
				key, value, more = z.TagAttr()
				token += " " + string(key)
				if frame && string(key) == "srcdoc" && depth < 3 {
					list = append(list, witnessOf(slices.Clone(value), nil, depth+1)...)
				}
			}
		}
		list = append(list, token)
	}
}

// firstOther returns the first line of a that differs from b, with the line of b, or "".
func firstOther(a, b []string) string {
	for i := range max(len(a), len(b)) {
		x, y := "nothing", "nothing"
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			return fmt.Sprintf("token %d is %s, want %s", i, y, x)
		}
	}
	return ""
}

// movedToken describes how edits change the tokens of a document outside the edits themselves, or
// returns "".
func movedToken(data []byte, edits []Edit) string {
	out := Apply(nil, data, edits)
	if other := firstOther(tokensOf(data, edits), tokensOf(out, nil)); other != "" {
		return other
	}
	return firstOther(witnessOf(data, edits, 0), witnessOf(out, nil, 0))
}

// scriptSeeds are scripts and data blocks that hide ends of the script.
var scriptSeeds = func() (list []string) {
	block := func(typ, text string) {
		list = append(list, "<script type="+typ+">"+text+"</script><i title=x></i></script><a href=y>")
	}
	for _, value := range []string{"/<!--<script>", "/<!--<SCRIPT ", "/<!--", "/x", "/-->",
		"/</script", "/<script>-->", "<!-->/a", "./<script/x", "/\\u003c!--<script>"} {
		for _, before := range []string{"", "<!--", "<!--<script>"} {
			for _, behind := range []string{"", "<script>", "-->", "</script>-->"} {
				note := func(s string) string { return `"` + s + `"` }
				block("importmap", `{"n":`+note(before)+`,"imports":{"b":`+note(value)+`},"m":`+note(behind)+`}`)
				block("application/ld+json", `{"n":`+note(before)+`,"url":`+note(value)+`,"m":`+note(behind)+`}`)
				block("speculationrules", `{"n":`+note(before)+`,"urls":[`+note(value)+`],"m":`+note(behind)+`}`)
				block("module", note(before)+";"+note(value)+";'/z';"+note(behind))
			}
		}
	}
	return list
}()

// FuzzTokens compares the tokens of the output with the tokens of the input, for ordinary edits and
// for hostile URIs in every place that holds them.
func FuzzTokens(f *testing.F) {
	for i, s := range seeds {
		f.Add([]byte(s), uint8(i), "http://e.test/<!--<script>-->")
	}
	for i := 0; i < len(scriptSeeds); i += 23 {
		f.Add([]byte(scriptSeeds[i]), uint8(i), "http://e.test/<!--<script>-->")
		f.Add([]byte(`<iframe srcdoc="`+html.EscapeString(scriptSeeds[i+1])+`">`), uint8(7), `"></script>`)
	}
	f.Fuzz(func(t *testing.T, data []byte, bits uint8, uri string) {
		r := Resolver{Fragments: bits&16 > 0, Normalize: bits&32 > 0}
		d := document(data, "utf-8", optionsOf(bits))
		if other := movedToken(data, r.Edits(nil, d)); other != "" {
			t.Fatalf("%q rewritten: %s", data, other)
		}
		var edits []Edit
		for l := range d.Refs() {
			if !l.Identifier && uri != "" && l.Holds([]byte(uri)) && !l.shape.Broken {
				edits = append(edits, l.Edit([]byte(uri)))
			}
		}
		slices.SortStableFunc(edits, Edit.Compare)
		if slices.ContainsFunc(d.Problems(), func(p Problem) bool { return p.Kind == SplitReference }) {
			return
		}
		if other := movedToken(data, edits); other != "" {
			t.Fatalf("%q with %q: %s", data, uri, other)
		}
	})
}

// A string of a script that decides where the script ends is unchanged and reported as unwritable.
// The other strings are rewritten.
func TestScriptEnds(t *testing.T) {
	const tail = `<svg onload=x></svg></script>`
	tests := []struct {
		name, in, want string
		unwritable     int
	}{
		{"an import map", `<script type=importmap>{"imports":{"a":"/c","b":"/<!--<script>"}}</script>` + tail,
			`<script type=importmap>{"imports":{"a":"http://example.test/c","b":"/<!--<script>"}}</script>` + tail, 1},
		{"in upper case", `<script type=importmap>{"imports":{"b":"/<!--<SCRIPT>"}}</SCRIPT>` + tail,
			`<script type=importmap>{"imports":{"b":"/<!--<SCRIPT>"}}</SCRIPT>` + tail, 1},
		{"the comment begins elsewhere", `<script>"<!--";"/a<script>";'/b'</script>` + tail,
			`<script>"<!--";"/a<script>";'http://example.test/b'</script>` + tail, 0},
		{"the end of a comment", `<script type=importmap>{"<!--<script>":"","imports":{"b":"/-->"}}</script>`,
			`<script type=importmap>{"<!--<script>":"","imports":{"b":"/-->"}}</script>`, 1},
		{"an end tag that ends nothing",
			`<script type=importmap>{"<!--<script>":"","imports":{"b":"/</script>"}}</script>` + tail,
			`<script type=importmap>{"<!--<script>":"","imports":{"b":"/</script>"}}</script>` + tail, 1},
		{"without a comment", `<script type=importmap>{"imports":{"b":"/<script>-->"}}</script>`,
			`<script type=importmap>{"imports":{"b":"http://example.test/%3Cscript%3E--%3E"}}</script>`, 0},
		{"escaped", `<script type=importmap>{"<!--":"","imports":{"b":"/\u003c!--\u003cscript>"}}</script>`,
			`<script type=importmap>{"<!--":"","imports":{"b":"http://example.test/%3C!--%3Cscript%3E"}}</script>`, 0},
		{"a srcdoc", `<iframe srcdoc='<script type=importmap>{"imports":{"b":"/<!--&lt;script>"}}</script>'>`,
			`<iframe srcdoc='<script type=importmap>{"imports":{"b":"/<!--&lt;script>"}}</script>'>`, 1},
		{"an attribute", `<p onclick="f('/<!--<script>.js')">`, `<p onclick="f('/<!--<script>.js')">`, 0},
		{"noscript for browsers that run scripts",
			`<noscript><a href="/</noscript><svg onload=x>"></noscript><a href="/</noscript>">`,
			`<noscript><a href="/</noscript><svg onload=x>"></noscript><a href="http://example.test/%3C/noscript%3E">`,
			1},
		{"a style in noscript", `<noscript><style>a{b:url("/</NOSCRIPT>")}</style></noscript>`,
			`<noscript><style>a{b:url("/</NOSCRIPT>")}</style></noscript>`, 1},
		{"a srcdoc in noscript", `<noscript><iframe srcdoc="<a href='/</noscript>'>"></noscript>`,
			`<noscript><iframe srcdoc="<a href='/</noscript>'>"></noscript>`, 1},
		{"a noscript that holds no end", `<noscript><img src="/a"><img src="/b"></noscript>`,
			`<noscript><img src="http://example.test/a"><img src="http://example.test/b"></noscript>`, 0},
	}
	for _, tt := range tests {
		d := document([]byte(tt.in), "utf-8", Options{Scripts: true, Lazy: true})
		if got := string(rewritten(d)); got != tt.want {
			t.Errorf("%s: got %s\nwant %s", tt.name, got, tt.want)
		}
		got, fixed := 0, 0
		var r Resolver
		for l := range r.Links(d) {
			if slices.Contains(l.Warnings, "unwritable") {
				got++
			}
			if l.Fixed() {
				fixed++
			}
		}
		if got != tt.unwritable || fixed != tt.unwritable {
			t.Errorf("%s: %d links are unwritable and %d fixed, want %d", tt.name, got, fixed, tt.unwritable)
		}
	}
}

// No way to hide an end of a script changes the tokens, under any rule set.
func TestScriptTokens(t *testing.T) {
	for i, s := range scriptSeeds {
		for j, rules := range []resolve.Rules{resolve.WHATWG, resolve.RFC3986, resolve.RFC2396} {
			if !effort.Whole() && (i+j)%3 > 0 {
				continue
			}
			r := Resolver{Normalize: true}
			r.Policy.Rules.Rules = rules
			d := document([]byte(s), "utf-8", Options{Scripts: true})
			if other := movedToken(d.Data, r.Edits(nil, d)); other != "" {
				t.Errorf("%s: %s", s, other)
			}
		}
	}
}

// RawEnds are the ends of all texts of raw text elements, also in documents inside.
func TestRawEnds(t *testing.T) {
	const in = `<title>a|</title><script>"<!--<script></script>"|</script><svg><style>x</style></svg>` +
		`<iframe srcdoc="&lt;style>b|</style><xmp></xmp>">c|</iframe><textarea>d|`
	var want []int
	for i := range in {
		if in[i] == '|' {
			want = append(want, i-len(want))
		}
	}
	d := document([]byte(strings.ReplaceAll(in, "|", "")), "utf-8")
	if got := d.RawEnds(); !slices.Equal(got, want) {
		t.Errorf("RawEnds of %s = %v, want %v", d.Data, got, want)
	}
	d.Reset()
	d.Format = HTML
	if got := d.RawEnds(); len(got) > 0 {
		t.Errorf("RawEnds of nothing = %v", got)
	}
}
