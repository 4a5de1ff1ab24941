package mime

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// A reference is the name of a part beside it, or beside an entity around it.
func TestPartName(t *testing.T) {
	image := func(fields string) string { return "Content-Type: image/png" + fields + "\n\nPNG\n" }
	join := func(b string, parts ...string) string { return strings.Join(parts, "\n--"+b+"\n") }
	html := page("", "")
	for _, c := range []struct {
		name, msg, value string
		want             bool
	}{
		{"Content-ID", around("related", "", "b", join("b", html, image("\nContent-ID: <image001.png>"))),
			"image001.png", true},
		{"another Content-ID", around("related", "", "b", join("b", html, image("\nContent-ID: <image001.png@01D0>"))),
			"image001.png", false},
		{"name", around("related", "", "b", join("b", html, image(`; name="image001.png"`))), "image001.png", true},
		{"filename", around("mixed", "", "b",
			join("b", html, image("\nContent-Disposition: attachment; filename=image001.png"))), "image001.png", true},
		{"name and filename differ",
			around("mixed", "", "b",
				join("b", html, image("; name=a.png\nContent-Disposition: inline; filename=b.png"))), "a.png", true},
		{"filename and name differ",
			around("mixed", "", "b",
				join("b", html, image("; name=a.png\nContent-Disposition: inline; filename=b.png"))), "b.png", true},
		{"escaped", around("mixed", "", "b", join("b", html, image(`; name="my picture.png"`))),
			"my%20picture.png", true},
		{"escaped in the name", around("mixed", "", "b", join("b", html, image(`; name="my%20picture.png"`))),
			"my%20picture.png", true},
		{"not escaped", around("mixed", "", "b", join("b", html, image(`; name="my%20picture.png"`))),
			"my picture.png", true},
		{"encoded word", around("mixed", "", "b", join("b", html, image(`; name="=?utf-8?Q?=C3=A9.png?="`))),
			"é.png", true},
		{"RFC 2231", around("mixed", "", "b",
			join("b", html, image("\nContent-Disposition: inline;\n filename*=utf-8''%C3%A9.png"))), "é.png", true},
		{"with a fragment", around("mixed", "", "b", join("b", html, image("; name=a.png"))), "a.png#x", true},
		{"with a query", around("mixed", "", "b", join("b", html, image("; name=a.png"))), "a.png?x", false},
		{"in other case", around("mixed", "", "b", join("b", html, image("; name=a.png"))), "A.png", false},
		{"empty", around("mixed", "", "b", join("b", html, image("; name="))), "", false},
		{"below an alternative",
			around("mixed", "", "b",
				join("b", around("alternative", "", "c", html), image("; name=a.png"))), "a.png", true},
		{"two levels around",
			around("mixed", "", "b",
				join("b", around("related", "", "c", around("alternative", "", "d", html)),
					image("; name=a.png"))), "a.png", true},
		{"around a message",
			around("mixed", "", "b",
				join("b", "Content-Type: message/rfc822\n\n"+around("mixed", "", "c", html),
					image("; name=a.png"))), "a.png", true},
		{"of an inner multipart",
			around("mixed", "", "b",
				join("b", around("related", "", "c", image("; name=a.png")), html)), "a.png", false},
		{"of a parallel multipart",
			around("mixed", "", "b",
				join("b", around("related", "", "c", image("; name=a.png")),
					around("related", "", "d", html))), "a.png", false},
		{"of no part", around("mixed", "", "b", join("b", html, image("; name=a.png"))), "b.png", false},
		{"a Content-Location of its own",
			around("mixed", "", "b",
				join("b", page("Content-Location: http://x.example/\n", ""), image("; name=a.png"))), "a.png", false},
		{"a Content-Base around",
			around("mixed", "Content-Base: http://x.example/\n", "b",
				join("b", html, image("; name=a.png"))), "a.png", false},
		{"a relative Content-Location around",
			around("mixed", "Content-Location: x/\n", "b", join("b", html, image("; name=a.png"))), "a.png", false},
		{"a Content-Location of the other part",
			around("mixed", "", "b",
				join("b", html, image("; name=a.png\nContent-Location: http://x.example/a.png"))), "a.png", true},
		{"a message of one part", html, "a.png", false},
	} {
		e := leafOf(t, c.msg).Entity
		names := e.PartName()
		if got := names != nil && names([]byte(c.value)); got != c.want {
			t.Errorf("%s: PartName(%q) = %v, want %v", c.name, c.value, got, c.want)
		}
	}
}

// The names of parts are read only once, for any number of references, levels and goroutines.
func TestPartNameOnce(t *testing.T) {
	const depth, parts = 50, 20
	msg := page("", "")
	for i := range depth {
		b := fmt.Sprintf("b%d-", i)
		for j := range parts {
			msg += fmt.Sprintf("\n--%s\nContent-Type: image/png; name=%d-%d.png\n\nx", b, i, j)
		}
		msg = around("mixed", "", b, msg)
	}
	e := leafOf(t, msg).Entity
	names := e.PartName()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i := range depth {
				if !names([]byte(fmt.Sprintf("%d-%d.png", i, i%parts))) {
					t.Errorf("%d-%d.png is the name of no part", i, i%parts)
				}
			}
		})
	}
	all.Wait()
	n := 0
	for _, names := range e.m.byName {
		n += len(names)
	}
	if len(e.m.byName) != depth || n != depth*parts {
		t.Errorf("%d names of %d multiparts are kept, want %d of %d", n, len(e.m.byName), depth*parts, depth)
	}
}
