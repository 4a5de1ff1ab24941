package reference_test

import (
	"strings"
	"testing"
)

// Each relative reference resolves back to its URI, whatever forms are forbidden.
func TestRelativeResolvesBack(t *testing.T) {
	paths := []string{"", "/", "/x", "/b", "/b/", "/b/c/d", "/b/c/d/e",
		"/b//c", "//b", "/b/c:d", "/?q", "/b/c/d;p?q", "#f"}
	for _, authority := range []string{"http://a", "http://z", "https://a"} {
		for _, path := range paths {
			uri := authority + path
			for _, flags := range []string{"", "--no-parent", "--no-absolute-path", "--no-network-path", "--no-empty",
				"--no-parent --no-absolute-path --no-network-path --no-empty"} {
				line := append(append([]string{base, "--rules=rfc3986", "--relative"}, strings.Fields(flags)...), uri)
				got, err := show(t, line, "")
				if err != nil || got.failed {
					t.Errorf("%q: got error %v and %q", line, err, got.notes)
					continue
				}
				ref := strings.TrimSuffix(got.out, "\n")
				back, err := show(t, []string{base, "--rules=rfc3986", "--", ref}, "")
				if err != nil || strings.TrimSuffix(back.out, "\n") != uri {
					t.Errorf("%q: %q resolves to %q, want %q", line, ref, back.out, uri)
				}
				if strings.Contains(flags, "no-parent") && strings.HasPrefix(ref, "..") ||
					strings.Contains(flags, "no-empty") && ref == "" ||
					strings.Contains(flags, "no-network-path") && strings.HasPrefix(ref, "//") {
					t.Errorf("%q: got %q, which the flags forbid", line, ref)
				}
			}
		}
	}
}
