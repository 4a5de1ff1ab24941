package rewrite

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"absolink/base"
	"absolink/extract"
	"absolink/mime/document"
	"absolink/resolve/move"
	"absolink/testdata/effort"
)

// The plan leaves out exactly the faulty references, wherever they are and however many.
func TestMisread(t *testing.T) {
	for _, tt := range []struct {
		n    int
		want []int // nil if they are not found
	}{
		{1, []int{1}}, {2, []int{1, 2}}, {100, []int{100}}, {100, []int{1, 50, 51}}, {1 << 20, []int{77_777, 777_777}},
		{400, nil}, // all of them
	} {
		bad := tt.want
		if bad == nil {
			for i := range tt.n {
				bad = append(bad, i+1)
			}
		}
		tries := 0
		isFaulty := misread(tt.n, func(stays func(int) bool) bool {
			tries++
			return !slices.ContainsFunc(bad, func(n int) bool { return !stays(n) })
		})
		if got := faulty(isFaulty, tt.n); !slices.Equal(got, tt.want) {
			t.Errorf("misread of %v among %d: got %v", bad, tt.n, got)
		}
		if tries > maxTries+1 {
			t.Errorf("misread of %d among %d: %d tries, want at most %d", len(bad), tt.n, tries, maxTries)
		}
	}
	isFaulty := misread(3, func(stays func(int) bool) bool { return stays(1) || stays(2) })
	if isFaulty != nil {
		t.Errorf("misread with no single faulty reference: got %v, want none", faulty(isFaulty, 3))
	}
}

// The bisection gives up only after maxTries plans, wherever the faulty references are.
func TestMisreadGivesUp(t *testing.T) {
	found, givenUp := 0, 0
	for n := 100; n <= 300; n += 3 {
		for every := 1; every <= 12; every++ {
			tries := 0
			isFaulty := misread(n, func(stays func(int) bool) bool {
				tries++
				for i := every; i <= n; i += every {
					if !stays(i) {
						return false
					}
				}
				return true
			})
			if isFaulty != nil {
				found++
				continue
			}
			givenUp++
			if tries < maxTries {
				t.Errorf("each reference of %d whose number %d divides is faulty: only %d tries", n, every, tries)
			}
		}
	}
	if found < 100 || givenUp < 100 {
		t.Errorf("found %d times, given up %d times, want 100 of each", found, givenUp)
	}
}

// faulty returns the numbers up to n for which isFaulty returns true, or nil if isFaulty is nil.
func faulty(isFaulty func(n int) bool, n int) (list []int) {
	for i := 1; isFaulty != nil && i <= n; i++ {
		if isFaulty(i) {
			list = append(list, i)
		}
	}
	return list
}

// TestMisreadRest has one faulty reference, and two that are only faulty together.
func TestMisreadRest(t *testing.T) {
	isFaulty := misread(3, func(stays func(int) bool) bool { return stays(1) && (stays(2) || stays(3)) })
	if isFaulty != nil {
		t.Errorf("misread: got %v, want none", faulty(isFaulty, 3))
	}
}

// References that leave names stay, and the others are written.
func TestLeave(t *testing.T) {
	for _, text := range []string{`<a href="x"><a href="y"><a href="z">`,
		"Content-Type: text/html\n\n<a href=\"x\"><a href=\"y\"><a href=\"z\">"} {
		r := new(Rewriter)
		src := &document.Source{Format: extract.HTML, Message: text[0] == 'C',
			At: strings.NewReader(text), Size: int64(len(text)), Data: []byte(text)}
		j := job{r: r, src: src, outer: &base.Layer{Source: base.Option, Value: "http://a.test/"},
			staysAsWritten: func(n int) bool { return n == 2 }}
		p, err := j.plan()
		if err != nil {
			t.Fatal(err)
		}
		if err := r.check(p, nil); err != nil {
			t.Errorf("%q: the plan does not pass: %v", text, err)
		}
		out, err := p.Output()
		if err != nil {
			t.Fatal(err)
		}
		want := strings.NewReplacer(`"x"`, `"http://a.test/x"`, `"z"`, `"http://a.test/z"`).Replace(text)
		if string(out.Data) != want {
			t.Errorf("got %q, want %q", out.Data, want)
		}
		if len(p.Problems) != 1 || p.Problems[0].Kind != Misread ||
			p.Problems[0].Detail != "http://a.test/y" || !p.Problems[0].Minor || p.Problems[0].Column == 0 {
			t.Errorf("%q: problems %+v, want one of http://a.test/y", text, p.Problems)
		}
	}
}

// Mend leaves the references that a check rejects, and nothing if it rejects every plan.
func TestMend(t *testing.T) {
	outer := &base.Layer{Source: base.Option, Value: "http://a.test/"}
	for _, text := range []string{`<a href="x"><a href="y"><a href="z">`,
		"Content-Type: text/html\n\n<a href=\"x\"><a href=\"y\"><a href=\"z\">"} {
		src := &document.Source{Format: extract.HTML, Message: text[0] == 'C',
			At: strings.NewReader(text), Size: int64(len(text)), Data: []byte(text)}
		p, err := new(Rewriter).Plan(src, outer)
		if err != nil {
			t.Fatal(err)
		}
		writes := func(q *Plan, uri string) bool {
			out, err := q.Output()
			return err == nil && strings.Contains(string(out.Data), uri)
		}
		q := p.Mend(func(q *Plan) bool { return !writes(q, "http://a.test/y") })
		if q == nil || !writes(q, `"http://a.test/x"><a href="y"><a href="http://a.test/z"`) {
			t.Errorf("Mend of %q: got %+v, want a plan that leaves only y", text, q)
		}
		if q := p.Mend(func(*Plan) bool { return false }); q != nil {
			t.Errorf("Mend of %q with a check that fails: got a plan, want nil", text)
		}
	}
}

// changing is a file that may change while it is read.
type changing struct {
	text string
	err  error
}

func (c *changing) ReadAt(p []byte, at int64) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	return strings.NewReader(c.text).ReadAt(p, at)
}

// A plan does not pass if its source has changed, or if its source can no longer be read.
func TestChangedSource(t *testing.T) {
	const text = "Content-Type: text/html\n\n<a href=\"x\"><a href=\"y\">"
	broken := errors.New("broken disk")
	for name, change := range map[string]func(c *changing){
		"another link":   func(c *changing) { c.text = strings.Replace(text, `<a href="y"`, `<a name="y"`, 1) },
		"another format": func(c *changing) { c.text = strings.Replace(text, "/html", "/zzzz", 1) },
		"an error":       func(c *changing) { c.err = broken },
	} {
		at := &changing{text: text}
		r := new(Rewriter)
		p, err := r.Plan(&document.Source{Message: true, At: at, Size: int64(len(text))},
			&base.Layer{Source: base.Option, Value: "http://a.test/"})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.check(p, nil); err != nil {
			t.Errorf("before the change the plan does not pass: %v", err)
		}
		change(at)
		if err := r.check(p, nil); err == nil || at.err != nil && !errors.Is(err, at.err) {
			t.Errorf("%s: the plan passes with the error %v", name, err)
		}
	}
}

// alternating is a file with two texts of the same length: each reading of its start switches to
// the other text.
type alternating struct {
	texts [2]string
	reads int
}

func (a *alternating) ReadAt(p []byte, at int64) (int, error) {
	if at == 0 {
		a.reads++
	}
	return strings.NewReader(a.texts[a.reads%2]).ReadAt(p, at)
}

// A source whose output is never read back as planned stays unchanged, with the reason.
func TestRefused(t *testing.T) {
	text := "Content-Type: text/html\n\n" + strings.Repeat(`<a href="x">`, 2*maxTries)
	at := &alternating{reads: 1, texts: [2]string{text, strings.ReplaceAll(text, "a href", "i href")}}
	src := &document.Source{Message: true, At: at, Size: int64(len(text)), Origin: 7}
	r := new(Rewriter)
	p, err := r.planVerified(src, &base.Layer{Source: base.Option, Value: "http://a.test/"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if p.Edited() || p.WhyUnchanged != Unsafe || p.References != 0 {
		t.Errorf("verified: got %d references, kept %q, want no edits and %q", p.References, p.WhyUnchanged, Unsafe)
	}
	if len(p.Problems) != 1 || p.Problems[0].Kind != Unsafe || p.Problems[0].Offset != 7 ||
		!strings.Contains(p.Problems[0].Detail, "link") {
		t.Errorf("verified: got problems %+v, want one at 7 that names the reference", p.Problems)
	}
}

// TestEveryPlace moves documents with every construct to addresses that some places cannot hold. In
// every form, the output is read back as planned.
func TestEveryPlace(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/torture/*")
	if err != nil || len(paths) < 15 {
		t.Fatalf("the documents are %q, %v, want at least 15", paths, err)
	}
	odds := []string{"a", "url=", ",", ",,b,", ";", "'", "it's", "(", ")", "*", "*a", "-", "a--b", "x:y", "$",
		"|", "^", "~", "=", "&", "&amp;", "%2C", "%25", "!", "@", "%22", "..a", "a,b;c", "Node.js", "a%2A%2F"}
	forms := []move.Form{move.Absolute, move.RootRelative, move.Relative, move.AsWritten}
	n := 0
	for i, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		format := extract.Detect(data, path)
		for j, odd := range odds {
			for k, form := range forms {
				if !effort.Whole() && (i+j)%(2*len(forms)) != k {
					continue // each form is done with each document and with each address
				}
				var s move.Site
				s.Form = form
				for _, rule := range [][2]string{{"http://a.test/dir/", "https://b.test/" + odd},
					{"http://a.test/dir/page.html", "https://b.test/page.html"}, {"http://a.test/",
						"https://b.test/" + odd + "/" + odd}} {
					if err := s.Map.Add(rule[0], rule[1]); err != nil {
						t.Fatal(err)
					}
				}
				s.Include("https://b.test/")
				r := &Rewriter{Site: &s}
				r.Options.Read = extract.Options{Lazy: true, Scripts: true, Comments: true}
				src := &document.Source{Format: format,
					At: strings.NewReader(string(data)), Size: int64(len(data)), Data: data}
				p, err := r.Plan(src, &base.Layer{Source: base.Option, Value: "http://a.test/dir/page.html"})
				if err != nil {
					t.Fatal(err)
				}
				if err := r.check(p, nil); err != nil {
					t.Errorf("%s to %q, %v: %v", filepath.Base(path), odd, form, err)
				}
				n += p.References
			}
		}
	}
	if want := effort.Pick(50_000, 6_000); n < want {
		t.Errorf("%d references were written, want at least %d", n, want)
	}
	t.Logf("%d references", n)
}

// If the output is as planned although all references are edited, no reference is the cause.
func TestMisreadWithoutCause(t *testing.T) {
	tries := 0
	always := func(func(int) bool) bool {
		tries++
		return true
	}
	if misread(3, always) != nil || tries != 1 {
		t.Errorf("misread of an output that is as planned: got faulty references, or %d tries, want 1", tries)
	}
}
