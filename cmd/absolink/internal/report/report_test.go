package report_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"absolink/base"
	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/unit"
	"absolink/extract"
	"absolink/mime/document"
	"absolink/mime/rewrite"
)

// with returns an entry with an outcome.
func with(o report.Outcome) *report.Entry {
	e := new(report.Entry)
	e.Result.SetOutcome(o)
	return e
}

// full returns an entry with a value in every field.
func full() *report.Entry {
	e := &report.Entry{Seconds: 0.25, Subject: report.Subject{Source: "a.eml", Kind: "message", Bytes: 100}}
	e.Result.Refuse(errors.New("why"))
	e.Links.Documents = 2
	for range 3 {
		e.Links.Count(&extract.Link{Status: extract.Resolved, Ref: extract.Ref{Kind: extract.KindNav},
			From: &base.Layer{Source: base.BaseElement}})
	}
	e.Links.Count(&extract.Link{Status: extract.InMessage, Ref: extract.Ref{Kind: extract.KindScript}})
	e.Edits = report.Edits{Links: 3, DKIM: 1, Signed: 1}
	e.Problems.Add(report.Problem{Part: "1", Offset: 0, Text: "no \"end\""})
	e.Problems.Note("", "is empty")
	e.Links.AddHost("b.test")
	e.Links.AddHost("b.test")
	e.Links.AddHost("")
	return e
}

func TestAppendJSON(t *testing.T) {
	archive := &report.Entry{Subject: report.Subject{Source: "a.warc", Inner: report.Record, Item: 7,
		RecordID: "<urn:x>", URI: "http://a.test/"}}
	archive.Items.Count(report.Record)
	archive.Items.Count(report.Message)
	archive.Items.Count(report.Message)
	archive.Edits.Broken = 4
	archive.Links.Wrapped = 5
	archive.Problems.Add(report.Problem{Offset: -1, Line: 3, Column: 9, Text: "x"})
	tests := []struct {
		name string
		e    *report.Entry
		want string
	}{
		{"everything", full(),
			`{"source":"a.eml","kind":"message","bytes":100,"outcome":"refused","reason":"why","documents":2,` +
				`"references":{"resolved":3,"in-message":1},"kinds":{"nav":3,"script":1},` +
				`"layers":{"embedded":3,"none":1},"edits":3,"signed":1,"dkim":true,` +
				`"problems":[{"part":"1","offset":0,"text":"no \"end\""},{"text":"is empty"}],` +
				`"base_hosts":["b.test"],"seconds":0.250000}` + "\n"},
		{"an item", archive,
			`{"source":"a.warc","item":7,"uri":"http://a.test/","record_id":"<urn:x>","bytes":0,"messages":2,` +
				`"records":1,"documents":0,"references":{},"wrapped":5,"edits":0,"signed":0,"broken":4,` +
				`"problems":[{"line":3,"column":9,"text":"x"}],"seconds":0.000000}` + "\n"},
		{"nothing", &report.Entry{},
			`{"bytes":0,"documents":0,"references":{},"edits":0,"signed":0,"problems":[],"seconds":0.000000}` + "\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.e.AppendJSON(nil)
			if string(got) != tt.want {
				t.Errorf("AppendJSON:\ngot  %s\nwant %s", got, tt.want)
			}
			if !json.Valid(got) {
				t.Errorf("AppendJSON: %s is no JSON", got)
			}
		})
	}
}

func TestSubjectName(t *testing.T) {
	tests := []struct {
		subject report.Subject
		want    string
	}{
		{report.Subject{Source: "a", Item: 3, URI: "http://x/"}, "a"},
		{report.Subject{Source: "a", Inner: report.Message, Item: 3}, "a: message 3"},
		{report.Subject{Source: "a", Inner: report.Message}, "a: message"},
		{report.Subject{Source: "a", Inner: report.Message, Item: 1, Message: record.Message{ID: "<i>"}, URI: "u:"},
			"a: message 1 <i>"},
		{report.Subject{Source: "a", Inner: report.Record, Item: 1, RecordID: "<r>", URI: "u:"}, "a: record 1 u:"},
		{report.Subject{Source: "a", Inner: report.Record, Item: 1, RecordID: "<r>"}, "a: record 1 <r>"},
	}
	for _, tt := range tests {
		if got := tt.subject.Name(); got != tt.want {
			t.Errorf("Name of %+v: got %q, want %q", tt.subject, got, tt.want)
		}
		if got, want := tt.subject.ItemName(), strings.TrimPrefix(strings.TrimPrefix(tt.want, "a"), ": "); got != want {
			t.Errorf("ItemName of %+v: got %q, want %q", tt.subject, got, want)
		}
	}
}

func TestSubjectHasUnit(t *testing.T) {
	for u, want := range map[unit.Unit]bool{{}: false, {Path: "a"}: true, {Text: "a"}: true, {Offset: 3}: false} {
		if got := (&report.Subject{Unit: u}).HasUnit(); got != want {
			t.Errorf("HasUnit of %+v: got %v, want %v", u, got, want)
		}
	}
}

func TestResultFails(t *testing.T) {
	missing := fmt.Errorf("open: %w", fs.ErrNotExist)
	tests := []struct {
		name  string
		do    func(*report.Result)
		want  report.Outcome
		class report.Class
		lost  bool
	}{
		{"Fail", func(r *report.Result) { r.Fail(errors.New("x")) }, report.Failed, report.Unavailable, true},
		{"Fail of a missing file", func(r *report.Result) { r.Fail(missing) },
			report.Failed, report.Missing | report.Unavailable, true},
		{"Fail of a damaged coding", func(r *report.Result) { r.Fail(&coding.Error{}) }, report.Failed, 0, true},
		{"Fail of a damaged ZIP", func(r *report.Result) { r.Fail(&input.ZipError{}) }, report.Failed, 0, true},
		{"FailForGood", func(r *report.Result) { r.FailForGood(errors.New("x")) }, report.Failed, 0, true},
		{"FailForGood after Fail", func(r *report.Result) { r.Fail(missing); r.FailForGood(errors.New("x")) },
			report.Failed, 0, true},
		{"FailUnread", func(r *report.Result) { r.FailUnread(&coding.Error{}) },
			report.Failed, report.Unavailable, true},
		{"Refuse", func(r *report.Result) { r.AddClass(report.Usage); r.Refuse(errors.New("x")) },
			report.Refused, report.Usage, true},
		{"CutShort", func(r *report.Result) { r.CutShort("x"); r.SetOutcome(report.Listed) },
			report.Listed, report.Unavailable, false},
		{"Skip", func(r *report.Result) { r.Skip("x") }, report.Skipped, 0, false},
		{"Skip, then Set", func(r *report.Result) { r.Skip("x"); r.SetOutcome(report.Copied) },
			report.Copied, 0, false},
	}
	for _, tt := range tests {
		var r report.Result
		tt.do(&r)
		if r.Outcome() != tt.want || r.Lost() != tt.lost {
			t.Errorf("%s: got %s (%q) and lost %v, want %s and %v",
				tt.name, r.Outcome(), r.Reason(), r.Lost(), tt.want, tt.lost)
		}
		for c := report.Usage; c <= report.Template; c <<= 1 {
			if r.HasClass(c) != (tt.class&c != 0) {
				t.Errorf("%s: got %v for class %b, want %v", tt.name, r.HasClass(c), c, !r.HasClass(c))
			}
		}
	}
}

func TestResultRephrase(t *testing.T) {
	var r report.Result
	r.Fail(fs.ErrNotExist)
	r.Rephrase("is gone")
	if r.Reason() != "is gone" || r.Outcome() != report.Failed || !r.HasClass(report.Missing) {
		t.Errorf("Rephrase: got %s, %q and missing %v, want failed, the new words and true",
			r.Outcome(), r.Reason(), r.HasClass(report.Missing))
	}
}

func TestUnwritten(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want report.Outcome
	}{{fmt.Errorf("x: %w", &files.Refusal{Reason: "r"}), report.Refused}, {errors.New("x"), report.Failed}} {
		e := &report.Entry{Edits: report.Edits{Links: 3, Signed: 2}}
		e.FailWrite(tt.err)
		if e.Result.Outcome() != tt.want || e.Edits.Links != 0 || e.Edits.Signed != 2 ||
			e.Result.Reason() != tt.err.Error() {
			t.Errorf("Unwritten(%v): got %s, %+v and %q, want %s, no edit and the error",
				tt.err, e.Result.Outcome(), e.Edits, e.Result.Reason(), tt.want)
		}
	}
}

func TestFailure(t *testing.T) {
	e := with(report.Listed)
	e.Result.Skip("because")
	e.Problems.Note("", "minor")
	if got := e.Failure(); got != "" {
		t.Errorf("Failure without a defect: got %q, want none", got)
	}
	e.Problems.Add(report.Problem{Text: "first"}, report.Problem{Text: "second"})
	if got := e.Failure(); got != "first" {
		t.Errorf("Failure: got %q, want the first defect", got)
	}
	e.Result.Fail(errors.New("lost"))
	if got := e.Failure(); got != "lost" {
		t.Errorf("Failure of a lost input: got %q, want the reason", got)
	}
}

func TestProblemsKeepDefects(t *testing.T) {
	var p report.Problems
	for range 100 {
		p.Note("", "minor")
	}
	p.Add(report.Problem{Part: "1", Text: "defect"}, report.Problem{Part: "2", Text: "defect"})
	if len(p.All()) != 100 || p.Dropped() != 2 || p.Defects() != 2 || p.Len() != 102 {
		t.Fatalf("Add: %d problems kept, %d dropped, %d defects of %d, want 100, 2, 2 of 102",
			len(p.All()), p.Dropped(), p.Defects(), p.Len())
	}
	if a, b := p.All()[98], p.All()[99]; a.Part != "1" || b.Part != "2" {
		t.Errorf("Add: the last problems are %+v and %+v, want the defects of parts 1 and 2", a, b)
	}
	p.Add(report.Problem{Text: "kept", Minor: true, NeverDrop: true})
	if len(p.All()) != 101 || p.Dropped() != 2 {
		t.Errorf("Add of one with NeverDrop: got %d kept and %d dropped, want 101 and 2", len(p.All()), p.Dropped())
	}
	p.Add(report.Problem{Part: "3", Text: "defect"})
	if last := p.All()[100]; last.Part != "3" || !p.All()[99].NeverDrop || p.Defects() != 3 {
		t.Errorf("Add of a defect: the last problem is %+v, want it before none with NeverDrop", last)
	}
}

// Defects displace minor problems up to the first one.
func TestDefectsDisplaceAll(t *testing.T) {
	var p report.Problems
	for range 100 {
		p.Note("", "minor")
	}
	for i := range 101 {
		p.Add(report.Problem{Text: fmt.Sprint(i)})
	}
	for i, problem := range p.All() {
		if problem.Minor || problem.Text != fmt.Sprint(i) {
			t.Errorf("problem %d is %+v, want the defect %d", i, problem, i)
		}
	}
	if len(p.All()) != 100 || p.Dropped() != 101 || p.Defects() != 101 {
		t.Errorf("got %d problems, %d dropped, %d defects, want 100, 101, 101", len(p.All()), p.Dropped(), p.Defects())
	}
}

func TestProblemsDropMinor(t *testing.T) {
	var p report.Problems
	for range 150 {
		p.Note("", "x")
	}
	if len(p.All()) != 100 || p.Dropped() != 50 || p.Defects() != 0 {
		t.Errorf("Note: got %d problems, %d dropped and %d defects, want 100, 50 and none",
			len(p.All()), p.Dropped(), p.Defects())
	}
	var other report.Problems
	other.Join(&p)
	if other.Len() != 100 {
		t.Errorf("Join: got %d problems, want the 100 that are kept", other.Len())
	}
}

func TestProblemsFound(t *testing.T) {
	var p report.Problems
	p.AddFound(document.Problem{Kind: document.Defect, Detail: "broken", Offset: 5, Line: 2, Column: 1},
		document.Problem{Kind: rewrite.Left, Detail: "http://x/", Minor: true, Offset: 9})
	if all := p.All(); len(all) != 1 || all[0].Text != "broken" || all[0].Offset != 5 || p.FirstDefect() != "broken" {
		t.Errorf("Found: got %+v, want the defect", all)
	}
	const want = "listed only: stays as written, but should lead to http://x/"
	if left := p.LeftReferences(); len(left) != 1 || left[0].Text != want || p.Len() != 1 {
		t.Errorf("Found: left is %+v, want %q, which is no problem", left, want)
	}
	p.RemovePositions()
	if at := p.All()[0]; at.Offset != -1 || at.Line != 0 {
		t.Errorf("Unplace: got offset %d and line %d, want none", at.Offset, at.Line)
	}
}

func TestFromDocument(t *testing.T) {
	got := report.FromDocument(document.Problem{Kind: rewrite.NoRoom, Detail: "http://a/\x1b", Part: "1",
		Offset: 7, Line: 2, Column: 3, Minor: true})
	want := report.Problem{Text: `stays as written: the document has no room for http://a/\u001b`, Part: "1",
		Offset: 7, Line: 2, Column: 3, Minor: true}
	if got != want {
		t.Errorf("FromDocument: got %+v, want %+v", got, want)
	}
}

func TestLinks(t *testing.T) {
	var l report.Links
	l.CountDocument(&document.Document{Doc: &extract.Doc{Format: extract.HTML}})
	l.CountDocument(&document.Document{Doc: &extract.Doc{Format: extract.Heading}})
	if l.Documents != 1 {
		t.Errorf("Enter of a page and a heading: got %d documents, want 1", l.Documents)
	}
	for range 5 {
		l.Count(&extract.Link{Status: extract.Unresolved})
	}
	l.Count(&extract.Link{Status: extract.Suspect})
	l.ChangeStatus(extract.Unresolved, extract.AbsoluteRef)
	first, last := &report.Unlinked{Value: "a"}, &report.Unlinked{Value: "b"}
	l.UnusableBases.Add(1, "too long", first)
	l.UnusableBases.Add(1, "other", last)
	l.WithoutBase = last
	l.UnknownCharset = 1
	l.MissingParts = 7
	l.Wrapped = 3
	want := report.Unresolved{UnusableBases: report.UnusableBases{N: 2, Reason: "too long", First: first},
		WithoutBase: 1, First: last, Suspect: 1, MissingParts: 7,
		Wrapped: 3}
	if got := l.Unresolved(); got != want {
		t.Errorf("Unresolved: got %+v, want %+v", got, want)
	}
	var twice report.Unresolved
	twice.Add(want)
	twice.Add(want)
	want = report.Unresolved{UnusableBases: report.UnusableBases{N: 4, Reason: "too long", First: first},
		WithoutBase: 2, First: last, Suspect: 2, MissingParts: 14,
		Wrapped: 6}
	if twice != want {
		t.Errorf("Add: got %+v, want %+v", twice, want)
	}
	first.Line = 7
	in := want.In("message 2", false)
	if *in.First != (report.Unlinked{Item: "message 2", Value: "b"}) || in.UnusableBases.First.Line != 0 ||
		in.UnusableBases.First.Item != "message 2" || first.Line != 7 || first.Item != "" {
		t.Errorf("In: got %+v and %+v from %+v", in.First, in.UnusableBases.First, first)
	}
	if placed := want.In("message 2", true); placed.UnusableBases.First.Line != 7 {
		t.Errorf("In of a placed item: got %+v, want its line", placed.UnusableBases.First)
	}
	if none := (report.Unresolved{}).In("m", true); none != (report.Unresolved{}) {
		t.Errorf("In without links: got %+v", none)
	}
	l.MissingTargets, l.MissingFragments, l.Pages = 3, 2, 4
	sum := l
	sum.Add(&l)
	if sum.ByStatus[extract.AbsoluteRef] != 2 || sum.ByStatus.Sum() != 12 || sum.ByLayer[base.None] != 12 ||
		sum.MissingTargets != 6 || sum.MissingFragments != 4 || sum.Pages != 8 ||
		sum.UnknownCharset != 2 || sum.MissingParts != 14 ||
		sum.Wrapped != 6 || sum.Documents != 2 {
		t.Errorf("Add of itself: got %+v, want twice %+v", sum, l)
	}
	for i := range 150 {
		l.AddHost(fmt.Sprint("h", i))
	}
	if hosts := l.Hosts(); len(hosts) != 100 || hosts[99] != "h99" {
		t.Errorf("Host of 150 hosts: got %d, want the first 100", len(hosts))
	}
}

func TestEdits(t *testing.T) {
	stays := map[string]map[string]int{"signed": {"//a/": 2}, "header": {"//a/": 1, "//b/": 4}}
	e := report.Edits{Old: 2}
	e.SetPlan(&rewrite.Plan{References: 3, DKIM: true, Protected: 4, Broken: 5, Stays: stays})
	want := report.Edits{Links: 3, Old: 2, DKIM: 1, Signed: 4, Broken: 5, Stays: stays}
	if !reflect.DeepEqual(e, want) {
		t.Errorf("Count: got %+v, want %+v", e, want)
	}
	var sum report.Edits
	sum.Add(&want)
	sum.Add(&want)
	twice := map[string]map[string]int{"signed": {"//a/": 4}, "header": {"//a/": 2, "//b/": 8}}
	if !reflect.DeepEqual(sum, report.Edits{Links: 6, Old: 4, DKIM: 2, Signed: 8, Broken: 10, Stays: twice}) {
		t.Errorf("Add of itself: got %+v", sum)
	}
	if want.Stays["signed"]["//a/"] != 2 {
		t.Errorf("Add has changed its argument: %v", want.Stays)
	}
	e.SetPlan(&rewrite.Plan{})
	if !reflect.DeepEqual(e, report.Edits{Old: 2}) {
		t.Errorf("Count of an empty plan: got %+v, want Old alone", e)
	}
}

// DescribeStays has a text for each reason of package rewrite, and also counts links with other
// reasons. A single reason has no number.
func TestDescribeStays(t *testing.T) {
	e := report.Edits{Stays: map[string]map[string]int{"signed": {"//a/": 2}, "header": {"//a/": 1, "//b/": 4}}}
	for _, test := range []struct {
		rule string
		n    int
		want string
	}{
		{"", 7, "2 in signed text, 5 in header fields"},
		{"//a/", 3, "2 in signed text, 1 in header fields"},
		{"//b/", 4, "in header fields"},
		{"//c/", 0, ""},
	} {
		if n, got := e.DescribeStays(test.rule); n != test.n || got != test.want {
			t.Errorf("rule %q: got %d %q, want %d %q", test.rule, n, got, test.n, test.want)
		}
	}
	for _, reason := range []string{"signed", "encrypted", "unedited", "patch", "encoded", "header", "calendar",
		"vcard", "linkset", "footer", "folded", "unclear-end", "long-line", "charset", "unmoved", "unsafe"} {
		e = report.Edits{Stays: map[string]map[string]int{reason: {"//a/": 1}}}
		if _, text := e.DescribeStays(""); text == "" || strings.Contains(text, "reason") {
			t.Errorf("the reason %q has no text: got %q", reason, text)
		}
	}
	e = report.Edits{Stays: map[string]map[string]int{"zz": {"//a/": 1}, "new": {"//a/": 2}, "signed": {"//a/": 4}}}
	const want = `4 in signed text, 2 for the reason "new", 1 for the reason "zz"`
	if n, got := e.DescribeStays("//a/"); n != 7 || got != want {
		t.Errorf("reasons without a text: got %d %q, want 7 %q", n, got, want)
	}
}

func TestTotals(t *testing.T) {
	var totals report.Totals
	totals.Add(with(report.Listed))
	if totals.Defects {
		t.Error("Totals: got defects of an entry without any")
	}
	totals.Add(full())
	const want = "2 inputs, 1 listed, 1 refused; 4 links, 3 resolved, 1 in-message; 2 problems"
	if got := totals.String(); got != want || !totals.Defects || totals.Faults {
		t.Errorf("Totals: got %q, defects %v and faults %v, want %q, true and false",
			got, totals.Defects, totals.Faults, want)
	}
	if n := totals.Inputs.With(report.Refused); n != 1 {
		t.Errorf("Totals: got %d refused inputs, want 1", n)
	}
	totals.Add(new(report.Entry))
	if got := totals.Inputs.String(); totals.Inputs.N != 3 || got != ", 1 listed, 1 refused" {
		t.Errorf("Totals with an entry without an outcome: got %d%s, want 3, 1 listed, 1 refused", totals.Inputs.N, got)
	}
	one := report.Totals{Inputs: report.Tally{N: 1}}
	if !strings.HasPrefix(one.String(), "1 input;") {
		t.Errorf("Totals: got %q, want 1 input", one.String())
	}
	totals = report.Totals{}
	totals.AddFault()
	if !totals.Defects || !totals.Faults {
		t.Error("Fault: no defect or no fault is counted")
	}
}

// Totals has the classes of all entries. The entry of a list is a fault.
func TestTotalsOfClasses(t *testing.T) {
	var totals report.Totals
	e := with(report.Listed)
	e.Result.CutShort("cut")
	totals.Add(e)
	if totals.Class != report.Unavailable || totals.Defects {
		t.Errorf("Totals of an input that was cut short: got class %b and defects %v", totals.Class, totals.Defects)
	}
	e = new(report.Entry)
	e.Subject.List = true
	e.Result.FailForGood(errors.New("x"))
	totals.Add(e)
	if !totals.Faults || !totals.Defects {
		t.Error("Totals of a list that cannot be read: got no fault or no defect")
	}
}

// Totals.InputKinds counts inputs by kind.
func TestTotalsInputKinds(t *testing.T) {
	var totals report.Totals
	for i, name := range []string{"a.bin", "b.bin", "c", "d.x1", "e.x2", "f.x3", "g.x4", "h.x5"} {
		e := &report.Entry{Subject: report.Subject{Source: name, Kind: "other"}}
		e.Result.Skip("why")
		if i < 5 {
			e.Result.AddClass(report.Backup)
		} else {
			e.Result.AddClass(report.Template)
		}
		totals.Add(e)
	}
	for _, kind := range []string{"html", "html", "mbox"} {
		e := with(report.Listed)
		e.Subject.Kind = kind
		if kind == "mbox" {
			e.Items.Count(report.Message)
		}
		totals.Add(e)
	}
	f := &totals.InputKinds
	var six report.Totals
	for i := range 6 {
		e := &report.Entry{Subject: report.Subject{Source: fmt.Sprintf("f.x%d", i+1), Kind: "other"}}
		e.Result.Skip("why")
		six.Add(e)
	}
	few := &six.InputKinds.Other
	for what, got := range map[string]string{
		"2 .bin, 1 .x1, 1 .x2, 1 .x3, 1 .x4, 2 others": f.Other.String(),
		"1 .x1, 1 .x2, 1 .x3, 1 .x4, 1 .x5, 1 others":  few.String(),
		"2 html": f.Read.String(),
		"a.bin, b.bin, c and 2 more; -v names each": f.Backups.String(),
		"f.x3, g.x4, h.x5":                          f.Templates.String(),
		"11 inputs, 3 listed, 8 skipped; 0 links":   totals.String(),
		"8 other, 2 read, 5 backups and 3 templates": fmt.Sprintf("%d other, %d read, %d backups and %d templates",
			f.Other.N, f.Read.N, f.Backups.N, f.Templates.N),
	} {
		if got != what {
			t.Errorf("Totals: got %q, want %q", got, what)
		}
	}
}

// If a mailbox could not be written, its messages have the outcome of the mailbox.
func TestTotalsOfAMailboxThatFails(t *testing.T) {
	var totals report.Totals
	written, failed := with(report.Rewritten), with(report.Failed)
	failed.Items.MarkUnwritten()
	for _, box := range []*report.Entry{written, failed} {
		for _, o := range []report.Outcome{report.Rewritten, report.Unchanged} {
			message := with(o)
			message.Subject.Inner = report.Message
			totals.Add(message)
		}
		totals.Add(box)
	}
	const want = "2 inputs, 1 rewritten, 1 failed; 4 messages in mailboxes, 1 rewritten, 2 unchanged, 1 failed; 0 " +
		"links"
	if got := totals.String(); got != want {
		t.Errorf("Totals: got %q, want %q", got, want)
	}
}

func TestTotalsOfRecords(t *testing.T) {
	var totals report.Totals
	e := with(report.Skipped)
	e.Subject.Inner = report.Record
	totals.Add(e)
	if got, want := totals.String(), "0 inputs; 1 record in web archives, 1 skipped; 0 links"; got != want {
		t.Errorf("Totals: got %q, want %q", got, want)
	}
}

func TestSkipUnread(t *testing.T) {
	why := func(r input.Reason) *input.Document {
		return &input.Document{Decision: input.Decision{Kind: input.Other, Reason: r, Why: "why"}}
	}
	page := &input.Document{Decision: input.Decision{Kind: input.HTML}}
	large := &input.Document{Decision: input.Decision{Kind: input.HTML}, Content: input.Content{TooLarge: true}}
	named := why(input.Unknown)
	named.Named = true
	tests := []struct {
		name     string
		in       *input.Document
		unread   bool
		reason   string
		problems int
		defects  int
		template bool
	}{
		{"a page", page, false, "", 0, 0, false},
		{"a large page", large, true, "larger than --max-size", 1, 1, false},
		{"no document", why(input.Unknown), true, "why", 0, 0, false},
		{"a named file", named, true, "why", 1, 1, false},
		{"damaged", why(input.Damaged), true, "why", 1, 1, false},
		{"misnamed", why(input.Misnamed), true, "why", 1, 0, false},
		{"foreign", why(input.Foreign), true, "why", 1, 0, false},
		{"a template", why(input.Template), true, "why", 0, 0, true},
	}
	for _, tt := range tests {
		e := new(report.Entry)
		got := e.SkipUnread(tt.in)
		if got != tt.unread || (e.Result.Outcome() == report.Skipped) != tt.unread || e.Result.Reason() != tt.reason ||
			e.Problems.Len() != tt.problems || e.Problems.Defects() != tt.defects ||
			e.Result.HasClass(report.Template) != tt.template {
			t.Errorf("SkipUnread of %s: got %v, %+v and %+v, want %v, %q, %d problems of which %d are defects",
				tt.name, got, e.Result, e.Problems, tt.unread, tt.reason, tt.problems, tt.defects)
		}
	}
}

// A lock file that disappears during the walk of its directory is skipped, unless it is named.
func TestFailOpenOfLocks(t *testing.T) {
	for _, tt := range []struct {
		f    input.File
		err  error
		want report.Outcome
	}{
		{input.File{Path: "box.lock"}, fs.ErrNotExist, report.Skipped},
		{input.File{Path: "box.lock"}, fs.ErrPermission, report.Failed},
		{input.File{Path: "box.lock", Named: true}, fs.ErrNotExist, report.Failed},
	} {
		e := new(report.Entry)
		e.FailOpen(tt.f, tt.err)
		if e.Result.Outcome() != tt.want || e.Result.HasClass(report.Missing) && tt.want == report.Skipped {
			t.Errorf("FailOpen of %+v with %v: got %s (%s), want %s",
				tt.f, tt.err, e.Result.Outcome(), e.Result.Reason(), tt.want)
		}
	}
}

// The text for a large input tells its size, or the size to which it expands.
func TestTooLargeText(t *testing.T) {
	for c, want := range map[coding.Coding]string{
		coding.None: "12 bytes are more than --max-size allows: not read",
		coding.Gzip: "expands to 12 bytes or more, which --max-size does not allow: not read",
	} {
		in := &input.Document{Content: input.Content{Coding: c, Size: 12}}
		if got := report.TooLargeText(in); got != want {
			t.Errorf("TooLargeText with the coding %v: got %q, want %q", c, got, want)
		}
	}
}

// The report shows counts and lines from 1 on. References that are left are in the report, and the
// totals count them apart.
func TestCountsOfOne(t *testing.T) {
	e := with(report.Listed)
	e.Links.Wrapped = 1
	e.Edits = report.Edits{Links: 1, DKIM: 1, Signed: 1, Broken: 1}
	e.Links.Count(&extract.Link{Status: extract.Resolved, Ref: extract.Ref{Kind: extract.KindNav}})
	e.Problems.Add(report.Problem{Offset: 0, Line: 1, Column: 1, Text: "x"})
	e.Problems.AddFound(document.Problem{Kind: rewrite.Left, Detail: "http://a/"})
	got := string(e.AppendJSON(nil))
	for _, want := range []string{`"wrapped":1`, `"edits":1,"signed":1,"broken":1,"dkim":true`,
		`"resolved":1`, `"nav":1`, `"offset":0,"line":1,"column":1,"text":"x"`,
		"but should lead to http://a/"} {
		if !strings.Contains(got, want) {
			t.Errorf("AppendJSON: got %s, want %s in it", got, want)
		}
	}
	var totals report.Totals
	totals.Add(e)
	totals.Add(e)
	if totals.LeftReferences != 2 || totals.Problems != 2 {
		t.Errorf("Totals: got %d left references and %d problems, want 2 and 2", totals.LeftReferences, totals.Problems)
	}
}

func TestFailOpen(t *testing.T) {
	e := new(report.Entry)
	e.FailOpen(input.File{Path: "a.html"}, fs.ErrNotExist)
	if e.Result.Outcome() != report.Failed || !e.Result.HasClass(report.Missing) {
		t.Errorf("FailOpen: got %s, want failed", e.Result.Outcome())
	}
}
