package extract_test

import (
	"testing"

	"absolink/base"
	"absolink/extract"
)

// Links that a caller keeps stay as they are while their Resolver edits and lists other documents.
func TestKeptLinks(t *testing.T) {
	page := func(data string) *extract.Doc {
		return &extract.Doc{Format: extract.HTML, Data: []byte(data),
			Layer: &base.Layer{Source: base.URL, Value: "http://a.test/d/"}}
	}
	uses := map[string]func(r *extract.Resolver, d *extract.Doc){
		"Edits": func(r *extract.Resolver, d *extract.Doc) { r.Edits(nil, d) },
		"Links": func(r *extract.Resolver, d *extract.Doc) {
			for range r.Links(d) {
			}
		},
		"one link": func(r *extract.Resolver, d *extract.Doc) {
			for range r.Links(d) {
				break
			}
		},
	}
	for name, use := range uses {
		for _, stop := range []int{1, 2, 3} {
			var r extract.Resolver
			var kept []extract.Link
			for l := range r.Links(page("<a href=x1><a href=x2><a href=x3>")) {
				kept = append(kept, l)
				if len(kept) == stop {
					break
				}
			}
			use(&r, page("<a href=y><img src='another one'>"))
			for i, want := range []string{"http://a.test/d/x1", "http://a.test/d/x2", "http://a.test/d/x3"}[:stop] {
				if got := string(kept[i].URI); got != want {
					t.Errorf("after %s, %d links kept: link %d is %s, want %s", name, stop, i, got, want)
				}
			}
		}
	}
}
