package resolve

import "testing"

func TestNormalize(t *testing.T) {
	for _, c := range []struct {
		in   string
		to   Level
		want string
	}{
		{"HTTP://U:P@EXAMPLE.com:80/%7efoo", Exact, "HTTP://U:P@EXAMPLE.com:80/%7efoo"},
		{"HTTP://U:P@EXAMPLE.com:80/%7efoo", CaseLevel, "http://U:P@example.com:80/%7Efoo"},
		{"HTTP://U:P@EXAMPLE.com:80/%7efoo", Escapes, "http://U:P@example.com:80/~foo"},
		{"http://a/./b/../c", Escapes, "http://a/./b/../c"},
		{"http://a/./b/../c", Segments, "http://a/c"},
		{"http://a/%2E%2e/c", Segments, "http://a/c"},
		{"http://a:80", Segments, "http://a:80"},
		{"http://a:80", Scheme, "http://a/"},
		{"http://a:", Scheme, "http://a/"},
		{"https://a:80?x", Scheme, "https://a:80/?x"},
		{"http://%41/", Scheme, "http://a/"},
		{"http://a%2Fb/", Scheme, "http://a%2Fb/"},
		{"http://a/b%2Fc%41%3f", Scheme, "http://a/b%2FcA%3F"},
		{"http://[2001:DB8::1]:443/", Scheme, "http://[2001:db8::1]:443/"},
		{"file://localhost/etc/motd", Scheme, "file:///etc/motd"},
		{"f:/.//g", Segments, "f:/.//g"},
		{"../g", Scheme, "../g"},
		{"%25%34%31", Scheme, "%2541"},
		{"mailto:A@B", Scheme, "mailto:A@B"},
		{"A%2e:", Scheme, "./A.:"},
		{"%41:b", Escapes, "./A:b"},
		{"1%2e:", Escapes, "1.:"},
		{"http://h/?%a%41", Escapes, "http://h/?%a%41"},
		{"http://h/?%%41b", Escapes, "http://h/?%%41b"},
		{"http://h/?%-%41%g%41", Escapes, "http://h/?%-A%gA"},
		{"http://%%41b/", Scheme, "http://%%41b/"},
	} {
		if got := c.to.Normalize(c.in); got != c.want {
			t.Errorf("Normalize(%q, %d) = %q, want %q", c.in, c.to, got, c.want)
		}
	}
}

// TestDotSegmentsTable runs the worked examples of RFC 3986 5.2.4 and 6.2.2.
func TestDotSegmentsTable(t *testing.T) {
	var table struct {
		Cases []struct{ Op, In, Out string }
	}
	load(t, "../testdata/rfc/rfc3986-5.2.4.json", &table)
	if len(table.Cases) < 7 {
		t.Fatalf("%d cases, want 7", len(table.Cases))
	}
	for _, c := range table.Cases {
		switch c.Op {
		case "remove_dot_segments":
			if got := string(removeDots3986([]byte(c.In))); got != c.Out {
				t.Errorf("removeDots3986(%q) = %q, want %q", c.In, got, c.Out)
			}
		case "equivalent":
			if !Scheme.Equivalent(c.In, c.Out) {
				t.Errorf("Equivalent(%q, %q) = false: %q and %q", c.In,
					c.Out, Scheme.Normalize(c.In), Scheme.Normalize(c.Out))
			}
		default:
			t.Errorf("unknown operation %q", c.Op)
		}
	}
}

func FuzzNormalize(f *testing.F) {
	for _, s := range append(fastRefs, fastBases...) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for to := Exact; to <= Scheme; to++ {
			got := to.Normalize(s)
			if again := to.Normalize(got); again != got {
				t.Errorf("Normalize(%q, %d) = %q, and then %q", s, to, got, again)
			}
			if a, b := Split(s), Split(got); a.HasAuthority != b.HasAuthority ||
				(a.Scheme == "") != (b.Scheme == "") || a.HasQuery != b.HasQuery {
				t.Errorf("Normalize(%q, %d) = %q has other components", s, to, got)
			}
		}
	})
}

// A decoded character stays an escape if it would become part of another escape.
func TestContinuesEscape(t *testing.T) {
	for _, tt := range []struct {
		s    string
		want bool // for a hexadecimal digit
	}{
		{"", false}, {"a", false}, {"%", true}, {"a%", true}, {"%%", true}, {"%0", true}, {"%9", true}, {"%a", true},
		{"%F", true}, {"x%f", true}, {"%g", false}, {"%/", false}, {"00", false}, {"%00", false}, {"0", false},
	} {
		for _, c := range []byte("09afAF") {
			if got := continuesEscape([]byte(tt.s), c); got != tt.want {
				t.Errorf("continuesEscape of %q and %q: got %v, want %v", tt.s, c, got, tt.want)
			}
		}
		for _, c := range []byte("gG/%:@`") {
			if continuesEscape([]byte(tt.s), c) {
				t.Errorf("continuesEscape of %q and %q: got true", tt.s, c)
			}
		}
	}
}
