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

// moves holds the rules that move links, and the form of links within the site, as the flags of
// [Move] give them. See package resolve/move.
type moves struct {
	site     move.Site
	dated    bool           // a rule needs the time when a document was written: see timeWritten
	anyDepth []glob.Pattern // pages that servers show at any depth (--any-depth)
	old      *site.Old      // finds old addresses; nil without --find-old
	disk     *disk          // finds the files of links; nil without --to disk
	layout   *site.Layout   // nil unless several roots are written below one directory
}

// read sets m from o, and reads the file of --map-file. It also sets the options in o.Links and
// o.To that depend on the rules. The error is a [*flag.Error].
func (m *moves) read(o *Options) error {
	m.site.Form = o.Move.Form
	if err := m.readMaps(o); err != nil {
		return err
	}
	m.dated = m.site.Map.Dated()
	m.site.Messages = messagesForm(o, &m.site)
	m.includeArea(o)
	if err := m.checkForm(o); err != nil {
		return err
	}
	if err := m.setText(o); err != nil {
		return err
	}
	if err := m.readAnyDepth(o.Move.AnyDepth); err != nil {
		return err
	}
	if err := m.setOld(o); err != nil {
		return err
	}
	if o.To.Dir != "" {
		m.layout = site.NewLayout(o.Links.Bases.ParsedRoots(), &m.site.Map)
	}
	m.setTree(o)
	return nil
}

// includeArea adds the new URI of each root and the NEW of each rule to the area of the site. Links
// within this area get the form of --to.
func (m *moves) includeArea(o *Options) {
	for _, r := range o.Links.Bases.ParsedRoots() {
		m.site.Include(m.site.Place(r.URI))
	}
	for _, uri := range m.site.Map.NewPrefixes() {
		m.site.Include(uri)
	}
}

// setOld sets m.old if --find-old is given.
func (m *moves) setOld(o *Options) error {
	if !o.Move.FindOld {
		return nil
	}
	if len(m.site.Map.OldPrefixes()) == 0 && !o.Move.Unwayback {
		return flag.Errorf("--find-old needs --map, --map-file or --unwayback, which say what is old")
	}
	m.old = site.NewOld(&m.site.Map, o.Move.Unwayback)
	return nil
}

// setTree sets the tree in which --check-files and --to disk find the files of links. For --to disk
// it also sets m.disk.
func (m *moves) setTree(o *Options) {
	tree := site.NewTree(o.Links.Files(), &m.site.Map)
	o.Links.Targets.SetTree(tree)
	if m.site.Form == move.Disk {
		m.disk = newDisk(tree, m.copyPath(o))
		m.site.File = m.disk.file
		m.site.Directory = m.disk.directory
		m.disk.includeTops(&m.site, o.Links.Bases.ParsedRoots())
	}
}

// copyPath returns the function that returns the path of the copy of a file. It returns nil if
// files stay where they are.
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
			rel, _ = m.layout.OutputPath(path, rel)
		}
		return files.OutputPath(rel)
	}
}

// messagesForm returns the form of links in messages: AsWritten with --to as-written, and Absolute
// with any other --to or with --force-base. Without these flags it is AsWritten if there are rules,
// and otherwise Absolute.
func messagesForm(o *Options, s *move.Site) move.Form {
	givenTo := o.Links.Bases.RootsLocateTargets // set by --to, also by --to absolute
	forcedBase := o.Links.Bases.Policy.Force != ""
	switch {
	case s.Form == move.AsWritten:
		return move.AsWritten
	case givenTo, forcedBase, s.Map.Empty():
		return move.Absolute
	}
	return move.AsWritten
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

// checkForm refuses options that do not fit the form of --to. It also refuses --base-element drop
// if flags choose only some links.
func (m *moves) checkForm(o *Options) error {
	if o.Form.BaseElement == extract.DropBase && !o.Links.Choice.ChoosesAll() {
		return flag.Errorf("--base-element drop rewrites all links that use the BASE: " +
			"leave out --kind, --select and all other flags that choose links")
	}
	switch m.site.Form {
	case move.Absolute:
		if o.Move.Keep.Given() || o.Move.AnyDepth != nil {
			return flag.Errorf("--keep and --any-depth need --to root-relative, relative or disk: " +
				"without --to all links are absolute")
		}
		return nil
	case move.AsWritten:
		return m.checkAsWritten(o)
	}
	return m.checkSiteForm(o)
}

// checkAsWritten refuses options that do not fit --to as-written.
func (m *moves) checkAsWritten(o *Options) error {
	switch {
	case o.Move.Keep.Given() || o.Move.AnyDepth != nil:
		return flag.Errorf("--keep and --any-depth need --to root-relative, relative or disk: with as-written each " +
			"link keeps its form")
	case o.Links.Bases.Image != "" || o.Links.Bases.RootBase != "":
		return refuseAbsoluteBases(move.AsWritten)
	case m.site.Map.Empty():
		return flag.Errorf("--to as-written changes only links that a rule moves: add --map OLD=NEW, or leave --to out")
	case o.Links.Bases.Policy.Force != "":
		return flag.Errorf("--to as-written keeps links relative to where documents are; leave --force-base out")
	}
	return nil
}

// checkSiteForm refuses options that do not fit --to root-relative, relative or disk.
func (m *moves) checkSiteForm(o *Options) error {
	form := m.site.Form
	switch {
	case o.Links.Bases.Image != "" || o.Links.Bases.RootBase != "":
		return refuseAbsoluteBases(form)
	case form == move.Disk && len(o.Links.Bases.ParsedRoots()) == 0:
		return flag.Errorf("--to disk needs --root DIR=URI, which says what addresses the files of DIR had, such as " +
			"--root site=http://example.com/")
	case form == move.Disk && o.Run.Inputs.URLs != "":
		return flag.Errorf("--to disk is for files, not for --urls: save the pages first, and give their directory")
	case !m.site.HasArea():
		return flag.Errorf("--to %v needs --root or --map, which say what belongs to the site", form)
	case o.Links.Bases.Policy.Force != "":
		return flag.Errorf("--to %v writes links relative to where documents are; leave --force-base out", form)
	case o.Form.BaseElement == extract.AbsolutizeBase:
		return flag.Errorf("--to %v drops BASE; leave --base-element out", form)
	}
	return nil
}

// refuseAbsoluteBases returns the error for --image-base and --root-base with a form of --to in
// which links may be relative.
func refuseAbsoluteBases(form move.Form) error {
	return flag.Errorf("--image-base and --root-base make links absolute; leave --to %v out", form)
}

// setText sets the options for URLs in running text. It refuses flags for running text that would
// have no effect.
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

// textFlag returns the name of one flag for running text that is given, or "" if none is given.
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

// readAnyDepth parses the patterns of --any-depth into m.anyDepth. If patterns is nil, it uses the
// usual names of error pages.
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

// atAnyDepth reports whether servers show the page with the slash path rel at any depth.
func (m *moves) atAnyDepth(rel string) bool {
	for _, p := range m.anyDepth {
		if p.Match(rel) {
			return true
		}
	}
	return false
}

// clashes returns messages about rules that clash: rules with the same OLD, and rules whose result
// another rule would map again. nested has messages about rules that would map their own result
// again. Users may intend such rules.
func (m *moves) clashes() (clashes, nested []string) {
	for _, c := range m.site.Map.Clashes() {
		mappedOnce := fmt.Sprintf("%s becomes %s, which is not mapped again to %s: each link is mapped once",
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
