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
	"absolink/resolve/move"
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
		if l, r, ok := site.SplitPair(tt.arg); l != tt.left || r != tt.right || ok != tt.ok {
			t.Errorf("SplitPair(%q): got %q, %q, %v, want %q, %q, %v", tt.arg, l, r, ok, tt.left, tt.right, tt.ok)
		}
	}
}

func TestAddRuleFails(t *testing.T) {
	for rule, want := range map[string]string{
		"http://a/": `"http://a/": OLD=NEW is needed`,
		"old.example=new.example": `"old.example=new.example": an address without a scheme; ` +
			"type //old.example/=//new.example/",
		"http://a.b/=c.d/e":  `"http://a.b/=c.d/e": an address without a scheme; type http://a.b/=https://c.d/e`,
		"a.b/c=https://c.d/": `"a.b/c=https://c.d/": an address without a scheme; type //a.b/c=https://c.d/`,
		"a.b:81=c.d":         `"a.b:81=c.d": an address without a scheme; type //a.b:81/=//c.d/`,
		"a.b=c.d:81":         `"a.b=c.d:81": an address without a scheme; type //a.b/=//c.d:81/`,
		"a.b:81/x=c.d:82?y":  `"a.b:81/x=c.d:82?y": an address without a scheme; type //a.b:81/x=//c.d:82/?y`,
		"a.b:81=http://c/":   `"a.b:81=http://c/": an address without a scheme; type //a.b:81/=http://c/`,
		"http://a/=1.2.3.4":  `"http://a/=1.2.3.4": an address without a scheme; type http://a/=https://1.2.3.4/`,
		"/news/=http://b/":   `"/news/=http://b/": OLD is a path; type it with its host, such as //old.example/news/`,
		"*.b=c.d":            `"*.b=c.d": OLD=NEW is needed`,
		"http://a/=.b.c":     `"http://a/=.b.c": OLD=NEW is needed`,

		"http://a/=index.html":  `"http://a/=index.html": OLD=NEW is needed`,
		"http://a/=README.MD":   `"http://a/=README.MD": OLD=NEW is needed`,
		"http://a/=mail.mbox":   `"http://a/=mail.mbox": OLD=NEW is needed`,
		"http://a/=site.zip/":   `"http://a/=site.zip/": OLD=NEW is needed`,
		"http://a/=x.html?a.pl": `"http://a/=x.html?a.pl": OLD=NEW is needed`,
		"old.com.br=new.pl": `"old.com.br=new.pl": an address without a scheme; ` +
			"type //old.com.br/=//new.pl/",
		"a/=http://b/":       `"a/=http://b/": OLD is not an absolute URI: `,
		"http://a/=http://[": `"http://a/=http://[": NEW is not a URI: an IPv6 address without a closing bracket`,
	} {
		if err := site.AddRule(new(move.Map), rule); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("AddRule(%q): got error %v, want one that begins with %q", rule, err, want)
		}
	}
}

func TestStartsWithHost(t *testing.T) {
	for s, want := range map[string]bool{
		"a.b": true, "a.b/c.html": true, "a.b?c/d": true, "a.b#c": true, "a.b:80": true, "a.b:80?c:d": true,
		"1.2.3.4:5": true,
		"":          false, "a": false, "a/b.c": false, "a:80": false, "a.b:": false, "a.b:c": false, "a.b:8c/": false,
		"a:b.c": false,
		".a.b":  false, "a.b./": false, "//a.b": false, "http://a.b": false, "a.b c": false, "x=a.b": false,
		"a.html":    false,
		"a.html:80": false, "a.html?b": false,
	} {
		if got := site.StartsWithHost(s); got != want {
			t.Errorf("StartsWithHost(%q): got %v, want %v", s, got, want)
		}
	}
}

func TestReadRules(t *testing.T) {
	const file = "\ufeff# moved in May\n\nhttp://a/=http://b/\r\n  http://c/x=/y  \n"
	m := new(move.Map)
	if err := site.ReadRules(m, iotest.OneByteReader(strings.NewReader(file))); err != nil {
		t.Fatal(err)
	}
	if got, want := m.NewPrefixes(), []string{"http://b/", "http://c/y"}; !slices.Equal(got, want) {
		t.Errorf("ReadRules(%q): got rules to %q, want %q", file, got, want)
	}
	if err := site.ReadRules(m, strings.NewReader("\n\nwrong\n")); err == nil ||
		!strings.HasPrefix(err.Error(), "line 3: ") {
		t.Errorf("ReadRules of a wrong rule: got error %v, want one of line 3", err)
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

// A directory may have the same URI under several names: files may be given under each.
func TestRootsNames(t *testing.T) {
	dir := tree(t, "sub/")
	if err := os.Symlink(dir, dir+".link"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(dir + ".link") })
	r := roots(t, dir, "http://a/", dir+".link", "http://a")
	if got := r.Doubts(); len(got) > 0 {
		t.Errorf("Doubts: got %q, want none", got)
	}
	for _, name := range []string{dir, dir + ".link"} {
		if got := r.URI(name + "/x"); got != "http://a/x" {
			t.Errorf("URI(%q): got %q, want http://a/x", name+"/x", got)
		}
	}
}

func TestCheck(t *testing.T) {
	dir := tree(t, "index.html", "about.html", "Team/Members.HTML", "docs/index.htm", "empty/", "a b.html",
		"ü.html", "news/2026.php", "x%y.html", "page?id=1", "latin\xe4.html", "both.htm", "both/index.html")
	other := tree(t, "shared.html")
	files := site.NewFiles(roots(t, dir, "http://a/", other, "http://a/s/").All(), nil)
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
		{"http://a/about", site.Similar, "http://a/about.html"},
		{"http://a/about.htm", site.Similar, "http://a/about.html"},
		{"http://a/about/", site.Similar, "http://a/about.html"},
		{"http://a/About.html", site.Similar, "http://a/about.html"},
		{"http://a/team/members.html", site.Similar, "http://a/Team/Members.HTML"},
		{"http://a/TEAM/members", site.Similar, "http://a/Team/Members.HTML"},
		{"http://a/docs", site.Similar, "http://a/docs/"},
		{"http://a/docs/index.html", site.Similar, "http://a/docs/index.htm"},
		{"http://a/u%CC%88.html", site.Similar, "http://a/%C3%BC.html"},
		{"http://a/news/2026.html", site.Similar, "http://a/news/2026.php"},
		{"http://a/page?id=1", site.Similar, "http://a/page%3Fid=1"},
		{"http://a/both", site.Similar, "http://a/both/"},
		{"http://a/nothing", site.Missing, ""},
		{"http://a/empty/", site.Missing, ""},
		{"http://a/empty", site.Missing, ""},
		{"http://a/about.html/x", site.Missing, ""},
		{"http://a/%2Fabout.html", site.Missing, ""},
		{"http://a/docs/%2e%2e/about.html", site.Missing, ""},
		{"http://a/about.html%00", site.Missing, ""},
		{"http://a//about.html", site.Similar, "http://a/about.html"}, // file systems have no empty names
		{"http://a/docs//index.htm", site.Similar, "http://a/docs/index.htm"},
		{"http://a/docs///", site.Similar, "http://a/docs/"},
		{"http://a//Team//members", site.Similar, "http://a/Team/Members.HTML"},
		{"http://a//", site.Similar, "http://a/"},
		{"http://a//nothing//x", site.Missing, ""},
		{"http://a/page%3Fid=1?id=1", site.Found, ""}, // a query alone in a page that was saved with one
		{"http://a/page%3Fid=1?id=2", site.Missing, ""},
		{"http://ab/about.html", site.Outside, ""},
		{"mailto:me@a", site.Outside, ""},
	}
	for _, tt := range tests {
		if got, meant := files.Check(tt.uri); got != tt.want || meant != tt.meant {
			t.Errorf("Check(%q): got %v, %q, want %v, %q", tt.uri, got, meant, tt.want, tt.meant)
		}
	}
}

func TestFind(t *testing.T) {
	dir := tree(t, "index.html", "about.html", "blog/index.htm", "blog/default.htm", "page",
		"page?x=1.html", "page@y=a%2Fb", "index.html?p=1", "style.css", "empty/x.txt")
	files := site.NewFiles(roots(t, dir, "http://a/").All(), []string{"default.htm", "index.html", "index.htm"})
	for uri, want := range map[string]struct {
		file    string
		dropped bool
	}{
		"http://a/":                    {"index.html", false},
		"http://a/?p=1":                {"index.html?p=1", false},
		"http://a/?p=2":                {"index.html", true},
		"http://a/blog#top":            {"blog/default.htm", false},
		"http://a/blog/index.html":     {"blog/index.htm", false},
		"http://a/About":               {"about.html", false},
		"http://a/page":                {"page", false},
		"http://a/page?x=1":            {"page?x=1.html", false},
		"http://a/page%3Fx=1.html?x=1": {"page?x=1.html", false},
		"http://a/page%3Fx=1.html?x=9": {"", false},
		"http://a/page?y=a/b":          {"page@y=a%2Fb", false},
		"http://a/page?z":              {"page", true},
		"http://a/style.css?v=2":       {"style.css", true},
		"http://a/empty/":              {"", false},
		"http://b/":                    {"", false},
	} {
		_, path, dropped := files.Find(uri)
		if want.file != "" {
			want.file = filepath.Join(dir, want.file)
		}
		if path != want.file || dropped != want.dropped {
			t.Errorf("Find(%q): got %q, %v, want %q, %v", uri, path, dropped, want.file, want.dropped)
		}
	}
}

// On Windows programs that save pages write some characters of a name as letters, in either case. A
// name that is there exactly wins, then one with letters, then one in another case.
func TestFindLetters(t *testing.T) {
	dir := tree(t, "page%3Fx=2", "s.css%3fv%3d5", "i.php%3fa%3D1%26b%3D2", "both?x=1", "both%3Fx=1",
		"Case%3fx=1", "case%3fy=1", "x%3d1/a%3ab.html", "a%2526b", "a%26b", "q%22%3C%3E%7C%5C%2A.html",
		"index.html%3fp%3d1", "saved%3fx%3d1.html", "saved%3fx%3d2.html", "100%", "100%.html", "50%2525.html",
		"p%41", "plain.css", "plain.css%3Fv=1", "Dir/file.html", "dir/other.html", "two%3fy=1", "Two%3fY=1")
	files := site.NewFiles(roots(t, dir, "http://a/").All(), nil)
	for uri, want := range map[string]struct {
		file    string
		dropped bool
	}{
		"http://a/page?x=2":                   {"page%3Fx=2", false},
		"http://a/page?x=3":                   {"", false},
		"http://a/s.css?v=5#f":                {"s.css%3fv%3d5", false},
		"http://a/i.php?a=1&b=2":              {"i.php%3fa%3D1%26b%3D2", false},
		"http://a/i.php?a=1%26b=2":            {"i.php%3fa%3D1%26b%3D2", false},
		"http://a/page%253Fx=2":               {"page%3Fx=2", false},
		"http://a/both?x=1":                   {"both?x=1", false},
		"http://a/both%253Fx=1":               {"both%3Fx=1", false},
		"http://a/case?x=1":                   {"Case%3fx=1", false},
		"http://a/CASE?Y=1":                   {"case%3fy=1", false},
		"http://a/x=1/a:b.html":               {"x%3d1/a%3ab.html", false},
		"http://a/X=1/A:B":                    {"x%3d1/a%3ab.html", false},
		"http://a/a&b":                        {"a%26b", false},
		"http://a/a%2526b":                    {"a%26b", false},
		"http://a/a%252526b":                  {"a%2526b", false},
		"http://a/q%22%3C%3E%7C%5C*.html":     {"q%22%3C%3E%7C%5C%2A.html", false},
		"http://a/?p=1":                       {"index.html%3fp%3d1", false},
		"http://a/saved%253fx%253d1.html?x=2": {"saved%3fx%3d2.html", false},
		"http://a/saved%253fx%253d1.html?x=9": {"", false},
		"http://a/100%25":                     {"100%", false},
		"http://a/100%25.html":                {"100%.html", false},
		"http://a/50%252525.html":             {"50%2525.html", false},
		"http://a/50%2525.html":               {"", false},
		"http://a/pA":                         {"", false},
		"http://a/plain.css?v=1":              {"plain.css%3Fv=1", false},
		"http://a/plain.css?v=2":              {"plain.css", true},
		"http://a/two?y=1":                    {"two%3fy=1", false},
		"http://a/dir/OTHER.html":             {"dir/other.html", false},
		"http://a/dir/other.html":             {"dir/other.html", false},
		"http://a/Dir/FILE.html":              {"Dir/file.html", false},
	} {
		_, path, dropped := files.Find(uri)
		if want.file != "" {
			want.file = filepath.Join(dir, want.file)
		}
		if path != want.file || dropped != want.dropped {
			t.Errorf("Find(%q): got %q, %v, want %q, %v", uri, path, dropped, want.file, want.dropped)
		}
	}
	if got, want := site.NewTree(files, nil).FindDirectory("http://a/x=1/"), filepath.Join(dir, "x%3d1"); got != want {
		t.Errorf("FindDirectory of x=1/: got %q, want %q", got, want)
	}
	if v, meant := files.Check("http://a/page?x=2"); v != site.Similar || meant != "http://a/page%253Fx=2" {
		t.Errorf("Check of page?x=2: got %v, %q, want it moved to page%%253Fx=2", v, meant)
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
	files := site.NewFiles(r.All(), nil)
	f.Add("a")
	f.Add("b.html?x")
	f.Add("%61%2f%00%")
	f.Fuzz(func(t *testing.T, path string) {
		if v, meant := files.Check("http://a/" + path); v == site.Similar {
			if again, _ := files.Check(meant); again != site.Found {
				t.Errorf("Check(%q): got %q, which is not there", path, meant)
			}
		}
		if bytes.ContainsAny([]byte(path), "/\x00") || path == "." || path == ".." || len(path) > 100 {
			return
		}
		if v, _ := files.Check("http://a/" + site.EscapePath(path)); (v == site.Found) != (path == "" ||
			slices.Contains([]string{"a.html", "B.htm", "c%d", "index.html"}, path)) {
			t.Errorf("Check of the escaped name %q: got %v", path, v)
		}
	})
}

// The URI of a root may have any spelling that is equivalent under the rule set.
func TestRootSpellings(t *testing.T) {
	dir := tree(t, "index.html", "a b/c.html")
	type spelling struct{ given, uri string }
	for rules, list := range map[resolve.Rules][]spelling{
		resolve.WHATWG: {
			{"http://Old.example/", "http://old.example/"},
			{"HTTP://old.EXAMPLE", "http://old.example/"},
			{"http://müller.example/", "http://xn--mller-kva.example/"},
			{"http://xn--MLLER-kva.example/", "http://xn--mller-kva.example/"},
			{"http://old.example:80/", "http://old.example/"},
			{"http://old.example:/", "http://old.example/"},
			{"http://old.example:080/x", "http://old.example/x/"},
			{"https://old.example:0443", "https://old.example/"},
			{"https://old.example:80/", "https://old.example:80/"},
			{"http:/old.example/", "http://old.example/"},
			{"http:old.example", "http://old.example/"},
			{`http:\\old.example\x`, "http://old.example/x/"},
			{"http://old.example/ü", "http://old.example/%C3%BC/"},
			{"http://old.example/a b", "http://old.example/a%20b/"},
			{"http://old.example/x/../", "http://old.example/"},
			{"http://old.example/x/..", "http://old.example/"},
			{"http://old.example/./y/%2E", "http://old.example/y/"},
			{"http://old.example/y/", "http://old.example/y/"},
			{"http://old.example/y//", "http://old.example/y//"},
			{"http://[0:0::1]/", "http://[::1]/"},
			{"http://0x7f.1/", "http://127.0.0.1/"},
			{" http://old.example/ ", "http://old.example/"},
			{"http://old.exa\tmple", "http://old.example/"},
			{`http://old.example/x\`, "http://old.example/x/"},
			{"http://old.example/x/\n", "http://old.example/x/"},
			{"file:/x", "file:///x/"},
			{"ftp://old.example:21/x", "ftp://old.example/x/"},
		},
		resolve.RFC3986: {
			{"http://Old.example/", "http://Old.example/"},
			{"http://old.example:80", "http://old.example:80/"},
			{"HTTP://old.example/", "HTTP://old.example/"},
			{"http://old.example/x/../y", "http://old.example/y/"},
			{"http://old.example/a b", "http://old.example/a%20b/"},
		},
		resolve.RFC2396: {
			{"http://Old.example", "http://Old.example/"},
			{"http://old.example/x/../y/", "http://old.example/y/"},
			{"http://old.example/ü/", "http://old.example/%C3%BC/"},
		},
		resolve.Draft02:  {{"http://Old.example/x/./", "http://Old.example/x/"}},
		resolve.Draft00e: {{"http://Old.example/x/./", "http://Old.example/x/"}},
	} {
		for _, s := range list {
			o := resolve.Options{Rules: rules}
			r := &site.Roots{Rules: o}
			if err := r.Add(dir, s.given); err != nil {
				t.Errorf("%v: Add(%q): got error %v", rules, s.given, err)
				continue
			}
			page := r.URI(filepath.Join(dir, "index.html"))
			if page != s.uri+"index.html" {
				t.Errorf("%v: URI with the root %q: got %q, want %q", rules, s.given, page, s.uri+"index.html")
			}
			base, err := resolve.NewBase(s.given, o)
			if err != nil {
				t.Fatal(err)
			}
			canonical, err := base.Resolve(s.uri)
			if err != nil {
				t.Fatal(err)
			}
			files := site.NewFiles(r.All(), nil)
			for _, uri := range []string{s.uri, page, canonical + "a%20b/c.html", s.uri + "?x"} {
				if v, _ := files.Check(uri); v != site.Found {
					t.Errorf("%v: Check(%q) with the root %q: got %v, want Found", rules, uri, s.given, v)
				}
			}
			if v, _ := files.Check(s.uri + "gone"); v != site.Missing {
				t.Errorf("%v: Check(%q) with the root %q: got %v, want Missing", rules, s.uri+"gone", s.given, v)
			}
		}
	}
}

// The rule sets of the RFCs leave the case of hosts and default ports as they are written.
func TestOriginSpellings(t *testing.T) {
	dir := tree(t, "a.html", "index.html")
	origins := []string{"http://old.example", "HTTP://old.example", "http://OLD.example", "http://old.example:80",
		"http://old.example:"}
	for _, root := range origins {
		r := &site.Roots{Rules: resolve.Options{Rules: resolve.RFC3986}}
		if err := r.Add(dir, root+"/"); err != nil {
			t.Fatal(err)
		}
		files := site.NewFiles(r.All(), nil)
		for _, link := range origins {
			for rest, want := range map[string]site.Verdict{"/a.html": site.Found, "": site.Found, "?x": site.Found,
				"/A:B": site.Missing, "/x": site.Missing, ".org/a.html": site.Outside} {
				if rest == ".org/a.html" && strings.HasSuffix(link, ":80") || strings.HasSuffix(link, ":") {
					continue
				}
				if v, _ := files.Check(link + rest); v != want {
					t.Errorf("Check(%q) with the root %q: got %v, want %v", link+rest, root, v, want)
				}
			}
		}
		for _, link := range []string{"http://old.example:8080/a.html", "https://old.example/a.html"} {
			if v, _ := files.Check(link); v != site.Outside {
				t.Errorf("Check(%q) with the root %q: got %v, want Outside", link, root, v)
			}
		}
	}
}

// A root that names a page would put all links one directory too low.
func TestRootOfFile(t *testing.T) {
	dir := tree(t, "a.html")
	for uri, want := range map[string]string{ // the URI that the message suggests, or ""
		"http://a.test/index.html":      "http://a.test/",
		"http://A.test:80/x/INDEX.PHP":  "http://a.test/x/",
		"http://a.test/x/%61%20b.htm":   "http://a.test/x/",
		"http://a.test/x/../page.shtml": "http://a.test/",
		"http://a.test/sitemap.xml":     "http://a.test/",
		"http://a.test/a/README.md":     "http://a.test/a/",
		"http://a.test/style.css":       "http://a.test/",
		"http://a.test/archive.zip":     "http://a.test/",
		"http://a.test/index.html/":     "",
		"http://a.test/index.html/x":    "",
		"http://a.test/index.html/..":   "",
		"http://a.test/index.html/x/./": "",
		"http://a.test/old.example":     "",
		"http://a.test/v1.2":            "",
		"http://a.test/~me":             "",
		"http://a.test":                 "",
		"http://index.html":             "",
		"http://index.html/":            "",
		"http://a.test/html":            "",
	} {
		err := new(site.Roots).Add(dir, uri)
		switch {
		case want == "" && err != nil:
			t.Errorf("Add(%q): got error %v, want none", uri, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), "--root "+dir+"="+want+", ")):
			t.Errorf("Add(%q): got error %v, want one that suggests %s", uri, err, want)
		}
	}
	if err := new(site.Roots).Add(filepath.Join(dir, "node.js"), "http://a.test/node.js"); err != nil {
		t.Errorf("a directory with the name of the URI: got error %v, want none", err)
	}
}

// The name of an index file may have any case. The exact names of all index files come first.
func TestIndexInAnyCase(t *testing.T) {
	links := []string{"", "d/", "D/", "d", "d/index.html", "d/DEFAULT.HTM", "d//"}
	for _, index := range site.Indexes {
		for _, name := range []string{strings.ToUpper(index), strings.ToUpper(index[:1]) + index[1:]} {
			dir := tree(t, name, "d/"+name)
			files := site.NewFiles(roots(t, dir, "http://a/").All(), nil)
			for _, link := range links {
				v, meant := files.Check("http://a/" + link)
				_, path, _ := files.Find("http://a/" + link)
				want := "d/" + name
				if link == "" {
					want = name
				}
				if link == want {
					continue
				}
				if v != site.Similar || meant != "http://a/"+want || path != filepath.Join(dir, want) {
					t.Errorf("%q with the index %s: got %v, %q, %q, want it moved to %s",
						link, name, v, meant, path, want)
				}
				if again, _ := files.Check(meant); again != site.Found {
					t.Errorf("Check(%q): got %v, want Found", meant, again)
				}
			}
		}
	}
	dir := tree(t, "a/INDEX.HTML", "a/default.htm", "b/Start.HTM", "b/Index.html", "c/INDEX.HTML/")
	files := site.NewFiles(roots(t, dir, "http://a/").All(), nil)
	own := site.NewFiles(roots(t, dir, "http://a/").All(), []string{"start.htm"})
	for _, tt := range []struct {
		files *site.Files
		link  string
		want  string
	}{
		{files, "a/", "a/default.htm"}, {own, "a/", ""}, {files, "b/", "b/Index.html"}, {own, "b/", "b/Start.HTM"},
		{files, "c/", ""},
	} {
		_, path, _ := tt.files.Find("http://a/" + tt.link)
		want := tt.want
		if want != "" {
			want = filepath.Join(dir, want)
		}
		if path != want {
			t.Errorf("Find(%q): got %q, want %q", tt.link, path, want)
		}
	}
}

// A page that is made from Markdown has its file in the site that is built. So Source names the
// Markdown, and Check and Find do not.
func TestSources(t *testing.T) {
	dir := tree(t, ".md", "guide.md", "d/Guide.md",
		"d/both.md", "d/both.html", "d/dir.md", "d/dir/index.html", "d/x.y.md")
	files := site.NewFiles(roots(t, dir, "http://a/").All(), nil)
	sources := site.NewTree(files, nil)
	for link, want := range map[string]string{
		"guide": "guide.md", "guide/": "guide.md", "guide.html": "guide.md", "guide.htm?x": "guide.md",
		"Guide": "guide.md", "d/guide": "d/Guide.md", "d/GUIDE.html": "d/Guide.md", "d/x.y": "d/x.y.md",
		"d/x.y/": "d/x.y.md", "d//guide": "d/Guide.md",
		"guide.css": "", "guide.png/": "", "gui": "", "guide/x": "", "": "", "d/": "", "/": "",
	} {
		if want != "" {
			want = "http://a/" + want
		}
		uri := "http://a/" + link
		if got := sources.Source(uri, uri); got != want {
			t.Errorf("Source(%q): got %q, want %q", link, got, want)
		}
		if v, meant := files.Check(uri); v != site.Missing || meant != "" {
			t.Errorf("Check(%q): got %v, %q, want Missing", link, v, meant)
		}
		if v, path, _ := files.Find(uri); v != site.Missing || path != "" {
			t.Errorf("Find(%q): got %v, %q, want Missing", link, v, path)
		}
	}
	for link, want := range map[string]string{
		"guide.md": "guide.md", "GUIDE.MD": "guide.md", "d/both": "d/both.html", "d/both/": "d/both.html",
		"d/dir": "d/dir/index.html", "d/dir/": "d/dir/index.html", "d/dir.html": "d/dir/index.html",
	} {
		if v, path, _ := files.Find("http://a/" + link); v != site.Found || path != filepath.Join(dir, want) {
			t.Errorf("Find(%q): got %v, %q, want %q", link, v, path, want)
		}
	}
}
