package secret

import (
	"fmt"
	"strings"
	"testing"
)

func TestURL(t *testing.T) {
	tests := []struct{ in, want string }{
		{"http://user:pw@h/x", "http://user@h/x"},
		{"http://:pw@h/", "http://@h/"},
		{"http://u@h/", "http://u@h/"},
		{"ftp://user:p/w@h/x", "ftp://user@h/x"},
		{"ftp://user:p?w@h/x", "ftp://user@h/x"},
		{"ftp://user:p#w@h/x", "ftp://user@h/x"},
		{"ftp://user:p w@h/x", "ftp://user@h/x"},
		{"http://user:99999/w@h/", "http://user@h/"},
		{"http:/\\user:pw@h:99999/", "http:/\\user@h:99999/"},
		{"user:pw@h", "user@h"},
		{"user:p/w@h/x", "user@h/x"},
		{":pw@h", "@h"},
		{"//user:pw@h/", "//user@h/"},
		{"http:user:p/w@h/", "http:user@h/"},
		{"http://user:pw@h:bad/", "http://user@h:bad/"},
		{"", ""},
		{"https://h/x?X-Amz-Credential=a%2Fb&X-Amz-Expires=9&X-Amz-Signature=0af#s",
			"https://h/x?X-Amz-Credential=&X-Amz-Expires=9&X-Amz-Signature=#s"},
		{"https://h/x?x-goog-signature=0af&x-amz-security-token=1",
			"https://h/x?x-goog-signature=&x-amz-security-token="},
		{"https://u:p@h/x?sv=2&sig=a%3D&se=3", "https://u@h/x?sv=2&sig=&se=3"},
		{"https://h/x?AWSAccessKeyId=A&Signature=b", "https://h/x?AWSAccessKeyId=&Signature="},
		{"https://h/sig=1?design=2&Signatures=3", "https://h/sig=1?design=2&Signatures=3"},
		{"dir/page.html", "dir/page.html"},
		{"C:\\dir\\page.html", "C:\\dir\\page.html"},
		{"http://localhost:8080/@scope/name", "http://localhost:8080/@scope/name"},
		{"http://[::1]:8080/@x", "http://[::1]:8080/@x"},
		{"http://h/a:b@c", "http://h/a:b@c"},
		{"h/a:b@c", "h/a:b@c"},
		{"mailto:joe@h.example", "mailto:joe@h.example"},
		{"MAILTO:joe@h.example", "MAILTO:joe@h.example"},
		{"cid:a:b@c", "cid:a:b@c"},
		{"1700000000.M1P2_3.h@x:2,S", "1700000000.M1P2_3.h@x:2,S"},
	}
	for _, tt := range tests {
		if got := URL(tt.in); got != tt.want {
			t.Errorf("URL(%q): got %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestText(t *testing.T) {
	tests := []struct{ in, want string }{
		{`--map "ftp://user:p/w@h/x": OLD=NEW`, `--map "ftp://user@h/x": OLD=NEW`},
		{`a http://u:pw@h/@scope/x and ftp://v:p#w@i/y`, `a http://u@h/@scope/x and ftp://v@i/y`},
		{`http://h:8080/@x http://u:p/w@h/`, `http://h:8080/@x http://u@h/`},
		{`"http:\\\\u:p\\w@h"`, `"http:\\\\u@h"`},
		{`page.html:3:5: joe@h.example`, `page.html:3:5: joe@h.example`},
		{`part 1:a@b`, `part 1:a@b`},
		{`mailto:a@b no: https://h/x y@z`, `mailto:a@b no: https://h/x y@z`},
		{`no URL`, `no URL`},
		{`at "https://h/x?sig=ab&a=b": no`, `at "https://h/x?sig=&a=b": no`},
		{`<a href="https://h/x?a=1&amp;sig=ab&amp;c">`, `<a href="https://h/x?a=1&amp;sig=&amp;c">`},
		{`{"u":"https://h/x?a=1\u0026X-Amz-Signature=ab\u0026c=1"}`, `{"u":"https://h/x?a=1\u0026X-Amz-Signature=\u0026c=1"}`},
		{`https://h/x?x-oss-signature=ab&security-token=c`, `https://h/x?x-oss-signature=&security-token=`},
		{`https://u:p@h/?Signature=ab and a?`, `https://u@h/?Signature= and a?`},
	}
	for _, tt := range tests {
		if got := Text(tt.in); got != tt.want {
			t.Errorf("Text(%q): got %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestArguments(t *testing.T) {
	args := []string{"extract", "ftp://user:p w@h/x", "--base=user:pw@h",
		"--map", "u:p/w@a/=FTP://v:q w@b/", `http://u:a"b c@h/`, "--kind", "nav"}
	hide := Arguments(args)
	for in, want := range map[string]string{
		"ftp://user:p w@h/x: no such file":           "ftp://user@h/x: no such file",
		`--base "user:pw@h": an absolute URI`:        `--base "user@h": an absolute URI`,
		`--map "u:p/w@a/=FTP://v:q w@b/": no`:        `--map "u@b/": no`,
		`the prefix "u:p/w@a/" and "ftp://v:q w@b/"`: `the prefix "u@a/" and "ftp://v@b/"`,
		`"http://u:a\"b c@h/"`:                       `"http://u@h/"`,
		"lookup tcp/pw@h: unknown port":              "lookup tcp/h: unknown port",
		"--kind nav: u:p@h":                          "--kind nav: u:p@h",
	} {
		if got := hide(in); got != want {
			t.Errorf("Arguments(%q) of %q: got %q, want %q", args, in, got, want)
		}
	}
}

// Only the value of a signature is hidden. The text after it stays, also in other URLs.
func TestSignatureArguments(t *testing.T) {
	tests := []struct{ arg, in, want string }{
		{"https://h/x?sig=ab&a=2", "other https://k/y?z=1&a=2 fails", "other https://k/y?z=1&a=2 fails"},
		{"https://h/x?sig=1#t", "page#one, page#two: https://h/x?sig=1#t", "page#one, page#two: https://h/x?sig=#t"},
		{"https://u:p@h/?sig=ab", "lookup tcp/p@h/?sig=ab: no", "lookup tcp/h/?sig=: no"},
	}
	for _, tt := range tests {
		if got := Arguments([]string{tt.arg})(tt.in); got != tt.want {
			t.Errorf("Arguments(%q) of %q: got %q, want %q", tt.arg, tt.in, got, tt.want)
		}
	}
}

// No spelling of a URL and a password lets the password through.
func TestShapes(t *testing.T) {
	const letters = "Zq"
	for _, begin := range []string{"http://", "HTTPS:", "ftp://", `ftp:\\`, "http:/", "gopher://", "//", "", "\t"} {
		for _, user := range []string{"", "u", "u.v", "%41"} {
			for _, password := range []string{"Zq", "1Zq", "Zq:Zq", "Zq/Zq", `Zq\Zq`, "?Zq",
				"Zq#", "Zq@Zq", "%Zq", "Zq[", "Zq<>", `Zq"`, "99999/Zq", "Zq Zq", "é/Zq"} {
				for _, rest := range []string{"h", "h/", "h:80/x", "h:bad/", "h:99999", "h/x?y#z", "[::1]/", ""} {
					url := begin + user + ":" + password + "@" + rest
					if strings.HasPrefix(url, ":") && rest == "" {
						continue
					}
					if got := URL(url); strings.Contains(got, letters) {
						t.Errorf("URL(%q): got %q, which has the password", url, got)
					}
					if strings.TrimSpace(begin) == "" || strings.Contains(password, " ") {
						continue // a text does not tell where such a URL begins or ends
					}
					for _, format := range []string{"%s", "a %s b", "--base %q: no"} {
						text := fmt.Sprintf(format, url)
						if got := Text(text); strings.Contains(got, letters) {
							t.Errorf("Text(%q): got %q, which has the password", text, got)
						}
					}
				}
			}
		}
	}
}
