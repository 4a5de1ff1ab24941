package e2e

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// sayers lists the functions whose string arguments users read, as a message or as a part of one.
var sayers = map[string]bool{
	"Errorf": true, "New": true, "usagef": true, "rangeErrorf": true, "say": true, "Printf": true, "Note": true,
	"NoteAt": true, "Fail": true, "Problem": true, "Remark": true, "Warn": true, "Plural": true, "fail": true,
}

// Every message of the program and its packages is expected by some test: four successive words of
// it, or all of a shorter message, are in a script or in the source of a test.
func TestMessagesAreShown(t *testing.T) {
	expected := expectations(t)
	shown := func(text string) bool {
		list := wordsOf(text)
		return list == nil ||
			slices.ContainsFunc(list, func(words string) bool { return strings.Contains(expected, words) })
	}
	for text, place := range said(t, commandFolder) {
		one, many, _ := strings.Cut(text, "\x00")
		switch ok := shown(one) || many != "" && shown(many); {
		case !ok && unshown[text] == "":
			t.Errorf("%s: no test shows %q: add a script or a row of messages", place, text)
		case ok && unshown[text] != "":
			t.Errorf("%s: %q is said to be shown by no test, and one does", place, text)
		}
	}
}

// unshown lists messages that no test can cause, with the reason.
var unshown = map[string]string{
	"listening on http://%s/":                              "all tests of the service read it there",
	"the requests that did not end within %v were cut off": "a test would wait for that long",
	"internal error: a record without a frame":             "only a mistake in the program does",
	"the version was printed":                              "it ends a command and is not shown",
	"too much is read":                                     "another message replaces it",
	"the service is busy":                                  "a page says it in its own words",
	"has no host":                                          "the URL Standard knows no such http URL",
	"journal: the lines of file %d are damaged":            "the journal is damaged after it was opened",
	"journal: no line at offset %d":                        "the journal is damaged after it was opened",
	"%s: left out: a link to %s, which has no copy":        "a file vanishes in the middle of a run",
	"a Maildir: this system forbids its file names; read it where it came from, or give its " +
		"messages as files": "on Windows only",

	"journal: an edit at offset %d follows an edit that ends at %d": "the journal is damaged after it was opened",
}

// verb matches a verb of fmt.
var verb = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`%[0-9.]*[a-z]`)
})

// wordsOf returns the texts to search for a message: each four successive words that the program
// does not fill in, or else the whole text between two such values. It returns nil for a message
// that only names the flag of another one.
func wordsOf(text string) (list []string) {
	var short []string
	for _, part := range verb().Split(unescaped(text), -1) {
		words := strings.Fields(part)
		for i := range len(words) - 3 {
			list = append(list, strings.Join(words[i:i+4], " "))
		}
		if len(words) > 1 {
			short = append(short, strings.Join(words, " "))
		}
	}
	if list == nil {
		return short
	}
	return list
}

// said returns the messages in the files below dir, and their places.
func said(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	eachFile(t, dir, func(path string, data []byte) {
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			strings.HasSuffix(path, "_windows.go") {
			return
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, data, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !sayers[called(call)] {
				return true
			}
			var texts []string
			for _, arg := range call.Args {
				for _, text := range literals(arg) {
					if len(strings.Fields(text)) > 2 {
						texts = append(texts, text)
					}
				}
			}
			if called(call) == "Plural" && len(texts) == 2 {
				texts = []string{texts[0] + "\x00" + texts[1]}
			}
			for _, text := range texts {
				all[text] = files.Position(call.Pos()).String()
			}
			return true
		})
	})
	return all
}

// called returns the name of the function in a call.
func called(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// literals returns the strings of an expression that is a string, or a sum with strings.
// Neighbouring strings in a sum are joined.
func literals(e ast.Expr) []string {
	var texts []string
	literal := false // the last term was a string
	for _, term := range terms(e) {
		lit, ok := term.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			literal = false
			continue
		}
		text, err := strconv.Unquote(lit.Value)
		if err != nil {
			continue
		}
		if literal {
			texts[len(texts)-1] += text
		} else {
			texts = append(texts, text)
		}
		literal = true
	}
	return texts
}

// terms returns the terms of a sum from left to right.
func terms(e ast.Expr) []ast.Expr {
	if sum, ok := e.(*ast.BinaryExpr); ok {
		return append(terms(sum.X), terms(sum.Y)...)
	}
	return []ast.Expr{e}
}

// sumSign matches the text between two joined strings on separate lines.
var sumSign = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`" \+\n\s*"`)
})

// expectations returns the text of all scripts and tests of the program.
func expectations(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	eachFile(t, commandFolder, func(path string, data []byte) {
		if filepath.Base(path) != "shown_test.go" && strings.HasSuffix(path, "_test.go") ||
			strings.HasSuffix(path, ".txtar") || strings.HasSuffix(path, ".md") {
			b.WriteString(unescaped(sumSign().ReplaceAllString(string(data), "")))
		}
	})
	return b.String()
}

// unescaped returns text without the backslashes of strings and regular expressions, and without
// punctuation. So a message is found in both.
func unescaped(text string) string { return punctuation.Replace(text) }

var punctuation = strings.NewReplacer(`\`, "", `"`, "", ":", "", ",", "", ";", "")

// eachFile calls do with each file below dir.
func eachFile(t *testing.T, dir string, do func(path string, data []byte)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err == nil {
			do(path, data)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
