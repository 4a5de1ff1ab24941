package resolve

import (
	"encoding/json"
	"os"
	"testing"

	"absolink/testdata/corpus"
)

// load decodes a JSON file into v.
func load(t testing.TB, path string, v any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

func TestWebPlatformTests(t *testing.T) {
	var suite struct {
		Cases []struct{ Base, Ref, Expected *string }
	}
	load(t, corpus.Path("whatwg/urltestdata.dev.json"), &suite)
	if len(suite.Cases) < 630 {
		t.Fatalf("%d cases, want 630", len(suite.Cases))
	}
	for _, c := range suite.Cases {
		base := ""
		if c.Base != nil {
			base = *c.Base
		}
		b, err := NewBase(base, Options{})
		var got string
		if err == nil {
			got, err = b.Resolve(*c.Ref)
		}
		switch {
		case c.Expected == nil && err == nil:
			t.Errorf("Resolve(%q, %q) = %q, want an error", base, *c.Ref, got)
		case c.Expected != nil && (err != nil || got != *c.Expected):
			t.Errorf("Resolve(%q, %q) = %q, %v, want %q", base, *c.Ref, got, err, *c.Expected)
		}
	}
}

// A reference keeps the drive of a file URL, even if the drive is its whole path.
func TestDriveOfBase(t *testing.T) {
	for _, c := range []struct{ base, ref, want string }{
		{"file:///C:", "/x", "file:///C:/x"},
		{"file:///C:/y/z", "/x", "file:///C:/x"},
		{"file:///CD/y", "/x", "file:///x"},
		{"file:///C:y", "/x", "file:///x"},
	} {
		b, err := NewBase(c.base, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := b.Resolve(c.ref); got != c.want || err != nil {
			t.Errorf("base %q: Resolve(%q) = %q, %v, want %q", c.base, c.ref, got, err, c.want)
		}
	}
}

func TestDomainToASCII(t *testing.T) {
	var rows []json.RawMessage
	load(t, corpus.Path("whatwg/toascii.json"), &rows)
	n := 0
	for _, row := range rows {
		var c struct{ Input, Output *string }
		if json.Unmarshal(row, &c) != nil || c.Input == nil {
			continue
		}
		n++
		b, _ := NewBase("", Options{})
		got, err := b.Resolve("https://" + *c.Input + "/x")
		if c.Output == nil {
			if err == nil {
				t.Errorf("Resolve(%q) = %q, want an error", *c.Input, got)
			}
		} else if want := "https://" + *c.Output + "/x"; got != want {
			t.Errorf("Resolve(%q) = %q, %v, want %q", *c.Input, got, err, want)
		}
	}
	if n < 87 {
		t.Errorf("%d cases, want 87", n)
	}
}
