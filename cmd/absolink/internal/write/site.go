package write

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"

	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/glob"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/output"
	"absolink/cmd/absolink/internal/site"
	"absolink/extract"
	"absolink/resolve/move"
)

// A site moves by rules, and its documents refer to each other in a form: see package
// resolve/move.

// readSite reads the rules and says what may surprise in them.
func (c *Command) readSite() error {
	c.site.Form = c.o.Form
	if err := c.readMaps(); err != nil {
		return err
	}
	for _, r := range c.o.Links.Mapped() {
		c.site.Include(c.site.Place(r.URI))
	}
	for _, uri := range c.site.Map.News() {
		c.site.Include(uri)
	}
	switch {
	case c.o.BaseElement == extract.DropBase && !c.o.Links.Choice.All():
		return flag.Errorf("--base-element drop rewrites all that BASE governs: leave out --kind, --select and all " +
			"else that chooses references")
	case c.site.Form == move.Absolute && (c.o.Keep.Given() || c.o.AnyDepth != nil):
		return flag.Errorf("--keep and --any-depth need --to root-relative, relative or disk: all links are absolute " +
			"without it")
	case c.site.Form == move.Disk && len(c.o.Links.Mapped()) == 0:
		return flag.Errorf("--to disk needs --root DIR=URI, which says what addresses the files of DIR had, such as " +
			"--root site=http://example.com/")
	case c.site.Form == move.Disk && c.o.Run.Inputs.URLs != "":
		return flag.Errorf("--to disk is for files, not for --urls: save the pages first, and give the directory " +
			"that they lie in")
	case c.site.Form != move.Absolute && c.site.Empty():
		return flag.Errorf("--to %v needs --root or --map, which say what belongs to the site", c.site.Form)
	case c.site.Form != move.Absolute && c.o.Links.Policy.Force != "":
		return flag.Errorf("--to %v writes links relative to where documents are; leave --force-base out", c.site.Form)
	case c.site.Form != move.Absolute && c.o.BaseElement == extract.AbsolutizeBase:
		return flag.Errorf("--to %v drops BASE; leave --base-element out", c.site.Form)
	}
	if err := c.readAnyDepth(); err != nil {
		return err
	}
	if err := c.readOld(); err != nil {
		return err
	}
	tree := site.NewTree(c.o.Links.Files(), &c.site.Map)
	c.o.Links.LookIn(tree)
	if c.site.Form == move.Disk {
		c.disk = c.newDisk(tree)
		c.site.File = c.disk.file
		c.site.Directory = c.disk.directory
		c.disk.area(&c.site, c.o.Links.Mapped())
	}
	if err := c.checkRedirects(); err != nil {
		return err
	}
	c.sayClashes()
	return nil
}

// readAnyDepth reads the patterns of pages that are shown at any depth.
func (c *Command) readAnyDepth() error {
	texts := c.o.AnyDepth
	if texts == nil {
		texts = []string{"404.html", "50x.html"}
	}
	for _, text := range texts {
		p, err := glob.Parse(text)
		if err != nil {
			return flag.Errorf("--any-depth: %v", err)
		}
		c.anyDepth = append(c.anyDepth, p)
	}
	return nil
}

// sayClashes says what the rules say twice. A rule that maps to below itself can be meant.
func (c *Command) sayClashes() {
	var clashes, nested []string
	for _, clash := range c.site.Map.Clashes() {
		switch clash.Kind {
		case move.Repeated:
			clashes = append(clashes,
				fmt.Sprintf("%s is mapped to %s and to %s: the first counts", clash.Old, clash.New, clash.Other))
		case move.Chained:
			clashes = append(clashes, mappedOnce(clash))
		case move.Nested:
			nested = append(nested, mappedOnce(clash))
		}
	}
	c.run.Doubt("--map", clashes)
	if c.o.Run.Quiet {
		return
	}
	for _, text := range nested {
		c.run.Console.Printf("--map: %s", text)
	}
}

func mappedOnce(c move.Clash) string {
	return fmt.Sprintf("%s becomes %s, which is not mapped on to %s: each link is mapped once", c.Old, c.New, c.Other)
}

// readMaps reads the rules.
func (c *Command) readMaps() error {
	c.site.Map.Options = c.o.Links.Policy.Rules
	for _, arg := range c.o.Maps {
		if err := site.AddRule(&c.site.Map, arg); err != nil {
			return flag.Errorf("--map %v", err)
		}
	}
	c.site.Map.Unwayback = c.o.Unwayback
	for _, arg := range c.o.Patterns {
		if err := site.AddPattern(&c.site.Map, arg); err != nil {
			return flag.Errorf("--map-regex %v", err)
		}
	}
	switch {
	case c.o.MapFile == "":
		return nil
	case c.o.Run.Report != "" && output.Same(c.o.Run.Report, c.o.MapFile):
		return flag.Errorf("--report %s is the file of --map-file; give another name", c.o.Run.Report)
	}
	f, err := os.Open(c.o.MapFile)
	if err != nil {
		return flag.Errorf("--map-file %s: %v", c.o.MapFile, input.Pathless(err))
	}
	defer f.Close()
	sum := sha256.New()
	if err := site.ReadRules(&c.site.Map, io.TeeReader(f, sum)); err != nil {
		return flag.Errorf("--map-file %s: %v", c.o.MapFile, input.Pathless(err))
	}
	if name, ok := c.o.Decides["map-file"]; ok {
		c.o.Decides["map-file"] = fmt.Sprintf("%s, SHA-256 %x", name, sum.Sum(nil))
	}
	return nil
}
