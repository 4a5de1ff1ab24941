package main

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"testing"
)

// What large tables need is made when a document is read: a start that reads none, as
// --help and version do, does not wait for it.
func TestStartMakesNoTables(t *testing.T) {
	const limit = 64 << 10 // bytes that our packages may allocate before main
	cmd := exec.Command("absolink", "version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	trace, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("absolink version: %v\n%s", err, trace)
	}
	lines := regexp.MustCompile(`(?m)^init (absolink/\S+) .* (\d+) bytes`).FindAllSubmatch(trace, -1)
	if len(lines) < 5 {
		t.Fatalf("inittrace: %d of our packages, want at least 5:\n%s", len(lines), trace)
	}
	sum := 0
	for _, l := range lines {
		n, _ := strconv.Atoi(string(l[2]))
		sum += n
	}
	if sum > limit {
		t.Errorf("our packages allocate %d bytes before main, want at most %d:\n%s", sum, limit, trace)
	}
}
