package fetch

import (
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
)

// requests are those that servers got: path and credentials by origin.
type requests struct {
	mu   sync.Mutex
	seen map[string][]string
}

// server starts one at an address of loopback, in TLS if secure, that redirects
// /to?l=URL and notes each request.
func (q *requests) server(t *testing.T, address string, secure bool) *httptest.Server {
	t.Helper()
	l, err := net.Listen("tcp", address+":0")
	if err != nil {
		t.Fatal(err)
	}
	site := testSite()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := r.Header
		q.mu.Lock()
		line := strings.TrimSpace(strings.Join([]string{r.URL.Path,
			h.Get("X-Token"), h.Get("Cookie"), h.Get("Authorization")}, " "))
		origin := l.Addr().String()
		q.seen[origin] = append(q.seen[origin], line)
		q.mu.Unlock()
		site.ServeHTTP(w, r)
	}))
	s.Listener.Close()
	s.Listener = l
	if secure {
		s.StartTLS()
	} else {
		s.Start()
	}
	t.Cleanup(s.Close)
	return s
}

// Credentials are for the origin of the URL that the operator gave: no other gets
// them, with a page or with its robots.txt, whatever a server redirects to.
func TestCredentials(t *testing.T) {
	const own = " s c=1 Basic bWU6cHc="
	q := &requests{seen: make(map[string][]string)}
	first := q.server(t, "127.0.0.1", false)
	others := map[string]*httptest.Server{
		"another host": q.server(t, "127.0.0.2", false), "another port": q.server(t,
			"127.0.0.1", false), "another scheme": q.server(t, "127.0.0.1", true),
	}
	header := http.Header{"X-Token": {"s"}, "Cookie": {"c=1"}, "Host": {"virtual.example"}}
	for _, name := range slices.Sorted(maps.Keys(others)) {
		for _, back := range []bool{false, true} {
			other := others[name]
			c := New(Options{MaxRedirects: 10, AllowPrivate: true, Robots: true, Header: header})
			t.Cleanup(c.Close)
			c.transport.TLSClientConfig = others["another scheme"].Client().Transport.(*http.Transport).TLSClientConfig
			clear(q.seen)
			target := other.URL + "/page"
			wantFirst, wantOther := []string{"/robots.txt" + own, "/to" + own}, []string{"/robots.txt", "/page"}
			if back {
				target = other.URL + "/to?l=" + url.QueryEscape(first.URL+"/page")
				wantFirst, wantOther = append(wantFirst, "/page"+own), []string{"/robots.txt", "/to"}
			}
			start := strings.Replace(first.URL, "//", "//me:pw@", 1) + "/to?l=" + url.QueryEscape(target)
			if _, err := get(t, c, start); err != nil {
				t.Fatal(err)
			}
			if got := q.seen[first.Listener.Addr().String()]; !slices.Equal(got, wantFirst) {
				t.Errorf("%s, back %v: the origin of the URL got %q, want %q", name, back, got, wantFirst)
			}
			if got := q.seen[other.Listener.Addr().String()]; !slices.Equal(got, wantOther) {
				t.Errorf("%s, back %v: the other origin got %q, want %q", name, back, got, wantOther)
			}
		}
	}
}

// A site that was first met on the way is asked again for robots.txt, with
// credentials, where it is listed itself: the order of the list decides nothing.
func TestCredentialsOfBoth(t *testing.T) {
	q := &requests{seen: make(map[string][]string)}
	a, b := q.server(t, "127.0.0.1", false), q.server(t, "127.0.0.2", false)
	c := New(Options{MaxRedirects: 1, AllowPrivate: true, Robots: true, Header: http.Header{"X-Token": {"s"}}})
	t.Cleanup(c.Close)
	for _, u := range []string{a.URL + "/to?l=" + b.URL + "/page", b.URL + "/page"} {
		if _, err := get(t, c, u); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"/robots.txt", "/page", "/robots.txt s", "/page s"}
	if got := q.seen[b.Listener.Addr().String()]; !slices.Equal(got, want) {
		t.Errorf("a host that is redirected to and listed got %q, want %q", got, want)
	}
}
