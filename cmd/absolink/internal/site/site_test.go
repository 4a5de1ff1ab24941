package site_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"absolink/cmd/absolink/internal/site"
	"absolink/resolve"
)

func TestPair(t *testing.T) {
	tests := []struct {
		arg, left, right string
		ok               bool
	}{
		{"http://a/=http://b/", "http://a/", "http://b/", true},
		{"http://a/?x=y=http://b/", "http://a/?x=y", "http://b/", true},
		{"http://a/?x=1=/new/", "http://a/?x=1", "/new/", true},
		{"dir=1=http://b/?q=http://c/", "dir=1", "http://b/?q=http://c/", true},
		{"a=file:///x", "a", "file:///x", true},
		{"a=1x:y", "", "", false},
		{"a=b", "", "", false},
		{"a=", "", "", false},
		{"=http://b/", "", "", false},
		{"a", "", "", false},
	}
	for _, tt := range tests {
		if l, r, ok := site.Pair(tt.arg); l != tt.left || r != tt.right || ok != tt.ok {
			t.Errorf("Pair(%q): got %q, %q, %v, want %q, %q, %v", tt.arg, l, r, ok, tt.left, tt.right, tt.ok)
		}
	}
}

// mapped returns a map with rules.
func mapped(t testing.TB, rules ...string) *site.Map {
	t.Helper()
	m := new(site.Map)
	for _, r := range rules {
		if err := m.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func TestMap(t *testing.T) {
	tests := []struct {
		name      string
		rules     []string
		uri, want string
	}{
		{"no rule", nil, "http://a/x", "http://a/x"},
		{"a host", []string{"http://a/=http://b/"}, "http://a/x?q#f", "http://b/x?q#f"},
		{"a host without slash", []string{"http://a=http://b"}, "http://a/x", "http://b/x"},
		{"a host to a path", []string{"http://a=http://b/sub"}, "http://a/x", "http://b/sub/x"},
		{"a host with slash to a path without", []string{"http://a/=http://b/sub"}, "http://a/x", "http://b/sub/x"},
		{"a host to a path with slash", []string{"http://a=http://b/sub/"}, "http://a/x", "http://b/sub/x"},
		{"another host with the same beginning", []string{"http://a=http://b"}, "http://ab/x", "http://ab/x"},
		{"another port", []string{"http://a=http://b"}, "http://a:8080/x", "http://a:8080/x"},
		{"the default port", []string{"http://A:80=http://b"}, "http://a/x", "http://b/x"},
		{"another scheme", []string{"http://a=http://b"}, "https://a/x", "https://a/x"},
		{"boundary: segment", []string{"http://a/x=http://b/y"}, "http://a/x/z", "http://b/y/z"},
		{"boundary: query", []string{"http://a/x=http://b/y"}, "http://a/x?z", "http://b/y?z"},
		{"boundary: fragment", []string{"http://a/x=http://b/y"}, "http://a/x#z", "http://b/y#z"},
		{"boundary: end", []string{"http://a/x=http://b/y"}, "http://a/x", "http://b/y"},
		{"no boundary", []string{"http://a/x=http://b/y"}, "http://a/xz", "http://a/xz"},
		{"no boundary, dot", []string{"http://a/x=http://b/y"}, "http://a/x.html", "http://a/x.html"},
		{"a directory is not its file", []string{"http://a/x/=http://b/y/"}, "http://a/x", "http://a/x"},
		{"a slash too many", []string{"http://a/x=http://b/y/"}, "http://a/x/z", "http://b/y/z"},
		{"a slash too few", []string{"http://a/x/=http://b/y"}, "http://a/x/z", "http://b/y/z"},
		{"a slash too few, query", []string{"http://a/x/=http://b/y"}, "http://a/x/?z", "http://b/y?z"},
		{"into a query", []string{"http://a/x/=http://b/show?p="}, "http://a/x/z", "http://b/show?p=z"},
		{"a path on the same host", []string{"http://a/old/=/new/"}, "http://a/old/x", "http://a/new/x"},
		{"another host by network path", []string{"https://a/old/=//b/"}, "https://a/old/x", "https://b/x"},
		{"the longest", []string{"http://a/=http://b/", "http://a/x/y/=http://d/", "http://a/x/=http://c/"}, "http://a/x/y/z", "http://d/z"},
		{"the longest at a boundary", []string{"http://a/=http://b/", "http://a/x=http://c/"}, "http://a/xy", "http://b/xy"},
		{"once: a chain", []string{"http://a/=http://b/", "http://b/=http://c/"}, "http://a/x", "http://b/x"},
		{"once: a swap", []string{"http://a/=http://b/", "http://b/=http://a/"}, "http://b/x", "http://a/x"},
		{"once: below itself", []string{"http://a/=http://a/old/"}, "http://a/x", "http://a/old/x"},
		{"one page", []string{"http://a/p.html=http://a/q.html"}, "http://a/p.html#s", "http://a/q.html#s"},
		{"a fragment", []string{"http://a/p#s=http://b/s"}, "http://a/p#s", "http://b/s"},
		{"a query", []string{"http://a/p?id=1=http://b/one"}, "http://a/p?id=1#s", "http://b/one#s"},
		{"not within a query", []string{"http://a/p?id=1=http://b/one"}, "http://a/p?id=12", "http://a/p?id=12"},
		{"from a disk", []string{"file:///srv/www/=http://a/"}, "file:///srv/www/x", "http://a/x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := mapped(t, tt.rules...).URI(tt.uri); got != tt.want {
				t.Errorf("URI(%q) by %q: got %q, want %q", tt.uri, tt.rules, got, tt.want)
			}
		})
	}
}

func TestMapFails(t *testing.T) {
	for rule, want := range map[string]string{
		"http://a/":          "OLD=NEW is needed",
		"a/=http://b/":       "OLD is no absolute URI",
		"http://a/=http://[": "NEW is no URI",
	} {
		if err := new(site.Map).Add(rule); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Add(%q): got error %v, want one with %q", rule, err, want)
		}
	}
}

func TestMapRead(t *testing.T) {
	const file = "\ufeff# moved in May\n\nhttp://a/=http://b/\r\n  http://c/x=/y  \n"
	m := new(site.Map)
	if err := m.Read(iotest.OneByteReader(strings.NewReader(file))); err != nil {
		t.Fatal(err)
	}
	if got, want := m.News(), []string{"http://b/", "http://c/y"}; !slices.Equal(got, want) {
		t.Errorf("Read(%q): got rules to %q, want %q", file, got, want)
	}
	if err := m.Read(strings.NewReader("\n\nwrong\n")); err == nil || !strings.HasPrefix(err.Error(), "line 3: ") {
		t.Errorf("Read of a wrong rule: got error %v, want one of line 3", err)
	}
}

func TestClashes(t *testing.T) {
	tests := []struct {
		name            string
		rules           []string
		clashes, nested []string
	}{
		{"none", []string{"http://a/=http://b/", "http://c/=http://d/"}, nil, nil},
		{"the same rule again", []string{"http://a=http://b/", "http://a/=http://b/"}, nil, nil},
		{"below another OLD", []string{"http://a/=http://b/", "http://a/x/=http://c/"}, nil, nil},
		{"another NEW", []string{"http://a/=http://b/", "http://a=http://c/", "http://a/=http://d/x"},
			[]string{"http://a is mapped to http://b/ and to http://c/: the first counts", "http://a is mapped to http://b/ and to http://d/x: the first counts"}, nil},
		{"a chain", []string{"http://b/x/=http://c/", "http://e/=http://b/x/"},
			[]string{"http://e becomes http://b/x/, which is not mapped on to http://c/: each link is mapped once"}, nil},
		{"a loop", []string{"http://a/=http://b/y", "http://b/=http://a/"}, []string{
			"http://a becomes http://b/y, which is not mapped on to http://a/y: each link is mapped once",
			"http://b becomes http://a/, which is not mapped on to http://b/y/: each link is mapped once"}, nil},
		{"below itself", []string{"http://d/=http://d/e/"}, nil,
			[]string{"http://d becomes http://d/e/, which is not mapped on to http://d/e/e/: each link is mapped once"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := mapped(t, tt.rules...)
			if got := m.Clashes(); !slices.Equal(got, tt.clashes) {
				t.Errorf("Clashes of %q: got %q, want %q", tt.rules, got, tt.clashes)
			}
			if got := m.Nested(); !slices.Equal(got, tt.nested) {
				t.Errorf("Nested of %q: got %q, want %q", tt.rules, got, tt.nested)
			}
		})
	}
}

// What no rule has a prefix of stays, and what has one begins with what it is mapped to.
func FuzzMap(f *testing.F) {
	f.Add("http://a/x", "http://b/y/", "http://a/x/z?q#f")
	f.Add("http://a/?x=", "/", "http://a/?x=/")
	f.Fuzz(func(t *testing.T, from, to, ref string) {
		m := new(site.Map)
		if m.Add(from+"="+to) != nil {
			return
		}
		b, _ := resolve.NewBase("", resolve.Options{})
		uri, err := b.Resolve(ref)
		if err != nil {
			return
		}
		got := m.URI(uri)
		if got != uri && !strings.HasPrefix(got, strings.TrimSuffix(m.News()[0], "/")) {
			t.Errorf("URI(%q) by %q: got %q, which does not begin with %q", uri, from+"="+to, got, m.News()[0])
		}
	})
}

func TestReference(t *testing.T) {
	tests := []struct {
		name, base, uri string
		root, relative  string
	}{
		{"a sibling", "http://a/d/p", "http://a/d/q", "/d/q", "q"},
		{"an uncle", "http://a/d/e/p", "http://a/q?x#y", "/q?x#y", "../../q?x#y"},
		{"the top", "http://a/d/p", "http://a/", "/", ".."},
		{"a fragment of itself", "http://a/d/p", "http://a/d/p#s", "/d/p#s", "#s"},
		{"itself", "http://a/d/p", "http://a/d/p", "/d/p", "p"},
		{"its directory", "http://a/d/", "http://a/d/", "/d/", "."},
		{"another host", "http://a/d/p", "http://b/d/p", "http://b/d/p", "http://b/d/p"},
		{"another scheme", "http://a/d/p", "https://a/d/p", "https://a/d/p", "https://a/d/p"},
		{"two slashes", "http://a/d/p", "http://a//q", "/.//q", "..//q"},
		{"a colon", "http://a/d/p", "http://a/d/x:y", "/d/x:y", "./x:y"},
		{"no path", "http://a/d/p", "mailto:me@a", "mailto:me@a", "mailto:me@a"},
		{"a disk", "file:///srv/d/p", "file:///srv/q", "/srv/q", "../q"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, err := resolve.NewBase(tt.base, resolve.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for to, want := range map[site.To]string{site.Absolute: tt.uri, site.RootRelative: tt.root, site.Relative: tt.relative} {
				if got := to.Reference(b, tt.uri); got != want {
					t.Errorf("%v.Reference(%q, %q): got %q, want %q", to, tt.base, tt.uri, got, want)
				}
			}
		})
	}
}

func TestFits(t *testing.T) {
	for ref, want := range map[string][2]bool{ // root-relative, relative
		"x": {false, true}, "../x": {false, true}, "?x": {false, true}, "#x": {false, true}, "./x:y": {false, true},
		"/x": {true, false}, `\x`: {true, false}, "//h/x": {false, false}, `\\h\x`: {false, false}, `/\h`: {false, false}, "http://h/x": {false, false}, "http:x": {false, false},
	} {
		if got := [2]bool{site.RootRelative.Fits(ref), site.Relative.Fits(ref)}; got != want {
			t.Errorf("Fits(%q): got %v, want %v", ref, got, want)
		}
	}
}

// tree makes files in a new directory; a name that ends in a slash is a directory.
func tree(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, n := range names {
		path := filepath.Join(dir, n)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(n, "/") {
			if err := os.MkdirAll(path, 0o777); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func roots(t *testing.T, pairs ...string) *site.Roots {
	t.Helper()
	r := new(site.Roots)
	for i := 0; i < len(pairs); i += 2 {
		if err := r.Add(pairs[i], pairs[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func TestRoots(t *testing.T) {
	dir := tree(t, "sub/")
	r := roots(t, dir, "http://a/base", filepath.Join(dir, "sub"), "http://b/")
	for name, want := range map[string]string{
		"x.html":              "http://a/base/x.html",
		"index.html":          "http://a/base/index.html",
		"sub/x.html":          "http://b/x.html", // the longest
		"sub2/x":              "http://a/base/sub2/x",
		"a b/ü?#%.html":       "http://a/base/a%20b/%C3%BC%3F%23%25.html",
		"latin\xe4.html":      "http://a/base/latin%E4.html",
		"c:d;e,f=g&h@i!$'()*": "http://a/base/c:d;e,f=g&h@i!$'()*",
		"../other":            "",
	} {
		if got := r.URI(filepath.Join(dir, name)); got != want {
			t.Errorf("URI(%q): got %q, want %q", name, got, want)
		}
	}
}

func TestRootsTwice(t *testing.T) {
	dir := tree(t, "sub/")
	if err := os.Symlink(dir, dir+".link"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(dir + ".link") })
	r := roots(t, dir, "http://a/")
	for _, again := range []string{dir, dir + "/sub/..", dir + ".link"} {
		if err := r.Add(again, "http://b/"); err != nil {
			t.Errorf("Add(%q) again with another URI: got error %v", again, err)
		}
		want := "the files of " + again + " cannot have both URIs, http://a/ and http://b/: the first counts"
		if got := r.Doubts(); len(got) == 0 || got[len(got)-1] != want {
			t.Errorf("Doubts after Add(%q): got %q, want %q in the end", again, got, want)
		}
	}
	if err := r.Add(dir, "http://a"); err != nil {
		t.Errorf("Add of the same again: got error %v", err)
	}
}

func TestCheck(t *testing.T) {
	dir := tree(t, "index.html", "about.html", "Team/Members.HTML", "docs/index.htm", "empty/", "a b.html", "ü.html", "news/2026.php", "x%y.html", "page?id=1", "latin\xe4.html", "both.htm", "both/index.html")
	other := tree(t, "shared.html")
	files := site.NewFiles(roots(t, dir, "http://a/", other, "http://a/s/"))
	tests := []struct {
		uri   string
		want  site.Verdict
		meant string
	}{
		{"http://a/about.html", site.Found, ""},
		{"http://a/about.html?x#y", site.Found, ""},
		{"http://a/", site.Found, ""},
		{"http://a", site.Found, ""},
		{"http://a/docs/", site.Found, ""},
		{"http://a/a%20b.html", site.Found, ""},
		{"http://a/%C3%BC.html", site.Found, ""},
		{"http://a/x%25y.html", site.Found, ""},
		{"http://a/latin%E4.html", site.Found, ""},
		{"http://a/s/shared.html", site.Found, ""},
		{"http://a/about", site.Moved, "http://a/about.html"},
		{"http://a/about.htm", site.Moved, "http://a/about.html"},
		{"http://a/about/", site.Moved, "http://a/about.html"},
		{"http://a/About.html", site.Moved, "http://a/about.html"},
		{"http://a/team/members.html", site.Moved, "http://a/Team/Members.HTML"},
		{"http://a/TEAM/members", site.Moved, "http://a/Team/Members.HTML"},
		{"http://a/docs", site.Moved, "http://a/docs/"},
		{"http://a/docs/index.html", site.Moved, "http://a/docs/index.htm"},
		{"http://a/u%CC%88.html", site.Moved, "http://a/%C3%BC.html"},
		{"http://a/news/2026.html", site.Moved, "http://a/news/2026.php"},
		{"http://a/page?id=1", site.Moved, "http://a/page%3Fid=1"},
		{"http://a/both", site.Moved, "http://a/both/"},
		{"http://a/nothing", site.Missing, ""},
		{"http://a/empty/", site.Missing, ""},
		{"http://a/empty", site.Missing, ""},
		{"http://a/about.html/x", site.Missing, ""},
		{"http://a/%2Fabout.html", site.Missing, ""},
		{"http://a/docs/%2e%2e/about.html", site.Missing, ""},
		{"http://a/about.html%00", site.Missing, ""},
		{"http://a//about.html", site.Missing, ""},
		{"http://ab/about.html", site.Outside, ""},
		{"mailto:me@a", site.Outside, ""},
	}
	for _, tt := range tests {
		if got, meant := files.Check(tt.uri); got != tt.want || meant != tt.meant {
			t.Errorf("Check(%q): got %v, %q, want %v, %q", tt.uri, got, meant, tt.want, tt.meant)
		}
	}
}

// What Check says was meant is there, and what a name is escaped to leads to it.
func FuzzCheck(f *testing.F) {
	dir := f.TempDir()
	for _, n := range []string{"a.html", "B.htm", "c%d", "index.html"} {
		if err := os.WriteFile(filepath.Join(dir, n), nil, 0o666); err != nil {
			f.Fatal(err)
		}
	}
	r := new(site.Roots)
	if err := r.Add(dir, "http://a/"); err != nil {
		f.Fatal(err)
	}
	files := site.NewFiles(r)
	f.Add("a")
	f.Add("b.html?x")
	f.Add("%61%2f%00%")
	f.Fuzz(func(t *testing.T, path string) {
		if v, meant := files.Check("http://a/" + path); v == site.Moved {
			if again, _ := files.Check(meant); again != site.Found {
				t.Errorf("Check(%q): got %q, which is not there", path, meant)
			}
		}
		if bytes.ContainsAny([]byte(path), "/\x00") || path == "." || path == ".." || len(path) > 100 {
			return
		}
		if v, _ := files.Check("http://a/" + site.EscapePath(path)); (v == site.Found) != (path == "" || slices.Contains([]string{"a.html", "B.htm", "c%d", "index.html"}, path)) {
			t.Errorf("Check of the escaped name %q: got %v", path, v)
		}
	})
}
