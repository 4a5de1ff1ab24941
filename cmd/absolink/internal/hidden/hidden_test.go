package hidden_test

import (
	"testing"
	"unicode"

	"absolink/cmd/absolink/internal/hidden"
)

func TestRune(t *testing.T) {
	for _, r := range "\x00\x1b\n\t\x7f\u0080\u0085\u009b\u009f\u061c\u200b\u200e\u200f" +
		"\u2028\u2029\u202a\u202e\u2060\u2066\u2069\ufeff\ufff9" +
		"\U000e0001\U000e0041\U000e007f\U000e0100" {
		if !hidden.Rune(r) {
			t.Errorf("%U is not hidden", r)
		}
	}
	for _, r := range " ~\u00a0äß\u0627\u200c\u200d\u2010\u3042\ufe0f\ufffd😀\U000f0000" {
		if hidden.Rune(r) {
			t.Errorf("%U is hidden", r)
		}
	}
}

// All control characters are hidden, and all marks that change the order of letters.
func TestClasses(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if unicode.In(r, unicode.Cc, unicode.Bidi_Control, unicode.Zl, unicode.Zp) && !hidden.Rune(r) {
			t.Errorf("%U is not hidden", r)
		}
		if unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S, unicode.Zs) && hidden.Rune(r) {
			t.Errorf("%U is hidden", r)
		}
	}
}
