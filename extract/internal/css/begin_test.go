package css

import "testing"

func TestBegins(t *testing.T) {
	tests := []struct {
		head string
		want bool
	}{
		{`@charset "utf-8";`, true},
		{`@CHARSET "utf-8";`, true},
		{"@charset utf-8", false},
		{"@import 'a.css';", true},
		{"@import\turl(a.css);", true},
		{`@import"a.css"`, true},
		{"@import is a rule", false},
		{"@namespace svg url(http://www.w3.org/2000/svg);", true},
		{`@namespace "http://www.w3.org/1999/xhtml";`, true},
		{"@namespace of C++", false},
		{"@media screen and (min-width: 1px) { a{} }", true},
		{"@media is described here. {", true}, // sentences do not end in a brace
		{"@media is described here.\n<a {", false},
		{"@mediawiki {", false},
		{"@supports (display: grid) {", true},
		{"@container (width > 1px) {", true},
		{"@font-face{", true},
		{"@font-face is", false},
		{"@page :first {", true},
		{"@layer base, theme;", true},
		{"@-webkit-keyframes a {", true},
		{"@keyframes a {", true},
		{"@property --a { syntax: '*' }", true},
		{"@mixin a { color: red }", false},
		{"@author Someone {", false},
		{"a{color:red}", true},
		{"a, .b > #c:hover::before [href] { background : url(x) }", true},
		{"*{box-sizing:border-box}", true},
		{":root { --a: 1px }", true},
		{"a { -moz-appearance: none }", true},
		{"a { BACKGROUND: red }", true},
		{"a { /* b */ /* c */ margin: 0 }", true},
		{"a { text-align: left }", true},
		{"a { text: x }", false},
		{"a { name: x }", false},
		{"a { z-index: 1 }", true},
		{"a { z: 1 }", false},
		{"a { b { color: red } }", false},
		{"a {}", false},
		{"{color:red}", false},
		{"Note: a {color:red}", false},
		{"a = b {color: red}", false},
		{"x; a {color: red}", false},
		{"<p>{color:red}", false},
		{" \t\r\n\f/* a */ <!-- /* b */ --> a{color:red}", true},
		{"/* a{color:red}", false},
		{"", false},
	}
	for _, tt := range tests {
		if got := Begins([]byte(tt.head)); got != tt.want {
			t.Errorf("Begins(%q): got %v, want %v", tt.head, got, tt.want)
		}
	}
}
