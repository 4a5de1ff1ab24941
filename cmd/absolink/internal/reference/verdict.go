package reference

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"absolink/cmd/absolink/internal/record"
	"absolink/resolve"
	"absolink/resolve/grammar"
)

// grammars returns the names of the grammars to check.
func (s *Shower) grammars() (names []string) {
	if s.o.Grammar != "" {
		return []string{s.o.Grammar}
	}
	for _, g := range grammar.All {
		names = append(names, g.String())
	}
	return names
}

// useLoose parses a base so that http:g is relative to it.
func (s *Shower) useLoose(base string) {
	s.loose = nil
	if base != "" {
		s.loose, _ = resolve.NewBase(base, resolve.Options{Rules: resolve.RFC2396, CompatScheme: true})
	}
}

// verdicts prints the verdict of each grammar about the reference as given, and its components by
// the rules of its scheme. A reference that fits no checked grammar counts as failed.
func (s *Shower) verdicts(ref []byte) error {
	s.entry.begin()
	s.entry.reference("", ref)
	all, fits := record.Object{'{'}, false
	for _, name := range s.grammars() {
		text, valid := s.verdict(name, ref)
		fits = fits || valid
		all = all.String(name, text)
		if s.entry.format != record.JSONL {
			s.entry.text(name, text)
		}
	}
	s.failed = s.failed || !fits
	parts, _ := grammar.Components(string(ref))
	if s.entry.format == record.Text {
		for _, c := range parts {
			s.entry.text(c.Name, c.Value)
		}
	}
	s.entry.nested("grammars", append(all, '}'))
	s.entry.nested("components", jsonPairs(parts))
	return s.entry.end(s.out)
}

// verdict returns the verdict of the named grammar about a reference as given.
func (s *Shower) verdict(name string, ref []byte) (text string, valid bool) {
	if name == resolve.WHATWG.String() {
		notes := s.b.Validate(ref)
		return cmp.Or(strings.Join(notes, ", "), "valid"), len(notes) == 0
	}
	var e *resolve.Error
	switch err := grammarNamed(name).Check(string(ref)); {
	case errors.As(err, &e):
		return fmt.Sprintf("byte %d: %s", e.Offset, e.Reason), false
	case name == grammar.RFC2396.String() && s.misformed(ref):
		return "byte 0: a relative reference with the scheme of the base (5.2 step 3)", false
	}
	return "valid", true
}

// grammarNamed returns the grammar with a name.
func grammarNamed(name string) grammar.Grammar {
	for _, g := range grammar.All {
		if g.String() == name {
			return g
		}
	}
	panic("no grammar " + name)
}

// misformed reports whether a reference looks like http:g with a base of the same scheme.
// Validating parsers should mark it as an error (RFC 2396 5.2 step 3).
func (s *Shower) misformed(ref []byte) bool {
	r := resolve.Split(string(ref))
	return s.loose != nil && r.Scheme != "" && !strings.HasPrefix(r.Path, "/") && s.loose.Form(ref) == resolve.Relative
}

// jsonPairs returns a list of names and values, since an ftp path has a name twice.
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
