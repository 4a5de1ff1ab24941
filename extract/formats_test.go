package extract

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	lexer "github.com/tdewolff/parse/v2/css"

	"absolink/base"
	"absolink/extract/internal/readingtest"
	"absolink/extract/internal/text"
	"absolink/testdata/corpus"
	"absolink/testdata/effort"
)

// plainFormats are the formats without tags, for FuzzFormats.
var plainFormats = []Format{CSS, Plain, Manifest, Heading, Calendar, Card, Enriched, Script, Markdown,
	JSONFeed, URLList, HeaderRules, Linkset, JSONLinkset, WAT}

// taggedFormats are the other formats, for FuzzRewrite and FuzzXMLRewrite.
var taggedFormats = []Format{HTML, Bookmarks, XHTML, XML, SVG, Feed, Sitemap, OPML, OpenSearch}

// A new format must be fuzzed too.
func TestEveryFormatIsFuzzed(t *testing.T) {
	for f := HTML; int(f) < len(formats); f++ {
		if !slices.Contains(plainFormats, f) && !slices.Contains(taggedFormats, f) {
			t.Errorf("%v is in neither plainFormats nor taggedFormats", f)
		}
	}
}

// checkFormat checks the invariants of rewriting for a document of any format, and returns the
// rewritten document.
func checkFormat(t *testing.T, name string, format Format, data []byte, charset string) []byte {
	t.Helper()
	open := func(data []byte) *Doc {
		return &Doc{Format: format, Data: data, Charset: charset,
			Layer: &base.Layer{Source: base.Option, Value: target}}
	}
	var r Resolver
	d := open(data)
	before := outcomes(&r, d)
	out := Apply(nil, data, r.Edits(nil, d))
	after := outcomes(&r, open(out))
	if len(after) != len(before) {
		t.Fatalf("%s as %v: %d links after rewriting, want %d", name, format, len(after), len(before))
	}
	for i, want := range before {
		if want.status == Resolved && !want.fixed {
			want.status = AbsoluteRef
		}
		if after[i].status != want.status || after[i].uri != want.uri {
			t.Errorf("%s as %v: link %d, %q, is %s %q after rewriting, want %s %q", name,
				format, i, want.value, after[i].status, after[i].uri, want.status, want.uri)
		}
	}
	if again := r.Edits(nil, open(out)); len(again) > 0 {
		t.Errorf("%s as %v: rewriting again edits %d links, want none", name, format, len(again))
	}
	return out
}

// FuzzFormats checks the invariants for texts without markup, in every charset.
func FuzzFormats(f *testing.F) {
	for i, s := range []string{
		"@charset \"utf-8\";@import \"a\";b{c:url(d) image-set('e' 1x);u\\72l(f\\29)}/*# sourceMappingURL=x */",
		"see <http://a.example/b\n> c> and mailto:x@y.example",
		`{"start_url":"a\/\u0022","icons":[{"src":"b"}],"id":"c"}`,
		"Link: <a>;rel=\"x\", <b>\r\nContent-Location: c\r\n d\r\nRefresh: 1;url='e\n",
		"URL:http\\://a/\r\n b\r\nATTENDEE;MEMBER=\"x:^^\",\"y:z\":mailto:c\r\nNOTE:\\nhttp://d/\\,e",
		"VERSION:2.1\nx.URL;QUOTED-PRINTABLE:http://a/=3D=\nb=E9\nPHOTO;BASE64:AAAA\n",
		"<bold>http://a<x>b</bold><param>c:d</param><<mailto:e> <lt>http://f",
		"a{b:url(\x83\x5c\xc6)}\x1b$BF|K\\\x1b(B",
		`{"items":[{"content_html":"<a href=\"x\">\u003cimg src='y'>","url":"z"}],"home_page_url":"w"}`,
		"a\n\thttp://b.example/ \r\n# http://c.example/\n/d?<>",
		"/a\n  Link: <b>;imagesrcset=\"c 1x\"\n/*\n  Link: <d>, </e>\n Refresh: 1;url=f\nhttps://:x.h/*\n Link: </g>",
		"<a>;rel=next\n ,<b>\n;anchor=\"c\"",
		`{"linkset":[{"anchor":"a","next":[{"href":"b"}]}]}`,
		"[a](b \"c\") ![d](<e f>)\n\n[g]: h&amp;\n\n> <img src=i> `j`\n\n|k|\n|-|\n|[l](m\\|n)|\n",
		`{"Envelope":{"Payload-Metadata":{"HTTP-Response-Metadata":{"Headers":{"Location":"a"},"HTML-Metadata":{` +
			`"Links":[{"path":"A@/href","url":"b","text":"c"}],"Head":{"Base":"d","Metas":[{"content":"e"}]}}}}}}`,
	} {
		f.Add([]byte(s), uint8(i), uint8(i))
		f.Add(readingtest.UTF16(s, i%2 == 0), uint8(i), uint8(10))
	}
	f.Fuzz(func(t *testing.T, data []byte, format, charset uint8) {
		checkFormat(t, fmt.Sprintf("%q", data), plainFormats[int(format)%len(plainFormats)],
			data, fuzzCharsets[int(charset)%len(fuzzCharsets)])
	})
}

// FuzzSheetInjection writes hostile URIs into style sheets. According to an independent lexer
// nothing else changes.
func FuzzSheetInjection(f *testing.F) {
	f.Add(`@import "a";b{c:url(d);e:url('f') url("g\
h")}`, `");}</style>/*`)
	f.Add(`a{b:image-set("c" 1x);d:url( e )}`, "\\\n)'")
	f.Fuzz(func(t *testing.T, sheet, uri string) {
		if strings.ContainsAny(sheet, "\\\x00") || !text.IsASCII([]byte(sheet)) {
			return // the lexer reads neither NUL nor all escapes
		}
		var edits []Edit
		for r := range (&Doc{Format: CSS, Data: []byte(sheet), Charset: "utf-8"}).Refs() {
			edits = append(edits, r.Edit([]byte("x"+uri)))
		}
		out := Apply(nil, []byte(sheet), edits)
		n := 0
		for r := range (&Doc{Format: CSS, Data: out, Charset: "utf-8"}).Refs() {
			n++
			if !readsAs(r.Value, "x"+uri) {
				t.Errorf("%q became %q: reference %q, want %q", sheet, out, r.Value, "x"+uri)
			}
		}
		if n != len(edits) {
			t.Errorf("%q became %q: %d references, want %d", sheet, out, n, len(edits))
		}
		if s := sameSheet(t, []byte(sheet), out); s != "" && !lexerLost([]byte(sheet)) {
			t.Errorf("%q became %q: %s", sheet, out, s)
		}
	})
}

// lexerLost reports whether the lexer departs from the token rules in a sheet. It continues after a
// broken string, and reads a function url() that contains more than a string as a bad url.
func lexerLost(sheet []byte) bool {
	if bytes.ContainsAny(sheet, "\n\r\f") {
		return true
	}
	for l := lexed(sheet); ; {
		switch token, _ := l.Next(); token {
		case lexer.BadURLToken:
			return true
		case lexer.ErrorToken:
			return false
		}
	}
}

// TestMailInOtherFormats reads every message of the corpus in wrong formats.
func TestMailInOtherFormats(t *testing.T) {
	for _, m := range corpus.Documents(t, "mail") {
		if len(m.Data) > 1<<20 {
			continue
		}
		for _, format := range plainFormats {
			checkFormat(t, m.Name, format, m.Data, "")
		}
	}
}

// TestFormatsAreLinear reads large documents of one repeated piece, each of which would take hours
// in quadratic time.
func TestFormatsAreLinear(t *testing.T) {
	effort.Only(t)
	for _, unit := range []string{"a:", "<", "\"", "Link: <", "Link: <a>;\"", "Link: (,<a>",
		"Link: ;,", ";a=", "P3P: ,", "\n ", "Link: \n <a>,\n ", "List-Help: <", "/*# sourceMappingURL=",
		"/*", "*/", "url(", "@import ", "{", "[", "{\"src\":", "\"icons\":[", "\\", "{\"icons\":{", "> \n", " \r\n",
		"http://", "\r", "\r\n ", "NOTE:\xe2\r\n ", "URL;", "URL;QUOTED-PRINTABLE:=\n",
		"=\n", "X-A;DIR=\"", "\",", "\\n", "<param>", "<comment></", "</", "<<"} {
		data := bytes.Repeat([]byte(unit), 1<<18/len(unit))
		for _, format := range plainFormats {
			for _, prefix := range []string{"", "Link: "} {
				for range (&Doc{Format: format, Data: append([]byte(prefix), data...),
					Flowed: true, DelSp: true}).Refs() {
				}
			}
		}
	}
}

func BenchmarkStyleSheet(b *testing.B) {
	sheet := []byte(strings.Repeat(`.card-title, .nav > li a:hover { color: #336699; font: 14px/1.5 "Helvetica Neue", Arial; margin: 0 auto; padding: 4px 8px }
@media (min-width: 600px) { .hero { background: #fff url(/img/hero-1.png) no-repeat; transform: translate(-50%, 10px) } }
`, 200))
	benchFormat(b, CSS, sheet, 200)
}

// benchFormat measures reading data of a format, which has want references.
func benchFormat(b *testing.B, format Format, data []byte, want int) {
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	d := &Doc{}
	for b.Loop() {
		d.Format, d.Data = format, data
		n := 0
		for range d.Refs() {
			n++
		}
		if n != want {
			b.Fatalf("%d references, want %d", n, want)
		}
	}
}
