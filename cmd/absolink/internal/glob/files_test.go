package glob_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/glob"
)

// filesOf returns the result of Files if the argument is a pattern, and otherwise the argument.
func filesOf(arg string) string {
	if !glob.IsPattern(arg) {
		return "no pattern"
	}
	list, err := glob.Files(arg)
	if err != nil {
		return "error: " + err.Error()
	}
	return strings.Join(list, " ")
}

func TestFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a.html", "b.HTML", "page[1].htm", "page1.htm", "page2.htm", "x.txt",
		"site/c.html", "site/old/d.mht", "site/old/older/e.mht", "site/f.mht", "site/g.mht/h.html"} {
		err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, nil, 0o666))
		if err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct{ pattern, want string }{
		{"a.html", "no pattern"},
		{"missing.html", "no pattern"},
		{"page[1].htm", "no pattern"}, // a file
		{"http://a.test/?q=*", "no pattern"},
		{"ftp://a.test/*", "no pattern"},
		{"-", "no pattern"},
		{"", "no pattern"},
		{"*.html", "a.html b.HTML"},
		{"*.HTM?", "a.html b.HTML"},
		{"page[12].htm", "page1.htm page2.htm"}, // no file, so a set
		{"page[!2].htm", "page1.htm"},
		{"*.{txt,html}", "a.html b.HTML x.txt"},
		{"./*.html", "./a.html ./b.HTML"},
		{"./site/../*.txt", "./site/../x.txt"},
		{`site\*`, `site\c.html site\f.mht site\g.mht site\old`},
		{"site/*.mht", "site/f.mht site/g.mht"},
		{`site\**\*.mht`, `site\f.mht site\old\d.mht site\old\older\e.mht`}, // not the directory g.mht
		{"site/**", "site/c.html site/f.mht site/g.mht/h.html site/old/d.mht site/old/older/e.mht"},
		{"**/older/*", "site/old/older/e.mht"},
		{`*\old\*.mht`, `site\old\d.mht`},
		{"*//c.html", "site/c.html"},
		{"*.png", ""},
		{`none\*.html`, ""},
		{"page[3].htm", ""},
		{"page[1", `error: "page[1", and it is not a pattern such as *.html`},
	}
	for _, tt := range tests {
		if got := filesOf(tt.pattern); got != tt.want {
			t.Errorf("Files(%s):\n got %s\nwant %s", tt.pattern, got, tt.want)
		}
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{filepath.Join(here, "x.txt")}
	if got, err := glob.Files(filepath.Join(here, "*.txt")); err != nil || !slices.Equal(got, want) {
		t.Errorf("Files of an absolute pattern: got %q and error %v, want %q", got, err, want)
	}
}
