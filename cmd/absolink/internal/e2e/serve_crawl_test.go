//go:build unix

package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"absolink/cmd/absolink/help"
	"absolink/cmd/absolink/internal/cli"
)

// servedSite is a tree of pages. Each page is found by a link of another kind.
type servedSite struct {
	*httptest.Server
	pages map[string]servedPage // by path
	mu    sync.Mutex
	lost  []string // paths that were requested and do not exist
}

type servedPage struct{ media, text string }

// linksTo lists ways to link to a page in the same directory. %s stands for its name.
var linksTo = []string{
	`<a href="%s">next</a>`, `<base href="/site/sub/"><a href="../%s">base</a>`,
	`<map><area href='%s'></map>`, `<iframe src=%s></iframe>`,
	`<meta http-equiv=refresh content="300; url=%s">`, `<link rel=next href="%s#top">`,
	`<svg><a xlink:href="%s"/></svg>`, `<!--[if mso]>x<![endif]--><a href=" %s ">blanks</a>`,
	`<noscript><a href="./%s">noscript</a></noscript>`, `<a href="/site/%s">path</a>`,
	`<a href="//HOST/site/%s">host</a>`, `<template><a href="%s"></a></template>`,
}

// newServedSite starts a site of n pages. One more page gives its charset in its media type if
// byType is set, otherwise in the page itself.
func newServedSite(t *testing.T, n int, byType bool) *servedSite {
	s := &servedSite{pages: make(map[string]servedPage)}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	host := strings.TrimPrefix(s.URL, "http://")
	for i := range n {
		text := "<!DOCTYPE html><title>page</title>"
		if i%2 == 1 {
			text += `<!-- <a href="comment"> --><script>s = '<a href="script">'</script><a href="http://other.invalid/">other</a><a href="mailto:a@b">mail</a>`
		}
		for child := 2*i + 1; child <= 2*i+2 && child < n; child++ {
			link := linksTo[child%len(linksTo)]
			if strings.Contains(text, "<base") {
				link = `<a href="/site/%s">behind a base</a>`
			}
			text += strings.ReplaceAll(fmt.Sprintf(link, pageNamed(child)), "HOST", host)
		}
		s.pages["/site/"+pageNamed(i)] = servedPage{"text/html", text}
	}
	last := pageNamed(n - 1)
	s.add(last, pageNamed(n-2), `<a href="feed.atom">feed</a>`)
	s.pages["/site/feed.atom"] = servedPage{"application/atom+xml",
		`<feed xmlns="http://www.w3.org/2005/Atom" xml:base="entries/"><entry><link href="../japanese"/></entry></feed>`}
	// in a URL the path is UTF-8, the query is not
	japanese := servedPage{"text/html", "<meta charset=Shift_JIS><a href=\"\x82\xa0?q=\x82\xa0\">"}
	if byType {
		japanese = servedPage{"text/html; charset=Shift_JIS", "<a href=\"\x82\xa0?q=\x82\xa0\">"}
	}
	s.pages["/site/japanese"] = japanese
	s.pages["/site/\u3042"] = servedPage{"text/html", "<p>the end"}
	return s
}

func pageNamed(i int) string { return fmt.Sprintf("page%d.html", i) }

// add adds a text to pages.
func (s *servedSite) add(more ...string) {
	text := more[len(more)-1]
	for _, name := range more[:len(more)-1] {
		p := s.pages["/site/"+name]
		p.text += text
		s.pages["/site/"+name] = p
	}
}

func (s *servedSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p, ok := s.pages[r.URL.Path]
	if !ok {
		s.mu.Lock()
		s.lost = append(s.lost, r.URL.Path)
		s.mu.Unlock()
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", p.media)
	fmt.Fprint(w, p.text)
}

// check reports pages that were not found, and wrong links.
func (s *servedSite) check(t *testing.T, who string, found map[string]bool) {
	t.Helper()
	for path := range s.pages {
		if !found[path] {
			t.Errorf("%s has not found %s", who, path)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lost = slices.DeleteFunc(s.lost, func(path string) bool {
		return path == "/robots.txt" || path == "/site/sub/" || path == "/site/entries/"
	})
	if len(s.lost) > 0 || len(found) != len(s.pages) {
		t.Errorf("%s has found %d pages, want %d; it asked for %q, which are not there",
			who, len(found), len(s.pages), s.lost)
	}
}

// serviceCode returns the first block of a language, in the help on the service, that contains a
// text. It replaces the address of the service by at.
func serviceCode(t *testing.T, language, has, at string) string {
	t.Helper()
	topic, _ := help.Guide(cli.Command([]string{"serve"}).Commands()[0])
	for _, block := range strings.Split(topic.Markdown(), "\n```"+language+"\n")[1:] {
		if code, _, ok := strings.Cut(block, "\n```\n"); ok && strings.Contains(code, has) {
			return strings.ReplaceAll(code, "http://127.0.0.1:8713", strings.TrimSuffix(at, "/")) + "\n"
		}
	}
	t.Fatalf("the help on the service has no %s with %q", language, has)
	return ""
}

// The steps of the help, repeated until they lead to nothing new, find every page.
func TestCurlCrawl(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not installed (Debian: curl)")
	}
	if out, err := exec.Command("curl", "--url-query", "a", "--version").CombinedOutput(); err != nil {
		t.Skipf("curl 7.87 or later is not installed (Debian 13: curl): this one has no --url-query: %s", out)
	}
	code := serviceCode(t, "sh", "step()", startService(t)) + "step\n"
	s := newServedSite(t, 40, false)
	found := make(map[string]bool)
	for next := []string{s.URL + "/site/" + pageNamed(0)}; len(next) > 0; {
		for _, url := range next {
			found[s.path(url)] = true
		}
		cmd := exec.Command("sh", "-c", code)
		cmd.Stdin = strings.NewReader(strings.Join(next, "\n") + "\n")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("a step from %q: %v: %s", next, err, out)
		}
		next = nil
		for url := range strings.FieldsSeq(string(out)) {
			if !strings.HasPrefix(url, s.URL+"/") {
				t.Fatalf("a step prints %q: %s", url, out)
			}
			if !found[s.path(url)] {
				next = append(next, url)
			}
		}
	}
	s.check(t, "curl", found)
}

// path returns the decoded path of a URL on s.
func (s *servedSite) path(url string) string {
	r, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return url
	}
	return r.URL.Path
}

// comparison lists the links of a page repeatedly, by the service and by Scrapy itself.
const comparison = `
import http.client, sys, time
from scrapy.http import HtmlResponse
from scrapy.linkextractors import LinkExtractor
body, url = open(sys.argv[2], "rb").read(), "http://example.com/dir/"
service = http.client.HTTPConnection(sys.argv[1])
page, extractor = HtmlResponse(url, body=body, encoding="utf-8"), LinkExtractor(unique=False)
def ours():
    service.request("POST", "/v1/extract?kind=nav&base=" + url, body, {"Content-Type": "text/html; charset=utf-8", "Accept": "text/plain"})
    return service.getresponse().read().decode().splitlines()
def theirs():
    return [link.url for link in extractor.extract_links(HtmlResponse(url, body=body, encoding="utf-8"))]
best = {}
for _ in range(20):
    for f in (ours, theirs):
        began = time.perf_counter()
        for _ in range(10):
            f()
        took = (time.perf_counter() - began) / 10
        best[f.__name__] = min(best.get(f.__name__, took), took)
print("%.0f us by the service, %.0f by LinkExtractor: %.1f times as long, for %d and %d links" %
    (best["ours"] * 1e6, best["theirs"] * 1e6, best["theirs"] / best["ours"], len(ours()), len(theirs())))
`

// The Scrapy spider of the help finds every page. The time for the links of a page is shown beside
// the time of Scrapy's own LinkExtractor.
func TestScrapy(t *testing.T) {
	python := os.Getenv("ABSOLINK_SCRAPY")
	if python == "" {
		t.Skip("ABSOLINK_SCRAPY is not set: it names a Python that has Scrapy (pip install scrapy)")
	}
	at, dir := startService(t), t.TempDir()
	save(t, filepath.Join(dir, "links.py"), []byte(serviceCode(t, "python", "scrapy.Spider", at)))
	s := newServedSite(t, 200, true)
	cmd := exec.Command(python, "-m", "scrapy", "runspider", "links.py",
		"-a", "url="+s.URL+"/site/"+pageNamed(0), "-O", "pages.jsonl")
	cmd.Dir = dir
	log, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, log)
	}
	data, err := os.ReadFile(filepath.Join(dir, "pages.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string]bool)
	for line := range bytes.Lines(data) {
		var page struct{ URL string }
		if err := json.Unmarshal(line, &page); err != nil {
			t.Fatalf("pages.jsonl: %s: %v", line, err)
		}
		found[s.path(page.URL)] = true
	}
	s.check(t, "Scrapy", found)
	if t.Failed() {
		t.Logf("%s", log)
	}

	save(t, filepath.Join(dir, "compare.py"), []byte(comparison))
	cmd = exec.Command(python, "compare.py", strings.Trim(strings.TrimPrefix(at, "http://"), "/"),
		filepath.Join(repository, "testdata/pages/mail.html"))
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Logf("the links of a page: %s", out)
}

// TestSchemathesis lets schemathesis send requests that the description allows, and others. No
// answer may be a failure of the server, or an answer that is not in the description.
func TestSchemathesis(t *testing.T) {
	name := os.Getenv("ABSOLINK_SCHEMATHESIS")
	if name == "" {
		t.Skip("ABSOLINK_SCHEMATHESIS is not set: it names the program st of schemathesis (pip install schemathesis)")
	}
	at := startService(t, "--max-size", "2M")
	cmd := exec.Command(name, "run", at+"v1/openapi.json", "--phases", "examples,coverage,fuzzing",
		"--max-time", "60", "--max-examples", "100", "--generation-deterministic", "--no-shrink",
		"--checks", "not_a_server_error,status_code_conformance,content_type_conformance,"+
			"response_headers_conformance,response_schema_conformance,unsupported_method,allow_header_conformance")
	cmd.Dir = t.TempDir()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Logf("%s", out)
	_, figures := request{method: http.MethodGet, url: at + "metrics"}.do(t)
	for _, command := range []string{"extract", "rewrite", "base", "resolve"} {
		for _, status := range []string{"200", "400"} {
			if !strings.Contains(figures,
				fmt.Sprintf(`absolink_requests_total{outcome="%s",path="/v1/%s"}`, status, command)) {
				t.Errorf("%s was never answered with %s", command, status)
			}
		}
	}
	if strings.Contains(figures, `outcome="5`) {
		t.Errorf("a request was answered with a failure: %s", figures)
	}
}

// After SIGTERM the program finishes the requests under way, accepts no new ones, and ends.
func TestServiceSIGTERM(t *testing.T) {
	cmd := exec.Command("absolink", "serve", "--listen", "127.0.0.1:0")
	from, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	said := bufio.NewReader(from)
	line, err := said.ReadString('\n')
	at, ok := strings.CutPrefix(strings.TrimSpace(line), "absolink: listening on ")
	if !ok {
		t.Fatalf("absolink serve says %q (%v)", line, err)
	}
	c := dial(t, at) // a request without its last byte
	fmt.Fprintf(c,
		"POST /v1/extract?base=http://e/ HTTP/1.1\r\nHost: localhost:%s\r\nContent-Length: %d\r\nAccept: text/"+
			"plain\r\n\r\n%s", at[strings.LastIndex(at, ":")+
			1:len(at)-1], len(attackPage), attackPage[:len(attackPage)-1])
	for figures := ""; !strings.Contains(figures, "absolink_requests_in_flight 2\n"); { // until its header is read
		_, figures = request{method: http.MethodGet, url: at + "metrics"}.do(t)
	}
	http.DefaultClient.CloseIdleConnections()
	began := time.Now()
	cmd.Process.Signal(syscall.SIGTERM)
	for range 500 {
		other, err := net.Dial("tcp", c.RemoteAddr().String())
		if err != nil {
			break
		}
		other.Close()
		time.Sleep(10 * time.Millisecond)
	}
	io.WriteString(c, attackPage[len(attackPage)-1:])
	answer, err := io.ReadAll(c)
	if !strings.HasPrefix(string(answer), "HTTP/1.1 200 OK") || !strings.HasSuffix(string(answer), "\r\nhttp://e/x\n") {
		t.Errorf("the request under way: got %q (%v), want the link", answer, err)
	}
	rest, _ := io.ReadAll(said)
	if err := cmd.Wait(); err != nil || len(rest) > 0 {
		t.Errorf("absolink serve ends with %v and says %q, want nothing of both", err, rest)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("absolink serve ended after %v, want at most 10 s", took)
	}
}
