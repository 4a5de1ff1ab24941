package resolve

import "testing"

func TestRelative(t *testing.T) {
	const base = "http://a/b/c/d;p?q"
	for _, c := range []struct {
		name      string
		rules     Rules
		o         RelativeOptions
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
		{name: "parent forbidden", o: RelativeOptions{NoParent: true}, base: base, uri: "http://a/b/", want: "/b/"},
		{name: "uncle", base: "http://a/long/c/d", uri: "http://a/long/g", want: "../g"},
		{name: "root", base: base, uri: "http://a/", want: "/"},
		{name: "absolute path is shorter", base: base, uri: "http://a/g", want: "/g"},
		{name: "absolute path forbidden", o: RelativeOptions{NoAbsolutePath: true}, base: base, uri: "http://a/g", want: "../../g"},
		{name: "absolute path forbidden, root", o: RelativeOptions{NoAbsolutePath: true}, base: base, uri: "http://a/", want: "../.."},
		{name: "absolute path forbidden, host", o: RelativeOptions{NoAbsolutePath: true}, base: base, uri: "http://g/x", want: "http://g/x"},
		{name: "empty forbidden", o: RelativeOptions{NoEmpty: true}, base: "http://a/b/c", uri: "http://a/b/c", want: "c"},
		{name: "empty forbidden, directory", o: RelativeOptions{NoEmpty: true}, base: "http://a/b/", uri: "http://a/b/", want: "."},
		{name: "empty forbidden, query", o: RelativeOptions{NoEmpty: true}, base: base, uri: base, want: "?q"},
		{name: "host", base: base, uri: "http://g/x", want: "//g/x"},
		{name: "host forbidden", o: RelativeOptions{NoNetworkPath: true}, base: base, uri: "http://g/x", want: "http://g/x"},
		{name: "scheme", base: base, uri: "https://a/b/c/g", want: "https://a/b/c/g"},
		{name: "colon in the first segment", base: base, uri: "http://a/b/c/x:y", want: "./x:y"},
		{name: "empty segment", base: base, uri: "http://a/b/c//g", want: ".//g"},
		{name: "two slashes at the root", base: "http://a/b", uri: "http://a//g", want: ".//g"},
		{name: "no base", uri: "http://a/b", want: "http://a/b"},
		{name: "current document", rules: RFC2396, base: base, uri: base, want: "d;p?q"},
		{name: "opaque", base: "mailto:a@b", uri: "mailto:a@b#x", want: "#x"},
		{name: "not normal", base: base, uri: "HTTP://A:80/b/c/./g", want: "g"},
		{name: "from a file", base: "file:///a/b/c", uri: "file:///a/d", want: "../d"},
		{name: "drive letter", base: "file:///C:/a", uri: "file:///D:/a", want: "/D:/a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, err := NewBase(c.base, Options{Rules: c.rules})
			if err != nil {
				t.Fatal(err)
			}
			got, err := b.Relative(c.uri, c.o)
			if err != nil || got != c.want {
				t.Errorf("%s, base %q: Relative(%q) = %q, %v, want %q", c.rules, c.base, c.uri, got, err, c.want)
			}
		})
	}
}

// TestRelativeSuites: what other implementations give is never shorter, and resolves
// to the same.
func TestRelativeSuites(t *testing.T) {
	n := 0
	for _, name := range []string{"4suite-uri", "ruby-uri"} {
		var suite struct{ Cases []suiteCase }
		load(t, corpus(t, "uri/"+name+".json"), &suite)
		for _, c := range suite.Cases {
			if c.Op != "relativize" {
				continue
			}
			n++
			b, err := NewBase(c.Base, Options{Rules: RFC3986})
			if err != nil {
				t.Fatal(err)
			}
			got, err := b.Relative(c.Target, RelativeOptions{})
			if err != nil || len(got) > len(c.Expected) {
				t.Errorf("base %q: Relative(%q) = %q, %v, suite %q", c.Base, c.Target, got, err, c.Expected)
			}
			if back, err := b.Resolve(got); err != nil || back != c.Target {
				t.Errorf("base %q: Relative(%q) = %q, which resolves to %q, %v", c.Base, c.Target, got, back, err)
			}
		}
	}
	if n < 50 {
		t.Errorf("%d cases, want 50", n)
	}
}

func FuzzRelative(f *testing.F) {
	for i, ref := range fastRefs {
		f.Add(fastBases[i%len(fastBases)], ref, uint8(i))
	}
	f.Fuzz(func(t *testing.T, base, ref string, o uint8) {
		rules := Rules(o % 5)
		b, err := NewBase(base, Options{Rules: rules, Bare: o&8 != 0, Document: "http://doc.example/"})
		if err != nil {
			return
		}
		uri, err := b.Resolve(ref)
		if err != nil {
			return
		}
		want, err := b.Resolve(uri)
		if err != nil {
			return // a result of RFC rules need not be absolute under them again
		}
		got, err := b.Relative(uri, RelativeOptions{NoNetworkPath: o&16 != 0, NoParent: o&32 != 0, NoAbsolutePath: o&64 != 0, NoEmpty: o&128 != 0})
		if err != nil {
			t.Fatalf("%s, base %q: Relative(%q): %v", rules, base, uri, err)
		}
		if back, err := b.Resolve(got); err != nil || back != want && got != want {
			t.Errorf("%s, base %q: Relative(%q) = %q, which resolves to %q, %v, want %q", rules, base, uri, got, back, err, want)
		}
		if len(got) > len(want) {
			t.Errorf("%s, base %q: Relative(%q) = %q is longer", rules, base, uri, got)
		}
	})
}
