package extract

import (
	"fmt"
	"strings"
	"testing"

	"absolink/base"
	"absolink/extract/internal/readingtest"
	"absolink/testdata/effort"
)

// templatePieces are the pieces of templates and mail merges, each in several spellings.
var templatePieces = []string{
	"<?php echo $a ?>", "<?= $a ?>", "<? a ?>", "<?PHP a;?>", "<?php echo 'a', \"b\" ?>", "<?= f(\"a\") ?>",
	"<% a %>", "<%= a %>", "<%- f('a') -%>", "{{ a }}", "{{a}}", "{{{ a }}}", "{{ f(\"a\", 'b') }}",
	"{% url 'a' %}", "{%- if a -%}", "{% static \"a.png\" %}", "{# a #}",
	"{#a#}", "${a}", "${ f('a') }", "${f({b: 1})}", "{$a}", "{!a.b}", "{!! $a !!}", "{!! f('a') !!}",
	"[[~12]]", "[[+a]]", "[[a]]", "[[$a? &b=`c`]]", "%%a%%", "%%GLOBAL_X%%",
	"%%=f(a)=%%", "*|UNSUB|*", "*|A:B|*", "[% u %]", "[%u%]",
}

// linkStatuses returns status and value of each link of a document.
func linkStatuses(d *Doc) (list []string) {
	var r Resolver
	for l := range r.Links(d) {
		list = append(list, fmt.Sprintf("%s %s", l.Status, l.Value))
	}
	return list
}

// A reference with a piece stays as it is written, at every place and in every combination with the
// piece. The links beside it are rewritten.
func TestTemplatePieces(t *testing.T) {
	places := []struct{ before, after string }{
		{`<a href="`, `">`}, {`<a href='`, `'>`}, {`<p style="a:url('`,
			`')">`}, {`<style>a{b:url("`, `")}</style>`}, {`<style>@import '`, `';</style>`},
		{`<meta http-equiv=refresh content="0;url=`, `">`}, {`<form action="`,
			`">`}, {`<img srcset="/x 1x, `, ` 2x, /y 3x">`}, {`<a ping="/x `, ` /y">`},
		{`<object archive="/x `, ` /y">`}, {`<applet archive="/x, `, `, /y">`}, {`<iframe srcdoc="<a href='`, `'>">`},
		{`<script type=importmap>{"imports":{"a":"/`, `"}}</script>`}, {`<script>f('/`,
			`')</script>`}, {`<p data-x='["/`, `"]'>`}, {`<link rel=manifest href="`, `">`},
	}
	shapes := []string{"%s", "%s/b", "/a/%s", "/a%sb", "?a=%s",
		"a?b=%s&c=d", "#%s", "x#%s", "//%s/a", "../%s.png", "%s%s"}
	n := 0
	for i, piece := range templatePieces {
		for j, place := range places {
			for k, shape := range shapes {
				if !effort.Whole() && (i+j+k)%3 > 0 {
					continue
				}
				value := strings.ReplaceAll(shape, "%s", piece)
				d := document([]byte(`<a href="/q">`+place.before+value+place.after+`<a href="/r">`),
					"utf-8", Options{Scripts: true, Lazy: true})
				in := string(d.Data)
				r := Resolver{Fragments: true, Normalize: true}
				out := string(Apply(nil, d.Data, r.Edits(nil, d)))
				if !strings.Contains(out, value) {
					t.Errorf("%s became %s", in, out)
				}
				if !strings.Contains(out, `<a href="http://example.test/q">`) {
					t.Errorf("%s: the link before it is not rewritten: %s", in, out)
				}
				n++
			}
		}
	}
	if least := effort.Pick(5000, 1600); n < least {
		t.Errorf("%d cases, want at least %d", n, least)
	}
}

// A JSON reader sees a piece whatever characters of it are escaped, and a client-side template runs
// on the decoded string. So a piece in escapes counts, and stays as it is written.
func TestTemplateEscapes(t *testing.T) {
	places := []struct{ before, after string }{
		{`<script type="application/ld+json">{"@context":"https://schema.org","@type":"Thing","image":"/q","url":"`,
			`"}</script>`},
		{`<script type=importmap>{"imports":{"a":"/q","b":"`, `"}}</script>`},
		{`<p data-x='{"a":"/q.png","b":"`, `"}'>`},
		{`<!-- wp:cover {"a":"/q.png","url":"`, `"} -->`},
		{`<script>a="/q.png";b="`, `"</script>`},
	}
	escapes := []struct {
		name   string
		length int // number of escaped characters of the piece
		format string
	}{{"the first", 1, `\u%04x`}, {"the first, upper case", 1, `\u%04X`}, {"two", 2, `\u%04x`}, {"all", 100, `\u%04x`}}
	n := 0
	for i, piece := range templatePieces {
		for _, escape := range escapes {
			length := min(escape.length, len(piece))
			escaped := ""
			for i := range length {
				escaped += fmt.Sprintf(escape.format, piece[i])
			}
			escaped += piece[length:]
			if strings.ContainsAny(piece[length:], "\"'<>") {
				continue // that would end the string or begin a piece in the code
			}
			for j, place := range places {
				for k, shape := range []string{"%s/b.png", "/a/%s", "/a/%s/b.png", "http://a.test/%s/b.png"} {
					if !effort.Whole() && (i+j+k)%2 > 0 {
						continue
					}
					value := strings.ReplaceAll(shape, "%s", escaped)
					in := place.before + value + place.after + `<a href="/r">`
					d := document([]byte(in), "utf-8", Options{Scripts: true, Lazy: true, Comments: true})
					for _, status := range linkStatuses(d) {
						value, resolved := strings.CutPrefix(status, "resolved ")
						if resolved && !strings.HasPrefix(value, "/q") && value != "/r" {
							t.Errorf("%s: got the link %q, want it suspect", in, status)
						}
					}
					r := Resolver{Fragments: true, Normalize: true}
					out := string(Apply(nil, d.Data, r.Edits(nil, d)))
					if !strings.Contains(out, value) {
						t.Errorf("%s escaped: %s became %s", escape.name, in, out)
					}
					n++
				}
			}
		}
	}
	if least := effort.Pick(1500, 750); n < least {
		t.Errorf("%d cases, want at least %d", n, least)
	}
}

// A reference with a piece is suspect, or absolute if it has a scheme; other references keep their
// status.
func TestTemplateStatus(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{`<a href="/a/<?= $x ?>"><a href="${base}/b"><a href="{% url %}">`,
			`suspect /a/<?= $x ?>|suspect ${base}/b|suspect {% url %}`},
		{`<a href="<?php echo "b" ?>/x">`, `suspect <?php echo `},
		{`<a href=<?= $x ?>>`, `suspect <?=`},
		{`<a href="{{ f("b") }}/x"><a href="/y">`, `suspect {{ f(|resolved /y`},
		{`<a href="&#123;{ x }}">`, `suspect {{ x }}`},
		{`<a href="#{{ x }}"><a href="#x"><a href="">`, `suspect #{{ x }}|same-document #x|same-document `},
		{`<a href="[unsubscribe]"><a href="[a]/b"><a href="?a[[0]]=1"><a href="?a=[[1],[2]]"><a href="a[b]=c">`,
			`suspect [unsubscribe]|resolved [a]/b|resolved ?a[[0]]=1|resolved ?a=[[1],[2]]|resolved a[b]=c`},
		{`<a href="*|UNSUB|*"><a href="%%u%%"><a href="[% u %]"><a href="/100%%25"><a href="a|b*c">`,
			`suspect *|UNSUB|*|suspect %%u%%|suspect [% u %]|resolved /100%%25|resolved a|b*c`},
		{`<a href="http://a.test/{{ x }}"><a href="http://{{ host }}/y"><a href="mailto:*|EMAIL|*"><a href="http://a.test<?= $p ?>">`,
			`absolute http://a.test/{{ x }}|suspect http://{{ host }}/y|absolute mailto:*|EMAIL|*|suspect http://a.test<?= $p ?>`},
		{`<a href="?q={%22a%22:{%22b%22:1}}"><a href="?a={b}&c=[d]"><a href="/{id}/x">`,
			`resolved ?q={%22a%22:{%22b%22:1}}|resolved ?a={b}&c=[d]|resolved /{id}/x`},
		{`<a ping="/a ${b + c} /d">`, `resolved /a|suspect ${b|suspect +|suspect c}|resolved /d`},
		{`<img srcset="${a} 1x, /b 2x, [[pic? &opt=` + "`w=1,h=2`" + `]] 3x, /c 4x">`,
			"suspect ${a}|resolved /b|suspect [[pic?|suspect h=2`]]|resolved /c"},
		// Code that quotes markup.
		{`<?php foreach ($a as $b => $c) echo "<a href='/x/$c'>"; ?><a href="/y">`, `suspect /x/$c|resolved /y`},
		{`<?php if ($a > 1) { ?><a href="/x"><?php } // it's ?><a href="/y">`, `resolved /x|resolved /y`},
		{`{# <a href="/old"> #}<a href="/new">{% set a = '<img src="/x">' %}{{ '<img src="/y">' }}<img src="/z">`,
			`suspect /old|resolved /new|suspect /x|suspect /y|resolved /z`},
		{`<% a.each { |b| puts "<a href='/#{b}'>" } %><a href="/y"><%-- <a href="/z"> --%>`,
			`suspect /#{b}|resolved /y|suspect /z`},
		{`<script>a={{"/x.js"|tojson}};b="/y.js"</script><a href="/z">`, `suspect /x.js|resolved /y.js|resolved /z`},
		{`<script>if(a){{b="/x"}}c="{{"</script><a href="/y">}}`, `suspect /x|resolved /y`},
		{`<style>@media print{#a{b:url(c)}}</style><a href="/y">`, `resolved c|resolved /y`},
		{`<code>{{</code> is an escape.<a href="/x"><a href="#y"><code>}}</code>`, `resolved /x|same-document #y`},
		{`<?xml version="1.0"?><a href="/y">`, `resolved /y`},
		// A BASE of a template is not rewritten either.
		{`<base href="{{ base }}/"><a href="#x"><a href="y"><a href="/y"><a href="http://a.test/">`,
			`suspect {{ base }}/|same-document #x|unresolved y|unresolved /y|absolute http://a.test/`},
		{`<object codebase="<?= $c ?>" data="x"></object><a href="y">`, `suspect <?= $c ?>|unresolved x|resolved y`},
	} {
		d := document([]byte(tt.in), "utf-8", Options{Scripts: true})
		if got := strings.Join(linkStatuses(d), "|"); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.in, got, tt.want)
		}
	}
}

// Code is found in documents of all formats, and in UTF-16.
func TestTemplateFormats(t *testing.T) {
	tests := []struct {
		format  Format
		charset string
		data    string
		want    string
	}{
		{HTML, "utf-16le", string(readingtest.UTF16(`<a href="{{ x }}"><a href="/y">{# <a href="/z"> #}`, false)),
			"suspect {{ x }}|resolved /y|suspect /z"},
		{Feed, "", `<rss><channel><link>/a/{{ b }}</link><item><description>&lt;a href="${c}"&gt;&lt;a href="/d"&gt;</description></item></channel></rss>`,
			"suspect /a/{{ b }}|suspect ${c}|unresolved /d"},
		{XHTML, "", `<html xmlns="http://www.w3.org/1999/xhtml"><a href="${x}/y"/><?php echo '<a href="/z">' ?></html>`,
			"identifier http://www.w3.org/1999/xhtml|suspect ${x}/y"},
		{CSS, "", `a{b:url("{{ x }}.png");c:url(/d)}{# url(/e) #}`, "suspect {{ x }}.png|resolved /d|suspect /e"},
		{Manifest, "", `{"start_url":"{{ x }}","scope":"/y"}`, "suspect {{ x }}|resolved /y"},
	}
	for _, tt := range tests {
		d := &Doc{Format: tt.format, Data: []byte(tt.data), Charset: tt.charset,
			Layer: &base.Layer{Source: base.Option, Value: target}}
		if got := strings.Join(linkStatuses(d), "|"); got != tt.want {
			t.Errorf("%s %q:\n got %s\nwant %s", tt.format, tt.data, got, tt.want)
		}
	}
}

// Elements of a framework have expressions in attributes in which elements of AMP have links.
func TestFrameworkElements(t *testing.T) {
	const in = `<ng-include src="a.b+'/t.html'"></ng-include><mat-icon src="icon"></mat-icon><x-link href="/a"></x-link><AMP-img src="/b"></AMP-img>` +
		`<amp-story-page-outlink href="/c"></amp-story-page-outlink><x-y srcset="/d 1x" poster="/e"></x-y><i-amp src="/f">`
	for _, tt := range []struct {
		o    Options
		want string
	}{
		{Options{}, "resolved /b|resolved /c|resolved /d|resolved /e"},
		{Options{Lazy: true}, "resolved icon|resolved /a|resolved /b|resolved /c|resolved /d|resolved /e|resolved /f"},
	} {
		if got := strings.Join(linkStatuses(document([]byte(in), "utf-8", tt.o)), "|"); got != tt.want {
			t.Errorf("%+v: got %s, want %s", tt.o, got, tt.want)
		}
	}
}

// A program replaces names in braces in a URL. The URI before them is resolved, and the rest stays.
func TestNamesInBraces(t *testing.T) {
	for value, want := range map[string]string{
		"e/{f}":                   "resolved http://a.test/d/e/{f}",
		"../e/{f}/x y":            "resolved http://a.test/e/{f}/x y",
		"/s?q={q}&x=y z":          "resolved http://a.test/s?q={q}&x=y z",
		"http://b.test/s?q={q}":   "absolute http://b.test/s?q={q}",
		"http://b.test/a b/{q} c": "absolute http://b.test/a%20b/{q} c",
		"{x}/y":                   "suspect ",
		"http://{h}/x":            "suspect ",
		"http://b.test":           "absolute http://b.test/",
	} {
		page := `<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><Url template="` +
			strings.ReplaceAll(value, "&", "&amp;") + `"/></OpenSearchDescription>`
		d := &Doc{Format: XML, Data: []byte(page), Layer: &base.Layer{Source: base.URL, Value: "http://a.test/d/p"}}
		got := ""
		for l := range new(Resolver).Links(d) {
			got = l.Status.String() + " " + string(l.URI)
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", value, got, want)
		}
	}
}

// In a style sheet of XSLT braces in an attribute hold an expression (XSLT 1.0 section 7.6.2). A
// link with one stays as it is written; the links beside it do not. In other documents braces are
// characters of a URL.
func TestValueTemplates(t *testing.T) {
	const space = `"http://www.w3.org/1999/XSL/Transform"`
	sheets := []struct{ start, end string }{
		{`<xsl:stylesheet version="1.0" xmlns:xsl=` + space + ` xmlns="http://www.w3.org/1999/xhtml">`,
			`</xsl:stylesheet>`},
		{`<x:transform version='2.0' xmlns="http://www.w3.org/1999/xhtml" xmlns:x=` + space + `>`, `</x:transform>`},
		{`<html xsl:version="1.0" xmlns:xsl=` + space + ` xmlns="http://www.w3.org/1999/xhtml">`, `</html>`},
	}
	other := []struct{ start, end string }{
		{`<html xmlns="http://www.w3.org/1999/xhtml" xmlns:xsl=` + space + `>`, `</html>`}, // the result of one
		{`<html xmlns="http://www.w3.org/1999/xhtml">`, `</html>`},
	}
	pieces := []string{"{@url}", "{a/b}", "{concat(@a,'x')}", "{concat(@a, @b)}", "{../a[1]}x", "{{x}}y", "{.}",
		"{@a}{@b}"}
	values := []struct{ before, after string }{
		{`<a href="`, `"/>`}, {`<img src="/i/`, `.png"/>`}, {`<a href="x?a=`, `&amp;b"/>`},
		{`<img srcset="`, `/x 1x"/>`}, {`<p style="a:url(&quot;/`, `&quot;)"/>`},
	}
	const before, after = `<a href="/q"/>`, `<a href="/r"/>`
	for _, format := range []Format{HTML, XHTML} {
		for _, sheet := range sheets {
			for _, piece := range pieces {
				for _, value := range values {
					link := value.before + piece + value.after
					d := document([]byte(sheet.start+before+link+after+sheet.end), "utf-8", Options{})
					d.Format = format
					want := sheet.start + `<a href="http://example.test/q"/>` + link +
						`<a href="http://example.test/r"/>` + sheet.end
					var r Resolver
					if got := string(Apply(nil, d.Data, r.Edits(nil, d))); got != want {
						t.Errorf("%v: %s became %s, want %s", format, d.Data, got, want)
					}
				}
			}
		}
		for _, page := range other {
			d := document([]byte(page.start+`<a href="/{a/b}"/>`+page.end), "utf-8", Options{})
			d.Format = format
			want := page.start + `<a href="http://example.test/%7Ba/b%7D"/>` + page.end
			var r Resolver
			if got := string(Apply(nil, d.Data, r.Edits(nil, d))); got != want {
				t.Errorf("%v: %s became %s, want %s", format, d.Data, got, want)
			}
		}
	}
}

// A base with an expression in braces gives no base. The known start of an absolute URL with one
// ends at the brace.
func TestValueTemplateBases(t *testing.T) {
	const sheet = `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" ` +
		`xmlns="http://www.w3.org/1999/xhtml"><base href="{$x}/"/><a href="q"/>` +
		`<a href="http://a.test/b/{@c}/d"/></xsl:stylesheet>`
	for _, format := range []Format{HTML, XHTML} {
		d := document([]byte(sheet), "utf-8", Options{})
		d.Format = format
		var r Resolver
		for l := range r.Links(d) {
			switch v := string(l.Value); {
			case v == "q" && l.Status != Unresolved:
				t.Errorf("%v: the status of %s is %s", format, v, l.Status)
			case strings.HasPrefix(v, "http://a.test"):
				n, open, whole := l.Known()
				if v[:n] != "http://a.test/b/" || !open || whole || l.Status != AbsoluteRef {
					t.Errorf("%v: of %s is known %q, %v, %v", format, v, v[:n], open, whole)
				}
			}
		}
	}
}
