package text

import (
	"strings"
	"testing"
)

// sample is "ab" at 0, a token of 5 raw bytes for one, a gap of 2, "cd", base64 of 4 bytes in two
// quartets, and three escapes.
func sample() *Text {
	var t Text
	t.AppendSame(0, []byte("ab"))
	t.AppendToken(Span{2, 7}, []byte("&"))
	t.AppendSame(9, []byte("c"))
	t.AppendSame(10, []byte("d"))
	t.AddBase64(len(t.Data), 11, 4)
	t.Data = append(t.Data, "WXYZ"...)
	t.AppendEscapes(19, []byte("1"))
	t.AppendEscapes(22, []byte("23"))
	return &t
}

func TestTextRaw(t *testing.T) {
	text := sample()
	if got, want := string(text.Data), "ab&cdWXYZ123"; got != want {
		t.Fatalf("Data = %q, want %q", got, want)
	}
	tests := []struct {
		name     string
		in, want Span
	}{
		{"all", Span{0, 12}, Span{0, 28}},
		{"same", Span{1, 2}, Span{1, 2}},
		{"token", Span{2, 3}, Span{2, 7}},
		{"over a gap", Span{2, 4}, Span{2, 10}},
		{"joined runs", Span{3, 5}, Span{9, 11}},
		{"whole quartet", Span{6, 7}, Span{11, 15}},
		{"last quartet", Span{8, 9}, Span{15, 19}},
		{"two quartets", Span{7, 9}, Span{11, 19}},
		{"one escape", Span{10, 11}, Span{22, 25}},
		{"escapes", Span{9, 12}, Span{19, 28}},
		{"empty", Span{3, 3}, Span{9, 9}},
		{"empty at the end", Span{12, 12}, Span{28, 28}},
	}
	for _, tt := range tests {
		if got := text.Raw(tt.in); got != tt.want {
			t.Errorf("%s: Raw(%v) = %v, want %v", tt.name, tt.in, got, tt.want)
		}
	}
}

func TestTextIdentity(t *testing.T) {
	text := Text{Data: []byte("abc")}
	if got, want := text.Raw(Span{1, 2}), (Span{1, 2}); got != want {
		t.Errorf("identity: Raw = %v, want %v", got, want)
	}
	var empty Text
	empty.AppendSame(5, nil)
	if got, want := empty.Raw(Span{}), (Span{}); got != want {
		t.Errorf("empty: Raw = %v, want %v", got, want)
	}
}

// The decoded bytes before an offset may be a character reference that continues there.
func TestOpenBefore(t *testing.T) {
	const raw = "a&b=1&&c&amp;d&ampe"
	var text Text
	Begin(&text)
	text.AppendSame(0, []byte(raw[:8]))
	text.AppendToken(Span{8, 13}, []byte("&"))
	text.AppendSame(13, []byte("d"))
	text.AppendToken(Span{14, 18}, []byte("&"))
	text.AppendSame(18, []byte("e"))
	for i, want := range []bool{1: false, 2: true, 3: false, 6: true, 7: true, 9: false, 11: true} {
		if i > 0 && OpenBefore(&text, i, []byte(raw)) != want {
			t.Errorf("openBefore(%d) in %q = %t, want %t", i, raw, !want, want)
		}
	}
}

// IndexFold finds a word at any position, whatever its first byte.
func TestIndexFold(t *testing.T) {
	for _, word := range []string{"</noscript", "charset", "<"} {
		for _, fill := range []string{"", "x", "<", "</", "</n", "c", "é", "<a </nosc"} {
			for n := range 20 {
				before := strings.Repeat(fill, n)
				for _, found := range []string{word, strings.ToUpper(word)} {
					text := before + found + before
					want := strings.Index(strings.ToLower(text), word)
					if got := IndexFold([]byte(text), word); got != want {
						t.Errorf("IndexFold(%q, %q): got %d, want %d", text, word, got, want)
					}
				}
				want := strings.Index(before, word)
				if got := IndexFold([]byte(before), word); got != want {
					t.Errorf("IndexFold(%q, %q): got %d, want %d", before, word, got, want)
				}
			}
		}
	}
}
