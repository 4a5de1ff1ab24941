package write

import (
	"os"
	"testing"

	"absolink/cmd/absolink/internal/source"
)

// The argument of -o is a file only if one file is written to a name with a known ending.
func TestOutputFile(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{"in", "there.html"} {
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		out  string
		urls string
		args []string
		dir  string
		name string
	}{
		{"new.html", "", []string{"a"}, ".", "new.html"},
		{"d/new.htm", "", []string{"a"}, "d", "new.htm"},
		{"new.EML", "", []string{"a"}, ".", "new.EML"},
		{"new.mbox.gz", "", []string{"a"}, ".", "new.mbox.gz"},
		{"new.css", "", []string{"http://a.test/"}, ".", "new.css"},
		{"new", "", []string{"a"}, "new", ""},
		{"new.d", "", []string{"a"}, "new.d", ""},
		{"new.gz", "", []string{"a"}, "new.gz", ""},
		{"new.html/", "", []string{"a"}, "new.html/", ""},
		{"there.html", "", []string{"a"}, "there.html", ""},
		{"new.html", "", []string{"in"}, "new.html", ""},
		{"new.html", "", []string{"a", "b"}, "new.html", ""},
		{"new.html", "list", []string{"a"}, "new.html", ""},
		{"new.html", "list", nil, "new.html", ""},
	} {
		inputs := &source.Set{URLs: tt.urls}
		if err := inputs.SetArgs(tt.args); err != nil {
			t.Fatal(err)
		}
		dir, name := (&Destination{Dir: tt.out}).outputFile(inputs)
		if dir != tt.dir || name != tt.name {
			t.Errorf("-o %s of %q: got directory %q and name %q, want %q and %q", tt.out, tt.args, dir, name, tt.dir,
				tt.name)
		}
	}
}
