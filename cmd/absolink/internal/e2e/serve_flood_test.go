package e2e

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"absolink/cmd/absolink/internal/command"
	"absolink/cmd/absolink/internal/serve"
	"absolink/testdata/effort"
)

var flooded = flag.Duration("flood", 0,
	"how long a service of its own is flooded by TestServeFlood, with its usual limits; 0 = shortly, with short ones")

const floodToken = "0123456789abcdefghijkl"

// flood is many clients of different kinds at the same time.
type flood struct {
	t        *testing.T
	at, host string
	patience time.Duration // of the service
	until    time.Time
	wg       sync.WaitGroup

	served, greedy, closed atomic.Int64
	slowest                atomic.Int64 // longest time of an honest request, in nanoseconds
	longest                atomic.Int64 // longest time of a silent client, in nanoseconds
}

// Silent, slow and greedy clients come at once, with and without a token. All silent and slow
// clients lose their connections, and honest ones are served meanwhile.
func TestServeFlood(t *testing.T) {
	effort.Only(t)
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte(floodToken+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := &flood{t: t, patience: time.Second}
	pid, many, lasts := 0, 20, 2*time.Second
	if *flooded > 0 {
		cmd, at := startedService(t, "--token-file", token, "--jobs", "2")
		f.at = at
		f.patience = 25 * time.Second
		pid, many, lasts = cmd.Process.Pid, 200, *flooded
	} else {
		f.at = patientService(t, token, f.patience)
	}
	f.host = strings.Trim(strings.TrimPrefix(f.at, "http://"), "/")
	f.until = time.Now().Add(lasts)
	bearer := "Authorization: Bearer " + floodToken + "\r\n"
	links := strings.Repeat("<a href=x>", 20000)
	page := "<base href=http://h/" + strings.Repeat("b", 3000) + "/>" + links
	for range many {
		f.silent("")
		f.silent("POST /v1/extract HTTP/1.1\r\nHost: " + f.host + "\r\nContent-Length: 1000\r\n\r\n")
		f.silent("POST /document HTTP/1.1\r\nHost: " + f.host + "\r\nContent-Length: 1000\r\n\r\nx")
	}
	for range many / 2 {
		f.silent("POST /v1/extract HTTP/1.1\r\nHost: " + f.host +
			"\r\n" + bearer + "Content-Length: 1000\r\n\r\n<a href=")
		f.silent("POST /document HTTP/1.1\r\nHost: " + f.host + "\r\n" + bearer +
			"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000\r\n\r\n--b\r\n")
	}
	for range many / 4 {
		f.dripping("POST /v1/extract HTTP/1.1\r\nHost: " + f.host +
			"\r\n" + bearer + "Content-Length: 100000000\r\n\r\n")
	}
	for range 3 {
		f.deaf(fmt.Sprintf("POST /v1/extract HTTP/1.1\r\nHost: %s\r\n%sContent-Length: %d\r\n\r\n%s",
			f.host, bearer, len(page), page))
	}
	f.while(2, func(c *http.Client) { f.uploads(c, page, "&view=rules") })
	f.while(2, func(c *http.Client) { f.uploads(c, "<a href=x>", "") })
	f.while(1, func(c *http.Client) {
		f.post(c, "v1/extract?match=(a?)%7B900%7D", "text/html", strings.NewReader(page), http.StatusBadRequest)
		f.greedy.Add(1)
	})
	f.while(3, f.honest)
	f.wg.Wait()
	t.Logf("%d honest requests, the slowest in %v; %d greedy ones; %d connections were closed, the last after %v",
		f.served.Load(), time.Duration(f.slowest.Load()),
		f.greedy.Load(), f.closed.Load(), time.Duration(f.longest.Load()))
	if f.served.Load() < 10 || f.greedy.Load() < 3 {
		t.Errorf("%d honest and %d greedy requests were answered, want more", f.served.Load(), f.greedy.Load())
	}
	if pid == 0 {
		return
	}
	descriptors, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if peak := memoryPeak(t, pid); peak > 600 || len(descriptors) > 400 {
		t.Errorf("the service had %d MB, and has %d descriptors, want at most 600 and 400", peak, len(descriptors))
	}
}

// patientService starts the service in this process.
func patientService(t *testing.T, token string, patience time.Duration) string {
	t.Helper()
	o := &serve.Options{Listen: "127.0.0.1:0", TokenFile: token,
		Prepare: command.PrepareFor(64 << 20), MaxSize: 64 << 20, Jobs: 2, Patience: patience}
	o.Pages = func(s *serve.Server, mux *http.ServeMux) { command.Pages(64<<20, 64<<20, s).Add(mux) }
	s, l, err := serve.Listen(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	return "http://" + l.Addr().String() + "/"
}

// connect calls use with a connection. The service must close it in time.
func (f *flood) connect(use func(c net.Conn) error) {
	f.wg.Go(func() {
		c, err := net.Dial("tcp", f.host)
		if err != nil {
			f.t.Error(err)
			return
		}
		defer c.Close()
		began := time.Now()
		c.SetDeadline(began.Add(2*f.patience + 10*time.Second))
		err = use(c)
		took := time.Since(began)
		if errors.Is(err, os.ErrDeadlineExceeded) || took > f.patience+5*time.Second {
			f.t.Errorf("a client that is silent or slow was suffered for %v (%v), want at most %v",
				took, err, f.patience+5*time.Second)
		}
		f.closed.Add(1)
		if n := int64(took); n > f.longest.Load() {
			f.longest.Store(n)
		}
	})
}

// silent sends a text and nothing more.
func (f *flood) silent(text string) {
	f.connect(func(c net.Conn) error {
		io.WriteString(c, text)
		_, err := io.Copy(io.Discard, c)
		return err
	})
}

// dripping sends a text, and then a byte from time to time.
func (f *flood) dripping(text string) {
	f.connect(func(c net.Conn) error {
		io.WriteString(c, text)
		for {
			time.Sleep(f.patience / 100)
			if _, err := io.WriteString(c, "x"); err != nil {
				return err
			}
		}
	})
}

// deaf sends a request, reads the beginning of the answer, and the rest much later. By then the
// service has closed the connection.
func (f *flood) deaf(text string) {
	f.wg.Go(func() {
		c, err := net.Dial("tcp", f.host)
		if err != nil {
			f.t.Error(err)
			return
		}
		defer c.Close()
		io.WriteString(c, text)
		c.SetDeadline(time.Now().Add(time.Minute))
		if _, err := io.ReadFull(c, make([]byte, 1)); err != nil {
			f.t.Errorf("a client that reads the beginning: %v", err)
			return
		}
		time.Sleep(min(f.patience, 5*time.Second) + 2*time.Second)
		if answer, err := io.ReadAll(c); errors.Is(err, os.ErrDeadlineExceeded) ||
			bytes.HasSuffix(answer, []byte("0\r\n\r\n")) {
			f.t.Errorf("a client that reads nothing: got %d bytes in the end (%v), want an answer that is cut off",
				len(answer), err)
		}
	})
}

// while calls use repeatedly on n goroutines until the flood is over.
func (f *flood) while(n int, use func(c *http.Client)) {
	for range n {
		f.wg.Go(func() {
			c := &http.Client{Timeout: 40 * time.Second, Transport: &http.Transport{},
				CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
			defer c.CloseIdleConnections()
			for time.Now().Before(f.until) {
				use(c)
			}
		})
	}
}

// post sends a body, checks the status of the answer, and returns its Location.
func (f *flood) post(c *http.Client, path, media string, body io.Reader, status int) (location string) {
	return f.request(c, http.MethodPost, path, media, body, status)
}

func (f *flood) request(c *http.Client, method, path, media string, body io.Reader, status int) (location string) {
	r, err := http.NewRequest(method, f.at+strings.TrimPrefix(path, "/"), body)
	if err != nil {
		f.t.Error(err)
		return ""
	}
	r.Header.Set("Authorization", "Bearer "+floodToken)
	r.Header.Set("Content-Type", media)
	answer, err := c.Do(r)
	if err != nil {
		f.t.Errorf("%s: %v", path, err)
		return ""
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil || answer.StatusCode != status {
		f.t.Errorf("%s: got %s (%v), want %d", path, answer.Status, err, status)
	}
	return answer.Header.Get("Location")
}

// uploads uploads a document, and opens it in a view, unless view is empty.
func (f *flood) uploads(c *http.Client, page, view string) {
	body, media := filledIn("a.html", []byte(page))
	at := f.post(c, "document", media, body, http.StatusSeeOther)
	if view != "" && at != "" {
		f.request(c, http.MethodGet, at+view, "", nil, http.StatusOK)
	}
	f.greedy.Add(1)
}

// honest makes the requests of a user with a few pages.
func (f *flood) honest(c *http.Client) {
	for _, r := range []struct{ method, path, body string }{
		{http.MethodGet, "healthz", ""}, {http.MethodPost, "v1/extract?base=http://e.test/",
			attackPage}, {http.MethodPost, "v1/rewrite?base=http://e.test/", attackPage}, {http.MethodGet, "", ""},
	} {
		began := time.Now()
		f.request(c, r.method, r.path, "text/html", strings.NewReader(r.body), http.StatusOK)
		if took := int64(time.Since(began)); took > f.slowest.Load() {
			f.slowest.Store(took)
		}
		f.served.Add(1)
	}
	time.Sleep(10 * time.Millisecond)
}
