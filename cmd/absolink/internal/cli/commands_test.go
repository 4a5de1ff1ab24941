package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"absolink/cmd/absolink/help"
	"absolink/cmd/absolink/internal/flag"
)

// Each name of another command is answered with commands and flags that exist.
func TestOtherCommands(t *testing.T) {
	typed := regexp.MustCompile(`absolink (\w+)([^;,]*)`)
	for name, text := range otherCommands {
		if new(program).isCommand(name) {
			t.Errorf("%s is a command", name)
		}
		all := typed.FindAllStringSubmatch(text, -1)
		if !strings.HasPrefix(text, "absolink ") || len(all) == 0 {
			t.Errorf("%s: %q begins with no command", name, text)
		}
		for _, m := range all {
			c, rest, err := Command([]string{m[1]}).Find([]string{m[1]})
			if err != nil || len(rest) > 0 {
				t.Errorf("%s: %q has the command %s, which does not exist", name, text, m[1])
				continue
			}
			for word := range strings.FieldsSeq(m[2]) {
				if long, ok := strings.CutPrefix(word, "--"); ok && c.Flags().Lookup(long) == nil {
					t.Errorf("%s: %s has no flag %s", name, m[1], word)
				}
			}
			if m[1] != "help" {
				continue
			}
			topic := strings.Fields(m[2])[0]
			if _, found := help.Find(topic); !found {
				t.Errorf("%s: there is no topic %s", name, topic)
			}
		}
	}
}

// A flag of rewrite that extract does not have is answered with the command that has it. Results of
// extract have no file, so -o and --output get another hint.
func TestFlagsOfRewrite(t *testing.T) {
	extract := commandNamed(t, "extract")
	n := 0
	commandNamed(t, "rewrite").Flags().VisitAll(func(f *pflag.Flag) {
		want := "; absolink rewrite has this flag"
		if f.Name == "output" {
			want = "; results go to standard output: use > FILE"
		}
		var lines []string
		if extract.Flags().Lookup(f.Name) == nil {
			lines = append(lines, "--"+f.Name)
		}
		if f.Shorthand != "" && extract.Flags().ShorthandLookup(f.Shorthand) == nil {
			lines = append(lines, "-"+f.Shorthand)
		}
		for _, line := range lines {
			n++
			if err := flag.Explain(extract, extract.ParseFlags([]string{line})); !strings.HasSuffix(err.Error(), want) {
				t.Errorf("extract %s: got %v, want %s", line, err, want)
			}
		}
	})
	if n < 25 {
		t.Errorf("rewrite has only %d flags of its own", n)
	}
}

// Extract knows these flags of other programs.
func TestFlagsOfOthers(t *testing.T) {
	for typed := range strings.FieldsSeq("--html --recursive --depth --force --links --count --uniq -u -e --images " +
		"--internal --external --offline --base-url -b --input --file --stdin --glob -g --exclude-dir -L -A " +
		"--cookie --insecure --threads --silent --debug --no-color --absolute --json -f --urls-file --ext --domain") {
		hint := hintFor(commandNamed(t, "extract"), typed)
		if strings.HasPrefix(hint, "see ") || strings.HasPrefix(hint, "did you mean ") {
			t.Errorf("extract %s: got the hint %q, want what to type", typed, hint)
		}
	}
}

// A flag of another program is answered with flags of the command that was typed, and with values
// of its --format. Each row of the table of such flags holds for some command.
func TestHintsArePossible(t *testing.T) {
	flagged := regexp.MustCompile(`--([a-z-]+)(?: ([a-z]+))?`)
	rows := insteadRows(t)
	used := make(map[string]bool)
	for command := range new(program).commands() {
		c := commandNamed(t, command)
		for _, row := range rows {
			for name := range strings.FieldsSeq(row.names) {
				typed := "--" + name
				if len(name) == 1 {
					typed = "-" + name
				}
				hint := hintFor(c, typed)
				used[hint] = true
				if strings.HasPrefix(hint, "see ") {
					continue
				}
				for _, m := range flagged.FindAllStringSubmatch(hint, -1) {
					f := c.Flags().Lookup(m[1])
					if f == nil || f.Hidden {
						t.Errorf("%s %s: the hint %q names --%s, which the command lacks", command, typed, hint, m[1])
						continue
					}
					if m[1] == "format" && m[2] != "" && !slices.Contains(flag.Values(f), m[2]) {
						t.Errorf("%s %s: the hint %q names a value that --format of the command lacks", command, typed,
							hint)
					}
				}
			}
		}
	}
	for _, row := range rows {
		if !used[row.hint] {
			t.Errorf("no command gives the hint %q", row.hint)
		}
	}
}

// A hint does not promise more than the command does.
func TestHintsAreTrue(t *testing.T) {
	for _, tt := range []struct{ command, typed, want string }{
		{"version", "--json", "use --format json"},
		{"version", "-f", "use --format, such as --format json"},
		{"version", "--csv", "see absolink version --help"},
		{"report", "--json", "use --format json"},
		{"report", "--html", "use --format html"},
		{"report", "-O", "use --output FILE"},
		{"report", "--force", "the file of --output is replaced: leave this flag out"},
		{"resolve", "--arrow", "see absolink resolve --help"},
		{"resolve", "--url", "use --base URI for the address of a page"},
		{"base", "--parquet", "see absolink base --help"},
		{"base", "--json", "use --format jsonl"},
		{"base", "--grep", "see absolink base --help"},
		{"base", "--domain", "see absolink base --help"},
		{"base", "--images", "see absolink base --help"},
		{"base", "--absolutize", "see absolink base --help"},
		{"unpack", "--url", "use --base URI for the address of a page"},
		{"unpack", "--force", "-o must be new: give another name"},
		{"units", "--input-file", "use --files-from FILE for a list of names"},
		{"units", "--absolutize", "use --absolute for absolute paths"},
		{"units", "--stdin", "see absolink units --help"},
		{"units", "-o", "results go to standard output: use > FILE"},
		{"serve", "--absolute", "see absolink serve --help"},
		{"serve", "-o", "absolink rewrite has this flag"},
		{"extract", "--force", "there is nothing to force: leave this flag out"},
		{"extract", "--absolute", "links are printed as absolute URLs: leave this flag out"},
		{"extract", "--parquet", "use --format arrow"},
	} {
		if got := hintFor(commandNamed(t, tt.command), tt.typed); got != tt.want {
			t.Errorf("%s %s: got the hint %q, want %q", tt.command, tt.typed, got, tt.want)
		}
	}
}

// commandNamed returns a command of the program.
func commandNamed(t *testing.T, name string) *cobra.Command {
	t.Helper()
	c, _, err := Command([]string{name}).Find([]string{name})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// hintFor returns the hint for a flag that c does not have, or "" if c has it.
func hintFor(c *cobra.Command, typed string) string {
	err := c.ParseFlags([]string{typed})
	if err == nil {
		return ""
	}
	text := flag.Explain(c, err).Error()
	if !strings.HasPrefix(text, "unknown ") {
		return ""
	}
	_, hint, _ := strings.Cut(text, "; ")
	return hint
}

// insteadRow has the names and the hint of a row of the table instead of package flag.
type insteadRow struct{ names, hint string }

// insteadRows reads the table instead from the source of package flag.
func insteadRows(t *testing.T) (rows []insteadRow) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../flag/unknown.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	table := file.Scope.Lookup("instead").Decl.(*ast.ValueSpec).Values[0].(*ast.CompositeLit)
	for _, row := range table.Elts {
		cells := row.(*ast.CompositeLit).Elts
		var row insteadRow
		for i, cell := range map[*string]ast.Expr{&row.names: cells[0], &row.hint: cells[3]} {
			text, err := strconv.Unquote(cell.(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			*i = text
		}
		rows = append(rows, row)
	}
	if len(rows) < 45 {
		t.Errorf("the table has %d rows, want at least 45", len(rows))
	}
	return rows
}
