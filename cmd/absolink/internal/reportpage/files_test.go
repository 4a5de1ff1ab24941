package reportpage_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/reportpage"
)

// list is a list of groups, as the JSON has it.
type list struct {
	Groups []struct {
		Text   string
		Number int
		Places []string
	}
	Others int
	About  bool
}

// summed is the part of the JSON that these tests read.
type summed struct {
	Lines          int
	Inputs         int
	ProblemsByText list `json:"problems_by_text"`
	Reasons        list
	LinkHosts      list `json:"link_hosts"`
	Slowest        []struct{ Source string }
	Largest        []struct{ Source string }
}

// sum returns the JSON of a summary.
func sum(t *testing.T, s *reportpage.Summary) summed {
	t.Helper()
	var out bytes.Buffer
	var got summed
	if err := errors.Join(s.WriteJSON(&out), json.Unmarshal(out.Bytes(), &got)); err != nil {
		t.Fatal(err)
	}
	return got
}

// read reads lines, none of which may be bad.
func read(t *testing.T, s *reportpage.Summary, lines ...string) {
	t.Helper()
	bad := func(n int, err error) { t.Errorf("line %d: %v", n, err) }
	if err := s.AddReport(strings.NewReader(strings.Join(lines, "\n")), bad); err != nil {
		t.Fatal(err)
	}
}

func skipped(source, reason string) string {
	return fmt.Sprintf(`{"source":%q,"outcome":"skipped","reason":%q}`, source, reason)
}

// The most frequent texts are shown with their first places, and the others are counted.
func TestGroups(t *testing.T) {
	var s reportpage.Summary
	var lines []string
	for i := range 60 {
		for n := range 60 - i {
			lines = append(lines, skipped(fmt.Sprintf("f%d", n), fmt.Sprintf("why %02d", i)))
		}
	}
	read(t, &s, lines...)
	got := sum(t, &s).Reasons
	shown := 0
	for i, g := range got.Groups {
		shown += g.Number
		if g.Text != fmt.Sprintf("skipped: why %02d", i) || g.Number != 60-i {
			t.Errorf("group %d is %q, %d times; want why %02d, %d times", i, g.Text, g.Number, i, 60-i)
		}
		if !slices.Equal(g.Places, []string{"f0", "f1", "f2"}) {
			t.Errorf("group %d has the places %q, want the first three", i, g.Places)
		}
	}
	if len(got.Groups) != 50 || shown+got.Others != len(lines) || got.About {
		t.Errorf("got %d groups and %d others, want 50 and %d in all", len(got.Groups), got.Others, len(lines))
	}
}

// Of too many different texts the rarest are forgotten. Their sum stays.
func TestForgotten(t *testing.T) {
	var s reportpage.Summary
	var lines []string
	for i := range 12000 {
		lines = append(lines, skipped("f", fmt.Sprintf("why %05d", i)))
		if i%100 == 0 {
			lines = append(lines, skipped("f", "often"))
		}
	}
	read(t, &s, lines...)
	got := sum(t, &s).Reasons
	total := got.Others
	for _, g := range got.Groups {
		total += g.Number
	}
	if total != len(lines) || !got.About || got.Groups[0].Text != "skipped: often" || got.Groups[0].Number != 120 {
		t.Errorf("got %d of %d, about %v, and first %+v; want all, and often 120 times",
			total, len(lines), got.About, got.Groups[0])
	}
}

// The order of reports does not matter for the sums.
func TestOrder(t *testing.T) {
	var reports []string
	for i := range 30 {
		reports = append(reports, fmt.Sprintf(`{"source":"f%02d","outcome":"listed","bytes":%d,"seconds":%d,`+
			`"problems":[{"line":1,"text":"p%d"}]}`, i, i*1000, 30-i, i%3))
	}
	var first, second reportpage.Summary
	read(t, &first, reports...)
	slices.Reverse(reports)
	for _, line := range reports {
		read(t, &second, line)
	}
	a, b := sum(t, &first), sum(t, &second)
	for i, g := range a.ProblemsByText.Groups {
		if o := b.ProblemsByText.Groups[i]; g.Text != o.Text || g.Number != 10 || o.Number != 10 {
			t.Errorf("group %d is %+v, and %+v in another order", i, g, o)
		}
	}
	if !slices.Equal(a.Slowest, b.Slowest) || !slices.Equal(a.Largest, b.Largest) || a.Inputs != b.Inputs {
		t.Errorf("the sums are %+v, and %+v in another order", a, b)
	}
	if a.Slowest[0].Source != "f00" || a.Largest[0].Source != "f29" {
		t.Errorf("the slowest input is %v, the largest %v; want f00 and f29", a.Slowest[0], a.Largest[0])
	}
}

// Files and lines that cannot be read are named and left out. After ten lines only their number is.
func TestFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"good": skipped("a", "x") + "\n", "bad": strings.Repeat("no\n", 13),
		"links": `{"source":"p","status":"resolved","uri":"http://h.test/"}` + "\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var said []string
	f := reportpage.Files{Stdin: strings.NewReader(skipped("b", "x")),
		Warn: func(format string, a ...any) { said = append(said, fmt.Sprintf(format, a...)) }}
	f.ReadReports(t.Context(), []string{"good", "-"})
	f.ReadRecords(t.Context(), []string{"links"})
	if f.Incomplete || len(said) != 0 {
		t.Errorf("of good files: got incomplete %v and %q", f.Incomplete, said)
	}
	if got := sum(t, &f.Summary); got.Inputs != 2 || got.LinkHosts.Groups[0].Text != "h.test" || f.LinkRecords != 1 {
		t.Errorf("got %+v, want two inputs and the host of one link", got)
	}
	f.ReadReports(t.Context(), []string{"bad"})
	if len(said) != 11 || !strings.HasPrefix(said[9], "bad: line 10 ") || !strings.HasPrefix(said[10], "bad: 3 more") {
		t.Errorf("of 13 bad lines: got %q, want ten lines and the number of the others", said)
	}
	f.Incomplete, said = false, nil
	f.ReadReports(t.Context(), []string{"missing"})
	if !f.Incomplete || len(said) != 1 || !strings.HasPrefix(said[0], "missing: ") {
		t.Errorf("of a missing file: got incomplete %v and %q", f.Incomplete, said)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f.Incomplete, said = false, nil
	f.Stdin = strings.NewReader("no\n")
	f.ReadReports(ctx, []string{"-"})
	if f.Incomplete || len(said) != 0 {
		t.Errorf("after an interrupt: got incomplete %v and %q, want nothing", f.Incomplete, said)
	}
}
