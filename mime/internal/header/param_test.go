package header

import (
	"strings"
	"testing"
)

func TestParam(t *testing.T) {
	for _, c := range []struct{ name, field, param, want string }{
		{"token", `text/html; charset=utf-8`, "charset", "utf-8"},
		{"quoted", `text/html; charset="utf-8"`, "charset", "utf-8"},
		{"case of the name", `text/html; CharSet=utf-8`, "charset", "utf-8"},
		{"blanks around the equals sign", `text/html; charset = "utf-8"`, "charset", "utf-8"},
		{"equals signs in a token", `multipart/mixed; boundary=----=_NextPart_000`, "boundary", "----=_NextPart_000"},
		{"colons and slashes in a token", `multipart/mixed; boundary=a:b/c?d`, "boundary", "a:b/c?d"},
		{"quoted semicolon", `multipart/mixed; boundary="a;b"`, "boundary", "a;b"},
		{"quoted quote", `text/plain; name="a\"b"`, "name", `a"b`},
		{"backslashes of a file name", `text/plain; name="C:\temp\x.txt"`, "name", `C:\temp\x.txt`},
		{"no closing quote", `multipart/mixed; boundary="abc`, "boundary", "abc"},
		{"no semicolon between", `text/plain; charset=utf-8 format=flowed`, "format", "flowed"},
		{"quoted, no semicolon between", `text/plain; charset="utf-8" format=flowed`, "format", "flowed"},
		{"comment after", `text/plain; charset=us-ascii (plain text)`, "charset", "us-ascii"},
		{"empty parameters", `text/plain;; ; charset=x;`, "charset", "x"},
		{"no value", `text/plain; charset; name=x`, "name", "x"},
		{"first of two", `text/plain; charset=a; charset=b`, "charset", "a"},
		{"none", `text/plain`, "charset", ""},
		{"RFC 2231 section 3",
			`message/external-body; access-type=URL; URL*0="ftp://"; URL*1="cs.utk.edu/pub/moore/bulk-mailer/bulk-mailer.tar"`, "url", "ftp://cs.utk.edu/pub/moore/bulk-mailer/bulk-mailer.tar"},
		{"RFC 2231 section 4", `application/x-stuff; title*=us-ascii'en-us'This%20is%20%2A%2A%2Afun%2A%2A%2A`,
			"title", "This is ***fun***"},
		{"RFC 2231 section 4.1",
			`application/x-stuff; title*0*=us-ascii'en'This%20is%20even%20more%20; title*1*=%2A%2A%2Afun%2A%2A%2A%20; title*2="isn't it!"`, "title", "This is even more ***fun*** isn't it!"},
		{"RFC 2231 out of order", `a/b; n*1=b; n*0=a`, "n", "ab"},
		{"RFC 2231 in ISO 8859-1", `a/b; n*=iso-8859-1''caf%E9`, "n", "café"},
		{"RFC 2231 with a name of mail", `a/b; n*0*=cp949''%B0%A1; n*1*=x%C7%D1`, "n", "가x한"},
		{"RFC 2231 unknown charset", `a/b; n*=x-nobody''caf%41`, "n", "cafA"},
		{"a value without a name", `a/b; ="; n=z"; n=y`, "n", "y"},
		{"a word before the name", `a/b; odd n=x`, "n", "x"},
		{"RFC 2231 number that is none", `a/b; n*x=q`, "n", ""},
		{"RFC 2231 number below 0", `a/b; n*-1=q`, "n", ""},
		{"RFC 2231 number twice", `a/b; n*0=a; n*0=b`, "n", "ab"},
		{"nothing between", `a/b; m="x"n=y`, "n", "y"},
		{"backslash at the end", `a/b; n="x\`, "n", `x\`},
		{"two backslashes", `a/b; n="C:\\x"`, "n", `C:\x`},
		{"two backslashes at the end", `a/b; n="x\\"; m=y`, "n", `x\`},
		{"an empty value", `a/b; m=; n=x`, "n", "x"},
		{"comments around a name", `text/plain; (a)charset (b)= x`, "charset", "x"},
		{"a comment before a value", `text/plain; charset= (b) x`, "charset", "x"},
		{"a comment before a quoted value", `text/plain; charset=(b(c))"x"`, "charset", "x"},
		{"only a comment as the value", `text/plain; charset=(b) ; n=x`, "n", "x"},
		{"parentheses in a file name", `text/plain; name=(1).html`, "name", "(1).html"},
		{"only parentheses", `text/plain; name=(1)`, "name", "(1)"},
		{"parentheses without an end", `text/plain; name=(1`, "name", "(1"},
		{"RFC 2231 bad escape", `a/b; n*=utf-8''100%`, "n", "100%"},
	} {
		if got := Param(c.field, c.param); got != c.want {
			t.Errorf("%s: Param(%q, %q) = %q, want %q", c.name, c.field, c.param, got, c.want)
		}
	}
}

func TestMediaType(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"text/html", "text/html"},
		{"TEXT/HTML; charset=x", "text/html"},
		{"(comment) text/html (another)", "text/html"},
		{"text", "text/plain"},
		{"text/html charset=x", "text/html"},
		{"", ""},
		{"html", ""},
		{"text/", ""},
		{"a/b/c", ""},
		{"@/html", ""},
		{"te\x01xt/html", ""},
		{"text/h\x7ftml", ""},
		{`"text/html"`, "text/html"},
		{`'text/html'; charset=x`, "text/html"},
		{`"text/html; charset=x"`, ""},
		{`"multipart/mixed; boundary=x"`, ""},
		{`"text/html`, ""},
		{"text/ charset=x", ""},
		{"text/ charset = x", ""},
		{"text/html = x", "text/html"},
		{"(" + strings.Repeat("x", maxComment) + ") text/html", ""},
		{"text/html / x", "text/html"},
		{"text/(html", ""},
		{"text (x", "text/plain"},
		{"/html", ""},
	} {
		if got := MediaType(c.in); got != c.want {
			t.Errorf("MediaType(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

// Blanks and comments may stand between all words of the field (RFC 2045 Section 5.1, RFC 822
// Section 3.1.4).
func TestMediaTypeGaps(t *testing.T) {
	gaps := []string{"", " ", "\t ", "(c)", " (a (b) \\) d) ", "(;)(/)"}
	for i, first := range gaps {
		for j, before := range gaps {
			for k, after := range gaps {
				for _, end := range []string{"", ";", " ; charset=x", "(e);charset=x"} {
					in := first + "Text" + before + "/" + after + "HTML" + gaps[(i+j+k)%len(gaps)] + end
					if got := MediaType(in); got != "text/html" {
						t.Errorf("MediaType(%q) = %q, want text/html", in, got)
					}
				}
			}
		}
	}
}

func TestEncoding(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", "7bit"},
		{"7bit", "7bit"},
		{"8-bit", "8bit"},
		{"8 bit", "8bit"},
		{"8bits", "8bit"},
		{"BASE64", "base64"},
		{"base64 (c)", "base64"},
		{";base64", "7bit"},
		{`"base64"`, "base64"},
		{"(c) base64", "base64"},
		{"quoted-printable;", "quoted-printable"},
		{"x-uuencode", "x-uuencode"},
		{"UUENCODE", "x-uuencode"},
		{"x-uue", "x-uuencode"},
		{"x-yencode", "x-yencode"},
	} {
		if got := Encoding(c.in); got != c.want {
			t.Errorf("Encoding(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestIdentity(t *testing.T) {
	for encoding, want := range map[string]bool{"7bit": true, "8bit": true,
		"binary": true, "base64": false, "quoted-printable": false, "": false} {
		if got := Identity(encoding); got != want {
			t.Errorf("Identity(%q) = %v, want %v", encoding, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	for in, want := range map[string]string{
		"a b": "a b", "=?utf-8?q?a=20b?=": "a b", "=?iso-8859-1?b?6Q==?= x": "é x", "=?x-none?q?a?=": "=?x-none?q?a?=",
		"=?cp949?b?sKE=?=": "가", "=?latin-1?q?=E9?= x": "é x", "=?IBM850?q?=82?=": "é", "=?utf-7?q?+AOk-?=": "é",
		"=?cp949?q?=FF?=": "=?cp949?q?=FF?=", "=?hz-gb-2312?q?~{<:Ky~}?=": "己所",
	} {
		if got := Words(in); got != want {
			t.Errorf("Words(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestUnfold(t *testing.T) {
	for in, want := range map[string]string{"a b": "a b", "a\r\n b": "a b",
		"a\n\tb": "a\tb", "a\rb": "ab", "\na": "a", "\ra": "a"} {
		if got := Unfold(in); got != want {
			t.Errorf("Unfold(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzParam(f *testing.F) {
	f.Add(`text/html; charset="utf-8"; boundary=----=_x`)
	f.Add(`a/b; n*0*=utf-8''%41; n*1="b"`)
	f.Add(`a/b; n="x\"y`)
	f.Fuzz(func(t *testing.T, field string) {
		for _, name := range []string{"charset", "boundary", "n"} {
			got := Param(field, name)
			if !strings.Contains(strings.ToLower(field), name) && got != "" {
				t.Errorf("Param(%q, %q) = %q, want none", field, name, got)
			}
		}
	})
}
