package resolve

import (
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"absolink/testdata/corpus"
	"absolink/testdata/effort"
)

func TestRelative(t *testing.T) {
	const base = "http://a/b/c/d;p?q"
	for _, c := range []struct {
		name      string
		rules     Rules
		o         Options
		base, uri string
		want      string
	}{
		{name: "the base", base: base, uri: base, want: ""},
		{name: "fragment", base: base, uri: base + "#s", want: "#s"},
		{name: "empty fragment", rules: RFC3986, base: base, uri: base + "#", want: "#"},
		{name: "query", base: base, uri: "http://a/b/c/d;p?y", want: "?y"},
		{name: "query, RFC 2396", rules: RFC2396, base: base, uri: "http://a/b/c/d;p?y", want: "d;p?y"},
		{name: "query of the directory, RFC 2396", rules: RFC2396, base: base, uri: "http://a/b/c/?y", want: "?y"},
		{name: "no query", base: base, uri: "http://a/b/c/d;p", want: "d;p"},
		{name: "parameters, draft-00e", rules: Draft00e, base: base, uri: "http://a/b/c/d;x", want: ";x"},
		{name: "sibling", base: base, uri: "http://a/b/c/g", want: "g"},
		{name: "directory", base: base, uri: "http://a/b/c/", want: "."},
		{name: "parent", base: base, uri: "http://a/b/", want: ".."},
		{name: "parent forbidden", o: Options{NoParent: true}, base: base, uri: "http://a/b/", want: "/b/"},
		{name: "uncle", base: "http://a/long/c/d", uri: "http://a/long/g", want: "../g"},
		{name: "root", base: base, uri: "http://a/", want: "/"},
		{name: "absolute path is shorter", base: base, uri: "http://a/g", want: "/g"},
		{name: "absolute path forbidden", o: Options{NoAbsolutePath: true},
			base: base, uri: "http://a/g", want: "../../g"},
		{name: "absolute path forbidden, root", o: Options{NoAbsolutePath: true},
			base: base, uri: "http://a/", want: "../.."},
		{name: "absolute path forbidden, host", o: Options{NoAbsolutePath: true},
			base: base, uri: "http://g/x", want: "http://g/x"},
		{name: "empty forbidden", o: Options{NoEmpty: true}, base: "http://a/b/c", uri: "http://a/b/c", want: "c"},
		{name: "empty forbidden, directory", o: Options{NoEmpty: true},
			base: "http://a/b/", uri: "http://a/b/", want: "."},
		{name: "empty forbidden, query", o: Options{NoEmpty: true}, base: base, uri: base, want: "?q"},
		{name: "host", base: base, uri: "http://g/x", want: "//g/x"},
		{name: "host forbidden", o: Options{NoNetworkPath: true}, base: base, uri: "http://g/x", want: "http://g/x"},
		{name: "scheme", base: base, uri: "https://a/b/c/g", want: "https://a/b/c/g"},
		{name: "colon in the first segment", base: base, uri: "http://a/b/c/x:y", want: "./x:y"},
		{name: "empty segment", base: base, uri: "http://a/b/c//g", want: ".//g"},
		{name: "two slashes at the root", base: "http://a/b", uri: "http://a//g", want: ".//g"},
		{name: "no base, the document", rules: RFC2396, uri: "http://doc.example/#s", want: "#s"},
		{name: "no base", uri: "http://a/b", want: "http://a/b"},
		{name: "current document", rules: RFC2396, base: base, uri: base, want: "d;p?q"},
		{name: "opaque", base: "mailto:a@b", uri: "mailto:a@b#x", want: "#x"},
		{name: "not normal", base: base, uri: "HTTP://A:80/b/c/./g", want: "g"},
		{name: "an absolute URI is shorter", o: Options{NoAbsolutePath: true},
			base: "x://a/b/c/d/e", uri: "x://a/g", want: "x://a/g"},
		{name: "an absolute URI is forbidden", o: Options{NoAbsolutePath: true, NoAbsolute: true},
			base: "x://a/b/c/d/e", uri: "x://a/g", want: "../../../g"},
		{name: "an absolute URI is all there is", o: Options{NoAbsolute: true, NoNetworkPath: true},
			base: base, uri: "http://g/x", want: "http://g/x"},
		{name: "a name is forbidden", o: Options{NoName: true}, base: base, uri: "http://a/b/c/g", want: "./g"},
		{name: "a query alone is forbidden", o: Options{NoName: true, NoAbsolute: true},
			base: "http://a/b/c/d", uri: "http://a/b/c/d?y", want: "./d?y"},
		{name: "from a file", base: "file:///a/b/c", uri: "file:///a/d", want: "../d"},
		{name: "drive letter", base: "file:///C:/a", uri: "file:///D:/a", want: "/D:/a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.o.Rules, c.o.Document = c.rules, "http://doc.example/"
			b, err := NewBase(c.base, c.o)
			if err != nil {
				t.Fatal(err)
			}
			got, err := b.Relative(c.uri)
			if err != nil || got != c.want {
				t.Errorf("%s, base %q: Relative(%q) = %q, %v, want %q", c.rules, c.base, c.uri, got, err, c.want)
			}
		})
	}
}

// TestRelativeSuites: other implementations never give a shorter reference, and their reference
// resolves to the same URI.
func TestRelativeSuites(t *testing.T) {
	n := 0
	names := []string{"ruby-uri"}
	if !corpus.Own() {
		names = append(names, "4suite-uri")
	}
	for _, name := range names {
		var suite struct{ Cases []suiteCase }
		load(t, corpus.Path("uri/"+name+".json"), &suite)
		for _, c := range suite.Cases {
			if c.Op != "relativize" {
				continue
			}
			n++
			b, err := NewBase(c.Base, Options{Rules: RFC3986})
			if err != nil {
				t.Fatal(err)
			}
			got, err := b.Relative(c.Target)
			if err != nil || len(got) > len(c.Expected) {
				t.Errorf("base %q: Relative(%q) = %q, %v, suite %q", c.Base, c.Target, got, err, c.Expected)
			}
			if back, err := b.Resolve(got); err != nil || back != c.Target {
				t.Errorf("base %q: Relative(%q) = %q, which resolves to %q, %v", c.Base, c.Target, got, back, err)
			}
		}
	}
	if least := corpus.Least(50, 25); n < least {
		t.Errorf("%d cases, want %d", n, least)
	}
}

// bruteRelative is the length of the shortest reference that the contract promises. It tries every
// beginning in the contract with every ending of uri.
func bruteRelative(b *Base, uri string) int {
	starts := []string{"", ".", "./", "/", "//", "/.", "/./"}
	for n := strings.Count(b.String(), "/"); n >= 0; n-- {
		up := strings.Repeat("../", n)
		starts = append(starts, up, up+"..")
	}
	best := len(uri)
	if b.o.NoAbsolute {
		best = math.MaxInt
	}
	for i := 0; i <= len(uri); i++ {
		for _, start := range starts {
			ref := start + uri[i:]
			whole := ref == uri // allowed at the start, or if no other reference leads there
			network := strings.HasPrefix(ref, "//") && i != strings.IndexByte(uri, ':')+1
			if len(ref) >= best || whole || bruteForbids(b.o, ref) || network || isEmpty00e(b.o.Rules, ref) {
				continue
			}
			if got, err := b.Resolve(ref); err == nil && got == uri {
				best = len(ref)
			}
		}
	}
	if best == math.MaxInt {
		return len(uri)
	}
	return best
}

// isEmpty00e reports whether ref consists only of empty components that draft-00e drops.
func isEmpty00e(rules Rules, ref string) bool {
	return rules == Draft00e && ref != "" && strings.Contains(";?#", ref)
}

// parents are ".." segments as the rule sets see them in a reference.
var parents = map[Rules]*regexp.Regexp{
	WHATWG:   regexp.MustCompile(`^([^?#]*/)?\.\.([/?#]|$)`),
	RFC3986:  regexp.MustCompile(`^([^?#]*/)?\.\.([/?#]|$)`),
	RFC2396:  regexp.MustCompile(`^([^?#]*/)?\.\.([/?#]|$)`),
	Draft02:  regexp.MustCompile(`^([^#]*/)?\.\.([/#]|$)`),
	Draft00e: regexp.MustCompile(`^([^?#]*[/;])?\.\.([/;?#]|$)`),
}

// pathFirst is the start of a reference that is not a name.
var pathFirst = regexp.MustCompile(`^(\.?\.?/)`)

func bruteForbids(o Options, ref string) bool {
	if o.NoName && !pathFirst.MatchString(ref) {
		return true
	}
	return o.NoNetworkPath && strings.HasPrefix(ref, "//") || o.NoAbsolutePath && strings.HasPrefix(ref, "/") ||
		o.NoEmpty && ref == "" || o.NoParent && parents[o.Rules].MatchString(ref)
}

// forbid sets the options of Relative whose bits are set.
func (o *Options) forbid(bits uint8) {
	o.NoNetworkPath = bits&1 != 0
	o.NoParent = bits&2 != 0
	o.NoAbsolutePath = bits&4 != 0
	o.NoEmpty = bits&8 != 0
	o.NoAbsolute = bits&16 != 0
	o.NoName = bits&32 != 0
}

// checkRelative checks the contract of Relative for the resolved ref.
func checkRelative(t testing.TB, base, ref string, o Options) {
	t.Helper()
	b, err := NewBase(base, o)
	if err != nil {
		return
	}
	strict := o
	strict.CompatScheme = false
	s, err := NewBase(base, strict)
	if err != nil {
		t.Fatal(err)
	}
	uri, err := s.Resolve(ref)
	if err != nil {
		return
	}
	want, err := s.Resolve(uri)
	if err != nil {
		return // a result of RFC rules need not be absolute when it is resolved again
	}
	got, err := b.Relative(uri)
	if err != nil {
		if back, _ := b.Resolve(want); back == want || !o.CompatScheme {
			t.Errorf("%+v, base %q: Relative(%q): %v", o, base, uri, err)
		}
		return
	}
	if back, err := b.Resolve(got); err != nil || back != want {
		t.Errorf("%+v, base %q: Relative(%q) = %q, which resolves to %q, %v, want %q",
			o, base, uri, got, back, err, want)
	}
	if got != want && bruteForbids(o, got) {
		t.Errorf("%+v, base %q: Relative(%q) = %q", o, base, uri, got)
	}
	if least := bruteRelative(b, want); len(got) != least {
		t.Errorf("%+v, base %q: Relative(%q) = %q, the shortest has %d bytes", o, base, uri, got, least)
	}
}

// TestRelativeContract uses bases and references whose components are empty, dotted or equal.
func TestRelativeContract(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(2396, 3986))}
	schemes := []string{"http:", "https:", "file:", "foo:", "foo:", "HTTP:"}
	authorities := []string{"", "", "//", "//h", "//h", "//u@h:1"}
	segments := []string{"", "/", "/", "/a", "/a", "/b", "/.", "/..",
		"//", "/C:", "a", "b", ".", "..", "a:b", ";p", "/;p", "/x;p"}
	tails := []string{"", "", "", "?", "?q", "?q/../r", "#", "#f", "?q#f"}
	path := func() string {
		s := ""
		for n := g.IntN(5); n > 0; n-- {
			s += g.one(segments)
		}
		return s
	}
	for range effort.Pick(6000, 1000) {
		base := g.one(schemes) + g.one(authorities) + path() + g.one(tails)
		ref := path() + g.one(tails)
		switch g.IntN(3) {
		case 0:
			ref = base[:strings.IndexByte(base, ':')+1] + g.one(authorities) + ref
		case 1:
			ref = base[:g.IntN(len(base)+1)] + ref
		}
		o := Options{Rules: Rules(g.IntN(5)), Bare: g.IntN(4) == 0,
			CompatScheme: g.IntN(4) == 0, Document: "http://doc.example/"}
		if g.IntN(2) == 0 {
			o.forbid(uint8(g.IntN(64)))
		}
		checkRelative(t, base, ref, o)
	}
}

func FuzzRelative(f *testing.F) {
	for i, ref := range fastRefs {
		f.Add(fastBases[i%len(fastBases)], ref, uint16(i))
	}
	f.Add("", "#s", uint16(Draft02))
	f.Fuzz(func(t *testing.T, base, ref string, bits uint16) {
		if len(base)+len(ref) > 80 {
			return // the oracle takes cubic time in its length
		}
		o := Options{Rules: Rules(bits % 5), Bare: bits&8 != 0,
			CompatScheme: bits&1024 != 0, Document: "http://doc.example/"}
		o.forbid(uint8(bits >> 4))
		checkRelative(t, base, ref, o)
	})
}
