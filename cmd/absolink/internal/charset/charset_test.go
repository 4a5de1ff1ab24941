package charset

import (
	"testing"

	"golang.org/x/text/encoding/ianaindex"

	"absolink/extract"
)

// The characters are those of Python 3.11.
func TestDecoder(t *testing.T) {
	for name, want := range map[string]string{
		"utf-8": "\ufffd\ufffd", "windows-1252": "\u203a\u00d5", "x-user-defined": "\uf79b\uf7d5",
		"ibm437": "\u00a2\u2552", "ibm850": "\u00f8\u0131", "ibm852": "\u0164\u0147", "ibm855": "\u040f\u041d",
		"ibm00858": "\u00f8\u20ac", "ibm860": "\u00a2\u2552", "ibm862": "\u00a2\u2552", "ibm863": "\u00a2\u2552",
		"ibm865": "\u00f8\u2552",
	} {
		got, err := Decoder(name).Bytes([]byte{0x9b, 0xd5})
		if err != nil || string(got) != want {
			t.Errorf("Decoder(%s): got %q, %v, want %q", name, got, err, want)
		}
	}
	for _, name := range []string{"utf-7", "utf-32", "unknown-8bit", ""} {
		if Decoder(name) != nil {
			t.Errorf("Decoder(%q) is not nil", name)
		}
	}
}

// Every code page that mail can name is the one of IANA's registry.
func TestCodePages(t *testing.T) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	pages := 0
	for _, label := range []string{"cp437", "cp850", "cp852", "cp855", "cp858", "cp860", "cp862", "cp863", "cp865"} {
		d := extract.Doc{Format: extract.Plain, Data: all, Charset: label, Part: "1"}
		name := d.Encoding()
		e, err := ianaindex.MIME.Encoding(name)
		if err != nil || e == nil {
			t.Fatalf("IANA does not know %s, the name of %s", name, label)
		}
		want, _ := e.NewDecoder().Bytes(all)
		got, err := Decoder(name).Bytes(all)
		if err != nil || string(got) != string(want) {
			t.Errorf("Decoder(%s): got %q, want %q", name, got, want)
		}
		pages++
	}
	if pages != 9 {
		t.Errorf("%d code pages, want 9", pages)
	}
}
