package extract

import (
	"strings"
	"testing"
)

func TestStyleOfSVG(t *testing.T) {
	for _, c := range []struct {
		name, src string
		want      []string
	}{
		{"ended by any tag", `<svg><style>a{b:url(c)} <x> @import "d";</style>`, []string{"style  res c"}},
		{"unfinished tag at the end", `<svg><style><url("a"`, nil},
		{"dropped end tag", `<svg><style>a{b:url(c</x>&amp;</y>d)}</style>`, []string{"style  res c&d"}},
		{"unfinished string around a dropped end tag", `<svg><style>url("</x>c`, []string{"style  res c"}},
		{"end tags without a name", `<svg><style></>url(a</>&amp;</x></>c)</></style>`, []string{"style  res a&c"}},
		{"end tag of svg", `<svg><style>url(c</svg>d)`, []string{"style  res c"}},
		{"text at the end", `<svg><style>a{b:url(c)}`, []string{"style  res c"}},
	} {
		if got := found(t, c.src); strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s: Refs(%q) = %q, want %q", c.name, c.src, got, c.want)
		}
	}
}
