package links

import (
	"strings"
	"testing"

	"absolink/extract"
)

// Each label of the replacement encoding is refused as such, in any case. Other names are not.
func TestCheckCharset(t *testing.T) {
	for _, label := range replacement {
		for _, name := range []string{label, strings.ToUpper(label), " " + label} {
			err := CheckCharset("--charset", name)
			if err == nil || !strings.Contains(err.Error(), "replacement encoding") {
				t.Errorf("CheckCharset(%q): %v, want an error about the replacement encoding", name, err)
			}
		}
		d := extract.Doc{Format: extract.HTML, Charset: label}
		if p := d.Problems(); len(p) != 1 || p[0].Kind != extract.UnsupportedCharset {
			t.Errorf("a page in %s: problems %v, want unsupported-charset", label, p)
		}
	}
	for _, name := range []string{"", "utf-8", "GBK", "iso-2022-jp", "utf-16le", "x-user-defined"} {
		if err := CheckCharset("--charset", name); err != nil {
			t.Errorf("CheckCharset(%q): %v, want none", name, err)
		}
	}
	for _, name := range []string{"nothing", "utf-7", "iso-2022", "replace"} {
		if err := CheckCharset("--charset", name); err == nil || strings.Contains(err.Error(), "replacement encoding") {
			t.Errorf("CheckCharset(%q): %v, want an error about the name", name, err)
		}
	}
}
