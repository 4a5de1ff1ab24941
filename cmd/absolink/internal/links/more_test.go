package links_test

import (
	"fmt"
	"net/url"
	"slices"
	"testing"

	"github.com/spf13/cobra"

	"absolink/base"
	"absolink/cmd/absolink/internal/links"
	"absolink/extract"
	"absolink/mime/document"
)

// flagsForBase returns the result of FlagsForBase for a page, which is read with the given options.
func flagsForBase(t *testing.T, uri, page string, read extract.Options) (flags []string, at extract.Span) {
	t.Helper()
	return flagsWithOptions(t, new(links.Options), uri, page, read)
}

// flagsWithOptions is flagsForBase for a Finder with the options o.
func flagsWithOptions(t *testing.T, o *links.Options, uri, page string, read extract.Options) (flags []string,
	at extract.Span) {
	t.Helper()
	c := new(cobra.Command)
	o.RegisterLinkFlags(c)
	var layer *base.Layer
	if uri != "" {
		layer = &base.Layer{Source: base.URL, Value: uri}
	}
	var docs document.Set
	s := &document.Source{Format: extract.HTML, Data: []byte(page), Size: int64(len(page))}
	if err := docs.Open(s, layer, document.Options{Read: read}); err != nil {
		t.Fatal(err)
	}
	for d := range docs.All() {
		flags, at = links.NewFinder(o).FlagsForBase(d, uri)
	}
	return flags, at
}

func TestFlagsForBase(t *testing.T) {
	const head = `<base href="/d/"><a href=y>`
	const script, lazy, comment = `<script>f("api/x.json")</script>`, `<img data-src=b.png>`, `<!-- <a href=c> -->`
	for _, tt := range []struct {
		page string
		read extract.Options
		want []string
		at   string // the first link
	}{
		{head, extract.Options{}, nil, ""},
		{head + script, extract.Options{}, []string{"--scripts"}, "api/x.json"},
		{head + script, extract.Options{Scripts: true}, nil, ""},
		{head + lazy, extract.Options{}, []string{"--lazy"}, "b.png"},
		{head + comment, extract.Options{}, []string{"--comments"}, "c"},
		{head + script + lazy + comment, extract.Options{},
			[]string{"--lazy", "--scripts", "--comments"}, "api/x.json"},
		{head + comment + lazy + script, extract.Options{Lazy: true}, []string{"--scripts", "--comments"}, "c"},
		{`<a href=y>` + script + lazy + comment, extract.Options{}, nil, ""}, // no BASE
		{`<base target=a>` + script, extract.Options{}, nil, ""},
	} {
		flags, at := flagsForBase(t, "http://h.test/p/q.html", tt.page, tt.read)
		if got := tt.page[at.Start:at.End]; !slices.Equal(flags, tt.want) || got != tt.at {
			t.Errorf("FlagsForBase(%q, %+v) = %q at %q, want %q at %q",
				tt.page, tt.read, flags, got, tt.want, tt.at)
		}
	}
}

// If the URI of the page is unknown, nothing but the BASE gives a base.
func TestFlagsForBaseAlone(t *testing.T) {
	flags, _ := flagsForBase(t, "", `<base href=http://h.test/><script>f("api/x.json")</script>`, extract.Options{})
	if !slices.Equal(flags, []string{"--scripts"}) {
		t.Errorf("FlagsForBase = %q, want --scripts", flags)
	}
}

// If a base is forced, or BASE is not trusted, no link has its base from a BASE.
func TestFlagsForOtherBase(t *testing.T) {
	for _, policy := range []base.Policy{{Force: "http://f.test/"}, {Trust: base.TrustNone}} {
		o := new(links.Options)
		o.Bases.Policy = policy
		for _, uri := range []string{"", "http://h.test/p"} {
			page := `<base href=/d/><script>f("api/x.json")</script>`
			if flags, _ := flagsWithOptions(t, o, uri, page, extract.Options{}); len(flags) > 0 {
				t.Errorf("with %+v, FlagsForBase at %q = %q, want none", policy, uri, flags)
			}
		}
	}
}

// parse resolves ref against around.
func parse(t *testing.T, around *url.URL, ref string) *url.URL {
	t.Helper()
	u, err := around.Parse(ref)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// A flag is needed exactly if the link resolves to different URIs with and without the BASE.
func TestFlagsForBaseNeeded(t *testing.T) {
	for _, uri := range []string{"http://h.test/", "http://h.test/p", "http://h.test/d/p", "http://h.test/d/e/p"} {
		for _, b := range []string{"", ".", "/", "/d/", "/d/x.html", "e/", "../", "//o.test/", "http://h.test/d/e/"} {
			for _, ref := range []string{"a/x.json", "./x.json", "../x.json", "../../d/x.json", "/x.json",
				"//h.test/x.json", "http://h.test/x.json"} {
				page := parse(t, new(url.URL), uri)
				with := parse(t, parse(t, page, b), ref)
				without := parse(t, page, ref)
				text := fmt.Sprintf(`<base href="%s"><script>f(%q)</script>`, b, ref)
				flags, _ := flagsForBase(t, uri, text, extract.Options{})
				if got, want := len(flags) > 0, with.String() != without.String(); got != want {
					t.Errorf("FlagsForBase(%q) in %s = %q, but %q resolves to %v and %v",
						text, uri, flags, ref, with, without)
				}
			}
		}
	}
}
