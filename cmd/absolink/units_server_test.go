//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// fileServer serves the current directory, and counts what it sends of files.
func fileServer(t *testing.T) (url string, sent *atomic.Int64) {
	sent = new(atomic.Int64)
	files := http.FileServer(http.Dir("."))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		files.ServeHTTP(&counted{w, sent}, r)
	}))
	t.Cleanup(s.Close)
	return s.URL, sent
}

type counted struct {
	http.ResponseWriter
	n *atomic.Int64
}

func (c *counted) Write(p []byte) (int, error) {
	n, err := c.ResponseWriter.Write(p)
	c.n.Add(int64(n))
	return n, err
}

// The records of units on a server are those of a run over the files, whoever has cut them.
func TestServedUnits(t *testing.T) {
	t.Chdir(t.TempDir())
	list, anywhere := shareable(t)
	url, _ := fileServer(t)
	random := rand.New(rand.NewPCG(8, 8))
	for i, in := range list {
		info, err := os.Stat(in[0])
		if err != nil {
			t.Fatal(err)
		}
		if in[0] == "page.html" || info.IsDir() {
			continue // which have the URL for their base
		}
		args := append([]string{"extract", "--allow-private", "--force-base", "http://example.test/", "--format", "jsonl", "-q"}, in[1:]...)
		_, one, _ := runs(t, "", append(args, in[0])...)
		_, units, _ := runs(t, "", append([]string{"units", "-q", "--size", "10K", in[0]}, in[1:]...)...)
		_, got, stderr := runs(t, strings.ReplaceAll(units, in[0]+"\t", url+"/"+in[0]+"\t"), append(args, "--units", "-")...)
		if want := sorted(t, one, "page"); !slices.Equal(sorted(t, strings.ReplaceAll(got, url+"/", ""), "page"), want) || len(want) == 0 {
			t.Errorf("%q: %d units on a server: got %d records and %.300q, want the %d of one run", in, strings.Count(units, "\n"), strings.Count(got, "\n"), stderr, len(want))
		}
		if i >= anywhere {
			continue
		}
		units = ""
		for at := int64(0); at < info.Size(); {
			n := min(1+random.Int64N(2+info.Size()/4), info.Size()-at)
			units += fmt.Sprintf("%s/%s\t%d\t%d\n", url, in[0], at, n)
			at += n
		}
		_, got, stderr = runs(t, units, append(args, "--units", "-")...)
		without := []string{"page", "item", "line", "column"}
		if want := sorted(t, one, without...); !slices.Equal(sorted(t, strings.ReplaceAll(got, url+"/", ""), without...), want) {
			t.Errorf("%q: %d random units on a server: got %d records and %.300q, want the %d of one run", in, strings.Count(units, "\n"), strings.Count(got, "\n"), stderr, len(want))
		}
	}
}

// Of the records that an index names nothing else is retrieved, not a byte; of those in ranges
// of any other maker some bytes behind them.
func TestIndexedRecords(t *testing.T) {
	t.Chdir(t.TempDir())
	_, members := webArchive(300)
	save(t, "a.warc.gz", []byte(members))
	_, one, _ := runs(t, "", "extract", "--format", "jsonl", "a.warc.gz")
	_, units, _ := runs(t, "", "units", "--size", "1", "a.warc.gz")
	index, length, n := "filename,offset,length\n", int64(0), 0
	for line := range strings.Lines(units) {
		var at, size int64
		fmt.Sscanf(strings.TrimPrefix(line, "a.warc.gz"), "\t%d\t%d", &at, &size)
		if n++; n%3 == 0 {
			index += fmt.Sprintf("a.warc.gz,%d,%d\n", at, size)
			length += size
		}
	}
	save(t, "index.csv", []byte(index))
	_, local, stderr := runs(t, "", "extract", "--units", "index.csv", "--units-format", "csv", "--prefix", ".")
	if local == "" || stderr != "" {
		t.Fatalf("extract of an index: got %d bytes and %q", len(local), stderr)
	}
	all := make(map[string]bool)
	for _, r := range sorted(t, one, "item") {
		all[r] = true
	}
	for _, r := range sorted(t, local) {
		if !all[r] {
			t.Fatalf("extract of an index: got %s, which is not among the records of one run", r)
		}
	}
	url, sent := fileServer(t)
	_, served, stderr := runs(t, "", "extract", "--allow-private", "--units", "index.csv", "--units-format", "csv", "--prefix", url)
	if strings.ReplaceAll(served, url+"/", "") != local {
		t.Errorf("extract of an index on a server: got %d records and %.300q, want the %d of the file", strings.Count(served, "\n"), stderr, strings.Count(local, "\n"))
	}
	if sent.Load() != length {
		t.Errorf("extract of an index on a server: %d bytes were sent, want %d", sent.Load(), length)
	}

	// Lines of units that do not say that a record begins there cost one look behind it each.
	var bare strings.Builder
	for line := range strings.Lines(index[strings.Index(index, "\n")+1:]) {
		bare.WriteString(url + "/" + strings.ReplaceAll(line, ",", "\t"))
	}
	sent.Store(0)
	_, served, stderr = runs(t, bare.String(), "extract", "--allow-private", "--units", "-")
	if strings.ReplaceAll(served, url+"/", "") != local {
		t.Errorf("extract of units on a server: got %d records and %.300q, want the %d of the file", strings.Count(served, "\n"), stderr, strings.Count(local, "\n"))
	}
	if most := length + int64(n/3)<<14; sent.Load() > most {
		t.Errorf("extract of units on a server: %d bytes were sent, want at most %d", sent.Load(), most)
	}
	if left, _ := filepath.Glob("*"); len(left) != 2 {
		t.Errorf("extract left %q behind", left)
	}
}
