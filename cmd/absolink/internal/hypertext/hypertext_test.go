package hypertext_test

import (
	"errors"
	"html/template"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/hypertext"
)

func TestPut(t *testing.T) {
	var b strings.Builder
	w := hypertext.NewWriter(&b)
	w.Put(`<p title="%s" style="width: %v%%">%s %d %d%s`, `"><script>`, 12.5, "a & b", 3, int64(4),
		hypertext.Source("</p>"))
	const want = `<p title="&#34;&gt;&lt;script&gt;" style="width: 12.5%">a &amp; b 3 4</p>`
	if got := b.String(); got != want || w.Err() != nil {
		t.Errorf("Put: got %s (%v), want %s", got, w.Err(), want)
	}
}

// Text is escaped as html/template escapes it, in text and in a quoted attribute.
func TestEscapes(t *testing.T) {
	page := template.Must(template.New("").Parse(`<p title="{{.}}">{{.}}</p>`))
	for r := range rune(0x300) {
		text := "a" + string(r) + "b"
		var got, want strings.Builder
		hypertext.NewWriter(&got).Put(`<p title="%s">%s</p>`, text, text)
		if err := page.Execute(&want, text); err != nil {
			t.Fatal(err)
		}
		if got.String() != want.String() {
			t.Errorf("%q: got %s, want %s", text, got.String(), want.String())
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestErr(t *testing.T) {
	w := hypertext.NewWriter(full{})
	w.Put("a")
	w.Put("b")
	if err := w.Err(); err == nil || err.Error() != "full" {
		t.Errorf("Err: got %v, want full", err)
	}
}

func TestPutPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Put of a []byte does not panic")
		}
	}()
	hypertext.NewWriter(new(strings.Builder)).Put("%s", []byte("<"))
}
