package site_test

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/site"
	"absolink/resolve/move"
	"absolink/testdata/effort"
)

// oldOf returns what finds the prefixes of some rules, which all lead to http://new.test/.
func oldOf(t testing.TB, prefixes ...string) *site.Old {
	t.Helper()
	m := new(move.Map)
	for _, p := range prefixes {
		if err := m.Add(p, "http://new.test/"); err != nil {
			t.Fatal(err)
		}
	}
	return site.NewOld(m, false)
}

// TestOldSpellings has the ways in which files write the address of a host, and what looks alike.
func TestOldSpellings(t *testing.T) {
	tests := []struct {
		text string
		want int // places
	}{
		{`http://old.test/a`, 1},
		{`//OLD.Test/a`, 1},
		{`old.test`, 1},
		{`"old.test"`, 1},
		{`old.test.`, 1},
		{`http://old.test./a`, 1},
		{`http:\/\/old.test\/a`, 1},
		{`http:\\\/\\\/old.test\\\/a`, 1},
		{`http:\x2f\x2fold.test\x2fa`, 1},
		{`http\x3a\x2F\x2Fold\x2etest\x2Fa`, 1},
		{`http:\u002f\u002fold.test\u002fa`, 1},
		{`http:\u002F\u002Fold\u002Etest/`, 1},
		{`http:\\u002f\\u002fold.test`, 1},
		{`http:\u{2f}\u{2F}old.test`, 1},
		{`http%3A%2F%2Fold.test%2Fa`, 1},
		{`http%3a%2f%2fold%2etest%2fa`, 1},
		{`http%253A%252F%252Fold.test%252Fa`, 1},
		{`http:&#47;&#x2F;old.test&#47;a`, 1},
		{`http:&sol;&sol;old&period;test`, 1},
		{`%6fld.test`, 1},
		{`^old\.test$`, 1},
		{`^https?://old\.test/`, 1},
		{`(old\\.test)`, 1},
		{`“old.test”`, 1},
		{`http://old。test/`, 1},

		// With a port.
		{`http://old.test:80/a`, 1},
		{`https://old.test:443/a`, 1},
		{`http://old.test:/a`, 1},
		{`http%3A%2F%2Fold.test%3A80%2Fa`, 1},
		{`old.test: see there`, 1},
		{`http://old.test:8080/a`, 0},
		{`http://old.test:800/`, 0},
		{`http:\/\/old.test\u003a8080\/`, 0},

		// With a user.
		{`http://me@old.test/a`, 1},
		{`http://me:pw@old.test:80/`, 1},
		{`http:\/\/me@old.test\/`, 1},
		{`http%3A%2F%2Fme%40old.test%2F`, 1},
		{`ftp://me%40work@old.test/`, 1},
		{`me@old.test`, 0},
		{`mailto:me@old.test`, 0},
		{`http://x.test/?to=me@old.test`, 0},
		{`//x.test me@old.test`, 0},
		{`http://old.test@x.test/`, 0},

		// Other hosts.
		{`http://old.test.org/`, 0},
		{`http://old.test%2Eorg/`, 0},
		{`http://old\.test\.org/`, 0},
		{`http://old.test\u002eorg`, 0},
		{`http://notold.test/`, 0},
		{`http://not-old.test/`, 0},
		{`http://not%2Dold.test/`, 0},
		{`http://www.old.test/`, 0},
		{`http://old.test2/`, 0},
		{`http://old.test-x/`, 0},
		{`http://old.test\x2dx/`, 0},
		{`http://old.testé/`, 0},
		{`http://éold.test/`, 0},
		{`old-test old_test oldXtest`, 0},
		{`http://old.test_x/`, 0},

		// In base64.
		{`data:image/svg+xml;base64,` + base64.StdEncoding.EncodeToString([]byte(`<image href="http://old.test/a"/>`)),
			1},
		{`data:;base64,` + base64.RawURLEncoding.EncodeToString([]byte(`~~~http://old.test/???`)), 1},
		{`DATA:text/html;charset=utf-8;BASE64,` +
			base64.StdEncoding.EncodeToString([]byte(`http:\/\/old.test old.test`)), 2},
		{`data:image\/svg+xml;base64,` +
			strings.ReplaceAll(base64.StdEncoding.EncodeToString([]byte(`??? http://old.test/???`)), "/", `\/`), 1},
		{`data%3Aimage%2Fsvg%2Bxml%3Bbase64%2C` +
			url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(`??? http://old.test/~~~>`))), 1},
		{`data:text/css;base64,` +
			base64.StdEncoding.EncodeToString([]byte(`a{b:url(data:text/plain;base64,`+
				base64.StdEncoding.EncodeToString([]byte(`http://old.test/`))+`)}`)), 1},
		{"data:text/plain;base64,\n  " +
			strings.Join(strings.SplitAfter(base64.StdEncoding.EncodeToString([]byte(`an address: http://old.test/`)),
				"b"), "\\\n  "), 1},
		{`data:text/plain;base64,` + base64.StdEncoding.EncodeToString([]byte(`http://old.test.org/`)), 0},
		{`data:text/plain,` + base64.StdEncoding.EncodeToString([]byte(`http://old.test/`)), 0},
		{`base64,` + base64.StdEncoding.EncodeToString([]byte(`http://old.test/`)), 0},
		{`data:image/svg+xml,%3Csvg%3E%3Ca%20href=%22http://old.test/%22/%3E`, 1},
	}
	o := oldOf(t, "http://old.test/")
	for _, tt := range tests {
		for _, around := range []string{"%s", "x\n %s", `"%s"`, "%s\n", "'%s' x"} {
			text := fmt.Sprintf(strings.ReplaceAll(around, "%s", "%[1]s"), tt.text)
			if got := found(o, text, len(text)); len(got) != tt.want {
				t.Errorf("in %q: got %q, want %d places", text, got, tt.want)
			}
		}
	}
}

// A host with other letters than those of ASCII is found in all its forms, whichever one the rule
// has.
func TestOldUnicode(t *testing.T) {
	texts := []string{
		"http://müller.example/", "http://MÜLLER.Example/", "http://xn--mller-kva.example/",
		"http://XN--MLLER-KVA.EXAMPLE/", "http://mu\u0308ller.example/", "http://m\xfcller.example/",
		`http://m\u00fcller.example/`, `http://m\u00DCller.example/`, `http://m\xfcller.example/`,
		`http://m\u{fc}ller.example/`, `http:\/\/m\u00fcller.example\/`,
		`http://m%C3%BCller.example/`, `http%3A%2F%2Fm%c3%bcller.example%2F`,
		`http://m&uuml;ller.example/`, `http://m&#252;ller.example/`, `http://m&#xFC;ller.example/`,
		`http://me@müller.example:80/`, "http://müller。example/",
		`data:text/plain;base64,` + base64.StdEncoding.EncodeToString([]byte("http://müller.example/")),
	}
	others := []string{"http://muller.example/", "http://umüller.example/", "http://mülleré.example/",
		"http://müller.example.org/", "http://xn--mller-kva.example.org/",
		"http://xn--mller-kvb.example/", `http://m\u00e4ller.example/`}
	for _, rule := range []string{"http://müller.example/",
		"http://xn--mller-kva.example/", "http://M%C3%9CLLER.example/"} {
		o := oldOf(t, rule)
		for _, text := range texts {
			if got := found(o, "x = '"+text+"'", 1000); len(got) != 1 || !strings.HasPrefix(got[0], "1:6 ") {
				t.Errorf("%s in %q: got %q, want one place at 1:6", rule, text, got)
			}
		}
		for _, text := range others {
			if got := found(o, "x = '"+text+"'", 1000); len(got) != 0 {
				t.Errorf("%s in %q: got %q", rule, text, got)
			}
		}
	}
	o := oldOf(t, "http://例え.テスト/")
	for _, text := range []string{"http://例え.テスト/", "http://xn--r8jz45g.xn--zckzah/", `\u4f8b\u3048.\u30c6\u30b9\u30c8`,
		"%E4%BE%8B%E3%81%88.%E3%83%86%E3%82%B9%E3%83%88", "&#20363;&#12360;.&#12486;&#12473;&#12488;"} {
		if got := found(o, "<"+text+">", 1000); len(got) != 1 {
			t.Errorf("in %q: got %q, want one place", text, got)
		}
	}
	o = oldOf(t, "http://😀.test/")
	if got := found(o, `"\ud83d\ude00.test" 😀.test`, 1000); len(got) != 2 {
		t.Errorf("a surrogate pair: got %q, want two places", got)
	}
}

// The path that is mapped may be escaped, too; what a rule gives is not old.
func TestOldPaths(t *testing.T) {
	o := oldOf(t, "http://old.test/tea/green é/")
	for text, want := range map[string]int{
		"http://old.test/tea/green%20%C3%A9/x": 1, `http:\/\/old.test\/tea\/green \u00e9\/`: 1,
		"http%3A%2F%2Fold.test%2Ftea%2Fgreen%20%C3%A9": 1,
		"http://old.test:80/tea/green%20é":             1,
		"http://old.test./tea/green%20é?x":             1, "http://old.test/TEA/green%20é": 1,
		"http://old.test/tea/": 0, "http://old.test/tea/green%20%C3%A9x": 0,
		"http://old.test/": 0, "http://old.test:8080/tea/green%20é/": 0,
	} {
		if got := found(o, text, 1000); len(got) != want {
			t.Errorf("in %q: got %q, want %d places", text, got, want)
		}
	}
	m := new(move.Map)
	if err := m.Add("http://old.test/", "http://new.test/copy/old.test/"); err != nil {
		t.Fatal(err)
	}
	o = site.NewOld(m, true)
	for text, want := range map[string]int{
		"http://new.test/copy/old.test/x": 0, `http:\/\/new.test\/copy\/old.test\/x`: 0,
		"http%3A%2F%2Fnew.test%2Fcopy%2Fold.test%2Fx": 0,
		"http://new.test/copies/old.test/x":           1,
		"http://x.test/copy/old.test/x":               1, "http://other.test/http://old.test/x": 1,
		"https://web.archive.org/web/2016/http://old.test/": 1, "https://web.archive.org/web/*/http://old.test/": 1,
		"https://web.archive.org/web/http://old.test/":              1,
		`https:\/\/web.archive.org\/web\/2016\/http:\/\/old.test\/`: 1,
	} {
		if got := found(o, text, 1000); len(got) != want {
			t.Errorf("in %q: got %q, want %d places", text, got, want)
		}
	}
}

// A place stands where its word begins, also if a data: URL is longer than what is held, and comes
// in pieces.
func TestOldData(t *testing.T) {
	o := oldOf(t, "http://old.test/")
	var content strings.Builder
	for i := range effort.Pick(30_000, 8000) {
		fmt.Fprintf(&content, "<a href='http://other.test/%d'>\n", i)
	}
	content.WriteString("http://old.test/last")
	text := "one\n url(data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(content.String())) +
		") //old.test/a\n//old.test/b url(data:;base64," +
		base64.StdEncoding.EncodeToString([]byte("http://old.test/c")) + ")"
	want := []string{"2:6 http://old.test/last (in base64)", "2:",
		"3:1 //old.test/b", "3:18 http://old.test/c (in base64)"}
	for _, length := range []int{1000, 4096, 100_000, 262_144, len(text)} {
		got := found(o, text, length)
		if len(got) != len(want) {
			t.Fatalf("in pieces of %d: got %q, want %q", length, got, want)
		}
		for i := range want {
			if !strings.HasPrefix(got[i], want[i]) {
				t.Errorf("in pieces of %d: got %q, want %q", length, got[i], want[i])
			}
		}
		if at := fmt.Sprintf("2:%d //old.test/a", strings.Index(text, "//old.test/a")-len("one\n")+1); got[1] != at {
			t.Errorf("in pieces of %d: got %q, want %q", length, got[1], at)
		}
	}
}

// An escape of any kind before, in and behind the host hides it from nobody.
func TestOldEscapes(t *testing.T) {
	escapes := map[string]func(r rune) string{
		"plain": func(r rune) string { return string(r) }, "backslash": func(r rune) string {
			return `\` +
				string(r)
		}, "hex": func(r rune) string { return fmt.Sprintf(`\x%02X`, r) },
		"unicode": func(r rune) string {
			return fmt.Sprintf(`\u%04x`,
				r)
		}, "braces": func(r rune) string {
			return fmt.Sprintf(`\u{%x}`,
				r)
		}, "percent": func(r rune) string { return fmt.Sprintf("%%%02x", r) },
		"twice": func(r rune) string {
			return fmt.Sprintf("%%25%02X",
				r)
		}, "decimal": func(r rune) string {
			return fmt.Sprintf("&#%d;",
				r)
		}, "hexadecimal": func(r rune) string { return fmt.Sprintf("&#x%X;", r) },
	}
	hosts := []string{"old.test", "a.b.c.old-host.test", "x9.test"}
	for _, host := range hosts {
		o := oldOf(t, "http://"+host+"/path/")
		for name, escape := range escapes {
			escaped := strings.NewReplacer("/", escape('/'), ":",
				escape(':'), ".", escape('.'), "@", escape('@')).Replace
			for text, want := range map[string]int{"http://" + host + "/path/x": 1, "http://" + host + ":80/path": 1,
				"http://me@" + host + "/path/": 1, "http://" + host + "/other": 0, "http://x." + host +
					"/path/": 0, "http://" + host + ".org/path/": 0, "http://" + host + ":81/path/": 0} {
				if got := found(o, `"`+escaped(text)+`"`, 1000); len(got) != want {
					t.Errorf("%s in %q (%s): got %q, want %d", host, escaped(text), name, got, want)
				}
			}
		}
	}
}

func BenchmarkOldScanner(b *testing.B) {
	o := oldOf(b, "http://old.test/", "https://old.test/", "http://www.old.test/", "http://müller.example/")
	text := []byte(strings.Repeat("var x = document.getElementById(\"old\"); // test of http://example.test/some/"+
		"path\n", 20_000))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		s := o.Scanner(1, func(int64, int64, string) {})
		s.Write(text)
		s.Close()
	}
}

// The sizes of old.go.
const (
	oldChunk = 256 << 10
	oldAhead = 12 << 10
)

// An address is found in strings inside strings, although each level doubles the backslashes and
// adds one. Its characters may be escaped, except those of the longest piece of the host.
func TestOldBackslashes(t *testing.T) {
	for depth := 0; depth <= 8; depth++ {
		slashes := strings.Repeat(`\`, 1<<depth-1)
		escape := func(s, which string) string {
			var b strings.Builder
			for _, r := range s {
				switch {
				case depth > 0 && strings.ContainsRune(which, r):
					fmt.Fprintf(&b, `%su%04x`, slashes, r)
				case r == '/':
					b.WriteString(slashes + "/")
				default:
					b.WriteRune(r)
				}
			}
			return b.String()
		}
		o := oldOf(t, "http://a.b.old.test/x/y/z/")
		for _, which := range []string{"", ".", "ab.", "old"} {
			text := "http:" + escape("//a.b.old.test/x/y/z/1", which) + " end"
			if got := found(o, text, len(text)); len(got) != 1 {
				t.Errorf("depth %d, with %q escaped: %.300s: got %d places, want 1", depth, which, text, len(got))
			}
			if depth != 6 {
				continue
			}
			step := effort.Pick(97, 211)
			for back := 0; back < len(text)+oldAhead; back += step { // over the border between two searches
				if !effort.Whole() && back > len(text)+211 && back < oldAhead-211 {
					continue // no border is in the text
				}
				long := strings.Repeat(" ", 2*oldChunk-back) + text + strings.Repeat(" ", oldChunk)
				if got := found(o, long, len(long)); len(got) != 1 {
					t.Errorf("depth %d, with %q escaped, at %d: got %d places, want 1",
						depth, which, 2*oldChunk-back, len(got))
				}
			}
		}
	}
}
