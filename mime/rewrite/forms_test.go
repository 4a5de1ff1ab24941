package rewrite_test

import (
	"fmt"
	"strings"
	"testing"

	"absolink/base"
	"absolink/extract"
	"absolink/mime/document"
	"absolink/mime/rewrite"
	"absolink/resolve/move"
)

// Links to the page itself are written as fragments in each relative form, and verified as such.
func TestLinksToThePage(t *testing.T) {
	const page = "http://old.test/d/p.html"
	for _, form := range []move.Form{move.Relative, move.RootRelative, move.AsWritten, move.Absolute} {
		for _, base := range []string{"", "<base href=http://old.test/e/>"} {
			for _, drop := range []extract.BaseElement{extract.KeepBase, extract.DropBase} {
				site := addRule(t, &move.Site{Form: form}, "http://old.test/", "http://new.test/n/")
				r := &rewrite.Rewriter{Site: site, Resolver: extract.Resolver{BaseElement: drop}}
				text := base + "<a href='" + page + "#f'><a href='#g'><a href='" + page + "'><a href=''><a href='q#f'>"
				p := planAt(t, r, text, page)
				out := result(t, r, p)
				for _, problem := range p.Problems {
					t.Errorf("%v, %s: problem %v", form, base, problem)
				}
				if strings.Contains(out, "old.test") {
					t.Errorf("%v: %s became %s, which has an old address", form, text, out)
				}
			}
		}
	}
}

// The policy of the Resolver counts for the layers of a message, unless the options have another.
func TestPolicyOfOptions(t *testing.T) {
	const text = "Content-Type: text/html\nContent-Base: http://b.test/\n\n<a href=x>\n"
	forced := func(uri string) base.Policy { return base.Policy{Force: uri} }
	for _, own := range []string{"", "http://o.test/"} {
		for _, resolver := range []string{"", "http://r.test/"} {
			r := &rewrite.Rewriter{Resolver: extract.Resolver{Policy: forced(resolver)}}
			if own != "" {
				policy := forced(own)
				r.Options.Policy = &policy
			}
			p := plan(t, r, text)
			want := "http://b.test/"
			if resolver != "" {
				want = resolver
			}
			if got := result(t, r, p); !strings.Contains(got, fmt.Sprintf("<a href=%sx>", want)) {
				t.Errorf("options %q, Resolver %q: got %q, want a link below %s", own, resolver, got, want)
			}
		}
	}
}

// An attached patch is known by its name, in any case of letters.
func TestNamesOfPatches(t *testing.T) {
	for name, stays := range map[string]string{"x.patch": "patch:1", "x.diff": "patch:1", "X.PATCH": "patch:1",
		"Fix.Diff": "patch:1", " x.patch ": "patch:1", "x.txt": "", "patch": "", "x.patch.txt": "", "xpatch": ""} {
		text := "Content-Type: text/plain\nContent-Disposition: inline; filename=\"" + name + "\"\n\n" +
			"http://old.test/x\n"
		r := &rewrite.Rewriter{Site: textSite(t)}
		p := plan(t, r, text)
		if got := staysOf(p); got != stays {
			t.Errorf("%q: stays %q, want %q", name, got, stays)
		}
		result(t, r, p)
	}
}

// The links of a page without a URI of its own become absolute in every form, if a rule moves them.
func TestFormsWithoutURI(t *testing.T) {
	for _, form := range []move.Form{move.Absolute, move.RootRelative, move.Relative, move.Disk, move.AsWritten} {
		site := addRule(t, &move.Site{Form: form}, "http://old.test/", "http://new.test/")
		site.File = func(string) string { return "" }
		r := &rewrite.Rewriter{Site: site}
		p, err := r.Plan(source(`<a href="http://old.test/x"><a href="y"><a href="http://other.test/">`), nil)
		if err != nil {
			t.Fatal(err)
		}
		want := `<a href="http://new.test/x"><a href="y"><a href="http://other.test/">`
		if got := result(t, r, p); got != want {
			t.Errorf("%v: got %s, want %s", form, got, want)
		}
	}
}

// A page that Locate gives with the form Absolute has absolute links, whatever the form of the
// site.
func TestAbsolutePages(t *testing.T) {
	for _, form := range []move.Form{move.Absolute, move.RootRelative, move.Relative} {
		site := addRule(t, &move.Site{Form: form}, "http://old.test/", "http://new.test/")
		locate := func(*document.Document) (*move.Page, error) {
			page, err := site.Page("http://old.test/d/p")
			if err == nil {
				page.Form = move.Absolute
			}
			return page, err
		}
		r := &rewrite.Rewriter{Site: site, Locate: locate}
		p := planAt(t, r, `<a href="x"><a href="http://old.test/y">`, "http://old.test/d/p")
		want := `<a href="http://new.test/d/x"><a href="http://new.test/y">`
		if got := result(t, r, p); got != want {
			t.Errorf("%v: got %s, want %s", form, got, want)
		}
	}
}
