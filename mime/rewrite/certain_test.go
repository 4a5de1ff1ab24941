package rewrite_test

import (
	"slices"
	"strings"
	"testing"

	"absolink/extract"
	"absolink/mime/document"
	"absolink/mime/rewrite"
	"absolink/resolve/move"
	"absolink/testdata/effort"
)

// shortened lists URLs with the URLs that they become.
var shortened = [][2]string{
	{"http://a.test/p?utm_a=1", "http://a.test/p"},
	{"http://a.test/p?b=2&utm_a=1", "http://a.test/p?b=2"},
	{"http://a.test/p?utm_a=1&b=2", "http://a.test/p?b=2"},
	{"http://a.test?utm_a=", "http://a.test"},
	{"https://www.google.com/url?q=http%3A%2F%2Fb.test%2Fx", "http://b.test/x"},
	{"https://www.google.com/url?q=http%3A%2F%2Fb.test%2Fx&usg=1", "http://b.test/x"},
	{"https://l.facebook.com/l.php?u=https%3A%2F%2Fb.test%2F&h=AT0", "https://b.test/"},
	{"https://nam02.safelinks.protection.outlook.com/?url=http%3A%2F%2Fb.test%2Fx&data=05%7C01&reserved=0",
		"http://b.test/x"},
	{"https://urldefense.com/v3/__http://b.test/x__;!!Aa!Bb$", "http://b.test/x"},
}

// beforeURL and afterURL list texts around a URL. No text after a URL is a part of it for certain.
// Where a template continues the URL, it must stay with all of it.
var (
	beforeURL = []string{"", "see ", "(", "[", "[url]", "[url=", "[t](", "*", "**", "_", "~~", "'", "\"", "<", "<URL:",
		"&lt;", "&quot;", "{", "{'a':'", "{\"a\":\"", "{\\\"a\\\":\\\"", "a,", "a;", "a|", "| ", "=", "`", "> ", "x"}
	afterURL = []string{
		"", " ", " x", ".", ", x", ",x", ",9.99", ",http://c.test/y", ",https://c.test/y", ", http://c.test/y",
		";9", ";http://c.test/y", "; x", "|", "|x", "|x>", "|http://c.test/y", "| x |", "'", "',",
		"','http://c.test/y'", "'}", "\"", "\",\"b\":1}", "\\\"}", "\\n", "\\nx", "\\u0026b=1", "\\u003e",
		"\\", "\\_x", "[", "[x]", "[x y]", "[/url] x", "[[x]]", "[*|x|*]", "[t](http://c.test/)",
		"](http://c.test/)", "] x", "](x)", "{", "{x}", "{{x}}", "{{x}}&b=1", "{x}&c=1", "${x}", "$(x)", "$x",
		"#{x}", "%s", "%s&c=1", "%x%", "%%x%%", "<%= x %>", "<%= x %>&c=1", "<?= x ?>", "*|X|*", "##x##",
		"@@x@@*", "}", "}}", "}, x", "&lt;", "&lt;br&gt;x", "&gt;", "&gt; x", "&gt;x", "&quot;", "&quot; x",
		"&quot;x", "&amp;", "&amp;b=1", "&amp;lt;x", "&#39;x", "&nbsp;x", "<", "<b>", "<br>x", ">", "> x",
		">,", "*", "**", "* x", "_", "_ x", "~", "~~", "`", "`x", "^", "^2", ")", ") x", "(x", "(x)", "(x y)",
		"!", "!x", "http://c.test/y", "xhttp://c.test/y", "-http://c.test/y", ".http://c.test/y", "\nx",
		"\r\nx", "\nx=1", "\n> x", "\n\nx", "\n* x", "\nhttp://c.test/", "日本", "。x", "”x", "😀", "‑\nx", "-\nx",
		"\u00a0x", "\x00x", "\tx",
	}
)

var ampersands = strings.NewReplacer("&", "&amp;")

// TestNoByteIsLost rewrites each URL between all texts. It must become its short form or stay, and
// all other bytes stay.
func TestNoByteIsLost(t *testing.T) {
	places := []struct {
		name, head string
		format     extract.Format
	}{
		{"text", "", extract.Plain}, {"Markdown", "", extract.Markdown}, {"HTML", "<!DOCTYPE html><p>", extract.HTML},
		{"a message", "Content-Type: text/plain; charset=utf-8\n\n", extract.Unknown},
		{"CSV in a message", "Content-Type: text/csv; charset=utf-8\n\nid,url\n1,", extract.Unknown},
	}
	changed, n := 0, 0
	for _, place := range places {
		var site move.Site
		site.Map.StripTracking = true
		site.Map.Unwrap = true
		r := &rewrite.Rewriter{Site: &site, Options: document.Options{Read: extract.Options{VisibleText: true}}}
		for _, url := range shortened {
			for _, before := range beforeURL {
				for _, after := range afterURL {
					n++
					if n%effort.Pick(1, 47) != 0 {
						continue
					}
					if after != "" && strings.IndexByte("_~", after[0]) >= 0 && !strings.HasSuffix(before, after[:1]) {
						continue // only a mark on both sides is one
					}
					escaped := func(s string) string { return s }
					if place.format == extract.HTML {
						escaped = ampersands.Replace
					}
					before := place.head + escaped(before)
					after := escaped(after)
					in := before + escaped(url[0]) + after + "\n"
					src := source(in)
					src.Format = place.format
					src.Message = place.format == extract.Unknown
					src.Charset = "utf-8"
					p, err := r.Plan(src, nil)
					if err != nil {
						t.Fatal(err)
					}
					out, err := p.Output()
					if err != nil {
						t.Fatal(err)
					}
					got := string(out.Data)
					if got == in {
						continue
					}
					changed++
					rest, ok := strings.CutPrefix(got, before+escaped(url[1]))
					if !ok || rest != after+"\n" {
						t.Errorf("%s: %q became %q", place.name, in, got)
					}
				}
			}
		}
	}
	if least := effort.Pick(50_000, 950); changed < least {
		t.Errorf("%d URLs became shorter, want at least %d", changed, least)
	}
	t.Logf("%d URLs became shorter", changed)
}

// The URLs stay as they are written and are named, or become shorter, as a reader expects.
func TestCertainBytes(t *testing.T) {
	const url, short = "http://a.test/p?utm_a=1", "http://a.test/p"
	for _, after := range []string{"", " x", ".", ", x", ")", "> x", "\"", "\n\nx", "}", "<br>", "`", "| x |"} {
		checkCertain(t, "("+url+after, "("+short+after)
	}
	for _, text := range []string{
		url + ",9", "*" + url + "*", url + "[x]", url + "{{x}}", url + "${x}", url + "&amp;b=1",
		url + "\\u0026b=1", url + "%s",
		"http://a.test/p?utm_a={{x}}&b=1", "http://a.test/p?utm_a=$x&b=1", "http://a.test/p?utm_a=a,b&b=1",
		"https://www.google.com/url?q=http%3A%2F%2Fb.test%2F{{x}}&b=1",
	} {
		checkCertain(t, text, text)
	}
	checkCertain(t, "<http://a.test/p?utm_a=a,b;c'd>", "<"+short+">")
	checkCertain(t, "\"http://a.test/p?utm_a=a,b\",\"x\"", "\""+short+"\",\"x\"")
	checkCertain(t, "http://a.test/p?utm_a=1&b={{x}}", "http://a.test/p?b={{x}}")
	checkCertain(t, "http://a.test/p?utm_a=1&b=日本", "http://a.test/p?b=日本")
}

// checkCertain strips the parameters in a text, and compares it. A URL that stays must be named.
func checkCertain(t *testing.T, in, want string) {
	t.Helper()
	var site move.Site
	site.Map.StripTracking = true
	site.Map.Unwrap = true
	r := &rewrite.Rewriter{Site: &site}
	src := source(in)
	src.Format = extract.Plain
	src.Message = false
	src.Charset = "utf-8"
	p, err := r.Plan(src, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := result(t, r, p); got != want {
		t.Errorf("%q became %q, want %q", in, got, want)
	}
	named := slices.ContainsFunc(p.Problems, func(p document.Problem) bool { return p.Kind == rewrite.Unmoved })
	if named != (in == want) {
		t.Errorf("%q: a problem names a URL: %t, want %t", in, named, in == want)
	}
}

// In a part of text/csv, a URL ends at a comma, and the fields after it stay. A rule for its whole
// text moves it.
func TestFieldsOfTable(t *testing.T) {
	const head = "Content-Type: text/csv\n\nid,url,price\n"
	for in, want := range map[string]string{
		"1,http://a.test/p?utm_a=1,9.99":           "1,http://a.test/p,9.99",
		"1,\"http://a.test/p?utm_a=1,2\",9":        "1,\"http://a.test/p\",9",
		"http://old.test/x,5,http://old.test/y,7":  "https://new.test/a/x,5,https://new.test/a/y,7",
		"1,http://host.test/,2;http://host.test/;": "1,https://new.test/,2;https://new.test/;",
	} {
		r := &rewrite.Rewriter{Site: textSite(t)}
		r.Site.Map.StripTracking = true
		if got := result(t, r, plan(t, r, head+in)); got != head+want {
			t.Errorf("%q: got %q, want %q", in, got[len(head):], want)
		}
	}
}
