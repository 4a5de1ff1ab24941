package dom

import (
	"io"
	"iter"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"

	"absolink/base"
	"absolink/extract"
	"absolink/extract/internal/escape"
	"absolink/extract/internal/text"
)

// Ref is one reference of a tree.
type Ref struct {
	Node       *html.Node   // the element that holds it; inside a srcdoc one of a tree of its own
	Frame      *html.Node   // the iframe of the caller's tree whose srcdoc holds Node, at whatever depth; nil outside of one
	Attr       string       // lower case, with its prefix, as xlink:href; "" for the text of a style element
	Value      string       // neither stripped nor resolved
	Kind       extract.Kind // what it is for
	Rel        string       // link types as written; "" if none
	Layer      *base.Layer  // what it is resolved against; nil = nothing
	Identifier bool         // names something, is no link
	ListOnly   bool         // extract leaves it as it is by default
	Form       bool         // a FORM action or formaction: empty stands for the document or its base

	holder  *holder
	span    text.Span // in the value that holds it
	context escape.Context
}

// Parse parses a page as absolink understands it, with scripting off. The input
// is UTF-8. The error is that of the reader, or that elements are nested deeper
// than golang.org/x/net/html allows.
func Parse(r io.Reader) (*goquery.Document, error) {
	root, err := html.ParseWithOptions(r, html.ParseOptionEnableScripting(false))
	if err != nil {
		return nil, err
	}
	return goquery.NewDocumentFromNode(root), nil
}

// Refs yields the references of the tree below and including root in the order of
// the tree. outer are the layers around the document. The tree must not change
// meanwhile.
func Refs(root *html.Node, outer *base.Layer) iter.Seq[Ref] {
	return func(yield func(Ref) bool) {
		w := newWalker(root, outer, yield)
		w.walk(root, func(*html.Node) bool { return true })
	}
}

// Selection yields the references of the elements that are selected and of all
// that is inside them, each once, in the order of the tree. Their base is that of
// the whole document that the first of them belongs to.
func Selection(sel *goquery.Selection, outer *base.Layer) iter.Seq[Ref] {
	return func(yield func(Ref) bool) {
		if len(sel.Nodes) == 0 {
			return
		}
		selected := make(map[*html.Node]bool, len(sel.Nodes))
		for _, n := range sel.Nodes {
			selected[n] = true
		}
		root := rootOf(sel.Nodes[0])
		w := newWalker(root, outer, yield)
		w.walk(root, func(n *html.Node) bool { return selected[n] })
	}
}

// Base returns the element that gives the document its base: the first base
// element with an href in the order of the tree, outside templates and foreign
// content. It is nil where there is none.
func Base(root *html.Node) *html.Node {
	for n := root; n != nil; n = next(n, root, isTemplate(n)) {
		if isBase(n) {
			return n
		}
	}
	return nil
}

// Layer returns the layers of the document: its base element, if there is one,
// around it outer.
func Layer(root *html.Node, outer *base.Layer) *base.Layer {
	n := Base(root)
	if n == nil {
		return outer
	}
	return &base.Layer{Source: base.BaseElement, Value: attribute(n, "href"), Outer: outer}
}

func isBase(n *html.Node) bool {
	return n.Type == html.ElementNode && n.Namespace == "" && n.Data == "base" && hasAttribute(n, "href")
}

func isTemplate(n *html.Node) bool {
	return n.Type == html.ElementNode && n.Namespace == "" && n.Data == "template"
}

// rootOf returns the top of the tree of n.
func rootOf(n *html.Node) *html.Node {
	for n.Parent != nil {
		n = n.Parent
	}
	return n
}

// next returns the node after n in the order of the tree below root, without
// those inside n if skip is set; nil at the end.
func next(n, root *html.Node, skip bool) *html.Node {
	if n.FirstChild != nil && !skip {
		return n.FirstChild
	}
	for ; n != nil && n != root; n = n.Parent {
		if n.NextSibling != nil {
			return n.NextSibling
		}
	}
	return nil
}

// nameOf returns the name of an attribute as it is written, in lower case.
func nameOf(a html.Attribute) string {
	if a.Namespace != "" {
		return lower(a.Namespace + ":" + a.Key)
	}
	return lower(a.Key)
}

func lookup(n *html.Node, name string) (value string, ok bool) {
	for _, a := range n.Attr {
		if nameOf(a) == name {
			return a.Val, true
		}
	}
	return "", false
}

func attribute(n *html.Node, name string) string {
	value, _ := lookup(n, name)
	return value
}

func hasAttribute(n *html.Node, name string) bool {
	_, ok := lookup(n, name)
	return ok
}

// lower folds ASCII letters, as names of HTML are folded.
func lower(s string) string {
	if !strings.ContainsFunc(s, func(c rune) bool { return 'A' <= c && c <= 'Z' }) {
		return s
	}
	return string(text.AppendLower(nil, []byte(s)))
}
