package rewrite_test

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"absolink/base"
	"absolink/extract"
	"absolink/mime"
	"absolink/mime/document"
	"absolink/mime/mbox"
	"absolink/mime/rewrite"
	"absolink/resolve/move"
	"absolink/testdata/interrupt"
)

// source returns text as a page, or as a message if it begins with header fields.
func source(text string) *document.Source {
	src := &document.Source{At: strings.NewReader(text), Size: int64(len(text)), Data: []byte(text)}
	src.Message = !strings.HasPrefix(text, "<")
	if !src.Message {
		src.Format = extract.HTML
	}
	return src
}

var outer = &base.Layer{Source: base.Option, Value: "http://a.test/d/p"}

func plan(t *testing.T, r *rewrite.Rewriter, text string) *rewrite.Plan {
	t.Helper()
	p, err := r.Plan(source(text), outer)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// planAt returns the plan of a source that was retrieved from uri.
func planAt(t *testing.T, r *rewrite.Rewriter, text, uri string) *rewrite.Plan {
	t.Helper()
	p, err := r.Plan(source(text), &base.Layer{Source: base.URL, Value: uri})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// addRule adds a rule to a site, and returns the site.
func addRule(t *testing.T, site *move.Site, from, to string) *move.Site {
	t.Helper()
	if err := site.Map.Add(from, to); err != nil {
		t.Fatal(err)
	}
	return site
}

// visited returns a plan whose documents visit visits.
func visited(t *testing.T, r *rewrite.Rewriter, text string,
	visit func(p *rewrite.Plan, d *document.Document, links iter.Seq[*rewrite.Link])) *rewrite.Plan {
	t.Helper()
	p, err := r.Visit(source(text), outer,
		func(p *rewrite.Plan, d *document.Document, links iter.Seq[*rewrite.Link]) error {
			visit(p, d, links)
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// result returns the verified output of p.
func result(t *testing.T, r *rewrite.Rewriter, p *rewrite.Plan) string {
	t.Helper()
	out, err := p.Output()
	if err == nil {
		err = r.Verify(p, out)
	}
	if err != nil {
		t.Fatalf("Result and Verify: %v", err)
	}
	return string(out.Data)
}

const (
	html   = "Content-Type: text/html\n\n"
	signed = "Content-Type: multipart/signed; boundary=b; protocol=x; micalg=y\n\n--b\n" +
		html + "<a href=x>\n--b\nContent-Type: application/pgp-signature\n\nsig\n--b--\n"
	dkim      = "DKIM-Signature: v=1\n" + html + "<a href=x>\n"
	utf7      = "Content-Type: text/html; charset=utf-7\n\n"
	unknown   = "Content-Type: text/html; charset=x-foo\n\n"
	ascii     = "Content-Type: text/html; charset=us-ascii\n\n"
	undecoded = "Content-Type: text/html\nContent-Transfer-Encoding: unheard\n\n<a href=x>\n"
)

func TestPlan(t *testing.T) {
	moved := addRule(t, new(move.Site), "http://b.test/", "http://c.test/")
	tests := []struct {
		name       string
		r          rewrite.Rewriter
		text, want string // "" means unchanged
		references int
		problems   []string // kind and detail
		kept       extract.Defect
	}{
		{"a page", rewrite.Rewriter{}, "<a href=x><a href=http://b.test/>",
			"<a href=http://a.test/d/x><a href=http://b.test/>", 1, nil, ""},
		{"no reference", rewrite.Rewriter{}, "<p>", "", 0, nil, ""},
		{"an empty page", rewrite.Rewriter{}, "<", "", 0, nil, ""},
		{"a message", rewrite.Rewriter{}, html + "<a href=x>", html + "<a href=http://a.test/d/x>", 1, nil, ""},
		{"BASE goes", rewrite.Rewriter{Resolver: extract.Resolver{BaseElement: extract.DropBase}},
			"<base href=/e/><a href=x>", "<base ><a href=http://a.test/e/x>", 2, nil, ""},
		{"signed", rewrite.Rewriter{}, signed, "", 0, []string{"protected signed"}, ""},
		{"signed, and broken", rewrite.Rewriter{BreakSignatures: true}, signed,
			strings.Replace(signed, "=x>", "=http://a.test/d/x>", 1), 1, nil, ""},
		{"DKIM", rewrite.Rewriter{}, dkim, strings.Replace(dkim, "=x>", "=http://a.test/d/x>", 1), 1, nil, ""},
		{"DKIM that is kept", rewrite.Rewriter{KeepDKIM: true}, dkim, "", 0, nil, rewrite.DKIM},
		{"bytes that US-ASCII does not have", rewrite.Rewriter{},
			ascii + "<a href=x\xc3\xa9><a href=x>\xe9",
			ascii + "<a href=x\xc3\xa9><a href=http://a.test/d/x>\xe9", 1, nil, ""},
		{"an unknown encoding", rewrite.Rewriter{}, undecoded, "", 0,
			[]string{`unread unknown transfer encoding "unheard"`}, ""},
		{"a charset that is only read", rewrite.Rewriter{},
			utf7 + "<a href=x><a href=http://b.test/>", "", 0, []string{"unwritten utf-7"}, ""},
		{"a charset that is only read, where nothing would change", rewrite.Rewriter{},
			utf7 + "<base href=/><a href=http://b.test/>", "", 0, nil, ""},
		{"a charset that is only read, and a map", rewrite.Rewriter{Site: moved},
			utf7 + "<a href=http://b.test/>", "", 0, []string{"unwritten utf-7"}, ""},
		{"a charset that is only read, and BASE goes",
			rewrite.Rewriter{Resolver: extract.Resolver{BaseElement: extract.DropBase}}, utf7 +
				"<base href=/><a href=#x>", "", 0, nil, ""},
		{"a charset that is not known", rewrite.Rewriter{}, unknown + "<a href=x\xe9><a href=x>\xe9",
			unknown + "<a href=x\xe9><a href=http://a.test/d/x>\xe9", 1, []string{"unknown-charset x-foo"}, ""},
		{"a charset that is not known, and a map", rewrite.Rewriter{Site: moved},
			unknown + "<a href=http://b.test/\xe9><a href=http://b.test/x>", unknown +
				"<a href=http://b.test/\xe9><a href=http://c.test/x>", 1, []string{"unknown-charset x-foo"}, ""},
		{"too large", rewrite.Rewriter{MaxNewBytes: 33}, "<a href=x><a href=y>", "", 0, []string{"too-large "}, ""},
		{"as large as it may be", rewrite.Rewriter{MaxNewBytes: 34}, "<a href=x><a href=y>",
			"<a href=http://a.test/d/x><a href=http://a.test/d/y>", 2, nil, ""},
		{"a line of a boundary", rewrite.Rewriter{},
			"Content-Type: multipart/mixed; boundary=\"http://a.test/d\"\n\n--http://a.test/d\n" +
				html + "<a href=\n--x>\n--http://a.test/d--\n",
			"Content-Type: multipart/mixed; boundary=\"http://a.test/d\"\n\n--http://a.test/d\n" +
				html + "<a href=\nhttp://a.test/d/--x>\n--http://a.test/d--\n", 1, nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := plan(t, &tt.r, tt.text)
			want := tt.want
			if want == "" {
				want = tt.text
			}
			if got := result(t, &tt.r, p); got != want {
				t.Errorf("Result: got %q, want %q", got, want)
			}
			var written bytes.Buffer
			if err := p.Write(&written); err != nil || written.String() != want {
				t.Errorf("Write: got %q and error %v, want %q", written.String(), err, want)
			}
			var problems []string
			for _, p := range p.Problems {
				problems = append(problems, string(p.Kind)+" "+p.Detail)
			}
			if !slices.Equal(problems, tt.problems) {
				t.Errorf("Problems: got %q, want %q", problems, tt.problems)
			}
			if p.References != tt.references || p.WhyUnchanged != tt.kept || p.Edited() != (tt.want != "") {
				t.Errorf("plan: got %d references, kept for %q, edited %v, want %d, %q, %v",
					p.References, p.WhyUnchanged, p.Edited(), tt.references, tt.kept, tt.want != "")
			}
		})
	}
}

// The edits of a plan are exactly the differences between its output and its source.
func TestEdits(t *testing.T) {
	for _, text := range []string{"<a href=x><a href=y>", html + "<a href=x><a href=y>"} {
		var r rewrite.Rewriter
		p := plan(t, &r, text)
		var got []byte
		at := int64(0)
		for e := range p.Edits() {
			got = append(append(got, text[at:e.Start]...), e.New...)
			at = e.End
		}
		got = append(got, text[at:]...)
		for e := range p.Edits() {
			if first := int64(strings.Index(text, "x>")); e.Start > first {
				t.Errorf("the first edit of %q is at %d, want %d", text, e.Start, first)
			}
			break
		}
		if want := result(t, &r, p); string(got) != want {
			t.Errorf("Edits of %q: got %q, want %q", text, got, want)
		}
	}
}

// A part that stays, because of a signature or of too many edits, does not keep other parts from
// being edited. The verification expects the kept part as it was.
func TestKeptPart(t *testing.T) {
	const link = "<a href=x><style>a{b:url(y)}</style>"
	parts := func(kept, edited string) string {
		return "Content-Type: multipart/mixed; boundary=a\n\n--a\n" + kept + "\n--a\n" + html + edited + "\n--a--\n"
	}
	long := html + strings.Repeat(link, 3)
	signed := strings.Replace(signed, "<a href=x>", link, 1)
	edited := strings.NewReplacer("=x", "=http://a.test/d/x", "(y)", "(http://a.test/d/y)").Replace(link)
	for name, tt := range map[string]struct {
		r    rewrite.Rewriter
		kept string
	}{
		"signed":    {rewrite.Rewriter{}, signed},
		"too large": {rewrite.Rewriter{MaxNewBytes: 34}, long},
	} {
		p := plan(t, &tt.r, parts(tt.kept, link))
		want := parts(tt.kept, edited)
		if got := result(t, &tt.r, p); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
		if len(p.Problems) != 1 || p.Problems[0].Part != "1" && p.Problems[0].Part != "1.1" {
			t.Errorf("%s: got problems %+v, want one of part 1", name, p.Problems)
		}
		for cut, by := range map[string]string{"href=x": "href=z", "(y)": "(z)", "</style>": "</stile>"} {
			if err := tt.r.Verify(p, source(strings.Replace(want, cut, by, 1))); err == nil {
				t.Errorf("%s: Verify of an output with %s instead of %s: got no error", name, by, cut)
			}
		}
	}
}

// A message with too many parts has no edits, and the plan says why.
func TestTooManyParts(t *testing.T) {
	text := "Content-Type: multipart/mixed; boundary=b\n\n" + strings.Repeat("--b\n"+html+"<a href=x>\n", 3) + "--b--\n"
	for parts, edited := range map[int]bool{2: false, 10: true} {
		r := &rewrite.Rewriter{Options: document.Options{Limits: mime.Limits{Parts: parts}}}
		p := plan(t, r, text)
		if p.Edited() != edited || (p.WhyUnchanged == rewrite.Unsafe) == edited || (p.References == 0) == edited {
			t.Errorf("at most %d parts: got %d references, kept %q, want an edit: %v",
				parts, p.References, p.WhyUnchanged, edited)
		}
		unsafe := slices.ContainsFunc(p.Problems, func(p document.Problem) bool {
			return p.Kind == rewrite.Unsafe && strings.Contains(p.Detail, "more than 2 parts")
		})
		if unsafe == edited {
			t.Errorf("at most %d parts: got the problems %+v, want the reason: %v", parts, p.Problems, !edited)
		}
		if got := result(t, r, p); got != text && !edited {
			t.Errorf("at most %d parts: got %q, want the message as it was", parts, got)
		}
	}
}

// The links of a document without a place in the site are absolute.
func TestLocate(t *testing.T) {
	s := move.Site{Form: move.Relative}
	s.Include("http://a.test/")
	const relative, absolute = `<a href="../x">`, `<a href="http://a.test/x">`
	own := func(*document.Document) (*move.Page, error) { return s.Page("http://a.test/d/p") }
	other := func(*document.Document) (*move.Page, error) { return s.Page("http://a.test/e/f/p") }
	for name, tt := range map[string]struct {
		locate func(*document.Document) (*move.Page, error)
		want   string
	}{
		"its retrieval URI": {nil, relative},
		"its own place":     {own, relative},
		"another place":     {other, `<a href="../../x">`},
		"no place":          {func(*document.Document) (*move.Page, error) { return nil, nil }, absolute},
		"an error": {func(*document.Document) (*move.Page, error) {
			page, _ := s.Page("http://a.test/d/p")
			return page, io.ErrUnexpectedEOF
		}, absolute},
	} {
		r := &rewrite.Rewriter{Site: &s, Locate: tt.locate}
		if got := result(t, r, plan(t, r, absolute)); got != tt.want {
			t.Errorf("%s: got %s, want %s", name, got, tt.want)
		}
	}
}

// A comma at the end of a candidate of a srcset is escaped, since a parser would cut it off.
func TestCommaOfCandidate(t *testing.T) {
	s := addRule(t, new(move.Site), "http://a.test/x", "http://b.test/y,")
	r := &rewrite.Rewriter{Site: s}
	const in = `<img srcset="http://a.test/x 1x, http://a.test/z 2x"><a href="http://a.test/x">`
	const want = `<img srcset="http://b.test/y%2C 1x, http://a.test/z 2x"><a href="http://b.test/y,">`
	if got := result(t, r, plan(t, r, in)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A link that moves to the URI of another part then leads to that part.
func TestMovesToPart(t *testing.T) {
	const text = "Content-Type: multipart/related; boundary=b\n\n--b\n" + html + "<img src=\"http://old.test/p\">" +
		"\n--b\nContent-Type: image/png\nContent-Location: http://new.test/p\n\npng\n--b--\n"
	s := addRule(t, new(move.Site), "http://old.test/", "http://new.test/")
	r := &rewrite.Rewriter{Site: s}
	if got, want := result(t, r, plan(t, r, text)), strings.Replace(text, "old", "new", 1); got != want {
		t.Errorf("Result: got %q, want %q", got, want)
	}
}

// A caller sees each link once, in order, and may set Keep.
func TestKeep(t *testing.T) {
	const text = "Content-Type: multipart/mixed; boundary=b\n\n--b\n" + html +
		"<a href=1><a href=2>\n--b\n" + html + "<a href=3><a href=4>\n--b--\n"
	var r rewrite.Rewriter
	var values, parts []string
	p := visited(t, &r, text, func(p *rewrite.Plan, d *document.Document, links iter.Seq[*rewrite.Link]) {
		parts = append(parts, d.Section())
		for l := range links {
			values = append(values, string(l.Value))
			l.Keep = string(l.Value) == "1" || string(l.Value) == "4"
		}
		if n := len(slices.Collect(p.DocumentEdits())); n != 1 {
			t.Errorf("part %s: got %d edits, want 1", d.Section(), n)
		}
	})
	if got, want := strings.Join(values, "")+" "+strings.Join(parts, ""), "1234 12"; got != want {
		t.Errorf("links and parts: got %q, want %q", got, want)
	}
	want := strings.NewReplacer("href=2", "href=http://a.test/d/2", "href=3", "href=http://a.test/d/3").Replace(text)
	if got := result(t, &r, p); got != want {
		t.Errorf("Result: got %q, want %q", got, want)
	}
}

// Links are planned even if the caller stops ranging over them.
func TestLeftEarly(t *testing.T) {
	const text = "Content-Type: multipart/mixed; boundary=b\n\n--b\n" +
		html + "<a href=1><a href=2>\n--b\n" + html + "<a href=3>\n--b--\n"
	var r rewrite.Rewriter
	p := visited(t, &r, text, func(_ *rewrite.Plan, _ *document.Document, links iter.Seq[*rewrite.Link]) {
		for range links {
			break
		}
	})
	if p.References != 3 {
		t.Errorf("links left early: got %d references, want 3", p.References)
	}
	p = visited(t, &r, text, func(*rewrite.Plan, *document.Document, iter.Seq[*rewrite.Link]) {})
	if p.References != 3 {
		t.Errorf("links over which nobody ranges: got %d references, want 3", p.References)
	}
}

// An error of visit ends the plan.
func TestVisitError(t *testing.T) {
	const text = "Content-Type: multipart/mixed; boundary=b\n\n--b\n" +
		html + "<a href=1>\n--b\n" + html + "<a href=3>\n--b--\n"
	var r rewrite.Rewriter
	calls := 0
	p, err := r.Visit(source(text), outer,
		func(*rewrite.Plan, *document.Document, iter.Seq[*rewrite.Link]) error {
			calls++
			return io.ErrShortWrite
		})
	if p != nil || err != io.ErrShortWrite || calls != 1 {
		t.Errorf("Visit: got %v, %v after %d documents, want the error of the first", p, err, calls)
	}
}

// A site moves: links lead to its new place, in its form, and the BASE is dropped.
func TestMoving(t *testing.T) {
	site := addRule(t, &move.Site{Form: move.Relative}, "http://a.test/", "http://b.test/new/")
	site.Include("http://b.test/new/")
	r := rewrite.Rewriter{Site: site}
	for text, want := range map[string]string{
		`<a href="/q">`:                              `<a href="../q">`,
		`<a href="x">`:                               `<a href="x">`,
		`<a href="http://a.test/d/#f">`:              `<a href="./#f">`,
		`<a href="http://c.test/">`:                  `<a href="http://c.test/">`,
		`<base href="http://a.test/e/"><a href="x">`: `<base ><a href="../e/x">`,
		html + `<a href="/q">`:                       html + `<a href="http://b.test/new/q">`,
	} {
		if got := result(t, &r, plan(t, &r, text)); got != want {
			t.Errorf("moved %q: got %q, want %q", text, got, want)
		}
	}
	if r.Resolver.BaseElement != extract.KeepBase {
		t.Errorf("BaseElement after the plans: got %v, want it as it was", r.Resolver.BaseElement)
	}
}

// The form of a site applies to the links that can have it.
func TestForms(t *testing.T) {
	const html = `<link rel=canonical href="p"><meta property="og:url" content="/d/p"><a href="/x">1</a><a href="http://b.test/">2</a>`
	const based = `<base href="/d/e/"><a href="x">1</a><img src="y">`
	files := map[string]string{"http://a.test/d/p": "disk:///d/p.html",
		"http://a.test/x": "disk:///x/index.html", "http://a.test/d/e/x": "disk:///d/e/x.html"}
	const codebase = `<applet codebase="/x" archive="a.jar,b.jar"></applet><applet codebase="/x/" archive=a.jar></applet><applet codebase="/d/e/x"></applet><a href="/x">1</a>`
	directories := map[string]string{"http://a.test/x": "disk:///x", "http://a.test/x/": "disk:///x/"}
	files["http://a.test/x/a.jar"] = "disk:///x/a.jar"
	tests := []struct {
		name       string
		form       move.Form
		depth      bool
		choose     bool // links of A only
		absolute   bool // links of LINK and META are absolute
		html, want string
	}{
		{"relative", move.Relative, false, false, false, html,
			`<link rel=canonical href="p"><meta property="og:url" content="http://a.test/d/p"><a href="../x">1</a><a href="http://b.test/">2</a>`},
		{"some stay absolute", move.Relative, false, false, true, html,
			`<link rel=canonical href="http://a.test/d/p"><meta property="og:url" content="http://a.test/d/p"><a href="../x">1</a><a href="http://b.test/">2</a>`},
		{"at any depth", move.Relative, true, false, false, html,
			`<link rel=canonical href="/d/p"><meta property="og:url" content="http://a.test/d/p"><a href="/x">1</a><a href="http://b.test/">2</a>`},
		{"on a disk", move.Disk, false, false, true, html,
			`<link rel=canonical href="http://a.test/d/p"><meta property="og:url" content="http://a.test/d/p"><a href="../x/index.html">1</a><a href="http://b.test/">2</a>`},
		{"BASE goes", move.Disk, false, false, false, based,
			`<base ><a href="e/x.html">1</a><img src="http://a.test/d/e/y">`},
		{"directories", move.Disk, false, false, false, codebase,
			`<applet codebase="../x" archive="a.jar,http://a.test/b.jar"></applet><applet codebase="../x/" archive=a.jar></applet><applet codebase="e/x.html"></applet><a href="../x/index.html">1</a>`},
		{"directories on a server", move.Relative, false, false, false, codebase,
			`<applet codebase="../x" archive="http://a.test/a.jar,http://a.test/b.jar"></applet><applet codebase="../x/" archive=http://a.test/x/a.jar></applet><applet codebase="e/x"></applet><a href="../x">1</a>`},
		{"BASE stays where links are chosen", move.Relative, false, true, false, based,
			`<base href="/d/e/"><a href="http://a.test/d/e/x">1</a><img src="y">`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := move.Site{Form: tt.form, File: func(uri string) string { return files[uri] },
				Directory: func(uri string) string { return directories[uri] }}
			s.Include("http://a.test/")
			r := &rewrite.Rewriter{Site: &s}
			r.Locate = func(d *document.Document) (*move.Page, error) {
				page, err := s.Page(d.Layer.Retrieval(nil))
				switch {
				case err != nil:
					return nil, err
				case tt.depth:
					page.Form = move.RootRelative
				case tt.choose && d.Base() != d.Layer:
					page.Form = move.Absolute
				}
				return page, nil
			}
			p := visited(t, r, tt.html, func(_ *rewrite.Plan, _ *document.Document, links iter.Seq[*rewrite.Link]) {
				for l := range links {
					l.Absolute = tt.absolute && l.Element != "a"
					l.Keep = tt.choose && l.Element != "a"
				}
			})
			if got := result(t, r, p); got != tt.want {
				t.Errorf("got %s\nwant %s", got, tt.want)
			}
		})
	}
}

// If the rule of a reference needs a date and there is none, the reference stays, and that is a
// problem.
func TestUnmoved(t *testing.T) {
	s := addRule(t, new(move.Site), "http://b.test/", "http://c.test/{date}/")
	r := &rewrite.Rewriter{Site: s}
	for html, want := range map[string]string{
		`<a href="http://b.test/x">`:         `<a href="http://c.test/2001-02-03/x">`,
		`<a href="http://b.test/{{ x }}">`:   `<a href="http://c.test/2001-02-03/{{ x }}">`,
		`<p style="a:url(http://b.test/x)">`: `<p style="a:url(http://c.test/2001-02-03/x)">`,
	} {
		p := plan(t, r, html)
		if got := result(t, r, p); got != html || len(p.Problems) != 1 ||
			p.Problems[0].Kind != rewrite.Unmoved || !p.Problems[0].Minor {
			t.Errorf("without a date: got %s with the problems %+v, want it unchanged with one", got, p.Problems)
		}
		p = visited(t, r, html, func(p *rewrite.Plan, _ *document.Document, _ iter.Seq[*rewrite.Link]) {
			p.Written = time.Date(2001, 2, 3, 0, 0, 0, 0, time.UTC)
		})
		if got := result(t, r, p); got != want || len(p.Problems) != 0 {
			t.Errorf("with a date: got %s, %+v, want %s", got, p.Problems, want)
		}
	}
}

// A pattern is only listed, so it stays without a problem if its rule gives no URI.
func TestUnmovedPattern(t *testing.T) {
	page := rules(`{"prefetch":[{"where":{"href_matches":"/a/*"}}]}`)
	for _, form := range []move.Form{move.Absolute, move.RootRelative, move.Relative, move.AsWritten} {
		site := addRule(t, &move.Site{Form: form}, "http://b.test/a/", "http://c.test/{date}/")
		r := &rewrite.Rewriter{Site: site}
		p := planAt(t, r, page, "http://b.test/d/page")
		if got := result(t, r, p); got != page || len(p.Problems) != 0 {
			t.Errorf("%v: got %s with the problems %+v, want it unchanged with none", form, got, p.Problems)
		}
	}
}

// A link into a web archive, from a page without a base, leads to the captured URI afterwards.
func TestUnwayback(t *testing.T) {
	s := addRule(t, new(move.Site), "http://b.test/", "http://c.test/{date}/")
	s.Map.Unwayback = true
	r := &rewrite.Rewriter{Site: s}
	const in = `<a href="/web/20160102030405/http://a.test/x"><a href="/y"><a href="/web/20160102030405/http://b.test/x">`
	const want = `<a href="http://a.test/x"><a href="/y"><a href="/web/20160102030405/http://b.test/x">`
	p, err := r.Plan(source(in), nil)
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Output()
	if err != nil {
		t.Fatal(err)
	}
	if string(out.Data) != want {
		t.Errorf("got %s, want %s", out.Data, want)
	}
	if len(p.Problems) != 1 || p.Problems[0].Kind != rewrite.Unmoved {
		t.Errorf("problems %+v, want one of the link that needs a date", p.Problems)
	}
}

// Verify detects references that differ from the plan, and too few or too many of them.
func TestVerify(t *testing.T) {
	var r rewrite.Rewriter
	p := plan(t, &r, "<a href=x><a href=y>")
	const second = "link 2 of the output is not as planned"
	for text, want := range map[string]string{
		"<a href=http://a.test/d/x><a href=http://a.test/d/z>": second,
		"<a href=http://a.test/d/x><a href=y>":                 second,
		"<a href=http://a.test/d/x>":                           "the output has 1 links, the plan 2",
		"<a href=http://a.test/d/x><a href=http://a.test/d/y><a href=http://a.test/d/z>": "link 3 of the output " +
			"is not as planned",
	} {
		err := r.Verify(p, source(text))
		if !errors.Is(err, rewrite.ErrReferences) || err.Error() != want {
			t.Errorf("Verify of %q: got error %v, want %s", text, err, want)
		}
	}
	if err := r.Verify(p, source("<a href=http://a.test/d/x> and <a href=http://a.test/d/y>")); err != nil {
		t.Errorf("Verify of the same links: got error %v", err)
	}
}

// Verify detects a script that ends elsewhere, even if the references are as planned.
func TestVerifyEnds(t *testing.T) {
	const in = "<a href=x><script>'<!--';\n'<script>'</script></script><style>a{b:url(c)}</style><p>"
	tests := []struct {
		name, cut, by string
		err           error
	}{
		{"as planned", "", "", nil},
		{"another letter", "'<!--'", "'<!.-'", rewrite.ErrEnds},
		{"the next style is no longer one", "<style>", "<stale>", rewrite.ErrEnds},
		{"a byte more before a script", "<script>'<!--'", "<script> '<!--'", rewrite.ErrEnds},
		{"a byte more behind all of them", "<p>", "<p><p>", nil},
	}
	for _, outside := range []string{"", html} {
		for _, tt := range tests {
			var r rewrite.Rewriter
			p := plan(t, &r, outside+in)
			text := strings.Replace(result(t, &r, p), tt.cut, tt.by, 1)
			if tt.name == "the next style is no longer one" {
				text = strings.Replace(text, "url(http://a.test/d/c)", "<i style=a:url(http://a.test/d/c)>", 1)
			}
			if err := r.Verify(p, source(text)); !errors.Is(err, tt.err) || (err != nil) != (tt.err != nil) {
				t.Errorf("%s: Verify of %q: got error %v, want %v", tt.name, text, err, tt.err)
			}
		}
	}
}

// Each document of a message is compared with its own ends.
func TestVerifyEndsOfParts(t *testing.T) {
	const part = "\n--b\n" + html
	const head = "Content-Type: multipart/mixed; boundary=b\n"
	var r rewrite.Rewriter
	p := plan(t, &r,
		head+part+"<a href=x><style>a</style>"+part+"<xmp>b</xmp>"+part+"<a href=y><textarea>c</textarea>\n--b--\n")
	if _, err := p.Output(); err != nil || p.References != 2 {
		t.Fatalf("Result: %v, with %d references", err, p.References)
	}
	text := result(t, &r, p)
	for cut, by := range map[string]string{"</style>": "</stile>",
		"</xmp>": "</xnp>", "c</textarea>": "cd</textarea>"} {
		if err := r.Verify(p, source(strings.Replace(text, cut, by, 1))); !errors.Is(err, rewrite.ErrEnds) {
			t.Errorf("Verify with %s: got error %v, want %v", by, err, rewrite.ErrEnds)
		}
	}
}

// A reference that decides where a script ends stays, and is a minor problem.
func TestFixedEnd(t *testing.T) {
	site := addRule(t, &move.Site{}, "http://a.test/", "http://b.test/")
	const in = `<script type=importmap>{"imports":{"a":"/<!--<script>","b":"http://a.test/<script>","c":"/d"}}</script></script>`
	for name, r := range map[string]*rewrite.Rewriter{"absolute": {}, "moved": {Site: site}} {
		p := plan(t, r, in)
		host := map[string]string{"absolute": "a.test", "moved": "b.test"}[name]
		if got, want := result(t, r, p), strings.Replace(in, `"/d"`, `"http://`+host+`/d"`, 1); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
		want := 1
		if name == "moved" {
			want = 2
		}
		if len(p.Problems) != want {
			t.Errorf("%s: problems %+v, want %d", name, p.Problems, want)
		}
		for _, problem := range p.Problems {
			if problem.Kind != rewrite.FixedEnd || !problem.Minor || problem.Column == 0 {
				t.Errorf("%s: problem %+v, want a minor one of kind %s with its place", name, problem, rewrite.FixedEnd)
			}
		}
	}
}

// The output of a source in memory is in memory, and can be read by offsets too.
func TestOutputInMemory(t *testing.T) {
	for _, text := range []string{"<a href=x>", html + "<a href=x>"} {
		var r rewrite.Rewriter
		out, err := plan(t, &r, text).Output()
		if err != nil {
			t.Fatal(err)
		}
		want := strings.Replace(text, "=x", "=http://a.test/d/x", 1)
		got, err := io.ReadAll(io.NewSectionReader(out.At, 0, out.Size))
		if err != nil || string(got) != want || string(out.Data) != want {
			t.Errorf("Output: got %q by offsets, %q in memory and error %v, want %q", got, out.Data, err, want)
		}
	}
}

// A message that is read by offsets is verified by offsets.
func TestResultOfReader(t *testing.T) {
	text := html + "<a href=x>"
	src := &document.Source{Message: true, At: strings.NewReader(text), Size: int64(len(text))}
	var r rewrite.Rewriter
	p, err := r.Plan(src, outer)
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Output()
	if err != nil || out.Data != nil {
		t.Fatalf("Result: got %d bytes in memory and error %v, want none", len(out.Data), err)
	}
	got, err := io.ReadAll(io.NewSectionReader(out.At, 0, out.Size))
	if want := html + "<a href=http://a.test/d/x>"; err != nil || string(got) != want {
		t.Errorf("Result: got %q and error %v, want %q", got, err, want)
	}
	if err := r.Verify(p, out); err != nil {
		t.Errorf("Verify: got error %v", err)
	}
}

func TestPlanFails(t *testing.T) {
	boom := errors.New("boom")
	var r rewrite.Rewriter
	src := &document.Source{Message: true, At: failing{boom}, Size: 10}
	if _, err := r.Plan(src, nil); !errors.Is(err, boom) {
		t.Errorf("Plan: got error %v, want %v", err, boom)
	}
	p := plan(t, &r, "<a href=x>")
	if err := p.Write(iotest.TruncateWriter(failingWriter{boom}, 1<<20)); !errors.Is(err, boom) {
		t.Errorf("Write: got error %v, want %v", err, boom)
	}
}

type failing struct{ err error }

func (f failing) ReadAt([]byte, int64) (int, error) { return 0, f.err }

type failingWriter struct{ err error }

func (f failingWriter) Write([]byte) (int, error) { return 0, f.err }

// A page or message whose n-th piece cannot be written fails, whichever piece it is.
func TestWriteFails(t *testing.T) {
	for _, text := range []string{"<a href=x><a href=y>", html + "<a href=x><a href=y>"} {
		var r rewrite.Rewriter
		p := plan(t, &r, text)
		for n := range 6 {
			err := p.Write(&interrupt.Writer{W: io.Discard, Left: n})
			if errors.Is(err, interrupt.ErrWrite) != (n < 5) {
				t.Errorf("%q: write %d fails, and Write returns %v", text, n+1, err)
			}
		}
	}
}

// first returns the first message of a mailbox, and the plan of its content.
func first(t *testing.T, box string) (*mbox.Message, *rewrite.Plan) {
	t.Helper()
	m, err := mbox.NewReader(strings.NewReader(box), mbox.Options{Lengths: true}).Next()
	if err != nil {
		t.Fatal(err)
	}
	return m, plan(t, new(rewrite.Rewriter), string(m.Data[m.Content.Start:m.Content.End]))
}

// If edits would make two messages of one, the message loses its edits.
func TestFit(t *testing.T) {
	const separator = "From a@b.test Thu Jan  1 00:00:00 1970\n"
	m, p := first(t, separator+html+"<a href=x>\n")
	if err := p.Fit(m); err != nil || !p.Edited() {
		t.Errorf("Fit: got error %v and edited %v, want an edit", err, p.Edited())
	}
	const counted = "Content-Length: 11\n"
	m, p = first(t, separator+counted+html+"<a href=x>\n")
	if err := p.Fit(m); err != nil {
		t.Errorf("Fit of a message with a Content-Length: got error %v", err)
	}
	at := int64(strings.Index(counted, "11"))
	if got := slices.Collect(p.Edits()); len(got) != 2 ||
		got[0].Start != at || got[0].End != at+2 || string(got[0].New) != "27" {
		t.Errorf("Fit of a message with a Content-Length: got edits %+v, want one of 11 into 27", got)
	}
	_, p = first(t, separator+html+"<a href=x>\n")
	other, _ := first(t, separator+html+"<a href=x>\n")
	other.Content.End = other.Content.Start // a changed Content, which does not fit the message
	if err := p.Fit(other); err == nil || p.Edited() {
		t.Errorf("Fit to another message: got error %v and edited %v, want an error and no edit", err, p.Edited())
	}
}

// The written mailbox must hold the added messages, with all their bytes.
func TestMailboxVerify(t *testing.T) {
	const box = "From a@b.test Thu Jan  1 00:00:00 1970\n" + html + "<a href=x>\n"
	m, p := first(t, box)
	var (
		b    rewrite.Mailbox
		file bytes.Buffer
	)
	w := b.Writer(&file)
	if err := b.Add(m, p); err != nil {
		t.Fatal(err)
	}
	if err := b.Write(w, m, p); err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(box, "=x", "=http://a.test/d/x", 1)
	if file.String() != want {
		t.Errorf("Write: got %q, want %q", file.String(), want)
	}
	if err := b.Verify(iotest.OneByteReader(strings.NewReader(want)), mbox.RD); err != nil {
		t.Errorf("Verify: got error %v", err)
	}
	boom := errors.New("boom")
	half := io.MultiReader(strings.NewReader(want[:20]), iotest.ErrReader(boom))
	if err := b.Verify(half, mbox.RD); !errors.Is(err, boom) {
		t.Errorf("Verify of a file that cannot be read: got error %v, want %v", err, boom)
	}
	for _, other := range []string{"", box, want + "\n" + want, strings.ToUpper(want)} {
		if err := b.Verify(strings.NewReader(other), mbox.RD); err != rewrite.ErrMessages {
			t.Errorf("Verify of %q: got error %v, want %v", other, err, rewrite.ErrMessages)
		}
	}
}

// An output with the same bytes and as many messages does not pass if a message ends elsewhere.
func TestMailboxVerifyEnds(t *testing.T) {
	const separator = "From a@b.test Thu Jan  1 00:00:00 1970\n"
	short, long := separator+"A: b\n\nc\n\n", separator+"A: b\n\nc, and more\n\n"
	for _, tt := range []struct {
		added []string
		want  error
	}{{[]string{short, long}, nil}, {[]string{long, short}, rewrite.ErrMessages}} {
		var b rewrite.Mailbox
		for _, box := range tt.added {
			m, p := first(t, box)
			if err := b.Add(m, p); err != nil {
				t.Fatal(err)
			}
		}
		var file bytes.Buffer
		io.WriteString(b.Writer(&file), short+long)
		if err := b.Verify(&file, mbox.RD); err != tt.want {
			t.Errorf("Verify: got error %v, want %v", err, tt.want)
		}
	}
}
