package sheet

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"

	"absolink/extract"
)

// Pieces of the source read as the whole document does, wherever they begin: also behind an
// escape sequence that is not shown, and in the middle of a character.
func TestReader(t *testing.T) {
	const text = "<p>日本語のページ <a href=\"表.html\">リンク</a> 漢字 <a href=x>ア</a>"
	for _, name := range []string{"utf-8", "iso-2022-jp", "shift_jis",
		"euc-jp", "gb18030", "utf-16le", "windows-1252"} {
		e, err := htmlindex.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		want := text
		if name == "windows-1252" {
			want = "<p>caf\u00e9 <a href=\"\u00fc.html\">\u201d</a>"
		}
		data, err := e.NewEncoder().Bytes([]byte(want))
		if err != nil {
			t.Fatal(err)
		}
		if got := newSourceReader(data, name).read(0, len(data)); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
		for a := range data {
			for b := a; b <= len(data); b += 1 + len(data)/7 {
				r := newSourceReader(data, name)
				first, second, rest := r.read(a, b), "", ""
				second = r.read(b, min(b+9, len(data)))
				rest = r.read(min(b+9, len(data)), len(data))
				if got := first + second + rest; !strings.HasSuffix(want, got) ||
					utf8.RuneCountInString(got) < utf8.RuneCountInString(want)-a-1 {
					t.Errorf("%s from %d and %d on: got %q, want an end of %q", name, a, b, got, want)
				}
			}
		}
	}
}

// A code page of mail is read too, and bytes of a charset that is not known are U+FFFD.
func TestReaderMail(t *testing.T) {
	for name, want := range map[string]string{"ibm850": "caf\u00e9", "unknown-8bit": "caf\ufffd"} {
		data := []byte("caf\x82")
		if got := newSourceReader(data, name).read(0, len(data)); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// The window of a page in ISO-2022-JP begins where an escape sequence far before it counts.
func TestWindowShifted(t *testing.T) {
	const kanji = "\x1b$BF|K\\8l" // three characters, and no way back to ASCII
	data := []byte(kanji + strings.Repeat("%j%s", 500) + "\x1b(B<a href=" + "\x1b$BI=\x1b(B" + ".html>x</a>")
	start := strings.Index(string(data), "href=") + len("href=")
	v := &View{documentView: documentView{data: data, encoding: "iso-2022-jp"}}
	v.Rows = []Row{{N: 1, span: extract.Span{Start: start, End: strings.Index(string(data), ">x")}}}
	v.cutSource()
	var text strings.Builder
	for _, p := range v.Source {
		if p.Row == 1 && p.Text != "表.html" {
			t.Errorf("the mark: got %q, want 表.html", p.Text)
		}
		text.WriteString(p.Text)
	}
	if got := text.String(); !strings.HasPrefix(got, "リン") && !strings.HasPrefix(got, "ンリ") ||
		!strings.HasSuffix(got, "<a href=表.html>x</a>") {
		t.Errorf("the window: got %q, want katakana and the link", got)
	}
}

// Old and new lines that are versions of each other are cut at what they have in common.
func TestCompare(t *testing.T) {
	list := []diffLine{{Class: "place", Before: "@@"}, {Class: "old", Before: "-<a href=x>é"},
		{Class: "old", Before: "-<b>"}, {Class: "place", Before: `\ No newline`},
		{Class: "new", Before: "+<a href=http://h/x>é"}, {Class: "new", Before: "+<b>"}, {Before: " "}, {Class: "old",
			Before: "-è"}, {Class: "new", Before: "+é"}, {Class: "new", Before: "+more"}}
	compare(list)
	var got []string
	for _, l := range list {
		got = append(got, l.Before+"|"+l.Changed+"|"+l.After)
	}
	const want = `@@||, -<a href=||x>é, -<b>||, \ No newline||, +<a href=|http://h/|x>é, +<b>||, ||, -|è|, +|é|, +more||`
	if strings.Join(got, ", ") != strings.Replace(want, ", ||, ", ",  ||, ", 1) {
		t.Errorf("got  %s\nwant %s", strings.Join(got, ", "), want)
	}
}
