package e2e

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/cli"
	"absolink/testdata/effort"
)

// runs runs the command in this process.
func runs(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = absolink(args, strings.NewReader(stdin), &out, &err)
	return code, out.String(), err.String()
}

// absolink runs the program in this process and returns its exit code.
func absolink(args []string, in io.Reader, out, err io.Writer) int {
	return cli.Run(context.Background(), args, in, out, err)
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func save(t *testing.T, name string, content []byte) {
	t.Helper()
	os.MkdirAll(filepath.Dir(name), 0o777)
	if err := os.WriteFile(name, content, 0o666); err != nil {
		t.Fatal(err)
	}
}

// If one file among a thousand cannot be read, a message names it, and the others are done in
// order.
func TestUnreadableAmongMany(t *testing.T) {
	t.Chdir(t.TempDir())
	var want strings.Builder
	n := effort.Pick(1000, 200)
	for i := range n {
		name := fmt.Sprintf("in/%04d.html", i)
		if i == n/2 {
			os.Symlink("gone", name)
			continue
		}
		save(t, name, fmt.Appendf(nil, "<html><a href=%d>", i))
		fmt.Fprintf(&want, "http://example.test/%d\n", i)
	}
	for _, jobs := range []string{"1", "8"} {
		code, out, stderr := runs(t, "", "extract", "--default-base", "http://example.test/", "--jobs", jobs, "in")
		if code != cli.ExitDefects || out != want.String() {
			t.Errorf("extract --jobs %s: got exit code %d and %d bytes, want %d and %d",
				jobs, code, len(out), cli.ExitDefects, want.Len())
		}
		if w := fmt.Sprintf("absolink: in/%04d.html: a link to gone, which is not there\n", n/2); stderr != w {
			t.Errorf("extract --jobs %s: got %q on standard error, want %q", jobs, stderr, w)
		}
	}
}

// nested returns a message with n multiparts inside each other, and a page in the innermost.
func nested(n int) string {
	var b, end strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
	}
	for i := n - 1; i >= 0; i-- {
		fmt.Fprintf(&end, "\n--b%d--", i)
	}
	return "MIME-Version: 1.0\n" + b.String() + "Content-Type: text/html\n\n<a href=\"deep\">" + end.String() + "\n"
}

func TestThreeThousandMultiparts(t *testing.T) {
	in := nested(3000)
	code, out, stderr := runs(t, in, "rewrite", "--base", "http://example.test/")
	if code != cli.ExitDefects || out != in {
		t.Errorf("rewrite: got exit code %d and %d bytes, want %d and the %d of the input",
			code, len(out), cli.ExitDefects, len(in))
	}
	if !strings.HasPrefix(stderr, "-:302:1: part 1") {
		t.Errorf("rewrite: got %q on standard error, want the place and the part where the limit is", stderr)
	}
	if code, out, _ := runs(t, nested(90), "extract", "--base", "http://example.test/"); code != cli.ExitDone ||
		out != "http://example.test/deep\n" {
		t.Errorf("extract of 90 multiparts: got exit code %d and %q, want %d and the link", code, out, cli.ExitDone)
	}
}

// A line of 100 MB is a document like any other if --max-size allows it. Otherwise it is copied
// through.
func TestLongLine(t *testing.T) {
	effort.Only(t)
	t.Chdir(t.TempDir())
	page := append([]byte("<html><a href=x>"), bytes.Repeat([]byte("a"), 100_000_000)...)
	save(t, "in/page.html", page)
	code, out, stderr := runs(t, "", "extract", "--base", "http://example.test/", "in/page.html")
	if want := "absolink: in/page.html: 100000016 bytes are more than --max-size allows: not " +
		"read\n"; code != cli.ExitDefects || out != "" || stderr != want {
		t.Errorf("extract: got exit code %d, %q and %q, want %d, nothing and %q",
			code, out, stderr, cli.ExitDefects, want)
	}
	code, out, _ = runs(t, "", "extract", "--max-size", "128M", "--base", "http://example.test/", "in/page.html")
	if want := "http://example.test/x\n"; code != cli.ExitDone || out != want {
		t.Errorf("extract --max-size 128M: got exit code %d and %q, want %d and %q", code, out, cli.ExitDone, want)
	}
	code, _, _ = runs(t, "", "rewrite", "-o", "out", "--default-base", "http://example.test/", "in")
	if code != cli.ExitDefects {
		t.Errorf("rewrite: got exit code %d, want %d", code, cli.ExitDefects)
	}
	if got, err := os.ReadFile("out/page.html"); err != nil || !bytes.Equal(got, page) {
		t.Errorf("rewrite: got %d bytes and error %v, want the %d of the input", len(got), err, len(page))
	}
	message := append([]byte("MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: "+
		"text/html\n\n<a href=\"x\">\n"+
		"--b\nContent-Type: application/octet-stream\n\n"), page...)
	save(t, "in/page.html", append(message, "\n--b--\n"...))
	code, out, _ = runs(t, "", "extract", "--base", "http://example.test/", "in/page.html")
	if code != cli.ExitDone || out != "http://example.test/x\n" {
		t.Errorf("extract of a message with the line in another part: got exit code %d and %q, want %d and the link",
			code, out, cli.ExitDone)
	}
	code, out, _ = runs(t, string(message), "rewrite", "--base", "http://example.test/")
	if code != cli.ExitDefects || len(out) != len(message)+len("http://example.test/") {
		t.Errorf("rewrite of it from a pipe, without its end: got exit code %d and %d bytes, want %d and %d",
			code, len(out), cli.ExitDefects,
			len(message)+len("http://example.test/"))
	}
}
