package resolve

import (
	"slices"
	"strings"
	"testing"
)

func TestPlain(t *testing.T) {
	const base = "http://h.example/dir/page?q#f"
	tests := []struct {
		base, ref, prefix string
		form              Form
		ok                bool
	}{
		{base, "x/y.html?a=b&c#d", "http://h.example/dir/", Relative, true},
		{base, "/", "http://h.example", Relative, true},
		{base, "//a.example/x", "http:", Relative, true},
		{base, "/x/y?z", "http://h.example", Relative, true},
		{base, "?x", "http://h.example/dir/page", Relative, true},
		{base, "#x", "http://h.example/dir/page?q", SameDocument, true},
		{base, "https://www.a.example/x?y=%C3%A4#z", "", Absolute, true},
		{base, "mailto:a@b.example?subject=c", "", Absolute, true},
		{base, "data:image/png;base64,a//b+c==", "", Absolute, true},
		{"", "http://a.example/", "", Absolute, true},

		{"", "x", "", Relative, false},
		{"mailto:a", "#x", "", SameDocument, false},
		{"file:///x", "y", "", Relative, false},
		{"http://u@h/", "x", "", Relative, false},
		{"http://localhost/", "/x", "", Relative, false},
		{"http://h.example/a%0Db/c", "x", "", Relative, false},
		{base, "", "", Relative, false},
		{base, "//a.example", "", Relative, false},
		{base, "///a.example/", "", Relative, false},
		{base, "/\\a.example/", "", Relative, false},
		{base, "../x", "", Relative, false},
		{base, "x/./y", "", Relative, false},
		{base, "x/%2e%2E/y", "", Relative, false},
		{base, "x y", "", Relative, false},
		{base, "ä", "", Relative, false},
		{base, "x\\y", "", Relative, false},
		{base, "x%0Dy", "", Relative, false},
		{base, "x%7fy", "", Relative, false},
		{base, "x%zz", "", Relative, false},
		{base, "?it's", "", Relative, false},
		{base, "http:x", "", Absolute, false},
		{base, "https://a.example", "", Absolute, false},
		{base, "https://A.example/", "", Absolute, false},
		{base, "https://a.example:8080/", "", Absolute, false},
		{base, "https://u@a.example/", "", Absolute, false},
		{base, "https://1.2.3.4/", "", Absolute, false},
		{base, "https://a.0x1f/", "", Absolute, false},
		{base, "https://localhost/", "", Absolute, false},
		{base, "https://xn--a/", "", Absolute, false},
		{base, "javascript:x", "", Absolute, false},
		{base, "Data:x", "", Absolute, false},
		{base, "1:2", "", Absolute, false},
	}
	for _, tt := range tests {
		b, err := NewBase(tt.base, Options{})
		if err != nil {
			t.Fatal(err)
		}
		prefix, form, ok := b.Plain([]byte(tt.ref))
		if ok != tt.ok || ok && (prefix != tt.prefix || form != tt.form) {
			t.Errorf("base %q: Plain(%q) = %q, %d, %v, want %q, %d, %v", tt.base, tt.ref, prefix, form, ok, tt.prefix, tt.form, tt.ok)
		}
	}
}

// samePlain holds Plain against what it stands for.
func samePlain(t *testing.T, base, ref string) {
	t.Helper()
	b, err := NewBase(base, Options{Document: "http://doc.example/"})
	if err != nil {
		return
	}
	prefix, form, ok := b.Plain([]byte(ref))
	if !ok {
		return
	}
	if got := b.Form([]byte(ref)); got != form {
		t.Errorf("base %q: Plain(%q) says form %d, Form %d", base, ref, form, got)
	}
	uri, err := b.Append(nil, []byte(ref))
	if string(uri) != prefix+ref || err != nil {
		t.Errorf("base %q: Plain(%q) stands for %q, Append gives %q, %v", base, ref, prefix+ref, uri, err)
	}
	list := b.AppendWarnings(nil, []byte(ref), uri)
	if len(list) > 0 && !(strings.HasPrefix(ref, "//") && slices.Equal(list, []string{"host-change"})) {
		t.Errorf("base %q: Plain(%q) is true, and there are warnings: %q", base, ref, list)
	}
}

// plainRefs are seeds that are plain, or nearly.
var plainRefs = []string{
	"http://a.example/x?y#z", "https://a.local/", "http://a.b-/", "http://-a/x", "http://a..b/", "http://a_b/%2e", "http://xn--a.b/", "http://a/..",
	"a/%2E", "a%2e%2e/b", "?%1f", "#%7F", "x.%2e", "a.b:c", "ws:x", "WS:x", "x-y:z?'", "tel:+1#^", "vbscript:x", "x:/../y", "x:y/../z", "x:?#",
}

func TestPlainIsTrue(t *testing.T) {
	for _, base := range fastBases {
		for _, ref := range append(plainRefs, fastRefs...) {
			samePlain(t, base, ref)
		}
	}
}

func FuzzPlain(f *testing.F) {
	for i, ref := range append(plainRefs, fastRefs...) {
		f.Add(fastBases[i%len(fastBases)], ref)
	}
	f.Fuzz(func(t *testing.T, base, ref string) {
		samePlain(t, base, ref)
		samePlain(t, "http://h.example/b/c/d;p?q", ref)
	})
}
