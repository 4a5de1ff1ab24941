package main

import (
	_ "embed"
	"strings"

	"github.com/spf13/cobra"
)

// rulesTopic is "absolink help rules": the rule sets, and what they do not keep.
func (p *program) rulesTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "rules",
		Short: "The rule sets, and the clauses that they do not keep",
		Long:  rulesHelp + strings.TrimSuffix(exceptions, "\n"),
	}
}

// exceptions are the rows of testdata/clauses.tsv that have a note. TestRulesTopic compares
// them, and writes the file with -update-rules.
//
//go:embed rules.txt
var exceptions string

const rulesHelp = `The rule sets of --rules, by which references are resolved:

whatwg     the URL Standard, which browsers follow; the default
rfc3986    RFC 3986 of 2005
rfc2396    RFC 2396 of 1998
draft-02   draft-fielding-url-syntax-02 of December 1996
draft-00e  draft-fielding-uri-url-00e of November 1996

"absolink resolve --compare" shows what each makes of a reference, and "--check"
which grammar it fits, that of RFC 1738 too.

The rule sets of --mime-base, by which the heading of a message gives a base:

rfc2396    Content-Base, then Content-Location, of the part and of what is around it
rfc2557    an absolute Content-Location, of the part or of what is around it
rfc2110    Content-Base and Content-Location of the part alone

What absolink keeps otherwise than these documents say, and what is not its business,
by document and section, with the reason. All else is kept.
`
