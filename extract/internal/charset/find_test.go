package charset

import (
	"strconv"
	"strings"
	"testing"

	"absolink/extract/internal/markup"
	"absolink/extract/internal/text"
)

// The name of the charset that Find returns, "" for nil; a ? means that the transport names no
// charset.
func TestFind(t *testing.T) {
	tests := []struct {
		data, transport string
		how             Declaration
		want            string
	}{
		{"a", "", Undeclared, ""},
		{"<meta charset=koi8-r>", "", Undeclared, ""},
		{"<meta charset=koi8-r>", "", InMeta, "koi8-r"},
		{"<meta charset=koi8-r>", "nothing", InMeta, "koi8-r?"},
		{"<p><title><</title><META charset=koi8-r>", "", InMeta, "koi8-r"},
		{strings.Repeat("<", shortDocument-9) + "<meta charset=koi8-r>", "", InMeta, "koi8-r"},
		{strings.Repeat(" ", shortDocument) + "<Meta charset=koi8-r>", "", InMeta, "koi8-r"},
		{"<", "", InMeta, ""},
		{"<meta charset=koi8-r>", "Shift_JIS", InMeta, "shift_jis"},
		{"<meta charset=utf-16>", "", InMeta, "utf-8"},
		{"<meta charset=x-user-defined>", "", InMeta, "windows-1252"},
		{"<?xml encoding='x-user-defined'?>", "", InMeta, "x-user-defined"},
		{"<p>", "", InMeta, ""},
		{"<?xml encoding='koi8-r'?>", "", InXML, "koi8-r"},
		{"<?xml encoding=koi8-r?>", "", InXML, "utf-8"},
		{"<?xml encoding='utf-16'?>", "", InXML, "utf-8"},
		{"<?xml encoding='koi8-r'", "", InXML, "utf-8"},
		{"<\x00?\x00x\x00", "", InXML, "utf-16le"},
		{"\x00<\x00?\x00x", "", InXML, "utf-16be"},
		{"<a>", "", InXML, "utf-8"},
		{"<a>", "nothing", InXML, "utf-8?"},
		{`@charset "koi8-r";`, "", InRule, "koi8-r"},
		{`@charset "utf-16";`, "", InRule, "utf-8"},
		{`@charset 'koi8-r';`, "", InRule, "utf-8"},
		{`@charset "koi8-r" ;`, "", InRule, "utf-8"},
		{"@charset \"koi8-r" + strings.Repeat(" ", maxRule) + `";`, "", InRule, "utf-8"},
		{"a", "", FixedUTF8, "utf-8"},
		{"a", "koi8-r", FixedUTF8, "koi8-r"},
		{"a", "UTF-7", FixedUTF8, "replacement"},
		{"\xef\xbb\xbf", "koi8-r", InMeta, "utf-8"},
		{"\xff\xfe", "koi8-r", InMeta, "utf-16le"},
		{"\xfe\xff", "koi8-r", Undeclared, "utf-16be"},
	}
	var f Finder
	var s markup.Scanner
	for _, tt := range tests {
		got := ""
		e, unknown := f.Find([]byte(tt.data), tt.transport, tt.how, &s)
		if e != nil {
			got = e.Name
		}
		if unknown {
			got += "?"
		}
		if got != tt.want {
			t.Errorf("Find(%.60q, %q, %d) is %q, want %q", tt.data, tt.transport, tt.how, got, tt.want)
		}
	}
}

// A short document is searched for a meta element at every offset.
func TestFindAtOffset(t *testing.T) {
	var f Finder
	var s markup.Scanner
	for n := range 100 {
		for _, meta := range []string{"<meta charset=koi8-r>", "<META charset=koi8-r>"} {
			for _, rest := range []string{"", "<p>m<M", strings.Repeat("<i>", 40)} {
				data := strings.Repeat(" ", n) + meta + rest
				if e, _ := f.Find([]byte(data), "", InMeta, &s); e == nil || e.Name != "koi8-r" {
					t.Errorf("Find(%q): got %v, want koi8-r", data, e)
				}
			}
		}
	}
}

func TestGuess(t *testing.T) {
	var f Finder
	for data, want := range map[string]string{"": "windows-1252", "a": "windows-1252",
		"a\u00e4": "utf-8", "a\xe4": "windows-1252", "\u00e4\xe4": "windows-1252"} {
		if got := f.Guess([]byte(data)).Name; got != want {
			t.Errorf("Guess(%q) is %s, want %s", data, got, want)
		}
	}
}

// A Finder keeps a limited number of labels.
func TestLabelsKept(t *testing.T) {
	var f Finder
	long := strings.Repeat("x", maxLabel)
	for i := range 3 * maxCached {
		f.lookUp([]byte(strconv.Itoa(i)))
		f.lookUp([]byte(long + strconv.Itoa(i)))
	}
	bytes := 0
	for label := range f.byLabel {
		bytes += len(label)
	}
	if n := len(f.byLabel); n == 0 || n > maxCached || bytes > 10*maxCached {
		t.Errorf("%d labels of %d bytes are kept, want at most %d short ones", n, bytes, maxCached)
	}
}

// A lone surrogate and half a unit are U+FFFD, each mapped to its bytes.
func TestDecodeUTF16(t *testing.T) {
	const data = "\xff\xfea\x00\x3d\xd8\x00\xde\x3d\xd8b\x00c"
	var w Switches
	var got text.Text
	if !w.Decode(&got, []byte(data), Get("utf-16le")) || string(got.Data) != "a\U0001f600\ufffdb\ufffd" {
		t.Errorf("%q is decoded to %q", data, got.Data)
	}
	for _, tt := range []struct{ at, n, start, end int }{{0, 1, 2, 4},
		{1, 4, 4, 8}, {5, 3, 8, 10}, {8, 1, 10, 12}, {9, 3, 12, 13}} {
		if raw := got.Raw(text.Span{Start: tt.at,
			End: tt.at + tt.n}); raw != (text.Span{Start: tt.start, End: tt.end}) {
			t.Errorf("decoded bytes %d to %d come from %v, want %d to %d", tt.at, tt.at+tt.n, raw, tt.start, tt.end)
		}
	}
	if w.Decode(&got, []byte("a"), Get("koi8-r")) || w.Decode(&got, []byte("a"), nil) {
		t.Error("a charset that keeps ASCII is decoded as a whole")
	}
}

// The name and label of the charset that Find returns for a part of a message, as in TestFind.
func TestFindMail(t *testing.T) {
	const mark8, mark16, mark32 = "\xef\xbb\xbf", "\xff\xfe", "\xff\xfe\x00\x00"
	tests := []struct {
		data, transport string
		how             Declaration
		want            string
	}{
		{"a", "", Undeclared, ""},
		{"<p>", "", InMeta, ""},
		{"<p>", "cp932", InMeta, "shift_jis"},
		{"<p>", "ibm850", InMeta, "ibm850"},
		{"<meta charset=utf-8>", "euc_kr", InMeta, "euc-kr"},
		{"<meta charset=cp932>", "", InMeta, "shift_jis"},
		{"<meta charset=cp850>", "", InMeta, "ibm850"},
		{"<meta charset=utf-32>", "", InMeta, "utf-8"},
		{"<meta charset=utf-7>", "", InMeta, "utf-7"},
		{"<meta charset=x-foo>", "", InMeta, "unknown-8bit x-foo?"},
		{"<meta charset=x-foo><meta charset=x-bar>", "", InMeta, "unknown-8bit x-foo?"},
		{"<meta charset=x-foo><meta charset=koi8-r>", "", InMeta, "koi8-r"},
		{"<meta charset=''>", "", InMeta, ""},
		{"<p>", "x-foo", InMeta, "unknown-8bit x-foo?"},
		{"<meta charset=koi8_r>", "x-foo", InMeta, "koi8-r?"},
		{"<meta charset=x-bar>", "x-foo", InMeta, "unknown-8bit x-foo?"},
		{mark8, "x-foo", InMeta, "utf-8"},
		{mark16, "x-foo", InMeta, "utf-16le"},
		{mark32, "utf-32", InMeta, "utf-32"},
		{mark32, "x-foo", InMeta, "utf-16le"},
		{"\x00\x00\xfe\xff", "utf_32_be", InMeta, "utf-32be"},
		{mark16 + "a\x00", "utf-32", InMeta, "utf-16le"},
		{"<a>", "", InXML, "utf-8"},
		{"<a>", "x-foo", InXML, "unknown-8bit x-foo?"},
		{"<?xml encoding='x-foo'?>", "", InXML, "unknown-8bit x-foo?"},
		{"<?xml encoding='cp1251'?>", "x-foo", InXML, "windows-1251?"},
		{"<?xml encoding='cp949'?>", "", InXML, "euc-kr"},
		{`@charset "x-foo";`, "", InRule, "unknown-8bit x-foo?"},
		{`@charset "eucjp";`, "", InRule, "euc-jp"},
		{"a", "x-foo", FixedUTF8, "unknown-8bit x-foo?"},
		{"a", "x-foo", Undeclared, "unknown-8bit x-foo?"},
		{"a", "iso-2022-kr", Undeclared, "iso-2022-kr"},
		{"a", "hz-gb-2312", Undeclared, "hz-gb-2312"},
		{"a", "iso-2022-cn", Undeclared, "replacement"},
		{"a", "us-ascii", InMeta, "windows-1252"},
		{"\xe9", "us-ascii", InMeta, "unknown-8bit us-ascii?"},
		{"é", "us-ascii", Undeclared, "unknown-8bit us-ascii?"},
		{"é", "us-ascii", InXML, "unknown-8bit us-ascii?"},
		{"é", "iso-8859-1", InMeta, "windows-1252"},
		{"\xe9", "latin-1", InMeta, "windows-1252"},
		{mark8 + "é", "us-ascii", InMeta, "utf-8"},
		{"<meta charset=utf-8>é", "us-ascii", InMeta, "utf-8"},
		{"<meta charset=us-ascii>é", "us-ascii", InMeta, "unknown-8bit us-ascii?"},
		{"<meta charset=x-foo>é", "us-ascii", InMeta, "unknown-8bit us-ascii?"},
		{"<meta charset=us-ascii>é", "", InMeta, "windows-1252"},
	}
	f := Finder{Mail: true}
	var s markup.Scanner
	for _, tt := range tests {
		got := ""
		e, unknown := f.Find([]byte(tt.data), tt.transport, tt.how, &s)
		if e != nil {
			got = strings.TrimSpace(e.Name + " " + e.Label)
		}
		if unknown || e != nil && e.Form == Unknown {
			got += "?"
		}
		if got != tt.want {
			t.Errorf("Find(%.60q, %q, %d) in a message is %q, want %q", tt.data, tt.transport, tt.how, got, tt.want)
		}
	}
}

// In a message US-ASCII has no bytes above 127, whatever its name. In a page it is windows-1252.
func TestFindASCII(t *testing.T) {
	var s markup.Scanner
	for _, name := range strings.Fields(`US-ASCII ascii us 646 ANSI_X3.4-1968 ANSI_X3.4-1986 ISO646-US
		ISO_646.irv:1991 iso-ir-6 csASCII cp367 IBM367`) {
		for data, want := range map[string]string{"a": "windows-1252", "\xc3\xa9": "unknown-8bit"} {
			f := Finder{Mail: true}
			if e, unknown := f.Find([]byte(data), name, InMeta, &s); e.Name != want || unknown || f.Conflict {
				t.Errorf("Find(%q, %q) in a message is %q, want %q without a problem", data, name, e.Name, want)
			}
		}
		f := new(Finder)
		if e, _ := f.Find([]byte("\xc3\xa9"), name, InMeta, &s); e != nil && e.Name != "windows-1252" {
			t.Errorf("Find in a page of %q is %q, want windows-1252", name, e.Name)
		}
	}
}

// A page does not use the names of mail, whatever was found in a message before.
func TestFindPageAfterMail(t *testing.T) {
	var s markup.Scanner
	f := Finder{Mail: true}
	for _, mail := range []bool{true, false, true, false} {
		f.Mail = mail
		for _, tt := range []struct{ transport, mail, page string }{
			{"cp932", "shift_jis", ""}, {"cp850", "ibm850", ""}, {"utf7", "utf-7",
				"replacement"}, {"hz-gb-2312", "hz-gb-2312", "replacement"},
			{"x-foo", "unknown-8bit", ""}, {"iso2022_jp_1", "iso-2022-jp", ""}, {"iso-2022-jp-1",
				"iso-2022-jp", "iso-2022-jp"}, {"koi8-r", "koi8-r", "koi8-r"},
		} {
			got, want := "", tt.page
			if mail {
				want = tt.mail
			}
			if e, _ := f.Find([]byte("<p>"), tt.transport, InMeta, &s); e != nil {
				got = e.Name
			}
			if got != want {
				t.Errorf("Find of %q, in a message %v, is %q, want %q", tt.transport, mail, got, want)
			}
		}
	}
}
