package record_test

import (
	"fmt"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/record"
)

func TestWithScheme(t *testing.T) {
	tests := []struct{ value, want string }{
		{"www.example.com", "http://www.example.com/"},
		{"WWW.Example.COM/a/B.html?q#f", "http://WWW.Example.COM/a/B.html?q#f"},
		{"example.co.uk:8080", "http://example.co.uk:8080/"},
		{"example.com?q", "http://example.com/?q"},
		{"example.com#f", "http://example.com/#f"},
		{"me.github.io/x", "http://me.github.io/x"},
		{"localhost", "http://localhost/"},
		{"localhost:8000/x", "http://localhost:8000/x"},
		{"127.0.0.1/x", "http://127.0.0.1/x"},
		{"", ""},
		{"a", ""},
		{"dir/page.html", ""},
		{"page.html", ""},
		{"com", ""},
		{"co.uk", ""},
		{".com/x", ""},
		{"/www.example.com", ""},
		{"//www.example.com", ""},
		{"http://www.example.com", ""},
		{"mailto:a@example.com", ""},
		{"www.example.com:http", ""},
		{"www.example.com:", ""},
		{"www.example.com:99999", ""},
		{"www.example.com:-1", ""},
	}
	for _, tt := range tests {
		if got := record.WithScheme(tt.value); got != tt.want {
			t.Errorf("WithScheme(%q) = %q, want %q", tt.value, got, tt.want)
		}
	}
}

// A HostCache gives the host of each URI, whatever URI came before it.
func TestHostCache(t *testing.T) {
	uris := []struct{ uri, host string }{
		{"http://a.test", "a.test"},
		{"http://a.test/x", "a.test"},
		{"http://a.test?x", "a.test"},
		{"http://a.test#x", "a.test"},
		{"https://a.test/", "a.test"},
		{"http://a.tester/", "a.tester"},
		{"http://a.test.b.test/", "a.test.b.test"},
		{"http://a.test:80/", "a.test"},
		{"http://a.test:8080/", "a.test"},
		{"http://a.test@b.test/", "b.test"},
		{"http://u:p@a.test/", "a.test"},
		{"ftp://[::1]:21/x", "[::1]"},
		{"mailto:a@a.test", ""},
		{"urn:x", ""},
		{"file:///x", ""},
		{"", ""},
		{"x/y://a.test/", ""},
		{"//a.test/b://c.test", "a.test"},
		{"http:///a.test", ""},
		{"http://" + strings.Repeat("a.", 200) + "test/x", strings.Repeat("a.", 200) + "test"},
		{"data:" + strings.Repeat("x", 400) + "://a.test/x", ""},
	}
	for _, before := range uris {
		for _, tt := range uris {
			var c record.HostCache
			c.Host([]byte(before.uri))
			if got := c.Host([]byte(tt.uri)); got != tt.host {
				t.Errorf("after %q: Host(%q) = %q, want %q", before.uri, tt.uri, got, tt.host)
			}
		}
	}
}

// A full HostCache still gives the host of each URI.
func TestFullHostCache(t *testing.T) {
	var c record.HostCache
	for range 2 {
		for i := range 2500 {
			want := fmt.Sprintf("h%d.test", i)
			if got := c.Host([]byte("http://" + want + ":80/")); got != want {
				t.Fatalf("Host(http://%s:80/) = %q", want, got)
			}
		}
	}
}

// A full DomainCache still gives the domain of each host.
func TestDomainCache(t *testing.T) {
	var c record.DomainCache
	for range 2 {
		for i := range 2500 {
			want := fmt.Sprintf("d%d.co.uk", i)
			if got := c.Domain("www." + want); got != want {
				t.Fatalf("Domain(www.%s) = %q, want %s", want, got, want)
			}
		}
	}
	for _, tt := range []struct{ host, want string }{
		{"1.2.3.4", ""}, {"1.2.3.4", ""}, {"", ""}, {"a.test", "a.test"}, {"www.a.test", "a.test"}, {"", ""},
	} {
		if got := c.Domain(tt.host); got != tt.want {
			t.Errorf("Domain(%s) = %q, want %q", tt.host, got, tt.want)
		}
	}
}

// The host and domain of a link are the same with a Memo, whatever link came before it.
func TestHostWithMemo(t *testing.T) {
	l := layout(t, record.CSV, record.With{}, "host", "domain")
	memo := new(record.Memo)
	for _, tt := range []struct{ uri, want string }{
		{"http://www.a.co.uk/1", "www.a.co.uk,a.co.uk\n"},
		{"http://www.a.co.uk/2", "www.a.co.uk,a.co.uk\n"},
		{"http://b.co.uk/", "b.co.uk,b.co.uk\n"},
		{"urn:x", ",\n"},
		{"http://www.a.co.uk/3", "www.a.co.uk,a.co.uk\n"},
	} {
		for _, m := range []*record.Memo{memo, nil} {
			if got := string(l.Append(nil, &record.Record{URI: []byte(tt.uri), Memo: m})); got != tt.want {
				t.Errorf("%s, Memo %t: got %q, want %q", tt.uri, m != nil, got, tt.want)
			}
		}
	}
	page := record.Record{Category: record.Page, Document: record.Document{Page: "HTTP://C.test/"}, Memo: memo}
	l = layout(t, record.CSV, record.With{Pages: true}, "host", "domain")
	if got, want := string(l.Append(nil, &page)), "page,c.test,c.test\n"; got != want {
		t.Errorf("a page: got %q, want %q", got, want)
	}
}
