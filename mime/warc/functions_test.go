package warc

import (
	"fmt"
	"io"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"absolink/mime"
	"absolink/testdata/effort"
)

// The words of an ARC line: dates have 12 to 17 digits, addresses have digits and letters of
// hexadecimal numbers, and a scheme ends within 32 bytes.
func TestWordsOfARC(t *testing.T) {
	for s, want := range map[string]bool{
		"200501020304": true, "20050102030": false, "20050102030405123": true, "200501020304051234": false,
		"20050102030x": false, "": false, "/00501020304": false, ":00501020304": false,
	} {
		if got := isDate([]byte(s)); got != want {
			t.Errorf("isDate(%q) = %v, want %v", s, got, want)
		}
	}
	for s, want := range map[string]bool{
		"-": true, "1.2.3.4": true, "[::1]": true, "fe80::AF": true, "": false, "--": false, "host": false,
		"1.2.3.g": false,
	} {
		if got := isIP([]byte(s)); got != want {
			t.Errorf("isIP(%q) = %v, want %v", s, got, want)
		}
	}
	for s, want := range map[string]bool{
		"a:": true, "z:": true, "A:": true, "Z:b": true, "a+b.c-1_:": true, ":": false, "1a:": false,
		"@a:": false, "[a:": false,
		"`a:": false, "{a:": false, "a b:": false, "a": false, "": false, "a/:": false, "a::": true, "a~:": false,
		strings.Repeat("a", 31) + ":": true, strings.Repeat("a", 32) + ":": false,
	} {
		if got := beginsWithScheme([]byte(s)); got != want {
			t.Errorf("beginsWithScheme(%q) = %v, want %v", s, got, want)
		}
	}
	for s, want := range map[string]string{
		"20050102030405": "2005-01-02T03:04:05Z", "200501020304": "2005-01-02T03:04:00Z",
		"2005010203045": "2005-01-02T03:04:00Z", "20050102030405123": "2005-01-02T03:04:05Z", "20051302030405": "",
		"2005": "", "": "",
	} {
		if got := warcDate(s); got != want {
			t.Errorf("warcDate(%q) = %q, want %q", s, got, want)
		}
	}
	for line, want := range map[string]int{
		"http://a/ 1.2.3.4 20050102030405 t 0": 18, "x 20050102030405 - 20060102030405 t 0": 19,
		"1.2.3.4 20050102030405": 8,
		"20050102030405 t":       -1, "": -1, "a  -  20050102030405": 6, "a b 20050102030405": 4,
		"a h 20050102030405": -1,
	} {
		if got := dateField([]byte(line)); got != want {
			t.Errorf("dateField(%q) = %d, want %d", line, got, want)
		}
	}
}

// Line ends, blank lines and the magic bytes of members, at each place.
func TestPlacesInBytes(t *testing.T) {
	for s, want := range map[string]int{
		"": -1, "\n": -1, "\n\n": 2, "\r\n\r\n": 4, "a\n\nb": 3, "a\r\n\r\nb": 5, "a\n\r\n": 4, "a\n\r": -1,
		"a\n\rb\n\n": 6,
		"\na":        -1, "a\nb\n\n": 5,
	} {
		if got := blankLine([]byte(s)); got != want {
			t.Errorf("blankLine(%q) = %d, want %d", s, got, want)
		}
	}
	for s, want := range map[string]string{
		"": "", "a": "a", "a\n": "a", "a\r\n": "a", "a\r": "a\r", "a\n\n": "a", "a\r\n\r\n": "a",
		"a\r\n\r\n\r\n": "a\r\n",
		"a\n\r\n":       "a", "\n": "", "\r\n\r\n": "", "a\r\r\n": "a\r",
	} {
		if got := string(trimEnd([]byte(s))); got != want {
			t.Errorf("trimEnd(%q) = %q, want %q", s, got, want)
		}
	}
	for s, want := range map[string]int{
		"": -1, "\x1f\x8b": -1, "\x1f\x8b\x08": 0, "\x1f\x8b\x08\x00": 0, "\x1f\x8b\x08\x1f": 0,
		"\x1f\x8b\x08\x20":                 -1,
		"\x1f\x8b\x08\x80\x1f\x8b\x08\x00": 4, "a\x1f\x8b\x08": 1, "\x1f\x1f\x8b\x08\x01": 1,
		"\x1f\x8b\x09\x00": -1,
	} {
		if got := gzipMagic([]byte(s)); got != want {
			t.Errorf("gzipMagic(%q) = %d, want %d", s, got, want)
		}
	}
}

// The marks of a window are those of a list without any cache. Most of them were not dropped, so
// the memory does not grow with the archive.
func TestMarksModel(t *testing.T) {
	for seed := range int64(300) {
		r := rand.New(rand.NewSource(seed))
		var m marks
		var model []mark
		pos, at := int64(0), int64(0) // positions of the next mark and of the window
		for i := range 40 {
			switch r.Intn(4) {
			case 0, 1:
				pos += int64(r.Intn(4))
				next := member{off: int64(100 + i), beginsRecord: r.Intn(4) == 0, afterGap: r.Intn(6) == 0,
					defects: make([]mime.Defect, r.Intn(2))}
				if n := len(model); n > 0 && model[n-1].pos == pos {
					last := &model[n-1]
					last.off = next.off
					last.beginsRecord = last.beginsRecord || next.beginsRecord
					last.afterGap = last.afterGap || next.afterGap
					last.defects = append(slices.Clone(last.defects), next.defects...)
				} else {
					model = append(model, mark{pos, next})
				}
				m.add(pos, next)
			case 2:
				if at < pos {
					at += int64(r.Intn(int(pos-at) + 1))
				}
				got := len(m.dropTo(at, nil))
				want := 0
				for k := range model {
					if model[k].pos <= at {
						want += len(model[k].defects)
						model[k].defects = nil
					}
				}
				for len(model) > 1 && model[1].pos <= at {
					model = model[1:]
				}
				if got != want || len(m.live()) != len(model) {
					t.Fatalf("seed %d: dropTo(%d): %d defects and %d marks, want %d and %d",
						seed, at, got, len(m.live()), want, len(model))
				}
				if m.first > len(m.all)/2 {
					t.Fatalf("seed %d: dropTo(%d): %d of %d marks in memory were dropped",
						seed, at, m.first, len(m.all))
				}
			}
			want := int64(-1)
			for _, k := range model {
				if k.pos > at && (k.beginsRecord || k.afterGap) {
					want = k.pos
					break
				}
			}
			if got := m.nextHard(at); got != want {
				t.Fatalf("seed %d: nextHard(%d) = %d, want %d", seed, at, got, want)
			}
			off := int64(-1)
			for _, k := range model {
				if k.pos <= at {
					off = k.off
				}
			}
			if k := m.at(at); (k == nil) != (off < 0) || k != nil && k.off != off {
				t.Fatalf("seed %d: at(%d) = %+v, want the mark with offset %d", seed, at, k, off)
			}
		}
	}
}

// After damage a plain record or a member is found behind any number of bytes, also if it begins a
// buffer.
func TestPlainRecordBehindJunk(t *testing.T) {
	plain := "WARC/1.1\r\nContent-Length: 1\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a/2\r\n\r\nx\r\n\r\n"
	for _, size := range []int{0, 1, readBuffer - headerPrefix, readBuffer, 2 * (readBuffer - headerPrefix)} {
		for off := -30; off <= 30; off++ {
			if size+off < 0 || !effort.Whole() && off%6 != 0 && off != -1 && off != 1 {
				continue
			}
			junk := strings.Repeat("x", size+off) + "\n"
			for second, want := range map[string]string{plain: "1*! 2 3*", gz(plain): "1*! 2* 3*"} {
				data := gz(numbered(1, "a")) + "\x1f\x8b\x08\xff" + junk + second + gz(numbered(3, "b"))
				if got := targets(t, strings.NewReader(data)); got != want {
					t.Fatalf("%d bytes of junk: got the records %s, want %s", len(junk), got, want)
				}
			}
		}
	}
}

// A pipe keeps the bytes that damage can hide: it gives the same records as a file.
func TestDamageInPipe(t *testing.T) {
	for _, size := range []int{100 << 10, 300 << 10, 700 << 10} {
		first := gz(numbered(1, noise(size)))
		for _, part := range []int{3, 5, 9} {
			at := len(first) * part / 10
			damaged := first[:at] + string(first[at]^0xff) + first[at+1:]
			data := gz(numbered(0, "a")) + damaged + gz(numbered(2, "b")) + numbered(3, "c") + gz(numbered(4, "d"))
			want := targets(t, strings.NewReader(data))
			got := targets(t, onlyReader{strings.NewReader(data)})
			if got != want || !strings.HasSuffix(want, "4*") {
				t.Errorf("%d bytes, damage at %d: the pipe gives %s, the file %s", size, at, got, want)
			}
		}
	}
}

// A block that ends with the input, at the limit, is read although its length says more.
func TestCutAtLimit(t *testing.T) {
	const limit = 1000
	for n := limit - 1; n <= limit+1; n++ {
		data := fmt.Sprintf("WARC/1.1\r\nWARC-Type: resource\r\nContent-Length: 5000\r\n\r\n%s", strings.Repeat("x", n))
		for name, in := range map[string]io.Reader{
			"pipe":   onlyReader{strings.NewReader(data)},
			"file":   strings.NewReader(data),
			"member": strings.NewReader(gz(data)),
		} {
			rec, err := firstOf(in, Options{Limit: limit})
			if err != nil {
				t.Fatal(err)
			}
			length := rec.Block.End - rec.Block.Start
			if skipped := n > limit; (rec.Skipped > 0) != skipped || !skipped && length != n {
				t.Errorf("%s with %d bytes: %d skipped, block of %d", name, n, rec.Skipped, length)
			}
			rec.Release()
		}
	}
}
