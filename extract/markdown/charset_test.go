package markdown_test

import (
	"strings"
	"testing"
	"unicode/utf16"

	"absolink/base"
	"absolink/extract"
)

// utf16le returns s in UTF-16 with a byte order mark.
func utf16le(s string) string {
	b := []byte("\xff\xfe")
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}

// In every charset, an edit keeps the bars and backquotes that have a meaning in Markdown.
func TestBarsInCharsets(t *testing.T) {
	for _, tt := range []struct{ name, charset, source, uri, want string }{
		{"a trail byte like a bar", "shift_jis", "[a](\x83\x7c)", "http://c/", "[a](http://c/)"},
		{"a trail byte like a bar, in HTML", "shift_jis", "<img src=\x83\x7c>", "http://c/", "<img src=http://c/>"},
		{"a trail byte like a backslash", "shift_jis", "[a](\x83\x5c|)", "http://c/|", "[a](http://c/|)"},
		{"an escaped bar", "", utf16le("[a](b\\|c)"), "http://c/|", utf16le("[a](http://c/&#124;)")},
		{"a bar", "", utf16le("[a](b|c)"), "http://c/|`", utf16le("[a](http://c/|&#96;)")},
		{"a bar, in HTML", "", utf16le("<img src='b|c'>"), "http://c/|d|`",
			utf16le("<img src='http://c/|d&#124;&#96;'>")},
		{"no bar, in HTML", "", utf16le("a <img src=b>"), "http://c/|`",
			utf16le("a <img src=\"http://c/&#124;&#96;\">")},
		{"a letter with the byte of a bar", "", utf16le("[a](\u7c7c)"), "http://c/|", utf16le("[a](http://c/&#124;)")},
		{"a sheet in an attribute", "", "a <iframe srcdoc='<style>b{c:url(d)}</style>'>", "http://c/|`",
			"a <iframe srcdoc='<style>b{c:url(http://c/&#124;&#96;)}</style>'>"},
		{"a sheet in an attribute in UTF-16", "", utf16le("a <iframe srcdoc='<style>b{c:url(d)}</style>'>"),
			"http://c/|", utf16le("a <iframe srcdoc='<style>b{c:url(http://c/&#124;)}</style>'>")},
		{"a sheet", "", "<style>b{c:url(d)}</style>", "http://c/|", "<style>b{c:url(http://c/|)}</style>"},
		{"a sheet in a comment", "", "<!-- <style>b{c:url(d)}</style> -->", "http://c/|",
			"<!-- <style>b{c:url(http://c/|)}</style> -->"},
		{"an attribute in a comment", "", "<!-- <img src=d> -->", "http://c/|",
			"<!-- <img src=\"http://c/&#124;\"> -->"},
	} {
		d := &extract.Doc{Format: extract.Markdown, Data: []byte(tt.source), Charset: tt.charset,
			Layer: &base.Layer{Source: base.URL, Value: "http://h.example/d/"}}
		d.Options.Comments = true
		n := 0
		for r := range d.Refs() {
			n++
			if !r.Holds([]byte(tt.uri)) {
				t.Errorf("%s: %q does not hold %q", tt.name, tt.source, tt.uri)
			}
			out := string(extract.Apply(nil, d.Data, []extract.Edit{r.Edit([]byte(tt.uri))}))
			if out != tt.want {
				t.Errorf("%s: %q became %q, want %q", tt.name, tt.source, out, tt.want)
			}
		}
		if n != 1 {
			t.Errorf("%s: %d references, want 1", tt.name, n)
		}
	}
	d := read("[a](\x83\x5c|)")
	d.Charset = "shift_jis"
	for r := range d.Refs() {
		if r.Holds([]byte("http://c/")) {
			t.Errorf("%q holds a URI without a bar", strings.ToValidUTF8(string(d.Data), "?"))
		}
	}
}

// An ASCII byte inside a character of Shift_JIS, GBK or Big5 has no meaning in Markdown.
func TestTrailBytes(t *testing.T) {
	for _, tt := range []struct{ charset, source, want string }{
		{"shift_jis", "[a](\x95\x5c.md)", "link \x95\x5c.md = \u8868.md"},
		{"shift_jis", "[a](\x95\x5c)", "link \x95\x5c = \u8868"},
		{"shift_jis", "[a](\x95\x5c\\_\x95\x5c&amp;\x95\x5c)",
			"link \x95\x5c\\_\x95\x5c&amp;\x95\x5c = \u8868_\u8868&\u8868"},
		{"shift_jis", "[\x95\x5d](b) [\x83\x5b](c)", "link b, link c"},
		{"shift_jis", "\x83\x60 [a](b) \x83\x60", "link b"},
		{"shift_jis", "|\x83\x7c|b|\n|-|-|\n|\x83\x7c|[a](b)|[c](d)|", "link b"},
		{"shift_jis", "[\x95\x5c]: b", "definition b"},
		{"shift_jis", "<img src=\"\x95\x5c.png\">", "img \x95\x5c.png = \u8868.png"},
		{"shift_jis", "[\xb1](\xb1\\)b)", "link \xb1\\)b = \uff71)b"},
		{"gbk", "[a](\x81\x5c\x81\x7c)", "link \x81\x5c\x81\x7c = \u4e57\u4e85"},
		{"big5", "[a](\xa5\x5c)", "link \xa5\x5c = \u529f"},
		{"euc-kr", "[a](\xb0\xa1)", "link \xb0\xa1 = \uac00"},
		{"windows-1252", "[a](\xe9\\_)", "link \xe9\\_ = \u00e9_"},
	} {
		d := read(tt.source)
		d.Charset = tt.charset
		if got := list(t, d); got != tt.want {
			t.Errorf("%s: %q has %q, want %q", tt.charset, tt.source, got, tt.want)
		}
	}
	d := read("[a](\x95\x5c)")
	d.Charset = "shift_jis"
	var r extract.Resolver
	out := extract.Apply(nil, d.Data, r.Edits(nil, d))
	if want := "[a](http://h.example/d/%E8%A1%A8)"; string(out) != want {
		t.Errorf("got %q, want %q", out, want)
	}
}

// Anchors and the texts of links are in UTF-8, whatever the charset of the document is.
func TestTextsInCharsets(t *testing.T) {
	for _, tt := range []struct{ charset, source, anchors, texts string }{
		{"windows-1252", "# \xc9t\xe9 [\xe9](b)\n\n<h2>\xe9</h2>\n", "\u00e9t\u00e9-\u00e9 \u00e9", "\u00e9"},
		{"windows-1252", "\xe9\r\xe8\n---\n> [\xe9\r> \xe8](b)\n", "\u00e9\u00e8", "\u00e9 \u00e8"},
		{"shift_jis", "# \x83\x5c_\x95\x5c\n\n[\x83\x5b](b) https://b.example/\n", "\u30bd_\u8868",
			"\u30bc https://b.example/"},
		{"", utf16le("# \u00e9\n\n[\u8868](b)\n"), "\u00e9", "\u8868"},
		{"utf-8", "# \u00e9\n\n[\u8868](b)\n", "\u00e9", "\u8868"},
	} {
		d := read(tt.source)
		d.Charset = tt.charset
		d.Options.LinkText = true
		var names, texts []string
		for name := range d.Anchors() {
			names = append(names, string(name))
		}
		for r := range d.Refs() {
			texts = append(texts, d.LinkText(r.Start))
		}
		if got := strings.Join(names, " "); got != tt.anchors {
			t.Errorf("%s: %q has the anchors %q, want %q", tt.charset, tt.source, got, tt.anchors)
		}
		if got := strings.Join(texts, " "); got != tt.texts {
			t.Errorf("%s: %q has the texts %q, want %q", tt.charset, tt.source, got, tt.texts)
		}
	}
}
