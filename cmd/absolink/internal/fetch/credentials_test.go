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

// requests holds the requests that servers received: the path and the credentials, by origin.
type requests struct {
	mu   sync.Mutex
	seen map[string][]string
}

// server starts a server at a loopback address, with TLS if secure is set. It redirects /to?l=URL,
// and records each request.
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

// Only the origin of the URL that the operator gave receives credentials, for pages and robots.txt.
// A redirect to another origin does not.
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

// If a redirect leads to a site, its robots.txt is retrieved without credentials. It is retrieved
// again, with credentials, if the site is in the list itself. The order of the list does not
// matter.
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
