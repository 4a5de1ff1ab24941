package page_test

import (
	"slices"
	"strings"
	"testing"

	"absolink/extract/internal/page"
)

func TestGaps(t *testing.T) {
	// The "|" before a gap is not part of the text.
	for _, c := range []struct{ name, marked string }{
		{"two attributes", `<a| href="x y"| class=z>a b</a>`},
		{"single quotes and none", `<a| b='c d'|  e=f >`},
		{"blanks around the equals sign", `<a| b = "c"| d>`},
		{"an attribute twice", `<a| b=c| d=e| b=f>`},
		{"self-closing", `<br|	clear=all />`},
		{"a line end is none", "<a\nb=c| d=e>"},
		{"end tags have none", `</a b>`},
		{"comments", `<!-- <a b=c> --><a| b=c>`},
		{"script", `<script| src=x>"<a b=c>"</script ><a| b=c>`},
		{"script to the end", `<script>"<a b=c>"</scripture`},
		{"textarea in upper case", `<TEXTAREA><a b=c></textarea><a| b=c>`},
		{"comment to the end", `<!-- <a b=c>`},
		{"comments that end at once", `<!--><a| b=c><!---><a| b=c>`},
		{"comment that ends with a mark", `<!-- --!><a| b=c>`},
		{"declarations", `<!DOCTYPE "<a b=c><a| b=c><? <a b=c><a| b=c></ <a b=c><a| b=c>`},
		{"quote in an end tag", `</a x="><b c=d>"><a| b=c>`},
		{"end tag of another name", `<title>"</titles><a b=c></title><a| b=c>`},
		{"comment in a script", `<script><!-- <script> </script><a b=c>`},
		{"plaintext", `<a| b=c><plaintext></plaintext><a b=c>`},
		{"foreign content", `<a| b=c><svg| d=e><title><a b=c>`},
		{"select", `<select| a=b><xmp></select><a b=c>`},
		{"quote to the end", `<a b="c d=e>`},
		{"tag to the end", `<a b`},
		{"no tag", `1 < 2 <3 a`},
		{"a name that is no UTF-8", "<a\xff\xff\xff\xff"},
	} {
		var want []int
		for i := range c.marked {
			if c.marked[i] == '|' {
				want = append(want, i-len(want))
			}
		}
		data := strings.ReplaceAll(c.marked, "|", "")
		if got := page.Gaps([]byte(data)); !slices.Equal(got, want) {
			t.Errorf("%s: Gaps of %q = %v, want %v", c.name, data, got, want)
		}
	}
}
