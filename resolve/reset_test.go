package resolve

import (
	"reflect"
	"testing"
)

// A Base after Reset equals a new one, whatever it was before.
func TestReset(t *testing.T) {
	uris := []string{"http://user@a.example/b/c;d?e#f", "", "not absolute",
		"file:///a//b", "mailto:a@b", "HTTP://[::1]:80/../x"}
	for _, rules := range []Rules{WHATWG, RFC3986, RFC2396, Draft02, Draft00e} {
		b := new(Base)
		for _, uri := range uris {
			o := Options{Rules: rules, Document: "http://a.example/doc#x"}
			want, wantErr := NewBase(uri, o)
			if err := b.Reset(uri, o); (err == nil) != (wantErr == nil) || err == nil && !reflect.DeepEqual(b, want) {
				t.Errorf("%v: Reset(%q): got %+v and %v, want %+v and %v", rules, uri, b, err, want, wantErr)
			}
		}
	}
}
