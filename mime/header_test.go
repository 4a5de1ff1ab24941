package mime

import (
	"strings"
	"testing"

	"absolink/base"
)

// TestHeader reads headings through go-message: fields in their order, encoded words, addresses.
func TestHeader(t *testing.T) {
	e := parse(t,
		"Subject: =?utf-8?Q?caf=C3=A9?=\n au lait\nno field\nX: first\nX: second\nFrom: =?iso-8859-1?Q?Andr=E9?= "+
			"<a@example.org>\n\n").Root
	h := e.Header()
	if got, err := h.Text("Subject"); err != nil || got != "café au lait" {
		t.Errorf("Text(Subject) = %q, %v, want café au lait", got, err)
	}
	if got := h.Get("X"); got != "first" {
		t.Errorf("Get(X) = %q, want first", got)
	}
	if got, err := h.Text("From"); err != nil || got != "André <a@example.org>" {
		t.Errorf("Text(From) = %q, %v", got, err)
	}
	if got := h.Len(); got != 4 {
		t.Errorf("%d fields, want 4", got)
	}
}

func TestGet(t *testing.T) {
	head := "A: 1\nb : 2\nCONTENT-Base:\n http://x/\n\ty\na:3\nE:\n"
	testGet(t, parse(t, head+"\n").Root)
	testGet(t, parse(t, head+strings.Repeat("x: y\nno field\n", longHeading)+"\n").Root)
}

func testGet(t *testing.T, e *Entity) {
	for _, c := range []struct {
		name, want string
		n          int
	}{
		{"a", "1", 2},
		{"B", "2", 1},
		{"Content-Base", "http://x/\n\ty", 1},
		{"e", "", 1},
		{"f", "", 0},
	} {
		if got, n := e.Get(c.name); got != c.want || n != c.n {
			t.Errorf("Get(%q) = %q, %d, want %q, %d", c.name, got, n, c.want, c.n)
		}
	}
}

func TestDisposition(t *testing.T) {
	for _, c := range []struct{ name, fields, kind, filename string }{
		{"none", "", "", ""},
		{"attachment", "Content-Disposition: Attachment; filename=\"a b.html\"\n", "attachment", "a b.html"},
		{"name of Content-Type", "Content-Type: text/html; name=a.html\nContent-Disposition: inline\n",
			"inline", "a.html"},
		{"encoded word", "Content-Disposition: attachment; filename=\"=?utf-8?Q?caf=C3=A9.html?=\"\n",
			"attachment", "café.html"},
		{"encoded word in an unknown charset",
			"Content-Disposition: attachment; filename=\"=?x-nobody?Q?a?=\"\n", "attachment", "=?x-nobody?Q?a?="},
		{"RFC 2231", "Content-Disposition: attachment;\n filename*0*=utf-8''caf%C3%A9;\n filename*1=.html\n",
			"attachment", "café.html"},
	} {
		kind, filename := parse(t, c.fields+"\n").Root.Disposition()
		if kind != c.kind || filename != c.filename {
			t.Errorf("%s: Disposition = %q, %q, want %q, %q", c.name, kind, filename, c.kind, c.filename)
		}
	}
}

// The first line of a header may begin with a blank, as if it continued a field.
func TestBlankBeforeFields(t *testing.T) {
	for _, blank := range []string{" ", "\t"} {
		for _, text := range []string{"", "x", "a: b", "From x"} {
			msg := blank + text + "\nSubject: x\n\nbody"
			m := parse(t, msg)
			if m.Root == nil || m.Root.Body.End != int64(len(msg)) {
				t.Errorf("Parse of %q: got the body %v, want its end at %d", msg, m.Root.Body, len(msg))
			}
			inMemory(t, m, []byte(msg))
		}
	}
}

// A Content-Location has a layer of its own only if a Content-Base is beside it.
func TestLocationLayer(t *testing.T) {
	outer := &base.Layer{Source: base.Option, Value: "http://o.test/"}
	for head, value := range map[string]string{"": "", "Content-Base: http://a.test/\n": "http://a.test/",
		"Content-Base:\n": ""} {
		e := parse(t, head+"Content-Location: b\n\nbody").Root
		l, own := e.locationLayer(outer)
		if head == "" && (l != outer || own != nil) {
			t.Errorf("without a Content-Base: got %+v, %+v, want %+v and nil", l, own, outer)
		}
		if head != "" && (own == nil || l != own || own.Value != value || own.Outer != outer) {
			t.Errorf("with %q: got %+v, %+v, want a layer in %+v", head, l, own, outer)
		}
	}
}
