package reading

import (
	"fmt"
	"strings"
	"testing"

	"absolink/testdata/effort"
)

// The kept strings are limited in length and number.
func TestNamesAreBounded(t *testing.T) {
	var d Document
	long := strings.Repeat("X", effort.Pick(1<<20, 1<<16))
	for i := range 3 {
		name := fmt.Sprint(long, i)
		if got := d.Intern([]byte(name)); got != name {
			t.Errorf("Intern(%.5q…%d) gives %d bytes, want %d", name, i, len(got), len(name))
		}
		if got := d.InternLower([]byte(name)); got != strings.ToLower(name) {
			t.Errorf("InternLower(%.5q…%d) is not its lower case", name, i)
		}
	}
	if len(d.names) > 0 {
		t.Errorf("%d names kept of long ones, want none", len(d.names))
	}
	for i := range 3 * maxNames {
		if name := fmt.Sprint(i); d.Intern([]byte(name)) != name || len(d.names) > maxNames {
			t.Fatalf("Intern(%q): %d names are kept, want at most %d", name, len(d.names), maxNames)
		}
	}
}
