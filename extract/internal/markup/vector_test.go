package markup

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// Whatever stands in a tag, at whatever offset and however much of it: the scan that
// looks at 64 bytes at a time finds what the other one does.
func TestVector(t *testing.T) {
	long := strings.Repeat("long ", 30)
	for _, tag := range []string{
		`<a href="x">`, `<a href="">`, `<a href>`, `<a href=>`, `<a href=x>`, `<a href='x'>`, `<a HREF = "x">`, `<a href= "x">`, `<a href ="x">`,
		`<a class="b"href="x"src="y">`, `<a class="b" / href="x"/>`, `<a/href="x"/src="y"/>`, "<a\thref=\"x\"\nsrc=\"y\"\r\n>",
		`<a class=">" href="<a>">`, `<a class="'" href="'>">`, `<a class='"' href="x">`, `<a class=b"c href="x">`, `<a b=c="d>" href="x">`,
		`<a "href="x">`, `<a b" href="x">`, `<a ="b" href="x">`, `<a b=="c" href="x">`, `<a b==c href="x">`, `<a b="="href="x">`, `<a="b" href="x">`, `<a="b>" href="x">`, `<a="b >" href="x">`, `<a"b href="x">`, `<a"b>" href="x">`,
		`<a class="` + long + `" href="x">`, `<a href="` + long + `" src="y">`, `<a href="` + long + long + `">`, `<a ` + long + `href="x">`,
		`<a class=" href src " rel="/href / src >href">`, `<a class="` + long + `" href>`, `<a class="` + long + `"href src/href>`, `<a class="` + long + `"href="` + long + `">`,
		`<a ` + strings.Repeat(`src="y" `, 40) + `>`, `<a ` + strings.Repeat(`y="src" `, 40) + `href="x">`, `<a ` + strings.Repeat("href ", 40) + `>`,
		`<a ` + strings.Repeat(" ", 200) + `href="x">`, `<` + strings.Repeat("a", 70) + ` href="x">`, `<a ` + strings.Repeat("h", 70) + `="x">`,
		`<a b"="x" href="y" c"d>`, `<a=">" href="x">`, `<a 'b href="x">`, `<a b'c="d" href="x">`, `</a b="><a href=x>">`,
		`<a ` + strings.Repeat(`src="y" `, 200) + `>`, `<a href="&amp;">`, "<a href=\"\x00\">", "<a href=\"\r\">", "<a href=\"\u00e4\">", `<a class="` + long + `&amp;" href="x">`, `<a href="` + long + long + `&amp;">`,
		`</a>`, `</a >`, `</a/>`, `</a b=">">`, `</>`, `</1>`, `</ a>`, `</abcdefgh>`, `</template>`, `</a"b>`, `</a<b>`, `</a<base>`, `</a<a href="x">>`, `</a b='"'>`,
		`</a b="><a href="x">`, `</a b='><a href="x">'>`, `</a b c="> <a href='x'>">`, `</ <a href="x">`, `</a></a b="><a href=x>"></a>`, `</a` + strings.Repeat(" ", 50) + `b="><a href=x>">`,
		`</a` + strings.Repeat(" ", 150) + `b="><a href=x>">`, `</a` + strings.Repeat(" ", 150) + `>`, `</a` + strings.Repeat(" ", 150) + `<a href="x">`, `<noscript></noscript b="><a href=x>"><a href="x">`,
		`<a title="</a">b=<a href="x">`, `<a title="</b>` + long + `</b">="<a href="x">`,
		`<@ href="x">`, "<` href=\"x\">", `<[ href="x">`, `<{ href="x">`, `</@>`, "</`>", `</[>`, `</{>`, `<a class="b" href=x>` + long, `<a class="b" href='x'>` + long, `<a class="b" href>` + long, `<b title="<a href>">`, `<b title="<a href>" class="<base>"><b title="` + long + `<a href src>">`,
		`<base>`, `<base href="x">`, `<svg>`, `<style>a</style>`, `<script>a<a href="x">b</script>`, `<script>` + long + long + `</scripts></ script><!` + long + `</script>`, `<script>` + long + `<!--` + long + `<script>` + long + `</script>` + long + `--></script>`, `<title>` + long + `<` + long + `</TITLE >`, `<template>`, `<noscript>`, `<table>`, `<!-- <a href="x"> -->`, `<!a>`, `<?a>`, `<1>`, `<<a href="x">>`,
	} {
		for offset := range 64 {
			page := strings.Repeat(".", offset) + tag + `<b class="c"><a href="y">` + strings.Repeat(".", 2*vectorMargin)
			for _, cut := range []int{0, vectorMargin, 2 * vectorMargin, 2*vectorMargin + 20, 2*vectorMargin + 25 + len(tag)/2} {
				checkScan(t, []byte(page[:len(page)-cut]))
			}
		}
	}
}

// Quotes, '=' and what is not plain in values, at whatever place among the 64 bytes that
// are looked at, and at their end.
func TestVectorQuotes(t *testing.T) {
	for _, tail := range []string{
		`="b="`, `="="`, `="=" c="d="`, `=""`, `="" c=""`, `="b"c"`, `="b" c"d"`, `="b" c"`, `"b" c="d"`, `"`, `="b="c="d`, `="b" ="c"`, `="b"="c"`, `="b=">"`,
		`='b="'`, `=b="c"`, `= "b="`, `="b" / c="=`, `="b="/`, `="b="c`, `=">" c="="`, `="b" c="` + strings.Repeat("=", 130) + `"`,
		`="&"`, "=\"\x00\"", "=\"\r\"", "=\"\x80\"", "=\"\xff\"",
	} {
		for pad := range 130 {
			for _, tag := range []string{`<a ` + strings.Repeat("p", pad) + tail, `<a class="` + strings.Repeat("p", pad) + `" a` + tail} {
				page := tag + ` href="x">` + `<b class="c"><a href="y">` + strings.Repeat(".", 2*vectorMargin)
				checkScan(t, []byte(page))
				checkScan(t, []byte(page[:len(tag)+40]))
			}
		}
	}
}

// What is simple is not left to the slower rules, which find the same: skimVector reads it,
// where there are vectors.
func TestVectorReads(t *testing.T) {
	kind, tags := EOF, 1
	if !hasVector {
		kind, tags = StartTag, 0
	}
	long := strings.Repeat("long ", 30)
	for _, tag := range []string{
		`<a href="x">`, `<a href="">`, `<a href>`, `<A HREF="x">`, `<a class="b"href="x"/>`, "<a\thref=\"x\"\nsrc\f/\r>", `<a class=">" href="/">`, `<a class="'" href="'x'">`,
		`<a href="b=c">`, `<a href="=">`, `<a class="b=" href="c=">`, `<a class="b=c=" href="=d">`, `<a href="&amp;">`, `<a class="` + long + `" href="x">`, `<a href="` + long + long + `" src>`,
		`<a ` + strings.Repeat(`y="src" `, 40) + `href="x">`, `<a ` + strings.Repeat(`src="y=" `, 30) + `>`,
	} {
		for offset := range 64 {
			page := []byte("</b>" + strings.Repeat("&", offset) + `<b class="&">` + tag + strings.Repeat("&", 2*vectorMargin))
			eachWidth(func() {
				var r reads
				s := Scanner{Filter: NewFilter("href", "src"), Only: Set(StartTag)}
				s.Reset(page)
				s.Passer = &r
				if got := s.Next(); got != kind || r.tags != tags {
					t.Fatalf("scan of %q: token of kind %d, %d tags were shown, want %d and %d", page, got, r.tags, kind, tags)
				}
				if plain := !strings.ContainsAny(tag, "&\r"); hasVector && r.plain != plain {
					t.Fatalf("scan of %q: plain is %v, want %v", page, r.plain, plain)
				}
			})
		}
	}
}

// The end of raw text is looked for from "</" to "</", and to "<!" for that of scripts.
func TestRawEnd(t *testing.T) {
	const limit = 200
	for _, fill := range []string{".", "<", "/", "!", "<.", "a<"} {
		for _, mark := range []string{"</script>", "<!--<script></script>"} {
			for at := range limit + 1 {
				data := []byte(strings.Repeat(fill, limit+vectorMargin))[:limit+vectorMargin]
				copy(data[at:], mark)
				want := at
				if mark[1] == '!' {
					want = len(data) // its "</script>" ends the "<script>" in the comment
				}
				eachWidth(func() {
					s := Scanner{data: data, raw: script}
					if got := s.rawEnd(0, []byte("script")); got != want {
						t.Errorf("end of the script %q = %d, want %d", data, got, want)
					}
				})
				copy(data[at+len("</"):], strings.Repeat(fill, len(mark)))
				if hasVector {
					eachWidth(func() { checkSlashVector(t, data, at, limit) })
				}
			}
		}
	}
}

// checkSlashVector looks at what slashVector gives for data that has "</" or "<!" at an
// offset only.
func checkSlashVector(t *testing.T, data []byte, at, limit int) {
	t.Helper()
	for _, i := range []int{0, at / 2, at} {
		if got := slashVector(&data[0], i, limit); got != at {
			t.Errorf("slashVector(%q, %d, %d) = %d, want %d", data, i, limit, got, at)
		}
	}
	if got := slashVector(&data[0], at+1, limit); got <= limit || got > limit+64 {
		t.Errorf("slashVector(%q, %d, %d) = %d, want none up to %d", data, at+1, limit, got, limit)
	}
}

// reads lets all tags pass and notes how many it was shown, and whether the last one was plain.
type reads struct {
	tags  int
	plain bool
}

func (r *reads) Pass(tag *SimpleTag) bool {
	r.tags++
	r.plain = tag.Plain()
	return true
}

// shown holds what it is shown against the bytes of data, and lets nothing pass.
type shown struct {
	t      *testing.T
	data   []byte
	filter *Filter
}

func (s shown) Pass(tag *SimpleTag) bool {
	s.t.Helper()
	text := s.data[tag.NameStart-1 : tag.End]
	if tag.Plain() && (bytes.ContainsAny(text, "&\r\x00") || bytes.ContainsFunc(text, func(r rune) bool { return r >= 0x80 })) {
		s.t.Fatalf("scan of %q: the tag %q is taken for plain", s.data, text)
	}
	slow := Scanner{data: s.data, xml: true} // which keeps attributes of equal names
	end := slow.attributes(tagNameEnd(s.data, tag.NameStart), &s.filter.wish(s.data, tag.NameStart, tag.NameEnd).attrs)
	if end != tag.End || !slices.EqualFunc(slow.Attrs, tag.Attrs(), s.equal) {
		s.t.Fatalf("scan of %q: the tag %q has the attributes %+v, want %+v", s.data, text, tag.Attrs(), slow.Attrs)
	}
	return false
}

// equal reports whether two attributes stand at the same place.
func (s shown) equal(a Attr, b SimpleAttr) bool {
	start, end, ok := b.Value(s.data)
	if !ok {
		start, end = b.NameEnd, b.NameEnd
	}
	return a.NameStart == b.NameStart && a.NameEnd == b.NameEnd && a.Start == start && a.End == end && a.HasValue == ok
}
