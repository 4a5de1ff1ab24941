package mime

import (
	"testing"

	"absolink/base"
	"absolink/extract"
)

// A part becomes a document with the format of its content, and with all that its fields say.
func TestFill(t *testing.T) {
	const encoded = "Content-Type: text/html\nContent-Transfer-Encoding: base64\n"
	for _, tt := range []struct {
		head, body string
		want       extract.Doc
	}{
		{"Content-Type: text/html\n", "<p>", extract.Doc{Format: extract.HTML}},
		{"Content-Type: application/xml\n", "<a/>", extract.Doc{Format: extract.XML}},
		{"Content-Type: application/xml\n", "<rss version='2.0'><channel/></rss>", extract.Doc{Format: extract.Feed}},
		{"Content-Type: text/xml\n", "<svg xmlns='http://www.w3.org/2000/svg'/>", extract.Doc{Format: extract.SVG}},
		{"Content-Type: text/plain\n", "x", extract.Doc{Format: extract.Plain}},
		{"Content-Type: text/plain; format=Flowed\n", "x", extract.Doc{Format: extract.Plain, Flowed: true}},
		{"Content-Type: text/plain; format=fixed; delsp=Yes\n", "x", extract.Doc{Format: extract.Plain}},
		{"Content-Type: text/html; format=flowed; delsp=yes\n", "<p>", extract.Doc{Format: extract.HTML}},
		{"Content-Type: text/html; charset=koi8-r\n", "<p>", extract.Doc{Format: extract.HTML, Charset: "koi8-r"}},
		{encoded, "PHA+\n", extract.Doc{Format: extract.HTML}},
		{encoded, "PHA+P", extract.Doc{Format: extract.HTML, Cut: true}},
		{encoded, "PHA+PGE", extract.Doc{Format: extract.HTML, Cut: true}},
	} {
		var leaf Leaf
		if err := parse(t, tt.head+"\n"+tt.body).Root.FillLeaf(&leaf); err != nil {
			t.Errorf("%q: %v", tt.head, err)
			continue
		}
		d := extract.Doc{Cut: true, Flowed: true, DelSp: true, Charset: "x"} // of another part
		leaf.Fill(&d, nil)
		if d.Format != tt.want.Format || d.Flowed != tt.want.Flowed || d.DelSp != tt.want.DelSp ||
			d.Charset != tt.want.Charset || d.Cut != tt.want.Cut || !d.Options.ConditionalComments {
			t.Errorf("%q with %q: got %v, flowed %v, delsp %v, charset %q, cut %v", tt.head, tt.body,
				d.Format, d.Flowed, d.DelSp, d.Charset, d.Cut)
		}
	}
}

// The heading of a part becomes a document in the layers of the part.
func TestHeadingOfPart(t *testing.T) {
	const head = "Content-Type: text/html\nContent-Base: http://a.test/\nList-Help: <http://b.test/>\n"
	m := parse(t, around("mixed", "", "b", "\none\n--b\n"+head+"\n<p>\n"))
	d := extract.Doc{Cut: true, Charset: "x"} // of another part
	outer := &base.Layer{Source: base.Option, Value: "http://o.test/"}
	m.Root.Parts[1].Heading(&d, outer)
	if d.Format != extract.Heading || string(d.Data) != head || d.Part != "2" || d.Cut || d.Charset != "" ||
		d.Layer == nil || d.Layer.Value != "http://a.test/" || d.Layer.Outer != outer {
		t.Errorf("Heading: got %v %q of part %q in %+v", d.Format, d.Data, d.Part, d.Layer)
	}
}

// The Content-ID of a part has no brackets, comments and encoded words.
func TestContentID(t *testing.T) {
	for field, want := range map[string]string{"": "", "Content-ID: <a@b>\n": "a@b", "Content-ID: a@b\n": "a@b",
		"Content-ID: (x) <a@b> (y)\n": "a@b", "content-id:\n <a@b>\n": "a@b", "Content-ID:\n": "",
		"Content-ID: =?utf-8?Q?<a=40b>?=\n": "a@b"} {
		if got := parse(t, field+"\nx").Root.ContentID(); got != want {
			t.Errorf("%q: ContentID() = %q, want %q", field, got, want)
		}
	}
}
