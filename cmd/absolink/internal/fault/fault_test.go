package fault

import (
	"strings"
	"testing"

	"absolink/extract"
	"absolink/mime/document"
	"absolink/mime/rewrite"
)

// The text has the detail in the form in which it is shown, if a document gives the detail.
func TestText(t *testing.T) {
	tests := []struct {
		kind   extract.Defect
		detail string
		want   string
	}{
		{document.UnreadBody, "part 2", "part 2: not read"},
		{document.LeftOut, "part 3", "not read: part 3"},
		{document.Mislabelled, "charset", "charset: read without decoding"},
		{rewrite.Protected, "signed", "signed: stays as written"},
		{rewrite.Unsafe, "why", "stays as written: why"},
		{rewrite.Unmoved, "why", "stays as written: why"},
		{document.Defect, "why", "why"}, {document.Unread, "why", "why"}, {document.Undecoded, "why", "why"},
		{Remark, "why", "why"},
		{rewrite.Additions, "why", "the additions of the web archive to the page stay: why"},
		{rewrite.Left, "http://a/", "listed only: stays as written, but should lead to HTTP://A/"},
		{rewrite.FixedEnd, "",
			"stays as written: an edit would move the end of the script or noscript element around it"},
		{rewrite.Misread, " http://a/ ",
			"stays as written: with HTTP://A/ in its place, this or another link would be misread"},
		{rewrite.NoRoom, "http://a/", "stays as written: the document has no room for HTTP://A/"},
		{rewrite.Unwritten, "XML", "its links stay as written: absolink reads XML and does not write it"},
		{rewrite.TooLarge, "", "stays as written: its new links would need more bytes than --max-size allows"},
		{extract.UnknownCharset, "", "unknown-charset: the declared charset is unknown; another one is used"},
		{extract.UnknownCharset, "x",
			`unknown-charset: the charset "x" is not known: links with bytes above 127 stay ` +
				"as written; to read them, name a charset with --charset NAME"},
		{"srcdoc-too-deep", "", "srcdoc-too-deep: the links in it are not read"},
		{"something", "", "something"},
	}
	for _, tt := range tests {
		got := Text(&document.Problem{Kind: tt.kind, Detail: tt.detail}, strings.ToUpper)
		if got != tt.want {
			t.Errorf("Text of %s with %q: got %q, want %q", tt.kind, tt.detail, got, tt.want)
		}
	}
}
