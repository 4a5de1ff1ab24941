package write

import (
	"cmp"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/site"
	"absolink/cmd/absolink/internal/source"
)

// Prepare checks that the options fit each other and args, the arguments of the command. It also
// sets the options in o.Run that depend on o. Run and Links must be set, but need not be prepared.
// The error is a [*flag.Error].
func (o *Options) Prepare(args []string) error {
	if err := o.checkFiles(); err != nil {
		return err
	}
	if err := o.checkModes(args); err != nil {
		return err
	}
	if strings.HasPrefix(o.Links.Bases.Default, "thismessage:") {
		return flag.Errorf("--default-base %s means nothing outside of a message: "+
			"it is for the commands extract and base", o.Links.Bases.Default)
	}
	// The text follows "these references have no absolute URI".
	if err := o.Links.Choice.CheckStatus("to write: absolink extract --format jsonl lists them"); err != nil {
		return err
	}
	if o.Links.Reading.Options.Robot != "" && !o.Links.Choice.ByRel() {
		return flag.Errorf("--robot-name needs --rel: add it")
	}
	account := &o.Run.Account
	writesFiles := !o.Show.On() && (o.To.InPlace || o.To.Dir != "")
	o.Run.InPlace = o.To.InPlace
	o.Run.Inputs.Once = o.To.InPlace
	o.Run.Mail.MessageLengths = true
	if o.Show.On() {
		account.HelpfulFlags = o.Links.HelpfulFlags
	}
	account.ResultsOnStdout = !writesFiles
	account.Summary = writesFiles
	account.MailSummary = !o.Show.On()
	account.WritesCopies = writesFiles && !o.To.InPlace
	if o.To.InPlace {
		account.OutsideHint = "name it as an input"
	}
	return nil
}

// checkFiles refuses a backup suffix that is a path, and a report that would overwrite the journal.
func (o *Options) checkFiles() error {
	if strings.ContainsRune(o.To.Backup, os.PathSeparator) {
		return flag.Errorf("--backup %q: a suffix such as .orig is needed", o.To.Backup)
	}
	for _, path := range []string{o.To.Journal, o.To.Undo} {
		if o.Run.Account.Report != "" && files.Same(o.Run.Account.Report, path) {
			return flag.Errorf("--report %s is the journal; give another name", o.Run.Account.Report)
		}
	}
	return nil
}

// isAddress reports whether an argument is a URI, or looks like a host and is no file.
func isAddress(arg string) bool {
	if site.HasScheme(arg) {
		return true
	}
	_, err := os.Stat(arg)
	return err != nil && site.StartsWithHost(arg)
}

// checkModes refuses flags that exclude each other or do not fit the inputs.
func (o *Options) checkModes(args []string) error {
	stdin := len(args) == 0 && o.Run.Inputs.URLs == ""
	for _, a := range args {
		stdin = stdin || a == input.Stdin
	}
	for _, arg := range o.Move.Maps {
		i := slices.IndexFunc(args, isAddress)
		if i < 0 || strings.Contains(arg, "=") {
			continue
		}
		rule := arg + "=" + args[i]
		return flag.Errorf("--map takes OLD=NEW: type --map %s", cmp.Or(site.ProbableRule(rule), rule))
	}
	switch {
	case o.Move.hasDetachedPage(args):
		return flag.Errorf("page is not a file; if it is the value of --unwayback, type --unwayback=page")
	case o.To.InPlace && o.To.Dir != "":
		return flag.Errorf("-o and --in-place exclude each other: give one of them")
	case o.To.Journal != "" && !o.To.InPlace:
		return flag.Errorf("--journal needs --in-place: add it")
	case o.To.Resume && o.To.Journal == "" && o.To.Dir == "":
		return flag.Errorf("--resume needs --in-place --journal FILE, or -o DIR: add them")
	case o.To.Overwrite && o.To.Dir == "":
		return flag.Errorf("--overwrite needs -o DIR: add it")
	case o.To.Overwrite && o.To.Resume:
		return flag.Errorf("--overwrite writes each output again, " +
			"but --resume does not write finished outputs again: leave one of them out")
	case o.To.Backup != "" && !o.To.InPlace:
		return flag.Errorf("--backup needs --in-place: add it")
	case o.To.InPlace && o.Run.Inputs.Follow:
		return flag.Errorf("--follow cannot be used with --in-place; name the files outside of a directory as inputs")
	case o.To.InPlace && (o.Run.Inputs.URLs != "" || slices.ContainsFunc(args, source.IsURL)):
		return flag.Errorf("a URL cannot be replaced in place; use -o DIR")
	case stdin && o.To.InPlace:
		return flag.Errorf("standard input cannot be replaced in place; leave --in-place out")
	case stdin && o.To.Dir != "":
		return flag.Errorf("standard input has no name to write below %s; use > FILE", o.To.Dir)
	case o.Show.On() || o.To.InPlace || o.To.Dir != "":
		return nil
	case o.Run.Inputs.URLs != "":
		return flag.Errorf("standard output takes one document, and --urls is a list: use -o DIR")
	case len(args) > 1:
		return flag.Errorf("standard output takes one document, and %d inputs are given: use -o DIR or --in-place",
			len(args))
	case len(args) == 1 && input.IsDir(args[0]):
		return flag.Errorf("standard output takes one document, and %s is a directory: use -o DIR or --in-place",
			args[0])
	}
	return nil
}

// neutralFlags are the flags that do not affect the written bytes, and that may differ between an
// interrupted run and the run that resumes it. --find-old and --redirects do not affect the
// written bytes either, but a resumed run would report only the remaining inputs.
var neutralFlags = map[string]bool{"in-place": true, "journal": true, "resume": true, "jobs": true, "progress": true,
	"report": true, "strict": true, "quiet": true, "verbose": true, "verify": true, "dead-letter": true}

// SetOutputFlags sets To.OutputFlags to the values of the flags in the command line. It leaves out
// neutral flags and default values.
func (o *Options) SetOutputFlags(flags *pflag.FlagSet) {
	o.To.OutputFlags = make(map[string]string)
	flags.Visit(func(f *pflag.Flag) {
		if value := f.Value.String(); !neutralFlags[f.Name] && value != f.DefValue {
			o.To.OutputFlags[f.Name] = value
		}
	})
}

// undoFlags are the flags that a command with --undo may have.
var undoFlags = map[string]bool{"undo": true, "report": true, "quiet": true, "verbose": true, "progress": true,
	"dry-run": true}

// PrepareUndo checks the options of a command with --undo. args are the files and directories to
// restore. If there are none, the undo restores all files. PrepareUndo refuses flags that an undo
// would ignore. Run must be set. The error is a [*flag.Error].
func (o *Options) PrepareUndo(flags *pflag.FlagSet, args []string) error {
	if err := o.checkFiles(); err != nil {
		return err
	}
	for _, arg := range args {
		if arg == input.Stdin || source.IsURL(arg) {
			return flag.Errorf("--undo restores files and directories that the run has replaced; leave %s out", arg)
		}
	}
	other := ""
	flags.Visit(func(f *pflag.Flag) {
		if !undoFlags[f.Name] {
			other = f.Name
		}
	})
	if other != "" {
		return flag.Errorf("--undo needs only the journal; leave --%s out", other)
	}
	return nil
}
