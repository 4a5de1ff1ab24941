package extract_test

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/text/encoding/htmlindex"

	"absolink/extract"
)

// AppendPart replaces a part of a reference and no other byte, if it knows how the text before the
// part is spelled.
func TestAppendPart(t *testing.T) {
	for _, tt := range []struct {
		page, start, end string // the value before the part, and with the part
		want             string // the new page, or "" if the part cannot be replaced
	}{
		{"<a href='http://a.test/x?b'>", "http://a.test/", "http://a.test/x", "<a href='http://a.test/NEW?b'>"},
		{"<a href='http://a.test/?&#38;b&amp;c'>", "http://a.test/?&", "http://a.test/?&b",
			"<a href='http://a.test/?&#38;NEW&amp;c'>"},
		{"<a href='http://a.test/é?b&c'>", "http://a.test/é?", "http://a.test/é?b", "<a href='http://a.test/é?NEW&c'>"},
		{"<a href='http://a.test/&eacute;&#x20ac;?b&c'>", "http://a.test/é€?", "http://a.test/é€?b",
			"<a href='http://a.test/&eacute;&#x20ac;?NEW&c'>"},
		{"<a href='http://a.test/&NotEqualTilde;x'>", "http://a.test/≂̸", "http://a.test/≂̸x",
			"<a href='http://a.test/&NotEqualTilde;NEW'>"},
		{"<a href='http://a.test/&eacute;?b'>", "http://a.test/è", "http://a.test/è?", ""},
		{"<a href='http://a.test/&eacute;?b'>", "http://a.test/é?b", "http://a.test/é?bc", ""},
		{"<a href=http://a.test/x>", "http://a.test/", "http://a.test/x", "<a href=http://a.test/NEW>"},
	} {
		d := &extract.Doc{Format: extract.HTML, Data: []byte(tt.page), Charset: "utf-8"}
		var r extract.Resolver
		for l := range r.Links(d) {
			value := append(l.Value[:len(l.Value):len(l.Value)], "xyz"...)
			l.Value = value
			if tt.want != "" && string(value[:len(tt.end)]) != tt.end {
				t.Fatalf("%s: the value is %q", tt.page, l.Value)
			}
			copy(l.Value, tt.end)
			edits, ok := r.AppendPart(nil, &l, len(tt.start), len(tt.end), []byte("NEW"))
			switch {
			case ok != (tt.want != ""):
				t.Errorf("AppendPart of %s, %q to %q: got %v", tt.page, tt.start, tt.end, ok)
			case ok:
				if got := string(extract.Apply(nil, d.Data, edits)); got != tt.want {
					t.Errorf("AppendPart of %s: got %s, want %s", tt.page, got, tt.want)
				}
			}
		}
	}
}

// In every charset that keeps ASCII, and in UTF-16, a part after letters that are not ASCII is
// replaced alone. In ISO-2022-JP the bytes of such letters have no place of their own.
func TestAppendPartCharsets(t *testing.T) {
	const page = "<a href='http://a.test/%s&amp;%[1]s&#38;x=%[1]s&amp;y'>"
	for name, letters := range map[string]string{
		"iso-8859-1": "é\u00a0", "windows-1251": "яЯ", "koi8-r": "я", "x-user-defined": "\uf7ff", "ibm866": "я░",
		"gb18030": "中\u0080€", "gbk": "中€", "big5": "功", "euc-kr": "한힣", "euc-jp": "日ｱ丂", "shift_jis": "日ｱソ",
		"utf-8": "é中😀", "utf-16le": "é中😀", "utf-16be": "é中😀", "iso-2022-jp": "日",
	} {
		encoding, err := htmlindex.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf(page, letters)
		raw, err := encoding.NewEncoder().String(text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		d := &extract.Doc{Format: extract.HTML, Data: []byte(raw), Charset: name}
		var r extract.Resolver
		n := 0
		for l := range r.Links(d) {
			n++
			value := strings.ReplaceAll(strings.ReplaceAll(text[len("<a href='"):len(text)-len("'>")], "&amp;", "&"),
				"&#38;", "&")
			if string(l.Value) != value {
				t.Fatalf("%s: the value is %q, want %q", name, l.Value, value)
			}
			at := strings.Index(value, "x=")
			edits, ok := r.AppendPart(nil, &l, at, at+len("x="+letters+"&"), []byte("NEW"))
			if !ok {
				if name != "iso-2022-jp" {
					t.Errorf("%s: AppendPart: got no edit", name)
				}
				continue
			}
			want, err := encoding.NewEncoder().String(strings.Replace(text, "x="+letters+"&amp;", "NEW", 1))
			if err != nil {
				t.Fatal(err)
			}
			if got := extract.Apply(nil, d.Data, edits); string(got) != want || name == "iso-2022-jp" {
				t.Errorf("%s: got %q, want %q", name, got, want)
			}
		}
		if n != 1 {
			t.Errorf("%s: got %d links, want 1", name, n)
		}
	}
}

// In ISO-2022-JP, a part that is plain ASCII is replaced alone, whichever of the two kinds of ASCII
// the text around it is in. A part after an escape sequence is unknown.
func TestAppendPartRoman(t *testing.T) {
	const roman, ascii = "\x1b(J", "\x1b(B"
	for _, tt := range []struct{ page, want string }{
		{"<a href='http://a.test/x'>", "<a href='NEW/x'>"},
		{roman + "<a href='http://a.test/x'>", roman + "<a href='NEW/x'>"},
		{"<a href='http://a.test/" + roman + "x'>", "<a href='NEW/" + roman + "x'>"},
		{roman + "<a href='http://a.test/" + ascii + "x'>", roman + "<a href='NEW/" + ascii + "x'>"},
		{roman + "<a href='http://a.test/" + ascii + "x" + roman + "'>",
			roman + "<a href='NEW/" + ascii + "x" + roman + "'>"},
		{"<a href='" + roman + "http://a.test/x'>", ""},
		{roman + "<a href='" + ascii + "http://a.test/x'>", roman + "<a href='" + ascii + "NEW/x'>"},
	} {
		d := &extract.Doc{Format: extract.HTML, Data: []byte(tt.page), Charset: "iso-2022-jp"}
		var r extract.Resolver
		for l := range r.Links(d) {
			edits, ok := r.AppendPart(nil, &l, 0, len("http://a.test"), []byte("NEW"))
			if got := string(extract.Apply(nil, d.Data, edits)); ok != (tt.want != "") || ok && got != tt.want {
				t.Errorf("AppendPart of %q: got %q, %v, want %q", tt.page, got, ok, tt.want)
			}
		}
	}
}

// In the Roman set of ISO-2022-JP the byte of ~ is an overline. So a part with a tilde is written
// otherwise there, and is read back as it is.
func TestAppendPartTilde(t *testing.T) {
	const roman = "\x1b(J"
	for _, page := range []string{"<a href='http://a.test/x'>", roman + "<a href='http://a.test/x'>"} {
		d := &extract.Doc{Format: extract.HTML, Data: []byte(page), Charset: "iso-2022-jp"}
		var r extract.Resolver
		for l := range r.Links(d) {
			edits, ok := r.AppendPart(nil, &l, len("http://a.test/"), len("http://a.test/x"), []byte("~n"))
			if !ok {
				t.Fatalf("AppendPart of %q: got no edit", page)
			}
			out := extract.Doc{Format: extract.HTML, Data: extract.Apply(nil, d.Data, edits), Charset: "iso-2022-jp"}
			for again := range out.Refs() {
				if got := string(again.Value); got != "http://a.test/~n" {
					t.Errorf("AppendPart of %q: %q is read as %q", page, out.Data, got)
				}
			}
		}
	}
}

// Edits are compared by their start alone.
func TestCompareEdits(t *testing.T) {
	for a := range 4 {
		for b := range 4 {
			x := extract.Edit{Span: extract.Span{Start: a, End: a + 1}}
			y := extract.Edit{Span: extract.Span{Start: b, End: 9}, New: []byte("y")}
			if got := x.Compare(y); got < 0 != (a < b) || got > 0 != (a > b) {
				t.Errorf("Compare of edits from %d and %d: got %d", a, b, got)
			}
		}
	}
}
