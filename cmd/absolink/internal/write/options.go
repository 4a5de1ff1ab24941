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

// Options say how inputs are rewritten. Run and Links must be set. The zero value of all other
// fields makes references absolute, and writes the output to standard output.
type Options struct {
	Run   *run.Options
	Links *links.Options // prepared: see [links.Options.Prepare]

	Form Form
	Move Move
	To   Destination
	Mail Mail
	Show Show

	Verify bool // read each output back before it is accepted
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

// RegisterShared adds the flags to c that extract and base have in common with rewrite.
func (o *Options) RegisterShared(c *cobra.Command) {
	o.Form.registerFragments(c)
	o.Mail.registerMaildir(c)
}

// skipsDKIM reports whether a message stays unchanged if edits would break its DKIM signature.
func (o *Options) skipsDKIM() bool { return o.Mail.DKIM == "skip" || o.Mail.DKIM == "" && o.To.InPlace }

// Form is the form of rewritten references. The first three fields are passed to
// [extract.Resolver].
type Form struct {
	Fragments   bool
	Normalize   bool
	BaseElement extract.BaseElement
	MaxNewBytes int64 // largest number of bytes of all new references of an input together; 0 means --max-size
}

// registerFragments adds --absolutize-fragments to c.
func (f *Form) registerFragments(c *cobra.Command) {
	c.Flags().BoolVar(&f.Fragments, "absolutize-fragments", false,
		"Rewriting: also make links to the page itself absolute, such as \"#top\" and \"\"; links to image maps "+
			"and elements of the page, as in usemap=\"#m\", stay as they are")
}

// register adds the flags to c that only the command rewrite has.
func (f *Form) register(c *cobra.Command) {
	c.Flags().BoolVar(&f.Normalize, "normalize", false,
		"Rewriting: also normalize links that are absolute already: case of the host, default port and so on")
	flag.Enum(c, &f.BaseElement, "base-element",
		"Rewriting: `WHAT` to do with the BASE of a document: keep, drop (its href) or absolutize",
		extract.KeepBase, extract.DropBase, extract.AbsolutizeBase)
}

// Move says how a site moves: by which rules its links move, and which form its links get.
type Move struct {
	Maps      []string  // rules OLD=NEW
	MapFile   string    // file with more rules, or empty
	Patterns  []string  // rules RE=REPLACEMENT for URIs that no rule OLD=NEW covers
	Unwayback bool      // before all rules, remove the prefixes of web archives
	Form      move.Form // form of links within the site: to URIs below a root or below the NEW of a rule
	Keep      site.Keep // links within the site that stay absolute, whatever Form is
	AnyDepth  []string  // patterns of pages that a server shows at any path, such as 404.html; nil for the usual ones
	FindOld   bool      // report each OLD of a rule that is left in the output

	// RemoveAdditions, with Unwayback, removes the scripts and toolbars that web archives have
	// added to pages.
	RemoveAdditions bool

	NoText      bool // URLs in running text stay as written
	VisibleText bool // URLs in the text of HTML change, too
	SkipFooters bool // URLs in running text after a line "-- " stay as written

	Redirects      string // file for the redirects of moved documents, or empty
	RedirectFormat site.RedirectFormat

	// MaxMatched is the largest length in bytes of a URI to which Patterns are applied, or 0 for no
	// limit. A longer URI stays as written.
	MaxMatched int
}

// register adds the flags to c.
func (m *Move) register(c *cobra.Command) {
	fs := c.Flags()
	fs.Var((*flag.List)(&m.Maps), "map",
		"Moving: replace the longest prefix OLD of a URI by NEW, in absolute links too: `OLD=NEW` (repeatable)")
	fs.Var((*flag.List)(&m.Patterns), "map-regex",
		"Moving: if no --map applies, replace the first match in a URI: `RE=REPLACEMENT` (RE2, $1, {date}; "+
			"repeatable, the first RE that matches is used; write \\x3d for = in RE)")
	unwayback := fs.VarPF((*unwaybackFlag)(m), "unwayback", "",
		"Moving: first remove the prefixes of web archives, such as http://web.archive.org/web/20160102030405im_/; "+
			"--unwayback=page also removes the scripts, style sheets, toolbar and comments that archives add to a page")
	unwayback.NoOptDefVal = "true"
	flag.Complete(c, "unwayback", "page", "true", "false")
	fs.BoolVar(&m.FindOld, "find-old", false,
		"Moving: report where the output still has an OLD of --map: in scripts, JSON, robots.txt, comments and text")
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
			"server), disk (to the files themselves, for a browser without a server), or as-written (each link keeps "+
			"its form; the default in messages with --map); root-relative, relative and disk drop BASE",
		move.Absolute, move.RootRelative, move.Relative, move.Disk, move.AsWritten)
	fs.Var(&m.Keep, "keep",
		"Moving: with --to, keep these links absolute, `LIST`: "+strings.Join(site.KeepNames(), " ")+", or none")
	fs.Var((*flag.List)(&m.AnyDepth), "any-depth",
		"Moving: servers show the pages that match `GLOB` at any depth, such as error pages: with --to, their links "+
			"become root-relative; with --to disk they stay as they are (repeatable; default 404.html and 50x.html)")
}

// unwaybackFlag is the value of --unwayback: false, true or page.
type unwaybackFlag Move

// String returns false, true or page.
func (u *unwaybackFlag) String() string {
	if u.RemoveAdditions {
		return "page"
	}
	return strconv.FormatBool(u.Unwayback)
}

// Set accepts page, and every value of a boolean flag.
func (u *unwaybackFlag) Set(v string) error {
	u.RemoveAdditions = v == "page"
	u.Unwayback = true
	if u.RemoveAdditions {
		return nil
	}
	on, err := strconv.ParseBool(v)
	if err != nil {
		return errors.New("want --unwayback or --unwayback=page")
	}
	u.Unwayback = on
	return nil
}

// Type returns "bool", so that help shows the flag without a value.
func (u *unwaybackFlag) Type() string { return "bool" }

// hasDetachedPage reports whether the user seems to have typed "--unwayback page" with a space.
// Then "page" is an argument, although there is no file of this name.
func (m *Move) hasDetachedPage(args []string) bool {
	if !m.Unwayback || m.RemoveAdditions || !slices.Contains(args, "page") {
		return false
	}
	_, err := os.Lstat("page")
	return err != nil
}

// Destination says where the output goes. At most one of Dir, InPlace and Undo is set. If none of
// them is set, the output goes to standard output.
type Destination struct {
	Dir       string // argument of -o: a directory, or the file of the only output; or empty
	Overwrite bool   // replace existing files
	InPlace   bool   // replace the inputs
	Backup    string // suffix for the names of backups, or empty for no backups
	Journal   string // file for the replaced bytes, or empty for no journal
	Resume    bool   // continue an interrupted run
	Undo      string // journal of the run that is to be undone, or empty

	// OutputFlags holds the values of the flags that a resumed run must repeat, by name. The value
	// of --map-file includes the hash of the file. The journal records OutputFlags.
	OutputFlags map[string]string
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
		"Rewriting: with --in-place, keep each old file under its name plus `SUFFIX`; not for messages of a Maildir")
	fs.Var((*flag.Text)(&d.Journal), "journal",
		"Rewriting: with --in-place, keep the replaced bytes in `FILE`, to resume and to undo")
	fs.BoolVar(&d.Resume, "resume", false,
		"Rewriting: continue an interrupted run; its --journal, or the files in DIR of -o, tell which files are done")
	fs.Var((*flag.Text)(&d.Undo), "undo",
		"Rewriting: put back the bytes that the run with --journal `FILE` replaced, in the named files and "+
			"directories, or in all files; --dry-run lists the files")
}

// Mail says what happens to a message if edits would break a signature, or if they would change the
// size that its file name in a Maildir gives.
type Mail struct {
	// DKIM says what happens to a message if edits would break its DKIM signature. "rewrite" edits
	// the message, and "skip" leaves it unchanged. "" means "skip" in place, and "rewrite"
	// otherwise.
	DKIM            string
	BreakSignatures bool // edit signed parts, too
	Maildir         inplace.MaildirSize
}

// registerMaildir adds --maildir-size to c.
func (m *Mail) registerMaildir(c *cobra.Command) {
	flag.Enum(c, &m.Maildir, "maildir-size",
		"Mail: `WHAT` to do in place with a Maildir message if edits change the size in its name or in Dovecot's "+
			"index: refuse, rename or keep; with -o, refuse and rename both put the new size into the names of copies",
		inplace.RefuseSize, inplace.RenameSize, inplace.KeepSize)
}

// register adds the flags to c that only the command rewrite has.
func (m *Mail) register(c *cobra.Command) {
	fs := c.Flags()
	flag.Enum(c, &m.DKIM, "dkim",
		"Mail: `WHAT` to do with messages whose DKIM signature edits break: rewrite or skip (default: rewrite; with "+
			"--in-place: skip)", "rewrite", "skip")
	fs.Lookup("dkim").DefValue = ""
	fs.BoolVar(&m.BreakSignatures, "break-signatures", false,
		"Mail: also edit signed parts (S/MIME, PGP); encrypted parts stay")
}

// Show says whether and how the edits are printed. A run that prints them writes no output.
type Show struct {
	DryRun   bool // print a line for each edit
	Diff     bool // print a unified diff
	DiffSize int  // number of bytes after which the diff of an input is cut, or 0 for the whole diff
	Terminal bool // standard output is a terminal: cut long lines
	Color    bool // the terminal shows colours
}

// On reports whether edits are printed instead of output.
func (s *Show) On() bool { return s.DryRun || s.Diff }

// register adds the flags to c.
func (s *Show) register(c *cobra.Command) {
	fs := c.Flags()
	fs.BoolVarP(&s.DryRun, "dry-run", "n", false, "Rewriting: print the edits, write nothing")
	fs.BoolVar(&s.Diff, "diff", false,
		"Rewriting: print a unified diff of the decoded text, on a terminal in colours and with long "+
			"lines cut around the changes; write nothing")
}
