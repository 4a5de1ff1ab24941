package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/flag"
	"absolink/extract"
)

// register adds the flags to c.
func (x *rewriting) register(c *cobra.Command) {
	x.options.register(c)
	x.reading.register(c)
	x.registerShared(c)
	c.Flags().BoolVar(&x.normalize, "normalize", false, "also write absolute references anew, as the rules have it")
	flag.Enum(c, &x.baseElement, "base-element", "`WHAT` becomes of the BASE of a document: keep, drop (its href) or absolutize", extract.KeepBase, extract.DropBase, extract.AbsolutizeBase)
	x.moving.addFlags(c)
	c.Flags().VarP((*flag.Text)(&x.dir), "output", "o", "`DIR` that gets the same tree")
	c.Flags().BoolVar(&x.overwrite, "overwrite", false, "with -o, replace files that are there, but write nothing through symbolic links in DIR")
	c.Flags().BoolVarP(&x.inPlace, "in-place", "i", false, "replace the files")
	c.Flags().Var((*flag.Text)(&x.backup), "backup", "with --in-place, keep the old files under their names with `SUFFIX`; messages of a Maildir are refused")
	x.durable.register(c)
	flag.Enum(c, &x.dkim, "dkim", "`WHAT` becomes of messages whose DKIM signature edits break: rewrite or skip (default: rewrite, with --in-place skip)", "rewrite", "skip")
	c.Flags().Lookup("dkim").DefValue = ""
	c.Flags().BoolVar(&x.breakSignatures, "break-signatures", false, "also edit what is signed (S/MIME, PGP); what is encrypted stays")
	c.Flags().BoolVarP(&x.dryRun, "dry-run", "n", false, "print the edits, write nothing; places in a compressed file are those in what it holds")
	c.Flags().BoolVar(&x.diff, "diff", false, "print a unified diff of the decoded text, write nothing; on a terminal its control characters are shown as escapes")
	c.Flags().BoolVar(&x.verify, "verify", false, "scan the output again before it counts: the same links in the same order (always with --in-place)")
}

// registerShared adds those flags to c that extract and base take as well.
func (x *rewriting) registerShared(c *cobra.Command) {
	c.Flags().BoolVar(&x.fragments, "absolutize-fragments", false, "also make links to the page itself absolute: \"#top\" becomes \"http://host/page#top\" and \"\" \"http://host/page\"; what names a map or a part of a picture, as usemap does, stays")
	flag.Enum(c, &x.maildirSize, "maildir-size", "`WHAT` becomes of a Maildir message whose name, or Dovecot's index beside, knows a size that changes, in place: refuse, rename or keep; with -o only keep keeps its name", refuseSize, renameSize, keepSize)
}

// takeIdly adds flags to c that change nothing there, so that the commands that read
// documents can be called alike.
func takeIdly(c *cobra.Command, register ...func(*cobra.Command)) {
	idle := new(cobra.Command)
	for _, r := range register {
		r(idle)
	}
	idle.Flags().VisitAll(func(f *pflag.Flag) {
		f.Hidden = true
		c.Flags().AddFlag(f)
	})
}

// skipsDKIM reports whether messages are left alone whose DKIM signature edits
// would break: by default where nothing else keeps the original.
func (x *rewriting) skipsDKIM() bool {
	if x.dkim == "" {
		return x.inPlace
	}
	return x.dkim == "skip"
}

// sumUpSignatures says how many messages and parts a signature concerned, and
// which flag decides what becomes of them.
func (x *rewriting) sumUpSignatures() {
	t := &x.r.totals
	if x.quiet {
		return
	}
	if t.DKIM > 0 {
		messages := console.Plural(t.DKIM, "message has a DKIM, ARC or DomainKeys signature", "messages have DKIM, ARC or DomainKeys signatures")
		switch {
		case x.skipsDKIM() && x.inPlace:
			x.r.con.Printf("%s that edits break: left as written; -o DIR writes edited copies, --dkim rewrite edits them here", messages)
		case x.skipsDKIM():
			x.r.con.Printf("%s that edits break: left as written, by --dkim skip", messages)
		case x.inPlace:
			x.r.con.Printf("%s that the edits break; --dkim skip leaves them as written", messages)
		default:
			x.r.con.Printf("%s that the edits break; the originals are unchanged, --dkim skip leaves the copies as written too", messages)
		}
	}
	if t.Signed > 0 {
		parts := console.Plural(t.Signed, "part is signed, encrypted or not to be edited", "parts are signed, encrypted or not to be edited")
		x.r.con.Printf("%s: left as written; --break-signatures edits what is signed", parts)
	}
	if t.Broken > 0 {
		x.r.con.Printf("%s, by --break-signatures", console.Plural(t.Broken, "signed part was edited", "signed parts were edited"))
	}
}
