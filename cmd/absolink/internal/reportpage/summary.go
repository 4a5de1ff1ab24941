// Package reportpage adds up the reports (--report) of any number of runs. It shows the sums as one
// page of HTML or as JSON.
//
// A Summary reads any number of lines in bounded memory. It adds up all lines, and keeps only the
// most frequent texts and hosts, and the largest and slowest inputs. Files in reading order:
// file.go (reads files, and warns of bad lines), summary.go (the sums), line.go (a line of a
// report, or a record), top.go (the most frequent texts), page.go (the numbers of the page),
// html.go (its HTML).
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

// Summary is the sum of reports. The zero value is empty. It is not safe for concurrent use.
type Summary struct {
	Numbers
	LinkRecords int // number of link records that were read

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
	sizes     [64]int // sizes[n] is the number of inputs with at least 2^n and less than 2^(n+1) bytes; see bucket
	times     [64]int // the same for the times of inputs, in microseconds

	pending pending
}

// Numbers are sums over the lines of reports.
type Numbers struct {
	Lines      int     `json:"lines"`     // all lines that were read
	Bad        int     `json:"bad_lines"` // lines that are not lines of a report
	Inputs     int     `json:"inputs"`
	Bytes      int64   `json:"bytes"`    // total size of the inputs
	Messages   int     `json:"messages"` // in mailboxes
	Records    int     `json:"records"`  // in web archives
	Documents  int     `json:"documents"`
	References int     `json:"references"`
	Edits      int     `json:"edits"`
	Signed     int     `json:"signed"`  // signed or encrypted parts that were not edited
	Broken     int     `json:"broken"`  // signed parts that were edited
	Wrapped    int     `json:"wrapped"` // links that stay wrapped
	DKIM       int     `json:"dkim"`    // messages whose DKIM signature was broken by edits
	Problems   int     `json:"problems"`
	Seconds    float64 `json:"seconds"` // the sum of the times of all inputs
}

// Outcome is an outcome with the number of inputs and items that had it.
type Outcome struct {
	Name   string `json:"outcome"`
	Inputs int    `json:"inputs"`
	Bytes  int64  `json:"bytes"` // total size of the inputs
	Items  int    `json:"items"` // messages of mailboxes and records of web archives
}

// pending counts the items of the current container that were reported as rewritten. The line of
// the container comes after the lines of its items. If the container was refused or failed, these
// items were not rewritten after all.
type pending struct {
	source       string
	items, edits int
}

// Input is an input with its size and time.
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
	s.Wrapped += l.Wrapped
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
		s.problems.add(l.Problems[i].Text, l.placeOf(&l.Problems[i]))
	}
	if l.Reason != "" {
		s.reasons.add(l.Outcome+": "+l.Reason, l.placeOf(nil))
	}
}

// outcome returns the counts of an outcome, and adds the outcome if it is new. If there are already
// maxNames outcomes, it returns the counts of "other" for a new outcome.
func (s *Summary) outcome(name string) *Outcome {
	o := s.outcomes[name]
	if o == nil && len(s.outcomes) >= maxNames {
		name = "other"
		o = s.outcomes[name]
	}
	if o == nil {
		o = &Outcome{Name: printable(name)}
		s.outcomes[name] = o
	}
	return o
}

// maxNames is the largest number of outcomes, and also of statuses, kinds and layers. Real reports
// have fewer.
const maxNames = 40

// addCounts adds counts to sum. If sum already has maxNames names, new names count as "other".
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
		s.pending.edits += l.Edits
	}
}

// addInput counts an input. If it was refused or failed, the pending items get the outcome of the
// input.
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
		s.Edits -= p.edits
	}
	s.pending = pending{}
	in := Input{Name: l.Source, Bytes: l.Bytes, Seconds: l.Seconds}
	s.slowest.add(in, l.Seconds)
	s.largest.add(in, float64(l.Bytes))
	s.sizes[bucket(l.Bytes)]++
	s.times[bucket(int64(l.Seconds*1e6))]++
}

// bucket returns the index for n in Summary.sizes: the exponent of the largest power of two that is
// at most n, or 0 if n is below 1.
func bucket(n int64) int { return max(bits.Len64(uint64(max(n, 0)))-1, 0) }

// addLink counts a record of a link, and the host of its URI.
func (s *Summary) addLink(uri string) {
	s.LinkRecords++
	if host := hostOf(uri); host != "" {
		s.linkHosts.add(host, "")
	}
}

// hostOf returns the host of a URI, with its port and without the user name.
func hostOf(uri string) string {
	authority := resolve.Split(uri).Authority
	for i := len(authority) - 1; i >= 0; i-- {
		if authority[i] == '@' {
			return authority[i+1:]
		}
	}
	return authority
}

// heaviest keeps the inputs with the largest weights.
type heaviest []weighed

// weighed is an input with its weight.
type weighed struct {
	Input
	weight float64
}

// maxInputs is the number of inputs in each of the two lists, the slowest and the largest.
const maxInputs = 20

// add keeps an input if it is among the maxInputs heaviest.
func (h *heaviest) add(in Input, weight float64) {
	if len(*h) == maxInputs && weight <= (*h)[maxInputs-1].weight {
		return
	}
	in.Name = printable(in.Name)
	i := 0
	for i < len(*h) && (*h)[i].weight >= weight {
		i++
	}
	*h = slices.Insert(*h, i, weighed{in, weight})
	*h = (*h)[:min(len(*h), maxInputs)]
}

// maxText is the largest number of bytes of a text that is shown.
const maxText = 200

// printable returns a copy of s for the page, without control characters. If s has more than
// maxText bytes, the copy is cut and ends with an ellipsis.
func printable(s string) string {
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
