package coding

import (
	"bytes"
	"encoding/base64"
	"io"
	"mime/quotedprintable"
	"regexp"
	"strings"
	"testing"

	"absolink/extract"
)

// FuzzQuoted compares the decoder with the decoder of the standard library, if the latter accepts
// the input.
func FuzzQuoted(f *testing.F) {
	f.Add([]byte("a=3Db=\n c \r\n=e9="))
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, eol := range []byte{'\n', '\r'} {
			var lines extract.Text
			ok := decodeLines(&lines, raw, eol)
			if got, problem := decoded(Quoted, raw, eol); !bytes.Equal(got.Data, lines.Data) || ok != (problem == "") {
				t.Errorf("Quoted(%q, %v) = %q, %q, line by line %q, %v", raw, eol, got.Data, problem, lines.Data, ok)
			}
			if got, want := NeverQuoted(raw, eol), !encodedQuoted[eol].Match(raw); got != want {
				t.Errorf("NeverQuoted(%q, %v) = %v, want %v", raw, eol, got, want)
			}
		}
		want, err := io.ReadAll(quotedprintable.NewReader(bytes.NewReader(raw)))
		if err != nil || bytes.Contains(bytes.ReplaceAll(raw, []byte("\r\n"), nil), []byte("\r")) {
			return // here bare CRs are bytes of a line, there they are blanks at its end
		}
		got, _ := decoded(Quoted, raw, '\n')
		if !bytes.Equal(got.Data, want) {
			t.Errorf("Quoted(%q) = %q, want %q", raw, got.Data, want)
		}
		checkMap(t, got, raw)
	})
}

// encodedQuoted matches text that was surely encoded, for each kind of line end.
var encodedQuoted = map[byte]*regexp.Regexp{'\n': regexp.MustCompile(`=3[Dd]|=[ \t]*\r?\n`),
	'\r': regexp.MustCompile(`=3[Dd]|=[ \t]*\r`)}

// FuzzBase64 compares the decoder with the decoder of the standard library.
func FuzzBase64(f *testing.F) {
	f.Add([]byte("YWJj\nZA=\n=\n"))
	f.Add([]byte("YWJjZ*"))
	f.Add([]byte("YWJjZR"))
	f.Fuzz(checkBase64)
}

func TestNeverQuoted(t *testing.T) {
	for _, c := range []struct {
		raw   string
		eol   byte
		never bool
	}{
		{"", '\n', true},
		{"<a href=\"x?v=20\">", '\n', true},
		{"<a href=3D\"x\"> 1=2", '\n', false},
		{"a=3d=z", '\n', false},
		{"=z=3d", '\n', false},
		{"=z=3", '\n', true},
		{"=z=3\n", '\n', true},
		{"=z=\n", '\n', false},
		{"=z=\r\n", '\n', false},
		{"=z= \t\n", '\n', false},
		{"=z= \t\r\n", '\n', false},
		{"=z=\r", '\n', true},
		{"=z=\rx", '\n', true},
		{"=z=", '\n', true},
		{"=z= ", '\n', true},
		{"=z= x\n", '\n', true},
		{"=z=\r", '\r', false},
		{"=z=  \r", '\r', false},
		{"=z=\n", '\r', true},
		{"=z=C3=A9", '\n', true},
	} {
		if got := NeverQuoted([]byte(c.raw), c.eol); got != c.never {
			t.Errorf("NeverQuoted(%q, %v) = %v, want %v", c.raw, c.eol, got, c.never)
		}
	}
}

// In base64 that is cut, the last digit may hold bits of the next byte. In complete base64 these
// bits are zero.
func TestBase64Spare(t *testing.T) {
	for raw, want := range map[string]string{
		"YQ": Unpadded, "YWI": Unpadded, "YQ=": Unpadded, "YR=": Unpadded, "YQ\n": Unpadded,
		"YR": "truncated base64", "YWJ": "truncated base64", "YWJj\nYR\n": "truncated base64",
		"YR==": "", "YWJ=": "",
	} {
		var text extract.Text
		if got := Base64(&text, []byte(raw), '\n'); got != want {
			t.Errorf("Base64(%q) has the problem %q, want %q", raw, got, want)
		}
	}
}

func TestNeverBase64(t *testing.T) {
	const line = "PGEgaHJlZj0ieC5o"
	for raw, want := range map[string]bool{
		"<html><body><a href=\"a.html\">a</a></body></html>\n": true,
		"\n \n<p>\n":                           true,
		"\xef\xbb\xbf<p>":                      true,
		"Hello, see\r\nhttp://h.example/a\r\n": true,
		"Hello\n<a href=x>":                    true,
		"":                                     false,
		line:                                   false,
		"PGEg*aHJlZj0=":                        false,
		line + "\n-- \nlist <http://h.example/>\n":   false,
		"*** banner ***\n" + line + "\n":             false,
		"SGk=\n_____\nlist at <http://h.example/>\n": false,
		"<p>\n  " + line + "  \n":                    false,
		"<p>\n" + line[:15] + "\n":                   true,
		"<p>\n" + line[:14] + "==\n":                 false,
		"<p>\n================\n":                    true,
		"<p>\n" + line[:14] + "===\n":                true,
		"<p>\n" + line[:14] + "é=\n":                 true,
		"c2ln\n<p>":                                  false,
		"c2l\n<p>":                                   true,
		"\nc2ln\n<p>":                                false,
		"<p>\nc2ln\n":                                true,
		"bidabidabidabida\n<p>":                      false, // a word that decodes to text
		"bidabidabidabica\n<p>":                      true,  // it decodes to a control character
		"1/2/3/4/5/6/7/8+\n<p>":                      false,
		strings.Repeat("a", 40) + "\n<p>":            true,
		strings.Repeat("a", 44) + "\n<p>":            false, // no word is as long
		strings.Repeat("a", 19) + "=\n<p>":           false,
		"AAECAwQFBgcICQoL\n<p>":                      false,
		"eHh4eHh4eHh4eHh4\n<p>":                      false,
		"Hello World\n":                              true,
		"http://h.example/z\n":                       true,
		"Hello\nhttp://h.example/z\n":                true,
		line + "\nhttp://h.example/z\n":              false,
		"<":                                          true,
		"a-b":                                        false,
	} {
		if got := NeverBase64([]byte(raw), '\n'); got != want {
			t.Errorf("NeverBase64(%q) = %v, want %v", raw, got, want)
		}
	}
}

// FuzzUuencode decodes encoded data, and arbitrary input.
func FuzzUuencode(f *testing.F) {
	f.Add([]byte("abc"), "begin 644 a\n#86)C\n`\nend\n")
	f.Fuzz(func(t *testing.T, data []byte, raw string) {
		var b strings.Builder
		b.WriteString("begin 644 a\n")
		for rest := data; len(rest) > 0; {
			n := min(len(rest), 45)
			line := append(bytes.Clone(rest[:n]), 0, 0)
			b.WriteByte(byte(n) + ' ')
			for i := 0; i < n; i += 3 {
				for _, six := range [4]byte{line[i] >> 2, line[i]<<4 | line[i+1]>>4,
					line[i+1]<<2 | line[i+2]>>6, line[i+2]} {
					b.WriteByte((six&63+63)%64 + '!')
				}
			}
			b.WriteByte('\n')
			rest = rest[n:]
		}
		b.WriteString("`\nend\n")
		got, problem := decoded(Uuencode, []byte(b.String()), '\n')
		if problem != "" || !bytes.Equal(got.Data, data) {
			t.Errorf("Uuencode(%q) = %q, %q, want %q", b.String(), got.Data, problem, data)
		}
		got, _ = decoded(Uuencode, []byte(raw), '\n')
		if len(got.Data) > len(raw) {
			t.Errorf("Uuencode(%q) has %d bytes, more than that", raw, len(got.Data))
		}
	})
}

// decoded returns the text and the problem that a decoder finds in a body.
func decoded(decode func(*extract.Text, []byte, byte) string, raw []byte, eol byte) (t extract.Text, problem string) {
	problem = decode(&t, raw, eol)
	return t, problem
}

// checkMap checks that decoded bytes come from raw bytes in the same order.
func checkMap(t *testing.T, text extract.Text, raw []byte) {
	at := 0
	for i := range text.Data {
		s := text.Raw(extract.Span{Start: i, End: i + 1})
		if s.Start < at || s.End <= s.Start || s.End > len(raw) {
			t.Fatalf("decoded byte %d of %q is raw %v, want it after %d", i, raw, s, at)
		}
		at = s.Start
	}
}

// A long word or a number alone on its line is not base64, although it could be.
func TestNeverBase64Words(t *testing.T) {
	for _, word := range strings.Fields(`Zusammenfassungen zusammenfassungen ZUSAMMENFASSUNGEN ServiceMitteilungen Bestellung2024Oktober
		1234567890123456 2026010112000000 Datenschutzinformationsblatt Newsletter/Rundbrief/Oktober internationalization Dear`) {
		for _, rest := range []string{"<html><a href=\"a.html\">a</a></html>\n", "Hello <http://h.example/>\r\n"} {
			if !NeverBase64([]byte(word+"\r\n"+rest), '\n') {
				t.Errorf("NeverBase64(%q and %q) = false, want true", word, rest)
			}
		}
	}
}

// A line of base64 with an encoded text is base64, whatever its text and its length.
func TestNeverBase64Lines(t *testing.T) {
	texts := []string{
		"<html><body><p>Hello, this is a page with a link: <a href=\"http://h.example/a/b.html\">here</a>, " +
			"and more text of that kind.</p>",
		"Grüße aus München, die Straße heißt Übergrößenträger und führt nach Süden über Köln.",
		"Привет, это письмо со ссылкой на страницу: http://h.example/ и ещё один длинный текст без конца.",
		"这是一个带有链接的页面，还有更多的文字在这里，请点击链接查看详情。谢谢您的阅读和支持，再见。",
		strings.Repeat("hhhhhhooooooooo", 20), "%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<</Type/Catalog>>\nendobj\n",
	}
	for _, text := range texts {
		encoded := base64.StdEncoding.EncodeToString([]byte(text))
		for width := leastLine; width <= 76; width += 4 {
			for start := 0; start+width <= len(encoded); start += width {
				raw := encoded[start:start+width] + "\n-- \nlist <http://h.example/>\n"
				if NeverBase64([]byte(raw), '\n') {
					t.Errorf("NeverBase64(%q) = true, want false", raw)
				}
			}
		}
	}
}
