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

// The engines that tests compare with are a module and two installed programs. Each reads a list of
// references with their bases and returns the results of the module, or of "new URL" of the
// program.

// webCase is a reference with its base, or "".
type webCase struct{ Base, Ref string }

// engineScript is an expression that maps cases to serialised URLs, "" for a failure.
const engineScript = `(cases => cases.map(([base, ref]) => {
	try { return (base === "" ? new URL(ref) : new URL(ref, base)).href } catch { return "" }
}))(%s)`

// engine is an engine to compare with. answers returns a serialised URL for each case, "" for a
// failure.
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

// engineChunk is the number of cases that an engine gets at a time.
const engineChunk = 20000

// scripted is the engine of a program. evaluate returns a JSON list of strings for an expression.
// Strings that are not UTF-8 cannot be passed to it and must not be among the cases.
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

// find returns the first installed program of names, with its version, or skips the test.
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

// node starts Node once for each expression.
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
