package e2e

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/cli"
)

// Large tables are made when a document is read. A start that reads no document, as for --help and
// version, does not wait for them.
func TestStartMakesNoTables(t *testing.T) {
	// bytes that our packages may allocate before main: 50 KB, and some more with the race detector
	const limit = 64 << 10
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
		if name := string(l[1]); name == "absolink/cmd/absolink/internal/e2e" ||
			strings.HasPrefix(name, "absolink/testdata/") {
			continue // these hold tables of the tests
		}
		n, _ := strconv.Atoi(string(l[2]))
		sum += n
	}
	if sum > limit {
		t.Errorf("our packages allocate %d bytes before main, want at most %d:\n%s", sum, limit, trace)
	}
}

// A command that is made alone is the same as among all.
func TestCommandAlone(t *testing.T) {
	n := 0
	for _, c := range cli.Command(nil).Commands() {
		alone, _, err := cli.Command([]string{c.Name()}).Find([]string{c.Name()})
		if err != nil {
			t.Fatalf("%s: %v", c.Name(), err)
		}
		if len(alone.Parent().Commands()) > 1 {
			continue // help, completion or the topic
		}
		n++
		if got, want := alone.UsageString(), c.UsageString(); got != want {
			t.Errorf("%s: usage alone:\n%s\nwant:\n%s", c.Name(), got, want)
		}
	}
	if n != 10 {
		t.Errorf("%d commands are made alone, want 10", n)
	}
}
