package dom

import (
	"strings"

	"golang.org/x/net/html"

	"absolink/base"
	"absolink/extract"
	"absolink/extract/internal/json"
)

// maxSrcdoc is how deep documents in srcdoc attributes are read, as deep as by
// package extract.
const maxSrcdoc = 8

// walker goes through one document in the order of its tree.
type walker struct {
	yield   func(Ref) bool
	stopped bool
	outer   *base.Layer // around the document
	layer   *base.Layer // with its base element
	base    *html.Node  // nil if there is none
	passed  bool        // the base element lies behind
	frame   *html.Node  // of the caller's tree, whose srcdoc this document stands in; nil = none
	depth   int         // number of documents around this one in srcdoc attributes
}

func newWalker(root *html.Node, outer *base.Layer, yield func(Ref) bool) *walker {
	return &walker{yield: yield, outer: outer, layer: Layer(root, outer), base: Base(root)}
}

// walk yields the references of the elements that are selected and of those
// inside them.
func (w *walker) walk(root *html.Node, selected func(*html.Node) bool) {
	inside := false
	var after *html.Node // follows the outermost selected element
	for n := root; n != nil && !w.stopped; n = next(n, root, false) {
		inside = inside && n != after
		if !inside && selected(n) {
			inside, after = true, next(n, root, true)
		}
		if inside && n.Type == html.ElementNode {
			w.element(n)
		}
		w.passed = w.passed || n == w.base
	}
}

// element yields the references of one element.
func (w *walker) element(n *html.Node) {
	e := element{w: w, n: n, rel: attribute(n, "rel")}
	for _, a := range n.Attr {
		name := nameOf(a)
		if p := placeOf(n, name); p != nil {
			e.attr(p, name, a.Val)
		}
	}
	switch {
	case n.Data == "style" && n.Namespace != "math":
		e.styleText()
	case n.Data == "script" && n.Namespace == "":
		e.scriptText()
	}
}

// element is an element that is looked at.
type element struct {
	w        *walker
	n        *html.Node
	rel      string
	codebase *base.Layer // of object and applet; nil = not looked for
}

// attr yields the references in the value of one attribute.
func (e *element) attr(p *extract.Place, name, value string) {
	r := Ref{
		Node: e.n, Attr: name, Kind: p.Kind, Rel: e.rel, Layer: e.layerFor(p),
		ListOnly: p.Default != extract.Rewrite,
		Form:     name == "action" || name == "formaction",
	}
	if e.n.Data == "link" && e.n.Namespace == "" && name == "href" {
		r.Kind = extract.LinkKind(e.rel)
	}
	r.Identifier = p.Default == extract.Never || r.Kind == extract.KindIdentifier
	if p.Type == extract.TypeDocument {
		e.document(value, r.Layer)
		return
	}
	e.cut(p.Type, r, value)
}

// add yields r with the given value.
func (e *element) add(r Ref, value string) {
	r.Value, r.Frame = value, e.w.frame
	r.Identifier = r.Identifier || r.Attr == "classid" && opaqueClass(value)
	e.w.stopped = e.w.stopped || !e.w.yield(r)
}

// opaqueClass reports whether a classid names a class rather than a file.
func opaqueClass(value string) bool {
	v := lower(strings.TrimLeft(value, blanks))
	return strings.HasPrefix(v, "clsid:") || strings.HasPrefix(v, "java:")
}

// layerFor returns the layers that a place is resolved against.
func (e *element) layerFor(p *extract.Place) *base.Layer {
	switch p.Base {
	case extract.BaseOuter:
		return e.w.outer
	case extract.BaseSoFar:
		if !e.w.passed {
			return e.w.outer
		}
	case extract.BaseCodebase:
		return e.codebaseLayer()
	}
	return e.w.layer
}

func (e *element) codebaseLayer() *base.Layer {
	value, ok := lookup(e.n, "codebase")
	if !ok {
		return e.w.layer
	}
	if e.codebase == nil {
		e.codebase = &base.Layer{Source: base.Codebase, Value: value, Outer: e.w.layer}
	}
	return e.codebase
}

// document yields the references of a srcdoc, around which layer lies.
func (e *element) document(value string, layer *base.Layer) {
	if e.w.depth == maxSrcdoc {
		return
	}
	doc, err := Parse(strings.NewReader(value))
	if err != nil {
		return
	}
	root := doc.Nodes[0]
	inner := newWalker(root, layer, e.w.yield)
	inner.depth, inner.frame = e.w.depth+1, e.w.frame
	if inner.frame == nil {
		inner.frame = e.n
	}
	inner.walk(root, func(*html.Node) bool { return true })
	e.w.stopped = e.w.stopped || inner.stopped
}

// styleText yields the references of the text of a style element.
func (e *element) styleText() {
	if t := strings.TrimSpace(attribute(e.n, "type")); t != "" && lower(t) != "text/css" {
		return
	}
	end := e.css(Ref{Node: e.n, Kind: extract.KindRes, Layer: e.w.layer}, e.text(), false)
	if e.n.Namespace == "" {
		e.namedMap(end)
	}
}

// text returns the text of the element itself.
func (e *element) text() string {
	var text strings.Builder
	for c := e.n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode {
			text.WriteString(c.Data)
		}
	}
	return text.String()
}

// scriptText yields the references of a data block.
func (e *element) scriptText() {
	r := Ref{Node: e.n, Layer: e.w.layer, ListOnly: true}
	switch lower(strings.Trim(attribute(e.n, "type"), blanks)) {
	case "application/ld+json":
		r.Kind = extract.KindMeta
		e.linkedData(r)
	case "importmap":
		r.Kind, r.ListOnly = extract.KindScript, false
		e.dataBlock(r, (*json.Scanner).ImportMap)
	case "speculationrules":
		r.Kind = extract.KindRes
		e.dataBlock(r, (*json.Scanner).Speculation)
	default:
		e.namedMap(0)
	}
}

// namedMap yields the source map that the text of the element names at its end, behind
// an offset.
func (e *element) namedMap(after int) {
	text := e.text()
	if start, end, ok := json.SourceMap([]byte(text)); ok && start >= after {
		e.add(Ref{Node: e.n, Kind: extract.KindService, Layer: e.w.layer, ListOnly: true}, text[start:end])
	}
}
