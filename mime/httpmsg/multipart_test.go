package httpmsg

import (
	"fmt"
	"strings"
	"testing"

	"absolink/base"
	"absolink/mime"
)

// The rules of MIME apply to the parts of a multipart, with the request URI as the outermost layer.
// The response's own Content-Location gives a base only by RFC 2616.
func TestEntities(t *testing.T) {
	body := "--b\nContent-Type: text/html\n\n<a href=x>\n" +
		"--b\nContent-Type: text/html\nContent-Location: http://p/q/\n\n<a href=x>\n--b--\n"
	msg := "HTTP/1.1 200 OK\nContent-Location: http://l/m/\nContent-Type: multipart/related; boundary=b\n\n" + body
	tests := []struct {
		rule bool
		want string
	}{
		{false, "1 x http://a/b/x, 2 x http://p/q/x"},
		{true, "1 x http://l/m/x, 2 x http://p/q/x"},
	}
	outer := &base.Layer{Source: base.URL, Value: "http://a/b/c"}
	for _, tt := range tests {
		b, err := parsed([]byte(msg), Options{RFC2616: tt.rule}).Body()
		if err != nil {
			t.Fatalf("Body: %v", err)
		}
		m, offset, err := b.Entities(mime.Limits{})
		if err != nil || m == nil {
			t.Fatalf("Entities: got %v, %v", m, err)
		}
		var got []string
		for _, e := range m.Root.Parts {
			leaf, err := e.Leaf()
			if err != nil {
				t.Fatalf("Leaf: %v", err)
			}
			got = append(got, e.Section+" "+links(leaf.Doc(outer)))
			if at := e.Body.Start - offset; !strings.HasPrefix(body[at:], "<a href=x>") {
				t.Errorf("part %s begins at %d of the body", e.Section, at)
			}
		}
		if s := strings.Join(got, ", "); s != tt.want {
			t.Errorf("%v: got %q, want %q", tt.rule, s, tt.want)
		}
	}
	b, err := bare(body, "multipart/mixed; boundary=b", Options{}).Body()
	if err != nil {
		t.Fatalf("Body: %v", err)
	}
	if m, _, err := b.Entities(mime.Limits{}); err != nil || len(m.Root.Parts) != 2 {
		t.Errorf("Entities of a bare body: got %v, %v, want two parts", m, err)
	}
	b, _ = bare(page, "text/html", Options{}).Body()
	if m, _, err := b.Entities(mime.Limits{}); m != nil || err != nil {
		t.Errorf("Entities of a page: got %v, %v, want nil", m, fmt.Sprint(err))
	}
}
