package links_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/links"
	"absolink/extract"
	"absolink/mime/document"
	"absolink/resolve/move"
)

const wrapped = `<a href="https://www.google.com/url?q=http%3A%2F%2Fh.test%2Fa%3Fgclid%3D1%23s&amp;sa=D">1</a>
<a href="https://protect-us.mimecast.com/s/x?domain=h.test">2</a> <a href="http://h.test/?utm_source=x&amp;b">3</a>
<a href="#s">4</a> <a href="https://web.archive.org/web/2016/http://h.test/c">5</a>`

// Links are chosen and listed with the URIs of their targets. Those that cannot be read are
// counted.
func TestTakesCleaned(t *testing.T) {
	name := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(name, []byte(wrapped), 0o600); err != nil {
		t.Fatal(err)
	}
	const archived = "https://web.archive.org/web/2016/http://h.test/c"
	const google = "https://www.google.com/url?q=http%3A%2F%2Fh.test%2Fa%3Fgclid%3D1%23s&sa=D"
	const mimecast = "https://protect-us.mimecast.com/s/x?domain=h.test"
	const fragment = "same-document #s"
	tests := []struct {
		flags   string
		want    []string
		wrapped int
	}{
		{"", []string{google, mimecast, "http://h.test/?utm_source=x&b", fragment, archived}, 0},
		{"--unwrap", []string{"http://h.test/a?gclid=1#s", mimecast + " wrapped", "http://h.test/?utm_source=x&b",
			fragment, archived}, 1},
		{"--tracking strip", []string{google, mimecast, "http://h.test/?b", fragment, archived}, 0},
		{"--unwrap --tracking=strip --host h.test", []string{"http://h.test/a#s", "http://h.test/?b"}, 0},
		{"--unwrap --tracking keep --host protect-us.mimecast.com", []string{mimecast + " wrapped"}, 1},
		{"--unwrap --match utm_|gclid", []string{"http://h.test/a?gclid=1#s", "http://h.test/?utm_source=x&b"}, 0},
	}
	for _, tt := range tests {
		f, err := find(t, tt.flags, name)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(f.links, tt.want) || f.entry.Links.Wrapped != tt.wrapped {
			t.Errorf("%q: got %q, %d wrapped, want %q, %d",
				tt.flags, f.links, f.entry.Links.Wrapped, tt.want, tt.wrapped)
		}
	}
}

// Set gives the flags to the rules of a move. Only links with a URI of their own are cleaned.
func TestCleaning(t *testing.T) {
	o := new(links.Options)
	c := new(cobra.Command)
	o.RegisterLinkFlags(c)
	if err := c.ParseFlags([]string{"--unwrap", "--tracking", "strip"}); err != nil {
		t.Fatal(err)
	}
	var m move.Map
	o.Cleaning.ApplyTo(&m)
	if !m.Unwrap || !m.StripTracking || m.Unwayback {
		t.Errorf("Set: got %v, %v, %v", m.Unwrap, m.StripTracking, m.Unwayback)
	}
	new(links.Cleaning).ApplyTo(&m)
	if !m.Empty() {
		t.Error("Set of the zero value: the map is not empty")
	}
	if err := o.Prepare(nil); err != nil {
		t.Fatal(err)
	}
	const archived = "https://web.archive.org/web/2016/http://h.test/c?fbclid=1"
	page := &document.Document{Doc: &extract.Doc{Format: extract.HTML}}
	clean := func(status extract.Status) string {
		l := extract.Link{Status: status, URI: []byte(archived)}
		links.NewFinder(o).Clean(page, &l)
		return string(l.URI)
	}
	if got := clean(extract.AbsoluteRef); got != archived[:len(archived)-len("?fbclid=1")] {
		t.Errorf("Clean: got %s", got)
	}
	o.Cleaning.Unwayback()
	for status, want := range map[extract.Status]string{extract.AbsoluteRef: "http://h.test/c",
		extract.Resolved: "http://h.test/c", extract.SameDocument: archived, extract.InMessage: archived,
		extract.IdentifierRef: archived} {
		if got := clean(status); got != want {
			t.Errorf("Clean of %v: got %s, want %s", status, got, want)
		}
	}
	none := new(links.Options)
	none.Cleaning.Unwayback()
	l := extract.Link{Status: extract.AbsoluteRef, URI: []byte(archived)}
	links.NewFinder(none).Clean(page, &l)
	if string(l.URI) != archived {
		t.Errorf("Clean without flags: got %s", l.URI)
	}
}
