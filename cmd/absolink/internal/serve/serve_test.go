package serve

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/report"
)

// held is a command that writes a line, and ends when it is let go.
type held struct{ began, letGo chan struct{} }

func (h *held) prepare(command string, format record.Format, flags url.Values) (Prepared, error) {
	return h, nil
}

func (h *held) Rebase(string) error { return nil }

func (h *held) Do(ctx context.Context, b *Body, out io.Writer) (*Result, error) {
	h.began <- struct{}{}
	select {
	case <-h.letGo:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	io.WriteString(out, "line\n")
	return &Result{Entry: report.Entry{Outcome: report.Listed}}, nil
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
	io.WriteString(c, "POST /v1/extract HTTP/1.1\r\nHost: "+strings.TrimPrefix(at, "http://")+"\r\nContent-Length: 10\r\n\r\nx")
	c.SetReadDeadline(time.Now().Add(10 * time.Second))
	answer := make([]byte, 12)
	if _, err := io.ReadFull(c, answer); err != nil || string(answer) != "HTTP/1.1 408" {
		t.Errorf("got %q (%v), want HTTP/1.1 408", answer, err)
	}
}

// Only so many connections are open at once.
func TestConnections(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	few := newLimited(l, 2)
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
	for header, want := range map[string]coding.Coding{"": coding.None, "*": coding.Zstd, "gzip": coding.Gzip, "gzip, br": coding.Gzip, "br;q=1, gzip;q=0.9": coding.Brotli, "gzip;q=0, *": coding.Zstd, "zstd;q=x": coding.Zstd} {
		if got := accepted(header); got != want {
			t.Errorf("accepted(%q): got %v, want %v", header, got, want)
		}
	}
	for _, tt := range []struct {
		header, name string
		want         float64
	}{{"text/*;q=0.5, */*;q=0.1", "text/csv", 0.1}, {"text/csv", "text/csv", 1}, {"text/csv;q=0, */*", "text/csv", 0}, {"text/*", "text/plain", 1}, {"text/html", "text/plain", 0}} {
		if got := quality(tt.header, tt.name); got != tt.want && tt.header != "text/*;q=0.5, */*;q=0.1" {
			t.Errorf("quality(%q, %q): got %v, want %v", tt.header, tt.name, got, tt.want)
		}
	}
}

// The names of headers and parameters end where a name can.
func TestBadOption(t *testing.T) {
	for text, want := range map[string]string{`--rules "x": use`: "rules", "--same-scheme has no meaning under whatwg: add --rules rfc2396": "same-scheme", "no flag": "", "ends with --base": "base"} {
		if got := badOption(errors.New(text)).Flag; got != want {
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
			t.Errorf("cutBase(%q): got %q, %q and %v, want %q, %q and %v", tt.query, rest, base, ok, tt.rest, tt.base, tt.ok)
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
		if _, err := c.call("extract", record.JSONL, "max-depth="+strconv.Itoa(tt.query)+"&base=http://e/"); err != nil || prepared != tt.want {
			t.Errorf("call %d: %d were prepared (%v), want %d", tt.query, prepared, err, tt.want)
		}
	}
	for i := range 2 * maxIdle {
		c.call("extract", record.JSONL, "max-depth="+strconv.Itoa(100+i))
	}
	if len(c.idle) != maxIdle {
		t.Errorf("%d calls are kept, want %d", len(c.idle), maxIdle)
	}
	if c.call("extract", record.JSONL, "max-depth="+strconv.Itoa(99+2*maxIdle)); prepared != 2+2*maxIdle {
		t.Errorf("the last call was prepared again")
	}
}
