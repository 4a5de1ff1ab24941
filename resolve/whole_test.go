package resolve

import (
	"strings"
	"sync"
	"testing"
	"unsafe"

	"absolink/resolve/internal/component"
	"absolink/testdata/alloc"
)

// fastBases are bases of every shape.
var fastBases = []string{
	"", "http://a/b/c/d;p?q", "http://a", "https://user:pw@h.example:8080/x/y/?q#f", "ftp://h/a//b/../c",
	"file:///C:/dir/file", "file://host/x", "mailto:a@b.example", "foo:a/b", "foo:/a/b", "f:/.//a/b",
	"foo://h", "foo://h?q", "http://a/..//../x", "data:text/plain,x", "urn:a:b", "zz:../x/y", "zz:/../x/y",
	"http://h/%2e%2E/x/./y", "ws://h/x?y#z", "http:///x/y", "foo://h?q@i/x",
}

// fastRefs are references of every shape, seeds of the fuzz targets. The cases with answers of
// engines are generated from them, so add new ones to plainRefs.
var fastRefs = []string{
	"", "g", "./g", "../g", "../../../g", "/g", "//g", "//g?y",
	"?y", "#s", "g?y#s", ";x", "g;x?y", "g;?#", "?", "#", ";",
	"http:g", "http://h", "http://h?x", "http://h#x", "HTTP://H/", "http://h:80/", "http://h:8080", "http://h:08/x",
	"http://1.2.3.4", "http://0x7f.1/", "http://a.b.1/", "http://h./", "http://h/a b", "http://h/%2e/x", "/%2E%2e/x",
	"a/.%2e/b", "a/..?x", "a/.#x", ".//g", "//", "///g", "////g", "x\\y",
	"\\\\h\\x", "http:\\\\h\\x", "a:b", "1:2", "c|/x", "C:/x",
	"javascript:void(0)", "mailto:x@y", "data:,a b ", "foo:a b ?x", "/é", "g?é", "g#é", "\u2028", "a%", "a%zz", "%41",
	"http://é.example/", "http://h@x/", "http://a:b@h:1/",
	"http://[::1]/x", "http://[1::2:0:0:0:3]:99/", "http://h:99999/",
	"g?y/../x", "g?y/./x", "a/../", "a/..", "..", ".", "./", "a//../b", " g ", "\tg\n", "g\th", "\x00g", "\xff/\xfe",
	"f:/a", "http:", "http:/x", "http:///x", "file:x", "file:/x",
	"file://localhost/x", "blob:http://h/", "about:blank#x",
}

func sameAppend(t *testing.T, base, ref string, o Options, slow func(*Base, []byte, string) ([]byte, error)) {
	t.Helper()
	b, err := NewBase(base, o)
	if err != nil {
		return
	}
	want, wantErr := slow(b, []byte("keep"), ref)
	got, err := b.Append([]byte("keep"), []byte(ref))
	if string(got) != string(want) || (err == nil) != (wantErr == nil) {
		t.Errorf("%+v, base %q: Append(%q) = %q, %v; the whole algorithm gives %q, %v",
			o, base, ref, got, err, want, wantErr)
	}
	if !strings.HasPrefix(string(got), "keep") || err != nil && string(got) != "keep" {
		t.Errorf("%+v, base %q: Append(%q) = %q, %v: dst is not kept", o, base, ref, got, err)
	}
}

// sameAll compares the fast paths with the whole algorithms.
func sameAll(t *testing.T, base, ref string) {
	sameAppend(t, base, ref, Options{}, func(b *Base, dst []byte, ref string) ([]byte, error) {
		return b.appendWeb(dst, trimWeb(ref))
	})
	for rules := RFC3986; int(rules) < len(rulesNames); rules++ {
		o := Options{Rules: rules, Document: "http://doc.example/d?q#f"}
		for range 3 {
			sameAppend(t, base, ref, o, func(b *Base, dst []byte, ref string) ([]byte, error) {
				return b.appendRFC(dst, ref, false)
			})
			o.Bare = !o.Bare
			o.ExcessDots++
		}
	}
}

func TestFastPaths(t *testing.T) {
	for _, base := range fastBases {
		for _, ref := range append(plainRefs, fastRefs...) {
			sameAll(t, base, ref)
		}
	}
}

func FuzzFastPaths(f *testing.F) {
	for i, ref := range fastRefs {
		f.Add(fastBases[i%len(fastBases)], ref)
	}
	f.Fuzz(func(t *testing.T, base, ref string) {
		sameAll(t, base, ref)
		sameAll(t, "http://a/b/c/d;p?q", ref)
	})
}

// TestNoAllocation resolves the references of pages, and unusual references without an
// internationalised host.
func TestNoAllocation(t *testing.T) {
	refs := []string{"a b?ä", "../ä", "javascript:x y", "http://H.example:80/", "//u:p@h/x", "http://[::1]/"}
	refs = append(refs, benchRefs(t)...)
	if len(refs) > 2000 {
		refs = refs[:2000]
	}
	for rules := WHATWG; int(rules) < len(rulesNames); rules++ {
		b, err := NewBase(benchBase, Options{Rules: rules, Document: benchBase})
		if err != nil {
			t.Fatal(err)
		}
		dst := make([]byte, 0, 1<<20)
		for _, ref := range refs {
			if hasClass(ref, badDomain) && strings.Contains(ref, "://") && !component.IsASCII(ref) {
				continue
			}
			in := unsafe.Slice(unsafe.StringData(ref), len(ref))
			if n := alloc.PerRun(1, func() { b.Append(dst, in) }); n != 0 {
				t.Errorf("%s: Append(%q) allocates %v times, want 0", rules, ref, n)
			}
		}
	}
}

// TestConcurrentUse is for the race detector.
func TestConcurrentUse(t *testing.T) {
	for rules := WHATWG; int(rules) < len(rulesNames); rules++ {
		b, err := NewBase("http://u@a/b/c/d;p?q", Options{Rules: rules, Document: "http://doc.example/"})
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for _, ref := range fastRefs {
					uri, _ := b.Append(nil, []byte(ref))
					b.AppendWarnings(nil, []byte(ref), uri)
					b.Form([]byte(ref))
				}
			})
		}
		wg.Wait()
	}
}
