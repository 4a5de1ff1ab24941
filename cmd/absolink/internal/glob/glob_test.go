package glob_test

import (
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/glob"
)

func TestMatch(t *testing.T) {
	tests := []struct {
		pattern, file string
		want          bool
	}{
		{"*.html", "a.html", true},
		{"*.html", "b/c/a.html", true},
		{"*.html", "a.htm", false},
		{"*.html", "x.html/a.css", true}, // a directory
		{"drafts", "drafts/a.html", true},
		{"drafts", "b/drafts/c/a.html", true},
		{"drafts/", "b/drafts/a.html", true},
		{"drafts", "drafts2/a.html", false},
		{"/drafts", "drafts/a.html", true},
		{"/drafts", "b/drafts/a.html", false},
		{"b/*.html", "b/a.html", true},
		{"b/*.html", "c/b/a.html", false},
		{"b/*.html", "b/c/a.html", false},
		{"b/*", "b/c/a.html", true}, // a directory
		{"**/b/*.html", "b/a.html", true},
		{"**/b/*.html", "x/y/b/a.html", true},
		{"b/**/a.html", "b/a.html", true},
		{"b/**/a.html", "b/x/y/a.html", true},
		{"b/**/a.html", "c/x/a.html", false},
		{"**", "x", true},
		{"/**", "x/y", true},
		{"b/**", "b/x", true},
		{"b/**", "c", false},
		{"[a-c]?.html", "b1.html", true},
		{"[^a-c]?.html", "b1.html", false},
		{"\\*.html", "*.html", true},
		{"*.html", "a\xff.html", true},
		{"[!a-c]?.html", "b1.html", false},
		{"*.{html,htm}", "b/a.htm", true},
		{"*.{html,htm}", "b/a.css", false},
		{"/{a,b}/c", "b/c/d", true},
		{"{a/b,c}", "x/c", false}, // it has a slash
		{"/a[^b]c", "a/c", false},
		{"/a[!b]*", "a/c", false},
		{"a*", "a", true},
		{"a**b", "axb", true},
		{"a**b", "a/b", false},
	}
	for _, tt := range tests {
		p, err := glob.Parse(tt.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Match(tt.file); got != tt.want {
			t.Errorf("Parse(%q).Match(%q): got %v, want %v", tt.pattern, tt.file, got, tt.want)
		}
	}
}

func TestParseFails(t *testing.T) {
	for _, pattern := range []string{"", "/", "a//b", "[a", "x/[", `\`, "{a", "//", "a//"} {
		if _, err := glob.Parse(pattern); err == nil {
			t.Errorf("Parse(%q): got no error", pattern)
		}
	}
}

func TestSet(t *testing.T) {
	set := glob.Set{Include: parsed(t, "*.html", "/css"), Exclude: parsed(t, "drafts")}
	for file, want := range map[string]bool{"a.html": true, "css/a.css": true,
		"b/css/a.css": false, "drafts/a.html": false, "a.txt": false} {
		if got := set.Has(file); got != want {
			t.Errorf("Has(%q): got %v, want %v", file, got, want)
		}
	}
	if zero := (glob.Set{}); !zero.Has("x") {
		t.Error("Has(x) of no patterns: got false, want true")
	}
}

func parsed(t *testing.T, patterns ...string) (list []glob.Pattern) {
	for _, text := range patterns {
		p, err := glob.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	return list
}

// A pattern that matches a path also matches all paths below it. With "**" before it, a pattern
// from the top matches at any depth.
func FuzzMatch(f *testing.F) {
	f.Add("**/b/*.html", "a/b/c.html")
	f.Add("/a/**/**/[a-z]", "a/b")
	f.Fuzz(func(t *testing.T, pattern, file string) {
		p, err := glob.Parse(pattern)
		if err != nil || !p.Match(file) {
			return
		}
		if !p.Match(file + "/below") {
			t.Errorf("Parse(%q) matches %q but not what is below it", pattern, file)
		}
		deeper, err := glob.Parse("**/" + strings.TrimPrefix(pattern, "/"))
		if err == nil && !deeper.Match("x/y/"+file) {
			t.Errorf("Parse(%q) matches %q, but **/ before it does not match it further down", pattern, file)
		}
	})
}
