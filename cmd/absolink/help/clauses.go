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

// clauses returns what the rule sets do not keep: a heading for each document, and below it a
// fence.
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
