package site_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/site"
	"absolink/resolve/move"
)

// layoutOf returns the layout of roots, each DIR=URI, under rules, each OLD=NEW.
func layoutOf(t *testing.T, roots, rules []string) *site.Layout {
	t.Helper()
	var set site.Roots
	for _, r := range roots {
		dir, uri, _ := strings.Cut(r, "=")
		if err := set.Add(dir, uri); err != nil {
			t.Fatal(err)
		}
	}
	maps := new(move.Map)
	for _, rule := range rules {
		if err := site.AddRule(maps, rule); err != nil {
			t.Fatal(err)
		}
	}
	return site.NewLayout(set.All(), maps)
}

func TestLayout(t *testing.T) {
	for _, tt := range []struct {
		name         string
		roots, rules string
		files        string // file: place, with its root behind a blank
	}{
		{"two parts of a host", "1=http://o.test/a/ 2=http://o.test/b/", "http://o.test/=https://n.test/",
			"1/x.html: a/x.html a; 1/d/e/y: a/d/e/y a; 2/x.html: b/x.html b"},
		{"parts that move apart", "1=http://o.test/a/ 2=http://p.test/b/",
			"http://o.test/a/=http://n.test/one/two/ http://p.test/=http://n.test/one/",
			"1/x: two/x two; 2/x: b/x b"},
		{"one above the other", "1=http://o.test/ 2=http://o.test/b/", "", "1/x: x .; 1/b/y: b/y .; 2/x: b/x b"},
		{"one directory in the other", "1=http://o.test/ 1/d=http://p.test/", "",
			"1/x: o.test/x o.test; 1/d/x: p.test/x p.test"},
		{"two hosts", "1=http://o.test:8000/ 2=https://u:p@p.test/q", "",
			"1/x: o.test:8000/x o.test:8000; 2/d/x: p.test/q/d/x p.test/q"},
		{"two schemes", "1=http://o.test/a/ 2=https://o.test/b/", "", "1/x: a/x a; 2/x: b/x b"},
		{"one place", "1=http://o.test/a/ 2=http://o.test/a/", "", "1/x: x .; 2/y: y ."},
		{"a rule within a root", "1=http://o.test/a/ 2=http://o.test/b/", "http://o.test/a/d/=http://o.test/b/e/",
			"1/x: a/x a; 1/d/x: b/e/x a"},
		{"a rule out of all roots", "1=http://o.test/a/ 2=http://o.test/b/", "http://o.test/a/d/=http://other.test/",
			"1/d/x: a/d/x a"},
		{"a rule for a page", "1=http://o.test/a/ 2=http://o.test/b/",
			"http://o.test/a/index.html=http://o.test/a/ http://o.test/b/p=http://o.test/b/q?p",
			"1/index.html: a/index.html a; 2/p: b/p b"},
		{"names with special characters", "1=http://o.test/%C3%A4/ 2=http://o.test/b%20c/",
			"http://o.test/=http://n.test/",
			"1/d e/x?y#z%41: \u00e4/d e/x?y#z%41 \u00e4; 2/\u00f6: b c/\u00f6 b c"},
		{"a file of no root", "1=http://o.test/a/ 2=http://o.test/b/", "", "3/x: REL ."},
	} {
		l := layoutOf(t, strings.Fields(tt.roots), strings.Fields(tt.rules))
		for row := range strings.SplitSeq(tt.files, "; ") {
			file, want, _ := strings.Cut(row, ": ")
			out, top := l.OutputPath(filepath.FromSlash(file), "REL")
			if got := out + " " + top; got != want {
				t.Errorf("%s: the place of %s is %q, want %q", tt.name, file, got, want)
			}
		}
	}
	if l := layoutOf(t, []string{"1=http://o.test/"}, nil); l != nil {
		t.Errorf("the layout of one root is %v, want none", l)
	}
}

// At any depth of the roots a relative link between two files leads to the place of its target.
func TestLayoutAtEveryDepth(t *testing.T) {
	dirs := []string{"", "a/", "a/b/", "a/c/", "d/", "a/b/e/f/"}
	n := 0
	for _, one := range dirs {
		for _, two := range dirs {
			for _, rule := range []string{"", "http://o.test/=http://n.test/", "http://o.test/a/=http://o.test/x/y/",
				"http://o.test/=http://o.test/x/"} {
				l := layoutOf(t, []string{"1=http://o.test/" + one, "2=http://o.test/" + two}, strings.Fields(rule))
				from, to, _ := strings.Cut(rule, "=")
				uri := func(dir string) string {
					u := "http://o.test/" + dir + "s/p.html"
					if from != "" && strings.HasPrefix(u, from) {
						u = to + strings.TrimPrefix(u, from)
					}
					return strings.SplitN(u, "/", 4)[3]
				}
				a, _ := l.OutputPath(filepath.FromSlash("1/s/p.html"), "")
				b, _ := l.OutputPath(filepath.FromSlash("2/s/p.html"), "")
				want, err := filepath.Rel(uri(one), uri(two))
				if err != nil {
					t.Fatal(err)
				}
				if got, err := filepath.Rel(filepath.FromSlash(a), filepath.FromSlash(b)); err != nil || got != want {
					t.Errorf("from %s to %s by %q: %s to %s is %s, want %s", one, two, rule, a, b, got, want)
				}
				n++
			}
		}
	}
	if want := len(dirs) * len(dirs) * 4; n != want {
		t.Error(fmt.Sprint(n, " pairs, want ", want))
	}
}

// The order of the roots does not matter: the root with the longest directory above a file counts.
func TestLayoutOrder(t *testing.T) {
	outer := site.Root{Dir: "/1", URI: "http://o.test/a/"}
	inner := site.Root{Dir: "/1/d", URI: "http://o.test/b/"}
	for _, roots := range [][]site.Root{{outer, inner}, {inner, outer}} {
		l := site.NewLayout(roots, new(move.Map))
		if out, top := l.OutputPath("/1/d/x", "REL"); out != "b/x" || top != "b" {
			t.Errorf("OutputPath with %v: got %s, %s, want b/x, b", roots, out, top)
		}
	}
}
