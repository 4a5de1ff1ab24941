// Package report keeps account of a run: one entry per input, before that of a
// container one per message or record in it, and the sum of them. Its JSON lines are what
// --report writes.
package report

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"absolink/base"
	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/output"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/unit"
	"absolink/extract"
	"absolink/mime/document"
)

// Outcome is what became of an input.
type Outcome string

// The outcomes.
const (
	Listed    Outcome = "listed"    // its references, or its bases, were printed
	Rewritten Outcome = "rewritten" // it was written with edits; in a dry run: would have been
	Unchanged Outcome = "unchanged" // nothing in it was to be edited
	Copied    Outcome = "copied"    // it is of a kind or size that is not edited
	Skipped   Outcome = "skipped"   // it was left alone, by a rule that Reason names
	Refused   Outcome = "refused"   // writing it would have lost something
	Failed    Outcome = "failed"    // it could not be read or written
	Restored  Outcome = "restored"  // it got its old bytes back
)

// Links are numbers of references by their status.
type Links [int(extract.IdentifierRef) + 1]int

// Kinds are numbers of references by their kind, Layers by what gave their base.
type (
	Kinds  [32]int // by extract.Kind
	Layers [32]int // by base.Source
)

// NoBase counts unresolved references whose base cannot be used, and keeps those around it from
// being used: it is too long, or a piece of a template.
type NoBase struct {
	N   int
	Why string // of the first one
}

// Add adds n references.
func (l *NoBase) Add(n int, why string) {
	l.N += n
	l.Why = cmp.Or(l.Why, why)
}

// Entry is the account of one input, or of one item of a container. That of the
// container itself has no references and no edits: they are its items'. Its zero
// value is an empty one.
type Entry struct {
	Source    string
	Inner     string         // Message or Record for an item of a container, "" for an input
	Item      int            // number of the item in its container, from 1; 0 if it has none that is known
	Message   record.Message // what it is told by; without a report its ID alone
	URI       string         // WARC-Target-URI of a record
	RecordID  string         // of a record without one
	Kind      string
	Messages  int       // of a mailbox
	Unit      unit.Unit // what to read to read it again; its Path is "" if nothing does
	Records   int       // of a web archive: those that hold documents or are damaged
	Bytes     int64
	Outcome   Outcome
	Reason    string // why, for skipped, refused and failed
	Documents int    // pages and HTML parts
	Pages     int    // that a page record stands for, or would
	Links     Links
	Kinds     Kinds
	Layers    Layers
	NoPart    int // references among them to parts of the message that are not there
	NoBase    NoBase
	Unsure    int // references among them that are unresolved since their charset is not known
	NoFile    int // references to files that are not there, or to places that these do not have
	Fragments int // those among them that name a place
	Old       int // places that still name an old address
	Edits     int
	Backup    bool // it is the backup of a file beside it
	Template  bool // only the name, that of a template, says anything of it: it is not read
	DKIM      bool // it has a signature over the message that edits break
	Signed    int  // parts that stay untouched since they are signed or encrypted
	Broken    int  // signed parts that are edited
	Problems  []Problem
	Dropped   int       // problems beyond the first hundred
	Left      []Problem // references that are listed only and lead elsewhere now: they do not count as problems
	BaseHosts []string
	Seconds   float64
	Usage     bool   // the reason is a mistake of the command line
	Missing   bool   // the reason is that a file is not there
	Page      string // URI that it was retrieved from, where records say it

	Unavailable bool       // it could not be opened, or not be read as its unit says: another time it may
	List        bool       // it is about a list of inputs that could not be read
	Last        *unit.Unit // it is about no input: those of this unit were before it
	Cancelled   bool       // the run was interrupted before the input was done
	Whole       bool       // its server does not support ranges: all of it was retrieved
	Void        bool       // a container: the edits of its items came to nothing in the end
	Step        int64      // bytes of the source that are done with it
	Items       []*Entry   // of the items of a container that are accounted for with it

	defects int // problems that are more than minor, those dropped too
	kept    int // problems that are Kept
}

// What the items of containers are called.
const (
	Message = "message"
	Record  = "record"
)

const maxProblems = 100

// Name returns how a user finds what the entry is about: the source, and of an item
// in it number and Message-ID, URI or record id.
func (e *Entry) Name() string {
	if e.Inner == "" {
		return e.Source
	}
	name := e.Source + ": " + e.Inner
	if e.Item > 0 {
		name += " " + strconv.Itoa(e.Item)
	}
	if id := cmp.Or(e.Message.ID, e.URI, e.RecordID); id != "" {
		name += " " + id
	}
	return name
}

// Count counts an item of the container that e is about.
func (e *Entry) Count(inner string) {
	if inner == Record {
		e.Records++
	} else {
		e.Messages++
	}
}

// Add notes a problem. Of one input the first hundred are kept, and those that are Kept.
func (e *Entry) Add(p ...Problem) {
	for i := range p {
		if !p[i].Minor {
			e.defects++
		}
		if p[i].Kept || len(e.Problems)-e.kept < maxProblems {
			e.Problems = append(e.Problems, p[i])
			if p[i].Kept {
				e.kept++
			}
			continue
		}
		e.Dropped++
		if !p[i].Minor {
			e.displaceMinor(p[i])
		}
	}
}

// displaceMinor puts a defect in the place of the last minor problem, if one is kept.
func (e *Entry) displaceMinor(p Problem) {
	for i := len(e.Problems) - 1; i >= 0; i-- {
		if e.Problems[i].Minor && !e.Problems[i].Kept {
			e.Problems = append(slices.Delete(e.Problems, i, i+1), p)
			return
		}
	}
}

// Note adds a problem by which nothing was lost and that has no one place.
func (e *Entry) Note(part, text string) {
	e.Add(Problem{Part: part, Offset: -1, Text: text, Minor: true})
}

// NoteAt adds a problem of the reference at span in d by which nothing was lost.
func (e *Entry) NoteAt(d *document.Document, span extract.Span, text string) {
	p := d.Problem(span, Remark, text)
	p.Minor = true
	e.Found(p)
}

// Unplace takes the offsets out of the problems: what they say does not stand there.
func (e *Entry) Unplace() {
	for i := range e.Problems {
		e.Problems[i].Offset, e.Problems[i].Line = -1, 0
	}
}

// Fail sets the outcome and its reason.
func (e *Entry) Fail(o Outcome, err error) {
	var damaged *coding.Error
	var zipped *input.ZipError
	e.Outcome = o
	e.Reason = err.Error()
	e.Missing = errors.Is(err, fs.ErrNotExist)
	e.Unavailable = o == Failed && !errors.As(err, &damaged) && !errors.As(err, &zipped)
}

// Why says what has failed: the reason, or the first defect.
func (e *Entry) Why() string {
	if _, lost := e.Defects(); lost {
		return e.Reason
	}
	return e.Defect()
}

// Settle turns an error of writing into the outcome: nothing is edited then.
func (e *Entry) Settle(err error) {
	e.Edits = 0
	var refusal *output.Refusal
	if errors.As(err, &refusal) {
		e.Fail(Refused, err)
		return
	}
	e.Fail(Failed, err)
}

// Base notes the host of a base that counted.
func (e *Entry) Base(host string) {
	if host != "" && !slices.Contains(e.BaseHosts, host) && len(e.BaseHosts) < maxProblems {
		e.BaseHosts = append(e.BaseHosts, host)
	}
}

// Defects returns how many problems are more than minor, and whether the input
// was not read or written.
func (e *Entry) Defects() (n int, lost bool) {
	return e.defects, e.Outcome == Failed || e.Outcome == Refused
}

// Defect returns the first problem that is more than minor, "" if there is none.
func (e *Entry) Defect() string {
	for i := range e.Problems {
		if !e.Problems[i].Minor {
			return e.Problems[i].Text
		}
	}
	return ""
}

// AppendJSON appends the entry as one line.
func (e *Entry) AppendJSON(dst []byte) []byte {
	o := record.Object(append(dst, '{'))
	o = o.String("source", e.Source)
	if e.Item > 0 {
		o = o.Int("item", int64(e.Item))
	}
	if e.Inner != "" {
		o = o.String("uri", e.URI).String("record_id", e.RecordID)
	}
	m := &e.Message
	o = o.String("message_id", m.ID).String("subject", m.Subject).String("from", m.From).String("date", m.Date)
	o = o.String("kind", e.Kind).Int("bytes", e.Bytes)
	if e.Messages > 0 {
		o = o.Int("messages", int64(e.Messages))
	}
	if e.Records > 0 {
		o = o.Int("records", int64(e.Records))
	}
	o = o.String("outcome", string(e.Outcome)).String("reason", e.Reason).Int("documents", int64(e.Documents))
	refs := record.Object{'{'}
	for s, n := range e.Links {
		if n > 0 {
			refs = refs.Int(extract.Status(s).String(), int64(n))
		}
	}
	o = o.Raw("references", append(refs, '}'))
	if kinds := e.kinds(); len(kinds) > 1 {
		o = o.Raw("kinds", append(kinds, '}')).Raw("layers", append(e.layers(), '}'))
	}
	o = o.Int("edits", int64(e.Edits)).Int("signed", int64(e.Signed))
	if e.Broken > 0 {
		o = o.Int("broken", int64(e.Broken))
	}
	if e.DKIM {
		o = o.Raw("dkim", []byte("true"))
	}
	o = o.Raw("problems", e.problems()).Strings("base_hosts", e.BaseHosts)
	o = o.Raw("seconds", strconv.AppendFloat(nil, e.Seconds, 'f', 6, 64))
	return append(o, "}\n"...)
}

// kinds returns the numbers by kind, an object without its end.
func (e *Entry) kinds() record.Object {
	o := record.Object{'{'}
	for kind, n := range e.Kinds {
		if n > 0 {
			o = o.Int(extract.Kind(kind).String(), int64(n))
		}
	}
	return o
}

// layers returns the numbers by layer, an object without its end.
func (e *Entry) layers() record.Object {
	sum := make(map[string]int)
	for source, n := range e.Layers {
		if n > 0 {
			sum[base.Source(source).Layer()] += n
		}
	}
	o := record.Object{'{'}
	for _, name := range slices.Sorted(maps.Keys(sum)) {
		o = o.Int(name, int64(sum[name]))
	}
	return o
}

func (e *Entry) problems() []byte {
	list := []byte{'['}
	for i, p := range slices.Concat(e.Problems, e.Left) {
		if i > 0 {
			list = append(list, ',')
		}
		o := record.Object(append(list, '{')).String("part", p.Part)
		if p.Offset >= 0 {
			o = o.Int("offset", p.Offset)
		}
		if p.Line > 0 {
			o = o.Int("line", p.Line).Int("column", p.Column)
		}
		list = append(o.String("text", p.Text), '}')
	}
	return append(list, ']')
}

// Totals is the sum of entries.
type Totals struct {
	Inputs    int
	Outcomes  map[Outcome]int // of inputs
	Messages  int             // of mailboxes
	OfItems   map[Outcome]int // what became of these messages
	Records   int             // of web archives
	OfRecords map[Outcome]int // what became of these records
	Links     Links
	NoFile    int
	Old       int
	Left      int
	Edits     int
	DKIM      int
	Signed    int
	Broken    int
	Backups   Sample
	Templates Sample
	Others    int    // inputs that are of no kind that is read
	Endings   Counts // of their names
	Read      Counts // kinds of what was read for links: inputs, and items of containers
	Problems  int
	Defects   bool // any problem that is more than minor, or lost input
	Faults    bool // of the command line, or of writing beside the results: they are no input's

	Unavailable bool // an input was
	Usage       bool

	edited int // messages that count as rewritten if their mailbox, which follows, does
}

// Add adds one entry. The messages of a mailbox come before it.
func (t *Totals) Add(e *Entry) {
	if t.Outcomes == nil {
		t.Outcomes = make(map[Outcome]int)
		t.OfItems = make(map[Outcome]int)
		t.OfRecords = make(map[Outcome]int)
	}
	switch e.Inner {
	case Message:
		t.Messages++
		t.OfItems[e.Outcome]++
		if e.Outcome == Rewritten {
			t.edited++
		}
	case Record:
		t.Records++
		t.OfRecords[e.Outcome]++
	default:
		t.Inputs++
		if e.Kind == "other" {
			t.Others++
			t.Endings.add(cmp.Or(filepath.Ext(e.Source), "without an ending"))
		}
		t.Outcomes[e.Outcome]++
		if e.Void {
			t.OfItems[Rewritten] -= t.edited
			t.OfItems[e.Outcome] += t.edited
		}
		t.edited = 0
	}
	switch e.Outcome {
	case Listed, Rewritten, Unchanged:
		if e.Messages == 0 && e.Records == 0 {
			t.Read.add(e.Kind)
		}
	}
	for i, n := range e.Links {
		t.Links[i] += n
	}
	t.Edits += e.Edits
	t.NoFile += e.NoFile
	t.Old += e.Old
	t.Left += len(e.Left)
	t.Signed += e.Signed
	t.Broken += e.Broken
	if e.DKIM {
		t.DKIM++
	}
	if e.Backup {
		t.Backups.add(e.Source)
	}
	if e.Template {
		t.Templates.add(e.Source)
	}
	defects, lost := e.Defects()
	t.Problems += len(e.Problems) + e.Dropped
	t.Defects = t.Defects || lost || defects > 0
	t.Faults = t.Faults || e.List
	t.Unavailable = t.Unavailable || e.Unavailable
	t.Usage = t.Usage || e.Usage
}

// Counts says how many there are of each name.
type Counts struct {
	N  int
	of map[string]int
}

func (c *Counts) add(name string) {
	if c.of == nil {
		c.of = make(map[string]int)
	}
	c.of[name]++
	c.N++
}

// String says how many there are of the five names that are most frequent.
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

// Sample is some inputs, of which the first three are named.
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

// String names them.
func (s *Sample) String() string {
	names := strings.Join(s.first, ", ")
	if s.N > len(s.first) {
		names += fmt.Sprintf(" and %d more; -v names each", s.N-len(s.first))
	}
	return names
}

// outcomes writes how often there was each outcome.
func outcomes(n map[Outcome]int) (s string) {
	for _, o := range []Outcome{Listed, Rewritten, Unchanged, Copied, Skipped, Refused, Failed, Restored} {
		if n[o] > 0 {
			s += ", " + strconv.Itoa(n[o]) + " " + string(o)
		}
	}
	return s
}

// String sums up in one line.
func (t *Totals) String() string {
	s := console.Plural(t.Inputs, "input", "inputs") + outcomes(t.Outcomes)
	if t.Messages > 0 {
		s += "; " + console.Plural(t.Messages, "message", "messages") + " in mailboxes" + outcomes(t.OfItems)
	}
	if t.Records > 0 {
		s += "; " + console.Plural(t.Records, "record", "records") + " in web archives" + outcomes(t.OfRecords)
	}
	all, parts := 0, ""
	for i, n := range t.Links {
		all += n
		if n > 0 {
			parts += ", " + strconv.Itoa(n) + " " + extract.Status(i).String()
		}
	}
	s += "; " + console.Plural(all, "reference", "references") + parts
	if t.Problems > 0 {
		s += "; " + console.Plural(t.Problems, "problem", "problems")
	}
	return s
}
