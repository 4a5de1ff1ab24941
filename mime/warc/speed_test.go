//go:build unix

package warc

import (
	"encoding/json"
	"flag"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// speed also compares the reading time with that of warcio, which iterates over the same file in
// the same run.
var speed = flag.Bool("speed", false, "compare the time with that of warcio")

// iterate prints the number of records and the processor time.
const iterate = `
import sys, time, json
from warcio.archiveiterator import ArchiveIterator
start, n = time.process_time(), 0
for r in ArchiveIterator(open(sys.argv[1], 'rb')):
    n += 1
print(json.dumps([n, time.process_time() - start]))
`

// processorTime returns the processor time of this process in seconds. Other processes on the
// machine do not affect it.
func processorTime(t *testing.T) float64 {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatalf("getrusage: %v", err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

// The ratio of our reading time to that of warcio. The figures are logged; nothing depends on them.
func TestWarcioSpeed(t *testing.T) {
	if !*speed {
		t.Skip("an archive is made and read several times; run with -speed")
	}
	name := python(t)
	for _, kind := range []string{"plain", "gzip"} {
		f := generated(t, kind, *records)
		out, err := exec.Command(name, "-c", iterate, f.Name()).Output()
		var theirs [2]float64
		if err != nil || json.Unmarshal(out, &theirs) != nil || int(theirs[0]) != *records {
			t.Fatalf("warcio: %q, %v", out, err)
		}
		start := processorTime(t)
		n := count(t, f)
		ours := processorTime(t) - start
		t.Logf("%s: %d records in %.2f s, warcio %.2f s: %.1f times", kind, n, ours, theirs[1], theirs[1]/ours)
		if n != *records {
			t.Errorf("%s: got %d records, want %d", kind, n, *records)
		}
	}
}
