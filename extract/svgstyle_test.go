package extract

import "testing"

// An edit removes no tag.
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
