package text

import (
	"bytes"
	"math/rand"
	"slices"
	"strings"
	"testing"
)

// model is a text with the raw span of each decoded byte. The test compares [Text] with it.
type model struct {
	data []byte
	raw  []Span
	end  int // raw bytes so far
}

func (m *model) add(c byte, s Span) {
	m.data = append(m.data, c)
	m.raw = append(m.raw, s)
}

// covering returns the smallest raw span that covers decoded bytes.
func (m *model) covering(s Span) Span {
	start := m.raw[len(m.raw)-1].End
	if s.Start < len(m.raw) {
		start = m.raw[s.Start].Start
	}
	if s.End <= s.Start {
		return Span{start, start}
	}
	return Span{start, m.raw[s.End-1].End}
}

// grow appends one random piece to a text and its model.
func (m *model) grow(r *rand.Rand, t *Text) {
	n := 1 + r.Intn(6)
	b := make([]byte, n)
	for i := range b {
		b[i] = byte('a' + r.Intn(26))
	}
	if r.Intn(3) == 0 {
		m.end += r.Intn(3) // raw bytes without decoded ones
	}
	at := m.end
	switch r.Intn(8) {
	case 0, 1:
		t.AppendSame(at, b)
		for i, c := range b {
			m.add(c, Span{at + i, at + i + 1})
		}
		m.end += n
	case 2:
		size := 1 + r.Intn(5)
		t.AppendToken(Span{at, at + size}, b)
		for _, c := range b {
			m.add(c, Span{at, at + size})
		}
		m.end += size
	case 3:
		t.AddBase64(len(t.Data), at, n)
		t.Data = append(t.Data, b...)
		for i, c := range b {
			m.add(c, Span{at + i/3*4, at + i/3*4 + 4})
		}
		m.end += (n + 2) / 3 * 4
	case 4:
		t.AppendEscapes(at, b)
		for i, c := range b {
			m.add(c, Span{at + 3*i, at + 3*i + 3})
		}
		m.end += 3 * n
	case 5, 6:
		size := 2 + 2*r.Intn(2)
		for i, c := range b {
			s := Span{at + i*size, at + (i+1)*size}
			AppendUnit(t, s, rune(c))
			m.add(c, s)
		}
		AppendUnit(t, Span{at + n*size, at + (n+1)*size}, 'é')
		for _, c := range []byte("é") {
			m.add(c, Span{at + n*size, at + (n+1)*size})
		}
		m.end += (n + 1) * size
	case 7:
		t.AppendSame(at, nil)
		t.AppendToken(Span{at, at + 2}, nil)
		m.end += 2
	}
}

func TestRawAtRandom(t *testing.T) {
	for seed := range int64(300) {
		r := rand.New(rand.NewSource(seed))
		var text Text
		text.AppendSame(0, []byte("x"))
		m := model{data: []byte("x"), raw: []Span{{0, 1}}, end: 1}
		for range 1 + r.Intn(12) {
			m.grow(r, &text)
		}
		if !bytes.Equal(text.Data, m.data) {
			t.Fatalf("seed %d: data %q, want %q", seed, text.Data, m.data)
		}
		for start := range len(m.data) + 1 {
			for end := start; end <= len(m.data); end++ {
				s := Span{start, end}
				if got, want := text.Raw(s), m.covering(s); got != want {
					t.Fatalf("seed %d: Raw(%v) of %q = %v, want %v", seed, s, m.data, got, want)
				}
			}
		}
		if got, want := text.Raw(Span{1, 0}), m.covering(Span{1, 1}); got != want {
			t.Fatalf("seed %d: Raw of a span that ends before its start = %v, want %v", seed, got, want)
		}
	}
}

// Cuts reports an end of a span inside a token that became several bytes.
func TestCuts(t *testing.T) {
	text := sample()
	text.AppendToken(Span{28, 29}, []byte("uvw"))
	inside := map[int]bool{len(text.Data) - 2: true, len(text.Data) - 1: true}
	for start := range len(text.Data) + 1 {
		for end := start; end <= len(text.Data); end++ {
			want := inside[start] || inside[end]
			if got := Cuts(text, Span{start, end}); got != want {
				t.Errorf("Cuts(%d, %d) = %v, want %v", start, end, got, want)
			}
		}
	}
	if Cuts(&Text{Data: []byte("abc")}, Span{1, 2}) {
		t.Error("the identity cuts a token")
	}
}

// A value that begins after another one has its own map, and a Reset removes everything.
func TestBegin(t *testing.T) {
	text := sample()
	start := len(text.Data)
	if at := Begin(text); at != start {
		t.Fatalf("Begin = %d, want %d", at, start)
	}
	text.AppendToken(Span{100, 105}, []byte("&"))
	if got, want := text.Raw(Span{start, start + 1}), (Span{100, 105}); got != want || text.Identity() {
		t.Errorf("Raw of the second value = %v, want %v", got, want)
	}
	text.Reset()
	if len(text.Data) != 0 || !text.Identity() || text.Raw(Span{1, 2}) != (Span{1, 2}) {
		t.Errorf("after Reset: %q, identity %v", text.Data, text.Identity())
	}
	var empty Text
	Begin(&empty)
	if empty.Identity() || empty.Raw(Span{1, 2}) != (Span{}) {
		t.Errorf("an empty value: identity %v, Raw %v", empty.Identity(), empty.Raw(Span{1, 2}))
	}
	if !(*Text)(nil).Identity() {
		t.Error("no text is not the identity")
	}
}

// Extend adds raw bytes to the character before them.
func TestExtend(t *testing.T) {
	for _, tt := range []struct {
		name  string
		build func(t *Text)
		want  []Span // of each decoded byte
	}{
		{"nothing", func(t *Text) { Extend(t, 5); t.AppendSame(5, []byte("a")) }, []Span{{5, 6}}},
		{"one byte", func(t *Text) { t.AppendSame(3, []byte("a")); Extend(t, 9) }, []Span{{3, 9}}},
		{"the last of several", func(t *Text) { t.AppendSame(3, []byte("abc")); Extend(t, 9) },
			[]Span{{3, 4}, {4, 5}, {5, 9}}},
		{"two bytes", func(t *Text) { t.AppendSame(3, []byte("ab")); Extend(t, 6) }, []Span{{3, 4}, {4, 6}}},
		{"a token", func(t *Text) { t.AppendToken(Span{3, 5}, []byte("a")); Extend(t, 9) }, []Span{{3, 9}}},
	} {
		var text Text
		tt.build(&text)
		for i, want := range tt.want {
			if got := text.Raw(Span{i, i + 1}); got != want {
				t.Errorf("%s: Raw of byte %d = %v, want %v", tt.name, i, got, want)
			}
		}
	}
}

// Consecutive runs are joined to one run, so a map is small.
func TestRunsAreJoined(t *testing.T) {
	var text Text
	for i := range 100 {
		text.AppendSame(i, []byte("a"))
	}
	for i := range 100 {
		text.AppendEscapes(100+3*i, []byte("a"))
	}
	for i := range 100 {
		AppendUnit(&text, Span{400 + 2*i, 402 + 2*i}, 'a')
	}
	for i := range 100 {
		AppendUnit(&text, Span{600 + 4*i, 604 + 4*i}, 'a')
	}
	if len(text.runs) != 4 {
		t.Errorf("%d runs, want 4", len(text.runs))
	}
	AppendUnit(&text, Span{1001, 1005}, 'a')
	text.AppendSame(1005, []byte("a"))
	text.AppendSame(1007, []byte("a"))
	if len(text.runs) != 7 {
		t.Errorf("%d runs with gaps, want 7", len(text.runs))
	}
}

// Only the memory of an unusually large document is released.
func TestTrim(t *testing.T) {
	for _, tt := range []struct {
		bytes, runs int
		kept        bool
	}{{10, 10, true}, {longestKeptText, 1, true}, {longestKeptText + 1<<20, 1, false},
		{1, mostKeptRuns, true}, {1, mostKeptRuns + 1<<12, false}} {
		text := Text{Data: make([]byte, 0, tt.bytes), Map: Map{runs: make([]run, 0, tt.runs), filled: true}}
		Trim(&text)
		if got := cap(text.Data) > 0; got != tt.kept || text.filled != tt.kept {
			t.Errorf("of %d bytes and %d runs, kept: %v, want %v", tt.bytes, tt.runs, got, tt.kept)
		}
	}
	var text Text
	text.Grow(20)
	if cap(text.runs) < 20 || len(text.runs) != 0 {
		t.Errorf("Grow made room for %d runs", cap(text.runs))
	}
}

// ASCIILength does not depend on the position of the first other byte.
func TestASCIILength(t *testing.T) {
	for n := range 140 {
		for _, c := range []byte{0x80, 0xff} {
			b := bytes.Repeat([]byte{0x7f}, n)
			if got := ASCIILength(b); got != n || !IsASCII(b) {
				t.Fatalf("%d bytes: ASCIILength = %d", n, got)
			}
			for at := range b {
				b[at] = c
				if got := ASCIILength(b); got != at || IsASCII(b) {
					t.Fatalf("%#x at %d of %d: ASCIILength = %d", c, at, n, got)
				}
				b[at] = 0
			}
		}
	}
}

// The functions on names and white space are compared with those of the standard library.
func TestNamesAndBlanks(t *testing.T) {
	const blanks = "\t\n\f\r "
	for c := range 256 {
		b := string([]byte{byte(c)})
		lower := b
		if c < 0x80 {
			lower = strings.ToLower(b)
		}
		if got := string(AppendLower([]byte("A"), []byte(b))); got != "A"+lower || Lower[c] != lower[0] {
			t.Errorf("AppendLower(%q) = %q, want %q", b, got, lower)
		}
		for _, s := range []string{"", b, b + "x", "x" + b, b + b, b + " x " + b, "x" + b + "y"} {
			if got, want := string(Stripped([]byte(s))), strings.Trim(s, blanks); got != want {
				t.Errorf("Stripped(%q) = %q, want %q", s, got, want)
			}
			padded := "  " + s + "  "
			at := Trimmed([]byte(padded), Span{2, 2 + len(s)})
			if got, want := padded[at.Start:at.End], strings.Trim(s, blanks); got != want {
				t.Errorf("Trimmed(%q) = %q, want %q", s, got, want)
			}
			want := strings.Map(func(r rune) rune {
				if strings.ContainsRune(blanks, r) {
					return -1
				}
				return r
			}, s)
			if c < 0x80 {
				v := []byte(s)
				if got := WithoutBlanks(v); string(got) != want || string(v) != s {
					t.Errorf("WithoutBlanks(%q) = %q, want %q", s, got, want)
				}
			}
			if got, want := SkipBlank([]byte(s), 0), len(s)-len(strings.TrimLeft(s, blanks)); got != want {
				t.Errorf("SkipBlank(%q, 0) = %d, want %d", s, got, want)
			}
			if got := SkipBlank([]byte("  "+s), 1); got != 2+len(s)-len(strings.TrimLeft(s, blanks)) {
				t.Errorf("SkipBlank from 1 of %q = %d", "  "+s, got)
			}
			for _, word := range []string{"x", "", lower, "xx", lower + "x"} {
				same := strings.EqualFold(s, word) && len(s) == len(word)
				if got := IsFold([]byte(s), word); c < 0x80 && got != same {
					t.Errorf("IsFold(%q, %q) = %v, want %v", s, word, got, same)
				}
				begins := len(s) >= len(word) && strings.EqualFold(s[:len(word)], word)
				if got := HasPrefixFold([]byte(s), word); c < 0x80 && got != begins {
					t.Errorf("HasPrefixFold(%q, %q) = %v, want %v", s, word, got, begins)
				}
			}
		}
	}
	v := []byte("abc")
	if got := WithoutBlanks(v); &got[0] != &v[0] || !slices.Equal(got, v) {
		t.Errorf("WithoutBlanks copies %q", got)
	}
}
