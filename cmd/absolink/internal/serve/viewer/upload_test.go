package viewer

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// field is a field of a form. If file is not empty, the field is a file with this name.
type field struct{ name, file, text string }

// post sends a form to p and returns the answer. The body of the request ends after size bytes, if
// size is not 0.
func post(t *testing.T, p *Pages, size int, fields ...field) *httptest.ResponseRecorder {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for _, f := range fields {
		part, err := form.CreateFormField(f.name)
		if f.file != "" {
			part, err = form.CreateFormFile(f.name, f.file)
		}
		if err != nil {
			t.Fatal(err)
		}
		part.Write([]byte(f.text))
	}
	form.Close()
	if size > 0 {
		body.Truncate(size)
	}
	r := httptest.NewRequest(http.MethodPost, "/document", &body)
	r.Header.Set("Content-Type", form.FormDataContentType())
	w := httptest.NewRecorder()
	p.upload(w, r)
	return w
}

// The document of a form is kept, and its options become part of the address of the page.
func TestForm(t *testing.T) {
	full := strings.Repeat("x", 100)
	for _, tt := range []struct {
		name           string
		fields         []field
		content, title string // of the upload that is kept
		query          string
	}{
		{"a file", []field{{"file", "a.html", "<a>"}}, "<a>", "a.html", ""},
		{"a text", []field{{"text", "", "<a>"}}, "<a>", "pasted text", ""},
		{"both", []field{{"text", "", "<a>"}, {"file", "b", "<b>"}}, "<b>", "b", ""},
		{"a file of the largest size", []field{{"file", "a", full}}, full, "a", ""},
		{"options", []field{{"base", "", " http://h.test/ "}, {"text", "", "<a>"}, {"unknown", "", "x"}},
			"<a>", "pasted text", "base=http%3A%2F%2Fh.test%2F"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := New(&Options{MaxSize: 100})
			w := post(t, p, 0, tt.fields...)
			to, err := url.Parse(w.Header().Get("Location"))
			if w.Code != http.StatusSeeOther || err != nil || to.RawQuery != tt.query {
				t.Fatalf("got %d, Location %v (%v), want the query %q", w.Code, to, err, tt.query)
			}
			u := p.store.acquire(strings.Split(to.Path, "/")[2])
			if u == nil {
				t.Fatal("the document is not kept")
			}
			defer p.store.release(u)
			content := make([]byte, u.Size)
			if _, err := u.At.ReadAt(content, 0); err != nil || string(content) != tt.content || u.name != tt.title {
				t.Errorf("kept: %q with the name %q (%v), want %q and %q", content, u.name, err, tt.content, tt.title)
			}
		})
	}
}

// A refusal says why, with the status of the reason, and nothing is kept.
func TestFormRefused(t *testing.T) {
	long := strings.Repeat("x", maxOption+1)
	many := slices.Repeat([]field{{"base", "", "http://h.test/"}}, maxFields+1)
	for _, tt := range []struct {
		name   string
		fields []field
		size   int // of the body that arrives; 0 means all of it
		status int
		says   string
	}{
		{"an empty text", []field{{"text", "", ""}}, 0, http.StatusUnprocessableEntity, "Choose a file"},
		{"nothing", nil, 0, http.StatusUnprocessableEntity, "Choose a file"},
		{"two texts", []field{{"text", "", "a"}, {"text", "", "b"}}, 0, http.StatusBadRequest, "more than one"},
		{"two files", []field{{"file", "a", "a"}, {"file", "b", "b"}}, 0, http.StatusBadRequest, "more than one"},
		{"a large file", []field{{"file", "a", long[:101]}}, 0, http.StatusRequestEntityTooLarge, "--max-size"},
		{"a long option", []field{{"base", "", long}}, 0, http.StatusBadRequest, "8,192 bytes"},
		{"many fields", many, 0, http.StatusBadRequest, "too many fields"},
		{"a cut form", []field{{"text", "", long[:90]}}, 150, http.StatusBadRequest, "too early"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := New(&Options{MaxSize: 100})
			w := post(t, p, tt.size, tt.fields...)
			if w.Code != tt.status || !strings.Contains(w.Body.String(), tt.says) {
				t.Errorf("got %d and %.400s, want %d and %q", w.Code, w.Body, tt.status, tt.says)
			}
			if n := len(p.store.list); n != 0 {
				t.Errorf("%d documents are kept", n)
			}
		})
	}
}

// A request that is no form is refused.
func TestNoForm(t *testing.T) {
	w := httptest.NewRecorder()
	New(&Options{MaxSize: 100}).upload(w, httptest.NewRequest(http.MethodPost, "/document", strings.NewReader("x")))
	if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "could not be read") {
		t.Errorf("got %d and %.400s, want 400", w.Code, w.Body)
	}
}
