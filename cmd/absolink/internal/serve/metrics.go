package serve

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	runtimemetrics "runtime/metrics"
	"strconv"
	"strings"
	"time"

	"github.com/VictoriaMetrics/metrics"

	"absolink/cmd/absolink/internal/report"
	"absolink/extract"
)

// serverMetrics has the metrics of the server. Prometheus reads them at /metrics.
type serverMetrics struct {
	set      *metrics.Set
	inFlight *metrics.Gauge
	seconds  histogram
}

// helpTexts lists the names of metrics with the texts of their HELP lines. The library writes HELP
// lines without a text.
var helpTexts = [][2]string{
	{"absolink_requests_total", "Requests by path and outcome, which is the status, or none if none was sent."},
	{"absolink_request_seconds", "Seconds from the header of a request to the end of its answer."},
	{"absolink_bytes_total", "Bytes of bodies as transferred; those received are from Content-Length."},
	{"absolink_requests_in_flight", "Requests that are being answered."},
	{"absolink_references_total", "Links of the documents that were read, by status."},
	{"absolink_queue_length", "Requests that wait for a worker."},
}

// newServerMetrics returns metrics with zero counts. The length of q is read for each answer to
// /metrics.
func newServerMetrics(q *queue) *serverMetrics {
	metrics.ExposeMetadata(true) // HELP and TYPE lines
	set := metrics.NewSet()
	set.NewGauge("absolink_queue_length", func() float64 { return float64(q.waiting.Load()) })
	return &serverMetrics{set: set, inFlight: set.NewGauge("absolink_requests_in_flight", nil)}
}

// handle answers with all metrics: those of the server, the Go runtime and the process.
func (f *serverMetrics) handle(w http.ResponseWriter, _ *http.Request) {
	var text bytes.Buffer
	f.set.WritePrometheus(&text)
	f.seconds.write(&text, "absolink_request_seconds")
	own := text.String()
	for _, h := range helpTexts {
		own = strings.Replace(own, "# HELP "+h[0]+"\n", "# HELP "+h[0]+" "+h[1]+"\n", 1)
	}
	text.Reset()
	text.WriteString(own)
	metrics.WriteProcessMetrics(&text)
	metrics.WriteFDMetrics(&text)
	writeRuntimeValues(&text)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	w.Write(text.Bytes())
}

// runtimeValues lists metrics of the Go runtime with the names that the client library of
// Prometheus uses. The library metrics has other names for them.
var runtimeValues = []struct{ name, sample string }{
	{"go_gc_gogc_percent", "/gc/gogc:percent"},
	{"go_gc_gomemlimit_bytes", "/gc/gomemlimit:bytes"},
	{"go_sched_gomaxprocs_threads", "/sched/gomaxprocs:threads"},
}

func writeRuntimeValues(w io.Writer) {
	for _, l := range runtimeValues {
		sample := []runtimemetrics.Sample{{Name: l.sample}}
		runtimemetrics.Read(sample)
		metrics.WriteGaugeUint64(w, l.name, sample[0].Value.Uint64())
	}
}

// pathLabel returns the label of metrics for the path of a URL. The labels have few values, because
// clients choose the paths.
func pathLabel(path string) string {
	switch {
	case path == "/v1/extract", path == "/v1/rewrite", path == "/v1/base", path == "/v1/resolve",
		path == "/v1/openapi.json", path == "/healthz", path == "/metrics":
		return path
	case path == "/" || strings.HasPrefix(path, pagePrefix) || strings.HasPrefix(path, "/assets/"):
		return "page"
	}
	return "other"
}

// beginRequest counts a new request as in flight.
func (f *serverMetrics) beginRequest() { f.inFlight.Inc() }

// endRequest counts a request that is no longer in flight. status is 0 if it was not answered. path
// comes from pathLabel. received and sent are bytes; received is -1 if it is unknown.
func (f *serverMetrics) endRequest(path string, status int, took time.Duration, received, sent int64) {
	f.inFlight.Dec()
	outcome := "none"
	if status != 0 {
		outcome = strconv.Itoa(status)
	}
	f.set.GetOrCreateCounter(fmt.Sprintf("absolink_requests_total{outcome=%q,path=%q}", outcome, path)).Inc()
	f.seconds.add(path, took.Seconds())
	f.set.GetOrCreateCounter(`absolink_bytes_total{direction="received"}`).AddInt64(max(received, 0))
	f.set.GetOrCreateCounter(`absolink_bytes_total{direction="sent"}`).AddInt64(sent)
}

// countReferences counts references by their status.
func (f *serverMetrics) countReferences(links *report.Statuses) {
	for status, n := range links {
		if n > 0 {
			name := fmt.Sprintf("absolink_references_total{status=%q}", extract.Status(status))
			f.set.GetOrCreateCounter(name).AddInt64(int64(n))
		}
	}
}

// pagePrefix is the beginning of the paths of document pages. The next segment of such a path is
// secret.
const pagePrefix = "/document/"
