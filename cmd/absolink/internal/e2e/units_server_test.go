//go:build unix

package e2e

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"absolink/cmd/absolink/internal/cli"
	"absolink/cmd/absolink/internal/coding"
	"absolink/testdata/effort"
)

// fileServer serves the current directory, and counts the bytes of files that it sends.
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

// The records of units on a server equal the records of a run over the files, whichever program has
// cut the units.
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
			continue // their base is the URL
		}
		args := append([]string{"extract", "--allow-private", "--force-base",
			"http://example.test/", "--format", "jsonl", "-q"}, in[1:]...)
		_, one, _ := runs(t, "", append(args, in[0])...)
		_, units, _ := runs(t, "", append([]string{"units", "-q", "--size", "10K", in[0]}, in[1:]...)...)
		_, got, stderr := runs(t, strings.ReplaceAll(units, in[0]+"\t", url+"/"+in[0]+"\t"),
			append(args, "--units", "-")...)
		if want := sorted(t, one, "page"); !slices.Equal(sorted(t, strings.ReplaceAll(got, url+"/", ""), "page"),
			want) || len(want) == 0 {
			t.Errorf("%q: %d units on a server: got %d records and %.300q, want the %d of one run",
				in, strings.Count(units, "\n"), strings.Count(got, "\n"), stderr, len(want))
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
		if want := sorted(t, one,
			without...); !slices.Equal(sorted(t, strings.ReplaceAll(got, url+"/", ""), without...), want) {
			t.Errorf("%q: %d random units on a server: got %d records and %.300q, want the %d of one run",
				in, strings.Count(units, "\n"), strings.Count(got, "\n"), stderr, len(want))
		}
	}
}

// A unit has failed if nothing of it was read: it becomes a dead letter, its trailer says why, and
// the exit status is 4. A unit that was read as its line says is done, even if it has no links, or
// some damage.
func TestUnitsNotRead(t *testing.T) {
	const page = "<a href=x>x</a>"
	t.Chdir(t.TempDir())
	save(t, "large.html", []byte(strings.Repeat(page, 10000)))
	save(t, "large.html.gz", packed(t, coding.Gzip, []byte(strings.Repeat(page, 10000))))
	save(t, "empty.html", nil)
	tests := []struct {
		unit  string // a path below the server begins with a slash
		error string // why it failed; empty if it is done
		dead  bool   // it becomes a dead letter
		links int
	}{
		{"/forbidden", "robots.txt forbids it; --ignore-robots retrieves it nevertheless", true, 0},
		{"/leads?to=/forbidden", "robots.txt forbids it; --ignore-robots retrieves it nevertheless", true, 0},
		{"/leads?to=/leads", "redirects more than 1 times; --max-redirects allows more", true, 0},
		{"/loop", "redirects in a loop", true, 0},
		{"/leads?to=ftp://a.test/", `redirects to "ftp://a.test/?to=/page", which is not an http URL`, true, 0},
		{"/status?404", "the server says 404 Not Found", true, 0},
		{"/status?410", "the server says 410 Gone", true, 0},
		{"/status?500", "the server says 500 Internal Server Error", true, 0},
		{"/status?302", "the server says 302 Found", true, 0},
		{"/status?304", "the server says 304 Not Modified", true, 0},
		{"/status?206", "the server sends only a part of it (206 Partial Content), although all was requested",
			true, 0},
		{"/silent", "takes longer than 500ms; --timeout allows more", true, 0},
		{"/short", "ends after 15 of 100 bytes", true, 1},
		{"/large", "is larger than --max-size", true, 0},
		{"/unheard", `unknown content coding "unheard"`, true, 0},
		{"large.html", "150000 bytes are more than --max-size allows: not read", true, 0},
		{"large.html.gz", "expands to 10241 bytes or more, which --max-size does not allow: not read", true, 0},
		{"nothere.html", "no such file or directory", true, 0},
		{"/picture", "", true, 0}, // it is not a document
		{"/damaged", "", true, 0},
		{"/status?204", "", false, 0},
		{"/empty", "", false, 0},
		{"empty.html", "", false, 0},
		{"/page", "", false, 1},
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/robots.txt":
			fmt.Fprint(w, "User-agent: *\nDisallow: /forbidden\n")
		case "/leads":
			http.Redirect(w, r, r.FormValue("to")+"?to=/page", http.StatusFound)
		case "/loop":
			http.Redirect(w, r, r.URL.String(), http.StatusFound)
		case "/status":
			code, _ := strconv.Atoi(r.URL.RawQuery)
			w.WriteHeader(code)
		case "/silent":
			<-r.Context().Done()
		case "/short":
			w.Header().Set("Content-Length", "100")
			fmt.Fprint(w, page)
		case "/large":
			fmt.Fprint(w, strings.Repeat(page, 10000))
		case "/unheard":
			w.Header().Set("Content-Encoding", "unheard")
			fmt.Fprint(w, page)
		case "/picture":
			w.Header().Set("Content-Type", "image/png")
			fmt.Fprint(w, "\x89PNG\r\n\x1a\n")
		case "/damaged":
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(packed(t, coding.Gzip, []byte(page))[:15])
		case "/empty":
		default:
			fmt.Fprint(w, page)
		}
	}))
	t.Cleanup(s.Close)
	for _, tt := range tests {
		unit := tt.unit
		if unit[0] == '/' {
			unit = s.URL + unit
		}
		os.Remove("dead")
		code, out, stderr := runs(t, unit+"\n", "extract", "--stream", "--allow-private",
			"--max-size", "10K", "--max-redirects", "1", "--timeout", "0.5s",
			"--units", "-", "--dead-letter", "dead")
		lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
		end := object(t, lines[len(lines)-1])
		status, want := "done", cli.ExitDone
		if tt.error != "" {
			status, want = "failed", cli.ExitUnread
		}
		if got, _ := end["error"].(string); code != want || end["status"] != status ||
			got != tt.error || end["link_count"] != float64(tt.links) {
			t.Errorf("unit %s: got code %d and %s, want %d, %s, %d links and the error %q\n%s",
				tt.unit, code, lines[len(lines)-1], want, status, tt.links, tt.error, stderr)
		}
		letter := ""
		if tt.dead {
			letter = unit + "\n"
		}
		if got, err := os.ReadFile("dead"); err != nil || string(got) != letter {
			t.Errorf("unit %s: got the dead letter %q and error %v, want %q", tt.unit, got, err, letter)
		}
		if (stderr == "") != (tt.unit == "/page") {
			t.Errorf("unit %s: got the message %q", tt.unit, stderr)
		}
	}

	// A URL in a list that robots.txt forbids is left out.
	code, out, stderr := runs(t, s.URL+"/forbidden\n", "extract",
		"--allow-private", "--urls", "-", "--dead-letter", "dead")
	if want := "robots.txt forbids it"; code != cli.ExitDone || out != "" || !strings.Contains(stderr, want) {
		t.Errorf("--urls: got code %d, %q and %q, want 0, nothing and %s", code, out, stderr, want)
	}
}

// TestOneRequest reads units of whole records from a server. Each unit takes one request for its
// range, whatever its line says about the records.
func TestOneRequest(t *testing.T) {
	t.Chdir(t.TempDir())
	var requests []string
	files := http.FileServer(http.Dir("."))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests = append(requests, r.Header.Get("Range"))
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	for _, name := range []string{"a.warc", "a.warc.gz"} {
		for _, size := range []int{100, 300_000} {
			archive, bounds := "", []int{0}
			for i := range 4 {
				record := unpredictableRecord(fmt.Sprintf("http://a.test/%d", i), size)
				if strings.HasSuffix(name, ".gz") {
					record = packed(t, coding.Gzip, record)
				}
				archive += string(record)
				bounds = append(bounds, len(archive))
			}
			save(t, name, []byte(archive))
			at, one, two := bounds[1], bounds[2]-bounds[1], bounds[3]-bounds[1]
			indexed := []string{"--units-format", "cdxj", "--prefix"}
			tests := []struct {
				unit   string // below a prefix
				length int
				flags  []string // the last one has the prefix as its value
			}{
				{fmt.Sprintf("%s\t%d\t%d", name, at, one), one, nil},
				{fmt.Sprintf("%s\t%d\t%d", name, at, two), two, nil},
				{fmt.Sprintf("%s\t%d\t%d\t2\t0", name, at, one), one, nil},
				{fmt.Sprintf("a 2024 {\"filename\": %q, \"offset\": %d, \"length\": %d}", name, at, one),
					one, indexed},
			}
			if size > 100 && !effort.Whole() {
				tests = tests[:2]
			}
			for _, tt := range tests {
				extract := func(prefix string) (code int, out, stderr string) {
					args := []string{"extract", "--allow-private", "--fields", "page,uri", "--units", "-"}
					args = append(args, tt.flags...)
					if tt.flags != nil {
						return runs(t, tt.unit+"\n", append(args, prefix)...)
					}
					return runs(t, prefix+"/"+tt.unit+"\n", args...)
				}
				_, local, _ := extract(".")
				requests = nil
				code, got, stderr := extract(s.URL)
				if code != cli.ExitDone || got != local || got == "" || stderr != "" {
					t.Errorf("unit %s, %d bytes a record: got code %d, %d links and %q, want the %d links of the file",
						tt.unit, size, code, strings.Count(got, "\n"), stderr, strings.Count(local, "\n"))
				}
				if want := fmt.Sprintf("bytes=%d-%d", at, at+tt.length-1); !slices.Equal(requests, []string{want}) {
					t.Errorf("unit %s, records of %d bytes: got the requests %q, want %q",
						tt.unit, size, requests, want)
				}
			}
		}
	}
}

// The units of a URL are cut by its size, which the server says without its content. Together they
// give the links of one run over the file.
func TestUnitsOfURLs(t *testing.T) {
	t.Chdir(t.TempDir())
	_, members := webArchive(40)
	save(t, "a.warc.gz", []byte(members))
	save(t, "page.html", []byte("<a href=x>"))
	save(t, "empty.warc", nil)
	save(t, "data", []byte(members[:2000]))
	url, sent := fileServer(t)
	code, units, stderr := runs(t, "", "units", "--allow-private", "--size", "1K", url+"/a.warc.gz")
	if code != cli.ExitDone || stderr != "" || sent.Load() != 0 {
		t.Errorf("units of a URL: got code %d, %q and %d bytes, want 0, nothing and none", code, stderr, sent.Load())
	}
	var want strings.Builder
	for at := 0; at < len(members); at += 1 << 10 {
		fmt.Fprintf(&want, "%s/a.warc.gz\t%d\t%d\n", url, at, min(1<<10, len(members)-at))
	}
	if units != want.String() {
		t.Errorf("units of a URL: got\n%swant\n%s", units, want.String())
	}
	links := []string{"extract", "--format", "jsonl", "--fields", "page,uri,record_offset", "--allow-private"}
	_, one, _ := runs(t, "", append(links, "a.warc.gz")...)
	_, got, stderr := runs(t, units, append(links, "--units", "-")...)
	if got != one || one == "" || stderr != "" {
		t.Errorf("extract of the units: got %d links and %q, want the %d of one run",
			strings.Count(got, "\n"), stderr, strings.Count(one, "\n"))
	}
	for _, tt := range []struct {
		path, kind, units, message string
		code                       int
	}{
		{"/page.html", "", "U/page.html\n", "", cli.ExitDone},
		{"/empty.warc", "", "U/empty.warc\n", "", cli.ExitDone},
		{"/none.warc", "", "", "the server says 404 Not Found", cli.ExitDefects},
		{"/data", "", "U/data\n", "", cli.ExitDone},
		{"/data", "warc", "U/data\t0\t1024\nU/data\t1024\t976\n", "", cli.ExitDone},
	} {
		args := []string{"units", "--allow-private", "--size", "1K", url + tt.path}
		if tt.kind != "" {
			args = append(args, "--type", tt.kind)
		}
		code, units, stderr := runs(t, "", args...)
		if want := strings.ReplaceAll(tt.units, "U", url); code != tt.code || units != want ||
			!strings.Contains(stderr, tt.message) || (stderr == "") != (tt.message == "") {
			t.Errorf("units %s: got code %d, %q and %q, want %d, %q and %q",
				tt.path, code, units, stderr, tt.code, want, tt.message)
		}
	}
}

// With a presigned URL as prefix, each request has its query. No output has it.
func TestSignedPrefix(t *testing.T) {
	const signature = "X-Amz-Expires=9&X-Amz-Signature=0a%2Fb"
	t.Chdir(t.TempDir())
	record := packed(t, coding.Gzip, unpredictableRecord("http://a.test/", 100))
	save(t, "a b.warc.gz", record)
	files := http.FileServer(http.Dir("."))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery != signature {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	line := `a 2024 {"filename": "%s", "offset": 0, "length": %d}` + "\n"
	index := fmt.Sprintf(line+line, "a b.warc.gz", len(record), "none.warc.gz", 9)
	for _, prefix := range []string{s.URL, s.URL + "/"} {
		for _, format := range []string{"jsonl", "text", "arrow"} {
			code, out, stderr := runs(t, index, "extract", "--allow-private", "-v", "--format", format,
				"--units", "-", "--units-format", "cdxj", "--prefix", prefix+"?"+signature,
				"--dead-letter", "dead", "--report", "report")
			if code != cli.ExitUnread || !strings.Contains(out, "http://a.test/") {
				t.Errorf("--prefix with a query, %s: got code %d and %d bytes, want %d and links: %s",
					format, code, len(out), cli.ExitUnread, stderr)
			}
			for name, text := range map[string]string{"output": out, "messages": stderr,
				"dead letters": read(t, "dead"), "report": read(t, "report")} {
				if strings.Contains(text, "0a%2Fb") || strings.Contains(text, "Expires") {
					t.Errorf("--prefix with a query, %s: the %s contain it: %q", format, name, text)
				}
			}
			if want := s.URL + "/none.warc.gz\t0\t9\n"; read(t, "dead") != want {
				t.Errorf("--prefix with a query: got the dead letters %q, want %q", read(t, "dead"), want)
			}
			if err := os.Remove("dead"); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// unpredictableRecord returns a WARC record with a page of at least size bytes of links, which
// hardly compress.
func unpredictableRecord(uri string, size int) []byte {
	random := rand.New(rand.NewPCG(uint64(size), 2))
	var page strings.Builder
	page.WriteString("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
	for page.Len() < size {
		fmt.Fprintf(&page, "<a href=%x>", random.Uint64())
	}
	return fmt.Appendf(nil, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nContent-Type: "+
		"application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", uri, page.Len(), page.String())
}

// For the records in an index, nothing else is retrieved, not even a byte. For records in ranges of
// other programs, some bytes after them may be retrieved.
func TestIndexedRecords(t *testing.T) {
	t.Chdir(t.TempDir())
	_, members := webArchive(effort.Pick(300, 45))
	save(t, "a.warc.gz", []byte(members))
	_, one, _ := runs(t, "", "extract", "--format", "jsonl", "a.warc.gz")
	_, units, _ := runs(t, "", "units", "--size", "1", "a.warc.gz")
	index, length, n := "filename,offset,length\n", int64(0), 0
	cdx := "" // without lengths
	for line := range strings.Lines(units) {
		var at, size int64
		fmt.Sscanf(strings.TrimPrefix(line, "a.warc.gz"), "\t%d\t%d", &at, &size)
		n++
		if n%3 == 0 {
			index += fmt.Sprintf("a.warc.gz,%d,%d\n", at, size)
			cdx += fmt.Sprintf("a,b)/ 2024 http://a.b/ text/html 200 X - %d a.warc.gz\n", at)
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
	_, served, stderr := runs(t, "", "extract", "--allow-private",
		"--units", "index.csv", "--units-format", "csv", "--prefix", url)
	if strings.ReplaceAll(served, url+"/", "") != local {
		t.Errorf("extract of an index on a server: got %d records and %.300q, want the %d of the file",
			strings.Count(served, "\n"), stderr, strings.Count(local, "\n"))
	}
	if sent.Load() != length {
		t.Errorf("extract of an index on a server: %d bytes were sent, want %d", sent.Load(), length)
	}

	// An index may leave out the ends of records.
	save(t, "index.cdx", []byte(cdx))
	for _, prefix := range []string{".", url} {
		_, got, stderr := runs(t, "", "extract", "--allow-private", "--units",
			"index.cdx", "--units-format", "cdx", "--prefix", prefix)
		if strings.ReplaceAll(got, url+"/", "") != local || stderr != "" {
			t.Errorf("extract of an index without lengths below %s: got %d records and %.300q, want the %d of the file",
				prefix, strings.Count(got, "\n"), stderr, strings.Count(local, "\n"))
		}
	}
	os.Remove("index.cdx")

	// Lines of units that do not say that a record begins there cost one look behind each of them.
	var bare strings.Builder
	for line := range strings.Lines(index[strings.Index(index, "\n")+1:]) {
		bare.WriteString(url + "/" + strings.ReplaceAll(line, ",", "\t"))
	}
	sent.Store(0)
	_, served, stderr = runs(t, bare.String(), "extract", "--allow-private", "--units", "-")
	if strings.ReplaceAll(served, url+"/", "") != local {
		t.Errorf("extract of units on a server: got %d records and %.300q, want the %d of the file",
			strings.Count(served, "\n"), stderr, strings.Count(local, "\n"))
	}
	if most := length + int64(n/3)<<14; sent.Load() > most {
		t.Errorf("extract of units on a server: %d bytes were sent, want at most %d", sent.Load(), most)
	}
	if left, _ := filepath.Glob("*"); len(left) != 2 {
		t.Errorf("extract left %q behind", left)
	}
}
