package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"absolink/testdata/coded"
)

const page = "<!DOCTYPE html><a href=x>x</a>"

// testSite returns a handler whose paths say how it answers.
func testSite() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=koi8-r")
		w.Header().Add("Link", "</next>; rel=next")
		w.Header().Add("Link", "</style>; rel=stylesheet")
		io.WriteString(w, page)
	})
	mux.HandleFunc("/to", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", r.URL.Query().Get("l"))
		w.WriteHeader(http.StatusFound)
	})
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "agent=%s token=%s host=%s auth=%s", r.UserAgent(),
			r.Header.Get("X-Token"), r.Host, r.Header.Get("Authorization"))
	})
	mux.HandleFunc("/count/", func(w http.ResponseWriter, r *http.Request) {
		n := 0
		fmt.Sscanf(r.URL.Path, "/count/%d", &n)
		if n == 0 {
			io.WriteString(w, page)
			return
		}
		http.Redirect(w, r, fmt.Sprintf("/count/%d", n-1), http.StatusMovedPermanently)
	})
	return mux
}

func TestGet(t *testing.T) {
	w := newWorld(t, testSite(), nil)
	c := w.trusted(t, Options{MaxRedirects: 10})
	r, err := get(t, c, w.url("a.test", "/page#part"))
	if err != nil {
		t.Fatal(err)
	}
	if want := w.url("a.test", "/page"); r.URL != want || string(r.Body) != page ||
		r.Type != "text/html; charset=koi8-r" || r.Problem != "" {
		t.Errorf("Get: got URL %q, type %q, body %q, problem %q, want %q, koi8-r, the page, none",
			r.URL, r.Type, r.Body, r.Problem, want)
	}
	if len(r.Headings) != 1 ||
		!strings.Contains(string(r.Headings[0].Text), "Link: </next>; rel=next\r\nLink: </style>; rel=stylesheet\r\n") {
		t.Errorf("Get: got headings %+v, want one with both Link fields", r.Headings)
	}
}

func TestRedirects(t *testing.T) {
	w := newWorld(t, testSite(), nil)
	plain := w.trusted(t, Options{MaxRedirects: 3})
	tests := []struct{ name, location, want, body string }{
		{"absolute path", "/page", "a.test/page", page},
		{"relative path", "page?x#y", "a.test/page?x", page},
		{"another host", w.url("b.test", "/page"), "b.test/page", page},
		{"network path", "//b.test:" + w.port + "/page", "b.test/page", page},
		{"three of them", "/count/2", "a.test/count/0", page},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := get(t, plain, w.url("a.test", "/to?l="+escaped(tt.location)))
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Replace(strings.TrimPrefix(r.URL, "http://"), ":"+w.port, "", 1)
			if got != tt.want || string(r.Body) != tt.body {
				t.Errorf("Get of a redirect to %q: got %q from %s, want %q from %s",
					tt.location, r.Body, got, tt.body, tt.want)
			}
			if n := len(r.Headings); n < 2 || !strings.Contains(string(r.Headings[0].Text), "Location: ") ||
				r.Headings[n-1].URL != r.URL {
				t.Errorf("Get of a redirect to %q: got headings %+v, want that of each answer", tt.location, r.Headings)
			}
		})
	}
	for _, tt := range []struct{ name, location, want string }{
		{"four of them", "/count/3", "redirects more than 3 times"},
		{"another scheme", "file:///etc/passwd", `redirects to "file:///etc/passwd", which is not an http URL`},
		{"no URL", "http://[", "which is not an http URL"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			wantError(t, plain, w.url("a.test", "/to?l="+escaped(tt.location)), tt.want)
		})
	}
}

// Get does not wait for the end of the body of a redirect.
func TestRedirectWithoutEnd(t *testing.T) {
	mux := testSite()
	mux.HandleFunc("/endless", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "/page")
		w.WriteHeader(http.StatusFound)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	w := newWorld(t, mux, nil)
	r, err := get(t, w.trusted(t, Options{MaxRedirects: 1}), w.url("a.test", "/endless"))
	if err != nil || string(r.Body) != page {
		t.Errorf("Get: got %v, %v, want the page that is redirected to", r, err)
	}
}

func TestRedirectLoop(t *testing.T) {
	mux := http.NewServeMux()
	mux.Handle("/a", http.RedirectHandler("/b", http.StatusFound))
	mux.Handle("/b", http.RedirectHandler("/a", http.StatusTemporaryRedirect))
	w := newWorld(t, mux, nil)
	wantError(t, w.trusted(t, Options{MaxRedirects: 10}), w.url("a.test", "/a"), "redirects in a loop")
}

// escaped returns s percent-encoded for a query.
func escaped(s string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, "%%%02X", s[i])
	}
	return b.String()
}

// A redirect may lead from http to https and back. Credentials and header fields go only to the
// first origin.
func TestSchemes(t *testing.T) {
	w := newWorld(t, testSite(), nil)
	secure := httptest.NewTLSServer(testSite())
	t.Cleanup(secure.Close)
	o := Options{MaxRedirects: 10, AllowPrivate: true,
		UserAgent: "reader/2", Header: http.Header{"X-Token": {"secret"}}}
	c := w.client(t, o)
	c.transport.TLSClientConfig = secure.Client().Transport.(*http.Transport).TLSClientConfig
	tests := []struct{ name, url, want string }{
		{"no redirect", w.url("a.test", "/echo"), "agent=reader/2 token=secret host=a.test:" + w.port + " auth="},
		{"the same host", w.url("a.test", "/to?l=/echo"), "token=secret"},
		{"another host", w.url("a.test", "/to?l="+w.url("b.test", "/echo")), "token= "},
		{"another port, encrypted", w.url("127.0.0.1", "/to?l="+secure.URL+"/echo"), "token= "},
		{"in the open", secure.URL + "/to?l=" + w.url("127.0.0.1", "/echo"), "token= "},
		{"back again", w.url("a.test", "/to?l="+escaped(w.url("b.test", "/to?l="+escaped(w.url("a.test", "/echo"))))),
			"token=secret"},
		{"a password", strings.Replace(w.url("a.test", "/to?l=/echo"), "//", "//me:pw@", 1), "auth=Basic bWU6cHc="},
		{"a password and another host",
			strings.Replace(w.url("a.test", "/to?l="+w.url("b.test", "/echo")), "//", "//me:pw@", 1), "auth="},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := get(t, c, tt.url)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(r.Body)+" ", tt.want) ||
				strings.HasSuffix(tt.want, "auth=") && !strings.HasSuffix(string(r.Body), "auth=") {
				t.Errorf("Get(%q): the server got %q, want %q", tt.url, r.Body, tt.want)
			}
			if strings.Contains(r.URL, "pw") {
				t.Errorf("Get(%q): got URL %q, want it without the password", tt.url, r.URL)
			}
		})
	}
}

func TestCodings(t *testing.T) {
	long := bytes.Repeat([]byte("a page that is long enough to need blocks "), 5000)
	tests := []struct {
		name, field string
		body        []byte
		want        string
		problem     string
	}{
		{"none", "", long, string(long), ""},
		{"identity", "identity", long, string(long), ""},
		{"gzip", "gzip", coded.Bytes("gzip", long), string(long), ""},
		{"gzip in capitals", "GZip", coded.Bytes("gzip", long), string(long), ""},
		{"x-gzip", "x-gzip", coded.Bytes("gzip", long), string(long), ""},
		{"br", "br", coded.Bytes("br", long), string(long), ""},
		{"zstd", "zstd", coded.Bytes("zstd", long), string(long), ""},
		{"deflate", "deflate", coded.Bytes("zlib", long), string(long), ""},
		{"deflate without zlib", "deflate", coded.Bytes("raw", long), string(long), ""},
		{"two", "gzip, br", coded.Bytes("br", coded.Bytes("gzip", long)), string(long), ""},
		{"members", "gzip", append(coded.Bytes("gzip", long[:9]), coded.Bytes("gzip", long[9:])...), string(long), ""},
		{"an empty body", "gzip", nil, "", ""},
		{"an empty body, deflate", "deflate", nil, "", ""},
		{"gzip that ends early", "gzip", coded.Bytes("gzip", long)[:200], "", "gzip damaged after "},
		{"br that ends early", "br", coded.Bytes("br", long)[:20], "", "br damaged after "},
		{"no gzip", "gzip", long, string(long), "gzip declared, the body is not encoded"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Encoding", tt.field)
				w.Write(tt.body)
			}), nil)
			r, err := get(t, w.trusted(t, Options{}), w.url("a.test", "/"))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(r.Problem, tt.problem) || tt.problem == "" && r.Problem != "" {
				t.Errorf("Get: got problem %q, want %q", r.Problem, tt.problem)
			}
			if tt.problem == "" && string(r.Body) != tt.want || !strings.HasPrefix(string(long), string(r.Body)) {
				t.Errorf("Get: got %d bytes, want %d", len(r.Body), len(tt.want))
			}
			if want := len(tt.body) > 0 && !bytes.Equal(tt.body, long); r.Coded != want {
				t.Errorf("Get: got Coded %v, want %v", r.Coded, want)
			}
		})
	}
}

// The decoding of a body stops at the limit.
func TestBombs(t *testing.T) {
	const limit = 256 << 10
	zeros := make([]byte, 2*limit)
	member := coded.Bytes("gzip", nil)
	empty := bytes.Repeat(member, limit/len(member)+1)
	tests := []struct {
		name, field string
		body        []byte
	}{
		{"no coding", "", zeros},
		{"gzip", "gzip", coded.Bytes("gzip", zeros)},
		{"br", "br", coded.Bytes("br", zeros)},
		{"zstd", "zstd", coded.Bytes("zstd", zeros)},
		{"deflate", "deflate", coded.Bytes("zlib", zeros)},
		{"in a bomb", "gzip, gzip", coded.Bytes("gzip", coded.Bytes("gzip", zeros))},
		{"members of nothing", "gzip", empty},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Encoding", tt.field)
				w.Write(tt.body)
			}), nil)
			wantError(t, w.trusted(t, Options{MaxSize: limit}), w.url("a.test", "/"), "larger than ")
		})
	}
	for field, want := range map[string]string{"compress": `unknown content coding "compress"`,
		strings.Repeat("gzip,", 9): "9 content codings"} {
		w := newWorld(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", field)
			io.WriteString(w, page)
		}), nil)
		wantError(t, w.trusted(t, Options{}), w.url("a.test", "/"), want)
	}
}

// Servers break the protocol; each answer is given byte by byte.
func TestBadServers(t *testing.T) {
	endless := func(c net.Conn) {
		fmt.Fprint(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
		for {
			if _, err := fmt.Fprint(c, "1\r\nx\r\n"); err != nil {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
	flood := func(c net.Conn) {
		fmt.Fprint(c, "HTTP/1.1 200 OK\r\n\r\n")
		for block := make([]byte, 64<<10); ; {
			if _, err := c.Write(block); err != nil {
				return
			}
		}
	}
	text := func(s string) func(net.Conn) { return func(c net.Conn) { io.WriteString(c, s) } }
	tests := []struct {
		name                string
		serve               func(net.Conn)
		body, problem, fail string
	}{
		{"a body that is shorter than it says", text("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + page),
			page, "ends after 30 of 100 bytes", ""},
		{"a body that is longer than it says",
			text("HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n" + page), page[:15], "", ""},
		{"chunks that break off", text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n<!DOC\r\n9\r\nTY"),
			"<!DOCTY", "breaks off after 7 bytes", ""},
		{"up to the end of the connection", text("HTTP/1.0 200\r\n\r\n" + page), page, "", ""},
		{"chunks without end", endless, "", "", "takes longer than 300ms"},
		{"a body without end", flood, "", "", "is larger than --max-size"},
		{"no answer", func(c net.Conn) { io.Copy(io.Discard, c) }, "", "", "takes longer than 300ms"},
		{"a closed connection", func(net.Conn) {}, "", "", "without an answer"},
		{"no HTTP", text("220 mail.example ESMTP\r\n"), "", "", "malformed HTTP"},
		{"a heading without end", text("HTTP/1.1 200 OK\r\n" + strings.Repeat("X: y\r\n", 100_000)),
			"", "", "exceeded"},
		{"an error", text("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"),
			"", "", "the server says 503 Service Unavailable"},
		{"an error of its own", text("HTTP/1.1 799 Odd\r\nContent-Length: 0\r\n\r\n"), "", "", "the server says 799"},
		{"a redirect to nowhere", text("HTTP/1.1 302 Found\r\nContent-Length: 2\r\n\r\nhi"), "hi", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			url := raw(t, tt.serve)
			o := Options{AllowPrivate: true, MaxSize: 1 << 20}
			if strings.HasPrefix(tt.fail, "takes longer") {
				o.Timeout = 300 * time.Millisecond
			}
			c := New(o)
			t.Cleanup(c.Close)
			if tt.fail != "" {
				wantError(t, c, url, tt.fail)
				return
			}
			r, err := get(t, c, url)
			if err != nil {
				t.Fatal(err)
			}
			if string(r.Body) != tt.body || r.Problem != tt.problem {
				t.Errorf("Get: got %q, problem %q, want %q, %q", r.Body, r.Problem, tt.body, tt.problem)
			}
		})
	}
}

// raw starts a server that calls serve for each connection.
func raw(t *testing.T, serve func(net.Conn)) (url string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				c.Read(make([]byte, 4<<10))
				serve(c)
			}()
		}
	}()
	return "http://" + l.Addr().String() + "/"
}

func TestUnreachable(t *testing.T) {
	w := newWorld(t, testSite(), nil)
	secure := httptest.NewTLSServer(testSite())
	t.Cleanup(secure.Close)
	secure.Config.ErrorLog = nil
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	c := w.client(t, Options{AllowPrivate: true})
	wantError(t, c, "http://nowhere.test/", `there is no host "nowhere.test"`)
	if _, err := get(t, c, "http://"+l.Addr().String()+"/"); err == nil || err.Error() != "dial: connection refused" {
		t.Errorf("Get where nobody listens: got error %v, want that the connection was refused", err)
	}
	for answer, want := range map[string]string{
		"garbage\r\n\r\n": `malformed HTTP response "garbage"`,
		"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n" +
			"x": `message cannot contain multiple Content-Length headers; got ["1" "2"]`,
		"HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", maxHeading) +
			"\r\n\r\n": "server response headers exceeded 262144 bytes; aborted",
	} {
		url := raw(t, func(c net.Conn) { io.WriteString(c, answer) })
		if _, err := get(t, c, url); err == nil || err.Error() != want {
			t.Errorf("Get of %.40q: got error %v, want %s", answer, err, want)
		}
	}
	reset := raw(t, func(c net.Conn) { c.(*net.TCPConn).SetLinger(0) })
	if _, err := get(t, c, reset); err == nil || err.Error() != "read: connection reset by peer" {
		t.Errorf("Get of a connection that is reset: got error %v, want that it was", err)
	}
	wantError(t, c, secure.URL, "its certificate is not valid: signed by an unknown authority")
	trusting := w.client(t, Options{AllowPrivate: true})
	trusting.transport.TLSClientConfig = secure.Client().Transport.(*http.Transport).TLSClientConfig
	wantError(t, trusting, strings.Replace(secure.URL, "127.0.0.1", "a.test", 1),
		"its certificate is not valid: certificate is valid for example.com")
	wantError(t, c, strings.Replace(w.url("a.test", "/"), "http:", "https:", 1), "the server does not speak TLS there")
	wantError(t, c, "ftp://a.test/", "is neither http nor https")
	wantError(t, c, "page.html", "is not a URL")
	wantError(t, c, "http://a b/", "is not a URL")
	silent := raw(t, func(net.Conn) {})
	wantError(t, c, silent, "the server closed the connection without an answer")
	failed := &net.DNSError{Err: "server misbehaving", Name: "b.test", IsTemporary: true}
	if err := c.explain(t.Context(), &url.URL{Scheme: "http", Host: "b.test"},
		failed); err.Error() != `the host "b.test" cannot be looked up: server misbehaving` {
		t.Errorf("explain of a name server that fails: got %v, want that the host cannot be looked up", err)
	}
}

// An interrupted Get returns context.Canceled.
func TestCancel(t *testing.T) {
	c := New(Options{AllowPrivate: true})
	t.Cleanup(c.Close)
	ctx, cancel := context.WithCancel(t.Context())
	url := raw(t, func(c net.Conn) { cancel(); time.Sleep(time.Second) })
	if _, err := c.Get(ctx, url, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Get: got error %v, want that of the context", err)
	}
}

// Of a hundred concurrent requests at most four are at the host at the same time.
func TestParallel(t *testing.T) {
	var at sync.Map
	var most atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		v, _ := at.LoadOrStore(r.Host, new(atomic.Int64))
		n := v.(*atomic.Int64)
		for now, was := n.Add(1), most.Load(); now > was && !most.CompareAndSwap(was, now); was = most.Load() {
		}
		time.Sleep(2 * time.Millisecond)
		n.Add(-1)
		io.WriteString(w, r.URL.Path)
	})
	w := newWorld(t, mux, nil)
	c := w.trusted(t, Options{})
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() {
			path := fmt.Sprintf("/%d", i)
			r, err := get(t, c, w.url([]string{"a.test", "b.test"}[i%2], path))
			if err != nil || string(r.Body) != path {
				t.Errorf("Get(%s): got %v, %v", path, r, err)
			}
		})
	}
	all.Wait()
	if n := most.Load(); n > defaultPerHost {
		t.Errorf("requests to one host at once: got %d, want at most %d", n, defaultPerHost)
	}
	if n := len(c.hosts.open); n != 0 {
		t.Errorf("hosts that are remembered: got %d, want 0", n)
	}
}
