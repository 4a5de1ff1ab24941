package unpack_test

import (
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
	return unpack.Read(t.Context(), "-", strings.NewReader(text), outer)
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

// A message without a page, or with a part whose name is dangerous, has no files.
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
	if _, err := unpack.Read(t.Context(), "missing.mht", nil, nil); err == nil {
		t.Error("a missing file: got no error")
	}
}

// Write makes a directory, or takes an empty one. After an error nothing is left.
func TestWrite(t *testing.T) {
	t.Chdir(t.TempDir())
	page := &unpack.Page{Files: []unpack.File{{Name: "index.html", Data: []byte("page")},
		{Name: "a.png", Data: []byte("a")}}}
	if err := os.Mkdir("empty", 0o777); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"new", "empty"} {
		if err := page.Write(dir); err != nil {
			t.Errorf("Write to %s: got error %v", dir, err)
		}
		if text, err := os.ReadFile(dir + "/index.html"); err != nil || string(text) != "page" {
			t.Errorf("%s: the page is %q, error %v", dir, text, err)
		}
	}
	if err := page.Write("new"); err == nil || err.Error() != "new is not empty, it holds a.png: give a new directory" {
		t.Errorf("Write to a full directory: got error %v", err)
	}
	twice := &unpack.Page{Files: []unpack.File{page.Files[0], page.Files[1], page.Files[0]}}
	if err := os.Mkdir("kept", 0o777); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]int{"gone": -1, "kept": 0} {
		if err := twice.Write(dir); err == nil {
			t.Errorf("Write of one name twice to %s: got no error", dir)
		}
		list, err := os.ReadDir(dir)
		if want < 0 && !os.IsNotExist(err) || want == 0 && (err != nil || len(list) != 0) {
			t.Errorf("after an error %s holds %v, error %v", dir, list, err)
		}
	}
	if err := page.Write("none/new"); err == nil {
		t.Error("Write below a missing directory: got no error")
	}
}
