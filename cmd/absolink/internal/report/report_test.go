package report_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"absolink/base"
	"absolink/cmd/absolink/internal/report"
	"absolink/extract"
)

// full returns an entry in which everything is known.
func full() *report.Entry {
	e := &report.Entry{Source: "a.eml", Kind: "message", Bytes: 100,
		Documents: 2, Edits: 3, DKIM: true, Signed: 1, Seconds: 0.25}
	e.Fail(report.Refused, errors.New("why"))
	e.Links[extract.Resolved], e.Links[extract.InMessage] = 3, 1
	e.Kinds[extract.KindNav], e.Kinds[extract.KindScript] = 3, 1
	e.Layers[base.BaseElement], e.Layers[base.Codebase], e.Layers[base.None] = 2, 1, 1
	e.Add(report.Problem{Part: "1", Offset: 0, Text: "no \"end\""})
	e.Note("", "is empty")
	e.Base("b.test")
	e.Base("b.test")
	e.Base("")
	return e
}

func TestAddKeepsDefects(t *testing.T) {
	e := &report.Entry{}
	for range 100 {
		e.Note("", "minor")
	}
	e.Add(report.Problem{Part: "1", Text: "defect"}, report.Problem{Part: "2", Text: "defect"})
	defects, _ := e.Defects()
	if len(e.Problems) != 100 || e.Dropped != 2 || defects != 2 {
		t.Fatalf("Add: %d problems kept, %d dropped, %d defects, want 100, 2, 2", len(e.Problems), e.Dropped, defects)
	}
	if a, b := e.Problems[98], e.Problems[99]; a.Part != "1" || b.Part != "2" {
		t.Errorf("Add: the last problems are %+v and %+v, want the defects of parts 1 and 2", a, b)
	}
}

func TestAppendJSON(t *testing.T) {
	tests := []struct {
		name string
		e    *report.Entry
		want string
	}{
		{"everything", full(),
			`{"source":"a.eml","kind":"message","bytes":100,"outcome":"refused","reason":"why","documents":2,` +
				`"references":{"resolved":3,"in-message":1},"kinds":{"nav":3,"script":1},"layers":{"embedded":3,"none":1},"edits":3,"signed":1,"dkim":true,` +
				`"problems":[{"part":"1","offset":0,"text":"no \"end\""},{"text":"is empty"}],"base_hosts":["b.test"],"seconds":0.250000}` + "\n"},
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

func TestAddKeepsAHundred(t *testing.T) {
	e := &report.Entry{}
	for range 150 {
		e.Note("", "x")
	}
	if len(e.Problems) != 100 || e.Dropped != 50 {
		t.Errorf("Add: got %d problems and %d dropped, want 100 and 50", len(e.Problems), e.Dropped)
	}
	if n, lost := e.Defects(); n != 0 || lost {
		t.Errorf("Defects of 150 minor problems: got %d and %v, want none", n, lost)
	}
	e.Add(report.Problem{Text: "y"})
	if n, _ := e.Defects(); n != 1 {
		t.Errorf("Defects: got %d, want the one that was dropped", n)
	}
}

func TestTotals(t *testing.T) {
	var totals report.Totals
	totals.Add(&report.Entry{Outcome: report.Listed})
	if totals.Defects {
		t.Error("Totals: got defects of an entry without any")
	}
	totals.Add(full())
	const want = "2 inputs, 1 listed, 1 refused; 4 references, 3 resolved, 1 in-message; 2 problems"
	if got := totals.String(); got != want || !totals.Defects {
		t.Errorf("Totals: got %q and defects %v, want %q and true", got, totals.Defects, want)
	}
	if !strings.HasPrefix((&report.Totals{Inputs: 1}).String(), "1 input;") {
		t.Errorf("Totals: got %q, want 1 input", (&report.Totals{Inputs: 1}).String())
	}
}

// Messages are told of before it is known whether their mailbox can be written.
func TestTotalsOfAMailboxThatFails(t *testing.T) {
	var totals report.Totals
	for _, box := range []report.Entry{{Outcome: report.Rewritten}, {Outcome: report.Failed, Void: true}} {
		totals.Add(&report.Entry{Inner: report.Message, Outcome: report.Rewritten})
		totals.Add(&report.Entry{Inner: report.Message, Outcome: report.Unchanged})
		totals.Add(&box)
	}
	const want = "2 inputs, 1 rewritten, 1 failed; 4 messages in mailboxes, 1 rewritten, 2 unchanged, 1 failed; 0 " +
		"references"
	if got := totals.String(); got != want {
		t.Errorf("Totals: got %q, want %q", got, want)
	}
}
