package rewrite_test

import (
	"slices"
	"strings"
	"testing"

	"absolink/extract"
	"absolink/mime/document"
	"absolink/mime/rewrite"
	"absolink/resolve/move"
)

// ld is a block of JSON-LD, rules a block of speculation rules, and imports an import map.
func ld(json string) string      { return `<script type="application/ld+json">` + json + `</script>` }
func rules(json string) string   { return `<script type=speculationrules>` + json + `</script>` }
func imports(json string) string { return `<script type=importmap>` + json + `</script>` }

// moving is a site that moves below /n/, in the given form. Its pages are in /d/.
func moving(t *testing.T, form move.Form) *move.Site {
	t.Helper()
	s := addRule(t, &move.Site{Form: form}, "http://a.test/", "https://b.test/n/")
	s.Include("https://b.test/n/")
	if form == move.Disk {
		s.Include("disk:///")
		s.File = func(uri string) string {
			if name, ok := strings.CutPrefix(uri, "http://a.test/"); ok &&
				!strings.HasSuffix(name, "/") && name != "gone" {
				return "disk:///" + name
			}
			return ""
		}
	}
	return s
}

// TestListed moves pages whose references are only listed. "" is a page that stays unchanged. left
// holds the references that stay and then lead elsewhere.
func TestListed(t *testing.T) {
	tests := []struct {
		name, html               string
		absolute, relative, disk string
		left                     []string // in the form absolute
	}{
		{"JSON-LD",
			ld(`{"@context":"https://schema.org","@id":"/#me","image":["/a.png","b.png"],"url":"../","logo":{"url":"\/l.png"},"sameAs":"//c.test/","name":"/x"}`),
			ld(`{"@context":"https://schema.org","@id":"https://b.test/n/#me","image":["https://b.test/n/a.png","https://b.test/n/d/b.png"],"url":"https://b.test/n/","logo":{"url":"https://b.test/n/l.png"},"sameAs":"http://c.test/","name":"/x"}`),
			ld(`{"@context":"https://schema.org","@id":"https://b.test/n/#me","image":["https://b.test/n/a.png","https://b.test/n/d/b.png"],"url":"https://b.test/n/","logo":{"url":"https://b.test/n/l.png"},"sameAs":"http://c.test/","name":"/x"}`),
			ld(`{"@context":"https://schema.org","@id":"https://b.test/n/#me","image":["https://b.test/n/a.png","https://b.test/n/d/b.png"],"url":"https://b.test/n/","logo":{"url":"https://b.test/n/l.png"},"sameAs":"http://c.test/","name":"/x"}`), nil},
		{"a page of its own in JSON-LD", ld(`{"url":"","@id":"#me"}`), "", "", "", nil},
		{"names in JSON-LD", ld(`{"license":"Apache-2.0","item":"A. B.","image":"a"}`), "", "", "", nil},
		{"@base elsewhere", ld(`{"@context":{"@base":"http://w.test/entity/"},"@id":"Q42"}`), "",
			ld(`{"@context":{"@base":"http://w.test/entity/"},"@id":"http://w.test/entity/Q42"}`),
			ld(`{"@context":{"@base":"http://w.test/entity/"},"@id":"http://w.test/entity/Q42"}`), nil},
		{"@base of the site", ld(`{"@context":{"@base":"http://a.test/e/"},"@id":"x"}`),
			ld(`{"@context":{"@base":"http://a.test/e/"},"@id":"https://b.test/n/e/x"}`),
			ld(`{"@context":{"@base":"http://a.test/e/"},"@id":"https://b.test/n/e/x"}`),
			ld(`{"@context":{"@base":"http://a.test/e/"},"@id":"https://b.test/n/e/x"}`), nil},
		{"relative @base", ld(`{"@context":{"@base":"e/"},"@id":"x"}`),
			ld(`{"@context":{"@base":"e/"},"@id":"https://b.test/n/d/e/x"}`),
			ld(`{"@context":{"@base":"e/"},"@id":"https://b.test/n/d/e/x"}`),
			ld(`{"@context":{"@base":"e/"},"@id":"https://b.test/n/d/e/x"}`), nil},
		{"a template in JSON-LD", ld(`{"target":"/s/{q}?x={r}","urlTemplate":"http://a.test/t/u{q}"}`),
			ld(`{"target":"https://b.test/n/s/\u007bq}?x=\u007br}","urlTemplate":"https://b.test/n/t/u\u007bq}"}`),
			ld(`{"target":"https://b.test/n/s/\u007bq}?x=\u007br}","urlTemplate":"https://b.test/n/t/u\u007bq}"}`),
			ld(`{"target":"https://b.test/n/s/\u007bq}?x=\u007br}","urlTemplate":"https://b.test/n/t/u\u007bq}"}`),
			nil},
		{"metas",
			`<meta property="og:image" content="/i.png"><meta name=thumbnail content=t.png><meta name=twitter:image content="/j.png"><meta itemprop=image content="/k.png"><meta itemprop=thumbnail content="/l.png">`,
			`<meta property="og:image" content="https://b.test/n/i.png"><meta name=thumbnail content=https://b.test/n/d/t.png><meta name=twitter:image content="https://b.test/n/j.png"><meta itemprop=image content="https://b.test/n/k.png"><meta itemprop=thumbnail content="https://b.test/n/l.png">`,
			`<meta property="og:image" content="https://b.test/n/i.png"><meta name=thumbnail content=https://b.test/n/d/t.png><meta name=twitter:image content="../j.png"><meta itemprop=image content="https://b.test/n/k.png"><meta itemprop=thumbnail content="https://b.test/n/l.png">`,
			`<meta property="og:image" content="https://b.test/n/i.png"><meta name=thumbnail content=https://b.test/n/d/t.png><meta name=twitter:image content="../j.png"><meta itemprop=image content="https://b.test/n/k.png"><meta itemprop=thumbnail content="https://b.test/n/l.png">`, nil},
		{"names in metas",
			`<meta itemprop=name content="Node.js"><meta itemprop=text content="/r/golang"><meta property=article:author content="J.R.R.T.">`, "", "", "", []string{"https://b.test/n/r/golang"}},
		{"hosts without a scheme",
			`<meta name=monetization content="$c.test/a"><meta property="og:url" content="www.a.test"><meta name=identifier-url content="i">` + ld(`{"url":"www.a.test/x"}`),
			`<meta name=monetization content="$c.test/a"><meta property="og:url" content="www.a.test"><meta name=identifier-url content="https://b.test/n/d/i">` + ld(`{"url":"www.a.test/x"}`),
			`<meta name=monetization content="$c.test/a"><meta property="og:url" content="www.a.test"><meta name=identifier-url content="https://b.test/n/d/i">` + ld(`{"url":"www.a.test/x"}`),
			`<meta name=monetization content="$c.test/a"><meta property="og:url" content="www.a.test"><meta name=identifier-url content="https://b.test/n/d/i">` + ld(`{"url":"www.a.test/x"}`), nil},
		{"fields in metas",
			`<meta http-equiv=x-pingback content="/rpc"><meta http-equiv=link content="</s.css>; rel=preload, <t>"><meta http-equiv=content-security-policy content="img-src *; report-uri /r s">`,
			`<meta http-equiv=x-pingback content="https://b.test/n/rpc"><meta http-equiv=link content="<https://b.test/n/s.css>; rel=preload, <https://b.test/n/d/t>"><meta http-equiv=content-security-policy content="img-src *; report-uri https://b.test/n/r https://b.test/n/d/s">`,
			`<meta http-equiv=x-pingback content="https://b.test/n/rpc"><meta http-equiv=link content="<https://b.test/n/s.css>; rel=preload, <https://b.test/n/d/t>"><meta http-equiv=content-security-policy content="img-src *; report-uri https://b.test/n/r https://b.test/n/d/s">`,
			`<meta http-equiv=x-pingback content="https://b.test/n/rpc"><meta http-equiv=link content="<https://b.test/n/s.css>; rel=preload, <https://b.test/n/d/t>"><meta http-equiv=content-security-policy content="img-src *; report-uri https://b.test/n/r https://b.test/n/d/s">`, nil},
		{"speculation rules", rules(`{"prefetch":[{"urls":["/x","y","http://a.test/z"]}]}`),
			rules(`{"prefetch":[{"urls":["https://b.test/n/x","https://b.test/n/d/y","https://b.test/n/z"]}]}`),
			rules(`{"prefetch":[{"urls":["../x","y","https://b.test/n/z"]}]}`),
			rules(`{"prefetch":[{"urls":["../x","y","https://b.test/n/z"]}]}`), nil},
		{"patterns",
			rules(`{"prefetch":[{"where":{"or":[{"href_matches":"/x/*"},{"href_matches":"y/:id(\\d+)"},{"href_matches":"/*\\?*"},{"href_matches":["/z"]},{"not":{"href_matches":"http://a.test/w/{a,b}?"}}]}}]}`),
			rules(`{"prefetch":[{"where":{"or":[{"href_matches":"https://b.test/n/x/*"},{"href_matches":"https://b.test/n/d/y/:id(\u005cd+)"},{"href_matches":"https://b.test/n/*\u005c?*"},{"href_matches":["https://b.test/n/z"]},{"not":{"href_matches":"https://b.test/n/w/\u007ba,b}?"}}]}}]}`),
			rules(`{"prefetch":[{"where":{"or":[{"href_matches":"../x/*"},{"href_matches":"y/:id(\\d+)"},{"href_matches":"https://b.test/n/*\u005c?*"},{"href_matches":["../z"]},{"not":{"href_matches":"https://b.test/n/w/\u007ba,b}?"}}]}}]}`),
			rules(`{"prefetch":[{"where":{"or":[{"href_matches":"https://b.test/n/x/*"},{"href_matches":"https://b.test/n/d/y/:id(\u005cd+)"},{"href_matches":"https://b.test/n/*\u005c?*"},{"href_matches":["../z"]},{"not":{"href_matches":"https://b.test/n/w/\u007ba,b}?"}}]}}]}`), nil},
		{"patterns that move along", rules(`{"prefetch":[{"where":{"href_matches":["*.html","?x=*"]}}]}`),
			"", "", "", nil},
		{"other elements", `<img href="/x"><a attributionsrc="/y z"><embed href="/v"><div datasrc="#u"></div>`,
			`<img href="https://b.test/n/x"><a attributionsrc="https://b.test/n/y https://b.test/n/d/z"><embed href="https://b.test/n/v"><div datasrc="#u"></div>`,
			`<img href="../x"><a attributionsrc="../y z"><embed href="../v"><div datasrc="#u"></div>`,
			`<img href="../x"><a attributionsrc="../y z"><embed href="../v"><div datasrc="#u"></div>`, nil},
		{"the map of a style", "<style>a{}\n/*# sourceMappingURL=/m.map */</style>",
			"<style>a{}\n/*# sourceMappingURL=https://b.test/n/m.map */</style>",
			"<style>a{}\n/*# sourceMappingURL=../m.map */</style>",
			"<style>a{}\n/*# sourceMappingURL=../m.map */</style>", nil},
		{"keys of an import map",
			imports(`{"imports":{"/a.js":"/b.js","./c/":"./e/","own":"/d/own.js"},"scopes":{"/s/":{"../f":"/g"}},"integrity":{"/h.js":"i"}}`),
			imports(`{"imports":{"https://b.test/n/a.js":"https://b.test/n/b.js","https://b.test/n/d/c/":"https://b.test/n/d/e/","own":"https://b.test/n/d/own.js"},"scopes":{"https://b.test/n/s/":{"https://b.test/n/f":"https://b.test/n/g"}},"integrity":{"https://b.test/n/h.js":"i"}}`),
			imports(`{"imports":{"../a.js":"../b.js","./c/":"./e/","own":"./own.js"},"scopes":{"../s/":{"../f":"../g"}},"integrity":{"../h.js":"i"}}`),
			imports(`{"imports":{"../a.js":"../b.js","https://b.test/n/d/c/":"https://b.test/n/d/e/","own":"./own.js"},"scopes":{"https://b.test/n/s/":{"../f":"../g"}},"integrity":{"../h.js":"i"}}`), nil},
		{"a host before a path", `<img href="www.a.test/x"><img href="/y">`,
			`<img href="www.a.test/x"><img href="https://b.test/n/y">`,
			`<img href="www.a.test/x"><img href="../y">`, `<img href="www.a.test/x"><img href="../y">`, nil},
		{"identifiers", `<div itemid="/x" about="/y" itemtype="/t"><head profile="/z">`, "",
			"", "", []string{"https://b.test/n/x", "https://b.test/n/y", "https://b.test/n/z"}},
		{"identifiers that move along",
			`<div itemid="x" about="#y"><p itemid="http://a.test/z" itemtype="http://schema.org/Person">`,
			"", "", "", nil},
		{"an identifier below a BASE", `<base href="http://a.test/e/"><p itemid="x">`,
			`<base href="https://b.test/n/e/"><p itemid="x">`, `<base ><p itemid="x">`, `<base ><p itemid="x">`, nil},
	}
	for _, tt := range tests {
		for form, want := range map[move.Form]string{move.Absolute: tt.absolute,
			move.Relative: tt.relative, move.Disk: tt.disk} {
			html := "<!doctype html>" + tt.html
			want = "<!doctype html>" + want
			if want == "<!doctype html>" {
				want = html
			}
			r := &rewrite.Rewriter{Site: moving(t, form)}
			p := plan(t, r, html)
			if got := result(t, r, p); got != want {
				t.Errorf("%s, %v: got  %s\nwant %s", tt.name, form, got, want)
			}
			left := leftOf(p)
			if form == move.Absolute && !slices.Equal(left, tt.left) {
				t.Errorf("%s: left are %q, want %q", tt.name, left, tt.left)
			}
			if form == move.Disk && strings.HasPrefix(tt.name, "identifiers") && left != nil {
				t.Errorf("%s, on a disk: left are %q, want none", tt.name, left)
			}
		}
	}
}

// leftOf returns the planned targets of the references of p that now lead elsewhere.
func leftOf(p *rewrite.Plan) (list []string) {
	for _, problem := range p.Problems {
		if problem.Kind == rewrite.Left && problem.Minor {
			list = append(list, problem.Detail)
		}
	}
	return list
}

// A reference that is only listed stays if neither its target nor its page moves.
func TestListedElsewhere(t *testing.T) {
	s := addRule(t, new(move.Site), "http://other.test/", "http://b.test/")
	r := &rewrite.Rewriter{Site: s}
	for html, want := range map[string]string{
		`<meta property="og:image" content="/i.png"><meta property="og:image" content="http://other.test/i.png"><a href="x">`: `<meta property="og:image" content="/i.png"><meta property="og:image" content="http://b.test/i.png"><a href="http://a.test/d/x">`,
		`<base href="/e/"><meta property="og:image" content="i.png"><a href="x">`:                                             `<base href="/e/"><meta property="og:image" content="i.png"><a href="http://a.test/e/x">`,
		`<base href="http://other.test/"><meta property="og:image" content="i.png">`:                                          `<base href="http://b.test/"><meta property="og:image" content="http://b.test/i.png">`,
	} {
		if got := result(t, r, plan(t, r, html)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// A string in a place that may hold a regular expression stays, because an edit could end the
// expression. With the option Lazy, a value that may be a name is written like any other reference.
func TestDoubtful(t *testing.T) {
	r := &rewrite.Rewriter{Site: moving(t, move.Absolute)}
	r.Options.Read = extract.Options{Lazy: true, Scripts: true}
	const html = "<script>f(/ \"z.png\"\n);g(\"/y.png\")</script><meta property=\"article:author\" " +
		"content=\"jane.doe\">"
	const want = "<script>f(/ \"z.png\"\n);g(\"https://b.test/n/y.png\")</script><meta property=\"article:author\" " +
		"content=\"https://b.test/n/d/jane.doe\">"
	if got := result(t, r, plan(t, r, html)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// If a place cannot hold a relative reference, it gets an absolute one.
func TestNoRelative(t *testing.T) {
	s := &move.Site{Form: move.Relative}
	for _, rule := range [][2]string{{"http://a.test/d/", "https://b.test/(1)/"},
		{"http://a.test/d/p", "https://b.test/p"}} {
		addRule(t, s, rule[0], rule[1])
	}
	s.Include("https://b.test/")
	r := &rewrite.Rewriter{Site: s}
	r.Options.Read.Scripts = true
	const html = `<script>f("/d/x.js")</script><a href="/d/x.js">`
	const want = `<script>f("https://b.test/(1)/x.js")</script><a href="(1)/x.js">`
	if got := result(t, r, plan(t, r, html)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A message does not move, but the targets of its references do.
func TestListedInMessage(t *testing.T) {
	r := &rewrite.Rewriter{Site: moving(t, move.Absolute)}
	got := result(t, r,
		plan(t, r, html+
			`<meta property="og:image" content="/i.png"><meta name=thumbnail content="//c.test/t.png"><meta itemprop=text content="/r">`))
	if want := html +
		`<meta property="og:image" content="https://b.test/n/i.png"><meta name=thumbnail content="//c.test/t.png"><meta itemprop=text content="/r">`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A reference that cannot be edited stays, even if it is absolute.
func TestListedUnsafe(t *testing.T) {
	for _, tt := range []struct {
		format           extract.Format
		charset          string
		text, edit, want string
	}{
		{extract.HTML, "", `<svg><style>a{b:url(http://a.te</a>st/x)}</style></svg><a href="/y">`,
			"/y", "https://b.test/n/y"},
		{extract.Feed, "", `<rss><link>http://a.test/<!-- c -->x</link><comments>/y</comments></rss>`,
			"/y", "https://b.test/n/y"},
		{extract.HTML, "iso-2022-jp", "\x1b(J<a href=\"\x1b(Jhttp://a.test/x\">\x1b(B<a href=\"/y\">",
			"/y", "https://b.test/n/y"},
	} {
		r := &rewrite.Rewriter{Site: moving(t, move.Absolute)}
		src := &document.Source{Format: tt.format, Charset: tt.charset,
			At: strings.NewReader(tt.text), Size: int64(len(tt.text)), Data: []byte(tt.text)}
		p, err := r.Plan(src, outer)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := result(t, r, p), strings.Replace(tt.text, tt.edit, tt.want, 1); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if got, want := leftOf(p), []string{"https://b.test/n/x"}; !slices.Equal(got, want) {
			t.Errorf("%q: left are %q, want %q", tt.text, got, want)
		}
	}
}
