// Package reference implements the command resolve: it shows the URIs that references resolve to,
// or other facts about references.
//
//	s, err := reference.New(reference.Options{Base: "http://a/b/c/d;p?q"}, out, notes)
//	if err != nil {
//		return err // a *flag.Error
//	}
//	err = s.Lines(ctx, in) // or s.Arguments
//
//	flags.go       the flags
//	rules.go       rule sets, and flags for choices that the RFCs leave open
//	reference.go   a Shower, its base, and its arguments
//	lines.go       lines of any length, with a base before a tab
//	delimiter.go   delimiters around a URI
//	result.go      the URI of a reference, or a view of it
//	compare.go     the result of each rule set, verdict.go the verdict of each grammar
//	equivalence.go whether two URIs are the same
//	data.go        escapes of components
//	entry.go       the output format
package reference

import (
	"bufio"
	"errors"
	"io"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/record"
	"absolink/extract"
	"absolink/resolve"
)

// View is the fact that is shown about a reference.
type View uint8

// The views. The views up to Normal concern the URI that a reference resolves to.
const (
	Result      View = iota // the URI itself
	Components              // its defined components
	Relative                // the shortest reference that resolves back
	Normal                  // its normal form
	Comparison              // the result of each rule set
	Verdicts                // verdicts of grammars about the reference as given, and its components by its scheme
	Equivalence             // the first level on which two URIs are the same
	Escaped                 // data, escaped for a component of a URI
	Unescaped               // a component with its escapes undone
)

// data reports whether the input is data, not a reference.
func (v View) data() bool { return v == Escaped || v == Unescaped }

// Options say what is shown, and in which form.
type Options struct {
	Base   string          // base of references without a base of their own, or empty
	Rules  resolve.Options // with the current document, if it is not the base
	View   View
	Format record.Format

	// KeepDelimiters keeps quotes, angle brackets, blanks and "URL:" around a reference as parts of
	// it. Under WHATWG they are always kept.
	KeepDelimiters bool

	Level   resolve.Level // of Normal, and the last level of Equivalence
	Grammar string        // of Verdicts: the only grammar to check, or empty for all
	Keep    string        // of Escaped: characters that stay
}

// Shower shows references. It is not safe for concurrent use.
type Shower struct {
	o      Options
	out    *bufio.Writer
	notes  *console.Console
	failed bool

	b       resolve.Base // the base in use
	base    string       // base as it was given
	foreign string       // base of the last line with a base; "" if the base of the options is in use
	wrong   error        // why foreign is not a base
	line    int          // number of the current line; 0 for arguments

	bases []*resolve.Base // of Comparison: the base under every rule set; nil if it does not parse
	errs  []error         // the errors of these bases
	loose *resolve.Base   // of Verdicts: a base that resolves http:g as relative; nil without a base

	entry    entry
	uri      []byte // of the current reference
	status   extract.Status
	warnings []string
}

// New returns a Shower that writes to out, and notes about references to notes. The error, a
// *flag.Error, says what is wrong with the base or the document.
func New(o Options, out io.Writer, notes *console.Console) (*Shower, error) {
	s := &Shower{o: o, out: bufio.NewWriterSize(out, 64<<10), notes: notes}
	s.o.Rules.Document = s.unwrap("--document", o.Rules.Document)
	if doc := s.o.Rules.Document; doc != "" {
		if _, err := resolve.NewBase(doc, resolve.Options{Rules: resolve.RFC2396}); err != nil {
			return nil, record.NotAbsolute("--document", doc, err)
		}
	}
	s.o.Base = s.unwrap("--base", o.Base)
	if o.View == Relative && s.o.Base == "" {
		return nil, flag.Errorf("--relative needs a base that the result is relative to: add --base URI")
	}
	if err := s.use(s.o.Base); err != nil {
		return nil, record.NotAbsolute("--base", s.o.Base, err)
	}
	s.entry.format = o.Format
	return s, nil
}

// Failed reports whether a reference was invalid, unresolved or otherwise had no result.
func (s *Shower) Failed() bool { return s.failed }

// Arguments shows references; depending on the view, two URIs or data.
func (s *Shower) Arguments(args []string) error {
	s.entry.header(s.out, s.keys())
	if s.o.View == Equivalence {
		if len(args) != 2 {
			return flag.Errorf("--equivalent compares two URIs: give two arguments, or lines of two URIs with a tab " +
				"between them")
		}
		return errors.Join(s.equivalence([]byte(args[0]), []byte(args[1])), s.out.Flush())
	}
	for _, arg := range args {
		if err := s.show([]byte(arg)); err != nil {
			return err
		}
	}
	return s.out.Flush()
}

// show shows the view of one reference, or data.
func (s *Shower) show(given []byte) error {
	switch {
	case s.o.View.data():
		return s.data(given)
	case s.o.View == Verdicts:
		return s.verdicts(given)
	case s.o.View == Comparison:
		ref, _ := s.strip(given)
		return s.comparison(given, ref)
	}
	return s.result(given)
}

// use sets the base of the following references; "" means no base.
func (s *Shower) use(base string) error {
	o := s.o.Rules
	if o.Document == "" {
		o.Document = base
	}
	s.base = base
	if err := s.b.Reset(base, o); err != nil && !(s.o.View == Comparison && s.line > 0) {
		return err
	}
	switch s.o.View {
	case Comparison:
		s.useAll(base)
	case Verdicts:
		s.useLoose(base)
	}
	return nil
}

// keys returns the keys of an entry, in the order of a row.
func (s *Shower) keys() []string {
	switch s.o.View {
	case Comparison:
		return append([]string{"base", "ref"}, rulesNames()...)
	case Verdicts:
		return append(append([]string{"ref"}, s.grammars()...), "error")
	case Equivalence:
		return []string{"a", "b", "level", "error"}
	case Escaped:
		return []string{"value", "escaped"}
	case Unescaped:
		return []string{"value", "unescaped"}
	}
	whole := []string{"base", "ref", "uri", "status", "error", "warnings"}
	switch s.o.View {
	case Relative:
		return append(whole, "relative")
	case Normal:
		return append(whole, "normal")
	}
	return whole
}

// known returns b, with an empty slice for nil: nil stands for an unknown value.
func known(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
