package write

import (
	"testing"

	"absolink/resolve/move"
)

// Files on the same volume refer to each other by relative references. Files on different volumes
// do not.
func TestDiskURI(t *testing.T) {
	const page, uri = "http://a.test/deep/er/page", "http://a.test/x"
	for _, tt := range []struct {
		volume, path, other, target string
		want                        string
	}{
		{"", "/srv/a/b/c/p.html", "", "/srv/x y.css", "../../../x%20y.css"},
		{"C:", "/a/b/c/p.html", "c:", "/x.css", "../../../x.css"},
		{"C:", "/a/p.html", "D:", "/a/x.css", uri},
		{"//server/share", "/a/b/p.html", "//server/share", "/x.css", "../../x.css"},
		{"//server/share", "/a/b/p.html", "//server/other", "/x.css", uri},
		{"C:", "/p.html", "//server/share", "/x.css", uri},
	} {
		files := map[string]string{page: diskURI(tt.volume, tt.path), uri: diskURI(tt.other, tt.target)}
		s := move.Site{Form: move.Disk, File: func(uri string) string { return files[uri] }}
		p, err := s.Page(page)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Link(uri); got != tt.want {
			t.Errorf("from %s to %s: got %q, want %q", files[page], files[uri], got, tt.want)
		}
	}
}
