package links

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"absolink/base"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/site"
	"absolink/cmd/absolink/internal/source"
	"absolink/resolve"
)

// The layers around a file go from the root of its directory outwards to the default base.
func TestOptionLayers(t *testing.T) {
	dir := t.TempDir()
	b := Bases{Retrieval: "http://given.test/", Default: "http://default.test/"}
	b.Roots = []string{dir + "=http://root.test/x/"}
	if err := b.prepare(); err != nil {
		t.Fatal(err)
	}
	all := b.OptionLayers(input.File{Path: dir + "/a/b.html", URL: "http://url.test/"})
	want := []base.Layer{
		{Source: base.Root, Value: "http://root.test/x/a/b.html"},
		{Source: base.Option, Value: "http://given.test/"},
		{Source: base.URL, Value: "http://url.test/"},
		{Source: base.DefaultBase, Value: "http://default.test/"},
	}
	for _, w := range want {
		if all == nil || all.Source != w.Source || all.Value != w.Value {
			t.Fatalf("OptionLayers: got the layer %+v, want %+v", all, w)
		}
		all = all.Outer
	}
	if all != nil {
		t.Errorf("OptionLayers: one more layer %+v", all)
	}
	if got := new(Bases).OptionLayers(input.File{Path: "x"}); got != nil {
		t.Errorf("OptionLayers without options: got %+v, want nil", got)
	}
}

func TestPrepareBases(t *testing.T) {
	tests := []struct {
		bases Bases
		want  string // beginning of the error, or empty
	}{
		{Bases{}, ""},
		{Bases{Retrieval: "http://a.test/x"}, ""},
		{Bases{Retrieval: "x/y"}, `--base "x/y": not an absolute URI`},
		{Bases{Default: "mailto:a@b.test"}, `--default-base "mailto:a@b.test": not an absolute`},
		{Bases{Policy: base.Policy{Force: "//a.test/"}}, `--force-base "//a.test/": not an absolute`},
		{Bases{Roots: []string{"dir"}}, `--root "dir": DIR=URI is needed`},
		{Bases{Roots: []string{"dir=mailto:x"}}, `--root "mailto:x": not an absolute`},
	}
	for _, tt := range tests {
		err := tt.bases.prepare()
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.HasPrefix(err.Error(), tt.want)) {
			t.Errorf("prepare of %+v: got %v, want %s", tt.bases, err, tt.want)
		}
	}
}

// If a new base is refused, the old base stays.
func TestRebase(t *testing.T) {
	b := Bases{Retrieval: "http://a.test/"}
	if err := b.SetRetrieval("x"); err == nil || b.Retrieval != "http://a.test/" {
		t.Errorf("SetRetrieval to a relative reference: got %v, and %s", err, b.Retrieval)
	}
	if err := b.SetRetrieval("http://b.test/"); err != nil || b.Retrieval != "http://b.test/" {
		t.Errorf("SetRetrieval: got %v, and %s", err, b.Retrieval)
	}
}

// --base is the URI of only one input.
func TestCheckSingleInput(t *testing.T) {
	dir := t.TempDir()
	tests := []struct {
		retrieval string
		set       source.Set
		args      []string
		want      string // part of the error, or empty
	}{
		{"http://a.test/", source.Set{}, []string{"a.html"}, ""},
		{"", source.Set{}, []string{"a.html", "b.html"}, ""},
		{"http://a.test/", source.Set{}, []string{"a.html", "b.html"}, "2 are given: --root DIR=http://a.test/"},
		{"http://a.test/", source.Set{}, []string{dir + "/"},
			dir + "/ is a directory: --root " + dir + "=http://a.test/"},
		{"http://a.test/", source.Set{URLs: "list"}, nil, "each URL of --urls has its own"},
		{"http://a.test/", source.Set{Units: "list"}, nil, "--units may name several inputs"},
	}
	for _, tt := range tests {
		if err := tt.set.SetArgs(tt.args); err != nil {
			t.Fatal(err)
		}
		err := (&Bases{Retrieval: tt.retrieval}).checkSingleInput(&tt.set)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("checkSingleInput of %q: got %v, want %s", tt.args, err, tt.want)
		}
	}
}

func TestUnmatchedRoots(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"used", "idle"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	o := Options{Bases: Bases{Roots: []string{dir + "/used=http://a.test/", dir + "/idle=http://b.test/"}}}
	if err := o.Bases.prepare(); err != nil {
		t.Fatal(err)
	}
	o.Bases.OptionLayers(input.File{Path: dir + "/used/x.html"})
	if got := o.Unmatched(); len(got) != 1 || !strings.HasPrefix(got[0], "--root "+dir+"/idle: no document") {
		t.Errorf("Unmatched: got %q, want the idle root", got)
	}
	o.Bases.RootsLocateTargets = true
	if got := o.Unmatched(); len(got) != 0 {
		t.Errorf("Unmatched of a site that moves: got %q", got)
	}
	o.Bases.RootsLocateTargets, o.Targets.Check = false, true
	if got := o.Unmatched(); len(got) != 0 {
		t.Errorf("Unmatched if files are checked: got %q", got)
	}
}

func TestIsIndex(t *testing.T) {
	own := Targets{Index: []string{"start.html"}}
	if !own.IsIndex("start.html") || own.IsIndex(site.Indexes[0]) {
		t.Error("IsIndex with own names: they alone are index files")
	}
	if !own.IsIndex("Start.HTML") || !new(Targets).IsIndex("Default.htm") || new(Targets).IsIndex("index.html2") {
		t.Error("IsIndex: case does not matter")
	}
	if usual := new(Targets); usual.IsIndex("start.html") || !usual.IsIndex(site.Indexes[0]) {
		t.Error("IsIndex without names: site.Indexes are index files")
	}
}

func TestCheckIndex(t *testing.T) {
	dir := t.TempDir()
	roots := []site.Root{{Dir: dir, URI: "http://a.test/"}}
	for name, want := range map[string]string{
		"index.html": "", "a/b": `--index "a/b"`, `a\b`: `--index "a\\b"`, ".": `--index "."`, "..": `--index ".."`,
	} {
		err := (&Targets{Index: []string{name}}).checkIndex(roots)
		if want == "" && err != nil || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("checkIndex of %q: got %v, want %s", name, err, want)
		}
	}
}

// CheckURL refuses what --base refuses, also where a short look at the URL is enough.
func TestCheckURL(t *testing.T) {
	urls := strings.Fields(`http://e.test/ https://e.test/a/b.html?x=1&y=2 http://e.test http://e.test:80/ http://E.test/ http://1/
		http://1.2.3.4/ http://a.1/ http://a..b/ http://-a.test/ http://a.test./ http://.a/ http:/// http://xn--a/ http://%/
		http://a b/ http://a_b.test/ file:///x mailto:x data:,x /x x about:blank http:x http://e.test/{{x}} http://e.test/<?x?>
		http://[::1]/ https://e.test/%zz http://e.test/é`)
	urls = append(urls, "", "http://e.test/"+strings.Repeat("a/", 1000), "http://e.test/"+strings.Repeat("a", 40000),
		"http://"+strings.Repeat("a", 300)+"/", "http://e.test/"+strings.Repeat("a", 900))
	refused := 0
	for _, rules := range []resolve.Rules{resolve.WHATWG, resolve.RFC3986, resolve.RFC2396, resolve.Draft02} {
		b := Bases{}
		b.Policy.Rules.Rules = rules
		for _, uri := range urls {
			got, want := b.CheckURL(uri), checkBase("url", uri, b.Policy.Rules)
			if (got == nil) != (want == nil) {
				t.Errorf("CheckURL(%q) under %v: %v, want %v", uri, rules, got, want)
			}
			if got != nil {
				refused++
			}
		}
	}
	if refused < 20 {
		t.Errorf("%d URLs were refused, want at least 20", refused)
	}
}

func TestProbableRoot(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.Mkdir("old.example", 0o777); err != nil {
		t.Fatal(err)
	}
	for arg, want := range map[string]string{
		"s=old.example":         "s=http://old.example/",
		"s=old.example/x/":      "s=http://old.example/x/",
		"s=old.example:80/x":    "s=http://old.example:80/x",
		"s=//old.example/x":     "s=http://old.example/x",
		"a=b=old.example":       "a=b=http://old.example/",
		"=old.example":          "DIR=http://old.example/",
		"new.example":           "DIR=http://new.example/",
		"//new.example/x":       "DIR=http://new.example/x",
		"old.example":           "", // a directory
		"s":                     "",
		"s=x":                   "",
		"s=./x":                 "",
		"s=/x":                  "",
		"s=index.html":          "",
		"s=http://a.b/":         "",
		"s=http://a.b/c=d.e":    "",
		"http://a.b/=c.d":       "", // swapped
		"old.example=http://a/": "",
	} {
		if got := probableRoot(arg); got != want {
			t.Errorf("probableRoot(%q): got %q, want %q", arg, got, want)
		}
	}
}
