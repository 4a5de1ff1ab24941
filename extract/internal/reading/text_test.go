package reading_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"

	"absolink/base"
	"absolink/extract/internal/charset"
	"absolink/extract/internal/markup"
	"absolink/extract/internal/page"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/readingtest"
	"absolink/extract/internal/ref"
	"absolink/extract/internal/text"
)

// opened returns a text of data, whose document is in a charset.
func opened(data []byte, charsetName string) *reading.Text {
	d := readingtest.Doc{Data: data, Charset: charsetName, Find: func(*page.Finder) {}}
	d.Read()
	return d.Text()
}

// samples are texts with all sequences that need decoding, at each position.
func samples() (list []string) {
	parts := []string{"a", "é", "&amp;", "&lt", "&eacute;", "&notit;", "&copy=", "&", "&#65;", "&#x1F600;", "\r\n",
		"\r", "\n", "\x00", "\xff", "\xc3", "日本", "<b>", "&#0;"}
	for _, p := range parts {
		list = append(list, p, "x"+p+"y")
		for _, q := range parts {
			list = append(list, p+q)
			for _, r := range []string{"a", "&amp;", "é", "\x00"} {
				list = append(list, p+r+q)
			}
		}
	}
	return append(list, "")
}

// Decode returns the same as x/net/html in an attribute value and in text.
func TestDecode(t *testing.T) {
	const before = "&amp;<a b='"
	for _, s := range samples() {
		whole := replaceInvalid(s)
		normal := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(whole)
		for _, attr := range []bool{true, false} {
			in := opened([]byte(before+s+"'é&amp;"), "utf-8")
			v := in.Decode(len(before), len(before)+len(s), attr)
			want := strings.ReplaceAll(decodedBy(t, normal, attr), "\x00", "\ufffd")
			if string(v.Bytes) != want {
				t.Errorf("Decode(%q), attribute %v = %q, want %q", s, attr, v.Bytes, want)
			}
			if v.Broken != !utf8.ValidString(s) {
				t.Errorf("Decode(%q): broken %v", s, v.Broken)
			}
			checkMap(t, in, &v, s, len(before))
		}
	}
}

// replaceInvalid returns s with U+FFFD for each byte that is not UTF-8.
func replaceInvalid(s string) string {
	var b strings.Builder
	for _, r := range s {
		b.WriteRune(r)
	}
	return b.String()
}

// decodedBy returns s as x/net/html decodes it.
func decodedBy(t *testing.T, s string, attr bool) string {
	t.Helper()
	if !attr {
		return html.UnescapeString(s)
	}
	z := html.NewTokenizer(strings.NewReader(`<a b="` + s + `">`))
	z.Next()
	a := z.Token().Attr
	if len(a) != 1 {
		t.Fatalf("x/net/html reads %q as %v", s, a)
	}
	return a[0].Val
}

// checkMap compares the map of a value with the document. All of the value maps to all of the raw
// bytes, spans are in order, and each literal byte is at its place.
func checkMap(t *testing.T, in *reading.Text, v *reading.Value, s string, at int) {
	t.Helper()
	if got, want := in.Span(v, v.Whole()), (text.Span{Start: at, End: at + len(s)}); got != want {
		t.Errorf("the whole of %q is at %v, want %v", s, got, want)
	}
	last := at
	for i := range v.Bytes {
		got := in.Span(v, text.Span{Start: i, End: i + 1})
		if got.Start < last && got.End > last || got.End <= got.Start {
			t.Errorf("byte %d of %q is at %v, after %d", i, s, got, last)
		}
		if got.End-got.Start == 1 && v.Bytes[i] < 0x80 && in.Data[got.Start] != v.Bytes[i] &&
			in.Data[got.Start] != '\r' {
			t.Errorf("byte %d of %q is %q, and %q stands at %v", i, s, v.Bytes[i], in.Data[got.Start], got)
		}
		last = got.End
	}
	end := text.Span{Start: len(v.Bytes), End: len(v.Bytes)}
	if got := in.Span(v, end); len(v.Bytes) > 0 && got != (text.Span{Start: at + len(s), End: at + len(s)}) {
		t.Errorf("the end of %q is at %v", s, got)
	}
}

// Text decodes only the charset, RawText also NUL, and Style nothing in declared UTF-8.
func TestTexts(t *testing.T) {
	for _, s := range samples() {
		const before = "é&"
		whole := replaceInvalid(s)
		in := opened([]byte(before+s+"é"), "utf-8")
		start, end := len(before), len(before)+len(s)
		for _, tt := range []struct {
			name   string
			decode func(start, end int) reading.Value
			want   string
			broken bool
		}{
			{"Text", in.Text, whole, !utf8.ValidString(s)},
			{"RawText", in.RawText, strings.ReplaceAll(whole, "\x00", "\ufffd"), !utf8.ValidString(s)},
			{"Style", in.Style, s, false},
			{"Same", in.Same, s, false},
		} {
			v := tt.decode(start, end)
			if string(v.Bytes) != tt.want || v.Broken != tt.broken {
				t.Errorf("%s(%q) = %q, broken %v, want %q, %v", tt.name, s, v.Bytes, v.Broken, tt.want, tt.broken)
			}
			checkMap(t, in, &v, s, start)
		}
	}
}

// Values in a charset are decoded as x/text decodes them.
func TestCharsets(t *testing.T) {
	for name, decode := range map[string]func(string) (string, error){
		"windows-1252": charmap.Windows1252.NewDecoder().String, "shift_jis": japanese.ShiftJIS.NewDecoder().String,
	} {
		for _, s := range []string{"a", "", "\xe4b", "a\x83\x5cb", "\xb1&\xb2"} {
			want, err := decode(s)
			if err != nil {
				t.Fatal(err)
			}
			if name == "shift_jis" && s == "\xe4b" {
				continue // half of a character
			}
			in := opened([]byte("x"+s+"z"), name)
			for _, decode := range []func(start, end int) reading.Value{in.Text, in.Style, in.RawText,
				func(start, end int) reading.Value { return in.Decode(start, end, true) }} {
				v := decode(1, 1+len(s))
				if string(v.Bytes) != want || v.Broken {
					t.Errorf("%q in %s is %q, broken %v, want %q", s, name, v.Bytes, v.Broken, want)
				}
				checkMap(t, in, &v, s, 1)
			}
		}
	}
}

// A byte order mark is not text.
func TestStart(t *testing.T) {
	for data, want := range map[string]int{"\xef\xbb\xbfa": 3, "a": 0, "": 0, "\xef\xbb": 0, "\xfe\xffa": 0} {
		if got := opened([]byte(data), "windows-1252").Start(); got != want && data != "\xfe\xffa" {
			t.Errorf("Start of %q = %d, want %d", data, got, want)
		}
	}
}

// If IsSame is true, nothing needs decoding.
func TestIsSame(t *testing.T) {
	for _, s := range samples() {
		want := !strings.ContainsAny(s, "&\r\x00") && utf8.ValidString(s)
		if got := reading.IsSame([]byte(s)); got != want {
			t.Errorf("IsSame(%q) = %v, want %v", s, got, want)
		}
	}
}

// A value stays in use while others are decoded, and later values do not share its memory.
func TestValuesStay(t *testing.T) {
	in := opened([]byte("&amp;a&lt;bé\xff"), "utf-8")
	one, two := in.Decode(0, 6, true), in.Decode(6, 11, true)
	three := in.Text(11, 14)
	for _, tt := range []struct {
		v    reading.Value
		want string
	}{{one, "&a"}, {two, "<b"}, {three, "é\ufffd"}} {
		if string(tt.v.Bytes) != tt.want || cap(tt.v.Bytes) > len(tt.v.Bytes) {
			t.Errorf("value %q with room for %d, want %q", tt.v.Bytes, cap(tt.v.Bytes), tt.want)
		}
	}
	a := markup.Attr{Start: 0, End: 6}
	if got := in.AttrBytes(&a); string(got) != "&a" {
		t.Errorf("AttrBytes = %q, want &a", got)
	}
	a.Plain = true
	if got, v := in.AttrBytes(&a), in.AttrValue(&a); string(got) != "&amp;a" || string(v.Bytes) != "&amp;a" {
		t.Errorf("a plain attribute is %q, %q, want it as it stands", got, v.Bytes)
	}
}

// Nested documents map back at any depth.
func TestInside(t *testing.T) {
	inner := "<a href='é&amp;x'>"
	for depth := range 6 {
		d := readingtest.Doc{Data: []byte(inner), Charset: "utf-8", Find: (*page.Finder).HTML}
		var got []string
		for r := range d.Refs() {
			got = append(got, fmt.Sprint(string(r.Value), " ", r.UTF8, " ", strings.HasPrefix(inner[r.Start:], "é")))
		}
		want := []string{fmt.Sprint("é&x ", depth > 0, " true")}
		if !slices.Equal(got, want) {
			t.Errorf("%d deep: %q, want %q", depth, got, want)
		}
		inner = `<iframe srcdoc="` + strings.NewReplacer("&", "&amp;", `"`, "&quot;").Replace(inner) + `"></iframe>`
	}
}

// Only the first problem of each kind is kept, at the offset in the document.
func TestProblem(t *testing.T) {
	d := readingtest.Doc{Data: readingtest.UTF16("abcd", false), Find: func(f *page.Finder) {
		f.Problem(2, reading.SplitReference)
		f.Problem(3, reading.SplitReference)
		f.Problem(3, reading.NotWellFormed)
	}}
	in, ok := d.Read()
	if want := []reading.Problem{{Offset: 6, Kind: reading.SplitReference}, {Offset: 8,
		Kind: reading.NotWellFormed}}; !ok ||
		!slices.Equal(in.Problems, want) {
		t.Errorf("problems %v, want %v", in.Problems, want)
	}
	if !in.Has(reading.NotWellFormed) || in.Has(reading.BaseLate) {
		t.Error("Has reports another defect than there is")
	}
}

// The charset of a document, and the doubts about it.
func TestCharsetOfDocument(t *testing.T) {
	for _, tt := range []struct {
		name, data, transport, part string
		how                         charset.Declaration
		ok                          bool
		problems                    []string
		unknown                     string
		readOnly                    bool
	}{
		{"none", "a", "", "", charset.Undeclared, true, nil, "", false},
		{"UTF-8", "é", "utf-8", "", charset.Undeclared, true, nil, "", false},
		{"unknown", "a", "x-none", "", charset.Undeclared, true, []string{"0 unknown-charset"}, "", false},
		{"unknown in a message", "a\x0e", "x-none", "1", charset.Undeclared, true,
			[]string{"0 unknown-charset x-none"}, "x-none", false},
		{"replacement", "a", "replacement", "", charset.Undeclared, false, []string{"0 unsupported-charset"}, "",
			false},
		{"conflict", "<meta charset=utf-8>\xe9", "windows-1252", "", charset.InMeta, true,
			[]string{"0 charset-conflict"}, "", false},
		{"no conflict in ASCII", "<meta charset=utf-8>e", "windows-1252", "", charset.InMeta, true, nil, "", false},
		{"listed only", "a", "utf-7", "1", charset.Undeclared, true, nil, "", true},
	} {
		d := readingtest.Doc{Data: []byte(tt.data), Charset: tt.transport, Part: tt.part, Declared: tt.how,
			Find: func(*page.Finder) {}}
		for range 2 {
			in, ok := d.Read()
			var problems []string
			for _, p := range in.Problems {
				problems = append(problems, strings.TrimSpace(fmt.Sprint(p.Offset, " ", p.Kind, " ", p.Detail)))
			}
			if ok != tt.ok || !slices.Equal(problems, tt.problems) || in.Unknown() != tt.unknown ||
				in.ReadOnly() != tt.readOnly || in.Conflict != (tt.name == "conflict") {
				t.Errorf("%s: readable %v, problems %q, unknown %q, read only %v", tt.name, ok, problems,
					in.Unknown(), in.ReadOnly())
			}
			if in.Charset() == nil {
				t.Errorf("%s: no charset", tt.name)
			}
			if got := in.Unsure(text.Span{Start: 0, End: len(tt.data)}); got != (tt.unknown != "") {
				t.Errorf("%s: Unsure = %v", tt.name, got)
			}
		}
	}
}

// References between the escape sequences of ISO-2022-JP, and references that cannot be written
// there.
func TestShifts(t *testing.T) {
	for _, tt := range []struct {
		data     string
		want     []string
		problems int
		base     bool // the tag of a BASE contains an escape sequence
	}{
		{"<a href=x>\x1b$BF|\x1b(B<a href=y>", []string{"x", "y"}, 0, false},
		{"<a href='\x1b$BF|\x1b(B'>", []string{"日"}, 0, false},
		{"<a href='x\x1b$BF|\x1b(By'>", []string{"x日y"}, 0, false},
		{"\x1b(J<a href=x>\x1b(B", []string{"x roman=3"}, 0, false},
		{"<a href=\x1b(Jx\x1b(B>", []string{"x"}, 0, false},
		{"<base href='\x1b$BF|\x1b(B'>", []string{"日"}, 0, true},
		{"<base href=x>\x1b$BF|\x1b(B", []string{"x"}, 0, false},
	} {
		d := readingtest.Doc{Data: []byte(tt.data), Charset: "iso-2022-jp", Find: (*page.Finder).HTML}
		var got []string
		for r := range d.Refs() {
			s := string(r.Value)
			if r.Unsafe {
				s += " unsafe"
			}
			if r.Context.Roman != 0 {
				s += fmt.Sprint(" roman=", r.Context.Roman)
			}
			got = append(got, s)
		}
		in, _ := d.Read()
		problems := len(in.Problems)
		shifted := in.ShiftedBase()
		if !slices.Equal(got, tt.want) || shifted != tt.base || problems != tt.problems {
			t.Errorf("%q: references %q, ShiftedBase %v, %d problems, want %q, %v, %d", tt.data, got, shifted, problems,
				tt.want, tt.base, tt.problems)
		}
		if shifted && !in.Has(reading.ShiftedReference) {
			t.Errorf("%q: no problem is recorded", tt.data)
		}
	}
}

// The next document reuses the contexts of inner documents.
func TestContext(t *testing.T) {
	var d readingtest.Doc
	d.Find = func(*page.Finder) {}
	in, _ := d.Read()
	one, two := in.Context(), in.Context()
	if one == two {
		t.Error("two documents inside have one context")
	}
	if in, _ := d.Read(); in.Context() != one {
		t.Error("the next document has another first context")
	}
}

// The names of attributes are interned in lower case, with NUL as U+FFFD.
func TestInternLower(t *testing.T) {
	var d reading.Document
	for name, want := range map[string]string{"HRef": "href", "": "", "a\x00B": "a\ufffdb", "É": "É",
		strings.Repeat("X", 40): strings.Repeat("x", 40)} {
		if got := d.InternLower([]byte(name)); got != want {
			t.Errorf("InternLower(%q) = %q, want %q", name, got, want)
		}
		if got := d.Intern([]byte(name)); got != name {
			t.Errorf("Intern(%q) = %q", name, got)
		}
	}
}

// References beside pieces of templates are marked, in UTF-16 too.
func TestMarkCode(t *testing.T) {
	const data = "<a href='x'><?php if ?><a href='<?= y ?>z'><a href=w><img srcset='a, {{ b }}c 2x, d'>"
	want := []string{"x false", "<?= y ?>z true", "w false", "a false", "{{ true", "d false"}
	for _, in := range [][]byte{[]byte(data), readingtest.UTF16(data, true)} {
		d := readingtest.Doc{Data: in, Find: func(f *page.Finder) {
			f.HTML()
			f.Doc.MarkCode(&f.Text)
		}}
		var got []string
		for r := range d.Refs() {
			got = append(got, fmt.Sprint(string(r.Value), " ", r.Template == ref.NearPiece))
		}
		if !slices.Equal(got, want) {
			t.Errorf("marked %q, want %q", got, want)
		}
	}
}

// An unusually large document leaves no memory behind, and other documents do.
func TestTrim(t *testing.T) {
	var d readingtest.Doc
	d.Find = (*page.Finder).HTML
	d.Data = bytes.Repeat([]byte("<a href=x>"), 1<<16)
	in, _ := d.Read()
	large := cap(in.Refs.Kept)
	d.Data = bytes.Repeat([]byte("<a href=x>"), 10)
	in, _ = d.Read()
	small := cap(in.Refs.Kept)
	in, _ = d.Read()
	if large < 1<<16 || small > 1<<10 || cap(in.Refs.Kept) != small {
		t.Errorf("room for %d, then %d, then %d references", large, small, cap(in.Refs.Kept))
	}
}

// The ends of raw text are removed, and if there were very many, their memory too.
func TestTrimRawEnds(t *testing.T) {
	var d readingtest.Doc
	d.Find = (*page.Finder).HTML
	d.Data = bytes.Repeat([]byte("<title>x</title>"), 1<<15+1)
	in, _ := d.Read()
	if len(in.RawEnds) != 1<<15+1 {
		t.Fatalf("%d ends of raw text, want %d", len(in.RawEnds), 1<<15+1)
	}
	d.Data = []byte("<title>x</title>")
	in, _ = d.Read()
	if len(in.RawEnds) != 1 || cap(in.RawEnds) > 1<<15 {
		t.Errorf("%d ends of raw text with room for %d, want 1", len(in.RawEnds), cap(in.RawEnds))
	}
}

// The layers around a document are also around its references.
func TestLayersAround(t *testing.T) {
	outer := &base.Layer{Source: base.URL, Value: "http://a.test/"}
	d := readingtest.Doc{Data: []byte("<a href=x>"), Layer: outer, Part: "1.2", Find: (*page.Finder).HTML}
	for r := range d.Refs() {
		if r.Layer != outer {
			t.Errorf("the layer is %v, want %v", r.Layer, outer)
		}
	}
}
