package input

import (
	"strings"
	"testing"
)

// An unknown file is described with the --type that it can be read as.
func TestUnknown(t *testing.T) {
	tests := []struct{ head, name, want string }{
		{"$c: red", "x.scss", "a .scss file, which is not read; --type css reads it as css"},
		{`{"name":"x","icons":[{"src":"i.png"}]}`, "manifest.json",
			"a .json file, which is not read; --type manifest reads it as manifest"},
		{`\<a href=x>`, "x.json", "a .json file, which is not read; --type text reads it as text"},
		{"a = '<p>'", "x.py.gz", "a .py file, which is not read; --type text reads it as text"},
		{"\ufeff{\n \"short_name\": \"x\"}", "x",
			`cannot tell the type (it starts with "\ufeff{"); try --type manifest`},
		{`{"a":"<b>"}`, "x", `cannot tell the type (it starts with "{\"a\":\"<b>\"}"); try --type text`},
		{`[1]`, "x", "try --type text"},
		{"{}", "x", "try --type text"},
		{"{% block x %}", "x.inc", `cannot tell the type (it starts with "{% block x %}"); try --type html`},
		{"{{ x: y }}", "x", "try --type html"},
		{"?<a>", "x", "try --type html"},
		{".a {} .b {}", "x", "try --type css"},
		{"a{odd:x}", "x", "try --type css"},
		{"From a@b\n\nSubject: x\nDate: y\n\n<a href=x>", "x", "try --type mbox"},
		{"\nSubject: x\nDate: y\n\n<a href=x>", "x", "try --type message"},
		{"X-Any: x\n", "x", "try --type message"},
		{"words: {more}", "x", "try --type message"},
		{"", "x", "cannot tell the type: it is empty"},
		{"a\x00b", "x", "cannot tell the type: it is binary data"},
		{"a\x00b", "x.css", "cannot tell the type: it is binary data; it is named as css, and --type css reads it so"},
		{"%PDF-1.4\n<a href=x>", "x.htm",
			"a PDF, which is not read; \"pdftohtml -s FILE\" (package poppler-utils) makes HTML of it; it is named " +
				"as html, and --type html reads it so"},
	}
	for _, tt := range tests {
		id := Identify([]byte(tt.head), tt.name)
		if got := unknown([]byte(tt.head), tt.name, &id); id.Kind != Other || !strings.HasSuffix(got, tt.want) {
			t.Errorf("unknown(%q, %q): got %s, of kind %v; want %s", tt.head, tt.name, got, id.Kind, tt.want)
		}
	}
}

// A file whose beginning has overruled its name is told with both kinds.
func TestMisnamed(t *testing.T) {
	tests := []struct{ head, name, want string }{
		{"<html><head>", "a.css", "named as css, but begins as html: read as html; --type css reads it as named"},
		{"<!doctype html>", "a.json",
			"a .json file that begins as html: read as html; --type reads it as another kind"},
		{"<svg xmlns='http://www.w3.org/2000/svg'>", "a.rss",
			"named as feed, but begins as svg: read as svg; --type feed reads it as named"},
	}
	for _, tt := range tests {
		id := Identify([]byte(tt.head), tt.name)
		if got := id.misnamed(); !id.Misnamed || got != tt.want {
			t.Errorf("misnamed of %q, %q: got %v, %s; want %s", tt.head, tt.name, id.Misnamed, got, tt.want)
		}
	}
}

// A file in a format that another program has to convert is named with that program, whatever its
// name is, and in a directory only if it holds mail.
func TestForeign(t *testing.T) {
	const ole = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
	tar := "a.eml" + strings.Repeat("\x00", 252) + "ustar\x0000" + strings.Repeat("\x00", 247)
	mmdf := "\x01\x01\x01\x01\nFrom: a@b.test\nSubject: x\n\nhttp://e.test/\n\x01\x01\x01\x01\n"
	tests := []struct {
		head, name, want string
		mail             bool
	}{
		{"!BDN\x00", "x", "readpst", true},
		{ole + "\x00", "a.MSG", "msgconvert", true},
		{ole + strings.Repeat("\x00", 600) + "_\x00_\x00s\x00u\x00b\x00s\x00t\x00g\x001\x00.\x000\x00",
			"x", "msgconvert", true},
		{"\xcf\xad\x12\xfe\xc5", "Inbox.dbx", "undbx", true},
		{mmdf, "a.mmdf", "MMDF", true},
		{mmdf, "a.mbox", "MMDF", true},
		{mmdf, "a.txt", "MMDF", true},
		{mmdf, "inbox", "MMDF", true},
		{strings.ReplaceAll(mmdf, "\n", "\r\n"), "inbox", "MMDF", true},
		{"BABYL OPTIONS: -*- rmail -*-\nVersion: 5\n", "RMAIL", "Babyl", true},
		{"BABYL OPTIONS:\n", "a.mbox", "Babyl", true},
		{"%PDF-1.7\n%\xe2\xe3", "paper.pdf", "a PDF, which is not read; \"pdftohtml -s FILE\"", false},
		{"%PDF-1.7\n%\xe2\xe3", "paper.eml", "pdftohtml", false},
		{"filedesc://x.arc 0.0.0.0 20060101000000 text/plain 9\n", "x.arc", "warcio recompress", false},
		{"\xfd7zXZ\x00\x00", "a.mbox.xz", "xz -dc FILE", false},
		{"\xfd7zXZ\x00\x00", "a.mbox", "xz -dc FILE", false},
		{"PK\x03\x04\x14\x00", "mail.zip", "unzip FILE -d DIR", false},
		{"PK\x03\x04\x14\x00", "site.html", "unzip FILE -d DIR", false},
		{"PK\x05\x06" + strings.Repeat("\x00", 18), "empty.zip", "unzip FILE -d DIR", false},
		{tar, "mail.tar", "tar -xf FILE -C DIR", false},
		{tar, "mail.mbox", "tar -xf FILE -C DIR", false},
		{"a\x01\x01\x01\x01\n", "a", "binary data", false},
		{"\x01\x01\x01\x01\x01\n", "a", "binary data", false},
		{tar[:300], "a", "binary data", false},
		{ole, "letter.doc", "binary data", false},
		{"text", "a.msg", "--type text", false},
	}
	for _, tt := range tests {
		d := Document{File: File{Rel: tt.name}}
		new(Reader).setKind(t.Context(), &d, []byte(tt.head))
		if d.Kind != Other || !strings.Contains(d.Why, tt.want) || d.Foreign != tt.mail {
			t.Errorf("a file %q that begins with %q: got kind %v, %q, mail %v, want it to name %s, mail %v",
				tt.name, tt.head, d.Kind, d.Why, d.Foreign, tt.want, tt.mail)
		}
	}
	wacz := Document{File: File{Rel: "a.wacz"}}
	new(Reader).setKind(t.Context(), &wacz, []byte("PK\x03\x04"))
	if wacz.Kind != WACZ {
		t.Errorf("a zip file a.wacz: got kind %v, want %v", wacz.Kind, WACZ)
	}
}
