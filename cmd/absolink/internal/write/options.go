package write

import (
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/inplace"
	"absolink/cmd/absolink/internal/links"
	"absolink/cmd/absolink/internal/run"
	"absolink/cmd/absolink/internal/site"
	"absolink/extract"
	"absolink/resolve/move"
)

// Options say how inputs are rewritten. Run and Links must be set. The zero value of any other part
// is ready to use: references become absolute, and the output goes to standard output.
type Options struct {
	Run   *run.Options
	Links *links.Options // must have been checked

	Form Form
	Move Move
	To   Destination
	Mail Mail
	Show Show

	Verify bool // read all output back before it is accepted
}

// Register adds the flags of all parts to c.
func (o *Options) Register(c *cobra.Command) {
	o.RegisterShared(c)
	o.Form.register(c)
	o.Move.register(c)
	o.To.register(c)
	o.Mail.register(c)
	o.Show.register(c)
	c.Flags().BoolVar(&o.Verify, "verify", false,
		"Rewriting: read the output back and check that it has the same links in the same order (always with "+
			"--in-place)")
}

// RegisterShared adds the flags to c that extract and base have, too.
func (o *Options) RegisterShared(c *cobra.Command) {
	o.Form.registerFragments(c)
	o.Mail.registerMaildir(c)
}

// skipsDKIM reports whether a message stays as it is if the edits would break its DKIM signature.
func (o *Options) skipsDKIM() bool { return o.Mail.DKIM == "skip" || o.Mail.DKIM == "" && o.To.InPlace }

// Form is the form of rewritten references. The first three fields are passed to
// [extract.Resolver].
type Form struct {
	Fragments   bool
	Normalize   bool
	BaseElement extract.BaseElement
	MaxEdits    int64 // maximum size in bytes of all new references of an input; 0 for the maximum size of a document
}

// registerFragments adds --absolutize-fragments to c.
func (f *Form) registerFragments(c *cobra.Command) {
	c.Flags().BoolVar(&f.Fragments, "absolutize-fragments", false,
		"Rewriting: also make links to the page itself absolute, \"#top\" and \"\"; names of maps and parts of "+
			"pictures, as in usemap, stay")
}

// register adds the flags to c that only rewrite has.
func (f *Form) register(c *cobra.Command) {
	c.Flags().BoolVar(&f.Normalize, "normalize", false,
		"Rewriting: also write absolute references in the normal form of the rule set")
	flag.Enum(c, &f.BaseElement, "base-element",
		"Rewriting: `WHAT` to do with the BASE of a document: keep, drop (its href) or absolutize",
		extract.KeepBase, extract.DropBase, extract.AbsolutizeBase)
}

// Move says how a site moves: the rules that move its links, and the form of links within it.
type Move struct {
	Maps      []string  // rules OLD=NEW
	MapFile   string    // file with more rules, or empty
	Patterns  []string  // rules RE=REPLACEMENT for URIs that no rule OLD=NEW covers
	Unwayback bool      // first remove the prefixes of web archives
	Form      move.Form // of links to documents below a root or a NEW
	Keep      site.Keep // kinds of these links that stay absolute, whatever Form is
	AnyDepth  []string  // patterns of pages that are shown at any depth; nil for the usual error pages
	FindOld   bool      // report each OLD that is left in the output

	// RemoveAdditions, with Unwayback, removes what web archives have added to pages.
	RemoveAdditions bool

	NoText      bool // running text stays as written
	VisibleText bool // URLs in the text of HTML change, too
	SkipFooters bool // text after a line "-- " stays as written

	Redirects      string // file for the redirects of moved documents, or empty
	RedirectFormat site.RedirectFormat

	// MaxMatched is the size limit in bytes of a URI that Patterns are tried on, or 0 for none. A
	// longer URI stays as written.
	MaxMatched int
}

// register adds the flags to c.
func (m *Move) register(c *cobra.Command) {
	fs := c.Flags()
	fs.Var((*flag.List)(&m.Maps), "map",
		"Moving: replace the longest prefix OLD of a URI by NEW, in absolute links too: `OLD=NEW` (repeatable)")
	fs.Var((*flag.List)(&m.Patterns), "map-regex",
		"Moving: if no --map applies, replace the first match in a URI: `RE=REPLACEMENT` (RE2, $1, {date}; "+
			"repeatable, the first that matches counts; \\x3d is = in RE)")
	unwayback := fs.VarPF((*archived)(m), "unwayback", "",
		"Moving: first remove the prefixes of web archives, such as http://web.archive.org/web/20160102030405im_/; "+
			"--unwayback=page also removes the scripts, style sheets, toolbar and comments that archives add to a page")
	unwayback.NoOptDefVal = "true"
	flag.Complete(c, "unwayback", "page", "true", "false")
	fs.BoolVar(&m.FindOld, "find-old", false,
		"Moving: name places in the output that still have an OLD of --map: scripts, JSON, robots.txt, comments, text")
	fs.BoolVar(&m.NoText, "no-text", false,
		"Moving: leave URLs in running text as they are: plain and enriched text of messages, and .txt files")
	fs.BoolVar(&m.VisibleText, "visible-text", false,
		"Moving: also change URLs in the text of HTML, as in <a href=URL>URL</a>; not in code, scripts and forms")
	fs.BoolVar(&m.SkipFooters, "skip-footers", false,
		"Moving: in running text, leave URLs after a line \"-- \" as they are")
	fs.Var((*flag.Text)(&m.Redirects), "redirects",
		"Moving: write redirects to `FILE`, a line for each moved document, for the server at the old addresses")
	flag.Enum(c, &m.RedirectFormat, "redirects-format",
		"Moving: write --redirects for `SERVER`: csv (the default), nginx, apache or netlify",
		site.CSV, site.Nginx, site.Apache, site.Netlify)
	fs.Var((*flag.Text)(&m.MapFile), "map-file", "Moving: read one OLD=NEW a line from `FILE`")
	flag.Enum(c, &m.Form, "to",
		"Moving: `FORM` of links within the site, below a --root or --map: absolute, root-relative, relative (for a "+
			"server), disk (to the files themselves, for a browser without a server), or as-written (each keeps its "+
			"form; the default in messages with --map); the second to fourth drop BASE",
		move.Absolute, move.RootRelative, move.Relative, move.Disk, move.AsWritten)
	fs.Var(&m.Keep, "keep",
		"Moving: with --to, keep these links absolute, `LIST`: "+strings.Join(site.KeepNames(), " ")+", or none")
	fs.Var((*flag.List)(&m.AnyDepth), "any-depth",
		"Moving: with --to, pages that match `GLOB` are shown at any depth: their links are root-relative, and with "+
			"disk stay as they are (repeatable; default 404.html and 50x.html)")
}

// archived is the value of --unwayback: false, true or page.
type archived Move

// String returns false, true or page.
func (a *archived) String() string {
	if a.RemoveAdditions {
		return "page"
	}
	return strconv.FormatBool(a.Unwayback)
}

// Set sets the value.
func (a *archived) Set(v string) error {
	a.RemoveAdditions = v == "page"
	a.Unwayback = true
	if a.RemoveAdditions {
		return nil
	}
	on, err := strconv.ParseBool(v)
	if err != nil {
		return errors.New("want --unwayback or --unwayback=page")
	}
	a.Unwayback = on
	return nil
}

// meantPage reports whether the arguments have the value of --unwayback as a separate word.
func (m *Move) meantPage(args []string) bool {
	if !m.Unwayback || m.RemoveAdditions || !slices.Contains(args, "page") {
		return false
	}
	_, err := os.Lstat("page")
	return err != nil
}

// Type returns the type of a flag that may stand without a value.
func (a *archived) Type() string { return "bool" }

// Destination is the place of the output. At most one of Dir, InPlace and Undo is set. If all are
// empty, the output goes to standard output.
type Destination struct {
	Dir       string // directory of the outputs, or empty
	Overwrite bool   // replace existing files
	InPlace   bool   // replace the inputs
	Backup    string // suffix of the names for old files, or empty for no backups
	Journal   string // file that keeps the replaced bytes, or empty
	Resume    bool   // continue an interrupted run
	Undo      string // journal of the run to undo, or empty

	// Decides holds the values of the flags that affect the written bytes. The journal records
	// them. The hash of Move.MapFile is added to it.
	Decides map[string]string
}

// register adds the flags to c.
func (d *Destination) register(c *cobra.Command) {
	fs := c.Flags()
	fs.VarP((*flag.Text)(&d.Dir), "output", "o",
		"Rewriting: write the same tree below `DIR`; for one file also the name of the new file, such as new.html")
	fs.BoolVar(&d.Overwrite, "overwrite", false,
		"Rewriting: with -o, replace existing files; nothing is written through symbolic links in DIR")
	fs.BoolVarP(&d.InPlace, "in-place", "i", false,
		"Rewriting: replace the files, each by a rename; keep a --journal to undo")
	fs.Var((*flag.Text)(&d.Backup), "backup",
		"Rewriting: with --in-place, keep each old file as its name with `SUFFIX`; messages of a Maildir are refused")
	fs.Var((*flag.Text)(&d.Journal), "journal",
		"Rewriting: with --in-place, keep the replaced bytes in `FILE`, to resume and to undo")
	fs.BoolVar(&d.Resume, "resume", false,
		"Rewriting: continue an interrupted run: in place by its --journal, with -o by what is in DIR")
	fs.Var((*flag.Text)(&d.Undo), "undo",
		"Rewriting: put back the bytes that the run with --journal `FILE` replaced, of the named files and "+
			"directories or of all; --dry-run lists the files")
}

// Mail says which messages are edited although the edits have a cost.
type Mail struct {
	// DKIM says what happens to a message if the edits would break its DKIM signature: "rewrite" or
	// "skip". "" means skip in place and rewrite otherwise.
	DKIM            string
	BreakSignatures bool // edit signed parts, too
	Maildir         inplace.MaildirSize
}

// registerMaildir adds --maildir-size to c.
func (m *Mail) registerMaildir(c *cobra.Command) {
	flag.Enum(c, &m.Maildir, "maildir-size",
		"Mail: `WHAT` to do in place with a Maildir message whose name, or Dovecot's index, has a size that changes: "+
			"refuse, rename or keep; with -o only keep keeps its name",
		inplace.RefuseSize, inplace.RenameSize, inplace.KeepSize)
}

// register adds the flags to c that only rewrite has.
func (m *Mail) register(c *cobra.Command) {
	fs := c.Flags()
	flag.Enum(c, &m.DKIM, "dkim",
		"Mail: `WHAT` to do with messages whose DKIM signature edits break: rewrite or skip (default: rewrite; with "+
			"--in-place: skip)", "rewrite", "skip")
	fs.Lookup("dkim").DefValue = ""
	fs.BoolVar(&m.BreakSignatures, "break-signatures", false,
		"Mail: also edit signed parts (S/MIME, PGP); encrypted parts stay")
}

// Show prints the edits instead of writing the output.
type Show struct {
	DryRun   bool // print a line for each edit
	Diff     bool // print a unified diff
	DiffSize int  // maximum size in bytes of the diff of an input, or 0 for the whole diff
	Terminal bool // standard output is a terminal
	Color    bool // the terminal shows colours
}

// On reports whether edits are printed and nothing is written.
func (s *Show) On() bool { return s.DryRun || s.Diff }

// register adds the flags to c.
func (s *Show) register(c *cobra.Command) {
	fs := c.Flags()
	fs.BoolVarP(&s.DryRun, "dry-run", "n", false, "Rewriting: print the edits, write nothing")
	fs.BoolVar(&s.Diff, "diff", false,
		"Rewriting: print a unified diff of the decoded text, on a terminal in colours and with long "+
			"lines cut around the changes; write nothing")
}
