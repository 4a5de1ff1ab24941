package fetch

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"absolink/testdata/coded"
)

// robotsSite serves pages, and a robots.txt with a status. asked counts the requests for
// robots.txt.
func robotsSite(asked *atomic.Int64, status int, text string) http.Handler {
	mux := testSite()
	mux.HandleFunc("/robots.txt", func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.Header().Set("Location", "/elsewhere/robots.txt")
		w.WriteHeader(status)
		io.WriteString(w, text)
	})
	mux.HandleFunc("/elsewhere/robots.txt",
		func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "user-agent: *\ndisallow: /page") })
	return mux
}

func TestRobots(t *testing.T) {
	const forbidden, dead = "robots.txt forbids it; --ignore-robots retrieves it nevertheless",
		"cannot be retrieved, so its URLs are not: the server says 503"
	tests := []struct {
		name   string
		status int
		text   string
		path   string
		want   string // in the error, "" for none
	}{
		{"allowed", 200, "user-agent: *\ndisallow: /other", "/page", ""},
		{"forbidden", 200, "user-agent: *\ndisallow: /pa", "/page", forbidden},
		{"forbidden for this one", 200, "user-agent: reader\ndisallow: /", "/page", forbidden},
		{"forbidden for another", 200, "user-agent: other\ndisallow: /", "/page", ""},
		{"by its query", 200, "user-agent: *\ndisallow: /*?secret", "/page?secret", forbidden},
		{"a redirect to what is forbidden", 200, "user-agent: *\ndisallow: /page", "/to?l=/page", forbidden},
		{"2.3.1.2: redirected", 302, "", "/page", forbidden},
		{"2.3.1.3: none there", 404, "", "/page", ""},
		{"2.3.1.3: not for us", 403, "", "/page", ""},
		{"2.3.1.4: the server fails", 503, "", "/page", dead},
		{"longer than what is read", 200,
			"user-agent: *\ndisallow: /page\n" + strings.Repeat("# x\n", 200_000), "/page", forbidden},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var asked atomic.Int64
			w := newWorld(t, robotsSite(&asked, tt.status, tt.text), nil)
			c := w.trusted(t, Options{Robots: true, MaxRedirects: 2, UserAgent: "reader/1.0"})
			var all sync.WaitGroup
			for range 5 {
				all.Go(func() {
					_, err := get(t, c, w.url("a.test", tt.path))
					if tt.want == "" && err != nil ||
						tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
						t.Errorf("Get(%s): got error %v, want %q", tt.path, err, tt.want)
					}
					var known *Error
					if got := errors.As(err, &known) && known.Forbidden; got != (tt.want == forbidden) {
						t.Errorf("Get(%s): got Forbidden %v, want %v", tt.path, got, tt.want == forbidden)
					}
				})
			}
			all.Wait()
			if n := asked.Load(); n != 1 {
				t.Errorf("robots.txt was asked for %d times, want 1", n)
			}
		})
	}
}

// --max-size does not apply to robots.txt. If a robots.txt is too large, its decoded beginning
// counts.
func TestRobotsLarge(t *testing.T) {
	text := []byte("user-agent: *\ndisallow: /page\n" + strings.Repeat("# x\n", 200_000))
	for coding, body := range map[string][]byte{"": text, "gzip": coded.Bytes("gzip", text),
		"br": coded.Bytes("br", text), "gzip, gzip": coded.Bytes("gzip", coded.Bytes("gzip", text))} {
		mux := testSite()
		mux.HandleFunc("/robots.txt", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", coding)
			w.Write(body)
		})
		w := newWorld(t, mux, nil)
		c := w.trusted(t, Options{Robots: true, MaxRedirects: 2, MaxSize: 1000})
		if _, err := get(t, c, w.url("a.test", "/echo")); err != nil {
			t.Errorf("coding %q: Get of a page that is allowed: %v", coding, err)
		}
		if _, err := get(t, c, w.url("a.test", "/page")); !errors.Is(err, errForbidden) {
			t.Errorf("coding %q: Get of a page that is not allowed: got error %v, want %v", coding, err, errForbidden)
		}
	}
}

// Each host and port has its own robots.txt.
func TestRobotsPerSite(t *testing.T) {
	var asked atomic.Int64
	w := newWorld(t, robotsSite(&asked, 200, ""), nil)
	c := w.trusted(t, Options{Robots: true})
	for _, host := range []string{"a.test", "b.test", "a.test"} {
		if _, err := get(t, c, w.url(host, "/page")); err != nil {
			t.Error(err)
		}
	}
	if n := asked.Load(); n != 2 {
		t.Errorf("robots.txt was asked for %d times, want 2", n)
	}
}
