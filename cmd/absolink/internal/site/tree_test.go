package site_test

import (
	"path/filepath"
	"testing"

	"absolink/cmd/absolink/internal/site"
	"absolink/resolve/move"
)

// movedTree is the tree of dir, whose files were at http://old.test/, under some rules and
// patterns.
func movedTree(t *testing.T, dir string, unwayback bool, rules, patterns []string) (*site.Tree, *move.Map) {
	t.Helper()
	m := &move.Map{Unwayback: unwayback}
	for _, rule := range rules {
		if err := site.AddRule(m, rule); err != nil {
			t.Fatal(err)
		}
	}
	for _, pattern := range patterns {
		if err := site.AddPattern(m, pattern); err != nil {
			t.Fatal(err)
		}
	}
	return site.NewTree(site.NewFiles(roots(t, dir, "http://old.test/").All(), nil), m), m
}

// treeFiles are the files of movedTree.
var treeFiles = []string{"index.html", "a.html", "shop/s.html", "d/b.html"}

// TestTree asks for links as rules write them. The file of "" is none.
func TestTree(t *testing.T) {
	dir := tree(t, treeFiles...)
	tests := []struct {
		name            string
		unwayback       bool
		rules, patterns []string
		uri             string
		want            site.Verdict
		meant, file     string
	}{
		{"no rule", false, nil, nil, "http://old.test/a.html", site.Found, "", "a.html"},
		{"no rule", false, nil, nil, "http://old.test/gone", site.Missing, "", ""},
		{"no rule", false, nil, nil, "http://www.old.test/a.html", site.Outside, "", ""},

		{"another name of the host", false, []string{"//www.old.test/=http://old.test/"},
			nil, "https://www.old.test/a.html", site.Found, "", "a.html"},
		{"another name of the host", false, []string{"//www.old.test/=http://old.test/"},
			nil, "https://www.old.test/a", site.Similar, "http://old.test/a.html", "a.html"},
		{"another name of the host", false, []string{"//www.old.test/=http://old.test/"},
			nil, "http://www.old.test/gone", site.Missing, "", ""},
		{"another name of the host", false, []string{"//www.old.test/=http://old.test/"},
			nil, "http://elsewhere.test/a.html", site.Outside, "", ""},

		{"by a pattern", false, nil, []string{`^https?://m\.old\.test/(.*)$=http://old.test/$1`},
			"http://m.old.test/d/b.html", site.Found, "", "d/b.html"},
		{"by a pattern", false, nil, []string{`^https?://m\.old\.test/(.*)$=http://old.test/$1`},
			"http://m.old.test/d/c.html", site.Missing, "", ""},

		{"the whole site", false, []string{"http://old.test/=https://new.test/n/"},
			nil, "http://old.test/a.html", site.Found, "", "a.html"},
		{"the whole site", false, []string{"http://old.test/=https://new.test/n/"},
			nil, "http://old.test/gone", site.Missing, "", ""},
		{"the whole site", false, []string{"http://old.test/=https://new.test/n/"},
			nil, "https://new.test/n/a.html", site.Found, "", "a.html"},
		{"the whole site", false, []string{"http://old.test/=https://new.test/n/"},
			nil, "https://new.test/n/gone", site.Missing, "", ""},
		{"the whole site", false, []string{"http://old.test/=https://new.test/n/"},
			nil, "https://new.test/gone", site.Outside, "", ""},
		{"the whole site by a pattern", false, nil, []string{`^http://old\.test/(.+)$=https://new.test/$1`},
			"http://old.test/gone", site.Missing, "", ""},
		{"the whole site by a pattern", false, nil, []string{`^http://old\.test/(.+)$=https://new.test/$1`},
			"http://old.test/d/b.html", site.Found, "", "d/b.html"},

		{"a part that left", false, []string{"http://old.test/forum/=https://forum.test/"},
			nil, "http://old.test/forum/gone", site.Outside, "", ""},
		{"a part that left", false, []string{"http://old.test/forum/=https://forum.test/"},
			nil, "http://old.test/gone", site.Missing, "", ""},
		{"a part that is here", false, []string{"http://old.test/shop/=https://shop.test/"},
			nil, "http://old.test/shop/s.html", site.Found, "", "shop/s.html"},
		{"a part that is here", false, []string{"http://old.test/shop/=https://shop.test/"},
			nil, "http://old.test/shop/gone", site.Missing, "", ""},
		{"a part that is here", false, []string{"http://old.test/shop=https://shop.test/x"},
			nil, "https://shop.test/x/gone", site.Missing, "", ""},
		{"a part that was moved on the disk", false, []string{"http://old.test/c/=http://old.test/d/"},
			nil, "http://old.test/c/b.html", site.Found, "", "d/b.html"},
		{"a part that was moved on the disk", false, []string{"http://old.test/c/=http://old.test/d/"},
			nil, "http://old.test/c/gone", site.Missing, "", ""},

		{"of an archive", true, nil, nil,
			"http://web.archive.org/web/2016/http://old.test/a.html", site.Found, "", "a.html"},
		{"of an archive", true, nil, nil, "http://web.archive.org/web/2016/http://old.test/gone", site.Missing, "", ""},
		{"of an archive", true, nil, nil,
			"http://web.archive.org/web/2016/http://elsewhere.test/", site.Outside, "", ""},
		{"of an archive", false, nil, nil,
			"http://web.archive.org/web/2016/http://old.test/gone", site.Outside, "", ""},
		{"of an archive, by a rule", true, []string{"//www.old.test/=http://old.test/"}, nil,
			"http://web.archive.org/web/2016/http://www.old.test/gone", site.Missing, "", ""},
		{"of an archive, by a rule", true, []string{"//www.old.test/=http://old.test/"}, nil,
			"http://web.archive.org/web/2016/http://www.old.test/A.html",
			site.Similar, "http://old.test/a.html", "a.html"},
	}
	for _, tt := range tests {
		tree, maps := movedTree(t, dir, tt.unwayback, tt.rules, tt.patterns)
		to := maps.URI(tt.uri)
		if got, meant := tree.Check(tt.uri, to); got != tt.want || meant != tt.meant {
			t.Errorf("%s: Check(%q, %q): got %v, %q, want %v, %q", tt.name, tt.uri, to, got, meant, tt.want, tt.meant)
		}
		want := tt.file
		if want != "" {
			want = filepath.Join(dir, want)
		}
		if got := tree.File(tt.uri, to); got != want {
			t.Errorf("%s: File(%q, %q): got %q, want %q", tt.name, tt.uri, to, got, want)
		}
		if v, meant, path := tree.Locate(tt.uri, to); v != tt.want || meant != tt.meant || path != want {
			t.Errorf("%s: Locate(%q, %q): got %v, %q, %q, want %v, %q, %q",
				tt.name, tt.uri, to, v, meant, path, tt.want, tt.meant, want)
		}
		v, meant := tree.CheckDirectory(tt.uri, to)
		if gotV, gotMeant, path := tree.LocateDirectory(tt.uri, to); gotV != v || gotMeant != meant || path != want {
			t.Errorf("%s: LocateDirectory(%q, %q): got %v, %q, %q, want %v, %q, %q",
				tt.name, tt.uri, to, gotV, gotMeant, path, v, meant, want)
		}
		if original := maps.Original(tt.uri); original != "" {
			tt.uri = original // a site asks for both
		}
		if _, got, _ := tree.Find(tt.uri); got != want {
			t.Errorf("%s: Find(%q): got %q, want %q", tt.name, tt.uri, got, want)
		}
	}
}

// A page may have been saved by the URI that an archive gave it.
func TestTreeOfArchive(t *testing.T) {
	dir := tree(t, "web/2016/http:/elsewhere.test/x.html")
	tree, maps := movedTree(t, dir, true, nil, nil)
	const uri = "http://old.test/web/2016/http://elsewhere.test/x.html"
	if got, meant := tree.Check(uri, maps.URI(uri)); got != site.Similar ||
		meant != "http://old.test/web/2016/http:/elsewhere.test/x.html" {
		t.Errorf("Check(%q): got %v, %q", uri, got, meant)
	}
	if v, path, _ := tree.Find(uri); path == "" {
		t.Errorf("Find(%q): got %v and no file", uri, v)
	}
	const gone = "http://old.test/web/2016/http://elsewhere.test/gone"
	if v, path, _ := tree.Find(gone); v != site.Outside || path != "" {
		t.Errorf("Find(%q): got %v, %q, want that it is outside", gone, v, path)
	}
	if tree.Below(uri) || !tree.Below("http://old.test/x") || tree.Below("http://elsewhere.test/") {
		t.Error("Below: a URI of an archive stands for another one")
	}
}

// What has no place in the output is missing.
func TestTreePlaced(t *testing.T) {
	dir := tree(t, treeFiles...)
	tree, _ := movedTree(t, dir, false, nil, nil)
	tree.InOutput = func(path string) bool { return filepath.Base(path) != "a.html" && filepath.Base(path) != "d" }
	for uri, want := range map[string]site.Verdict{"http://old.test/a.html": site.Missing,
		"http://old.test/d/b.html": site.Found, "http://old.test/a": site.Missing} {
		if got, _ := tree.Check(uri, uri); got != want {
			t.Errorf("Check(%q): got %v, want %v", uri, got, want)
		}
	}
	if got, _ := tree.CheckDirectory("http://old.test/d", "http://old.test/d"); got != site.Missing {
		t.Errorf("CheckDirectory of one without a place: got %v", got)
	}
}

func TestDirectories(t *testing.T) {
	dir := tree(t, "java/A.class", "Deep/er/x", "file", "empty/")
	tests := []struct {
		uri   string
		want  site.Verdict
		meant string
		path  string
	}{
		{"http://old.test/java", site.Found, "", "java"},
		{"http://old.test/java/", site.Found, "", "java"},
		{"http://old.test/java?x#y", site.Found, "", "java"},
		{"http://old.test/", site.Found, "", "."},
		{"http://old.test", site.Found, "", "."},
		{"http://old.test/empty", site.Found, "", "empty"},
		{"http://old.test/Java/", site.Similar, "http://old.test/java/", "java"},
		{"http://old.test/deep/ER", site.Similar, "http://old.test/Deep/er", "Deep/er"},
		{"http://old.test/Deep//er/", site.Similar, "http://old.test/Deep/er/", "Deep/er"},
		{"http://old.test/file", site.Found, "", ""},
		{"http://old.test/file/", site.Similar, "http://old.test/file", ""},
		{"http://old.test/gone", site.Missing, "", ""},
		{"http://old.test/java/gone/", site.Missing, "", ""},
		{"http://elsewhere.test/java", site.Outside, "", ""},
		{"http://www.old.test/java", site.Found, "", "java"},
		{"http://www.old.test/gone", site.Missing, "", ""},
	}
	tree, maps := movedTree(t, dir, false, []string{"//www.old.test/=http://old.test/"}, nil)
	for _, tt := range tests {
		if got, meant := tree.CheckDirectory(tt.uri, maps.URI(tt.uri)); got != tt.want || meant != tt.meant {
			t.Errorf("CheckDirectory(%q): got %v, %q, want %v, %q", tt.uri, got, meant, tt.want, tt.meant)
		}
		want := ""
		if tt.path != "" {
			want = filepath.Join(dir, tt.path)
		}
		if got := tree.FindDirectory(tt.uri); got != want {
			t.Errorf("FindDirectory(%q): got %q, want %q", tt.uri, got, want)
		}
	}
}
