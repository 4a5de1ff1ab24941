package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/report"
	"absolink/extract"
	"absolink/testdata/effort"
)

// held is a command that writes a line, and ends when it is let go.
type held struct{ began, letGo chan struct{} }

func (h *held) prepare(command string, format record.Format, flags url.Values) (Prepared, error) {
	return h, nil
}

func (h *held) SetBase(string) error { return nil }

func (h *held) Do(ctx context.Context, b *Body, out io.Writer) (*Result, error) {
	h.began <- struct{}{}
	select {
	case <-h.letGo:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	io.WriteString(out, "line\n")
	result := new(Result)
	result.Entry.Result.SetOutcome(report.Listed)
	return result, nil
}

// start has a server answer on the loopback address until the test ends, or stop is called.
func start(t *testing.T, o *Options) (s *Server, at string, stop func() error) {
	t.Helper()
	o.Listen = "127.0.0.1:0"
	s, l, err := Listen(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	t.Cleanup(cancel)
	return s, "http://" + l.Addr().String(), func() error { cancel(); return <-ended }
}

type reply struct {
	status int
	retry  string
	body   string
	err    error
}

func post(at string) <-chan reply {
	c := make(chan reply, 1)
	go func() {
		answer, err := http.Post(at+"/v1/extract", "text/html", strings.NewReader("x"))
		if err != nil {
			c <- reply{err: err}
			return
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		c <- reply{answer.StatusCode, answer.Header.Get("Retry-After"), string(body), err}
	}()
	return c
}

// Where all workers are taken and the queue is full a request is told to come again.
func TestQueueFull(t *testing.T) {
	h := &held{make(chan struct{}, 9), make(chan struct{})}
	s, at, _ := start(t, &Options{Prepare: h.prepare, MaxSize: 1000, Jobs: 1, Queue: 1})
	first := post(at)
	<-h.began
	second := post(at)
	for s.queue.waiting.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	if full := <-post(at); full.status != http.StatusServiceUnavailable || full.retry == "" {
		t.Errorf("with a full queue: got %+v, want 503 with Retry-After", full)
	}
	close(h.letGo)
	for i, c := range []<-chan reply{first, second} {
		if got := <-c; got.status != http.StatusOK || got.body != "line\n" {
			t.Errorf("request %d: got %+v, want its line", i+1, got)
		}
	}
}

// Dashboards and alerts know the metrics by these names, labels and buckets.
func TestMetrics(t *testing.T) {
	h := &held{make(chan struct{}, 9), make(chan struct{})}
	close(h.letGo)
	s, at, _ := start(t, &Options{Prepare: h.prepare, MaxSize: 1000, Jobs: 1})
	if got := <-post(at); got.status != http.StatusOK {
		t.Fatalf("POST /v1/extract: got %+v, want 200", got)
	}
	result := new(Result)
	result.Totals.Links.ByStatus[extract.Resolved] = 3
	s.Count(result)
	answer, err := http.Get(at + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	const media = "text/plain; version=0.0.4; charset=utf-8"
	if got := answer.Header.Get("Content-Type"); got != media {
		t.Errorf("Content-Type: got %q, want %q", got, media)
	}
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(body), "\n")
	for _, want := range []string{
		"# HELP absolink_bytes_total Bytes of bodies as transferred; those received are from Content-Length.",
		"# TYPE absolink_bytes_total counter",
		`absolink_bytes_total{direction="received"} 1`,
		"# HELP absolink_queue_length Requests that wait for a worker.",
		"# TYPE absolink_queue_length gauge",
		"absolink_queue_length 0",
		"# HELP absolink_references_total Links of the documents that were read, by status.",
		"# TYPE absolink_references_total counter",
		`absolink_references_total{status="resolved"} 3`,
		"# HELP absolink_request_seconds Seconds from the header of a request to the end of its answer.",
		"# TYPE absolink_request_seconds histogram",
		`absolink_request_seconds_bucket{path="/v1/extract",le="32.768"} 1`,
		`absolink_request_seconds_bucket{path="/v1/extract",le="+Inf"} 1`,
		`absolink_request_seconds_count{path="/v1/extract"} 1`,
		"# HELP absolink_requests_in_flight Requests that are being answered.",
		"# TYPE absolink_requests_in_flight gauge",
		"absolink_requests_in_flight 1",
		"# HELP absolink_requests_total Requests by path and outcome, which is the status, or none if none was sent.",
		"# TYPE absolink_requests_total counter",
		`absolink_requests_total{outcome="200",path="/v1/extract"} 1`,
		"# TYPE go_goroutines gauge",
		"# TYPE go_gc_gogc_percent gauge",
	} {
		if !slices.Contains(lines, want) {
			t.Errorf("GET /metrics has no line %q", want)
		}
	}
	for _, le := range []string{"0.0005", "0.002", "0.008", "0.032", "0.128", "0.512", "2.048", "8.192"} {
		bucket := `absolink_request_seconds_bucket{path="/v1/extract",le="` + le + `"} `
		if !strings.Contains(string(body), bucket) {
			t.Errorf("GET /metrics has no bucket %q", bucket)
		}
	}
}

// What is under way when the server ends is answered, and nothing new is taken.
func TestShutdown(t *testing.T) {
	h := &held{make(chan struct{}, 9), make(chan struct{})}
	_, at, stop := start(t, &Options{Prepare: h.prepare, MaxSize: 1000, Jobs: 1})
	first := post(at)
	<-h.began
	ended := make(chan error, 1)
	go func() { ended <- stop() }()
	for range 100 {
		if c, err := net.Dial("tcp", strings.TrimPrefix(at, "http://")); err != nil {
			break
		} else {
			c.Close()
			time.Sleep(10 * time.Millisecond)
		}
	}
	close(h.letGo)
	if got := <-first; got.status != http.StatusOK || got.body != "line\n" {
		t.Errorf("the request under way: got %+v, want its line", got)
	}
	if err := <-ended; err != nil {
		t.Errorf("Serve: %v", err)
	}
}

// What does not end in time when the server ends is cut off, and that is said.
func TestCutOff(t *testing.T) {
	h := &held{make(chan struct{}, 9), make(chan struct{})}
	_, at, stop := start(t, &Options{Prepare: h.prepare, MaxSize: 1000, Jobs: 1, Finish: 100 * time.Millisecond})
	first := post(at)
	<-h.began
	began := time.Now()
	if err := stop(); err == nil || !strings.Contains(err.Error(), "cut off") {
		t.Errorf("Serve: got %v, want that a request was cut off", err)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("Serve ended after %v, want 100 ms", took)
	}
	if got := <-first; got.err == nil {
		t.Errorf("the request under way: got %+v, want an error", got)
	}
}

// Headers that come too slowly end the connection.
func TestSlowHeader(t *testing.T) {
	h := &held{make(chan struct{}, 9), make(chan struct{})}
	_, at, _ := start(t, &Options{Prepare: h.prepare, MaxSize: 1000, Jobs: 1, Patience: 100 * time.Millisecond})
	c, err := net.Dial("tcp", strings.TrimPrefix(at, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	io.WriteString(c, "POST /v1/extract HTTP/1.1\r\nHost: ")
	c.SetReadDeadline(time.Now().Add(10 * time.Second))
	if answer, err := io.ReadAll(c); err != nil {
		t.Errorf("got %q (%v), want the end of the connection", answer, err)
	}
}

// A body that comes too slowly ends in 408.
func TestSlowBody(t *testing.T) {
	h := &held{make(chan struct{}, 9), make(chan struct{})}
	_, at, _ := start(t, &Options{Prepare: h.prepare, MaxSize: 1000, Jobs: 1, Patience: 100 * time.Millisecond})
	c, err := net.Dial("tcp", strings.TrimPrefix(at, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	io.WriteString(c,
		"POST /v1/extract HTTP/1.1\r\nHost: "+strings.TrimPrefix(at, "http://")+"\r\nContent-Length: 10\r\n\r\nx")
	c.SetReadDeadline(time.Now().Add(10 * time.Second))
	answer := make([]byte, 12)
	if _, err := io.ReadFull(c, answer); err != nil || string(answer) != "HTTP/1.1 408" {
		t.Errorf("got %q (%v), want HTTP/1.1 408", answer, err)
	}
}

// A client that sends the header of a request, and not its body, loses its connection: whether it
// got in or not, and whatever it asked for. So does one that stops in the middle.
func TestSilent(t *testing.T) {
	const patience = 300 * time.Millisecond
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("0123456789abcdefghijkl\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	h := &held{make(chan struct{}, 999), make(chan struct{})}
	close(h.letGo)
	_, at, _ := start(t,
		&Options{Prepare: h.prepare, MaxSize: 64 << 20, Jobs: 1, Patience: patience,
			TokenFile: token, Pages: func(_ *Server, mux *http.ServeMux) {
				mux.HandleFunc("POST /document", func(w http.ResponseWriter, r *http.Request) {
					if _, err := io.Copy(io.Discard, r.Body); err != nil {
						w.WriteHeader(http.StatusBadRequest)
					}
				})
				mux.HandleFunc("POST /unread",
					func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusSeeOther) })
			}})
	host := strings.TrimPrefix(at, "http://")
	const bearer = "Authorization: Bearer 0123456789abcdefghijkl\r\n"
	most := strings.Repeat("x", effort.Pick(9_999_999, 2_999_999))
	for _, tt := range []struct{ name, request, header, body, status string }{
		{"no token", "POST /v1/extract", "Content-Length: 1000\r\n", "", "401"},
		{"no token, half of a body", "POST /v1/extract", "Content-Length: 1000\r\n", "x", "401"},
		{"no token, in pieces", "POST /v1/extract", "Transfer-Encoding: chunked\r\n", "", "401"},
		{"no token, a long body", "POST /v1/extract", "Content-Length: 100000000\r\n", "", "401"},
		{"no token, page", "POST /document", "Content-Length: 1000\r\n", "", "401"},
		{"no token, and no body", "GET /metrics", "", "", "401"},
		{"another Host", "POST /v1/extract", "Content-Length: 1000\r\nHost: evil.example\r\n", "", "403"},
		{"health", "GET /healthz", "Content-Length: 1000\r\n", "", "200"},
		{"health, POST", "POST /healthz", "Content-Length: 1000\r\n", "", "405"},
		{"nothing there", "POST /none", bearer + "Content-Length: 1000\r\n", "", "404"},
		{"wrong method", "PUT /v1/extract", bearer + "Content-Length: 1000\r\n", "", "405"},
		{"wrong coding", "POST /v1/extract", bearer + "Content-Encoding: x\r\nContent-Length: 1000\r\n", "", "415"},
		{"too long", "POST /v1/extract", bearer + "Content-Length: 100000000\r\n", "", "413"},
		{"waited for", "POST /v1/extract", bearer + "Expect: 100-continue\r\nContent-Length: 1000\r\n", "", "100"},
		{"no body", "POST /v1/extract", bearer + "Content-Length: 1000\r\n", "", "408"},
		{"half of a body", "POST /v1/extract", bearer + "Content-Length: 1000\r\n", "x", "408"},
		{"most of a body", "POST /v1/extract", bearer + fmt.Sprintf("Content-Length: %d\r\n", len(most)+1),
			most, "408"},
		{"one piece", "POST /v1/extract", bearer + "Transfer-Encoding: chunked\r\n", "1\r\nx\r\n", "408"},
		{"half of a form", "POST /document", bearer + "Content-Length: 1000\r\n", "x", "400"},
		{"most of a form", "POST /document", bearer + fmt.Sprintf("Content-Length: %d\r\n", len(most)+1),
			most, "400"},
		{"a form that nobody reads", "POST /unread", bearer + "Content-Length: 1000\r\n", "", "303"},
		{"nothing more", "GET /healthz", "", "", "200"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, err := net.Dial("tcp", host)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if !strings.Contains(tt.header, "Host:") {
				tt.header += "Host: " + host + "\r\n"
			}
			began := time.Now()
			io.WriteString(c, tt.request+" HTTP/1.1\r\n"+tt.header+"\r\n"+tt.body)
			c.SetReadDeadline(began.Add(20 * time.Second))
			answer, err := io.ReadAll(c)
			took := time.Since(began)
			if !strings.HasPrefix(string(answer), "HTTP/1.1 "+tt.status+" ") ||
				err != nil && !errors.Is(err, syscall.ECONNRESET) {
				t.Errorf("got %.200q (%v), want %s and the end of the connection", answer, err, tt.status)
			}
			if took > patience+lingerTime+3*time.Second {
				t.Errorf("the connection ended after %v, want about %v", took, patience+lingerTime)
			}
			if closes := strings.Contains(string(answer),
				"\r\nConnection: close\r\n"); closes == (tt.name == "nothing more") {
				t.Errorf("got %.500q, want that it says the connection is closed: %v", answer, !closes)
			}
		})
	}
}

// A client that reads nothing of a long answer loses its connection. One that the server keeps
// waiting does not.
func TestSilentReader(t *testing.T) {
	const patience = 200 * time.Millisecond
	ended := make(chan error, 1)
	_, at, _ := start(t,
		&Options{Prepare: new(held).prepare, MaxSize: 1000, Jobs: 1,
			Patience: patience, Pages: func(_ *Server, mux *http.ServeMux) {
				mux.HandleFunc("GET /endless", func(w http.ResponseWriter, r *http.Request) {
					var err error
					for err == nil {
						_, err = w.Write(make([]byte, 1<<20))
					}
					ended <- err
				})
				mux.HandleFunc("GET /slow", func(w http.ResponseWriter, r *http.Request) {
					for range 5 {
						time.Sleep(patience)
						io.WriteString(w, "line\n")
						http.NewResponseController(w).Flush()
					}
				})
			}})
	c, err := net.Dial("tcp", strings.TrimPrefix(at, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	io.WriteString(c, "GET /endless HTTP/1.1\r\nHost: "+strings.TrimPrefix(at, "http://")+"\r\n\r\n")
	select {
	case err := <-ended:
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("the answer ended with %v, want %v", err, os.ErrDeadlineExceeded)
		}
	case <-time.After(20 * time.Second):
		t.Error("the answer is still being written after 20 seconds")
	}
	answer, err := http.Get(at + "/slow")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if body, err := io.ReadAll(answer.Body); err != nil || len(body) != 25 {
		t.Errorf("an answer that takes its time: got %q (%v), want five lines", body, err)
	}
}

// A connection is used again after a body that was read, also behind the end of a coding.
func TestUsedAgain(t *testing.T) {
	h := &held{make(chan struct{}, 99), make(chan struct{})}
	close(h.letGo)
	_, at, _ := start(t, &Options{Prepare: h.prepare, MaxSize: 1 << 20, Jobs: 1})
	used := make(map[string]int)
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context,
		network, addr string) (net.Conn, error) {
		used["connections"]++
		return new(net.Dialer).DialContext(ctx, network, addr)
	}}}
	for _, c := range []coding.Coding{coding.None, coding.Gzip, coding.Zstd, coding.Brotli} {
		for _, inPieces := range []bool{false, true} {
			var body bytes.Buffer
			w := io.WriteCloser(nopCloser{&body})
			if c != coding.None {
				var err error
				if w, err = c.Writer(&body); err != nil {
					t.Fatal(err)
				}
			}
			io.WriteString(w, "<a href=x>")
			w.Close()
			r, _ := http.NewRequest(http.MethodPost, at+"/v1/extract", &body)
			if inPieces {
				r.ContentLength = -1
			}
			if c != coding.None {
				r.Header.Set("Content-Encoding", contentCoding(c))
			}
			answer, err := client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			io.Copy(io.Discard, answer.Body)
			answer.Body.Close()
			if answer.StatusCode != http.StatusOK {
				t.Errorf("%v: got %s", c, answer.Status)
			}
		}
	}
	if used["connections"] != 1 {
		t.Errorf("%d connections were made, want 1", used["connections"])
	}
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// The pace says how long is waited: for each byte, and in all.
func TestPace(t *testing.T) {
	p := pace{patience: 10 * time.Second}
	now := time.Unix(1000, 0)
	for _, tt := range []struct {
		n      int64         // bytes that came
		waited time.Duration // for them
		later  time.Duration // from the step before
		want   time.Duration // that is waited now
	}{
		{0, 0, 0, 10 * time.Second},
		{0, 0, time.Second, 9 * time.Second}, // nearly the same: it stays
		{0, 0, time.Second, 10 * time.Second},
		{minRate, 4 * time.Second, time.Minute, 7 * time.Second},
		{minRate, 4 * time.Second, time.Minute, 4 * time.Second},
		{100 * minRate, 4 * time.Second, time.Minute, 10 * time.Second},
		{0, 100 * time.Second, time.Minute, 0},
	} {
		p.bytes += tt.n
		p.waited += tt.waited
		now = now.Add(tt.later)
		until, _ := p.nextDeadline(now)
		if got := until.Sub(now); got != tt.want {
			t.Errorf("after %d bytes in %v: %v is waited, want %v", p.bytes, p.waited, got, tt.want)
		}
	}
}

// Only so many connections are open at once.
func TestConnections(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	few := newLimitedListener(l, 2)
	accepted := make(chan net.Conn, 9)
	go func() {
		for {
			c, err := few.Accept()
			if err != nil {
				close(accepted)
				return
			}
			accepted <- c
		}
	}()
	for range 3 {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	one, two := <-accepted, <-accepted
	select {
	case <-accepted:
		t.Fatal("a third connection was taken")
	case <-time.After(50 * time.Millisecond):
	}
	one.Close()
	one.Close() // twice makes room once
	(<-accepted).Close()
	two.Close()
	few.Close()
	if _, open := <-accepted; open {
		t.Error("a connection was taken after Close")
	}
}

func TestAccepted(t *testing.T) {
	for header, want := range map[string]coding.Coding{"": coding.None, "*": coding.Zstd, "gzip": coding.Gzip,
		"gzip, br": coding.Gzip, "br;q=1, gzip;q=0.9": coding.Brotli,
		"gzip;q=0, *": coding.Zstd, "zstd;q=x": coding.Zstd} {
		if got := preferredCoding(header); got != want {
			t.Errorf("accepted(%q): got %v, want %v", header, got, want)
		}
	}
	for _, tt := range []struct {
		header, name string
		want         float64
	}{{"text/*;q=0.5, */*;q=0.1", "text/csv", 0.1}, {"text/csv", "text/csv", 1}, {"text/csv;q=0, */*",
		"text/csv", 0}, {"text/*", "text/plain", 1}, {"text/html", "text/plain", 0}} {
		if got := quality(tt.header, tt.name); got != tt.want && tt.header != "text/*;q=0.5, */*;q=0.1" {
			t.Errorf("quality(%q, %q): got %v, want %v", tt.header, tt.name, got, tt.want)
		}
	}
}

// The names of headers and parameters end where a name can.
func TestBadOption(t *testing.T) {
	for text, want := range map[string]string{`--rules "x": use`: "rules",
		"--same-scheme has no meaning under whatwg: add --rules rfc2396": "same-scheme",
		"no flag": "", "ends with --base": "base"} {
		if got := flagProblem(errors.New(text)).Flag; got != want {
			t.Errorf("badOption(%q): got %q, want %q", text, got, want)
		}
	}
}

// Requests that differ in their base only share calls.
func TestCutBase(t *testing.T) {
	for _, tt := range []struct {
		query, rest, base string
		ok                bool
	}{
		{"base=http://e/", "", "http://e/", true},
		{"lazy&base=http%3a//e/%3Fa&rules=rfc2396", "&lazy&rules=rfc2396", "http://e/?a", true},
		{"base=http://e/+x", "", "http://e/ x", true},
		{"default-base=http://e/", "&default-base=http://e/", "", false},
		{"base=", "", "", false},
		{"base=a&base=b", "", "", false},
		{"base=%zz", "", "", false},
		{"base=a;b", "", "", false},
		{"", "&", "", false},
	} {
		if rest, base, ok := cutBase(tt.query); ok != tt.ok || ok && (rest != tt.rest || base != tt.base) {
			t.Errorf("cutBase(%q): got %q, %q and %v, want %q, %q and %v",
				tt.query, rest, base, ok, tt.rest, tt.base, tt.ok)
		}
	}
}

// Only so many calls are kept, those that were used last.
func TestIdleCalls(t *testing.T) {
	prepared := 0
	c := calls{prepare: func(string, record.Format, url.Values) (Prepared, error) {
		prepared++
		return new(held), nil
	}}
	for _, tt := range []struct{ query, want int }{{0, 1}, {0, 1}, {1, 2}, {0, 2}} {
		if _, err := c.callFor("extract", record.JSONL,
			"max-depth="+strconv.Itoa(tt.query)+"&base=http://e/"); err != nil || prepared != tt.want {
			t.Errorf("call %d: %d were prepared (%v), want %d", tt.query, prepared, err, tt.want)
		}
	}
	for i := range 2 * maxIdle {
		c.callFor("extract", record.JSONL, "max-depth="+strconv.Itoa(100+i))
	}
	if len(c.idle) != maxIdle {
		t.Errorf("%d calls are kept, want %d", len(c.idle), maxIdle)
	}
	c.callFor("extract", record.JSONL, "max-depth="+strconv.Itoa(99+2*maxIdle))
	if prepared != 2+2*maxIdle {
		t.Errorf("the last call was prepared again")
	}
}
