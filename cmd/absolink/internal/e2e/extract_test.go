package e2e

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"absolink/cmd/absolink/internal/cli"
	"absolink/testdata/effort"
)

// A record cannot show bytes of another charset. A message says so, once.
func TestRawOfOtherCharsets(t *testing.T) {
	tests := []struct{ name, charset, page, want string }{
		{"of windows-1252", "windows-1252", "<a href=\xe4>",
			`"raw":"` + "\ufffd" +
				`","value":"ä","uri":"http://a.test/%C3%A4","status":"resolved","base":"http://a.test/","base_layer":"retrieval","base_source":"option","warnings":["invalid-utf8"]}`},
		{"ASCII in windows-1252", "windows-1252", "<a href=a>", `"base_source":"option"}`},
		{"no UTF-8", "utf-8", "<a href=\xe4>", `"warnings":["invalid-utf8"]}`},
		{"with another warning", "windows-1252", "<a href='//u:p@b.test/\xe4'>",
			`"warnings":["invalid-utf8","host-change","password"]}`},
	}
	for _, tt := range tests {
		_, out, _ := runs(t, tt.page, "extract", "--type", "html", "--base",
			"http://a.test/", "--charset", tt.charset, "--format", "jsonl")
		if !strings.HasSuffix(out, tt.want+"\n") {
			t.Errorf("%s: extract %q = %q, want %q at the end", tt.name, tt.page, out, tt.want)
		}
	}
}

// A selector with siblings takes no longer than others on a page with very many neighbouring
// elements. A selector that would take long is not applied to such a page: a message names the
// page, and other pages are processed.
func TestSelectWide(t *testing.T) {
	t.Chdir(t.TempDir())
	var wide strings.Builder
	n := effort.Pick(50_000, 10_000)
	for i := range n {
		fmt.Fprintf(&wide, "<b></b><a href=%d>x</a>", i)
	}
	for name, text := range map[string]string{"wide.html": wide.String(), "small.html": "<b></b><a href=small>x</a>"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		selector string
		links    int
		named    bool
	}{
		{"b ~ a", n + 1, false},
		{"b ~ b ~ a", n - 1, false},
		{"i ~ b ~ a", 0, false},
		{"a:nth-of-type(2n)", n / 2, false},
		{"a:nth-last-child(odd)", n + 1, false},
		{"body:has(i ~ b ~ a) a", 0, true},
		{"body:has(b + a) a", 1, true},
	} {
		if !tt.named && tt.links > 0 && tt.selector != "b ~ a" && !effort.Whole() {
			continue
		}
		began := time.Now()
		var out, err bytes.Buffer
		code := absolink([]string{"extract", "--default-base", "http://e.test/", "--select",
			tt.selector, "small.html", "wide.html"}, strings.NewReader(""), &out, &err)
		took := time.Since(began)
		named := strings.Contains(err.String(),
			"absolink: wide.html: --select takes too long on this page: none of its links is selected")
		if n := strings.Count(out.String(), "\n"); n != tt.links || named != tt.named ||
			(code == cli.ExitDefects) != tt.named && tt.links > 0 || took > 10*time.Second {
			t.Errorf("--select %q: got %d links, exit code %d after %v and %.300q, want %d links, the page named: %v",
				tt.selector, n, code, took, err.String(), tt.links, tt.named)
		}
	}
}
