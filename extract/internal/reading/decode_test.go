package reading

import (
	"runtime"
	"strings"
	"testing"

	"absolink/extract/internal/charset"
	"absolink/testdata/effort"
)

// An '&' that does not begin a reference is ordinary text. A run for each would take many times the
// memory of the input.
func TestBareAmpersands(t *testing.T) {
	data := strings.Repeat("&b", effort.Pick(1<<20, 1<<17))
	d := Text{Doc: &Document{encoded: encoded{named: charset.Get("utf-8")}}, Data: []byte(data)}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	v := d.Decode(0, len(data), true)
	runtime.ReadMemStats(&after)
	if string(v.Bytes) != data {
		t.Errorf("Decode(%.10q…) is not what stands there", data)
	}
	if got, most := after.TotalAlloc-before.TotalAlloc, uint64(20*len(data)); got > most {
		t.Errorf("Decode(%.10q…) allocates %d bytes, want at most %d", data, got, most)
	}
}
