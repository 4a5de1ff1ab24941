package command

import (
	"net/url"
	"regexp/syntax"
	"strings"

	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/site"
)

// The time for matching an expression of a request grows with the sizes of the expression and the
// text. Both are limited, so that no request keeps a worker for long.
const (
	maxProgram = 2000 // instructions of all expressions of a request
	maxSteps   = 5e8  // instructions times bytes, for one URI: some seconds
)

// checkExpressions refuses slow expressions in a query. The error is a *flag.Error. Invalid
// expressions are refused later, when the flag is set.
func checkExpressions(flags url.Values) error {
	sum := 0
	for _, name := range []string{"match", "no-match", "map-regex"} {
		for _, text := range flags[name] {
			if name == "map-regex" {
				text, _, _ = site.SplitPair(text)
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

// programSize estimates the number of instructions of a compiled expression. It is 0 if the
// expression is invalid.
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
