package rewrite_test

import (
	"regexp"
	"strings"
	"testing"

	"absolink/extract"
	"absolink/mime/document"
	"absolink/mime/rewrite"
	"absolink/resolve/move"
)

// The name of a module leads to the same module in every form and from any directory to any other:
// it begins with a scheme, a slash or dots. A name without these is looked up in an import map, so
// it stays as it is (HTML 8.1.6.4).
func TestModules(t *testing.T) {
	for depth := range 5 {
		page := "http://old.test/" + strings.Repeat("a/", depth) + "page"
		for to := range 5 {
			module := strings.Repeat("a/", to) + "m.js"
			script := "import '/" + module + "'; export * from 'http://old.test/" + module + "'; import('./" + module +
				"'); import 'lit/m.js'; import('m.js'); import 'http://old.test/m(1).js'"
			for _, head := range []string{"", "<base href='/a/b/'>"} {
				in := head + "<script type=module>" + script + "</script>"
				for _, form := range []move.Form{move.Absolute, move.RootRelative, move.Relative, move.AsWritten} {
					checkModules(t, page, in, form)
				}
			}
		}
	}
}

// checkModules moves a page with its modules, and checks that it imports the same ones.
func checkModules(t *testing.T, page, in string, form move.Form) {
	t.Helper()
	site := addRule(t, &move.Site{Form: form}, "http://old.test/", "http://new.test/x/")
	site.Include("http://old.test/")
	site.Include("http://new.test/x/")
	r := &rewrite.Rewriter{Site: site, Options: document.Options{Read: extract.Options{Scripts: true}}}
	if form == move.Relative {
		r.Resolver.BaseElement = extract.DropBase
	}
	moved := strings.NewReplacer("old.test/", "new.test/x/").Replace
	out := result(t, r, planAt(t, r, in, page))
	got := modules(t, moved(page), out)
	want := moved(modules(t, page, in))
	if got != want {
		t.Errorf("%s in form %v: %s became %s, which imports %s, want %s", page, form, in, out, got, want)
	}
}

var (
	moduleName = regexp.MustCompile(`(?:import |from |import\()'([^']*)'`)
	baseHref   = regexp.MustCompile(`<base href='([^']*)'>`)
	likeURL    = regexp.MustCompile(`^(/|\./|\.\./|http:)`)
)

// modules returns the URIs of the six modules that a page imports. It returns a name that is looked
// up in an import map as it is.
func modules(t *testing.T, page, text string) string {
	t.Helper()
	base := page
	if m := baseHref.FindStringSubmatch(text); m != nil {
		base = join(t, page, m[1])
	}
	var list []string
	for _, m := range moduleName.FindAllStringSubmatch(text, -1) {
		name := m[1]
		if likeURL.MatchString(name) {
			name = join(t, base, name)
		}
		list = append(list, name)
	}
	if len(list) != 6 {
		t.Fatalf("%s imports %d modules, want 6", text, len(list))
	}
	return strings.Join(list, " ")
}
