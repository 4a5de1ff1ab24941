package files

import (
	"strings"
	"testing"
)

func TestAllowedPath(t *testing.T) {
	tests := []struct{ rel, want string }{
		{"a/b.html", "a/b.html"},
		{".", "."},
		{"../a", "../a"},
		{"", ""},
		{".hidden/a b.html", ".hidden/a b.html"},
		{"host/page?id=1", "host/page@id=1"},
		{"host/page?a=?b", "host/page@a=%3Fb"},
		{"host:8080/a", "host+8080/a"},
		{"a:b/c:", "a%3Ab/c%3A"},
		{"a:8x", "a%3A8x"},
		{`a<b>"c|d*e\f`, "a%3Cb%3E%22c%7Cd%2Ae%5Cf"},
		{"a\tb\x1fc\x7f", "a%09b%1Fc\x7f"},
		{"x.", "x%2E"},
		{"x..", "x.%2E"},
		{"d./x ", "d%2E/x%20"},
		{"...", "..%2E"},
		{"con", "%63on"},
		{"Con.html", "%43on.html"},
		{"a/NUL.tar.gz/b", "a/%4EUL.tar.gz/b"},
		{"aux .txt", "%61ux .txt"},
		{"com1", "%63om1"},
		{"LPT9.x", "%4CPT9.x"},
		{"com¹", "%63om¹"},
		{"com", "com"},
		{"com10", "com10"},
		{"console", "console"},
		{"icon", "icon"},
		{"é?ü", "é@ü"},
		{"100%", "100%"},
	}
	for _, tt := range tests {
		got := allowedPath(tt.rel)
		if got != tt.want {
			t.Errorf("allowedPath(%q): got %q, want %q", tt.rel, got, tt.want)
		}
		if again := allowedPath(got); again != got {
			t.Errorf("allowedPath(%q): got %q, want it unchanged", got, again)
		}
	}
}

func TestOutputPathElsewhere(t *testing.T) {
	const name = "con/A?b:1/x."
	if restricted {
		if got := Key(name); got != strings.ToLower(name) {
			t.Errorf("Key(%q): got %q", name, got)
		}
		return
	}
	if got := OutputPath(name); got != name {
		t.Errorf("OutputPath(%q): got %q", name, got)
	}
	if got := Key(name); got != name {
		t.Errorf("Key(%q): got %q", name, got)
	}
}
