package report

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"absolink/cmd/absolink/internal/console"
	"absolink/extract"
)

// Totals is the sum of the entries of a run.
type Totals struct {
	Inputs     Tally
	Messages   Tally // of mailboxes
	Records    Tally // of web archives
	InputKinds InputKinds
	Links      Links
	Edits      Edits
	Problems   int // number of problems

	LeftReferences int   // number of references in Problems.LeftReferences
	Defects        bool  // there was a defect, or an input was lost
	Class          Class // the classes of all entries
	Faults         bool  // there was a defect that belongs to no input: see AddFault

	rewritten int // number of messages with the outcome Rewritten since the last entry of an input
}

// Tally counts entries by outcome.
type Tally struct {
	N         int                // number of entries
	byOutcome [len(outcomes)]int // number of entries for each of outcomes
}

// With returns the number of entries with the outcome o.
func (t *Tally) With(o Outcome) int { return t.byOutcome[slices.Index(outcomes[:], o)] }

// add counts an entry with the outcome o.
func (t *Tally) add(o Outcome) {
	t.N++
	t.change(o, 1)
}

// change adds n to the number of entries with the outcome o. It does nothing for an empty outcome.
func (t *Tally) change(o Outcome, n int) {
	if i := slices.Index(outcomes[:], o); i >= 0 {
		t.byOutcome[i] += n
	}
}

// String returns the number of entries for each outcome, such as ", 2 listed, 1 failed". It begins
// with a comma, because it follows the number of all entries.
func (t *Tally) String() string {
	s := ""
	for i, n := range t.byOutcome {
		if n > 0 {
			s += ", " + strconv.Itoa(n) + " " + string(outcomes[i])
		}
	}
	return s
}

// InputKinds counts inputs and items by their kind.
type InputKinds struct {
	Read      Counts // inputs and items that were searched for links, by kind
	Other     Counts // inputs of an unknown kind, by the ending of their name
	Backups   Sample // inputs of the class Backup
	Templates Sample // inputs of the class Template
}

// add counts the subject of e.
func (k *InputKinds) add(e *Entry) {
	s := &e.Subject
	if s.Inner == "" && s.Kind == "other" {
		k.Other.add(cmp.Or(filepath.Ext(s.Source), "without an ending"))
	}
	switch e.Result.Outcome() {
	case Listed, Rewritten, Unchanged:
		if e.Items.Empty() {
			k.Read.add(s.Kind)
		}
	}
	if e.Result.HasClass(Backup) {
		k.Backups.add(s.Source)
	}
	if e.Result.HasClass(Template) {
		k.Templates.add(s.Source)
	}
}

// Add adds an entry. The entries of the messages of a mailbox must be added before the entry of the
// mailbox.
func (t *Totals) Add(e *Entry) {
	outcome := e.Result.Outcome()
	switch e.Subject.Inner {
	case Message:
		t.Messages.add(outcome)
		if outcome == Rewritten {
			t.rewritten++
		}
	case Record:
		t.Records.add(outcome)
	default:
		t.Inputs.add(outcome)
		if e.Items.unwritten {
			t.Messages.change(Rewritten, -t.rewritten)
			t.Messages.change(outcome, t.rewritten)
		}
		t.rewritten = 0
	}
	t.InputKinds.add(e)
	t.Links.Add(&e.Links)
	t.Edits.Add(&e.Edits)
	t.Problems += e.Problems.Len()
	t.LeftReferences += len(e.Problems.LeftReferences())
	t.Defects = t.Defects || e.Result.Lost() || e.Problems.Defects() > 0
	t.Faults = t.Faults || e.Subject.List // a list has an entry only if it could not be read
	t.Class |= e.Result.class
}

// AddFault records a defect that belongs to no input: of the command line, of a list of inputs, or
// of a file that the run wrote.
func (t *Totals) AddFault() {
	t.Defects = true
	t.Faults = true
}

// String returns a summary in one line.
func (t *Totals) String() string {
	s := console.Plural(t.Inputs.N, "input", "inputs") + t.Inputs.String()
	if n := t.Messages.N; n > 0 {
		s += "; " + console.Plural(n, "message", "messages") + " in mailboxes" + t.Messages.String()
	}
	if n := t.Records.N; n > 0 {
		s += "; " + console.Plural(n, "record", "records") + " in web archives" + t.Records.String()
	}
	s += "; " + console.Plural(t.Links.ByStatus.Sum(), "link", "links")
	for i, n := range t.Links.ByStatus {
		if n > 0 {
			s += ", " + strconv.Itoa(n) + " " + extract.Status(i).String()
		}
	}
	if t.Problems > 0 {
		s += "; " + console.Plural(t.Problems, "problem", "problems")
	}
	return s
}

// Counts counts names.
type Counts struct {
	N     int          // number of calls of add
	names []namedCount // in the order of the names
}

// namedCount is the number of calls of add with a name.
type namedCount struct {
	name string
	n    int
}

// add counts a name.
func (c *Counts) add(name string) {
	c.N++
	i, found := slices.BinarySearchFunc(c.names, name, func(a namedCount, name string) int {
		return strings.Compare(a.name, name)
	})
	if !found {
		c.names = slices.Insert(c.names, i, namedCount{name: name})
	}
	c.names[i].n++
}

// String returns the five most frequent names with their counts, and the sum of the other counts.
func (c *Counts) String() string {
	names := slices.Clone(c.names)
	slices.SortStableFunc(names, func(a, b namedCount) int { return b.n - a.n })
	var parts []string
	rest := c.N
	for _, frequent := range names[:min(5, len(names))] {
		parts = append(parts, strconv.Itoa(frequent.n)+" "+frequent.name)
		rest -= frequent.n
	}
	if rest > 0 {
		parts = append(parts, strconv.Itoa(rest)+" others")
	}
	return strings.Join(parts, ", ")
}

// Sample counts inputs, and stores the names of the first three.
type Sample struct {
	N     int      // number of inputs
	names []string // names of the first three inputs
}

// add counts the input with the name source.
func (s *Sample) add(source string) {
	s.N++
	if len(s.names) < 3 {
		s.names = append(s.names, source)
	}
}

// String returns the stored names, and the number of the other inputs.
func (s *Sample) String() string {
	names := strings.Join(s.names, ", ")
	if s.N > len(s.names) {
		names += fmt.Sprintf(" and %d more; -v names each", s.N-len(s.names))
	}
	return names
}
