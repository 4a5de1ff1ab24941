package markup

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"absolink/testdata/alloc"
	"absolink/testdata/effort"
)

func TestAppendUnescaped(t *testing.T) {
	for _, c := range []struct{ src, text, attr string }{
		{"", "", ""},
		{"a&b", "a&b", "a&b"},
		{"&", "&", "&"},
		{"&;&#;&#x;&#xg;", "&;&#;&#x;&#xg;", "&;&#;&#x;&#xg;"},
		{"&amp;&AMP;&lt;&quot;", "&&<\"", "&&<\""},
		{"&amp&lt&copy", "&<©", "&<©"},
		{"?a=1&copy=2&gt=3", "?a=1©=2>=3", "?a=1&copy=2&gt=3"},
		{"&notit;&notin;&notin", "¬it;∉¬in", "&notit;∉&notin"},
		{"&copya;&copy1&copy-&copy ", "©a;©1©-© ", "&copya;&copy1©-© "},
		{"&NotEqualTilde;&fjlig;", "≂̸fj", "≂̸fj"},
		{"&CounterClockwiseContourIntegral;", "∳", "∳"},
		{"&CounterClockwiseContourIntegralx;", "&CounterClockwiseContourIntegralx;",
			"&CounterClockwiseContourIntegralx;"},
		{"&#65;&#x41;&#X41;&#65x", "AAAAx", "AAAAx"},
		{"&#0;&#xD800;&#x110000;&#99999999999999999999;", "\uFFFD\uFFFD\uFFFD\uFFFD", "\uFFFD\uFFFD\uFFFD\uFFFD"},
		{"&#128;&#x81;&#x9f;&#13;", "€\u0081Ÿ\r", "€\u0081Ÿ\r"},
		{"&#x1F600;", "😀", "😀"},
		{"&unknown;&Amp;", "&unknown;&Amp;", "&unknown;&Amp;"},
	} {
		if got := AppendUnescaped(nil, []byte(c.src), false); string(got) != c.text {
			t.Errorf("AppendUnescaped(%q) as text = %q, want %q", c.src, got, c.text)
		}
		if got := AppendUnescaped(nil, []byte(c.src), true); string(got) != c.attr {
			t.Errorf("AppendUnescaped(%q) as attribute = %q, want %q", c.src, got, c.attr)
		}
	}
}

func TestNextReference(t *testing.T) {
	for _, c := range []struct {
		src  string
		attr bool
		text string
		end  int
		ok   bool
	}{
		{"&amp;x", true, "&", 5, true},
		{"&ampx", true, "", 0, false},
		{"&ampx", false, "&", 4, true},
		{"&#x41;x", true, "A", 6, true},
		{"&#x41x", true, "A", 5, true},
		{"&#", true, "", 0, false},
		{"&", false, "", 0, false},
	} {
		text, end, ok := NextReference([]byte(c.src), 0, c.attr)
		if text != c.text || end != c.end || ok != c.ok {
			t.Errorf("NextReference(%q, 0, %v) = %q, %d, %v, want %q, %d, %v",
				c.src, c.attr, text, end, ok, c.text, c.end, c.ok)
		}
	}
}

// Every name of the table, with and without various following text, decodes as in the reference
// tokenizer.
func TestReferenceTableAgainstTokenizer(t *testing.T) {
	for i, r := range references {
		if i > 0 && references[i-1].name >= r.name {
			t.Errorf("references[%d] = %q is out of order", i, r.name)
		}
		tails := []string{"", ";", "=", "x", " "}
		at := i % len(tails)
		for _, tail := range effort.Pick(tails, tails[at:at+1]) { // in turn
			checkReferences(t, "&"+r.name+tail)
			checkReferences(t, "&"+strings.TrimSuffix(r.name, ";")+tail)
		}
	}
}

// Numeric references at and around the ends of all ranges decode as in the reference tokenizer.
func TestNumericReferences(t *testing.T) {
	for _, end := range []int{0, 0x80, 0xa0, 0xd800, 0xdfff, 0xe000, 0xfffe, 0x10000, 0x10ffff, 0x110000} {
		for n := max(0, end-0x20); n <= end+0x20; n++ {
			for _, format := range []string{"&#%d;", "&#%d", "&#x%x;", "&#X%Xg"} {
				checkReferences(t, fmt.Sprintf(format, n))
			}
		}
	}
}

func FuzzReferences(f *testing.F) {
	for _, seed := range []string{"&amp;", "?a&copy=1", "&#x41;", "&notin", "&#128;&#0;", "&&&#&#x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if strings.ContainsAny(src, "'<\x00\r") {
			return // it would not reach the value unchanged
		}
		checkReferences(t, src)
	})
}

// checkReferences compares both decodings of src with the x/net tokenizer.
func checkReferences(t *testing.T, src string) {
	t.Helper()
	z := html.NewTokenizer(strings.NewReader("<a b='" + src + "'>"))
	z.Next()
	if tok := z.Token(); len(tok.Attr) == 1 {
		if got := AppendUnescaped(nil, []byte(src), true); string(got) != tok.Attr[0].Val {
			t.Errorf("AppendUnescaped(%q) as attribute = %q, want %q", src, got, tok.Attr[0].Val)
		}
	}
	if got, want := AppendUnescaped(nil, []byte(src), false), html.UnescapeString(src); string(got) != want {
		t.Errorf("AppendUnescaped(%q) as text = %q, want %q", src, got, want)
	}
}

func TestAppendUnescapedAllocates(t *testing.T) {
	src := []byte("/a?b=1&amp;c=&eacute;&#xe9;&copy=2&#128512;")
	dst := make([]byte, 0, 100)
	if n := alloc.PerRun(100, func() { dst = AppendUnescaped(dst[:0], src, true) }); n != 0 {
		t.Errorf("AppendUnescaped allocates %v times, want 0", n)
	}
	if want := "/a?b=1&c=éé&copy=2😀"; !bytes.Equal(dst, []byte(want)) {
		t.Errorf("AppendUnescaped(%q) = %q, want %q", src, dst, want)
	}
}
