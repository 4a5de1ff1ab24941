package extract

import (
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"

	"absolink/extract/internal/readingtest"
)

// xmlDocument returns an XML document of a format.
func xmlDocument(f Format, data []byte, o ...Options) *Doc {
	d := document(data, "", o...)
	d.Format = f
	return d
}

// xmlEvents returns a document as a strict reader sees it: tags, with their attributes as
// "name\x00value", and text, including the text of CDATA sections. ok is false if the document is
// not well-formed.
func xmlEvents(data []byte) (events []xmlEvent, ok bool) {
	d := xml.NewDecoder(strings.NewReader(string(data)))
	d.Entity = map[string]string{
		"file": "b-nav-04/x&y", "mdash": "\u2014", "ns_svg": "http://www.w3.org/2000/svg",
		"ns_xlink": "http://www.w3.org/1999/xlink", "place": "d-res-02",
		"s": "http://www.w3.org/2000/svg", "u": "x/y?a=1", "v": "x/y?a=1z", "nbsp": "\u00a0",
	}
	d.CharsetReader = func(string, io.Reader) (io.Reader, error) { return nil, fmt.Errorf("not read") }
	for {
		token, err := d.Token()
		if err == io.EOF {
			return events, true
		}
		if err != nil {
			return nil, false
		}
		switch token := token.(type) {
		case xml.StartElement:
			events = append(events, xmlEvent{"<" + token.Name.Space + " " + token.Name.Local, ""})
			for _, a := range token.Attr {
				events = append(events, xmlEvent{"@" + a.Name.Space + " " + a.Name.Local, a.Value})
			}
		case xml.EndElement:
			events = append(events, xmlEvent{"/", ""})
		case xml.CharData:
			if n := len(events); n > 0 && events[n-1].what == "text" {
				events[n-1].value += string(token)
			} else {
				events = append(events, xmlEvent{"text", string(token)})
			}
		case xml.Comment:
			events = append(events, xmlEvent{"comment", string(token)})
		case xml.ProcInst:
			events = append(events, xmlEvent{"?" + token.Target, string(token.Inst)})
		case xml.Directive:
			if !strings.HasPrefix(string(token), "DOCTYPE") {
				return nil, false // the decoder accepts any
			}
		}
	}
}

type xmlEvent struct{ what, value string }

// sameXML describes where two documents differ in more than the given number of attributes and
// texts that contain part, or returns "".
func sameXML(in, out []byte, edits int, part string) string {
	a, ok := xmlEvents(in)
	if !ok {
		return ""
	}
	b, ok := xmlEvents(out)
	if !ok {
		return "no longer well-formed"
	}
	if len(a) != len(b) {
		return fmt.Sprintf("%d events became %d", len(a), len(b))
	}
	for i := range a {
		if a[i] == b[i] {
			continue
		}
		edits--
		if a[i].what != b[i].what || edits < 0 || !strings.Contains(b[i].value, part) {
			return fmt.Sprintf("%q became %q", a[i], b[i])
		}
	}
	return ""
}

// checkXML checks the invariants of rewriting for an XML document.
func checkXML(t *testing.T, name string, f Format, data []byte, o ...Options) []byte {
	t.Helper()
	var r Resolver
	d := xmlDocument(f, data, o...)
	before := outcomes(&r, d)
	edits := r.Edits(nil, d)
	out := Apply(nil, data, edits)
	after := outcomes(&r, xmlDocument(f, out, o...))
	if len(after) != len(before) {
		t.Fatalf("%s: %q became %q: %d links, want %d", name, data, out, len(after), len(before))
	}
	for i := range before {
		want := before[i]
		if want.status == Resolved && !want.fixed {
			want.status = AbsoluteRef
		}
		if after[i].status != want.status || after[i].uri != want.uri {
			t.Errorf("%s: %q became %q: link %d, %q, is %s %q, want %s %q", name, data, out,
				i, before[i].value, after[i].status, after[i].uri, want.status, want.uri)
		}
	}
	if s := sameXML(data, out, len(edits), "http"); s != "" {
		t.Errorf("%s: %q became %q: %s", name, data, out, s)
	}
	return out
}

var xmlFormats = []Format{XHTML, XML, SVG, Feed, Sitemap, OPML}

var xmlSeeds = []string{
	`<?xml version="1.0"?><?xml-stylesheet href="s.css"?><html xmlns="http://www.w3.org/1999/xhtml" xml:base="b/"><head><base href="/x"/><style>a{b:url(<![CDATA[x]]>)}</style></head><a href="y&amp;z&#x2f;"/><img srcset="a 1x, b"/><p style="a:url('b')"/><iframe srcdoc="&lt;a href='x'>"/></html>`,
	`<rss><channel><link>/l</link><description>&lt;a href=x&gt;&lt;p style="b:url('c')"></description><item><link><![CDATA[ a&b ]]></link><description><![CDATA[<a href=x]]]]><![CDATA[><img src='y'><iframe srcdoc="<a href=z>">]]></description><guid isPermaLink="true">g</guid></item></channel></rss>`,
	`<feed xmlns="http://www.w3.org/2005/Atom"><entry xml:base="e/"><link href="a"/><content type="html">&amp;lt;&lt;a href="x"></content><title type="xhtml"><x:a xmlns:x="http://www.w3.org/1999/xhtml" href="u"/></title></entry></feed>`,
	`<!DOCTYPE svg [<!ENTITY s "http://www.w3.org/2000/svg"><!ENTITY u "x/y?a=1"><!ENTITY v '&u;z'>]><svg xmlns="&s;" xmlns:k="http://www.w3.org/1999/xlink"><a k:href="&v;"/><style>@import "&u;";</style><a k:href='&u;&nbsp;'/></svg>`,
	`<urlset><url><loc>a<!-- b -->c</loc></url><url><loc>a<![CDATA[b]]></loc></url><url><loc>
	x?a&amp;b </loc></url></urlset>`,
	`<rss><channel><link>/</link><item><link>0</link><description><![CDATA[<A href>]]>`,
	`<html xmlns="http://www.w3.org/1999/xhtml"><!-- <a href=x>y</a><iframe srcdoc="<p style='a:url(b)'>"><base href=c> --><p xml:base="e-&#45;f/"><!--<a href=z>--></p></html>`,
	`<opml><outline xmlUrl=x htmlUrl text="&lt;a href=y&gt;"/></opml>`,
	`<rss><description>a <b>c</b> &lt;a href=x&gt; <img src="y"/> <![CDATA[<a href=]]>&gt;</description></rss>`,
}

func FuzzXMLRewrite(f *testing.F) {
	for i, s := range xmlSeeds {
		f.Add([]byte(s), uint8(i))
		f.Add([]byte(strings.ReplaceAll(s, "--", "<a href=c><p style=a:url(d)><style>b{c:url(--)}</style>--")),
			uint8(i+len(xmlFormats)))
	}
	f.Fuzz(func(t *testing.T, data []byte, format uint8) {
		checkXML(t, "fuzz", xmlFormats[int(format)%len(xmlFormats)],
			data, Options{Comments: int(format) >= len(xmlFormats)})
	})
}

// FuzzXMLInjection writes hostile URIs into every place. A strict reader sees no other change.
func FuzzXMLInjection(f *testing.F) {
	for i, s := range xmlSeeds {
		f.Add([]byte(s),
			[]string{`"><script>`, `]]>`, "x]]", "&u;", "\\", "]]&gt;'", "\x01\u0080\ufffe\xff<", "<!--", "-->"}[i])
	}
	f.Fuzz(func(t *testing.T, data []byte, uri string) {
		if uri == "" {
			return
		}
		for _, format := range []Format{XHTML, Feed} {
			var edits []Edit
			n := 0
			var want []string
			for r := range xmlDocument(format, data).Refs() {
				want = append(want, string(r.Value))
				if !r.Identifier && !r.ListOnly {
					want[n] = "q" + uri + hex.EncodeToString(r.Value) + uri + "q"
					edits = append(edits, r.Edit([]byte(want[n])))
				}
				n++
			}
			out := Apply(nil, data, edits)
			if s := sameXML(data, out, len(edits), "q"); s != "" {
				t.Fatalf("%q became %q: %s", data, out, s)
			}
			i := 0
			for r := range xmlDocument(format, out).Refs() {
				if i < n && !readsAs(r.Value, want[i]) {
					t.Errorf("%q became %q: reference %d is %q, want %q", data, out, i, r.Value, want[i])
				}
				i++
			}
			if i != n {
				t.Errorf("%q became %q: %d references, want %d", data, out, i, n)
			}
		}
	})
}

// TestXMLWide rewrites a document in UTF-16.
func TestXMLWide(t *testing.T) {
	const in = `<?xml version="1.0" encoding="UTF-16"?><rss><link>ä</link><description><![CDATA[<a href=x>]]></description><docs>a<!-- -->b</docs></rss>`
	const want = `<?xml version="1.0" encoding="UTF-16"?><rss><link>http://example.test/dir/%C3%A4</link><description><![CDATA[<a href=http://example.test/dir/x>]]></description><docs>a<!-- -->b</docs></rss>`
	for _, big := range []bool{true, false} {
		data := readingtest.UTF16(in, big)
		for _, from := range []int{0, 2} { // with and without the byte order mark
			d := xmlDocument(Unknown, data[from:])
			if got := rewritten(d); string(got) != string(readingtest.UTF16(want, big)[from:]) {
				t.Errorf("big-endian %v from %d: rewritten to %q", big, from, got)
			}
			if p := d.Problems(); len(p) != 1 || p[0].Kind != "split-reference" || p[0].Offset < 2*len(in)-60 {
				t.Errorf("big-endian %v: problems %v, want split-reference at its place", big, p)
			}
		}
	}
}

func TestXMLSeeds(t *testing.T) {
	for i, s := range xmlSeeds {
		for _, f := range xmlFormats {
			checkXML(t, fmt.Sprintf("%d %v", i, f), f, []byte(s))
		}
	}
}
