package static

import (
	"fmt"
	"net/url"
	"strings"

	"absolink/base"
	"absolink/extract"
	"absolink/mime/document"
	"absolink/mime/rewrite"
	"absolink/resolve"
	"absolink/resolve/move"
)

// options say how a document is read and rewritten. They come from the flags of a page, which mean
// the same as those of the command.
type options struct {
	kind   string // the value of --type
	policy base.Policy
	outer  *base.Layer // the layers of --default-base and --base
	read   extract.Options
	site   move.Site
}

// newOptions returns the options from flags. The error says which flag is wrong.
func newOptions(flags url.Values) (*options, error) {
	o := &options{kind: flags.Get("type")}
	var err error
	o.policy.Rules.Rules, err = valueOf("rules", flags, resolve.WHATWG, resolve.RFC3986, resolve.RFC2396,
		resolve.Draft02, resolve.Draft00e)
	if err != nil {
		return nil, err
	}
	o.policy.MIME, err = valueOf("mime-base", flags, base.MIMERFC2396, base.MIMERFC2557, base.MIMERFC2110)
	if err != nil {
		return nil, err
	}
	o.policy.Trust, err = valueOf("trust-base", flags, base.TrustAll, base.TrustHeaders, base.TrustNone)
	if err != nil {
		return nil, err
	}
	for _, layer := range []struct {
		name   string
		source base.Source
	}{{"default-base", base.DefaultBase}, {"base", base.Option}} {
		if err := o.addLayer(layer.name, layer.source, flags.Get(layer.name)); err != nil {
			return nil, err
		}
	}
	o.read = extract.Options{Lazy: flags.Get("lazy") == "true", Scripts: flags.Get("scripts") == "true",
		Comments: flags.Get("comments") == "true"}
	return o, o.setSite(flags)
}

// valueOf returns the value of a flag. The first of the values is the default.
func valueOf[T fmt.Stringer](name string, flags url.Values, values ...T) (T, error) {
	given := flags.Get(name)
	var names []string
	for _, v := range values {
		if given == "" || v.String() == given {
			return v, nil
		}
		names = append(names, v.String())
	}
	return values[0], fmt.Errorf("--%s %.200q: use one of %s", name, given, strings.Join(names, ", "))
}

// addLayer adds the layer of a flag around the document.
func (o *options) addLayer(name string, source base.Source, uri string) error {
	if uri == "" {
		return nil
	}
	b, err := resolve.NewBase(uri, o.policy.Rules)
	if err == nil {
		_, err = b.Resolve("x")
	}
	if err != nil {
		return fmt.Errorf("--%s %.200q: not an absolute URI such as http://example.com/dir/page.html", name, uri)
	}
	o.outer = &base.Layer{Source: source, Value: uri, Outer: o.outer}
	return nil
}

// setSite sets the rules of --map and the form of --to.
func (o *options) setSite(flags url.Values) error {
	var err error
	o.site.Form, err = valueOf("to", flags, move.Absolute, move.RootRelative, move.Relative)
	if err != nil {
		return err
	}
	o.site.Map.Options = o.policy.Rules
	for _, rule := range flags["map"] {
		from, to, found := strings.Cut(rule, "=")
		if !found {
			return fmt.Errorf("--map %.200q: OLD=NEW is needed, such as http://old.example/=http://new.example/", rule)
		}
		if err := o.site.Map.Add(from, to); err != nil {
			return fmt.Errorf("--map %.200q: %w", rule, err)
		}
	}
	if flags.Get("to") == "" && !o.site.Map.Empty() {
		o.site.Messages = move.AsWritten
	}
	for _, uri := range o.site.Map.NewPrefixes() {
		o.site.Include(uri)
	}
	if o.site.Form != move.Absolute && !o.site.HasArea() {
		return fmt.Errorf("--to %s needs --map, which says what belongs to the site", o.site.Form)
	}
	return nil
}

// resolver returns a resolver of links.
func (o *options) resolver() extract.Resolver { return extract.Resolver{Policy: o.policy} }

// documentOptions returns the options for reading. listing is false for a rewriting.
func (o *options) documentOptions(listing bool) document.Options {
	return document.Options{Read: o.read, Listing: listing, Policy: &o.policy}
}

// rewriter returns a rewriter of documents.
func (o *options) rewriter() *rewrite.Rewriter {
	return &rewrite.Rewriter{Resolver: o.resolver(), Options: o.documentOptions(false), Site: &o.site}
}
