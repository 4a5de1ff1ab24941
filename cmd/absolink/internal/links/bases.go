package links

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"absolink/base"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/site"
	"absolink/cmd/absolink/internal/source"
	"absolink/resolve"
)

// Bases say which base a document has.
type Bases struct {
	Retrieval string      // URI that the one input was retrieved from; "" = not given
	Default   string      // base of documents that nothing else gives one; "" = none
	Roots     []string    // DIR=URI: files below DIR were retrieved from URI and their path
	Policy    base.Policy // which layers count, and the rule set
	Moving    bool        // Roots also say where links lead, and need no document below them

	mapped site.Roots // Roots, once they are checked
}

// check reads the roots, and refuses bases that make no sense for the inputs. The error is a
// *flag.Error.
func (b *Bases) check() error {
	for _, f := range []struct{ name, uri string }{
		{"--base", b.Retrieval}, {"--default-base", b.Default}, {"--force-base", b.Policy.Force}} {
		if err := checkBase(f.name, f.uri, b.Policy.Rules); err != nil {
			return err
		}
	}
	for _, r := range b.Roots {
		if err := b.addRoot(r); err != nil {
			return err
		}
	}
	return nil
}

// Rebase sets Retrieval in options that have been checked. The error is that of
// [Options.Check]. No Finder may be at work meanwhile.
func (b *Bases) Rebase(uri string) error {
	if err := checkBase("--base", uri, b.Policy.Rules); err != nil {
		return err
	}
	b.Retrieval = uri
	return nil
}

// checkBase refuses a base that relative references could not be resolved against.
func checkBase(name, uri string, o resolve.Options) error {
	if uri == "" {
		return nil
	}
	b, err := resolve.NewBase(uri, o)
	if err == nil {
		_, err = b.Resolve("x")
	}
	l := base.Layer{Source: base.Option, Value: uri}
	if name == "--default-base" {
		l.Source = base.DefaultBase
	}
	if err == nil {
		if step := l.Explain(&base.Policy{Rules: o})[0]; !step.Used {
			err = errors.New(step.Reason) // as for http:x under the RFCs' rules
		}
	}
	switch {
	case err != nil && isTooLong(err.Error()):
		return flag.Errorf("%s %.200q: %v", name, uri, err)
	case err != nil:
		return flag.Errorf("%s %.200q: not an absolute, hierarchical URI such as http://example.com/dir/page.html (%v)",
			name, uri, err)
	}
	return nil
}

func (b *Bases) addRoot(arg string) error {
	dir, uri, ok := site.Pair(arg)
	if !ok {
		return flag.Errorf("--root %q: DIR=URI is needed, such as --root mirror=http://example.com/", arg)
	}
	if err := checkBase("--root", uri, b.Policy.Rules); err != nil {
		return err
	}
	if err := b.mapped.Add(dir, uri); err != nil {
		return flag.Errorf("--root %q: %v", arg, err)
	}
	return nil
}

// checkOne refuses --base where it would be the retrieval URI of several inputs: relative
// references of all but one would lead elsewhere then.
func (b *Bases) checkOne(in *source.Set) error {
	if b.Retrieval == "" || in.One() {
		return nil
	}
	args, dir, why := in.Args(), "DIR", "units may be of several"
	switch {
	case in.URLs != "":
		return flag.Errorf("--base is the retrieval URI of one input, and the URLs of --urls have their own: leave "+
			"it out, or give --default-base %s to what has no base", b.Retrieval)
	case len(args) > 1:
		why = fmt.Sprintf("%d are given", len(args))
	case len(args) == 1:
		dir = cmp.Or(strings.TrimRight(args[0], "/"), "/")
		why = args[0] + " is a directory"
	}
	return flag.Errorf("--base is the retrieval URI of one input, and %s: --root %s=%s gives each file its own, "+
		"--default-base %s is for what has no base", why, dir, b.Retrieval, b.Retrieval)
}

// Mapped returns the roots. They are known once [Options.Check] has returned.
func (b *Bases) Mapped() []site.Root { return b.mapped.All() }

// Doubts says which roots look like mistakes.
func (b *Bases) Doubts() []string { return b.mapped.Doubts() }

// Around returns the layers around f that the options give, nil if there are none.
func (b *Bases) Around(f input.File) *base.Layer {
	var l *base.Layer
	if b.Default != "" {
		l = &base.Layer{Source: base.DefaultBase, Value: b.Default}
	}
	if f.URL != "" {
		l = &base.Layer{Source: base.URL, Value: f.URL, Outer: l}
	}
	if b.Retrieval != "" {
		l = &base.Layer{Source: base.Option, Value: b.Retrieval, Outer: l}
	}
	if uri := b.mapped.URI(f.Path); uri != "" {
		l = &base.Layer{Source: base.Root, Value: uri, Outer: l}
	}
	return l
}

// unmatched says which roots have no document below them.
func (b *Bases) unmatched() (list []string) {
	for _, dir := range b.mapped.Unused() {
		list = append(list,
			"--root "+dir+
				": no document that was read lies below it; DIR is a directory of the inputs, or one above them")
	}
	return list
}
