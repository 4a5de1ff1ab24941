package resolve

import (
	"strings"
	"testing"
)

// Each byte, and a dot behind a slash, is seen at each place of references of all lengths
// that differ in how they are looked at.
func TestPlainVector(t *testing.T) {
	if !hasVector {
		t.Skip("this processor has no vectors that references are looked at with")
	}
	for n := plainVectorLen; n <= 100; n++ {
		b := []byte(strings.Repeat("a", n))
		for i := range b {
			for c := range 256 {
				b[i] = byte(c)
				want := class[c]&odd == 0
				if got, _ := plainVector(string(b)); got != want {
					t.Fatalf("plainVector(%q) = %v, want %v", b, got, want)
				}
			}
			b[i] = 'a'
			if i == 0 {
				continue
			}
			b[i-1], b[i] = '/', '.'
			if got, _ := plainVector(string(b)); got {
				t.Fatalf("plainVector(%q) = true, want false", b)
			}
			b[i-1], b[i] = '.', '/'
			if got, _ := plainVector(string(b)); !got {
				t.Fatalf("plainVector(%q) = false, want true", b)
			}
			if _, escapes := plainVector(string(b)); escapes {
				t.Fatalf("plainVector(%q) sees an escape", b)
			}
			b[i] = '%'
			if _, escapes := plainVector(string(b)); !escapes {
				t.Fatalf("plainVector(%q) sees no escape", b)
			}
			b[i-1], b[i] = 'a', 'a'
		}
		b[0], b[n-1] = '.', '/'
		if got, _ := plainVector(string(b)); !got {
			t.Fatalf("plainVector(%q) = false, want true", b)
		}
	}
}

// Domains of all lengths are seen behind all prefixes, with whatever follows, and each
// byte that does not belong to one at each place.
func TestDomainVector(t *testing.T) {
	if !hasVector {
		t.Skip("this processor has no vectors that domains are looked at with")
	}
	for _, prefix := range []string{"", "//", "http://", "https://"} {
		for n := 3; n < 32; n++ {
			for rest := 1; rest < 48; rest++ {
				s := []byte(prefix + strings.Repeat("a", n-2) + ".a" + strings.Repeat("/", rest))
				if len(s) < domainVectorLen {
					continue
				}
				i := len(prefix)
				if got := domainVector(string(s), i); got != i+n {
					t.Fatalf("domainVector(%q, %d) = %d, want %d", s, i, got, i+n)
				}
				if rest == 40 {
					oddDomains(t, s, i, i+n)
				}
			}
		}
	}
	tests := []struct {
		name, domain string
		ok           bool
	}{
		{"label", "a", false},
		{"empty", "", false},
		{"empty first label", ".a.b", false},
		{"empty last label", "a.b.", false},
		{"empty label between", "a..b", true},
		{"top with a digit", "a.b1c", false},
		{"top with a hyphen", "a.b-c", false},
		{"top with a line", "a._c", false},
		{"number", "1.2.3.4", false},
		{"31 bytes", "a-z.0_9.bcdefghijkl.mnopqrstuvw", true},
		{"32 bytes", "a-z.0_9.bcdefghijklm.nopqrstuvwx", false},
	}
	for _, tt := range tests {
		s, want := "//"+tt.domain+"/"+strings.Repeat("a.a/", 10), 0
		if tt.ok {
			want = len("//" + tt.domain)
		}
		if got := domainVector(s, 2); got != want {
			t.Errorf("%s: domainVector(%q, 2) = %d, want %d", tt.name, s, got, want)
		}
	}
}

// oddDomains puts each byte into each place of the domain in s, which has one dot.
func oddDomains(t *testing.T, s []byte, start, end int) {
	t.Helper()
	for i := start; i < end-2; i++ {
		for c := range 256 {
			s[i] = byte(c)
			want := end
			if strings.IndexByte("abcdefghijklmnopqrstuvwxyz0123456789-_.", byte(c)) < 0 || i == start && c == '.' {
				want = 0
			}
			if got := domainVector(string(s), start); got != want {
				t.Fatalf("domainVector(%q, %d) = %d, want %d", s, start, got, want)
			}
		}
		s[i] = 'a'
	}
}
