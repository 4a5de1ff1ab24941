package input_test

import (
	"path/filepath"
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
		{"message behind a From_ line", "From a@b Thu Jan  1 00:00:00 1970\nX-Any: x\n\n", "x", input.Message},
		{"message that holds a page", "MIME-Version: 1.0\nContent-Type: text/html\n\n<html>", "x.html", input.Message},
		{"byte order mark", "\xef\xbb\xbfMIME-Version: 1.0\n\n", "x", input.Message},
		{"archive by its field", "From: <Saved>\r\nSnapshot-Content-Location: http://a/\r\nMIME-Version: 1.0\r\n\r\n", "x", input.MHTML},
		{"archive by its name", "MIME-Version: 1.0\r\n\r\n", "x.MHTML", input.MHTML},
		{"one weak field", "Subject: x\n\ntext", "x.txt", text},
		{"one weak field in a message file", "Subject: x\n\ntext", "x.eml", input.Message},
		{"no field in a message file", "garbage\nSubject: x\n\n", "x.eml", input.Message},
		{"fields after a line that is none", "hello\nReceived: x\n\n", "x", input.Other},
		{"name with a blank before the colon", "MIME-Version : 1.0\n\n", "x", input.Message},
		{"web archive", "WARC/1.0\r\nWARC-Type: response\r\nContent-Type: a\r\n\r\n", "x", input.Other},
		{"response", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>", "x", input.Other},
		{"empty page", "", "x.html", input.HTML},
		{"empty message", "", "x.eml", input.Message},
		{"empty", "", "x", input.Other},
		{"binary named as a page", "\x7fELF\x00\x00", "x.html", input.Other},
		{"text", "hello, world", "x.txt", text},
		{"text of no name", "hello, world", "x", input.Other},
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

func TestOpenTellsMailboxes(t *testing.T) {
	const one = "From a@b Thu Jan  1 00:00:00 1970\nSubject: x\n\ntext\n"
	far := one + strings.Repeat("more text, more text, more text, more text\n", 60_000)
	tests := []struct {
		name string
		in   string
		want input.Kind
	}{
		{"one message", one, input.Message},
		{"two messages", one + "\n" + one, input.Other},
		{"a sentence that begins with From", one + "\nFrom here on\nall is text\n", input.Message},
		{"two messages far apart", far + "\n" + one, input.Other},
		{"one large message", far, input.Message},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "mail")
			write(t, path, tt.in)
			r := input.Reader{Options: input.Options{MaxSize: 1 << 20}}
			d, err := r.Open(t.Context(), input.File{Source: "mail", Path: path})
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			if d.Kind != tt.want {
				t.Errorf("Open: got kind %v, want %v", d.Kind, tt.want)
			}
		})
	}
}

// Detect never fails, and does not depend on how text lines end.
func FuzzDetect(f *testing.F) {
	f.Add("Subject: x\nFrom: y\n\n<html>", "a.eml")
	f.Add("From a\nb: c\n\nFrom d\ne: f\n", "a")
	f.Add("<html>", "x.mht")
	f.Fuzz(func(t *testing.T, head, name string) {
		if strings.ContainsAny(head, "\r") {
			return
		}
		got := input.Detect([]byte(head), name)
		crlf := input.Detect([]byte(strings.ReplaceAll(head, "\n", "\r\n")), name)
		if got != crlf {
			t.Errorf("Detect(%q, %q): got %v with LF, %v with CRLF", head, name, got, crlf)
		}
	})
}
