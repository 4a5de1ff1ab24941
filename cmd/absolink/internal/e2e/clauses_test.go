package e2e

import (
	"cmp"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

var updateRules = flag.Bool("update-rules", false, "write the exceptions of testdata/clauses.tsv into help/clauses.txt")

// documents lists the documents of testdata/clauses.tsv in its order, with the smallest number of
// clauses of each.
var documents = []struct {
	name, title string
	least       int
}{
	{"draft-00e", "draft-fielding-uri-url-00e", 131},
	{"draft-02", "draft-fielding-url-syntax-02", 110},
	{"rfc1738", "RFC 1738", 111},
	{"rfc2396", "RFC 2396", 138},
	{"rfc2110", "RFC 2110, on bases and names of parts", 16},
	{"rfc2557", "RFC 2557, on bases and names of parts", 31},
}

// clause is a row of testdata/clauses.tsv.
type clause struct{ document, section, asks, test, note string }

func clauses(t *testing.T) (rows []clause) {
	t.Helper()
	text, err := os.ReadFile(repository + "testdata/clauses.tsv")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if lines[0] != "document\tsection\tclause\ttest\tnote" {
		t.Fatalf("clauses.tsv begins with %q", lines[0])
	}
	for i, line := range lines[1:] {
		f := strings.Split(line, "\t")
		if len(f) != 5 || f[0] == "" || f[1] == "" || f[2] == "" || f[3] == "" {
			t.Fatalf("clauses.tsv:%d: %q: want five columns, of which only the note may be empty", i+2, line)
		}
		rows = append(rows, clause{f[0], f[1], f[2], f[3], f[4]})
	}
	return rows
}

// Every clause of the documents has an existing test, or a reason why it has none.
func TestClauses(t *testing.T) {
	count := map[string]int{}
	seen := map[clause]bool{}
	tests := map[string]testFile{}
	for _, c := range clauses(t) {
		count[c.document]++
		key := clause{document: c.document, section: c.section, asks: c.asks}
		if seen[key] {
			t.Errorf("%s %s: %q is there twice", c.document, c.section, c.asks)
		}
		seen[key] = true
		if c.test == "-" {
			if c.note == "" {
				t.Errorf("%s %s: %q has neither a test nor a note", c.document, c.section, c.asks)
			}
		} else if err := c.shown(tests); err != nil {
			t.Errorf("%s %s: %q: %v", c.document, c.section, c.asks, err)
		}
	}
	for _, d := range documents {
		if count[d.name] < d.least {
			t.Errorf("%s has %d clauses, want at least %d", d.name, count[d.name], d.least)
		}
		delete(count, d.name)
	}
	if len(count) > 0 {
		t.Errorf("documents without a title: %v", count)
	}
}

// shown returns an error if the test of a clause does not exist.
func (c clause) shown(tests map[string]testFile) error {
	folder, name, _ := strings.Cut(c.test, " ")
	if script, ok := strings.CutPrefix(name, "script "); ok {
		_, err := os.Stat(repository + folder + "/testdata/script/" + script + ".txtar")
		return err
	}
	function, sub, nested := strings.Cut(name, "/")
	key := folder + " " + function
	if _, ok := tests[key]; !ok {
		if err := addTests(tests, folder); err != nil {
			return err
		}
	}
	file, ok := tests[key]
	switch {
	case !ok:
		return fmt.Errorf("there is no test %q", key)
	case nested && !file.has(sub):
		return fmt.Errorf("%q is none of the cases of %s", sub, key)
	}
	return nil
}

// testFile holds the strings in a file of tests, and the text of the data files that these strings
// name.
type testFile struct {
	literals map[string]bool
	data     string
}

// has reports whether the file or its data has a case with this name, or whether a data file has
// this name.
func (f testFile) has(name string) bool {
	return f.literals[name] || strings.Contains(f.data, strconv.Quote(name))
}

// addTests reads the tests of a package.
func addTests(tests map[string]testFile, folder string) error {
	names, err := filepath.Glob(repository + folder + "/*_test.go")
	if err != nil || names == nil {
		return cmp.Or(err, fmt.Errorf("%s has no tests", folder))
	}
	for _, name := range names {
		parsed, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		file := stringsOf(parsed, filepath.Dir(name))
		for _, d := range parsed.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Test") {
				tests[folder+" "+f.Name.Name] = file
			}
		}
	}
	return nil
}

// stringsOf returns the strings in a file of the folder.
func stringsOf(file *ast.File, folder string) testFile {
	f := testFile{literals: map[string]bool{}}
	ast.Inspect(file, func(n ast.Node) bool {
		lit, ok := n.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return true
		}
		s, err := strconv.Unquote(lit.Value)
		if err != nil {
			return true
		}
		f.literals[s] = true
		if strings.HasSuffix(s, ".json") {
			f.literals[filepath.Base(s)] = true
			if text, err := os.ReadFile(filepath.Join(folder, s)); err == nil {
				f.data += string(text)
			}
		}
		return true
	})
	return f
}

// The topic lists every clause that has a note.
func TestRulesTopic(t *testing.T) {
	var want strings.Builder
	rows := clauses(t)
	for _, d := range documents {
		fmt.Fprintf(&want, "\n%s\n\n", d.title)
		for _, c := range rows {
			if c.document == d.name && c.note != "" {
				appendClause(&want, c)
			}
		}
	}
	name := filepath.Join(commandFolder, "help", "clauses.txt")
	if *updateRules {
		if err := os.WriteFile(name, []byte(want.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want.String() {
		t.Errorf("%s is not what testdata/clauses.tsv says: go test ./cmd/absolink/internal/e2e -run RulesTopic "+
			"-update-rules "+
			"writes it", name)
	}
}

// appendClause writes the lines of a clause: its section and its text, and below it the note.
func appendClause(b *strings.Builder, c clause) {
	note := c.note
	if c.test == "-" {
		note = "not ours to keep: " + note
	}
	appendWrapped(b, fmt.Sprintf("%-12s", c.section), c.asks)
	appendWrapped(b, strings.Repeat(" ", 16), note)
}

// appendWrapped writes text after head in lines of at most 78 characters.
func appendWrapped(b *strings.Builder, head, text string) {
	line, indent := head, strings.Repeat(" ", len(head))
	for _, word := range strings.Fields(text) {
		if len(line)+len(word) > 78 {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line = indent
		}
		line += word + " "
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
}
