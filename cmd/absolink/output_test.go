package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// A full disk behind standard output is said once, with exit code 1.
func TestOutputFails(t *testing.T) {
	for _, args := range [][]string{{"extract"}, {"extract", "--format", "csv"}, {"rewrite"}, {"rewrite", "--verify"}, {"base"}, {"resolve", "g"}, {"version"}} {
		var stderr bytes.Buffer
		args = append(args, map[bool][]string{true: nil, false: {"--base", "http://a.test/"}}[args[0] == "version"]...)
		code := absolink(args, strings.NewReader("<html><a href=x>"), full{}, &stderr)
		if got := stderr.String(); code != exitDefects || strings.Count(got, "\n") != 1 || !strings.Contains(got, "no space left") {
			t.Errorf("%q: got exit code %d and %q, want %d and one line that says why", args, code, got, exitDefects)
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }
