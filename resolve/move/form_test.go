package move_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"absolink/resolve"
	"absolink/resolve/move"
	"absolink/testdata/effort"
)

// hasForm reports whether a reference within one host is written in a form.
func hasForm(form move.Form, ref string) bool {
	whole := strings.HasPrefix(ref, "//") || strings.Contains(strings.SplitN(ref, "/", 2)[0], ":")
	switch form {
	case move.Absolute:
		return strings.Contains(ref, "://")
	case move.RootRelative:
		return !whole && strings.HasPrefix(ref, "/")
	}
	return !whole && !strings.HasPrefix(ref, "/") && ref != ""
}

// resolved is a reference as the standard library resolves it.
func resolved(t *testing.T, base, ref string) string {
	t.Helper()
	b, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	u, err := b.Parse(ref)
	if err != nil {
		t.Fatal(err)
	}
	return u.String()
}

// TestFormAtEveryDepth sweeps pages and targets over directory depths 0 to 9 and hosts of 1 to 30
// letters. Each link within the site has the requested form and resolves to its target.
func TestFormAtEveryDepth(t *testing.T) {
	dirs := strings.Split("a/bb/c:c/d d/e/f.f/g/h~/i/", "/")
	dir := func(from, depth int) string {
		path := ""
		for i := range depth {
			path += strings.ReplaceAll(dirs[(from+i)%9], " ", "%20") + "/"
		}
		return path
	}
	n := 0
	hosts := 0
	for letters := 1; letters <= 30; letters += effort.Pick(1, 13) {
		hosts++
		host := "http://" + strings.Repeat("h", letters) + "/"
		for _, to := range []string{"", "http://n/", "https://new.example.test/a/bb/"} {
			for _, form := range []move.Form{move.Absolute, move.RootRelative, move.Relative, move.Disk} {
				s := move.Site{Form: form}
				place := host
				if to != "" {
					if err := s.Map.Add(host, to); err != nil {
						t.Fatal(err)
					}
					place = to
				}
				if form == move.Disk {
					s.File = func(uri string) string { return "disk:///" + strings.TrimPrefix(uri, host) }
					place = "disk:///"
				}
				s.Include(place)
				for depth := range 10 {
					p, err := s.Page(host + dir(0, depth) + "p.html")
					if err != nil {
						t.Fatal(err)
					}
					for deep := range 10 {
						for _, target := range []string{dir(0, deep) + "x.css",
							dir(1, deep) + "x:y.css", dir(0, deep) + "p.html"} {
							n++
							got := p.Link(host + target)
							if !hasForm(form, got) {
								t.Errorf("%v: Link(%q) from %q to %q: got %q, which has another form",
									form, host+target, dir(0, depth), to, got)
							}
							if at := resolved(t, place+dir(0, depth)+"p.html", got); at != place+target {
								t.Errorf("%v: Link(%q) from %q to %q: got %q, which leads to %q, want %q",
									form, host+target, dir(0, depth), to, got, at, place+target)
							}
						}
					}
				}
			}
		}
	}
	if want := hosts * 3 * 4 * 10 * 10 * 3; n != want {
		t.Errorf("%d links were made, want %d", n, want)
	}
}

// In some places a reference must begin with a scheme, a slash, or dots and a slash.
func TestDotted(t *testing.T) {
	for _, tt := range []struct{ at, uri, root, relative string }{
		{"http://h/a/p", "http://h/a/q", "/a/q", "./q"},
		{"http://h/a/p", "http://h/a/p", "/a/p", "./p"},
		{"http://h/a/p", "http://h/a/p?q", "/a/p?q", "./p?q"},
		{"http://h/a/p", "http://h/a/p#f", "/a/p#f", "./p#f"},
		{"http://h/a/", "http://h/a/", "/a/", "./"},
		{"http://h/a/", "http://h/a/#f", "/a/#f", "./#f"},
		{"http://h/a/b/p", "http://h/a/", "/a/", "../"},
		{"http://h/a/b/c/d/e/p", "http://h/x", "/x", "../../../../../x"},
		{"http://h/a/p", "http://h/a/x:y", "/a/x:y", "./x:y"},
		{"http://h/a/p", "http://h//x", "/.//x", "..//x"},
		{"http://h/p", "http://h//x", "/.//x", ".//x"},
		{"http://h/p", "http://g/x", "http://g/x", "http://g/x"},
	} {
		for form, want := range map[move.Form]string{move.Absolute: tt.uri,
			move.RootRelative: tt.root, move.Relative: tt.relative, move.Disk: tt.relative} {
			s := move.Site{Form: form, File: func(uri string) string { return uri }}
			p, err := s.Page(tt.at)
			if err != nil {
				t.Fatal(err)
			}
			if got := p.Dotted(tt.uri); got != want {
				t.Errorf("%v: Dotted(%q) from %q: got %q, want %q", form, tt.uri, tt.at, got, want)
			}
		}
	}
}

// TestFormUnderRules lets a link climb nine directories under each rule set, and to paths with
// empty and dotted components.
func TestFormUnderRules(t *testing.T) {
	for _, rules := range []resolve.Rules{resolve.WHATWG, resolve.RFC3986,
		resolve.RFC2396, resolve.Draft02, resolve.Draft00e} {
		for _, form := range []move.Form{move.RootRelative, move.Relative} {
			s := move.Site{Form: form}
			s.Map.Options.Rules = rules
			s.Include("http://h/")
			for depth := range 10 {
				at := "http://h/" + strings.Repeat("d/", depth)
				p, err := s.Page(at + "p")
				if err != nil {
					t.Fatal(err)
				}
				for _, target := range []string{"http://h/x", "http://h/", "http://h//x",
					"http://h/d/d//x?q=/e/#f", "http://h/.x/..y/z...", at, at + "p?q", at + "p#f"} {
					name := fmt.Sprintf("%v, %v: Link(%q) from %q", rules, form, target, at)
					got := p.Link(target)
					if got == "http://h//x" && form == move.RootRelative && rules >= resolve.RFC2396 {
						continue // "//x" names a host, and "/.//x" keeps its dot (RFC 2396 5.2 step 5)
					}
					if !hasForm(form, got) {
						t.Errorf("%s: got %q, which has another form", name, got)
					}
					if uri := p.URI(got); uri != target {
						t.Errorf("%s: got %q, which leads to %q", name, got, uri)
					}
				}
			}
		}
	}
}

// A reference in the form of another one.
func TestLike(t *testing.T) {
	for _, tt := range []struct{ at, ref, uri, want string }{
		{"http://h/a/p", "x", "http://h/a/q", "q"},
		{"http://h/a/p", "../x", "http://h/q", "../q"},
		{"http://h/a/p", " x ", "http://h/q", "../q"},
		{"http://h/a/p", "?x", "http://h/a/q", "q"},
		{"http://h/a/p", "", "http://h/a/q", "q"},
		{"http://h/a/p", "x", "http://g/q", "http://g/q"},
		{"http://h/a/p", "/x", "http://h/b/q?r#s", "/b/q?r#s"},
		{"http://h/a/p", `\x`, "http://h/b/q", "/b/q"},
		{"http://h/a/p", "/x", "http://h//q", "/.//q"},
		{"http://h/a/p", "/x", "https://h/q", "https://h/q"},
		{"http://h/a/p", "//h/x", "http://h/q", "//h/q"},
		{"http://h/a/p", "//h/x", "http://g/q", "//g/q"},
		{"http://h/a/p", "//h/x", "https://h/q", "https://h/q"},
		{"http://h/a/p", `/\h/x`, "http://g/q", "//g/q"},
		{"http://h/a/p", "//h/x", "mailto:a", "mailto:a"},
		{"http://h/a/p", "http://h/x", "http://h/a/q", "http://h/a/q"},
		{"http://h/a/p", "http:x", "http://h/a/q", "http://h/a/q"},
	} {
		var s move.Site
		p, err := s.At(tt.at)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Like(tt.ref, tt.uri); got != tt.want {
			t.Errorf("Like(%q, %q) at %s: got %q, want %q", tt.ref, tt.uri, tt.at, got, tt.want)
		}
	}
	if _, err := new(move.Site).At("x"); err == nil {
		t.Error("At of a relative URI has no error")
	}
}
