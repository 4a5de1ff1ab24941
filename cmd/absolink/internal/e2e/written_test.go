package e2e

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/cli"
)

// The date of a retrieved document is its Last-Modified, not the date of the run. A date that is
// unknown or in the future counts as no date.
func TestDateOfResponse(t *testing.T) {
	for modified, want := range map[string]string{
		"Sat, 03 Feb 2001 04:05:06 GMT": `href="http://new.test/20010203040506/x"`,
		"Sat, 03 Feb 2101 04:05:06 GMT": `href="http://old.test/x"`,
		"yesterday":                     `href="http://old.test/x"`,
		"":                              `href="http://old.test/x"`,
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if modified != "" {
				w.Header().Set("Last-Modified", modified)
			}
			w.Header().Set("Content-Type", "text/html")
			w.Write([]byte(`<!DOCTYPE html><a href="http://old.test/x">`))
		}))
		var out, err bytes.Buffer
		code := absolink([]string{"rewrite", "--allow-private", "--map",
			"http://old.test/=http://new.test/{date14}/", server.URL + "/"}, strings.NewReader(""), &out, &err)
		server.Close()
		if code != cli.ExitDone || !strings.Contains(out.String(), want) ||
			strings.Contains(err.String(), "the replacement has a date") != strings.Contains(want, "old.test") {
			t.Errorf("Last-Modified %q: exit code %d, %s, %s, want %s",
				modified, code, out.String(), err.String(), want)
		}
	}
}
