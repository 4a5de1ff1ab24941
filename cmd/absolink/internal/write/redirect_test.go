package write

import (
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/links"
	"absolink/resolve"
	"absolink/resolve/move"
)

// The address of a page with a query leads to the file that was saved from it, whatever the query
// is. Only the address of a directory, which has no query, leads to the directory.
func TestRedirectsOfQueries(t *testing.T) {
	rules := new(move.Map)
	if err := rules.Add("http://old.test/", "http://new.test/x/"); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"", "d/"} {
		for _, page := range []string{"c.php", "index.html", "index.php"} {
			for _, query := range []string{"", "x=1", "x=/", "/", "x=%2F", "a=/&b=2", "b=2&a=/", "x=?", "?/", "x=1/2"} {
				r := redirects{links: new(links.Options), rules: rules}
				name := page
				if query != "" {
					name += "%3F" + strings.NewReplacer("/", "%252F", "%", "%25", "?", "%3F").Replace(query)
				}
				uri := "http://old.test/" + dir + name
				r.addDocument(uri, true)
				if len(r.list) == 0 {
					t.Errorf("%s: got no redirect", uri)
				}
				for _, row := range r.list {
					old := resolve.Split(row.Old)
					want := "http://new.test/x/" + dir + name
					if strings.HasSuffix(old.Path, "/") && !old.HasQuery {
						want = "http://new.test/x/" + dir
					}
					if row.New != want {
						t.Errorf("%s: %s is redirected to %s, want %s", uri, row.Old, row.New, want)
					}
				}
			}
		}
	}
}
