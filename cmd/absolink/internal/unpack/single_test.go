package unpack_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"

	"absolink/base"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/unpack"
	"absolink/testdata/effort"
)

// single returns the page of a message as one file.
func single(t *testing.T, text string) *unpack.Page {
	t.Helper()
	o := unpack.Options{Single: true, Outer: &base.Layer{Source: base.Option, Value: "http://e.test/"}}
	p, err := unpack.Read(t.Context(), "-", strings.NewReader(text), o)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	if len(p.Files) != 1 {
		t.Fatalf("%q: %d files, want one", text, len(p.Files))
	}
	return p
}

// data returns the data: URL of a text.
func data(mediaType, text string) string {
	return "data:" + mediaType + ";base64," + base64.StdEncoding.EncodeToString([]byte(text))
}

// located returns a part with a type, a Content-Location and a content.
func located(mediaType, location, content string) string {
	return "--b\nContent-Type: " + mediaType + "\nContent-Location: " + location + "\n\n" + content + "\n"
}

func TestSingle(t *testing.T) {
	x := data("image/png", "x")
	for _, tt := range []struct {
		name, page, parts string
		want              string
		missing           int
	}{
		{"a picture", `<img src="a.png">`, located("image/png", "a.png", "x"), `<img src="` + x + `">`, 0},
		{"with a fragment", `<img src="a.png#f">`, located("image/png", "a.png", "x"), `<img src="` + x + `#f">`, 0},
		{"a srcset", `<img srcset="a.png 1x, a.png 2x,c.png 3x">`, located("image/png", "a.png", "x"),
			`<img srcset="` + x + ` 1x, ` + x + ` 2x,http://e.test/c.png 3x">`, 0},
		{"a style sheet in a style sheet", `<link rel=stylesheet href="a.css">`,
			located("text/css", "a.css", `@import "b.css";`) + located("text/css", "b.css", `p{background:url(c.png)}`) +
				located("image/png", "c.png", "x"), `<link rel=stylesheet href="` +
				data("text/css", `@import "`+data("text/css", `p{background:url(`+x+`)}`)+`";`) + `">`, 0},
		{"a font", `<style>@font-face{src:url("f.woff2") format("woff2"),url('g.woff')}</style>`,
			located("font/woff2", "f.woff2", "x"),
			`<style>@font-face{src:url("` + data("font/woff2", "x") + `") format("woff2"),url('http://e.test/g.woff')}</style>`, 0},
		{"a style sheet that imports itself", `<link rel=stylesheet href="a.css">`,
			located("text/css", "a.css", `@import "a.css";`),
			`<link rel=stylesheet href="` + data("text/css", `@import "http://e.test/a.css";`) + `">`, 0},
		{"two that import each other", `<style>@import url(a.css)</style>`,
			located("text/css", "a.css", `@import url(b.css)`) + located("text/css", "b.css", `@import url(a.css)`),
			`<style>@import url(` + data("text/css", `@import url(`+
				data("text/css", `@import url(http://e.test/a.css)`)+`)`) + `)</style>`, 0},
		{"a frame with a picture", `<iframe src="f.html"></iframe>`,
			located("text/html", "f.html", `<img src="a.png">`) + located("image/png", "a.png", "x"),
			`<iframe src="` + data("text/html", `<img src="`+x+`">`) + `"></iframe>`, 0},
		{"a link to a part", `<a href=f.html>f</a><a href=g.html#x>`, located("text/html", "f.html", `f`),
			`<a href=http://e.test/f.html>f</a><a href=http://e.test/g.html#x>`, 0},
		{"a missing part", `<img src=cid:gone><img src=gone.png>`, "",
			`<img src=cid:gone><img src=http://e.test/gone.png>`, 1},
		{"a missing part in a style sheet", `<link rel=stylesheet href="a.css">`,
			located("text/css", "a.css", `p{background:url(cid:gone)}`),
			`<link rel=stylesheet href="` + data("text/css", `p{background:url(cid:gone)}`) + `">`, 1},
		{"letters in a charset", `<iframe src="t.txt"></iframe>`, located("text/plain; charset=ISO-8859-1", "t.txt", "\xe9"),
			`<iframe src="` + data("text/plain;charset=iso-8859-1", "\xe9") + `"></iframe>`, 0},
		{"a sheet in a charset", `<link rel=stylesheet href="a.css">`,
			located("text/css; charset=iso-8859-1", "a.css", "p{content:'\xe9'}"),
			`<link rel=stylesheet href="` + data("text/css", "\xef\xbb\xbfp{content:'\u00e9'}") + `">`, 0},
		{"a style sheet without a type of its own", `<style>@import url(a.css)</style>`,
			located("application/octet-stream; name=a.css", "a.css", "p{}"),
			`<style>@import url(` + data("text/css", "p{}") + `)</style>`, 0},
		{"attributes that keep a browser from loading", `<link integrity=x rel=stylesheet href="a.css">`,
			located("text/css", "a.css", ""), `<link  rel=stylesheet href="data:text/css;base64,">`, 0},
		{"names that are no files", `<img src="http://e.test/con.png">`, located("image/png", "http://e.test/con.png", "x"),
			`<img src="` + x + `">`, 0},
		{"a BASE goes", `<base href="http://b.test/"><img src="x.png"><img src="a.png">`,
			located("image/png", "http://b.test/a.png", "x"), `<base ><img src="http://b.test/x.png"><img src="` + x + `">`, 0},
		{"a style attribute", `<p style="background:url('a.png')">`, located("image/png", "a.png", "x"),
			`<p style="background:url('` + x + `')">`, 0},
		{"a srcdoc", `<iframe srcdoc="<img src='a.png'>"></iframe>`, located("image/png", "a.png", "x"),
			`<iframe srcdoc="<img src='` + x + `'>"></iframe>`, 0},
	} {
		p := single(t, related+html+tt.page+"\n"+tt.parts+"--b--\n")
		if got := strings.TrimSuffix(string(p.Files[0].Data), "\n"); got != tt.want || p.Missing != tt.missing {
			t.Errorf("%s:\n%s\nwith %d missing, want\n%s\nwith %d", tt.name, got, p.Missing, tt.want, tt.missing)
		}
		if len(p.Problems) > 0 {
			t.Errorf("%s: problems %q", tt.name, p.Problems)
		}
	}
}

// A link of the page to a fragment of itself becomes the fragment.
func TestSingleToItself(t *testing.T) {
	page := "--b\nContent-Type: text/html\nContent-Location: http://e.test/p.html\n\n" +
		"<a href=\"p.html#x\">1</a><a href=\"p.html\">2</a><a href=\"#y\">3</a>"
	want := `<a href="#x">1</a><a href="http://e.test/p.html">2</a><a href="#y">3</a>`
	if got := string(single(t, related+page+"\n--b--\n").Files[0].Data); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Style sheets within style sheets are embedded at any depth.
func TestSingleAtEveryDepth(t *testing.T) {
	for depth := range 12 {
		want := "p{background:url(" + data("image/png", "x") + ")}"
		parts := located("image/png", "a.png", "x") + located("text/css", "0.css", "p{background:url(a.png)}")
		for i := range depth {
			parts += located("text/css", fmt.Sprintf("%d.css", i+1), fmt.Sprintf("@import '%d.css';", i))
			want = "@import '" + data("text/css", want) + "';"
		}
		page := fmt.Sprintf("<link rel=stylesheet href='%d.css'>", depth)
		got := string(single(t, related+html+page+"\n"+parts+"--b--\n").Files[0].Data)
		if want := "<link rel=stylesheet href='" + data("text/css", want) + "'>"; got != want {
			t.Errorf("depth %d: got %.200s, want %.200s", depth, got, want)
		}
	}
}

// Many nested data: URLs are refused before they fill the memory. TestSingleLimit has the limit.
func TestSingleIsBounded(t *testing.T) {
	effort.Only(t)
	parts := located("image/png", "0", strings.Repeat("x", 5100))
	for i := range 12 {
		page := strings.Repeat(fmt.Sprintf("<iframe src=%d></iframe>", i), 80)
		parts += located("text/html", fmt.Sprint(i+1), page)
	}
	text := related + html + "<iframe src=12></iframe>\n" + parts + "--b--\n"
	_, err := unpack.Read(t.Context(), "-", strings.NewReader(text), unpack.Options{Single: true})
	if err == nil || !strings.Contains(err.Error(), "MB: leave --single out") {
		t.Errorf("got error %v, want one about the size", err)
	}
}

// Message chooses a message of a mailbox. Its quoted "From " lines are unquoted.
func TestMessage(t *testing.T) {
	const box = "From a Thu Jan  1 00:00:00 1970\nContent-Type: text/html\n\none\n\n" +
		"From a Thu Jan  1 00:00:00 1970\nContent-Type: text/html\n\n>From <a href=x>\n\n" +
		"From a Thu Jan  1 00:00:00 1970\n\nthree\n"
	for _, tt := range []struct {
		n    int
		text string
		want string
	}{
		{1, box, "one\n"},
		{2, box, "From <a href=http://e.test/x>\n"},
		{3, box, "error holds no page: none of its parts is text/html (attachments do not count)"},
		{4, box, "error has no message 4: the last one is message 3"},
		{0, box, "usage - is a mailbox: add --message N with the number of one of its messages"},
		{1, "Content-Type: text/html\n\n<p>", "usage --message is for mailboxes, and - is one message: leave it out"},
	} {
		o := unpack.Options{Message: tt.n, Outer: &base.Layer{Source: base.Option, Value: "http://e.test/"}}
		p, err := unpack.Read(t.Context(), "-", strings.NewReader(tt.text), o)
		var usage *flag.Error
		got := ""
		switch {
		case errors.As(err, &usage):
			got = "usage " + err.Error()
		case err != nil:
			got = "error " + err.Error()
		default:
			got = string(p.Files[0].Data)
		}
		if got != tt.want {
			t.Errorf("message %d: got %q, want %q", tt.n, got, tt.want)
		}
	}
}
