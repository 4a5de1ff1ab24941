package site_test

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/site"
)

func TestAddresses(t *testing.T) {
	index := func(name string) bool { return slices.Contains(site.Indexes, name) }
	names := [...]string{site.Certain: "", site.Likely: " likely", site.EndingKept: " unended"}
	tests := []struct {
		name string // of the file
		want string
	}{
		{"about.html", "about.html"},
		{"d/index.html", "d/index.html, d/"},
		{"pic@2x.html", "pic@2x.html"},
		{"100%.html", "100%25.html"},
		{"index.php", "index.php, ./"},

		// wget
		{"page?id=1", "page?id=1"},
		{"d/page.php?a=1&b=2", "d/page.php?a=1&b=2"},
		{"index.html?p=7", "index.html?p=7, ./?p=7"},
		{"page?u=http:%2F%2Fx", "page?u=http://x"},
		{"page?q=a b#\u00fc%[]", "page?q=a%20b%23%C3%BC%25%5B%5D"},
		{"page?a?b@c=d%3F", "page?a?b@c=d?"},
		{"page?", "page%3F"},
		{"page?x=%26&y=%3d", "page?x=%26&y=%3D"}, // the escapes were in the query
		{"page?x=%2b%20%41%2F%3A&%", "page?x=%2B%20A/:&%25"},
		{"page?x=%2526", "page?x=%2526"},
		{"?p=1", "./?p=1"},

		// wget -E
		{"show.php?id=1.html", "show.php?id=1 likely, show.php?id=1.html unended"},
		{"page.html?id=1.html", "page.html?id=1 likely, page.html?id=1.html unended"},
		{"s.css?ver=5.css", "s.css?ver=5 likely, s.css?ver=5.css unended"},
		{"index.html?p=7.html",
			"index.html?p=7 likely, ./?p=7 likely, index.html?p=7.html unended, ./?p=7.html unended"},
		{"page?.html", "page?.html"},
		{"page?x.htm", "page?x.htm"},
		{"show.php.html", "show.php.html, show.php likely"},
		{"index.ASP.html", "index.ASP.html, index.ASP likely"},
		{"index.php.html", "index.php.html, index.php likely, ./ likely"},
		{"jquery.min.html", "jquery.min.html"},
		{"show.php.htm", "show.php.htm"},

		// wget for Windows, which has no question marks in names; other names have an @, too.
		{"show.php@id=1", "show.php@id=1, show.php?id=1 likely"},
		{"show.php@id=1.html", "show.php@id=1.html, show.php?id=1 likely, show.php?id=1.html unended"},
		{"@a=1.html", "@a=1.html"},
		{"page@x", "page@x"},

		// Percent-encoded in the name.
		{"page%3Fx=2", "page?x=2"},
		{"page%3fx%3D2%26y%3D3.html", "page?x=2&y=3 likely, page?x=2&y=3.html unended"},
		{"page%3F", "page%253F"},
	}
	const root = "http://a.test/%41/"
	for _, tt := range tests {
		var got []string
		for _, a := range site.Addresses(root+site.EscapePath(tt.name), index) {
			at := strings.TrimPrefix(a.URI, root)
			if at == "" || at[0] == '?' {
				at = "./" + at
			}
			got = append(got, fmt.Sprint(at, names[a.Certainty]))
		}
		if strings.Join(got, ", ") != tt.want {
			t.Errorf("Addresses of the file %q: got %s, want %s", tt.name, strings.Join(got, ", "), tt.want)
		}
	}
}

// A query in the name of a file has the same keys and values as in its address, whatever byte is
// escaped in it.
func TestAddressesKeepParameters(t *testing.T) {
	none := func(string) bool { return false }
	for c := range 256 {
		for _, format := range []string{"x=%%%02X&y=1", "x=a%%%02x", "%%%02Xx=1&y=2", "x=%%%02X%%%02[1]X=&y"} {
			query := fmt.Sprintf(format, c)
			want, err := url.ParseQuery(query)
			if err != nil {
				t.Fatal(err)
			}
			for _, mark := range "?@" {
				found := false
				for _, a := range site.Addresses("http://a.test/"+site.EscapePath("page"+string(mark)+query), none) {
					_, saved, ok := strings.Cut(a.URI, "?")
					if !ok {
						continue
					}
					found = true
					got, err := url.ParseQuery(saved)
					if err != nil || !maps.EqualFunc(got, want, slices.Equal[[]string]) {
						t.Errorf("page%c%s: got the query %q with %v, %v, want %v", mark, query, saved, got, err, want)
					}
				}
				if !found {
					t.Errorf("page%c%s: got no address with a query", mark, query)
				}
			}
		}
	}
}

// TestWriteRedirects has one line of each kind. What servers answer is tested with them.
func TestWriteRedirects(t *testing.T) {
	list := []site.Redirect{
		{"http://a.test/x", "http://b.test/x"},
		{"http://a.test/x?id=1", "http://b.test/x1"},
		{"http://a.test/x?id=1&n=$2", "http://b.test/x2"},
		{"http://a.test/x?word", "http://b.test/x3"},
		{"http://a.test/x?", "http://b.test/x4"},
		{"http://a.test/$y?id=1", "http://b.test/y"},
	}
	tests := []struct {
		format site.RedirectFormat
		want   string
		left   []string
	}{
		{site.CSV, "old,new\nhttp://a.test/x,http://b.test/x\nhttp://a.test/x?id=1,http://b.test/x1\nhttp://a.test/" +
			"x?id=1&n=$2,http://b.test/x2\nhttp://a.test/x?word,http://b.test/x3\nhttp://a.test/x?,http://b.test/x4\n" +
			"http://a.test/$y?id=1,http://b.test/y\n", nil},
		{site.Nginx, `# redirects for the server block of the old host
set $absolink "$uri?$args";
if ($absolink ~ "^/x\\?id(?:=|%3[Dd])1(?:&|%26)n(?:=|%3[Dd])(?:\\x24|%24)2$") { return 301 "http://b.test/x2"; }
if ($absolink = "/x?id=1") { return 301 "http://b.test/x1"; }
if ($absolink ~ "^/x\\?word$") { return 301 "http://b.test/x3"; }
if ($absolink ~ "^/\\x24y\\?id=1$") { return 301 "http://b.test/y"; }
location = "/x" { return 301 "http://b.test/x"; }
`, []string{"http://a.test/x?"}},
		{site.Apache, `# redirects for the old host: its configuration or .htaccess, with mod_rewrite
RewriteEngine On
RewriteCond %{QUERY_STRING} "^id(?:=|%3[Dd])1(?:&|%26)n(?:=|%3[Dd])(?:\x24|%24)2$"
RewriteRule "^/?x$" "http://b.test/x2" [R=301,L,NE,QSD]
RewriteCond %{QUERY_STRING} "^id=1$"
RewriteRule "^/?x$" "http://b.test/x1" [R=301,L,NE,QSD]
RewriteCond %{QUERY_STRING} "^word$"
RewriteRule "^/?x$" "http://b.test/x3" [R=301,L,NE,QSD]
RewriteCond %{QUERY_STRING} "^id=1$"
RewriteRule "^/?\x24y$" "http://b.test/y" [R=301,L,NE,QSD]
RewriteRule "^/?x$" "http://b.test/x" [R=301,L,NE]
`, []string{"http://a.test/x?"}},
		{site.Netlify, `/x id=1 n=$2 http://b.test/x2 301!
/x id=1 http://b.test/x1 301!
/$y id=1 http://b.test/y 301!
/x http://b.test/x 301!
`, []string{"http://a.test/x?word", "http://a.test/x?"}},
	}
	for _, tt := range tests {
		var b strings.Builder
		out, err := site.WriteRedirects(&b, tt.format, list)
		if b.String() != tt.want || err != nil {
			t.Errorf("%s: got %v and\n%swant\n%s", tt.format, err, b.String(), tt.want)
		}
		var left []string
		for _, r := range out {
			left = append(left, r.Old)
		}
		if !slices.Equal(left, tt.left) {
			t.Errorf("%s: %q are left out, want %q", tt.format, left, tt.left)
		}
	}
	var b strings.Builder
	site.WriteRedirects(&b, site.Nginx, list[:1])
	if strings.Contains(b.String(), "set") {
		t.Errorf("nginx without a query: got %s", b.String())
	}
}

// A format has one line for a path and query. A redirect from there to another address, or from
// another host, is left out. The same redirect is written once.
func TestRedirectsFromOnePath(t *testing.T) {
	first := site.Redirect{Old: "http://a.test/~x", New: "http://b.test/x"}
	for _, tt := range []struct {
		old, to string
		out     bool
	}{
		{"http://a.test/~x", "http://b.test/x", false},
		{"http://a.test/%7Ex", "http://b.test/x", false},
		{"http://a.test/~x?", "http://b.test/x", false},
		{"http://a.test/%7Ex", "http://b.test/%7Ex", true},
		{"http://a.test/~x?", "http://b.test/y", true},
		{"http://www.a.test/~x", "http://b.test/x", true},
		{"https://a.test:8000/~x", "http://b.test/x", true},
		{"https://a.test/~x", "http://b.test/x", false},
	} {
		second := site.Redirect{Old: tt.old, New: tt.to}
		for _, f := range []site.RedirectFormat{site.Nginx, site.Apache, site.Netlify} {
			var b strings.Builder
			out, err := site.WriteRedirects(&b, f, []site.Redirect{first, second})
			if err != nil || (len(out) == 1) != tt.out || tt.out && out[0] != second {
				t.Errorf("%s, %v and %v: left out %v, %v, want the second: %v", f, first, second, out, err, tt.out)
			}
			if n := strings.Count(b.String(), "301"); n != 1 {
				t.Errorf("%s, %v and %v: got %d lines, want 1:\n%s", f, first, second, n, b.String())
			}
		}
	}
}

// What a parameter of Netlify cannot be.
func TestNetlifyParameters(t *testing.T) {
	for query, want := range map[string]string{
		"a=1": "a=1", "a=": "a=", "a-b_C=x;y": "a-b_C=x;y", "_1=%C3%BC&b=a/b": "_1=\u00fc b=a/b", "a=x:": "a=x:",
		"a": "", "=1": "", "a=1&a=2": "", "1=2": "", "-a=1": "", "a.b=1": "", "a%20=1": "", "a=x=y": "", "a=b+c": "",
		"a=b%20c": "", "a=:b": "", "a=%3Ab": "", "a=%E4": "", "a=%C2%A0": "", "a=1&": "", "a=%EF%BB%BF": "",
	} {
		var b strings.Builder
		out, err := site.WriteRedirects(&b, site.Netlify,
			[]site.Redirect{{Old: "http://a.test/x?" + query, New: "http://b.test/"}})
		if want != "" {
			want = "/x " + want + " http://b.test/ 301!\n"
		}
		if b.String() != want || err != nil || (len(out) == 1) != (want == "") {
			t.Errorf("a query of %q: got %q, %v and %v left out, want %q", query, b.String(), err, out, want)
		}
	}
}
