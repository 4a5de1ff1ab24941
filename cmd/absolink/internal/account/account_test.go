package account_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/account"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/source"
	"absolink/cmd/absolink/internal/unit"
	"absolink/extract"
	"absolink/testdata/effort"
)

// book is an account with the outputs that it writes.
type book struct {
	*account.Account
	inputs *source.Set
	out    bytes.Buffer // standard output, and the stream
	err    bytes.Buffer
}

// open returns an open account of inputs.
func open(t *testing.T, o account.Options, inputs *source.Set) *book {
	t.Helper()
	b := &book{inputs: inputs}
	a, err := account.New(&o, inputs, strings.NewReader(""), &b.out, &b.err)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Open(); err != nil {
		t.Fatal(err)
	}
	b.Account = a
	return b
}

func (b *book) tell(e *report.Entry) { b.Report(e, &b.out) }

// entry returns the entry of an input with an outcome.
func entry(name string, o report.Outcome) *report.Entry {
	e := &report.Entry{Subject: report.Subject{Source: name, Unit: unit.Unit{Path: name}}}
	e.Result.SetOutcome(o)
	return e
}

// failed returns the entry of a failed input.
func failed(name string) *report.Entry {
	e := entry(name, "")
	e.Result.Fail(errors.New("why"))
	return e
}

// defective returns the entry of a message that has a defect in line 3.
func defective() *report.Entry {
	e := entry("box", report.Listed)
	e.Subject.Inner, e.Subject.Item, e.Subject.Message.ID = report.Message, 2, "<m>"
	e.Subject.Unit = unit.Unit{Path: "box", Ranged: true, Offset: 7, Length: 9}
	e.Problems.Add(report.Problem{Part: "1", Offset: 40, Line: 3, Column: 5, Text: "broken"},
		report.Problem{Part: "2", Offset: 50, Text: "lost"}, report.Problem{Offset: -1, Text: "odd", Minor: true})
	return e
}

// The lines on standard error depend on -q and -v.
func TestMessages(t *testing.T) {
	skipped := entry("s", report.Listed)
	skipped.Result.Skip("a rule")
	copied := entry("c", report.Listed)
	copied.Result.Skip("no kind")
	copied.Result.SetOutcome(report.Copied)
	whole := entry("w", report.Listed)
	whole.Subject.Whole = true
	many := entry("m", report.Listed)
	for range 103 {
		many.Problems.Note("", "x")
	}
	refused := entry("r", report.Listed)
	refused.Result.Refuse(errors.New("loses something"))
	const loud = "absolink: f: why\nabsolink: r: loses something\n"
	const all = "box:3:5: message 2 <m>: part 1: broken\nabsolink: box: message 2 <m>: part 2: offset 50: lost\n" +
		"absolink: box: message 2 <m>: odd\nabsolink: w: the server ignores ranges: the whole file is " +
		"retrieved for each unit\n"
	tests := []struct {
		name string
		o    account.Messages
		want string
	}{
		{"quiet", account.Messages{Quiet: true}, loud},
		{"normal", account.Messages{},
			loud + all + strings.Repeat("absolink: m: x\n", 100) + "absolink: m: 3 more problems\n"},
		{"verbose", account.Messages{Verbose: true},
			loud + "absolink: s: skipped: a rule\nabsolink: c: copied: no kind\n" +
				all + strings.Repeat("absolink: m: x\n", 100) + "absolink: m: 3 more problems\n"},
	}
	for _, tt := range tests {
		b := open(t, account.Options{Messages: tt.o}, new(source.Set))
		for _, e := range []*report.Entry{failed("f"), refused, skipped, copied, defective(), whole, whole, many} {
			b.tell(e)
		}
		if got := b.err.String(); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

// Problems that a flag asks for are printed even with --quiet.
func TestAskedProblems(t *testing.T) {
	for quiet, want := range map[bool]string{true: "a:1:2: asked\n", false: "absolink: a: other\na:1:2: asked\n"} {
		b := open(t, account.Options{Messages: account.Messages{Quiet: quiet}}, new(source.Set))
		e := entry("a", report.Listed)
		e.Problems.Add(report.Problem{Offset: -1, Text: "other", Minor: true})
		e.Problems.Add(report.Problem{Offset: -1, Line: 1, Column: 2, Text: "asked", Minor: true, Asked: true})
		b.tell(e)
		if got := b.err.String(); got != want {
			t.Errorf("quiet %v: got %q, want %q", quiet, got, want)
		}
	}
}

// Ten problems that many files share are named. The summary says how many more there are.
func TestCommonProblems(t *testing.T) {
	for verbose, want := range map[bool]int{false: 10, true: 13} {
		b := open(t, account.Options{Messages: account.Messages{Verbose: verbose}}, new(source.Set))
		for range 13 {
			e := entry("a", report.Listed)
			e.Problems.Add(report.Problem{Offset: -1, Text: "is misnamed", Minor: true, Common: true})
			b.tell(e)
		}
		b.PrintHints(nil)
		if n := strings.Count(b.err.String(), "is misnamed"); n != want {
			t.Errorf("verbose %v: %d of 13 are named, want %d", verbose, n, want)
		}
		more := strings.Contains(b.err.String(),
			"absolink: 3 more files have content that does not fit the name; -v names each\n")
		if more == verbose {
			t.Errorf("verbose %v: got %s", verbose, &b.err)
		}
	}
}

// --report has a line for each entry, the items of a small container first.
func TestReport(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("r", []byte(`{"source":"an earlier report that is longer than the new one"}`),
		0o666); err != nil {
		t.Fatal(err)
	}
	var told []string
	o := account.Options{Files: account.Files{Report: "r"}, Messages: account.Messages{Quiet: true},
		OnReport: func(e *report.Entry) { told = append(told, e.Subject.Name()) }}
	b := open(t, o, new(source.Set))
	box := entry("box", report.Listed)
	box.Items.Unreported = []*report.Entry{defective()}
	interrupted := failed("later")
	interrupted.Result.AddClass(report.Cancelled)
	interrupted.Items.Unreported = []*report.Entry{defective()}
	b.tell(box)
	b.tell(interrupted)
	if err := b.Close(nil); err != nil {
		t.Fatal(err)
	}
	got, _ := os.ReadFile("r")
	if want := string(box.Items.Unreported[0].AppendJSON(nil)) + string(box.AppendJSON(nil)); string(got) != want {
		t.Errorf("the report is\n%s\nwant\n%s", got, want)
	}
	if s := strings.Join(told, ", "); s != "box: message 2 <m>, box" ||
		b.Totals.Inputs.N != 1 || b.Totals.Messages.N != 1 {
		t.Errorf("Told: got %s and %s, want the message, then the mailbox, and not what was cancelled", s, &b.Totals)
	}
}

func TestReportOnStandardOutput(t *testing.T) {
	b := open(t, account.Options{Files: account.Files{Report: "-"}}, new(source.Set))
	b.tell(entry("a", report.Rewritten))
	if got, want := b.out.String(), string(entry("a", report.Rewritten).AppendJSON(nil)); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Dead letters are the units of failed inputs. A unit with several failed items is written once.
func TestDeadLetters(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("d", []byte("before\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	o := account.Options{Files: account.Files{DeadLetter: "d"}, Messages: account.Messages{Quiet: true}}
	b := open(t, o, new(source.Set))
	box := entry("box", report.Listed) // its items have the defects
	box.Items.Count(report.Message)
	box.Problems.Add(report.Problem{Text: "x"})
	unitless := failed("u")
	unitless.Subject.Unit = unit.Unit{}
	bad := failed("bad")
	bad.Subject.Unit = unit.Unit{Text: "bad\t1"}
	good := failed("good")
	good.Subject.Unit = unit.Unit{Text: "good"} // as a unit this line would read a file named good
	for _, e := range []*report.Entry{entry("fine", report.Listed), failed("f"), defective(), defective(),
		box, unitless, bad, good} {
		b.tell(e)
	}
	if err := b.Close(nil); err != nil {
		t.Fatal(err)
	}
	got, _ := os.ReadFile("d")
	if want := "before\nf\nbox\t7\t9\nbad\t1\n"; string(got) != want {
		t.Errorf("the dead letters are %q, want %q", got, want)
	}
	if lost := b.Status(false); lost != account.Faulty {
		t.Errorf("Status: got %d, want %d", lost, account.Faulty)
	}
}

// A stream has a record of each failed input and of each finished unit.
func TestStream(t *testing.T) {
	inputs := &source.Set{Units: "units"}
	o := account.Options{Messages: account.Messages{Quiet: true},
		Stream: account.Stream{On: true}, ResultsOnStdout: true}
	b := open(t, o, inputs)
	page := entry("a", report.Listed)
	page.Links.Pages = 2
	page.Links.Count(&extract.Link{})
	page.Links.Count(&extract.Link{})
	page.Links.Count(&extract.Link{})
	b.tell(page)
	b.tell(defective())
	b.tell(&report.Entry{UnitEnd: &unit.Unit{Text: "u1"}})
	b.tell(failed("f"))
	b.tell(&report.Entry{UnitEnd: &unit.Unit{Text: "u2"}})
	const want = `{"record":"dead","source":"box","item":2,"message_id":"<m>","record_offset":7,` +
		`"unit":"box\t7\t9","error":"broken"}
{"record":"unit","unit":"u1","status":"done","page_count":2,"link_count":3,"dead_count":1}
{"record":"dead","source":"f","unit":"f","error":"why"}
{"record":"unit","unit":"u2","status":"failed","error":"why","page_count":0,"link_count":0,"dead_count":1}
`
	if got := b.out.String(); got != want {
		t.Errorf("the stream is\n%s\nwant\n%s", got, want)
	}
	if got := b.Status(false); got != account.Unread {
		t.Errorf("Status: got %d, want %d", got, account.Unread)
	}
}

// A stream of edges sums up the links of the pages of a unit. Each unit has its own sums, in the
// order of the names. A host may end with a dot. A page without a host does not count.
func TestStreamOfEdges(t *testing.T) {
	o := account.Options{Messages: account.Messages{Quiet: true},
		Stream: account.Stream{On: true, Edges: true}, ResultsOnStdout: true}
	b := open(t, o, &source.Set{Units: "units"})
	pages := entry("a", report.Listed)
	pages.Links.Edges = []report.Edges{
		{Host: "www.a.test", Domain: "a.test",
			Hosts:   []record.Count{{Name: "b.test.", N: 2}, {Name: "127.0.0.1", N: 1}, {Name: "b.test", N: 3}},
			Domains: []record.Count{{Name: "b.test", N: 5}, {Name: "a.test", N: 1}}},
		{Host: "[::1]", Hosts: []record.Count{{Name: "[::1]", N: 1}}, Domains: []record.Count{{Name: "b.test", N: 1}}},
		{Hosts: []record.Count{{Name: "c.test", N: 1}}},
		{Host: "www.a.test", Domain: "a.test", Hosts: []record.Count{{Name: "b.test", N: 1}}},
	}
	b.tell(pages)
	b.tell(&report.Entry{UnitEnd: &unit.Unit{Text: "u1"}})
	page := entry("b", report.Listed)
	page.Links.Edges = []report.Edges{{Host: "b.test", Domain: "b.test"}}
	b.tell(page)
	b.tell(&report.Entry{UnitEnd: &unit.Unit{Text: "u2"}})
	const want = `{"record":"domain","referrer":"test.a","target":"test.a","page_count":1,"link_count":1}
{"record":"domain","referrer":"test.a","target":"test.b","page_count":1,"link_count":5}
{"record":"host","referrer":"[::1]","target":"[::1]","page_count":1,"link_count":1}
{"record":"host","referrer":"test.a.www","target":"127.0.0.1","page_count":1,"link_count":1}
{"record":"host","referrer":"test.a.www","target":"test.a.www","page_count":0,"link_count":0}
{"record":"host","referrer":"test.a.www","target":"test.b","page_count":2,"link_count":6}
{"record":"unit","unit":"u1","status":"done","page_count":0,"link_count":0,"dead_count":0,"edge_count":6}
{"record":"domain","referrer":"test.b","target":"test.b","page_count":0,"link_count":0}
{"record":"host","referrer":"test.b","target":"test.b","page_count":0,"link_count":0}
{"record":"unit","unit":"u2","status":"done","page_count":0,"link_count":0,"dead_count":0,"edge_count":2}
`
	if got := b.out.String(); got != want {
		t.Errorf("the stream is\n%s\nwant\n%s", got, want)
	}
}

// If a unit has very many edges, some are written before the unit ends, so memory stays bounded.
func TestManyEdges(t *testing.T) {
	o := account.Options{Messages: account.Messages{Quiet: true},
		Stream: account.Stream{On: true, Edges: true}, ResultsOnStdout: true}
	b := open(t, o, &source.Set{Units: "units"})
	pages := effort.Pick(70_000, 1000)
	var targets []record.Count
	for i := range effort.Pick(1, 100) {
		targets = append(targets, record.Count{Name: fmt.Sprintf("b%d.test", i), N: 1})
	}
	want := pages * (len(targets) + 1) // beyond maxEdges; a page makes an edge to its own host, too
	for i := range pages {
		page := entry("a", report.Listed)
		page.Links.Edges = []report.Edges{{Host: fmt.Sprintf("a%d.test", i), Hosts: targets}}
		b.tell(page)
		if i == pages-2 && b.out.Len() == 0 {
			t.Error("no edge was written before the end")
		}
	}
	b.tell(&report.Entry{UnitEnd: &unit.Unit{Text: "u"}})
	got := b.out.String()
	count := fmt.Sprintf(`"edge_count":%d`, want)
	if n := strings.Count(got, `"record":"host"`); n != want || !strings.Contains(got, count) {
		t.Errorf("got %d edges and the end %s, want %d", n, got[len(got)-100:], want)
	}
}

// The trailer of a unit has the first reason why an input was not read to its end. Other reasons do
// not make the unit fail.
func TestStreamOfSkipped(t *testing.T) {
	skipped := entry("s", report.Listed)
	skipped.Result.Skip("a rule")
	lost := func(why string) *report.Entry {
		e := entry("f", "")
		e.Result.Fail(errors.New(why))
		return e
	}
	for want, entries := range map[string][]*report.Entry{
		`"status":"done","page_count"`:                     {skipped},
		`"status":"failed","error":"first","page_count"`:   {skipped, lost("first"), lost("second"), skipped},
		`"status":"failed","error":"another","page_count"`: {lost("another")},
	} {
		o := account.Options{Messages: account.Messages{Quiet: true}, Stream: account.Stream{On: true},
			ResultsOnStdout: true}
		b := open(t, o, &source.Set{Units: "units"})
		for _, e := range entries {
			b.tell(e)
		}
		b.tell(&report.Entry{UnitEnd: &unit.Unit{Text: "u"}})
		if got := b.out.String(); !strings.Contains(got, want) {
			t.Errorf("the stream is %s, want %s in it", got, want)
		}
	}
}

// A stream of columns has a record of each failed input, too.
func TestStreamOfColumns(t *testing.T) {
	layout, err := record.NewLayout(record.CSV, []string{"record", "source", "error"}, record.With{Categories: true})
	if err != nil {
		t.Fatal(err)
	}
	o := account.Options{Messages: account.Messages{Quiet: true},
		Stream: account.Stream{On: true, Columns: layout}, ResultsOnStdout: true}
	b := open(t, o, &source.Set{Units: "units"})
	b.tell(failed("f"))
	if got, want := b.out.String(), "dead,f,why\n"; got != want {
		t.Errorf("the stream is %q, want %q", got, want)
	}
}

// In columns, an edge has its names and numbers, and a trailer the numbers of its unit.
func TestEdgesInColumns(t *testing.T) {
	layout, err := record.NewLayout(record.Arrow, nil, record.With{Units: true, Edges: true, Categories: true})
	if err != nil {
		t.Fatal(err)
	}
	o := account.Options{Messages: account.Messages{Quiet: true},
		Stream: account.Stream{On: true, Edges: true, Columns: layout}, ResultsOnStdout: true}
	b := open(t, o, &source.Set{Units: "units"})
	page := entry("a", report.Listed)
	page.Links.Pages = 2
	page.Links.Count(&extract.Link{})
	page.Links.Edges = []report.Edges{
		{Host: "a.test", Hosts: []record.Count{{Name: "b.test", N: 3}}, Domain: "a.test"},
		{Host: "a.test", Hosts: []record.Count{{Name: "b.test", N: 4}}},
	}
	b.tell(page)
	b.tell(&report.Entry{UnitEnd: &unit.Unit{Text: "u1"}})
	b.tell(failed("f"))
	b.tell(&report.Entry{UnitEnd: &unit.Unit{Text: "u2"}})
	var want []byte
	for _, r := range []record.Record{
		{Category: record.DomainEdge, Edge: record.Edge{Referrer: "test.a", Target: "test.a"}},
		{Category: record.HostEdge, Edge: record.Edge{Referrer: "test.a", Target: "test.a"}},
		{Category: record.HostEdge, Edge: record.Edge{Referrer: "test.a", Target: "test.b"},
			Sums: record.Sums{Pages: 2, Links: 7}},
		{Category: record.Unit, Unit: "u1", Status: "done", Sums: record.Sums{Pages: 2, Links: 1, Edges: 3}},
		{Category: record.Dead, Document: record.Document{Source: "f"}, Unit: "f", Error: "why"},
		{Category: record.Unit, Unit: "u2", Status: "failed", Error: "why", Sums: record.Sums{Dead: 1}},
	} {
		want = layout.Append(want, &r)
	}
	if got := b.out.Bytes(); !bytes.Equal(got, want) {
		t.Errorf("the stream is\n%q\nwant\n%q", got, want)
	}
}

// A report replaces an earlier report as a whole.
func TestReportReplaces(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, entries := range [][]*report.Entry{{failed("x"), failed("y")}, {entry("z", report.Listed)}, nil} {
		b := open(t, account.Options{Files: account.Files{Report: "r"}}, new(source.Set))
		want := ""
		for _, e := range entries {
			want += string(e.AppendJSON(nil))
			b.tell(e)
		}
		if err := b.Close(nil); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile("r"); err != nil || string(got) != want {
			t.Errorf("the report is %q, %v, want %q", got, err, want)
		}
	}
}

// With --report - the stream has the report, too. No file is written.
func TestReportInStream(t *testing.T) {
	t.Chdir(t.TempDir())
	o := account.Options{Files: account.Files{Report: "-", DeadLetter: "-"},
		Stream: account.Stream{On: true}, ResultsOnStdout: true}
	b := open(t, o, &source.Set{Units: "units"})
	b.tell(entry("a", report.Listed))
	const want = `{"record":"report","source":"a","bytes":0,"outcome":"listed","documents":0,"references":{},"edits":0,` +
		`"signed":0,"problems":[],"seconds":0.000000}` + "\n"
	if got := b.out.String(); got != want {
		t.Errorf("the stream is %s, want %s", got, want)
	}
	if files, err := os.ReadDir("."); err != nil || len(files) > 0 {
		t.Errorf("the directory has %v, %v, want nothing", files, err)
	}
}

// broken is a writer that fails.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestStreamFails(t *testing.T) {
	b := open(t, account.Options{Stream: account.Stream{On: true}, ResultsOnStdout: true}, &source.Set{Units: "units"})
	b.Report(&report.Entry{UnitEnd: &unit.Unit{Text: "u1"}}, broken{})
	if err := b.Close(nil); err != io.ErrClosedPipe {
		t.Errorf("Close: got %v, want the error of writing", err)
	}
	if err := b.Close(io.EOF); err != io.EOF {
		t.Errorf("Close(%v): got %v, want that", io.EOF, err)
	}
}

// Status distinguishes faults of the command line, the inputs and the links.
func TestStatus(t *testing.T) {
	misused := failed("x")
	misused.Result.AddClass(report.Usage)
	list := failed("x")
	list.Subject.List = true
	damaged := entry("x", "")
	damaged.Result.FailForGood(errors.New("x"))
	unresolved, dead, old := entry("x", report.Listed), entry("x", report.Listed), entry("x", report.Rewritten)
	unresolved.Links.Count(&extract.Link{Status: extract.Unresolved})
	dead.Links.MissingTargets = 1
	old.Edits.Old = 1
	tests := []struct {
		name                     string
		e                        *report.Entry
		files, units, strictness account.Status
	}{
		{"nothing", entry("x", report.Listed), account.Done, account.Done, account.Done},
		{"misused", misused, account.Misused, account.Misused, account.Misused},
		{"unavailable", failed("x"), account.Faulty, account.Unread, account.Faulty},
		{"damaged", damaged, account.Faulty, account.Done, account.Faulty},
		{"a list", list, account.Faulty, account.Unread, account.Faulty},
		{"a defect", defective(), account.Faulty, account.Done, account.Faulty},
		{"unresolved", unresolved, account.Done, account.Done, account.Strict},
		{"dead", dead, account.Done, account.Done, account.Strict},
		{"old", old, account.Done, account.Done, account.Strict},
	}
	for _, tt := range tests {
		files := open(t, account.Options{Messages: account.Messages{Quiet: true}}, new(source.Set))
		units := open(t, account.Options{Messages: account.Messages{Quiet: true}}, &source.Set{Units: "units"})
		files.tell(tt.e)
		units.tell(tt.e)
		if a, b, c := files.Status(false), units.Status(false), files.Status(true); a != tt.files || b != tt.units ||
			c != tt.strictness {
			t.Errorf("%s: got %d, with units %d and strict %d, want %d, %d and %d",
				tt.name, a, b, c, tt.files, tt.units, tt.strictness)
		}
	}
}

func TestDoubt(t *testing.T) {
	for quiet, want := range map[bool]string{false: "absolink: --x: one\nabsolink: --x: two\n", true: ""} {
		b := open(t, account.Options{Messages: account.Messages{Quiet: quiet}}, &source.Set{Units: "units"})
		b.Doubt("--x", []string{"one", "two"})
		if b.err.String() != want || b.Totals.Problems != 2 || b.Status(false) != account.Faulty {
			t.Errorf("Doubt, quiet %v: got %q, %d problems and status %d, want %q, 2 and %d",
				quiet, &b.err, b.Totals.Problems, b.Status(false), want, account.Faulty)
		}
	}
}

// A run is summed up with -v, or if its command sums up, but not after an interrupt.
func TestClose(t *testing.T) {
	const sum = "absolink: 1 input, 1 listed; 0 links\n"
	tests := []struct {
		name string
		o    account.Options
		err  error
		want string
	}{
		{"listing", account.Options{}, nil, ""},
		{"verbose", account.Options{Messages: account.Messages{Verbose: true}}, nil, sum},
		{"writing", account.Options{Messages: account.Messages{Summary: true}}, nil, sum},
		{"writing quietly", account.Options{Messages: account.Messages{Summary: true, Quiet: true}}, nil, ""},
		{"mail without mailboxes", account.Options{Messages: account.Messages{MailSummary: true}}, nil, ""},
		{"interrupted", account.Options{Messages: account.Messages{Summary: true}}, context.Canceled,
			"absolink: interrupted: 1 input was done; no file is half written\n"},
		{"interrupted listing", account.Options{ResultsOnStdout: true}, context.Canceled,
			"absolink: interrupted: 1 input was done; standard output has the first results only\n"},
	}
	for _, tt := range tests {
		b := open(t, tt.o, new(source.Set))
		b.tell(entry("a", report.Listed))
		if err := b.Close(tt.err); err != tt.err || b.err.String() != tt.want {
			t.Errorf("Close when %s: got error %v and %q, want %v and %q", tt.name, err, &b.err, tt.err, tt.want)
		}
	}
	b := open(t, account.Options{Messages: account.Messages{MailSummary: true}}, new(source.Set))
	b.tell(defective())
	b.err.Reset()
	if b.Close(nil) != nil ||
		!strings.HasPrefix(b.err.String(), "absolink: 0 inputs; 1 message in mailboxes") {
		t.Errorf("Close after a mailbox: got %q, want a sum", &b.err)
	}
}

func TestPrintHints(t *testing.T) {
	template := entry("t.inc", "")
	template.Subject.Kind = "other"
	template.Result.Skip("x")
	template.Result.AddClass(report.Template)
	page := entry("a", report.Listed)
	page.Subject.Kind = "html"
	linked := entry("b", report.Listed)
	linked.Links.Count(&extract.Link{})
	more := func(flags ...string) account.Options {
		return account.Options{Messages: account.Messages{HelpfulFlags: func() []string { return flags }}}
	}
	const none = "absolink: no link in 1 document or message (1 html)"
	copies := account.Options{Messages: account.Messages{WritesCopies: true}}
	const reads = ", because neither name nor content tells the type: t.inc; --type html with --include reads such " +
		"files\n"
	const templates = "absolink: 1 template was "
	tests := []struct {
		name    string
		o       account.Options
		e       *report.Entry
		choices []string
		want    string
	}{
		{"a choice", account.Options{}, page, []string{"--x is never met"}, "absolink: --x is never met\n"},
		{"no reference", more(), page, nil, none + "\n"},
		{"one flag", more("--lazy"), page, nil, none + "; --lazy looks in more places\n"},
		{"three flags", more("--a", "--b", "--c"), page, nil, none + "; --a, --b and --c look in more places\n"},
		{"no reference by a choice", more("--a"), page, []string{"x"}, "absolink: x\n"},
		{"a reference", more("--a"), linked, nil, ""},
		{"a template", account.Options{}, template, nil, templates + "left out" + reads},
		{"a copied template", copies, template, nil, templates + "copied as written" + reads},
	}
	for _, tt := range tests {
		b := open(t, tt.o, new(source.Set))
		b.tell(tt.e)
		b.PrintHints(tt.choices)
		if got := b.err.String(); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
	for name, inputs := range map[string]*source.Set{"units": {Units: "u"}, "a shard": {Shard: unit.Shard{N: 2}}} {
		b := open(t, account.Options{}, inputs)
		b.PrintHints([]string{"x"})
		if b.err.Len() > 0 {
			t.Errorf("with %s: got %q, want nothing", name, &b.err)
		}
	}
}

// If the directories of a run hold only files of other kinds, a hint names --type.
func TestHintOfOtherFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := errors.Join(os.Mkdir("d", 0o777), os.WriteFile("f", nil, 0o666)); err != nil {
		t.Fatal(err)
	}
	other := func(name string) *report.Entry {
		e := entry(name, report.Listed)
		e.Subject.Kind = "other"
		e.Result.Skip("no kind")
		return e
	}
	const hint = "absolink: no document, message, mailbox or archive among "
	const advice = "; -v names them, --type T reads them as T\n"
	page := entry("d/p.html", report.Listed)
	for _, tt := range []struct {
		args    []string
		entries []*report.Entry
		want    string // empty without a hint
	}{
		{[]string{"d"}, nil, ""},
		{[]string{"d"}, []*report.Entry{other("d/a.x")}, hint + "1 file (1 .x)" + advice},
		{[]string{"f", "d"}, []*report.Entry{other("f"), other("d/a.x")},
			hint + "2 files (1 .x, 1 without an ending)" + advice},
		{[]string{"d"}, []*report.Entry{other("d/a.x"), page}, ""},
		{[]string{"f"}, []*report.Entry{other("f")}, ""},
	} {
		inputs := new(source.Set)
		if err := inputs.SetArgs(tt.args); err != nil {
			t.Fatal(err)
		}
		b := open(t, account.Options{}, inputs)
		for _, e := range tt.entries {
			b.tell(e)
		}
		b.err.Reset()
		b.PrintHints(nil)
		const empty = "absolink: d is empty: give a directory with files, or a file\n"
		if got := strings.TrimPrefix(b.err.String(), empty); got != tt.want {
			t.Errorf("%q with %d files: got %q, want %q", tt.args, len(tt.entries), got, tt.want)
		}
	}
}

// A report and dead letters may go to a device. If the device is full, the user learns it.
func TestDevices(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("/dev/full is missing: only Linux and NetBSD have a device that is always full")
	}
	for _, tt := range []struct {
		o    account.Files
		want string
	}{
		{account.Files{Report: "/dev/null"}, ""}, {account.Files{DeadLetter: "/dev/null"}, ""},
		{account.Files{DeadLetter: "/dev/full"}, "absolink: --dead-letter: write /dev/full: no space left on device\n"},
		{account.Files{Report: "/dev/full"}, "absolink: --report: write /dev/full: no space left on device\n"},
	} {
		b := open(t, account.Options{Files: tt.o, Messages: account.Messages{Quiet: true}}, new(source.Set))
		b.tell(failed("f"))
		const lost = "absolink: f: why\n"
		if got := b.err.String(); got != lost+tt.want {
			t.Errorf("%+v: got %q, want %q", tt.o, got, lost+tt.want)
		}
		b.tell(failed("f")) // nothing more is written to a report
		if err := b.Close(nil); err != nil {
			t.Errorf("%+v: Close: got %v", tt.o, err)
		}
		if got, want := b.err.String(), lost+tt.want+lost; got != want {
			t.Errorf("%+v: after another entry got %q, want %q", tt.o, got, want)
		}
	}
}

func TestNoteUnresolved(t *testing.T) {
	one, two := new(source.Set), new(source.Set)
	if err := errors.Join(one.SetArgs([]string{"a"}), two.SetArgs([]string{"a", "b"})); err != nil {
		t.Fatal(err)
	}
	links := report.Unresolved{MissingParts: 1,
		UnusableBases: report.UnusableBases{N: 2, Reason: "too long",
			First: &report.Unlinked{Item: "message 4", Part: "2", Offset: 70, Line: 7, Column: 9, Value: "a b"}},
		WithoutBase: 1, First: &report.Unlinked{Part: "1", Value: "/x"}, Suspect: 3, Wrapped: 2}
	tests := []struct {
		inputs      *source.Set
		byClient    bool
		kind, flags string
	}{
		{one, false, "html", "the address of the page is unknown. Add --base https://…"},
		{one, false, "css", "the address of the file is unknown. Add --base https://…"},
		{one, false, "message", "the message names no base. Add --default-base https://…"},
		{one, true, "html",
			`the address of the page is unknown. Give "url" in the frame, or --default-base https://…`},
		{two, false, "html", "the address of the page is unknown. Add --root DIR=https://…"},
		{two, false, "message", "the message names no base. Add --default-base https://…"},
		{two, false, "mbox", "the message names no base. Add --default-base https://…"},
	}
	for _, tt := range tests {
		e := new(report.Entry)
		e.Subject.Kind = tt.kind
		open(t, account.Options{ByClient: tt.byClient}, tt.inputs).NoteUnresolved(e, links)
		var texts []string
		for _, p := range e.Problems.All() {
			texts = append(texts, p.Text)
		}
		other := "--force-base gives"
		if tt.byClient {
			other = "--force-base, a flag of the whole process, gives all documents"
		}
		want := "1 cid: link names no part of the message; extract --format jsonl shows them with the warning " +
			"missing-part\nmessage 4 part 2: \"a b\" is unresolved: too long; " + other + " another base (+1 more)\n" +
			"/x is relative, and " + tt.flags + "\n" +
			"3 links look like pieces of a template or names of parts, and are never changed; " +
			"extract --status suspect --format jsonl shows them\n2 links stay wrapped: their targets cannot be read; " +
			"extract --unwrap --format jsonl shows them with the warning wrapped"
		if got := strings.Join(texts, "\n"); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.kind, got, want)
		}
	}
	e := new(report.Entry)
	open(t, account.Options{}, one).NoteUnresolved(e, links)
	if p := e.Problems.All()[1]; p.Line != 7 || p.Column != 9 || p.Part != "" || p.Offset != 70 {
		t.Errorf("the place of the first link: got %+v, want offset 70, line 7, column 9", p)
	}
	links = report.Unresolved{WithoutBase: 1, First: &report.Unlinked{Item: "message 5", Value: "x"}}
	e = new(report.Entry)
	open(t, account.Options{}, one).NoteUnresolved(e, links)
	if p := e.Problems.All(); len(p) != 1 || !strings.HasPrefix(p[0].Text, "message 5: x is relative, and ") {
		t.Errorf("a link outside of parts: got %+v", p)
	}
	e = new(report.Entry)
	open(t, account.Options{}, one).NoteUnresolved(e, report.Unresolved{})
	if e.Problems.Len() != 0 {
		t.Errorf("without unresolved links: got %+v", e.Problems.All())
	}
}

// One link of each kind has a note in the singular, without a place.
func TestNotesOfOneLink(t *testing.T) {
	e := new(report.Entry)
	open(t, account.Options{}, new(source.Set)).NoteUnresolved(e, report.Unresolved{MissingParts: 1, Suspect: 1,
		Wrapped: 1, WithoutBase: 1, UnusableBases: report.UnusableBases{N: 1, Reason: "too long"}})
	var want []report.Problem
	for _, text := range []string{
		"1 cid: link names no part of the message; extract --format jsonl shows them with the warning missing-part",
		"a link is unresolved: too long; --force-base gives another base",
		"a link is relative, and the address of the file is unknown. Add --base https://…",
		"1 link looks like a piece of a template or the name of a part, and is never changed; " +
			"extract --status suspect --format jsonl shows them",
		"1 link stays wrapped: its target cannot be read; extract --unwrap --format jsonl shows them with the " +
			"warning wrapped",
	} {
		want = append(want, report.Problem{Offset: -1, Minor: true, Text: text})
	}
	if got := e.Problems.All(); !slices.Equal(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
}

// The note about several links has the place of the first one, if its line is known, and its part
// or item. A link whose end is not clear is quoted.
func TestPlaceOfFirstLink(t *testing.T) {
	const relative = " is relative, and the address of the file is unknown. Add --base https://…"
	for _, tt := range []struct {
		first report.Unlinked
		n     int
		want  report.Problem
	}{
		{report.Unlinked{Offset: 70, Column: 9, Value: "x"}, 1, report.Problem{Offset: -1, Text: "x" + relative}},
		{report.Unlinked{Offset: 0, Line: 1, Column: 1, Value: "x"}, 1,
			report.Problem{Line: 1, Column: 1, Text: "x" + relative}},
		{report.Unlinked{Offset: 70, Line: 7, Column: 9, Part: "1.2", Value: "x"}, 2,
			report.Problem{Offset: 70, Line: 7, Column: 9, Part: "1.2", Text: "x" + relative + " (+1 more)"}},
		{report.Unlinked{Offset: 70, Line: 7, Column: 9, Item: "message 3", Part: "1.2", Value: ""}, 12,
			report.Problem{Offset: 70, Line: 7, Column: 9, Text: `message 3 part 1.2: ""` + relative + " (+11 more)"}},
		{report.Unlinked{Item: "message 3", Value: "a\xff"}, 1,
			report.Problem{Offset: -1, Text: `message 3: "a\xff"` + relative}},
		{report.Unlinked{Value: `a"b`}, 1, report.Problem{Offset: -1, Text: `"a\"b"` + relative}},
		{report.Unlinked{Value: `a\b`}, 1, report.Problem{Offset: -1, Text: `"a\\b"` + relative}},
		{report.Unlinked{Value: "a\tb"}, 1, report.Problem{Offset: -1, Text: `"a\tb"` + relative}},
	} {
		e := new(report.Entry)
		open(t, account.Options{}, new(source.Set)).NoteUnresolved(e,
			report.Unresolved{WithoutBase: tt.n, First: &tt.first})
		tt.want.Minor = true
		if got := e.Problems.All(); len(got) != 1 || got[0] != tt.want {
			t.Errorf("%d links, the first %+v: got\n%+v\nwant\n%+v", tt.n, tt.first, got, tt.want)
		}
	}
}

// A bar of progress is drawn on a terminal, but not among results.
func TestBar(t *testing.T) {
	pty, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("/dev/ptmx is missing: only Unix systems make terminals by it: %v", err)
	}
	defer pty.Close()
	if !console.IsTerminal(pty) {
		t.Skip("/dev/ptmx is no terminal on this system: on Linux it is")
	}
	streams := []io.Writer{io.Discard, pty}
	for _, stdout := range streams {
		for _, stderr := range streams {
			for _, results := range []bool{false, true} {
				o := account.Options{ResultsOnStdout: results}
				a, err := account.New(&o, new(source.Set), strings.NewReader(""), stdout, stderr)
				if err != nil {
					t.Fatal(err)
				}
				want := stderr == pty && !(results && stdout == pty)
				if got := a.Console.ShowsBar(); got != want {
					t.Errorf("standard output on a terminal %v, with results %v, standard error on a terminal %v: "+
						"got a bar %v, want %v", stdout == pty, results, stderr == pty, got, want)
				}
			}
		}
	}
}

// Standard input is an input if no other input is given, or if it is one of the arguments. Then it
// cannot be standard output.
func TestStandardInputIsOutput(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("in", []byte("<html>"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("other", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args []string
		urls string
		want bool // the output is refused
	}{
		{nil, "", true}, {[]string{"-"}, "", true}, {[]string{"other", "-"}, "", true}, {[]string{"in"}, "", true},
		{[]string{"other"}, "", false}, {nil, "list", false}, {[]string{"other"}, "list", false},
	} {
		file, err := os.OpenFile("in", os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		inputs := new(source.Set)
		if err := inputs.SetArgs(tt.args); err != nil {
			t.Fatal(err)
		}
		inputs.URLs = tt.urls
		a, err := account.New(&account.Options{ResultsOnStdout: true}, inputs, file, file, io.Discard)
		if err == nil {
			err = a.Open()
			a.Close(nil)
		}
		if got := err != nil && strings.HasPrefix(err.Error(), "the output is the input "); got != tt.want {
			t.Errorf("inputs %q and list %q: got %v, want a refusal: %t", tt.args, tt.urls, err, tt.want)
		}
		file.Close()
	}
}

// A list of inputs is no output: the run would read its own output as more inputs.
func TestListIsNoOutput(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("list", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := os.OpenFile("list", os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	for name, inputs := range map[string]source.Set{"URLs": {URLs: "list"}, "units": {Units: "list"}} {
		for want, o := range map[string]account.Options{
			"the output is the list of inputs list; give another file": {ResultsOnStdout: true},
			"--report list is the input list; give another name":       {Files: account.Files{Report: "list"}},
			"--dead-letter list is list, which is read or written too; give another name": {
				Files: account.Files{DeadLetter: "list"}},
		} {
			_, err := account.New(&o, &inputs, strings.NewReader(""), out, io.Discard)
			if err == nil || err.Error() != want {
				t.Errorf("%s: got error %v, want %s", name, err, want)
			}
		}
	}
}

// An output that is an input or another output is refused. No file stays open.
func TestRefusals(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection closes files that are lost
	t.Chdir(t.TempDir())
	contents := map[string]string{"in": "<html>", "beside": "<html>", "dir/page": "<html>",
		"dir/report": `{"source":"x"}`, "dir/empty": "",
		"dir/one": "{", "dir/begun": `{"source"`}
	for name, content := range contents {
		os.MkdirAll("dir", 0o777)
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out, err := os.OpenFile("in", os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	files := func(report, letters string) account.Options {
		return account.Options{Files: account.Files{Report: report, DeadLetter: letters}}
	}
	const lost = " is a file of the input dir, which would be lost; give another name"
	printing := account.Options{Files: account.Files{Report: "-"}, ResultsOnStdout: true}
	tests := []struct {
		name   string
		o      account.Options
		args   []string
		stdout io.Writer
		want   string // the error; empty if the output is allowed
	}{
		{"standard output", account.Options{ResultsOnStdout: true},
			[]string{"in"}, out, "the output is the input in; give another file, or use rewrite --in-place"},
		{"standard output of files", account.Options{}, []string{"in"}, out, ""},
		{"the report of an input", files("in", ""), []string{"in"}, nil,
			"--report in is the input in; give another name"},
		{"a report in a directory", files("dir/page", ""), []string{"dir"},
			nil, "--report dir/page" + lost},
		{"a file beside a directory", files("beside", ""), []string{"dir"}, nil, ""},
		{"an earlier report", files("dir/report", ""), []string{"dir"}, nil, ""},
		{"an empty report", files("dir/empty", ""), []string{"dir"}, nil, ""},
		{"a report of one byte", files("dir/one", ""), []string{"dir"}, nil,
			"--report dir/one" + lost},
		{"the beginning of a report", files("dir/begun", ""), []string{"dir"}, nil,
			"--report dir/begun" + lost},
		{"a new report", files("dir/new", ""), []string{"dir"}, nil, ""},
		{"a report among results", printing, []string{"in"}, nil,
			"--report -: standard output is for results; give a file (./- for a file named -)"},
		{"letters in an input", files("", "in"), []string{"in"}, nil,
			"--dead-letter in is in, which is read or written too; give another name"},
		{"letters in the report", files("dir/report", "dir/report"),
			nil, nil, "--dead-letter dir/report is dir/report, which is read or written too; give another name"},
		{"letters among results", files("", "-"), nil, nil,
			"--dead-letter -: standard output is for results; add --stream, or give a file (./- for a file named -)"},
		{"letters and a report that are new", files("new", "new"), nil, nil,
			"--dead-letter new is the report; give another name"},
		{"a report in no directory", files("none/new", ""), nil, nil,
			"--report none/new: there is no directory none: make it, or give another name"},
	}
	for _, tt := range tests {
		inputs := new(source.Set)
		if tt.args != nil {
			if err := inputs.SetArgs(tt.args); err != nil {
				t.Fatal(err)
			}
		}
		if tt.stdout == nil {
			tt.stdout = io.Discard
		}
		a, err := account.New(&tt.o, inputs, strings.NewReader(""), tt.stdout, io.Discard)
		if err == nil {
			err = a.Open()
			a.Close(nil)
		}
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
		os.Remove("new")
		os.Remove("dir/new")
	}
	units := new(source.Set)
	units.Units = "list"
	const advice = " -: standard output is for results; add --stream, or give a file (./- for a file named -)"
	for want, o := range map[string]account.Options{
		"--report" + advice:      printing,
		"--dead-letter" + advice: files("", "-"),
	} {
		_, err := account.New(&o, units, strings.NewReader(""), io.Discard, io.Discard)
		if err == nil || err.Error() != want {
			t.Errorf("in a run with units: got %v, want %s", err, want)
		}
	}
	if got := openFiles(t); !slices.Equal(got, []string{"in"}) {
		t.Errorf("after the accounts were closed: got %q, want only the output, in", got)
	}
}

// openFiles returns the open files below the working directory, relative to it. It skips t if the
// system does not list them.
func openFiles(t *testing.T) (paths []string) {
	t.Helper()
	here, err := os.Readlink("/proc/self/cwd")
	if err != nil {
		t.Skipf("/proc is missing: only Linux lists the open files there: %v", err)
	}
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		path, err := os.Readlink("/proc/self/fd/" + e.Name())
		rest, below := strings.CutPrefix(path, here+"/")
		if err == nil && below {
			paths = append(paths, rest)
		}
	}
	return paths
}

// A reset account starts again with empty totals.
func TestReset(t *testing.T) {
	b := open(t, account.Options{Files: account.Files{Report: "-"}}, new(source.Set))
	b.tell(failed("x"))
	var out bytes.Buffer
	b.Reset(&out)
	if b.Status(false) != account.Done || b.Totals.Inputs.N != 0 {
		t.Errorf("after Reset: got %s", &b.Totals)
	}
	if err := b.Open(); err != nil {
		t.Fatal(err)
	}
	b.tell(entry("y", report.Listed))
	if got, want := out.String(), string(entry("y", report.Listed).AppendJSON(nil)); got != want {
		t.Errorf("after Reset: the report is %q, want %q", got, want)
	}
}
