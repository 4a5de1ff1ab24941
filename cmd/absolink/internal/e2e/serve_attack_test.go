package e2e

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"absolink/cmd/absolink/internal/coding"
	"absolink/testdata/effort"
)

const attackPage = "<a href=x>"

// A request is accepted only with the name of the server, from no other page, and with the token.
func TestServiceLetsIn(t *testing.T) {
	token := filepath.Join(t.TempDir(), "token")
	const secret = "0123456789abcdefghijkl"
	if err := os.WriteFile(token, []byte(secret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	at := startService(t, "--token-file", token, "--allow-host",
		"links.example.org", "--allow-origin", "https://page.example.org")
	_, port, _ := net.SplitHostPort(strings.Trim(strings.TrimPrefix(at, "http://"), "/"))
	bearer := "Bearer " + secret
	tests := []struct {
		name, path, host, origin, authorization, site string
		status                                        int
	}{
		{"own", "v1/extract", "", "", bearer, "", 200},
		{"localhost", "v1/extract", "localhost:" + port, "", bearer, "", 200},
		{"localhost, other port", "v1/extract", "localhost:1", "", bearer, "", 403},
		{"other Host", "v1/extract", "evil.example", "", bearer, "", 403},
		{"other Host with the port", "v1/extract", "evil.example:" + port, "", bearer, "", 403},
		{"name that begins alike", "v1/extract", "localhost.evil.example:" + port, "", bearer, "", 403},
		{"metrics", "metrics", "", "", bearer, "", 200},
		{"other Host, metrics", "metrics", "evil.example", "", bearer, "", 403},
		{"other Host, health", "healthz", "evil.example", "", "", "", 200},
		{"name that is allowed", "v1/extract", "links.example.org", "", bearer, "", 200},
		{"the same in capitals", "v1/extract", "LINKS.example.org:443", "", bearer, "", 200},
		{"own Origin", "v1/extract", "", "http://127.0.0.1:" + port, bearer, "", 200},
		{"other Origin", "v1/extract", "", "https://evil.example", bearer, "", 403},
		{"Origin of another port", "v1/extract", "", "http://127.0.0.1:1", bearer, "", 403},
		{"Origin null", "v1/extract", "", "null", bearer, "cross-site", 403},
		{"Origin null, unknown site", "v1/extract", "", "null", bearer, "", 403},
		{"Origin null of a form of ours", "v1/extract", "", "null", bearer, "same-origin", 200},
		{"Origin that is allowed", "v1/extract", "", "https://page.example.org", bearer, "", 200},
		{"no token", "v1/extract", "", "", "", "", 401},
		{"no token, metrics", "metrics", "", "", "", "", 401},
		{"wrong token", "v1/extract", "", "", "Bearer 0123456789abcdefghijkm", "", 401},
		{"beginning of the token", "v1/extract", "", "", bearer[:len(bearer)-1], "", 401},
		{"empty token", "v1/extract", "", "", "Bearer ", "", 401},
		{"password", "v1/extract", "", "", "Basic eDowMTIzNDU2Nzg5YWJjZGVmZ2hpamts", "", 200},
		{"wrong password", "v1/extract", "", "", "Basic eDox", "", 401},
	}
	for _, tt := range tests {
		q := request{url: at + tt.path, body: strings.NewReader(attackPage), header: http.Header{}}
		for name, value := range map[string]string{"Host": tt.host, "Origin": tt.origin,
			"Authorization": tt.authorization, "Sec-Fetch-Site": tt.site} {
			if value != "" {
				q.header.Set(name, value)
			}
		}
		if !strings.HasPrefix(tt.path, "v1/") {
			q.method, q.body = http.MethodGet, nil
		}
		answer, body := q.do(t)
		if answer.StatusCode != tt.status {
			t.Errorf("%s: got %s %s, want %d", tt.name, answer.Status, body, tt.status)
		}
		cors := answer.Header.Get("Access-Control-Allow-Origin")
		if (cors != "") != (tt.origin == "https://page.example.org") {
			t.Errorf("%s: got Access-Control-Allow-Origin %q", tt.name, cors)
		}
		for _, name := range []string{"Content-Security-Policy",
			"X-Content-Type-Options", "Referrer-Policy", "X-Frame-Options"} {
			if answer.Header.Get(name) == "" {
				t.Errorf("%s: %s is missing", tt.name, name)
			}
		}
		if answer.StatusCode == 401 &&
			!strings.Contains(strings.Join(answer.Header["Www-Authenticate"], ","), "Basic") {
			t.Errorf("%s: a browser is not asked for the token: %q", tt.name, answer.Header["Www-Authenticate"])
		}
	}
	asked, _ := request{method: http.MethodOptions, url: at + "v1/extract",
		header: http.Header{"Origin": {"https://page.example.org"}, "Access-Control-Request-Method": {"POST"}}}.do(t)
	if asked.StatusCode != 204 || !strings.Contains(asked.Header.Get("Access-Control-Allow-Methods"), "POST") {
		t.Errorf("OPTIONS of an origin that is allowed: got %s with %v", asked.Status, asked.Header)
	}
	asked, _ = request{method: http.MethodOptions, url: at + "v1/extract",
		header: http.Header{"Origin": {"https://evil.example"}}}.do(t)
	if asked.StatusCode != 403 {
		t.Errorf("OPTIONS of another origin: got %s, want 403", asked.Status)
	}
}

// GET /healthz requires neither Host nor token.
func TestServiceHealth(t *testing.T) {
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("0123456789abcdefghijkl\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	at := startService(t, "--token-file", token)
	for path, want := range map[string]string{"/healthz": "HTTP/1.0 200 OK", "/metrics": "HTTP/1.0 403 Forbidden"} {
		c := dial(t, at)
		io.WriteString(c, "GET "+path+" HTTP/1.0\r\n\r\n")
		if line, err := bufio.NewReader(c).ReadString('\n'); strings.TrimSpace(line) != want {
			t.Errorf("%s without a Host: got %q (%v), want %s", path, line, err, want)
		}
	}
}

// dial connects to the service until the test ends.
func dial(t *testing.T, at string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", strings.Trim(strings.TrimPrefix(at, "http://"), "/"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(30 * time.Second))
	return c
}

// Behind a wildcard address only the configured names are accepted, not even the address itself.
func TestServiceWildcard(t *testing.T) {
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("0123456789abcdefghijkl\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	at := startService(t, "--listen", "0.0.0.0:0", "--token-file", token,
		"--allow-host", "links.example.org", "--allow-host", "other.example.org:81")
	_, port, _ := net.SplitHostPort(strings.Trim(strings.TrimPrefix(at, "http://"), "/"))
	for host, want := range map[string]int{"links.example.org": 200,
		"links.example.org:1": 200, "other.example.org:81": 200, "other.example.org": 403,
		"127.0.0.1:" + port: 403, "0.0.0.0:" + port: 403, "localhost": 403, "sub.links.example.org": 403} {
		q := request{url: "http://127.0.0.1:" + port + "/v1/extract", body: strings.NewReader(attackPage),
			header: http.Header{"Host": {host}, "Authorization": {"Bearer 0123456789abcdefghijkl"}}}
		if answer, body := q.do(t); answer.StatusCode != want {
			t.Errorf("Host %s: got %s %s, want %d", host, answer.Status, body, want)
		}
	}
}

// The thousand and first connection waits until another one is closed.
func TestServiceThousandConnections(t *testing.T) {
	effort.Only(t)
	at := startService(t)
	var first net.Conn
	for range 1000 {
		c := dial(t, at)
		if first == nil {
			first = c
		}
	}
	last := dial(t, at)
	io.WriteString(last, "GET /healthz HTTP/1.0\r\n\r\n")
	last.SetReadDeadline(time.Now().Add(200 * time.Millisecond))
	if n, err := last.Read(make([]byte, 1)); n > 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("beside 1,000 connections: got %d bytes (%v), want no answer yet", n, err)
	}
	first.Close()
	last.SetReadDeadline(time.Now().Add(9 * time.Second)) // after ten seconds the server closes silent connections
	if line, err := bufio.NewReader(last).ReadString('\n'); !strings.Contains(line, "200 OK") {
		t.Errorf("when a connection is closed: got %q (%v), want 200", line, err)
	}
}

// Five hundred connections that send their headers or bodies slowly do not delay other requests.
func TestServiceSlowSenders(t *testing.T) {
	effort.Only(t)
	at := startService(t, "--jobs", "2")
	host := strings.Trim(strings.TrimPrefix(at, "http://"), "/")
	for i := range 500 {
		c, err := net.Dial("tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		head := "POST /v1/extract HTTP/1.1\r\nHost: " + host + "\r\n"
		if i%2 == 0 {
			head += "Content-Length: 1000\r\n\r\n<"
		}
		if _, err := io.WriteString(c, head); err != nil {
			t.Fatal(err)
		}
	}
	began := time.Now()
	for range 100 {
		if answer, _ := (request{url: at + "v1/extract",
			body: strings.NewReader(attackPage)}).do(t); answer.StatusCode != http.StatusOK {
			t.Fatalf("beside slow senders: got %s, want 200", answer.Status)
		}
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("100 requests beside slow senders took %v, want at most 5 s", took)
	}
}

// endless is a body without an end.
type endless struct{ read *atomic.Int64 }

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = "<a href=x>"[i%10]
	}
	e.read.Add(int64(len(p)))
	return len(p), nil
}

// A body that never ends is read only up to the limit.
func TestServiceEndlessBody(t *testing.T) {
	at := startService(t, "--max-size", "1M")
	var read atomic.Int64
	r, _ := http.NewRequest(http.MethodPost, at+"v1/extract", endless{&read})
	answer, err := http.DefaultClient.Do(r)
	if err == nil { // otherwise the connection was closed while the body was still being sent
		answer.Body.Close()
		if answer.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("got %s, want 413", answer.Status)
		}
	}
	if n := read.Load(); n > 16<<20 {
		t.Errorf("%d bytes were taken, want about 1 MB", n)
	}
}

// A few bytes that expand to very many are expanded only up to the limit.
func TestServiceBombs(t *testing.T) {
	effort.Only(t)
	at := startService(t, "--max-size", "1M")
	for _, c := range []coding.Coding{coding.Gzip, coding.Zstd, coding.Brotli} {
		var packed bytes.Buffer
		w, err := c.Writer(&packed)
		if err != nil {
			t.Fatal(err)
		}
		var read atomic.Int64
		io.CopyN(w, endless{&read}, 64<<20)
		w.Close()
		name := c.String()
		if c == coding.Brotli {
			name = "br"
		}
		answer, _ := request{url: at + "v1/extract", body: bytes.NewReader(packed.Bytes()),
			header: http.Header{"Content-Encoding": {name}}}.do(t)
		if answer.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("%s as the coding of the body: got %s, want 413", name, answer.Status)
		}
		if c == coding.Brotli {
			continue // only a name tells this coding
		}
		answer, body := request{url: at + "v1/extract", body: bytes.NewReader(packed.Bytes())}.do(t)
		if answer.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(body, "max-size") {
			t.Errorf("%s as the body: got %s %s, want 422 naming --max-size", name, answer.Status, body)
		}
	}
}

// Half of ten thousand requests break off. The others are answered, and nothing is left over.
func TestServiceBrokenOff(t *testing.T) {
	effort.Only(t)
	at := startService(t)
	host := strings.Trim(strings.TrimPrefix(at, "http://"), "/")
	page := strings.Repeat(attackPage, 50)
	client := &http.Client{Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 20}}
	before := runtime.NumGoroutine()
	const turns = 500
	var wg sync.WaitGroup
	var wrong atomic.Int64
	for w := range 20 {
		wg.Go(func() {
			for i := range turns {
				if (w+i)%2 == 0 {
					if !breaksOff(host, page, i) {
						wrong.Add(1)
					}
					continue
				}
				answer, err := client.Post(at+"v1/extract?base=http://e/", "text/html", strings.NewReader(page))
				if err != nil {
					wrong.Add(1)
					continue
				}
				n, err := io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
				if err != nil || answer.StatusCode != http.StatusOK || n < 5000 {
					wrong.Add(1)
				}
			}
		})
	}
	wg.Wait()
	if n := wrong.Load(); n > 0 {
		t.Errorf("%d of %d requests were not answered, or could not be sent", n, 20*turns)
	}
	client.CloseIdleConnections()
	for range 50 {
		if runtime.NumGoroutine() <= before+10 {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Errorf("%d goroutines are left, %d were there before", runtime.NumGoroutine(), before)
}

// breaksOff sends a part of a request, or sends all of it and reads a part of the answer.
func breaksOff(host, page string, i int) bool {
	c, err := net.Dial("tcp", host)
	if err != nil {
		return false
	}
	defer c.Close()
	c.(*net.TCPConn).SetLinger(0) // reset, as if the program was killed
	text := fmt.Sprintf("POST /v1/extract?base=http://e/ HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n\r\n%s",
		host, len(page), page)
	switch i % 3 {
	case 0:
		text = text[:len(text)/2]
	case 1:
		text = text[:20]
	}
	io.WriteString(c, text)
	if i%3 == 2 {
		c.Read(make([]byte, 100))
	}
	return true
}

// If a client goes away, the work on its document ends.
func TestServiceClientGoesAway(t *testing.T) {
	at := startService(t, "--jobs", "1", "--max-size", "64M")
	body := strings.Repeat("From a@b Thu Jan  1 00:00:00 1970\nSubject: x\nContent-Type: text/html\n\n"+
		strings.Repeat(attackPage, 100)+"\n\n", 20000)
	ctx, cancel := context.WithCancel(context.Background())
	r, _ := http.NewRequestWithContext(ctx, http.MethodPost,
		at+"v1/extract?default-base=http://e/", strings.NewReader(body))
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Read(make([]byte, 100))
	cancel()
	answer.Body.Close()
	began := time.Now()
	if answer, _ := (request{url: at + "v1/extract",
		body: strings.NewReader(attackPage)}).do(t); answer.StatusCode != http.StatusOK {
		t.Errorf("the next request: got %s, want 200", answer.Status)
	}
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("the next request waited %v for work that nobody wants", took)
	}
}
