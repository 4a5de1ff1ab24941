package cli_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"absolink/cmd/absolink/internal/cli"
)

// done is the result of a command line.
type done struct {
	code     int
	out, err string
}

// do runs a command line with the standard input in.
func do(t *testing.T, in string, args ...string) done {
	t.Helper()
	var out, err strings.Builder
	code := cli.Run(t.Context(), args, strings.NewReader(in), &out, &err)
	return done{code, out.String(), err.String()}
}

// lay writes files into a new directory, and makes it the current directory.
func lay(t *testing.T, list map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, content := range list {
		err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(content), 0o666))
		if err != nil {
			t.Fatal(err)
		}
	}
}

const (
	mail = "Content-Type: text/html\nContent-Base: http://a.test/\n\n<a href=x>\n"
	page = "Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n<img src=cid:i@x>\n" +
		"--b\nContent-Type: image/png\nContent-ID: <i@x>\n\npng\n--b--\n"
	cut = "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n<p>\n"
)

// Each command prints its result, and returns the exit code for the outcome.
func TestRun(t *testing.T) {
	lay(t, map[string]string{"p.html": "<a href=x>", "m.eml": mail, "base": mail, "mail/m.eml": mail,
		"list": "p.html\n", "none": "", "page.mht": page, "cut.eml": cut, "units": "p.html\t0\t10\n",
		"gone":      "gone.html\t0\t9\n",
		"run.jsonl": `{"source":"a","outcome":"listed"}` + "\n"})
	tests := []struct {
		line string
		in   string
		code int
		out  string // what it begins with
		err  string // part of it, "" = none
	}{
		{"extract --base http://a.test/ p.html", "", cli.ExitDone, "http://a.test/x\n", ""},
		{"extract --base http://a.test/", "<a href=y>", cli.ExitDone, "http://a.test/y\n", ""},
		{"extract --default-base http://a.test/ --files-from list", "", cli.ExitDone, "http://a.test/x\n", ""},
		{"extract --files-from none", "", cli.ExitDone, "", "--files-from none"},
		{"extract -q --files-from none", "", cli.ExitDone, "", ""},
		{"extract --strict p.html", "", cli.ExitStrict, "", "p.html:1:9: x is relative"},
		{"extract cut.eml", "", cli.ExitDefects, "", "cut.eml"},
		{"extract missing.html", "", cli.ExitDefects, "", "missing.html"},
		{"extract -q --units units --fields value", "", cli.ExitDone, `{"value":"x"}` + "\n", ""},
		{"extract --units gone --fields value", "", cli.ExitUnread, "", "gone.html"},
		{"extract --none", "", cli.ExitUsage, "", "--none"},
		{"base m.eml", "", cli.ExitDone, "m.eml part 1\n.---", ""},
		{"base --format csv --fields x m.eml", "", cli.ExitUsage, "", "--fields"},
		{"rewrite m.eml", "", cli.ExitDone, strings.Replace(mail, "=x", "=http://a.test/x", 1), ""},
		{"rewrite -n m.eml", "", cli.ExitDone, "m.eml:4:9: x -> http://a.test/x\n", ""},
		{"rewrite p.html m.eml", "", cli.ExitUsage, "", "standard output takes one document"},
		{"rewrite --undo p.html", "", cli.ExitUsage, "", "--undo p.html"},
		{"resolve --base http://a/b/c/d;p?q g", "", cli.ExitDone, "http://a/b/c/g\n", ""},
		{"resolve --base http://a/b/c/d;p?q", "g\n..\n", cli.ExitDone, "http://a/b/c/g\nhttp://a/b/\n", ""},
		{"resolve g", "", cli.ExitDefects, "\n", "relative link without a usable base URI"},
		{"resolve --relative g", "", cli.ExitUsage, "", "--relative needs a base"},
		{"units p.html", "", cli.ExitDone, "p.html\n", ""},
		{"units", "", cli.ExitUsage, "", "an input is missing"},
		{"units -", "", cli.ExitUsage, "", "- cannot be cut into units"},
		{"unpack page.mht -o out", "", cli.ExitDone, filepath.Join("out", "index.html") + "\n", ""},
		{"unpack page.mht", "", cli.ExitUsage, "", "-o DIR is missing"},
		{"unpack page.mht m.eml -o o", "", cli.ExitUsage, "", "unpack takes one page"},
		{"unpack http://a.test/ -o o", "", cli.ExitUsage, "", "http://a.test/ is a URL"},
		{"report --format json run.jsonl", "", cli.ExitDone, "{", ""},
		{"report", "no report\n", cli.ExitDefects, "<!", "-: line 1"},
		{"report - -", "", cli.ExitUsage, "", "standard input (-) is given twice"},
		{"report -o run.jsonl run.jsonl", "", cli.ExitUsage, "", "-o run.jsonl is the input run.jsonl"},
		{"spark", "", cli.ExitDone, "", ""},
		{"spark x", "", cli.ExitUsage, "", "spark takes no arguments"},
		{"version", "", cli.ExitDone, "absolink ", ""},
		{"version --format json", "", cli.ExitDone, "{", ""},
		{"--version", "", cli.ExitDone, "absolink ", ""},
		{"extract --version", "", cli.ExitDone, "absolink ", ""},
		{"help", "", cli.ExitDone, "", ""},
		{"help links", "", cli.ExitDone, "", ""},
		{"help links --schema", "", cli.ExitDone, "{", ""},
		{"help --schema", "", cli.ExitUsage, "", "absolink help links --schema"},
		{"help frobnicate", "", cli.ExitUsage, "", "frobnicate"},
		{"extract -h", "", cli.ExitDone, "", ""},
		{"", "", cli.ExitDone, "", ""},
		{"extrct", "", cli.ExitUsage, "", "did you mean extract?"},
		{"records", "", cli.ExitUsage, "", "did you mean absolink help links?"},
		{"m.eml", "", cli.ExitDone, "http://a.test/\nhttp://a.test/x\n",
			"no command is given: this is absolink extract m.eml\n"},
		{"m.eml -q --format jsonl --fields uri --match /x$", "", cli.ExitDone, `{"uri":"http://a.test/x"}` + "\n", ""},
		{"m.eml --match /x$ --quiet", "", cli.ExitDone, "http://a.test/x\n", ""},
		{"-", mail, cli.ExitDone, "http://a.test/\nhttp://a.test/x\n", "absolink extract -\n"},
		{"./base", "", cli.ExitDone, "http://a.test/\nhttp://a.test/x\n", "absolink extract ./base\n"},
		{"base", mail, cli.ExitDone, "- part 1\n", ""},
		{"mail", "", cli.ExitDone, "http://a.test/\nhttp://a.test/x\n", "absolink extract mail\n"},
		{"http://u:secret@[::1", "", cli.ExitDefects, "", "this is absolink extract http://u@[::1\n"},
		{"www.example.com/a", "", cli.ExitUsage, "", "for a URL type absolink extract http://www.example.com/a"},
		{"q.html", "", cli.ExitUsage, "", `there is no command "q.html"; there is no such file either`},
		{"zzz", "", cli.ExitUsage, "", "see absolink --help"},
		{"completion bash", "", cli.ExitDone, "", ""},
		{"completion", "", cli.ExitUsage, "", "a shell is missing"},
		{"completion tcsh", "", cli.ExitUsage, "", `there is no completion for the shell "tcsh"`},
		{"man", "", cli.ExitUsage, "", "absolink man takes one argument"},
		{"man pages", "", cli.ExitDone, "", ""},
	}
	for _, tt := range tests {
		got := do(t, tt.in, strings.Fields(tt.line)...)
		if got.code != tt.code {
			t.Errorf("absolink %s: the exit code is %d, want %d; standard error is\n%s", tt.line, got.code, tt.code,
				got.err)
		}
		if !strings.HasPrefix(got.out, tt.out) {
			t.Errorf("absolink %s: standard output is\n%s\nwant it to begin with\n%s", tt.line, got.out, tt.out)
		}
		if !strings.Contains(got.err, tt.err) || tt.err == "" && got.err != "" {
			t.Errorf("absolink %s: standard error is\n%s\nwant %q in it", tt.line, got.err, tt.err)
		}
		if strings.Contains(got.err, "secret") {
			t.Errorf("absolink %s: standard error has a password:\n%s", tt.line, got.err)
		}
		if got.code == cli.ExitUsage && got.out != "" {
			t.Errorf("absolink %s: standard output is\n%s\nwant none after a mistake", tt.line, got.out)
		}
	}
}

// An undo restores the files that a run in place has replaced.
func TestRunInPlace(t *testing.T) {
	before := map[string]string{"s/p.html": "<a href=x>", "s/m.eml": mail}
	lay(t, before)
	got := do(t, "", "rewrite", "--in-place", "--journal", "j", "--root", "s=http://b.test/", "s")
	if got.code != cli.ExitDone {
		t.Fatalf("the exit code is %d: %s", got.code, got.err)
	}
	want := map[string]string{"s/p.html": "<a href=http://b.test/x>",
		"s/m.eml": strings.Replace(mail, "=x", "=http://a.test/x", 1)}
	if files := read(t, before); !maps.Equal(files, want) {
		t.Errorf("the files are %q, want %q", files, want)
	}
	got = do(t, "", "rewrite", "--undo", "j")
	if got.code != cli.ExitDone {
		t.Errorf("the exit code of the undo is %d: %s", got.code, got.err)
	}
	if files := read(t, before); !maps.Equal(files, before) {
		t.Errorf("undone, the files are %q, want %q", files, before)
	}
	if err := os.WriteFile("s/p.html", []byte("<p>"), 0o666); err != nil {
		t.Fatal(err)
	}
	got = do(t, "", "rewrite", "--undo", "j", "--to", "relative")
	if got.code != cli.ExitUsage {
		t.Errorf("the exit code of an undo --to relative is %d: %s", got.code, got.err)
	}
}

// read returns the content of the files that list names.
func read(t *testing.T, list map[string]string) map[string]string {
	t.Helper()
	now := make(map[string]string)
	for name := range list {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		now[name] = string(content)
	}
	return now
}

// After an interrupt a run returns ExitInterrupted.
func TestRunInterrupted(t *testing.T) {
	lay(t, map[string]string{"p.html": "<a href=x>"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, err strings.Builder
	code := cli.Run(ctx, []string{"extract", "--base", "http://a.test/", "p.html"}, strings.NewReader(""), &out, &err)
	if code != cli.ExitInterrupted || out.String() != "" {
		t.Errorf("Run: got %d, %q and %q, want %d", code, out.String(), err.String(), cli.ExitInterrupted)
	}
}

// The tree for a command line has only its command. Without a command it has all. Each has help.
func TestCommand(t *testing.T) {
	all := []string{"base", "completion", "extract", "help", "man", "report", "resolve", "rewrite", "serve", "spark",
		"units", "unpack", "version"}
	for _, tt := range []struct{ args, want []string }{{nil, all}, {[]string{"--help"}, all}, {[]string{"man"}, all},
		{[]string{"extract"}, []string{"extract"}}, {[]string{"units", "x"}, []string{"units"}}} {
		var names []string
		for _, c := range cli.Command(tt.args).Commands() {
			names = append(names, c.Name())
			if c.Short == "" || c.Flags().Lookup("version") == nil || c.Flags().Lookup("help") == nil {
				t.Errorf("%s has no help, or no --version or --help", c.Name())
			}
		}
		slices.Sort(names)
		if !slices.Equal(names, tt.want) {
			t.Errorf("Command(%q): got %q, want %q", tt.args, names, tt.want)
		}
	}
}

// Each command has one screen of help. Its full help names every flag that is not hidden.
func TestHelpOfCommands(t *testing.T) {
	for _, c := range cli.Command(nil).Commands() {
		if c.Name() == "completion" || c.Name() == "help" {
			continue
		}
		brief := do(t, "", c.Name(), "-h")
		full := do(t, "", c.Name(), "--help")
		if brief.code != cli.ExitDone || full.code != cli.ExitDone || brief.err+full.err != "" {
			t.Errorf("%s: the exit codes are %d and %d: %s%s", c.Name(), brief.code, full.code, brief.err, full.err)
		}
		if lines := strings.Count(brief.out, "\n"); lines > 60 || lines == 0 {
			t.Errorf("%s -h prints %d lines, want one screen", c.Name(), lines)
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && !strings.Contains(full.out, "--"+f.Name) {
				t.Errorf("%s --help does not name --%s", c.Name(), f.Name)
			}
		})
	}
}

// The examples of each command use only its own flags, with valid values.
func TestExamples(t *testing.T) {
	n := 0
	for _, listed := range cli.Command(nil).Commands() {
		for line := range strings.Lines(listed.Example) {
			_, line, ok := strings.Cut(line, "absolink ")
			if !ok {
				continue
			}
			line, _, _ = strings.Cut(line, " >")
			line, _, _ = strings.Cut(line, " |")
			line, _, _ = strings.Cut(line, " &&")
			words := strings.Fields(strings.ReplaceAll(line, "'", ""))
			c, rest, err := cli.Command(nil).Find(words)
			if err == nil && !strings.Contains(line, "\\") && !strings.Contains(line, "$") {
				err = c.ParseFlags(rest)
				n++
			}
			if err != nil {
				t.Errorf("the example absolink %s: %v", line, err)
			}
		}
	}
	if n < 20 {
		t.Errorf("there are %d examples, want 20 or more", n)
	}
}

// A report has one line for each input, and the command report reads it.
func TestReport(t *testing.T) {
	lay(t, map[string]string{"s/p.html": "<a href=http://h.test/x>", "s/m.eml": mail, "s/cut.eml": cut})
	got := do(t, "", "extract", "--report", "r", "--format", "jsonl", "s")
	if got.code != cli.ExitDefects {
		t.Errorf("the exit code is %d: %s", got.code, got.err)
	}
	if err := os.WriteFile("links", []byte(got.out), 0o666); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("r")
	if err != nil || strings.Count(string(text), "\n") != 3 {
		t.Fatalf("the report is %q, error %v; want three lines", text, err)
	}
	got = do(t, "", "report", "--format", "json", "--records", "links", "r")
	for _, want := range []string{`"inputs": 3`, `"problems": 1`, `"text": "h.test"`} {
		if !strings.Contains(got.out, want) {
			t.Errorf("the sums are\n%s\nwant %s", got.out, want)
		}
	}
	got = do(t, "", "report", "-o", "page.html", "r")
	if got.code != cli.ExitDone || got.out != "" {
		t.Errorf("report -o: the exit code is %d, and standard output %q", got.code, got.out)
	}
	if page, err := os.ReadFile("page.html"); err != nil || !strings.HasPrefix(string(page), "<!") {
		t.Errorf("the page is %.40q, error %v", page, err)
	}
}

// Without arguments, three examples name files of the directory. Names of other kinds, directories
// and names that a terminal cannot show are left out.
func TestExamplesOfDirectory(t *testing.T) {
	tests := []struct {
		names []string
		want  []string
	}{
		{nil, []string{"extract page.html\n", "/ page.html >", "base message.eml\n"}},
		{[]string{"b.HTM", "c.html", "z.mbox", "z.eml"}, []string{"extract b.HTM\n", "/ b.HTM >", "base z.eml\n"}},
		{[]string{"a.html/x", "notes.txt", "a b.html"}, []string{"extract 'a b.html'\n", "base message.eml\n"}},
		{[]string{"it's.mht", "-q.html"}, []string{"extract ./-q.html\n", `base 'it'\''s.mht'` + "\n"}},
		{[]string{"\x1b[2J.html", "été.html"}, []string{"extract été.html\n"}},
	}
	for _, tt := range tests {
		list := make(map[string]string)
		for _, name := range tt.names {
			list[name] = mail
		}
		lay(t, list)
		got := do(t, "")
		for _, want := range tt.want {
			if got.code != cli.ExitDone || !strings.Contains(got.out, want) {
				t.Errorf("absolink in a directory with %q: exit code %d, want %q in\n%s", tt.names, got.code, want,
					got.out)
			}
		}
	}
}
