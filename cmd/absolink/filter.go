package main

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/document"
	"absolink/cmd/absolink/internal/flag"
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
	selector                                           *dom.Selector // --select, nil if it is not given
	selectorText                                       string
	sameHost                                           bool

	criteria []*criterion // those that are given
	looked   atomic.Bool  // whether there was a reference at all
	chose    atomic.Bool  // whether one was chosen
}

// criterion is one of the flags that choose references.
type criterion struct {
	flag string
	key  string // of the records that it looks at
	has  func(*worker, *extract.Link) bool
	met  atomic.Bool // a reference had what it asks for
}

// listOf is a flag of values, one of which a chosen reference has.
type listOf struct {
	*listFlag
	name, key, help string
	of              func(*extract.Link) string
}

func (o *reading) lists() []listOf {
	return []listOf{
		{&o.kinds, "kind", "kind", "only references of these kinds: " + strings.Join(o.kinds.known, " "), func(l *extract.Link) string { return l.Kind.String() }},
		{&o.elements, "element", "element", "only references in these elements", func(l *extract.Link) string { return l.Element }},
		{&o.attributes, "attribute", "attribute", "only references in these attributes", func(l *extract.Link) string { return l.Attr }},
		{&o.schemes, "scheme", "uri", "only references whose absolute URI has one of these schemes", func(l *extract.Link) string { return resolve.Split(string(l.URI)).Scheme }},
		{&o.stats, "status", "status", "only references with one of these: " + strings.Join(o.stats.known, " "), func(l *extract.Link) string { return l.Status.String() }},
		{&o.hosts, "host", "uri", "only references whose absolute URI has one of these hosts (.example.org: or one below it)", linkHost},
	}
}

// register adds the flags to c.
func (o *reading) register(c *cobra.Command) {
	fs := c.Flags()
	fs.BoolVar(&o.read.Lazy, "lazy", false, "also data-*, hx-* and up-* attributes, param names and animate values; metas of Open Graph are rewritten")
	fs.BoolVar(&o.read.Scripts, "scripts", false, "also string literals that look like URLs in scripts, on* attributes and javascript:")
	fs.BoolVar(&o.read.Comments, "comments", false, "also markup in comments")
	fs.BoolVar(&o.read.BareHosts, "bare-hosts", false, "also www.example.org in text, as http://www.example.org (RFC 2396 Appendix F)")
	fs.BoolVar(&o.read.HTML5Objects, "html5-objects", false, "objects and applets do not take their codebase, as in browsers")
	o.kinds.known, o.stats.known = names(extract.Kind.String), names(extract.Status.String)
	o.schemes.check, o.hosts.check, o.hosts.match = checkScheme, checkHost, matchHost
	for _, f := range o.lists() {
		fs.Var(f.listFlag, f.name, f.help+"; a leading ! negates the list")
	}
	fs.BoolVar(&o.sameHost, "same-host", false, "only references to the host that the document was retrieved from, else that of its base")
	fs.Func("select", "only references in elements of HTML that match the selector `CSS`, or below them", o.parseSelector)
	flag.Complete(c, "kind", o.kinds.known...)
	flag.Complete(c, "status", o.stats.known...)
}

// choose sets the criteria that are given.
func (o *reading) choose() {
	for _, f := range o.lists() {
		if f.given() {
			o.criteria = append(o.criteria, &criterion{flag: "--" + f.name + " " + f.String(), key: f.key, has: func(_ *worker, l *extract.Link) bool { return f.has(f.of(l)) }})
		}
	}
	if o.selector != nil {
		o.criteria = append(o.criteria, &criterion{flag: "--select " + o.selectorText, key: "element", has: func(w *worker, l *extract.Link) bool { return w.scope != nil && w.scope.Selected(l.Ref) }})
	}
	if o.sameHost {
		o.criteria = append(o.criteria, &criterion{flag: "--same-host", key: "uri", has: func(w *worker, l *extract.Link) bool { return w.host != "" && strings.EqualFold(linkHost(l), w.host) }})
	}
}

// names returns the names of all values of a type, which count from 0.
func names[T ~uint8](name func(T) string) (all []string) {
	for v := T(0); name(v) != ""; v++ {
		all = append(all, name(v))
	}
	return all
}

// filters reports whether some references are left out.
func (o *reading) filters() bool { return len(o.criteria) > 0 }

// chooses reports whether a link of the document at hand is one of those that the
// flags ask for.
func (w *worker) chooses(l *extract.Link) bool {
	w.asked = *l // what a function in a variable is given would be allocated for each link
	all := true
	for _, c := range w.o.criteria {
		if !all && c.met.Load() {
			continue
		}
		has := c.has(w, &w.asked)
		note(&c.met, has)
		all = all && has
	}
	note(&w.o.looked, true)
	note(&w.o.chose, all)
	return all
}

// note sets b if it is not set yet: what is only read stays in the cache of each processor.
func note(b *atomic.Bool, v bool) {
	if v && !b.Load() {
		b.Store(true)
	}
}

// linkHost returns the host of the absolute URI of l.
func linkHost(l *extract.Link) string { return hostOf(resolve.Split(string(l.URI)).Authority) }

// hostOf returns the host that d was retrieved from, that of its base where this is
// not known.
func (w *worker) hostOf(d *document.Document) string {
	uri := d.Layer.Retrieval(&w.resolver.Policy)
	if uri == "" {
		uri, _ = w.bases.Base(d.Base(), &w.resolver.Policy)
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
	if o.selector == nil && !context || d.Format != extract.HTML && d.Format != extract.Bookmarks {
		return nil
	}
	s, err := dom.NewScope(d.Doc)
	if err != nil {
		e.Add(document.Problem{Part: d.Section(), Offset: -1, Text: fmt.Sprintf("no tree for --select and --context: %v", err)})
		return nil
	}
	if o.selector != nil {
		s.Select(o.selector)
	}
	return s
}

// listFlag is a flag with values separated by commas, of which a record has one; a leading
// '!' asks for a record that has none. It is a pflag.Value.
type listFlag struct {
	known  []string                      // nil = any value
	check  func(item string) error       // of one that cannot be meant; may be nil
	match  func(item, value string) bool // nil = in any case of letters
	items  []string                      // in lower case
	negate bool
}

func (l listFlag) given() bool { return len(l.items) > 0 }

// has reports whether a record with the value is asked for, in any case of letters.
func (l *listFlag) has(value string) bool {
	if !l.given() {
		return true
	}
	match := l.match
	if match == nil {
		match = strings.EqualFold
	}
	return slices.ContainsFunc(l.items, func(item string) bool { return match(item, value) }) != l.negate
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
			return fmt.Errorf("%q: use %s", item, flag.Or(l.known))
		case l.check != nil:
			if err := l.check(item); err != nil {
				return err
			}
		}
		items = append(items, item)
	}
	l.items, l.negate = items, negate
	return nil
}

// checkHost refuses what is no host: nothing would match it.
func checkHost(item string) error {
	bare := strings.TrimLeft(item, "*.")
	switch host := hostOf(resolve.Split(item).Authority); {
	case host != "" && !strings.Contains(host, "*"):
		return fmt.Errorf("%q is a URL; type its host, %s", item, host)
	case strings.HasPrefix(item, "*.") && !strings.ContainsAny(bare, "*/:"):
		return fmt.Errorf("%q: * stands for nothing here; type .%s for that host and all below it", item, bare)
	case strings.ContainsAny(item, "*/?#@") || strings.Contains(item, ":") && !strings.HasPrefix(item, "["):
		return fmt.Errorf("%q is no host such as www.example.org, without a port, or .example.org for it and all below it", item)
	}
	return nil
}

// matchHost reports whether a host is item, or below it where item begins with a dot.
func matchHost(item, host string) bool {
	if item[0] != '.' {
		return strings.EqualFold(item, host)
	}
	n := len(host) - len(item)
	return strings.EqualFold(item[1:], host) || n > 0 && strings.EqualFold(item, host[n:])
}

// checkScheme refuses what is no scheme.
func checkScheme(item string) error {
	if name, _, ok := strings.Cut(item, ":"); ok {
		return fmt.Errorf("%q: a scheme is needed without what follows it; type %s", item, name)
	}
	return nil
}

// parseSelector takes a list of CSS selectors.
func (o *reading) parseSelector(v string) error {
	parsed, err := dom.ParseSelector(v)
	if err != nil {
		return fmt.Errorf("%q is no selector: %v", v, err)
	}
	o.selector, o.selectorText = parsed, v
	return nil
}
