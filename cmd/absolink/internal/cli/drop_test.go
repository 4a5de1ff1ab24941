package cli

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
)

// A page that is dropped on the program becomes a new directory beside its file. Anything else is
// done as on a command line. In both cases the window stays open until a key is pressed.
func TestRunInWindow(t *testing.T) {
	t.Chdir(t.TempDir())
	err := errors.Join(os.Mkdir("d", 0o777), os.Mkdir("d/taken", 0o777), os.Mkdir("dir.mht", 0o777))
	for _, name := range []string{"d/a.b.mht", "d/taken.MHTML", "d/taken-2", "x.html", "-x.mht"} {
		err = errors.Join(err, os.WriteFile(name, nil, 0o666))
	}
	if err != nil {
		t.Fatal(err)
	}
	const key = "key: \nPress a key to close this window."
	tests := []struct{ args, want string }{
		{"", key},
		{"x.html", "x.html" + key},
		{"missing.mht", "missing.mht" + key},
		{"dir.mht", "dir.mht" + key},
		{"d/a.b.mht x.html", "d/a.b.mht x.html" + key},
		{"d/a.b.mht", "unpack -o d/a.b -- d/a.b.mht" + key},
		{"d/taken.MHTML", "unpack -o d/taken-3 -- d/taken.MHTML" + key},
		{"-x.mht", "unpack -o -x -- -x.mht" + key},
	}
	for _, tt := range tests {
		var out bytes.Buffer
		ran := ""
		run := func(args []string) int {
			ran = strings.Join(args, " ")
			out.Reset() // the line about the page
			return 7
		}
		wait := func() { ran += "key: " + out.String() }
		code := runInWindow(strings.Fields(tt.args), &out, run, wait)
		if code != 7 || ran != tt.want {
			t.Errorf("runInWindow(%s): got code %d and %q, want 7 and %q", tt.args, code, ran, tt.want)
		}
	}
}
