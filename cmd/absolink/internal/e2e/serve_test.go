package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"absolink/cmd/absolink/internal/cli"
	"absolink/cmd/absolink/internal/serve"
	"absolink/testdata/corpus"
	"absolink/testdata/effort"
)

// startService starts the service and returns its address. At the end of the test the service must
// have stopped, and must have printed only its address.
func startService(t testing.TB, flags ...string) string {
	t.Helper()
	from, to := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan int, 1)
	args := append([]string{"serve"}, flags...)
	if !slices.Contains(flags, "--listen") {
		args = append(args, "--listen", "127.0.0.1:0")
	}
	go func() {
		code := cli.Run(ctx, args, strings.NewReader(""), io.Discard, to)
		to.Close()
		ended <- code
	}()
	said := bufio.NewReader(from)
	line, err := said.ReadString('\n')
	at, ok := strings.CutPrefix(strings.TrimSpace(line), "absolink: listening on ")
	if err != nil || !ok {
		t.Fatalf("absolink %q says %q (%v)", args, line, err)
	}
	rest := make(chan string, 1)
	go func() { text, _ := io.ReadAll(said); rest <- string(text) }()
	t.Cleanup(func() {
		cancel()
		select {
		case code := <-ended:
			if code != cli.ExitDone {
				t.Errorf("absolink %q: got exit code %d, want %d", args, code, cli.ExitDone)
			}
		case <-time.After(15 * time.Second):
			t.Errorf("absolink %q has not stopped after 15 seconds", args)
			return
		}
		if text := <-rest; text != "" && !slices.Contains(flags, "-v") {
			t.Errorf("absolink %q says %q", args, text)
		}
	})
	return at
}

// request is a request to the service.
type request struct {
	method, url string
	body        io.Reader
	header      http.Header
}

func (q request) do(t testing.TB) (*http.Response, string) {
	t.Helper()
	if q.method == "" {
		q.method = http.MethodPost
	}
	r, err := http.NewRequest(q.method, q.url, q.body)
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range q.header {
		r.Header[name] = values
	}
	if host := q.header.Get("Host"); host != "" {
		r.Host = host
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatalf("%s %s: %v", q.method, q.url, err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", q.method, q.url, err)
	}
	return answer, string(body)
}

// sameOptions lists command lines whose flags can all be parameters of a query.
var sameOptions = [][]string{
	{"--base", corpusBase},
	{"--default-base", corpusBase, "--rules", "rfc2396", "--mime-base", "rfc2557"},
	{"--default-base", corpusBase, "--lazy", "--scripts", "--comments", "--rules", "rfc3986"},
	{"--default-base", corpusBase, "--kind", "nav,res", "--trust-base", "headers"},
	{"--force-base", corpusBase, "--absolutize-fragments", "--break-signatures"},
	{},
}

// inQuery writes flags as a query.
func inQuery(command string, flags []string) string {
	q := make(url.Values)
	for i := 0; i < len(flags); i++ {
		name := strings.TrimPrefix(flags[i], "--")
		value := ""
		if i+1 < len(flags) && !strings.HasPrefix(flags[i+1], "--") {
			i++
			value = flags[i]
		}
		q.Add(name, value)
	}
	return serve.AcceptedFlags(command, q).Encode()
}

// The service answers with the same bytes as the command: 500 times over the project's documents,
// and over all documents of a larger corpus.
func TestServiceEqualsCommand(t *testing.T) {
	at := startService(t)
	documents := corpus.Documents(t, "pages", "html", "mail", "mhtml", "warc")
	n, answered := 0, 0
	for i, d := range documents {
		if !effort.Whole() && i%2 == 1 {
			continue
		}
		for k, flags := range sameOptions {
			if (!corpus.Own() || !effort.Whole()) && k != i/2%len(sameOptions) {
				continue
			}
			n++
			if sameAnswers(t, at, d, flags, (i+k)%3) {
				answered++
			}
		}
	}
	least := effort.Pick(500, 25)
	if n < least || answered < n*8/10 {
		t.Errorf("%d documents were compared and %d answered, want at least %d and eight in ten",
			n, answered, least)
	}
	t.Logf("%d documents with their options, %d answered", n, answered)
}

// sameAnswers compares the answer of the service for a document with the output of the command. It
// reports whether the service read the document.
func sameAnswers(t *testing.T, at string, d corpus.Document, flags []string, format int) bool {
	t.Helper()
	accept, name := []string{"", "text/plain", "text/csv"}[format], []string{"jsonl", "text", "csv"}[format]
	read := false
	for _, c := range []struct {
		command, accept string
		args            []string
	}{{"extract", accept, []string{"--format", name}}, {"base",
		"", []string{"--format", "jsonl"}}, {"rewrite", "", nil}} {
		args := append(append([]string{c.command, "-q"}, c.args...), effective(t, c.command, flags)...)
		_, want, _ := runs(t, string(d.Data), args...)
		answer, got := request{url: at + "v1/" + c.command + "?" + inQuery(c.command, flags),
			body: bytes.NewReader(d.Data), header: http.Header{"Accept": {c.accept}}}.do(t)
		switch {
		case answer.StatusCode == http.StatusOK && got == want:
			read = true
		case answer.StatusCode == http.StatusUnprocessableEntity && (c.command == "rewrite" && want == string(d.Data) ||
			c.command != "rewrite" && strings.Count(want, "\n") <= 1):
		default:
			t.Errorf("%s: %s with %q: got %s and %d bytes, want the %d of the command: %.300s",
				d.Name, c.command, flags, answer.Status, len(got), len(want), got)
		}
	}
	return read
}

// effective returns the flags that have an effect in a command. The service also accepts flags
// without an effect, because a program sends one query to several of its paths.
func effective(t *testing.T, command string, flags []string) (list []string) {
	t.Helper()
	c, _, err := cli.Command([]string{command}).Find([]string{command})
	if err != nil {
		t.Fatal(err)
	}
	taken := false
	for _, word := range flags {
		if name, ok := strings.CutPrefix(word, "--"); ok {
			f := c.Flags().Lookup(name)
			taken = f != nil && !f.Hidden
		}
		if taken {
			list = append(list, word)
		}
	}
	return list
}

// The same call processes requests that differ only in their base. The parameters of one request
// must not affect the next, not even after an error.
func TestServiceBases(t *testing.T) {
	at := startService(t, "--jobs", "1")
	const mail = "Content-Type: text/html\nContent-Base: http://c.example/\n\n<a href=x>"
	large := attackPage + strings.Repeat(" ", 300<<10)
	for range 2 {
		for _, tt := range []struct {
			at, body string
			status   int
			want     string
		}{
			{"extract?base=http://a.example/1/", attackPage, 200, "http://a.example/1/x\n"},
			{"extract?base=http%3A%2F%2Fb.example%2F2%3Bq", attackPage, 200, "http://b.example/x\n"},
			{"extract?base=http://d.example/", mail, 200, "http://c.example/x\n"},
			{"extract?base=nowhere", attackPage, 400, `"flag":"base"`},
			{"extract?base=http://a.example/3/", large, 200, "http://a.example/3/x\n"},
			{"extract?base=", attackPage, 400, "--base is empty"},
			{"extract?base=http://a.example/&base=http://b.example/", attackPage, 400, "given 2 times"},
			{"extract?base=http://a.example/;", attackPage, 400, "query"},
			{"extract?base=http://a.example/%zz", attackPage, 400, "query"},
			{"extract", attackPage, 200, ""},
			{"extract?rules=rfc2396&base=http:a", attackPage, 400, `"flag":"base"`},
			{"extract?rules=rfc2396&base=http://a.example/4/", "<a href='?y'>", 200, "http://a.example/4/?y\n"},
			{"base?base=http://a.example/5/", attackPage, 200, `"base":"http://a.example/5/"`},
			{"base?base=http://a.example/6/", attackPage, 200, `"base":"http://a.example/6/"`},
			{"rewrite?base=http://a.example/7/", attackPage, 200, "<a href=http://a.example/7/x>"},
			{"rewrite?base=http://a.example/8/", attackPage, 200, "<a href=http://a.example/8/x>"},
			{"resolve?base=http://a.example/9/", "z", 200, "http://a.example/9/z\n"},
			{"resolve?base=nowhere", "z", 400, `"flag":"base"`},
			{"resolve?base=http://a.example/10/", "z", 200, "http://a.example/10/z\n"},
		} {
			header := http.Header{"Accept": {"text/plain"}}
			answer, got := request{url: at + "v1/" + tt.at, body: strings.NewReader(tt.body), header: header}.do(t)
			if answer.StatusCode != tt.status || !strings.Contains(got, tt.want) || tt.want == "" && got != "" {
				t.Errorf("%s: got %s %.300s, want %d and %q", tt.at, answer.Status, got, tt.status, tt.want)
			}
		}
	}
}

// resolve answers with the records of the command, for lines and for JSON.
func TestServiceResolves(t *testing.T) {
	at := startService(t)
	refs := "g\n../x\nhttp://h/\tz\n#s\nhttp://\n\n"
	_, want, _ := runs(t, refs, "resolve", "--format", "jsonl", "--base", "http://a/b/c/d;p?q", "--rules", "rfc3986")
	q := at + "v1/resolve?rules=rfc3986&base=" + url.QueryEscape("http://a/b/c/d;p?q")
	if answer, got := (request{url: q, body: strings.NewReader(refs)}).do(t); got != want ||
		answer.Header.Get("Content-Type") != "application/jsonl" {
		t.Errorf("lines: got %s %q, want %q", answer.Status, got, want)
	}
	var objects strings.Builder
	for _, p := range [][2]string{{"", "g"}, {"", "../x"}, {"http://h/", "z"}, {"", "#s"}, {"", "http://"}, {"", ""}} {
		line, _ := json.Marshal(map[string]string{"base": p[0], "ref": p[1]})
		objects.Write(append(line, '\n'))
	}
	header := http.Header{"Content-Type": {"application/jsonl"}}
	if answer, got := (request{url: q, body: strings.NewReader(objects.String()), header: header}).do(t); got != want {
		t.Errorf("JSON lines: got %s %q, want %q", answer.Status, got, want)
	}
	answer, got := request{url: q, body: strings.NewReader("{\"ref\":\"a\"}\n{\"re"), header: header}.do(t)
	if answer.StatusCode != http.StatusBadRequest || !strings.Contains(got, `"offset":11`) {
		t.Errorf("a line that is no JSON: got %s %s, want 400 with its offset", answer.Status, got)
	}
}

// An error is reported by status, flag and offset (RFC 9457).
func TestServiceProblems(t *testing.T) {
	at := startService(t, "--max-size", "2M")
	const encrypted = "Content-Type: multipart/encrypted; boundary=c; protocol=\"application/pgp-encrypted\"\n\n--c\n" +
		"Content-Type: text/html\n\n<a href=x>\n--c--\n"
	signed, _ := os.ReadFile(repository + "testdata/mail/smimesigned.eml")
	page := "<a href=x>"
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	io.WriteString(z, page)
	z.Close()
	coded := func(name string) http.Header { return http.Header{"Content-Encoding": {name}} }
	tests := []struct {
		name, at, body string
		header         http.Header
		status         int
		says           string
	}{
		{"unknown value", "extract?rules=rfc1", page, nil, 400, `"flag":"rules"`},
		{"base that is none", "extract?base=x", page, nil, 400, `"flag":"base"`},
		{"unknown parameter", "extract?rulez=rfc2396", page, nil, 400, "did you mean rules?"},
		{"file", "extract?report=x", page, nil, 400, `"flag":"report"`},
		{"journal", "rewrite?journal=x", page, nil, 400, `"flag":"journal"`},
		{"retrieval", "extract?urls=x", page, nil, 400, `"flag":"urls"`},
		{"root", "extract?root=x=http://e/", page, nil, 400, `"flag":"root"`},
		{"map without a NEW", "rewrite?map=x", page, nil, 400, `"flag":"map"`},
		{"given twice", "extract?rules=rfc2396&rules=whatwg", page, nil, 400, "given 2 times"},
		{"empty", "extract?base=", page, nil, 400, "--base is empty"},
		{"number", "extract?max-depth=x", page, nil, 400, `"flag":"max-depth"`},
		{"query", "extract?%zz", page, nil, 400, "query"},
		{"too large", "extract", strings.Repeat("<a href=x>", 300<<10), nil, 413, `"flag":"max-size"`},
		{"unknown coding", "extract", page, coded("compress"), 415, "Content-Encoding"},
		{"two codings", "extract", page, coded("gzip, gzip"), 415, "Content-Encoding"},
		{"no gzip", "extract", page, coded("gzip"), 400, `"offset":`},
		{"gzip that ends early", "extract", packed.String()[:packed.Len()-5], coded("gzip"), 400, "end too early"},
		{"no document", "extract", "hello", nil, 422, "cannot tell the type"},
		{"encrypted", "rewrite?default-base=http://e/", encrypted, nil, 422, "encrypted"},
		{"signed", "rewrite?default-base=http://e/", string(signed), nil, 422, "signed"},
		{"nothing there", "nothing", page, nil, 404, "openapi"},
	}
	for _, tt := range tests {
		answer, got := request{url: at + "v1/" + tt.at, body: strings.NewReader(tt.body), header: tt.header}.do(t)
		var problem struct {
			Type, Title, Detail string
			Status              int
		}
		if err := json.Unmarshal([]byte(got), &problem); err != nil || answer.StatusCode != tt.status ||
			problem.Status != tt.status || problem.Title == "" || problem.Detail == "" ||
			answer.Header.Get("Content-Type") != "application/problem+json" || !strings.Contains(got, tt.says) {
			t.Errorf("%s: got %s %s, want %d and %q", tt.name, answer.Status, got, tt.status, tt.says)
		}
	}
	if answer, got := (request{url: at + "v1/extract?base=http://e/", body: bytes.NewReader(packed.Bytes()),
		header: http.Header{"Content-Encoding": {"gzip"}, "Accept": {"text/plain"}}}).do(t); got != "http://e/x\n" {
		t.Errorf("gzip: got %s %q, want http://e/x", answer.Status, got)
	}
}

// Content-Type gives the type and the charset, as from a transport.
func TestServiceMediaType(t *testing.T) {
	at := startService(t)
	body := "<a href=\"/\x82\xa0\">" // hiragana A in Shift_JIS
	for media, want := range map[string]string{
		"text/html; charset=Shift_JIS": "http://e/%E3%81%82\n",
		"application/octet-stream":     "http://e/%E2%80%9A%C2%A0\n",
		"text/plain":                   "",
	} {
		answer, got := request{url: at + "v1/extract?base=http://e/", body: strings.NewReader(body),
			header: http.Header{"Content-Type": {media}, "Accept": {"text/plain"}}}.do(t)
		if got != want {
			t.Errorf("%s: got %s %q, want %q", media, answer.Status, got, want)
		}
	}
	answer, _ := request{url: at + "v1/rewrite?base=http://e/", body: strings.NewReader(body),
		header: http.Header{"Content-Type": {"text/html; charset=Shift_JIS"}}}.do(t)
	if media, edits := answer.Header.Get("Content-Type"),
		answer.Header.Get("X-Absolink-Edits"); media != "text/html; charset=Shift_JIS" || edits != "1" {
		t.Errorf("rewrite: got the type %q and %q edits, want that of the body and 1", media, edits)
	}
}

// If some messages of a mailbox are not rewritten, the others are, and the answer gives the number
// of messages that are not.
func TestServiceMailbox(t *testing.T) {
	at := startService(t)
	signed, err := os.ReadFile(repository + "testdata/mail/smimesigned.eml")
	if err != nil {
		t.Fatal(err)
	}
	const from = "From a@b Thu Jan  1 00:00:00 1970\n"
	box := from + "Subject: 1\nContent-Type: text/html\n\n<a href=x>\n\n" +
		from + strings.ReplaceAll(string(signed), "\r\n", "\n") + "\n"
	answer, got := request{url: at + "v1/rewrite?default-base=http://e/", body: strings.NewReader(box)}.do(t)
	if edits, skipped := answer.Header.Get("X-Absolink-Edits"), answer.Header.Get("X-Absolink-Skipped"); edits != "1" ||
		skipped != "1" || !strings.Contains(got, "http://e/x") {
		t.Errorf("rewrite: got %s with %q edits and %q skipped, want 1 and 1: %s", answer.Status, edits, skipped, got)
	}
}

// Answers are in the requested coding.
func TestServiceCodings(t *testing.T) {
	at := startService(t)
	page := strings.Repeat("<a href=x>", 1000)
	for accept, want := range map[string]string{"gzip": "gzip", "br": "br", "zstd, gzip": "zstd",
		"gzip;q=0.5, br": "br", "identity": "", "compress": "", "gzip;q=0": ""} {
		answer, got := request{url: at + "v1/extract?base=http://e/",
			body: strings.NewReader(page), header: http.Header{"Accept-Encoding": {accept}}}.do(t)
		if coding := answer.Header.Get("Content-Encoding"); coding != want || coding != "" && len(got) > 50<<10 {
			t.Errorf("Accept-Encoding %q: got %q and %d bytes, want %q", accept, coding, len(got), want)
		}
	}
}

// The description has the parameters of the fixed list, with the possible values of the flags.
func TestServiceDescription(t *testing.T) {
	at := startService(t)
	answer, got := request{method: http.MethodGet, url: at + "v1/openapi.json"}.do(t)
	var described struct {
		Paths map[string]map[string]struct {
			Parameters []struct {
				Name   string
				Schema struct {
					Type string
					Enum []string
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(got), &described); err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("GET /v1/openapi.json: %s, %v", answer.Status, err)
	}
	for _, command := range []string{"extract", "base", "rewrite", "resolve"} {
		names := serve.Parameters(command)
		var have []string
		for _, p := range described.Paths["/v1/"+command]["post"].Parameters {
			have = append(have, p.Name)
			if p.Name == "rules" && !slices.Contains(p.Schema.Enum, "rfc2396") {
				t.Errorf("%s: rules can be %q, want rfc2396 among them", command, p.Schema.Enum)
			}
		}
		for _, p := range described.Paths["/v1/"+command]["post"].Parameters {
			if p.Name == "unwayback" && (p.Schema.Type != "string" || !slices.Contains(p.Schema.Enum, "page")) {
				t.Errorf("unwayback can be %s %q, want page among them", p.Schema.Type, p.Schema.Enum)
			}
		}
		if !slices.Equal(have, names) {
			t.Errorf("%s: the description has %q, want %q", command, have, names)
		}
	}
	if _, got := (request{method: http.MethodGet, url: at + "metrics"}).do(t); !strings.Contains(got,
		`absolink_requests_total{outcome="200",path="/v1/openapi.json"} 1`) {
		t.Errorf("/metrics does not count the request: %s", got)
	}
}
