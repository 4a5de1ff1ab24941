// Package reference shows what references resolve to, or something else about them: the
// command resolve.
//
//	s, err := reference.New(reference.Options{Base: "http://a/b/c/d;p?q"}, out, notes)
//	if err != nil {
//		return err // a *flag.Error
//	}
//	err = s.Lines(ctx, in) // or s.Arguments
//
//	flags.go       what the command line says of that
//	rules.go       rule sets, and what they leave open
//	reference.go   a Shower, its base, and what it takes
//	lines.go       lines of any length, with a base before a tab
//	delimiter.go   what surrounds a URI in text
//	result.go      the URI of a reference, or a view of it
//	compare.go     what each rule set says, verdict.go each grammar
//	equivalence.go whether two URIs are the same
//	data.go        escapes of components
//	entry.go       how all that is written
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

// View is what is shown of a reference.
type View uint8

// The views. Up to Normal they are of the URI that a reference resolves to.
const (
	Result      View = iota // the URI itself
	Components              // its components that are defined
	Relative                // the shortest reference that resolves back
	Normal                  // its normal form
	Comparison              // what each rule set makes of the reference
	Verdicts                // whether grammars have the reference as it is given, and what its scheme makes of it
	Equivalence             // the first level on which two URIs are the same
	Escaped                 // data, escaped for a component of a URI
	Unescaped               // a component with its escapes undone
)

// data reports whether what is given is data, not a reference.
func (v View) data() bool { return v == Escaped || v == Unescaped }

// Options say what is shown, and how.
type Options struct {
	Base   string          // of references without one of their own; "" = none
	Rules  resolve.Options // with the current document where it is not the base
	View   View
	Format record.Format

	// KeepDelimiters leaves quotes, angle brackets, blanks and "URL:" around a reference as parts
	// of it. Under WHATWG they always are.
	KeepDelimiters bool

	Level   resolve.Level // of Normal, and the last one of Equivalence
	Grammar string        // of Verdicts: the one that is asked, "" for all
	Keep    string        // of Escaped: characters that stay
}

// Shower shows references. It is not safe for concurrent use.
type Shower struct {
	o      Options
	out    *bufio.Writer
	notes  *console.Console
	failed bool

	b       resolve.Base // the base in use
	base    string       // and as it was given
	foreign string       // the base of the last line that gave one, "" where that of the options is in use
	wrong   error        // why that one is none
	line    int          // number of the line that is read, 0 where arguments are

	bases []*resolve.Base // of Comparison: the base under every rule set, nil where it does not parse
	errs  []error         // and why
	loose *resolve.Base   // of Verdicts: takes http:g for relative; nil without a base

	entry    entry
	uri      []byte // of the reference at hand
	status   extract.Status
	warnings []string
}

// New returns a Shower that writes to out, and what is to be said of references to notes. The
// error, a *flag.Error, says what is wrong with the base or the document.
func New(o Options, out io.Writer, notes *console.Console) (*Shower, error) {
	s := &Shower{o: o, out: bufio.NewWriterSize(out, 64<<10), notes: notes}
	s.o.Rules.Document = s.unwrap("--document", o.Rules.Document)
	if doc := s.o.Rules.Document; doc != "" {
		if _, err := resolve.NewBase(doc, resolve.Options{Rules: resolve.RFC2396}); err != nil {
			return nil, flag.Errorf("--document %q: an absolute URI is needed, such as http://example.com/dir/"+
				"page.html (%s)", doc, record.Why(err))
		}
	}
	s.o.Base = s.unwrap("--base", o.Base)
	if o.View == Relative && s.o.Base == "" {
		return nil, flag.Errorf("--relative needs a base that the result is relative to: add --base URI")
	}
	if err := s.use(s.o.Base); err != nil {
		return nil, flag.Errorf("--base %q: an absolute URI is needed, such as http://example.com/dir/page.html (%s)",
			s.o.Base, record.Why(err))
	}
	s.entry.format = o.Format
	return s, nil
}

// Failed reports whether something has been wrong with what was shown.
func (s *Shower) Failed() bool { return s.failed }

// Arguments shows references, or two URIs or data, by the view.
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

// show shows what is asked for about one reference, or data.
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

// use makes base, "" for none, the base of the references that follow.
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

// keys are those of an entry, in the order of a row.
func (s *Shower) keys() []string {
	switch s.o.View {
	case Comparison:
		return append([]string{"base", "ref"}, RulesNames()...)
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

// known tells an empty value from nil, which stands for an unknown one.
func known(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
