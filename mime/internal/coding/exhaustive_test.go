package coding

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"math/rand"
	"regexp"
	"slices"
	"strings"
	"testing"

	"absolink/extract"
)

// inputs yields each string of at most n of the given pieces.
func inputs(pieces []string, n int) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		var grow func(prefix string, n int) bool
		grow = func(prefix string, n int) bool {
			if !yield(prefix) {
				return false
			}
			for _, p := range pieces {
				if n > 0 && !grow(prefix+p, n-1) {
					return false
				}
			}
			return true
		}
		grow("", n)
	}
}

// token is a part of an encoded body, with the bytes that it means.
type token struct {
	start, end int
	data       string
}

// checkTokens compares the text, and the place of each of its bytes, with the tokens of a body.
func checkTokens(t *testing.T, text extract.Text, raw string, tokens []token) {
	t.Helper()
	var want strings.Builder
	for _, k := range tokens {
		want.WriteString(k.data)
	}
	if string(text.Data) != want.String() {
		t.Fatalf("%q is decoded as %q, want %q", raw, text.Data, want.String())
	}
	i := 0
	for _, k := range tokens {
		for range len(k.data) {
			if got := text.Raw(extract.Span{Start: i, End: i + 1}); got.Start != k.start || got.End != k.end {
				t.Fatalf("%q: byte %d of %q is raw %v, want %d to %d", raw, i, text.Data, got, k.start, k.end)
			}
			i++
		}
	}
}

// quotedTokens matches an escape, a line end with a soft break or blanks before it, or one byte.
var quotedTokens = map[byte]*regexp.Regexp{
	'\n': regexp.MustCompile(`(?s)=[0-9A-Fa-f]{2}|(=?)[ \t]*(\r?\n|\z)|.`),
	'\r': regexp.MustCompile(`(?s)=[0-9A-Fa-f]{2}|(=?)[ \t]*(\r|\z)|.`),
}

// Section 6.7 of RFC 2045, as a pattern, explains every short body.
func TestQuotedShort(t *testing.T) {
	for raw := range inputs([]string{"=", "4", "d", "g", " ", "\t", "\r", "\n"}, 4) {
		for eol, pattern := range quotedTokens {
			var want []token
			wrong := false
			for _, m := range pattern.FindAllStringSubmatchIndex(raw, -1) {
				switch s := raw[m[0]:m[1]]; {
				case m[4] >= 0 && m[3] > m[2]: // a soft break is no content
				case m[4] >= 0:
					for i := m[4]; i < m[5]; i++ {
						want = append(want, token{i, i + 1, raw[i : i+1]})
					}
				case len(s) == 3:
					b, _ := hex.DecodeString(s[1:])
					want = append(want, token{m[0], m[1], string(b)})
				default:
					wrong = wrong || s == "="
					want = append(want, token{m[0], m[1], s})
				}
			}
			got, problem := decoded(Quoted, []byte(raw), eol)
			if wrong != (problem != "") {
				t.Fatalf("Quoted(%q, %q) has the problem %q, want one: %v", raw, eol, problem, wrong)
			}
			checkTokens(t, got, raw, want)
		}
	}
}

// The lines of a body cover it: each begins where the last one ends, and a line holds content,
// blanks or a soft break, and its line end, in this order.
func TestQuotedLinesCover(t *testing.T) {
	line := map[byte]*regexp.Regexp{
		'\n': regexp.MustCompile(`^([^\n]*?)(=?)[ \t]*(\r?\n|\z)`),
		'\r': regexp.MustCompile(`^([^\r]*?)(=?)[ \t]*(\r|\z)`),
	}
	for raw := range inputs([]string{"=", "4", " ", "\t", "\r", "\n"}, 5) {
		for eol, pattern := range line {
			for pos := 0; pos < len(raw); {
				m := pattern.FindStringSubmatchIndex(raw[pos:])
				want := QuotedLine{Content: pos + m[3], End: pos + m[6], Next: pos + m[1], Soft: m[5] > m[4]}
				got := QuotedLineAt([]byte(raw), pos, eol)
				if got != want {
					t.Fatalf("QuotedLineAt(%q, %d, %q) = %+v, want %+v", raw, pos, eol, got, want)
				}
				pos = got.Next
			}
		}
	}
}

// checkBase64 compares the decoder with the decoder of the standard library. Input that the latter
// accepts has no problem and gives the same bytes, and vice versa.
func checkBase64(t *testing.T, raw []byte) {
	plain := strings.NewReplacer(" ", "", "\t", "").Replace(string(raw))
	want, err := base64.StdEncoding.DecodeString(plain)
	if err != nil { // padding may be missing
		digits := strings.TrimRight(strings.NewReplacer("\r", "", "\n", "").Replace(plain), "=")
		if pad := strings.Count(plain, "="); pad+len(digits)%4 < 4 &&
			len(digits)%4 > 1 && strings.Count(digits, "=") == 0 {
			unpadded := base64.RawStdEncoding
			if pad == 0 { // it may be cut
				unpadded = unpadded.Strict()
			}
			want, err = unpadded.DecodeString(digits)
		}
	}
	got, problem := decoded(Base64, raw, '\n')
	if (err == nil) != (problem == "" || problem == Unpadded) {
		t.Fatalf("Base64(%q): problem %q, the library says %v", raw, problem, err)
	}
	if err == nil && !bytes.Equal(got.Data, want) {
		t.Errorf("Base64(%q) = %q, want %q", raw, got.Data, want)
	}
	checkMap(t, got, raw)
}

func TestBase64Short(t *testing.T) {
	for raw := range inputs([]string{"Y", "R", "=", "\n", "*", "YWJj"}, 5) {
		checkBase64(t, []byte(raw))
	}
}

// Each quartet is one token, also if lines cut it. A problem names the last fault.
func TestBase64Tokens(t *testing.T) {
	for _, c := range []struct {
		raw     string
		problem string
		want    []token
	}{
		{"YWJj", "", []token{{0, 4, "abc"}}},
		{"YWJjZGVm\r\nZ2hp\r\n", "", []token{{0, 4, "abc"}, {4, 8, "def"}, {10, 14, "ghi"}}},
		{"YWJjZG\nVm", "", []token{{0, 4, "abc"}, {4, 9, "def"}}},
		{"YW Jj", "", []token{{0, 5, "abc"}}},
		{"YWJj \t\nYQ==", "", []token{{0, 4, "abc"}, {7, 11, "a"}}},
		{"YQ=\n=", "", []token{{0, 3, "a"}}},
		{"YWI=", "", []token{{0, 4, "ab"}}},
		{"YWI", Unpadded, []token{{0, 3, "ab"}}},
		{"YWJjY", "truncated base64", []token{{0, 4, "abc"}}},
		{"YWJj====", "padding inside base64", []token{{0, 4, "abc"}}},
		{"Y=WJj", "padding inside base64", []token{{0, 5, "abc"}}},
		{"YQ===YWJj", "base64 after its end", []token{{0, 4, "a"}, {5, 9, "abc"}}},
		{"YQ==\nYWJj\nYQ==", "base64 after its end", []token{{0, 4, "a"}, {5, 9, "abc"}, {10, 14, "a"}}},
		{"YW-Jj", "bytes that are not base64", []token{{0, 5, "abc"}}},
		{"+/+/", "", []token{{0, 4, "\xfb\xff\xbf"}}},
	} {
		got, problem := decoded(Base64, []byte(c.raw), '\n')
		if problem != c.problem {
			t.Errorf("Base64(%q) has the problem %q, want %q", c.raw, problem, c.problem)
		}
		checkTokens(t, got, c.raw, c.want)
	}
}

// Blanks in base64 mean nothing. With a blank after each byte the decoder takes no line at once.
func TestBase64Blanks(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 3000 {
		data := make([]byte, r.Intn(40))
		r.Read(data)
		raw := []byte(base64.StdEncoding.EncodeToString(data))
		for range r.Intn(4) {
			at := r.Intn(len(raw) + 1)
			piece := []string{"\n", "\r\n", " ", "=", "*", "A", "\r"}[r.Intn(7)]
			raw = slices.Insert(raw, at, []byte(piece)...)
		}
		for _, eol := range []byte{'\n', '\r'} {
			got, problem := decoded(Base64, raw, eol)
			spaced := []byte(strings.Join(strings.Split(string(raw), ""), " "))
			want, wantProblem := decoded(Base64, spaced, eol)
			if problem != wantProblem || !bytes.Equal(got.Data, want.Data) {
				t.Fatalf("Base64(%q, %q) = %q, %q; with blanks %q, %q", raw, eol,
					got.Data, problem, want.Data, wantProblem)
			}
			for i := range got.Data {
				a := got.Raw(extract.Span{Start: i, End: i + 1})
				b := want.Raw(extract.Span{Start: i, End: i + 1})
				padding := raw[a.End-1] == '=' // the token may hold one less
				if b.Start != 2*a.Start || b.End != 2*a.End-1 && !padding {
					t.Fatalf("Base64(%q, %q): byte %d is raw %v, with blanks %v", raw, eol, i, a, b)
				}
			}
		}
	}
}

// Decoded text needs no more memory than its body, but for a constant.
func TestDecodedMemory(t *testing.T) {
	for name, decode := range map[string]func(*extract.Text, []byte, byte) string{
		"Quoted": Quoted, "Base64": Base64, "Uuencode": Uuencode,
	} {
		for _, piece := range []string{"=3D", "=\n", "YWJj\n", "#86)C\n"} {
			raw := []byte("begin 644 a\n" + strings.Repeat(piece, 1000))
			if got, _ := decoded(decode, raw, '\n'); cap(got.Data) > len(raw)+512 {
				t.Errorf("%s of %d bytes of %q: the text has room for %d bytes", name, len(raw), piece, cap(got.Data))
			}
		}
	}
}

func TestUuencode(t *testing.T) {
	const (
		noBegin = "uuencode without its beginning"
		noEnd   = "uuencode without its end"
		wrong   = "bytes that are not uuencode"
	)
	for _, c := range []struct {
		raw     string
		eol     byte
		problem string
		want    []token
	}{
		{"begin 644 a\n#86)C\n`\nend\n", '\n', "", []token{{13, 17, "abc"}}},
		{"begin 644 a\r\n#86)C\r\n`\r\nend\r\n", '\n', "", []token{{14, 18, "abc"}}},
		{"begin 644 a\r#86)C\r`\rend\r", '\r', "", []token{{13, 17, "abc"}}},
		{"Hello\n\nbegin 644 a\n#86)C\nend", '\n', "", []token{{20, 24, "abc"}}},
		{"begin 644 a\n\n#86)C\nend \t\n", '\n', "", []token{{14, 18, "abc"}}},
		{"begin 644 a\n&86)C9&5F\nend\n", '\n', "", []token{{13, 17, "abc"}, {17, 21, "def"}}},
		{"begin 644 a\n\"86(\nend\n", '\n', "", []token{{13, 16, "ab"}}}, // a blank at the end is missing
		{"begin 644 a\n$86)C9\nend\n", '\n', "", []token{{13, 17, "abc"}, {17, 18, "d"}}},
		{"begin 644 a\n#86)C \nend\n", '\n', "", []token{{13, 17, "abc"}}},
		{"begin 644 a\n#    \nend\n", '\n', "", []token{{13, 17, "\x00\x00\x00"}}},
		{"begin 644 a\n#````\nend\n", '\n', "", []token{{13, 17, "\x00\x00\x00"}}},
		{"begin 644 a\n#____\nend\n", '\n', "", []token{{13, 17, "\xff\xff\xff"}}},
		{"begin 644 a\n#86)C\n", '\n', noEnd, []token{{13, 17, "abc"}}},
		{"begin 644 a\n", '\n', noEnd, nil},
		{"#86)C\nend\n", '\n', noBegin, nil},
		{"", '\n', noBegin, nil},
		{"begin 644 a\n#86a)\nend\n", '\n', wrong, nil},
		{"begin 644 a\n#86)\x1f\nend\n", '\n', wrong, nil},
		{"begin 644 a\nabc\nend\n", '\n', wrong, nil},
		{"begin 644 a\n$86)C\nend\n", '\n', wrong, []token{{13, 17, "abc"}}},
	} {
		got, problem := decoded(Uuencode, []byte(c.raw), c.eol)
		if problem != c.problem {
			t.Errorf("Uuencode(%q) has the problem %q, want %q", c.raw, problem, c.problem)
		}
		checkTokens(t, got, c.raw, c.want)
	}
}
