package write

import (
	"os"
	"strings"
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
		{"d.css/new.json", "", []string{"a"}, "d.css", "new.json"},
		{"new.ics", "", []string{"a"}, ".", "new.ics"},
		{"new.VCF.gz", "", []string{"a"}, ".", "new.VCF.gz"},
		{"new.css", "", []string{"http://a.test/"}, ".", "new.css"},
		{"new", "", []string{"a"}, "new", ""},
		{"a.html/new", "", []string{"a"}, "a.html/new", ""},
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

// An output has the coding of its input, so that its name must have the same ending.
func TestCheckCoding(t *testing.T) {
	for _, tt := range []struct{ in, out, want string }{
		{"a.html", "b.html", ""}, {"a.html.gz", "b.html.gz", ""}, {"a", "b.html", ""}, {"a.br", "c/b.br", ""},
		{"a.html.gz", "b.html", "-o b.html: the output is compressed like the input: type -o b.html.gz"},
		{"a.html", "b.html.gz", "type -o b.html"}, {"a.gz", "b.html.zst", "type -o b.html.gz"},
		{"a.mbox.bz2", "b.mbox", "type -o b.mbox.bz2"},
	} {
		err := checkCoding(tt.in, tt.out)
		if (err == nil) != (tt.want == "") || err != nil && !strings.HasSuffix(err.Error(), tt.want) {
			t.Errorf("checkCoding(%s, %s): got %v, want %q", tt.in, tt.out, err, tt.want)
		}
	}
}
