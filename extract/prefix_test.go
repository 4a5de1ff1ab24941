package extract_test

import (
	"testing"

	"absolink/extract"
)

// AppendPart replaces a part of a reference and no other byte, if it knows how the text before the
// part is spelled.
func TestAppendPart(t *testing.T) {
	for _, tt := range []struct {
		page, start, end string // the value before the part, and with the part
		want             string // the new page, or "" if the part cannot be replaced
	}{
		{"<a href='http://a.test/x?b'>", "http://a.test/", "http://a.test/x", "<a href='http://a.test/NEW?b'>"},
		{"<a href='http://a.test/?&#38;b&amp;c'>", "http://a.test/?&", "http://a.test/?&b",
			"<a href='http://a.test/?&#38;NEW&amp;c'>"},
		{"<a href='http://a.test/é?b&c'>", "http://a.test/é?", "http://a.test/é?b", "<a href='http://a.test/é?NEW&c'>"},
		{"<a href='http://a.test/&eacute;&#x20ac;?b&c'>", "http://a.test/é€?", "http://a.test/é€?b",
			"<a href='http://a.test/&eacute;&#x20ac;?NEW&c'>"},
		{"<a href='http://a.test/&NotEqualTilde;x'>", "http://a.test/≂̸", "http://a.test/≂̸x",
			"<a href='http://a.test/&NotEqualTilde;NEW'>"},
		{"<a href='http://a.test/&eacute;?b'>", "http://a.test/è", "http://a.test/è?", ""},
		{"<a href='http://a.test/&eacute;?b'>", "http://a.test/é?b", "http://a.test/é?bc", ""},
		{"<a href=http://a.test/x>", "http://a.test/", "http://a.test/x", "<a href=http://a.test/NEW>"},
	} {
		d := &extract.Doc{Format: extract.HTML, Data: []byte(tt.page), Charset: "utf-8"}
		var r extract.Resolver
		for l := range r.Links(d) {
			value := append(l.Value[:len(l.Value):len(l.Value)], "xyz"...)
			l.Value = value
			if tt.want != "" && string(value[:len(tt.end)]) != tt.end {
				t.Fatalf("%s: the value is %q", tt.page, l.Value)
			}
			copy(l.Value, tt.end)
			edits, ok := r.AppendPart(nil, &l, len(tt.start), len(tt.end), []byte("NEW"))
			switch {
			case ok != (tt.want != ""):
				t.Errorf("AppendPart of %s, %q to %q: got %v", tt.page, tt.start, tt.end, ok)
			case ok:
				if got := string(extract.Apply(nil, d.Data, edits)); got != tt.want {
					t.Errorf("AppendPart of %s: got %s, want %s", tt.page, got, tt.want)
				}
			}
		}
	}
}
