package reference

import "testing"

func TestEscape(t *testing.T) {
	for _, c := range []struct{ data, keep, want string }{
		{"a b/c", "", "a%20b%2Fc"},
		{"a b/c", "/", "a%20b/c"},
		{"100%41", "", "100%2541"},
		{"é~", "", "%C3%A9~"},
		{"-._~", "", "-._~"},
		{"", "", ""},
	} {
		if got := escape(c.data, c.keep); got != c.want {
			t.Errorf("escape(%q, %q) = %q, want %q", c.data, c.keep, got, c.want)
		}
	}
}
