package main

import (
	"strings"
	"testing"
)

// A record cannot show bytes of another charset, and says so; once.
func TestRawOfOtherCharsets(t *testing.T) {
	tests := []struct{ name, charset, page, want string }{
		{"of windows-1252", "windows-1252", "<a href=\xe4>", `"raw":"` + "\ufffd" + `","value":"ä","uri":"http://a.test/%C3%A4","status":"resolved","base":"http://a.test/","base_layer":"retrieval","base_source":"option","warnings":["invalid-utf8"]}`},
		{"ASCII in windows-1252", "windows-1252", "<a href=a>", `"base_source":"option"}`},
		{"no UTF-8", "utf-8", "<a href=\xe4>", `"warnings":["invalid-utf8"]}`},
		{"with another warning", "windows-1252", "<a href='//u:p@b.test/\xe4'>", `"warnings":["invalid-utf8","host-change","password"]}`},
	}
	for _, tt := range tests {
		_, out, _ := runs(t, tt.page, "extract", "--type", "html", "--base", "http://a.test/", "--charset", tt.charset, "--format", "jsonl")
		if !strings.HasSuffix(out, tt.want+"\n") {
			t.Errorf("%s: extract %q = %q, want %q at the end", tt.name, tt.page, out, tt.want)
		}
	}
}
