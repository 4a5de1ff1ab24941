//go:build linux && !race

package e2e

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"absolink/testdata/effort"
)

// pageMemory is the largest memory use of a process for a page of an upload, as a multiple of the
// upload, in addition to 64 MB.
const pageMemory = 20

// In any view, a page takes at most 20 times the memory of the upload plus 64 MB. That also holds
// if each of its references has a URI of thousands of letters, or if it has a reference in every
// few bytes.
func TestPageMemory(t *testing.T) {
	effort.Only(t)
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("/proc/self/status is missing: only Linux tells there how much memory a process had")
	}
	base := "<base href=http://h/" + strings.Repeat("b", 3000) + "/>"
	var hosts strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&hosts, "<a href=//h%d>", i)
	}
	documents := map[string]string{
		"a long base":         base + strings.Repeat("<a href=x>", 20000),
		"many in one element": base + "<img srcset='" + strings.Repeat("a ,", 40000) + "'>",
		"many lines":          strings.Repeat("<a href=x>\n", 30000),
		"many hosts":          hosts.String(),
		"one line":            "<a href=x>" + strings.Repeat("x", 2<<20) + "<a href=y>",
	}
	for name, doc := range documents {
		cmd, at := startedService(t)
		body, media := filledIn("a.html", []byte(doc), "base", "http://e.test/")
		r, err := http.NewRequest(http.MethodPost, at+"document", body)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", media)
		answer, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		page := strings.TrimSuffix(at, "/") + answer.Header.Get("Location")
		for _, view := range []string{"&view=links", "&sort=uri&page=5", "&view=rules", "&view=rewrite", "download"} {
			address := page + view
			if view == "download" {
				address = strings.Replace(page, "/?", "/download?", 1)
			}
			shown, text := request{method: http.MethodGet, url: address}.do(t)
			peak, most := memoryPeak(t, cmd.Process.Pid), pageMemory*len(doc)>>20+64
			if shown.StatusCode != http.StatusOK || peak > most {
				t.Errorf("%s, %s: got %s, %d bytes and a peak of %d MB, want at most %d for %d KB",
					name, view, shown.Status, len(text), peak, most, len(doc)>>10)
			}
			t.Logf("%s, %s: %d MB", name, view, peak)
		}
	}
}
