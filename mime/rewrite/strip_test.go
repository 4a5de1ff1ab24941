package rewrite_test

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/text/encoding/htmlindex"

	"absolink/extract"
	"absolink/mime/rewrite"
	"absolink/resolve/move"
)

// rewritten returns a page at http://a.test/d/p after the move of s, verified.
func rewritten(t *testing.T, s *move.Site, page string) (string, *rewrite.Plan) {
	t.Helper()
	r := &rewrite.Rewriter{Site: s}
	p := plan(t, r, page)
	out, err := p.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Verify(p, out); err != nil {
		t.Fatalf("%q to %q: %v", page, out.Data, err)
	}
	return string(out.Data), p
}

// Only the tracking parameters of an absolute link go.
func TestStripTracking(t *testing.T) {
	for in, want := range map[string]string{
		"<a href='HTTP://A.test?utm_source=1'>":                 "<a href='HTTP://A.test'>",
		"<a href='http://a.test/?utm_source=1#s'>":              "<a href='http://a.test/#s'>",
		"<a href='http://a.test/?&utm_source=1&amp;#s'>":        "<a href='http://a.test/?&amp;#s'>",
		"<a href='http://a.test/?utm_a&b&utm_c&utm_d&e&utm_f'>": "<a href='http://a.test/?b&e'>",
		"<a href='http://a.test/%7e?x=&eacute;&#38;utm_a=&lt;&amp;y=&amp'>": "" +
			"<a href='http://a.test/%7e?x=&eacute;&amp;y=&amp'>",
		"<a href='http://ä.test/é?ü&utm_source=ö&amp;ß#é'>": "<a href='http://ä.test/é?ü&amp;ß#é'>",
		"<a href=http://a.test/?utm_source=1>":              "<a href=http://a.test/>",
		"<img srcset='http://a.test/,x?utm_source=1,2 1x, y 2x'>": "" +
			"<img srcset='http://a.test/,x 1x, http://a.test/d/y 2x'>",
		"<style>a{background:url(http://a.test/?utm_a=1&b)}</style>": "" +
			"<style>a{background:url(http://a.test/?b)}</style>",
		`<p style="background:url('http://a.test/\?utm_a=1')">`: "" +
			`<p style="background:url('http://a.test/')">`,
		"<a href=http://a.test/x/?utm_source=1/>": "<a href=http://a.test/x/>",
		"<a href='//a.test/?utm_source=1'>":       "<a href='http://a.test/'>",
		`<script type=importmap>{"imports":{"a":"/<!--<script>","b":"http://a.test/<script>?utm_a=1"}}</script></script>`: "" +
			`<script type=importmap>{"imports":{"a":"/<!--<script>","b":"http://a.test/<script>?utm_a=1"}}</script></script>`,
		"<a href='x?utm_source=1&b'>": "<a href='http://a.test/d/x?b'>",
		"<a href='#s?utm_source=1'>":  "<a href='#s?utm_source=1'>",
		"<a href='mailto:x@a.test?utm_source=1'>": "" +
			"<a href='mailto:x@a.test?utm_source=1'>",
		"<a itemid='http://a.test/?utm_source=1'>": "" +
			"<a itemid='http://a.test/?utm_source=1'>",
		"<a href='http://a.test/?utm_source={{x}}&b'>": "" +
			"<a href='http://a.test/?utm_source={{x}}&b'>",
		"<a href='http://a.test/?b&amp;gclid=1' ping='http://a.test/?gclid'>": "<a href='http://a.test/?b' " +
			"ping='http://a.test/'>",
		`<iframe srcdoc="<a href='http://a.test/?utm_a=1&amp;amp;b&amp;amp;c'>"></iframe>`: "" +
			`<iframe srcdoc="<a href='http://a.test/?b&amp;amp;c'>"></iframe>`,
		`<iframe srcdoc="<a href='http://a.test/?b&amp;amp;utm_a=1'>"></iframe>`: "" +
			`<iframe srcdoc="<a href='http://a.test/?b'>"></iframe>`,
	} {
		var s move.Site
		s.Map.StripTracking = true
		if got, _ := rewritten(t, &s, in); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
	var s move.Site
	s.Map.StripTracking = true
	const page = "<a href='http://a.test/?utm_a&b&utm_c&d&utm_e'><a href='http://a.test/?gclid'>"
	if _, p := rewritten(t, &s, page); p.References != 2 {
		t.Errorf("%s: got %d references that are edited, want 2", page, p.References)
	}
}

// With the form AsWritten, relative links keep their parameters, unless a rule moves them.
func TestStripTrackingAsWritten(t *testing.T) {
	for in, want := range map[string]string{
		"<a href='x?utm_source=1&b'>":                  "<a href='x?utm_source=1&b'>",
		"<a href='HTTP://A.test?utm_source=1'>":        "<a href='HTTP://A.test'>",
		"<a href='http://old.test/%7e?utm_a=1&amp;b'>": "<a href='http://new.test/~?b'>",
		"<a href='//old.test/?utm_a=1'>":               "<a href='//new.test/'>",
	} {
		s := move.Site{Form: move.AsWritten}
		s.Map.StripTracking = true
		if err := s.Map.Add("http://old.test/", "http://new.test/"); err != nil {
			t.Fatal(err)
		}
		if got, _ := rewritten(t, &s, in); strings.ReplaceAll(got, "%7e", "~") != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}

// The strings of scripts keep their other bytes, too. A string that a script continues keeps the
// parameters after which more follows.
func TestStripTrackingInScripts(t *testing.T) {
	for in, want := range map[string]string{
		`"HTTP://A.test/%7e?utm_a=1&b"`:             `"HTTP://A.test/%7e?b"`,
		`"http:\/\/a.test\/\u00e9é?b&utm_a=é&\x63"`: `"http:\/\/a.test\/\u00e9é?b&\x63"`,
		`'http://ä.test/é?gclid#ü'`:                 `'http://ä.test/é#ü'`,
		`f("http://a.test/é?utm_a=1", x)`:           `f("http://a.test/é", x)`,
		`"http://a.test/?utm_a=1" + x`:              `"http://a.test/?utm_a=1" + x`,
		`"/é?utm_a=1"`:                              `"/é?utm_a=1"`,
	} {
		s := move.Site{Form: move.AsWritten}
		s.Map.StripTracking = true
		r := &rewrite.Rewriter{Site: &s}
		r.Options.Read.Scripts = true
		const before, after = "<meta charset=utf-8><script>", "</script>"
		got := result(t, r, plan(t, r, before+in+after))
		if got != before+want+after {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}

// URLs in running text, too. If it is not clear where a URL ends, it stays.
func TestStripTrackingInText(t *testing.T) {
	const in = "see HTTP://A.test/%7e?utm_source=1&b, <http://a.test/?b&c&utm_a=1> and http://a.test/?utm_b=1世界\n" +
		"http://a.test/bä?utm_a=1&c=ä http://a.test/?utm_a=1#ü <http://a.test/世?utm_a=1>\n"
	const want = "see HTTP://A.test/%7e?b, <http://a.test/?b&c> and http://a.test/?utm_b=1世界\n" +
		"http://a.test/bä?c=ä http://a.test/#ü <http://a.test/世>\n"
	s := move.Site{}
	s.Map.StripTracking = true
	r := &rewrite.Rewriter{Site: &s}
	src := source(in)
	src.Format = extract.Plain
	p, err := r.Plan(src, nil)
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Output()
	if err != nil {
		t.Fatal(err)
	}
	if string(out.Data) != want {
		t.Errorf("got %s, want %s", out.Data, want)
	}
}

// A URL whose end changes stays in running text if its line may have been folded there, or if its
// last character may belong to the text.
func TestDoubtfulEnds(t *testing.T) {
	const long, google = "http://a.test/?utm_a=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		"https://www.google.com/url?sa=tttttttttttt&q=http%3A%2F%2Fb.test%2Fx"
	const safe = "https://nam02.safelinks.protection.outlook.com/?url=http%3A%2F%2Fb.test%2Fx&data=05&reserved=0"
	for in, want := range map[string]string{
		"see " + long + "\na%20a\n":                         "",
		"> " + long + "&b=c\n> %20a\n":                      "> http://a.test/?b=c\n> %20a\n",
		long + "\naa a%20a\n":                               "",
		long + "\n\naa a%20a\n":                             "http://a.test/\n\naa a%20a\n",
		long + " \naa a%20a\n":                              "http://a.test/ \naa a%20a\n",
		long + "\n* http://b.test/\n":                       "http://a.test/\n* http://b.test/\n",
		"http://a.test/?utm_a=1\nhttp://b.test/\n":          "http://a.test/\nhttp://b.test/\n",
		"http://a.test/?utm_a=1&b=1\nc\n":                   "http://a.test/?b=1\nc\n",
		google + "&usg=abc\n%20d&ved=1\n":                   "",
		google + "\n%20d&ved=1\n":                           "",
		google + "&usg=abc\nand\n":                          "",
		google + "&usg=abc\n\nand\n":                        "http://b.test/x\n\nand\n",
		safe + "\nand\n":                                    "http://b.test/x\nand\n",
		safe[:len(safe)-2] + "\nand\n":                      "",
		"*http://a.test/?utm_a=1*":                          "",
		"**see http://a.test/?utm_a=1**":                    "",
		"*http://a.test/?utm_a=1&b*":                        "*http://a.test/?b*",
		"_http://a.test/?utm_a=1_ ~http://a.test/?utm_a=1~": "",
		"http://a.test/?utm_a=1_ http://a.test/?utm_a=1~":   "http://a.test/ http://a.test/",
		"*https://www.google.com/url?q=http://b.test/*":     "*http://b.test/*",
		"*https://www.google.com/url?q=http://b.test/&a=b*": "",
	} {
		s := move.Site{}
		s.Map.StripTracking = true
		s.Map.Unwrap = true
		r := &rewrite.Rewriter{Site: &s}
		const head = "Content-Type: text/plain\n\n"
		p := plan(t, r, head+in)
		if want == "" {
			want = in
			if staysOf(p) == "" {
				t.Errorf("%q: no URL is counted", in)
			}
		}
		if got := result(t, r, p); got != head+want {
			t.Errorf("%q: got %q, want %q", in, got[len(head):], want)
		}
	}
}

// Wrapped links become their targets, but not if the rest of the URL is unknown.
func TestUnwrap(t *testing.T) {
	const google, cache = "https://www.google.com/url?q=", "https://b.cdn.ampproject.org/c/s/"
	for in, want := range map[string]string{
		"<a href='" + google + "http%3A%2F%2Fb.test%2F%27&amp;sa=1'>":   "<a href='http://b.test/&#39;'>",
		"<a href='" + google + "javascript%3Ago()'>":                    "",
		"<a href='" + google + "http%3A%2F%2Fb.test%2F{{x}}'>":          "",
		"<a href='" + google + "http%3A%2F%2Fb.test%2F&amp;ved={{x}}'>": "",
		"<a href='" + cache + "b.test/{{x}}'>":                          "<a href='https://b.test/{{x}}'>",
		"<script>a='" + google + "http%3A%2F%2Fb.test%2F'+x</script>":   "",
		"<script>a='" + google + "'+x</script>":                         "",
		"<script>a='" + google + "http%3A%2F%2Fb.test%2F'</script>":     "<script>a='http://b.test/'</script>",
	} {
		if want == "" {
			want = in
		}
		s := move.Site{}
		s.Map.Unwrap = true
		r := &rewrite.Rewriter{Site: &s}
		r.Options.Read.Scripts = true
		p := plan(t, r, in)
		out, err := p.Output()
		if err != nil {
			t.Fatal(err)
		}
		if string(out.Data) != want {
			t.Errorf("%s: got %s, want %s", in, out.Data, want)
		}
		if err := r.Verify(p, out); err != nil {
			t.Errorf("%s: %v", in, err)
		}
	}
}

// A page of many links with all combinations of four parameters stays the same but for the tracking
// ones.
func TestStripTrackingSubsets(t *testing.T) {
	names := []string{"a=1", "utm_x=1", "b=&amp;", "fbclid"}
	var in, want strings.Builder
	for n := range 4 * 4 * 4 * 4 {
		var all, kept []string
		for k := n; len(all) < 4; k /= 4 {
			name := names[k%4]
			all = append(all, name)
			if k%2 == 0 {
				kept = append(kept, name)
			}
		}
		query := strings.Join(kept, "&#38;")
		if len(kept) > 0 {
			query = "?" + query
		}
		fmt.Fprintf(&in, "<a href='http://A.test/%%7E?%s#%d'>\n", strings.Join(all, "&#38;"), n)
		fmt.Fprintf(&want, "<a href='http://A.test/%%7E%s#%d'>\n", query, n)
	}
	var s move.Site
	s.Map.StripTracking = true
	if got, _ := rewritten(t, &s, in.String()); got != want.String() {
		t.Errorf("got\n%s\nwant\n%s", got, want.String())
	}
}

// All other bytes stay in every charset: the letters of a URL are not percent-encoded.
func TestStripTrackingCharsets(t *testing.T) {
	const in = "<a href='http://a.test/%s?utm_a=%[1]s&amp;b=%[1]s&#38;gclid&%[1]s&utm_c=%[1]s#%[1]s'>\n"
	const want = "<a href='http://a.test/%s?b=%[1]s&%[1]s#%[1]s'>\n"
	const text = "Content-Type: text/plain; charset=%s\n\nsee <http://a.test/%s?utm_a=%[2]s&b&gclid&%[2]s=1>\n"
	const wantText = "Content-Type: text/plain; charset=%s\n\nsee <http://a.test/%s?b&%[2]s=1>\n"
	for name, letters := range map[string]string{
		"iso-8859-1": "é", "windows-1251": "яЯ", "gb18030": "中€丂", "big5": "功", "euc-kr": "한힣", "euc-jp": "日",
		"shift_jis": "日ソ", "utf-8": "é中", "utf-16le": "é中", "utf-16be": "é中",
	} {
		encoding, err := htmlindex.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		encoded := func(format string, args ...any) string {
			s, err := encoding.NewEncoder().String(fmt.Sprintf(format, args...))
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		var s move.Site
		s.Map.StripTracking = true
		r := &rewrite.Rewriter{Site: &s}
		src := source(encoded(in, letters))
		src.Message, src.Format, src.Charset = false, extract.HTML, name
		p, err := r.Plan(src, outer)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := result(t, r, p), encoded(want, letters); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
		if strings.HasPrefix(name, "utf-16") {
			continue // a message cannot have it without a transfer encoding
		}
		p = plan(t, r, encoded(text, name, letters))
		if got, want := result(t, r, p), encoded(wantText, name, letters); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
