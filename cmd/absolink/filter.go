package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/document"
	"absolink/cmd/absolink/internal/report"
	"absolink/extract"
	"absolink/extract/dom"
	"absolink/resolve"
)

// reading are the flags of extract and rewrite that say what is read, and which
// references are chosen.
type reading struct {
	read                                               extract.Options
	kinds, elements, attributes, schemes, stats, hosts listFlag
	selector                                           selector
	sameHost                                           bool
}

// register adds the flags to c.
func (o *reading) register(c *cobra.Command) {
	fs := c.Flags()
	fs.BoolVar(&o.read.Lazy, "lazy", false, "also data-*, hx-* and up-* attributes, param names and animate values; metas of Open Graph are rewritten")
	fs.BoolVar(&o.read.Scripts, "scripts", false, "also string literals that look like URLs in scripts, on* attributes and javascript:")
	fs.BoolVar(&o.read.Comments, "comments", false, "also markup in comments")
	fs.BoolVar(&o.read.HTML5Objects, "html5-objects", false, "objects and applets do not take their codebase, as in browsers")
	o.kinds.known, o.stats.known = names(extract.Kind.String), names(extract.Status.String)
	for _, f := range []struct {
		l    *listFlag
		name string
		help string
	}{
		{&o.kinds, "kind", "only references of these kinds: " + strings.Join(o.kinds.known, " ")},
		{&o.elements, "element", "only references in these elements"},
		{&o.attributes, "attribute", "only references in these attributes"},
		{&o.schemes, "scheme", "only references whose absolute URI has one of these schemes"},
		{&o.stats, "status", "only references with one of these: " + strings.Join(o.stats.known, " ")},
		{&o.hosts, "host", "only references whose absolute URI has one of these hosts"},
	} {
		fs.Var(f.l, f.name, f.help+"; a leading ! negates the list")
	}
	fs.BoolVar(&o.sameHost, "same-host", false, "only references to the host that the document was retrieved from, else that of its base")
	fs.Var(&o.selector, "select", "only references in elements of HTML that match the selector, or below them")
	values(c, "kind", o.kinds.known...)
	values(c, "status", o.stats.known...)
}

// names returns the names of all values of a type, which count from 0.
func names[T ~uint8](name func(T) string) (all []string) {
	for v := T(0); name(v) != ""; v++ {
		all = append(all, name(v))
	}
	return all
}

// filters reports whether some references are left out.
func (o *reading) filters() bool {
	return o.byURI() || o.selector.Selector != nil || slices.ContainsFunc([]listFlag{o.kinds, o.elements, o.attributes, o.stats}, listFlag.given)
}

func (o *reading) byURI() bool { return o.schemes.given() || o.hosts.given() || o.sameHost }

// chooses reports whether a link of the document at hand is one of those that the
// flags ask for.
func (w *worker) chooses(l *extract.Link) bool {
	o, scope := w.o, w.scope
	if !o.kinds.has(l.Kind.String()) || !o.stats.has(l.Status.String()) || !o.elements.has(l.Element) || !o.attributes.has(l.Attr) {
		return false
	}
	if o.selector.Selector != nil && (scope == nil || !scope.Selected(l.Ref)) {
		return false
	}
	if !o.byURI() {
		return true
	}
	uri := resolve.Split(string(l.URI))
	host := hostOf(uri.Authority)
	return o.schemes.has(uri.Scheme) && o.hosts.has(host) && (!o.sameHost || w.host != "" && strings.EqualFold(host, w.host))
}

// hostOf returns the host that d was retrieved from, that of its base where this is
// not known.
func (w *worker) hostOf(d *document.Document) string {
	uri := d.Layer.Retrieval(&w.resolver.Policy)
	if uri == "" {
		uri, _ = d.Base().Base(&w.resolver.Policy)
	}
	return hostOf(resolve.Split(uri).Authority)
}

// hostOf returns the host of an authority.
func hostOf(authority string) string {
	host := authority[strings.LastIndexByte(authority, '@')+1:]
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		host = host[:i]
	}
	return host
}

// scope returns the scope of a document with what is selected in it, nil where it
// is no HTML or no flag needs it.
func (o *reading) scope(d *document.Document, context bool, e *report.Entry) *dom.Scope {
	if o.selector.Selector == nil && !context || d.Format != extract.HTML && d.Format != extract.Bookmarks {
		return nil
	}
	s, err := dom.NewScope(d.Doc)
	if err != nil {
		e.Add(document.Problem{Part: d.Section(), Offset: -1, Text: fmt.Sprintf("no tree for --select and --context: %v", err)})
		return nil
	}
	if o.selector.Selector != nil {
		s.Select(o.selector.Selector)
	}
	return s
}

// listFlag is a flag with values separated by commas, of which a record has one; a leading
// '!' asks for a record that has none. It is a pflag.Value.
type listFlag struct {
	known  []string // nil = any value
	items  []string // in lower case
	negate bool
}

func (l listFlag) given() bool { return len(l.items) > 0 }

// has reports whether a record with the value is asked for, in any case of letters.
func (l *listFlag) has(value string) bool {
	if !l.given() {
		return true
	}
	return slices.ContainsFunc(l.items, func(item string) bool { return strings.EqualFold(item, value) }) != l.negate
}

// String gives the list as Set takes it.
func (l *listFlag) String() string {
	if l.negate {
		return "!" + strings.Join(l.items, ",")
	}
	return strings.Join(l.items, ",")
}

// Type names the value for the help text.
func (l *listFlag) Type() string { return "LIST" }

// Set takes the values; given twice, the last time counts.
func (l *listFlag) Set(v string) error {
	rest, negate := strings.CutPrefix(v, "!")
	var items []string
	for item := range strings.SplitSeq(rest, ",") {
		item = strings.ToLower(strings.TrimSpace(item))
		switch {
		case item == "":
			return fmt.Errorf("%q: a value is missing", v)
		case l.known != nil && !slices.Contains(l.known, item):
			return fmt.Errorf("%q is none of %s", item, strings.Join(l.known, ", "))
		}
		items = append(items, item)
	}
	l.items, l.negate = items, negate
	return nil
}

// selector is the flag --select. It is a pflag.Value.
type selector struct {
	*dom.Selector
	text string
}

func (s *selector) String() string { return s.text }

// Type names the value for the help text.
func (s *selector) Type() string { return "CSS" }

// Set takes a list of CSS selectors.
func (s *selector) Set(v string) error {
	parsed, err := dom.ParseSelector(v)
	if err != nil {
		return fmt.Errorf("%q is no selector: %v", v, err)
	}
	s.Selector, s.text = parsed, v
	return nil
}
