package extract

import (
	"fmt"
	"strings"
	"testing"

	"absolink/base"
	"absolink/resolve"
)

// mailPart is a part of a message in a charset, with a base.
func mailPart(f Format, charset, data string) *Doc {
	return &Doc{Format: f, Data: []byte(data), Charset: charset, Part: "1",
		Layer: &base.Layer{Source: base.Option, Value: "http://example.test/dir/"}}
}

// A charset whose name only mail has is read and written. An unknown charset is not guessed,
// because the meaning of its bytes above ASCII is not known.
func TestMailCharset(t *testing.T) {
	const unknown = `unresolved  the charset "x-foo" is not known`
	tests := []struct {
		name, charset string
		format        Format
		data, want    string // status, URI and error of each link
		rewritten     string // "" means unchanged
	}{
		{"cp932", "cp932", HTML, "<a href='\x95\\.html'>", "resolved http://example.test/dir/%E8%A1%A8.html",
			"<a href='http://example.test/dir/%E8%A1%A8.html'>"},
		{"cp850 and a query", "IBM850", HTML, "<a href='\x82?\x82'>",
			"resolved http://example.test/dir/%C3%A9?%82", "<a href='http://example.test/dir/%C3%A9?%82'>"},
		{"bytes above 127", "x-foo", HTML, "<a href='\x95\\.html'>", unknown, ""},
		{"UTF-8", "x-foo", HTML, "<a href='é'>", unknown, ""},
		{"an absolute link", "x-foo", HTML, "<a href='http://h.test/\xe9'>", unknown, ""},
		{"a fragment", "x-foo", HTML, "<a href='#\xe9'>", unknown, ""},
		{"mailto", "x-foo", HTML, "<a href='mailto:\xe9@h.test'>", unknown, ""},
		{"ASCII beside others", "x-foo", HTML, "<p title='\xe9'><a href=x>\xe9</a><a href=\xe9>",
			"resolved http://example.test/dir/x, " + unknown,
			"<p title='\xe9'><a href=http://example.test/dir/x>\xe9</a><a href=\xe9>"},
		{"in a srcset", "x-foo", HTML, "<img srcset='a 1x, \xe9 2x, b 3x'>",
			"resolved http://example.test/dir/a, " + unknown + ", resolved http://example.test/dir/b",
			"<img srcset='http://example.test/dir/a 1x, \xe9 2x, http://example.test/dir/b 3x'>"},
		{"in a srcdoc", "x-foo", HTML, "<iframe srcdoc='<a href=x\xe9><a href=y>'>",
			unknown + ", resolved http://example.test/dir/y",
			"<iframe srcdoc='<a href=x\xe9><a href=http://example.test/dir/y>'>"},
		{"in a style", "x-foo", HTML, "<style>a{b:url(\xe9);c:url(d)}/*\xe9*/</style>",
			unknown + ", resolved http://example.test/dir/d",
			"<style>a{b:url(\xe9);c:url(http://example.test/dir/d)}/*\xe9*/</style>"},
		{"an escape sequence", "x-foo", HTML, "<a href='\x1b$BF|\x1b(B'>", unknown, ""},
		{"SO and SI", "x-foo", HTML, "<a href='\x0eGQ\x0f'>", unknown, ""},
		{"a reference in the path", "x-foo", HTML, "<a href='&eacute;'>",
			"resolved http://example.test/dir/%C3%A9", "<a href='http://example.test/dir/%C3%A9'>"},
		{"a reference in the query", "x-foo", HTML, "<a href='?&eacute;'>", unknown, ""},
		{"a reference in the query of a srcdoc, which is UTF-8",
			"x-foo", HTML, "<iframe srcdoc='<a href=?&amp;eacute;>'>",
			"resolved http://example.test/dir/?%C3%A9", "<iframe srcdoc='<a href=http://example.test/dir/?%C3%A9>'>"},
		{"an identifier", "x-foo", HTML, "<p itemtype='\xe9'>", "identifier", ""},
		{"a template", "x-foo", HTML, "<a href='{{ \xe9 }}'>", "suspect", ""},
		{"an absolute template", "x-foo", HTML, "<a href='http://h.test/{{ \xe9 }}'>", unknown, ""},
		{"BASE", "x-foo", HTML, "<base href='http://b.test/\xe9/'><a href=x><a href=http://h.test/>",
			unknown + ", unresolved  relative link without a usable base URI, absolute http://h.test/", ""},
		{"BASE in UTF-8", "x-foo", HTML, "<base href='/é/'><a href=x>",
			unknown + ", unresolved  relative link without a usable base URI", ""},
		{"BASE in ASCII", "x-foo", HTML, "<base href=/b/><a href=x>",
			"resolved http://example.test/b/, resolved http://example.test/b/x",
			"<base href=/b/><a href=http://example.test/b/x>"},
		{"codebase", "x-foo", HTML, "<object codebase='\xe9/' data=x>",
			unknown + ", unresolved  relative link without a usable base URI", ""},
		{"a declaration that is known", "x-foo", HTML, "<meta charset=utf-8><a href='é'>",
			"resolved http://example.test/dir/%C3%A9", "<meta charset=utf-8><a href='http://example.test/dir/%C3%A9'>"},
		{"a declaration that is not", "", HTML, "<meta charset=x-foo><a href='é'>", unknown, ""},
		{"no declaration", "", HTML, "<a href='\xe9'>", "resolved http://example.test/dir/%C3%A9",
			"<a href='http://example.test/dir/%C3%A9'>"},
		{"a byte order mark", "x-foo", HTML, "\xef\xbb\xbf<a href='é'>",
			"resolved http://example.test/dir/%C3%A9", "\xef\xbb\xbf<a href='http://example.test/dir/%C3%A9'>"},
		{"a style sheet", "x-foo", CSS, "a{b:url(\xe9);c:url(d)}",
			unknown + ", resolved http://example.test/dir/d", "a{b:url(\xe9);c:url(http://example.test/dir/d)}"},
		{"XML", "x-foo", XHTML, "<html xmlns='http://www.w3.org/1999/xhtml'><a href='\xe9'/><a href='x'/></html>",
			"identifier http://www.w3.org/1999/xhtml, " + unknown + ", resolved http://example.test/dir/x",
			"<html xmlns='http://www.w3.org/1999/xhtml'><a href='\xe9'/><a href='http://example.test/dir/x'/></html>"},
		{"xml:base", "x-foo", XML, "<a xml:base='\xe9/' xmlns:x='http://www.w3.org/1999/xlink' x:href='y'/>",
			unknown + ", identifier http://www.w3.org/1999/xlink, unresolved  relative link without a usable " +
				"base URI", ""},
		{"text", "x-foo", Plain, "see http://h.test/a\xe9 and http://h.test/b",
			"absolute http://h.test/a, absolute http://h.test/b", ""},
		{"text in angles", "x-foo", Plain, "see <http://h.test/a\xe9> and http://h.test/b",
			unknown + ", absolute http://h.test/b", ""},
	}
	for _, tt := range tests {
		var r Resolver
		d := mailPart(tt.format, tt.charset, tt.data)
		var got []string
		for l := range r.Links(d) {
			s := fmt.Sprintf("%s %s", l.Status, l.URI)
			if l.Err != nil {
				s += " " + l.Err.Error()
			}
			if strings.Contains(s, "charset") != l.Unsure() {
				t.Errorf("%s: Unsure of %q is %v", tt.name, l.Value, l.Unsure())
			}
			got = append(got, strings.TrimSpace(s))
		}
		if got := strings.Join(got, ", "); got != tt.want {
			t.Errorf("%s: links of %q are\n%s, want\n%s", tt.name, tt.data, got, tt.want)
		}
		want := tt.rewritten
		if want == "" {
			want = tt.data
		}
		if got := string(Apply(nil, d.Data, r.Edits(nil, d))); got != want {
			t.Errorf("%s: rewritten to %q, want %q", tt.name, got, want)
		}
	}
}

// A URI in running text that ends at a byte of an unknown charset may continue there.
func TestMailCharsetText(t *testing.T) {
	for data, want := range map[string]string{
		"http://h.test/a\xe9": "unclear-end", "http://h.test/a \xe9": "",
		"\xe9http://h.test/a": "", "http://h.test/a.\xe9": "unclear-end",
	} {
		for _, flowed := range []bool{false, true} {
			var r Resolver
			d := mailPart(Plain, "x-foo", data)
			d.Flowed = flowed
			for l := range r.Links(d) {
				if got := strings.Join(l.Warnings,
					" "); strings.TrimPrefix(strings.TrimPrefix(got, "invalid-utf8"), " ") != want {
					t.Errorf("flowed %v: warnings of %q are %q, want %q", flowed, data, got, want)
				}
			}
		}
	}
	var r Resolver
	d := mailPart(Calendar, "x-foo", "BEGIN:VCALENDAR\nDESCRIPTION:http://h.test/a\xe9\nEND:VCALENDAR\n")
	n := 0
	for l := range r.Links(d) {
		n++
		if !strings.Contains(strings.Join(l.Warnings, " "), "unclear-end") {
			t.Errorf("warnings of %q in a calendar are %q", l.Value, l.Warnings)
		}
	}
	if n != 1 {
		t.Errorf("%d links in a calendar, want 1", n)
	}
}

// A page in a calendar has the charset of the calendar, and not the one that the page declares or
// that its bytes suggest.
func TestCharsetOfPageInCalendar(t *testing.T) {
	for _, cs := range []string{"utf-8", "iso-8859-1"} {
		const page = "X-ALT-DESC;FMTTYPE=text/html:<meta charset=koi8-r><a href='http://h.test/%s'>"
		letter := map[string]string{"utf-8": "é", "iso-8859-1": "\xe9"}[cs]
		d := &Doc{Format: Calendar, Charset: cs,
			Data: fmt.Appendf(nil, "BEGIN:VCALENDAR\n"+page+"\n"+page+"\nEND:VCALENDAR\n", letter, letter)}
		n := 0
		for r := range d.Refs() {
			n++
			if string(r.Value) != "http://h.test/é" {
				t.Errorf("in %s: reference %d has the value %q, want é at its end", cs, n, r.Value)
			}
		}
		if n != 2 {
			t.Errorf("in %s: got %d references, want 2", cs, n)
		}
	}
}

// Under the rules of the RFCs a query does not depend on the charset.
func TestMailCharsetQueryRules(t *testing.T) {
	r := Resolver{Policy: base.Policy{Rules: resolve.Options{Rules: resolve.RFC3986}}}
	for l := range r.Links(mailPart(HTML, "x-foo", "<a href='?&eacute;'>")) {
		if l.Status != Resolved {
			t.Errorf("%q is %s: %v", l.Value, l.Status, l.Err)
		}
	}
}

// In charsets that are only read, all links are listed at their places and no link is changed,
// whatever the options.
func TestMailCharsetListed(t *testing.T) {
	tests := []struct{ charset, data, raw string }{
		{"utf-7", `<base href="/b/"><a href="+iGg-.html">x+AOk-<a href="HTTP://h.test"><a href="+AOk-">`, "+iGg-.html"},
		{"hz-gb-2312", `<base href="/b/"><a href="~{1m~}.html">x<a href="HTTP://h.test"><a href="~{1m~}">`,
			"~{1m~}.html"},
		{"iso-2022-kr",
			"<base href=\"/b/\"><a href=\"\x0exz\x0f.html\">x<a href=\"HTTP://h.test\"><a href=\"\x0exz\x0f\">",
			"\x0exz\x0f.html"},
		{"utf-32", wide32(`<base href="/b/"><a href="表.html">x<a href="HTTP://h.test"><a href="表">`), wide32("表.html")},
	}
	for _, tt := range tests {
		for _, r := range []Resolver{{}, {Normalize: true, Fragments: true},
			{BaseElement: DropBase}, {BaseElement: AbsolutizeBase}} {
			d := mailPart(HTML, tt.charset, tt.data)
			var got []string
			for l := range r.Links(d) {
				if l.Change || l.Drop {
					t.Errorf("%s: %q is changed", tt.charset, l.Value)
				}
				got = append(got, string(l.URI))
				if raw := string(d.Data[l.Start:l.End]); len(got) == 2 && raw != tt.raw {
					t.Errorf("%s: the second link is %q, want %q", tt.charset, raw, tt.raw)
				}
			}
			if len(got) != 4 || got[1] != "http://example.test/b/%E8%A1%A8.html" || got[2] != "http://h.test/" {
				t.Errorf("%s: links %q", tt.charset, got)
			}
			if edits := r.Edits(nil, d); len(edits) > 0 {
				t.Errorf("%s: edits %v", tt.charset, edits)
			}
			if !d.ReadOnly() {
				t.Errorf("%s is written", tt.charset)
			}
		}
	}
	for _, charset := range []string{"", "utf-8", "cp850", "x-foo", "iso-2022-jp", "utf-16"} {
		if mailPart(HTML, charset, "<p>").ReadOnly() {
			t.Errorf("%q is never written", charset)
		}
	}
}

// wide32 returns s in UTF-32.
func wide32(s string) string {
	var b strings.Builder
	for _, r := range s {
		b.Write([]byte{byte(r >> 24), byte(r >> 16), byte(r >> 8), byte(r)})
	}
	return b.String()
}

// A BASE is not dropped if a link that depends on it stays.
func TestMailCharsetDrop(t *testing.T) {
	r := Resolver{BaseElement: DropBase}
	for data, want := range map[string]string{
		"<base href=/b/><a href=x><a href=\xe9>": "<base href=/b/><a href=http://example.test/b/x><a href=\xe9>",
		"<base href=/b/><a href=x>\xe9":          "<base ><a href=http://example.test/b/x>\xe9",
	} {
		d := mailPart(HTML, "x-foo", data)
		if got := string(Apply(nil, d.Data, r.Edits(nil, d))); got != want {
			t.Errorf("%q is rewritten to %q, want %q", data, got, want)
		}
	}
}

// Pages have only the labels of the standard, and an unknown charset is replaced by a guess.
func TestMailCharsetOfPages(t *testing.T) {
	for _, charset := range []string{"cp932", "x-foo", "cp850"} {
		d := mailPart(HTML, charset, "<a href='\xe9'>")
		d.Part = ""
		var r Resolver
		for l := range r.Links(d) {
			if l.Status != Resolved || string(l.URI) != "http://example.test/dir/%C3%A9" {
				t.Errorf("%s: %q of a page is %s %s", charset, l.Value, l.Status, l.URI)
			}
		}
		if p := d.Problems(); len(p) != 1 || p[0].Kind != UnknownCharset || p[0].Detail != "" {
			t.Errorf("%s: problems of a page are %v", charset, p)
		}
		if got := d.Encoding(); got != "windows-1252" {
			t.Errorf("%s: a page is read in %s", charset, got)
		}
	}
}

func TestMailCharsetProblem(t *testing.T) {
	for _, tt := range []struct{ charset, data, detail, encoding string }{
		{"x-foo", "<p>", "x-foo", "unknown-8bit"},
		{"", "<meta charset=x-bar>", "x-bar", "unknown-8bit"},
		{"x-foo", "<meta charset=koi8-r>", "", "koi8-r"},
	} {
		d := mailPart(HTML, tt.charset, tt.data)
		p := d.Problems()
		if len(p) != 1 || p[0].Kind != UnknownCharset || p[0].Detail != tt.detail || d.Encoding() != tt.encoding {
			t.Errorf("%q, %q: problems %v, encoding %s, want %q and %s",
				tt.charset, tt.data, p, d.Encoding(), tt.detail, tt.encoding)
		}
	}
}
