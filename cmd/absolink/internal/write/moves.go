package write

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"

	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/glob"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/site"
	"absolink/extract"
	"absolink/resolve/move"
)

// moves says how a site moves, by the flags of [Move]: its rules, and the form of links within it.
// See package resolve/move.
type moves struct {
	site     move.Site
	dated    bool           // a rule needs the time when a document was written
	anyDepth []glob.Pattern // pages that servers show at any depth (--any-depth)
	old      *site.Old      // nil without --find-old
	disk     *disk          // nil without --to disk
	layout   *site.Layout   // nil unless several roots are written below one directory
}

// read sets m from o. The error is a [*flag.Error].
func (m *moves) read(o *Options) error {
	m.site.Form = o.Move.Form
	if err := m.readMaps(o); err != nil {
		return err
	}
	m.dated = m.site.Map.Dated()
	m.site.Messages = messagesForm(o, &m.site)
	for _, r := range o.Links.Bases.ParsedRoots() {
		m.site.Include(m.site.Place(r.URI))
	}
	for _, uri := range m.site.Map.News() {
		m.site.Include(uri)
	}
	if err := m.checkForm(o); err != nil {
		return err
	}
	if err := m.setText(o); err != nil {
		return err
	}
	if err := m.readAnyDepth(o.Move.AnyDepth); err != nil {
		return err
	}
	if o.Move.FindOld {
		if len(m.site.Map.Olds()) == 0 && !o.Move.Unwayback {
			return flag.Errorf("--find-old needs --map, --map-file or --unwayback, which say what is old")
		}
		m.old = site.NewOld(&m.site.Map, o.Move.Unwayback)
	}
	if o.To.Dir != "" {
		m.layout = site.NewLayout(o.Links.Bases.ParsedRoots(), &m.site.Map)
	}
	tree := site.NewTree(o.Links.Files(), &m.site.Map)
	o.Links.Targets.SetTree(tree)
	if m.site.Form == move.Disk {
		m.disk = newDisk(tree, m.copyPath(o))
		m.site.File = m.disk.file
		m.site.Directory = m.disk.directory
		m.disk.includeTops(&m.site, o.Links.Bases.ParsedRoots())
	}
	return nil
}

// copyPath returns the function that finds the path of the copy of a file. It returns nil if files
// stay where they are.
func (m *moves) copyPath(o *Options) copyPath {
	if o.To.Dir == "" || o.Show.On() {
		return nil
	}
	_, name := o.To.outputFile(&o.Run.Inputs)
	return func(path string) string {
		rel := o.Run.Inputs.CopyPath(path)
		switch {
		case rel == "":
		case name != "":
			return name
		case m.layout != nil:
			rel, _ = m.layout.Place(path, rel)
		}
		return rel
	}
}

// messagesForm returns the form of links in the messages of s: Absolute or AsWritten. If rules move
// links, and neither --to nor --force-base is given, it is AsWritten.
func messagesForm(o *Options, s *move.Site) move.Form {
	forced := o.Links.Bases.Policy.Force != ""
	if s.Form == move.AsWritten || !o.Links.Bases.RootsLocateTargets && !forced && !s.Map.Empty() {
		return move.AsWritten
	}
	return move.Absolute
}

// readMaps adds the rules of --map, --map-regex, --map-file and --unwayback to m.site.Map.
func (m *moves) readMaps(o *Options) error {
	rules := &m.site.Map
	rules.Options = o.Links.Bases.Policy.Rules
	for _, arg := range o.Move.Maps {
		if err := site.AddRule(rules, arg); err != nil {
			return flag.Errorf("--map %v", err)
		}
	}
	rules.Unwayback = o.Move.Unwayback
	o.Links.Cleaning.ApplyTo(rules)
	if rules.Unwayback {
		o.Links.Cleaning.Unwayback()
	}
	for _, arg := range o.Move.Patterns {
		if err := site.AddPattern(rules, arg); err != nil {
			return flag.Errorf("--map-regex %v", err)
		}
	}
	switch {
	case o.Move.MapFile == "":
		return nil
	case o.Run.Account.Report != "" && files.Same(o.Run.Account.Report, o.Move.MapFile):
		return flag.Errorf("--report %s is the file of --map-file; give another name", o.Run.Account.Report)
	}
	f, err := os.Open(o.Move.MapFile)
	if err != nil {
		return flag.Errorf("--map-file %s: %v", o.Move.MapFile, input.Pathless(err))
	}
	defer f.Close()
	sum := sha256.New()
	if err := site.ReadRules(rules, io.TeeReader(f, sum)); err != nil {
		return flag.Errorf("--map-file %s: %v", o.Move.MapFile, input.Pathless(err))
	}
	if name, ok := o.To.OutputFlags["map-file"]; ok {
		o.To.OutputFlags["map-file"] = fmt.Sprintf("%s, SHA-256 %x", name, sum.Sum(nil))
	}
	return nil
}

// checkForm refuses options that do not fit the form of links in the site, which --to gives.
func (m *moves) checkForm(o *Options) error {
	form := m.site.Form
	switch {
	case o.Form.BaseElement == extract.DropBase && !o.Links.Choice.ChoosesAll():
		return flag.Errorf("--base-element drop rewrites all that BASE governs: leave out --kind, --select and all " +
			"else that chooses references")
	case form == move.AsWritten && (o.Move.Keep.Given() || o.Move.AnyDepth != nil):
		return flag.Errorf("--keep and --any-depth need --to root-relative, relative or disk: with as-written each " +
			"link keeps its form")
	case form == move.Absolute && (o.Move.Keep.Given() || o.Move.AnyDepth != nil):
		return flag.Errorf("--keep and --any-depth need --to root-relative, relative or disk: all links are absolute " +
			"without it")
	case form == move.Absolute:
		return nil
	case o.Links.Bases.Image != "" || o.Links.Bases.Root != "":
		return flag.Errorf("--image-base and --root-base make links absolute; leave --to %v out", form)
	case form == move.AsWritten && m.site.Map.Empty():
		return flag.Errorf("--to as-written changes only what a rule moves: add --map OLD=NEW, or leave it out")
	case form == move.AsWritten && o.Links.Bases.Policy.Force != "":
		return flag.Errorf("--to as-written keeps links relative to where documents are; leave --force-base out")
	case form == move.AsWritten:
		return nil
	case form == move.Disk && len(o.Links.Bases.ParsedRoots()) == 0:
		return flag.Errorf("--to disk needs --root DIR=URI, which says what addresses the files of DIR had, such as " +
			"--root site=http://example.com/")
	case form == move.Disk && o.Run.Inputs.URLs != "":
		return flag.Errorf("--to disk is for files, not for --urls: save the pages first, and give the directory " +
			"that they lie in")
	case m.site.Empty():
		return flag.Errorf("--to %v needs --root or --map, which say what belongs to the site", form)
	case o.Links.Bases.Policy.Force != "":
		return flag.Errorf("--to %v writes links relative to where documents are; leave --force-base out", form)
	case o.Form.BaseElement == extract.AbsolutizeBase:
		return flag.Errorf("--to %v drops BASE; leave --base-element out", form)
	}
	return nil
}

// setText sets the options for running text. It refuses flags that have no effect.
func (m *moves) setText(o *Options) error {
	switch name := o.Move.textFlag(); {
	case name == "":
		return nil
	case m.site.Map.Empty():
		return flag.Errorf("%s needs a rule, such as --map, --map-regex, --unwayback or --unwrap: only rules change "+
			"running text", name)
	case o.Move.NoText && o.Move.SkipFooters:
		return flag.Errorf("--no-text leaves all running text as it is; leave --skip-footers out")
	case o.Move.NoText && o.Move.VisibleText:
		return flag.Errorf("--no-text leaves all running text as it is; leave --visible-text out")
	}
	o.Links.Reading.Options.VisibleText = o.Move.VisibleText
	return nil
}

// textFlag returns the name of a flag for running text, if one is given. Otherwise it returns "".
func (m *Move) textFlag() string {
	switch {
	case m.SkipFooters:
		return "--skip-footers"
	case m.VisibleText:
		return "--visible-text"
	case m.NoText:
		return "--no-text"
	}
	return ""
}

// readAnyDepth sets m.anyDepth to the parsed patterns. nil stands for the usual error pages of
// servers.
func (m *moves) readAnyDepth(patterns []string) error {
	if patterns == nil {
		patterns = []string{"404.html", "50x.html"}
	}
	for _, pattern := range patterns {
		p, err := glob.Parse(pattern)
		if err != nil {
			return flag.Errorf("--any-depth: %v", err)
		}
		m.anyDepth = append(m.anyDepth, p)
	}
	return nil
}

// atAnyDepth reports whether servers show the page at the slash path rel at any depth.
func (m *moves) atAnyDepth(rel string) bool {
	for _, p := range m.anyDepth {
		if p.Match(rel) {
			return true
		}
	}
	return false
}

// clashes describes pairs of rules that do not work together. Either both have the same OLD, or the
// NEW of one begins with the OLD of the other. nested describes the rules that map to a URI below
// their own OLD. Users may intend this.
func (m *moves) clashes() (clashes, nested []string) {
	for _, c := range m.site.Map.Clashes() {
		mappedOnce := fmt.Sprintf("%s becomes %s, which is not mapped again, to %s: each link is mapped once",
			c.Old, c.New, c.Other)
		switch c.Kind {
		case move.Repeated:
			clashes = append(clashes,
				fmt.Sprintf("%s is mapped to %s and to %s: the first counts", c.Old, c.New, c.Other))
		case move.Chained:
			clashes = append(clashes, mappedOnce)
		case move.Nested:
			nested = append(nested, mappedOnce)
		}
	}
	return clashes, nested
}
