package json

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// found returns "keys: value" of each value, and "key" of each key.
func found(text string) (list []string) {
	var s Scanner
	for s.Reset([]byte(text)); s.Next(); {
		value := string(AppendUnescaped(nil, []byte(text[s.Start:s.End])))
		if s.IsKey {
			list = append(list, value)
			continue
		}
		var keys []string
		for d := range s.Depth {
			keys = append(keys, string(s.KeyAt(d)))
		}
		list = append(list, strings.Join(keys, ".")+": "+value)
	}
	return list
}

func TestScanner(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"empty", ``, nil},
		{"one string", `"a"`, []string{": a"}},
		{"object", `{"a":"b","c":{"d":"e"}}`, []string{"a", "a: b", "c", "d", "c.d: e"}},
		{"array", `{"a":["b",{"c":"d"},"e"]}`, []string{"a", "a.: b", "c", "a..c: d", "a.: e"}},
		{"other values", `{"a":1,"b":null,"c":"d"}`, []string{"a", "b", "c", "c: d"}},
		{"escapes", `["a\"b\\","\u00e9\ud83d\ude00\/\n"]`, []string{`: a"b\`, ": é😀/\n"}},
		{"escaped quotes", `["\"","\\","\\\"\"a\nb\"",""]`, []string{`: "`, `: \`, ": \\\"\"a\nb\"", ": "}},
		{"cut off behind a backslash", `["a","\`, []string{": a"}},
		{"escaped key", `{"\u0061":"b"}`, []string{"a", "a: b"}},
		{"cut off", `{"a":"b","c":"d`, []string{"a", "a: b", "c"}},
		{"stray closing", `}]{"a":"b"}`, []string{"a", "a: b"}},
		{"comment marks", `<!-- {"a":"b"} -->`, []string{"a", "a: b"}},
	}
	for _, tt := range tests {
		if got := found(tt.text); fmt.Sprint(got) != fmt.Sprint(tt.want) {
			t.Errorf("%s: strings of %q: got %q, want %q", tt.name, tt.text, got, tt.want)
		}
	}
}

// A string takes time in proportion to its length, whatever escapes it contains.
func TestScannerIsLinear(t *testing.T) {
	for _, unit := range []string{`\n`, `\"`, `\"\n`} {
		text := `"` + strings.Repeat(unit, 1<<20) + `"`
		var s Scanner
		for s.Reset([]byte(text)); s.Next(); {
			if s.End != len(text)-1 {
				t.Errorf("a string of %q ends at %d of %d", unit, s.End, len(text))
			}
		}
	}
}

// An object has no key before its first one.
func TestNoKeyYet(t *testing.T) {
	for _, text := range []string{`{"a"`, `[{:"a"`, `{:"a"`} {
		var s Scanner
		s.Reset([]byte(text))
		if s.KeyAt(0) != nil || s.NearestKey() != nil {
			t.Errorf("%s: key before the first string: got %q, want nil", text, s.KeyAt(0))
		}
		s.Next()
		if got := s.NearestKey(); s.IsKey == (got == nil) {
			t.Errorf("%s: NearestKey: got %#v, want nil: %t", text, got, !s.IsKey)
		}
	}
	var s Scanner
	for s.Reset([]byte(`{"":"a"`)); s.Next(); {
		if s.KeyAt(0) == nil {
			t.Error("an empty key: got nil, want a slice of length 0")
		}
	}
}

// After a missing quote, inside and outside change places. A line end does not end a string: the
// long texts of real pages contain line ends.
func TestMissingQuote(t *testing.T) {
	for text, want := range map[string][]string{
		"{\"a\":\"b\nc\",\"d\":\"e\"}": {"a", "a: b\nc", "d", "d: e"},
		"{\"a\":\"b\n,\"c\":\"d\"}":    {"a", "a: b\n,", "a: :"},
	} {
		if got := found(text); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("strings of %q: got %q, want %q", text, got, want)
		}
	}
}

func TestMember(t *testing.T) {
	var s Scanner
	for s.Reset([]byte(`{"a":["x",["y"]],"b":{"c":"z"}}`)); s.Next(); {
		got := string(s.NearestKey())
		if want := map[int]string{7: "a", 12: "a", 27: "c"}[s.Start]; !s.IsKey && got != want {
			t.Errorf("Member of the string at %d: got %q, want %q", s.Start, got, want)
		}
	}
}

// Deeper than maxDepth no key is known. The key of a container further out must not stand for it.
func TestNearestKeyTooDeep(t *testing.T) {
	text := `{"url":` + strings.Repeat("[", maxDepth-1) + `"in",{"name":"out"}`
	var s Scanner
	for s.Reset([]byte(text)); s.Next(); {
		want := ""
		if text[s.Start:s.End] == "in" {
			want = "url"
		}
		if got := string(s.NearestKey()); !s.IsKey && got != want {
			t.Errorf("NearestKey of %q: got %q, want %q", text[s.Start:s.End], got, want)
		}
	}
}

func TestLiterals(t *testing.T) {
	tests := []struct {
		name, script string
		want         []string
	}{
		{"quotes", "a='b'+\"c\"+`d`", []string{"b", "c", "d"}},
		{"comments", "// 'a'\n/* 'b' */'c'/*/ 'd' */", []string{"c"}},
		{"expressions", `x=/'/;y='a';z=b/c/d;w='e';r=[/[/']/,'f']`, []string{"a", "e", "f"}},
		{"escapes", `'a\'b' "\x41\u{42}"`, []string{`a'b`, "AB"}},
		{"substitution", "`a${b}c` 'd'", []string{"a${b}c", "d"}},
		{"line end", "it's\n'a'", []string{"a"}},
		{"cut off", "'a", nil},
		{"expression after a spread", `f(.../'/.exec(s)) + "b"`, []string{"b"}},
		{"division after a number with a dot", `x = 1./2 + 'a'/3`, []string{"a"}},
		{"expression with a backslash at the line end", "{} / 2 \\\n + 'a' / 3", []string{"a"}},
		{"unclosed backtick", "'a'\n`b\n'c'", []string{"a"}},
	}
	for _, tt := range tests {
		var l Literals
		var got []string
		for l.Reset([]byte(tt.script)); l.Next(); {
			got = append(got, string(AppendUnescaped(nil, []byte(tt.script[l.Start:l.End]))))
		}
		if fmt.Sprint(got) != fmt.Sprint(tt.want) {
			t.Errorf("%s: literals of %q: got %q, want %q", tt.name, tt.script, got, tt.want)
		}
	}
}

// Each script contains strings that are j if they are joined with others, and s if they are not.
func TestJoined(t *testing.T) {
	for _, script := range []string{
		`h+'j'`, `'j'+h`, `h + 'j' + i`, `u+='j'`, `u += "j"`, "u+`j`",
		"h+\n// c\n'j'", "h+/* c */'j'", "'j' // c\n + h", "'j'/* c */+h", "'s'//+",
		`h+('j')`, `('j')+h`, `(('j'))+h`, `h+(('j'))`, `h+(a?'j':'j')`,
		`h+(a||'j')`, `(a?'s':'j')+h`, `h+((a)?'j':'j')`,
		`h.concat('j','j')`, `'j'.concat(h)`, `h.concat(f('s'))`,
		`f('s')`, `f('s')+h`, `h+f('s')`, `h+f('s','s')+i`, `h+['s']`,
		`h+{a:'s'}.a`, `a['s']+h`, `h+f(a?'s':'s')`, `h+(function(){f('s')})()`,
		`x='s';y=h+'j';z='s'`, `a=b=='s'`, `a<='s'`, `a-'s'`, `'s'-a`, `'s';+a`,
		`'s'.length+1`, `return('s')`, `'s',a+b`, `a+b,'s'`, `(a+b)('s')`,
		`(h+'j')+f('s')`, `)'s'`, `)+'j'`, `('s'`, `(((((((((((((((((((((((((((((((((((h+'j'`, strings.Repeat("(",
			40) + `'s'` + strings.Repeat(")", 40) + "+'j'",
		"`s${a}`+h", "h+`j${a}`",
		`x = +'s'`, `f(+'s', +('s'))`, `[+'s']`, `a ? +'s' : +'s'`, `a*+'s'`, `a++ + 'j'`, `a+++'j'`, `a-- + 'j'`,
		"x++\n's'", "++x\n's'", "x++;'s'", `x=a++,'s'`, "'s'\n++x", `{}+'j'`, `/a/ + 'j'`, `a[0] + 'j'`, `f() + 'j'`,
		`return ('j') + b`, `return('j')+b`, `typeof ('j')+b`, `case ('j') + b`, `x.return ('s') + b`, `areturn ('s') + b`,
		"// a.\nreturn ('j') + b",
		`return ('s')`, `if ('s') +b`, "return\n(('j')) + b", `throw(a||'j')+b`,
		`h.concat ('j')`, "h.concat\n('j')", `'j'.concat (h)`, "'j'\n.concat\n(h)", `'s'.concat`, `'s'.concatenate(h)`,
		strings.Repeat("(", 32) + `f('s')+h`, strings.Repeat("[", 32) + `('s')`,
	} {
		// A substitution comes after the literal that contains it.
		var l Literals
		n := 0
		for l.Reset([]byte(script)); l.Next(); n++ {
			if got, want := l.Joined, script[l.Start] == 'j'; got != want && !(l.Substitution >= 0) {
				t.Errorf("in %s the string at %d is joined: got %t, want %t", script, l.Start, got, want)
			}
		}
		if n == 0 {
			t.Errorf("%s has no string", script)
		}
	}
}

// Open is the start of the first substitution of a template literal.
func TestOpen(t *testing.T) {
	for script, want := range map[string]int{"`a${b}${c}`": 1, "`${b}`": 0,
		"`a$b`": -1, "`a$`": -1, "`a\\${b}`": -1, "'a${b}'": -1, `"${b}"`: -1} {
		var l Literals
		l.Reset([]byte(script))
		if !l.Next() {
			t.Fatalf("%s has no literal", script)
		}
		got := l.Substitution
		if got >= 0 {
			got -= l.Start
		}
		if got != want {
			t.Errorf("Open of %s: got %d, want %d", script, got, want)
		}
	}
}

func TestSourceMap(t *testing.T) {
	tests := []struct{ text, want string }{
		{"a()\n//# sourceMappingURL=a.js.map\n", "a.js.map"},
		{"//@ sourceMappingURL=b", "b"},
		{"p{}\n/*# sourceMappingURL=c */ ", "c"},
		{"a();//# sourceMappingURL=d", "d"},
		{"p{}/*# sourceMappingURL=c.css.map */", "c.css.map"},
		{"//#\nsourceMappingURL=d", ""},
		{"/# sourceMappingURL=d", ""},
		{"// sourceMappingURL=e", ""},
		{"//# sourceMappingURL=f g", ""},
		{"//# sourceMappingURL= f", ""},
		{"//# sourceMappingURL=f'", ""},
		{"//#sourceMappingURL=a=b*/ ", "a=b"},
		{"//# sourceMappingURL=sourceMappingURL=i", "sourceMappingURL=i"},
		{"//# sourceMappingURL=", ""},
		{strings.Repeat("x\n", 5000) + "//# sourceMappingURL=h", "h"},
		{"", ""},
	}
	for _, tt := range tests {
		start, end, ok := SourceMap([]byte(tt.text))
		if got := tt.text[start:end]; got != tt.want || ok != (tt.want != "") {
			t.Errorf("SourceMap(%.30q): got %q, %t, want %q", tt.text, got, ok, tt.want)
		}
	}
}

// If the standard library accepts a text as JSON, the scanner finds the strings that its decoder
// finds.
func FuzzScanner(f *testing.F) {
	for _, s := range []string{`{"a":["b",{"c":"\u00e9"}]}`, `"\ud83d\ude00"`, `[1,"a",{"b":{}}]`, `{"\"":"\\"}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var s Scanner
		var got []string
		last := 0
		for s.Reset(data); s.Next(); {
			if s.Start < last || s.End < s.Start || s.End >= len(data) {
				t.Fatalf("span %d to %d of %q after %d", s.Start, s.End, data, last)
			}
			last = s.End
			got = append(got, string(AppendUnescaped(nil, data[s.Start:s.End])))
		}
		if !json.Valid(data) {
			return
		}
		var want []string
		d := json.NewDecoder(strings.NewReader(string(data)))
		d.UseNumber() // of any size
		for {
			tok, err := d.Token()
			if err != nil {
				break
			}
			if str, ok := tok.(string); ok {
				want = append(want, str)
			}
		}
		if len(got) != len(want) {
			t.Fatalf("strings of %q: got %q, want %q", data, got, want)
		}
		for i := range got {
			if strings.ToValidUTF8(got[i], "\uFFFD") != strings.ToValidUTF8(want[i], "\uFFFD") &&
				!strings.Contains(want[i], "\uFFFD") {
				t.Errorf("string %d of %q: got %q, want %q", i, data, got[i], want[i])
			}
		}
	})
}

// AppendString writes the content of a JSON string in ASCII, which decodes to the same text.
func FuzzAppendString(f *testing.F) {
	f.Add("a\"\\'`${<é😀\x01")
	f.Fuzz(func(t *testing.T, s string) {
		out := AppendString(nil, []byte(s))
		var got string
		if err := json.Unmarshal([]byte(`"`+string(out)+`"`), &got); err != nil {
			t.Fatalf("AppendString(%q) = %q: %v", s, out, err)
		}
		if strings.ToValidUTF8(s, "") == s && !strings.Contains(s, "\x00") && got != s {
			t.Errorf("AppendString(%q) = %q, which is %q", s, out, got)
		}
		if strings.ContainsAny(string(out), "<>'`\"") {
			t.Errorf("AppendString(%q) = %q", s, out)
		}
	})
}

// Literals are spans of the script, in order.
func FuzzLiterals(f *testing.F) {
	f.Add([]byte("a='b'+/'/+`c${d}`// e"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var l Literals
		last := 0
		for l.Reset(data); l.Next(); {
			if l.Start <= last-1 || l.End < l.Start || l.End >= len(data) {
				t.Fatalf("literal %d to %d of %q after %d", l.Start, l.End, data, last)
			}
			last = l.End + 1
		}
	})
}
