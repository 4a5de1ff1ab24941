package e2e

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"absolink/testdata/chromium"
)

// tab is a tab of Chromium that shows pages of a service. Unexpected events fail the test: a
// dialog, a request to another host, a message on the console.
type tab struct {
	t   *testing.T
	ctx context.Context
	at  string // address of the service

	mu      sync.Mutex
	wrong   []string
	refused bool // answers of 4xx, which Chromium reports on the console, are expected
}

// openTab opens a tab of a browser for a service.
func openTab(t *testing.T, browser context.Context, at string) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, time.Minute)
	t.Cleanup(cancel)
	b := &tab{t: t, ctx: ctx, at: at}
	if err := chromedp.Listen(ctx, b.hear); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, text := range b.wrong {
			t.Errorf("in Chromium: %s", text)
		}
	})
	b.size(1280, 900)
	return b
}

// hear records events that a page should not cause.
func (b *tab) hear(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	text := ""
	switch e := event.(type) {
	case *cdpage.EventJavascriptDialogOpening:
		text = fmt.Sprintf("a dialog says %q", e.Message)
	case *network.EventRequestWillBeSent:
		if u := e.Request.URL; !strings.HasPrefix(u, b.at) && !strings.HasPrefix(u, "file:") && u != "about:blank" {
			text = "a request to " + u
		}
	case *runtime.EventExceptionThrown:
		text = "an exception: " + e.ExceptionDetails.Text
	case *runtime.EventConsoleAPICalled:
		text = "a message on the console"
	case *log.EventEntryAdded:
		if !b.refused || !strings.Contains(e.Entry.Text, "the server responded with a status of 4") {
			text = "the console says " + e.Entry.Text
		}
	}
	if text != "" {
		b.wrong = append(b.wrong, text)
	}
}

// expectRefusal says that the next pages have a status of 4xx.
func (b *tab) expectRefusal() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refused = true
}

// do carries out steps one after the other.
func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	for _, step := range steps {
		err := whileStale(func() error { return chromedp.Do(b.ctx, step) })
		if err != nil {
			b.t.Fatal(err)
		}
	}
}

// leads carries out steps that lead to another page, and returns its status.
func (b *tab) leads(steps ...chromedp.Action[chromedp.Void]) (status int64) {
	b.t.Helper()
	err := whileStale(func() error {
		answer, err := chromedp.RunResponse(b.ctx, steps...)
		if err == nil {
			status = answer.Status
		}
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return status
}

// whileStale calls step up to five times, as long as Chromium does not know the node that the step
// has just found. On a busy machine Chromium may number the nodes of a new page again in between.
// The step has done nothing then.
func whileStale(step func() error) error {
	err := step()
	for n := 1; n < 5 && err != nil && strings.Contains(err.Error(), "Could not find node with given id"); n++ {
		err = step()
	}
	return err
}

// open goes to an address.
func (b *tab) open(address string) {
	b.t.Helper()
	b.do(chromedp.Navigate(address))
}

func (b *tab) size(width, height int64) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(width, height))
}

// scheme makes the browser ask for light or dark pages.
func (b *tab) scheme(name string) {
	b.t.Helper()
	b.emulate(emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme",
		Value: name}}})
}

func (b *tab) emulate(media emulation.SetEmulatedMediaParams) {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, media); err != nil {
		b.t.Fatal(err)
	}
}

// value returns the value of a JavaScript expression.
func value[T any](b *tab, expression string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// text returns the text of the first element that a selector matches, with runs of blanks as one
// blank.
func (b *tab) text(selector string) string {
	b.t.Helper()
	return strings.Join(strings.Fields(value[string](b,
		fmt.Sprintf("document.querySelector(%q)?.textContent ?? ''", selector))), " ")
}

// all returns the texts of all elements that a selector matches.
func (b *tab) all(selector string) []string {
	b.t.Helper()
	return value[[]string](b,
		fmt.Sprintf("[...document.querySelectorAll(%q)].map(e => e.textContent.replace(/\\s+/g, ' ').trim())",
			selector))
}

// upload sends a document as a person does. options are names and values.
func (b *tab) upload(name string, data []byte, options ...string) {
	b.t.Helper()
	file := filepath.Join(b.t.TempDir(), name)
	if err := os.WriteFile(file, data, 0o600); err != nil {
		b.t.Fatal(err)
	}
	b.open(b.at)
	if len(options) > 0 {
		b.do(chromedp.Click(chromedp.CSS("summary")))
	}
	for i := 0; i+1 < len(options); i += 2 {
		b.do(chromedp.SendKeys(chromedp.CSS(fmt.Sprintf("[name=%s]", options[i])), options[i+1]))
	}
	b.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{file}))
	if status := b.leads(chromedp.Click(chromedp.CSS("form button"))); status >= 400 && !b.refused {
		b.t.Fatalf("the upload of %s: got status %d: %s", name, status, b.text("main"))
	}
}

// picture returns the whole page as PNG.
func (b *tab) picture() []byte {
	b.t.Helper()
	data, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		b.t.Fatal(err)
	}
	return data
}

var (
	pictures      = flag.String("pictures", "", "write pictures of all views of the page into this directory")
	updatePicture = flag.Bool("update-picture", false, "write the picture that README.md shows")
)

// pageView is a page of the service, or a report, and the way to open it.
type pageView struct {
	name string
	open func(b *tab)
}

// pageViews returns all views.
func pageViews(t *testing.T) []pageView {
	nested := fixture(t, "mail/nested.mht")
	with := func(parameters string) func(*tab) {
		return func(b *tab) {
			b.upload("nested.mht", nested, "default-base", "http://default.example/")
			b.open(value[string](b, "location.href") + "&" + parameters)
		}
	}
	return []pageView{
		{"sample", func(b *tab) {
			b.open(b.at)
			b.leads(chromedp.Click(chromedp.CSS(".samples button")))
			b.do(chromedp.Click(chromedp.CSS(".basis summary")), chromedp.Click(chromedp.CSS(".choice summary")))
		}},
		{"remarks", func(b *tab) {
			b.upload("cut.eml", []byte("Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n"+
				"\n<base href=http://a.example/><base href=http://b.example/><a href=x>\n"))
		}},
		{"start", func(b *tab) { b.open(b.at); b.do(chromedp.Click(chromedp.CSS("summary"))) }},
		{"message", with("doc=6")},
		{"selected", func(b *tab) { with("doc=6")(b); b.do(chromedp.Click(chromedp.CSS("#m3"))) }},
		{"rules", func(b *tab) {
			b.upload("rules.html", []byte(rulesPage), "base", "http://a/b/c/d;p?q")
			b.open(value[string](b, "location.href") + "&view=rules")
		}},
		{"rewriting", with("view=rewrite")},
		{"mailbox", func(b *tab) { b.upload("list.mbox", fixture(t, "mbox/list.mbox")) }},
		{"page", func(b *tab) { b.upload("old.html", fixture(t, "pages/old.html"), "base", "http://old.example/d/") }},
		{"refused", func(b *tab) { b.expectRefusal(); b.open(b.at + "document/0123456789/") }},
		{"wrong", func(b *tab) {
			b.expectRefusal()
			b.upload("nested.mht", nested)
			b.open(value[string](b, "location.href") + "&base=relative%3F")
		}},
	}
}

// rulesPage has references that the rule sets resolve differently.
const rulesPage = `<!doctype html><title>x</title><a href="g">one</a> <a href="g;x=1/../y">two</a> <a href="?y">three</a> <a href="http:g">four</a> <a href="../../../g">five</a> <a href="">six</a> <a href="g?y/./x">seven</a>`

func fixture(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(repository + "testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// shown checks the text of an element.
func (b *tab) shown(selector, want string) {
	b.t.Helper()
	if got := b.text(selector); got != want {
		b.t.Errorf("%s: got %q, want %q", selector, got, want)
	}
}

// list checks the texts of all elements that a selector matches.
func (b *tab) list(selector string, want ...string) {
	b.t.Helper()
	if got := b.all(selector); !slices.Equal(got, want) {
		b.t.Errorf("%s:\ngot  %q\nwant %q", selector, got, want)
	}
}

// choose selects a value in a field of the filter, by its first letters.
func (b *tab) choose(field, value string) {
	b.t.Helper()
	b.unfold(".choice")
	b.do(chromedp.SendKeys(chromedp.CSS(".filter [name="+field+"]"), value))
	b.leads(chromedp.Click(chromedp.CSS(".filter button")))
}

// unfold opens a details element, unless it is open.
func (b *tab) unfold(selector string) {
	b.t.Helper()
	if n := len(b.all(selector + ":not([open])")); n > 0 {
		b.do(chromedp.Click(chromedp.CSS(selector + " > summary")))
	}
}

// focus describes the focused element: its id, its name, or its kind and text.
func (b *tab) focus() string {
	b.t.Helper()
	return value[string](b,
		`(e => e.id || e.name || (e.closest("tr[id]") ? e.closest("tr").id + " link" : e.textContent))(document.activeElement)`)
}

// shiftJIS is a page whose bytes mean nothing in another charset.
var shiftJIS = []byte("<!doctype html><meta charset=Shift_JIS><title>\x93\xfa\x96{</title><a " +
	"href=\"\x95\\.html?q=\x82\xa0\">\x83\x8a\x83\x93\x83N</a> <a href=\"#\x82\xa0\">\x82\xa0</a>")

// For a message, a page and a mailbox, a person sees the figure, the marks, the rows, the changes
// of a rewriting, and the differences of the rule sets.
func TestPageInChromium(t *testing.T) {
	browser, at := chromium.Start(t), startService(t)
	t.Run("message", func(t *testing.T) { pageOfMessage(openTab(t, browser, at)) })
	t.Run("rules", func(t *testing.T) { pageOfRules(openTab(t, browser, at)) })
	t.Run("mailbox", func(t *testing.T) { pageOfMailbox(openTab(t, browser, at)) })
	t.Run("keyboard", func(t *testing.T) { pageByKeyboard(openTab(t, browser, at)) })
	t.Run("scripts", func(t *testing.T) { pageOfScripts(openTab(t, browser, at)) })
	t.Run("drop and paste", func(t *testing.T) { pageByDrop(openTab(t, browser, at)) })
	t.Run("first screen", func(t *testing.T) { pageFirstScreen(openTab(t, browser, at)) })
	t.Run("samples", func(t *testing.T) { pageOfSamples(openTab(t, browser, at)) })
	t.Run("remarks", func(t *testing.T) { pageOfRemarks(openTab(t, browser, at)) })
	t.Run("themes", func(t *testing.T) { pageInThemes(openTab(t, browser, at)) })
	t.Run("no script", func(t *testing.T) { pageWithoutScript(openTab(t, browser, at)) })
	t.Run("charset", func(t *testing.T) {
		b := openTab(t, browser, at)
		b.upload("page.html", shiftJIS, "base", "http://jp.example/d/")
		b.list(".mark", "表.html?q=あ", "#あ")
		b.list(".uri", "http://jp.example/d/%E8%A1%A8.html?q=%82%A0", "http://jp.example/d/#%E3%81%82")
		if text := b.text(".source"); !strings.Contains(text, "<title>日本</title>") ||
			!strings.Contains(text, ">リンク</a>") {
			t.Errorf("the source in Shift_JIS: got %q", text)
		}
	})
	t.Run("narrow", func(t *testing.T) {
		b := openTab(t, browser, at)
		b.upload("old.html", fixture(t, "pages/old.html"), "base", "http://old.example/d/")
		b.size(360, 740)
		b.do(chromedp.Click(chromedp.CSS("#m40")))
		if in := value[bool](b,
			"(r => r.top >= 0 && r.top < innerHeight && r.bottom > 0)(document.querySelector('#r40 "+
				"a').getBoundingClientRect())"); !in || b.focus() != "r40 link" {
			t.Errorf("after a click on a mark on a narrow screen its row is not shown, and %q has the focus", b.focus())
		}
		for _, v := range pageViews(t) {
			b := openTab(t, browser, at)
			v.open(b)
			b.size(360, 740)
			if got := value[[]int](b,
				"[document.documentElement.scrollWidth, document.documentElement.clientWidth]"); got[0] > got[1] {
				t.Errorf("%s: 360 px wide the page is %d wide, so that it scrolls sideways", v.name, got[0])
			}
		}
	})
}

// pageOfMessage checks a message of several parts.
func pageOfMessage(b *tab) {
	b.upload("nested.mht", fixture(b.t, "mail/nested.mht"), "default-base", "http://default.example/")
	b.list(".box > h3", "5.1.4 Default of the application", "5.1.2 Encapsulating entity")
	b.shown(".counting > h3", "5.1.2 Encapsulating entity")
	b.shown(".counting > ul", `content-base "http://archive.example/2026/"that is http://archive.example/2026/`)
	b.leads(chromedp.Click(chromedp.CSS(".parts li:nth-child(2) a")))
	b.shown(".parts [aria-current]", "part 2.1text/html, 9 links")
	b.shown(".basis summary",
		"base: http://www.example.org/journal/issue5/articles/ from the BASE element of part 2.1")
	b.list(".box > h3", "5.1.4 Default of the application", "5.1.2 Encapsulating entity",
		"5.1.1 Embedded in the content")
	b.shown(".counting > h3", "5.1.1 Embedded in the content")
	b.shown(".counting > ul",
		"base-element of part 2.1 articles/that is http://www.example.org/journal/issue5/articles/")
	b.shown(".core", "part 2.1, text/html, 9 links")
	b.list(".figure .reason", "an inner layer gives the base", "an inner layer gives the base",
		"an inner layer gives the base", "an inner layer gives the base")
	b.list(".mark", "articles/", "/style.css", "cid:logo@example.org", "first.html",
		"second.html?page=2&amp;print=yes#top", "../../issue4/", "map.gif", "#notes", "mailto:editor@example.org")
	b.list(".written", "articles/", "/style.css", "cid:logo@example.org", "first.html",
		"second.html?page=2&print=yes#top", "../../issue4/", "map.gif", "#notes", "mailto:editor@example.org")
	b.list("#r6 td", "6", "../../issue4/http://www.example.org/journal/issue4/",
		"resolved", "nav: a hrefline 41 embedded")
	b.list(".status", "resolved", "resolved", "in-message", "resolved",
		"resolved", "resolved", "in-message", "same-document", "absolute")

	b.do(chromedp.Click(chromedp.CSS("#m3")))
	b.list(".now .written", "cid:logo@example.org")
	if got := b.focus(); got != "r3 link" {
		b.t.Errorf("after a click on a mark: %q has the focus, want the link of its row", got)
	}
	b.do(chromedp.Click(chromedp.CSS("#r8 a")))
	b.list(".mark.now", "#notes")
	if got := b.focus(); got != "m8" {
		b.t.Errorf("after a click on a row: %q has the focus, want its mark", got)
	}

	b.choose("kind", "res")
	b.list(".written", "/style.css", "cid:logo@example.org", "map.gif")
	b.list(".mark", "/style.css", "cid:logo@example.org", "map.gif")
	b.choose("status", "in-m")
	b.list(".written", "cid:logo@example.org", "map.gif")
	b.choose("host", "www")
	b.list(".written", "map.gif")
	b.leads(chromedp.Click(chromedp.CSS(".parts [aria-current]")))
	b.choose("sort", "by uri")
	b.list(".rows td:first-child", "3", "6", "1", "8", "4", "7", "5", "2", "9")

	b.leads(chromedp.Click(chromedp.CSS(".views a:nth-child(3)")))
	b.list(".diff .new b", "http://archive.example/2026/", "http://www.example.org",
		"http://www.example.org/journal/issue5/articles/", "http://www.example.org/journal/issue5/articles/",
		"http://www.example.org/journal", "http://www.example.org/journal",
		"http:", "http://www.example.org/journal/issue5/")
	link := value[string](b, "document.querySelector('a[download]').href")
	_, want, _ := runs(b.t, string(fixture(b.t, "mail/nested.mht")),
		"rewrite", "-q", "--default-base", "http://default.example/")
	if _, got := (request{method: http.MethodGet, url: link}).do(b.t); got != want {
		b.t.Errorf("the download has %d bytes, want the %d of absolink rewrite", len(got), len(want))
	}
}

// pageOfRules checks a page that the rule sets resolve differently.
func pageOfRules(b *tab) {
	b.upload("rules.html", []byte(rulesPage), "base", "http://a/b/c/d;p?q")
	b.leads(chromedp.Click(chromedp.CSS(".views a:nth-child(2)")))
	b.list(".rules th code", "g;x=1/../y", "?y", "http:g", "../../../g", "g?y/./x")
	b.list(".rules tr:nth-child(2) td code", "http://a/b/c/d;p?y", "http://a/b/c/d;p?y",
		"http://a/b/c/?y", "http://a/b/c/?y", "http://a/b/c/d;p?y")
	b.list(".rules tr:nth-child(2) .other code", "http://a/b/c/?y", "http://a/b/c/?y")
	b.do(chromedp.Click(chromedp.CSS(".settings summary")))
	b.do(chromedp.SendKeys(chromedp.CSS(".settings [name=rules]"), "rfc2396"))
	b.leads(chromedp.Click(chromedp.CSS(".settings button")))
	b.shown("#r3 .uri", "http://a/b/c/?y")
}

// pageOfMailbox turns the pages of a mailbox, and opens a message.
func pageOfMailbox(b *tab) {
	b.upload("list.mbox", fixture(b.t, "mbox/list.mbox"))
	b.shown("#views", "5 items")
	b.list(".items tbody a", "The June issue", "Re: The June issue", "Offers", "a page", "a parcel that lost its end")
	b.list(".items tbody td:last-child", "3", "1", "2", "1", "2")
	b.leads(chromedp.Click(chromedp.CSS(".items tr:nth-child(3) a")))
	b.shown("h1", "list.mbox 3")
	b.list(".mark", "http://shop.example/", "offers/june")
	b.list(".uri", "http://shop.example/", "http://shop.example/offers/june")
	var many strings.Builder
	for i := range 120 {
		fmt.Fprintf(&many,
			"From a@b Thu Jan  1 00:00:00 1970\nSubject: number %d\nContent-Type: text/html\n\n<a href=http://h/"+
				"%[1]d>\n\n", i+1)
	}
	b.upload("many.mbox", []byte(many.String()))
	b.leads(chromedp.Click(chromedp.CSS("[rel=next]")))
	b.leads(chromedp.Click(chromedp.CSS("[rel=next]")))
	b.shown(".pages span", "page 3 of 3")
	b.shown(".items tbody a", "number 101")
	b.leads(chromedp.Click(chromedp.CSS(".items tr:last-child a")))
	b.list(".mark", "http://h/120")
}

// pageByKeyboard does everything with keys only.
func pageByKeyboard(b *tab) {
	to := func(want string) {
		b.t.Helper()
		var seen []string
		for range 30 {
			if got := b.focus(); got == want {
				return
			} else {
				seen = append(seen, got)
			}
			b.do(chromedp.KeyEvent(kb.Tab))
		}
		b.t.Fatalf("Tab does not lead to %q, but to %q", want, seen)
	}
	key := func(keys, want string) {
		b.t.Helper()
		b.do(chromedp.KeyEvent(keys))
		if got := b.focus(); got != want {
			b.t.Errorf("after the key %q: %q has the focus, want %q", keys, got, want)
		}
	}
	b.open(b.at)
	to("file")
	to("text")
	b.do(chromedp.KeyEvent("<a href=one> <a href=two> <img src=three> <a href=four>"))
	to("Options")
	b.do(chromedp.KeyEvent(kb.Enter))
	to("base")
	b.do(chromedp.KeyEvent("http://keys.example/"))
	to("Show the links")
	b.leads(chromedp.KeyEvent(kb.Enter))
	b.list(".uri", "http://keys.example/one", "http://keys.example/two",
		"http://keys.example/three", "http://keys.example/four")
	to("base: http://keys.example/ from the option --base")
	b.do(chromedp.KeyEvent(kb.Enter))
	if shown := value[bool](b, "document.querySelector('.basis .box').checkVisibility()"); !shown {
		b.t.Error("Enter on the line of the base does not open the figure")
	}
	b.do(chromedp.KeyEvent(" "))
	if shown := value[bool](b, "document.querySelector('.basis .box').checkVisibility()"); shown {
		b.t.Error("the space bar on the line of the base does not close the figure")
	}
	to("r1 link")
	key(kb.ArrowDown, "r2 link")
	b.list(".mark.now", "two")
	key(kb.ArrowRight, "r3 link")
	key(kb.Enter, "m3")
	key(kb.ArrowDown, "m4")
	b.list(".now .written", "four")
	key(kb.ArrowDown, "m4")
	key(kb.Home, "m1")
	key(kb.End, "m4")
	key(kb.ArrowUp, "m3")
	key(kb.Enter, "r3 link")
	b.do(chromedp.KeyEvent(kb.Tab)) // to the source
	key(kb.Tab, "m3")
	to("Choose and sort")
	b.do(chromedp.KeyEvent(kb.Enter))
	to("kind")
	b.do(chromedp.KeyEvent("res")) // which leads nowhere until the button is pressed
	to("Choose")
	b.leads(chromedp.KeyEvent(kb.Enter))
	b.list(".written", "three")
}

// pageOfScripts shows a document that has scripts in every place that the page shows. If one of
// them ran, the tab would report it.
func pageOfScripts(b *tab) {
	const evil = `<script>alert(1)</script><img src=x onerror=alert(2)><svg onload=alert(3)>`
	const quoted = "&quot;&gt;&lt;script&gt;alert(4)&lt;/script&gt;&lt;img src=//evil.example/x onerror=alert(5)&gt;"
	page := `<base href="javascript:alert(6)//` + quoted + `"><title>` + evil + `</title><a href="` + quoted +
		`" rel="` + quoted + `">` + evil + `</a><a href="javascript:alert(7)">x</a><a href="data:text/html,` + quoted +
		`">y</a><a href="http://` + quoted + `/">z</a><iframe srcdoc="` + quoted + `"></iframe>` + evil +
		`<link rel=stylesheet href=http://evil.example/style.css><meta http-equiv=refresh content="0;url=http://evil.example/">`
	message := "From: " + evil + " <a@b.example>\nSubject: " + evil + "\nMessage-ID: <" + evil +
		"@x>\nContent-Base: http://h.example/" + evil + "\nContent-Location: " + evil + "\nList-Help: <http://h/" +
		evil + ">\nContent-Type: text/html; charset=\"" + evil + "\"\n\n" + page + "\n\n"
	name := `"><img src=x onerror=alert(8)>.html`
	look := func() {
		b.t.Helper()
		for _, view := range []string{"", "&view=rules", "&view=rewrite", "&sort=value",
			"&kind=%3Cscript%3Ealert(9)%3C/script%3E", "&host=%22onfocus=alert(9)%20autofocus%20"} {
			address, _, _ := strings.Cut(value[string](b, "location.href"), "&view")
			b.open(address + view)
			if n := value[int](b,
				"document.querySelectorAll('main script, main img, main svg, main iframe, main [onload], main "+
					"[onerror], main a[href^=javascript], main a[href^=data]').length"); n > 0 {
				b.t.Errorf("%s: the page has %d elements of the document", view, n)
			}
			if !strings.Contains(b.text("main"), "alert(") {
				b.t.Errorf("%s: nothing of the document is shown: %q", view, b.text("main"))
			}
		}
	}
	b.upload(name, []byte(page))
	look()
	b.upload(name, []byte(message))
	look()
	b.upload(name, []byte("From a@b Thu Jan  1 00:00:00 1970\n"+message+"From a@b Thu Jan  1 00:00:00 1970\n"+message))
	look()
	b.expectRefusal()
	b.open(value[string](b, "location.href") + "&base=" + url.QueryEscape(evil))
	b.open(b.at + "?error=" + url.QueryEscape(evil))
	b.do(chromedp.Sleep(100 * time.Millisecond)) // time for late loads
}

// pageByDrop gives documents by drop, as from the desktop, and by paste.
func pageByDrop(b *tab) {
	name := filepath.Join(b.t.TempDir(), "dropped.html")
	if err := os.WriteFile(name, []byte("<a href=http://dropped.example/>"), 0o600); err != nil {
		b.t.Fatal(err)
	}
	drop := func(selector string, data input.DragData) {
		b.t.Helper()
		data.DragOperationsMask = 1 // a copy
		place := value[[]float64](b,
			fmt.Sprintf("(r => [r.x + r.width / 2, r.y + Math.min(r.height / 2, "+
				"20)])(document.querySelector(%q).getBoundingClientRect())", selector))
		for _, kind := range []input.DispatchDragEventType{input.DispatchDragEventTypeDragEnter,
			input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop} {
			if _, err := chromedp.Call(b.ctx, input.DispatchDragEvent,
				input.DispatchDragEventParams{Type: kind, X: place[0], Y: place[1], Data: &data}); err != nil {
				b.t.Fatal(err)
			}
		}
		b.do(chromedp.Sleep(100 * time.Millisecond)) // time for a page that would go away
	}
	paste := func(selector, fill string) {
		b.t.Helper()
		b.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf("{ const data = new DataTransfer(); %s; "+
			"document.querySelector(%q).dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: "+
			"true, cancelable: true})); }", fill, selector)))
	}
	show := func(want string) {
		b.t.Helper()
		if status := b.leads(chromedp.Click(chromedp.CSS("form button"))); status >= 400 {
			b.t.Fatalf("got status %d: %s", status, b.text("main"))
		}
		b.list(".mark", want)
	}
	stays := func(want string) {
		b.t.Helper()
		if got := value[string](b, "location.href"); got != want {
			b.t.Fatalf("what was dropped led to %s, want %s", got, want)
		}
	}
	file := input.DragData{Files: []string{name}}
	for _, selector := range []string{"#drop", "[name=text]", "h1", ".figure"} {
		b.open(b.at)
		drop(selector, file)
		stays(b.at)
		show("http://dropped.example/")
		b.shown("h1", "dropped.html")
	}
	shown := value[string](b, "location.href")
	drop("h1", file) // a place that takes no document
	stays(shown)

	written := func(mime, data string) input.DragData {
		return input.DragData{Items: []*input.DragDataItem{{MimeType: mime, Data: data}}}
	}
	for _, selector := range []string{"#drop", "#file", "[name=text]", "h1"} {
		b.open(b.at)
		drop(selector, written("text/uri-list", "http://elsewhere.example/"))
		stays(b.at)
		b.open(b.at)
		drop(selector, written("text/plain", "<a href=http://text.example/>"))
		stays(b.at)
		show("http://text.example/")
	}
	shown = value[string](b, "location.href")
	drop("h1", written("text/uri-list", "http://elsewhere.example/"))
	stays(shown)

	const pastedFile = "data.items.add(new File(['<a href=http://clip.example/>'], 'clip.html', {type: 'text/html'}))"
	for _, selector := range []string{"body", "[name=text]"} {
		b.open(b.at)
		paste(selector, pastedFile+"; data.setData('text/plain', 'clip.html')")
		show("http://clip.example/")
		b.shown("h1", "clip.html")
	}
	b.open(b.at)
	paste("body", "data.setData('text/plain', '<a href=http://pasted.example/>')")
	show("http://pasted.example/")
	b.open(b.at)
	paste("body", pastedFile)
	paste("body", "data.setData('text/plain', '<a href=http://later.example/>')") // the last document counts
	show("http://later.example/")
	b.open(b.at)
	paste("[name=text]", pastedFile+"; data.setData('text/html', 'x'); data.setData('text/plain', 'x')")
	if n := value[int](b, "document.querySelector('#file').files.length"); n != 0 {
		b.t.Errorf("the picture that comes with text of an office program is taken as the document")
	}
}

// pageFirstScreen checks that the list of links begins on the first screen, for a message with many
// parts, on a desktop and on a phone.
func pageFirstScreen(b *tab) {
	for _, size := range [][2]int64{{1280, 800}, {360, 740}} {
		b.size(size[0], size[1])
		b.upload("nested.mht", fixture(b.t, "mail/nested.mht"), "default-base", "http://default.example/")
		b.leads(chromedp.Click(chromedp.CSS(".parts li:nth-child(2) a")))
		b.open(strings.TrimSuffix(value[string](b, "location.href"), "#views"))
		for _, selector := range []string{".parts", ".basis summary", ".views", "#r1", "#r2"} {
			end := value[float64](b,
				fmt.Sprintf("document.querySelector(%q).getBoundingClientRect().bottom + scrollY", selector))
			if end > float64(size[1]) {
				b.t.Errorf("%d x %d: %s ends at %.0f px, below the first screen", size[0], size[1], selector, end)
			}
		}
		if open := b.all("main details[open]"); len(open) > 0 {
			b.t.Errorf("%d x %d: these are open: %q", size[0], size[1], open)
		}
	}
}

// pageOfSamples loads each sample with one click, in both themes.
func pageOfSamples(b *tab) {
	for i, want := range []struct{ name, base, link string }{
		{"page.html", "base: http://www.example.org/journal/issue5/articles/ from the BASE element",
			"http://www.example.org/journal/issue5/articles/lighthouses.html"},
		{"mail.eml", "base: https://www.example.org/journal/issue5/ from Content-Base of part 2",
			"https://www.example.org/journal/issue5/articles/lighthouses.html?from=mail&utm_source=news"},
		{"page.mht", "base: http://www.example.org/journal/issue5/index.html from Content-Location of part 1",
			"http://www.example.org/journal/issue5/articles/lighthouses.html"},
	} {
		b.open(b.at)
		b.leads(chromedp.Click(chromedp.CSS(fmt.Sprintf(".samples button:nth-of-type(%d)", i+1))))
		b.shown("h1", want.name)
		if want.name == "mail.eml" {
			b.list(".parts a", "part 1text/plain, 2 links", "part 2text/html, 4 links", "header2 links",
				"header of part 21 link")
			b.leads(chromedp.Click(chromedp.CSS(".parts li:nth-child(2) a")))
		}
		b.shown(".basis summary", want.base)
		if all := b.all(".uri"); !slices.Contains(all, want.link) {
			b.t.Errorf("%s: got the links %q, want also %s", want.name, all, want.link)
		}
	}
}

// pageOfRemarks checks that only damage is a problem: other remarks are notes.
func pageOfRemarks(b *tab) {
	b.upload("note.html", []byte("<base href=http://a.example/><base href=http://b.example/><a href=x>"))
	b.list(".title a", "1 note")
	b.shown(".notes h2", "Notes")
	b.list(".problems")
	b.upload("cut.eml", []byte("Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n"+
		"Content-Transfer-Encoding: base64\n\n####\n"))
	b.shown(".problems h2", "Problems")
	b.do(chromedp.Click(chromedp.CSS(".title a")))
	b.upload("good.html", []byte("<a href=http://a.example/>"))
	b.list(".problems, .notes, .title a")
}

// pageInThemes checks that the page is dark if the system is.
func pageInThemes(b *tab) {
	b.upload("old.html", fixture(b.t, "pages/old.html"), "base", "http://old.example/d/")
	for scheme, want := range map[string][2]string{"light": {"rgb(250, 250, 247)", "rgb(28, 33, 38)"},
		"dark": {"rgb(20, 23, 26)", "rgb(230, 232, 234)"}} {
		b.scheme(scheme)
		got := value[[2]string](b,
			"(s => [s.backgroundColor, s.color])(getComputedStyle(document.body))")
		if got != want {
			b.t.Errorf("%s: got the colours %q, want %q", scheme, got, want)
		}
	}
}

// pageWithoutScript does everything in a browser that runs no scripts.
func pageWithoutScript(b *tab) {
	if _, err := chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		b.t.Fatal(err)
	}
	b.upload("nested.mht", fixture(b.t, "mail/nested.mht"), "default-base", "http://default.example/")
	if value[bool](b, "document.documentElement.classList.contains('scripted')") {
		b.t.Fatal("the script was run")
	}
	b.leads(chromedp.Click(chromedp.CSS(".parts li:nth-child(2) a")))
	b.shown(".basis code", "http://www.example.org/journal/issue5/articles/")
	b.do(chromedp.Click(chromedp.CSS("#m6")))
	b.shown("tr:target .written", "../../issue4/")
	b.do(chromedp.Click(chromedp.CSS("#r4 a")))
	b.shown(".mark:target", "first.html")
	b.unfold(".choice")
	b.do(chromedp.SendKeys(chromedp.CSS(".filter [name=kind]"), "nav"),
		chromedp.SendKeys(chromedp.CSS(".filter [name=sort]"), "by uri"))
	b.leads(chromedp.Click(chromedp.CSS(".filter button")))
	b.list(".written", "../../issue4/", "#notes", "first.html",
		"second.html?page=2&print=yes#top", "mailto:editor@example.org")
	b.leads(chromedp.Click(chromedp.CSS(".views a:nth-child(3)")))
	if n := value[int](b, "document.querySelectorAll('.diff .new').length"); n < 7 {
		b.t.Errorf("the diff has %d new lines, want at least 7", n)
	}
	b.open(b.at)
	b.do(chromedp.SendKeys(chromedp.CSS("[name=text]"), "<a href=http://pasted.example/>"))
	b.leads(chromedp.Click(chromedp.CSS("form button")))
	b.list(".mark", "http://pasted.example/")
}

// TestPageByAxe lets axe-core check every view, in light and dark, and a report. It must find no
// accessibility problem. ABSOLINK_AXE names the script of axe-core.
func TestPageByAxe(t *testing.T) {
	name := os.Getenv("ABSOLINK_AXE")
	if name == "" {
		t.Skip("ABSOLINK_AXE is not set: it names axe.min.js of axe-core (npm install axe-core)")
	}
	script, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	browser, at := chromium.Start(t), startService(t)
	report := filepath.Join(t.TempDir(), "report.html")
	writeReport(t, report)
	checked := 0
	static := startStatic(t, staticSite(t))
	views := append(pageViews(t), pageView{"report", func(b *tab) { b.open("file://" + report) }},
		pageView{"without a server", func(b *tab) {
			b.from(static)
			b.openStatic()
			b.do(chromedp.Click(chromedp.CSS(".samples button")), chromedp.Click(chromedp.CSS(".basis summary")))
		}})
	for _, v := range views {
		b := openTab(t, browser, at)
		v.open(b)
		b.do(chromedp.Evaluate[chromedp.Void](string(script)))
		for _, width := range []int64{1280, 360} {
			for _, scheme := range []string{"light", "dark"} {
				if width == 360 && scheme == "dark" {
					continue // colours and sizes are the same as before
				}
				b.size(width, 800)
				b.scheme(scheme)
				found, err := chromedp.Run(b.ctx, chromedp.Evaluate[axeResult](axeScript, chromedp.EvalAwaitPromise))
				if err != nil {
					t.Fatalf("%s: %v", v.name, err)
				}
				checked += found.Passes
				for _, text := range found.Violations {
					t.Errorf("%s, %d px, %s: %s", v.name, width, scheme, text)
				}
			}
		}
	}
	if checked < 500 {
		t.Errorf("axe-core says of %d rules that they hold, want at least 500", checked)
	}
}

// axeResult is the number of rules that hold, and the places where others fail.
type axeResult struct {
	Passes     int
	Violations []string
}

const axeScript = `axe.run({runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}).then(r => ({Passes: r.passes.length,
	Violations: r.violations.flatMap(v => v.nodes.map(n => v.id + ": " + v.help + ": " + n.html.slice(0, 200) + " " + n.failureSummary))}))`

// writeReport writes the page of a report that contains every kind of content.
func writeReport(t *testing.T, name string) {
	t.Helper()
	dir := t.TempDir()
	lines, records := filepath.Join(dir, "run.jsonl"), filepath.Join(dir, "links.jsonl")
	inputs := []string{repository + "testdata/mail", repository + "testdata/mbox/list.mbox",
		repository + "testdata/pages", repository + "testdata/corpus/warc/plain.warc"}
	_, out, _ := runs(t, "",
		append([]string{"extract", "-q", "--format", "jsonl", "--report",
			lines, "--default-base", "http://default.example/"}, inputs...)...)
	if err := os.WriteFile(records, []byte(out), 0o600); err != nil {
		t.Fatal(err)
	}
	ran(t, "report", "-o", name, "--records", records, lines)
}

// README.md shows a picture of the page: of a message in a message, with one link selected.
// -update-picture takes it again.
func TestReadmePicture(t *testing.T) {
	const name = "testdata/page.png"
	if *updatePicture {
		b := openTab(t, chromium.Start(t), startService(t))
		b.size(1080, 900)
		b.scheme("light")
		b.upload("nested.mht", fixture(t, "mail/nested.mht"), "default-base", "http://default.example/")
		b.leads(chromedp.Click(chromedp.CSS(".parts li:nth-child(2) a")))
		b.do(chromedp.Click(chromedp.CSS("#r5 td:nth-child(2)")))
		height := value[int](b,
			`Math.ceil(scrollY + document.getElementById("r5").getBoundingClientRect().bottom) + 12`)
		taken, err := png.Decode(bytes.NewReader(b.picture()))
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out,
			fewColours(taken, height)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(repository+name, out.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	readme, err := os.ReadFile(repository + "README.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), "]("+name+")") {
		t.Errorf("README.md does not show %s", name)
	}
	data, err := os.ReadFile(repository + name)
	if err != nil {
		t.Fatal(err)
	}
	if config, err := png.DecodeConfig(bytes.NewReader(data)); err != nil ||
		config.Width != 1080 || len(data) > 150<<10 {
		t.Errorf("%s: %v, %d px wide and %d bytes, want 1080 px and at most 150 KB", name, err, config.Width, len(data))
	}
}

// fewColours returns the upper part of a picture in its 64 most frequent colours.
func fewColours(from image.Image, height int) image.Image {
	counts := map[color.RGBA]int{}
	size := from.Bounds()
	size.Max.Y = min(size.Max.Y, height)
	at := func(x, y int) color.RGBA { return color.RGBAModel.Convert(from.At(x, y)).(color.RGBA) }
	for y := size.Min.Y; y < size.Max.Y; y++ {
		for x := size.Min.X; x < size.Max.X; x++ {
			counts[at(x, y)]++
		}
	}
	colours := slices.SortedFunc(maps.Keys(counts), func(a, b color.RGBA) int {
		return cmp.Or(counts[b]-counts[a], int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B))
	})
	var palette color.Palette
	for _, c := range colours[:min(len(colours), 64)] {
		palette = append(palette, c)
	}
	to, nearest := image.NewPaletted(size, palette), map[color.RGBA]uint8{}
	for y := size.Min.Y; y < size.Max.Y; y++ {
		for x := size.Min.X; x < size.Max.X; x++ {
			c := at(x, y)
			if _, known := nearest[c]; !known {
				nearest[c] = uint8(palette.Index(c))
			}
			to.SetColorIndex(x, y, nearest[c])
		}
	}
	return to
}

// TestPagePictures writes pictures of all views, on the screen and on paper, for people to look at.
func TestPagePictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("no -pictures DIR was given: nobody wants to look")
	}
	browser, at := chromium.Start(t), startService(t)
	report := filepath.Join(t.TempDir(), "report.html")
	writeReport(t, report)
	for _, v := range append(pageViews(t), pageView{"report", func(b *tab) { b.open("file://" + report) }}) {
		b := openTab(t, browser, at)
		v.open(b)
		take := func(name string) {
			if err := os.WriteFile(filepath.Join(*pictures, v.name+"-"+name+".png"), b.picture(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		for _, width := range []int64{1280, 360} {
			for _, scheme := range []string{"light", "dark"} {
				b.size(width, 800)
				b.scheme(scheme)
				take(fmt.Sprintf("%d-%s", width, scheme))
			}
		}
		b.size(794, 1123) // A4
		b.emulate(emulation.SetEmulatedMediaParams{Media: "print",
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}})
		take("paper")
	}
}
