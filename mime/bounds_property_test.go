package mime

import (
	"bytes"
	"math/rand"
	"testing"

	"absolink/extract"
)

// randomText returns up to n bytes of a small alphabet.
func randomText(r *rand.Rand, n int, alphabet string) []byte {
	b := make([]byte, r.Intn(n+1))
	for i := range b {
		b[i] = alphabet[r.Intn(len(alphabet))]
	}
	return b
}

// randomEdits returns edits of a text of n bytes. They are sorted and do not overlap.
func randomEdits(r *rand.Rand, n int, alphabet string) (list []extract.Edit) {
	at := 0
	for range 1 + r.Intn(3) {
		start := at + r.Intn(n-at+1)
		at = start + r.Intn(min(n-start, 4)+1)
		e := extract.Edit{Span: extract.Span{Start: start, End: at}, New: randomText(r, 5, alphabet)}
		list = append(list, e)
	}
	return list
}

// The dashes of a line count if an edit touches the line, or if it is the first line of the body.
func TestTouchesDashes(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	found := 0
	for range 20_000 {
		raw := randomText(r, 12, "-\na")
		edits := randomEdits(r, len(raw), "-\na")
		var text []byte
		touched := []extract.Span{{}} // spans of text
		at := 0
		for _, e := range edits {
			text = append(text, raw[at:e.Start]...)
			start := len(text)
			text = append(text, e.New...)
			touched = append(touched, extract.Span{Start: start, End: len(text)})
			at = e.End
		}
		text = append(text, raw[at:]...)
		want := false
		start := 0
		for line := range bytes.SplitSeq(text, []byte("\n")) {
			for _, s := range touched {
				if s.Start <= start+len(line) && start <= s.End && bytes.HasPrefix(line, []byte("--")) {
					want = true
				}
			}
			start += len(line) + 1
		}
		l := &Leaf{raw: raw}
		if got := l.touchesDashes(edits); got != want {
			t.Fatalf("touchesDashes of %q with %+v, now %q: %v, want %v", raw, edits, text, got, want)
		}
		if want {
			found++
		}
	}
	if found < 2000 || found > 18_000 {
		t.Errorf("%d of 20,000 cases touch dashes", found)
	}
}

// lineEnd is the end of the line around each offset, before its line end.
func TestLineEnd(t *testing.T) {
	for _, c := range []struct {
		eol  byte
		raw  string
		ends []int // by offset
	}{
		{'\n', "", []int{0}},
		{'\n', "ab", []int{2, 2, 2}},
		{'\n', "a\nb\n", []int{1, 1, 3, 3, 4}},
		{'\n', "a\r\nb", []int{1, 1, 2, 4, 4}},
		{'\n', "\r\n\r", []int{0, 1, 3, 3}},
		{'\r', "a\r\nb\r", []int{1, 1, 4, 4, 4, 5}},
	} {
		l := &Leaf{raw: []byte(c.raw), Entity: &Entity{m: &Message{eol: c.eol}}}
		for at, want := range c.ends {
			if got := l.lineEnd(at); got != want {
				t.Errorf("lineEnd(%d) of %q with line ends %q = %d, want %d", at, c.raw, c.eol, got, want)
			}
		}
	}
}

// eolAt is the line end at an offset, or the last one before it, or the last one of the heading.
func TestEOLAt(t *testing.T) {
	for _, c := range []struct {
		eol       byte
		head, raw string
		want      []string // by offset
	}{
		{'\n', "A: b\n\n", "", []string{"\n"}},
		{'\n', "A: b\r\n", "x", []string{"\r\n", "\r\n"}},
		{'\n', "A: b\n", "\nx", []string{"\n", "\n", "\n"}},
		{'\n', "A: b\n", "x\r\ny", []string{"\n", "\r\n", "\n", "\r\n", "\r\n"}},
		{'\n', "A: b\r\n", "x\ny", []string{"\r\n", "\n", "\n", "\n"}},
		{'\n', "", "x\ry", []string{"\n", "\n", "\n", "\n"}},
		{'\r', "A: b\r", "x\ry", []string{"\r", "\r", "\r", "\r"}},
		{'\r', "", "x", []string{"\r", "\r"}},
	} {
		l := &Leaf{raw: []byte(c.raw), Entity: &Entity{m: &Message{eol: c.eol}}}
		l.Entity.head = []byte(c.head)
		for at, want := range c.want {
			if got := string(l.eolAt(at)); got != want {
				t.Errorf("eolAt(%d) of %q behind %q = %q, want %q", at, c.raw, c.head, got, want)
			}
		}
	}
}

// trimUnchanged removes equal bytes at the ends of an edit. Both versions make the same text.
func TestTrimUnchanged(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 5000 {
		src := randomText(r, 8, "ab")
		e := randomEdits(r, len(src), "ab")[0]
		got := trimUnchanged(src, e)
		was, is := applyEdits(src, []extract.Edit{e}), applyEdits(src, []extract.Edit{got})
		if !bytes.Equal(was, is) {
			t.Fatalf("trimUnchanged(%q, %+v) = %+v, which makes %q, want %q", src, e, got, is, was)
		}
		old := src[got.Start:got.End]
		if len(old) > 0 && len(got.New) > 0 && (old[0] == got.New[0] || old[len(old)-1] == got.New[len(got.New)-1]) {
			t.Fatalf("trimUnchanged(%q, %+v) = %+v", src, e, got)
		}
	}
}
