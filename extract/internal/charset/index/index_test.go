package index_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"absolink/extract/internal/charset/index"
)

// small holds some lines of each index. Lines at the end of a range are invented, so that both
// sides of the end have a character.
var small = map[string][]string{
	"koi8-r": {"# a comment", "", "  0\t0x2500\t─", "127\t0x042A"},
	"big5": {"942\t0x43F0", "5023\t0x9FFF", "5024\t0x3000", "5086\t0x2550", "5087\t0x2550", "5181\t0x4E00",
		"5182\t0x4E00", "5338\t0x255E", "5339\t0x2561", "5340\t0x256A", "5341\t0x5341", "5342\t0x5345",
		"5495\t0x255E", "5496\t0x2561", "5497\t0x256A", "5498\t0x5341", "5499\t0x5345"},
	"euc-kr": {"0\t0xAC02", "189\t0xAD00", "190\t0xAD01"},
	"gb18030": {"0\t0x4E02", "62\t0x4E42", "63\t0x4E44", "189\t0x4E8D", "190\t0x4E8E", "6432\t0x20AC",
		"16791\t0xE5E5"},
	"gb18030-ranges": {"0\t0x0080", "36\t0x00A5", "39394\t0xFFE6", "189000\t0x10000"},
	"jis0208": {"0\t0x3000", "2\t0x3002", "53\t0x300C", "60\t0xFF0D", "62\t0x00B1", "63\t0x00D7", "1410\t0x4E9C",
		"5827\t0x69C7", "5828\t0x6F3E", "8271\t0x4E00", "8272\t0x7E8A", "8273\t0x8D81", "8835\t0x4E01",
		"8836\t0x4E03", "10716\t0x2170", "10744\t0x7E8A"},
	"jis0212":              {"108\t0x02D8"},
	"iso-2022-jp-katakana": {"0\t0x3002", "1\t0x300C"},
}

// write writes an index.
func write(t *testing.T, dir, name string, lines []string) {
	t.Helper()
	err := os.WriteFile(filepath.Join(dir, "index-"+name+".txt"), []byte(strings.Join(lines, "\n")), 0o644)
	if err != nil {
		t.Fatal(err)
	}
}

// open opens the small indexes.
func open(t *testing.T) *index.Indexes {
	t.Helper()
	dir := t.TempDir()
	for name, lines := range small {
		write(t, dir, name, lines)
	}
	return index.Open(dir)
}

// A character is encoded by the rules of the encoders. "" means that the charset does not have it.
func TestEncode(t *testing.T) {
	x := open(t)
	for _, tt := range []struct {
		charset string
		r       rune
		want    string
	}{
		{"koi8-r", 0x2500, "\x80"}, {"koi8-r", 0x42a, "\xff"}, {"koi8-r", 0xe4, ""},
		{"euc-kr", 0xac02, "\x81\x41"}, {"euc-kr", 0xad00, "\x81\xfe"}, {"euc-kr", 0xad01, "\x82\x41"},

		{"big5", 0x43f0, ""}, {"big5", 0x9fff, ""}, {"big5", 0x3000, "\xa1\x40"}, {"big5", 0x4e00, "\xa2\x40"},
		{"big5", 0x2550, "\xa1\xa1"}, {"big5", 0x255e, "\xa4\x40"}, {"big5", 0x2561, "\xa4\x41"},
		{"big5", 0x256a, "\xa4\x42"}, {"big5", 0x5341, "\xa4\x43"}, {"big5", 0x5345, "\xa4\x44"},

		{"gbk", 0x4e02, "\x81\x40"}, {"gbk", 0x4e42, "\x81\x7e"}, {"gbk", 0x4e44, "\x81\x80"},
		{"gbk", 0x4e8d, "\x81\xfe"}, {"gb18030", 0x4e8e, "\x82\x40"}, {"gbk", 0xe4, ""},
		{"gbk", 0x20ac, "\x80"}, {"gb18030", 0x20ac, "\xa2\xe3"},
		{"gbk", 0xe5e5, ""}, {"gb18030", 0xe5e5, ""}, {"gbk", 0xe7c7, ""},
		{"gb18030", 0x80, "\x81\x30\x81\x30"}, {"gb18030", 0x81, "\x81\x30\x81\x31"},
		{"gb18030", 0xa5, "\x81\x30\x84\x36"}, {"gb18030", 0xe7c7, "\x81\x35\xf4\x37"},
		{"gb18030", 0xffff, "\x84\x31\xa4\x39"}, {"gb18030", 0x10000, "\x90\x30\x81\x30"},
		{"gb18030", 0x10ffff, "\xe3\x32\x9a\x35"},

		{"shift_jis", 0xa5, "\x5c"}, {"euc-jp", 0xa5, "\x5c"}, {"iso-2022-jp", 0xa5, ""},
		{"shift_jis", 0x203e, "\x7e"}, {"euc-jp", 0x203e, "\x7e"}, {"iso-2022-jp", 0x203e, ""},
		{"shift_jis", 0x80, "\x80"}, {"euc-jp", 0x80, ""}, {"iso-2022-jp", 0x80, ""},
		{"shift_jis", 0xff60, ""}, {"shift_jis", 0xff61, "\xa1"}, {"shift_jis", 0xff9f, "\xdf"},
		{"shift_jis", 0xffa0, ""}, {"euc-jp", 0xff60, ""}, {"euc-jp", 0xff61, "\x8e\xa1"},
		{"euc-jp", 0xff9f, "\x8e\xdf"}, {"euc-jp", 0xffa0, ""},
		{"iso-2022-jp", 0xff61, "\x21\x23"}, {"iso-2022-jp", 0xff62, "\x21\x56"},
		{"shift_jis", 0x2212, "\x81\x7c"}, {"euc-jp", 0x2212, "\xa1\xdd"}, {"iso-2022-jp", 0x2212, "\x21\x5d"},
		{"shift_jis", 0xb1, "\x81\x7e"}, {"shift_jis", 0xd7, "\x81\x80"}, {"shift_jis", 0x4e9c, "\x88\x9f"},
		{"euc-jp", 0x4e9c, "\xb0\xa1"}, {"iso-2022-jp", 0x4e9c, "\x30\x21"},
		{"shift_jis", 0x69c7, "\x9f\xfc"}, {"shift_jis", 0x6f3e, "\xe0\x40"},
		{"shift_jis", 0x4e00, "\xec\xfc"}, {"shift_jis", 0x8d81, ""}, {"shift_jis", 0x4e01, ""},
		{"shift_jis", 0x4e03, "\xf0\x40"}, {"shift_jis", 0x2170, "\xfa\x40"}, {"shift_jis", 0x7e8a, "\xfa\x5c"},
		{"euc-jp", 0x7e8a, "\xf9\xa1"}, {"euc-jp", 0x4e01, "\xfe\xfe"}, {"euc-jp", 0x4e03, ""},
		{"iso-2022-jp", 0x4e03, ""}, {"euc-jp", 0x2d8, ""},
	} {
		if b, ok := x.Encode(tt.charset, tt.r); b != tt.want || ok != (tt.want != "") {
			t.Errorf("Encode(%s, %U) = % x, %t, want % x", tt.charset, tt.r, b, ok, tt.want)
		}
	}
}

// The bytes of private use characters that GB 18030 no longer uses are those of the table in
// section 10.2.2.
func TestFormer(t *testing.T) {
	x := open(t)
	for _, tt := range []struct {
		first rune
		want  []string
	}{
		{0xe78d, []string{"\xa6\xd9", "\xa6\xda", "\xa6\xdb", "\xa6\xdc", "\xa6\xdd", "\xa6\xde", "\xa6\xdf",
			"\xa6\xec", "\xa6\xed", "\xa6\xf3"}},
		{0xe81e, []string{"\xfe\x59"}}, {0xe826, []string{"\xfe\x61"}}, {0xe82b, []string{"\xfe\x66", "\xfe\x67"}},
		{0xe832, []string{"\xfe\x6d"}}, {0xe843, []string{"\xfe\x7e"}}, {0xe854, []string{"\xfe\x90"}},
		{0xe864, []string{"\xfe\xa0"}},
	} {
		for i, want := range tt.want {
			for _, charset := range []string{"gbk", "gb18030"} {
				r := tt.first + rune(i)
				if b, ok := x.Encode(charset, r); b != want || !ok {
					t.Errorf("Encode(%s, %U) = % x, %t, want % x", charset, r, b, ok, want)
				}
			}
		}
	}
}

// A charset has the characters of its index, and those in the rules of its decoder.
func TestCharacters(t *testing.T) {
	x := open(t)
	for _, tt := range []struct {
		charset string
		count   int
		some    map[string]string
	}{
		{"koi8-r", 2, map[string]string{"\x80": "─", "\xff": "Ъ"}},
		{"euc-kr", 3, map[string]string{"\x81\x41": "\uac02"}},
		{"gbk", 8, map[string]string{"\x80": "€", "\xa2\xe3": "€", "\x81\x40": "\u4e02"}},
		{"gb18030", 8, map[string]string{"\x80": "€", "\x81\x7e": "\u4e42"}},
		{"big5", 17 + 4, map[string]string{"\x88\x62": "\u00ca\u0304", "\x88\x64": "\u00ca\u030c",
			"\x88\xa3": "\u00ea\u0304", "\x88\xa5": "\u00ea\u030c", "\x87\x40": "\u43f0", "\xa0\xfe": "\u9fff",
			"\xa1\x7e": "\u2550", "\xa1\xa1": "\u2550"}},
		{"euc-jp", 63 + 13 + 1, map[string]string{"\x8e\xa1": "\uff61", "\x8e\xdf": "\uff9f", "\xa1\xa1": "\u3000",
			"\xfe\xfe": "\u4e01", "\x8f\xa2\xaf": "\u02d8"}},
		{"shift_jis", 1 + 63 + 1880 + 15, map[string]string{"\x80": "\u0080", "\xa1": "\uff61", "\xdf": "\uff9f",
			"\xf0\x41": "\ue001", "\xf9\xfc": "\ue757", "\x81\x40": "\u3000", "\xfa\x40": "\u2170"}},
	} {
		all := x.Characters(tt.charset)
		if len(all) != tt.count {
			t.Errorf("Characters(%s) has %d characters, want %d", tt.charset, len(all), tt.count)
		}
		for b, want := range tt.some {
			if got := all[b]; got != want {
				t.Errorf("Characters(%s): % x is %q, want %q", tt.charset, b, got, want)
			}
		}
	}
}

// The four-byte characters of GB 18030 are in two ranges of pointers, with one exception.
func TestFour(t *testing.T) {
	x := open(t)
	for _, tt := range []struct {
		pointer int
		bytes   string
		want    rune // 0 if there is none
	}{
		{0, "\x81\x30\x81\x30", 0x80}, {35, "\x81\x30\x84\x35", 0xa3}, {36, "\x81\x30\x84\x36", 0xa5},
		{7457, "\x81\x35\xf4\x37", 0xe7c7}, {39419, "\x84\x31\xa4\x39", 0xffff}, {39420, "\x84\x31\xa5\x30", 0},
		{188999, "\x8f\x39\xfe\x39", 0}, {189000, "\x90\x30\x81\x30", 0x10000}, {1237575, "\xe3\x32\x9a\x35", 0x10ffff},
		{1237576, "\xe3\x32\x9a\x36", 0},
	} {
		b, r, ok := x.Four(tt.pointer)
		if b != tt.bytes || r != tt.want || ok != (tt.want != 0) {
			t.Errorf("Four(%d) = % x, %U, %t, want % x, %U", tt.pointer, b, r, ok, tt.bytes, tt.want)
		}
	}
}

// A missing or damaged index is a mistake of the caller, and the panic names the file.
func TestDamaged(t *testing.T) {
	for name, lines := range map[string][]string{
		"missing":           nil,
		"pointer":           {"0\t0x80", "x\t0x81"},
		"character":         {"0\t0xZ"},
		"no character":      {"0"},
		"same pointer":      {"1\t0x80", "1\t0x81"},
		"descending":        {"1\t0x80", "0\t0x81"},
		"character of more": {"1\t0x180000000"},
	} {
		dir := t.TempDir()
		if lines != nil {
			write(t, dir, "koi8-r", lines)
		}
		message := func() (message string) {
			defer func() {
				if err, ok := recover().(error); ok {
					message = err.Error()
				}
			}()
			index.Open(dir).Characters("koi8-r")
			return ""
		}()
		if !strings.Contains(message, "index-koi8-r.txt") {
			t.Errorf("%s: Characters panics with %q, want the name of the file", name, message)
		}
	}
}

// An index is read once.
func TestReadOnce(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "koi8-r", small["koi8-r"])
	x := index.Open(dir)
	x.Characters("koi8-r")
	write(t, dir, "koi8-r", nil)
	if b, ok := x.Encode("koi8-r", 0x2500); b != "\x80" || !ok {
		t.Errorf("Encode after the file is gone = % x, %t, want 80", b, ok)
	}
}
