package page_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"absolink/extract/internal/page"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/readingtest"
	"absolink/extract/internal/text"
)

// AppendHrefs finds a BASE by its offset and returns all its href attributes.
func TestAppendHrefs(t *testing.T) {
	tests := []struct {
		data  string
		exact bool
		want  []string // of each base element
	}{
		{`<base href="x">`, false, []string{`href="x"`}},
		{`<base href='x' HREF=y/z target=_top hrefs=n><a href=n>`, false, []string{`href='x'|HREF=y/z`}},
		{`<base href="x" HREF="y">`, true, []string{`href="x"`}},
		{`<base/href=x><p><base target=_top/href=y>`, false, []string{`href=x`}},
		{"<base\thref \n=\f'a\" b'\n>", false, []string{"href \n=\f'a\" b'"}},
		{`<base href="x"href=y>`, false, []string{`href="x"|href=y`}},
		{`<base =href=n href=x>`, false, []string{`href=x`}},
		{`<base target href target=href=n>`, false, []string{`href`}},
		{`<base href=>`, false, []string{`href=`}},
		{`<base href = >`, false, []string{`href = `}},
		{`<base href=x"y'z>`, false, []string{`href=x"y'z`}},
		{`<base a="href=n" href=x><base href=y>`, false, []string{`href=x`, `href=y`}},
		{`<base href="é&amp;">`, false, []string{`href="é&amp;"`}},
	}
	for _, tt := range tests {
		for _, wide := range []bool{false, true} {
			d := htmlDoc(tt.data)
			if wide {
				d.Data = readingtest.UTF16(tt.data, true)
				d.Charset = ""
			}
			in, _ := d.Read()
			var got []string
			for i := range in.Bases {
				var spans []string
				for _, s := range page.AppendHrefs(nil, d.Text(), i, tt.exact) {
					raw := string(d.Data[s.Start:s.End])
					if wide {
						raw = narrow(raw)
					}
					spans = append(spans, raw)
				}
				got = append(got, strings.Join(spans, "|"))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("AppendHrefs of %q, UTF-16 %v: got %q, want %q", tt.data, wide, got, tt.want)
			}
		}
	}
}

// narrow decodes big-endian UTF-16 that holds only Latin-1.
func narrow(s string) string {
	var out []rune
	for i := 1; i < len(s); i += 2 {
		out = append(out, rune(s[i]))
	}
	return string(out)
}

// In XML a BASE in the same tag as the one before has no spans of its own.
func TestAppendHrefsOfOneTag(t *testing.T) {
	d := htmlDoc(`<base href="x"><base href="y">`)
	in, _ := d.Read()
	in.Bases[1].Tag = in.Bases[0].Tag
	first := []text.Span{{Start: 1, End: 2}}
	if got := page.AppendHrefs(first, d.Text(), 1, false); len(got) != 1 {
		t.Errorf("AppendHrefs of the second of one tag: got %v, want no more than %v", got, first)
	}
}

func TestBaseAt(t *testing.T) {
	d := htmlDoc(`<base href="x"><svg><base href="n"></svg><base href="y"><iframe srcdoc="<base href=n>"></iframe>`)
	in, _ := d.Read()
	for i := range d.Data {
		want := map[int]int{12: 0, 53: 1}
		n, isBase := want[i]
		if got, ok := page.BaseAt(in, i); ok != isBase || ok && got != n {
			t.Errorf("BaseAt(%d) = %d, %v, want %d, %v", i, got, ok, n, isBase)
		}
	}
}

// A BASE counts unless a frameset replaces the body that contains it.
func TestBaseInFrameset(t *testing.T) {
	for data, want := range map[string]string{
		`<base href="b/"><frameset><frame src=x>`:                           "b/",
		`<head></head><base href="b/"><frameset><frame src=x>`:              "b/",
		`<p><base href="b/"><frameset><frame src=x>`:                        "",
		`<head><base href="b/"></head><p><frameset><frame src=x>`:           "b/",
		`<p>text<base href="b/"><frameset><frame src=x>`:                    "b/",
		`<p><frameset><frame src=x>`:                                        "",
		`<p><base href="b/"><iframe srcdoc="<frameset><a href=x>"></frame>`: "b/",
	} {
		d := htmlDoc(data)
		in, _ := d.Read()
		got := ""
		if l := in.Layers.Get(d.Text().Own); l != nil {
			got = l.Value
		}
		if got != want {
			t.Errorf("base of %q is %q, want %q", data, got, want)
		}
	}
}

// A BASE counts only as an HTML element of the document itself.
func TestBaseThatDoesNotCount(t *testing.T) {
	const element = `<base href="b/">`
	for _, tt := range []struct{ around, want string }{
		{"%s", "b/"}, {"<p>%s", "b/"}, {"<svg><desc>%s</desc></svg>", "b/"}, {"<noscript>%s</noscript>", "b/"},
		{"<template>%s</template>", ""}, {"<template><p><template></template>%s</template>", ""},
		{"<svg>%s</svg>", ""}, {"<math>%s</math>", ""}, {"<!-- %s -->", ""}, {"<frameset>%s</frameset>", ""},
		{"<template><svg><desc>%s</desc></svg></template>", ""},
		{"<title>%s</title>", ""}, {"<script>%s</script>", ""}, {"<iframe srcdoc='%s'></iframe>", ""},
	} {
		d := htmlDoc(fmt.Sprintf(tt.around, element))
		d.Options.Comments = true
		in, _ := d.Read()
		got := ""
		if l := in.Layers.Get(d.Text().Own); l != nil {
			got = l.Value
		}
		if got != tt.want || (len(in.Bases) > 0) != (tt.want != "") {
			t.Errorf("base of %q is %q, of %d elements, want %q", d.Data, got, len(in.Bases), tt.want)
		}
	}
}

// The meta elements for robots are found where a base element would count.
func TestRobots(t *testing.T) {
	const robots = `<meta name=robots content=nofollow>`
	tests := []struct {
		name, data, robot string
		want              []string
	}{
		{"none", `<meta name=author content=a><meta content=b><meta name=robots>`, "", nil},
		{"one", robots, "", []string{"nofollow"}},
		{"any name", `<meta name="" content=x>`, "", nil},
		{"letter case, blanks", `<META NAME=" RoBots " CONTENT=" NoFollow ">`, "", []string{" NoFollow "}},
		{"references", `<meta name="rob&#111;ts" content="no&#x66;ollow">`, "", []string{"nofollow"}},
		{"two", robots + `<meta content=none name=robots>`, "", []string{"nofollow", "none"}},
		{"of another robot", `<meta name=GoogleBot content=x>`, "", nil},
		{"of the robot", `<meta name=GoogleBot content=x><meta name=otherbot content=y>` + robots,
			"googlebot", []string{"x", "nofollow"}},
		{"srcdoc", `<iframe srcdoc="` + robots + `"></iframe>`, "", nil},
		{"template", `<template>` + robots + `</template>`, "", nil},
		{"HTML in svg", `<svg><desc>` + robots + `</desc></svg>`, "", []string{"nofollow"}},
		{"comment", `<!-- ` + robots + ` -->`, "", nil},
		{"text", `<title>` + robots + `</title><script>` + robots + `</script>`, "", nil},
	}
	for _, tt := range tests {
		d := htmlDoc(tt.data)
		d.Options = reading.Options{Robot: tt.robot, Comments: true}
		if in, _ := d.Read(); !slices.Equal(in.Robots, tt.want) {
			t.Errorf("%s: robots of %q: got %q, want %q", tt.name, tt.data, in.Robots, tt.want)
		}
	}
}

// The ends of raw text are noted for all elements, also in documents inside.
func TestRawEnds(t *testing.T) {
	const data = `<title>a</title><style>b</style><iframe srcdoc="<script>c</script>"></iframe><xmp>d</xmp><p>e`
	var want []int
	for _, end := range []string{"</title", "</style", "</script", "</xmp"} {
		want = append(want, strings.Index(data, end))
	}
	d := htmlDoc(data)
	if in, _ := d.Read(); !slices.Equal(in.RawEnds, want) {
		t.Errorf("ends of raw text in %q: got %v, want %v", data, in.RawEnds, want)
	}
}

// Nested documents are read eight levels deep, and comments too.
func TestCommentsTooDeep(t *testing.T) {
	inner := "<a href=deep>"
	for range 8 {
		inner = `<iframe srcdoc="` + strings.NewReplacer("&", "&amp;", `"`, "&quot;").Replace(inner) + `"></iframe>`
	}
	for name, tt := range map[string]struct {
		data string
		want []string
	}{
		"a comment in the last srcdoc": {strings.Replace(inner, "<a href=deep>", "<!--<a href=n>-->", 1),
			[]string{"srcdoc-too-deep"}},
		"settings in the last srcdoc": {strings.Replace(inner, "<a href=deep>", `<!-- wp:a {} -->`, 1),
			[]string{"srcdoc-too-deep"}},
		"the last srcdoc": {inner, nil},
	} {
		d := htmlDoc(tt.data)
		d.Options = reading.Options{Comments: true}
		in, _ := d.Read()
		var got []string
		for _, p := range in.Problems {
			got = append(got, string(p.Kind))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: problems %q, want %q", name, got, tt.want)
		}
	}
}

// The noted shapes of references never change the result. No shape is noted in UTF-16 or if scripts
// are read.
func TestRepeatsChangeNothing(t *testing.T) {
	values := []string{`"x"`, `'x'`, "x", `"a&amp;b"`, `"é"`, `"é&amp;"`, `"a&b&#x26;c"`, `""`, `"&#0;"`}
	tags := []string{"<a href=%s>", "<a rel=next href=%s>", "<a href=%s rel=prev>", "<img src=%s>",
		"<img alt=y src=%s>", "<link rel=icon href=%s>", "<link rel=canonical href=%s>",
		"<q cite=%s>", "<form action=%s>",
		"<object classid=%s>", "<object data=%s codebase=c>", "<embed href=%s>", "<meta http-equiv=refresh content=%s>",
		"<noscript><a href=%s></noscript>", "<base href=%s>", "<template><a href=%s></template>",
		"<iframe srcdoc='<a href=&quot;y&quot;>' src=%s></iframe>", "<svg><a href=%s></svg>", "<p itemid=%s>"}
	var data strings.Builder
	for i := range 3 * len(tags) * len(values) {
		fmt.Fprintf(&data, tags[i*7%len(tags)], values[i*i%len(values)])
	}
	d := htmlDoc(data.String())
	var want []string
	for r := range d.Refs() {
		want = append(want, readingtest.Describe(r))
	}
	if len(want) < 400 {
		t.Fatalf("%d references, want more", len(want))
	}
	scripts := htmlDoc(data.String())
	scripts.Options = reading.Options{Scripts: true}
	n := 0
	for r := range scripts.Refs() {
		if got := readingtest.Describe(r); n < len(want) && got != want[n] {
			t.Fatalf("reference %d with scripts: %s, without %s", n, got, want[n])
		}
		n++
	}
	if n != len(want) {
		t.Errorf("%d references with scripts, %d without", n, len(want))
	}
}
