package input

import (
	"strings"
	"testing"
)

// What nothing is known of is described, with the --type that it can be read as.
func TestUnknown(t *testing.T) {
	tests := []struct{ head, name, want string }{
		{"a { color: red }", "x", "css"},
		{".a, p > b{}", "x", "css"},
		{"/* a\n * b */\n@import 'x';", "x", "css"},
		{"a:hover{background:url(x)}", "x", "css"},
		{"$c: red", "x.scss", "css"},
		{`{"name":"x","icons":[{"src":"i.png"}]}`, "manifest.json", "manifest"},
		{"\ufeff{\n \"short_name\": \"x\"}", "x", "manifest"},
		{`{"a":"<b>"}`, "x", "text"},
		{`[1]`, "x", "text"},
		{"{}", "x", "text"},
		{`\<a href=x>`, "x.json", "text"},
		{"{% block x %}", "x", "html"},
		{"{{ x: y }}", "x", "html"},
		{"?<a>", "x", "html"},
		{"From a@b\n\nSubject: x\nDate: y\n\n<a href=x>", "x", "mbox"},
		{"\nSubject: x\nDate: y\n\n<a href=x>", "x", "message"},
		{"X-Any: x\n", "x", "message"},
		{"words: {more}", "x", "message"},
	}
	for _, tt := range tests {
		if got := likelyType([]byte(tt.head), tt.name).String(); got != tt.want {
			t.Errorf("likelyType(%q, %q): got %s, want %s", tt.head, tt.name, got, tt.want)
		}
	}
}

// Mail that another program has to convert is named with that program.
func TestForeignMail(t *testing.T) {
	const ole = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
	tests := []struct{ head, name, want string }{
		{"!BDN\x00", "x", "readpst"},
		{ole + "\x00", "a.MSG", "msgconvert"},
		{ole + strings.Repeat("\x00", 600) + "_\x00_\x00s\x00u\x00b\x00s\x00t\x00g\x001\x00.\x000\x00", "x", "msgconvert"},
		{"\xcf\xad\x12\xfe\xc5", "Inbox.dbx", "undbx"},
		{"%PDF-1.7\n%\xe2\xe3", "paper.pdf", "a PDF, which is not read; \"pdftohtml -s FILE\""},
		{ole, "letter.doc", "binary data"},
		{"text", "a.msg", "--type text"},
	}
	for _, tt := range tests {
		if got := unknown([]byte(tt.head), tt.name); !strings.Contains(got, tt.want) {
			t.Errorf("unknown(%q, %q): got %q, want it to name %s", tt.head, tt.name, got, tt.want)
		}
	}
}
