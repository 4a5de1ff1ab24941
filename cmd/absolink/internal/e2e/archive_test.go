//go:build unix

package e2e

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/cli"
	"absolink/cmd/absolink/internal/coding"
	"absolink/testdata/corpus"
	"absolink/testdata/effort"
)

// The output depends neither on the number of workers, nor on the source of the archive, nor on
// whether it is read as a small or a large archive.
func TestArchiveOutput(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, n := range map[string]int{"small": effort.Pick(200, 20), "large": effort.Pick(4000, 250)} {
		plain, members := longArchive(n, effort.Pick(1, 20))
		if large := len(plain) > 1<<20; large != (name == "large") {
			t.Fatalf("the %s archive has %d bytes", name, len(plain))
		}
		var want strings.Builder
		for i := range n {
			fmt.Fprintf(&want, "http://example.test/d%d/l%d\n", i, i)
		}
		save(t, "a.warc", []byte(plain))
		save(t, "a.warc.gz", []byte(members))
		save(t, "mixed.warc.gz", []byte(members+plain+members))
		save(t, "mixed.warc", []byte(plain+members+plain))
		first := ""
		for _, jobs := range []string{"1", "8"} {
			t.Run(name+" with jobs "+jobs, func(t *testing.T) {
				for _, text := range []string{plain, members} {
					if code, out, stderr := runs(t, text, "extract", "--jobs", jobs); code != cli.ExitDone ||
						out != want.String() || stderr != "" {
						t.Errorf("extract from a pipe: got exit code %d, %d bytes and %.200q, want %d, %d bytes and "+
							"nothing", code, len(out), stderr, cli.ExitDone, want.Len())
					}
				}
				code, out, stderr := runs(t, "", "extract", "--jobs", jobs, "--report", "r", "a.warc", "a.warc.gz")
				if code != cli.ExitDone || out != want.String()+want.String() || stderr != "" {
					t.Errorf("extract: got exit code %d, %d bytes and %.200q, want %d, %d bytes and nothing",
						code, len(out), stderr, cli.ExitDone, 2*want.Len())
				}
				for _, mixed := range []string{"mixed.warc", "mixed.warc.gz"} {
					if jobs == "1" && !effort.Whole() {
						continue
					}
					data, _ := os.ReadFile(mixed)
					for _, in := range []string{mixed, "-"} {
						code, out, stderr := runs(t, string(data), "extract", "--jobs", jobs, in)
						if code != cli.ExitDone || out != strings.Repeat(want.String(), 3) || stderr != "" {
							t.Errorf("extract %s of %s: got exit code %d, %d bytes and %.200q, want %d, %d bytes and "+
								"nothing", in, mixed, code, len(out), stderr, cli.ExitDone, 3*want.Len())
						}
					}
				}
				r, _ := os.ReadFile("r")
				if got := bytes.Count(r, []byte("\n")); got != 2*n+2 {
					t.Errorf("extract: got %d lines in the report, want %d", got, 2*n+2)
				}
				_, out, _ = runs(t, "", "extract", "--jobs", jobs, "--format", "jsonl", "a.warc")
				if first == "" {
					first = out
				}
				if out != first {
					t.Errorf("extract: got %d bytes of records, want the same %d as with one worker",
						len(out), len(first))
				}
			})
		}
		checkPlaces(t, first, plain, n, func(item int) string { return relative(item / 2) })
	}
}

// A body that is itself a compressed file is read as the file inside. Its links have no place in
// the archive.
func TestArchivedFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	sitemap := packed(t, coding.Gzip,
		[]byte("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>http://e.test/1</loc></url></"+
			"urlset>"))
	page := packed(t, coding.Zstd, []byte("<a href=x>"))
	text := packed(t, coding.Gzip, []byte("http://e.test/t"))
	var archive bytes.Buffer
	for _, r := range []struct {
		url, media string
		body       []byte
	}{
		{"http://e.test/sitemap.xml.gz?a=/b.bin", "application/x-gzip",
			sitemap}, {"http://e.test/d/sitemap", "application/octet-stream", sitemap},
		{"http://e.test/d/page.zst", "application/octet-stream",
			page}, {"http://e.test/urls.txt.gz#f", "application/gzip", text},
		{"http://e.test/urls.bin", "application/gzip", text}, {"http://e.test/a.tar.gz",
			"application/gzip", packed(t, coding.Gzip, make([]byte, 512))},
	} {
		block := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n%s", r.media, r.body)
		fmt.Fprintf(&archive,
			"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nContent-Type: application/http\r\n"+
				"Content-Length: %d\r\n\r\n%s\r\n\r\n", r.url, len(block), block)
	}
	save(t, "a.warc", archive.Bytes())
	code, out, stderr := runs(t, "", "extract", "--format", "jsonl",
		"--kind", "!identifier", "--fields", "type,uri,offset", "a.warc")
	const want = `{"type":"application/xml","uri":"http://e.test/1"}
{"type":"application/xml","uri":"http://e.test/1"}
{"type":"text/html","uri":"http://e.test/d/x"}
{"type":"text/plain","uri":"http://e.test/t"}
`
	if code != cli.ExitDone || out != want || stderr != "" {
		t.Errorf("extract: got code %d, %sand %s, want %d and %s", code, out, stderr, cli.ExitDone, want)
	}
}

// A message says that bytes follow a complete body, or that the writer of the record left out its
// end because it was too long. Nothing was lost, so the exit status is 0 and there is no dead
// letter.
func TestHarmlessDefects(t *testing.T) {
	t.Chdir(t.TempDir())
	const page = "<a href=x>x</a>"
	z := string(packed(t, coding.Gzip, []byte(page)))
	tests := []struct {
		name, record, fields, body string
		code                       int
		said                       string // text after the place; "" means no message
	}{
		{"a whole body", "", "", page, cli.ExitDone, ""},
		{"zeros behind gzip", "", "Content-Encoding: gzip\r\n", z + "\x00\x00\x00\r\n",
			cli.ExitDone, "5 bytes after the end of the gzip data, not read"},
		{"bytes behind the last chunk", "", "Transfer-Encoding: chunked\r\n",
			"f\r\n" + page + "\r\n0\r\n\r\njunk", cli.ExitDone, "4 bytes after the last chunk"},
		{"gzip that is damaged", "", "Content-Encoding: gzip\r\n", z[:len(z)-6],
			cli.ExitDefects, "gzip damaged after 15 decoded bytes: unexpected EOF"},
		{"a body that ends early", "", "Content-Length: 50\r\n", page,
			cli.ExitDefects, "Content-Length is 50, the body has 15 bytes"},
		{"truncated", "WARC-Truncated: length\r\n", "", page, cli.ExitDone, "truncated by its writer: length"},
		{"truncated, and so shorter than its heading says", "WARC-Truncated: Length\r\n",
			"Content-Length: 50\r\n", page, cli.ExitDone, "Content-Length is 50, the body has 15 bytes"},
		{"truncated in gzip", "WARC-Truncated: length\r\n", "Content-Encoding: gzip\r\n",
			z[:len(z)-6], cli.ExitDone, "gzip damaged after 15 decoded bytes: unexpected EOF"},
		{"truncated in a chunk", "WARC-Truncated: length\r\n", "Transfer-Encoding: chunked\r\n",
			"ff\r\n" + page, cli.ExitDone, "chunked: chunk of 255 bytes cut short"},
		{"truncated for the time", "WARC-Truncated: time\r\n", "",
			page, cli.ExitDefects, "truncated by its writer: time"},
		{"truncated by a disconnect", "WARC-Truncated: disconnect\r\n", "",
			page, cli.ExitDefects, "truncated by its writer: disconnect"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			block := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + tt.fields + "\r\n" + tt.body
			save(t, "a.warc",
				fmt.Appendf(nil,
					"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://e.test/\r\nContent-Type: application/"+
						"http\r\n%sContent-Length: %d\r\n\r\n%s\r\n\r\n",
					tt.record, len(block), block))
			os.Remove("dead")
			code, out, stderr := runs(t, "", "extract", "--dead-letter", "dead", "a.warc")
			if code != tt.code || out != "http://e.test/x\n" ||
				!strings.Contains(stderr, ": "+tt.said+"\n") && tt.said != "" || stderr != "" && tt.said == "" {
				t.Errorf("got code %d, %q and %q, want %d, the link and %q", code, out, stderr, tt.code, tt.said)
			}
			if dead, _ := os.ReadFile("dead"); (len(dead) > 0) != (tt.code == cli.ExitDefects) {
				t.Errorf("got the dead letters %q with code %d", dead, code)
			}
		})
	}
}

// Every archive of the corpus is read, or reported.
func TestArchiveCorpus(t *testing.T) {
	code, out, stderr := runs(t, "", "extract", "--type", "warc", corpus.Folder("warc"))
	if least := corpus.Least(500, 20); code != cli.ExitDefects || strings.Count(out, "\n") < least {
		t.Errorf("extract: got exit code %d and %d links, want %d and %d at least",
			code, strings.Count(out, "\n"), cli.ExitDefects, least)
	}
	if strings.Contains(stderr, "internal error") {
		t.Errorf("extract: a defect of the program: %s", stderr)
	}
}
