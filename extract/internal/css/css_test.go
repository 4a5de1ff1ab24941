package css

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/tdewolff/parse/v2"
	lexer "github.com/tdewolff/parse/v2/css"

	"absolink/testdata/corpus"
	"absolink/testdata/effort"
)

// found is a decoded URL and its meaning.
type found struct {
	url     string
	context Context
}

// long returns name with each character as the longest escape.
func long(name string) string {
	var b strings.Builder
	for _, c := range name {
		fmt.Fprintf(&b, "\\%06x\r\n", c)
	}
	return b.String()
}

// all returns the URLs of a text.
func all(text string, declarations bool) (list []found) {
	var s Scanner
	for s.Reset([]byte(text), declarations); s.Next(); {
		list = append(list, found{string(AppendUnescaped(nil, []byte(text[s.Start:s.End]), s.Quote != 0)), s.Context})
	}
	return list
}

// urls returns the URLs of a text. URLs of other contexts have the name of the context.
func urls(text string, declarations bool) (list []string) {
	names := map[Context]string{Import: "import ", Image: "image ", Namespace: "namespace ", Document: "document "}
	for _, f := range all(text, declarations) {
		list = append(list, names[f.context]+f.url)
	}
	return list
}

func TestScanner(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"unquoted", `a{b:url(x)}`, []string{"x"}},
		{"quoted", `a{b:url("x"),url('y')}`, []string{"x", "y"}},
		{"white space", "a{b:url(\n x\t)}", []string{"x"}},
		{"white space in quotes", `a{b:url( " x " )}`, []string{" x "}},
		{"any case", `a{b:URL(x)}`, []string{"x"}},
		{"name in escapes", `a{b:u\72l(x);c:\75\72\6c(y);d:\75 rl("z")}`, []string{"x", "y", "z"}},
		{"longer names", `a{b:xurl(x);c:url-x(y);d:#url(z);e:-url(w);f:\61url(v)}`, nil},
		{"names of hashes and at-keywords", `#url(x)#u\72l(x)@url(x)@u\72l(x)@a\url(x)@a\src("x")`, nil},
		{"not a function", `a{b:url (x)}`, nil},
		{"escapes", `a{b:url(a\)b\20 c\\);c:url("d\"e\
f")}`, []string{`a)b c\`, `d"ef`}},
		{"bad url", `a{b:url(a b);c:url(a'b);d:url(a(b);e:url(x)}`, []string{"x"}},
		{"bad string", "a{b:url('a\nb);c:url(x)}", []string{"x"}},
		{"string that begins behind one", `a{b:url("x"")url(y)}`, []string{"x"}},
		{"string with modifiers", `a{b:url("x" m)}`, []string{"x"}},
		{"end of input", `a{b:url(x`, []string{"x"}},
		{"end of input in a string", `a{b:url("x`, []string{"x"}},
		{"escape at the end", `a{b:url(x\`, []string{"x\ufffd"}},
		{"escape at the end of a string", `a{b:url("x\`, []string{"x"}},
		{"escaped quote at the end", `a{b:url("x\"`, []string{`x"`}},
		{"hex escape eats a line end", "a{b:url(\"a\\41\nb\");c:url('d\\000042\re\\43\ff')}",
			[]string{"aAb", "dBeCf"}},
		{"hex escape eats CRLF as one",
			"a{b:url(\"a\\41\r\nb\");c:url(\"d\\42\r\n\r\ne);f:url(x)}",
			[]string{"aAb", "x"}},
		{"hex escape eats only one line end",
			"a{b:url(\"a\\41\n\nb);c:url(x)}", []string{"x"}},
		{"hex escape in an unquoted url eats a line end",
			"a{b:url(a\\41\nb);c:url(d\\42\r\ne)}", []string{"aAb", "dBe"}},
		{"hex escape in a name eats a line end", "a{b:\\75\nrl(x);c:\\000075\r\nrl(y);d:\\75\n\nrl(z)}",
			[]string{"x", "y"}},
		{"known names in long escapes",
			"a{b:" + long("image-set") + "('x' 1x);c:" + long("-webkit-image-set") + "('y' 1x)}@" +
				long("import") + "'z'", []string{"image x", "image y", "import z"}},
		{"long names in escapes", "a{b:" + long("url") + strings.Repeat(long("l"), 60) + "(x);c:\\75\\72" +
			strings.Repeat("\\10ffff", 500) + "l(y);d:url(z)}", []string{"z"}},
		{"empty", `a{b:url();c:url("")}`, []string{"", ""}},
		{"data", `a{b:url(data:image/png;base64,AA==);c:url(x)}`, []string{"data:image/png;base64,AA==", "x"}},
		{"comment", `/* url(a) "*/a{b:url(x)/*url(b)*/url(y)}/* url(c)`, []string{"x", "y"}},
		{"comment in url is none", `a{b:url(/**/x)}`, []string{"/**/x"}},
		{"double slash is no comment", "a{// url(x)\n}", []string{"x"}},
		{"string", `a{b:"url(x)";c:'url(y)'}`, nil},
		{"import", `@import "a";@import 'b' screen;@import url(c);@IMPORT url("d") layer(x) supports(e:"f");@im\70ort "g"`,
			[]string{"import a", "import b", "import c", "import d", "import g"}},
		{"import with comments", `@import/**/"a";`, []string{"import a"}},
		{"import of something else", `@import foo "a";@import foo url(b);@import {"c"}@import;"d"@import "e"`,
			[]string{"b", "import e"}},
		{"import by other functions",
			`@import url-prefix("a");@import src("b");@import u\72l("c");@import /**/ /**/URL(d)`, []string{"import b",
				"import c", "import d"}},
		{"import in a block", `a{@import "a"}@media{@import "b";c{}@import url(d)}@import "e"`,
			[]string{"d", "import e"}},
		{"import behind what is no block", `"{"/*{*/\{ url({)url( "f{" )}@import "a"`, []string{"{", "f{", "import a"}},
		{"import behind names with escapes", "{#\\75 url( }@import 'a';{\\\"url(}@import 'b';{u\\72l( } )}@import 'c'",
			[]string{"import a", "import b", "}", "import c"}},
		{"charset is no import", `@charset "x";@import "y";`, []string{"import y"}},
		{"namespace", `@namespace "a";@namespace p url(b);c{d:url(x)}`, []string{"namespace a", "namespace b", "x"}},
		{"document", `@-moz-document url(a),url("b"){c{d:url(x)}}`, []string{"document a", "document b", "x"}},
		{"prefix in a document rule", `@document url-prefix("a"),URL-Prefix(b),domain(c){d{e:url-prefix(f)}}`,
			[]string{"document a", "document b"}},
		{"name with the prefix in a document rule",
			`@document my-url-prefix(a),#url-prefix(b),url\-prefix(c),@url-prefix(d),_url-prefix("e"){}`,
			[]string{"document c"}},
		{"image-set", `a{b:image-set("x" 1x,url(y) 2x,"z" type("image/avif"))}`, []string{"image x", "y", "image z"}},
		{"image-set with prefix", `a{b:-webkit-image-set("x" 1x)}c{d:"y"}`, []string{"image x"}},
		{"image-set inside", `a{b:cross-fade(image-set("x" 1x), "y")}`, []string{"image x"}},
		{"image-set unclosed", `a{b:image-set("x" 1x;c:"y"}`, []string{"image x"}},
		{"url with modifiers in image-set", `a{b:image-set(url("x" m("n")) 1x, "y" 2x)}`, []string{"x", "image y"}},
		{"src", `a{b:src("x");c:src(y)}`, []string{"x"}},
		{"custom property", `a{--b:url(x)}`, []string{"x"}},
		{"font", `@font-face{src:local("a"),url(b) format("c")}`, []string{"b"}},
		{"NUL", "a{b:url(\x00)}", []string{"\ufffd"}},
		{"markup", `<!-- a{b:url(x)} -->`, []string{"x"}},
	}
	for _, tt := range tests {
		got := urls(tt.text, false)
		if strings.Join(got, "|") != strings.Join(tt.want, "|") || len(got) != len(tt.want) {
			t.Errorf("%s: URLs of %q = %q, want %q", tt.name, tt.text, got, tt.want)
		}
	}
}

// A text may end in any place, also in an escape.
func TestCutOff(t *testing.T) {
	const text = "@im\\70\r\nort \"a\\41\r\nb\"; @import u\\72l(c\\42\r\nd); " +
		"e{f:url('g\\\r\nh') image-set('i\\\\' 1x)}/* \\"
	for _, tail := range []string{"", `\`, `\4`, "\\4\r", "\\\r", `"\`, `'\4`, `url(\`, `url("\`,
		`@\`, `@import \`, `@import "\`} {
		for n := range len(text) + 1 {
			var s Scanner
			for s.Reset([]byte(text[:n]+tail), false); s.Next(); {
				if s.Start > s.End || s.End > n+len(tail) {
					t.Fatalf("%q: URL from %d to %d", text[:n]+tail, s.Start, s.End)
				}
			}
		}
	}
}

// A function that takes strings may contain brackets of any depth.
func TestDepth(t *testing.T) {
	for n := range 200 {
		for _, open := range []string{"(", "src(", "image-set("} {
			text := "a{b:image-set(" + strings.Repeat(open, n) + "'in'" + strings.Repeat(")", n) + "'x' 1x)'out'}"
			var got []string
			for _, f := range all(text, false) {
				if f.url != "in" {
					got = append(got, f.url)
				}
			}
			if len(got) != 1 || got[0] != "x" {
				t.Errorf("%d times %s inside of image-set: URLs = %q, want x", n, open, got)
			}
		}
	}
}

// Every byte is consumed, whatever its class is.
func TestStep(t *testing.T) {
	for c := range 256 {
		var s Scanner
		s.Reset([]byte{byte(c)}, false)
		s.readToken(classes[byte(c)])
		if s.pos != 1 {
			t.Errorf("step at %q: moved by %d, want 1", byte(c), s.pos)
		}
	}
}

func TestScannerAllocatesNothing(t *testing.T) {
	text := []byte(`@im\70ort "a";b{c:u\72l(d);e:` + strings.Repeat(`\66`, 100) + `(f);g:url("h\41")}`)
	var s Scanner
	n := testing.AllocsPerRun(10, func() {
		for s.Reset(text, false); s.Next(); {
		}
	})
	if n != 0 {
		t.Errorf("Scanner: got %v allocations, want 0", n)
	}
}

func TestDeclarations(t *testing.T) {
	got := urls(`@import "a"; b:url(x); @import url(y); @u\72l(z)`, true)
	if want := []string{"x", "y"}; strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("URLs of declarations = %q, want %q", got, want)
	}
}

func TestAppendString(t *testing.T) {
	tests := []struct {
		text  string
		quote byte
		want  string
	}{
		{`a"b'c`, '"', `a\"b'c`},
		{`a"b'c`, '\'', `a"b\'c`},
		{`a"b'(c) d`, 0, `a\"b\'\(c\)\20 d`},
		{`\`, '"', `\\`},
		{"\n\r", '"', `\a \d `},
		{"</style>", '"', `\3c /style\3e `},
		{"\u00e4\U0001f600", '"', `\e4 \1f600 `},
		{"\x00\xff", '"', `%00%FF`},
	}
	for _, tt := range tests {
		if got := string(AppendString(nil, []byte(tt.text), tt.quote)); got != tt.want {
			t.Errorf("AppendString(%q, %q) = %q, want %q", tt.text, tt.quote, got, tt.want)
		}
	}
}

// FuzzAppendString: an escaped string or url is read back unchanged and does not affect the text
// after it.
func FuzzAppendString(f *testing.F) {
	f.Add(`a"b'(c)`, uint8(0))
	f.Add("\\\n</style>", uint8(1))
	f.Fuzz(func(t *testing.T, text string, form uint8) {
		if strings.ContainsRune(text, 0) || !bytes.Equal([]byte(text), []byte(strings.ToValidUTF8(text, ""))) {
			return
		}
		quote := []byte{0, '"', '\''}[form%3]
		q := ""
		if quote != 0 {
			q = string(quote)
		}
		sheet := `a{b:url(` + q + string(AppendString(nil, []byte(text), quote)) + q + `);c:url(end)}`
		got := urls(sheet, false)
		if len(got) != 2 || got[0] != text || got[1] != "end" {
			t.Fatalf("URLs of %q = %q, want %q and end", sheet, got, text)
		}
	})
}

// lexed returns the spans of the tokens of each type that tdewolff's lexer finds.
func lexed(text string) (spans map[lexer.TokenType][][2]int) {
	spans = map[lexer.TokenType][][2]int{}
	l := lexer.NewLexer(parse.NewInputString(text))
	for at := 0; ; {
		tt, b := l.Next()
		if tt == lexer.ErrorToken {
			return spans
		}
		spans[tt] = append(spans[tt], [2]int{at, at + len(b)})
		at += len(b)
	}
}

func within(spans [][2]int, i int) bool {
	for _, s := range spans {
		if s[0] <= i && i < s[1] {
			return true
		}
	}
	return false
}

// quotedURL matches a function with a string in it (CSS Syntax 4.3.4), which the lexer reads as one
// token.
var quotedURL = regexp.MustCompile(`^(?i:url)\([ \t\r\n\f]*["']`)

// agree compares the scanner with tdewolff's lexer. Each url token of the lexer must contain a URL.
// The scanner must not find a URL in a comment, and in a string only if the string is a URL. The
// comparison ends where the lexer finds a bad url that the scanner does not.
func agree(t *testing.T, text string) {
	spans := lexed(text)
	for _, u := range spans[lexer.BadURLToken] {
		if quotedURL.MatchString(text[u[0]:u[1]]) {
			agree(t, text[:u[0]])
			return
		}
	}
	var s Scanner
	starts := map[int]bool{}
	for s.Reset([]byte(text), false); s.Next(); {
		starts[s.Start] = true
		if s.Start < 0 || s.End < s.Start || s.End > len(text) || s.pos > len(text) {
			t.Fatalf("%q: span %d:%d", text, s.Start, s.End)
		}
		if within(spans[lexer.CommentToken], s.Start) && s.End > s.Start {
			t.Errorf("%q: URL %q stands in a comment", text, text[s.Start:s.End])
		}
		if s.Quote == 0 && within(spans[lexer.StringToken], s.Start) && s.End > s.Start {
			t.Errorf("%q: URL %q stands in a string", text, text[s.Start:s.End])
		}
	}
	for _, u := range spans[lexer.URLToken] {
		if !hasStart(starts, u) {
			t.Errorf("%q: no URL in the token %q", text, text[u[0]:u[1]])
		}
	}
}

func hasStart(starts map[int]bool, s [2]int) bool {
	for i := s[0]; i <= s[1]; i++ {
		if starts[i] {
			return true
		}
	}
	return false
}

func FuzzScanner(f *testing.F) {
	for _, s := range []string{`@import "x";a{b:url(y);c:url("z")}`, `/* */ url( 'a' ) "url(b)"`,
		`image-set("a" 1x)`, `u\72l(x)`, `url(a\)b)`, `url("a"")url(`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsAny(text, "\x00") || strings.Contains(text, `\`) {
			var s Scanner // the lexer reads neither NUL nor all escapes
			for s.Reset([]byte(text), false); s.Next(); {
				_ = text[s.Start:s.End]
			}
			return
		}
		agree(t, text)
	})
}

func TestScannerIsLinear(t *testing.T) {
	n := effort.Pick(1<<20, 1<<18)
	for _, unit := range []string{"(", "url(", "image-set(", "a",
		"\\", "\\a", "@", "/*", "/", "\"", "a\\b(", "@import "} {
		var s Scanner
		for s.Reset([]byte(strings.Repeat(unit, n/len(unit))), false); s.Next(); {
		}
	}
}

// corpusCase is a case of the corpus: URL tokens of style sheets.
type corpusCase struct {
	ID           string
	CSS          string
	URLs         []string
	Expected     []string
	Expected_Raw []string
	Count        int
}

func TestCorpus(t *testing.T) {
	suites := map[string]int{"css-parsing-tests-url": 11, "lychee-css": 31}
	if !corpus.Own() {
		suites["heritrix-css"] = 4
	}
	for name, want := range suites {
		data, err := os.ReadFile(corpus.Path("css/" + name + ".json"))
		if err != nil {
			t.Fatal(err)
		}
		var file struct{ Cases []corpusCase }
		if err := json.Unmarshal(data, &file); err != nil {
			t.Fatal(err)
		}
		if len(file.Cases) < want {
			t.Fatalf("%s: %d cases, want at least %d", name, len(file.Cases), want)
		}
		for i, c := range file.Cases {
			t.Run(fmt.Sprintf("%s/%d", name, i), c.check)
		}
	}
}

func (c corpusCase) check(t *testing.T) {
	var got []string
	for _, f := range all(c.CSS, false) {
		got = append(got, f.url)
	}
	want := c.URLs
	if c.Expected != nil {
		want = []string{strings.TrimPrefix(c.Expected[0], "http://www.archive.org/start/")}
		got[0] = strings.TrimSpace(got[0])
	}
	if c.Expected_Raw != nil && len(c.Expected_Raw) == c.Count && c.Count > 0 {
		want = c.Expected_Raw
	} else if c.Expected_Raw != nil {
		c.checkCount(t, got)
		return
	}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("URLs of %q = %q, want %q", c.CSS, got, want)
	}
}

// otherURLs are the cases with another number of URLs here, and the reason.
var otherURLs = map[string]string{
	"test_empty_url": "an empty url() is listed: it is the sheet itself",
}

// checkCount compares the number of URLs with a case that states only the number.
func (c corpusCase) checkCount(t *testing.T, got []string) {
	if different := len(got) != c.Count; different != (otherURLs[c.ID] != "") {
		t.Errorf("%s: URLs of %q = %q, want %d, listed as different: %q", c.ID, c.CSS, got, c.Count, otherURLs[c.ID])
	}
}

func BenchmarkScanner(b *testing.B) {
	rule := `.card-title, .nav > li a:hover { color: #336699; font: 14px/1.5 "Helvetica Neue", Arial; margin: 0 auto; padding: 4px 8px }
@media (min-width: 600px) { .hero { background: #fff url(/img/hero-1.png) no-repeat; transform: translate(-50%, 10px) } }
`
	text := []byte(strings.Repeat(rule, 200))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	var s Scanner
	for b.Loop() {
		n := 0
		for s.Reset(text, false); s.Next(); {
			n++
		}
		if n != 200 {
			b.Fatalf("%d URLs, want 200", n)
		}
	}
}

func BenchmarkLexer(b *testing.B) {
	text := strings.Repeat(`.card-title, .nav > li a:hover { color: #336699; font: 14px/1.5 "Helvetica Neue", Arial; margin: 0 auto; padding: 4px 8px }
@media (min-width: 600px) { .hero { background: #fff url(/img/hero-1.png) no-repeat; transform: translate(-50%, 10px) } }
`, 200)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		l := lexer.NewLexer(parse.NewInputString(text))
		for tt, _ := l.Next(); tt != lexer.ErrorToken; tt, _ = l.Next() {
		}
	}
}
