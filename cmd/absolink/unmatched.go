package main

import (
	"fmt"
	"slices"
	"strings"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/glob"
	"absolink/extract"
)

// A value that is mistyped matches nothing, and an empty result looks like an answer: what
// the command line asks for and no input had is said when a run has ended.

// sayUnmatched says what was asked for and not found.
func (r *runner) sayUnmatched(args []string) {
	if r.o.quiet || r.o.units != "" || r.o.gave("shard") {
		return // what one of many processes has not, another may have
	}
	for _, text := range slices.Concat(r.o.barren(args), r.o.unmatchedPatterns(), r.o.unmatchedRoots(), r.o.unmatchedChoices()) {
		r.con.Printf("%s", text)
	}
	if t := &r.totals.Templates; t.N > 0 {
		done := "left out"
		if r.copies {
			done = "copied as written"
		}
		r.con.Printf("%s, without a tag of HTML near the beginning, %s: %s; --type html with --include reads such files", console.Plural(t.N, "template or server page", "templates or server pages"), done, t)
	}
	if t := &r.totals; t.Others > 0 && t.Others == t.Inputs && slices.ContainsFunc(args, isDir) {
		r.con.Printf("no document, message, mailbox or archive among %s; -v names them, --type T reads them as that kind", console.Plural(t.Others, "file", "files"))
	}
}

// barren describes the directories among args that no input was found in.
func (o *options) barren(args []string) (list []string) {
	for i := range o.tally {
		if o.tally[i].Load() > 0 || !isDir(args[i]) {
			continue
		}
		why := "is empty: give a directory with files, or a file"
		if len(o.include)+len(o.exclude) > 0 {
			why = "has no file that --include and --exclude leave"
		}
		list = append(list, args[i]+" "+why)
	}
	return list
}

// unmatchedPatterns describes the patterns of files that matched none.
func (t *trees) unmatchedPatterns() (list []string) {
	for _, f := range []struct {
		flag     string
		patterns []glob.Pattern
	}{{"--include", t.chosen.Include}, {"--exclude", t.chosen.Exclude}} {
		for _, p := range f.patterns {
			if !p.Matched() {
				list = append(list, fmt.Sprintf("%s %s matches no file of a directory: *.html matches at any depth, /news/** from its top", f.flag, p))
			}
		}
	}
	return list
}

// unmatchedRoots describes the roots that no document lies below, unless they also say
// where links lead to.
func (o *options) unmatchedRoots() (list []string) {
	if o.checkFiles || o.gave("to") {
		return nil
	}
	for _, dir := range o.mapped.Unused() {
		list = append(list, "--root "+dir+": no document that was read lies below it; DIR is a directory of the inputs, or one above them")
	}
	return list
}

// unmatchedChoices describes the choices of references that none had.
func (o *reading) unmatchedChoices() (list []string) {
	if !o.looked.Load() || o.chose.Load() {
		return nil
	}
	var flags []string
	for _, c := range o.criteria {
		if flags = append(flags, c.flag); !c.met.Load() {
			list = append(list, fmt.Sprintf("%s matches none of the references; absolink extract --format jsonl shows the %s of each", c.flag, c.key))
		}
	}
	if list == nil {
		list = append(list, "no reference matches all of "+strings.Join(flags, ", ")+": leave one of them out")
	}
	return list
}

// unmatchedRules describes the rules by which no link moved. Of many one is named.
func (m *moving) unmatchedRules() (list []string) {
	unused := m.rules.Unused()
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

// checkStatus refuses a choice of references that have no absolute URI where only such are
// of use, to be written as what says.
func (o *reading) checkStatus(what string) error {
	for _, s := range []extract.Status{extract.Resolved, extract.AbsoluteRef, extract.SameDocument} {
		if o.stats.has(s.String()) {
			return nil
		}
	}
	return usagef("--status %s: these references have no absolute URI %s", o.stats.String(), what)
}
