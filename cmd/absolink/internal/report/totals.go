package report

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"absolink/cmd/absolink/internal/console"
	"absolink/extract"
)

// Totals is the sum of entries. Its parts follow those of an Entry.
type Totals struct {
	Inputs   Tally
	Messages Tally // of mailboxes
	Records  Tally // of web archives
	Found    Found
	Links    Links
	Edits    Edits
	Problems int
	Left     int   // references that are listed only and now lead elsewhere
	Defects  bool  // there is a defect, or an input was lost
	Class    Class // of the reasons of all entries
	Faults   bool  // something other than an input is wrong: the command line, a list, a file that is written

	edited int // messages that are Rewritten only if their mailbox, which follows, is written
}

// Tally counts entries by their outcome.
type Tally struct {
	N  int
	By map[Outcome]int
}

func (t *Tally) add(o Outcome) {
	t.N++
	t.shift(o, 1)
}

func (t *Tally) shift(o Outcome, n int) {
	if t.By == nil {
		t.By = make(map[Outcome]int)
	}
	t.By[o] += n
}

// String says how many entries had each outcome, as ", 2 listed, 1 failed".
func (t *Tally) String() string {
	s := ""
	for _, o := range outcomes {
		if t.By[o] > 0 {
			s += ", " + strconv.Itoa(t.By[o]) + " " + string(o)
		}
	}
	return s
}

// Found says what the inputs were.
type Found struct {
	Read      Counts // kinds of the inputs, and items of containers, that were read for links
	Other     Counts // endings of the names of inputs of no kind that is read
	Backups   Sample
	Templates Sample
}

func (f *Found) add(e *Entry) {
	s := &e.Subject
	if s.Inner == "" && s.Kind == "other" {
		f.Other.add(cmp.Or(filepath.Ext(s.Source), "without an ending"))
	}
	switch e.Result.Outcome() {
	case Listed, Rewritten, Unchanged:
		if e.Items.None() {
			f.Read.add(s.Kind)
		}
	}
	if e.Result.Is(Backup) {
		f.Backups.add(s.Source)
	}
	if e.Result.Is(Template) {
		f.Templates.add(s.Source)
	}
}

// Add adds an entry. The messages of a mailbox come before the mailbox.
func (t *Totals) Add(e *Entry) {
	outcome := e.Result.Outcome()
	switch e.Subject.Inner {
	case Message:
		t.Messages.add(outcome)
		if outcome == Rewritten {
			t.edited++
		}
	case Record:
		t.Records.add(outcome)
	default:
		t.Inputs.add(outcome)
		if e.Items.undone {
			t.Messages.shift(Rewritten, -t.edited)
			t.Messages.shift(outcome, t.edited)
		}
		t.edited = 0
	}
	t.Found.add(e)
	t.Links.Add(&e.Links)
	t.Edits.Add(&e.Edits)
	t.Problems += e.Problems.Len()
	t.Left += len(e.Problems.Left())
	t.Defects = t.Defects || e.Result.Lost() || e.Problems.Defects() > 0
	t.Faults = t.Faults || e.Subject.List
	t.Class |= e.Result.class
}

// Fault counts a defect of something other than an input.
func (t *Totals) Fault() {
	t.Defects = true
	t.Faults = true
}

// String sums up in one line.
func (t *Totals) String() string {
	s := console.Plural(t.Inputs.N, "input", "inputs") + t.Inputs.String()
	if n := t.Messages.N; n > 0 {
		s += "; " + console.Plural(n, "message", "messages") + " in mailboxes" + t.Messages.String()
	}
	if n := t.Records.N; n > 0 {
		s += "; " + console.Plural(n, "record", "records") + " in web archives" + t.Records.String()
	}
	s += "; " + console.Plural(t.Links.ByStatus.Sum(), "reference", "references")
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

// Counts are numbers by name.
type Counts struct {
	N  int // the sum
	of map[string]int
}

func (c *Counts) add(name string) {
	if c.of == nil {
		c.of = make(map[string]int)
	}
	c.of[name]++
	c.N++
}

// String returns the numbers of the five most frequent names, and how many others there are.
func (c *Counts) String() string {
	names := slices.SortedFunc(maps.Keys(c.of), func(a, b string) int {
		return cmp.Or(c.of[b]-c.of[a], strings.Compare(a, b))
	})
	var parts []string
	rest := c.N
	for _, name := range names[:min(5, len(names))] {
		parts = append(parts, strconv.Itoa(c.of[name])+" "+name)
		rest -= c.of[name]
	}
	if rest > 0 {
		parts = append(parts, strconv.Itoa(rest)+" others")
	}
	return strings.Join(parts, ", ")
}

// Sample counts inputs and keeps the names of the first three.
type Sample struct {
	N     int
	first []string
}

func (s *Sample) add(source string) {
	s.N++
	if len(s.first) < 3 {
		s.first = append(s.first, source)
	}
}

// String returns the names, and how many more inputs there are.
func (s *Sample) String() string {
	names := strings.Join(s.first, ", ")
	if s.N > len(s.first) {
		names += fmt.Sprintf(" and %d more; -v names each", s.N-len(s.first))
	}
	return names
}
