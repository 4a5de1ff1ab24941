package run_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"absolink/cmd/absolink/internal/console"
	output "absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/run"
)

// An entry of a directory that is no input is left out. A note names an entry that the user may
// have meant.
func TestLeftOut(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"d/a.html", "d/x.txt", "o.html"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("<html>"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	links := map[string]string{"d/out.html": "../o.html", "d/un.html": "x.txt", "d/in.html": "a.html"}
	for name, target := range links {
		if err := os.Symlink(target, name); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name  string
		set   func(*run.Options)
		args  []string
		out   string
		notes []string // parts of standard error, in order
	}{
		{"links", nil, []string{"d"}, "d/a.html 0\nd/x.txt 0\n", []string{"d/out.html: ", "left out; name it"}},
		{"links of a copy", func(o *run.Options) { o.Account.WritesCopies = true }, []string{"d"},
			"d/a.html 0\nd/x.txt 0\n",
			[]string{"d/in.html: ", "it is not in the output", "d/un.html: ", "it is not in the output"}},
		{"a link to a file that is not chosen", func(o *run.Options) { o.Inputs.Include = []string{"*.html"} },
			[]string{"d"}, "d/a.html 0\n",
			[]string{"d/out.html: ", "d/un.html: ", "so the link is left out too; to read the target, let --include"}},
		{"a file that is given twice", func(o *run.Options) { o.Inputs.Once = true }, []string{"d", "d/a.html"},
			"d/a.html 0\nd/x.txt 0\n", []string{"d/a.html: a file of d, which is given too: it is done once"}},
		{"a directory that is given twice", func(o *run.Options) { o.Inputs.Once = true }, []string{"d/a.html", "d"},
			"d/a.html 0\nd/x.txt 0\n", []string{"d/out.html: "}},
	}
	for _, tt := range tests {
		l := listFiles(t, func(o *run.Options) {
			o.Account.OutsideHint = "name it"
			if tt.set != nil {
				tt.set(o)
			}
		}, tt.args...)
		if l.out != tt.out {
			t.Errorf("%s: the output is %q, want %q", tt.name, l.out, tt.out)
		}
		rest := l.err
		for _, note := range tt.notes {
			_, after, ok := strings.Cut(rest, note)
			if !ok {
				t.Errorf("%s: standard error is\n%s\nwant %q in it", tt.name, l.err, tt.notes)
				break
			}
			rest = after
		}
	}
}

// A socket in a directory is no input. If the run makes copies, a note says that it has none.
func TestSpecial(t *testing.T) {
	t.Chdir(t.TempDir())
	l, err := net.Listen("unix", "socket")
	if err != nil {
		t.Skip(err) // this system has no such files
	}
	defer l.Close()
	for _, copies := range []bool{false, true} {
		got := listFiles(t, func(o *run.Options) { o.Account.WritesCopies = copies }, ".")
		if got.out != "" || strings.Contains(got.err, "it is not in the output") != copies {
			t.Errorf("copies %v: got %q and %q, want a note: %v", copies, got.out, got.err, copies)
		}
	}
}

// A temporary file of a killed run is named, and is no input.
func TestTemporary(t *testing.T) {
	t.Chdir(t.TempDir())
	name := ""
	err := output.Create("a.html", nil, func(f *os.File) error {
		name = filepath.Base(f.Name())
		if l := listFiles(t, nil, "."); l.out != "" || strings.Contains(l.err, "is named like") {
			t.Errorf("while this process writes the file: got %q and %q, want no note", l.out, l.err)
		}
		_, err := io.WriteString(f, "<html>")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if !output.IsTemporary(name) {
		t.Skipf("the file was written as %q", name) // without a name
	}
	if err := os.WriteFile(name, []byte("<html>"), 0o666); err != nil {
		t.Fatal(err)
	}
	l := listFiles(t, nil, ".")
	const note = "has the name of a temporary file of a running or killed absolink, so it is left out; if the file " +
		"is yours, rename it\n"
	want := "absolink: ./" + name + ": " + note + "absolink: --x matches nothing\n"
	if l.out != "./a.html 0\n" || l.err != want {
		t.Errorf("got %q and %q, want a.html and %q", l.out, l.err, want)
	}
}

// If a file begins like no file with its name, the content decides.
func TestMisnamed(t *testing.T) {
	const page = "<!DOCTYPE html><html><head><title>x</title></head><body><p>x</body></html>"
	for name, want := range map[string]bool{"x.eml": true, "x.html": false} {
		t.Chdir(t.TempDir())
		if err := os.WriteFile(name, []byte(page), 0o666); err != nil {
			t.Fatal(err)
		}
		l := listFiles(t, nil, name)
		if got := strings.Contains(l.err, "x.eml: "); got != want || l.entries[0] != name+" html listed" {
			t.Errorf("%s: got %q and %q, want a note: %v", name, l.entries, l.err, want)
		}
	}
}

// A message of a Maildir that got other flags is found. One that is gone fails.
func TestMovedMessage(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"box/new", "box/cur"} {
		if err := os.MkdirAll(name, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile("box/cur/1.host:2,FS", []byte("Subject: x\n\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	l := listFiles(t, nil, "box/new/1.host", "box/cur/2.host:2,S")
	if l.out != "box/cur/1.host:2,FS 0\n" {
		t.Errorf("the output is %q, want the message that moved", l.out)
	}
	if len(l.entries) != 2 || !strings.Contains(l.entries[1], "failed is not there any more: a mail program") {
		t.Errorf("the entries are %q, want that the second message is gone", l.entries)
	}
}

// URLs of a list obey robots.txt, other URLs do not. A unit is a range of a URL.
func TestRetrieval(t *testing.T) {
	box := string(mailbox(3))
	requests := make(map[string]int)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests[r.URL.Path]++
		text := map[string]string{"/robots.txt": "User-agent: *\nDisallow: /no\n", "/yes": "<html>", "/no": "<html>",
			"/box": box, "/bin": "\x00\x01", "/large": "<html>" + strings.Repeat(" ", 1<<20)}[r.URL.Path]
		if text == "" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/box":
			w.Header().Set("Content-Type", "application/mbox")
		case "/bin":
			w.Header().Set("Content-Type", "application/octet-stream")
		}
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(text))
	}))
	defer server.Close()
	second := strings.Index(box[1:], "From ") + 1
	t.Chdir(t.TempDir())
	whole := fmt.Sprintf("URL/box\t0\t%d\t1\t1\n", len(box))
	lists := map[string]string{"urls": "URL/yes\nURL/no\n", "whole": whole, "others": "URL/yes\t3\t3\nURL/bin\t0\t2\n",
		"units": fmt.Sprintf(
			"URL/box\t%d\t%d\nURL/no\nURL/yes\t0\t6\nURL/no\t0\t6\nURL/none\t0\t6\n", second, len(box)-second)}
	for name, text := range lists {
		if err := os.WriteFile(name, []byte(strings.ReplaceAll(text, "URL", server.URL)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name    string
		set     func(*run.Options)
		args    []string
		out     string
		entries []string // beginnings
	}{
		{"named", nil, []string{server.URL + "/no", server.URL + "/none"}, "URL/no 0\n",
			[]string{"URL/no html listed", "URL/none  failed"}},
		{"a list", func(o *run.Options) { o.Inputs.URLs = "urls" }, nil, "URL/yes 0\n",
			[]string{"URL/yes html listed", "URL/no  skipped"}},
		{"a list without robots.txt", func(o *run.Options) {
			o.Inputs.URLs = "urls"
			o.Retrieval.IgnoreRobots = true
		}, nil, "URL/yes 0\nURL/no 0\n", []string{"URL/yes html listed", "URL/no html listed"}},
		{"a whole mailbox as a unit", func(o *run.Options) { o.Inputs.Units = "whole" }, nil,
			"URL/box 1\nURL/box 2\nURL/box 3\n", []string{"URL/box mbox "}},
		{"units of no container", func(o *run.Options) { o.Inputs.Units = "others" }, nil, "URL/bin 0\n",
			[]string{"URL/yes html skipped does not begin in the range", "URL/bin other listed"}},
		{"too large", nil, []string{server.URL + "/large"}, "", []string{"URL/large  failed "}},
		{"units", func(o *run.Options) { o.Inputs.Units = "units" }, nil,
			"URL/box 0\nURL/box 0\nURL/yes 0\nURL/no 0\n",
			[]string{"URL/box mbox ", "URL/no  failed", "URL/yes html listed", "URL/no html listed",
				"URL/none  failed"}},
	}
	for _, tt := range tests {
		clear(requests)
		l := listFiles(t, func(o *run.Options) {
			o.Retrieval.AllowPrivate = true
			o.Retrieval.Timeout = 10 * time.Second
			if tt.set != nil {
				tt.set(o)
			}
		}, tt.args...)
		if out := strings.ReplaceAll(l.out, server.URL, "URL"); out != tt.out {
			t.Errorf("%s: the output is %q, want %q", tt.name, out, tt.out)
		}
		const forbidden = "absolink: URL/no: robots.txt forbids it; --ignore-robots retrieves it nevertheless\n"
		stderr := strings.ReplaceAll(l.err, server.URL, "URL")
		if got := strings.Contains(stderr, forbidden); got != (tt.name == "a list" || tt.name == "units") {
			t.Errorf("%s: standard error is %q, want %q: %v", tt.name, stderr, forbidden, !got)
		}
		var entries []string
		for _, e := range l.entries {
			if !strings.Contains(e, " message ") {
				entries = append(entries, strings.ReplaceAll(e, server.URL, "URL"))
			}
		}
		if !slices.EqualFunc(entries, tt.entries, strings.HasPrefix) {
			t.Errorf("%s: the entries are %q, want %q", tt.name, entries, tt.entries)
		}
		if tt.name == "units of no container" && (requests["/yes"] > 2 || requests["/bin"] != 1) {
			t.Errorf("%s: the requests were %v, want a range of each, and the beginning of /yes", tt.name, requests)
		}
	}
}

// New refuses a report that is an input. Do refuses one that cannot be written.
func TestReportRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("a.html", []byte("<html>"), 0o666); err != nil {
		t.Fatal(err)
	}
	for report, early := range map[string]bool{"a.html": true, "none/r": false, ".": false} {
		o := &run.Options{}
		o.Account.Report = report
		if err := o.Inputs.SetArgs([]string{"a.html"}); err != nil {
			t.Fatal(err)
		}
		r, err := run.New(run.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}, o)
		if (err != nil) != early {
			t.Errorf("New with --report %s: got error %v", report, err)
		}
		if err == nil && r.Do(t.Context(), io.Discard, listing{r}) == nil {
			t.Errorf("Do with --report %s: got no error", report)
		}
	}
}

// With --progress always the bar knows the files and bytes of all inputs before the first.
func TestProgress(t *testing.T) {
	list := map[string]string{"a.html": "<html>", "b.html": "<html>", "units": "a.html\nb.html\n"}
	for _, units := range []string{"", "units"} {
		t.Chdir(t.TempDir())
		for name, text := range list {
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		args := []string{"a.html", "b.html"}
		if units == "" {
			args = append(args, "none.html")
		}
		if units != "" {
			args = nil
		}
		l := listFiles(t, func(o *run.Options) {
			o.Account.Progress = console.Always
			o.Inputs.Units = units
			o.Inputs.MarkUnitEnds = units != ""
		}, args...)
		if end := l.err[strings.LastIndexByte(l.err, '\r')+1:]; strings.Contains(end, "files") {
			t.Errorf("with units %q: standard error ends in %q, want the bar removed", units, end)
		}
		if n := 2 + len(args)/3; !strings.Contains(l.err, fmt.Sprintf("1/%d files", n)) ||
			!strings.Contains(l.err, "6/12 B") {
			t.Errorf("with units %q: standard error is %q, want a bar of %d files", units, l.err, n)
		}
	}
}
