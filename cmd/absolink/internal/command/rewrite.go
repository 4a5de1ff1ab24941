package command

import (
	"strings"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/inplace"
	"absolink/cmd/absolink/internal/site"
	"absolink/cmd/absolink/internal/write"
	"absolink/extract"
	"absolink/resolve/move"
)

// Rewrite is the command rewrite.
type Rewrite struct {
	Common
	Write  write.Options
	Strict bool // --strict
}

// Register adds the flags to c.
func (x *Rewrite) Register(c *cobra.Command) {
	x.Common.Register(c)
	x.registerFiles(c)
	x.registerReading(c)
	x.registerShared(c)
	fs, w := c.Flags(), &x.Write
	fs.BoolVar(&w.Normalize, "normalize", false,
		"Rewriting: write also absolute references anew, as the rule set has them")
	flag.Enum(c, &w.BaseElement, "base-element",
		"Rewriting: `WHAT` to do with the BASE of a document: keep, drop (its href) or absolutize",
		extract.KeepBase, extract.DropBase, extract.AbsolutizeBase)
	fs.Var((*flag.List)(&w.Maps), "map",
		"Moving: replace the longest prefix OLD of a URI by NEW, also where it was absolute: `OLD=NEW` (repeatable)")
	fs.Var((*flag.List)(&w.Patterns), "map-regex",
		"Moving: where no --map holds, replace the first match in a URI: `RE=REPLACEMENT` (RE2, $1, {date}; "+
			"repeatable, the first that matches counts; \\x3d is = in RE)")
	fs.BoolVar(&w.Unwayback, "unwayback", false,
		"Moving: take the prefixes of web archives away first, such as http://web.archive.org/web/20160102030405im_/")
	fs.BoolVar(&w.FindOld, "find-old", false,
		"Moving: name what still says an OLD of --map in what is written: scripts, JSON, robots.txt, comments, text")
	fs.Var((*flag.Text)(&w.Redirects), "redirects",
		"Moving: write to `FILE` which document moved where, a line for each, for the server at the old addresses")
	flag.Enum(c, &w.RedirectFormat, "redirects-format",
		"Moving: write --redirects for `SERVER`: csv (the default), nginx, apache or netlify",
		site.CSV, site.Nginx, site.Apache, site.Netlify)
	fs.Var((*flag.Text)(&w.MapFile), "map-file", "Moving: read one OLD=NEW a line from `FILE`")
	flag.Enum(c, &w.Form, "to",
		"Moving: `FORM` of links within the site, below a --root or --map: absolute, root-relative, relative (for a "+
			"server) or disk (to the files that are there, for a browser without a server); all but the first drop "+
			"BASE", move.Absolute, move.RootRelative, move.Relative, move.Disk)
	fs.Var(&w.Keep, "keep",
		"Moving: with --to, keep these links absolute, `LIST`: "+strings.Join(site.KeepNames(), " ")+", or none")
	fs.Var((*flag.List)(&w.AnyDepth), "any-depth",
		"Moving: with --to, pages that match `GLOB` are shown at any depth: their links are root-relative, and with "+
			"disk stay as they are (repeatable; default 404.html and 50x.html)")
	registerStrict(c, &x.Strict)
	fs.VarP((*flag.Text)(&w.Dir), "output", "o", "Rewriting: write the same tree below `DIR`")
	fs.BoolVar(&w.Overwrite, "overwrite", false,
		"Rewriting: with -o, replace files that are there; nothing is written through symbolic links in DIR")
	fs.BoolVarP(&w.InPlace, "in-place", "i", false,
		"Rewriting: replace the files, each by a rename; keep a --journal to undo")
	fs.Var((*flag.Text)(&w.Backup), "backup",
		"Rewriting: with --in-place, keep each old file as its name with `SUFFIX`; messages of a Maildir are refused")
	fs.Var((*flag.Text)(&w.Journal), "journal",
		"Rewriting: with --in-place, keep in `FILE` what is replaced, to resume and to undo")
	fs.BoolVar(&w.Resume, "resume", false,
		"Rewriting: go on with an interrupted run: in place by its --journal, with -o by what is in DIR")
	fs.Var((*flag.Text)(&w.Undo), "undo", "Rewriting: put back what the run with --journal `FILE` replaced")
	flag.Enum(c, &w.DKIM, "dkim",
		"Mail: `WHAT` to do with messages whose DKIM signature edits break: rewrite or skip (default: rewrite; with "+
			"--in-place: skip)", "rewrite", "skip")
	fs.Lookup("dkim").DefValue = ""
	fs.BoolVar(&w.BreakSignatures, "break-signatures", false,
		"Mail: edit also what is signed (S/MIME, PGP); what is encrypted stays")
	fs.BoolVarP(&w.DryRun, "dry-run", "n", false, "Rewriting: print the edits, write nothing")
	fs.BoolVar(&w.Diff, "diff", false,
		"Rewriting: print a unified diff of the decoded text, on a terminal in colours and of long lines what "+
			"changed; write nothing")
	fs.BoolVar(&w.Verify, "verify", false,
		"Rewriting: read the output again before it counts: it has the same links in the same order (always with "+
			"--in-place)")
}

// registerShared adds those flags to c that extract and base take as well.
func (x *Rewrite) registerShared(c *cobra.Command) {
	c.Flags().BoolVar(&x.Write.Fragments, "absolutize-fragments", false,
		"Rewriting: make also links to the page itself absolute, \"#top\" and \"\"; what names a map or a part of a "+
			"picture, as usemap does, stays")
	flag.Enum(c, &x.Write.Maildir, "maildir-size",
		"Mail: `WHAT` to do in place with a Maildir message whose name, or Dovecot's index, has a size that changes: "+
			"refuse, rename or keep; with -o only keep keeps its name",
		inplace.RefuseSize, inplace.RenameSize, inplace.KeepSize)
}

// Prepare checks the flags that are those of rewrite alone. It comes before Start. The error is a
// *flag.Error.
func (x *Rewrite) Prepare(args []string) error {
	x.Write.Run = &x.Run
	x.Write.Links = &x.Links
	x.Links.Moving = x.gave("to")
	return x.Write.Prepare(args)
}
