// Package reportpage adds up what --report wrote of runs, and shows it as one page of HTML or as
// JSON.
//
// A Summary reads any number of lines in bounded memory: it counts, and of texts, hosts and inputs
// it keeps those that weigh most. Files in reading order: file.go (files, and what is left out of
// them), summary.go (what is counted), line.go (a line of a report or a record), top.go (the most
// frequent of many), page.go (HTML).
package reportpage

import (
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/report"
	"absolink/resolve"
)

// Summary is the sum of reports. Its zero value is that of none. It is not safe for concurrent use.
type Summary struct {
	Numbers
	LinkRecords int // records of links that were read

	outcomes  map[string]*Outcome
	statuses  map[string]int
	kinds     map[string]int
	layers    map[string]int
	baseHosts top
	linkHosts top
	problems  top
	reasons   top
	slowest   heaviest
	largest   heaviest
	sizes     [64]int // of inputs: [n] has those from 2^n bytes on, below twice that; [0] has empty ones, too
	times     [64]int // of inputs, the same in microseconds

	pending pending
}

// Numbers are sums over the lines of reports.
type Numbers struct {
	Lines      int     `json:"lines"`     // that were read
	Bad        int     `json:"bad_lines"` // that are no lines of a report
	Inputs     int     `json:"inputs"`
	Bytes      int64   `json:"bytes"`    // of inputs
	Messages   int     `json:"messages"` // in mailboxes
	Records    int     `json:"records"`  // in web archives
	Documents  int     `json:"documents"`
	References int     `json:"references"`
	Edits      int     `json:"edits"`
	Signed     int     `json:"signed"`
	Broken     int     `json:"broken"`
	DKIM       int     `json:"dkim"`
	Problems   int     `json:"problems"`
	Seconds    float64 `json:"seconds"` // of all inputs, one after the other
}

// Outcome is what became of how many inputs and items of containers.
type Outcome struct {
	Name   string `json:"outcome"`
	Inputs int    `json:"inputs"`
	Bytes  int64  `json:"bytes"` // of the inputs
	Items  int    `json:"items"` // messages of mailboxes and records of web archives
}

// pending are the items since the last container, which were rewritten only if it was.
type pending struct {
	source      string
	items, edit int
}

// Input is one input with its weight.
type Input struct {
	Name    string  `json:"source"`
	Bytes   int64   `json:"bytes"`
	Seconds float64 `json:"seconds"`
}

// add counts a line of a report.
func (s *Summary) add(l *line) {
	if s.outcomes == nil {
		s.outcomes, s.statuses, s.kinds, s.layers = map[string]*Outcome{},
			map[string]int{}, map[string]int{}, map[string]int{}
	}
	o := s.outcome(l.Outcome)
	if l.isItem() {
		s.addItem(l, o)
	} else {
		s.addInput(l, o)
	}
	s.Documents += l.Documents
	s.Edits += l.Edits
	s.Signed += l.Signed
	s.Broken += l.Broken
	if l.DKIM {
		s.DKIM++
	}
	for _, n := range l.References {
		s.References += n
	}
	addCounts(s.statuses, l.References)
	addCounts(s.kinds, l.Kinds)
	addCounts(s.layers, l.Layers)
	for _, host := range l.BaseHosts {
		s.baseHosts.add(host, "")
	}
	s.Problems += len(l.Problems)
	for i := range l.Problems {
		s.problems.add(l.Problems[i].Text, l.place(&l.Problems[i]))
	}
	if l.Reason != "" {
		s.reasons.add(l.Outcome+": "+l.Reason, l.place(nil))
	}
}

// outcome returns what is counted of an outcome.
func (s *Summary) outcome(name string) *Outcome {
	o := s.outcomes[name]
	if o == nil && len(s.outcomes) >= maxNames {
		name = "other"
		o = s.outcomes[name]
	}
	if o == nil {
		o = &Outcome{Name: shown(name)}
		s.outcomes[name] = o
	}
	return o
}

// maxNames is how many outcomes, statuses, kinds and layers there are at most: fewer, unless
// somebody made them up.
const maxNames = 40

// addCounts adds counts to sum. What would be one name too many is "other".
func addCounts(sum, counts map[string]int) {
	for name, n := range counts {
		if _, known := sum[name]; !known && len(sum) >= maxNames {
			name = "other"
		}
		sum[name] += n
	}
}

// addItem counts a message of a mailbox or a record of a web archive.
func (s *Summary) addItem(l *line, o *Outcome) {
	if l.isRecord() {
		s.Records++
	} else {
		s.Messages++
	}
	o.Items++
	if s.pending.source != l.Source {
		s.pending = pending{source: l.Source}
	}
	if l.Outcome == string(report.Rewritten) {
		s.pending.items++
		s.pending.edit += l.Edits
	}
}

// addInput counts an input. The items of a mailbox that was refused or failed were not rewritten.
func (s *Summary) addInput(l *line, o *Outcome) {
	s.Inputs++
	o.Inputs++
	o.Bytes += l.Bytes
	s.Bytes += l.Bytes
	s.Seconds += l.Seconds
	lost := l.Outcome == string(report.Refused) || l.Outcome == string(report.Failed)
	if p := s.pending; lost && p.source == l.Source && p.items > 0 {
		s.outcome(string(report.Rewritten)).Items -= p.items
		o.Items += p.items
		s.Edits -= p.edit
	}
	s.pending = pending{}
	in := Input{Name: l.Source, Bytes: l.Bytes, Seconds: l.Seconds}
	s.slowest.add(in, l.Seconds)
	s.largest.add(in, float64(l.Bytes))
	s.sizes[bucket(l.Bytes)]++
	s.times[bucket(int64(l.Seconds*1e6))]++
}

// bucket returns the number of the power of two that n reaches.
func bucket(n int64) int { return max(bits.Len64(uint64(max(n, 0)))-1, 0) }

// addLink counts a record of a link.
func (s *Summary) addLink(uri string) {
	s.LinkRecords++
	if host := hostOf(uri); host != "" {
		s.linkHosts.add(host, "")
	}
}

// hostOf returns the host of a URI, with its port and without the user's name.
func hostOf(uri string) string {
	authority := resolve.Split(uri).Authority
	for i := len(authority) - 1; i >= 0; i-- {
		if authority[i] == '@' {
			return authority[i+1:]
		}
	}
	return authority
}

// heaviest keeps the inputs of the largest weight.
type heaviest []weighed

type weighed struct {
	Input
	weight float64
}

const maxInputs = 20 // that are named as the slowest and the largest

func (h *heaviest) add(in Input, weight float64) {
	if len(*h) == maxInputs && weight <= (*h)[maxInputs-1].weight {
		return
	}
	in.Name = shown(in.Name)
	i := 0
	for i < len(*h) && (*h)[i].weight >= weight {
		i++
	}
	*h = slices.Insert(*h, i, weighed{in, weight})
	*h = (*h)[:min(len(*h), maxInputs)]
}

const maxText = 200 // bytes of a text that is shown

// shown returns a text of a document or a file's name as it is kept: a copy, without control
// characters, and not too long.
func shown(s string) string {
	s = console.Printable(s[:min(len(s), 2*maxText)])
	if len(s) > maxText {
		n := maxText
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n] + "…"
	}
	return strings.Clone(s)
}
