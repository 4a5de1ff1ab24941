package kinds_test

import (
	"slices"
	"testing"

	"absolink/cmd/absolink/internal/kinds"
	"absolink/extract"
)

func TestDetect(t *testing.T) {
	const text = kinds.Kind(extract.Plain)
	tests := []struct {
		name string
		head string
		file string
		want kinds.Kind
	}{
		{"page", "<!DOCTYPE html><title>x</title>", "x", kinds.HTML},
		{"page named as a message", "<html><body>", "x.mht", kinds.HTML},
		{"message", "Received: from a\r\n by b\r\nSubject: x\r\n\r\n", "x", kinds.Message},
		{"message with lone CR", "Subject: x\rFrom: y\r\rtext", "x", kinds.Message},
		{"mailbox", "From a@b Thu Jan  1 00:00:00 1970\nX-Any: x\n\n", "x.eml", kinds.Mbox},
		{"mailbox with CRLF", "From a@b\r\nX-Any: x\r\n\r\n", "x", kinds.Mbox},
		{"mailbox behind blank lines", "\n\nFrom a@b\nX-Any: x\n\n", "x", kinds.Mbox},
		{"mailbox with a byte order mark", "\xef\xbb\xbfFrom a@b\nX-Any: x\n\n", "x", kinds.Mbox},
		{"mailbox with a second, quoted From_ line", "From a@b\n>From c@d\nX-Any: x\n\n", "x", kinds.Mbox},
		{"message behind a quoted From_ line", ">From a@b\nX-Any: x\n\n", "x", kinds.Message},
		{"a sentence that begins with From", "From here on\nall is text\n", "x", kinds.Other},
		{"a field of that name", "From : a@b\nSubject: x\n\n", "x", kinds.Message},
		{"message that holds a page", "MIME-Version: 1.0\nContent-Type: text/html\n\n<html>", "x.html", kinds.Message},
		{"byte order mark", "\xef\xbb\xbfMIME-Version: 1.0\n\n", "x", kinds.Message},
		{"archive by its field", "From: <Saved>\r\nSnapshot-Content-Location: http://a/\r\nMIME-Version: 1.0\r\n\r\n",
			"x", kinds.MHTML},
		{"archive by its name", "MIME-Version: 1.0\r\n\r\n", "x.MHTML", kinds.MHTML},
		{"one weak field", "Subject: x\n\ntext", "x.txt", text},
		{"one weak field in a message file", "Subject: x\n\ntext", "x.eml", kinds.Message},
		{"no field in a message file", "garbage\nSubject: x\n\n", "x.eml", kinds.Message},
		{"fields after a line that is none", "hello\nReceived: x\n\n", "x", kinds.Other},
		{"message behind a blank line", "\nFrom: a@b\nMIME-Version: 1.0\n\n<a href=3Dx>", "x", kinds.Other},
		{"message behind a line that is no field", "bogus\nFrom: a@b\nSubject: x\n\n<a href=3Dx>", "x", kinds.Other},
		{"message in a text", "bogus\nFrom: a@b\nSubject: x\n\n<a href=x>", "x.txt", text},
		{"fragment behind a word with a colon", "Subject: <a href=x>", "", kinds.HTML},
		{"page that shows a message", "<pre>\nFrom: a@b\nSubject: x\n</pre>", "x", kinds.HTML},
		{"web archive of before WARC", "filedesc://a.arc 0.0.0.0 20060101000000 text/plain 9\n<a href=x>",
			"x", kinds.WARC},
		{"rich text", `{\rtf1 <a href=x>}`, "x", kinds.Other},
		{"name with a blank before the colon", "MIME-Version : 1.0\n\n", "x", kinds.Message},
		{"web archive", "WARC/1.0\r\nWARC-Type: response\r\nContent-Type: a\r\n\r\n", "x", kinds.WARC},
		{"web archive by its name", "", "x.warc", kinds.WARC},
		{"response", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>", "x", kinds.HTTP},
		{"empty page", "", "x.html", kinds.HTML},
		{"empty message", "", "x.eml", kinds.Message},
		{"empty", "", "x", kinds.Other},
		{"binary named as a page", "\x7fELF\x00\x00", "x.html", kinds.Other},
		{"text", "hello, world", "x.txt", text},
		{"text of no name", "hello, world", "x", kinds.Other},
		{"a page that ends in NUL", "abc <a href=x>\x00", "x.html", kinds.HTML},
		{"a fragment of no name", "<section><a href=x>", "x", kinds.HTML},
		{"a fragment below a directory with the name of a media type", "<section><a href=x>", "text/x", kinds.HTML},
		{"a fragment in a message file", "Hello <a href=x>", "x.eml", kinds.Message},
		{"a program that quotes a tag", "a = '<p>'", "x.py", kinds.Other},
		{"a script that quotes a tag", "a = '<p>'", "x.js", kinds.Kind(extract.Script)},
		{"binary named as text", "a\x00b", "x.txt", kinds.Other},
		{"text in UTF-16", "\xff\xfea\x00", "x.txt", text},
		{"style sheet", "a{}", "x.css", kinds.Kind(extract.CSS)},
		{"bookmarks", "<!DOCTYPE NETSCAPE-Bookmark-file-1>", "x", kinds.Kind(extract.Bookmarks)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := kinds.Detect([]byte(tt.head), tt.file); got != tt.want {
				t.Errorf("Detect(%q, %q): got %v, want %v", tt.head, tt.file, got, tt.want)
			}
		})
	}
}

// Each format is one that --type accepts, or one that only messages and responses contain.
func TestKinds(t *testing.T) {
	inner := []extract.Format{extract.Heading, extract.Calendar, extract.Card, extract.Enriched}
	for f := extract.HTML; f.String() != ""; f++ {
		named := slices.Contains(kinds.All, kinds.Kind(f))
		if named == slices.Contains(inner, f) {
			t.Errorf("%v: --type takes it: %v, want %v", f, named, !named)
		}
	}
}

// The name of a file has the ending of a kind, or of a format that other programs convert. The name
// of a host in the country .pl has neither.
func TestIsFileName(t *testing.T) {
	for name, want := range map[string]bool{
		"index.html": true, "README.MD": true, "a.css": true, "_headers": true, "a.b.txt": true, "a.html.gz": true,
		"feed.json": true, "a.js.br": true, "mail.mbox": true, "m.eml": true, "c.warc.gz": true, "c.wacz": true,
		"site.zip": true, "site.tar.gz": true, "old.PST": true, "page.pdf": true, "a.php": true, "main.go": true,
		"": false, "html": false, "www.example.com": false, "old.example": false, "html.example": false,
		"old.com.br": false, "www.a.pl": false, "a.rs": false, "a.cc": false, "a.sh": false, "a.py": false,
		"a.pm": false, "a.map": false, "a.properties": false, "a.pl.gz": true, "127.0.0.1": false, "a.co:8080": false,
	} {
		if got := kinds.IsFileName(name); got != want {
			t.Errorf("IsFileName(%q) = %t, want %t", name, got, want)
		}
	}
}
