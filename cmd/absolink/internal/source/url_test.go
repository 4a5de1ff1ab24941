package source

import "testing"

// What is printed of a URL is all but its password.
func TestWithoutPassword(t *testing.T) {
	for url, want := range map[string]string{
		"http://a:b@h/a:b@c": "http://a@h/a:b@c", "http://a@h/": "http://a@h/", "http://h/?a:b@c": "http://h/?a:b@c",
		"http:\\\\a:b@h\\": "http://a@h/", "http://a:b@[h/": "http://a@[h/",
	} {
		if got := withoutPassword(url); got != want {
			t.Errorf("withoutPassword(%q): got %q, want %q", url, got, want)
		}
	}
}
