package resolve

import (
	"strings"
	"testing"
)

func TestValidate(t *testing.T) {
	for _, c := range []struct{ base, ref, want string }{
		{"http://a/", "b/c?d#e%20", ""},
		{"http://a/", "é", ""},
		{"http://a/", " b", "invalid-URL-unit"},
		{"http://a/", "b\nc", "invalid-URL-unit"},
		{"http://a/", "b c", "invalid-URL-unit"},
		{"http://a/", "b%zz", "invalid-URL-unit"},
		{"http://a/", "?{", "invalid-URL-unit"},
		{"http://a/", "#\xff", "invalid-URL-unit"},
		{"http://a/", "b\\c", "invalid-reverse-solidus"},
		{"http://a/", "http:g", "special-scheme-missing-following-solidus"},
		{"", "https:///g", "special-scheme-missing-following-solidus"},
		{"", "http:\\\\g", "special-scheme-missing-following-solidus"},
		{"http://a/", "//u:p@h/", "invalid-credentials"},
		{"", "http://0x7f.1./", "IPv4-empty-part IPv4-non-decimal-part"},
		{"", "http://1.2.3.256/", "IPv4-out-of-range-part"},
		{"", "http://1.2.3.4.5/", "IPv4-too-many-parts"},
		{"", "http://h:x/", "port-invalid"},
		{"", "http://h:65536/", "port-out-of-range"},
		{"", "http:///", "special-scheme-missing-following-solidus host-missing"},
		{"", "http://u@/", "invalid-credentials host-missing"},
		{"", "http://a^b/", "domain-invalid-code-point"},
		{"", "foo://a^b/", "invalid-URL-unit host-invalid-code-point"},
		{"", "http://xn--é/", "domain-to-ASCII"},
		{"", "http://[1::2]/", ""},
		{"", "http://[::1", "IPv6-unclosed"},
		{"", "http://[::1]x/", "IPv6-unclosed"},
		{"", "http://[:1]/", "IPv6-invalid-compression"},
		{"", "http://[1:2:3:4:5:6:7:8:9]/", "IPv6-too-many-pieces"},
		{"", "http://[1:2:3:4:5:6:7:8::]/", "IPv6-too-many-pieces"},
		{"", "http://[1::2::3]/", "IPv6-multiple-compression"},
		{"", "http://[:::]/", "IPv6-multiple-compression"},
		{"", "http://[::g]/", "IPv6-invalid-code-point"},
		{"", "http://[::12345]/", "IPv6-invalid-code-point"},
		{"", "http://[::1%25eth0]/", "IPv6-invalid-code-point"},
		{"", "foo://[::1:]/", "IPv6-invalid-code-point"},
		{"", "http://[]/", "IPv6-too-few-pieces"},
		{"", "http://[1:2:3:4:5:6:7]/", "IPv6-too-few-pieces"},
		{"", "http://[1:2:3:4:5:6:7:1.2.3.4]/", "IPv4-in-IPv6-too-many-pieces"},
		{"", "http://[1:2:3:4:5:6:7:.2.3.4]/", "IPv4-in-IPv6-invalid-code-point"},
		{"", "http://[::.2.3.4]/", "IPv4-in-IPv6-invalid-code-point"},
		{"", "http://[::a.2.3.4]/", "IPv4-in-IPv6-invalid-code-point"},
		{"", "http://[::1.2.3.]/", "IPv4-in-IPv6-invalid-code-point"},
		{"", "http://[::1.02.3.4]/", "IPv4-in-IPv6-invalid-code-point"},
		{"", "http://[::1.2.3a4]/", "IPv4-in-IPv6-invalid-code-point"},
		{"", "http://[::1.2.3.4.5]/", "IPv4-in-IPv6-invalid-code-point"},
		{"", "http://[::1.2.3.4:5]/", "IPv4-in-IPv6-invalid-code-point"},
		{"", "http://[::1.2.3.256]/", "IPv4-in-IPv6-out-of-range-part"},
		{"", "http://[::1.2.3]/", "IPv4-in-IPv6-too-few-parts"},
		{"file:///a", "C|/x", "file-invalid-Windows-drive-letter invalid-URL-unit"},
		{"file:///a", "file://C:/x", "file-invalid-Windows-drive-letter-host"},
		{"", "x", "missing-scheme-non-relative-URL"},
		{"mailto:a", "x", "missing-scheme-non-relative-URL"},
	} {
		b, err := NewBase(c.base, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(b.Validate([]byte(c.ref)), " "); got != c.want {
			t.Errorf("base %q: Validate(%q) = %q, want %q", c.base, c.ref, got, c.want)
		}
	}
}

// FuzzValidate: a failure is noted. A valid reference is unchanged except for the components of the
// base.
func FuzzValidate(f *testing.F) {
	for i, ref := range fastRefs {
		f.Add(fastBases[i%len(fastBases)], ref)
	}
	f.Fuzz(func(t *testing.T, base, ref string) {
		b, err := NewBase(base, Options{})
		if err != nil {
			return
		}
		notes := b.Validate([]byte(ref))
		if _, err := b.Resolve(ref); err != nil && len(notes) == 0 {
			t.Errorf("base %q: Resolve(%q): %v, and Validate finds nothing", base, ref, err)
		}
		if len(notes) == 0 && !strings.Contains(ref, "//") && strings.ContainsAny(ref, " <>\"{}|\\^`\x00\x7f") {
			t.Errorf("base %q: Validate(%q) finds nothing", base, ref)
		}
	})
}

func TestUnescape(t *testing.T) {
	for escaped, want := range map[string]string{
		"a%20b%2Fc": "a b/c", "a%20b/c": "a b/c", "100%2541": "100%41",
		"%C3%a9~": "é~", "%2541%": "%41%", "%4": "%4", "": "",
	} {
		if got := Unescape(escaped); got != want {
			t.Errorf("Unescape(%q) = %q, want %q", escaped, got, want)
		}
	}
}
