// Package links finds the links of inputs as the flags of a command say: what lies around a
// document and may give its base, which references are read, which of them are chosen, and
// whether they lead to files that are there.
//
//	o := &links.Options{DefaultBase: "http://example.com/"}
//	if err := o.Check(inputs); err != nil {
//		return err // a *flag.Error
//	}
//	f := links.NewFinder(o) // for one goroutine
//	if !f.Open(in, entry) {
//		return
//	}
//	for d := range f.Set.All() {
//		for l := range f.Links(d, entry) {
//			if f.Takes(d, &l, entry) { … }
//		}
//	}
package links

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"absolink/base"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/site"
	"absolink/cmd/absolink/internal/source"
	"absolink/extract"
	"absolink/mime"
	"absolink/mime/document"
	"absolink/resolve"
)

// Options say how links are found. They are set before Check, and the same for all Finders.
type Options struct {
	Base        string      // retrieval URI of the one input; "" = not given
	DefaultBase string      // base where nothing else gives one; "" = none
	Roots       []string    // DIR=URI: files below DIR were retrieved from URI and their path
	Policy      base.Policy // with the rule set, and the base whatever the document says
	Charset     string      // of all documents; "" = as they say
	Limits      mime.Limits

	Read       extract.Options
	Choice     Choice
	CheckFiles bool // links to files below a root that are not there have a warning
	Fragments  Fragments
	// AllFragments names each link to a place that a page does not have, not only the first of
	// each input.
	AllFragments bool
	Index        []string // names of the files that stand for their directory; none = site.Indexes
	// links are listed, not rewritten: what is not chosen is left out, and documents that are only
	// ever listed are read too
	Listing    bool
	NoFragment bool // links are listed, and chosen, without the fragments of their URIs
	Context    bool // the text of links is asked for
	Envelopes  bool // subject, sender and date of messages are asked for in accounts
	Moving     bool // roots also say where links lead, and need no document below them

	Manifests Manifests // of the inputs

	mapped  site.Roots
	tree    *site.Tree // that links lead to, if they are checked
	anchors site.Anchors
	helps   [len(places)]atomic.Bool // the flag finds references in a document of a Finder that has found none
}

// Check finds what cannot be carried out for the inputs, which is a *flag.Error.
func (o *Options) Check(in *source.Set) error {
	rules := o.Policy.Rules
	for _, f := range []struct{ name, uri string }{{"--base", o.Base},
		{"--default-base", o.DefaultBase}, {"--force-base", o.Policy.Force}} {
		if err := checkBase(f.name, f.uri, rules); err != nil {
			return err
		}
	}
	for _, r := range o.Roots {
		if err := o.addRoot(r); err != nil {
			return err
		}
	}
	if strings.ContainsAny(o.Read.Robot, " \t,;:/") {
		return flag.Errorf("--robot-name %q: the name alone is needed, such as googlebot", o.Read.Robot)
	}
	o.Manifests.o, o.Manifests.inputs = o, in
	o.Choice.begin()
	if err := o.checkIndex(); err != nil {
		return err
	}
	if o.CheckFiles {
		if len(o.Mapped()) == 0 {
			return flag.Errorf("--check-files needs --root DIR=URI, which says where the files are")
		}
		o.tree = site.NewTree(o.Files(), nil)
	}
	if err := checkCharset(o.Charset); err != nil {
		return err
	}
	return o.checkOne(in)
}

// Rebase sets the Base of options that were checked with another one. The error is that of
// Check. No Finder may be at work meanwhile.
func (o *Options) Rebase(uri string) error {
	if err := checkBase("--base", uri, o.Policy.Rules); err != nil {
		return err
	}
	o.Base = uri
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

// charsets are the encodings of the Encoding Standard, and the name that mail has for one of them.
var charsets = strings.Fields(`utf-8 ibm866 iso-8859-1 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7
	iso-8859-8 iso-8859-8-i iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 koi8-r koi8-u macintosh
	windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256
	windows-1257 windows-1258 x-mac-cyrillic gbk gb18030 big5 euc-jp iso-2022-jp shift_jis euc-kr utf-16be
	utf-16le us-ascii`)

// replaced are the labels of the replacement encoding of the Encoding Standard.
var replaced = strings.Fields("replacement csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr")

// checkCharset refuses a name that the Encoding Standard does not have, or has for an encoding in
// which nothing is read.
func checkCharset(name string) error {
	if name == "" {
		return nil
	}
	d := extract.Doc{Format: extract.HTML, Charset: name}
	if len(d.Problems()) > 0 {
		if slices.Contains(replaced, strings.ToLower(strings.TrimSpace(name))) {
			return flag.Errorf("--charset %q names the replacement encoding of the Encoding Standard, in which "+
				"browsers read "+
				"nothing either: convert the document to utf-8, and leave --charset out", name)
		}
		if near := flag.Nearest(strings.ToLower(name), slices.Values(charsets)); near != "" {
			return flag.Errorf("--charset %q: did you mean %s? Names are those of the Encoding Standard", name, near)
		}
		return flag.Errorf("--charset %q is no name of the Encoding Standard, such as utf-8 or windows-1252", name)
	}
	return nil
}

func (o *Options) addRoot(arg string) error {
	dir, uri, ok := site.Pair(arg)
	if !ok {
		return flag.Errorf("--root %q: DIR=URI is needed, such as --root mirror=http://example.com/", arg)
	}
	if err := checkBase("--root", uri, o.Policy.Rules); err != nil {
		return err
	}
	if err := o.mapped.Add(dir, uri); err != nil {
		return flag.Errorf("--root %q: %v", arg, err)
	}
	return nil
}

// checkOne refuses --base where it would be the retrieval URI of several inputs: relative
// references of all but one would lead elsewhere then.
func (o *Options) checkOne(in *source.Set) error {
	if o.Base == "" || in.One() {
		return nil
	}
	args, dir, why := in.Args(), "DIR", "units may be of several"
	switch {
	case in.URLs != "":
		return flag.Errorf("--base is the retrieval URI of one input, and the URLs of --urls have their own: leave "+
			"it out, or give --default-base %s to what has no base", o.Base)
	case len(args) > 1:
		why = fmt.Sprintf("%d are given", len(args))
	case len(args) == 1:
		dir = cmp.Or(strings.TrimRight(args[0], "/"), "/")
		why = args[0] + " is a directory"
	}
	return flag.Errorf("--base is the retrieval URI of one input, and %s: --root %s=%s gives each file its own, "+
		"--default-base %s is for what has no base", why, dir, o.Base, o.Base)
}

// checkIndex refuses names of index files that no file of a root can have.
func (o *Options) checkIndex() error {
	for _, name := range o.Index {
		if strings.ContainsAny(name, `/\`) || name == "." || name == ".." {
			return flag.Errorf("--index %q: a name without a directory is needed, such as index.html", name)
		}
	}
	if len(o.Index) == 0 {
		return nil
	}
	for _, r := range o.Mapped() {
		err := filepath.WalkDir(r.Dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && path != r.Dir && slices.Contains(o.Index, d.Name()) {
				return flag.Errorf("--index %s: %s is a directory; give the name of a file, such as index.html",
					d.Name(), path)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Files returns the files below the roots.
func (o *Options) Files() *site.Files { return site.NewFiles(o.Mapped(), o.Index) }

// LookIn has links looked for in t, the tree of the files as they are after a move, if they are
// checked.
func (o *Options) LookIn(t *site.Tree) { o.tree = t }

// IsIndex reports whether a file of a name stands for its directory.
func (o *Options) IsIndex(name string) bool {
	if len(o.Index) == 0 {
		return slices.Contains(site.Indexes, name)
	}
	return slices.Contains(o.Index, name)
}

// Mapped returns the roots, which are known once Check is done.
func (o *Options) Mapped() []site.Root { return o.mapped.All() }

// Doubts says which roots look like mistakes.
func (o *Options) Doubts() []string { return o.mapped.Doubts() }

// Documents returns how documents are read.
func (o *Options) Documents() document.Options {
	return document.Options{Read: o.Read, Listing: o.Listing, Limits: o.Limits, Policy: &o.Policy}
}

// Around returns the layers around f that the options give, nil if there are none.
func (o *Options) Around(f input.File) *base.Layer {
	var l *base.Layer
	if o.DefaultBase != "" {
		l = &base.Layer{Source: base.DefaultBase, Value: o.DefaultBase}
	}
	if f.URL != "" {
		l = &base.Layer{Source: base.URL, Value: f.URL, Outer: l}
	}
	if o.Base != "" {
		l = &base.Layer{Source: base.Option, Value: o.Base, Outer: l}
	}
	if uri := o.mapped.URI(f.Path); uri != "" {
		l = &base.Layer{Source: base.Root, Value: uri, Outer: l}
	}
	return l
}

// Unmatched says which roots and choices matched nothing of what was read.
func (o *Options) Unmatched() []string {
	var list []string
	if !o.CheckFiles && !o.Moving {
		for _, dir := range o.mapped.Unused() {
			list = append(list,
				"--root "+dir+
					": no document that was read lies below it; DIR is a directory of the inputs, or one above them")
		}
	}
	return append(list, o.Choice.unmatched()...)
}
