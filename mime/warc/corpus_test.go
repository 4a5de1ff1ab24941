package warc

import (
	"bytes"
	"testing"
	"testing/iotest"

	"absolink/testdata/corpus"
	"absolink/testdata/effort"
)

// archives returns the archives of the corpus.
func archives(t testing.TB) map[string][]byte {
	t.Helper()
	files := make(map[string][]byte)
	for _, d := range corpus.Documents(t, "warc") {
		files[d.Name] = d.Data
	}
	return files
}

// Every archive is read or reported, as a file, byte by byte, and in ranges.
func TestCorpus(t *testing.T) {
	for name, data := range archives(t) {
		whole := outline(t, bytes.NewReader(data), Options{})
		t.Logf("%s\n%s", name, whole)
		if whole == "" && len(data) > 23 {
			t.Errorf("%s: neither a record nor a defect", name)
		}
		if got := outline(t, iotest.OneByteReader(bytes.NewReader(data)), Options{}); got != whole {
			t.Errorf("%s: a byte at a time gives\n%swant\n%s", name, got, whole)
		}
		whole = outline(t, onlyReader{bytes.NewReader(data)}, Options{})
		if got := outline(t, iotest.DataErrReader(bytes.NewReader(data)), Options{}); got != whole {
			t.Errorf("%s: if the last bytes come with io.EOF, a pipe gives\n%swant\n%s", name, got, whole)
		}
		for _, size := range effort.Pick([]int{1, 7, 100, 1000, 5000}, []int{100, 5000}) {
			if size < 100 && len(data) > 3000 {
				continue
			}
			ranges(t, name, data, size)
		}
	}
}
