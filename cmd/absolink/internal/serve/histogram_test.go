package serve

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/VictoriaMetrics/metrics"
)

// Each bucket counts the durations up to its bound, and a duration equal to the bound.
func TestHistogram(t *testing.T) {
	metrics.ExposeMetadata(true)
	var h histogram
	var text strings.Builder
	h.write(&text, "s")
	if text.Len() > 0 {
		t.Errorf("an empty histogram writes %q", text.String())
	}
	random := rand.New(rand.NewPCG(1, 2))
	paths := []string{"/a", "/b\""}
	all := make(map[string][]float64)
	for _, path := range paths {
		for range 1 + random.IntN(200) {
			seconds := secondsBounds[random.IntN(len(secondsBounds))]
			switch random.IntN(3) {
			case 0:
				seconds *= 2 * random.Float64()
			case 1:
				seconds *= 1 + 1e-9
			}
			all[path] = append(all[path], seconds)
			h.add(path, seconds)
		}
	}
	var want strings.Builder
	want.WriteString("# HELP s\n# TYPE s histogram\n")
	for _, path := range paths {
		sum := 0.0
		for _, s := range all[path] {
			sum += s
		}
		for _, bound := range strings.Fields("0.0005 0.002 0.008 0.032 0.128 0.512 2.048 8.192 32.768 +Inf") {
			n, limit := 0, 1e9
			fmt.Sscan(bound, &limit)
			for _, s := range all[path] {
				if s <= limit {
					n++
				}
			}
			fmt.Fprintf(&want, "s_bucket{path=%q,le=\"%s\"} %d\n", path, bound, n)
		}
		fmt.Fprintf(&want, "s_sum{path=%q} %g\ns_count{path=%q} %d\n", path, sum, path, len(all[path]))
	}
	h.write(&text, "s")
	if text.String() != want.String() {
		t.Errorf("the histogram writes\n%swant\n%s", text.String(), want.String())
	}
}
