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

// count is a name, such as a status, with the number of references.
type count struct {
	Name string `json:"name"`
	N    int    `json:"number"`
}

// bin is a bar of a histogram: the number of inputs whose size or time is at least Min and below
// Max.
type bin struct {
	Label string  `json:"-"` // Min with its unit
	Min   float64 `json:"from"`
	Max   float64 `json:"below"`
	N     int     `json:"inputs"`
}

// figures has the numbers and lists that the page and the JSON show.
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

// figures returns the numbers, and the lists in the order of the page.
func (s *Summary) figures() *figures {
	f := &figures{Numbers: s.Numbers, LinkRecords: s.LinkRecords, Outcomes: []Outcome{},
		Statuses: sortedCounts(s.statuses), Kinds: sortedCounts(s.kinds), Layers: sortedCounts(s.layers),
		BaseHosts: s.baseHosts.list(), LinkHosts: s.linkHosts.list(),
		Wrong: s.problems.list(), Reasons: s.reasons.list(),
		Slowest: s.slowest.inputs(), Largest: s.largest.inputs(),
		Sizes: bins(&s.sizes, 1, func(n int64) string { return formatSize(n) }),
		Times: bins(&s.times, 1e-6, func(n int64) string { return formatSeconds(float64(n) / 1e6) })}
	for _, o := range s.outcomes {
		f.Outcomes = append(f.Outcomes, *o)
	}
	slices.SortFunc(f.Outcomes, func(a, b Outcome) int { return strings.Compare(a.Name, b.Name) })
	slices.SortStableFunc(f.Outcomes, func(a, b Outcome) int { return b.Inputs + b.Items - a.Inputs - a.Items })
	return f
}

// sortedCounts returns the names of m with their numbers, the largest first.
func sortedCounts(m map[string]int) []count {
	list := []count{}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		list = append(list, count{printable(name), m[name]})
	}
	slices.SortStableFunc(list, func(a, b count) int { return b.N - a.N })
	return list
}

// inputs returns the inputs with a weight above zero, the heaviest first.
func (h heaviest) inputs() []Input {
	list := []Input{}
	for _, w := range h {
		if w.weight > 0 {
			list = append(list, w.Input)
		}
	}
	return list
}

// bins returns the bins from the first to the last non-empty bin. inputCounts has the number of
// inputs for each power of two. unit is the value of one unit of these powers, and label formats
// the start of a bin.
func bins(inputCounts *[64]int, unit float64, label func(int64) string) []bin {
	list := []bin{}
	for i, inputs := range inputCounts {
		from := int64(1) << i
		if i == 0 {
			from = 0
		}
		list = append(list, bin{label(from), float64(from) * unit, float64(uint64(2)<<i) * unit, inputs})
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
	p.write(s.figures())
	_, err := w.Write(text.Bytes())
	return err
}

// chart is a bar chart with its table.
type chart struct {
	ID, Title, Unit string // Unit names the counted things, such as "references"
	Rows            []row
	Others          int  // sum of the numbers that have no row
	Approximate     bool // numbers may be too small, see List
	Vertical        bool // the bars are vertical
}

// row is a bar of a chart, and a row of its table.
type row struct {
	Label string
	N     int
	Width float64 // per cent of the longest bar
	Bad   bool
}

// newChart returns a chart of rows, and sets their widths. of is its Unit.
func newChart(id, title, of string, rows []row) *chart {
	longest := 1
	for _, r := range rows {
		longest = max(longest, r.N)
	}
	for i := range rows {
		rows[i].Width = float64(max(rows[i].N, 0)*1000/longest) / 10
	}
	return &chart{ID: id, Title: title, Unit: of, Rows: rows}
}

// First returns the label of the first bar, and Last the label of the last bar.
func (c *chart) First() string { return c.Rows[0].Label }
func (c *chart) Last() string  { return c.Rows[len(c.Rows)-1].Label }

// badNames are the outcomes and statuses that the page marks as bad.
var badNames = []string{"refused", "failed", "unresolved", "invalid", "suspect"}

func countChart(id, title string, list []count) *chart {
	var rows []row
	for _, c := range list {
		rows = append(rows, row{Label: c.Name, N: c.N, Bad: slices.Contains(badNames, c.Name)})
	}
	return newChart(id, title, "links", rows)
}

func outcomeChart(id, title, of string, list []Outcome) *chart {
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
			rows = append(rows, row{Label: o.Name, N: n, Bad: slices.Contains(badNames, o.Name)})
		}
	}
	return newChart(id, title, of, rows)
}

func hostChart(id, title, of string, l List) *chart {
	var rows []row
	for _, g := range l.Groups {
		rows = append(rows, row{Label: g.Text, N: g.N})
	}
	c := newChart(id, title, of, rows)
	c.Others, c.Approximate = l.Others, l.Approximate
	return c
}

func histogram(id, title string, list []bin) *chart {
	var rows []row
	for _, b := range list {
		rows = append(rows, row{Label: b.Label, N: b.N})
	}
	c := newChart(id, title, "inputs", rows)
	c.Vertical = true
	return c
}

// formatNumber returns n with commas between thousands.
func formatNumber(n int) string { return groupThousands(strconv.Itoa(n)) }

// groupThousands returns a number with commas between thousands.
func groupThousands(digits string) string {
	whole, fraction, _ := strings.Cut(digits, ".")
	for i := len(whole) - 3; i > 0 && whole[i-1] != '-'; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if fraction != "" {
		whole += "." + fraction
	}
	return whole
}

// formatSize returns a number of bytes, rounded to a unit such as KiB.
func formatSize(n int64) string {
	if n < 1024 {
		return strconv.FormatInt(n, 10) + " B"
	}
	i := (bits.Len64(uint64(n)) - 1) / 10
	return strconv.FormatFloat(float64(n)/float64(int64(1)<<(10*i)), 'g', 3,
		64) + " " + []string{"", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}[i]
}

// formatSeconds returns a time, rounded to a unit such as ms.
func formatSeconds(s float64) string {
	switch {
	case s < 1e-3:
		return strconv.FormatFloat(s*1e6, 'f', 0, 64) + " µs"
	case s < 1:
		return strconv.FormatFloat(s*1e3, 'g', 3, 64) + " ms"
	case s < 100:
		return strconv.FormatFloat(s, 'g', 3, 64) + " s"
	}
	return groupThousands(strconv.FormatFloat(s, 'f', 0, 64)) + " s"
}
