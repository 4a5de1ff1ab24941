//go:build unix

package e2e

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"absolink/testdata/effort"
)

// A large web archive in gzip members gives the same records, report and messages for any number of
// jobs, even if it is damaged or unusual.
func TestArchiveJobs(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 9))
	noise := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/"[random.IntN(64)]
		}
		return string(b)
	}
	record := func(i, size int) string {
		body := fmt.Sprintf("<a href=\"l%d\">%s</a>", i, noise(size))
		if i%50 == 7 { // text that looks like a record, in a stored block
			body += webRecord(i)
		}
		block := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
		return fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.test/d%d/\r\n"+
			"Content-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", i, len(block), block)
	}
	stored, _ := gzip.NewWriterLevel(nil, gzip.NoCompression)
	fast, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	member := func(z *gzip.Writer, texts ...string) string {
		var b bytes.Buffer
		z.Reset(&b)
		for _, text := range texts {
			io.WriteString(z, text)
		}
		z.Close()
		return b.String()
	}
	var texts, each []string
	count := effort.Pick(600, 250)
	for i := range count {
		texts = append(texts, record(i, 1000+random.IntN(24000)))
		each = append(each, member(fast, texts[i]))
	}
	all := strings.Join(texts, "")
	var spanning []string
	for i := 0; i < len(all); i += 70000 {
		spanning = append(spanning, member(fast, all[i:min(i+70000, len(all))]))
	}
	damaged := []byte(strings.Join(each, ""))
	for range 40 {
		damaged[random.IntN(len(damaged))] ^= 0x55
	}
	whole := strings.Join(each, "")
	archives := map[string]func() string{
		"a member a record": func() string { return whole },
		"stored": func() string {
			var plain strings.Builder
			for _, text := range texts {
				plain.WriteString(member(stored, text))
			}
			return plain.String()
		},
		"two records a member": func() string {
			var pairs strings.Builder
			for pair := range slices.Chunk(texts, 2) {
				pairs.WriteString(member(fast, pair...))
			}
			return pairs.String()
		},
		"records span members": func() string { return strings.Join(spanning, "") },
		"one member":           func() string { return member(fast, all) },
		"bytes are wrong":      func() string { return string(damaged) },
		"bytes are missing":    func() string { return whole[:2500000] + whole[2700000:] },
		"cut short":            func() string { return whole[:len(whole)-5000] },
		"junk behind":          func() string { return whole + noise(300000) },
		"junk in the first":    func() string { return member(fast, "junk", texts[0]) + whole },
		"a large record": func() string {
			return strings.Join(each[:300], "") + member(stored, record(-1, 20<<20)) + strings.Join(each[300:], "")
		},
		"it goes on otherwise": func() string { return whole[:len(whole)/2] + strings.Join(spanning, "") },
		"an archive in another": func() string {
			return strings.Join(each[:300], "") + member(stored,
				strings.Replace(record(-2, 10), "</a>", whole, 1)) + strings.Join(each[300:], "")
		},
	}
	t.Chdir(t.TempDir())
	short := []string{"records span members", "bytes are wrong"}
	for name, archive := range archives {
		if !effort.Whole() && !slices.Contains(short, name) {
			continue
		}
		text := archive()
		save(t, "a.warc.gz", []byte(text))
		if len(text) < 2<<20 {
			t.Errorf("%s: %d bytes, want 2 MiB at least", name, len(text))
		}
		var want [4]string
		for _, jobs := range effort.Pick([]string{"1", "2", "7"}, []string{"1", "7"}) {
			code, out, stderr := runs(t, "", "extract", "--format", "jsonl", "--pages",
				"--jobs", jobs, "--report", "r", "--dead-letter", "d", "a.warc.gz")
			report, _ := os.ReadFile("r")
			dead, _ := os.ReadFile("d")
			os.Remove("d")
			got := [4]string{out, stderr, strings.Join(sorted(t, string(report), "seconds"), "\n"),
				fmt.Sprintf("%d %s", code, dead)}
			if jobs == "1" {
				want = got
				if n := strings.Count(out, "\n"); n < count-100 {
					t.Errorf("%s: got %d records, want %d at least", name, n, count-100)
				}
				continue
			}
			for i, what := range []string{"records", "messages", "report", "dead letters"} {
				if got[i] != want[i] {
					t.Errorf("%s, jobs %s: %s: got %d lines, want %d as with one job:\n%s", name, jobs, what,
						strings.Count(got[i], "\n"), strings.Count(want[i], "\n"), firstDifference(got[i], want[i]))
				}
			}
		}
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d: got %.400s\nwant %.400s", i+1, g[i], w[i])
		}
	}
	return "one begins as the other"
}
