package unpack_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"absolink/base"
	"absolink/cmd/absolink/internal/unpack"
)

// names returns the names of the files of a page.
func names(p *unpack.Page) (list []string) {
	for _, f := range p.Files {
		list = append(list, f.Name)
	}
	return list
}

// read reads a message from standard input.
func read(t *testing.T, text string) (*unpack.Page, error) {
	t.Helper()
	outer := &base.Layer{Source: base.Option, Value: "http://e.test/"}
	return unpack.Read(t.Context(), "-", strings.NewReader(text), unpack.Options{Outer: outer})
}

const (
	related = "Content-Type: multipart/related; boundary=b\n\n"
	html    = "--b\nContent-Type: text/html\n\n"
)

// part returns a part with header fields and the content x.
func part(fields string) string { return "--b\n" + fields + "\n\nx\n" }

func TestRead(t *testing.T) {
	tests := []struct {
		name, text string
		files      []string
		page       string // content of the first file
		missing    int
		problem    string // part of the first problem; "" = none
	}{
		{"a page alone", "Content-Type: text/html\n\n<a href=x>", []string{"index.html"},
			"<a href=http://e.test/x>", 0, ""},
		{"XHTML", "Content-Type: application/xhtml+xml\n\n<html/>", []string{"index.xhtml"},
			"<html/>", 0, ""},
		{"parts by Content-ID and Content-Location", related + html + "<img src=cid:a@x><img src=b.gif>\n" +
			part("Content-Type: image/png\nContent-ID: <a@x>") +
			part("Content-Type: image/gif\nContent-Location: b.gif") + part("Content-Type: image/gif") + "--b--\n",
			[]string{"index.html", "part-2.png", "b.gif"}, "<img src=part-2.png><img src=b.gif>", 0, ""},
		{"a missing part", related + html + "<img src=cid:a@x><img src=cid:b@x>\n--b--\n", []string{"index.html"},
			"<img src=cid:a@x><img src=cid:b@x>", 2, ""},
		{"a BASE goes", "Content-Type: text/html\n\n<base href=http://b.test/><a href=x>", []string{"index.html"},
			"<base ><a href=http://b.test/x>", 0, ""},
		{"the start of a message",
			"Content-Type: multipart/related; boundary=b; start=\"<s@x>\"\n\n" + html + "first\n" +
				"--b\nContent-Type: text/html\nContent-ID: <s@x>\n\nsecond\n--b--\n",
			[]string{"index.html"}, "second", 0, ""},
		{"an attached page", "Content-Type: multipart/mixed; boundary=b\n\n" +
			"--b\nContent-Type: text/html\nContent-Disposition: attachment\n\nfirst\n" + html + "second\n--b--\n",
			[]string{"index.html"}, "second", 0, ""},
		{"attributes that keep a browser from loading", related + html +
			"<link integrity=x rel=stylesheet href=a.css CrossOrigin><link integrity=x href=http://c.test/>\n" +
			part("Content-Type: text/css\nContent-Location: a.css") + "--b--\n", []string{"index.html", "a.css"},
			"<link  rel=stylesheet href=a.css ><link integrity=x href=http://c.test/>", 0, ""},
		{"a charset of mail", "Content-Type: text/html; charset=iso-8859-1\n\n<p>\xe9", []string{"index.html"},
			"\xef\xbb\xbf<p>\u00e9", 0, ""},
		{"damaged base64", related + html + "<img src=cid:a@x>\n" +
			part("Content-Type: image/png\nContent-ID: <a@x>\nContent-Transfer-Encoding: base64") + "--b--\n",
			[]string{"index.html", "part-2.png"}, "<img src=part-2.png>", 0, "part 2: "},
		{"the media type gives the extension", related + html + "<img src=a.php>\n" +
			part("Content-Type: image/png\nContent-Location: a.php") +
			part("Content-Type: application/x\nContent-Location: b.html") +
			part("Content-Type: image/jpeg\nContent-Location: c.JPEG") + "--b--\n",
			[]string{"index.html", "a-php.png", "b-html.bin", "c.JPEG"}, "<img src=a-php.png>", 0, ""},
	}
	for _, tt := range tests {
		p, err := read(t, tt.text)
		if err != nil {
			t.Errorf("%s: got error %v", tt.name, err)
			continue
		}
		if got := names(p); !slices.Equal(got, tt.files) {
			t.Errorf("%s: the files are %q, want %q", tt.name, got, tt.files)
		}
		if got := strings.TrimSuffix(string(p.Files[0].Data), "\n"); got != tt.page || p.Missing != tt.missing {
			t.Errorf("%s: the page is %q with %d missing parts, want %q and %d",
				tt.name, got, p.Missing, tt.page, tt.missing)
		}
		if (len(p.Problems) > 0) != (tt.problem != "") || !strings.Contains(strings.Join(p.Problems, ""), tt.problem) {
			t.Errorf("%s: the problems are %q, want %q", tt.name, p.Problems, tt.problem)
		}
	}
}

// Read refuses a message without a page, or with a part whose Content-Location is dangerous.
func TestReadRefuses(t *testing.T) {
	located := func(location string) string {
		return related + html + "<p>\n" + part("Content-Type: image/png\nContent-Location: "+location) + "--b--\n"
	}
	tests := []struct{ text, want string }{
		{"<html>", "is neither an MHTML page nor a message"},
		{"Subject: x\nContent-Type: text/plain\n\nx", "holds no page"},
		{located("http://a.test/%2e%2e%2fa.png"), "leads out of the directory"},
		{located("http://a.test/con.png"), "names a device"},
		{located("file:///dev/sda"), "names a device"},
	}
	for _, tt := range tests {
		if p, err := read(t, tt.text); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: got %v and error %v, want %q", tt.text, p, err, tt.want)
		}
	}
	if _, err := unpack.Read(t.Context(), "missing.mht", nil, unpack.Options{}); err == nil {
		t.Error("a missing file: got no error")
	}
}

// Write makes a new directory. After an error it leaves nothing.
func TestWrite(t *testing.T) {
	t.Chdir(t.TempDir())
	page := &unpack.Page{Files: []unpack.File{{Name: "index.html", Data: []byte("page")},
		{Name: "a.png", Data: []byte("a")}}}
	if err := errors.Join(os.Mkdir("empty", 0o777), os.WriteFile("file", nil, 0o666),
		os.Symlink("nowhere", "link")); err != nil {
		t.Fatal(err)
	}
	if err := page.Write("new"); err != nil {
		t.Errorf("Write: got error %v", err)
	}
	if text, err := os.ReadFile("new/index.html"); err != nil || string(text) != "page" {
		t.Errorf("the page is %q, error %v", text, err)
	}
	for _, name := range []string{"new", "empty", "file", "link"} {
		want := name + " is there already: give a new directory"
		if err := page.Write(name); err == nil || err.Error() != want {
			t.Errorf("Write to %s: got error %v, want %s", name, err, want)
		}
		want = name + " is there already: give the name of a new file"
		if err := page.WriteFile(name); err == nil || err.Error() != want {
			t.Errorf("WriteFile to %s: got error %v, want %s", name, err, want)
		}
	}
	twice := &unpack.Page{Files: []unpack.File{page.Files[0], page.Files[1], page.Files[0]}}
	if err := twice.Write("gone"); err == nil {
		t.Error("Write of one name twice: got no error")
	}
	if _, err := os.ReadDir("gone"); !os.IsNotExist(err) {
		t.Errorf("after an error the directory is there: %v", err)
	}
	want := "-o none/new: there is no directory none: make it, or give another name"
	if err := page.Write("none/new"); err == nil || err.Error() != want {
		t.Errorf("Write below a missing directory: got error %v, want %s", err, want)
	}
	if err := page.WriteFile("none/new"); err == nil || err.Error() != want {
		t.Errorf("WriteFile below a missing directory: got error %v, want %s", err, want)
	}
	if err := page.WriteFile("page.html"); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile("page.html"); err != nil || string(text) != "page" {
		t.Errorf("WriteFile: the page is %q, error %v", text, err)
	}
}
