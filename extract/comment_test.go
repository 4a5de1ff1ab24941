package extract

import "testing"

// A reference may end with characters that could end the comment around it. It is written unchanged
// if quotes, or another byte except ">", follow it.
func TestEditsInComments(t *testing.T) {
	tests := []struct{ name, data, want string }{
		{"quoted", `<!--<a href="x--"><a href='y--!'>-->`,
			`<!--<a href="http://e.example/x--"><a href='http://e.example/y--!'>-->`},
		{"unquoted", `<!--<a href=x->-->`, `<!--<a href="http://e.example/x-">-->`},
		{"hyphens inside", `<!--<a href="a--b">-->`, `<!--<a href="http://e.example/a--b">-->`},
		{"list", `<!--<img srcset="-- 1x, b- 2x">-->`,
			`<!--<img srcset="http://e.example/-- 1x, http://e.example/b- 2x">-->`},
		{"style", `<!--<p style="q:url(x--)"><style>p{q:url(y--)}</style>-->`,
			`<!--<p style="q:url(http://e.example/x--)"><style>p{q:url(http://e.example/y--)}</style>-->`},
		{"srcdoc", `<!--<iframe srcdoc="<a href=x-><a href='y--'>">-->`,
			`<!--<iframe srcdoc="<a href=&quot;http://e.example/x-&quot;><a href='http://e.example/y--'>">-->`},
	}
	for _, tt := range tests {
		d := &Doc{Format: HTML, Data: []byte(tt.data), Options: Options{Comments: true}}
		r := Resolver{}
		r.Policy.Force = "http://e.example/"
		if got := string(Apply(nil, d.Data, r.Edits(nil, d))); got != tt.want {
			t.Errorf("%s: Edits(%q) make\n%s\nwant\n%s", tt.name, tt.data, got, tt.want)
		}
	}
}
