package move_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"absolink/resolve"
	"absolink/resolve/move"
)

// mapped returns a map with rules, each OLD and NEW with a blank between them.
func mapped(t testing.TB, rules ...string) *move.Map {
	t.Helper()
	m := new(move.Map)
	for _, r := range rules {
		before, after, _ := strings.Cut(r, " ")
		if err := m.Add(before, after); err != nil {
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
		{"a host", []string{"http://a/ http://b/"}, "http://a/x?q#f", "http://b/x?q#f"},
		{"a host without slash", []string{"http://a http://b"}, "http://a/x", "http://b/x"},
		{"a host to a path", []string{"http://a http://b/sub"}, "http://a/x", "http://b/sub/x"},
		{"a host with slash to a path without", []string{"http://a/ http://b/sub"}, "http://a/x", "http://b/sub/x"},
		{"a host to a path with slash", []string{"http://a http://b/sub/"}, "http://a/x", "http://b/sub/x"},
		{"another host with the same beginning", []string{"http://a http://b"}, "http://ab/x", "http://ab/x"},
		{"another port", []string{"http://a http://b"}, "http://a:8080/x", "http://a:8080/x"},
		{"the default port", []string{"http://A:80 http://b"}, "http://a/x", "http://b/x"},
		{"another scheme", []string{"http://a http://b"}, "https://a/x", "https://a/x"},
		{"boundary: segment", []string{"http://a/x http://b/y"}, "http://a/x/z", "http://b/y/z"},
		{"boundary: query", []string{"http://a/x http://b/y"}, "http://a/x?z", "http://b/y?z"},
		{"boundary: fragment", []string{"http://a/x http://b/y"}, "http://a/x#z", "http://b/y#z"},
		{"boundary: end", []string{"http://a/x http://b/y"}, "http://a/x", "http://b/y"},
		{"no boundary", []string{"http://a/x http://b/y"}, "http://a/xz", "http://a/xz"},
		{"no boundary, dot", []string{"http://a/x http://b/y"}, "http://a/x.html", "http://a/x.html"},
		{"a directory is not its file", []string{"http://a/x/ http://b/y/"}, "http://a/x", "http://a/x"},
		{"a slash too many", []string{"http://a/x http://b/y/"}, "http://a/x/z", "http://b/y/z"},
		{"a slash too few", []string{"http://a/x/ http://b/y"}, "http://a/x/z", "http://b/y/z"},
		{"a slash too few, query", []string{"http://a/x/ http://b/y"}, "http://a/x/?z", "http://b/y?z"},
		{"into a query", []string{"http://a/x/ http://b/show?p="}, "http://a/x/z", "http://b/show?p=z"},
		{"a path on the same host", []string{"http://a/old/ /new/"}, "http://a/old/x", "http://a/new/x"},
		{"another host by network path", []string{"https://a/old/ //b/"}, "https://a/old/x", "https://b/x"},
		{"the longest", []string{"http://a/ http://b/", "http://a/x/y/ http://d/", "http://a/x/ http://c/"},
			"http://a/x/y/z", "http://d/z"},
		{"the longest at a boundary", []string{"http://a/ http://b/", "http://a/x http://c/"},
			"http://a/xy", "http://b/xy"},
		{"once: a chain", []string{"http://a/ http://b/", "http://b/ http://c/"}, "http://a/x", "http://b/x"},
		{"once: a swap", []string{"http://a/ http://b/", "http://b/ http://a/"}, "http://b/x", "http://a/x"},
		{"once: below itself", []string{"http://a/ http://a/old/"}, "http://a/x", "http://a/old/x"},
		{"one page", []string{"http://a/p.html http://a/q.html"}, "http://a/p.html#s", "http://a/q.html#s"},
		{"a fragment", []string{"http://a/p#s http://b/s"}, "http://a/p#s", "http://b/s"},
		{"a fragment to escape", []string{"http://a/p#é http://b/s"}, "http://a/p#%C3%A9", "http://b/s"},
		{"an empty fragment", []string{"http://a/p# http://b/s"}, "http://a/p#", "http://b/s"},
		{"a query", []string{"http://a/p?id=1 http://b/one"}, "http://a/p?id=1#s", "http://b/one#s"},
		{"not within a query", []string{"http://a/p?id=1 http://b/one"}, "http://a/p?id=12", "http://a/p?id=12"},
		{"from a disk", []string{"file:///srv/www/ http://a/"}, "file:///srv/www/x", "http://a/x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := mapped(t, tt.rules...).URI(tt.uri); got != tt.want {
				t.Errorf("URI(%q) by %q: got %q, want %q", tt.uri, tt.rules, got, tt.want)
			}
		})
	}
}

// If NEW has a query or a fragment, the rest of a URI follows as it is. The slash that ended OLD is
// replaced with OLD, also after a bare host, and no slash is doubled.
func TestQueryOrFragmentInNew(t *testing.T) {
	news := []string{"https://new.test/#/", "https://new.test/#", "https://new.test/?p=", "https://new.test/?p=/",
		"https://new.test/?u=http://old.test/", "https://new.test/x?y#z", "https://new.test/x?/", "//new.test/#!/"}
	olds := []string{"http://old.test", "http://old.test:80", "http://old.test/d", "http://old.test/d/e", "//old.test",
		"//old.test/d"}
	for _, NEW := range news {
		for _, OLD := range olds {
			scheme := "http:"
			if OLD[0] == 'h' {
				scheme = ""
			}
			to := NEW
			if to[0] == '/' {
				to = "http:" + to
			}
			start := strings.Replace(scheme+OLD, ":80", "", 1) + "/"
			for _, rest := range []string{"", "x", "x/y/", "x?q=/", "?q", "#f", "/x"} {
				without := to + "/" + rest // OLD has no slash
				if strings.HasSuffix(to, "/") {
					without = to + rest
				}
				if got := mapped(t, OLD+" "+NEW).URI(start + rest); got != without {
					t.Errorf("URI(%q) by %s %s: got %q, want %q", start+rest, OLD, NEW, got, without)
				}
				uri := start + rest
				moved, n, err := mapped(t, OLD+"/ "+NEW).MoveStart(uri, written)
				if moved != to+rest || err != nil {
					t.Errorf("MoveStart(%q) by %s/ %s: got %q, %v, want %q", uri, OLD, NEW, moved, err, to+rest)
				}
				if !strings.HasSuffix(moved, uri[n:]) {
					t.Errorf("MoveStart(%q) by %s/ %s: got %q, %d, want the same rest", uri, OLD, NEW, moved, n)
				}
			}
		}
	}
}

func TestEmpty(t *testing.T) {
	var prefix, pattern move.Map
	if err := prefix.Add("http://a/", "http://b/"); err != nil {
		t.Fatal(err)
	}
	if err := pattern.AddPattern("^http://a/", "http://b/"); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		m    *move.Map
		want bool
	}{
		{"zero", &move.Map{}, true},
		{"a prefix", &prefix, false},
		{"a pattern", &pattern, false},
		{"web archives", &move.Map{Unwayback: true}, false},
	} {
		if got := tt.m.Empty(); got != tt.want {
			t.Errorf("%s: Empty() = %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestAddFails(t *testing.T) {
	for _, tt := range []struct{ before, after, want string }{
		{"a/", "http://b/", "OLD is not an absolute URI: "},
		{"http://a/", "http://[", "NEW is not a URI: "},
	} {
		if err := new(move.Map).Add(tt.before, tt.after); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("Add(%q, %q): got error %v, want one that begins with %q", tt.before, tt.after, err, tt.want)
		}
	}
}

func TestClashes(t *testing.T) {
	tests := []struct {
		name  string
		rules []string
		want  []move.Clash
	}{
		{"none", []string{"http://a/ http://b/", "http://c/ http://d/"}, nil},
		{"the same rule again", []string{"http://a http://b/", "http://a/ http://b/"}, nil},
		{"below another OLD", []string{"http://a/ http://b/", "http://a/x/ http://c/"}, nil},
		{"another NEW", []string{"http://a/ http://b/", "http://a http://c/", "http://a/ http://d/x"},
			[]move.Clash{{move.Repeated, "http://a", "http://b/", "http://c/"},
				{move.Repeated, "http://a", "http://b/", "http://d/x"}}},
		{"a chain", []string{"http://b/x/ http://c/", "http://e/ http://b/x/"},
			[]move.Clash{{move.Chained, "http://e", "http://b/x/", "http://c/"}}},
		{"a loop", []string{"http://a/ http://b/y", "http://b/ http://a/"},
			[]move.Clash{{move.Chained, "http://a", "http://b/y", "http://a/y"},
				{move.Chained, "http://b", "http://a/", "http://b/y/"}}},
		{"below itself", []string{"http://d/ http://d/e/"},
			[]move.Clash{{move.Nested, "http://d", "http://d/e/", "http://d/e/e/"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := mapped(t, tt.rules...).Clashes(); !slices.Equal(got, tt.want) {
				t.Errorf("Clashes of %q: got %+v, want %+v", tt.rules, got, tt.want)
			}
		})
	}
}

// A rule is used only if Move applied it.
func TestUnused(t *testing.T) {
	m := mapped(t, "http://a/ http://b/", "http://c/x http://d/", "http://e http://f/")
	m.URI("http://a/1")
	if got, _ := m.Unused(); len(got) != 3 {
		t.Errorf("Unused before Move: got %q, want all", got)
	}
	m.Move("http://e/1", time.Time{})
	if got, _ := m.Unused(); !slices.Equal(got, []string{"http://a", "http://c/x"}) {
		t.Errorf("Unused: got %q", got)
	}
	m = mapped(t, "//a/ http://b/", "http://c/ http://d/", "//c/ http://d/", "//e/ http://f/")
	m.Move("https://e/1", time.Time{})
	if got, _ := m.Unused(); !slices.Equal(got, []string{"//a/", "http://c", "//c/"}) {
		t.Errorf("Unused of rules with both schemes: got %q, want each once", got)
	}
}

// A URI without a matching prefix is unchanged. A URI with one begins with the new prefix.
func FuzzMap(f *testing.F) {
	f.Add("http://a/x", "http://b/y/", "http://a/x/z?q#f")
	f.Add("http://a/?x=", "/", "http://a/?x=/")
	f.Fuzz(func(t *testing.T, from, to, ref string) {
		m := new(move.Map)
		if m.Add(from, to) != nil {
			return
		}
		b, _ := resolve.NewBase("", resolve.Options{})
		uri, err := b.Resolve(ref)
		if err != nil {
			return
		}
		got := m.URI(uri)
		if got != uri && !strings.HasPrefix(got, strings.TrimSuffix(m.NewPrefixes()[0], "/")) {
			t.Errorf("URI(%q) by %q to %q: got %q, which does not begin with %q",
				uri, from, to, got, m.NewPrefixes()[0])
		}
	})
}

// page returns a page of a site that does not move.
func page(t testing.TB, form move.Form, uri string) *move.Page {
	t.Helper()
	p, err := (&move.Site{Form: form}).Page(uri)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestReference(t *testing.T) {
	tests := []struct {
		name, base, uri string
		root, relative  string
	}{
		{"a sibling", "http://a/d/p", "http://a/d/q", "/d/q", "q"},
		{"an uncle", "http://a/d/e/p", "http://a/q?x#y", "/q?x#y", "../../q?x#y"},
		{"the top", "http://a/d/p", "http://a/", "/", "../"},
		{"a query and a fragment of the top", "http://a/d/p", "http://a/?x/..#y", "/?x/..#y", "../?x/..#y"},
		{"a name of dots", "http://a/d/p", "http://a/d/x..", "/d/x..", "x.."},
		{"a fragment of itself", "http://a/d/p", "http://a/d/p#s", "/d/p#s", "#s"},
		{"itself", "http://a/d/p", "http://a/d/p", "/d/p", "p"},
		{"its directory", "http://a/d/", "http://a/d/", "/d/", "./"},
		{"another host", "http://a/d/p", "http://b/d/p", "http://b/d/p", "http://b/d/p"},
		{"another scheme", "http://a/d/p", "https://a/d/p", "https://a/d/p", "https://a/d/p"},
		{"two slashes", "http://a/d/p", "http://a//q", "/.//q", "..//q"},
		{"a colon", "http://a/d/p", "http://a/d/x:y", "/d/x:y", "./x:y"},
		{"no path", "http://a/d/p", "mailto:me@a", "mailto:me@a", "mailto:me@a"},
		{"a disk", "file:///srv/d/p", "file:///srv/q", "/srv/q", "../q"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for form, want := range map[move.Form]string{move.Absolute: tt.uri,
				move.RootRelative: tt.root, move.Relative: tt.relative} {
				if got := page(t, form, tt.base).Reference(tt.uri); got != want {
					t.Errorf("%v: Reference(%q) from %q: got %q, want %q", form, tt.uri, tt.base, got, want)
				}
			}
		})
	}
}

func TestFits(t *testing.T) {
	for ref, want := range map[string][2]bool{ // root-relative, relative
		"x": {false, true}, "../x": {false, true}, "?x": {false, true}, "#x": {false, true}, "./x:y": {false, true},
		"..": {false, false}, ".#x": {false, false}, "x/..?y/.": {false,
			false}, "../": {false, true}, "x..": {false, true}, "x?..": {false, true},
		"/x": {true, false}, `\x`: {true, false}, "//h/x": {false, false}, `\\h\x`: {false,
			false}, `/\h`: {false, false}, "http://h/x": {false, false}, "http:x": {false, false},
	} {
		if got := [2]bool{page(t, move.RootRelative, "http://a/").Fits(ref),
			page(t, move.Relative, "http://a/").Fits(ref)}; got != want {
			t.Errorf("Fits(%q): got %v, want %v", ref, got, want)
		}
	}
}

// The references of a page are relative to its place after the move.
func TestPage(t *testing.T) {
	var s move.Site
	s.Form = move.Relative
	if err := s.Map.Add("http://old.test/", "http://new.test/shop/"); err != nil {
		t.Fatal(err)
	}
	s.Include("http://new.test/shop/")
	if got, want := s.Place("HTTP://old.test:80/a/../d/p"), "http://new.test/shop/d/p"; got != want {
		t.Errorf("Place: got %q, want %q", got, want)
	}
	p, err := s.Page("http://old.test/d/p")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		ref, uri string
		inside   bool
	}{
		{"q", "http://new.test/shop/d/q", true},
		{" ../q ", "http://new.test/shop/q", true},
		{"../../shop/q", "http://new.test/shop/q", false},
		{"/shop/q", "http://new.test/shop/q", false},
		{"http://[", "", false},
	} {
		if got := p.URI(tt.ref); got != tt.uri {
			t.Errorf("URI(%q): got %q, want %q", tt.ref, got, tt.uri)
		}
		if got := p.Inside(tt.ref, tt.uri); got != tt.inside {
			t.Errorf("Inside(%q, %q): got %v, want %v", tt.ref, tt.uri, got, tt.inside)
		}
	}
	if _, err := s.Page("relative"); err == nil {
		t.Error("Page of a relative reference: got no error")
	}
}

// written is the time at which the document with the links was written.
var written = time.Date(2001, 2, 3, 4, 5, 6, 0, time.FixedZone("", 3600))

// The results of rules with patterns, names and archives.
func TestMove(t *testing.T) {
	tests := []struct {
		name      string
		rules     []string // OLD NEW
		patterns  []string // RE REPLACEMENT
		unwayback bool
		uri, want string // want "" is an error
	}{
		{"a date in NEW", []string{"http://a/ http://b/{date}/"},
			nil, false, "http://a/x?y", "http://b/2001-02-03/x?y"},
		{"a second in NEW", []string{"http://a/ http://b/{date14}id_/http://a/"},
			nil, false, "http://a/x", "http://b/20010203030506id_/http://a/x"},
		{"both http and https", []string{"//a/x //b/"}, nil, false, "https://a/x/y", "https://b/y"},
		{"both to one", []string{"//a/x https://b/"}, nil, false, "http://a/x/y", "https://b/y"},
		{"name behind name", []string{"http://a/ http://b/{date}{date14}"},
			nil, false, "http://a/", "http://b/2001-02-0320010203030506/"},
		{"a group", nil, []string{`^http://a/(\d+)\.php$ http://b/$1.html`},
			false, "http://a/12.php", "http://b/12.html"},
		{"only the match", nil, []string{`a.test b.test`}, false, "http://a.test/a.test", "http://b.test/a.test"},
		{"a prefix first", []string{"http://a/ http://b/"},
			[]string{`^http://a/ http://c/`}, false, "http://a/x", "http://b/x"},
		{"the first pattern", nil, []string{`^http://b/ http://c/`, `^http://a/ http://d/`, `http://a/x http://e/`},
			false, "http://a/x", "http://d/x"},
		{"the URI in a path", nil, []string{`^.*$ https://w.test/{date14}/{uri}`},
			false, "http://a/x?y=1#z", "https://w.test/20010203030506/http://a/x?y=1#z"},
		{"the URI in a query", nil, []string{`^.*$ https://w.test/?h={host}&u={uri}`}, false,
			"http://me@a:80/x?y=1#z", "https://w.test/?h=a&u=http%3A%2F%2Fme%40a%3A80%2Fx%3Fy%3D1%23z"},
		{"a group in braces", nil, []string{`^http://(a)/ http://${1}.test/`}, false, "http://a/x", "http://a.test/x"},
		{"no URI", nil, []string{`^http:// http://[`}, false, "http://a/x", ""},
		{"no scheme", nil, []string{`^http:// x`}, false, "http://a/x", ""},
		{"an archive", nil, nil, true, "https://web.archive.org/web/20160102030405/http://a/x?y#z", "http://a/x?y#z"},
		{"the path of an archive", nil, nil, true,
			"http://old.test/web/20160102030405im_/https://a/x.png", "https://a/x.png"},
		{"an archive in an archive", nil, nil, true,
			"http://web.archive.org/web/2016/http://web.archive.org/web/2015if_/http://a/x", "http://a/x"},
		{"one slash", nil, nil, true, "http://web.archive.org/web/20160102030405js_/http:/a/x.js", "http://a/x.js"},
		{"a port", nil, nil, true, "http://web.archive.org/web/20160102030405cs_/http://a:80/x.css", "http://a/x.css"},
		{"no scheme in an archive", nil, nil, true,
			"http://web.archive.org/web/20160102030405fr_/www.a.test/x", "http://www.a.test/x"},
		{"another archive", nil, nil, true, "https://arquivo.pt/wayback/20160102030405id_/http://a/x", "http://a/x"},
		{"escaped", nil, nil, true, "https://web.archive.org/web/2016/http%3A%2F%2Fa/x", "http://a/x"},
		{"an archive, mapped", []string{"http://a/ http://b/"}, nil, true,
			"https://web.archive.org/web/2016/http://a/x", "http://b/x"},
		{"a path with a year", nil, nil, true, "http://a/web/2016/report.pdf", "http://a/web/2016/report.pdf"},
		{"a query with an archive", nil, nil, true, "http://a/?u=/web/20160102030405/http://b/",
			"http://a/?u=/web/20160102030405/http://b/"},
		{"an archive that stays", nil, nil, false, "https://web.archive.org/web/2016/http://a/x",
			"https://web.archive.org/web/2016/http://a/x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := mapped(t, tt.rules...)
			m.Unwayback = tt.unwayback
			for _, p := range tt.patterns {
				expr, to, _ := strings.Cut(p, " ")
				if err := m.AddPattern(expr, to); err != nil {
					t.Fatal(err)
				}
			}
			got, err := m.Move(tt.uri, written)
			if err != nil && (tt.want != "" || got != tt.uri) || err == nil && got != tt.want {
				t.Errorf("Move(%q): got %q, %v, want %q", tt.uri, got, err, tt.want)
			}
		})
	}
}

// TestUnwayback has each way in which archives write the address of a capture.
func TestUnwayback(t *testing.T) {
	tests := []struct{ uri, want string }{
		// No time, or a star for all captures.
		{"https://web.archive.org/web/http://a.test/x", "http://a.test/x"},
		{"https://web.archive.org/web/*/http://a.test/x", "http://a.test/x"},
		{"https://web.archive.org/web/*/a.test/x", "http://a.test/x"},
		{"https://web.archive.org/web/2016*/http://a.test/x", "http://a.test/x"},
		{"https://web.archive.org/web/id_/http://a.test/x", "http://a.test/x"},
		{"https://web.archive.org/web/*im_/http://a.test/x", "http://a.test/x"},
		{"https://web.archive.org/http://a.test/x", "http://a.test/x"},
		{"http://web.archive.org:80/web/2016/http://a.test/x", "http://a.test/x"},
		{"http://WEB.Archive.org/web/2016id_/HTTP://a.test/x", "http://a.test/x"},
		{"http://old.test/web/http://a.test/x", "http://a.test/x"},
		{"http://old.test/web/*/https://a.test/x?y#z", "https://a.test/x?y#z"},
		{"http://old.test/*/http:/a.test/x", "http://a.test/x"},
		{"https://web.archive.org/web/*/http:/a.test/x", "http://a.test/x"},
		{"https://web.archive.org/web/http%3A%2F%2Fa.test/x", "http://a.test/x"},
		{"https://web.archive.org/web/2id_/http://a.test/x", "http://a.test/x"},

		// Other archives.
		{"https://wayback.archive-it.org/1234/20160102030405/http://a.test/x", "http://a.test/x"},
		{"https://wayback.archive-it.org/1234/3/http://a.test/x", "http://a.test/x"},
		{"https://wayback.archive-it.org/org-652/http://a.test/x", "http://a.test/x"},
		{"https://wayback.archive-it.org/all/*/http://a.test/x", "http://a.test/x"},
		{"https://arquivo.pt/noFrame/replay/20160102030405mp_/http://a.test/x", "http://a.test/x"},
		{"https://arquivo.pt/wayback/http://a.test/x", "http://a.test/x"},
		{"https://webarchive.nationalarchives.gov.uk/ukgwa/20160102/http://a.test/x", "http://a.test/x"},
		{"http://webarchive.nationalarchives.gov.uk/+/http://a.test/x",
			"http://webarchive.nationalarchives.gov.uk/+/http://a.test/x"},
		{"https://archive.ph/http://a.test/x", "http://a.test/x"},
		{"https://archive.today/newest/http://a.test/x", "http://a.test/x"},
		{"https://archive.is/2016.01.02-030405/http://a.test/x", "http://a.test/x"},
		{"https://archive.li/o/AbC12/http://a.test/x", "http://a.test/x"},
		{"http://localhost:8080/coll/mp_/http://a.test/x", "http://a.test/x"},
		{"https://web.archive.org/web/20160102030405im_///cdn.a.test/x", "https://cdn.a.test/x"},
		{"http://old.test/web/2016///cdn.a.test", "http://cdn.a.test/"},

		// Text between prefixes belongs to the captured URI.
		{"http://web.archive.org/web/2020im_/https://cdn.test/w_600/http://web.archive.org/web/2021/https://a.test/" +
			"x.jpg", "https://cdn.test/w_600/https://a.test/x.jpg"},
		{"https://cdn.test/w_600/http://web.archive.org/web/2021/https://a.test/x.jpg",
			"https://cdn.test/w_600/https://a.test/x.jpg"},
		{"https://cdn.test/w_600/https://web.archive.org/web/*/http:/a.test/x.jpg",
			"https://cdn.test/w_600/http://a.test/x.jpg"},
		{"http://web.archive.org/web/2020/http://c.test/a/http://web.archive.org/web/2021/http://d.test/b/http://" +
			"web.archive.org/web/http://a.test/x", "http://c.test/a/http://d.test/b/http://a.test/x"},
		{"http://web.archive.org/web/2020/http://web.archive.org/web/2021/http://c.test/a/http://a.test/x",
			"http://c.test/a/http://a.test/x"},
		{"http://web.archive.org/web/2020/http://c.test/20160102030405/x", "http://c.test/20160102030405/x"},
		{"http://web.archive.org/web/2020/http://c.test/a?u=http://web.archive.org/web/2021/http://a.test/",
			"http://c.test/a?u=http://web.archive.org/web/2021/http://a.test/"},

		// No captures.
		{"https://web.archive.org/web/*/http://a.test/*", "https://web.archive.org/web/*/http://a.test/*"},
		{"https://web.archive.org/web/2016*/a.test*", "https://web.archive.org/web/2016*/a.test*"},
		{"https://web.archive.org/web/2016/http://a.test/x*", "http://a.test/x*"},
		{"https://web.archive.org/web/web.php", "https://web.archive.org/web/web.php"},
		{"https://web.archive.org/web/timemap/link/http://a.test/",
			"https://web.archive.org/web/timemap/link/http://a.test/"},
		{"https://web.archive.org/save/http://a.test/", "https://web.archive.org/save/http://a.test/"},
		{"https://archive.org/details/x", "https://archive.org/details/x"},
		{"https://web.archive.org/cdx/search?url=http://a.test/",
			"https://web.archive.org/cdx/search?url=http://a.test/"},
		{"http://b.test/go/http://a.test/", "http://b.test/go/http://a.test/"},
		{"http://b.test/website/http://a.test/", "http://b.test/website/http://a.test/"},
		{"http://b.test/docs/web/http://a.test/", "http://b.test/docs/web/http://a.test/"},
		{"http://b.test/abc_/http://a.test/", "http://b.test/abc_/http://a.test/"},
		{"http://notarchive.org/http://a.test/", "http://notarchive.org/http://a.test/"},
		{"http://b.test/web/2016///x", "http://b.test/web/2016///x"},
		{"http://b.test/web//a.test/x", "http://b.test/web//a.test/x"},
		{"https://web.archive.org/web/2016/mailto:me@a.test", "https://web.archive.org/web/2016/mailto:me@a.test"},
	}
	m := &move.Map{Unwayback: true}
	for _, tt := range tests {
		if got := m.URI(tt.uri); got != tt.want {
			t.Errorf("URI(%q): got %q, want %q", tt.uri, got, tt.want)
		}
		if got := m.URI(tt.want); got != tt.want {
			t.Errorf("URI(%q) again: got %q", tt.want, got)
		}
	}
}

// For any archive, time and treatment of the capture the captured URI is returned. This also works
// through two archives and after the URI of a server that changes pictures.
func TestUnwaybackForms(t *testing.T) {
	hosts := []string{"http://web.archive.org", "https://web.archive.org",
		"https://wayback.archive.org", "http://old.test", "http://old.test:8080"}
	times := []string{"2", "2016", "20160102", "20160102030405", "*", "2016*", ""}
	modes := []string{"", "id_", "im_", "js_", "cs_", "if_", "fr_", "mp_"}
	captures := []string{"http://a.test/", "https://a.test/x/y.png?q=1&r=/#s", "http://a.test/w_1,h_2/https://b.test/x"}
	m := &move.Map{Unwayback: true}
	n := 0
	for _, host := range hosts {
		for _, time := range times {
			for _, mode := range modes {
				prefix := host + "/web/" + time + mode + "/"
				if time+mode == "" {
					prefix = host + "/web/"
				}
				for _, capture := range captures {
					for uri, want := range map[string]string{
						prefix + capture: capture,
						prefix + strings.Replace(capture, "://", ":/", 1):    capture,
						prefix + prefix + capture:                            capture,
						prefix + "http://cdn.test/w_600/" + prefix + capture: "http://cdn.test/w_600/" + capture,
					} {
						n++
						if got := m.URI(uri); got != want {
							t.Errorf("URI(%q): got %q, want %q", uri, got, want)
						}
					}
				}
			}
		}
	}
	if n < 3000 {
		t.Errorf("%d URIs, want more", n)
	}
}

// Without a date a rule that needs one maps nothing.
func TestMoveUndated(t *testing.T) {
	m := mapped(t, "http://a/ http://b/{date}/")
	if got, err := m.Move("http://a/x", time.Time{}); err == nil || got != "http://a/x" {
		t.Errorf("Move without a date: got %q, %v, want the URI and an error", got, err)
	}
	if got := m.URI("http://a/x"); got != "http://a/x" {
		t.Errorf("URI: got %q, want it as it was", got)
	}
	if got := m.NewPrefixes(); got != nil {
		t.Errorf("News: got %q, want none", got)
	}
}

func TestPatternFails(t *testing.T) {
	for _, tt := range []struct{ expr, to, want string }{
		{"(", "http://b/", "error parsing regexp"},
		{"", "http://b/", "an empty expression"},
		{"a", "http://b/{day}", "{day} is not known: use {date}, {date14}, {host}, {uri}"},
		{"a", "http://b/{date",
			"a brace stands alone: use {date}, {date14}, {host}, {uri}; type %7B and %7D for braces"},
		{"(a)", "http://b/${1", "a brace stands alone"},
		{"a", "http://b/{date}}", "a brace stands alone"},
		{"(a)", "http://b/$2", "$2: the expression has no such group; its last is $1"},
		{"(a)", "http://b/$1c", "$1c: the expression has no such group; write ${1} before a letter"},
		{"(?P<x>a)", "http://b/$$1/${x}/$x/$1/${0}/${date}", "${date}: the expression has no such group"},
	} {
		if err := new(move.Map).AddPattern(tt.expr, tt.to); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("AddPattern(%q, %q): got error %v, want one that begins with %q", tt.expr, tt.to, err, tt.want)
		}
	}
	for NEW, want := range map[string]string{
		"http://b/{uri}":    "NEW is not a URI: {uri} is for replacements of patterns only: use {date}, {date14}",
		"http://b/{}":       "NEW is not a URI: {} is not known",
		"http://b/{date":    "NEW is not a URI: a brace stands alone: use {date}, {date14}; type %7B",
		"http://b/${date}/": `NEW is not a URI: "${date}/" is for replacements of patterns only: use {date}, {date14}`} {
		if err := new(move.Map).Add("http://a/", NEW); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("Add of %q: got error %v, want one that begins with %q", NEW, err, want)
		}
	}
	if err := new(move.Map).Add("http://a/*", "http://b/"); err == nil {
		t.Error("Add of a *: got no error")
	}
}

// A rule that another rule precedes is distinguished from a rule that nothing matches.
func TestHidden(t *testing.T) {
	m := mapped(t, "http://a/x/y http://h/", "http://a/x http://b/",
		"http://a/x/ http://i/", "http://a http://c/", "//d/ http://e/")
	for _, expr := range []string{`^http://a/x`, `^http://f`, `nothing`} {
		if err := m.AddPattern(expr, "http://g"); err != nil {
			t.Fatal(err)
		}
	}
	for _, uri := range []string{"http://a/x/y/1", "http://f/1"} {
		m.Move(uri, time.Time{})
	}
	unused, hidden := m.Unused()
	if want := []string{"//d/", "nothing"}; !slices.Equal(unused, want) {
		t.Errorf("Unused: got %q, want %q", unused, want)
	}
	want := []move.Clash{
		{Kind: move.Hidden, Old: "http://a/x", Other: "http://a/x/y"},
		{Kind: move.Hidden, Old: "http://a/x/", Other: "http://a/x/y"},
		{Kind: move.Hidden, Old: "http://a", Other: "http://a/x/y"},
		{Kind: move.Hidden, Old: "^http://a/x", Other: "http://a/x/y"},
	}
	if !slices.Equal(hidden, want) {
		t.Errorf("hidden: got %+v, want %+v", hidden, want)
	}
}

// The first rule that takes precedence over another one is named, whatever comes later.
func TestFirstHidden(t *testing.T) {
	m := mapped(t, "http://a/x/ http://i/", "http://a/x/y http://h/", "http://a/x/z http://j/")
	if err := m.AddPattern("^http://a/x", "http://g"); err != nil {
		t.Fatal(err)
	}
	for _, uri := range []string{"http://a/x/z/1", "http://a/x/y/1", "http://a/x/z/2"} {
		m.Move(uri, time.Time{})
	}
	unused, hidden := m.Unused()
	want := []move.Clash{{Kind: move.Hidden, Old: "http://a/x/", Other: "http://a/x/z"},
		{Kind: move.Hidden, Old: "^http://a/x", Other: "http://a/x/z"}}
	if len(unused) > 0 || !slices.Equal(hidden, want) {
		t.Errorf("hidden: got %+v and %q, want %+v", hidden, unused, want)
	}
}

// A document without a base may refer to an archive by a path.
func TestOriginal(t *testing.T) {
	m := &move.Map{Unwayback: true}
	for ref, want := range map[string]string{
		" /web/20160102030405im_/http://a/x.png": "http://a/x.png", "//web.archive.org/web/2016/http://a/": "http://a/",
		"/web/http://a/": "http://a/", "/web/*/http://a/": "http://a/",
		"//web.archive.org/http://a/": "http://a/", "/web/2016///www.a.test/": "http://www.a.test/",
		"x.html": "", "/web/x.html": "", "http://[": "", "/x/http://a/": "", "/http://a/": "",
		"/2016/http://a/": "", "20/http://a/": "", "web/2016/http://a/": "http://a/",
	} {
		if got := m.Original(ref); got != want {
			t.Errorf("Original(%q): got %q, want %q", ref, got, want)
		}
	}
	if got := new(move.Map).Original("/web/2016/http://a/"); got != "" {
		t.Errorf("Original where prefixes stay: got %q", got)
	}
}

// A path without a scheme in it names the host of a capture only after a complete time at the root.
// Any other path may name a file of the site, so it is no capture.
func TestOriginalOfFile(t *testing.T) {
	times := []string{"1", "20", "2019", "201901", "20190102", "2019010203040", "2016*", "*", "2019im_", "*id_",
		"20190102030405", "20190102030405im_"}
	names := []string{"report.pdf", "index.html", "2.css", "v1.x/a.html", "a.test", "www.a.test:80/x?y#z", "a.test?x"}
	starts := []string{"/", "", "./", "../", "/x/../", `\`}
	m := &move.Map{Unwayback: true}
	for _, start := range starts {
		for _, time := range times {
			for _, name := range names {
				ref := start + "web/" + time + "/" + name
				root := start == "/" || start == `\`
				got := m.Original(ref)
				if root && len(time) >= 14 {
					if !strings.HasPrefix(got, "http://"+name[:3]) {
						t.Errorf("Original(%q): got %q, want http://%s", ref, got, name)
					}
				} else if got != "" {
					t.Errorf("Original(%q): got %q, want none", ref, got)
				}
				archive := "//web.archive.org/web/" + time + "/" + name
				if got := m.Original(archive); !strings.HasPrefix(got, "http://"+name[:3]) {
					t.Errorf("Original(%q): got %q, want http://%s", archive, got, name)
				}
				capture := start + "web/" + time + "/http://" + name
				if got := m.Original(capture); !strings.HasPrefix(got, "http://"+name[:3]) {
					t.Errorf("Original(%q): got %q, want http://%s", capture, got, name)
				}
			}
		}
	}
}

// On a disk a link to a directory leads to the directory, not to its index file.
func TestMoveDirectory(t *testing.T) {
	files := map[string]string{"http://old.test/d/": "disk:///d/index.html"}
	directories := map[string]string{"http://old.test/d/": "disk:///d/", "http://old.test/d": "disk:///d"}
	tests := []struct {
		form      move.Form
		uri, want string
		here      bool
	}{
		{move.Disk, "http://old.test/d/", "disk:///d/", true},
		{move.Disk, "http://old.test/d#x", "disk:///d#x", true},
		{move.Disk, "http://web.archive.org/web/2016/http://old.test/d", "disk:///d", true},
		{move.Disk, "http://old.test/e/", "http://new.test/e/", false},
		{move.Relative, "http://old.test/d/", "http://new.test/d/", true},
		{move.Absolute, "http://else.test/", "http://else.test/", false},
	}
	for _, tt := range tests {
		s := move.Site{Form: tt.form, File: func(uri string) string { return files[uri] },
			Directory: func(uri string) string { return directories[uri] }}
		s.Map.Unwayback = true
		if err := s.Map.Add("http://old.test/", "http://new.test/"); err != nil {
			t.Fatal(err)
		}
		s.Include("http://new.test/")
		to, here, err := s.MoveDirectory(tt.uri, time.Time{})
		if to != tt.want || here != tt.here || err != nil {
			t.Errorf("%v: MoveDirectory(%q): got %q, %v, %v, want %q, %v",
				tt.form, tt.uri, to, here, err, tt.want, tt.here)
		}
	}
	var s move.Site
	s.Form = move.Disk
	if to, here, err := s.MoveDirectory("http://old.test/d/", time.Time{}); to != "http://old.test/d/" ||
		here || err != nil {
		t.Errorf("MoveDirectory without directories: got %q, %v, %v", to, here, err)
	}
}

// A reference in a directory is unchanged if it leads to the file from there.
func TestSameFile(t *testing.T) {
	files := map[string]string{"http://old.test/d/a.jar": "disk:///d/a.jar",
		"http://old.test/d/sub/b.jar": "disk:///d/sub/b.jar",
		"http://old.test/c.jar":       "disk:///c.jar", "http://old.test/d/d": "disk:///d/d.html"}
	directories := map[string]string{"http://old.test/d/": "disk:///d/",
		"http://old.test/d": "disk:///d", "http://old.test/": "disk:///"}
	s := move.Site{Form: move.Disk, File: func(uri string) string { return files[uri] },
		Directory: func(uri string) string { return directories[uri] }}
	for _, tt := range []struct {
		directory, ref string
		want           bool
	}{
		{"http://old.test/d", "a.jar", true}, {"http://old.test/d/", "a.jar", true}, {"http://old.test/d",
			"sub/b.jar", true}, {"http://old.test/d", "../c.jar", true}, {"http://old.test/", "c.jar", true},
		{"http://old.test/d", "gone.jar", false}, {"http://old.test/d", "d", false}, {"http://old.test/e", "a.jar",
			false}, {"http://old.test/d", "http://[", false}, {"http://old.test/d", "http://old.test/d/a.jar", false},
	} {
		if got := s.SameFile(tt.directory, tt.ref); got != tt.want {
			t.Errorf("SameFile(%q, %q): got %v", tt.directory, tt.ref, got)
		}
	}
}

// On a disk links lead from file to file; a link to a URI without a file is mapped.
func TestDisk(t *testing.T) {
	files := map[string]string{"http://old.test/": "disk:///a/index.html",
		"http://old.test/b?x": "disk:///b%3Fx.html", "http://old.test/c/d": "disk:///c/d.html"}
	s := move.Site{Form: move.Disk, File: func(uri string) string { return files[uri] }}
	s.Map.Unwayback = true
	if err := s.Map.Add("http://old.test/", "http://new.test/x/"); err != nil {
		t.Fatal(err)
	}
	s.Include("disk:///")
	if got, want := s.Place("HTTP://old.test:80/c/./d"), "disk:///c/d.html"; got != want {
		t.Errorf("Place: got %q, want %q", got, want)
	}
	if _, err := s.Page("http://old.test/gone"); err == nil {
		t.Error("Page without a file: got no error")
	}
	p, err := s.Page("http://old.test/c/d")
	if err != nil {
		t.Fatal(err)
	}
	for uri, want := range map[string]string{
		"http://old.test/#top":  "../a/index.html#top",
		"http://old.test/b?x#y": "../b%3Fx.html#y",
		"http://old.test/c/d#s": "#s",
		"http://old.test/c/d":   "d.html",
		"http://old.test/gone":  "http://new.test/x/gone",
		"http://else.test/":     "http://else.test/",
		"https://web.archive.org/web/20160102030405/http://old.test/#top": "../a/index.html#top",
		"https://web.archive.org/web/2016/http://old.test/gone":           "http://new.test/x/gone",
	} {
		if got := p.Link(uri); got != want {
			t.Errorf("Link(%q): got %q, want %q", uri, got, want)
		}
	}
	if p.Inside("../../a/index.html", "disk:///a/index.html") {
		t.Error("a reference with a .. too many is inside")
	}
}

// A pattern gives an absolute URI. On an error the URI is unchanged.
func FuzzPattern(f *testing.F) {
	f.Add(`^http://(.*)\.test/`, "https://$1.test/{date}/{uri}?{host}{uri}", "http://a.test/x?y#z")
	f.Add(`x`, "{date14}", "http://web.archive.org/web/2016/http://x/")
	f.Fuzz(func(t *testing.T, expr, to, ref string) {
		m := &move.Map{Unwayback: true}
		if m.AddPattern(expr, to) != nil {
			return
		}
		b, _ := resolve.NewBase("", resolve.Options{})
		uri, err := b.Resolve(ref)
		if err != nil {
			return
		}
		got, err := m.Move(uri, written)
		if err != nil && got != uri {
			t.Errorf("Move(%q) by %q to %q: got %q with the error %v", uri, expr, to, got, err)
		}
		if again, err := b.Resolve(got); err != nil || again != got {
			t.Errorf("Move(%q) by %q to %q: got %q, which is %q, %v", uri, expr, to, got, again, err)
		}
	})
}
