package charset

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode/utf32"

	"absolink/extract/internal/text"
	"absolink/testdata/effort"
)

func TestListed(t *testing.T) {
	tests := []struct{ charset, in, want string }{
		// RFC 2152, the examples and rules of its section 2.
		{"utf-7", "A+ImIDkQ.", "A\u2262\u0391."},
		{"utf-7", "Hi Mom -+Jjo--!", "Hi Mom -\u263a-!"},
		{"utf-7", "+ZeVnLIqe-", "\u65e5\u672c\u8a9e"},
		{"utf-7", "Item 3 is +AKM-1.", "Item 3 is £1."},
		{"utf-7", "a+-b+-", "a+b+"},
		{"utf-7", "+2D3eAA-x", "\U0001f600x"},
		{"utf-7", "+2D0-x+3gA-y", "\ufffdx\ufffdy"},
		{"utf-7", "+2D0AYQ-", "\ufffda"},
		{"utf-7", "+/v8-a+/v8-", "a\ufeff"},
		{"utf-7", "a +/v8-", "a \ufeff"},
		{"utf-7", "+/v8AYQ-", "a"},
		{"utf-7", "?q=a+b&c=1+ 2+", "?q=a+b&c=1+ 2+"},
		{"utf-7", "a+b-c +AO -", "a+b-c +AO -"},
		{"utf-7", "+AOl-", "+AOl-"},
		{"utf-7", "+AOkA-", "+AOkA-"},
		{"utf-7", "é+AOk", "\ufffd\ufffdé"},
		{"utf-7", "+ADw-a href=+ACI-x+ACI-+AD4", `<a href="x">`},
		{"utf-7", "", ""},
		// RFC 1843.
		{"hz-gb-2312", "~{<:Ky2;S{#,NpJ)l6HK!#~}Bye.", "己所不欲，勿施於人。Bye."},
		{"hz-gb-2312", "a~~b~\nc~\r\nd~x~", "a~bcd~x~"},
		{"hz-gb-2312", "~{VP\nVP~}", "中\nVP"},
		{"hz-gb-2312", "~{VP9z~}<a href=\"~{VP~}\">", "中国<a href=\"中\">"},
		{"hz-gb-2312", "~{V ~}\x80", "\ufffd \ufffd"},
		{"hz-gb-2312", "~{VP", "中"},
		{"hz-gb-2312", "~{~}x", "x"},
		{"hz-gb-2312", "x~}~{VP~}", "x中"},
		{"hz-gb-2312", "~{VP~~VP~\nVP~{VP", "中~中中中"},
		// RFC 1557.
		{"iso-2022-kr", "\x1b$)C\x0eGQ19>n\x0f.html", "한국어.html"},
		{"iso-2022-kr", "a\x0eGQ\nGQ\x0fb\x1b$)D", "a한\nGQb\x1b$)D"},
		{"iso-2022-kr", "\x0e\x0fa\x0eG\x0f\x0e!\"x\xff", "a\ufffd、\ufffd\ufffd"},
		// Unicode 3.10, D99 to D101.
		{"utf-32", "\x00\x00\xfe\xff\x00\x00\x00a", "a"},
		{"utf-32", "\xff\xfe\x00\x00a\x00\x00\x00", "a"},
		{"utf-32", "\x00\x00\x00a", "a"},
		{"utf-32", "a\x00\x00\x00\x00\xf6\x01\x00", "a\U0001f600"},
		{"utf-32be", "\x00\x01\xf6\x00\x00\x00\xd8\x00\x00\x11\x00\x00", "\U0001f600\ufffd\ufffd"},
		{"utf-32le", "\x00\xf6\x01\x00a", "\U0001f600\ufffd"},
		{"utf-32", "", ""},
		{"utf-32", "abc", "\ufffd"},
	}
	for _, tt := range tests {
		if got := decodedBy(Mail(tt.charset), []byte(tt.in)); got != tt.want {
			t.Errorf("%s: %q is %+q, want %+q", tt.charset, tt.in, got, tt.want)
		}
	}
}

// The span of a character covers the bytes that contain a bit of it. It includes the sequence
// before it that switches to its set, and the sequence after it that switches back.
func TestListedSpans(t *testing.T) {
	tests := []struct{ charset, in, of, want string }{
		{"utf-7", "a+iGg-.html b", "表.html", "+iGg-.html"},
		{"utf-7", "+ZeVnLIqe-", "本", "VnLI"},
		{"utf-7", "+ZeVnLIqe-", "日", "+ZeV"},
		{"utf-7", "+ZeVnLIqe-.", "語", "Iqe-"},
		{"utf-7", "a+-b", "+", "+-"},
		{"utf-7", "x+2D3eAA.", "\U0001f600", "+2D3eAA"},
		{"hz-gb-2312", `"~{VP9z~}.html"`, "中国.html", "~{VP9z~}.html"},
		{"hz-gb-2312", `"a~{VP~}b~{9z~}"`, "中", "~{VP~}"},
		{"hz-gb-2312", "a~~b", "~", "~~"},
		{"hz-gb-2312", "a~\nb", "b", "~\nb"},
		{"iso-2022-kr", "\x1b$)Ca\x0eGQ19\x0fb", "한국", "\x0eGQ19\x0f"},
		{"iso-2022-kr", "\x1b$)Ca\x0eGQ19\x0fb", "b", "b"},
		{"utf-32be", "\x00\x00\x00a\x00\x00\x00b\x00\x01\xf6\x00", "b", "\x00\x00\x00b"},
		{"utf-32be", "\x00\x00\x00a\x00\x00\x00b\x00\x01\xf6\x00", "b\U0001f600", "\x00\x00\x00b\x00\x01\xf6\x00"},
	}
	for _, tt := range tests {
		var w Switches
		var whole text.Text
		if !w.Decode(&whole, []byte(tt.in), Mail(tt.charset)) {
			t.Fatalf("%s is not decoded as a whole", tt.charset)
		}
		at := strings.Index(string(whole.Data), tt.of)
		if at < 0 {
			t.Errorf("%s: %q is %q, without %q", tt.charset, tt.in, whole.Data, tt.of)
			continue
		}
		s := whole.Raw(text.Span{Start: at, End: at + len(tt.of)})
		if got := tt.in[s.Start:s.End]; got != tt.want {
			t.Errorf("%s: %q of %q stands in %q, want %q", tt.charset, tt.of, tt.in, got, tt.want)
		}
	}
}

// FuzzListed compares the decoders of x/text with ours for input that they accept, and checks that
// every character has its place.
func FuzzListed(f *testing.F) {
	f.Add([]byte("a+ImIDkQ-~{VP9z~}\x0eGQ\x0f"))
	f.Add([]byte("\xff\xfe\x00\x00a\x00\x00\x00"))
	f.Add([]byte("~{VP\n~~~"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range []string{"utf-7", "hz-gb-2312", "iso-2022-kr", "utf-32", "utf-32be", "utf-32le"} {
			var w Switches
			var whole text.Text
			w.Decode(&whole, data, Mail(name))
			if !utf8.Valid(whole.Data) {
				t.Errorf("%s: %q is %q, no UTF-8", name, data, whole.Data)
			}
			at := 0
			for i, r := range string(whole.Data) {
				s := whole.Raw(text.Span{Start: i, End: i + utf8.RuneLen(r)})
				if s.Start < at || s.End <= s.Start || s.End > len(data) {
					t.Fatalf("%s: %q of %q stands in %v, behind %d", name, r, data, s, at)
				}
				at = s.Start
			}
		}
		if want, err := simplifiedchinese.HZGB2312.NewDecoder().Bytes(data); err == nil &&
			!strings.ContainsAny(string(want), "\ufffd\n") && inGB2312(data) {
			if got := decodedBy(Mail("hz"), data); got != string(want) {
				t.Errorf("HZ: %q is %q, want %q", data, got, want)
			}
		}
		for name, e := range map[string]utf32.Endianness{"utf-32be": utf32.BigEndian, "utf-32le": utf32.LittleEndian} {
			want, err := utf32.UTF32(e, utf32.IgnoreBOM).NewDecoder().Bytes(data)
			if err != nil || len(data)%4 > 0 {
				continue
			}
			if got := decodedBy(Mail(name), data); got != strings.TrimPrefix(string(want), "\ufeff") {
				t.Errorf("%s: %q is %q, want %q", name, data, got, want)
			}
		}
	})
}

// inGB2312 reports whether all bytes of data are allowed in HZ.
func inGB2312(data []byte) bool {
	for _, c := range data {
		if c >= 0x7e || c < ' ' {
			return c == '~'
		}
	}
	return true
}

// Long text takes linear time and memory, whatever it contains.
func TestListedLinear(t *testing.T) {
	effort.Only(t)
	const size = 1 << 20
	for _, piece := range []string{"+", "+A", "+AAA", "~", "~{", "~}",
		"~{~}", "\x0e", "\x0f", "\x0eA\x0f", "\x1b$)C", "a\x00\x00\x00"} {
		data := []byte(strings.Repeat(piece, size/len(piece)))
		for _, name := range []string{"utf-7", "hz", "iso-2022-kr", "utf-32"} {
			var w Switches
			var whole text.Text
			w.Decode(&whole, data, Mail(name))
			if n := len(whole.Data); n > 3*len(data) {
				t.Errorf("%s: %d bytes of %q are %d", name, len(data), piece, n)
			}
		}
	}
}
