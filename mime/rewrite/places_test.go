package rewrite_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"absolink/base"
	"absolink/extract"
	"absolink/mime"
	"absolink/mime/document"
	"absolink/mime/rewrite"
	"absolink/resolve/move"
)

// placesSites lists ways to move the site http://old.test/, by their names.
var placesSites = []struct {
	name string
	form move.Form
	maps [][2]string
}{
	{"absolute", move.Absolute, [][2]string{{"//old.test/", "https://new.test/n/"}, {"file:///old/", "file:///new/"}}},
	{"relative", move.Relative, [][2]string{{"http://old.test/d/", "http://old.test/e/f/"}}},
	{"root-relative", move.RootRelative, [][2]string{{"http://old.test/", "http://new.test/n/"}}},
	{"disk", move.Disk, nil},
	{"as written", move.AsWritten, [][2]string{{"//old.test/", "https://new.test/n/"},
		{"file:///old/", "file:///new/"}}},
	{"as written, near", move.AsWritten, [][2]string{{"http://old.test/d/", "http://old.test/e/f/"}}},
	{"stripped", move.Relative, [][2]string{{"http://old.test/", "http://new.test/n/"}}},
}

// placesDocuments lists documents at http://old.test/d/page, with a link in each line.
var placesDocuments = []struct{ name, in string }{
	{"patterns", `<script type=speculationrules>{"prefetch":[{"where":{"href_matches":[
"page?*",
"?q=*",
"#x*",
"./*",
"../*?y",
"http://old.test/*",
"http://old.test*",
"//old.test/d/*",
"http://other.test/d/*",
"http://[*",
"/:x",
"/d/(.*)"
]}}]}</script>
<script type="application/ld+json">{"urlTemplate":[
"{u}/x",
"http://old.test/{u}",
"http://old.test/d/s?q={u}",
"s#{u}",
"../{u}"
]}</script>
`},
	{"templates", `<a href="{{x}}/y">
<a href="http://old.test/{{x}}">
<a href="http://old.test{{x}}">
<a href="http://{{h}}/y">
<a href="//old.test/{{x}}">
<a href="//old.test{{x}}">
<a href=" http://OLD.test/a/../b/{{x}}">
<a href="http://old.test/d/?q={{x}}">
<a href="http://old.test/d/page#{{x}}">
<a href="/d/{{x}}">
<a href="e/{{x}}">
<a href="?{{x}}">
<a href="file:///old/{{x}}">
`},
	{"scripts", `<script>f("http://old.test/" + p)
f("http://old.test" + p)
f("//old.test/d/" + p)
f("http://OLD.test/d/x")
f("http://old.test/?utm_source=a&b=" + p)
f("/d/" + p)
f("file:///old/" + p)
f("file:///old/x")
f("http://other.test/" + p)
</script>
<a onclick="location='http://old.test/d/' + p">
`},
	{"elements", `<amp-analytics><script type="application/json">{"requests":{"a":"http://old.test/r",
"b":"/r?x=1"}}</script></amp-analytics>
<link rel=dns-prefetch href="//old.test">
<link rel=preconnect href="/">
<meta property="og:url" content="http://old.test/d/page?utm_source=a">
<meta property="og:url" content="page">
<meta http-equiv=refresh content="1; url=../x">
<div itemscope itemid="http://old.test/l"></div>
<div itemscope itemid="/l"></div>
<embed href="http://old.test/e">
<applet codebase="c/" code="x" archive="a.jar"></applet>
<applet codebase="http://old.test/c/" archive="a.jar, ../b.jar"></applet>
<a href="http://old.test/x?utm_source=a&amp;b=c#d">
<a href="x?utm_source=a">
<a href="http://old.test/x?utm_source=a">
<a href="http:x">
<a href="http:/x">
<a href="https://old.test/x">
<a href="//old.test/d/">
<a href="./">
<a href=".">
<a href="page">
<a href="../d/page#x">
<a href="../../x">
<a href="/d/../x">
<a href="\x\y">
<a href="?">
<a href="#">
<a ping="x http://old.test/y">
<img srcset="x, http://old.test/y 2x">
<iframe srcdoc="<base href='/s/'><a href='x'><a href='http://old.test/d/y'>"></iframe>
<svg><a xlink:href="x"/><use href="#y"/></svg>
<style>@import "x"; a{b:url("http://old.test/y")}</style>
`},
	{"an invalid BASE", `<base href="http://[">
<a href="x">
<a href="http://old.test/d/y">
`},
	{"a data: BASE", `<base href="data:text/html,x">
<a href="x">
<a href="http://old.test/d/y">
`},
	{"an empty BASE", `<base href="">
<a href="x">
<a href="http://old.test/d/y">
`},
	{"a BASE without href, and two", `<base target="x"><base href="/b/">
<base href="/c/">
<a href="x">
<a href="http://old.test/d/y">
`},
	{"a templated BASE", `<base href="{{b}}">
<a href="x">
<a href="http://old.test/d/y">
`},
	{"a BASE that names a part of another message", `<base href="http://old.test/b/y">
<a href="x">
<a href="http://old.test/d/y">
`},
	{"a message", `Content-Type: multipart/related; boundary=b

--b
Content-Type: text/html
Content-Location: http://old.test/d/page

<base href="http://old.test/b/">
<a href="x">
<img src="y">
<img src="http://old.test/b/y">
<img src="http://old.test/b/z">
<a href="/w">
<a href="http://old.test/d/v">
--b
Content-Type: image/png
Content-Location: http://old.test/b/y

x
--b
Content-Type: image/png
Content-Location: https://new.test/n/b/x

x
--b
Content-Type: text/plain

http://old.test/d/t http://other.test/
--b--
`},
	{"a message without a base", `Content-Type: text/html

<a href="x">
<a href="http://old.test/d/v">
<a href="//old.test/u">
`},
}

// placesRewriter returns a rewriter that moves a site.
func placesRewriter(t *testing.T, i int) *rewrite.Rewriter {
	t.Helper()
	s := placesSites[i]
	site := &move.Site{Form: s.form}
	if s.form == move.AsWritten {
		site.Messages = s.form
	}
	if s.form == move.Disk {
		site.File = func(uri string) string {
			file, ok := strings.CutPrefix(uri, "http://old.test/")
			if !ok || strings.HasSuffix(file, "/") || strings.ContainsAny(file, "?#") {
				return ""
			}
			return "disk:///" + file + ".html"
		}
		site.Directory = func(uri string) string {
			dir, ok := strings.CutPrefix(uri, "http://old.test/")
			if !ok || dir == "" {
				return ""
			}
			return "disk:///" + dir
		}
		site.Include("disk:///")
	}
	site.Map.StripTracking = s.name == "stripped"
	for _, m := range s.maps {
		addRule(t, site, m[0], m[1])
		site.Include(m[1])
	}
	site.Include("http://old.test/")
	o := document.Options{Read: extract.Options{Lazy: true, Scripts: true}}
	return &rewrite.Rewriter{Site: site, Options: o}
}

// placed returns the lines that r changes in a document, its problems and its counts.
func placed(t *testing.T, r *rewrite.Rewriter, in string) string {
	t.Helper()
	src := source(in)
	var layer *base.Layer
	if !src.Message {
		layer = &base.Layer{Source: base.URL, Value: "http://old.test/d/page"}
	}
	p, err := r.Plan(src, layer)
	if err != nil {
		t.Fatal(err)
	}
	passes := func(p *rewrite.Plan) bool {
		out, err := p.Output()
		return err == nil && r.Verify(p, out) == nil
	}
	if !passes(p) {
		p = p.Mend(passes)
		if p == nil {
			return "not mended\n"
		}
	}
	out := strings.Split(result(t, r, p), "\n")
	var b strings.Builder
	for n, line := range strings.Split(in, "\n") {
		if out[n] != line {
			fmt.Fprintf(&b, "%d %s\n", n+1, out[n])
		}
	}
	for _, problem := range p.Problems {
		line := 1 + strings.Count(in[:problem.Offset], "\n")
		fmt.Fprintln(&b, strings.TrimSpace(fmt.Sprintf("%s line %d %s", problem.Kind, line, problem.Detail)))
	}
	fmt.Fprintf(&b, "%d references, stays %v\n", p.References, p.Stays)
	return b.String()
}

// Each link may stay alone: the plan is then mended, the other links move as before, and the result
// can be verified.
func TestEachLinkStays(t *testing.T) {
	layer := &base.Layer{Source: base.URL, Value: "http://old.test/d/page"}
	tried := 0
	for i, s := range placesSites {
		r := placesRewriter(t, i)
		for _, d := range placesDocuments {
			if d.name != "patterns" && d.name != "templates" && d.name != "scripts" {
				continue // some links are the base of others
			}
			p, err := r.Plan(source(d.in), layer)
			if err != nil {
				t.Fatal(err)
			}
			var all []mime.Edit
			for e := range p.Edits() {
				all = append(all, mime.Edit{Span: e.Span, New: slices.Clone(e.New)})
			}
			for _, refused := range all {
				q := p.Mend(func(q *rewrite.Plan) bool {
					for e := range q.Edits() {
						if e.Span == refused.Span {
							return false
						}
					}
					return true
				})
				if q == nil {
					t.Errorf("%s: %s: without the edit at %d: not mended", s.name, d.name, refused.Start)
					continue
				}
				tried++
				out := result(t, r, q)
				misread := 0
				for _, problem := range q.Problems {
					if problem.Kind == rewrite.Misread {
						misread++
					}
				}
				if q.References != p.References-1 || misread != 1 || out == d.in && len(all) > 1 {
					t.Errorf("%s: %s: without the edit at %d: %d references of %d, %d are named",
						s.name, d.name, refused.Start, q.References, p.References, misread)
				}
			}
		}
	}
	if tried < 100 {
		t.Errorf("%d links were tried, want 100", tried)
	}
}

// Each kind of link moves as testdata/places.txt says: a paragraph for each site and document lists
// the lines that change, with their numbers, and then the problems. A rewriter has the same results
// whatever it has rewritten before.
func TestPlaces(t *testing.T) {
	file, err := os.ReadFile(filepath.Join("testdata", "places.txt"))
	if err != nil {
		t.Fatal(err)
	}
	want := make(map[string]string)
	for paragraph := range strings.SplitSeq(string(file), "\n\n") {
		name, result, _ := strings.Cut(paragraph, "\n")
		want[name] = strings.TrimSuffix(result, "\n") + "\n"
	}
	if n := len(placesSites) * len(placesDocuments); len(want) != n {
		t.Errorf("places.txt has %d paragraphs, want %d", len(want), n)
	}
	for i, s := range placesSites {
		reused := placesRewriter(t, i)
		for _, d := range slices.Backward(placesDocuments) {
			name := s.name + ": " + d.name
			if got := placed(t, placesRewriter(t, i), d.in); got != want[name] {
				t.Errorf("%s:\n%swant\n%s", name, got, want[name])
			}
			if got := placed(t, reused, d.in); got != want[name] {
				t.Errorf("%s, after other documents:\n%swant\n%s", name, got, want[name])
			}
		}
	}
}
