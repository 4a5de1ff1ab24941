package write

import (
	"fmt"
	"slices"
	"strings"

	"absolink/cmd/absolink/internal/account"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/site"
)

// SumUp prints messages about edits that break signatures, and about links and inputs that were not
// edited. If a flag can change this, the message names the flag.
func (c *Command) SumUp() {
	if !c.o.Run.Account.Quiet {
		c.sumUpSignatures(c.run.Account)
		c.sumUpBackups()
		c.sumUpDisk()
		sumUpLeftReferences(c.run.Account)
		sumUpUnmoved(c.run.Account)
		c.sumUpUndo()
		for _, text := range c.unusedRules() {
			c.run.Account.Console.Printf("%s", text)
		}
	}
	if c.inPlace != nil {
		c.inPlace.SumUp()
	}
}

// SumUpInput prints the messages of SumUp about the only input of a run. a is the account of that
// run. Call it instead of SumUp if several runs use c.
func (c *Command) SumUpInput(a *account.Account) {
	if !c.o.Run.Account.Quiet {
		c.sumUpSignatures(a)
		sumUpLeftReferences(a)
		sumUpUnmoved(a)
	}
}

// sumUpUndo says that a run in place cannot be undone, if it kept no old bytes.
func (c *Command) sumUpUndo() {
	kept := !c.o.To.InPlace || c.o.To.Journal != "" || c.o.To.Backup != "" || c.o.Show.On()
	if n := c.run.Account.Totals.Inputs.With(report.Rewritten); n > 0 && !kept {
		c.run.Account.Console.Printf(
			"%d rewritten; no journal, so this cannot be undone; next time add --journal FILE", n)
	}
}

// sumUpSignatures prints the numbers of signed messages and signed parts, and the flags that decide
// whether they are edited.
func (c *Command) sumUpSignatures(a *account.Account) {
	t := &a.Totals.Edits
	if t.DKIM > 0 {
		messages := console.Plural(t.DKIM, "message has a DKIM, ARC or DomainKeys signature",
			"messages have DKIM, ARC or DomainKeys signatures")
		switch {
		case c.o.skipsDKIM() && c.o.To.InPlace:
			a.Console.Printf("%s that edits break: left as written; "+
				"-o DIR writes edited copies, --dkim rewrite edits them here", messages)
		case c.o.skipsDKIM():
			a.Console.Printf("%s that edits break: left as written, by --dkim skip", messages)
		case c.o.To.InPlace:
			a.Console.Printf("%s that the edits break; --dkim skip leaves them as written", messages)
		default:
			a.Console.Printf("%s that the edits break; the originals are unchanged, "+
				"--dkim skip leaves the copies as written too", messages)
		}
	}
	if t.Signed > 0 {
		parts := console.Plural(t.Signed, "part is signed, encrypted or not editable",
			"parts are signed, encrypted or not editable")
		a.Console.Printf("%s: left as written; --break-signatures edits signed parts", parts)
	}
	if t.Broken > 0 {
		a.Console.Printf("%s, by --break-signatures",
			console.Plural(t.Broken, "signed part was edited", "signed parts were edited"))
	}
}

// sumUpLeftReferences prints the number of references that should change but stay as written.
func sumUpLeftReferences(a *account.Account) {
	if n := a.Totals.LeftReferences; n > 0 {
		a.Console.Printf("%s as written, and %s elsewhere now; -v and --report name each",
			console.Plural(n, "link, which is never edited, stays", "links, which are never edited, stay"),
			leads(n))
	}
}

// sumUpUnmoved prints the number of URLs that stay as written although a rule would move them. They
// are in text, header fields and other places that are not edited.
func sumUpUnmoved(a *account.Account) {
	if n, where := a.Totals.Edits.DescribeStays(""); n > 0 {
		a.Console.Printf("%s as written: %s",
			console.Plural(n, "URL that a rule would move stays", "URLs that a rule would move stay"), where)
	}
}

// leads returns the verb that follows n references.
func leads(n int) string {
	if n == 1 {
		return "leads"
	}
	return "lead"
}

// sumUpBackups prints the names of the backups that were not edited.
func (c *Command) sumUpBackups() {
	backups := &c.run.Account.Totals.InputKinds.Backups
	if backups.N == 0 {
		return
	}
	done := "left"
	if c.copies != nil {
		done = "copied"
	}
	c.run.Account.Console.Printf("%s as written: %s",
		console.Plural(backups.N, "backup "+done, "backups "+done), backups)
}

// maxNamedRules is the largest number of rules of one kind that unusedRules names one by one.
const maxNamedRules = 3

// unusedRules describes the rules that changed no link. If there are many, it names a few of them.
// If nothing was read, it returns nil.
func (c *Command) unusedRules() (list []string) {
	if c.run.Account.Totals.Inputs.N == 0 {
		return nil
	}
	unused, hidden := c.site.Map.Unused()
	var unmatched []string // rules that match no link
	var explained []string // the other unused rules
	var why []string       // why each of the explained rules changed no link
	for _, rule := range unused {
		if text := c.explainUnused(rule); text != "" {
			explained = append(explained, rule)
			why = append(why, text)
		} else {
			unmatched = append(unmatched, rule)
		}
	}
	list = append(list, why[:min(len(why), maxNamedRules)]...)
	if n := len(explained) - maxNamedRules; n > 0 {
		list = append(list, fmt.Sprintf("%s: %s", c.flagOf(explained[maxNamedRules]),
			console.Plural(n, "more rule changes no link, although links match",
				"more rules change no link, although links match")))
	}
	list = append(list, c.describeUnmatched(unmatched)...)
	for _, h := range hidden {
		list = append(list, fmt.Sprintf("%s: %s was never used: %s %s applies first", c.flagOf(h.Old), h.Old,
			c.flagOf(h.Other), h.Other))
	}
	return list
}

// describeUnmatched describes rules that match no link. If there are more than maxNamedRules, it
// names the first rule and the number of all.
func (c *Command) describeUnmatched(rules []string) (list []string) {
	const advice = "; absolink extract lists the URIs of the links"
	if n := len(rules); n > maxNamedRules {
		return []string{fmt.Sprintf("%s: %d rules match no link, such as %s%s",
			c.flagOf(rules[0]), n, rules[0], advice)}
	}
	for _, rule := range rules {
		text := fmt.Sprintf("%s: %s matches no link%s", c.flagOf(rule), rule, advice)
		where := c.elsewhere.describe(rule)
		switch {
		case where != "":
			text = fmt.Sprintf("%s: %s matches no link, but %s%s", c.flagOf(rule), rule, where, c.adviceElsewhere())
		case c.o.Move.NoText:
			text += "; --no-text leaves out the URLs in text"
		}
		list = append(list, text)
	}
	return list
}

// adviceElsewhere names the flags that would move or name URLs outside of links.
func (c *Command) adviceElsewhere() (advice string) {
	if !c.o.Move.VisibleText {
		advice += "; --visible-text also moves URLs in the text of pages"
	}
	if !c.o.Move.FindOld {
		advice += "; --find-old names each place"
	}
	return advice
}

// explainUnused returns a message that says why rule changed no link. There are two cases. Links
// match the rule, but they stay unchanged. Or links would match the rule with https instead of
// http, or the reverse. In all other cases explainUnused returns "".
func (c *Command) explainUnused(rule string) string {
	n, why := c.run.Account.Totals.Edits.DescribeStays(rule)
	if n == 0 {
		n = c.unchosen.count(rule)
		why = "left out by --kind, --select or another flag that chooses links"
	}
	if n == 0 {
		n = c.anyDepth.count(rule)
		why = "in pages that are shown at any depth (--any-depth)"
	}
	if n == 0 {
		return c.describeOtherScheme(rule)
	}
	return fmt.Sprintf("%s: %s changes no link: %s, %s", c.flagOf(rule), rule,
		console.Plural(n, "link matches", "links match"), why)
}

// describeOtherScheme returns a message if links begin with the OLD of rule, but with https instead
// of http or the reverse. Otherwise it returns "".
func (c *Command) describeOtherScheme(rule string) string {
	n, other := c.site.Map.Near(rule)
	if n == 0 {
		return ""
	}
	_, withoutScheme, _ := strings.Cut(rule, ":")
	return fmt.Sprintf("--map: %s changes no link: %s with %s; type %s for both http and https", rule,
		console.Plural(n, "link begins", "links begin"), other, withoutScheme)
}

// patterns returns the expressions of --map-regex.
func (c *Command) patterns() (list []string) {
	for _, arg := range c.o.Move.Patterns {
		expr, _, _ := site.SplitPair(arg)
		list = append(list, expr)
	}
	return list
}

// flagOf returns --map or --map-regex, the flag of rule.
func (c *Command) flagOf(rule string) string {
	if slices.Contains(c.patterns(), rule) {
		return "--map-regex"
	}
	return "--map"
}

// sumUpDisk prints two numbers for --to disk: of addresses without a file, and of addresses whose
// query was dropped.
func (c *Command) sumUpDisk() {
	if c.disk == nil {
		return
	}
	if s := &c.disk.missing; s.n > 0 {
		addresses := console.Plural(s.n, "address has no file here", "addresses have no file here")
		c.run.Account.Console.Printf("--to disk: %s, such as %s: links without a file are absolute; "+
			"--check-files names each", addresses, s.first)
	}
	if s := &c.disk.dropped; s.n > 0 {
		c.run.Account.Console.Printf("--to disk: %s: such links lead to the file without the query", describeDropped(s))
	}
}

// describeDropped describes addresses whose files were found only without the query.
func describeDropped(s *sample) string {
	if s.n == 1 {
		return "the query of " + s.first + " is in no file name"
	}
	return fmt.Sprintf("the queries of %d addresses are in no file name, such as %s", s.n, s.first)
}
