package e2e

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"absolink/cmd/absolink/internal/command"
	"absolink/cmd/absolink/internal/serve"
	"absolink/testdata/effort"
)

// filledIn returns the form with a file and other fields as a browser sends it, and its media type.
func filledIn(name string, data []byte, fields ...string) (io.Reader, string) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for i := 0; i+1 < len(fields); i += 2 {
		form.WriteField(fields[i], fields[i+1])
	}
	file, _ := form.CreateFormFile("file", name)
	file.Write(data)
	form.Close()
	return &body, form.FormDataContentType()
}

// uploaded sends a document to the page, and returns the address and the text of the resulting
// page.
func uploaded(t *testing.T, at string, data []byte, fields ...string) (string, string) {
	t.Helper()
	body, media := filledIn("document", data, fields...)
	answer, text := request{url: at + "document", body: body, header: http.Header{"Content-Type": {media}}}.do(t)
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("upload: %s %s", answer.Status, text)
	}
	return answer.Request.URL.String(), text
}

// The page of a message has the figure, marks and rows. The download is the output of rewrite.
func TestPage(t *testing.T) {
	at := startService(t)
	data, err := os.ReadFile(repository + "testdata/mail/nested.mht")
	if err != nil {
		t.Fatal(err)
	}
	shown, text := uploaded(t, at, data, "default-base", "http://e.example/")
	for _, want := range []string{`<span>5.1.2</span>`, `<span>5.1.4</span>`,
		`class="counts">gives the base`, `id="m1" href="#r1"`, `<tr id="r1"`, `href="#m1"`, "not kept"} {
		if strings.Contains(text, want) == (want == "not kept") {
			t.Errorf("the page of a message: %q is amiss:\n%.3000s", want, text)
		}
	}
	_, want, _ := runs(t, string(data), "rewrite", "-q", "--default-base", "http://e.example/")
	if _, got := (request{method: http.MethodGet,
		url: strings.Replace(shown, "/?", "/download?", 1)}).do(t); got != want {
		t.Errorf("the download has %d bytes, want the %d of rewrite", len(got), len(want))
	}
	if _, text := (request{method: http.MethodGet, url: shown + "&view=rewrite"}).do(t); !strings.Contains(text,
		`class="new">&#43;`) {
		t.Errorf("the view of the rewriting has no line that is new: %.2000s", text)
	}
	page, _ := uploaded(t, at, []byte("<a href='g;x=1/../y?q/../#s'><a href=http:g>"), "base", "http://a/b/c/d;p?q")
	if _, rules := (request{method: http.MethodGet, url: page + "&view=rules"}).do(t); !strings.Contains(rules,
		"draft-00e") || !strings.Contains(rules, "<code>http:g</code>") {
		t.Errorf("the rule sets do not differ on http:g: %.3000s", rules)
	}
	if answer, _ := (request{method: http.MethodGet,
		url: at + "document/" + strings.Repeat("0", 32) + "/"}).do(t); answer.StatusCode != http.StatusNotFound {
		t.Errorf("a document that nobody uploaded: got %s, want 404", answer.Status)
	}
}

// A mailbox has a list of its messages, each of which opens like a document.
func TestPageMailbox(t *testing.T) {
	at := startService(t)
	const from = "From a@b Thu Jan  1 00:00:00 1970\n"
	shown, text := uploaded(t, at,
		[]byte(from+"Subject: first one\nContent-Type: text/html\n\n<a href=x>\n\n"+from+
			"Subject: second one\nContent-Type: text/html\n\n<a href=y>\n"), "default-base", "http://e.example/")
	if !strings.Contains(text, "first one") || !strings.Contains(text, "2 items") {
		t.Fatalf("the list of a mailbox: %.3000s", text)
	}
	answer, text := request{method: http.MethodGet, url: strings.Replace(shown, "/?", "/item/2?", 1)}.do(t)
	if answer.StatusCode != http.StatusOK || !strings.Contains(text, "http://e.example/<wbr>y") {
		t.Errorf("the second message: %s %.3000s", answer.Status, text)
	}
}

// Text of a document is shown as text on the page, wherever it appears.
func TestPageShowsText(t *testing.T) {
	at := startService(t)
	const evil = `<script>alert(1)</script>`
	_, text := uploaded(t, at,
		[]byte(`<base href='"><script>alert(1)</script>'><a href='"><script>alert(1)</script>' rel='`+
			evil+`'>`+evil+`</a>`))
	if strings.Contains(text, "<script>alert") {
		t.Errorf("a script of the document stands in the page: %s", text)
	}
	if !strings.Contains(text, "&lt;script&gt;alert") {
		t.Errorf("the page does not show the document: %s", text)
	}
}

// For a page of 10 MB with 100,000 links, and for a page with a long base, the service sends some
// hundred rows and 200 KB of source at a time. All links are counted and can be reached.
func TestPageLarge(t *testing.T) {
	effort.Only(t)
	at := startService(t)
	filler := strings.Repeat("x", 70)
	var page, wide bytes.Buffer
	const many, few = 100_000, 2000
	for i := range many {
		fmt.Fprintf(&page, "<a href=p/%d>%s</a> %d\n", i, filler, i)
	}
	wide.WriteString("<base href=http://h/" + strings.Repeat("b", 8000) + "/>")
	for i := range few {
		fmt.Fprintf(&wide, "<a href=%d><img src='data:image/png,%s'>", i, strings.Repeat("A", 4000))
	}
	for _, tt := range []struct {
		name  string
		data  []byte
		links int
	}{{"many links", page.Bytes(), many}, {"long links", wide.Bytes(), 2*few + 1}} {
		shown, text := uploaded(t, at, tt.data, "base", "http://h.example/")
		if !strings.Contains(text, fmt.Sprintf("<h2>%d links</h2>", tt.links)) {
			t.Errorf("%s: the page does not count %d links: %.500s",
				tt.name, tt.links, text[strings.Index(text, "views"):])
		}
		last := fmt.Sprintf("&page=%d", (tt.links-1)/100)
		for _, view := range []string{"", last, last + "&sort=uri",
			"&kind=nav&host=h.example", "&view=rules", "&view=rewrite"} {
			began := time.Now()
			answer, text := request{method: http.MethodGet, url: shown + view}.do(t)
			took := time.Since(began)
			rows, source := strings.Count(text, "<tr"), sourceOf(t, text)
			if answer.StatusCode != http.StatusOK || rows > 201 || source > 210<<10 || len(text) > 1<<20 {
				t.Errorf("%s, %s: got status %d, %d rows, %d bytes of source and %d in all, want at most 201 rows, "+
					"200 KB and 1 MB", tt.name, view, answer.StatusCode, rows, source, len(text))
			}
			if strings.HasPrefix(view, last) && rows != (tt.links-1)%100+2 {
				t.Errorf("%s, %s: got %d rows, want the %d that are left and their head",
					tt.name, view, rows, (tt.links-1)%100+1)
			}
			t.Logf("%s %q: %d rows, %d bytes of source, %d in all, %v", tt.name,
				view, rows, source, len(text), took.Round(time.Millisecond))
		}
	}
}

// sourceOf returns the number of bytes of text in the panes of source and differences.
func sourceOf(t *testing.T, page string) (n int) {
	t.Helper()
	within := false
	for z := html.NewTokenizer(strings.NewReader(page)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return n
		case html.StartTagToken, html.EndTagToken:
			if token := z.Token(); token.Data == "pre" {
				within = token.Type == html.StartTagToken
			}
		case html.TextToken:
			if within {
				n += len(z.Token().Data)
			}
		}
	}
}

// At most --keep-size bytes of uploads are kept: the oldest upload is removed first.
func TestPageKeepSize(t *testing.T) {
	at := startService(t, "--keep-size", "1K")
	page := []byte("<a href=x>" + strings.Repeat(" ", 500))
	var shown []string
	for range 3 {
		address, _ := uploaded(t, at, page)
		shown = append(shown, address)
	}
	for i, want := range []int{http.StatusNotFound, http.StatusOK, http.StatusOK} {
		if answer, text := (request{method: http.MethodGet, url: shown[i]}).do(t); answer.StatusCode != want ||
			want == http.StatusNotFound && !strings.Contains(text, "no longer kept") {
			t.Errorf("document %d of 3 with room for 2: got %s, want %d", i+1, answer.Status, want)
		}
	}
}

// An upload larger than --max-size is refused with the limit, and none of it is kept.
func TestPageTooLarge(t *testing.T) {
	at := startService(t, "--max-size", "1K")
	body, media := filledIn("document", make([]byte, 2000))
	answer, text := request{url: at + "document", body: body, header: http.Header{"Content-Type": {media}}}.do(t)
	if answer.StatusCode != http.StatusRequestEntityTooLarge ||
		!strings.Contains(text, "more than the 1.0 KB that --max-size allows") {
		t.Errorf("an upload of 2,000 bytes: got %s %.500s, want 413 with the limit", answer.Status, text)
	}
}

// fuzzedViews lists the pages of a document, with a place for their parameters.
var fuzzedViews = []string{"?%s", "?%s&view=rules", "?%s&view=rewrite", "item/1?%s"}

// free is a server that always has a place.
type free struct{}

func (free) WithWorker(ctx context.Context, f func(context.Context) error) error { return f(ctx) }
func (free) Count(*serve.Result)                                                 {}

// For any document and parameters, the pages have only the elements and attributes of the program,
// links within the service, and marks and rows that link to each other.
func FuzzPage(f *testing.F) {
	for _, name := range []string{"mail/nested.mht", "mail/iso2022jp.eml",
		"mail/control.eml", "mbox/list.mbox", "corpus/warc/plain.warc"} {
		data, err := os.ReadFile(repository + "testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		for view := range fuzzedViews {
			f.Add(data, name, "default-base=http://e.example/", uint8(view))
		}
	}
	f.Add(shiftJIS, "x", "base=http://e.example/&rules=rfc2396&sort=uri&page=1", uint8(1))
	f.Add([]byte(rulesPage), "<b>",
		"kind=nav&status=resolved&host=e&doc=3&lazy=true&to=relative&map=http://a/=http://b/", uint8(2))
	f.Add([]byte("\xff\xfe<\x00a\x00 \x00h\x00r\x00e\x00f\x00=\x00x\x00>\x00"),
		"utf-16", "scripts=true&comments=true", uint8(0))
	f.Add([]byte("<iframe srcdoc='<a href=x>&lt;a href=y&gt;'></iframe><a href=''><base href='javascript:x'>"),
		"", "type=html", uint8(0))
	pages := http.NewServeMux()
	command.Pages(1<<20, 1<<20, free{}).Add(pages)
	f.Fuzz(func(t *testing.T, data []byte, name, query string, view uint8) {
		body, media := filledIn(name, data)
		r := httptest.NewRequest(http.MethodPost, "/document", body)
		r.Header.Set("Content-Type", media)
		w := httptest.NewRecorder()
		pages.ServeHTTP(w, r)
		if w.Code != http.StatusSeeOther {
			onlyOurs(t, w)
			return
		}
		at, _, _ := strings.Cut(w.Header().Get("Location"), "?")
		parameters, _ := url.ParseQuery(query)
		path := fmt.Sprintf(fuzzedViews[int(view)%len(fuzzedViews)], parameters.Encode())
		w = httptest.NewRecorder()
		pages.ServeHTTP(w, httptest.NewRequest(http.MethodGet, at+path, nil))
		if w.Code == http.StatusSeeOther {
			next := w.Header().Get("Location")
			w = httptest.NewRecorder()
			pages.ServeHTTP(w, httptest.NewRequest(http.MethodGet, next, nil))
		}
		onlyOurs(t, w)
	})
}

// Elements and attributes of the pages.
var (
	pageElements = strings.Fields("a b body button code details div fieldset form h1 h2 h3 head header html i img " +
		"input label legend li link main meta nav option p pre script section select small span summary table tbody " +
		"td textarea th thead title tr ul wbr")
	pageAttributes = strings.Fields("action alt aria-current aria-hidden aria-label aria-labelledby charset checked " +
		"class content defer download enctype for height href id lang method name open placeholder rel role rows " +
		"scope selected spellcheck src tabindex type value width")
)

// onlyOurs checks that a page has only elements and attributes of the program.
func onlyOurs(t *testing.T, w *httptest.ResponseRecorder) {
	t.Helper()
	if !slices.Contains([]int{http.StatusOK, http.StatusBadRequest, http.StatusNotFound,
		http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity}, w.Code) {
		t.Errorf("got status %d", w.Code)
	}
	text := w.Body.String()
	if !strings.HasSuffix(text, "</html>\n") {
		t.Errorf("the page ends before its end: %q", text[max(0, len(text)-200):])
	}
	ids, links := map[string]bool{}, []string{}
	scripts := 0
	for z := html.NewTokenizer(strings.NewReader(text)); ; {
		kind := z.Next()
		if kind == html.ErrorToken {
			break
		}
		token := z.Token()
		if kind == html.CommentToken ||
			kind != html.TextToken && kind != html.DoctypeToken && !slices.Contains(pageElements, token.Data) {
			t.Errorf("the page has %s, which no page has", token)
		}
		if kind == html.StartTagToken && token.Data == "script" {
			scripts++
		}
		for _, a := range token.Attr {
			switch {
			case !slices.Contains(pageAttributes, a.Key):
				t.Errorf("the page has %s with an attribute that the templates have not", token)
			case a.Key == "id" && ids[a.Val]:
				t.Errorf("the page has two elements with the id %q", a.Val)
			case a.Key == "id":
				ids[a.Val] = true
			case a.Key == "href" && strings.HasPrefix(a.Val, "#"):
				links = append(links, a.Val[1:])
			case a.Key == "href" && strings.Trim(a.Val[:min(len(a.Val), 1)], "/?") != "" &&
				!strings.HasPrefix(a.Val, "item/") && !strings.HasPrefix(a.Val, "download?") ||
				strings.HasPrefix(a.Val, "//") && a.Key == "href":
				t.Errorf("the page has %s, which leads elsewhere", token)
			}
		}
	}
	for _, id := range links {
		if !ids[id] {
			t.Errorf("a link leads to #%s, which is not there", id)
		}
	}
	if scripts != 1 {
		t.Errorf("the page has %d scripts, want its own", scripts)
	}
}

// If a message may not be edited, the page says why.
func TestPageUnwritten(t *testing.T) {
	at := startService(t)
	signed, err := os.ReadFile(repository + "testdata/mail/smimesigned.eml")
	if err != nil {
		t.Fatal(err)
	}
	shown, _ := uploaded(t, at, signed, "default-base", "http://e.example/")
	if _, text := (request{method: http.MethodGet, url: shown + "&view=rewrite"}).do(t); !strings.Contains(text,
		`class="error">Not everything may be rewritten: `) || strings.Contains(text, "stays as it is") {
		t.Errorf("the rewriting of a signed message: %s", text[strings.Index(text, "What rewriting"):])
	}
}
