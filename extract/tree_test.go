package extract

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"absolink/extract/internal/markup"
	"absolink/extract/internal/place"
)

// The tree that x/net/html builds is the judge of the changes by edits. They may change values of
// attributes that are places of the table, and the text of style sheets and of import maps. The
// rest of the tree must not change, unless a judge allows more.

// judge holds the additional changes that are allowed.
type judge struct {
	scripts  bool // text of scripts, with Options.Scripts
	comments bool // text of comments, with Options.Comments; of conditional ones in messages
	blocks   bool // text of data blocks that is only listed by default
}

// judgeOf returns the judge of edits with options.
func judgeOf(o Options) judge { return judge{scripts: o.Scripts, comments: o.Comments} }

// parsed returns the tree of a document as a browser without scripting builds it. It is nil if
// elements are nested too deep for the parser.
func parsed(data []byte) *html.Node {
	n, err := html.ParseWithOptions(bytes.NewReader(data), html.ParseOptionEnableScripting(false))
	if err != nil {
		return nil
	}
	return n
}

// changed describes the first place at which the trees of two documents differ in more than edits
// may change, or "". ok is false if the first document has no tree.
func (j judge) changed(before, after []byte) (where string, ok bool) {
	a := parsed(before)
	if a == nil {
		return "", false
	}
	b := parsed(after)
	if b == nil {
		return "elements nest deeper", true
	}
	return j.differ(a, b, false), true
}

// check is changed for documents that have a tree.
func (j judge) check(t *testing.T, name string, before, after []byte) {
	t.Helper()
	if where, ok := j.changed(before, after); !ok || where != "" {
		t.Errorf("%s: judged %v: %s", name, ok, where)
	}
}

// differ compares two nodes and the nodes below them. free means that text may change.
func (j judge) differ(a, b *html.Node, free bool) string {
	free = free && a.Type == html.TextNode || j.comments && a.Type == html.CommentNode
	switch {
	case a.Type != b.Type, a.Data != b.Data && !free, a.Namespace != b.Namespace, len(a.Attr) != len(b.Attr):
		return fmt.Sprintf("node %q %v became %q %v", a.Data, a.Attr, b.Data, b.Attr)
	}
	for i := range a.Attr {
		x, y := a.Attr[i], b.Attr[i]
		if x.Key != y.Key || x.Namespace != y.Namespace || x.Val != y.Val && !isPlace(a, x) {
			return fmt.Sprintf("attribute %v of %q became %v", x, a.Data, y)
		}
	}
	free = a.Type == html.ElementNode && (a.Data == "style" || a.Data == "script" && j.freeScript(a))
	x, y := a.FirstChild, b.FirstChild
	for ; x != nil && y != nil; x, y = x.NextSibling, y.NextSibling {
		if s := j.differ(x, y, free); s != "" {
			return s
		}
	}
	if x != nil || y != nil {
		return fmt.Sprintf("children of %q differ", a.Data)
	}
	return ""
}

// freeScript reports whether the text of a script element may change.
func (j judge) freeScript(n *html.Node) bool {
	for _, a := range n.Attr {
		if a.Key == "type" && a.Namespace == "" {
			switch strings.ToLower(strings.TrimSpace(a.Val)) {
			case "importmap", "application/json": // the latter in amp-analytics
				return true
			case "application/ld+json", "speculationrules":
				return j.blocks
			}
		}
	}
	return j.scripts
}

// isPlace reports whether the table has a row for an attribute of an element.
func isPlace(n *html.Node, a html.Attribute) bool {
	name := a.Key
	if a.Namespace != "" {
		name = a.Namespace + ":" + name
	}
	space := map[string]markup.Space{"": markup.HTML, "svg": markup.SVG, "math": markup.MathML}[n.Namespace]
	table := place.HTML()
	row, _ := table.Element(space, []byte(strings.ToLower(n.Data)))
	return table.Matrix[row][table.Attr([]byte(strings.ToLower(name)))] > 0
}
