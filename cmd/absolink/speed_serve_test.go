//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"absolink/testdata/corpus"
)

// TestServeLoad compares, with -speed, how many pages of 30 KB the service lists in a second
// with what a handler does that reads the body and sends as many bytes back, at 1, 2, 16 and
// 256 connections, and shows what it takes to answer 200,000 requests in memory.
func TestServeLoad(t *testing.T) {
	if !*speed {
		t.Skip("short: some hundred thousand requests; run with -args -speed")
	}
	at := startService(t)
	page := pageOf30K(t)
	_, records := request{url: at + "v1/extract?base=http://e/", body: bytes.NewReader(page)}.do(t)
	bare := bareServer(t, len(records))
	t.Logf("a page of %d bytes, %d bytes of records", len(page), len(records))
	for _, connections := range []int{1, 2, 16, 256} {
		var ours, theirs float64
		var p99 time.Duration
		for range 3 { // alternating: the machine is shared
			mine, slow := load(t, at+"v1/extract?base=http://e/", page, connections, 2000)
			other, _ := load(t, bare, page, connections, 2000)
			if mine > ours {
				ours, p99 = mine, slow
			}
			theirs = max(theirs, other)
		}
		t.Logf("%3d connections: %6.0f requests a second, %6.0f bare: %.2f; p99 %v", connections, ours, theirs, ours/theirs, p99)
		if ours/theirs < 0.3 {
			t.Errorf("%d connections: %.2f of the bare handler, want at least 0.3", connections, ours/theirs)
		}
	}
	small := []byte(strings.Repeat(attackPage, 20))
	load(t, at+"v1/extract?base=http://e/", small, 16, 20000)
	before := residentNow(t)
	_, p99 := load(t, at+"v1/extract?base=http://e/", small, 16, 200000)
	after := residentNow(t)
	t.Logf("200,000 requests: resident %d MB before, %d MB after; p99 %v", before>>20, after>>20, p99)
	if after > before+before/4+(16<<20) {
		t.Errorf("resident memory grew from %d to %d MB", before>>20, after>>20)
	}
}

// pageOf30K returns a page of about 30 KB, from pages of the corpus.
func pageOf30K(t *testing.T) []byte {
	t.Helper()
	best := []byte(nil)
	for _, d := range corpus.Documents(t, "pages") {
		if n := len(d.Data); strings.Contains(d.Name, ".html") && n >= 25<<10 && n <= 40<<10 {
			return d.Data
		} else if n > len(best) && n <= 30<<10 {
			best = d.Data
		}
	}
	if best == nil {
		t.Fatal("no page of the corpus is below 40 KB")
	}
	return bytes.Repeat(best, max((30<<10)/len(best), 1))
}

// bareServer reads what it gets and sends so many bytes back.
func bareServer(t *testing.T, size int) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	answer := bytes.Repeat([]byte("x"), size)
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Write(answer)
	})}
	go s.Serve(l)
	t.Cleanup(func() { s.Close() })
	return "http://" + l.Addr().String() + "/"
}

// load sends n requests over so many connections. It returns how many were answered in a second,
// and what 99 of 100 took at most.
func load(t *testing.T, at string, body []byte, connections, n int) (rate float64, p99 time.Duration) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: connections, MaxConnsPerHost: connections}}
	defer client.CloseIdleConnections()
	took := make([]time.Duration, n)
	var next, wrong atomic.Int64
	var wg sync.WaitGroup
	began := time.Now()
	for range connections {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				start := time.Now()
				answer, err := client.Post(at, "text/html", bytes.NewReader(body))
				if err != nil {
					wrong.Add(1)
					continue
				}
				io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
				if answer.StatusCode != http.StatusOK {
					wrong.Add(1)
				}
				took[i] = time.Since(start)
			}
		})
	}
	wg.Wait()
	rate = float64(n) / time.Since(began).Seconds()
	if w := wrong.Load(); w > 0 {
		t.Errorf("%s: %d of %d requests were not answered", at, w, n)
	}
	slices.Sort(took)
	return rate, took[n*99/100]
}

// residentNow returns how many bytes of memory this process has.
func residentNow(t *testing.T) int {
	t.Helper()
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("no /proc: resident memory is not known")
	}
	fields := strings.Fields(string(data))
	if len(fields) < 2 {
		t.Fatal(fmt.Errorf("/proc/self/statm: %q", data))
	}
	pages, _ := strconv.Atoi(fields[1])
	return pages * os.Getpagesize()
}
