package charset

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"absolink/extract/internal/charset/index"
	"absolink/testdata/corpus"
	"absolink/testdata/effort"
)

// decodeOne decodes a character that is followed by others.
func decodeOne(e *Encoding, b string) (text string, n int, ok bool) {
	out, n, ok := e.Append(nil, []byte(b+" \xff"), 0, false)
	return string(out), n, ok
}

const minSample = 1400

// A line of the sample holds bytes, their characters, and the bytes of the first of these
// characters.
func TestSample(t *testing.T) {
	data, err := os.ReadFile("testdata/sample.tsv")
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for line := range strings.Lines(string(data)) {
		if line[0] == '#' {
			continue
		}
		lines++
		f := strings.Split(strings.TrimSpace(line), "\t")
		e := Get(f[0])
		if e == nil || len(f) != 4 {
			t.Fatalf("%q is no line of the sample", line)
		}
		b, err := hex.DecodeString(f[1])
		if err != nil {
			t.Fatal(err)
		}
		var want []rune
		for _, code := range strings.Fields(f[2]) {
			r, err := strconv.ParseInt(strings.TrimPrefix(code, "U+"), 16, 32)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, rune(r))
		}
		if got, n, ok := decodeOne(e, string(b)); got != string(want) || n != len(b) || !ok {
			t.Errorf("%s: %x is %q of %d bytes, %t, want %q", f[0], b, got, n, ok, string(want))
		}
		if again, ok := e.encode(want[0]); ok != (f[3] != "-") || ok && hex.EncodeToString(again) != f[3] {
			t.Errorf("%s: %U is encoded as %x, %t, want %s", f[0], want[0], again, ok, f[3])
		}
	}
	if lines < minSample {
		t.Errorf("%d lines, want at least %d", lines, minSample)
	}
}

func indexes() *index.Indexes { return index.Open(corpus.Path("encoding")) }

// names are all charsets in which markup bytes are literal. The project has no copy of the large
// indexes of the two-byte charsets and uses a sample for them.
var names = func() []string {
	if corpus.Own() {
		return index.Singles
	}
	return slices.Concat(index.Singles, index.Doubles)
}()

// Every byte and every two bytes decode as in the indexes, or to U+FFFD for as many bytes as the
// standard's decoders take.
func TestIndexesDecode(t *testing.T) {
	x := indexes()
	for _, name := range names {
		e, all := Get(name), x.Characters(name)
		double := slices.Contains(index.Doubles, name)
		for a := 0x80; a < 0x100; a++ {
			checkDecoded(t, e, all, string([]byte{byte(a)}))
			for b := 0; b < 0x100 && double; b++ {
				checkDecoded(t, e, all, string([]byte{byte(a), byte(b)}))
			}
		}
		if name == "euc-jp" {
			for i := range 1 << 16 {
				checkDecoded(t, e, all, string([]byte{0x8f, byte(i >> 8), byte(i)}))
			}
		}
	}
}

// checkDecoded compares the sequence at the start of b with the characters of the charset.
func checkDecoded(t *testing.T, e *Encoding, all map[string]string, b string) {
	t.Helper()
	want, length := replacement, taken(e.Name, b)
	for n := 1; n <= min(3, len(b)); n++ {
		if c, ok := all[b[:n]]; ok {
			want, length = c, n
			break
		}
	}
	got, n, ok := decodeOne(e, b)
	if got != want || n != length || ok != (want != replacement) {
		t.Errorf("%s: %x is %q of %d bytes, %t, want %q of %d", e.Name, b, got, n, ok, want, length)
	}
}

// taken returns the length of an error at the start of b, which " \xff" follows.
func taken(name, b string) int {
	c := b[0]
	lead := slices.Contains(index.Doubles, name) && 0x81 <= c && c <= 0xfe
	switch name {
	case "euc-jp":
		lead = c == 0x8e || c == 0x8f || 0xa1 <= c && c <= 0xfe
		if len(b) > 1 && c == 0x8f && 0xa1 <= b[1] && b[1] <= 0xfe {
			if len(b) > 2 && b[2] >= 0x80 {
				return 3
			}
			return 2
		}
	case "shift_jis":
		lead = 0x81 <= c && c <= 0x9f || 0xe0 <= c && c <= 0xfc
	}
	if lead && len(b) > 1 && b[1] >= 0x80 {
		return 2
	}
	return 1
}

// Every four bytes of gb18030 decode as in the ranges.
func TestIndexesFour(t *testing.T) {
	x := indexes()
	e, n := Get("gb18030"), 0
	step := effort.Pick(1, 7)
	for p := 0; p < 126*10*126*10; p += step {
		b, r, mapped := x.Four(p)
		if !mapped {
			r = utf8.RuneError
		} else {
			n++
		}
		if got, next, ok := e.Append(nil, []byte(b), 0, false); string(got) != string(r) || next != 4 || ok != mapped {
			t.Errorf("% x is %q of %d bytes, %t, want %U, %t", b, got, next, ok, r, mapped)
		}
	}
	if n*step < 1_000_000 {
		t.Errorf("%d characters, want a million", n*step)
	}
}

// Every character is encoded as in the standard.
func TestIndexesEncode(t *testing.T) {
	x := indexes()
	whole := effort.Whole()
	encoded := names
	if !corpus.Own() {
		encoded = append(encoded, "iso-2022-jp")
	}
	for _, name := range encoded {
		e := Get(name)
		for r := rune(utf8.RuneSelf); r <= utf8.MaxRune; r++ {
			if 0xd800 <= r && r < 0xe000 || r >= 0x30000 && name != "gb18030" && r < utf8.MaxRune-0xff {
				continue
			}
			if !whole && r >= 0x10000 && name != "big5" && r%37 != 0 {
				continue // ranges, or no characters
			}
			want, has := x.Encode(name, r)
			if !whole && !has && r%7 != 0 {
				continue
			}
			if got, ok := e.encode(r); ok != has || ok && string(got) != want {
				t.Errorf("%s: %U is encoded as %x, %t, want %x, %t", name, r, got, ok, want, has)
			}
		}
	}
}

// Every label of the standard is known by its name.
func TestLabels(t *testing.T) {
	data, err := os.ReadFile(corpus.Path("encoding/encodings.json"))
	if err != nil {
		t.Fatal(err)
	}
	var groups []struct {
		Encodings []struct {
			Name   string
			Labels []string
		}
	}
	if err := json.Unmarshal(data, &groups); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, g := range groups {
		for _, want := range g.Encodings {
			for _, label := range want.Labels {
				n++
				if e := Get(" " + strings.ToUpper(label) + "\n"); e == nil || e.Name != strings.ToLower(want.Name) {
					t.Errorf("Get(%q) is %v, want %s", label, e, want.Name)
				}
			}
		}
	}
	if n < 200 {
		t.Errorf("%d labels, want at least 200", n)
	}
	if Get("x-nothing") != nil {
		t.Errorf("a label that is none has an encoding")
	}
}

// The length of an error decides where a quote is found.
func TestErrors(t *testing.T) {
	tests := []struct{ charset, in, want string }{
		{"iso-8859-15", "\x80\xa4", "\u0080\u20ac"},
		{"iso-8859-8-i", "\x9f\xa1\xe0", "\u009f\ufffd\u05d0"},
		{"x-user-defined", "\x80\xff", "\uf780\uf7ff"},
		{"shift_jis", "\x80\xa0\xa1\xfd", "\u0080\ufffd\uff61\ufffd"},
		{"shift_jis", "\xf0\x40\xf9\xfc", "\ue000\ue757"},
		{"shift_jis", "\x81\"\x81\xfd\x85\x40\x81", "\ufffd\"\ufffd\ufffd@\ufffd"},
		{"big5", "\x80\xff\x81\"\x81\x80\x81A\x87\x40\x87\xfe", "\ufffd\ufffd\ufffd\"\ufffd\ufffdA\u43f0\ufffd"},
		{"euc-kr", "\x81\"\x81\xff\xc9\xa1\xff", "\ufffd\"\ufffd\ufffd\ufffd"},
		{"euc-jp", "\x8f\xa2\"\x8f\xa2\xa1\x8fx\x8f\x80\x8e\xe0\x8e\"\x8f\xa2",
			"\ufffd\"\ufffd\ufffdx\ufffd\ufffd\ufffd\"\ufffd"},
		{"euc-jp", "\xa9\xa1\xa9\xff\xa0\xa1\x8f", "\ufffd\ufffd\ufffd\ufffd"},
		{"gb18030", "\x80\xff\x84\x31\xa4\x37", "\u20ac\ufffd\ufffd"},
		{"gb18030", "\x81\x30\"\x81\x30\x81\"\x81\x30\x81!", "\ufffd0\"\ufffd0\ufffd\"\ufffd0\ufffd!"},
		{"gb18030", "\x81\x30\xff\x30", "\ufffd0\ufffd0"},
		{"gb18030", "\x84\x31\xa5\x30\x90\x30\x81\x30", "\ufffd\U00010000"},
		{"gb18030", "\xfe\x39\xfe\x39\x81\x7f", "\ufffd\ufffd\u007f"},
		{"gb18030", "\x81\x30\x81", "\ufffd"},
		{"gbk", "\x81\x30\x81\x30\x81\x30", "\u0080\ufffd"},
		{"gbk", "\x80\xaa\xa1\x81", "\u20ac\ue000\ufffd"},
	}
	for _, tt := range tests {
		if got := string(Get(tt.charset).Decode(nil, []byte(tt.in))); got != tt.want {
			t.Errorf("%s: Decode(%q) = %+q, want %+q", tt.charset, tt.in, got, tt.want)
		}
	}
}

func TestUTF8(t *testing.T) {
	const in, want = "\u00e4\xe4\xe2\x82x\xf0\x9f\x98\xc0\xaf\xe0\x80\xed\xa0\x80\xf4\x90",
		"\u00e4\ufffd\ufffdx\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd"
	if got := string((*Encoding)(nil).Decode(nil, []byte(in))); got != want {
		t.Errorf("Decode(%q) = %+q, want %+q", in, got, want)
	}
}

func TestQuery(t *testing.T) {
	tests := []struct{ charset, in, want string }{
		{"iso-8859-15", "a \u0080'\"\u20ac\u00a4", "a%20%80%27%22%A4%26%23164%3B"},
		{"windows-1252", "\u0081\u0080\ufffd", "%81%26%23128%3B%26%2365533%3B"},
		{"x-user-defined", "\uf780\uf7ff\u0080", "%80%FF%26%23128%3B"},
		{"shift_jis", "\u0080\u2212\u203e\u00a5\u2170\u9ed1\u00ac\ue000\u2252",
			"%80%81|~\\%FA@%FCK%26%23172%3B%26%2357344%3B%81%E0"},
		{"euc-jp", "\u2212\u203e\u00a5\u02d8\uff71", "%A1%DD~\\%26%23728%3B%8E%B1"},
		{"big5", "\u00c1\u7809\u5341\u2550", "%26%23193%3B%CF%F1%A4Q%F9%F9"},
		{"gbk", "\u20ac\ue000\u9fba\ue7c7\ue5e5\ue81e\U0001f600",
			"%80%AA%A1%FE%90%26%2359335%3B%26%2358853%3B%FEY%26%23128512%3B"},
		{"gb18030", "\u20ac\ufffd\ue7c7\ue5e5\U0001f600", "%A2%E3%841%A47%815%F47%26%2358853%3B%949%FC6"},
		{"iso-2022-jp", "a\u65e5\u672cb", "a%1B$BF|K\\%1B(Bb"},
		{"iso-2022-jp", "\u65e5", "%1B$BF|%1B(B"},
		{"iso-2022-jp", "\u2212\uff71\u00a5a~\u203e\\", "%1B$B!]%%22%1B(J\\a%1B(B~%1B(J~%1B(B\\"},
		{"iso-2022-jp", "\x1b\x0e\u65e5\x0f\u00a5\U0001f600x",
			"%26%2365533%3B%26%2365533%3B%1B$BF|%1B(B%26%2365533%3B%1B(J\\%26%23128512%3Bx%1B(B"},
		{"iso-2022-jp", "\u65e5\U0001f600", "%1B$BF|%1B(B%26%23128512%3B"},
	}
	for _, tt := range tests {
		if got := string(Get(tt.charset).AppendQuery(nil, []byte(tt.in))); got != tt.want {
			t.Errorf("%s: AppendQuery(%+q) = %s, want %s", tt.charset, tt.in, got, tt.want)
		}
	}
}

// shifted decodes text in ISO-2022-JP.
func shifted(in string) string { return shiftedIn(Get("iso-2022-jp"), in) }

func shiftedIn(e *Encoding, in string) string {
	s := shiftReader{Encoding: e}
	var out []byte
	for i := 0; i < len(in); {
		n := s.plainLen([]byte(in[i:]))
		out = append(out, in[i:i+n]...)
		i += n
		if i < len(in) {
			out, i, _ = s.append(out, []byte(in), i)
		}
	}
	return string(out)
}

func TestShifts(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"kanji", "a\x1b$BF|K\\\x1b(Bb", "a日本b"},
		{"JIS C 6226", "\x1b$@F|\x1b(Bb", "日b"},
		{"back by Roman", "\x1b$BF|\x1b(Ja\\~b", "日a¥‾b"},
		{"Roman after ASCII", "~\\\x1b(J~\\\x1b(B~\\", "~\\‾¥~\\"},
		{"katakana", "\x1b(I1_\x1b(B1", "ｱﾟ1"},
		{"no katakana", "\x1b(I1`a\x1b(B1", "ｱ\ufffd\ufffd1"},
		{"two sequences", "\x1b(B\x1b(B", "\ufffd"},
		{"there and back", "\x1b$B\x1b(Bx", "\ufffdx"},
		{"ESC alone", "a\x1bb", "a\ufffdb"},
		{"no sequence", "\x1b$Cx\x1b(Ax", "\ufffd$Cx\ufffd(Ax"},
		{"ESC within kanji", "\x1b$BF|\x1b(XF|", "日\ufffd\ufffd日"},
		{"ESC behind half a kanji", "\x1b$BF\x1b(B\"", "\ufffd\""},
		{"SO and SI", "a\x0eb\x0fc", "a\ufffdb\ufffdc"},
		{"SO in Roman", "\x1b(J\x0e", "\ufffd"},
		{"a byte above ASCII", "\x80a\x1b(J\xff", "\ufffda\ufffd"},
		{"a line end within kanji", "\x1b$BF|\nK\\\x1b(B", "日\ufffd本"},
		{"a line end behind half a kanji", "\x1b$BF\nK\\", "\ufffd本"},
		{"no kanji", "\x1b$B)!F|", "\ufffd日"},
		{"half a kanji at the end", "\x1b$BF|K", "日\ufffd"},
		{"a sequence cut at the end", "a\x1b$", "a\ufffd$"},
	}
	for _, tt := range tests {
		if got := shifted(tt.in); got != tt.want {
			t.Errorf("%s: %q is %+q, want %+q", tt.name, tt.in, got, tt.want)
		}
	}
}
