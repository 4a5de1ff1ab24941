package write

import (
	"fmt"
	"slices"
	"strings"

	"absolink/cmd/absolink/internal/account"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/site"
)

// SumUp prints messages about edits that break signatures, and about links and inputs that were not
// edited. If a flag changes this, the message names it.
func (c *Command) SumUp() {
	if !c.o.Run.Account.Quiet {
		c.sumUpSignatures(c.run.Account)
		c.sumUpBackups()
		c.sumUpDisk()
		sumUpLeft(c.run.Account)
		sumUpStays(c.run.Account)
		for _, text := range c.unmatchedRules() {
			c.run.Account.Console.Printf("%s", text)
		}
	}
	if c.inPlace != nil {
		c.inPlace.SumUp()
	}
}

// SumUpInput prints the lines of SumUp for a run with one input. a is the account of that run.
func (c *Command) SumUpInput(a *account.Account) {
	if !c.o.Run.Account.Quiet {
		c.sumUpSignatures(a)
		sumUpLeft(a)
		sumUpStays(a)
	}
}

// sumUpSignatures prints the number of signed messages and parts, and the flag that controls their
// editing.
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
		parts := console.Plural(t.Signed, "part is signed, encrypted or not to be edited",
			"parts are signed, encrypted or not to be edited")
		a.Console.Printf("%s: left as written; --break-signatures edits what is signed", parts)
	}
	if t.Broken > 0 {
		a.Console.Printf("%s, by --break-signatures",
			console.Plural(t.Broken, "signed part was edited", "signed parts were edited"))
	}
}

// sumUpLeft prints the number of references that stay as written, although they now lead elsewhere.
func sumUpLeft(a *account.Account) {
	if n := a.Totals.LeftReferences; n > 0 {
		a.Console.Printf("%s as written, and %s elsewhere now; -v and --report name each",
			console.Plural(n, "reference, which is never edited, stays", "references, which are never edited, stay"),
			leads(n))
	}
}

// sumUpStays prints the number of URLs in text and header fields that a rule would move, but that
// stay.
func sumUpStays(a *account.Account) {
	if n, where := a.Totals.Edits.DescribeStays(""); n > 0 {
		a.Console.Printf("%s as written: %s",
			console.Plural(n, "URL that a rule would move stays", "URLs that a rule would move stay"), where)
	}
}

// leads returns the verb for n references.
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

// unmatchedRules describes the rules that changed no link. If there are many, it names a few.
func (c *Command) unmatchedRules() (list []string) {
	unused, hidden := c.site.Map.Unused()
	var stay, staying, nothing []string
	for _, old := range unused {
		if text := c.describeStays(old); text != "" {
			stay = append(stay, text)
			staying = append(staying, old)
		} else {
			nothing = append(nothing, old)
		}
	}
	const most = 3
	list = append(list, stay[:min(len(stay), most)]...)
	if n := len(stay) - most; n > 0 {
		list = append(list, fmt.Sprintf("%s: %s no link either, although links match", c.flagOf(staying[most]),
			console.Plural(n, "more rule changes", "more rules change")))
	}
	list = append(list, c.describeUnmatched(nothing, most)...)
	for _, h := range hidden {
		list = append(list,
			fmt.Sprintf("%s: %s was never used: %s %s came first", c.flagOf(h.Old), h.Old, c.flagOf(h.Other), h.Other))
	}
	return list
}

// describeUnmatched describes rules that match no link. If there are more than most, it describes
// the first one and counts the others.
func (c *Command) describeUnmatched(rules []string, most int) (list []string) {
	for _, rule := range rules {
		text := rule + " is the beginning of no link"
		if slices.Contains(c.patterns(), rule) {
			text = rule + " matches no link"
		}
		if len(rules) > most {
			return []string{fmt.Sprintf("%s: %d rules match nothing: %s, for one; absolink extract lists what the "+
				"links lead to", c.flagOf(rule), len(rules), text)}
		}
		list = append(list, c.flagOf(rule)+": "+text+"; absolink extract lists what the links lead to")
	}
	return list
}

// describeStays describes the links to which rule applies, but which all stay. It says where they
// are or why they stay. If there are no such links, the result is the one of describeNear.
func (c *Command) describeStays(rule string) string {
	n, where := c.run.Account.Totals.Edits.DescribeStays(rule)
	if k := c.unchosen.count(rule); k > 0 && n == 0 {
		n = k
		where = "left out by --kind, --select or another flag that chooses links"
	}
	if n == 0 {
		return c.describeNear(rule)
	}
	how := console.Plural(n, "link begins so", "links begin so")
	if slices.Contains(c.patterns(), rule) {
		how = console.Plural(n, "link matches", "links match")
	}
	return fmt.Sprintf("%s: %s changes no link: %s, %s", c.flagOf(rule), rule, how, where)
}

// describeNear says that links begin like the OLD of rule, but with https instead of http or the
// reverse. It returns "" if no link does.
func (c *Command) describeNear(rule string) string {
	n, other := c.site.Map.Near(rule)
	if n == 0 {
		return ""
	}
	_, both, _ := strings.Cut(rule, ":")
	return fmt.Sprintf("--map: %s changes no link: %s with %s; %s stands for http and https", rule,
		console.Plural(n, "link begins", "links begin"), other, both)
}

// patterns returns the expressions of --map-regex.
func (c *Command) patterns() (list []string) {
	for _, arg := range c.o.Move.Patterns {
		expr, _, _ := site.Pair(arg)
		list = append(list, expr)
	}
	return list
}

// flagOf returns the name of the flag that gave the rule.
func (c *Command) flagOf(rule string) string {
	if slices.Contains(c.patterns(), rule) {
		return "--map-regex"
	}
	return "--map"
}

// sumUpDisk prints the numbers of addresses that have no file, and of queries that were dropped.
func (c *Command) sumUpDisk() {
	if c.disk == nil {
		return
	}
	if s := &c.disk.missing; s.n > 0 {
		c.run.Account.Console.Printf("--to disk: %s, such as %s: links there are absolute; --check-files names each",
			console.Plural(s.n, "address has no file here", "addresses have no file here"), s.first)
	}
	if s := &c.disk.dropped; s.n > 0 {
		c.run.Account.Console.Printf("--to disk: %s: such links lead to the file without the query", describeDropped(s))
	}
}

// describeDropped describes addresses whose query is in no name of a file.
func describeDropped(s *sample) string {
	if s.n == 1 {
		return "the query of " + s.first + " is in no file name"
	}
	return fmt.Sprintf("the queries of %d addresses are in no file name, such as %s", s.n, s.first)
}
