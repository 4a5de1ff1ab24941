package e2e

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/base64"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"golang.org/x/text/encoding/htmlindex"

	"absolink/testdata/chromium"
)

// staticSite returns a directory with the page without a server. ABSOLINK_PAGE names the page of a
// package; otherwise the page is built.
func staticSite(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("ABSOLINK_PAGE"); dir != "" {
		return dir
	}
	dir := t.TempDir()
	cmd := exec.Command("go", "run", "./cmd/absolink/internal/serve/static/site", dir)
	cmd.Dir = repository
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("the page without a server: %v: %s", err, out)
	}
	return dir
}

// startStatic serves the page without a server as a plain static host does, and returns its
// address.
func startStatic(t *testing.T, dir string) string {
	t.Helper()
	server := httptest.NewServer(http.StripPrefix("/tools/page", http.FileServer(http.Dir(dir))))
	t.Cleanup(server.Close)
	return server.URL + "/tools/page/"
}

// openStatic opens a tab with the page without a server.
func openStatic(t *testing.T, browser context.Context, at string) *tab {
	t.Helper()
	b := openTab(t, browser, at)
	b.openStatic()
	return b
}

// openStatic opens the page and waits for its program.
func (b *tab) openStatic() {
	b.t.Helper()
	b.open(b.at)
	b.do(chromedp.WaitVisible(chromedp.CSS(".samples")))
}

// give gives the page a document as a file.
func (b *tab) give(name string, data []byte, query string) {
	b.t.Helper()
	file := filepath.Join(b.t.TempDir(), name)
	if err := os.WriteFile(file, data, 0o600); err != nil {
		b.t.Fatal(err)
	}
	b.openStatic()
	b.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{file}), chromedp.Click(chromedp.CSS("form button")),
		chromedp.WaitVisible(chromedp.CSS(".settings")))
	if query != "" {
		b.follow("?" + query)
	}
}

// follow follows a link of the page with this address.
func (b *tab) follow(address string) {
	b.t.Helper()
	b.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(
		"{ const a = document.createElement('a'); a.href = %q; document.querySelector('main').append(a); a.click(); }",
		address)))
}

// from says that requests may go to this address, and to no other one. An empty address allows no
// request.
func (b *tab) from(address string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.at = cmp.Or(address, "no address")
}

// mainOf is an expression for the text of the main element with each blank as a line end. It leaves
// out the headings of a diff, which have the name of the file.
const mainOf = `(m => {
	m.querySelectorAll(".diff .place").forEach(e => e.remove());
	return m.textContent.replace(/[ \n]+/g, "\n").trim();
})(document.querySelector("main").cloneNode(true))`

// TestStaticPage opens the page without a server from a static host. It shows the same as the page
// of the service, and sends nothing.
func TestStaticPage(t *testing.T) {
	browser, service := chromium.Start(t), startService(t)
	dir := staticSite(t)
	at := startStatic(t, dir)
	t.Run("size", func(t *testing.T) { staticSize(t, dir) })
	t.Run("same", func(t *testing.T) { staticIsSame(openTab(t, browser, service), openStatic(t, browser, at)) })
	t.Run("charsets", func(t *testing.T) { staticCharsets(openStatic(t, browser, at)) })
	t.Run("samples", func(t *testing.T) { staticSamples(openStatic(t, browser, at)) })
	t.Run("mailbox", func(t *testing.T) { staticMailbox(openStatic(t, browser, at)) })
	t.Run("keyboard", func(t *testing.T) { staticByKeyboard(openStatic(t, browser, at)) })
	t.Run("scripts", func(t *testing.T) { staticOfScripts(openStatic(t, browser, at)) })
}

// staticIsSame compares the views of documents with those of the service.
func staticIsSame(service, static *tab) {
	for _, tt := range []struct {
		name string
		data []byte
	}{
		{"nested.mht", fixture(static.t, "mail/nested.mht")},
		{"old.html", fixture(static.t, "pages/old.html")},
		{"page.html", shiftJIS},
		{"note.html", []byte("<a href=x><base href=http://a.example/><base href=http://b.example/>")},
	} {
		service.upload(tt.name, tt.data)
		address, _, _ := strings.Cut(value[string](service, "location.href"), "?")
		static.give(tt.name, tt.data, "")
		for _, query := range []string{"", "default-base=http%3A%2F%2Fe.example%2F&doc=1",
			"base=http%3A%2F%2Fe.example%2Fd%2F&view=rewrite", "base=http%3A%2F%2Fe.example%2Fd%2F&view=rules",
			"base=http%3A%2F%2Fe.example%2Fd%2F&sort=uri&kind=nav"} {
			service.open(address + "?" + query)
			static.follow("?" + query)
			want, got := value[string](service, mainOf), value[string](static, mainOf)
			if got != want {
				static.t.Errorf("%s?%s: the page without a server shows\n%q, the service\n%q",
					tt.name, query, got, want)
			}
		}
	}
	for i, size := range [][2]int64{{1280, 800}, {360, 740}} {
		static.size(size[0], size[1])
		static.give("nested.mht", fixture(static.t, "mail/nested.mht"), fmt.Sprintf("doc=6&page=%d", i))
		if end := value[float64](static,
			`document.querySelector("#r2").getBoundingClientRect().bottom + scrollY`); end > float64(size[1]) {
			static.t.Errorf("%v: the second link ends at %.0f px, below the first screen", size, end)
		}
	}
}

// everyCharacter makes the test of charsets complete.
var everyCharacter = flag.Bool("every-character", false,
	"read and write every character on the page without a server")

// staticCharsets rewrites pages that have characters of a charset in paths and queries. The output
// is that of the program.
func staticCharsets(b *tab) {
	step := 23
	if *everyCharacter {
		step = 1
	}
	for _, name := range []string{"windows-1252", "koi8-u", "x-user-defined", "shift_jis", "euc-jp", "iso-2022-jp",
		"gbk", "gb18030", "big5", "euc-kr", "utf-16le", "utf-8"} {
		data := charactersOf(b.t, name, step)
		_, want, _ := runs(b.t, string(data), "rewrite", "-q", "--type", "html", "--base", "http://e.example/")
		got := value[string](b, fmt.Sprintf(`(() => {
			const data = Uint8Array.from(atob(%q), c => c.charCodeAt(0));
			const out = absolink.rewrite("page.html", data, "base=http://e.example/&type=html");
			let text = "";
			for (let i = 0; i < out.length; i += 4096) text += String.fromCharCode(...out.subarray(i, i + 4096));
			return btoa(text);
		})()`, base64.StdEncoding.EncodeToString(data)))
		out, err := base64.StdEncoding.DecodeString(got)
		if err != nil {
			b.t.Fatal(err)
		}
		lines, wanted := strings.Split(string(out), "\n"), strings.Split(want, "\n")
		wrong := 0
		for i := range min(len(lines), len(wanted)) {
			if lines[i] == wanted[i] {
				continue
			}
			wrong++
			if wrong <= 5 {
				b.t.Errorf("%s: got the line %q, want %q", name, lines[i], wanted[i])
			}
		}
		if wrong > 0 || len(lines) != len(wanted) {
			b.t.Errorf("%s: %d lines differ, got %d, want %d", name, wrong, len(lines), len(wanted))
		}
	}
}

// charactersOf returns a page with each step-th character of a charset in links, and with each
// step-th pair of bytes, whether it is a character or not.
func charactersOf(t *testing.T, name string, step int) []byte {
	enc, err := htmlindex.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	if name == "utf-16le" {
		data, err := enc.NewEncoder().Bytes([]byte("\ufeff<a href='ä€漢😀?ä€漢😀'>"))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	data := []byte("<meta charset=" + name + ">\n")
	for r := rune(0x80); r < 0x20000; r += rune(step) {
		if text, err := enc.NewEncoder().Bytes([]byte(string(r))); err == nil {
			data = fmt.Appendf(data, "<a href='%s?%[1]s'>\n", text)
		}
	}
	for n := 0x8140; n < 0xfeff && name != "iso-2022-jp"; n += step {
		if low := n & 0xff; low >= 0x40 && low < 0xff {
			data = append(data, "<a href='b?"...)
			data = append(data, byte(n>>8), byte(low), '\'', '>', '\n')
		}
	}
	return data
}

// staticSamples loads each sample with one click.
func staticSamples(b *tab) {
	for i, want := range []string{"page.html", "mail.eml", "page.mht"} {
		b.openStatic()
		b.do(chromedp.Click(chromedp.CSS(fmt.Sprintf(".samples button:nth-of-type(%d)", i+1))))
		b.shown("h1", want)
		if n := value[int](b, "document.querySelectorAll('.rows tr[id]').length"); n < 2 {
			b.t.Errorf("%s: got %d links", want, n)
		}
	}
	b.do(chromedp.Evaluate[chromedp.Void]("history.back()"), chromedp.WaitVisible(chromedp.CSS(".samples")))
	b.shown("h1", "Every link of a document, absolute")
	b.do(chromedp.SendKeys(chromedp.CSS("[name=text]"), "<a href=http://pasted.example/>"),
		chromedp.Click(chromedp.CSS("form button")), chromedp.WaitVisible(chromedp.CSS(".settings")))
	b.list(".mark", "http://pasted.example/")
	b.do(chromedp.Click(chromedp.CSS(".name")))
	b.do(chromedp.Click(chromedp.CSS("form button")))
	b.shown(".error", "Choose a file, drop one, paste the text of a document, or show a sample.")
	b.give("x.html", []byte("x"), "")
	b.follow("?base=relative")
	b.shown(".error", `--base "relative": not an absolute URI such as http://example.com/dir/page.html`)
}

// staticMailbox turns the pages of a mailbox and opens a message.
func staticMailbox(b *tab) {
	var many strings.Builder
	for i := range 60 {
		fmt.Fprintf(&many, "From a@b Thu Jan  1 00:00:00 1970\nSubject: number %d\nContent-Type: text/html\n\n"+
			"<a href=http://h/%[1]d>\n\n", i+1)
	}
	b.give("many.mbox", []byte(many.String()), "")
	b.shown("#views", "60 items")
	b.do(chromedp.Click(chromedp.CSS("[rel=next]")))
	b.shown(".items tbody a", "number 51")
	b.do(chromedp.Click(chromedp.CSS(".items tr:last-child a")))
	b.shown("h1", "many.mbox 60")
	b.list(".mark", "http://h/60")
}

// staticByKeyboard opens the figure and the filter, and selects links, with keys only.
func staticByKeyboard(b *tab) {
	b.do(chromedp.Focus(chromedp.CSS(".samples button")), chromedp.KeyEvent(kb.Enter))
	b.do(chromedp.Focus(chromedp.CSS(".basis summary")), chromedp.KeyEvent(kb.Enter))
	if !value[bool](b, "document.querySelector('.basis .box').checkVisibility()") {
		b.t.Error("Enter does not open the figure")
	}
	b.do(chromedp.Focus(chromedp.CSS("#r1 a")), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.Enter))
	if got := b.focus(); got != "m2" {
		b.t.Errorf("after Down and Enter: %q has the focus, want m2", got)
	}
	b.do(chromedp.Focus(chromedp.CSS(".choice summary")), chromedp.KeyEvent(kb.Enter),
		chromedp.Focus(chromedp.CSS("[name=kind]")), chromedp.KeyEvent("res"),
		chromedp.Focus(chromedp.CSS(".filter button")), chromedp.KeyEvent(kb.Enter))
	if list := b.all(".rows td:nth-child(4)"); len(list) == 0 ||
		slices.ContainsFunc(list, func(s string) bool { return !strings.HasPrefix(s, "res") }) {
		b.t.Errorf("after a choice of resources: got %q", list)
	}
}

// staticOfScripts shows a document with scripts in every place. None of them runs, and the page
// sends no request.
func staticOfScripts(b *tab) {
	const evil = `<script>alert(1)</script><img src=//evil.example/x onerror=alert(2)>`
	b.give(`"><img src=x onerror=alert(3)>.html`, []byte(`<base href="javascript:alert(4)"><title>`+evil+
		`</title><a href='">`+evil+`'>x</a><iframe srcdoc="`+evil+`"></iframe>`+evil+
		`<link rel=stylesheet href=http://evil.example/style.css>`), "")
	b.from("")
	for _, query := range []string{"", "view=rules", "view=rewrite", "kind=%3Cscript%3E",
		"base=%3Cscript%3Ealert(5)%3C/script%3E"} {
		b.follow("?" + query)
		if n := value[int](b, "document.querySelectorAll('main script, main img, main iframe, main [onerror], "+
			"main a[href^=javascript]').length"); n > 0 {
			b.t.Errorf("%s: the page has %d elements of the document", query, n)
		}
		if !strings.Contains(b.text("main"), "alert(") {
			b.t.Errorf("%s: nothing of the document is shown", query)
		}
	}
}

// staticSize checks that the program has at most 2.5 MB in gzip.
func staticSize(t *testing.T, dir string) {
	data, err := os.ReadFile(filepath.Join(dir, "absolink.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	z.Write(data)
	z.Close()
	if packed.Len() > 2_500_000 {
		t.Errorf("absolink.wasm has %d bytes in gzip, want at most 2,500,000", packed.Len())
	}
}
