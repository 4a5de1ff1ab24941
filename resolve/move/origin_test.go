package move_test

import (
	"strings"
	"testing"
	"time"

	"absolink/resolve"
	"absolink/resolve/move"
)

var allRules = []resolve.Rules{resolve.WHATWG, resolve.RFC3986, resolve.RFC2396, resolve.Draft02, resolve.Draft00e}

// A rule and a URI are compared by the normal form of their origin, under every rule set. The bytes
// after it stay.
func TestPorts(t *testing.T) {
	for _, rules := range allRules {
		for _, tt := range []struct{ old, uri, want string }{
			{"//o.test/", "http://o.test/a", "http://n.test/a"},
			{"//o.test/", "https://o.test/a", "https://n.test/a"},
			{"//o.test/", "http://o.test:80/a", "http://n.test/a"},
			{"//o.test/", "https://o.test:443/a", "https://n.test/a"},
			{"//o.test/", "http://o.test:443/a", ""},
			{"//o.test/", "https://o.test:80/a", ""},
			{"//o.test/", "http://o.test:8080/a", ""},
			{"//o.test/", "http://o.test:/A?B#C", "http://n.test/A?B#C"},
			{"//o.test/", "http://o.test:080/a", "http://n.test/a"},
			{"//o.test/", "HTTP://O.TEST/A", "http://n.test/A"},
			{"//o.test:80/", "http://o.test/a", "http://n.test/a"},
			{"//o.test:80/", "https://o.test:80/a", "https://n.test/a"},
			{"//o.test:80/", "https://o.test/a", ""},
			{"//o.test:443/", "https://o.test/a", "https://n.test/a"},
			{"//o.test:443/", "http://o.test/a", ""},
			{"//o.test:8080/", "http://o.test:8080/a", "http://n.test/a"},
			{"//o.test:8080/", "https://o.test:8080/a", "https://n.test/a"},
			{"//o.test:8080/", "http://o.test/a", ""},
			{"//O.test:/d", "http://o.test:80/d/a", "http://n.test/a"},
			{"//o.test/", "http://o.test", "http://n.test/"},
			{"//o.test/", "http://o.test:80?q", "http://n.test/?q"},
			{"//o.test/", "http://u@o.test/a", ""},
			{"http://u@o.test/", "http://u@O.test:80/a", "http://n.test/a"},
			{"http://o.test/", "http://o.test:80/a", "http://n.test/a"},
			{"http://o.test:80/", "http://o.test/a", "http://n.test/a"},
		} {
			m := &move.Map{Options: resolve.Options{Rules: rules}}
			if err := m.Add(tt.old, "//n.test/"); err != nil {
				t.Fatal(err)
			}
			uri := tt.uri
			if rules == resolve.WHATWG {
				b, err := resolve.NewBase(uri, m.Options)
				if err != nil {
					t.Fatal(err)
				}
				uri = b.String()
			}
			want := tt.want
			if want == "" {
				want = uri
			}
			to, n, err := m.MoveStart(uri, time.Time{})
			if to != want || err != nil {
				t.Errorf("%v: %s with the rule %s: got %s and error %v, want %s", rules, uri, tt.old, to, err, want)
			}
			if tail := uri[n:]; n > 0 && to[len(to)-len(tail):] != tail || (n > 0) != (to != uri) {
				t.Errorf("%v: %s with the rule %s: %d bytes change, to %s", rules, uri, tt.old, n, to)
			}
		}
	}
}

// The last colon of an IPv6 address does not begin a port.
func TestUserOfIPv6Target(t *testing.T) {
	for _, rules := range allRules {
		m := &move.Map{Options: resolve.Options{Rules: rules}}
		if err := m.Add("http://o.test/", "http://\u00e9@[::1]/"); err != nil {
			t.Errorf("%v: %v", rules, err)
			continue
		}
		if got := m.URI("http://o.test/a"); !strings.HasSuffix(got, "@[::1]/a") {
			t.Errorf("%v: got %s", rules, got)
		}
	}
}

// A target with a Unicode domain is written in ASCII under every rule set.
func TestUnicodeTarget(t *testing.T) {
	for _, rules := range allRules {
		for _, tt := range []struct{ target, want string }{
			{"http://m\u00fcller.test/", "http://xn--mller-kva.test/a"},
			{"//M\u00dcLLER.test:81/x/", "http://xn--mller-kva.test:81/x/a"},
			{"http://\u4f8b\u3048.test/", "http://xn--r8jz45g.test/a"},
			{"http://n.test/", "http://n.test/a"},
		} {
			prefix := &move.Map{Options: resolve.Options{Rules: rules}}
			pattern := &move.Map{Options: resolve.Options{Rules: rules}}
			if err := prefix.Add("http://o.test/", tt.target); err != nil {
				t.Fatal(err)
			}
			target := tt.target
			if target[0] == '/' {
				target = "http:" + target
			}
			if err := pattern.AddPattern("^http://o.test/", target); err != nil {
				t.Fatal(err)
			}
			for name, m := range map[string]*move.Map{"prefix": prefix, "pattern": pattern} {
				if got := m.URI("http://o.test/a"); got != tt.want {
					t.Errorf("%v, %s: the target %s gives %s, want %s", rules, name, tt.target, got, tt.want)
				}
			}
		}
		m := &move.Map{Options: resolve.Options{Rules: rules}}
		if err := m.Add("http://o.test/", "http://\u00fc\u2028.test/"); err == nil {
			t.Errorf("%v: a target that is no domain has no error", rules)
		}
	}
}

// Near counts links that a rule misses by their scheme.
func TestNear(t *testing.T) {
	m := new(move.Map)
	olds := []string{"http://o.test/d/", "https://p.test/", "//q.test/", "http://r.test/", "https://r.test/"}
	for _, old := range olds {
		if err := m.Add(old, "http://n.test/"); err != nil {
			t.Fatal(err)
		}
	}
	for _, uri := range []string{"https://o.test/d/a", "https://o.test/d/b?c", "https://o.test/e", "http://p.test/",
		"http://other.test/", "ftp://o.test/d/", "mailto:a@o.test", "https://q.test/", "https://o.test:81/d/"} {
		if _, err := m.Move(uri, time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		rule  string
		n     int
		other string
	}{
		{"http://o.test/d/", 2, "https://o.test/d/"},
		{"https://p.test", 1, "http://p.test"},
		{"//q.test/", 0, ""},
		{"http://r.test", 0, "https://r.test"}, {"http://no.test", 0, "https://no.test"}, {"ftp://no.test", 0, ""},
	} {
		if n, other := m.Near(tt.rule); n != tt.n || other != tt.other {
			t.Errorf("Near(%s): got %d and %s, want %d and %s", tt.rule, n, other, tt.n, tt.other)
		}
	}
}
