package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"absolink/testdata/coded"
	"absolink/testdata/effort"
)

// All retrievals together hold a bounded number of bytes, whatever servers send. All of them end,
// even if each keeps its body until the earlier ones have ended.
func TestHeld(t *testing.T) {
	size, n := effort.Pick(1<<20, 256<<10), effort.Pick(60, 40)
	most := int64(8 * size)
	large := bytes.Repeat([]byte("x"), size)
	packed, bomb := coded.Bytes("gzip", large), coded.Bytes("gzip", append(large, 'x'))
	mux := http.NewServeMux()
	mux.HandleFunc("/length", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(size))
		w.Write(large)
	})
	mux.HandleFunc("/chunks", func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < size; i += size / 8 {
			w.Write(large[i : i+size/8])
			w.(http.Flusher).Flush()
		}
	})
	mux.HandleFunc("/coded", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(packed)
	})
	mux.HandleFunc("/bomb", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(bomb)
	})
	mux.HandleFunc("/small", func(w http.ResponseWriter, _ *http.Request) { w.Write(large[:100]) })
	w := newWorld(t, mux, nil)
	c, d := w.trusted(t, Options{MaxSize: int64(size), MaxHeld: most}), w.trusted(t, Options{MaxSize: int64(size)})
	d.Share(c)
	paths := []string{"/length", "/chunks", "/coded", "/small", "/bomb", "/coded"}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	turns := make([]chan struct{}, n+1)
	for i := range turns {
		turns[i] = make(chan struct{})
	}
	close(turns[0])
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			defer close(turns[i+1])
			path := paths[i%len(paths)]
			r, err := []*Client{c, d}[i/7%2].Get(ctx, w.url([]string{"a.test", "b.test"}[i%2], path), turns[i])
			want := size
			switch path {
			case "/small":
				want = 100
			case "/bomb":
				if err == nil || !strings.Contains(err.Error(), "larger than --max-size") {
					t.Errorf("Get(%s): got error %v, want one for its size", path, err)
				}
				<-turns[i]
				return
			}
			if err != nil {
				t.Errorf("Get(%s): %v", path, err)
				<-turns[i]
				return
			}
			<-turns[i] // its output is large
			if len(r.Body) != want || r.Problem != "" {
				t.Errorf("Get(%s): got %d bytes and %q, want %d", path, len(r.Body), r.Problem, want)
			}
			r.Release()
		})
	}
	all.Wait()
	if r := c.budget; r.peak > most || r.peak < most/4 || r.used != 0 {
		t.Errorf("got %d bytes at once, and %d in the end, want at most %d and 0", r.peak, r.used, most)
	}
	if n := len(c.hosts.open); n != 0 {
		t.Errorf("hosts that are remembered: got %d, want 0", n)
	}
}

// Files that are read by ranges hold bytes of the budget, too.
func TestHeldByFiles(t *testing.T) {
	const most, n = 8 << 20, 8
	w := newWorld(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "a", time.Time{}, strings.NewReader(strings.Repeat("x", 300_000)))
	}), nil)
	c := w.trusted(t, Options{MaxSize: 1 << 20, MaxHeld: most})
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	turns := make([]chan struct{}, n+1)
	for i := range turns {
		turns[i] = make(chan struct{})
	}
	close(turns[0])
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			defer close(turns[i+1])
			f, err := c.Open(ctx, w.url("a.test", "/"), Range{Length: 300_000, Turn: turns[i]})
			<-turns[i]
			if err != nil {
				t.Errorf("Open: %v", err)
				return
			}
			data := make([]byte, 300_000)
			if n, err := f.ReadAt(data, 0); n != len(data) {
				t.Errorf("ReadAt: got %d and %v", n, err)
			}
			f.Close()
		})
	}
	all.Wait()
	if r := c.budget; r.peak > most || r.peak < 4<<20 || r.used != 0 {
		t.Errorf("got %d bytes at once, and %d in the end, want at most %d and 0", r.peak, r.used, most)
	}
}

// If the bodies are small, no retrieval waits.
func TestHeldLittle(t *testing.T) {
	const n = 50
	var at sync.WaitGroup
	at.Add(n)
	w := newWorld(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Write(make([]byte, 10_000))
		w.(http.Flusher).Flush()
		at.Done()
		at.Wait()
	}), nil)
	c := w.trusted(t, Options{PerHost: n})
	never := make(chan struct{})
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			if _, err := c.Get(ctx, w.url("a.test", "/"), never); err != nil {
				t.Errorf("Get: %v", err)
			}
		})
	}
	all.Wait()
}

// add stops waiting when the context is done, at its turn, and when other retrievals give bytes
// back.
func TestRoom(t *testing.T) {
	r := newBudget(800, 100)
	never, turn := make(chan struct{}), make(chan struct{})
	first, second := &reservation{budget: r, turn: never}, &reservation{budget: r, turn: never}
	if err := first.add(t.Context(), 1000); err != nil || r.used != 1000 {
		t.Fatalf("take of more than all: got %v and %d in use, want it alone", err, r.used)
	}
	first.shrinkTo(350)
	if !second.tryAdd(50) || second.tryAdd(1) || r.used != 400 {
		t.Errorf("try: %d are in use, want 400, the rest being kept for one that has its turn", r.used)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if err := second.add(ctx, 1); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("take: got %v, want the end of the context", err)
	}
	third := &reservation{budget: r, turn: turn}
	done := make(chan error, 2)
	go func() { done <- third.add(t.Context(), 500) }()
	go func() { done <- second.add(t.Context(), 10) }()
	close(turn)
	if err := <-done; err != nil || third.held != 500 || r.used != 900 {
		t.Errorf("take in turn: got %v, %d held and %d in use, want 500 and 900", err, third.held, r.used)
	}
	third.shrinkTo(0)
	first.shrinkTo(0)
	if err := <-done; err != nil || r.used != 60 {
		t.Errorf("take of what others gave back: got %v and %d in use, want 60", err, r.used)
	}
	second.shrinkTo(100)
	if second.held != 60 {
		t.Errorf("keep of more than is held: got %d, want 60", second.held)
	}
	(*reservation)(nil).shrinkTo(0)
	if !(*reservation)(nil).tryAdd(1 << 40) {
		t.Error("try of what counts nothing: got false")
	}
}

// An unwanted 206 Partial Content is neither a document nor a robots.txt.
func TestPart(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" && r.Host[0] == 'a' && r.Header.Get("Range") == "" {
			w.Write([]byte("User-agent: *\nDisallow: /no\n"))
			return
		}
		w.Header().Set("Content-Range", "bytes 0-3/100")
		w.WriteHeader(http.StatusPartialContent)
		w.Write([]byte("part"))
	})
	w := newWorld(t, mux, nil)
	wantError(t, w.trusted(t, Options{}), w.url("a.test", "/x"), "206 Partial Content), although all was requested")
	wantError(t, w.trusted(t, Options{Robots: true}), w.url("b.test", "/x"), "robots.txt of b.test")
	asked := Options{Header: http.Header{"Range": {"bytes=0-3"}}, Robots: true}
	if r, err := get(t, w.trusted(t, asked), w.url("a.test", "/x")); err != nil || string(r.Body) != "part" {
		t.Errorf("with a Range: got %v and error %v, want the part", r, err)
	}
	wantError(t, w.trusted(t, asked), w.url("a.test", "/no"), "robots.txt forbids it")
}
