package extract

import (
	"testing"

	"absolink/base"
)

// TestBaseElement lists ways to write a BASE that readers of HTML often misread.
func TestBaseElement(t *testing.T) {
	const own, other = "http://example.test/dir/page.html", "http://b.example/d/"
	tests := []struct{ name, data, want string }{
		{"none", ``, own},
		{"plain", `<base href="http://b.example/d/">`, other},
		{"after links", `<a href=x><p><base href="http://b.example/d/">`, other},
		{"upper case, unquoted", `<BASE HREF=http://b.example/d/>`, other},
		{"blanks", "<base href=' \n http://b.example/d/ '>", other},
		{"references", `<base href="&#104;ttp://b.example/d/">`, other},
		{"two", `<base href="http://b.example/d/"><base href="http://c.example/">`, other},
		{"no href first", `<base target=_top><base href="http://b.example/d/">`, other},
		{"empty first", `<base href=""><base href="http://b.example/d/">`, own},
		{"invalid first", `<base href="http://[bad/"><base href="http://b.example/d/">`, own},
		{"relative", `<base href="../up/">`, "http://example.test/up/"},
		{"network path", `<base href="//c.example/a/">`, "http://c.example/a/"},
		{"query", `<base href="?q">`, own + "?q"},
		{"absolute with a query", `<base href="http://b.example/d/?q#f">`, other + "?q#f"},
		{"without a path", `<base href="http://b.example">`, "http://b.example/"},
		{"in a conditional comment", `<!--[if mso]><base href="http://b.example/d/"><![endif]-->`, own},
		{"in style", `<style><base href="http://b.example/d/"></style>`, own},
		{"in MathML", `<math><base href="http://b.example/d/"></math>`, own},
		{"javascript", `<base href="javascript:x">`, own},
		{"data", `<base href="data:text/plain,x">`, own},
		{"in template", `<template><base href="http://b.example/d/"></template>`, own},
		{"in svg", `<svg><base href="http://b.example/d/"></svg>`, own},
		{"in foreignObject", `<svg><foreignObject><base href="http://b.example/d/"></foreignObject></svg>`, other},
		{"in comment", `<!--<base href="http://b.example/d/">-->`, own},
		{"in a body that a frameset replaces", `<p><base href="http://b.example/d/"><frameset><frame src=x>`, own},
		{"in the head before a frameset", `<base href="http://b.example/d/"><p><frameset><frame src=x>`, other},
		{"in a body that a frameset does not replace", `<p>x<base href="http://b.example/d/"><frameset>`, other},
		{"in unclosed comment", `<!--<base href="http://b.example/d/">`, own},
		{"in script", `<script><base href="http://b.example/d/"></script>`, own},
		{"in textarea", `<textarea><base href="http://b.example/d/"></textarea>`, own},
		{"in title", `<title><base href="http://b.example/d/"></title>`, own},
		{"in noscript", `<noscript><base href="http://b.example/d/"></noscript>`, other},
		{"in frameset", `<frameset><base href="http://b.example/d/"></frameset>`, own},
		{"in select", `<select><base href="http://b.example/d/"></select>`, other},
		{"unfinished", `<base href="http://b.example/d/"`, own},
		{"in srcdoc", `<iframe srcdoc="<base href='http://b.example/d/'>"></iframe>`, own},
	}
	for _, tt := range tests {
		d := &Doc{Format: HTML, Data: []byte(tt.data), Layer: &base.Layer{Source: base.URL, Value: own}}
		if got, _ := d.Base().Base(nil); got != tt.want {
			t.Errorf("%s: base of %q = %q, want %q", tt.name, tt.data, got, tt.want)
		}
	}
}
