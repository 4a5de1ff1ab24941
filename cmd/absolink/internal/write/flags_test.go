package write_test

import (
	"errors"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/links"
	"absolink/cmd/absolink/internal/run"
	"absolink/cmd/absolink/internal/write"
)

// Flags that exclude each other are refused before anything is written.
func TestRefusedFlags(t *testing.T) {
	const moved = "root=s=http://old.test/ --map http://old.test/=http://new.test/ "
	tests := []struct{ name, line, want string }{
		{"two destinations", "-i -o out s", "-o and --in-place exclude each other: give one of them"},
		{"a journal of copies", "--journal j -o out s", "--journal needs --in-place: add it"},
		{"nothing to resume", "--resume s", "--resume needs --in-place --journal FILE, or -o DIR: add them"},
		{"nothing to resume in place", "-i --resume s",
			"--resume needs --in-place --journal FILE, or -o DIR: add them"},
		{"nothing to overwrite", "--overwrite s/p.html", "--overwrite needs -o DIR: add it"},
		{"overwrite and resume", "--overwrite --resume -o out s",
			"--overwrite writes each output again, but --resume does not write finished outputs again: leave " +
				"one of them out"},
		{"a backup of copies", "--backup .orig -o out s", "--backup needs --in-place: add it"},
		{"a backup in a directory", "-i --backup /b s", "--backup \"/b\": a suffix such as .orig is needed"},
		{"a URL in place", "-i http://a.test/", "a URL cannot be replaced in place; use -o DIR"},
		{"files outside in place", "-i follow s",
			"--follow cannot be used with --in-place; name the files outside of a directory as inputs"},
		{"standard input in place", "-i", "standard input cannot be replaced in place; leave --in-place out"},
		{"standard input named in place", "-i s -",
			"standard input cannot be replaced in place; leave --in-place out"},
		{"a copy of standard input", "-o out -", "standard input has no name to write below out; use > FILE"},
		{"two documents", "s/p.html s/q.html",
			"standard output takes one document, and 2 inputs are given: use -o DIR or --in-place"},
		{"a directory", "s", "standard output takes one document, and s is a directory: use -o DIR or --in-place"},
		{"the status of links", "--status invalid s/p.html",
			"--status invalid: these links have no absolute URI to write: absolink extract --format jsonl " +
				"lists them"},
		{"a page of no archive", "--unwayback page s/p.html",
			"page is not a file; if it is the value of --unwayback, type --unwayback=page"},
		{"a directory named page", "--unwayback -o out s", ""},
		{"a missing file named page", "page", ""},
		{"a missing file beside archives", "--unwayback=page page", ""},
		{"a name of another coding", "-o new.html s/p.html.gz",
			"-o new.html: the output is compressed like the input: type -o new.html.gz"},
		{"a robot for nothing", "--robot-name x s/p.html", "--robot-name needs --rel: add it"},
		{"redirects without a map", "root=s=http://old.test/ --redirects r -o out s",
			"--redirects needs --map, which says where documents move to"},
		{"redirects without a root", "--map http://a.test/=http://b.test/ --redirects r -o out s",
			"--redirects needs --root DIR=URI, which says where documents were"},
		{"redirects that are shown", moved + "-n --redirects r s",
			"--redirects needs a run that writes its output: leave --dry-run and --diff out"},
		{"a format of no redirects", moved + "--redirects-format nginx -o out s",
			"--redirects-format needs --redirects FILE: add it"},
		{"redirects in an input", moved + "--redirects s/r -o out s",
			"--redirects s/r is s, or lies in it; give another name"},
		{"redirects over an input", moved + "--redirects s/p.html s/p.html",
			"--redirects s/p.html is s/p.html, or lies in it; give another name"},
		{"redirects in the output", moved + "--redirects out/r -o out s",
			"--redirects out/r lies in the output: it is for the server at the old addresses; give another name"},
		{"redirects over a directory", moved + "--redirects d -o out s",
			"--redirects d is a directory; give the name of a file"},
		{"redirects in no directory", moved + "--redirects no/r -o out s",
			"--redirects no/r: there is no directory no: make it, or give another name"},
		{"redirects of two hosts", moved + "root=d=http://o.test/ --redirects r --redirects-format nginx -o out s d",
			"--redirects-format nginx is for one host, and documents were at old.test and o.test: run it for " +
				"each"},
		{"two roots of one host", moved + "root=d=http://old.test/d/ --redirects r --redirects-format nginx -o out s d",
			""},
		{"two hosts in a table", moved + "root=d=http://o.test/ --redirects r -o out s d", ""},
		{"footers without a rule", "--skip-footers s/p.html",
			"--skip-footers needs a rule, such as --map, --map-regex, --unwayback or --unwrap: only rules " +
				"change running text"},
		{"visible text without a rule", "--visible-text s/p.html",
			"--visible-text needs a rule, such as --map, --map-regex, --unwayback or --unwrap: only rules " +
				"change running text"},
		{"text without a rule", "--no-text s/p.html",
			"--no-text needs a rule, such as --map, --map-regex, --unwayback or --unwrap: only rules change " +
				"running text"},
		{"footers of no text", "--no-text --skip-footers --map http://a.test/=http://b.test/ s/p.html",
			"--no-text leaves all running text as it is; leave --skip-footers out"},
		{"visible text of no text", "--no-text --visible-text --map http://a.test/=http://b.test/ s/p.html",
			"--no-text leaves all running text as it is; leave --visible-text out"},
		{"text with a rule", "--skip-footers --visible-text --map http://a.test/=http://b.test/ s/p.html", ""},
		{"a rule of two arguments", "--map http://a.test/ http://b.test/",
			"--map takes OLD=NEW: type --map http://a.test/=http://b.test/"},
		{"a rule beside a file", "--map a.test s/p.html",
			"--map \"a.test\": OLD=NEW is needed, such as http://old.example/=http://new.example/"},
		{"a rule beside an address", "--map http://a.test/=http://b.test/ -i http://c.test/",
			"a URL cannot be replaced in place; use -o DIR"},
		{"links as written without a rule", "--to as-written s/p.html",
			"--to as-written changes only links that a rule moves: add --map OLD=NEW, or leave --to out"},
		{"a form that drops BASE", moved + "--to relative --base-element absolutize -o out s",
			"--to relative drops BASE; leave --base-element out"},
		{"copies in a file", "-o s/p.html/ s", "the output DIR/s/p.html lies in the input s"},
		{"a journal in no directory", "-i --journal none/j s",
			"--journal none/j: there is no directory none: make it, or give another name"},
		{"overwrite", "--overwrite -o out s", ""},
		{"resume", "--resume -o out s", ""},
		{"a dry run of two", "-n s/p.html s/q.html", ""},
		{"a dry run of a directory", "-n s", ""},
		{"one document", "s/p.html", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lay(t, "s/p.html: <a href=x>", "s/q.html: <p>", "d/r.html: <p>")
			dir, _ := os.Getwd()
			_, err := rewrite(t, tt.line)
			var usage *flag.Error
			if tt.want == "" && err != nil ||
				tt.want != "" && (!errors.As(err, &usage) || strings.ReplaceAll(err.Error(), dir, "DIR") != tt.want) {
				t.Errorf("%s: got error %v, want a *flag.Error with %q", tt.line, err, tt.want)
			}
		})
	}
}

// A report cannot be the journal.
func TestReportIsJournal(t *testing.T) {
	for _, tt := range []struct{ line, report, want string }{
		{"-i --journal j s", "j", "--report j is the journal; give another name"},
		{"-i --journal j s", "./j", "--report ./j is the journal; give another name"},
		{"-i --journal j s", "k", ""},
		{"-i --journal j s", "", ""},
		{"-i s", "j", ""},
	} {
		lay(t, "s/p.html: <a href=x>")
		_, err := rewrite(t, tt.line, func(o *write.Options) { o.Run.Account.Report = tt.report })
		if (err == nil) != (tt.want == "") || err != nil && err.Error() != tt.want {
			t.Errorf("%s with the report %q: got error %v, want %q", tt.line, tt.report, err, tt.want)
		}
	}
}

// A list of URLs needs a directory for the outputs. A base of messages is no base for other
// documents.
func TestRefusedInputs(t *testing.T) {
	urls := func(o *write.Options) { o.Run.Inputs.URLs = "list" }
	for _, tt := range []struct {
		line string
		set  func(*write.Options)
		want string
	}{
		{"", urls, "standard output takes one document, and --urls is a list: use -o DIR"},
		{"s/p.html", urls, "standard output takes one document, and --urls is a list: use -o DIR"},
		{"-i", urls, "a URL cannot be replaced in place; use -o DIR"},
		{"-o out", urls, ""},
		{"-o out s -", urls, "standard input has no name to write below out; use > FILE"},
		{"-n", urls, ""},
		{"s/p.html", func(o *write.Options) { o.Links.Bases.Default = "thismessage:/" },
			"--default-base thismessage:/ means nothing outside of a message: it is for the commands extract and base"},
		{"s/p.html", func(o *write.Options) { o.Links.Bases.Default = "http://a.test/" }, ""},
	} {
		o := &write.Options{Run: new(run.Options), Links: new(links.Options)}
		c := new(cobra.Command)
		o.Register(c)
		if err := c.ParseFlags(strings.Fields(tt.line)); err != nil {
			t.Fatal(err)
		}
		tt.set(o)
		err := o.Prepare(c.Flags().Args())
		if (err == nil) != (tt.want == "") || err != nil && err.Error() != tt.want {
			t.Errorf("%q: got error %v, want %q", tt.line, err, tt.want)
		}
	}
}

// A shell completes the values of --unwayback.
func TestCompletion(t *testing.T) {
	c := new(cobra.Command)
	new(write.Options).Register(c)
	flag.RegisterCompletions(c)
	if f, ok := c.GetFlagCompletionFunc("unwayback"); !ok || f == nil {
		t.Error("--unwayback has no completion")
	}
}

// A forced base leaves no relative form.
func TestFormsWithForcedBase(t *testing.T) {
	const rule = "--map http://a.test/=http://b.test/ "
	for line, want := range map[string]string{
		rule + "--to as-written s/p.html": "--to as-written keeps links relative to where documents are; " +
			"leave --force-base out",
		rule + "--to relative s/p.html": "--to relative writes links relative to where documents are; " +
			"leave --force-base out",
		rule + "--to root-relative s/p.html": "--to root-relative writes links relative to where documents are; " +
			"leave --force-base out",
		rule + "s/p.html": "",
		"root=s=http://a.test/ --to disk s/p.html": "--to disk writes links relative to where documents are; " +
			"leave --force-base out",
	} {
		lay(t, "s/p.html: <a href=x>")
		got, err := rewrite(t, line, func(o *write.Options) { o.Links.Bases.Policy.Force = "http://a.test/d/" })
		if (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%s: got error %v, want %q", line, err, want)
		}
		if err == nil && got.out != "<a href=http://b.test/d/x>" {
			t.Errorf("%s: got %s", line, got.out)
		}
	}
	// the links of messages become absolute, too
	lay(t, "f: "+strings.Replace(mail, "href=x", "href=/x", 1))
	got, err := rewrite(t, rule+"f", func(o *write.Options) { o.Links.Bases.Policy.Force = "http://a.test/d/" })
	if want := strings.Replace(mail, "href=x", "href=http://b.test/x", 1); err != nil || got.out != want {
		t.Errorf("a message: got %q, %v, want %q", got.out, err, want)
	}
}

// OutputFlags has the flags that affect the written bytes, except those with the default value.
func TestSetOutputFlags(t *testing.T) {
	o := new(write.Options)
	c := new(cobra.Command)
	o.Register(c)
	err := c.ParseFlags(strings.Fields("-i --journal j --verify --to relative --base-element keep --map a=b " +
		"--maildir-size rename"))
	if err != nil {
		t.Fatal(err)
	}
	o.SetOutputFlags(c.Flags())
	if d := o.To.OutputFlags; len(d) != 3 || d["to"] != "relative" || d["maildir-size"] != "rename" ||
		!strings.Contains(d["map"], "a=b") {
		t.Errorf("SetOutputFlags: got %q, want --to, --map and --maildir-size", d)
	}
}

// Flags that do not affect the written bytes are no OutputFlags. Flags that only look alike are.
func TestNeutralFlags(t *testing.T) {
	neutral := []string{"in-place", "journal", "resume", "jobs", "progress", "report", "strict", "quiet", "verbose",
		"verify", "dead-letter"}
	others := []string{"find-old", "redirects", "maildir-size", "root", "journals"}
	o := new(write.Options)
	var c cobra.Command
	for _, name := range slices.Concat(neutral, others) {
		c.Flags().String(name, "", "")
		if err := c.Flags().Set(name, "x"); err != nil {
			t.Fatal(err)
		}
	}
	o.SetOutputFlags(c.Flags())
	got := slices.Sorted(maps.Keys(o.To.OutputFlags))
	slices.Sort(others)
	if !slices.Equal(got, others) {
		t.Errorf("SetOutputFlags: got %q, want %q", got, others)
	}
}

// The help of each flag names its group, and is a phrase without a full stop. It has only
// characters that a terminal of any kind shows.
func TestUsages(t *testing.T) {
	o := new(write.Options)
	var c cobra.Command
	o.Register(&c)
	usage := regexp.MustCompile("^[A-Z][a-z]+( [a-z]+)*: [a-zA-Z0-9 \"#$'(),./:;<=>\\\\_`{}\n-]*[a-zA-Z0-9)\"`]$")
	n := 0
	c.Flags().VisitAll(func(f *pflag.Flag) {
		n++
		if !usage.MatchString(f.Usage) {
			t.Errorf("--%s has the help %q, want a group, a colon and a phrase", f.Name, f.Usage)
		}
	})
	if n < 20 {
		t.Errorf("Register adds %d flags, want at least 20", n)
	}
}

// The argument page after --unwayback is a mistake, unless there is a file of this name.
func TestDetachedPage(t *testing.T) {
	for _, tt := range []struct {
		line string
		file string
		want bool
	}{
		{"-o out --unwayback page s", "s/p.html", true},
		{"-o out --unwayback page s", "page", false},
		{"-o out --unwayback s page", "s/p.html", true},
		{"-o out --unwayback=page page", "s/p.html", false},
		{"-o out page", "s/p.html", false},
		{"-o out --unwayback s", "s/p.html", false},
	} {
		lay(t, tt.file+": <a href=x>")
		o := &write.Options{Run: new(run.Options), Links: new(links.Options)}
		var c cobra.Command
		o.Register(&c)
		if err := c.ParseFlags(strings.Fields(tt.line)); err != nil {
			t.Fatal(err)
		}
		err := o.Prepare(c.Flags().Args())
		if got := err != nil && strings.Contains(err.Error(), "--unwayback=page"); got != tt.want {
			t.Errorf("Prepare of %q with the file %s: got %v, want a hint: %v", tt.line, tt.file, err, tt.want)
		}
	}
}

// --unwayback stands alone, or has the value page.
func TestUnwaybackFlag(t *testing.T) {
	for _, tt := range []struct {
		args          string
		on, page      bool
		value, failed string
	}{
		{"", false, false, "", ""},
		{"--unwayback", true, false, "true", ""},
		{"--unwayback=true", true, false, "true", ""},
		{"--unwayback=page", true, true, "page", ""},
		{"--unwayback=false", false, false, "", ""},
		{"--unwayback=page --unwayback", true, false, "true", ""},
		{"--unwayback=site", true, false, "", "want --unwayback or --unwayback=page"},
	} {
		o := new(write.Options)
		c := new(cobra.Command)
		o.Register(c)
		err := c.ParseFlags(strings.Fields(tt.args))
		if tt.failed != "" {
			if err == nil || !strings.Contains(err.Error(), tt.failed) {
				t.Errorf("%q: got error %v, want one with %q", tt.args, err, tt.failed)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		o.SetOutputFlags(c.Flags())
		value := o.To.OutputFlags["unwayback"]
		if o.Move.Unwayback != tt.on || o.Move.RemoveAdditions != tt.page || value != tt.value {
			t.Errorf("%q: got %v, %v and %q", tt.args, o.Move.Unwayback, o.Move.RemoveAdditions, value)
		}
	}
}

// --undo accepts files as arguments, and refuses flags that affect the written bytes.
func TestPrepareUndo(t *testing.T) {
	tests := []struct{ line, want string }{
		{"--undo r", "--report r is the journal; give another name"},
		{"--undo j", ""},
		{"--undo j s", ""},
		{"--undo j --dry-run s d", ""},
		{"--undo j -", "--undo restores files and directories that the run has replaced; leave - out"},
		{"--undo j http://a.test/",
			"--undo restores files and directories that the run has replaced; leave http://a.test/ out"},
		{"--undo j --to relative", "--undo needs only the journal; leave --to out"},
		{"--undo j --in-place", "--undo needs only the journal; leave --in-place out"},
	}
	for _, tt := range tests {
		o := &write.Options{Run: new(run.Options)}
		o.Run.Account.Report = "r"
		c := new(cobra.Command)
		o.Register(c)
		if err := c.ParseFlags(strings.Fields(tt.line)); err != nil {
			t.Fatal(err)
		}
		err := o.PrepareUndo(c.Flags(), c.Flags().Args())
		if (err == nil) != (tt.want == "") || err != nil && err.Error() != tt.want {
			t.Errorf("PrepareUndo of %q: got error %v, want %q", tt.line, err, tt.want)
		}
	}
}

// An undo accepts the flags that choose its reports, and no other flag.
func TestUndoFlags(t *testing.T) {
	for name, want := range map[string]bool{"undo": true, "report": true, "quiet": true, "verbose": true,
		"progress": true, "dry-run": true, "verify": false, "diff": false, "dry-runs": false, "jobs": false} {
		var c cobra.Command
		c.Flags().String(name, "", "")
		if err := c.Flags().Set(name, "x"); err != nil {
			t.Fatal(err)
		}
		if err := (&write.Options{Run: new(run.Options)}).PrepareUndo(c.Flags(), nil); (err == nil) != want {
			t.Errorf("PrepareUndo with --%s: got error %v, want it accepted: %v", name, err, want)
		}
	}
}

// Prepare sets the options of the run that depend on the destination.
func TestPrepare(t *testing.T) {
	type derived struct {
		prints, sumUp, sumUpMail, copies, once, inPlace bool
		hint                                            string
	}
	for line, want := range map[string]derived{
		"f":           {prints: true, sumUpMail: true},
		"-o out f":    {sumUp: true, sumUpMail: true, copies: true},
		"-i f":        {sumUp: true, sumUpMail: true, once: true, inPlace: true, hint: "name it as an input"},
		"-n f":        {prints: true},
		"-n -o out f": {prints: true},
		"--diff -i f": {prints: true, once: true, inPlace: true, hint: "name it as an input"},
	} {
		o := &write.Options{Run: new(run.Options), Links: new(links.Options)}
		c := new(cobra.Command)
		o.Register(c)
		if err := c.ParseFlags(strings.Fields(line)); err != nil {
			t.Fatal(err)
		}
		if err := o.Prepare(c.Flags().Args()); err != nil {
			t.Fatal(err)
		}
		a := &o.Run.Account
		got := derived{a.ResultsOnStdout, a.Summary, a.MailSummary, a.WritesCopies, o.Run.Inputs.Once,
			o.Run.InPlace, a.OutsideHint}
		if got != want || !o.Run.Mail.MessageLengths {
			t.Errorf("Prepare of %s: got %+v, want %+v", line, got, want)
		}
	}
}

// With DiffSize the diff is the beginning of the whole diff, also if there are several documents.
func TestDiffSize(t *testing.T) {
	part := "--b\nContent-Type: text/html\n\n<p>\n<a href=x>\n"
	lay(t, "f: Content-Base: http://a.test/\nContent-Type: multipart/mixed; boundary=b\n\n"+part+part+"--b--\n")
	size := 0
	shown := func() string {
		got, err := rewrite(t, "--diff f", func(o *write.Options) { o.Show.DiffSize = size })
		if err != nil {
			t.Fatal(err)
		}
		return got.out
	}
	size = 1 << 20
	whole := shown()
	if strings.Count(whole, "+<a href=http://a.test/x>") != 2 {
		t.Fatalf("the difference is\n%s\nwant both parts", whole)
	}
	for size = 1; size < len(whole); size += 7 {
		if got := shown(); len(got) > size+80 { // the head of a part is whole
			t.Errorf("with DiffSize %d, the difference has %d bytes:\n%s", size, len(got), got)
		}
	}
}
