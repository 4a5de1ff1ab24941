package charset

import (
	"encoding/hex"
	"os"
	"slices"
	"strings"
	"testing"

	"absolink/extract/internal/text"
)

// rows returns the lines of a table of testdata. It fails if there are fewer than least.
func rows(t *testing.T, name string, columns, least int) [][]string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var all [][]string
	for line := range strings.Lines(string(data)) {
		if line[0] == '#' {
			continue
		}
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(f) != columns {
			t.Fatalf("%s: %q has not %d columns", name, line, columns)
		}
		all = append(all, f)
	}
	if len(all) < least {
		t.Fatalf("%s has %d lines, want at least %d", name, len(all), least)
	}
	return all
}

// decodedBy returns the text of data in an encoding.
func decodedBy(e *Encoding, data []byte) string {
	var w Switches
	var whole text.Text
	if w.Decode(&whole, data, e) {
		return string(whole.Data)
	}
	return string(e.Decode(nil, data))
}

// notKnown are the codecs of Python for which there is no encoding.
var notKnown = strings.Fields(`cp037 cp1006 cp1026 cp1125 cp1140 cp273 cp424 cp500 cp720 cp737 cp775 cp856 cp857 cp861 cp864 cp869 cp875
	euc_jis_2004 euc_jisx0213 hp_roman8 johab koi8_t kz1048 mac_arabic mac_croatian mac_farsi mac_greek mac_iceland mac_latin2 mac_romanian
	mac_turkish ptcp154 shift_jis_2004 shift_jisx0213`)

// otherwise are samples that Python decodes to other characters, by the codec and the text.
var otherwise = func() map[string]string {
	const (
		twice    = "the standard has them, as Microsoft, at other bytes"
		composed = "of letters that stand side by side Python makes one character"
		more     = "a character of JIS X 0213, which is not read"
	)
	list := map[string]string{
		"big5 фаил": twice, "big5 ソ能": twice, "cp950 фаил": twice, "cp950 ソ能": twice, "koi8_u ╬": twice,
		"euc_kr 똠방": composed,
	}
	for _, codec := range []string{"iso2022_jp_2004", "iso2022_jp_3"} {
		for _, text := range []string{"€", "äöüßéè", "ąćęłńó", "š"} {
			list[codec+" "+text] = more
		}
	}
	return list
}()

// A name that Python knows names an encoding that decodes like Python, or no encoding.
func TestMailPython(t *testing.T) {
	samples := make(map[string][][]string)
	for _, f := range rows(t, "codecs.tsv", 3, 800) {
		samples[f[0]] = append(samples[f[0]], f)
	}
	seen := make(map[string]bool)
	for _, f := range rows(t, "names.tsv", 3, 1300) {
		who, codec, name := f[0], f[1], f[2]
		if who == "iana" {
			continue
		}
		e := Mail(name)
		if slices.Contains(notKnown, codec) {
			if e != nil {
				t.Errorf("Mail(%q) is %s, want none: %s is not known", name, e.Name, codec)
			}
			continue
		}
		if e == nil {
			t.Errorf("Mail(%q) is none, want an encoding for %s", name, codec)
			continue
		}
		if codec == "iso2022_jp_2" {
			if e.Form != Opaque {
				t.Errorf("Mail(%q) is %s, want the replacement encoding", name, e.Name)
			}
			continue
		}
		for _, s := range samples[codec] {
			data, err := hex.DecodeString(s[1])
			if err != nil {
				t.Fatal(err)
			}
			got := strings.TrimPrefix(decodedBy(e, data), "\ufeff")
			key := codec + " " + s[2]
			if otherwise[key] != "" {
				seen[key] = true
				if got == s[2] {
					t.Errorf("%s: %q is decoded, take it from the list", codec, s[2])
				}
			} else if got != s[2] {
				t.Errorf("Mail(%q), %s: %x is %q, want %q", name, e.Name, data, got, s[2])
			}
		}
	}
	if len(seen) != len(otherwise) {
		t.Errorf("%d samples differ, want %d", len(seen), len(otherwise))
	}
}

// registered are the encodings of the charsets in IANA's registry.
var registered = map[string]string{
	"US-ASCII": "windows-1252", "ISO_8859-1:1987": "windows-1252",
	"ISO_8859-2:1987": "iso-8859-2", "ISO_8859-3:1988": "iso-8859-3",
	"ISO_8859-4:1988": "iso-8859-4", "ISO_8859-5:1988": "iso-8859-5",
	"ISO_8859-6:1987": "iso-8859-6", "ISO_8859-6-E": "iso-8859-6",
	"ISO_8859-6-I": "iso-8859-6", "ISO_8859-7:1987": "iso-8859-7",
	"ISO_8859-8:1988": "iso-8859-8", "ISO_8859-8-E": "iso-8859-8",
	"ISO_8859-8-I": "iso-8859-8-i", "ISO_8859-9:1989": "windows-1254",
	"ISO-8859-10": "iso-8859-10", "ISO-8859-13": "iso-8859-13",
	"ISO-8859-14": "iso-8859-14", "ISO-8859-15": "iso-8859-15", "ISO-8859-16": "iso-8859-16", "TIS-620": "windows-874",
	"windows-874": "windows-874", "windows-1250": "windows-1250",
	"windows-1251": "windows-1251", "windows-1252": "windows-1252",
	"windows-1253": "windows-1253", "windows-1254": "windows-1254",
	"windows-1255": "windows-1255", "windows-1256": "windows-1256",
	"windows-1257": "windows-1257", "windows-1258": "windows-1258",
	"KOI8-R": "koi8-r", "KOI8-U": "koi8-u", "macintosh": "macintosh",
	"IBM437": "ibm437", "IBM850": "ibm850", "IBM852": "ibm852",
	"IBM855": "ibm855", "IBM00858": "ibm00858", "IBM860": "ibm860",
	"IBM862": "ibm862", "IBM863": "ibm863", "IBM865": "ibm865", "IBM866": "ibm866",
	"UTF-8": "utf-8", "UTF-16": "utf-16le", "UTF-16BE": "utf-16be",
	"UTF-16LE": "utf-16le", "ISO-10646-UCS-2": "utf-16le",
	"UTF-32": "utf-32", "UTF-32BE": "utf-32be", "UTF-32LE": "utf-32le",
	"ISO-10646-UCS-4": "utf-32", "UTF-7": "utf-7", "UNICODE-1-1-UTF-7": "utf-7",
	"Shift_JIS": "shift_jis", "Windows-31J": "shift_jis",
	"Extended_UNIX_Code_Packed_Format_for_Japanese": "euc-jp", "CP51932": "euc-jp",
	"ISO-2022-JP": "iso-2022-jp", "CP50220": "iso-2022-jp", "ISO-2022-JP-2": "replacement",
	"EUC-KR": "euc-kr", "KS_C_5601-1987": "euc-kr", "ISO-2022-KR": "iso-2022-kr",
	"GB2312": "gbk", "GB_2312-80": "gbk", "GBK": "gbk", "GB18030": "gb18030", "HZ-GB-2312": "hz-gb-2312",
	"ISO-2022-CN": "replacement", "ISO-2022-CN-EXT": "replacement", "Big5": "big5", "Big5-HKSCS": "big5",
}

// A name in IANA's registry names the encoding of its charset, or no encoding.
func TestMailIANA(t *testing.T) {
	seen := make(map[string]bool)
	for _, f := range rows(t, "names.tsv", 3, 1300) {
		if f[0] != "iana" {
			continue
		}
		got := ""
		if e := Mail(f[2]); e != nil {
			got = e.Name
		}
		seen[f[1]] = true
		if want := registered[f[1]]; got != want {
			t.Errorf("Mail(%q) is %q, want %q, of %s", f[2], got, want, f[1])
		}
	}
	for charset := range registered {
		if !seen[charset] {
			t.Errorf("%s is not in the registry", charset)
		}
	}
}

// A name counts in any case, with any signs or none between its letters and around it.
func TestMailSpelling(t *testing.T) {
	for name, want := range map[string]string{
		"cp932": "shift_jis", "MS932": "shift_jis", "sjis-win": "shift_jis",
		"CP936": "gbk", "cp949": "euc-kr", "cp950": "big5",
		"euc_kr": "euc-kr", "eucjp": "euc-jp", "latin-1": "windows-1252",
		"ISO-8859_1": "windows-1252", "utf_8": "utf-8", "UTF8MB4": "utf-8",
		"koi8_r": "koi8-r", "windows1252": "windows-1252", "ibm850": "ibm850",
		"IBM-850": "ibm850", "cp_850": "ibm850", "cp-1251": "windows-1251",
		"win-1251": "windows-1251", "'utf-8'": "utf-8", `"cp932"`: "shift_jis",
		" cp932 ": "shift_jis", "<cp932>": "shift_jis", "cp932;": "shift_jis",
		"iso 8859 15": "iso-8859-15", "ISO8859.2": "iso-8859-2", "x-cp932": "shift_jis",
		"X-CP850": "ibm850", "x_utf_8": "utf-8", "'x-euckr'": "euc-kr",
		"utf-8": "utf-8", "us-ascii": "windows-1252", "hz": "hz-gb-2312",
		"unicode-1-1-utf-7": "utf-7", "UTF_32": "utf-32",
		"": "", "x-": "", "-": "", "x": "", "xcp932": "", "cp93": "",
		"cp9322": "", "cp932 utf-8": "", "x-unknown": "", "unknown-8bit": "",
		"x-mac-hebrew": "", "cp932\xe9": "", "ｃｐ932": "", "x-x-utf-8": "", "utf-8-x": "",
		"1361": "", "cp1361": "", "8bit": "", "binary": "", "default": "",
	} {
		got := ""
		if e := Mail(name); e != nil {
			got = e.Name
		}
		if got != want {
			t.Errorf("Mail(%q) is %q, want %q", name, got, want)
		}
	}
}

// ISO-2022-JP of mail may contain sets that the standard does not have. Their bytes are not markup.
func TestMailSets(t *testing.T) {
	const in, want = "\x1b$(D0!<a\x1b(B<a>\x1b$(O<a\x1b(B", "\u4e02\u5f19<a>\ufffd"
	for _, label := range []string{"ISO-2022-JP-1", "iso-2022-jp-2004",
		"cp50220", "cp50221", "cp50222", "iso-2022-jp-ms", "ISO2022JP_3"} {
		if got := shiftedIn(Mail(label), in); got != want {
			t.Errorf("%s: %q is %+q, want %+q", label, in, got, want)
		}
	}
	if got, want := shifted(in), "\ufffd$(D0!<a<a>\ufffd$(O<a"; got != want {
		t.Errorf("%q is %+q, want %+q", in, got, want)
	}
}

// Queries are written in a code page too.
func TestMailQuery(t *testing.T) {
	if got, want := string(Mail("cp850").AppendQuery(nil, []byte("é α"))), "%82%20%26%23945%3B"; got != want {
		t.Errorf("AppendQuery = %s, want %s", got, want)
	}
}

func TestUnknown(t *testing.T) {
	e := newUnknown("x-foo")
	if got := decodedBy(e, []byte("a\xc3\xa9\x1bb")); got != "a\ufffd\ufffd\x1bb" {
		t.Errorf("Decode = %q", got)
	}
	if e.Writes() {
		t.Error("queries are written in an unknown charset")
	}
	for in, want := range map[string]bool{"": false, "az~{+-": false, "\x7f": false,
		"\x80": true, "a\xff": true, "\x0e": true, "\x0f": true, "\x1b": true, "\x10": false} {
		if got := e.Unsure([]byte(in)); got != want {
			t.Errorf("Unsure(%q) = %v, want %v", in, got, want)
		}
	}
	if Mail("cp850").Unsure([]byte("\xff")) {
		t.Error("a byte of a known charset is not sure")
	}
}

// A span contains an escape sequence if the sequence ends in it. A sequence that ends where the
// span begins is before it.
func TestInside(t *testing.T) {
	const in = "<a>\x1b(J<b>\x1b$B0!\x1b(B<c>"
	var w Switches
	var whole text.Text
	w.Decode(&whole, []byte(in), Get("iso-2022-jp"))
	for start := range len(in) + 1 {
		for end := start; end <= len(in); end++ {
			want := start < 6 && 6 <= end || start < 12 && 12 <= end || start < 17 && 17 <= end
			if got := w.Inside(text.Span{Start: start, End: end}); got != want {
				t.Errorf("Inside(%q) = %t, want %t", in[start:end], got, want)
			}
		}
	}
}

func TestInUTF8(t *testing.T) {
	for _, c := range []struct {
		in, label, want string
		ok              bool
	}{
		{"a", "x-nobody", "a", true},
		{"\xe9", "x-nobody", "", false},
		{"\xe9", "iso-8859-1", "é", true},
		{"a\xb0\xa1", "cp949", "a가", true},
		{"\xff", "cp949", "", false},
		{"é", "utf-8", "é", true},
		{"\xe9", "utf-8", "\xe9", false},
		{"+AOk-", "utf-7", "é", true},
		{"\x1b$B$\"\x1b(B", "iso-2022-jp", "あ", true},
	} {
		got, ok := InUTF8([]byte(c.in), c.label)
		if string(got) != c.want || ok != c.ok {
			t.Errorf("InUTF8(%q, %q) = %q, %v, want %q, %v", c.in, c.label, got, ok, c.want, c.ok)
		}
	}
}
