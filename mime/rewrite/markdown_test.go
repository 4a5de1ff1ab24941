package rewrite_test

import (
	"errors"
	"strings"
	"testing"

	"absolink/extract"
	_ "absolink/extract/markdown"
	"absolink/mime/document"
	"absolink/mime/rewrite"
	"absolink/resolve/move"
	"absolink/testdata/effort"
)

// A URL of Markdown without a scheme moves too. It gets the scheme of its new URI, if that is not a
// URI of http://www.
func TestMoveWithoutScheme(t *testing.T) {
	for _, tt := range []struct{ name, text, want, stays string }{
		{"another scheme", "a www.old.test/x?y#z.", "a https://new.test/a/x?y#z.", ""},
		{"a host", "www.old.test, (www.OLD.test)", "https://new.test/a, (https://new.test/a)", ""},
		{"http://www", "*www.two.test/x*", "*www.three.test/x*", ""},
		{"https://www", "www.four.test/x", "https://www.five.test/x", ""},
		{"all of it", "www.old.test/page", "https://new.test/other", ""},
		{"a pattern", "www.wiki.test/x?y", "https://new.test/wiki?page=x?y", ""},
		{"no rule", "www.six.test/x", "", ""},
		{"code", "`www.old.test/x`\n\n    www.old.test/x", "", ""},
		{"in a link", "[www.old.test](http://b.test/)", "", ""},
		{"no domain", "www.seven.test/x", "", "unsafe:1"},
		{"letters", "www.old.test/\u00e9", "https://new.test/a/\u00e9", ""},
		{"UTF-16", "\xff\xfe" + wide("www.old.test/x"), "", "charset:1"},
		{"a template", "www.old.test/{{ x }}", "https://new.test/a/{{ x }}", ""},
		{"a mark at the end", "www.old.test/page*", "https://new.test/other*", ""},
		{"dots in the path", "www.old.test/b/../page", "", "unclear-end:1"},
	} {
		site := new(move.Site)
		for _, rule := range [][2]string{
			{"http://www.old.test/", "https://new.test/a/"}, {"http://www.two.test/", "http://www.three.test/"},
			{"http://www.four.test/", "https://www.five.test/"}, {"http://www.old.test/page", "https://new.test/other"},
			{"http://www.seven.test/", "http://localhost/"},
		} {
			addRule(t, site, rule[0], rule[1])
		}
		if err := site.Map.AddPattern(`^http://www.wiki\.test/(\w+)`, "https://new.test/wiki?page=$1"); err != nil {
			t.Fatal(err)
		}
		r := rewrite.Rewriter{Site: site}
		p, err := r.Plan(&document.Source{At: strings.NewReader(tt.text), Size: int64(len(tt.text)),
			Data: []byte(tt.text), Format: extract.Markdown}, outer)
		if err != nil {
			t.Fatal(err)
		}
		out, err := p.Output()
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Verify(p, out); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		for _, problem := range p.Problems {
			if _, why, _ := strings.Cut(problem.Detail, ": "); problem.Kind == rewrite.Unmoved && why == "" {
				t.Errorf("%s: problem %q does not say why", tt.name, problem.Detail)
			}
		}
		want := tt.want
		if want == "" {
			want = tt.text
		}
		if string(out.Data) != want || staysOf(p) != tt.stays || len(p.Stays) != len(p.Problems) {
			t.Errorf("%s: %q became %q, want %q; stays %s, want %s; problems %v", tt.name, tt.text, out.Data, want,
				staysOf(p), tt.stays, p.Problems)
		}
	}
}

// The tracking parameters of links of Markdown go, in each form of a destination, and all other
// bytes stay.
func TestStripTrackingInMarkdown(t *testing.T) {
	for _, query := range [][2]string{
		{"?utm_a=1", ""}, {"?b=1&utm_a=1", "?b=1"}, {"?utm_a=1&b=1", "?b=1"}, {"?utm_a=1&b&utm_c#d", "?b#d"},
		{"?utm_a=1#d", "#d"}, {"?b=(c)&utm_a=(d)", "?b=(c)"},
	} {
		for _, form := range []string{
			"[t](%)\n", "[t]( % )\n", "![t](%)\n", "[t](<%>)\n", "[t](% \"a&amp;b\")\n", "[t](<%> 'a')\n",
			"[t][u]\n\n[u]: %\n", "[t][u]\n\n[u]: <%> (a)\n", "<%>\n", "see % now\n", "* [t](%)\n> ![u](%)\n",
			"| a |\n| - |\n| [t](%) |\n", "<a href=\"%\">t</a>\n",
		} {
			if strings.Contains(query[0], "(d)") && form == "see % now\n" {
				continue // parentheses in text may be of the text
			}
			in := strings.ReplaceAll(form, "%", "http://h.test/x"+query[0])
			want := strings.ReplaceAll(form, "%", "http://h.test/x"+query[1])
			var site move.Site
			site.Map.StripTracking = true
			r := rewrite.Rewriter{Site: &site}
			p, err := r.Plan(&document.Source{At: strings.NewReader(in), Size: int64(len(in)), Data: []byte(in),
				Format: extract.Markdown}, outer)
			if err != nil {
				t.Fatal(err)
			}
			out, err := p.Output()
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Verify(p, out); err != nil {
				t.Errorf("%q to %q: %v", in, out.Data, err)
			}
			if got := strings.ReplaceAll(string(out.Data), "&amp;b=", "&b="); got != want {
				t.Errorf("%q became %q, want %q", in, got, want)
			}
		}
	}
}

// wide returns ASCII in UTF-16.
func wide(s string) (w string) {
	for i := range len(s) {
		w += s[i:i+1] + "\x00"
	}
	return w
}

// Markdown above 4 MB is not read. If an output grows beyond that, no reference is to blame: the
// error says so, and Mend makes no further plans.
func TestUnreadOutput(t *testing.T) {
	text := strings.Repeat("[a](b)\n\n", 1000)
	text += strings.Repeat("c", 4<<20-len(text))
	for _, data := range []string{text, "Content-Type: text/markdown\n\n" + text} {
		src := &document.Source{At: strings.NewReader(data), Size: int64(len(data)), Data: []byte(data),
			Format: extract.Markdown, Message: data[0] == 'C'}
		var r rewrite.Rewriter
		p, err := r.Plan(src, outer)
		if err != nil || p.References != 1000 {
			t.Fatalf("%d references are edited, error %v", p.References, err)
		}
		out, err := p.Output()
		if err != nil {
			t.Fatal(err)
		}
		err = r.Verify(p, out)
		const want = "the output is too large or too complex to be read back"
		if !errors.Is(err, rewrite.ErrReferences) || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
		if q := p.Mend(func(*rewrite.Plan) bool { t.Error("Mend makes a plan"); return true }); q != nil {
			t.Error("Mend returns a plan")
		}
		if !effort.Whole() && src.Message {
			continue // the same as without a header
		}
		less := strings.TrimSuffix(data, strings.Repeat("c", 100000))
		p, err = r.Plan(&document.Source{At: strings.NewReader(less), Size: int64(len(less)), Data: []byte(less),
			Format: extract.Markdown, Message: data[0] == 'C'}, outer)
		if err != nil {
			t.Fatal(err)
		}
		if out, err = p.Output(); err != nil || r.Verify(p, out) != nil {
			t.Errorf("a shorter document is not read back: %v, %v", err, r.Verify(p, out))
		}
	}
}
