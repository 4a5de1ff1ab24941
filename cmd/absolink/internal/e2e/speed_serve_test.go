//go:build unix

package e2e

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"absolink/cmd/absolink/internal/command"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/serve"
	"absolink/testdata/corpus"
)

// With -speed, TestServeLoad measures how many pages of 30 KB the service lists in a second, at 1,
// 2, 16 and 256 connections. It compares them with a handler that reads the body and sends as many
// bytes back. Each request has another base, as requests of a crawler do. The ratio is one of
// processor times, so other work on the machine does not count. The same client has its part in
// both. The test also shows the time of the work on one page, and the memory for answering 200,000
// requests.
func TestServeLoad(t *testing.T) {
	if !*speed {
		t.Skip("short: some hundred thousand requests; run with -args -speed")
	}
	at := startService(t) + "v1/extract?base=http://e.example/"
	page := pageOf30K(t)
	_, records := request{url: at, body: bytes.NewReader(page)}.do(t)
	t.Logf("a page of %d bytes, %d records of %d bytes: %v without a request",
		len(page), strings.Count(records, "\n"), len(records), workTime(t, page))
	bare := bareServer(t) + "?base=http://e.example/"
	for _, connections := range []int{1, 2, 16, 256} {
		var ours, theirs measured
		for range 12 { // alternating, because the machine is shared
			ours.add(load(t, at, page, connections, 1000))
			theirs.add(load(t, bare, page, connections, 1000))
		}
		ratio := theirs.processor.Seconds() / ours.processor.Seconds()
		t.Logf("%3d connections: %.2f of the bare handler; %.0f requests a second, %.0f bare; processor %v and %v a "+
			"request; p99 %v", connections, ratio,
			ours.rate, theirs.rate, ours.processor, theirs.processor, ours.p99)
		if ratio < 0.3 {
			t.Errorf("%d connections: %.2f of the bare handler, want at least 0.3", connections, ratio)
		}
	}
	small := []byte(strings.Repeat(attackPage, 20))
	load(t, at, small, 16, 20000)
	before := residentNow(t)
	m := load(t, at, small, 16, 200000)
	after := residentNow(t)
	t.Logf("200,000 requests: resident %d MB before, %d MB after; p99 %v", before>>20, after>>20, m.p99)
	if after > before+before/4+(16<<20) {
		t.Errorf("resident memory grew from %d to %d MB", before>>20, after>>20)
	}
}

// workTime returns the time to list the links of a page when everything is prepared.
func workTime(t *testing.T, page []byte) time.Duration {
	t.Helper()
	call, err := command.PrepareFor(64<<20)("extract", record.JSONL, url.Values{"base": {"http://e.example/"}})
	if err != nil {
		t.Fatal(err)
	}
	best := time.Hour
	for range 1000 {
		began := time.Now()
		if _, err := call.Do(t.Context(),
			&serve.Body{Given: input.Given{At: bytes.NewReader(page),
				Size: int64(len(page))}}, io.Discard); err != nil {
			t.Fatal(err)
		}
		best = min(best, time.Since(began))
	}
	return best
}

// pageOf30K returns a page of about 30 KB, made of pages of the corpus.
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

// bareServer reads a body and sends as many bytes back.
func bareServer(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	answer := bytes.Repeat([]byte("x"), 1<<20)
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(io.Discard, r.Body)
		w.Write(answer[:n])
	})}
	go s.Serve(l)
	t.Cleanup(func() { s.Close() })
	return "http://" + l.Addr().String() + "/"
}

// measured holds the figures of some requests.
type measured struct {
	rate      float64       // requests per second
	processor time.Duration // of client and server together, for one request
	p99       time.Duration // 99 of 100 requests took at most this time
}

// add keeps the best figures.
func (m *measured) add(n measured) {
	if m.rate == 0 {
		*m = n
	}
	m.rate, m.processor, m.p99 = max(m.rate, n.rate), min(m.processor, n.processor), min(m.p99, n.p99)
}

// load sends n requests over the given number of connections. Each request has another URL, which
// begins with at.
func load(t *testing.T, at string, body []byte, connections, n int) measured {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableCompression: true,
		MaxIdleConnsPerHost: connections, MaxConnsPerHost: connections}}
	defer client.CloseIdleConnections()
	took := make([]time.Duration, n)
	var next, wrong atomic.Int64
	var wg sync.WaitGroup
	began, processor := time.Now(), processorTime()
	for range connections {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				start := time.Now()
				answer, err := client.Post(at+strconv.FormatInt(i, 10), "text/html", bytes.NewReader(body))
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
	m := measured{rate: float64(n) / time.Since(began).Seconds(),
		processor: (processorTime() - processor) / time.Duration(n)}
	if w := wrong.Load(); w > 0 {
		t.Errorf("%s: %d of %d requests were not answered", at, w, n)
	}
	slices.Sort(took)
	m.p99 = took[n*99/100]
	return m
}

// residentNow returns the resident memory of this process in bytes.
func residentNow(t *testing.T) int {
	t.Helper()
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("/proc/self/statm is missing: only Linux tells there the resident memory of a process")
	}
	fields := strings.Fields(string(data))
	if len(fields) < 2 {
		t.Fatal(fmt.Errorf("/proc/self/statm: %q", data))
	}
	pages, _ := strconv.Atoi(fields[1])
	return pages * os.Getpagesize()
}
