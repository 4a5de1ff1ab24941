package markup

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"absolink/testdata/chromium"
)

// Chromium judges tags in any order, where x/net departs from the standard. It parses each soup,
// whose start tags have numbers (markTags), and returns the element for each number.
var soups = flag.Int("soups", 500, "how many tag soups TestSoupsInChromium compares")

// soupWords are the words of soups besides treeWords.
var soupWords = strings.Split("<tr> </tr> </td> <tbody> </tbody> <caption> </caption> <th> </th> <h1> </h1> </h2> "+
	"<form> </form> <i> </i> <u> </u> <a> "+
	"<nobr> </nobr> <applet> </applet> <marquee> </marquee> <svg><desc> <math><mi> <svg><foreignObject> <xmp> </xmp> "+
	"<dd> </dd> <dt> <input> <hr> "+
	"<pre> </pre> <em> </em> <source> x <ol> </ol> <section> </section> <code> </code> <ruby> <rt> </ruby>", " ")

// soup returns a document of 3 to 24 words.
func soup(r *rand.Rand) []byte {
	var b []byte
	for n := 3 + r.IntN(22); n > 0; n-- {
		if k := r.IntN(len(treeWords) + len(soupWords)); k < len(treeWords) {
			b = append(b, treeWords[k]...)
		} else {
			b = append(b, soupWords[k-len(treeWords)]...)
		}
	}
	return b
}

// odd reports whether a soup is left out. Chromium departs from the standard if "</foreignObject>"
// is the end tag of an HTML element with that name. The scanner does not follow that a template
// drops content after a col.
func odd(soup []byte) bool {
	s := string(soup)
	return strings.Contains(s, "</foreignObject>") || strings.Contains(s, "<template>") && strings.Contains(s, "<col>")
}

// soupScript is an expression that maps documents to the elements of their trees: number, name,
// namespace and the number of templates around it. A number in a text is given as -2, an element
// without a number as -1.
const soupScript = `(docs => docs.map(text => {
	const list = []
	const walk = (parent, templates) => {
		for (const n of parent.childNodes) {
			if (n.nodeType == Node.ELEMENT_NODE) {
				const mark = n.getAttribute("` + mark + `")
				const space = ["http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML"].indexOf(n.namespaceURI)
				list.push({Number: mark === null ? -1 : +mark, Name: n.localName.toLowerCase(), Space: space, Templates: templates})
				if (n.content instanceof DocumentFragment) walk(n.content, templates + 1)
			} else if (n.nodeType != Node.DOCUMENT_TYPE_NODE && n.data.includes("` + mark + `")) {
				list.push({Number: -2, Name: n.data})
			}
			walk(n, templates)
		}
	}
	walk(new DOMParser().parseFromString(text, "text/html"), 0)
	return list
}))(%s)`

// soupElement is an element of a tree of Chromium.
type soupElement struct {
	Number, Templates int
	Name              string
	Space             Space
}

func TestSoupsInChromium(t *testing.T) {
	ctx := chromium.Start(t)
	r := rand.New(rand.NewPCG(1, 2))
	compared := 0
	for left := *soups; left > 0; left -= soupChunk {
		var marked []string
		var all [][]tag
		for range min(left, soupChunk) {
			if s := soup(r); !odd(s) {
				m, tags, _ := markTags(s)
				marked, all = append(marked, string(m)), append(all, tags)
			}
		}
		for i, elements := range parseSoups(ctx, t, marked) {
			if err := compareSoup(elements, all[i]); err != nil {
				t.Errorf("%s: %v", marked[i], err)
			}
			compared++
		}
	}
	t.Logf("%d of %d soups compared", compared, *soups)
	if compared < *soups/2 {
		t.Errorf("%d of %d soups compared, want half of them at least", compared, *soups)
	}
}

// soupChunk is the number of soups that Chromium gets at a time.
const soupChunk = 2000

func parseSoups(ctx context.Context, t *testing.T, docs []string) [][]soupElement {
	t.Helper()
	in, err := json.Marshal(docs)
	if err != nil {
		t.Fatal(err)
	}
	limited, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	trees, err := chromedp.Run(limited, chromedp.Evaluate[[][]soupElement](fmt.Sprintf(soupScript, in)))
	if err != nil || len(trees) != len(docs) {
		t.Fatalf("Chromium parsed %d of %d documents: %v", len(trees), len(docs), err)
	}
	return trees
}

// compareSoup compares the tags of a soup with the elements that Chromium made of them.
func compareSoup(elements []soupElement, tags []tag) error {
	for _, e := range elements {
		switch {
		case e.Number == -2:
			return fmt.Errorf("a start tag of the scanner is text in Chromium: %.200q", e.Name)
		case e.Number >= 0 && !tags[e.Number].seen && e.Name != "html" && e.Name != "body":
			if err := tags[e.Number].differs(e.Number, e.Name, e.Space, e.Templates); err != nil {
				return err
			}
		case e.Number < 0 && !(e.Space == HTML && mayBeImplied(e.Name)):
			return fmt.Errorf("<%s> of Chromium is no start tag of the scanner", e.Name)
		}
		if e.Number >= 0 {
			tags[e.Number].seen = true
		}
	}
	for i, t := range tags {
		if !t.seen && !mayBeDropped(t) {
			return fmt.Errorf("tag %d <%s> is not in Chromium's tree", i, t.name)
		}
	}
	return nil
}
