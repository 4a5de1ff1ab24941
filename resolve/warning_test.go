package resolve

import (
	"strings"
	"testing"

	"absolink/testdata/alloc"
)

func TestWarnings(t *testing.T) {
	for _, c := range []struct {
		name, base, ref, want string
		rules                 Rules
	}{
		{name: "plain", base: "http://a/b", ref: "c?d#e"},
		{name: "user only", ref: "http://u@h.example/"},
		{name: "password", ref: "http://u:p@h.example/", want: "password"},
		{name: "user like a host", ref: "http://www.bank.example@h.example/", want: "misleading-user"},
		{name: "user like a host with a port",
			ref: "http://bank.example:80@h.example/", want: "password misleading-user"},
		// RFC 3986 7.6
		{name: "user like a host and a path", rules: RFC3986,
			ref:  "ftp://cnn.example.com&story=breaking_news@10.0.0.1/top_story.htm",
			want: "misleading-user private-host"},
		{name: "user like a host by escapes", ref: "http://bank%2Eexample%2Flogin@h.example/", want: "misleading-user"},
		{name: "user like a host of other letters", ref: "http://bücher.example@h.example/", want: "misleading-user"},
		{name: "user like a host with the lowest byte of other letters",
			ref: "http://bÀnk.example@h.example/", want: "misleading-user"},
		{name: "user like a host with a dot", ref: "http://bank.example.@h.example/", want: "misleading-user"},
		{name: "user like an address", ref: "http://192.0.2.1@h.example/", want: "misleading-user"},
		{name: "user with a letter before what is like an address", ref: "http://a.0.2.1@h.example/"},
		{name: "user with an address of mail", ref: "ftp://joe%40mail.example@h.example/"},
		{name: "user with a version", ref: "http://build-1.2.3@h.example/"},
		{name: "user with dots alone", ref: "http://..@h.example/"},
		{name: "user with an underscore", ref: "http://a_b.example@h.example/"},
		{name: "empty password", rules: RFC3986, ref: "http://u:@h.example/", want: "password"},
		{name: "default port", rules: RFC3986, ref: "http://h.example:80/"},
		{name: "empty port", rules: RFC3986, ref: "http://h.example:/"},
		{name: "port", ref: "http://h.example:8080/", want: "port"},
		{name: "reserved port", ref: "https://h.example:25/x", want: "port reserved-port"},
		{name: "port of gopher", ref: "gopher://h.example:70/1"},
		{name: "telnet on another port", ref: "gopher://h.example:23/1", want: "port reserved-port"},
		{name: "carriage return", ref: "http://h.example/a%0D%0Ab", want: "escaped-control"},
		{name: "NUL in the query", ref: "http://h.example/a?%00", want: "escaped-control"},
		{name: "DEL", ref: "http://h.example/%7f", want: "escaped-control"},
		{name: "no escape", ref: "http://h.example/%0z%1%7g%7", want: ""},
		{name: "escaped blank", ref: "http://h.example/%20%41%"},
		{name: "network path", base: "http://a/", ref: "//h.example/x", want: "host-change"},
		{name: "network path by backslashes", base: "http://a/", ref: " \\/h.example/x", want: "host-change"},
		{name: "backslashes under the RFCs", rules: RFC2396, base: "http://a/", ref: "\\\\h.example/x"},
		{name: "localhost", ref: "http://LOCALHOST/", want: "private-host"},
		{name: "loopback", ref: "http://127.1/", want: "private-host"},
		{name: "private net", ref: "http://u@192.168.1.1:80/", want: "private-host"},
		{name: "mapped", ref: "http://[::ffff:10.0.0.1]/", want: "private-host"},
		{name: "unique local", ref: "http://[fd00::1]/", want: "private-host"},
		{name: "public address", ref: "http://[2001:db8::1]/"},
		{name: "printer", ref: "http://printer.local./", want: "private-host"},
		{name: "not local", ref: "http://localhost.example/"},
		{name: "file base", base: "file:///home/u/x.html", ref: "y.html", want: "file-base"},
		{name: "file base not used", base: "file:///home/u/x.html", ref: "http://h.example/"},
		{name: "credentials in base", base: "http://u:p@h.example/", ref: "y", want: "password credentials-in-base"},
		{name: "credentials left behind", base: "http://u:p@h.example/", ref: "//g.example/", want: "host-change"},
		{name: "script", ref: "JavaScript:alert(1)", want: "script"},
		{name: "script hidden by a tab", ref: "java\tscript:x", want: "script"},
		{name: "vbscript", rules: RFC3986, ref: "vbscript:x", want: "script"},
		{name: "no result", ref: "x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, err := NewBase(c.base, Options{Rules: c.rules})
			if err != nil {
				t.Fatal(err)
			}
			uri, err := b.Append(nil, []byte(c.ref))
			if err != nil {
				uri = nil
			}
			got := strings.Join(b.AppendWarnings(nil, []byte(c.ref), uri), " ")
			if got != c.want {
				t.Errorf("AppendWarnings(%q, %q) with base %q = %q, want %q", c.ref, uri, c.base, got, c.want)
			}
		})
	}
}

// AppendWarnings allocates nothing.
func TestWarningsAllocate(t *testing.T) {
	b, err := NewBase("http://a/b", Options{})
	if err != nil {
		t.Fatal(err)
	}
	ref := []byte("http://www.bank%2Eexample:80@h.example:8080/%0D")
	room := make([]string, 0, 8)
	if n := alloc.PerRun(100, func() { b.AppendWarnings(room, ref, ref) }); n != 0 {
		t.Errorf("AppendWarnings(%q): got %v allocations, want 0", ref, n)
	}
}

func FuzzWarnings(f *testing.F) {
	for i, ref := range append(fastRefs, hostile...) {
		f.Add(fastBases[i%len(fastBases)], ref)
	}
	f.Fuzz(func(t *testing.T, base, ref string) {
		for rules := WHATWG; int(rules) < len(rulesNames); rules++ {
			b, err := NewBase(base, Options{Rules: rules})
			if err != nil {
				continue
			}
			uri, _ := b.Append(nil, []byte(ref))
			warnings := b.AppendWarnings(nil, []byte(ref), uri)
			got := " " + strings.Join(warnings, " ") + " "
			if strings.Contains(got, " reserved-port ") && !strings.Contains(got, " port ") {
				t.Errorf("AppendWarnings(%q, %q) = %q: reserved-port without port", ref, uri, got)
			}
			if script := hasPrefixFold(string(uri), "javascript:"); script != strings.Contains(got, " script ") &&
				!hasPrefixFold(string(uri), "vbscript:") {
				t.Errorf("AppendWarnings(%q, %q) = %q", ref, uri, got)
			}
		}
	})
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

func BenchmarkWarnings(b *testing.B) {
	base, _ := NewBase(benchBase, Options{})
	var refs, uris [][]byte
	for _, ref := range benchRefs(b) {
		uri, err := base.Append(nil, []byte(ref))
		if err != nil {
			uri = nil
		}
		refs, uris = append(refs, []byte(ref)), append(uris, uri)
	}
	dst := make([]string, 0, 8)
	b.ReportAllocs()
	cpu := processorTime()
	for b.Loop() {
		for i := range refs {
			dst = base.AppendWarnings(dst[:0], refs[i], uris[i])
		}
	}
	perRef(b, len(refs), cpu)
}

// The warnings about user and port, at the bounds of their numbers and places.
func TestAuthorityWarnings(t *testing.T) {
	b, err := NewBase("http://a.example/", Options{})
	if err != nil {
		t.Fatal(err)
	}
	for ref, want := range map[string]string{
		"http://a.example:80/": "", "http://a.example:1023/": "port reserved-port",
		"http://a.example:1024/": "port", "http://a.example:8080/": "port", "http://a.example:1/": "port reserved-port",
		"https://a.example:443/": "", "http://a.example:443/": "port reserved-port",
		"http://:pw@a.example/": "password", "http://u:pw@a.example/": "password",
		"http://u@a.example/": "", "http://u@a.example:1024/": "port",
	} {
		uri, err := b.Append(nil, []byte(ref))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, w := range b.AppendWarnings(nil, []byte(ref), uri) {
			if w == "port" || w == "reserved-port" || w == "password" {
				got = append(got, w)
			}
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("warnings of %s = %q, want %q", ref, text, want)
		}
	}
}
