package corpus

import (
	"fmt"
	"strings"
)

// Generated returns the URI and the text of page i of a generated site, which may have any size. A
// page has 5 to 24 links, and every tenth page has a BASE.
func Generated(i int) (uri, page string) {
	var b strings.Builder
	fmt.Fprintf(&b,
		"<!DOCTYPE html><html><head><title>Page %d</title><link rel=stylesheet href=/style.css></head><body>\n", i)
	if i%10 == 0 {
		b.WriteString("<base href=\"//other.example/deep/er/\">\n")
	}
	for j := range 5 + i%20 {
		fmt.Fprintf(&b,
			"<p>Paragraph %d of %d, with <a href=\"../%d/page-%d.html?a=b&amp;c=%d\">a link</a> and some text.\n",
			j, i, (i*7919+j)%1000, i*31%977+j, j)
	}
	return fmt.Sprintf("http://host-%d.example/%d/page.html", i%100, i), b.String()
}
