package write

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/links"
	"absolink/cmd/absolink/internal/run"
	"absolink/cmd/absolink/internal/site"
	"absolink/cmd/absolink/internal/source"
	"absolink/extract"
	"absolink/mime/document"
	"absolink/resolve/move"
)

// moving returns options for a site in the directory dir that moves from http://old.test/.
func moving(t *testing.T, dir string) *Options {
	o := &Options{Run: new(run.Options), Links: new(links.Options)}
	o.Links.Bases.Roots = []string{dir + "=http://old.test/"}
	o.Move.Maps = []string{"http://old.test/=http://new.test/"}
	if err := o.Links.Prepare(new(source.Set)); err != nil {
		t.Fatal(err)
	}
	return o
}

func wantError(t *testing.T, name string, err error, want string) {
	t.Helper()
	switch {
	case want == "" && err != nil:
		t.Errorf("%s: got error %v", name, err)
	case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
		t.Errorf("%s: got error %v, want %s", name, err, want)
	}
}

func TestReadMoves(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "map")
	if err := os.WriteFile(file, []byte("http://x.test/=http://y.test/\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	noRules := filepath.Join(dir, "none")
	if err := os.WriteFile(noRules, []byte("x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		set  func(o *Options)
		want string // part of the error, or empty
	}{
		{"a map", func(*Options) {}, ""},
		{"relative", func(o *Options) { o.Move.Form = move.Relative }, ""},
		{"disk", func(o *Options) { o.Move.Form = move.Disk }, ""},
		{"no map", func(o *Options) { o.Move.Maps = []string{"x"} }, "--map "},
		{"no expression", func(o *Options) { o.Move.Patterns = []string{"("} }, "--map-regex "},
		{"no glob", func(o *Options) { o.Move.Form, o.Move.AnyDepth = move.Relative, []string{"["} }, "--any-depth: "},
		{"a file", func(o *Options) { o.Move.MapFile = file }, ""},
		{"no file", func(o *Options) { o.Move.MapFile = file + "x" }, "--map-file " + file + "x: "},
		{"the report", func(o *Options) { o.Move.MapFile, o.Run.Account.Report = file, file },
			"is the file of --map-file"},
		{"some of a BASE", func(o *Options) {
			o.Form.BaseElement, o.Links.Choice.SameHost = extract.DropBase, true
			o.Links.Prepare(new(source.Set))
		}, "--base-element drop"},
		{"keep without a form", func(o *Options) { o.Move.Keep.Set("none") }, "--keep and --any-depth need"},
		{"any depth without a form", func(o *Options) { o.Move.AnyDepth = []string{"x"} },
			"--keep and --any-depth need"},
		{"disk without a root", func(o *Options) {
			o.Move.Form = move.Disk
			o.Links = new(links.Options)
		}, "--to disk needs --root"},
		{"disk of URLs", func(o *Options) { o.Move.Form, o.Run.Inputs.URLs = move.Disk, "list" }, "not for --urls"},
		{"a form of nothing", func(o *Options) {
			o.Move = Move{Form: move.Relative}
			o.Links = new(links.Options)
		}, "--to relative needs --root or --map"},
		{"a form and a base", func(o *Options) {
			o.Move.Form, o.Links.Bases.Policy.Force = move.RootRelative, "http://f.test/"
		}, "leave --force-base out"},
		{"a form and BASE", func(o *Options) {
			o.Move.Form, o.Form.BaseElement = move.Relative, extract.AbsolutizeBase
		}, "leave --base-element out"},
		{"an image base as written", func(o *Options) {
			o.Move.Form = move.AsWritten
			o.Links.Bases.Image = "http://f/"
		}, "leave --to as-written out"},
		{"an image base", func(o *Options) { o.Move.Form, o.Links.Bases.Image = move.Relative, "http://f/" },
			"leave --to relative out"},
		{"a root base as written", func(o *Options) {
			o.Move.Form = move.AsWritten
			o.Links.Bases.RootBase = "http://f/"
		}, "leave --to as-written out"},
		{"a root base", func(o *Options) { o.Move.Form, o.Links.Bases.RootBase = move.Disk, "http://f/" },
			"leave --to disk out"},
		{"a root base without a form", func(o *Options) { o.Links.Bases.RootBase = "http://f/" }, ""},
		{"another report", func(o *Options) {
			o.Move.MapFile = file
			o.Run.Account.Report = file + "x"
		}, ""},
		{"a report and no file", func(o *Options) { o.Run.Account.Report = file }, ""},
		{"a file without rules", func(o *Options) { o.Move.MapFile = noRules }, "--map-file " + noRules + ": "},
		{"old addresses", func(o *Options) { o.Move.FindOld = true }, ""},
		{"no old addresses", func(o *Options) { o.Move = Move{FindOld: true} }, "--find-old needs"},
		{"addresses of archives", func(o *Options) { o.Move = Move{FindOld: true, Unwayback: true} }, ""},
	}
	for _, tt := range tests {
		o := moving(t, dir)
		tt.set(o)
		var m moves
		err := m.read(o)
		wantError(t, tt.name, err, tt.want)
		if err == nil && ((m.disk != nil) != (o.Move.Form == move.Disk) || (m.old != nil) != o.Move.FindOld) {
			t.Errorf("%s: got disk %v and old %v", tt.name, m.disk, m.old)
		}
	}
	o := moving(t, dir)
	o.Move.MapFile = file
	o.To.OutputFlags = map[string]string{"map-file": file}
	var m moves
	if err := m.read(o); err != nil {
		t.Fatal(err)
	}
	sum, ok := strings.CutPrefix(o.To.OutputFlags["map-file"], file+", SHA-256 ")
	if !ok || len(sum) != 64 {
		t.Errorf("OutputFlags: got %q, want the file with its sum", o.To.OutputFlags["map-file"])
	}
	if got := m.site.Map.URI("http://x.test/a"); got != "http://y.test/a" {
		t.Errorf("a rule of the file: got %s", got)
	}
}

// Links of messages keep their form if a rule is given, but neither --to nor --force-base.
func TestMessagesForm(t *testing.T) {
	for _, tt := range []struct {
		to    bool
		force string
		rule  string
		form  move.Form
		want  move.Form
	}{
		{false, "", "", move.Absolute, move.Absolute},
		{false, "", "http://a.test/=http://b.test/", move.Absolute, move.AsWritten},
		{true, "", "http://a.test/=http://b.test/", move.Absolute, move.Absolute},
		{true, "", "http://a.test/=http://b.test/", move.Relative, move.Absolute},
		{false, "http://f.test/", "http://a.test/=http://b.test/", move.Absolute, move.Absolute},
		{true, "", "http://a.test/=http://b.test/", move.AsWritten, move.AsWritten},
		{true, "http://f.test/", "", move.AsWritten, move.AsWritten},
	} {
		o := &Options{Links: new(links.Options)}
		o.Links.Bases.RootsLocateTargets = tt.to
		o.Links.Bases.Policy.Force = tt.force
		s := &move.Site{Form: tt.form}
		if tt.rule != "" {
			if err := site.AddRule(&s.Map, tt.rule); err != nil {
				t.Fatal(err)
			}
		}
		if got := messagesForm(o, s); got != tt.want {
			t.Errorf("messagesForm of %+v: got %v", tt, got)
		}
	}
}

// An output is read back if the user asks for it, and if an error would cost the original or is
// likely.
func TestVerifies(t *testing.T) {
	plain, coded := &input.Document{}, &input.Document{}
	coded.Coding = coding.Gzip
	for _, tt := range []struct {
		o     Options
		moves bool
		in    *input.Document
		want  bool
	}{
		{Options{}, false, plain, false}, {Options{Verify: true}, false, plain, true},
		{Options{To: Destination{InPlace: true}}, false, plain, true}, {Options{}, true, plain, true},
		{Options{}, false, coded, true},
	} {
		c := &Command{o: &tt.o}
		if tt.moves {
			c.site.Form = move.Relative
		}
		if got := c.verifies(tt.in); got != tt.want {
			t.Errorf("verifies of %+v: got %v", tt, got)
		}
	}
}

func TestAtAnyDepth(t *testing.T) {
	var usual, own moves
	if err := usual.readAnyDepth(nil); err != nil {
		t.Fatal(err)
	}
	if err := own.readAnyDepth([]string{"/x.html"}); err != nil {
		t.Fatal(err)
	}
	for rel, want := range map[string][2]bool{
		"404.html": {true, false}, "de/404.html": {true, false}, "50x.html": {true, false},
		"x.html": {false, true}, "a/x.html": {false, false},
	} {
		if got := [2]bool{usual.atAnyDepth(rel), own.atAnyDepth(rel)}; got != want {
			t.Errorf("atAnyDepth of %s: got %v, want %v", rel, got, want)
		}
	}
}

func TestClashes(t *testing.T) {
	var m moves
	for _, rule := range []string{"http://a.test/=http://b.test/", "http://a.test/=http://c.test/",
		"http://b.test/=http://d.test/", "http://e.test/=http://e.test/new/"} {
		if err := site.AddRule(&m.site.Map, rule); err != nil {
			t.Fatal(err)
		}
	}
	clashes, nested := m.clashes()
	all := strings.Join(clashes, "\n")
	if !strings.Contains(all, "http://a.test is mapped to http://b.test/ and to http://c.test/: the first counts") ||
		!strings.Contains(all, "http://a.test becomes http://b.test/, which is not mapped again to") {
		t.Errorf("clashes: got %s", all)
	}
	if len(nested) != 1 || !strings.HasPrefix(nested[0], "http://e.test becomes http://e.test/new/, which is not") {
		t.Errorf("clashes: got nested %q", nested)
	}
}

func TestOptions(t *testing.T) {
	for o, want := range map[*Options]bool{
		{}:                               false,
		{To: Destination{InPlace: true}}: true,
		{Mail: Mail{DKIM: "skip"}}:       true,
		{Mail: Mail{DKIM: "rewrite"}, To: Destination{InPlace: true}}: false,
	} {
		if got := o.skipsDKIM(); got != want {
			t.Errorf("skipsDKIM of %+v: got %v", o, got)
		}
	}
	for s, want := range map[Show]bool{{}: false, {DryRun: true}: true, {Diff: true}: true, {Color: true}: false} {
		if got := s.On(); got != want {
			t.Errorf("On of %+v: got %v", s, got)
		}
	}
	c := &Command{o: &Options{Run: &run.Options{Reading: run.Reading{MaxSize: 7}}, Links: new(links.Options),
		Form: Form{Fragments: true, BaseElement: extract.DropBase}, Mail: Mail{BreakSignatures: true}}}
	r := c.newRewriter()
	want := extract.Resolver{Fragments: true, BaseElement: extract.DropBase}
	if got := r.Resolver; got.Fragments != want.Fragments || got.Normalize || got.BaseElement != want.BaseElement {
		t.Errorf("newRewriter: got %+v", got)
	}
	if r.Partial || r.KeepText || r.SkipFooters || r.RemoveAdditions {
		t.Errorf("newRewriter: got %+v", r)
	}
	if !r.BreakSignatures || r.KeepDKIM || r.MaxNewBytes != 7 || r.Site != &c.site {
		t.Errorf("newRewriter: got %+v", r)
	}
	c.o.Form = Form{Normalize: true, MaxNewBytes: 5}
	c.o.Mail = Mail{DKIM: "skip"}
	c.o.Move = Move{NoText: true, SkipFooters: true, RemoveAdditions: true}
	c.o.Links.Choice.SameHost = true
	if err := c.o.Links.Prepare(new(source.Set)); err != nil {
		t.Fatal(err)
	}
	r = c.newRewriter()
	if !r.Partial || !r.KeepText || !r.SkipFooters || !r.RemoveAdditions {
		t.Errorf("newRewriter: got %+v", r)
	}
	if r.Resolver.Fragments || !r.Resolver.Normalize || r.MaxNewBytes != 5 || !r.KeepDKIM || r.BreakSignatures {
		t.Errorf("newRewriter: got %+v", r)
	}
}

func TestCheckRedirects(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(t.TempDir(), "redirects")
	tests := []struct {
		name string
		set  func(o *Options)
		want string
	}{
		{"none", func(o *Options) { o.Move.Redirects = "" }, ""},
		{"a file", func(*Options) {}, ""},
		{"a format alone", func(o *Options) { o.Move.Redirects, o.Move.RedirectFormat = "", site.Nginx },
			"--redirects-format needs"},
		{"no map", func(o *Options) { o.Move.Maps = nil }, "--redirects needs --map"},
		{"no root", func(o *Options) { o.Links = new(links.Options) }, "--redirects needs --root"},
		{"a base", func(o *Options) {
			o.Links = &links.Options{Bases: links.Bases{Retrieval: "http://old.test/"}}
		}, ""},
		{"a dry run", func(o *Options) { o.Show.DryRun = true }, "leave --dry-run and --diff out"},
		{"one host", func(o *Options) { o.Move.RedirectFormat = site.Nginx }, ""},
		{"two hosts", func(o *Options) {
			o.Move.RedirectFormat = site.Nginx
			o.Links = &links.Options{}
			o.Links.Bases.Roots = []string{dir + "/a=http://a.test/", dir + "/b=http://b.test/"}
			o.Links.Prepare(new(source.Set))
		}, "documents were at http://a.test/ and"},
		{"the report", func(o *Options) { o.Run.Account.Report = out }, "is " + out},
		{"the journal", func(o *Options) { o.To.Journal = out }, "is " + out},
		{"an input", func(o *Options) {
			if err := o.Run.Inputs.SetArgs([]string{"-", out}); err != nil {
				t.Fatal(err)
			}
		}, "is " + out},
		{"standard input", func(o *Options) {
			if err := o.Run.Inputs.SetArgs([]string{"-"}); err != nil {
				t.Fatal(err)
			}
		}, ""},
		{"below the output", func(o *Options) { o.To.Dir = filepath.Dir(out) }, "lies in the output"},
		{"a directory", func(o *Options) { o.Move.Redirects = dir }, "is a directory"},
		{"no directory", func(o *Options) { o.Move.Redirects = dir + "/none/x" }, "--redirects " + dir + "/none/x: "},
	}
	for _, tt := range tests {
		o := moving(t, dir)
		o.Move.Redirects = out
		tt.set(o)
		var m moves
		if err := m.readMaps(o); err != nil {
			t.Fatal(err)
		}
		want := strings.Replace(tt.want, "http://a.test/ and", "a.test and b.test", 1)
		wantError(t, tt.name, checkRedirects(o, &m.site.Map), want)
	}
}

// A redirect leads from each old address of a document to its new address.
func TestRedirects(t *testing.T) {
	var rules move.Map
	if err := site.AddRule(&rules, "http://old.test/=http://new.test/x/"); err != nil {
		t.Fatal(err)
	}
	r := &redirects{links: new(links.Options), rules: &rules}
	for _, uri := range []string{"", "no URI", "http://other.test/a.html", "http://old.test/b.html",
		"http://old.test/dir/index.html", "http://OLD.test:80/b.html", "http://old.test/q?x=1",
		"HTTP://OLD.test/q?x=2"} {
		r.addDocument(uri, true)
	}
	var got []string
	for _, x := range r.sorted() {
		got = append(got, x.Old+" "+x.New)
	}
	want := []string{"http://old.test/b.html http://new.test/x/b.html",
		"http://old.test/dir/ http://new.test/x/dir/",
		"http://old.test/dir/index.html http://new.test/x/dir/index.html",
		"http://old.test/q?x=1 http://new.test/x/q?x=1", "http://old.test/q?x=2 http://new.test/x/q?x=2"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("redirects: got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if !r.noEndingsAdded {
		t.Error("a page with a query and no ending: noEndingsAdded is not set")
	}
	path := filepath.Join(t.TempDir(), "r.csv")
	n, left, err := r.write(&Move{Redirects: path, RedirectFormat: site.CSV})
	text, _ := os.ReadFile(path)
	if n != 5 || len(left) != 0 || err != nil || strings.Count(string(text), "\n") != 6 {
		t.Errorf("write: got %d, %v, %v, and %s", n, left, err, text)
	}
	if _, _, err := r.write(&Move{Redirects: path + "/x"}); err == nil {
		t.Error("write below a file: got no error")
	}
}

// If an address has several redirects, the surest remains. An Unended address is left out.
func TestSortedRedirects(t *testing.T) {
	r := new(redirects)
	r.add(site.Address{URI: "http://a/", Certainty: site.Likely}, "http://likely/", false)
	r.add(site.Address{URI: "http://a/", Certainty: site.Certain}, "http://certain/", false)
	r.add(site.Address{URI: "http://b/", Certainty: site.EndingKept}, "http://c/", false)
	r.add(site.Address{URI: "http://d/", Certainty: site.Certain}, "http://d/", false)
	if got := r.sorted(); len(got) != 1 || got[0].New != "http://certain/" {
		t.Errorf("sorted: got %v, want the certain redirect of http://a/", got)
	}
	r.add(site.Address{URI: "http://e/"}, "http://e/", true)
	if got := r.sorted(); len(got) != 2 || got[1].Old != "http://b/" {
		t.Errorf("sorted with names that have no ending: got %v", got)
	}
}

// A page shows that no endings were added only if its certain address has a query.
func TestUnended(t *testing.T) {
	for _, tt := range []struct {
		uri    string
		isPage bool
		want   bool
	}{
		{"http://old.test/q?x=1", true, true}, {"http://old.test/q?x=1", false, false},
		{"http://old.test/q", true, false}, {"http://old.test/", true, false},
		{"http://old.test/q.html", true, false}, {"http://old.test/d/index.html", true, false},
	} {
		r := &redirects{links: new(links.Options), rules: new(move.Map)}
		r.addDocument(tt.uri, tt.isPage)
		if r.noEndingsAdded != tt.want {
			t.Errorf("%s, a page %v: noEndingsAdded is %v, want %v", tt.uri, tt.isPage, r.noEndingsAdded, tt.want)
		}
	}
}

// The time of a document comes from its message, from its server, or from its file.
func TestTimeWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	changed := time.Date(2011, 1, 2, 3, 4, 5, 0, time.UTC)
	if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chtimes(path, changed, changed)); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	heading := func(field string) input.Retrieval {
		return input.Retrieval{Headings: []document.Answer{{Text: []byte(field + "\r\n\r\n")}}}
	}
	file := input.Document{File: input.File{Path: path}}
	file.Info = info
	retrieved := input.Document{File: input.File{URL: "http://a.test/"},
		Retrieval: heading("Last-Modified: Sat, 03 Jan 2015 00:00:00 GMT")}
	undated := input.Document{File: input.File{URL: "http://a.test/"}, Retrieval: heading("X: y")}
	undated.Info = info
	for name, tt := range map[string]struct {
		in   *input.Document
		want time.Time
	}{"a file": {&file, changed}, "a URL": {&retrieved, time.Date(2015, 1, 3, 0, 0, 0, 0, time.UTC)},
		"a URL without a time": {&undated, time.Time{}}, "a pipe": {new(input.Document), time.Time{}}} {
		if got := timeWritten(tt.in, nil); !got.Equal(tt.want) {
			t.Errorf("%s: got %v, want %v", name, got, tt.want)
		}
	}
}
