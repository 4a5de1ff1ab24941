package e2e

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"absolink/testdata/effort"
)

// framed is a document for --pipe, and its answer.
type framed struct {
	name   string
	data   []byte
	output string // of the command
	end    endRecord
}

// endRecord is the end record of an answer.
type endRecord struct {
	Record       string
	V            int
	ID           int
	Status       string
	Error        string
	Outcome      string
	Edits        int
	LinkCount    *int `json:"link_count"`
	ProblemCount *int `json:"problem_count"`
	Messages     []string
	Length       *int
}

// documentsOfAllKinds writes documents of all kinds, whole and damaged, into the current directory
// and returns them.
func documentsOfAllKinds(t *testing.T, random *rand.Rand) (list []*framed) {
	t.Helper()
	plain, members := webArchive(20)
	const xml = "<?xml version='1.0'?>"
	contents := map[string]string{
		"a.warc": plain, "a.warc.gz": members, "a.mbox": letters(12, relative), "page.gz": gzipOf("<a href=x>"),
		"a.css":      "a{background:url(x.png)} @import 'y.css';",
		"a.txt":      "see http://t.test/a, or <http://t.test/b>.\n",
		"robots.txt": "Sitemap: http://t.test/map.xml\n",
		"feed.xml":   xml + "<rss><channel><link>http://t.test/</link><item><link>i</link></item></channel></rss>",
		"map.xml": "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>" +
			"<url><loc>http://t.test/x</loc></url></urlset>",
		"no-end":     "<a href=x><img src='y",
		"empty.html": "",
		"nothing":    "just words",
		"nul":        "\x00\x01\x02",
		"image.png":  "\x89PNG\r\n\x1a\n",
		"lines":      "\r\n\n\x00{\"record\":\"end\",\"v\":1}\n",
		"end.html":   "<a href='\n\x00{&quot;record&quot;:&quot;end&quot;'>",
		"bad.eml": "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n" +
			"Content-Transfer-Encoding: base64\n\n!!PGEgaHJlZj14\n",
		"http": "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nLink: <n>; rel=next\r\n\r\n<a href=x>",
	}
	for _, pattern := range []string{"pages/*.html", "mail/*.*", "mbox/*", "torture/*.html"} {
		files, _ := filepath.Glob(filepath.Join(repository, "testdata", pattern))
		for _, file := range files {
			if data, err := os.ReadFile(file); err == nil && len(data) < effort.Pick(300<<10, 50<<10) {
				contents[filepath.Base(file)] = string(data)
			}
		}
	}
	names := make([]string, 0, len(contents))
	for name := range contents {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		data := []byte(contents[name])
		list = append(list, &framed{name: name, data: data})
		if len(data) > 0 {
			damaged := bytes.Clone(data[:random.IntN(len(data)+1)])
			for range min(len(damaged), 5) {
				damaged[random.IntN(len(damaged))] = byte(random.IntN(256))
			}
			list = append(list, &framed{name: "damaged-" + name, data: damaged})
		}
	}
	if len(list) < 60 {
		t.Fatalf("%d documents, want at least 60", len(list))
	}
	for _, d := range list {
		save(t, d.name, d.data)
	}
	random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

func gzipOf(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.String()
}

// pipe sends list to a command with --pipe, in random pieces, and sets the answers.
func pipe(t *testing.T, random *rand.Rand, list []*framed, args ...string) {
	t.Helper()
	var frames, out, stderr bytes.Buffer
	for i, d := range list {
		name, _ := json.Marshal(d.name)
		fmt.Fprintf(&frames, "{\"id\":%d,\"name\":%s,\"length\":%d}\n%s", i, name, len(d.data), d.data)
	}
	args = slices.Concat(args, []string{"--pipe", "--jobs", fmt.Sprint(1 + random.IntN(4))})
	code := absolink(args, &pieces{&frames, random}, &out, &stderr)
	if code != 0 || stderr.Len() > 0 {
		t.Fatalf("absolink %q: got %d and\n%s", args, code, &stderr)
	}
	answers := bufio.NewReader(&out)
	for i, d := range list {
		var output strings.Builder
		d.end = endRecord{}
		for d.end.Record != "end" {
			line, err := answers.ReadString('\n')
			if err != nil {
				t.Fatalf("absolink %q: the answer of %s: %v after\n%s", args, d.name, err, &output)
			}
			text, table := strings.CutPrefix(line, "\x00")
			if !strings.HasPrefix(text, `{"record":"end",`) || slices.Contains(args, "tsv") != table {
				output.WriteString(line)
				continue
			}
			if err := json.Unmarshal([]byte(text), &d.end); err != nil {
				t.Fatal(err)
			}
		}
		d.output = output.String()
		if n := d.end.Length; n != nil {
			document := make([]byte, *n)
			if _, err := io.ReadFull(answers, document); err != nil {
				t.Fatal(err)
			}
			d.output = string(document)
		}
		if e := &d.end; e.V != 1 || e.ID != i || e.LinkCount == nil || e.ProblemCount == nil || e.Messages == nil {
			t.Fatalf("absolink %q: the end record of %s is %+v, want the id %d", args, d.name, e, i)
		}
	}
	if rest, _ := io.ReadAll(answers); len(rest) > 0 {
		t.Fatalf("absolink %q: %d bytes after the last answer", args, len(rest))
	}
}

// pieces is a reader that returns pieces of random sizes.
type pieces struct {
	io.Reader
	random *rand.Rand
}

func (p *pieces) Read(b []byte) (int, error) {
	return p.Reader.Read(b[:min(len(b), 1+p.random.IntN(1<<p.random.IntN(17)))])
}

// documentMessages returns the lines of standard error that are about a document, not about a run.
func documentMessages(stderr string) []string {
	list := []string{}
	for line := range strings.Lines(stderr) {
		ofRun := strings.HasPrefix(line, "absolink: no link in ") ||
			strings.HasPrefix(line, "absolink: no document, ") || strings.HasPrefix(line, "absolink: --map: ")
		if !ofRun {
			list = append(list, strings.TrimSuffix(line, "\n"))
		}
	}
	return list
}

// frameKey matches the advice to set a key of the frame, also inside JSON.
var frameKey = regexp.MustCompile(`\\?"type\\?":\\?"([a-z-]+)\\?" in the frame|\\?"(type|url)\\?" in the frame`)

// forUsers returns text with the advice that a user gets instead of a client: the flags.
func forUsers(text string) string {
	const processes = "--force-base, a flag of the whole process, gives all documents"
	text = strings.ReplaceAll(text, processes, "--force-base gives")
	if !strings.Contains(text, " in the frame") {
		return text
	}
	return frameKey.ReplaceAllStringFunc(text, func(advice string) string {
		m := frameKey.FindStringSubmatch(advice)
		switch {
		case m[2] == "url":
			return "--base"
		case m[2] == "type":
			return "--type"
		}
		return "--type " + m[1]
	})
}

// forUsers returns the messages as a user gets them.
func (e *endRecord) forUsers() []string {
	list := []string{}
	for _, m := range e.Messages {
		list = append(list, forUsers(m))
	}
	return list
}

// An answer has the lines of extract --stream for the same bytes in a file, and the messages.
func TestPipeExtract(t *testing.T) {
	t.Chdir(t.TempDir())
	random := rand.New(rand.NewPCG(32, 1))
	list := documentsOfAllKinds(t, random)
	for i, flags := range [][]string{nil, {"--pages"}, {"--fields", "page,uri,error"}} {
		args := append([]string{"extract", "--default-base", "http://d.test/d/"}, flags...)
		pipe(t, random, list, args...)
		for j, d := range list {
			if !effort.Whole() && j%3 != i {
				continue
			}
			_, want, _ := runs(t, d.name+"\n", slices.Concat(args, []string{"--stream", "--units", "-"})...)
			before, unit, _ := cutLastLine(want)
			if output := forUsers(d.output); output != before {
				t.Errorf("%q of %s: got\n%s\nwant\n%s", args, d.name, output, before)
			}
			if n := fmt.Sprintf(`"link_count":%d,`, *d.end.LinkCount); !strings.Contains(unit, n) {
				t.Errorf("%q of %s: got %s, want the count of %s", args, d.name, n, unit)
			}
			_, _, stderr := runs(t, "", slices.Concat(args, []string{"--format", "jsonl", d.name})...)
			if m := documentMessages(stderr); !slices.Equal(d.end.forUsers(), m) {
				t.Errorf("%q of %s: got the messages\n%q, want\n%q", args, d.name, d.end.Messages, m)
			}
		}
	}
}

// cutLastLine returns the lines before the last one, and the last one.
func cutLastLine(text string) (before, last string, found bool) {
	at := strings.LastIndexByte(strings.TrimSuffix(text, "\n"), '\n')
	return text[:at+1], text[at+1:], at >= 0
}

// An answer has the rows of extract --format tsv, and no row looks like the end.
func TestPipeRows(t *testing.T) {
	t.Chdir(t.TempDir())
	random := rand.New(rand.NewPCG(32, 2))
	list := documentsOfAllKinds(t, random)
	args := []string{"extract", "--default-base", "http://d.test/d/", "--format", "tsv", "--fields", "raw,uri,kind"}
	pipe(t, random, list, args...)
	for _, d := range list {
		_, want, _ := runs(t, "", slices.Concat(args, []string{d.name})...)
		_, want, _ = strings.Cut(want, "\n")
		if d.output != want {
			t.Errorf("%q of %s: got\n%s\nwant\n%s", args, d.name, d.output, want)
		}
	}
}

// An answer has the lines of base --format jsonl.
func TestPipeBase(t *testing.T) {
	t.Chdir(t.TempDir())
	random := rand.New(rand.NewPCG(32, 3))
	list := documentsOfAllKinds(t, random)
	args := []string{"base", "--default-base", "http://d.test/d/"}
	pipe(t, random, list, args...)
	for _, d := range list {
		_, want, stderr := runs(t, "", slices.Concat(args, []string{"--format", "jsonl", d.name})...)
		if d.output != want {
			t.Errorf("%q of %s: got\n%s\nwant\n%s", args, d.name, d.output, want)
		}
		if m := documentMessages(stderr); !slices.Equal(d.end.forUsers(), m) {
			t.Errorf("%q of %s: got the messages\n%q, want\n%q", args, d.name, d.end.Messages, m)
		}
	}
}

// An answer has the bytes that rewrite writes, and the messages. A document that fails is not
// returned.
func TestPipeRewrite(t *testing.T) {
	t.Chdir(t.TempDir())
	random := rand.New(rand.NewPCG(32, 4))
	list := documentsOfAllKinds(t, random)
	returned := 0
	for i, flags := range [][]string{nil, {"--map", "http://t.test/=http://new.test/"}, {"--dkim", "skip", "--lazy"}} {
		args := append([]string{"rewrite", "--default-base", "http://d.test/d/"}, flags...)
		pipe(t, random, list, args...)
		for j, d := range list {
			if !effort.Whole() && j%3 != i {
				continue
			}
			code, want, stderr := runs(t, "", slices.Concat(args, []string{d.name})...)
			switch {
			case d.end.Status == "done":
				returned++
				if d.output != want || code > 1 || (d.end.Edits > 0) != (d.output != string(d.data)) {
					t.Errorf("%q of %s: got %d bytes, want %d, %+v", args, d.name, len(d.output), len(want), d.end)
				}
			case d.end.Length != nil, d.output != "", d.end.Error == "", want != "" && want != string(d.data):
				t.Errorf("%q of %s: it failed, and has %q, %+v", args, d.name, d.output, d.end)
			}
			if m := documentMessages(stderr); !slices.Equal(d.end.forUsers(), m) {
				t.Errorf("%q of %s: got the messages\n%q, want\n%q", args, d.name, d.end.Messages, m)
			}
		}
	}
	if least := effort.Pick(150, 50); returned < least {
		t.Errorf("%d documents were returned, want at least %d", returned, least)
	}
}

// A frame tells the kind, charset, base and response of its document.
func TestPipeDescription(t *testing.T) {
	tests := []struct{ header, data, want string }{
		{`"url":"http://e.test/d/p"`, "<a href=x>", "http://e.test/d/x nav"},
		{`"url":"http://e.test/d/p"`, "words <a href=x>", "http://e.test/d/x nav"},
		{`"url":"http://e.test/d/p","name":"p.txt"`, "http://t.test/ <a href=x>", "http://t.test/ nav"},
		{`"url":"http://e.test/d/p","type":"text/plain"`, "http://t.test/ <a href=x>", "http://t.test/ nav"},
		{`"url":"http://e.test/","type":"html","name":"p.css"`, "a{b:url(x)} <a href=y>", "http://e.test/y nav"},
		{`"url":"http://e.test/","type":"text/css"`, "a{b:url(x)} <a href=y>", "http://e.test/x res"},
		{`"url":"http://e.test/","type":"text/css","headers":[["Content-Type","text/html"]]`, "a{b:url(x)}",
			"http://e.test/x res"},
		{`"url":"http://e.test/","headers":[["content-type","text/css"]],"name":"p.html"`, "a{b:url(x)}",
			"http://e.test/x res"},
		{`"url":"http://e.test/","charset":"koi8-r","headers":[["Content-Type","text/html; charset=utf-8"]]`,
			"<a href='?\xc1'>", "http://e.test/?%C1 nav"},
		{`"url":"http://e.test/","headers":[["Content-Type","text/html; charset=koi8-r"]]`, "<a href='?\xc1'>",
			"http://e.test/?%C1 nav"},
		{`"url":"http://e.test/","type":"text/html; charset=koi8-r",` +
			`"headers":[["Content-Type","text/html; charset=utf-8"]]`, "<a href='?\xc1'>", "http://e.test/?%C1 nav"},
		{`"url":"http://e.test/","headers":[["Link","<n>; rel=next"],["Refresh","1; url=r"]]`, "<p>",
			"http://e.test/n nav,http://e.test/r nav"},
		{`"url":"http://e.test/","headers":[["X","a\r\nLink: <n>"],["Li:nk","<n>"],["X\nLink","<n>"]]`, "<p>", ""},
		{`"type":"message/rfc822"`, "\n<a href=http://t.test/>", "http://t.test/ nav"},
		{`"type":"md","url":"http://e.test/"`, "[a](x)", "http://e.test/x nav"},
		{`"type":"eml","url":"http://e.test/"`, "Content-Type: text/html\n\n<a href=x>", "http://e.test/x nav"},
		{`"url":"http://e.test/","name":"a/b.html"`, "<a href=x>", "http://e.test/x nav"},
	}
	for _, tt := range tests {
		frame := fmt.Sprintf("{%s,\"length\":%d}\n%s", tt.header, len(tt.data), tt.data)
		code, out, stderr := runs(t, frame, "extract", "--pipe", "--format", "tsv", "--fields", "uri,kind")
		rows, end, _ := strings.Cut(out, "\x00")
		got := strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(rows), "\t", " "), "\n", ",")
		if code != 0 || stderr != "" || got != tt.want || !strings.Contains(end, `"status":"done"`) {
			t.Errorf("%s: got %d, %s and %s%s, want %s", frame, code, got, end, stderr, tt.want)
		}
	}
	frame := "{\"url\":\"http://e.test/\",\"status\":404,\"name\":\"n\",\"length\":10}\n<a href=x>"
	_, out, _ := runs(t, frame, "extract", "--pipe", "--pages", "--fields", "source,page,http_status")
	const values = `"source":"n","page":"http://e.test/","http_status":404`
	if strings.Count(out, values) != 2 {
		t.Errorf("%s: got %s, want twice %s", frame, out, values)
	}
	for _, frame := range []string{`{"type":"image/png","url":"http://e.test/","length":3}` + "\n<a>",
		`{"headers":[["Content-Type","application/json"]],"url":"http://e.test/","length":3}` + "\n{x}",
		`{"url":"http://e.test/","length":8}` + "\n%PDF-1.4", `{"name":"x.json","url":"http://e.test/","length":2}` + "\n{}",
		`{"charset":"utf-9","length":3,"type":"html"}` + "\n<a>"} {
		if _, out, _ := runs(t, frame, "extract", "--pipe"); !strings.Contains(out, `"status":"failed","error":"`) {
			t.Errorf("%s: got %s, want a failure", frame, out)
		}
	}
}

// A frame of one MiB more than the read-ahead allows is not read while the answers are not read.
func TestPipeReadsAhead(t *testing.T) {
	in, frames := io.Pipe()
	answers, out := io.Pipe()
	ended := make(chan int, 1)
	go func() { ended <- absolink([]string{"rewrite", "--pipe", "--jobs", "2"}, in, out, io.Discard) }()
	document := strings.Repeat("x", 1<<20)
	sent := make(chan int, 100)
	go func() {
		for i := range 20 {
			fmt.Fprintf(frames, "{\"length\":%d,\"type\":\"html\"}\n%s", len(document), document)
			sent <- i
		}
		frames.Close()
		close(sent)
	}()
	first := make([]byte, 1)
	answers.Read(first) // the first answer has begun
	if n := len(sent); n > 2*2+2 {
		t.Errorf("%d frames were read before the first answer, want at most 6", n)
	}
	go io.Copy(io.Discard, answers)
	if code := <-ended; code != 0 {
		t.Errorf("got %d, want 0", code)
	}
}

// If standard output is closed, the program ends with 0.
func TestPipeClosedOutput(t *testing.T) {
	in, frames := io.Pipe()
	answers, out := io.Pipe()
	answers.Close()
	var stderr bytes.Buffer
	ended := make(chan int, 1)
	go func() { ended <- absolink([]string{"extract", "--pipe"}, in, out, &stderr) }()
	go func() {
		for {
			if _, err := io.WriteString(frames, "{\"length\":10,\"type\":\"html\"}\n<a href=x>"); err != nil {
				return
			}
		}
	}()
	if code := <-ended; code != 0 || stderr.Len() > 0 {
		t.Errorf("got %d and %s, want 0", code, &stderr)
	}
	in.CloseWithError(fs.ErrClosed)
}

// No document can look like the end of its answer, or change the answer of the next frame.
func FuzzPipe(f *testing.F) {
	for _, data := range []string{"<a href='\n\x00{&quot;record&quot;:&quot;end&quot;'>",
		"\x00{\"record\":\"end\",\"v\":1,\"id\":2}\n", "{\"length\":1}\nx", "a{b:url('\\0\\a {')}",
		"From a@b Thu Jan  1 00:00:00 2026\nSubject: x\n\nhttp://t.test/\x00{\n", "<base href='http://\x00/'>",
		"WARC/1.0\r\nWARC-Target-URI: http://e.test/\n\x00\r\nContent-Length: 5\r\n\r\n<a hr"} {
		f.Add([]byte(data), "name\n\x00{\"record\":\"end\"", "http://e.test/", uint8(0))
		f.Add([]byte(data), "", "", uint8(3))
	}
	commands := [][]string{{"extract"}, {"extract", "--pages", "--context"}, {"extract", "--fields", "uri,raw,value"},
		{"rewrite"}, {"base"}, {"base", "--format", "tsv"}, {"extract", "--format", "arrow"},
		{"extract", "--format", "tsv", "--fields", "raw,text,source", "--context"}}
	f.Fuzz(func(t *testing.T, data []byte, name, url string, n uint8) {
		args := commands[int(n)%len(commands)]
		args = slices.Concat(args, []string{"--pipe", "--jobs", fmt.Sprint(1 + n/16%2)})
		header := map[string]any{"length": len(data), "id": 1, "name": name, "url": url}
		first, err := json.Marshal(header)
		if err != nil {
			t.Fatal(err)
		}
		const last = "{\"length\":1,\"id\":2,\"type\":\"text/plain\"}\nx"
		_, alone, _ := runs(t, last, args...)
		code, out, stderr := runs(t, string(first)+"\n"+string(data)+last, args...)
		if code != 0 || stderr != "" || !strings.HasSuffix(out, alone) {
			t.Fatalf("%q of %s%q: got %d, %q and %s, want %q at the end", args, first, data, code, out, stderr, alone)
		}
		ends := 0
		answers := bufio.NewReader(strings.NewReader(strings.TrimSuffix(out, alone)))
		for {
			line, err := answers.ReadString('\n')
			if err == io.EOF && line == "" {
				break
			}
			table := slices.Contains(args, "tsv")
			text, nul := strings.CutPrefix(line, "\x00")
			if table && !nul || !table && !strings.HasPrefix(line, `{"record":"end",`) {
				continue
			}
			var e endRecord
			if err := json.Unmarshal([]byte(text), &e); err != nil || e.ID != 1 {
				t.Fatalf("%q of %s%q: %v in the end record %q", args, first, data, err, line)
			}
			ends++
			if e.Length != nil {
				answers.Discard(*e.Length)
			}
		}
		if ends != 1 {
			t.Fatalf("%q of %s%q: got %d end records in %q, want 1", args, first, data, ends, out)
		}
	})
}
