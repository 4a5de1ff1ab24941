package e2e

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// pageServer serves some documents. Its /robots.txt forbids one of them.
func pageServer(t *testing.T) *httptest.Server {
	mux := http.NewServeMux()
	text := func(path, contentType, body string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			io.WriteString(w, body)
		})
	}
	mux.HandleFunc("/", http.NotFound)
	text("/robots.txt", "text/plain", "User-agent: *\nDisallow: /private\n")
	text("/d/page", "text/html", "<a href=x>x</a> <a href=http://other.test/>o</a>")
	text("/koi8", "text/html; charset=koi8-r", "<meta charset=utf-8><a href='?\xc1'>a</a>")
	text("/private", "text/html", "<a href=secret>s</a>")
	text("/text", "text/plain", "<a href=no> http://in.test/")
	text("/data", "application/json", "{}")
	mux.HandleFunc("/gzip", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Type", "text/html")
		z := gzip.NewWriter(w)
		io.WriteString(z, "<a href=z>z</a>")
		z.Close()
	})
	mux.HandleFunc("/short", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<a href=s>s</a>")
	})
	mux.HandleFunc("/moved", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "d/page")
		w.Header().Set("Link", "<style>; rel=stylesheet")
		w.WriteHeader(http.StatusMovedPermanently)
	})
	mux.HandleFunc("/linked", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Link", "<y>; rel=next")
		io.WriteString(w, "<a href=x>x</a>")
	})
	mux.HandleFunc("/asks", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("X-Robots-Tag", r.FormValue("asks"))
		w.Header().Set("Link", "<y>; rel=next")
		if to := r.FormValue("to"); to != "" {
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusFound)
		}
		io.WriteString(w, "<a href=x>x</a>")
	})
	mux.HandleFunc("/fields", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<a href='/%s/%s'>", r.UserAgent(), r.Header.Get("X-Token"))
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// told runs the program and returns all its output, with the server written as S.
func told(t *testing.T, s *httptest.Server, stdin string, args ...string) (code int, out, err string) {
	t.Helper()
	var o, e bytes.Buffer
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "S", s.URL)
	}
	code = absolink(args, strings.NewReader(strings.ReplaceAll(stdin, "S", s.URL)), &o, &e)
	return code, strings.ReplaceAll(o.String(), s.URL, "S"), strings.ReplaceAll(e.String(), s.URL, "S")
}

func TestRetrieval(t *testing.T) {
	s := pageServer(t)
	tests := []struct {
		name, stdin string
		args        []string
		code        int
		out, err    string
	}{
		{"a page", "", []string{"extract", "S/d/page"}, 0, "S/d/x\nhttp://other.test/\n", ""},
		{"its base", "", []string{"extract", "--format", "tsv", "--status", "resolved", "S/d/page"}, 0,
			"S/d/page\t\t\tS/d/page\t\t\t\t\t\ttext/html\t8\t9\t1\t9\ta\thref\tnav\t\tx\tx\tS/d/x\tresolved\tS/d/" +
				"page\tretrieval\turl\t\t\tport private-host\n", ""},
		{"after a redirect, with its headings", "", []string{"extract", "S/moved"},
			0, "S/style\nS/d/page\nS/d/x\nhttp://other.test/\n", ""},
		{"a base that the operator gives", "", []string{"extract", "--base", "http://b.test/", "S/d/page"},
			0, "http://b.test/x\nhttp://other.test/\n", ""},
		{"a base for the heading too", "", []string{"extract", "--base", "http://b.test/d/", "S/linked"},
			0, "http://b.test/d/y\nhttp://b.test/d/x\n", ""},
		{"that of a redirect is its own", "", []string{"extract", "--base", "http://b.test/", "S/moved"},
			0, "S/style\nS/d/page\nhttp://b.test/x\nhttp://other.test/\n", ""},
		{"the charset of the transport", "", []string{"extract", "S/koi8"}, 0, "S/koi8?%C1\n",
			"S/koi8:1:1: charset-conflict: the document declares another charset than its header or --charset; " +
				"the charset of the document is ignored\n"},
		{"the charset of the operator", "",
			[]string{"extract", "--charset", "windows-1251", "S/koi8"}, 0, "S/koi8?%C1\n",
			"S/koi8:1:1: charset-conflict: the document declares another charset than its header or --charset; " +
				"the charset of the document is ignored\n"},
		{"a text is a text", "", []string{"extract", "S/text"}, 0, "http://in.test/\n", ""},
		{"no place in what was sent", "", []string{"extract", "--format", "jsonl", "S/gzip"}, 0,
			`{"source":"S/gzip","page":"S/gzip","type":"text/html","element":"a","attribute":"href","kind":"nav","raw":"z","value":"z","uri":"S/z","status":"resolved","base":"S/gzip","base_layer":"retrieval","base_source":"url","warnings":["port","private-host"]}` + "\n", ""},
		{"the same host", "", []string{"extract", "--same-host", "S/d/page"}, 0, "S/d/x\n", ""},
		{"an answer that asks robots not to follow", "",
			[]string{"extract", "-q", "--rel", "!nofollow", "S/asks?asks=none"}, 0, "", ""},
		{"a redirect that does, to one that does not", "",
			[]string{"extract", "--rel", "!nofollow", "S/asks?asks=none&to=/linked"}, 0, "S/y\nS/x\n", ""},
		{"a redirect that does not, to one that does", "",
			[]string{"extract", "--rel", "!nofollow",
				"S/asks?asks=all&to=/asks%3fasks=nofollow"}, 0, "S/y\nS/asks?asks=nofollow\n", ""},
		{"one that asks another robot", "",
			[]string{"extract", "--rel", "!nofollow", "S/asks?asks=bot:none"}, 0, "S/y\nS/x\n", ""},
		{"what is sent", "", []string{"extract", "--user-agent", "me/1", "--header", "X-Token: a", "S/fields"},
			0, "S/me/1/a\n", ""},
		{"what is cut short", "", []string{"extract", "S/short"}, 1,
			"S/s\n", "absolink: S/short: ends after 15 of 100 bytes\n"},
		{"no document", "", []string{"extract", "S/data"}, 1, "",
			"absolink: S/data: cannot tell the type (it starts with \"{}\"); try --type text\n"},
		{"not there, the others go on", "", []string{"extract", "S/none", "S/d/page"}, 1,
			"S/d/x\nhttp://other.test/\n", "absolink: S/none: the server says 404 Not Found\n"},
		{"no redirects", "", []string{"extract", "--max-redirects", "0", "S/moved"}, 1, "",
			"absolink: S/moved: redirects more than 0 times; --max-redirects allows more\n"},
		{"too large", "", []string{"extract", "--max-size", "10", "S/d/page"},
			1, "", "absolink: S/d/page: is larger than --max-size\n"},
		{"robots.txt is for lists", "", []string{"extract", "S/private"}, 0, "S/secret\n", ""},
		{"a list", "# ours\nS/d/page\n\nS/private\n  S/gzip\r\n",
			[]string{"extract", "--urls", "-"}, 0, "S/d/x\nhttp://other.test/\nS/z\n",
			"absolink: S/private: robots.txt forbids it; --ignore-robots retrieves it nevertheless\n"},
		{"units are a list", "S/private\n", []string{"extract", "--units", "-"}, 4, "",
			"absolink: S/private: robots.txt forbids it; --ignore-robots retrieves it nevertheless\n"},
		{"a list with a byte order mark", "\ufeffS/text\n",
			[]string{"extract", "--urls", "-"}, 0, "http://in.test/\n", ""},
		{"a list that is not asked about", "S/private",
			[]string{"extract", "--urls", "-", "--ignore-robots"}, 0, "S/secret\n", ""},
		{"a list with lines that are not URLs", "page.html\nftp://u:secret@a.test/\n",
			[]string{"extract", "--urls", "-"}, 1, "",
			"absolink: -:1: \"page.html\" is not a URL; each line needs one, such as http://example.com/\nabsolink: " +
				"-:2: \"ftp://u@a.test/\" is neither http nor https\n"},
		{"a list that is not there", "", []string{"extract", "--urls", "none.txt"},
			1, "", "absolink: none.txt: no such file or directory\n"},
		{"rewritten", "", []string{"rewrite", "S/moved"}, 0,
			"<a href=S/d/x>x</a> <a href=http://other.test/>o</a>", ""},
		{"explained", "", []string{"base", "--format", "jsonl", "S/moved"}, 0,
			`{"source":"S/moved","page":"S/d/page","type":"text/html","base":"S/d/page","base_layer":"retrieval","base_source":"url","layers":[{"layer":"retrieval","source":"url","value":"S/d/page","uri":"S/d/page","used":true}]}` + "\n", ""},
		{"standard input twice", "", []string{"extract", "--urls", "-", "-"}, 2, "",
			"absolink: standard input (-) is given twice, and can be read only once: leave one out\n"},
		{"a list on standard output", "", []string{"rewrite", "--urls", "-"}, 2, "",
			"absolink: standard output takes one document, and --urls is a list: use -o DIR\n"},
		{"in place", "", []string{"rewrite", "--in-place", "S/d/page"}, 2,
			"", "absolink: a URL cannot be replaced in place; use -o DIR\n"},
		{"no field", "", []string{"extract", "--header", "X Y: z", "S/d/page"}, 2, "",
			"absolink: --header \"X Y: z\": 'NAME: VALUE' is needed, such as 'Accept-Language: de'\n"},
		{"a field of the protocol", "", []string{"extract", "--header", "content-length: 1", "S/d/page"},
			2, "", "absolink: --header \"content-length: 1\": is a field that absolink sets itself, or never sends\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			args := append([]string{tt.args[0], "--allow-private"}, tt.args[1:]...)
			code, out, err := told(t, s, tt.stdin, args...)
			if tt.args[1] == "--format" && tt.args[2] == "tsv" {
				_, out, _ = strings.Cut(out, "\n")
			}
			if code != tt.code || out != tt.out || err != tt.err {
				t.Errorf("absolink %q: got code %d, output\n%s\nerrors\n%s\nwant %d,\n%s\n%s",
					args, code, out, err, tt.code, tt.out, tt.err)
			}
		})
	}
	if code, out, err := told(t, s, "", "extract", "S/d/page"); code != 1 || out != "" ||
		!strings.Contains(err, "127.0.0.1 is a loopback address; --allow-private allows it") {
		t.Errorf("without --allow-private: got code %d, output %q, errors %q, want a refusal", code, out, err)
	}
}

// A line in a list that is not a URL is not reported as the name of a file.
func TestDeadURLs(t *testing.T) {
	s := pageServer(t)
	t.Chdir(t.TempDir())
	code, _, err := told(t, s, "/etc/passwd\nS/none\nfile:///etc/passwd\n",
		"extract", "--allow-private", "--dead-letter", "dead", "--urls", "-")
	got, failed := os.ReadFile("dead")
	if want := s.URL + "/none\n"; code != 1 || failed != nil || string(got) != want {
		t.Errorf("extract: got code %d, errors %q, dead letters %q (%v), want 1 and %q", code, err, got, failed, want)
	}
}

// Lines that are not URLs do not stop other URLs from being retrieved, written, and recognised as
// finished.
func TestListedOutputs(t *testing.T) {
	s := pageServer(t)
	t.Chdir(t.TempDir())
	if err := os.WriteFile("urls", []byte("page.html\n"+s.URL+"/d/page\n\nother.html\n"+s.URL+"/linked\n"),
		0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"rewrite", "-q", "--allow-private", "--urls", "urls", "-o", "out"}
	wrong := ""
	for i, name := range []string{"page.html", "", "", "other.html"} {
		if name != "" {
			wrong += fmt.Sprintf("absolink: urls:%d: %q is not a URL; "+
				"each line needs one, such as http://example.com/\n", i+1, name)
		}
	}
	for _, more := range [][]string{nil, {"--resume"}, {"--overwrite"}} {
		code, _, err := told(t, s, "", append(slices.Clip(args), more...)...)
		if code != 1 || err != wrong {
			t.Errorf("%q: got code %d and errors\n%s\nwant 1 and\n%s", more, code, err, wrong)
		}
		for _, name := range []string{"d/page", "linked"} {
			if _, err := os.Stat(filepath.Join("out", strings.TrimPrefix(s.URL, "http://"), name)); err != nil {
				t.Error(err)
			}
		}
	}
}

// The password of a URL is only for its server.
func TestPassword(t *testing.T) {
	s := pageServer(t)
	t.Chdir(t.TempDir())
	private := strings.Replace(s.URL, "http://", "http://user:secret@", 1)
	args := []string{"extract", "--allow-private", "--format", "jsonl",
		"--report", "report", "--dead-letter", "dead", "--urls", "-"}
	code, out, err := told(t, s, private+"/d/page\n"+private+"/none\n", args...)
	report, _ := os.ReadFile("report")
	dead, _ := os.ReadFile("dead")
	all := out + err + string(report) + string(dead)
	if shown := strings.Replace(s.URL, "http://", "http://user@", 1) + "/none"; code != 1 ||
		strings.Contains(all, "secret") || !strings.Contains(string(dead), shown) {
		t.Errorf("extract of URLs with a password: got code %d and\n%s\nwant 1, %s and no password", code, all, shown)
	}
}

// The password is also not printed for an INPUT that is not retrieved: one with another scheme, or
// with wrong slashes.
func TestPasswordOfInput(t *testing.T) {
	t.Chdir(t.TempDir())
	inputs := []string{"ftp://user:secret@h.test/", `http:/\user:secret@h.test/`, `https:\\user:secret@h.test\x`,
		"HTTP:user:secret@h.test", "//user:secret@h.test/", "s3://user:secret@h/x",
		"file://user:secret@h/x", " http://user:secret@h.test/ ", "http://user:secret@h.test:99999/",
		"http://user:a@secret@h.test/", `http://user:"secret"@[/`, "ftp://user:a secret@h.test/"}
	commands := []string{"extract --report report --dead-letter dead", "rewrite -o out",
		"rewrite --in-place", "base", "units", "unpack -o out", "report", "serve", ""}
	for _, in := range inputs {
		for _, command := range commands {
			code, out, err := runs(t, "", append(strings.Fields(command), in)...)
			report, _ := os.ReadFile("report")
			dead, _ := os.ReadFile("dead")
			if all := out + err + string(report) + string(dead); code == 0 ||
				err == "" || strings.Contains(all, "secret") {
				t.Errorf("absolink %s %q: got code %d and\n%s\nwant an error without the password",
					command, in, code, all)
			}
		}
		for _, flag := range []string{"--urls", "--files-from", "--units"} {
			if code, out, err := runs(t, in+"\n", "extract", flag, "-"); code == 0 ||
				strings.Contains(out+err, "secret") {
				t.Errorf("absolink extract %s with %q: got code %d and\n%s%s\nwant an error without the password",
					flag, in, code, out, err)
			}
		}
	}
}

// A hundred URLs at once come out in the order of the list.
func TestManyURLs(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<a href=x>")
	}))
	defer s.Close()
	var list, want strings.Builder
	for i := range 100 {
		fmt.Fprintf(&list, "S/%d/\n", i)
		fmt.Fprintf(&want, "S/%d/x\n", i)
	}
	if code, out, err := told(t, s, list.String(), "extract", "--allow-private",
		"--ignore-robots", "--urls", "-"); code != 0 || out != want.String() || err != "" {
		t.Errorf("extract of 100 URLs: got code %d, output %q, errors %q", code, out, err)
	}
}
