package input

import "testing"

// The names of files in a directory look like the name that the user has typed for the directory.
func TestWithSeparator(t *testing.T) {
	tests := []struct{ dir, unix, windows string }{
		{"site", "site/", `site\`},
		{"site/", "site/", "site/"},
		{"./site//", "./site/", "./site/"},
		{"/", "/", "/"},
		{`site\a`, `site\a/`, `site\a\`},
		{`D:\`, `D:\/`, `D:\`},
		{`D:\site/old`, `D:\site/old/`, `D:\site/old/`},
		{`D:/site\old`, `D:/site\old/`, `D:/site\old\`},
		{"", "/", `\`},
	}
	for _, tt := range tests {
		if got := withSeparator(tt.dir, separatorsOf('/')); got != tt.unix {
			t.Errorf("withSeparator(%q) on Unix: got %q, want %q", tt.dir, got, tt.unix)
		}
		if got := withSeparator(tt.dir, separatorsOf('\\')); got != tt.windows {
			t.Errorf("withSeparator(%q) on Windows: got %q, want %q", tt.dir, got, tt.windows)
		}
	}
}
