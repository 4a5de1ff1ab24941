package static

import (
	"strings"
	"testing"
)

const nested = "Subject: The June issue\r\nFrom: =?utf-8?q?J=C3=BCrgen?= <j@example.org>\r\n" +
	"Date: Mon, 01 Jun 2026 09:00:00 +0000\r\nContent-Type: text/html\r\nContent-Base: http://a.example/d/\r\n\r\n" +
	"<a href=x>x</a> <a href=http://b.example/>y</a>\r\n"

// The kind comes from the name and the first bytes.
func TestKind(t *testing.T) {
	const page, field = "<!doctype html><a href=x>", "Subject: x\nFrom: y\n\n<a href=x>"
	const neither = "neither a known document nor a message: give the file a name with the right ending, " +
		"such as .html or .eml"
	const program = "this page reads documents, messages and mailboxes; the program reads other files, " +
		"such as web archives, compressed files and Markdown: absolink extract FILE"
	for _, tt := range []struct{ name, data, given, want string }{
		{"page.html", page, "", "html"},
		{"", page, "", "html"},
		{"mail.eml", field, "", "message"},
		{"mail.EML", "X-A: b\n\ntext", "", "message"},
		{"page.mht", field, "", "message"},
		{"page.mht", " " + page, "", "html"},
		{"", field, "", "message"},
		{"", "\xef\xbb\xbf" + field, "", "message"},
		{"notes.txt", "Subject: only one\n\nhttp://a.example/", "", "text"},
		{"list.mbox", "From a@b Thu Jan  1 00:00:00 1970\n" + field, "", "mbox"},
		{"list", "From a@b Thu Jan  1 00:00:00 1970\nX: y\n folded\nSubject: x\n\n", "", "mbox"},
		{"text.txt", "From here on\nthere is text", "", "text"},
		{"style.css", "a { b: url(c) }", "", "css"},
		{"notes.html", "From: x\nSubject: y\n" + page, "", "html"},
		{"text.txt", "From here on\nSubject: x\n\n", "", "text"},
		{"list.mbox", "\n\nFrom a@b Thu Jan  1 00:00:00 1970\n" + field, "", "mbox"},
		{"list.mboxrd", "From a\nX: y\n\n", "", "mbox"},
		{"list.mbox", page, "", "html"},
		{"x", page, "message", "message"},
		{"x", page, "mhtml", "message"},
		{"x", page, "mbox", "mbox"},
		{"x", page, "css", "css"},
		{"x", page, "sheet", neither},
		{"x", "\x00\x01", "", neither},
		{"a.warc", "WARC/1.0\r\n", "", program},
		{"a.zip", "PK\x03\x04", "", program},
		{"a.html", "\x1f\x8b\x08", "", program},
		{"README.md", "# a\n[b](c)", "", program},
		{"a.html", "HTTP/1.1 200 OK\nContent-Type: text/html\n\n" + page, "", program},
		{"a.emlx", "30\n" + field, "", program},
		{"x", page, "warc", program},
		{"x", page, "markdown", program},
		{"", "garbage\nReceived: x\nSubject: y\n\n" + page, "", neither},
	} {
		d := &Document{tt.name, []byte(tt.data)}
		k, err := d.kind(tt.given)
		got := k.String()
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("kind of %s %.30q as %q: got %s, want %s", tt.name, tt.data, tt.given, got, tt.want)
		}
	}
}

// A page shows the base, the links, and each view. A wrong flag is named.
func TestShow(t *testing.T) {
	d := &Document{"a<b.eml", []byte(nested)}
	for _, tt := range []struct {
		query string
		wants []string
	}{
		{"", []string{"a&lt;b.eml", "<code>http://a.example/<wbr>d/<wbr></code> from Content-Base of part 1</summary>",
			"<h2>2 links</h2>", `<code class="uri">http://a.example/<wbr>d/<wbr>x</code>`}},
		{"sort=uri&kind=nav&status=absolute", []string{"<h2>1 link</h2>", "http://b.example/<wbr>"}},
		{"trust-base=none", []string{"base: none</summary>"}},
		{"trust-base=none&default-base=http://c.example/", []string{"from the option --default-base</summary>"}},
		{"trust-base=none&default-base=http://c.example/&base=http://e.example/", []string{"from the option --base<"}},
		{"mime-base=rfc2557&base=http://e.example/", []string{"from the option --base</summary>"}},
		{"view=rules", []string{"All five rule sets say the same of every link."}},
		{"view=rewrite", []string{`<b>http://a.example/d/</b>`, `class="new"`, `href="download?"`}},
		{"view=rewrite&map=http://a.example/d/%3dhttp://n.example/&to=absolute", []string{"<b>http://n.example/</b>"}},
		{"base=x", []string{"--base &#34;x&#34;: not an absolute URI"}},
		{"default-base=mailto:x", []string{"--default-base &#34;mailto:x&#34;: not an absolute URI"}},
		{"rules=x", []string{"--rules &#34;x&#34;: use one of whatwg, rfc3986, rfc2396, draft-02, draft-00e"}},
		{"mime-base=x", []string{"--mime-base"}},
		{"trust-base=x", []string{"--trust-base"}},
		{"to=x", []string{"--to"}},
		{"to=relative", []string{"--to relative needs --map"}},
		{"map=x", []string{"--map &#34;x&#34;: OLD=NEW is needed"}},
		{"map=x%3dy", []string{"--map &#34;x=y&#34;"}},
	} {
		got := d.Show(tt.query)
		for _, want := range tt.wants {
			if !strings.Contains(got, want) {
				t.Errorf("Show(%q) has no %q:\n%s", tt.query, want, got)
			}
		}
	}
	invalid := &Document{"p.html", []byte("<a href='http://a b/'>")}
	if got := invalid.Show(""); !strings.Contains(got, "<i>whatwg: byte 8: a host with the character") {
		t.Errorf("the page of an invalid link does not say why: %s", got)
	}
	page := &Document{"p.html", []byte("<a href=http:g>")}
	if got := page.Show("view=rules&base=http://a/b/"); !strings.Contains(got, "http://a/<wbr>b/<wbr>g") ||
		!strings.Contains(got, "<code>http:g</code>") {
		t.Errorf("the rule sets do not differ on http:g: %s", got)
	}
	lazy := &Document{"p.html", []byte("<a data-src=x onclick=\"go('/y')\"><!-- <a href=z> -->")}
	for query, want := range map[string]string{"": "<h2>0 links", "lazy=true": "<h2>1 link",
		"scripts=true": "<h2>1 link", "comments=true": "<h2>1 link",
		"lazy=true&scripts=true&comments=true": "<h2>3 links"} {
		if got := lazy.Show(query); !strings.Contains(got, want) {
			t.Errorf("Show(%q) has no %q: %s", query, want, got)
		}
	}
	if got := (&Document{"x", []byte{0}}).Show(""); !strings.Contains(got, `role="alert">neither`) {
		t.Errorf("a document of no kind: got %s", got)
	}
}

// Only damage is a problem.
func TestShowRemarks(t *testing.T) {
	note := &Document{"a.html", []byte("<base href=http://a/><base href=http://b/><a href=x>")}
	if got := note.Show(""); !strings.Contains(got, `class="notes"`) || strings.Contains(got, `class="problems"`) {
		t.Errorf("a second BASE: got %s", got)
	}
	cut := &Document{"a.eml", []byte("Content-Type: multipart/mixed; boundary=b\n\n--b\n\ntext\n")}
	if got := cut.Show(""); !strings.Contains(got, `class="problems"`) {
		t.Errorf("a message without its end: got %s", got)
	}
}

// The messages of a mailbox are listed and opened.
func TestMailbox(t *testing.T) {
	const from = "From a@b Thu Jan  1 00:00:00 1970\n"
	list := &Document{"list.mbox", []byte(from + strings.ReplaceAll(nested, "\r", "") + "\n" +
		from + "Message-ID: <i@x>\n\nhttp://c.example/\n")}
	got := list.Show("rules=rfc2396")
	for _, want := range []string{"2 items", `<a href="item/1?rules=rfc2396">The June issue</a>`,
		"Jürgen &lt;j@example.org&gt;", "2026-06-01T09:00:00Z", `<a href="item/2?rules=rfc2396">&lt;i@x&gt;</a>`} {
		if !strings.Contains(got, want) {
			t.Errorf("the list has no %q: %s", want, got)
		}
	}
	item, query := list.Item(2, "rules=rfc2396&page=3")
	if item == nil || item.Name != "list.mbox 2" || query != "rules=rfc2396&type=message" ||
		!strings.HasPrefix(string(item.Data), "Message-ID:") ||
		!strings.Contains(item.Show(query), "http://c.example/") {
		t.Errorf("Item(2): got %v with %q", item, query)
	}
	for _, n := range []int{0, 3, -1} {
		if item, _ := list.Item(n, ""); item != nil {
			t.Errorf("Item(%d): got %v, want nil", n, item)
		}
	}
	const want = "the messages of a mailbox are rewritten one by one here: open a message"
	if _, err := list.Rewrite(""); err == nil || err.Error() != want {
		t.Errorf("Rewrite: got %v, want %s", err, want)
	}
}

// Rewriting changes the links and nothing else.
func TestRewrite(t *testing.T) {
	d := &Document{"a.eml", []byte(nested)}
	for query, want := range map[string]string{
		"": strings.Replace(nested, "href=x", "href=http://a.example/d/x", 1),
		"map=http://b.example/%3dhttp://c.example/": strings.Replace(nested, "b.example", "c.example", 1),
		"map=http://b.example/%3dhttp://c.example/&to=absolute": strings.NewReplacer("b.example", "c.example",
			"href=x", "href=http://a.example/d/x").Replace(nested),
		"trust-base=none": nested,
	} {
		if got, err := d.Rewrite(query); err != nil || string(got) != want {
			t.Errorf("Rewrite(%q): got %q (%v), want %q", query, got, err, want)
		}
	}
	if _, err := d.Rewrite("rules=x"); err == nil {
		t.Error("Rewrite with unknown rules: no error")
	}
	if _, err := (&Document{"x", []byte{0}}).Rewrite(""); err != errKind {
		t.Errorf("Rewrite of no kind: got %v, want %v", err, errKind)
	}
}

// The samples are shown without problems.
func TestSample(t *testing.T) {
	for _, name := range []string{"page.html", "mail.eml", "page.mht"} {
		d, query := Sample(name)
		if d == nil || d.Name != name || strings.Contains(d.Show(query), `class="problems"`) ||
			strings.Contains(d.Show(query), "base: none") && name != "mail.eml" {
			t.Errorf("Sample(%s): got %v with %q", name, d, query)
		}
	}
	if d, _ := Sample("other"); d != nil {
		t.Errorf("Sample(other): got %v, want nil", d)
	}
}

// The first page shows the text of an error.
func TestStart(t *testing.T) {
	if got := Start("<oh>"); !strings.Contains(got, `role="alert">&lt;oh&gt;</p>`) ||
		!strings.Contains(got, "Nothing leaves this browser") {
		t.Errorf("Start: got %s", got)
	}
}
