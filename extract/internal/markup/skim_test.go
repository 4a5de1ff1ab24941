package markup

import (
	"strings"
	"testing"

	"absolink/testdata/effort"
)

// A scan that skips unwanted tags finds the same as a scan of everything, whatever a tag contains,
// at whatever offset and of whatever length.
func TestSkim(t *testing.T) {
	long := strings.Repeat("long ", 30)
	for _, tag := range []string{
		`<a href="x">`, `<a href="">`, `<a href>`, `<a href=>`, `<a href=x>`,
		`<a href='x'>`, `<a HREF = "x">`, `<a href= "x">`, `<a href ="x">`,
		`<a class="b"href="x"src="y">`, `<a class="b" / href="x"/>`,
		`<a/href="x"/src="y"/>`, "<a\thref=\"x\"\nsrc=\"y\"\r\n>",
		`<a class=">" href="<a>">`, `<a class="'" href="'>">`,
		`<a class='"' href="x">`, `<a class=b"c href="x">`, `<a b=c="d>" href="x">`,
		`<a "href="x">`, `<a b" href="x">`, `<a ="b" href="x">`, `<a b=="c" href="x">`, `<a b==c href="x">`,
		`<a b="="href="x">`, `<a="b" href="x">`, `<a="b>" href="x">`,
		`<a="b >" href="x">`, `<a"b href="x">`, `<a"b>" href="x">`,
		`<a class="` + long + `" href="x">`, `<a href="` + long +
			`" src="y">`, `<a href="` + long + long + `">`, `<a ` + long + `href="x">`,
		`<a class=" href src " rel="/href / src >href">`, `<a class="` + long + `" href>`, `<a class="` +
			long + `"href src/href>`, `<a class="` + long + `"href="` + long + `">`,
		`<a ` + strings.Repeat(`src="y" `, 40) + `>`, `<a ` + strings.Repeat(`y="src" `,
			40) + `href="x">`, `<a ` + strings.Repeat("href ", 40) + `>`,
		`<a ` + strings.Repeat(" ", 200) + `href="x">`, `<` + strings.Repeat("a",
			70) + ` href="x">`, `<a ` + strings.Repeat("h", 70) + `="x">`,
		`<a b"="x" href="y" c"d>`, `<a=">" href="x">`, `<a 'b href="x">`,
		`<a b'c="d" href="x">`, `</a b="><a href=x>">`,
		`<a ` + strings.Repeat(`src="y" `, 200) +
			`>`, `<a href="&amp;">`, "<a href=\"\x00\">", "<a href=\"\r\">", "<a href=\"\u00e4\">", `<a class="` +
			long + `&amp;" href="x">`, `<a href="` + long + long + `&amp;">`,
		`</a>`, `</a >`, `</a/>`, `</a b=">">`, `</>`, `</1>`, `</ a>`, `</abcdefgh>`,
		`</template>`, `</a"b>`, `</a<b>`, `</a<base>`, `</a<a href="x">>`, `</a b='"'>`,
		`</a b="><a href="x">`, `</a b='><a href="x">'>`, `</a b c="> <a href='x'>">`, `</ <a href="x">`,
		`</a></a b="><a href=x>"></a>`, `</a` + strings.Repeat(" ", 50) + `b="><a href=x>">`,
		`</a` + strings.Repeat(" ", 150) + `b="><a href=x>">`, `</a` + strings.Repeat(" ", 150) + `>`, `</a` +
			strings.Repeat(" ", 150) + `<a href="x">`, `<noscript></noscript b="><a href=x>"><a href="x">`,
		`<a title="</a">b=<a href="x">`, `<a title="</b>` + long + `</b">="<a href="x">`,
		`<@ href="x">`, "<` href=\"x\">", `<[ href="x">`, `<{ href="x">`, `</@>`, "</`>", `</[>`, `</{>`,
		`<a class="b" href=x>` + long, `<a class="b" href='x'>` + long, `<a class="b" href>` +
			long, `<b title="<a href>">`, `<b title="<a href>" class="<base>"><b title="` + long + `<a href src>">`,
		`<base>`, `<base href="x">`, `<svg>`, `<style>a</style>`, `<script>a<a href="x">b</script>`, `<script>` + long +
			long + `</scripts></ script><!` + long + `</script>`, `<script>` + long + `<!--` + long + `<script>` +
			long + `</script>` + long + `--></script>`, `<title>` + long + `<` + long +
			`</TITLE >`, `<template>`, `<noscript>`, `<table>`,
		`<!-- <a href="x"> -->`, `<!a>`, `<?a>`, `<1>`, `<<a href="x">>`,
	} {
		for offset := 0; offset < 32; offset += effort.Pick(1, 11) {
			page := strings.Repeat(".", offset) + tag + `<b class="c"><a href="y">` + strings.Repeat(".", 20)
			for _, cut := range []int{0, 20, 25 + len(tag)/2, 45 + len(tag)} {
				checkScan(t, []byte(page[:max(0, len(page)-cut)]))
			}
		}
	}
}

// The same for quotes, '=' and bytes in values that are not literal.
func TestSkimQuotes(t *testing.T) {
	for _, tail := range []string{
		`="b="`, `="="`, `="=" c="d="`, `=""`, `="" c=""`, `="b"c"`, `="b" c"d"`,
		`="b" c"`, `"b" c="d"`, `"`, `="b="c="d`, `="b" ="c"`, `="b"="c"`, `="b=">"`,
		`='b="'`, `=b="c"`, `= "b="`, `="b" / c="=`, `="b="/`, `="b="c`, `=">" c="="`, `="b" c="` +
			strings.Repeat("=", 130) + `"`,
		`="&"`, "=\"\x00\"", "=\"\r\"", "=\"\x80\"", "=\"\xff\"",
	} {
		for pad := 0; pad < 70; pad += effort.Pick(1, 9) {
			for _, tag := range []string{`<a ` + strings.Repeat("p", pad) + tail,
				`<a class="` + strings.Repeat("p", pad) + `" a` + tail} {
				page := tag + ` href="x">` + `<b class="c"><a href="y">` + strings.Repeat(".", 20)
				checkScan(t, []byte(page))
				checkScan(t, []byte(page[:len(tag)+40]))
			}
		}
	}
}

// A tag whose only wanted attribute is the one of Filter.Calls is found if it may contain a call.
func TestCalls(t *testing.T) {
	f := NewFilter("style", "href")
	f.Calls("style")
	for _, tt := range []struct {
		tag  string
		want bool
	}{
		{`<a style="b: c">`, false},
		{`<a STYLE='b: c'>`, false},
		{`<a style=b>`, false},
		{`<a style>`, false},
		{`<a style="b: c" class="url(d)">`, false},
		{`<a style="b: c" style="b: url(d)">`, false}, // the second attribute does not count
		{`<a style="b: url(d)">`, true},
		{`<a STYLE='b: url(d)'>`, true},
		{`<a style=b:url(d)>`, true},
		{`<a style="b: url&#40;d)">`, true},
		{`<a style="b: url(d)" style="b: c">`, true},
		{`<a style="b: c" href="">`, true},
		{`<a href="" style="b: c">`, true},
		{`<a href="b">`, true},
	} {
		s := Scanner{Filter: f, Only: Set(StartTag)}
		s.Reset([]byte(tt.tag))
		if got := s.Next() == StartTag; got != tt.want {
			t.Errorf("scan of %q finds the tag: %v, want %v", tt.tag, got, tt.want)
		}
	}
}

// A plain end tag is a short name alone. Any other end tag is read by the rules of the tree.
func TestPlainEndTag(t *testing.T) {
	for in, want := range map[string]int{
		"b>": 2, "H1>": 3, "section>": 8, "z>x": 2, "": -1, "b": -1, "b ": -1, "b >": -1, "b/>": -1, ">": -1, "1>": -1,
		"template>": -1, "a-b>": -1, "a\x00>": -1, "\u00e9>": -1,
	} {
		if got := plainEndTag([]byte(in), 0); got != want {
			t.Errorf("plainEndTag(%q) = %d, want %d", in, got, want)
		}
		if got := plainEndTag([]byte("</"+in), 2); want >= 0 && got != want+2 || want < 0 && got != want {
			t.Errorf("plainEndTag(%q, 2) = %d, want %d after the start", "</"+in, got, want)
		}
	}
}
