package resolve

import (
	"slices"
	"strings"
	"testing"
)

func TestPlain(t *testing.T) {
	const base = "http://h.example/dir/page?q#f"
	tests := []struct {
		base, ref string
		want      Plain
		ok        bool
	}{
		{base, "x/y.html?a=b&c#d", Plain{Prefix: "http://h.example/dir/"}, true},
		{base, "/", Plain{Prefix: "http://h.example"}, true},
		{base, "//a.example/x", Plain{Prefix: "http:", Warning: "host-change"}, true},
		{base, "//a.example", Plain{Prefix: "http:", Suffix: "/", Warning: "host-change"}, true},
		{base, "/x/y?z", Plain{Prefix: "http://h.example"}, true},
		{base, "?x", Plain{Prefix: "http://h.example/dir/page"}, true},
		{base, "#x", Plain{Prefix: "http://h.example/dir/page?q", Form: SameDocument}, true},
		{base, "https://www.a.example/x?y=%C3%A4#z", Plain{Form: Absolute}, true},
		{base, "https://a.example", Plain{Form: Absolute, Suffix: "/"}, true},
		{base, "https://intranet/x", Plain{Form: Absolute}, true},
		{base, "mailto:a@b.example?subject=c", Plain{Form: Absolute}, true},
		{base, "data:image/png;base64,a//b+c==", Plain{Form: Absolute}, true},
		{base, "javascript:void(0);", Plain{Form: Absolute, Warning: "script"}, true},
		{"", "http://a.example/", Plain{Form: Absolute}, true},
		{"", "javascript:;", Plain{Form: Absolute, Warning: "script"}, true},

		{"", "x", Plain{}, false},
		{"mailto:a", "#x", Plain{}, false},
		{"file:///x", "y", Plain{}, false},
		{"http://u@h/", "x", Plain{}, false},
		{"http://localhost/", "/x", Plain{}, false},
		{"http://h.example/a%0Db/c", "x", Plain{}, false},
		{base, "", Plain{}, false},
		{base, "//", Plain{}, false},
		{base, "///a.example/", Plain{}, false},
		{base, "/\\a.example/", Plain{}, false},
		{base, "../x", Plain{Prefix: "http://h.example/", Skip: len("../")}, true},
		{base, "./../x/?y", Plain{Prefix: "http://h.example/", Skip: len("./../")}, true},
		{base, "./", Plain{Prefix: "http://h.example/dir/", Skip: len("./")}, true},
		{base, "..", Plain{}, false},
		{base, "../../x", Plain{}, false},
		{base, "./.x", Plain{}, false},
		{base, "x/./y", Plain{}, false},
		{base, "x/%2e%2E/y", Plain{}, false},
		{base, "x y", Plain{}, false},
		{base, "ä", Plain{}, false},
		{base, "x\\y", Plain{}, false},
		{base, "x%0Dy", Plain{}, false},
		{base, "x%7fy", Plain{}, false},
		{base, "x%zz", Plain{}, false},
		{base, "?it's", Plain{}, false},
		{base, "http:x", Plain{}, false},
		{base, "https://A.example/", Plain{}, false},
		{base, "https://a.example:8080/", Plain{}, false},
		{base, "https://a.example?x", Plain{}, false},
		{base, "https://u@a.example/", Plain{}, false},
		{base, "https://1.2.3.4/", Plain{}, false},
		{base, "https://a.0x1f/", Plain{}, false},
		{base, "https://localhost/", Plain{}, false},
		{base, "https://localhost", Plain{}, false},
		{base, "https://xn--a/", Plain{}, false},
		{base, "javascript:it's", Plain{}, false},
		{base, "Javascript:x", Plain{}, false},
		{base, "Data:x", Plain{}, false},
		{base, "1x:2", Plain{Prefix: "http://h.example/dir/"}, true},
		{base, "-x:2", Plain{Prefix: "http://h.example/dir/"}, true},
	}
	for _, tt := range tests {
		b, err := NewBase(tt.base, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, ok := b.Plain([]byte(tt.ref))
		if !tt.ok {
			tt.want.Form = b.Form([]byte(tt.ref)) // only the form is set
		}
		if ok != tt.ok || got != tt.want {
			t.Errorf("base %q: Plain(%q) = %+v, %v, want %+v, %v", tt.base, tt.ref, got, ok, tt.want, tt.ok)
		}
	}
}

// TestPlainUnderRFCs: plain references also save most of the work under the RFC rule sets, so the
// test checks which references are plain there.
func TestPlainUnderRFCs(t *testing.T) {
	for _, tt := range []struct {
		ref  string
		want string // rule sets under which ref is plain
	}{
		{"g", "rfc3986 rfc2396 draft-02 draft-00e"},
		{"g;x=1?y#s", "rfc3986 rfc2396 draft-02 draft-00e"},
		{"./../g/", "rfc3986 rfc2396 draft-02 draft-00e"},
		{"/g", "rfc3986 rfc2396 draft-02 draft-00e"},
		{"//h", "rfc3986 rfc2396 draft-02 draft-00e"},
		{"//H:80/%41", "rfc3986 rfc2396 draft-02 draft-00e"},
		{"HTTP://h/;?#", "rfc3986 rfc2396 draft-02 draft-00e"},
		{"#s", "rfc3986 rfc2396 draft-02 draft-00e"},
		{"?y", "rfc3986 draft-00e"},
		{";x", "rfc3986 rfc2396 draft-02"},
		{"g?", "rfc3986 rfc2396 draft-02"},
		{"g;?y", "rfc3986 rfc2396 draft-02"},
		{"1x:2", "rfc3986 rfc2396 draft-02 draft-00e"},
		{"", ""}, {"//", ""}, {"///g", ""}, {"../../../g", ""}, {"g/./h", ""}, {"g h", ""}, {"%4g", ""}, {"é", ""},
	} {
		var got []string
		for rules := RFC3986; int(rules) < len(rulesNames); rules++ {
			b, err := NewBase("http://a/b/c/d?q", Options{Rules: rules, Document: "http://doc.example/"})
			if err != nil {
				t.Fatal(err)
			}
			if b.plain(new(Plain), tt.ref) {
				got = append(got, rules.String())
			}
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%q is plain under %q, want %q", tt.ref, s, tt.want)
		}
	}
}

// samePlain compares Plain with the functions that it replaces.
func samePlain(t *testing.T, base, ref string) {
	t.Helper()
	b, err := NewBase(base, Options{Document: "http://doc.example/"})
	if err != nil {
		return
	}
	p, ok := b.Plain([]byte(ref))
	if got := b.Form([]byte(ref)); got != p.Form {
		t.Errorf("base %q: Plain(%q) says form %d, Form %d", base, ref, p.Form, got)
	}
	if !ok {
		return
	}
	uri, err := b.Append(nil, []byte(ref))
	if want := p.Prefix + ref[p.Skip:] + p.Suffix; string(uri) != want || err != nil {
		t.Errorf("base %q: Plain(%q) stands for %q, Append gives %q, %v", base, ref, want, uri, err)
	}
	var want []string
	if p.Warning != "" {
		want = []string{p.Warning}
	}
	if got := b.AppendWarnings(nil, []byte(ref), uri); !slices.Equal(got, want) {
		t.Errorf("base %q: Plain(%q) warns of %q, AppendWarnings of %q", base, ref, want, got)
	}
}

// plainRefs are more seeds: references that are plain, or nearly.
var plainRefs = []string{
	"http://a.example/x?y#z", "https://a.local/", "http://a.b-/", "http://-a/x",
	"http://a..b/", "http://a_b/%2e", "http://xn--a.b/", "http://a/..",
	"a/%2E", "a%2e%2e/b", "?%1f", "#%7F", "x.%2e", "a.b:c", "ws:x", "WS:x",
	"x-y:z?'", "tel:+1#^", "vbscript:x", "x:/../y", "x:y/../z", "x:?#",
	"g;?y", "g?#s", "g;x?#s", "//h?#s", "//?", "///?#", "./;x", "../g;?",
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

// plainEscapes reads each escape, wherever it is.
func TestPlainEscapes(t *testing.T) {
	whole := map[string]bool{"": true, "a": true, "/": true, "%41": true, "%20": true, "%ff": true, "%2F": true,
		"%2e": false, "%2E": false, "%00": false, "%1f": false, "%7F": false, "%0a": false}
	for a, okA := range whole {
		for b, okB := range whole {
			for c, okC := range whole {
				if got, want := plainEscapes(a+b+c), okA && okB && okC; got != want {
					t.Errorf("plainEscapes(%q) = %v, want %v", a+b+c, got, want)
				}
			}
			for _, cut := range []string{"%", "%4"} {
				if plainEscapes(a + b + cut) {
					t.Errorf("plainEscapes(%q) = true, want false", a+b+cut)
				}
			}
		}
	}
}

// DefaultPort is the port of each scheme in any case of letters, and -1 for other schemes.
func TestDefaultPorts(t *testing.T) {
	for scheme, want := range map[string]int{"http": 80, "https": 443, "ftp": 21, "gopher": 70, "nntp": 119,
		"telnet": 23, "wais": 210, "prospero": 1525, "ws": 80, "wss": 443, "ldap": 389, "imap": 143, "rtsp": 554} {
		if got := (Ref{Scheme: scheme}).DefaultPort(); got != want {
			t.Errorf("DefaultPort of %s = %d, want %d", scheme, got, want)
		}
	}
	for _, scheme := range []string{"", "htt", "httpss", "mailto", "file"} {
		if got := (Ref{Scheme: scheme}).DefaultPort(); got != -1 {
			t.Errorf("DefaultPort of %q = %d, want -1", scheme, got)
		}
	}
}
