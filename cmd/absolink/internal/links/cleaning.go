package links

import (
	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/report"
	"absolink/extract"
	"absolink/mime/document"
	"absolink/resolve"
	"absolink/resolve/move"
)

// Cleaning says what is removed from the URIs of links before links are chosen. The zero value
// removes nothing.
type Cleaning struct {
	Unwrap   bool // replace wrapped links, as mail gateways and sites make them, by their targets
	Tracking Tracking

	mapping move.Map // maps URIs as the fields above say; set by prepare
}

// Tracking says what happens to the parameters by which sites track readers. The zero value is
// KeepTracking.
type Tracking uint8

const (
	KeepTracking  Tracking = iota // the parameters stay
	StripTracking                 // the parameters are removed: see [move.Map.Strip]
)

// String returns keep or strip.
func (t Tracking) String() string {
	return [...]string{KeepTracking: "keep", StripTracking: "strip"}[t]
}

// register adds the flags to c.
func (n *Cleaning) register(c *cobra.Command) {
	c.Flags().BoolVar(&n.Unwrap, "unwrap", false,
		"Which: replace links that mail gateways and sites have wrapped (Safe Links, URL Defense, google.com/url and "+
			"others) by their targets; nothing is retrieved")
	flag.Enum(c, &n.Tracking, "tracking",
		"Which: keep or strip the parameters by which sites track readers, such as utm_source and fbclid, in URLs: "+
			"`WHAT`", KeepTracking, StripTracking)
}

// ApplyTo sets the fields of m for the removals of n.
func (n *Cleaning) ApplyTo(m *move.Map) {
	m.Unwrap = n.Unwrap
	m.StripTracking = n.Tracking == StripTracking
}

// prepare sets n.mapping, which parses URIs by the given rules.
func (n *Cleaning) prepare(rules resolve.Options) {
	n.mapping.Options = rules
	n.ApplyTo(&n.mapping)
}

// Empty reports whether n removes nothing.
func (n *Cleaning) Empty() bool { return n.mapping.Empty() }

// Unwayback makes n also remove the prefixes of web archives from URIs. Call it after
// Options.Prepare and before the first call of NewFinder. If n is empty, Unwayback does nothing.
func (n *Cleaning) Unwayback() { n.mapping.Unwayback = !n.mapping.Empty() }

// Clean removes from l.URI what Options.Cleaning says. Links are chosen by the resulting URI. l is
// a link of d. An unresolved link becomes absolute if its reference contains an absolute URI: see
// [move.Map.Original]. Clean returns true if l is wrapped and its target cannot be read.
func (f *Finder) Clean(d *document.Document, l *extract.Link) (stillWrapped bool) {
	mapping := &f.o.Cleaning.mapping
	if mapping.Empty() {
		return false
	}
	if l.Status == extract.Unresolved && !l.Unsure() {
		original := mapping.Original(string(l.Value))
		if original == "" {
			return false
		}
		l.Status = extract.AbsoluteRef
		l.Err = nil
		l.URI = []byte(original)
	}
	if l.Status != extract.Resolved && l.Status != extract.AbsoluteRef {
		return false
	}
	uri := string(l.URI)
	if d.EndsFolded(l.Span) && mapping.EndsInTarget(uri) {
		return true
	}
	cleaned := mapping.URI(uri)
	if cleaned != uri {
		l.URI = []byte(cleaned)
	}
	return mapping.Wrapped(cleaned)
}

// NoteWrapped counts l in e and adds a warning to l. l is a wrapped link whose target cannot be
// read.
func NoteWrapped(l *extract.Link, e *report.Entry) {
	e.Links.Wrapped++
	warn(l, "wrapped")
}
