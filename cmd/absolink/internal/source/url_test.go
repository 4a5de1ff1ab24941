package source

import "testing"

// What is printed of a URL is all but its password.
func TestWithoutPassword(t *testing.T) {
	for url, want := range map[string]string{
		"http://a:b@h/a:b@c": "http://a@h/a:b@c", "http://a@h/": "http://a@h/", "http://h/?a:b@c": "http://h/?a:b@c",
		"http:\\\\a:b@h\\": "http://a@h/", "http://a:b@[h/": "http://a@[h/",
		"ftp://a:b c@h/x": "ftp://a@h/x", "http:/\\a:b@h/": "http://a@h/",
		"s3://a:b@h": "s3://a@h", "https:a:b@h": "https://a@h/",
		"a:b@h/x": "a:b@h/x", "dir/a:b@h": "dir/a:b@h", "mailto:a:b@h": "mailto:a:b@h",
	} {
		if got := WithoutPassword(url); got != want {
			t.Errorf("WithoutPassword(%q): got %q, want %q", url, got, want)
		}
	}
}
