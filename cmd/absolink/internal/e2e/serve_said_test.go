package e2e

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
)

// The messages of the page about an upload that it cannot show, and of the service about bad lines.
func TestPageSays(t *testing.T) {
	at := startService(t, "--max-size", "1K")
	shown, _ := uploaded(t, at, []byte("<html><a href=x>"))
	shown, _, _ = strings.Cut(shown, "?")
	whole, media := filledIn("a.html", bytes.Repeat([]byte("a "), 1<<10))
	none, noMedia := filledIn("", nil)
	for _, tt := range []struct {
		r      request
		status int
		want   string
	}{
		{request{url: at + "document", body: strings.NewReader("x"),
			header: http.Header{"Content-Type": {"text/plain"}}}, 400, "The form could not be read."},
		{request{url: at + "document", body: whole, header: http.Header{"Content-Type": {media}}},
			413, "The document has more than the 1.0 KB that --max-size allows."},
		{request{url: at + "document",
			body: strings.NewReader("--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nx"),
			header: http.Header{"Content-Type": {"multipart/form-data; " +
				"boundary=b"}}}, 400, "The upload ended too early."},
		{request{url: at + "document", body: none, header: http.Header{"Content-Type": {noMedia}}},
			422, "Choose a file, drop one, paste the text of a document, or show a sample."},
		{request{method: "GET", url: at + "document/none/"}, 404,
			"This document is no longer kept: 15 minutes have passed, or newer ones took its place. Upload it again."},
		{request{method: "GET", url: shown + "item/7"}, 404, "There is no such item."},
		{request{url: at + "v1/resolve", body: strings.NewReader("{\"base\":\"http://a/\"}\n"),
			header: http.Header{"Content-Type": {"application/jsonl"}}}, 400, `"ref" is missing`},
	} {
		answer, text := tt.r.do(t)
		if answer.StatusCode != tt.status ||
			!strings.Contains(strings.NewReplacer(`\`, "", "&#34;", `"`).Replace(text), tt.want) {
			t.Errorf("%s: got %s and\n%.600s\nwant %d and %q in it", tt.r.url, answer.Status, text, tt.status, tt.want)
		}
	}
}
