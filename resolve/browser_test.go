package resolve

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	whatwgurl "github.com/nlnwa/whatwg-url/url"

	"absolink/testdata/chromium"
)

// The engines that tests compare with: a module, and two programs as they are
// installed. Each reads a list of references with their bases and gives what the module,
// or "new URL" of the program, makes of them.

// webCase is a reference with its base, "" for none.
type webCase struct{ Base, Ref string }

// engineScript is an expression that maps cases to serialised URLs, "" for a failure.
const engineScript = `(cases => cases.map(([base, ref]) => {
	try { return (base === "" ? new URL(ref) : new URL(ref, base)).href } catch { return "" }
}))(%s)`

// engine is one of them. answers gives a serialised URL for each case, "" for a failure.
type engine struct {
	name    string // "Chromium", "Node" or "nlnwa"
	version string // the first number of its version
	answers func(t *testing.T, cases []webCase) []string
}

// nlnwa is another implementation of the standard in Go.
var nlnwa = engine{"nlnwa", "0", func(t *testing.T, cases []webCase) []string {
	all := make([]string, len(cases))
	for i, c := range cases {
		all[i] = nlnwaAnswer(c)
	}
	return all
}}

func nlnwaAnswer(c webCase) string {
	var u *whatwgurl.Url
	var err error
	if c.Base == "" {
		u, err = whatwgurl.Parse(c.Ref)
	} else {
		u, err = whatwgurl.ParseRef(c.Base, c.Ref)
	}
	if err != nil {
		return ""
	}
	return u.Href(false)
}

// engineChunk is how many cases an engine gets at a time.
const engineChunk = 20000

// scripted is an engine of a program: evaluate gives a JSON list of strings for an
// expression. Strings that are no UTF-8 cannot be told to it and must not be among the
// cases.
func scripted(name, version string, evaluate func(expression string) ([]string, error)) engine {
	return engine{name, version, func(t *testing.T, cases []webCase) []string {
		t.Helper()
		return answersOf(t, name, evaluate, cases)
	}}
}

func answersOf(t *testing.T, name string, evaluate func(string) ([]string, error), cases []webCase) []string {
	t.Helper()
	var all []string
	for chunk := range slices.Chunk(cases, engineChunk) {
		pairs := make([][2]string, len(chunk))
		for i, c := range chunk {
			pairs[i] = [2]string{c.Base, c.Ref}
		}
		in, err := json.Marshal(pairs)
		if err != nil {
			t.Fatal(err)
		}
		out, err := evaluate(fmt.Sprintf(engineScript, in))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(out) != len(chunk) {
			t.Fatalf("%s gave %d answers, want %d", name, len(out), len(chunk))
		}
		all = append(all, out...)
	}
	return all
}

var firstNumber = regexp.MustCompile(`[0-9]+`)

// find returns the first program of names that is installed, with its version, or skips.
func find(t *testing.T, names ...string) (path, version string) {
	t.Helper()
	for _, name := range names {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		out, err := exec.Command(path, "--version").Output()
		if err != nil {
			t.Fatalf("%s --version: %v", path, err)
		}
		return path, firstNumber.FindString(string(out))
	}
	t.Skipf("%s is not installed: nothing to compare with", strings.Join(names, ", "))
	return "", ""
}

// node starts Node once an expression.
func node(t *testing.T) engine {
	path, version := find(t, "node", "nodejs")
	return scripted("Node", version, func(expression string) ([]string, error) {
		cmd := exec.Command(path, "-")
		cmd.Stdin = strings.NewReader("process.stdout.write(JSON.stringify(" + expression + "))")
		out, err := cmd.Output()
		if err != nil {
			return nil, err
		}
		var list []string
		return list, json.Unmarshal(out, &list)
	})
}

// browser starts Chromium.
func browser(t *testing.T) engine {
	_, version := find(t, chromium.Names...)
	ctx := chromium.Start(t)
	return scripted("Chromium", version, func(expression string) ([]string, error) {
		limited, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		return chromedp.Run(limited, chromedp.Evaluate[[]string](expression))
	})
}
