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

// An edit takes no tag away.
func TestSplitInStyleOfSVG(t *testing.T) {
	d := document([]byte(`<svg><style>a{b:url(c</form>d);c:url(e</>f)}</g>g{h:url(</x>i</x>)}</style>`), "utf-8")
	want := `<svg><style>a{b:url(c</form>d);c:url(e</>f)}</g>g{h:url(</x>http://example.test/dir/i</x>)}</style>`
	if got := string(rewritten(d)); got != want {
		t.Errorf("rewritten: %s, want %s", got, want)
	}
	if got := d.Problems(); len(got) != 1 || got[0] != (Problem{Offset: 20, Kind: SplitReference}) {
		t.Errorf("problems are %v, want a split reference at 20", got)
	}
}
