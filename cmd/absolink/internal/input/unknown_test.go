package input

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/kinds"
)

// The message about an unknown file names the --type that can read it.
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
		{"[a](b) ![c](d)\n", "x", "try --type markdown"},
		{"a\n\n![c](<d>)\n", "x", "try --type markdown"},
		{"a\n\n[b]: c\n", "x", "try --type markdown"},
		{"# A title\n\ntext\n", "x", "try --type markdown"},
		{"## A title\r\n\r\n[1]", "x", "try --type markdown"},
		{"# a comment\nx = 1\n", "x", "try --type text"},
		{"a [1] (b)\n[x]: \n", "x", "try --type text"},
		{`["[x]: y"]`, "x", "try --type text"},
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
		id := kinds.Identify([]byte(tt.head), tt.name)
		got := explainUnknown([]byte(tt.head), tt.name, &id, nil)
		if id.Kind != Other || !strings.HasSuffix(got, tt.want) {
			t.Errorf("unknown(%q, %q): got %s, of kind %v; want %s", tt.head, tt.name, got, id.Kind, tt.want)
		}
	}
}

// A document in a frame has the key "type" in place of the flag --type.
func TestTypeSettingOfFrames(t *testing.T) {
	g := &Given{Framed: true}
	for _, tt := range []struct{ head, name, want string }{
		{"words", "x", `try "type":"text" in the frame`},
		{"a { b: c }", "a.less", `a .less file, which is not read; "type":"css" in the frame reads it as css`},
		{"a\x00b", "x.js",
			`it is named as script, and "type":"script" in the frame, with --scripts for all frames, reads it so`},
		{"<html>", "a.css", `read as html; "type":"css" in the frame reads it as named`},
		{"<html>", "a.json", `read as html; "type" in the frame reads it as another kind`},
	} {
		id := kinds.Identify([]byte(tt.head), tt.name)
		got := explainUnknown([]byte(tt.head), tt.name, &id, g)
		if id.Kind != Other {
			got = explainMisnamed(&id, g)
		}
		if !strings.HasSuffix(got, tt.want) {
			t.Errorf("%q, %q: got %s, want %s", tt.head, tt.name, got, tt.want)
		}
	}
}

// If the beginning of a file overrules its name, the message has both kinds.
func TestMisnamed(t *testing.T) {
	tests := []struct{ head, name, want string }{
		{"<html><head>", "a.css", "named as css, but begins as html: read as html; --type css reads it as named"},
		{"<!doctype html>", "a.json",
			"a .json file that begins as html: read as html; --type reads it as another kind"},
		{"<svg xmlns='http://www.w3.org/2000/svg'>", "a.rss",
			"named as feed, but begins as svg: read as svg; --type feed reads it as named"},
	}
	for _, tt := range tests {
		id := kinds.Identify([]byte(tt.head), tt.name)
		if got := explainMisnamed(&id, nil); !id.Misnamed || got != tt.want {
			t.Errorf("misnamed of %q, %q: got %v, %s; want %s", tt.head, tt.name, id.Misnamed, got, tt.want)
		}
	}
}

// If another program must convert a file, the message names that program, whatever the name of the
// file is. The reason is Foreign for mail, unless the name says that the file is something else.
func TestForeign(t *testing.T) {
	const ole = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
	tar := "a.eml" + strings.Repeat("\x00", 252) + "ustar\x0000" + strings.Repeat("\x00", 247)
	mmdf := "\x01\x01\x01\x01\nFrom: a@b.test\nSubject: x\n\nhttp://e.test/\n\x01\x01\x01\x01\n"
	tests := []struct {
		head, name, want string
		reason           Reason
	}{
		{"!BDN\x00", "x", "readpst", Foreign},
		{ole + "\x00", "a.MSG", "msgconvert", Foreign},
		{ole + strings.Repeat("\x00", 600) + "_\x00_\x00s\x00u\x00b\x00s\x00t\x00g\x001\x00.\x000\x00",
			"x", "msgconvert", Foreign},
		{"\xcf\xad\x12\xfe\xc5", "Inbox.dbx", "undbx", Foreign},
		{mmdf, "a.mmdf", "MMDF", Misnamed},
		{mmdf, "a.mbox", "MMDF", Misnamed},
		{mmdf, "a.txt", "MMDF", Misnamed},
		{mmdf, "inbox", "MMDF", Foreign},
		{strings.ReplaceAll(mmdf, "\n", "\r\n"), "inbox", "MMDF", Foreign},
		{"BABYL OPTIONS: -*- rmail -*-\nVersion: 5\n", "RMAIL", "Babyl", Foreign},
		{"BABYL OPTIONS:\n", "a.mbox", "Babyl", Misnamed},
		{"%PDF-1.7\n%\xe2\xe3", "paper.pdf", "a PDF, which is not read; \"pdftohtml -s FILE\"", Unknown},
		{"%PDF-1.7\n%\xe2\xe3", "paper.eml", "pdftohtml", Misnamed},
		{"\xfd7zXZ\x00\x00", "a.mbox.xz", "xz -dc FILE", Unknown},
		{"\xfd7zXZ\x00\x00", "a.mbox", "xz -dc FILE", Misnamed},
		{"PK\x03\x04\x14\x00", "mail.zip", "unzip FILE -d DIR", Unknown},
		{"PK\x03\x04\x14\x00", "site.html", "unzip FILE -d DIR", Misnamed},
		{"PK\x05\x06" + strings.Repeat("\x00", 18), "empty.zip", "unzip FILE -d DIR", Unknown},
		{tar, "mail.tar", "tar -xf FILE -C DIR", Unknown},
		{tar, "mail.mbox", "tar -xf FILE -C DIR", Misnamed},
		{"a\x01\x01\x01\x01\n", "a", "binary data", Unknown},
		{"\x01\x01\x01\x01\x01\n", "a", "binary data", Unknown},
		{tar[:300], "a", "binary data", Unknown},
		{ole, "letter.doc", "binary data", Unknown},
		{"text", "a.msg", "--type text", Unknown},
	}
	for _, tt := range tests {
		d := Document{File: File{Rel: tt.name}}
		got := new(Reader).decide(t.Context(), &d, []byte(tt.head))
		if got.Kind != Other || !strings.Contains(got.Why, tt.want) || got.Reason != tt.reason {
			t.Errorf("a file %q that begins with %q: got %+v, want it to name %s, with the reason %d",
				tt.name, tt.head, got, tt.want, tt.reason)
		}
	}
	wacz := Document{File: File{Rel: "a.wacz"}}
	if got := new(Reader).decide(t.Context(), &wacz, []byte("PK\x03\x04")); got != (Decision{Kind: WACZ}) {
		t.Errorf("a zip file a.wacz: got %+v, want kind %v", got, WACZ)
	}
}

// isTemplate knows the endings of templates that package extract passes over in a name.
func TestIsTemplate(t *testing.T) {
	source, err := os.ReadFile("../../../../extract/detect.go")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(source), "\ttemplates = []string{")
	list, _, _ = strings.Cut(list, "}")
	endings := regexp.MustCompile(`\.\w+`).FindAllString(list, -1)
	if len(endings) < 14 {
		t.Errorf("package extract has %d endings, want at least 14: %q", len(endings), endings)
	}
	for _, ending := range endings {
		if !isTemplate("x"+ending) || !isTemplate("x.css"+strings.ToUpper(ending)) {
			t.Errorf("isTemplate of %s: got false", ending)
		}
	}
	for _, name := range []string{"", "x", "inc", "x.css", "x.inc.css", "x.gz"} {
		if isTemplate(name) {
			t.Errorf("isTemplate of %q: got true", name)
		}
	}
}
