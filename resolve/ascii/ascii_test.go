package ascii

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestHex(t *testing.T) {
	for c := range 256 {
		want := -1
		if n, err := strconv.ParseUint(string([]byte{byte(c)}), 16, 8); err == nil {
			want = int(n)
		}
		if got := Hex(byte(c)); got != want {
			t.Errorf("Hex(%q) = %d, want %d", byte(c), got, want)
		}
	}
}

func TestAppendPercent(t *testing.T) {
	for _, tt := range []struct {
		c    byte
		want string
	}{{0, "x%00"}, {' ', "x%20"}, {0xAF, "x%AF"}, {0xff, "x%FF"}} {
		if got := string(AppendPercent([]byte("x"), tt.c)); got != tt.want {
			t.Errorf("AppendPercent(x, %q) = %q, want %q", tt.c, got, tt.want)
		}
	}
}

// Each byte by itself.
func TestClass(t *testing.T) {
	const upper, lower, digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", "0123456789"
	const signs = "!#$%&'*+-.^_`|~"
	for _, tt := range []struct {
		name  string
		class Class
		want  string
	}{
		{"none", 0, ""}, {"Upper", Upper, upper}, {"Lower", Lower, lower}, {"Letter", Letter, upper + lower},
		{"Digit", Digit, digits}, {"Alnum", Alnum, upper + lower + digits},
		{"Blank", Blank, " \t"}, {"LineEnd", LineEnd, "\r\n"}, {"Space", Space, " \t\n\f\r"},
		{"Token", Token, upper + lower + digits + signs},
		{"MIMEToken", MIMEToken, upper + lower + digits + signs + "{}"},
	} {
		for i := range 256 {
			c := byte(i)
			if got, want := tt.class.Has(c), strings.IndexByte(tt.want, c) >= 0; got != want {
				t.Errorf("%s.Has(%q) = %v, want %v", tt.name, c, got, want)
			}
		}
	}
}

func TestHasAll(t *testing.T) {
	for s, want := range map[string]bool{
		"": false, "a": true, "text": true, "a b": false, "(a": false, "a(": false, "\xe4": false,
	} {
		if got := Token.HasAll(s); got != want {
			t.Errorf("Token.HasAll(%q) = %v, want %v", s, got, want)
		}
	}
}

func TestSplit(t *testing.T) {
	for s, want := range map[string][]string{
		"": nil, " \t\n\f\r": nil, "a": {"a"}, " a\tb\nc\fd\re ": {"a", "b", "c", "d", "e"},
		"a\vb\x1cc": {"a\vb\x1cc"}, "a\u00a0b\u2028c\u0120d\u0085e": {"a\u00a0b\u2028c\u0120d\u0085e"},
		"\xff \xfe": {"\xff", "\xfe"}, "\x00 \x1f": {"\x00", "\x1f"},
	} {
		if got := slices.Collect(Space.Split(s)); !slices.Equal(got, want) {
			t.Errorf("Space.Split(%q) = %q, want %q", s, got, want)
		}
	}
}
