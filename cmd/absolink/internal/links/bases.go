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

// Bases are the options that give documents a base.
type Bases struct {
	Retrieval string      // URI that the only input was retrieved from, or empty
	Default   string      // base of documents that have no other base, or empty
	Roots     []string    // values DIR=URI: a file below DIR was retrieved from URI with its path appended
	Policy    base.Policy // the layers that count, and the rule set
	Moving    bool        // Roots also say where links lead, so a root may have no document

	mapped site.Roots // parsed Roots, set by check
}

// check parses the roots and refuses unusable bases. The error is a [*flag.Error].
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

// Rebase sets Retrieval in options that have been checked. The error is that of [Options.Check]. No
// Finder may be in use during the call.
func (b *Bases) Rebase(uri string) error {
	if err := checkBase("--base", uri, b.Policy.Rules); err != nil {
		return err
	}
	b.Retrieval = uri
	return nil
}

// checkBase refuses a base that no relative reference can be resolved against.
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
			err = errors.New(step.Reason) // for example http:x under the rules of the RFCs
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

// checkOne refuses --base for several inputs. It would be the retrieval URI of all of them, and
// most relative references would lead to wrong URIs.
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

// Mapped returns the roots. It may be called after [Options.Check].
func (b *Bases) Mapped() []site.Root { return b.mapped.All() }

// Doubts describes roots that look like mistakes.
func (b *Bases) Doubts() []string { return b.mapped.Doubts() }

// Around returns the layers around f that the options give, or nil.
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

// unmatched describes the roots that no document lies below.
func (b *Bases) unmatched() (list []string) {
	for _, dir := range b.mapped.Unused() {
		list = append(list,
			"--root "+dir+
				": no document that was read lies below it; DIR is a directory of the inputs, or one above them")
	}
	return list
}
