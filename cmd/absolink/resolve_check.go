package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"strings"

	"absolink/cmd/absolink/internal/record"
	"absolink/resolve"
	"absolink/resolve/grammar"
)

// grammarNames are the grammars that --check asks.
func (x *resolution) grammarNames() (names []string) {
	switch {
	case x.rules == rfc1738:
		return []string{grammar.RFC1738.String()}
	case x.one:
		return []string{x.options.Rules.String()}
	}
	for _, g := range grammar.All {
		names = append(names, g.String())
	}
	return names
}

// verdict is what the grammar of that name says of a reference as it is given.
func (x *resolution) verdict(name string, ref []byte) (text string, valid bool) {
	if name == resolve.WHATWG.String() {
		notes := x.b.Validate(ref)
		return cmp.Or(strings.Join(notes, ", "), "valid"), len(notes) == 0
	}
	var e *resolve.Error
	switch err := grammar.Check(string(ref), grammarNamed(name)); {
	case errors.As(err, &e):
		return fmt.Sprintf("byte %d: %s", e.Offset, e.Reason), false
	case name == grammar.RFC2396.String() && x.misformed(ref):
		return "byte 0: a relative reference with the scheme of the base (5.2 step 3)", false
	}
	return "valid", true
}

// grammarNamed returns the grammar of that name.
func grammarNamed(name string) grammar.Grammar {
	for _, g := range grammar.All {
		if g.String() == name {
			return g
		}
	}
	panic("no grammar " + name)
}

// misformed reports whether a reference is one like http:g with a base of the same
// scheme, which validating parsers should mark as an error (RFC 2396 5.2 step 3).
func (x *resolution) misformed(ref []byte) bool {
	r := resolve.Split(string(ref))
	return x.loose != nil && r.Scheme != "" && !strings.HasPrefix(r.Path, "/") && x.loose.Form(ref) == resolve.Relative
}

// showVerdicts prints what each grammar says of the reference as it is given, and what
// its scheme makes of it. A reference that fits no grammar that was asked counts as
// without result.
func (p *program) showVerdicts(out *bufio.Writer, x *resolution, ref []byte) error {
	x.entry.begin()
	x.entry.reference("", ref)
	verdicts, fits := record.Object{'{'}, false
	for _, name := range x.grammarNames() {
		text, valid := x.verdict(name, ref)
		fits = fits || valid
		verdicts = verdicts.String(name, text)
		if x.entry.format != record.JSONL {
			x.entry.text(name, text)
		}
	}
	if !fits {
		p.code = exitDefects
	}
	parts, _ := grammar.Components(string(ref))
	if x.entry.format == record.Text {
		for _, c := range parts {
			x.entry.text(c.Name, c.Value)
		}
	}
	x.entry.nested("grammars", append(verdicts, '}'))
	x.entry.nested("components", jsonPairs(parts))
	return x.entry.end(out)
}

// jsonPairs is a list of names and values, since an ftp path has a name twice.
func jsonPairs(list []grammar.Component) []byte {
	out := []byte{'['}
	for i, c := range list {
		if i > 0 {
			out = append(out, ',')
		}
		o := record.Object{'{'}.String("name", c.Name).Bytes("value", []byte(c.Value))
		out = append(append(out, o...), '}')
	}
	return append(out, ']')
}
