package e2e

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/cli"
)

// A full disk behind standard output causes one message and exit code 1.
func TestOutputFails(t *testing.T) {
	for _, args := range [][]string{{"extract"}, {"extract", "--format", "csv"}, {"rewrite"},
		{"rewrite", "--verify"}, {"base"}, {"resolve", "g"}, {"version"}, {"report"}} {
		var stderr bytes.Buffer
		in := "<html><a href=x>"
		switch args[0] {
		case "version":
		case "report":
			in = ""
		default:
			args = append(args, "--base", "http://a.test/")
		}
		code := absolink(args, strings.NewReader(in), full{}, &stderr)
		if got := stderr.String(); code != cli.ExitDefects ||
			strings.Count(got, "\n") != 1 || !strings.Contains(got, "no space left") {
			t.Errorf("%q: got exit code %d and %q, want %d and one line that says why",
				args, code, got, cli.ExitDefects)
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }
