package help

import (
	_ "embed"
	"strings"
)

// exceptions are the rows of testdata/clauses.tsv that have a note. TestRulesTopic of
// cmd/absolink compares them, and writes the file with -update-rules.
//
//go:embed clauses.txt
var exceptions string

// clauses returns the exceptions of the rule sets: a heading for each document, and a fence below
// it.
func clauses() string {
	var b strings.Builder
	for part := range strings.SplitSeq(strings.Trim(exceptions, "\n"), "\n\n") {
		if strings.Contains(part, "\n") || strings.Contains(part, "  ") {
			b.WriteString("```\n" + part + "\n```\n")
		} else {
			b.WriteString("\n## " + part + "\n\n")
		}
	}
	return strings.TrimPrefix(b.String(), "\n")
}
