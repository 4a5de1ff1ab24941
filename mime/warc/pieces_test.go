package warc

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"absolink/testdata/effort"
)

// pieces returns at most n bytes for each Read.
type pieces struct {
	r io.Reader
	n int
}

func (p pieces) Read(b []byte) (int, error) { return p.r.Read(b[:min(len(b), p.n)]) }

// inPieces checks that an archive gives the same records from a pipe, whatever the size of its
// reads. It returns a description of the records.
func inPieces(t *testing.T, data []byte, sizes ...int) string {
	t.Helper()
	want := outline(t, bytes.NewReader(data), Options{})
	for _, n := range sizes {
		if got := outline(t, pieces{bytes.NewReader(data), n}, Options{}); got != want {
			t.Errorf("%.4000q in pieces of %d bytes:\n%swant\n%s", data, n, got, want)
		}
	}
	return want
}

// spoilt writes each text as a member with a wrong checksum.
func spoilt(texts ...string) string {
	var b strings.Builder
	for _, s := range texts {
		member := []byte(gz(s))
		member[len(member)-8] ^= 0x55
		b.Write(member)
	}
	return b.String()
}

// No record and no version line continues from one damaged member into the next. So the records do
// not depend on how much of the archive is in the buffer.
func TestNoRecordOverDamage(t *testing.T) {
	one, two := response("http://a/1", "<a href=1>"), response("http://a/2", strings.Repeat("<a href=2>", 9))
	for _, before := range []string{"", "junk", one, one + "junk", one[:len(one)-30]} {
		for at := 0; at < len("WARC/1.1\r\nWARC-Type: response\r\n"); at += effort.Pick(1, 3) {
			data := gz(one) + spoilt(before+two[:at], two[at:]) + gz(one)
			got := inPieces(t, []byte(data), effort.Pick([]int{1, 2, 5, 64, 130}, []int{1, 64})...)
			if at > 0 && strings.Contains(got, "http://a/2") {
				t.Errorf("a record that is cut after %d bytes behind %.20q: got it, want damage\n%s", at, before, got)
			}
		}
	}
}

// A record that begins at the end of a window is found in pieces of any size: after a block whose
// length is wrong, among stray bytes, and in a large block.
func TestPieces(t *testing.T) {
	pieceSizes := []int{1000, minWindow/2 + 1, minWindow}
	one, two := response("http://a/1", "<a href=1>"), numbered(2, "<a href=2>")
	claims := func(n string) string { return strings.Replace(one, "Content-Length: ", "Content-Length: "+n, 1) }
	for _, tt := range []struct{ name, before string }{
		{"stray bytes", one + "stray"},
		{"a length that is too large", claims("9")},
		{"a length above the limit", claims("99999999")},
		{"no length", claims("x")},
		{"before the first record", "junk"},
	} {
		for _, next := range effort.Pick([]string{two, gz(two), gzStored(two)}, []string{two, gz(two)}) {
			sizes := []int{minWindow - gzipHead, minWindow - headerPrefix, minWindow, 2 * minWindow}
			for _, size := range effort.Pick(sizes, sizes[:3]) {
				for _, off := range effort.Pick([]int{-300, -40, -20, -5, 0, 5}, []int{-40, 0, 5}) {
					pad := size + off - len(tt.before)
					data := tt.before + strings.Repeat("y", pad) + "\n" + next
					all := inPieces(t, []byte(data), effort.Pick(pieceSizes, pieceSizes[:2])...)
					if strings.Count(all, "http://a/2") != 1 {
						t.Errorf("%s, %d bytes: the record behind them is lost", tt.name, pad)
					}
				}
			}
		}
	}
}

// A block with a wrong length above the limit ends at the next record, wherever that begins.
func TestPiecesOverLimit(t *testing.T) {
	const limit = 700
	two := numbered(2, "<a href=2>")
	claimed := strings.Replace(numbered(1, "<a href=1>"), "Content-Length: ", "Content-Length: 9999", 1)
	more := strings.Repeat("z", effort.Pick(1<<20, 300<<10))
	for _, size := range []int{1000, minWindow - headerPrefix, minWindow, minWindow + minWindow/2, 2 * minWindow} {
		for _, off := range effort.Pick([]int{-300, -130, -40, -20, -5, 0, 5}, []int{-130, -20, 0}) {
			data := claimed + strings.Repeat("y", size+off-len(claimed)) + "\n" + two + more
			member := gz(data)
			for name, in := range map[string]func() io.Reader{
				"a file":                    func() io.Reader { return strings.NewReader(data) },
				"one gzip member":           func() io.Reader { return strings.NewReader(member) },
				"one member in small reads": func() io.Reader { return pieces{strings.NewReader(member), 100} },
				"one zstd frame":            func() io.Reader { return strings.NewReader(zst(data)) },
			} {
				var got []string
				for rec, err := range recordsOf(in(), Options{Limit: limit}) {
					if err != nil {
						t.Fatal(err)
					}
					got = append(got, fmt.Sprint(rec.TargetURI, " ", rec.Skipped, " ", len(rec.Defects) > 0))
					rec.Release()
				}
				skipped := strings.Index(data, "\n"+two) + 1 - strings.Index(data, "HTTP/")
				if skipped <= limit {
					skipped = 0 // the block is in the data
				}
				want := []string{fmt.Sprint("http://a/1 ", skipped, " true"), "http://a/2 0 true"}
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%s, %d bytes before the next record: got %q, want %q", name, size+off, got, want)
				}
			}
		}
	}
}

// A block whose wrong length is above the limit ends at the next record, even if it has few bytes
// or none.
func TestFewBytesOverLimit(t *testing.T) {
	const limit = 40
	empty := rec("resource", "WARC-Target-URI: http://a/1\n", "")
	claimed := strings.TrimRight(strings.Replace(empty, "Length: 0", "Length: 9999", 1), "\r\n") + "\r\n\r\n"
	two := numbered(2, "<a href=2>")
	for n := range limit + 9 {
		block := ""
		if n > 0 {
			block = strings.Repeat("y", n-1) + "\n"
		}
		data := claimed + block + two + strings.Repeat("z", 20_000)
		for name, archive := range map[string]string{"plain": data, "gzip": gz(data), "zstd": zst(data)} {
			var got []string
			for rec, err := range recordsOf(strings.NewReader(archive), Options{Limit: limit}) {
				if err != nil {
					t.Fatal(err)
				}
				s := fmt.Sprintf("%s %q %d %v", rec.TargetURI, rec.block(), rec.Skipped, len(rec.Defects) > 0)
				got = append(got, s)
				rec.Release()
			}
			skipped := 0
			text := strings.TrimSuffix(block, "\n")
			if n > limit {
				skipped = n
				text = ""
			}
			want := fmt.Sprintf("http://a/1 %q %d true", text, skipped)
			if len(got) < 2 || got[0] != want || !strings.HasPrefix(got[1], "http://a/2 ") {
				t.Errorf("%s, %d bytes before the next record: got %q, want %q and record 2", name, n, got, want)
			}
		}
	}
}

// A block of unknown length is kept up to the limit, and the record after it is found, wherever the
// bytes that are read at once end.
func TestUnknownLengthAtLimit(t *testing.T) {
	head := strings.Replace(rec("resource", "WARC-Target-URI: http://a/1\n", ""), "Length: 0", "Length: x", 1)
	head = strings.TrimRight(head, "\r\n") + "\r\n\r\n"
	two := numbered(2, "<a href=2>")
	for _, size := range []int{minWindow - gzipHead, minWindow - headerPrefix, minWindow, 2*minWindow - headerPrefix} {
		for limit := size - 1; limit <= size+1; limit++ {
			for n := limit - 1; n <= limit+1; n++ {
				data := head + strings.Repeat("y", n) + two
				want := fmt.Sprint("http://a/1 ", n, " http://a/2 54")
				if n > limit {
					want = "http://a/1 0 http://a/2 54"
				}
				for name, archive := range map[string]string{"plain": data, "gzip": gz(data)} {
					var got []string
					for rec := range recordsOf(pieces{strings.NewReader(archive), 7}, Options{Limit: limit}) {
						got = append(got, rec.TargetURI, fmt.Sprint(len(rec.block())))
						rec.Release()
					}
					if s := strings.Join(got, " "); s != want {
						t.Errorf("%s, limit %d, block of %d bytes: got %s, want %s", name, limit, n, s, want)
					}
				}
			}
		}
	}
}

// A record behind a block of unknown length is found byte by byte, wherever the window ends in its
// header.
func TestHeaderAtWindowEnd(t *testing.T) {
	one := strings.Replace(numbered(1, "<a href=1>"), "Content-Length: ", "Content-Length: x", 1)
	from := strings.Index(one, "HTTP/")
	two := numbered(2, "<a href=2>")
	for off := -140; off < 10; off += effort.Pick(1, 9) {
		data := one + strings.Repeat("y", from+minWindow+off-len(one)) + two
		if got := targets(t, pieces{strings.NewReader(data), 1}); got != "1! 2" {
			t.Errorf("%d bytes from the end of the window: got records %s, want 1! 2", off, got)
		}
	}
}

// A record after junk is found at the start of a line, wherever the buffer ends, even if its first
// field is not one of WARC.
func TestRecordAfterJunk(t *testing.T) {
	record := "WARC/1.0\r\nContent-Length: 1\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a/2\r\n\r\nx\r\n\r\n"
	one := gz(numbered(1, "<a href=1>"))
	for n := readBuffer - 2*headerPrefix; n < readBuffer+headerPrefix; n += effort.Pick(1, 3) {
		junk := strings.Repeat("j", n-len(one)-1) + "\n"
		if got := targets(t, strings.NewReader(one+junk+record)); got != "1*! 2" {
			t.Errorf("after %d bytes: got records %s, want 1*! 2", n, got)
		}
	}
}

// A block above the limit whose length is wrong hides a record in a pipe. A defect says so.
func TestLostInPipe(t *testing.T) {
	claimed := strings.Replace(numbered(1, strings.Repeat("y", 5000)), "Content-Length: ", "Content-Length: 99", 1)
	data := claimed + numbered(2, "<a href=2>") + noise(1_300_000)
	for name, pipe := range map[string]string{"plain": data, "one member": gz(data)} {
		lost := 0
		for rec, err := range recordsOf(onlyReader{strings.NewReader(pipe)}, Options{Limit: 700}) {
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range rec.Defects {
				if strings.Contains(d.Text, "cannot be read from a pipe") {
					lost++
				}
			}
			rec.Release()
		}
		if lost != 1 {
			t.Errorf("%s: got %d defects about lost records, want 1", name, lost)
		}
	}
}
