package write

import (
	"fmt"
	"strings"

	"absolink/cmd/absolink/internal/console"
)

// SumUp says what a run has left that a user should know about, and which flag decides that.
func (c *Command) SumUp() {
	if !c.o.Run.Quiet {
		c.sumUpSignatures()
		c.sumUpBackups()
		c.sumUpDisk()
		for _, text := range c.unmatchedRules() {
			c.run.Console.Printf("%s", text)
		}
	}
	if c.in != nil {
		c.in.SumUp()
	}
}

// sumUpSignatures says how many messages and parts a signature concerned, and
// which flag decides what becomes of them.
func (c *Command) sumUpSignatures() {
	t := &c.run.Totals
	if t.DKIM > 0 {
		messages := console.Plural(t.DKIM, "message has a DKIM, ARC or DomainKeys signature", "messages have DKIM, ARC or DomainKeys signatures")
		switch {
		case c.o.SkipDKIM && c.o.InPlace:
			c.run.Console.Printf("%s that edits break: left as written; -o DIR writes edited copies, --dkim rewrite edits them here", messages)
		case c.o.SkipDKIM:
			c.run.Console.Printf("%s that edits break: left as written, by --dkim skip", messages)
		case c.o.InPlace:
			c.run.Console.Printf("%s that the edits break; --dkim skip leaves them as written", messages)
		default:
			c.run.Console.Printf("%s that the edits break; the originals are unchanged, --dkim skip leaves the copies as written too", messages)
		}
	}
	if t.Signed > 0 {
		parts := console.Plural(t.Signed, "part is signed, encrypted or not to be edited", "parts are signed, encrypted or not to be edited")
		c.run.Console.Printf("%s: left as written; --break-signatures edits what is signed", parts)
	}
	if t.Broken > 0 {
		c.run.Console.Printf("%s, by --break-signatures", console.Plural(t.Broken, "signed part was edited", "signed parts were edited"))
	}
}

// sumUpBackups names the backups that were passed by.
func (c *Command) sumUpBackups() {
	n, done := c.run.Totals.Backups.N, "left"
	if n == 0 {
		return
	}
	if c.tree != nil {
		done = "copied"
	}
	c.run.Console.Printf("%s as written: %s", console.Plural(n, "backup "+done, "backups "+done), &c.run.Totals.Backups)
}

// unmatchedRules describes the rules by which no link moved. Of many one is named.
func (c *Command) unmatchedRules() (list []string) {
	unused := c.site.Map.Unused()
	for i, old := range unused {
		text := old + " is the beginning of no link"
		if strings.Contains(old, "*") {
			text += ", and a * in it stands for itself"
		}
		if i == 0 && len(unused) > 3 {
			return append(list, fmt.Sprintf("--map: %d rules match nothing: %s, for one; absolink extract lists what the links lead to", len(unused), text))
		}
		list = append(list, "--map: "+text+"; absolink extract lists what the links lead to")
	}
	return list
}
