package dom

import (
	"io"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"

	"absolink/base"
	"absolink/extract"
	"absolink/extract/internal/escape"
	"absolink/extract/internal/text"
)

// Ref is one reference of a tree. It is valid as long as only [Ref.Set] changes the attribute or
// text that holds it.
type Ref struct {
	Node *html.Node // the element that holds it; inside a srcdoc an element of a separate tree
	// the iframe of the caller's tree whose srcdoc contains Node, at any depth, or nil
	Frame      *html.Node
	Attr       string       // in lower case, with its prefix, as in xlink:href; "" for the text of a style element
	Value      string       // neither stripped nor resolved
	Kind       extract.Kind // its purpose
	Rel        string       // link types as written, or ""
	Layer      *base.Layer  // the layers of its base; nil if it has no base
	Identifier bool         // names something, and is not a link
	ListOnly   bool         // extract does not rewrite it by default
	Form       bool         // a FORM action or formaction: an empty value means the document or its base

	holder  *holder
	span    text.Span // in the value that holds it
	context escape.Context
}

// holder is the attribute value or text of an element that holds references.
type holder struct {
	node  *html.Node
	attr  string // "" for the text
	value string // the value when the references were found
	edits []extract.Edit
}

// read parses a page with scripting off.
func read(r io.Reader) (*goquery.Document, error) {
	root, err := html.ParseWithOptions(r, html.ParseOptionEnableScripting(false))
	if err != nil {
		return nil, err
	}
	return goquery.NewDocumentFromNode(root), nil
}

// next returns the node after n in the order of the tree below root, or nil at the end. If skip is
// set, it skips the nodes inside n. It does not recurse, because trees may be too deep for a stack.
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

// set returns the set of nodes.
func set(nodes []*html.Node) map[*html.Node]bool {
	m := make(map[*html.Node]bool, len(nodes))
	for _, n := range nodes {
		m[n] = true
	}
	return m
}

// baseOf returns the element that gives the document its base, or nil. This is the first base
// element with an href in the order of the tree, outside templates and foreign content.
func baseOf(root *html.Node) *html.Node {
	for n := root; n != nil; n = next(n, root, n.Namespace == "" && n.Data == "template") {
		if _, ok := lookup(n, "href"); ok && n.Namespace == "" && n.Data == "base" {
			return n
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

// lookup returns the value of an attribute. ok is false if n has no such attribute.
func lookup(n *html.Node, name string) (value string, ok bool) {
	for _, a := range n.Attr {
		if nameOf(a) == name {
			return a.Val, true
		}
	}
	return "", false
}

// attribute returns the value of an attribute, or "".
func attribute(n *html.Node, name string) string {
	value, _ := lookup(n, name)
	return value
}

// lower returns s with its ASCII letters in lower case, the rule for HTML names.
func lower(s string) string {
	if !strings.ContainsFunc(s, func(c rune) bool { return 'A' <= c && c <= 'Z' }) {
		return s
	}
	return string(text.AppendLower(nil, []byte(s)))
}
