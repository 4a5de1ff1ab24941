package fetch

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

// Measure learns the size from HEAD, or else from the first byte, and retrieves no content.
func TestMeasure(t *testing.T) {
	const size = 300_000
	head := func(w http.ResponseWriter, ranges, length string) {
		w.Header().Set("Content-Type", "application/warc")
		w.Header().Set("Accept-Ranges", ranges)
		w.Header().Set("Content-Length", length)
	}
	tests := []struct {
		name     string
		answer   func(w http.ResponseWriter, r *http.Request, n int)
		want     Facts
		err      string
		requests int
	}{
		{"HEAD with ranges", func(w http.ResponseWriter, r *http.Request, _ int) {
			head(w, "bytes", "300000")
		}, Facts{size, true, "application/warc"}, "", 1},
		{"HEAD without ranges", func(w http.ResponseWriter, r *http.Request, _ int) {
			head(w, "none", "300000")
		}, Facts{size, false, "application/warc"}, "", 1},
		{"an empty file", func(w http.ResponseWriter, r *http.Request, _ int) {
			head(w, "bytes", "0")
		}, Facts{0, true, "application/warc"}, "", 2},
		{"HEAD with the length 0", func(w http.ResponseWriter, r *http.Request, _ int) {
			if r.Method == http.MethodGet {
				ranged(w, r, badData)
				return
			}
			head(w, "bytes", "0")
		}, Facts{size, true, "text/plain; charset=utf-8"}, "", 2},
		{"a URL that is signed for GET", func(w http.ResponseWriter, r *http.Request, _ int) {
			if r.Method == http.MethodHead {
				w.WriteHeader(http.StatusForbidden)
				return
			}
			if r.Header.Get("Range") != "bytes=0-0" {
				t.Errorf("GET: got Range %q, want the first byte", r.Header.Get("Range"))
			}
			ranged(w, r, badData)
		}, Facts{size, true, "text/plain; charset=utf-8"}, "", 2},
		{"GET without ranges", func(w http.ResponseWriter, r *http.Request, _ int) {
			if r.Method == http.MethodHead {
				w.WriteHeader(http.StatusMethodNotAllowed)
				return
			}
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Content-Length", "300000")
		}, Facts{size, false, "text/html"}, "", 2},
		{"busy at first", func(w http.ResponseWriter, r *http.Request, n int) {
			if n == 1 {
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			}
			head(w, "bytes", "300000")
		}, Facts{size, true, "application/warc"}, "", 2},
		{"HEAD without a size", func(w http.ResponseWriter, r *http.Request, _ int) {
			if r.Method == http.MethodGet {
				ranged(w, r, badData)
			}
		}, Facts{size, true, "text/plain; charset=utf-8"}, "", 2},
		{"not there", func(w http.ResponseWriter, r *http.Request, _ int) {
			w.WriteHeader(http.StatusNotFound)
		}, Facts{}, "the server says 404 Not Found", 1},
		{"forbidden", func(w http.ResponseWriter, r *http.Request, _ int) {
			w.WriteHeader(http.StatusForbidden)
		}, Facts{}, "the server says 403 Forbidden", 2},
		{"busy for ever", func(w http.ResponseWriter, r *http.Request, _ int) {
			w.WriteHeader(http.StatusBadGateway)
		}, Facts{}, "the server says 502 Bad Gateway", maxTries},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var n atomic.Int64
			c, url, _ := patientClient(t,
				func(w http.ResponseWriter, r *http.Request) { tt.answer(w, r, int(n.Add(1))) })
			got, err := c.Measure(t.Context(), url)
			if tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) || tt.err == "" && err != nil {
				t.Fatalf("Measure: got error %v, want %q", err, tt.err)
			}
			if got != tt.want || int(n.Load()) != tt.requests {
				t.Errorf("Measure: got %+v in %d requests, want %+v in %d", got, n.Load(), tt.want, tt.requests)
			}
		})
	}
}
