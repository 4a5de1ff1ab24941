package command

import (
	"net/url"
	"regexp/syntax"
	"strings"

	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/site"
)

// Expressions of a request are matched in a time that grows with their size and that of the text.
// Both are bounded, so that none keeps a worker for long.
const (
	maxProgram = 2000 // instructions of all expressions of a request
	maxSteps   = 5e8  // instructions times bytes, for one URI: some seconds
)

// checkExpressions refuses expressions in a query that take too long. The error is a *flag.Error.
// Expressions that cannot be read are refused where they are set.
func checkExpressions(flags url.Values) error {
	sum := 0
	for _, name := range []string{"match", "no-match", "map-regex"} {
		for _, text := range flags[name] {
			if name == "map-regex" {
				text, _, _ = site.Pair(text)
			}
			sum += programSize(text)
			if sum > maxProgram {
				return flag.Errorf("--%s: the expressions of a request may have %d instructions, and these have "+
					"more: use fewer, or smaller numbers in {n}", name, maxProgram)
			}
		}
	}
	for _, text := range flags["select"] {
		if strings.Contains(text, "#=") || strings.Contains(strings.ToLower(text), ":matches") {
			return flag.Errorf("--select: the service takes no selector with a regular expression (#= and :matches): " +
				"use --match")
		}
	}
	return nil
}

// programSize returns about how many instructions an expression is compiled to, 0 if it cannot be
// read.
func programSize(expr string) int {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return 0
	}
	return instructions(re)
}

func instructions(re *syntax.Regexp) int {
	n := 0
	for _, sub := range re.Sub {
		n += instructions(sub)
	}
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune)
	case syntax.OpCapture:
		return n + 2
	case syntax.OpRepeat:
		return n*max(re.Min, 1) + (n+1)*max(re.Max-re.Min, 0) + 1
	}
	return n + 1
}
