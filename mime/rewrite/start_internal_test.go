package rewrite

import "testing"

// The parts of a URL as written that correspond to parts of its URI.
func TestStartsOfURLs(t *testing.T) {
	for _, c := range []struct {
		url    string
		origin int
		host   bool
	}{
		{"http://h", 8, true}, {"http://h/", 8, false}, {"http://h/p//q", 8, false}, {"http://h?q", 8, false},
		{"http://h#f", 8, false}, {"//h", 3, true}, {"//h/x", 3, false}, {"http://", 7, false},
	} {
		if n := originLength(c.url); n != c.origin || bareHost(c.url) != c.host {
			t.Errorf("%s: origin of %d bytes, bare host %v, want %d, %v", c.url, n, bareHost(c.url), c.origin, c.host)
		}
	}
	for _, c := range []struct {
		value, uri string
		n, want    int
	}{
		{"HTTP://H/a/b", "http://h/a/b", 10, 10}, {"HTTP://H/a/b", "http://h/a/b", 8, 8},
		{"HTTP://H/a/b", "http://h/a/b", 7, -1}, {"//h/a/b", "http://h/a/b", 10, 5},
		{"http://h/A/b", "http://h/a/b", 10, -1},
		{"http://h", "http://h/", 9, -1}, {"http://h:80/a", "http://h/a", 10, 13},
		{"http://h/a", "http://h/a", 10, 10},
		{"mailto:a@b", "mailto:a@b", 8, 8}, {"mailto:A@b", "mailto:a@b", 8, -1}, {"mailto:", "mailto:a@b", 8, -1},
		{"mailto:a", "mailto:a@b", 8, 8}, {"www.h/a", "http://www.h/a", 4, -1},
	} {
		if got := writtenStart(c.value, c.uri, c.n); got != c.want {
			t.Errorf("writtenStart(%q, %q, %d) = %d, want %d", c.value, c.uri, c.n, got, c.want)
		}
	}
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 0}, {"", "a", 0}, {"a", "a", 1}, {"ba", "a", 1}, {"a", "ba", 1}, {"ab", "cb", 1},
		{"ab", "ac", 0},
		{"xab", "yab", 2},
	} {
		if got := commonSuffix(c.a, c.b); got != c.want {
			t.Errorf("commonSuffix(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
	for _, c := range []struct {
		begin, uri string
		n          int
		want       bool
	}{
		{"HTTP://H/a", "http://h/a", 5, true}, {"HTTP://H/a", "http://h/a", 8, true},
		{"HTTP://H/a", "http://h/a", 10, true},
		{"HTTP://H/A", "http://h/a", 9, true}, {"HTTP://H/A", "http://h/a", 10, false},
		{"http://h", "http://h/", 8, true},
		{"http://h", "http://h/", 9, false}, {"http://hh/a", "http://h/a", 8, false},
		{"http://g/a", "http://h/a", 8, false},
		{"http://h/a/../b", "http://h/b", 10, false}, {"http://h/a/../b", "http://h/b", 9, true},
	} {
		if got := sameStart(c.begin, c.uri, c.n); got != c.want {
			t.Errorf("sameStart(%q, %q, %d) = %v, want %v", c.begin, c.uri, c.n, got, c.want)
		}
	}
	for _, c := range []struct {
		ref, rest string
		want      bool
	}{
		{"d/", "x", true}, {"", "x", false}, {"d", "x", false}, {"./", "x", false}, {"../", "x", false},
		{"/", "x", true},
		{"d", "?q", true}, {"", "?q", false}, {"d?q", "?q", false}, {"d#f", "#f", false}, {"./", "#f", true},
		{"d", "#f", true},
	} {
		if got := continues(c.ref, c.rest); got != c.want {
			t.Errorf("continues(%q, %q) = %v, want %v", c.ref, c.rest, got, c.want)
		}
	}
	for text, want := range map[string]int{"": 0, "a": 1, "a\u0080": 1, "\u007f\u0080": 1, "é": 0, "ab\xff": 2} {
		if got := lengthASCII([]byte(text)); got != want {
			t.Errorf("lengthASCII(%q) = %d, want %d", text, got, want)
		}
	}
	for text, want := range map[string]bool{"": true, "a\x7f": true, "a\x80": false, "é": false} {
		if got := isASCII([]byte(text)); got != want {
			t.Errorf("isASCII(%q) = %v, want %v", text, got, want)
		}
	}
}

// The fingerprints of any number of links are read back, also after the last ones were deleted.
func TestPrintsTruncated(t *testing.T) {
	for _, n := range []int{0, 1, 63, 64, 65, 128, 129, 9000, 30_000} {
		for _, kept := range []int{0, 1, 63, 64, 65, 127, 128, 129, 8999, 9000, 29_999, 30_000} {
			if kept > n {
				continue
			}
			var s prints
			for i := range n {
				s.add(uint64(i))
			}
			s.truncate(kept)
			s.add(7)
			r := s.reader()
			for i := range kept {
				if print, ok := r.next(); !ok || print != uint64(i) {
					t.Fatalf("%d of %d: print %d is %d, %v", kept, n, i, print, ok)
				}
			}
			last, ok := r.next()
			_, more := r.next()
			if !ok || last != 7 || more || s.n != kept+1 {
				t.Fatalf("%d of %d: the last print is %d, %v, more %v, n %d", kept, n, last, ok, more, s.n)
			}
			again := s.emptied()
			again.add(9)
			r = again.reader()
			last, ok = r.next()
			_, more = r.next()
			if !ok || last != 9 || more || again.n != 1 {
				t.Fatalf("%d of %d: the print in used memory is %d, %v, more %v, n %d", kept, n, last, ok, more,
					again.n)
			}
		}
	}
}
