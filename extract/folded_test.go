package extract_test

import (
	"fmt"
	"strings"
	"testing"

	"absolink/extract"
)

func TestEndsFolded(t *testing.T) {
	uri := "http://a.test/" + strings.Repeat("x", 50)
	for _, tt := range []struct {
		text   string
		format extract.Format
		want   bool
	}{
		{uri + "\ny%20y zz\n", extract.Plain, true},
		{"> " + uri[:62] + "\r\n> yy&z\r\n", extract.Plain, true},
		{"see " + uri + "\n\ty=y\n", extract.Enriched, true},
		{uri[:63] + "\ny=y\n", extract.Plain, false},
		{"x\nsee " + uri[:60] + "\ny=y\n", extract.Plain, true},
		{"x\nsee " + uri[:59] + "\ny=y\n", extract.Plain, false},
		{uri + "\nyy y=y\n", extract.Plain, false},
		{uri + "\n\ny=y\n", extract.Plain, false},
		{"> " + uri + "\n> \n> y=y\n", extract.Plain, false},
		{uri + "\n", extract.Plain, false},
		{uri, extract.Plain, false},
		{uri + "\nhttp://b.test/?y=y\n", extract.Plain, false},
		{"> " + uri + "\n> HTTPS://b.test/?y=y\n", extract.Plain, false},
		{uri + "\n<ftp://b.test/y%20y>\n", extract.Plain, false},
		{uri + "\nhttp%3A%2F%2Fb.test\n", extract.Plain, true},
		{uri + " yy\nz=z\n", extract.Plain, false},
		{uri + ".\nz=z\n", extract.Plain, false},
		{"<p>" + uri + "<a href=" + uri + "\n>y=y", extract.HTML, false},
	} {
		d := &extract.Doc{Format: tt.format, Data: []byte(tt.text), Charset: "utf-8"}
		n := 0
		for r := range d.Refs() {
			n++
			if got := d.EndsFolded(r.Span); got != tt.want {
				t.Errorf("EndsFolded in %v %q: got %v", tt.format, tt.text, got)
			}
		}
		if n == 0 {
			t.Errorf("%v %q: no reference", tt.format, tt.text)
		}
	}
}

// In charsets with more than one byte for an ASCII character, no reference counts as folded.
func TestEndsFoldedWide(t *testing.T) {
	uri := "http://a.test/" + strings.Repeat("x", 50)
	for _, text := range []string{uri + "\ny%20y zz\n", uri + "\r\ny%20y zz\r\n", uri + "\nhttp://b.test/?y=y\n"} {
		for charset, form := range map[string]string{"utf-16le": "%c\x00", "utf-16be": "\x00%c",
			"utf-32le": "%c\x00\x00\x00", "utf-32be": "\x00\x00\x00%c"} {
			var data []byte
			for _, r := range text {
				data = fmt.Appendf(data, form, r)
			}
			d := &extract.Doc{Format: extract.Plain, Data: data, Charset: charset, Part: "1"}
			n := 0
			for r := range d.Refs() {
				n++
				if d.EndsFolded(r.Span) {
					t.Errorf("EndsFolded in %s %q: got true", charset, text)
				}
			}
			if n == 0 {
				t.Errorf("%s %q: no reference", charset, text)
			}
		}
	}
}

func TestMayContinue(t *testing.T) {
	for _, tt := range []struct {
		text   string
		format extract.Format
		want   bool
	}{
		{"http://a.test/\nb\n", extract.Plain, true},
		{"> http://a.test/\r\n> b c\r\n", extract.Plain, true},
		{"http://a.test/\n\té\n", extract.Enriched, true},
		{"http://a.test/\n" + strings.Repeat("b", 1000), extract.Plain, true},
		{"http://a.test/\n-- \n", extract.Plain, false},
		{"http://a.test/\n* b\n", extract.Plain, false},
		{"http://a.test/\n<b>\n", extract.Plain, false},
		{"http://a.test/\n\nb\n", extract.Plain, false},
		{"http://a.test/ \nb\n", extract.Plain, false},
		{"http://a.test/.\nb\n", extract.Plain, false},
		{"http://a.test/ b\n", extract.Plain, false},
		{"http://a.test/\n", extract.Plain, false},
		{"http://a.test/", extract.Plain, false},
		{"http://a.test/\nhttp://b.test/b\n", extract.Plain, false},
		{"<a href=http://a.test/\nb>\n", extract.HTML, false},
	} {
		d := &extract.Doc{Format: tt.format, Data: []byte(tt.text), Charset: "utf-8"}
		n := 0
		for r := range d.Refs() {
			if got := d.MayContinue(r.Span); n == 0 && got != tt.want {
				t.Errorf("MayContinue in %v %q: got %v", tt.format, tt.text, got)
			}
			n++
		}
		if n == 0 {
			t.Errorf("%v %q: no reference", tt.format, tt.text)
		}
	}
}
