package extract

import "testing"

// "ab" is at 0, then a token of 5 raw bytes for "&", a gap of 2, "cd", base64 of 4 bytes in two
// quartets, and three escapes.
func TestText(t *testing.T) {
	var text Text
	if !text.Identity() || !(*Text)(nil).Identity() {
		t.Error("the zero Text and nil are the identity")
	}
	text.Grow(12, 6)
	text.AppendSame(0, []byte("ab"))
	text.AppendToken(Span{2, 7}, []byte("&"))
	text.AppendSame(9, []byte("c"))
	text.AppendSame(10, []byte("d"))
	text.AppendBase64(11, []byte("WXYZ"))
	text.AppendEscapes(19, []byte("1"))
	text.AppendEscapes(22, []byte("23"))
	if got, want := string(text.Data), "ab&cdWXYZ123"; got != want || text.Identity() {
		t.Fatalf("Data = %q, Identity = %v, want %q and false", got, text.Identity(), want)
	}
	for _, tt := range []struct{ decoded, raw Span }{
		{Span{0, 1}, Span{0, 1}}, {Span{1, 3}, Span{1, 7}}, {Span{2, 4}, Span{2, 10}},
		{Span{3, 5}, Span{9, 11}}, {Span{5, 6}, Span{11, 15}}, {Span{8, 9}, Span{15, 19}},
		{Span{10, 11}, Span{22, 25}}, {Span{0, 12}, Span{0, 28}}, {Span{3, 3}, Span{9, 9}},
		{Span{12, 12}, Span{28, 28}},
	} {
		if got := text.Raw(tt.decoded); got != tt.raw {
			t.Errorf("Raw(%v) = %v, want %v", tt.decoded, got, tt.raw)
		}
	}
	text.Reset()
	if len(text.Data) != 0 || !text.Identity() || text.Raw(Span{3, 4}) != (Span{3, 4}) {
		t.Errorf("after Reset: %+v, want the identity", text)
	}
}
