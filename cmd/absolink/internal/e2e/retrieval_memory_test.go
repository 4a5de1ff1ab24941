//go:build linux && !race

package e2e

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"absolink/cmd/absolink/internal/coding"
	"absolink/testdata/effort"
)

// The memory for many large answers together is bounded, in every coding.
func TestRetrievalMemory(t *testing.T) {
	effort.Only(t)
	const n, size, most = 12, 32 << 20, 900 // most in MB
	block := []byte(strings.Repeat(`<a href="/page.html">text</a> some text `, 1600))
	coded := packed(t, coding.Gzip, bytes.Repeat(block, size/len(block)))
	l, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if strings.HasSuffix(r.URL.Path, ".gz") {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(coded)
			return
		}
		for range size / len(block) {
			w.Write(block)
		}
	}))
	s.Listener = l
	s.Start()
	defer s.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	var urls strings.Builder
	for i := range n {
		fmt.Fprintf(&urls, "http://127.0.0.%d:%s/%d%s\n", 1+i%4, port, i, []string{"", ".gz"}[i%3/2])
	}
	program, err := exec.LookPath("absolink")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "extract", "--allow-private", "--ignore-robots", "--urls", "-")
	var out lineCounter
	var stderr bytes.Buffer
	cmd.Stdin = strings.NewReader(urls.String())
	cmd.Stdout = &out
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil || stderr.Len() > 0 {
		t.Fatalf("got %v and %s", err, &stderr)
	}
	if want := n * (size / len(block)) * 1600; int(out) != want {
		t.Errorf("got %d links, want %d", out, want)
	}
	if got := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss >> 10; got > most {
		t.Errorf("got %d MB, want at most %d", got, most)
	}
}

// lineCounter counts lines.
type lineCounter int

func (c *lineCounter) Write(p []byte) (int, error) {
	*c += lineCounter(bytes.Count(p, []byte("\n")))
	return len(p), nil
}
