package reportpage

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"absolink/cmd/absolink/internal/hypertext"
)

// count is a name with its number.
type count struct {
	Name string `json:"name"`
	N    int    `json:"number"`
}

// bin is the number of inputs whose size or time is at least Min and below Max.
type bin struct {
	From string  `json:"-"`
	Min  float64 `json:"from"`
	Max  float64 `json:"below"`
	N    int     `json:"inputs"`
}

// figures are the numbers that the page and the JSON show.
type figures struct {
	Numbers
	Outcomes    []Outcome `json:"outcomes"`
	Statuses    []count   `json:"references_by_status"`
	Kinds       []count   `json:"references_by_kind"`
	Layers      []count   `json:"references_by_layer"`
	BaseHosts   List      `json:"base_hosts"`
	LinkRecords int       `json:"link_records"`
	LinkHosts   List      `json:"link_hosts"`
	Wrong       List      `json:"problems_by_text"`
	Reasons     List      `json:"reasons"`
	Slowest     []Input   `json:"slowest"`
	Largest     []Input   `json:"largest"`
	Sizes       []bin     `json:"sizes"`
	Times       []bin     `json:"times"`
}

// figures returns the numbers in the order of the page.
func (s *Summary) figures() *figures {
	f := &figures{Numbers: s.Numbers, LinkRecords: s.LinkRecords, Outcomes: []Outcome{},
		Statuses: counts(s.statuses), Kinds: counts(s.kinds), Layers: counts(s.layers),
		BaseHosts: s.baseHosts.list(), LinkHosts: s.linkHosts.list(),
		Wrong: s.problems.list(), Reasons: s.reasons.list(),
		Slowest: s.slowest.inputs(), Largest: s.largest.inputs(),
		Sizes: bins(&s.sizes, 1, func(n int64) string { return size(n) }),
		Times: bins(&s.times, 1e-6, func(n int64) string { return seconds(float64(n) / 1e6) })}
	for _, o := range s.outcomes {
		f.Outcomes = append(f.Outcomes, *o)
	}
	slices.SortFunc(f.Outcomes, func(a, b Outcome) int { return strings.Compare(a.Name, b.Name) })
	slices.SortStableFunc(f.Outcomes, func(a, b Outcome) int { return b.Inputs + b.Items - a.Inputs - a.Items })
	return f
}

// counts returns the numbers with their names, the largest first.
func counts(m map[string]int) []count {
	list := []count{}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		list = append(list, count{shown(name), m[name]})
	}
	slices.SortStableFunc(list, func(a, b count) int { return b.N - a.N })
	return list
}

func (h heaviest) inputs() []Input {
	list := []Input{}
	for _, w := range h {
		if w.weight > 0 {
			list = append(list, w.Input)
		}
	}
	return list
}

// bins returns bins by powers of two, from the first to the last one that is not empty.
func bins(n *[64]int, unit float64, name func(int64) string) []bin {
	list := []bin{}
	for i, inputs := range n {
		from := int64(1) << i
		if i == 0 {
			from = 0
		}
		list = append(list, bin{name(from), float64(from) * unit, float64(uint64(2)<<i) * unit, inputs})
	}
	first, last := 0, len(list)
	for last > 0 && list[last-1].N == 0 {
		last--
	}
	for first < last && list[first].N == 0 {
		first++
	}
	return list[first:last]
}

// WriteJSON writes the numbers as one object.
func (s *Summary) WriteJSON(w io.Writer) error {
	text, err := json.MarshalIndent(s.figures(), "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// WriteHTML writes the page. The page loads no other file and has no scripts.
func (s *Summary) WriteHTML(w io.Writer) error {
	var text bytes.Buffer
	p := page{hypertext.NewWriter(&text)}
	p.figures(s.figures())
	_, err := w.Write(text.Bytes())
	return err
}

// chart is a bar chart with its table.
type chart struct {
	ID, Title, Of string // Of names the things that are counted
	Rows          []row
	Others        int
	About         bool
	Columns       bool // the bars are vertical
}

// row is one bar.
type row struct {
	Label string
	N     int
	Width float64 // per cent of the longest bar
	Bad   bool
}

// newChart returns a chart of rows, and sets their widths.
func newChart(id, title, of string, rows []row) *chart {
	most := 1
	for _, r := range rows {
		most = max(most, r.N)
	}
	for i := range rows {
		rows[i].Width = float64(max(rows[i].N, 0)*1000/most) / 10
	}
	return &chart{ID: id, Title: title, Of: of, Rows: rows}
}

// First and Last are the labels at the ends of a chart with vertical bars.
func (c *chart) First() string { return c.Rows[0].Label }
func (c *chart) Last() string  { return c.Rows[len(c.Rows)-1].Label }

// bad are the names of outcomes and statuses that the page marks as bad.
var bad = []string{"refused", "failed", "unresolved", "invalid", "suspect"}

func bars(id, title string, list []count) *chart {
	var rows []row
	for _, c := range list {
		rows = append(rows, row{Label: c.Name, N: c.N, Bad: slices.Contains(bad, c.Name)})
	}
	return newChart(id, title, "references", rows)
}

func outcomes(id, title, of string, list []Outcome) *chart {
	var rows []row
	for _, o := range list {
		n := o.Inputs
		switch of {
		case "bytes":
			n = int(o.Bytes)
		case "items":
			n = o.Items
		}
		if n > 0 {
			rows = append(rows, row{Label: o.Name, N: n, Bad: slices.Contains(bad, o.Name)})
		}
	}
	return newChart(id, title, of, rows)
}

func hosts(id, title, of string, l List) *chart {
	var rows []row
	for _, g := range l.Groups {
		rows = append(rows, row{Label: g.Text, N: g.N})
	}
	c := newChart(id, title, of, rows)
	c.Others, c.About = l.Others, l.About
	return c
}

func histogram(id, title string, list []bin) *chart {
	var rows []row
	for _, b := range list {
		rows = append(rows, row{Label: b.From, N: b.N})
	}
	c := newChart(id, title, "inputs", rows)
	c.Columns = true
	return c
}

// number writes a number with commas between thousands.
func number(n int) string { return grouped(strconv.Itoa(n)) }

// grouped adds commas between thousands.
func grouped(digits string) string {
	whole, fraction, _ := strings.Cut(digits, ".")
	for i := len(whole) - 3; i > 0 && whole[i-1] != '-'; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if fraction != "" {
		whole += "." + fraction
	}
	return whole
}

// size writes a number of bytes, rounded to a unit such as KiB.
func size(n int64) string {
	if n < 1024 {
		return strconv.FormatInt(n, 10) + " B"
	}
	i := (bits.Len64(uint64(n)) - 1) / 10
	return strconv.FormatFloat(float64(n)/float64(int64(1)<<(10*i)), 'g', 3,
		64) + " " + []string{"", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}[i]
}

// seconds writes a time, rounded to a unit such as ms.
func seconds(s float64) string {
	switch {
	case s < 1e-3:
		return strconv.FormatFloat(s*1e6, 'f', 0, 64) + " µs"
	case s < 1:
		return strconv.FormatFloat(s*1e3, 'g', 3, 64) + " ms"
	case s < 100:
		return strconv.FormatFloat(s, 'g', 3, 64) + " s"
	}
	return grouped(strconv.FormatFloat(s, 'f', 0, 64)) + " s"
}
