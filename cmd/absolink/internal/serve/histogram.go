package serve

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"

	"github.com/VictoriaMetrics/metrics"
)

// secondsBounds are the upper bounds of the buckets of a histogram, from 0.5 ms to 33 s.
var secondsBounds = [...]float64{0.0005, 0.002, 0.008, 0.032, 0.128, 0.512, 2.048, 8.192, 32.768}

// histogram counts durations by path, in buckets. The module VictoriaMetrics/metrics has such
// histograms only from version 1.38 on. go.mod has a version below 1.36, because later ones read
// files of the kernel whenever a program starts. The zero value is an empty histogram. It is safe
// for concurrent use.
type histogram struct {
	mu     sync.Mutex
	byPath map[string]*durations
}

// durations are the durations of one path. The last bucket is for all above secondsBounds.
type durations struct {
	buckets [len(secondsBounds) + 1]uint64
	sum     float64 // seconds
}

// add counts a duration.
func (h *histogram) add(path string, seconds float64) {
	bucket, _ := slices.BinarySearch(secondsBounds[:], seconds)
	h.mu.Lock()
	defer h.mu.Unlock()
	d := h.byPath[path]
	if d == nil {
		d = new(durations)
		if h.byPath == nil {
			h.byPath = make(map[string]*durations)
		}
		h.byPath[path] = d
	}
	d.buckets[bucket]++
	d.sum += seconds
}

// write writes the histogram with a name in the text format of Prometheus. A bucket also counts the
// durations of the buckets before it, as the format demands.
func (h *histogram) write(w io.Writer, name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.byPath) == 0 {
		return
	}
	metrics.WriteMetadataIfNeeded(w, name, "histogram")
	for _, path := range slices.Sorted(maps.Keys(h.byPath)) {
		d := h.byPath[path]
		count := uint64(0)
		for i, n := range d.buckets {
			count += n
			bound := "+Inf"
			if i < len(secondsBounds) {
				bound = fmt.Sprint(secondsBounds[i])
			}
			fmt.Fprintf(w, "%s_bucket{path=%q,le=%q} %d\n", name, path, bound, count)
		}
		fmt.Fprintf(w, "%s_sum{path=%q} %g\n%s_count{path=%q} %d\n", name, path, d.sum, name, path, count)
	}
}
