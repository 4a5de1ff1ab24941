package main

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"absolink/base"
	"absolink/cmd/absolink/internal/document"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/site"
	"absolink/extract"
	"absolink/resolve"
)

// A site moves by --map, and its documents refer to each other as --to says. What a
// link is to lead to is always decided by what it leads to now, as an absolute
// URI; then that is mapped, once; then it is written in the form that is asked
// for, relative to the URI that the document itself will have.
//
// A form other than absolute is for pages, pictures, style sheets and manifests.
// Feeds, sitemaps and outlines are read far from where they were retrieved from, or
// may not hold relative links at all; messages have no place in the site. They, and
// what has a base of its own inside of a document (xml:base, codebase), get
// absolute links.

// moving are the flags of rewrite that say where links lead, and how they are written.
type moving struct {
	maps    flag.List
	mapFile string
	to      site.To

	rules site.Map
	area  site.Area // what links are written in the form to
}

// addFlags adds the flags to c.
func (m *moving) addFlags(c *cobra.Command) {
	fs := c.Flags()
	fs.Var(&m.maps, "map", "write NEW for the longest prefix OLD of absolute URIs, also of those that were absolute: `OLD=NEW` (repeatable)")
	fs.Var((*flag.Text)(&m.mapFile), "map-file", "`FILE` with one OLD=NEW a line")
	flag.Enum(c, &m.to, "to", "`FORM` of links to what lies below a --root or --map: absolute, root-relative or relative; the last two drop BASE", site.Absolute, site.RootRelative, site.Relative)
}

// moves reports whether links lead elsewhere, or are not written absolute.
func (m *moving) moves() bool { return !m.rules.Empty() || m.to != site.Absolute }

// checkMoving reads the rules and says what may surprise in them.
func (x *rewriting) checkMoving(r *runner) error {
	if err := x.readMaps(); err != nil {
		return err
	}
	for _, r := range x.mapped.All() {
		x.area.Add(x.rules.URI(normal(r.URI, x.policy.Rules)))
	}
	for _, uri := range x.rules.News() {
		x.area.Add(uri)
	}
	switch {
	case (x.baseElement == extract.DropBase || x.to != site.Absolute) && x.filters():
		return usagef("--base-element drop goes with no choice of references, nor does --to, which drops it: all that BASE governs must be written out")
	case x.to != site.Absolute && x.area.Empty():
		return usagef("--to %v goes with --root or --map, which say what belongs to the site", x.to)
	case x.to != site.Absolute && x.policy.Force != "":
		return usagef("--to %v writes links relative to where documents are; leave --force-base out", x.to)
	case x.to != site.Absolute && x.baseElement == extract.AbsolutizeBase:
		return usagef("--to %v drops BASE; leave --base-element out", x.to)
	}
	r.doubt("--map", x.rules.Clashes())
	if !x.quiet {
		for _, text := range x.rules.Nested() {
			r.con.Printf("--map: %s", text)
		}
	}
	return nil
}

// sumUpRules says which rules moved no link.
func (x *rewriting) sumUpRules() {
	if x.quiet {
		return
	}
	for _, text := range x.unmatchedRules() {
		x.r.con.Printf("%s", text)
	}
}

func (x *rewriting) readMaps() error {
	x.rules.Rules = x.policy.Rules
	for _, arg := range x.maps {
		if err := x.rules.Add(arg); err != nil {
			return usagef("--map %v", err)
		}
	}
	switch {
	case x.mapFile == "":
		return nil
	case x.report != "" && sameFile(x.report, x.mapFile):
		return usagef("--report %s is the file of --map-file; give another name", x.report)
	}
	f, err := os.Open(x.mapFile)
	if err != nil {
		return usagef("--map-file: %v", err)
	}
	defer f.Close()
	if err := x.rules.Read(f); err != nil {
		return usagef("--map-file %s: %v", x.mapFile, pathless(err))
	}
	return nil
}

// normal returns an absolute URI as the rules write it.
func normal(uri string, o resolve.Options) string {
	if b, err := resolve.NewBase(uri, o); err == nil {
		return b.String()
	}
	return uri
}

// moved returns the layers around the output, given those around the input: what was
// retrieved from a URI has another one now.
func (x *rewriting) moved(l *base.Layer) *base.Layer {
	if l == nil || x.rules.Empty() {
		return l
	}
	c := *l
	c.Outer = x.moved(l.Outer)
	if l.Source.Layer() == base.Option.Layer() {
		c.Value = x.rules.URI(normal(l.Value, x.policy.Rules))
	}
	return &c
}

// mover says what becomes of the links of one document.
type mover struct {
	x    *rewriting
	d    *document.Document
	to   site.To
	base *resolve.Base // made from the URI of the document in the output; nil if it has none
	deep *resolve.Base // the same if the site lay two directories deeper; nil if links are not relative
}

// mover returns that of d, nil if nothing moves. It sets the resolver up for d.
func (x *rewriting) mover(w *worker, d *document.Document) *mover {
	if !x.moves() {
		return nil
	}
	m := &mover{x: x, d: d}
	w.resolver.BaseElement = x.baseElement
	uri := d.Layer.Retrieval(&w.resolver.Policy)
	if uri == "" || d.Entity != nil {
		return m
	}
	o := x.policy.Rules
	o.Document = x.rules.URI(normal(uri, o))
	b, err := resolve.NewBase(o.Document, o)
	if err != nil {
		return m
	}
	m.base = b
	if x.to == site.Absolute || !placed(d.Format) {
		return m
	}
	w.resolver.BaseElement = extract.DropBase
	if d.Base() == d.Layer || w.drops(d) {
		m.to, m.deep = x.to, x.deeper(o)
	} else {
		w.resolver.BaseElement = x.baseElement
	}
	return m
}

// deeper returns a base for the document if the site lay two directories deeper, nil if
// links are not relative.
func (x *rewriting) deeper(o resolve.Options) *resolve.Base {
	if x.to != site.Relative {
		return nil
	}
	o.Document = x.area.Deeper(o.Document)
	b, err := resolve.NewBase(o.Document, o)
	if err != nil {
		return nil
	}
	return b
}

// placed reports whether documents of a format are read where they stand.
func placed(f extract.Format) bool {
	switch f {
	case extract.HTML, extract.XHTML, extract.XML, extract.SVG, extract.CSS, extract.Manifest:
		return true
	}
	return false
}

// drops reports whether the BASE of d can be dropped.
func (w *worker) drops(d *document.Document) bool {
	w.resolver.InMessage = nil
	for l := range w.resolver.Links(d.Doc) {
		if l.Drop {
			return true
		}
	}
	return false
}

// move decides whether l is to be changed, sets what it leads to then, and returns
// what is to be written.
func (m *mover) move(l *extract.Link) []byte {
	if l.Drop || l.URI == nil || l.Status == extract.IdentifierRef || m.d.Format.ListOnly() {
		return l.URI
	}
	was := string(l.URI)
	uri := m.x.rules.Move(was)
	here := m.here(l, uri)
	if slices.Contains(l.Warnings, "unwritable") {
		l.Change = true // as it would be; what is written instead may fit
	}
	switch {
	case l.Element == "base" && l.Status == extract.Resolved:
		l.Change = l.Change || m.now(l) != uri
	case l.Status == extract.AbsoluteRef:
		l.Change = l.Change || uri != was || here
	}
	text := uri
	if here {
		text = m.to.Reference(m.base, uri)
		if !holdsStart(l, text) && holdsStart(l, "./"+text) {
			text = "./" + text
		}
		if l.Status == extract.Resolved && m.to.Fits(string(l.Value)) && m.now(l) == uri && (string(l.Value) == text || m.inside(l, uri)) {
			l.Change = false
		}
	}
	if l.Change {
		l.URI = []byte(uri)
	}
	return []byte(text)
}

// holdsStart reports whether the place of l can hold text, and its first byte as it is.
func holdsStart(l *extract.Link, text string) bool {
	b := []byte(text)
	return l.Holds(b) && l.Fit(b)[0] == b[0]
}

// here reports whether l is to be written in the form that is asked for.
func (m *mover) here(l *extract.Link, uri string) bool {
	if m.to == site.Absolute || l.ListOnly || l.Kind == extract.KindHint || l.Layer != m.d.Layer && l.Layer != m.d.Base() {
		return false
	}
	return m.x.area.Has(uri)
}

// now returns what l, as it is written, leads to from the place of the document in
// the output, without its BASE.
func (m *mover) now(l *extract.Link) string {
	if m.base == nil {
		return string(l.URI)
	}
	uri, _ := m.base.Resolve(strings.TrimSpace(string(l.Value)))
	return uri
}

// inside reports whether l, as it is written, stays inside the site on its way to uri: at
// the top of a host a ".." too many does no harm, on a disk and below a prefix it does.
func (m *mover) inside(l *extract.Link, uri string) bool {
	if m.deep == nil {
		return true
	}
	got, err := m.deep.Resolve(strings.TrimSpace(string(l.Value)))
	return err == nil && got == m.x.area.Deeper(uri)
}

// status returns that of l in the output, if text is written for it. A nil mover
// makes all absolute.
func (m *mover) status(l *extract.Link, text []byte) extract.Status {
	switch {
	case m == nil || string(text) == string(l.URI):
		return extract.AbsoluteRef
	case text[0] == '#':
		return extract.SameDocument
	}
	return extract.Resolved
}
