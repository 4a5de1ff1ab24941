package main

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"os"
	"strings"
	"testing"
)

// uploaded sends a document to the page, and returns the address and text of what is shown.
func uploaded(t *testing.T, at string, data []byte, fields ...string) (string, string) {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for i := 0; i+1 < len(fields); i += 2 {
		form.WriteField(fields[i], fields[i+1])
	}
	file, _ := form.CreateFormFile("file", "document")
	file.Write(data)
	form.Close()
	answer, text := request{url: at + "document", body: &body, header: http.Header{"Content-Type": {form.FormDataContentType()}}}.do(t)
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("upload: %s %s", answer.Status, text)
	}
	return answer.Request.URL.String(), text
}

// The page of a message has the figure, marks and rows; the download is what rewrite writes.
func TestPage(t *testing.T) {
	at := startService(t)
	data, err := os.ReadFile(repository + "testdata/mail/nested.mht")
	if err != nil {
		t.Fatal(err)
	}
	shown, text := uploaded(t, at, data, "default-base", "http://e.example/")
	for _, want := range []string{`<span>5.1.1</span>`, `<span>5.1.4</span>`, `class="counts">gives the base`, `id="m1" href="#r1"`, `<tr id="r1"`, `href="#m1"`, "not kept"} {
		if strings.Contains(text, want) == (want == "not kept") {
			t.Errorf("the page of a message: %q is amiss:\n%.3000s", want, text)
		}
	}
	_, want, _ := runs(t, string(data), "rewrite", "-q", "--default-base", "http://e.example/")
	if _, got := (request{method: http.MethodGet, url: strings.Replace(shown, "/?", "/download?", 1)}).do(t); got != want {
		t.Errorf("the download has %d bytes, want the %d of rewrite", len(got), len(want))
	}
	if _, text := (request{method: http.MethodGet, url: shown + "&view=rewrite"}).do(t); !strings.Contains(text, `class="new">&#43;`) {
		t.Errorf("the view of the rewriting has no line that is new: %.2000s", text)
	}
	page, _ := uploaded(t, at, []byte("<a href='g;x=1/../y?q/../#s'><a href=http:g>"), "base", "http://a/b/c/d;p?q")
	if _, rules := (request{method: http.MethodGet, url: page + "&view=rules"}).do(t); !strings.Contains(rules, "draft-00e") || !strings.Contains(rules, "<code>http:g</code>") {
		t.Errorf("the rule sets do not differ on http:g: %.3000s", rules)
	}
	if answer, _ := (request{method: http.MethodGet, url: at + "document/" + strings.Repeat("0", 32) + "/"}).do(t); answer.StatusCode != http.StatusNotFound {
		t.Errorf("a document that nobody uploaded: got %s, want 404", answer.Status)
	}
}

// A mailbox has a list of its messages, each of which opens like a document.
func TestPageMailbox(t *testing.T) {
	at := startService(t)
	const from = "From a@b Thu Jan  1 00:00:00 1970\n"
	shown, text := uploaded(t, at, []byte(from+"Subject: first one\nContent-Type: text/html\n\n<a href=x>\n\n"+from+"Subject: second one\nContent-Type: text/html\n\n<a href=y>\n"), "default-base", "http://e.example/")
	if !strings.Contains(text, "first one") || !strings.Contains(text, "2 items") {
		t.Fatalf("the list of a mailbox: %.3000s", text)
	}
	answer, text := request{method: http.MethodGet, url: strings.Replace(shown, "/?", "/item/2?", 1)}.do(t)
	if answer.StatusCode != http.StatusOK || !strings.Contains(text, "http://e.example/<wbr>y") {
		t.Errorf("the second message: %s %.3000s", answer.Status, text)
	}
}

// What a document says is text on the page, wherever it is shown.
func TestPageShowsText(t *testing.T) {
	at := startService(t)
	const evil = `<script>alert(1)</script>`
	_, text := uploaded(t, at, []byte(`<base href='"><script>alert(1)</script>'><a href='"><script>alert(1)</script>' rel='`+evil+`'>`+evil+`</a>`))
	if strings.Contains(text, "<script>alert") {
		t.Errorf("a script of the document stands in the page: %s", text)
	}
	if !strings.Contains(text, "&lt;script&gt;alert") {
		t.Errorf("the page does not show the document: %s", text)
	}
}
