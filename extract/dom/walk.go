package dom

import (
	"iter"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"

	"absolink/base"
	"absolink/extract"
	"absolink/extract/internal/escape"
	"absolink/extract/internal/json"
	"absolink/extract/internal/place"
	"absolink/extract/internal/template"
	"absolink/extract/internal/value"
)

// maxSrcdoc is the maximum depth of documents in srcdoc attributes, as in package extract.
const maxSrcdoc = 8

// walker walks one document in the order of its tree.
type walker struct {
	yield   func(Ref) bool
	stopped bool
	outer   *base.Layer // around the document
	layer   *base.Layer // with its base element
	base    *html.Node  // or nil
	passed  bool        // the walk has passed the base element
	frame   *html.Node  // the iframe of the caller's tree whose srcdoc contains this document, or nil
	depth   int         // number of documents around this one in srcdoc attributes
	cutter  value.Cutter
}

func newWalker(root *html.Node, outer *base.Layer, yield func(Ref) bool) *walker {
	w := &walker{yield: yield, outer: outer, layer: outer, base: baseOf(root)}
	if w.base != nil {
		w.layer = layerOf(base.BaseElement, attribute(w.base, "href"), outer)
	}
	return w
}

// layerOf returns a layer of the document itself.
func layerOf(source base.Source, value string, outer *base.Layer) *base.Layer {
	return &base.Layer{Source: source, Value: value, Template: template.Has(value), Outer: outer}
}

// walk yields the references of the selected elements and of the elements inside them.
func (w *walker) walk(root *html.Node, selected map[*html.Node]bool) {
	inside := false
	var after *html.Node // the node after the outermost selected element
	for n := root; n != nil && !w.stopped; n = next(n, root, false) {
		inside = inside && n != after
		if !inside && selected[n] {
			inside = true
			after = next(n, root, true)
		}
		if inside && n.Type == html.ElementNode {
			w.element(n)
		}
		w.passed = w.passed || n == w.base
	}
}

// Selection yields the references of the selected elements and of everything inside them, each
// once, in the order of the tree. Their base is the base of the whole document with the first
// element. outer are the layers around this document, or nil. During the iteration only [Ref.Set]
// may change the tree.
func Selection(sel *goquery.Selection, outer *base.Layer) iter.Seq[Ref] {
	return func(yield func(Ref) bool) {
		if len(sel.Nodes) == 0 {
			return
		}
		root := sel.Nodes[0]
		for root.Parent != nil {
			root = root.Parent
		}
		w := newWalker(root, outer, yield)
		w.walk(root, set(sel.Nodes))
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

// element is the current element.
type element struct {
	w        *walker
	n        *html.Node
	rel      string
	codebase *base.Layer // of object and applet; nil if it was not looked up yet
	end      int         // of the last reference in its value
}

// attr yields the references in the value of one attribute.
func (e *element) attr(p *place.Row, name, value string) {
	r := Ref{
		Node: e.n, Attr: name, Kind: extract.Kind(p.Kind), Rel: e.rel, Layer: e.layerFor(p),
		ListOnly: p.Default != place.Rewrite && p.Default != place.Bookmarks,
		Form:     name == "action" || name == "formaction",
	}
	if e.n.Data == "link" && e.n.Namespace == "" && name == "href" {
		r.Kind = extract.Kind(place.LinkKind(e.rel))
	}
	r.Identifier = p.Default == place.Never
	if p.Type == place.TypeDocument {
		e.document(value, r.Layer)
		return
	}
	e.cut(p.Type, r, value)
}

// cut yields a reference like r for each reference in the value.
func (e *element) cut(t place.ValueType, r Ref, v string) {
	c, h := &e.w.cutter, &holder{node: e.n, attr: r.Attr, value: v}
	for c.Reset(t, place.Kind(r.Kind), []byte(v)); !e.w.stopped && c.Next(); {
		u := r
		u.Kind = extract.Kind(c.Kind)
		e.end = c.End
		u.holder, u.span = h, c.Span
		u.context = escape.Context{List: c.List, Token: c.Token, Inner: c.Quote, Sheet: true, Fixed: c.Fixed}
		e.add(u, string(c.AppendValue(nil)))
	}
}

// add yields r with the given value.
func (e *element) add(r Ref, value string) {
	r.Value, r.Frame = value, e.w.frame
	r.Identifier = r.Identifier || r.Kind == extract.KindIdentifier ||
		r.Attr == "classid" && place.OpaqueClass([]byte(value))
	e.w.stopped = e.w.stopped || !e.w.yield(r)
}

// placeOf returns the row of the table for an attribute of n. It returns nil if extract does not
// read the attribute by default.
func placeOf(n *html.Node, attr string) *place.Row {
	p := place.Of(n.Namespace, n.Data, attr, func(name string) string { return attribute(n, name) })
	if p == nil || p.Default == place.Lazy || p.Default == place.Scripts ||
		p.Default == place.Bookmarks && !inBookmarks(n) {
		return nil
	}
	return p
}

// inBookmarks reports whether the document of n is a bookmark file.
func inBookmarks(n *html.Node) bool {
	for n.Parent != nil {
		n = n.Parent
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.DoctypeNode {
			return strings.HasPrefix(c.Data, "netscape-bookmark-file")
		}
	}
	return false
}

// layerFor returns the base layers of a place.
func (e *element) layerFor(p *place.Row) *base.Layer {
	switch p.Base {
	case place.BaseOuter:
		return e.w.outer
	case place.BaseSoFar:
		if !e.w.passed {
			return e.w.outer
		}
	case place.BaseCodebase:
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
		e.codebase = layerOf(base.Codebase, value, e.w.layer)
	}
	return e.codebase
}

// document yields the references of a srcdoc with the given layers around it.
func (e *element) document(value string, layer *base.Layer) {
	if e.w.depth == maxSrcdoc {
		return
	}
	doc, err := read(strings.NewReader(value))
	if err != nil {
		return
	}
	root := doc.Nodes[0]
	inner := newWalker(root, layer, e.w.yield)
	inner.depth = e.w.depth + 1
	inner.frame = e.w.frame
	if inner.frame == nil {
		inner.frame = e.n
	}
	inner.walk(root, set(doc.Nodes))
	e.w.stopped = e.w.stopped || inner.stopped
}

// styleText yields the references in the text of a style element.
func (e *element) styleText() {
	if t := strings.TrimSpace(attribute(e.n, "type")); t != "" && lower(t) != "text/css" {
		return
	}
	e.cut(place.TypeSheet, Ref{Node: e.n, Kind: extract.Kind(place.Style.Kind), Layer: e.w.layer}, e.text())
	if e.n.Namespace == "" {
		e.namedMap()
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

// scriptText yields the references in the text of a script, or of a data block.
func (e *element) scriptText() {
	p := place.ScriptText([]byte(attribute(e.n, "type")))
	if e.configures() {
		p = place.Analytics
	}
	if p == place.Script || p == nil {
		e.namedMap()
		return
	}
	r := Ref{Node: e.n, Kind: extract.Kind(p.Kind), Layer: e.w.layer, ListOnly: p.Default != place.Rewrite}
	if uri, ok := value.LinkedDataBase([]byte(e.text())); ok && p.Type == place.TypeLinkedData {
		r.Layer = layerOf(base.JSONBase, uri, r.Layer)
	}
	e.cut(p.Type, r, e.text())
}

// configures reports whether the element is the configuration of an amp-analytics, which is its
// first element.
func (e *element) configures() bool {
	if lower(strings.TrimSpace(attribute(e.n, "type"))) != "application/json" ||
		e.n.Parent == nil || e.n.Parent.Data != "amp-analytics" {
		return false
	}
	for n := e.n.PrevSibling; n != nil; n = n.PrevSibling {
		if n.Type != html.CommentNode && (n.Type != html.TextNode || strings.TrimSpace(n.Data) != "") {
			return false
		}
	}
	return true
}

// namedMap yields the source map that is named at the end of the text of the element. It ignores a
// name that is a part of a URL that is not closed.
func (e *element) namedMap() {
	t := e.text()
	if start, end, ok := json.SourceMap([]byte(t)); ok && start >= e.end {
		e.add(Ref{Node: e.n, Kind: extract.Kind(place.SourceMap.Kind), Layer: e.w.layer, ListOnly: true}, t[start:end])
	}
}
