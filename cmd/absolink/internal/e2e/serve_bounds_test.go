package e2e

import (
	"bytes"
	"context"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"absolink/cmd/absolink/internal/command"
	"absolink/cmd/absolink/internal/serve"
	"absolink/testdata/effort"
)

// A form has one document, and options that fit into an address. Anything else in it is refused,
// and leaves no file open.
func TestPageForms(t *testing.T) {
	pages := http.NewServeMux()
	command.Pages(1<<20, 1<<20, free{}).Add(pages)
	temporary, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", temporary)
	const doc = "<a href=x>"
	type field struct{ name, file, text string }
	many := slices.Repeat([]field{{"other", "", "x"}}, 101)
	tests := []struct {
		name   string
		fields []field
		status int
		text   string // of the page that follows, or of the refusal
	}{
		{"a file", []field{{"file", "a.html", doc}, {"text", "", ""}}, 303, "<h1>a.html</h1>"},
		{"a text", []field{{"file", "", ""}, {"text", "", doc}}, 303, "<h1>pasted text</h1>"},
		{"both", []field{{"file", "a.html", doc}, {"text", "", "other"}}, 303, "<h1>a.html</h1>"},
		{"both, the text first", []field{{"text", "", "other"}, {"file", "a.html", doc}}, 303, "<h1>a.html</h1>"},
		{"an option", []field{{"base", "", " http://e.test/ "}, {"text", "", doc}}, 303, "http://e.test/<wbr>x"},
		{"what is no option", []field{{"other", "", strings.Repeat("x", 10000)}, {"text", "", doc}},
			303, "<h1>pasted text</h1>"},
		{"nothing", []field{{"file", "", ""}, {"text", "", ""}}, 422, "Choose a file"},
		{"two files", []field{{"file", "a.html", doc}, {"file", "b.html", doc}}, 400, "more than one document"},
		{"a hundred files", slices.Repeat([]field{{"file", "a.html", doc}}, 100), 400, "more than one document"},
		{"two texts", []field{{"text", "", doc}, {"text", "", doc}}, 400, "more than one document"},
		{"a long option", []field{{"file", "a.html", doc}, {"base", "", strings.Repeat("x", 9000)}},
			400, "more than 8,192 bytes"},
		{"many fields", append(many, field{"file", "a.html", doc}), 400, "too many fields"},
		{"many fields behind the file", append([]field{{"file", "a.html", doc}}, many...), 400, "too many fields"},
		{"a large file", []field{{"text", "", doc}, {"file", "a.html", strings.Repeat("x", 1<<20+1)}},
			413, "--max-size"},
		{"a large text", []field{{"file", "a.html", doc}, {"text", "", strings.Repeat("x", 1<<20+1)}},
			413, "--max-size"},
		{"cut off", nil, 400, "ended too early"},
	}
	for _, tt := range tests {
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		for _, f := range tt.fields {
			w, _ := form.CreatePart(map[string][]string{"Content-Disposition": {fmt.Sprintf(`form-data; name="%s"; filename="%s"`, f.name, f.file)}})
			if f.name != "file" {
				w, _ = form.CreateFormField(f.name)
			}
			w.Write([]byte(f.text))
		}
		media := form.FormDataContentType()
		if tt.fields != nil {
			form.Close()
		} else {
			w, _ := form.CreateFormFile("file", "a.html")
			w.Write([]byte(doc))
		}
		before := openFiles(t, temporary)
		r := httptest.NewRequest(http.MethodPost, "/document", &body)
		r.Header.Set("Content-Type", media)
		w := httptest.NewRecorder()
		pages.ServeHTTP(w, r)
		opened, want := openFiles(t, temporary)-before, 0
		if tt.status == http.StatusSeeOther && runtime.GOOS == "linux" {
			want = 1
		}
		if w.Code != tt.status || opened != want {
			t.Errorf("%s: got status %d and %d open files more, want %d and %d",
				tt.name, w.Code, opened, tt.status, want)
		}
		if w.Code == http.StatusSeeOther {
			at := w.Header().Get("Location")
			w = httptest.NewRecorder()
			pages.ServeHTTP(w, httptest.NewRequest(http.MethodGet, at, nil))
		}
		if !strings.Contains(w.Body.String(), tt.text) {
			t.Errorf("%s: got %.2000s, want it to say %q", tt.name, w.Body, tt.text)
		}
	}
}

// openFiles returns the number of files in a directory that this process has open, with or without
// a name. It returns 0 on systems other than Linux.
func openFiles(t *testing.T, dir string) (n int) {
	t.Helper()
	if runtime.GOOS != "linux" {
		return 0
	}
	const descriptors = "/proc/self/fd"
	list, err := os.ReadDir(descriptors)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		// a descriptor that was closed since then has no name
		if name, _ := os.Readlink(filepath.Join(descriptors, f.Name())); filepath.Dir(name) == dir {
			n++
		}
	}
	return n
}

// The page shows the chosen rows in the requested order.
func TestPageSorted(t *testing.T) {
	pages := http.NewServeMux()
	command.Pages(16<<20, 16<<20, free{}).Add(pages)
	var doc strings.Builder
	type link struct{ value, host, kind string }
	var links []link
	count := effort.Pick(5000, 1500)
	for i := range count {
		l := link{value: fmt.Sprintf("http://h%d.test/%d", i%7, i*7919%5003/2),
			host: fmt.Sprintf("h%d.test", i%7), kind: "nav"}
		if i%3 == 0 {
			l.kind = "res"
			fmt.Fprintf(&doc, "<img src=%s>", l.value)
		} else {
			fmt.Fprintf(&doc, "<a href=%s>", l.value)
		}
		links = append(links, l)
	}
	body, media := filledIn("a.html", []byte(doc.String()))
	r := httptest.NewRequest(http.MethodPost, "/document", body)
	r.Header.Set("Content-Type", media)
	w := httptest.NewRecorder()
	pages.ServeHTTP(w, r)
	at := w.Header().Get("Location")
	row := regexp.MustCompile(`<tr id="r(\d+)"`)
	for _, tt := range []struct {
		query string
		has   func(l *link) bool
		order func(a, b *link) int
	}{
		{"", func(*link) bool { return true }, func(a, b *link) int { return 0 }},
		{"sort=uri", func(*link) bool { return true },
			func(a, b *link) int { return strings.Compare(a.value, b.value) }},
		{"sort=value", func(*link) bool { return true },
			func(a, b *link) int { return strings.Compare(a.value, b.value) }},
		{"sort=kind", func(*link) bool { return true },
			func(a, b *link) int { return strings.Compare(a.kind, b.kind) }},
		{"sort=status", func(*link) bool { return true }, func(a, b *link) int { return 0 }},
		{"sort=nothing", func(*link) bool { return true }, func(a, b *link) int { return 0 }},
		{"sort=uri&kind=res&host=h3.test", func(l *link) bool { return l.kind == "res" && l.host == "h3.test" },
			func(a, b *link) int { return strings.Compare(a.value, b.value) }},
		{"host=h3.test", func(l *link) bool { return l.host == "h3.test" }, func(a, b *link) int { return 0 }},
		{"kind=res&status=resolved", func(l *link) bool { return false }, func(a, b *link) int { return 0 }},
	} {
		var order []int
		for i := range links {
			if tt.has(&links[i]) {
				order = append(order, i)
			}
		}
		slices.SortStableFunc(order, func(a, b int) int { return tt.order(&links[a], &links[b]) })
		for _, page := range effort.Pick([]int{0, 1, 7, 1000}, []int{1}) {
			w := httptest.NewRecorder()
			pages.ServeHTTP(w, httptest.NewRequest(http.MethodGet, at+"&"+tt.query+"&page="+strconv.Itoa(page), nil))
			var got, want []int
			for _, m := range row.FindAllStringSubmatch(w.Body.String(), -1) {
				n, _ := strconv.Atoi(m[1])
				got = append(got, n-1)
			}
			if len(order) > 0 {
				page = min(page, (len(order)-1)/100)
				want = order[page*100 : min((page+1)*100, len(order))]
			}
			if !slices.Equal(got, want) {
				t.Errorf("%q, page %d: got rows %v, want %v", tt.query, page, got, want)
			}
			for _, facet := range []string{
				fmt.Sprintf(`<option value="h6.test">h6.test (%d)</option>`, count/7),
				fmt.Sprintf(`<option value="nav">nav (%d)</option>`, count*2/3),
				fmt.Sprintf(`<option value="absolute">absolute (%d)</option>`, count),
			} {
				if !strings.Contains(w.Body.String(), facet) {
					t.Errorf("%q: the page lacks %s", tt.query, facet)
				}
			}
		}
	}
}

// A page takes one of the places of --jobs while it is made.
func TestPageTakesPlace(t *testing.T) {
	busy := &counting{}
	pages := http.NewServeMux()
	command.Pages(1<<20, 1<<20, busy).Add(pages)
	body, media := filledIn("a.mbox",
		[]byte("From a@b Thu Jan  1 00:00:00 1970\nSubject: x\nContent-Type: text/html\n\n<a href=x>\n\n"))
	r := httptest.NewRequest(http.MethodPost, "/document", body)
	r.Header.Set("Content-Type", media)
	w := httptest.NewRecorder()
	pages.ServeHTTP(w, r)
	at, _, _ := strings.Cut(w.Header().Get("Location"), "?")
	for _, path := range []string{"", "?view=rules", "?view=rewrite", "?sort=uri", "download", "item/1"} {
		before := busy.entered.Load()
		w := httptest.NewRecorder()
		pages.ServeHTTP(w, httptest.NewRequest(http.MethodGet, at+path, nil))
		if n := busy.entered.Load() - before; n != 1 || w.Code >= 400 {
			t.Errorf("%q: got status %d in %d places, want one", path, w.Code, n)
		}
		busy.full.Store(true)
		w = httptest.NewRecorder()
		pages.ServeHTTP(w, httptest.NewRequest(http.MethodGet, at+path, nil))
		busy.full.Store(false)
		if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" ||
			!strings.Contains(w.Body.String(), "The service is busy. Try again in a moment.") {
			t.Errorf("%q, with a full queue: got status %d, want 503 with Retry-After", path, w.Code)
		}
	}
}

// If the service cannot store an upload or an item, the page says so.
func TestPageUnstored(t *testing.T) {
	pages := http.NewServeMux()
	command.Pages(1<<20, 1<<20, free{}).Add(pages)
	post := func() *httptest.ResponseRecorder {
		body, media := filledIn("a.mbox",
			[]byte("From a@b Thu Jan  1 00:00:00 1970\nSubject: x\nContent-Type: text/html\n\n<a href=x>\n\n"))
		r := httptest.NewRequest(http.MethodPost, "/document", body)
		r.Header.Set("Content-Type", media)
		w := httptest.NewRecorder()
		pages.ServeHTTP(w, r)
		return w
	}
	at, _, _ := strings.Cut(post().Header().Get("Location"), "?")
	item := func() *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		pages.ServeHTTP(w, httptest.NewRequest(http.MethodGet, at+"item/1", nil))
		return w
	}
	if w := item(); w.Code != http.StatusSeeOther {
		t.Fatalf("item 1: got status %d, want 303", w.Code)
	}
	missing := filepath.Join(t.TempDir(), "missing")
	for _, name := range []string{"TMPDIR", "TMP"} {
		t.Setenv(name, missing)
	}
	for name, request := range map[string]func() *httptest.ResponseRecorder{"a form": post, "item 1": item} {
		w := request()
		if w.Code != http.StatusInternalServerError || !strings.Contains(w.Body.String(), "its temporary files: ") {
			t.Errorf("%s, without a directory of temporary files: got status %d and %.300s, want 500",
				name, w.Code, w.Body)
		}
	}
}

// counting is a server that counts the places in use.
type counting struct {
	entered atomic.Int64
	full    atomic.Bool
}

func (c *counting) WithWorker(ctx context.Context, f func(context.Context) error) error {
	if c.full.Load() {
		return serve.ErrFull
	}
	c.entered.Add(1)
	return f(ctx)
}

func (c *counting) Count(*serve.Result) {}

// limitedService starts the service with a time limit for each document.
func limitedService(t *testing.T, work time.Duration) string {
	t.Helper()
	o := &serve.Options{Listen: "127.0.0.1:0", Prepare: command.PrepareFor(64 << 20),
		MaxSize: 64 << 20, Jobs: 1, WorkTime: work}
	o.Pages = func(s *serve.Server, mux *http.ServeMux) { command.Pages(64<<20, 64<<20, s).Add(mux) }
	s, l, err := serve.Listen(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return "http://" + l.Addr().String() + "/"
}

// Whatever expressions a request has, it ends in time, with an answer or without one. Expressions
// that are too large are refused at once.
func TestServiceExpressions(t *testing.T) {
	effort.Only(t)
	const work = 500 * time.Millisecond
	limited := limitedService(t, work)
	patient := limitedService(t, time.Minute)
	long := "http://e.test/" + strings.Repeat("a", 8<<20)
	manyLinks := strings.Repeat("<a href=http://e.test/"+strings.Repeat("a", 2000)+">", 3000)
	heavy := "(a?){390}$b"
	for _, tt := range []struct {
		name, command string
		query         url.Values
		body          string
		status        int // 0 means that the answer has begun and is broken off
		says          string
	}{
		{"a small one", "extract", url.Values{"match": {"a{2,50}$"}},
			"<a href=http://e.test/aa>", 200, "http://e.test/aa"},
		{"a large one", "extract", url.Values{"match": {"(a?){900}"}}, "<a href=x>", 400, `"flag":"match"`},
		{"many", "extract", url.Values{"no-match": slices.Repeat([]string{"[a-z]{100}"}, 20)},
			"<a href=x>", 400, "2000 instructions"},
		{"nested", "extract", url.Values{"match": {"((abc?){30}){30}"}}, "<a href=x>", 400, "2000 instructions"},
		{"in a rule", "rewrite", url.Values{"map-regex": {"(a?){900}=http://n.test/"}},
			"<a href=x>", 400, `"flag":"map-regex"`},
		{"in a selector", "extract", url.Values{"select": {"a[href#=(a?){900}]"}},
			"<a href=x>", 400, "no selector with a regular expression"},
		{"a long URI", "extract", url.Values{"match": {heavy}}, "<a href=" + long + ">", 503, "longer than"},
		{"a long URI that must not match", "extract", url.Values{"no-match": {heavy}},
			"<a href=" + long + ">", 503, "longer than"},
		{"many links", "extract", url.Values{"match": {heavy}}, manyLinks, 503, "longer than"},
		{"a long URI and a rule", "rewrite", url.Values{"map-regex": {heavy + "=http://n.test/"}},
			"<a href=" + long + ">", 200, "<a href=http://e.test/aaaa"},
		{"many links and a rule", "rewrite",
			url.Values{"map-regex": {heavy + "=http://n.test/"}}, manyLinks, 503, "longer than"},
	} {
		at := patient
		if tt.status == 503 {
			at = limited
		}
		began := time.Now()
		answer, body := request{url: at + "v1/" + tt.command + "?" + tt.query.Encode(),
			body: strings.NewReader(tt.body)}.do(t)
		if answer.StatusCode != tt.status || !strings.Contains(body, tt.says) {
			t.Errorf("%s: got %s %.300s, want %d with %q", tt.name, answer.Status, body, tt.status, tt.says)
		}
		if took := time.Since(began); took > work+5*time.Second {
			t.Errorf("%s: it took %v, want about %v at most", tt.name, took, work)
		}
	}
}

// A page that takes too long gives a message.
func TestPageTooSlow(t *testing.T) {
	effort.Only(t)
	at := limitedService(t, time.Millisecond)
	body, media := filledIn("a.html", []byte(strings.Repeat("<a href=x>", 300000)))
	answer, text := request{url: at + "document", body: body, header: http.Header{"Content-Type": {media}}}.do(t)
	if answer.StatusCode != http.StatusServiceUnavailable || !strings.Contains(text, "takes longer than 2 minutes") {
		t.Errorf("got %s %.500s, want 503", answer.Status, text)
	}
}

// startedService starts the service as a separate process, which ends with the test.
func startedService(t testing.TB, flags ...string) (cmd *exec.Cmd, at string) {
	t.Helper()
	cmd = commandIn(t.TempDir(), append([]string{"serve", "--listen", "127.0.0.1:0"}, flags...))
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	line := make([]byte, 200)
	n, err := said.Read(line)
	at, ok := strings.CutPrefix(strings.TrimSpace(string(line[:n])), "absolink: listening on ")
	if err != nil || !ok {
		t.Fatalf("the service says %q (%v)", line[:n], err)
	}
	return cmd, at
}

// memoryPeak returns the largest memory use of a process so far, in MB.
func memoryPeak(t testing.TB, pid int) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`VmHWM:\s*(\d+) kB`).FindSubmatch(status)
	if m == nil {
		t.Fatalf("no VmHWM in %s", status)
	}
	n, _ := strconv.Atoi(string(m[1]))
	return n >> 10
}
