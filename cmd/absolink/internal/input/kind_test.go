package input_test

import (
	"slices"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/input"
	"absolink/extract"
)

func TestDetect(t *testing.T) {
	const text = input.Kind(extract.Plain)
	tests := []struct {
		name string
		head string
		file string
		want input.Kind
	}{
		{"page", "<!DOCTYPE html><title>x</title>", "x", input.HTML},
		{"page named as a message", "<html><body>", "x.mht", input.HTML},
		{"message", "Received: from a\r\n by b\r\nSubject: x\r\n\r\n", "x", input.Message},
		{"message with lone CR", "Subject: x\rFrom: y\r\rtext", "x", input.Message},
		{"mailbox", "From a@b Thu Jan  1 00:00:00 1970\nX-Any: x\n\n", "x.eml", input.Mbox},
		{"mailbox with CRLF", "From a@b\r\nX-Any: x\r\n\r\n", "x", input.Mbox},
		{"mailbox behind blank lines", "\n\nFrom a@b\nX-Any: x\n\n", "x", input.Mbox},
		{"mailbox with a byte order mark", "\xef\xbb\xbfFrom a@b\nX-Any: x\n\n", "x", input.Mbox},
		{"mailbox with a second, quoted From_ line", "From a@b\n>From c@d\nX-Any: x\n\n", "x", input.Mbox},
		{"message behind a quoted From_ line", ">From a@b\nX-Any: x\n\n", "x", input.Message},
		{"a sentence that begins with From", "From here on\nall is text\n", "x", input.Other},
		{"a field of that name", "From : a@b\nSubject: x\n\n", "x", input.Message},
		{"message that holds a page", "MIME-Version: 1.0\nContent-Type: text/html\n\n<html>", "x.html", input.Message},
		{"byte order mark", "\xef\xbb\xbfMIME-Version: 1.0\n\n", "x", input.Message},
		{"archive by its field", "From: <Saved>\r\nSnapshot-Content-Location: http://a/\r\nMIME-Version: 1.0\r\n\r\n",
			"x", input.MHTML},
		{"archive by its name", "MIME-Version: 1.0\r\n\r\n", "x.MHTML", input.MHTML},
		{"one weak field", "Subject: x\n\ntext", "x.txt", text},
		{"one weak field in a message file", "Subject: x\n\ntext", "x.eml", input.Message},
		{"no field in a message file", "garbage\nSubject: x\n\n", "x.eml", input.Message},
		{"fields after a line that is none", "hello\nReceived: x\n\n", "x", input.Other},
		{"message behind a blank line", "\nFrom: a@b\nMIME-Version: 1.0\n\n<a href=3Dx>", "x", input.Other},
		{"message behind a line that is no field", "bogus\nFrom: a@b\nSubject: x\n\n<a href=3Dx>", "x", input.Other},
		{"message in a text", "bogus\nFrom: a@b\nSubject: x\n\n<a href=x>", "x.txt", text},
		{"fragment behind a word with a colon", "Subject: <a href=x>", "", input.HTML},
		{"page that shows a message", "<pre>\nFrom: a@b\nSubject: x\n</pre>", "x", input.HTML},
		{"web archive of before WARC", "filedesc://a.arc 0.0.0.0 20060101000000 text/plain 9\n<a href=x>",
			"x", input.WARC},
		{"rich text", `{\rtf1 <a href=x>}`, "x", input.Other},
		{"name with a blank before the colon", "MIME-Version : 1.0\n\n", "x", input.Message},
		{"web archive", "WARC/1.0\r\nWARC-Type: response\r\nContent-Type: a\r\n\r\n", "x", input.WARC},
		{"web archive by its name", "", "x.warc", input.WARC},
		{"response", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>", "x", input.HTTP},
		{"empty page", "", "x.html", input.HTML},
		{"empty message", "", "x.eml", input.Message},
		{"empty", "", "x", input.Other},
		{"binary named as a page", "\x7fELF\x00\x00", "x.html", input.Other},
		{"text", "hello, world", "x.txt", text},
		{"text of no name", "hello, world", "x", input.Other},
		{"a page that ends in NUL", "abc <a href=x>\x00", "x.html", input.HTML},
		{"a fragment of no name", "<section><a href=x>", "x", input.HTML},
		{"a fragment below a directory with the name of a media type", "<section><a href=x>", "text/x", input.HTML},
		{"a fragment in a message file", "Hello <a href=x>", "x.eml", input.Message},
		{"a program that quotes a tag", "a = '<p>'", "x.py", input.Other},
		{"a script that quotes a tag", "a = '<p>'", "x.js", input.Kind(extract.Script)},
		{"binary named as text", "a\x00b", "x.txt", input.Other},
		{"text in UTF-16", "\xff\xfea\x00", "x.txt", text},
		{"style sheet", "a{}", "x.css", input.Kind(extract.CSS)},
		{"bookmarks", "<!DOCTYPE NETSCAPE-Bookmark-file-1>", "x", input.Kind(extract.Bookmarks)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := input.Detect([]byte(tt.head), tt.file); got != tt.want {
				t.Errorf("Detect(%q, %q): got %v, want %v", tt.head, tt.file, got, tt.want)
			}
		})
	}
}

// Each format is one that --type accepts, or one that only messages and responses contain.
func TestKinds(t *testing.T) {
	inner := []extract.Format{extract.Heading, extract.Calendar, extract.Card, extract.Enriched}
	for f := extract.HTML; f.String() != ""; f++ {
		named := slices.Contains(input.Kinds, input.Kind(f))
		if named == slices.Contains(inner, f) {
			t.Errorf("%v: --type takes it: %v, want %v", f, named, !named)
		}
	}
}

// The line of an ARC record begins a record as the version line of a WARC does.
func TestIsPlainRecordAt(t *testing.T) {
	for text, want := range map[string]bool{
		"WARC/1.0\r\n": true,
		"warc/1.0\r\n": true,
		"http://a/ 1.2.3.4 20050102030405 text/html 0\n":                                 true,
		"http://a/ - 200501020304 text/html 0\r\nx":                                      true,
		"http://a/ b ::1 20050102030405 text/html 200 - - 7 a.arc 0\n":                   true,
		"http://a/ 1.2.3.4 20050102030405 text/html 0":                                   false,
		"http://a/ 1.2.3.4 20050102030405 text/html\n":                                   false,
		"http://a/ 1.2.3.4 20050102030405 text/html x\n":                                 false,
		"http://a/ 1.2.3.4 2005 text/html 0\n":                                           false,
		"http://a/ host 20050102030405 text/html 0\n":                                    false,
		"1.2.3.4 20050102030405 text/html 0\n":                                           false,
		"http://" + strings.Repeat("a", 8<<10) + " 1.2.3.4 20050102030405 text/html 0\n": false,
		"<html>\nhttp://a/ 1.2.3.4 20050102030405 text/html 0\n":                         false,
		"": false,
	} {
		for _, before := range []string{"", "some bytes\n"} {
			if got := input.IsPlainRecordAt(strings.NewReader(before+text), int64(len(before))); got != want {
				t.Errorf("%.60q after %q: got %v, want %v", text, before, got, want)
			}
		}
	}
}
