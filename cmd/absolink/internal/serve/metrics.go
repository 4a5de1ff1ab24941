package serve

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"absolink/cmd/absolink/internal/report"
	"absolink/extract"
)

// figures are what Prometheus is told.
type figures struct {
	handler    http.Handler
	requests   *prometheus.CounterVec   // by path and outcome
	seconds    *prometheus.HistogramVec // by path
	bytes      *prometheus.CounterVec   // by direction
	inFlight   prometheus.Gauge
	references *prometheus.CounterVec // by status
}

func newFigures(q *queue) *figures {
	f := &figures{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "absolink_requests_total",
			Help: "Requests that were answered, by path and status."}, []string{"path", "outcome"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "absolink_request_seconds",
			Help:    "Seconds from the header of a request to the end of its answer.",
			Buckets: prometheus.ExponentialBuckets(0.0005, 4, 9)}, []string{"path"}),
		bytes: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "absolink_bytes_total",
			Help: "Bytes of bodies, received as Content-Length says, and sent, both with their " +
				"codings."}, []string{"direction"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{Name: "absolink_requests_in_flight",
			Help: "Requests that are being answered."}),
		references: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "absolink_references_total",
			Help: "References of the documents that were read, by status."}, []string{"status"}),
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(f.requests, f.seconds, f.bytes, f.inFlight, f.references,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "absolink_queue_length",
			Help: "Requests that wait for a worker."}, func() float64 { return float64(q.waiting.Load()) }))
	// the answer has a coding of its own
	f.handler = promhttp.HandlerFor(registry, promhttp.HandlerOpts{DisableCompression: true})
	return f
}

// begin counts a request that has come, and returns what its path is called.
func (f *figures) begin(r *http.Request) string {
	f.inFlight.Inc()
	path := r.URL.Path
	switch {
	case path == "/v1/extract", path == "/v1/rewrite", path == "/v1/base", path == "/v1/resolve",
		path == "/v1/openapi.json", path == "/healthz", path == "/metrics":
		return path
	case path == "/" || strings.HasPrefix(path, pagePrefix) || strings.HasPrefix(path, "/assets/"):
		return "page"
	}
	return "other"
}

// end counts a request that is answered.
func (f *figures) end(path string, status int, took time.Duration, received, sent int64) {
	f.inFlight.Dec()
	outcome := "none"
	if status != 0 {
		outcome = strconv.Itoa(status)
	}
	f.requests.WithLabelValues(path, outcome).Inc()
	f.seconds.WithLabelValues(path).Observe(took.Seconds())
	f.bytes.WithLabelValues("received").Add(float64(max(received, 0)))
	f.bytes.WithLabelValues("sent").Add(float64(sent))
}

// count counts references.
func (f *figures) count(links *report.Links) {
	for i, n := range links {
		if n > 0 {
			f.references.WithLabelValues(extract.Status(i).String()).Add(float64(n))
		}
	}
}
