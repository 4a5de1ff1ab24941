package command_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/command"
	"absolink/cmd/absolink/internal/pipe"
)

// pipeOptions returns the options of "extract --pipe" for rows of URIs.
func pipeOptions(t *testing.T) *pipe.Options {
	t.Helper()
	c := &cobra.Command{Use: "extract"}
	x := new(command.Extract)
	x.Register(c)
	for _, flag := range []string{"jobs=1", "format=tsv", "fields=uri"} {
		name, value, _ := strings.Cut(flag, "=")
		if err := c.Flags().Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	o, err := x.PipeOptions(c, nil, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// New memory could take much of the time of a short document. The number of allocations does not
// grow with the number of links, except for the memory of many URIs at once.
func TestAllocationsPerFrame(t *testing.T) {
	const frames = 200
	for _, links := range []int{1, 20} {
		page := strings.Repeat(`<p><a href="/some/path/x.html">x</a></p>`, links)
		var in strings.Builder
		for i := range frames {
			const header = `{"length":%d,"type":"text/html","url":"http://e.test/%d.html"}`
			fmt.Fprintf(&in, header+"\n%s", len(page), i, page)
		}
		o := pipeOptions(t)
		n := testing.AllocsPerRun(5, func() {
			if err := pipe.Run(t.Context(), strings.NewReader(in.String()), io.Discard, o); err != nil {
				t.Fatal(err)
			}
		})
		if perFrame := n / frames; perFrame > 15 {
			t.Errorf("frames with %d links: got %.1f allocations per frame, want at most 15", links, perFrame)
		}
	}
}
