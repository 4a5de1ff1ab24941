// Package links finds the links of inputs. [Options] hold the flags: the bases of documents, the
// references that are read, the links that are chosen, and the check of the target files of links.
//
//	o := &links.Options{Bases: links.Bases{Default: "http://example.com/"}}
//	if err := o.Prepare(inputs); err != nil {
//		return err // a *flag.Error
//	}
//	f := links.NewFinder(o) // for one goroutine
//	if !f.Open(in, entry) {
//		return
//	}
//	for d := range f.Docs.All() {
//		for l := range f.Links(d, entry) {
//			if f.Accept(d, &l, entry) { … }
//		}
//	}
//
// Files in reading order: targets.go, cleaning.go, selector.go and matching.go (--select),
// values.go, choice.go, bases.go, manifest.go, options.go, problems.go, finder.go, check.go,
// more.go.
package links

import (
	"slices"
	"strings"
	"sync/atomic"

	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/site"
	"absolink/cmd/absolink/internal/source"
	"absolink/extract"
	"absolink/mime"
	"absolink/mime/document"

	"github.com/spf13/cobra"
)

// Options say how links are found. Set the fields and call Prepare. After that, several Finders may
// share the Options.
type Options struct {
	Bases   Bases   // the bases of documents
	Reading Reading // the references that are read
	Choice  Choice  // the links that are chosen
	Targets Targets // the check of the target files of links

	Cleaning Cleaning // what is removed from URIs before links are chosen

	// Listing says that links are listed, not rewritten. Then Finder.Accept returns false for links
	// that are not chosen, and documents that cannot be edited are read, too.
	Listing    bool
	NoFragment bool // links are chosen and listed by their URI without the fragment
	LinkText   bool // Finder.Text returns the text of links
	Envelopes  bool // entries of messages have the subject, sender and date

	Manifests Manifests // the manifests of web applications among the inputs

	// helpful[i] is set if readingFlags[i] would find references. Finder.TryMoreOptions sets it.
	helpful [len(readingFlags)]atomic.Bool
}

// Reading says how documents are read.
type Reading struct {
	Charset string          // charset of all documents; if empty, each document declares its own
	Limits  mime.Limits     // limits for messages
	Options extract.Options // the constructs in which references are read
	Flavor  Flavor          // flavor of Markdown
}

// Flavor is a flavor of Markdown. The zero value is GitHub's.
type Flavor uint8

// The flavors.
const (
	GFM        Flavor = iota // GitHub Flavored Markdown
	CommonMark               // without tables, footnotes and URLs in text
)

// String returns the name of f, as a value of --flavor.
func (f Flavor) String() string {
	if f == CommonMark {
		return "commonmark"
	}
	return "gfm"
}

// RegisterLinkFlags adds the flags of Reading.Options, Choice and Cleaning to c.
func (o *Options) RegisterLinkFlags(c *cobra.Command) {
	fs := c.Flags()
	read := &o.Reading.Options
	fs.BoolVar(&read.Lazy, "lazy", false,
		"Which: also read data-*, hx-* and up-* attributes with the JSON in them, param names, animate values, and "+
			"src and href of elements like <x-y>; also rewrite Open Graph metas, which are otherwise only listed")
	fs.BoolVar(&read.Scripts, "scripts", false,
		"Which: also read string literals that look like URLs, in scripts (also .js files), on* attributes and "+
			"javascript:")
	fs.BoolVar(&read.Comments, "comments", false,
		"Which: also read markup in comments, and the JSON of WordPress blocks")
	fs.BoolVar(&read.BareHosts, "bare-hosts", false,
		"Which: read www.example.org in text as http://www.example.org (RFC 2396 Appendix F)")
	fs.BoolVar(&read.HTML5Objects, "html5-objects", false,
		"Base: ignore the codebase of objects and applets, as browsers do")
	fs.Var((*flag.Text)(&o.Bases.Image), "image-base",
		"Base: `URI` against which images are resolved (of Markdown, img, source), such as "+
			"https://host/raw/main/README.md")
	fs.Var((*flag.Text)(&o.Bases.RootBase), "root-base",
		"Base: `URI` of the directory for paths that begin with a slash, such as https://host/blob/main/")
	o.Choice.initLists(func(name, help string, v *Values) {
		fs.Var(v, name, help)
		if known := v.Known(); known != nil {
			flag.Complete(c, name, known...)
		}
	})
	fs.Func("match",
		"Which: only links whose absolute URI matches the regular expression `RE` (RE2; repeatable: one of "+
			"them matches)", o.Choice.AddMatch)
	fs.Func("no-match",
		"Which: only links whose absolute URI does not match the regular expression `RE` (repeatable: none of "+
			"them matches)", o.Choice.AddNoMatch)
	fs.Var((*flag.Text)(&read.Robot), "robot-name",
		"Which: also read what metas and X-Robots-Tag ask of the robot `NAME`, such as googlebot; --rel and the "+
			"records of --pages use it")
	fs.BoolVar(&o.Choice.SameHost, "same-host", false,
		"Which: only links to the host that the document was retrieved from; if it is unknown, to the host of "+
			"its base")
	o.Cleaning.register(c)
	fs.Func("select", "Which: only links in elements of HTML that match the selector `CSS`, or below them",
		o.Choice.SetSelector)
}

// Prepare checks that the options can work for the inputs, and prepares o for [NewFinder]. It
// parses the roots, collects the criteria of Choice, and sets Manifests and the tree of Targets.
// The error is a [*flag.Error].
func (o *Options) Prepare(inputs *source.Set) error {
	if err := o.Bases.prepare(); err != nil {
		return err
	}
	if robot := o.Reading.Options.Robot; strings.ContainsAny(robot, " \t,;:/") {
		return flag.Errorf("--robot-name %q: give only the name, such as googlebot", robot)
	}
	o.Manifests.options = o
	o.Manifests.inputs = inputs
	o.Choice.collectCriteria()
	o.Cleaning.prepare(o.Bases.Policy.Rules)
	roots := o.Bases.ParsedRoots()
	if err := o.Targets.checkIndex(roots); err != nil {
		return err
	}
	if o.Targets.Check {
		if len(roots) == 0 {
			return flag.Errorf("--check-files needs --root DIR=URI, which says where the files are")
		}
		o.Targets.tree = site.NewTree(o.Files(), nil)
	}
	if err := CheckCharset("--charset", o.Reading.Charset); err != nil {
		return err
	}
	return o.Bases.checkSingleInput(inputs)
}

// charsets lists the names of the encodings of the Encoding Standard. It also has us-ascii, because
// mail uses that name. A misspelled name gets the nearest of them as a suggestion.
var charsets = strings.Fields(`utf-8 ibm866 iso-8859-1 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7
	iso-8859-8 iso-8859-8-i iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 koi8-r koi8-u macintosh
	windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256
	windows-1257 windows-1258 x-mac-cyrillic gbk gb18030 big5 euc-jp iso-2022-jp shift_jis euc-kr utf-16be
	utf-16le us-ascii`)

// replacement lists the labels of the replacement encoding of the Encoding Standard. A document in
// this encoding is read as empty.
var replacement = strings.Fields("replacement csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr")

// CheckCharset refuses a name that is not a label of the Encoding Standard, and the labels of the
// replacement encoding. It accepts the empty name. option is the flag or key that sets the charset.
func CheckCharset(option, name string) error {
	if name == "" || slices.Contains(charsets, name) {
		return nil
	}
	d := extract.Doc{Format: extract.HTML, Charset: name}
	if len(d.Problems()) > 0 {
		if slices.Contains(replacement, strings.ToLower(strings.TrimSpace(name))) {
			return flag.Errorf("%s %q names the replacement encoding of the Encoding Standard. Browsers and "+
				"absolink read nothing in it: convert the document to utf-8, and leave %[1]s out", option, name)
		}
		if near := flag.Nearest(strings.ToLower(name), slices.Values(charsets)); near != "" {
			return flag.Errorf("%s %q: did you mean %s? Names are those of the Encoding Standard", option, name, near)
		}
		return flag.Errorf("%s %q is no name of the Encoding Standard, such as utf-8 or windows-1252", option, name)
	}
	return nil
}

// Files returns the files below the roots. Each call reads the directories again.
func (o *Options) Files() *site.Files { return site.NewFiles(o.Bases.ParsedRoots(), o.Targets.Index) }

// DocumentOptions returns the options for reading documents.
func (o *Options) DocumentOptions() document.Options {
	read := o.Reading.Options
	read.CommonMark = o.Reading.Flavor == CommonMark
	read.LinkText = o.LinkText
	read.OwnImages = o.Bases.Image != ""
	return document.Options{Read: read, Limits: o.Reading.Limits, Listing: o.Listing,
		Policy: &o.Bases.Policy}
}

// Unmatched returns messages about the criteria of Choice that no link met, and about roots without
// a document below them. If the roots also locate the targets of links, there are no messages about
// roots.
func (o *Options) Unmatched() []string {
	var list []string
	if !o.Targets.Check && !o.Bases.RootsLocateTargets {
		list = o.Bases.unmatchedRoots()
	}
	return append(list, o.Choice.unmatched()...)
}
