package page_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"absolink/testdata/effort"
)

// The references of a tag do not depend on the tag before, however similar the two are.
func TestRepeat(t *testing.T) {
	tags := []string{
		`<a href="x">`, `<a href="yy">`, `<a href>`, `<a href=x>`, `<a href='x'>`, `<a HREF="x">`,
		`<A href="x">`, `<a href="&amp;x">`, "<a href=\"\u00e4\">", `<a href="javascript:x">`,
		`<a href="x" href="y">`, `<a href="x" ping="y z">`, `<a href="x" rel="nofollow">`,
		`<a href="x" rel="a&amp;amp;b">`, `<a href="x" rel="a&amp;b">`, `<a href="x" title="&amp;">`,
		"<a href=\"x\r\">", "<a href=\"\xff&amp;\">", "<a href=\"\x00&amp;\">", `<a href="?a&b&#38;c&copy=d&lt;">`,
		`<a href="&amp;x" style="&#117;rl(y)">`, `<a href="&amp;x" style="a">`,
		`<a href="x" rel="alternate">`, `<a rel="nofollow" href="x">`, `<a href="x" rel>`,
		`<a href="x" rel="http://example.test/y">`, `<a href="x" rel="nofollow" style="color:red">`,
		`<a href="x" style="color:red" rel="nofollow">`,
		`<link rel="stylesheet" href="x">`, `<link rel="canonical" href="x">`, `<link rel="icon" href="x" type="y">`,
		`<link href="x" rel="icon">`, `<link imagesrc="x">`, `<link imagesrcset="x">`,
		`<p style="color:red">`, `<p style="background:url(x)">`, `<p about="x">`,
		`<p typeof="x">`, `<p typeof="http://example.test/x">`, `<p resource="x">`,
		`<img src="x">`, `<img src="x" srcset="y 1x">`, `<img src="x" longdesc="y" lowsrc="z">`,
		`<img lowsrc="x" longdesc="y" src="z">`, `<img lowsrc="x" usemap="y" src="z">`,
		`<img src="x" lowsrc="y" longdesc="z">`, `<img src="x" dynsrc="y" longdesc="z">`,
		`<img src="x" srcsrc="y" longdesc="z">`, `<img lowsrc="x" src="y" longdesc="z" usemap="w" style="v" about="u">`,
		`<image src="x">`, `<imagefoo src="x">`, `<blockquote cite="x">`, `<blockquoth cite="x">`, `<q cite="x">`,
		`<meta content="x">`, `<meta name="a" content="x">`, `<meta name="twitter:url" content="x">`,
		`<meta name="twitter:u" content="x">`, `<meta name="refresh" content="1;url=x">`,
		`<meta http-equiv="refresh" content="1;url=x">`,
		`<meta property="og:title" content="x">`, `<meta property="og:image" content="x">`,
		`<meta property="http://example.test/" content="x">`, `<meta itemprop="x" content="y">`,
		`<meta itemprop="" content="y">`, `<meta itemprop="x" content="http://example.test/y">`,
		`<img src="x" data-src="y">`, `<img data-src="x" src="y">`,
		`<input type="image" src="x">`, `<input type="text" src="x">`,
		`<form action="x">`, `<button formaction="x">`, `<button formactioo="x">`, `<button formactionn="x">`,
		`<base href="x">`, `<object data="x">`, `<object data="x" codebase="y">`,
		`<del cite="x" itemid="y">`, `<ins cite="x" itemid="y">`,
		`<td background="x">`, `<td backgrounf="x">`, `<td background>`,
	}
	for _, elem := range strings.Fields("area audio body div embed frame h1 h2 h3 h4 h5 h6 hr html i ul ol li source " +
		"span sup track video") {
		tags = append(tags, "<"+elem+` href="1">`, "<"+elem+` src="2" cite="3">`, "<"+elem+` itemid="4">`)
	}
	alone := make(map[string][]string)
	for _, tag := range tags {
		alone[tag] = typed(t, tag)
	}
	for i, one := range tags {
		for j, two := range tags {
			if !effort.Whole() && max(i, j)-min(i, j) > 4 && (i+j)%5 > 0 {
				continue // the neighbors in the list are the most similar
			}
			want := slices.Concat(alone[one], alone[two], alone[one])
			if got := typed(t, one+two+one); !slices.Equal(got, want) {
				t.Fatalf("references of %s%s%s:\n%q, want\n%q", one, two, one, got, want)
			}
		}
	}
}

// The same holds for elements of many names.
func TestRepeatNames(t *testing.T) {
	for n := range effort.Pick(1000, 400) {
		elem := fmt.Sprintf("<x%d ", n)
		one, two := elem+`itemid="x" rel="nofollow">`, elem+`itemid="y">`
		want := slices.Concat(typed(t, one), typed(t, two))
		if got := typed(t, one+two); !slices.Equal(got, want) {
			t.Fatalf("references of %s%s:\n%q, want\n%q", one, two, got, want)
		}
	}
}

// typed returns the result of found for an HTML document, with the link types.
func typed(t *testing.T, data string) []string {
	t.Helper()
	list := found(t, data)
	n := 0
	for r := range htmlDoc(data).Refs() {
		list[n] += " rel " + r.Rel
		n++
	}
	return list
}

// Link types are equal if they are equal after decoding.
func TestRepeatCharset(t *testing.T) {
	data := `<a href="x" rel="` + "\xe4" + `"><a href="x" rel="ä">`
	want := []string{"ä", "Ã¤"}
	n := 0
	d := htmlDoc(data)
	d.Charset = "windows-1252"
	for r := range d.Refs() {
		if r.Rel != want[n] {
			t.Errorf("Rel = %q, want %q", r.Rel, want[n])
		}
		n++
	}
	if n != len(want) {
		t.Errorf("%d references, want %d", n, len(want))
	}
}
