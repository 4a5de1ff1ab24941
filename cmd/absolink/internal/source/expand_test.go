package source

import (
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/flag"
)

func TestExpand(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a.html", "b.html", "page[1].htm", "x.txt"} {
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct{ args, want string }{
		{"", ""},
		{"missing.html page[1].htm -", "missing.html page[1].htm -"},
		{"x.txt *.html a.html", "x.txt a.html b.html a.html"},
		{"a.html *.png", "error: *.png matches no file: give a name, or another pattern"},
		{"page[1", `error: no file has the name "page[1", and it is not a pattern such as *.html`},
	}
	for _, tt := range tests {
		list, err := expandAll(strings.Fields(tt.args))
		got := strings.Join(list, " ")
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != tt.want {
			t.Errorf("expandAll(%s):\n got %s\nwant %s", tt.args, got, tt.want)
		}
		if usage := (*flag.Error)(nil); err != nil && !errors.As(err, &usage) {
			t.Errorf("expandAll(%s): the error is a %T, want a *flag.Error", tt.args, err)
		}
	}
}

// Elsewhere than on Windows the shell has expanded patterns: a name with * is a name.
func TestExpandElsewhere(t *testing.T) {
	t.Chdir(t.TempDir())
	list, err := Expand([]string{"*.none"})
	if expanded := err != nil; expanded != (runtime.GOOS == "windows") {
		t.Errorf("Expand(*.none): got %q and error %v", list, err)
	}
	if got := IsPattern("*.none"); got != (runtime.GOOS == "windows") {
		t.Errorf("IsPattern(*.none): got %v", got)
	}
}
