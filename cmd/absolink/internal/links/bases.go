package links

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"absolink/base"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/site"
	"absolink/cmd/absolink/internal/source"
	"absolink/extract"
	"absolink/resolve"
)

// Bases has the options that give documents a base.
type Bases struct {
	Retrieval string      // URI that the only input was retrieved from, or empty
	Default   string      // base of documents that have no other base, or empty
	Image     string      // base of images, or empty
	RootBase  string      // URI of the directory for references that begin with a slash, or empty
	Roots     []string    // values DIR=URI: the file DIR/PATH was retrieved from URI with PATH appended
	Policy    base.Policy // the layers that may give a base, and the rule set

	// RootsLocateTargets says that Roots also locate the target files of links. Then a root without
	// a document below it is not reported.
	RootsLocateTargets bool

	roots site.Roots // the parsed Roots, set by prepare
}

// prepare checks the bases and parses Roots. The error is a [*flag.Error].
func (b *Bases) prepare() error {
	b.roots = site.Roots{Rules: b.Policy.Rules}
	for _, f := range []struct{ name, uri string }{
		{"--base", b.Retrieval}, {"--default-base", b.Default}, {"--force-base", b.Policy.Force},
		{"--image-base", b.Image}, {"--root-base", b.RootBase}} {
		if err := checkBase(f.name, f.uri, b.Policy.Rules); err != nil {
			return err
		}
	}
	if b.Policy.Force != "" && (b.Image != "" || b.RootBase != "") {
		return flag.Errorf("--force-base is the base of all links: leave out --image-base and --root-base, or give " +
			"--base instead")
	}
	for _, r := range b.Roots {
		if err := b.addRoot(r); err != nil {
			return err
		}
	}
	return nil
}

// Resolver returns a resolver of references with these bases.
func (b *Bases) Resolver() extract.Resolver {
	return extract.Resolver{Policy: b.Policy, ImageBase: b.Image, RootBase: b.RootBase}
}

// SetRetrieval replaces Retrieval after [Options.Prepare]. If uri cannot be a base, it returns a
// [*flag.Error], and Retrieval stays unchanged. No Finder may be in use during the call.
func (b *Bases) SetRetrieval(uri string) error {
	if err := checkBase("--base", uri, b.Policy.Rules); err != nil {
		return err
	}
	b.Retrieval = uri
	return nil
}

// CheckURL refuses a retrieval URI against which no relative reference can be resolved.
func (b *Bases) CheckURL(uri string) error {
	if isPlainURL(uri) {
		return nil
	}
	return checkBase("url", uri, b.Policy.Rules)
}

// maxPlainURL is the size in bytes of the longest URL that isPlainURL examines.
const maxPlainURL = 1000

// isPlainURL reports whether uri is an http or https URL of a simple form that can be a base under
// all rule sets. It returns false for other forms, such as a host with a port, which may also be
// bases.
func isPlainURL(uri string) bool {
	scheme, rest, hierarchical := strings.Cut(uri, "://")
	host, path, hasPath := strings.Cut(rest, "/")
	if !hierarchical || !hasPath || scheme != "http" && scheme != "https" || len(uri) > maxPlainURL {
		return false
	}
	top := host[strings.LastIndexByte(host, '.')+1:]
	if top == "" || top[0] < 'a' || strings.Contains(host, "xn--") {
		return false // for example an IPv4 address
	}
	return plainBytes(host, ".-") && plainBytes(path, "._-/?&=")
}

// plainBytes reports whether s has only lower-case ASCII letters, digits and the characters in
// others.
func plainBytes(s, others string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && strings.IndexByte(others, c) < 0 {
			return false
		}
	}
	return true
}

// checkBase refuses a base against which no relative reference can be resolved. name is the flag
// that gives the base, or "url". The error is a [*flag.Error].
func checkBase(name, uri string, rules resolve.Options) error {
	if uri == "" {
		return nil
	}
	from := base.Option
	if name == "--default-base" {
		from = base.DefaultBase
	}
	err := tryBase(from, uri, rules)
	switch {
	case err == nil:
		return nil
	case isTooLong(err.Error()):
		return flag.Errorf("%s %.200q: %v", name, uri, err)
	}
	return record.NotAbsolute(name, uri, err)
}

// tryBase resolves a relative reference against the base uri. It returns the reason if this fails,
// or nil.
func tryBase(from base.Source, uri string, rules resolve.Options) error {
	b, err := resolve.NewBase(uri, rules)
	if err != nil {
		return err
	}
	if _, err := b.Resolve("x"); err != nil {
		return err
	}
	l := base.Layer{Source: from, Value: uri}
	if step := l.Explain(&base.Policy{Rules: rules})[0]; !step.Used {
		return errors.New(step.Reason) // for example http:x under the rules of the RFCs
	}
	return nil
}

// addRoot parses a value DIR=URI and adds the root.
func (b *Bases) addRoot(arg string) error {
	if probable := probableRoot(arg); probable != "" {
		return flag.Errorf("--root %q: an address without a scheme; type --root %s", arg, probable)
	}
	dir, uri, ok := site.SplitPair(arg)
	if i := strings.LastIndexByte(arg, '='); !ok && i > 0 && site.HasScheme(arg) {
		return flag.Errorf("--root %q is swapped: type --root %s=%s", arg, arg[i+1:], arg[:i])
	}
	if !ok {
		example := arg + "=http://example.com/"
		switch i := strings.LastIndexByte(arg, '='); {
		case site.HasScheme(arg):
			example = "DIR=" + arg
		case i > 0 && !input.IsDir(arg):
			example = arg[:i] + "=http://example.com/"
		}
		return flag.Errorf("--root %q: DIR=URI is needed, such as --root %s", arg, example)
	}
	if err := checkBase("--root", uri, b.Policy.Rules); err != nil {
		return err
	}
	if err := b.roots.Add(dir, uri); err != nil {
		return flag.Errorf("--root %q: %v", arg, err)
	}
	return nil
}

// probableRoot corrects a value DIR=HOST/PATH to DIR=http://HOST/PATH. It also corrects HOST/PATH
// alone if there is no such directory. It returns "" for other values.
func probableRoot(arg string) string {
	dir, address, ok := site.SplitPair(arg)
	if i := strings.LastIndexByte(arg, '='); !ok && i >= 0 {
		dir = arg[:i]
		address = arg[i+1:]
	} else if !ok {
		address = arg
	}
	address = strings.TrimPrefix(address, "//")
	if !site.StartsWithHost(address) || site.HasScheme(dir) || input.IsDir(arg) {
		return ""
	}
	host, path, _ := strings.Cut(address, "/")
	return cmp.Or(dir, "DIR") + "=http://" + host + "/" + path
}

// checkSingleInput refuses --base for several inputs. All of them would get the same retrieval URI,
// so most of their relative references would become wrong URIs.
func (b *Bases) checkSingleInput(inputs *source.Set) error {
	if b.Retrieval == "" || inputs.IsSingle() {
		return nil
	}
	args := inputs.Args()
	dir := "DIR"
	why := "--units may name several inputs"
	switch {
	case inputs.URLs != "":
		return flag.Errorf("--base is the retrieval URI of one input, but each URL of --urls has its own: leave "+
			"--base out, or give --default-base %s for documents without a base", b.Retrieval)
	case len(args) > 1:
		why = fmt.Sprintf("%d are given", len(args))
	case len(args) == 1:
		dir = cmp.Or(strings.TrimRight(args[0], "/"), "/")
		why = args[0] + " is a directory"
	}
	return flag.Errorf("--base is the retrieval URI of one input, but %s: --root %s=%s gives each file its own URI; "+
		"--default-base %s is for documents without a base", why, dir, b.Retrieval, b.Retrieval)
}

// ParsedRoots returns the roots that [Options.Prepare] has parsed.
func (b *Bases) ParsedRoots() []site.Root { return b.roots.All() }

// Doubts describes roots that look like mistakes; see [site.Roots.Doubts].
func (b *Bases) Doubts() []string { return b.roots.Doubts() }

// OptionLayers returns the layers that the options put around a file, or nil if there are none.
// From the innermost to the outermost these are the root, Retrieval, the URL of f, and Default.
func (b *Bases) OptionLayers(f input.File) *base.Layer {
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
	if uri := b.roots.URI(f.Path); uri != "" {
		l = &base.Layer{Source: base.Root, Value: uri, Outer: l}
	}
	return l
}

// unmatchedRoots returns messages about the roots without a document below them.
func (b *Bases) unmatchedRoots() (list []string) {
	for _, dir := range b.roots.Unused() {
		list = append(list,
			"--root "+dir+
				": no document that was read lies below it; DIR is a directory of the inputs, or one above them")
	}
	return list
}
