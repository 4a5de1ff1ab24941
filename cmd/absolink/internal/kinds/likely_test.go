package kinds

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"absolink/extract"
)

// The hint for a text of unknown kind is the kind that reads most of its links.
func TestLikely(t *testing.T) {
	for _, tt := range []struct {
		head string
		want Kind
	}{
		{"\ufeff{\n \"short_name\": \"x\"}", Kind(extract.Manifest)},
		{`{"a":"<b>"}`, Kind(extract.Plain)},
		{`[1]`, Kind(extract.Plain)},
		{"[a](b) ![c](d)\n", Kind(extract.Markdown)},
		{"a\n\n[b]: c\n", Kind(extract.Markdown)},
		{"# A title\n\ntext\n", Kind(extract.Markdown)},
		{"# a comment\nx = 1\n", Kind(extract.Plain)},
		{`["[x]: y"]`, Kind(extract.Plain)},
		{"{% block x %}", HTML},
		{"{{ x: y }}", HTML},
		{"?<a>", HTML},
		{".a {} .b {}", Kind(extract.CSS)},
		{"/* x */ @import 'y'", Kind(extract.CSS)},
		{"From a@b\n\nSubject: x\nDate: y\n\n<a href=x>", Mbox},
		{"\nSubject: x\nDate: y\n\n<a href=x>", Message},
		{"X-Any: x\n", Message},
		{"words", Kind(extract.Plain)},
		{strings.Repeat("a", hintSize) + "<a>", Kind(extract.Plain)},
		{strings.Repeat("a", hintSize-1) + "<a>", HTML},
	} {
		if got := Likely([]byte(tt.head)); got != tt.want {
			t.Errorf("Likely(%.40q): got %v, want %v", tt.head, got, tt.want)
		}
	}
	for ending, want := range map[string]Kind{".scss": Kind(extract.CSS), ".sass": Kind(extract.CSS),
		".less": Kind(extract.CSS), ".styl": Kind(extract.CSS), ".json": Kind(extract.Manifest),
		".py": Kind(extract.Plain)} {
		if got := LikelyNamed([]byte(`{"icons": []}`), ending); got != want {
			t.Errorf("LikelyNamed of %s: got %v, want %v", ending, got, want)
		}
	}
	if got := LikelyNamed([]byte(`{"x": []}`), ".json"); got != Kind(extract.Plain) {
		t.Errorf("LikelyNamed of other JSON: got %v, want text", got)
	}
}

// Text has no control characters but those of lines, pages and escape sequences.
func TestIsBinary(t *testing.T) {
	for c := range 0x20 {
		want := !strings.ContainsRune("\t\n\f\r\x1b", rune(c))
		if got := IsBinary([]byte{'a', byte(c)}); got != want {
			t.Errorf("IsBinary of %#x: got %v, want %v", c, got, want)
		}
	}
	for text, want := range map[string]bool{"": false, "ä\xff": false, "\xff\xfea\x00": false, "\xfe\xff\x00a": false,
		strings.Repeat("a", hintSize) + "\x00": false, strings.Repeat("a", hintSize-1) + "\x00": true} {
		if got := IsBinary([]byte(text)); got != want {
			t.Errorf("IsBinary(%.20q): got %v, want %v", text, got, want)
		}
	}
}

// The text of a format that is not read names the program that converts it.
func TestForeignOf(t *testing.T) {
	const ole = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
	tar := "a.eml" + strings.Repeat("\x00", 252) + "ustar\x0000" + strings.Repeat("\x00", 247)
	for _, tt := range []struct {
		head, name, want string
		mail             bool
	}{
		{"!BDN\x00", "x", "readpst", true},
		{ole + "\x00", "a.MSG", "msgconvert", true},
		{ole + "_\x00_\x00s\x00u\x00b\x00s\x00t\x00g\x001\x00.\x000\x00", "x", "msgconvert", true},
		{ole, "letter.doc", "", false},
		{"\xcf\xad\x12\xfe\xc5", "x", "undbx", true},
		{"\x01\x01\x01\x01\nFrom: x", "x", "m.MMDF(", true},
		{"\x01\x01\x01\x01\x01\n", "x", "", false},
		{"BABYL OPTIONS:\n", "x", "m.Babyl(", true},
		{"%PDF-1.7\n", "x", "pdftohtml", false},
		{"\xfd7zXZ\x00", "x", "xz -dc FILE", false},
		{"PK\x03\x04", "x", "unzip FILE -d DIR", false},
		{"PK\x05\x06", "x", "unzip FILE -d DIR", false},
		{tar, "x", "tar -xf FILE -C DIR", false},
		{tar[:511], "x", "", false},
		{"text", "a.msg", "", false},
	} {
		f := ForeignOf([]byte(tt.head), tt.name)
		switch {
		case f == nil && tt.want == "":
		case f == nil:
			t.Errorf("ForeignOf(%.20q, %s): got nil, want %s", tt.head, tt.name, tt.want)
		case tt.want == "" || !strings.Contains(f.String(), ", which is not read; ") ||
			!strings.Contains(f.String(), tt.want) || f.Mail != tt.mail:
			t.Errorf("ForeignOf(%.20q, %s): got %s, of mail %v, want %q, %v",
				tt.head, tt.name, f, f.Mail, tt.want, tt.mail)
		}
	}
}

// Mail and archives in UTF-16, in both byte orders, with and without a byte order mark, are named
// with a command that converts them. Documents in UTF-16 are read.
func TestForeignOfWide(t *testing.T) {
	for text, want := range map[string]bool{
		"From: a@b\r\nTo: b@c\r\n\r\nü€":                           true,
		"Subject: ü€\nContent-Type: text/html\n\n<a href=x>":       true,
		"From a@b Thu Jan  1 00:00:00 2026\nFrom: a@b\nTo: b\n\nx": true,
		"WARC/1.0\r\nWARC-Type: response\r\n":                      true,
		"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n":       true,
		"<html><a href=x>":          false,
		"<?xml version='1.0'?><x/>": false,
		"some text\n":               false,
		"":                          false,
		"x":                         false,
	} {
		for _, mark := range []string{"", "\ufeff"} {
			for charset, order := range map[string]binary.AppendByteOrder{
				"UTF-16LE": binary.LittleEndian, "UTF-16BE": binary.BigEndian,
			} {
				if mark != "" {
					charset = "UTF-16"
				}
				var head []byte
				for _, unit := range utf16.Encode([]rune(mark + text)) {
					head = order.AppendUint16(head, unit)
				}
				f := ForeignOf(head, "a")
				if got := f != nil && f.Mail && strings.Contains(f.String(), "iconv -f "+charset+" "); got != want {
					t.Errorf("ForeignOf(%q): got %v, want one in %s: %v", head, f, charset, want)
				}
			}
		}
	}
}
