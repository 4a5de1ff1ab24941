package rewrite_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"maps"
	"mime/quotedprintable"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"

	"absolink/extract"
	"absolink/mime/document"
	"absolink/mime/rewrite"
	"absolink/resolve/move"
	"absolink/testdata/effort"
)

// textSite maps http://old.test/ and https://old.test/.
func textSite(t *testing.T) *move.Site {
	t.Helper()
	site := new(move.Site)
	for _, rule := range [][2]string{
		{"//old.test/", "https://new.test/a/"},
		{"http://old.test/log", "https://new.test/log/{date}/"},
		{"http://bücher.test/", "https://new.test/b/"},
		{"http://tilde.test/", "https://new.test/~t/"},
		{"mailto:list@old.test", "mailto:list@new.test"},
		{"file:///old/", "file:///new/"},
	} {
		addRule(t, site, rule[0], rule[1])
	}
	for expr, replacement := range map[string]string{
		`^http://wiki\.test/(\w+)`: "https://new.test/wiki?page=$1",
		`^http://host\.test/$`:     "https://new.test/",
	} {
		if err := site.Map.AddPattern(expr, replacement); err != nil {
			t.Fatal(err)
		}
	}
	return site
}

// textCases lists running texts, each with its text after the move, or "" if it stays, and the
// reasons of URLs that stay.
var textCases = []struct{ name, header, text, want, stays string }{
	{"bare", "", "See http://old.test/x.", "See https://new.test/a/x.", ""},
	{"hosts", "", "http://old.test, https://OLD.test:443 (http://old.test/)",
		"https://new.test/a/, https://new.test/a/ (https://new.test/a/)", ""},
	{"a host with a query", "", "http://old.test?q", "https://new.test/a/?q", ""},
	{"other hosts", "", "http://old.test.example/ http://u@old.test/ http://xold.test/ www.old.test old.test/x /x", "",
		""},
	{"delimiters", "", "<http://old.test/x> <URL:http://old.test/y> \"http://old.test/z\" [l](http://old.test/w)",
		"<https://new.test/a/x> <URL:https://new.test/a/y> \"https://new.test/a/z\" [l](https://new.test/a/w)", ""},
	{"folded behind the prefix", "", "<http://old.test/x\ny>", "<https://new.test/a/x\ny>", ""},
	{"folded at the end of the prefix", "", "> <http://old.test/\n> x>", "> <https://new.test/a/\n> x>", ""},
	{"folded in the prefix", "", "<http://old.te\nst/x> http://old.test/y",
		"<http://old.te\nst/x> https://new.test/a/y", "folded:1"},
	{"folded in a URL that changes as a whole", "", "<http://wiki.test/x\ny>", "", "folded:1"},
	{"dots in the path", "", "http://old.test/x/../y", "https://new.test/a/x/../y", ""},
	{"dots that climb out of the prefix", "", "http://old.test/../y", "https://new.test/a/y", ""},
	{"without an authority", "",
		"mailto:list@old.test mailto:list@old.test?subject=x MAILTO:list@old.test",
		"mailto:list@new.test mailto:list@new.test?subject=x mailto:list@new.test", ""},
	{"without a host", "", "file:///old/x file:///old/ file:///older/",
		"file:///new/x file:///new/ file:///older/", ""},
	{"a pattern of a host", "", "http://host.test http://host.test/ <http://host.test>",
		"https://new.test https://new.test/ <https://new.test>", ""},
	{"a pattern", "", "http://wiki.test/x?y and <http://wiki.test/z>",
		"https://new.test/wiki?page=x?y and <https://new.test/wiki?page=z>", ""},
	{"an unclear end", "charset=utf-8", "http://wiki.test/x日本 http://old.test/x日本",
		"http://wiki.test/x日本 https://new.test/a/x日本", "unclear-end:1"},
	{"a hyphen at the end of a line", "", "http://wiki.test/x-\ny http://old.test/x-\ny",
		"http://wiki.test/x-\ny https://new.test/a/x-\ny", "unclear-end:1"},
	{"a date that is unknown", "", "http://old.test/log/x", "", "unmoved:1"},
	{"an IRI", "charset=utf-8", "http://bücher.test/ü http://old.test/ü", "https://new.test/b/ü https://new.test/a/ü",
		""},
	{"an IRI in Latin-1", "charset=iso-8859-1", "http://b\xfccher.test/\xfc http://old.test/\xfc",
		"https://new.test/b/\xfc https://new.test/a/\xfc", ""},
	{"flowed", "format=flowed", "> http://old.test/x \n> y\n http://old.test/z",
		"> https://new.test/a/x \n> y\n https://new.test/a/z", ""},
	{"flowed with delsp", "format=flowed; delsp=yes", "http://old.test/x \ny http://old. \ntest/z",
		"https://new.test/a/x \ny http://old. \ntest/z", "folded:1"},
	{"a charset that is not written", "charset=utf-7", "http://old.test/x", "", "charset:1"},
	{"an unknown charset", "charset=x-foo", "http://old.test/x \xe4", "https://new.test/a/x \xe4", ""},
	{"ISO-2022-JP", "charset=iso-2022-jp", "\x1b$B$\"\x1b(Bhttp://old.test/x\x1b$B$\"\x1b(J http://old.test/y\x1b(B",
		"\x1b$B$\"\x1b(Bhttps://new.test/a/x\x1b$B$\"\x1b(J https://new.test/a/y\x1b(B", ""},
	{"a new prefix with a tilde", "charset=iso-2022-jp", "\x1b$B$\"\x1b(J http://tilde.test/x~\x1b(B",
		"\x1b$B$\"\x1b(J \x1b(Bhttps://new.test/~t\x1b(J/x~\x1b(B", ""},
	{"an escape sequence before a URL", "charset=iso-2022-jp", "\x1b(Jhttp://old.test/x\x1b(B http://old.test/y",
		"\x1b(Jhttp://old.test/x\x1b(B https://new.test/a/y", "charset:1"},
	{"an escape sequence in a URL", "charset=iso-2022-jp", "\x1b(J<\x1b(Jhttp://old.test/x> http://old.test/y\x1b(B",
		"\x1b(J<\x1b(Jhttp://old.test/x> https://new.test/a/y\x1b(B", "charset:1"},
	{"an escape sequence before the second URL", "charset=iso-2022-jp",
		"http://old.test/x \x1b(Jhttp://old.test/y\x1b(B",
		"https://new.test/a/x \x1b(Jhttp://old.test/y\x1b(B", "charset:1"},
	{"a pattern in Latin-1", "charset=iso-8859-1", "<http://wiki.test/x?\xfc> <http://wiki.test/x?\xfc\ny>",
		"<https://new.test/wiki?page=x?%FC> <http://wiki.test/x?\xfc\ny>", "folded:1"},
	{"a patch", "", "http://old.test/x\n@@ -1 +1 @@\n-http://old.test/y\n+http://old.test/z\nhttp://old.test/w",
		"https://new.test/a/x\n@@ -1 +1 @@\n-http://old.test/y\n+http://old.test/z\nhttps://new.test/a/w", "patch:2"},
	{"a patch by its name", "name=x.patch", "http://old.test/x", "", "patch:1"},
	{"an armored message", "", "-----BEGIN PGP MESSAGE-----\nComment: http://old.test/\n-----END PGP MESSAGE-----\n" +
		"http://old.test/", "-----BEGIN PGP MESSAGE-----\nComment: http://old.test/\n-----END PGP MESSAGE-----\n" +
		"https://new.test/a/", "encrypted:1"},
	{"uuencode", "", "begin 644 x\n7HTTP://OLD.TEST/X\nend\nhttp://old.test/",
		"begin 644 x\n7HTTP://OLD.TEST/X\nend\nhttps://new.test/a/", "encoded:1"},
	{"signed in clear", "", "-----BEGIN PGP SIGNED MESSAGE-----\n\nhttp://old.test/x http://old.test/y", "",
		"signed:2"},
	{"enriched text", "text/enriched", "<bold>http://old.test/x</bold> http://old.te<bold>st/y</bold>",
		"<bold>https://new.test/a/x</bold> http://old.te<bold>st/y</bold>", "folded:1"},
	{"a footer", "", "http://old.test/x\n-- \nhttp://old.test/y", "https://new.test/a/x\n-- \nhttps://new.test/a/y",
		""},
}

// staysOf returns the reasons of a plan with their numbers, sorted.
func staysOf(p *rewrite.Plan) string {
	var list []string
	for _, reason := range slices.Sorted(maps.Keys(p.Stays)) {
		n := 0
		for _, k := range p.Stays[reason] {
			n += k
		}
		list = append(list, fmt.Sprintf("%s:%d", reason, n))
	}
	return strings.Join(list, " ")
}

func TestText(t *testing.T) {
	for _, test := range textCases {
		t.Run(test.name, func(t *testing.T) {
			r := &rewrite.Rewriter{Site: textSite(t)}
			kind := "text/plain; "
			if strings.HasPrefix(test.header, "text/") {
				kind = ""
			}
			head := "Content-Type: " + kind + test.header + "\nContent-Transfer-Encoding: 8bit\n\n"
			want := test.want
			if want == "" {
				want = test.text
			}
			p := plan(t, r, head+test.text)
			if got := result(t, r, p); got != head+want {
				t.Errorf("got\n%q, want\n%q", got[len(head):], want)
			}
			if got := staysOf(p); got != test.stays {
				t.Errorf("stays: got %q, want %q", got, test.stays)
			}
			named := 0
			for _, problem := range p.Problems {
				if problem.Kind == rewrite.Unmoved {
					named++
					if _, why, _ := strings.Cut(problem.Detail, ": "); why == "" {
						t.Errorf("problem %q does not say why", problem.Detail)
					}
				}
			}
			single := strings.Count(test.stays, "folded") + strings.Count(test.stays, "unclear") +
				strings.Count(test.stays, "unmoved")
			if strings.HasPrefix(test.name, "an escape sequence before") {
				single++
			}
			if named != single {
				t.Errorf("%d URLs are named, want %d: %v", named, single, p.Problems)
			}
		})
	}
}

// Text stays if nothing moves, and on request.
func TestTextStays(t *testing.T) {
	const text = "Content-Type: text/plain\n\nhttp://old.test/x\n-- \nhttp://old.test/y\n"
	for _, test := range []struct {
		name string
		r    *rewrite.Rewriter
		want int // edits
	}{
		{"moves", &rewrite.Rewriter{Site: textSite(t)}, 2},
		{"KeepText", &rewrite.Rewriter{Site: textSite(t), KeepText: true}, 0},
		{"SkipFooters", &rewrite.Rewriter{Site: textSite(t), SkipFooters: true}, 1},
		{"no map", &rewrite.Rewriter{Site: &move.Site{Form: move.RootRelative}}, 0},
		{"no site", &rewrite.Rewriter{}, 0},
		{"normal form", &rewrite.Rewriter{Resolver: extract.Resolver{Normalize: true}}, 0},
	} {
		p := plan(t, test.r, text)
		if p.References != test.want {
			t.Errorf("%s: %d edits, want %d", test.name, p.References, test.want)
		}
		result(t, test.r, p)
	}
}

// Parts that are not edited, header fields, calendars and cards are counted.
func TestTextOfParts(t *testing.T) {
	body := func(kind string) string { return "Content-Type: " + kind + "\n\nhttp://old.test/x\n" }
	for _, test := range []struct{ name, text, stays string }{
		{"header fields", "List-Archive: <http://old.test/>\nArchived-At: <http://old.test/x>\n\nx", "header:2"},
		{"multipart/signed", "Content-Type: multipart/signed; boundary=b\n\n--b\n" + body("text/plain") + "--b--\n",
			"signed:1"},
		{"multipart/encrypted", "Content-Type: multipart/encrypted; boundary=b\n\n--b\n" + body("text/plain") +
			"--b--\n",
			"encrypted:1"},
		{"a report", body("message/delivery-status"), "unedited:1"},
		{"text of headers", "Content-Type: text/rfc822-headers\n\nArchived-At: <http://old.test/x>\n", "header:1"},
		{"attached", "Content-Type: application/octet-stream; name=x.txt\n\nhttp://old.test/x\n", "unedited:1"},
		{"never encoded",
			"Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\nhttp://old.test/?x=y=z\n",
			"unedited:1"},
		{"cut base64",
			"Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\naHR0cDovL29sZC50ZXN0Lw==\n!!!!\n!",
			"unsafe:1"},
		{"uuencode", "Content-Type: text/plain\nContent-Transfer-Encoding: x-uuencode\n\nbegin 644 x\n" +
			"2:'1T<#HO+V]L9\"YT97-T+W@*\n`\nend\n", "encoded:1"},
		{"a patch", body("text/x-patch"), "patch:1"},
		{"a diff", body("text/x-diff"), "patch:1"},
		{"a calendar", "Content-Type: text/calendar\n\nBEGIN:VCALENDAR\nURL:http://old.test/\nEND:VCALENDAR\n",
			"calendar:1"},
		{"a card", "Content-Type: text/vcard\n\nBEGIN:VCARD\nURL:http://old.test/\nEND:VCARD\n", "vcard:1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := &rewrite.Rewriter{Site: textSite(t)}
			p := plan(t, r, test.text)
			if got := result(t, r, p); got != test.text {
				t.Errorf("got %q, want %q", got, test.text)
			}
			if got := staysOf(p); got != test.stays {
				t.Errorf("stays: got %q, want %q", got, test.stays)
			}
			protected := 0
			for _, reason := range []string{"signed", "encrypted", "unedited"} {
				protected += strings.Count(test.stays, reason)
			}
			if p.Protected != protected {
				t.Errorf("got %d protected parts, want %d", p.Protected, protected)
			}
		})
	}
	for _, signed := range []string{
		"Content-Type: multipart/signed; boundary=b\n\n--b\n" + body("text/plain") + "--b--\n",
		"Content-Type: text/plain\n\n-----BEGIN PGP SIGNED MESSAGE-----\n\nhttp://old.test/x\n" +
			"-----BEGIN PGP SIGNATURE-----\n\niQ\n-----END PGP SIGNATURE-----\n",
	} {
		r := &rewrite.Rewriter{Site: textSite(t), BreakSignatures: true}
		p := plan(t, r, signed)
		if p.Broken != 1 || !strings.Contains(result(t, r, p), "https://new.test/a/x") {
			t.Errorf("with BreakSignatures: %d broken parts, want 1, of\n%s", p.Broken, signed)
		}
	}
}

// A file is text too. If another file signs it, it stays.
func TestTextOfFiles(t *testing.T) {
	const text, want = "http://old.test/x", "https://new.test/a/x"
	for _, signed := range []bool{false, true} {
		for _, breaks := range []bool{false, true} {
			r := &rewrite.Rewriter{Site: textSite(t), BreakSignatures: breaks}
			src := &document.Source{Format: extract.Plain, At: strings.NewReader(text), Size: int64(len(text)),
				Data: []byte(text), Signed: signed}
			p, err := r.Plan(src, nil)
			if err != nil {
				t.Fatal(err)
			}
			moves := !signed || breaks
			if got := result(t, r, p); (got == want) != moves || (got == text) == moves {
				t.Errorf("signed %t, BreakSignatures %t: got %q", signed, breaks, got)
			}
			if (staysOf(p) == "signed:1") == moves {
				t.Errorf("signed %t, BreakSignatures %t: stays %q", signed, breaks, staysOf(p))
			}
		}
	}
}

// The text of a file stays on request, and so does a URL that names a part of its message.
func TestTextKept(t *testing.T) {
	const text = "http://old.test/x"
	r := &rewrite.Rewriter{Site: textSite(t), KeepText: true}
	src := &document.Source{Format: extract.Plain, At: strings.NewReader(text), Size: int64(len(text)),
		Data: []byte(text)}
	p, err := r.Plan(src, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := result(t, r, p); got != text {
		t.Errorf("with KeepText got %q", got)
	}
	r.KeepText = false
	related := "Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/plain\n\n" +
		"http://old.test/i http://old.test/j\n--b\nContent-Type: image/png\n" +
		"Content-Location: http://old.test/i\n\nx\n--b--\n"
	p = plan(t, r, related)
	if got := result(t, r, p); !strings.Contains(got, "\nhttp://old.test/i https://new.test/a/j\n") {
		t.Errorf("got %q", got)
	}
}

// URLs in text to which no rule applies stay, even if other links get their normal form.
func TestTextNormalized(t *testing.T) {
	const text = "Content-Type: text/plain\n\nHTTP://Other.test:80/%s http://old.test/%s\n"
	for _, letter := range []string{"x", "{x}", "é"} {
		in := strings.ReplaceAll(text, "%s", letter)
		r := &rewrite.Rewriter{Site: textSite(t), Resolver: extract.Resolver{Normalize: true}}
		p := plan(t, r, in)
		if got, want := result(t, r, p), strings.Replace(in, "http://old.test", "https://new.test/a", 1); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// A line may have 998 bytes, and no more.
func TestTextLongest(t *testing.T) {
	const old, renamed = "http://old.test/x", "https://new.test/a/x"
	for n := 990; n <= 1003; n++ {
		pad := strings.Repeat("y", n-len(renamed))
		text := "Content-Type: text/plain\n\n" + pad + " " + old + "\n" + old + "\n"
		r := &rewrite.Rewriter{Site: textSite(t)}
		p := plan(t, r, text)
		want := strings.ReplaceAll(text, old, renamed)
		if n+1 > 998 {
			want = strings.Replace(text, "\n"+old, "\n"+renamed, 1)
		}
		if got := result(t, r, p); got != want {
			t.Errorf("a line of %d bytes: got %.60q … %q", n+1, got, got[len(got)-50:])
		}
	}
	// two URLs in one line: the second has no room
	pad := strings.Repeat("y", 998-2*len(renamed)-1)
	r := &rewrite.Rewriter{Site: textSite(t)}
	p := plan(t, r, "Content-Type: text/plain\n\n"+pad+old+" "+old+" z\n")
	if got := result(t, r, p); !strings.HasSuffix(got, renamed+" "+old+" z\n") || staysOf(p) != "long-line:1" {
		t.Errorf("got %q, stays %q", got[len(got)-60:], staysOf(p))
	}
}

// A URL that would be read otherwise in its new form stays, and is counted.
func TestTextMisread(t *testing.T) {
	for _, page := range []string{"Content-Type: text/plain\n\n(http://old.test/x) http://old.test/y\n",
		"<p>(http://old.test/x) http://old.test/y\n"} {
		site := addRule(t, new(move.Site), "http://old.test/", "https://new.test/(a")
		r := visibleRewriter(t)
		r.Site = site
		p := plan(t, r, page)
		passes := func(q *rewrite.Plan) bool {
			out, err := q.Output()
			return err == nil && r.Verify(q, out) == nil
		}
		if passes(p) {
			t.Fatalf("%q: all of it can be read", page)
		}
		q := p.Mend(passes)
		if q == nil {
			t.Fatalf("%q: not mended", page)
		}
		got := result(t, r, q)
		if !strings.Contains(got, "(http://old.test/x) https://new.test/(a/y") || staysOf(q) != "unsafe:1" {
			t.Errorf("got %q, stays %q", got, staysOf(q))
		}
	}
}

// charsets holds encoders that absolink does not use, by charset.
var charsets = map[string]encoding.Encoding{
	"utf-8": encoding.Nop, "iso-8859-1": charmap.ISO8859_1, "windows-1251": charmap.Windows1251,
	"koi8-r":    charmap.KOI8R,
	"shift_jis": japanese.ShiftJIS, "euc-jp": japanese.EUCJP, "iso-2022-jp": japanese.ISO2022JP,
	"gb18030": simplifiedchinese.GB18030, "big5": traditionalchinese.Big5, "euc-kr": korean.EUCKR,
	"utf-16le": unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM),
	"utf-16be": unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM),
}

// words are texts that a charset has.
var words = map[string]string{
	"utf-8": "é ü", "iso-8859-1": "é ü", "windows-1251": "слово", "koi8-r": "слово", "shift_jis": "表示 ソ",
	"euc-jp": "日本", "iso-2022-jp": "日本", "gb18030": "中文", "big5": "中文 功", "euc-kr": "한국",
	"utf-16le": "é 日本 ਊ", "utf-16be": "é 日本 ਊ",
}

// softQuoted encodes b in quoted-printable with soft line breaks after every width bytes or so,
// within URLs too. isPlain reports whether a byte is written as it is. If LF is, it is written as
// eol.
func softQuoted(b []byte, width int, eol string, isPlain func(c byte) bool) string {
	var out strings.Builder
	line := 0
	for _, c := range b {
		token := string(rune(c))
		switch {
		case !isPlain(c), c == ' ' && line == 0:
			token = fmt.Sprintf("=%02X", c)
		case c == '\n':
			out.WriteString(eol)
			line = 0
			continue
		}
		if line+len(token) >= width {
			out.WriteString("=" + eol)
			line = 0
		}
		out.WriteString(token)
		line += len(token)
	}
	return out.String()
}

// isPlainASCII is for text in a charset with one byte for ASCII.
func isPlainASCII(c byte) bool { return c == '\n' || ' ' <= c && c < 0x7f && c != '=' }

// isPlainWide is for text in UTF-16, of which quoted-printable also encodes line ends.
func isPlainWide(c byte) bool { return 'a' <= c && c <= 'z' || c == '/' || c == ':' }

// lines64 encodes b in base64 in lines of a width.
func lines64(b []byte, width int, eol string) string {
	digits := base64.StdEncoding.EncodeToString(b)
	var out strings.Builder
	for len(digits) > width {
		out.WriteString(digits[:width] + eol)
		digits = digits[width:]
	}
	return out.String() + digits
}

// decoded undoes a transfer encoding by the standard library.
func decodedBy(t *testing.T, how, body string) []byte {
	t.Helper()
	var r io.Reader = strings.NewReader(body)
	switch how {
	case "quoted-printable":
		r = quotedprintable.NewReader(r)
	case "base64":
		r = base64.NewDecoder(base64.StdEncoding, r)
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatalf("%s: %v", how, err)
	}
	return b
}

// TestTextEverywhere sweeps charsets, transfer encodings, line lengths and the positions of URLs.
// The decoded output must be the text with the new prefix, except for lines that would become too
// long, and all other bytes stay.
func TestTextEverywhere(t *testing.T) {
	const old, renamed = "http://old.test", "https://new.test/a"
	count := 0
	for _, charset := range slices.Sorted(maps.Keys(charsets)) {
		enc := charsets[charset]
		wide := strings.HasPrefix(charset, "utf-16")
		for _, how := range []string{"7bit", "8bit", "binary", "quoted-printable", "base64"} {
			escapes := charset == "iso-2022-jp"
			if wide && how != "base64" && how != "quoted-printable" || how == "7bit" && !escapes && charset != "utf-8" {
				continue
			}
			for _, width := range []int{20, 60, 75, 76, 77, 120, 990} {
				if how != "quoted-printable" && how != "base64" && width != 76 {
					continue
				}
				for _, eol := range []string{"\n", "\r\n"} {
					for _, before := range []int{0, 1, 5, 59, 60, 61, 62, 975, 980, 984, 986, 1200} {
						word := words[charset]
						if how == "7bit" && !escapes {
							word = "word"
						}
						pad := strings.Repeat("x", before)
						text := word + "\n" + pad + " " + old + "/y" + word + "\n<" + old + "/a=b?c#d> " + word +
							"\n> " + old + "\n" +
							word + old + "/end"
						if count%effort.Pick(1, 23) == 0 { // each charset and each position still has its turn
							checkText(t, textSweep{charset, how, eol, width, enc}, text, old, renamed)
						}
						count++
					}
				}
			}
		}
	}
	if count < 3000 {
		t.Errorf("%d texts, want at least 3000", count)
	}
}

type textSweep struct {
	charset, how, eol string
	width             int
	enc               encoding.Encoding
}

func checkText(t *testing.T, s textSweep, text, old, renamed string) {
	t.Helper()
	name := fmt.Sprintf("%s, %s, width %d, line end %q, text %.60q", s.charset, s.how, s.width, s.eol, text)
	encode := func(text string) []byte {
		b, err := s.enc.NewEncoder().Bytes([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return b
	}
	raw := encode(strings.ReplaceAll(text, "\n", s.eol))
	body := string(raw)
	limit := 998
	switch s.how {
	case "quoted-printable":
		if strings.HasPrefix(s.charset, "utf-16") {
			body = softQuoted(raw, s.width, s.eol, isPlainWide)
		} else {
			body = softQuoted(bytes.ReplaceAll(raw, []byte(s.eol), []byte("\n")), s.width, s.eol, isPlainASCII)
		}
		limit = max(76, longestLineOf(body))
	case "base64":
		body = lines64(raw, s.width/4*4, s.eol)
	case "binary":
		limit = 1 << 30
	}
	head := strings.ReplaceAll("Content-Type: text/plain; charset="+s.charset+"\nContent-Transfer-Encoding: "+s.how+
		"\n\n", "\n", s.eol)
	var out bytes.Buffer
	r := &rewrite.Rewriter{Site: textSite(t)}
	if _, err := r.Message(&out, strings.NewReader(head+body), ""); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	got, ok := strings.CutPrefix(out.String(), head)
	if !ok {
		t.Fatalf("%s: the heading has changed", name)
	}
	var want []string
	for _, line := range strings.Split(text, "\n") {
		moved := strings.ReplaceAll(line, old+"/", renamed+"/")
		if moved == line {
			moved = strings.ReplaceAll(line, old, renamed+"/")
		}
		if n := len(encode(moved)); (s.how == "7bit" || s.how == "8bit") && n > max(998, len(encode(line))) {
			moved = line
		}
		want = append(want, moved)
	}
	decoded := decodedBy(t, s.how, got)
	if w := encode(strings.Join(want, s.eol)); !bytes.Equal(decoded, w) {
		t.Fatalf("%s:\ngot  %q\nwant %q", name, decoded, w)
	}
	if n := longestLineOf(got); n > max(limit, longestLineOf(body)) {
		t.Fatalf("%s: a line of %d bytes, want at most %d", name, n, limit)
	}
	var again bytes.Buffer
	if _, err := r.Message(&again, bytes.NewReader(out.Bytes()), ""); err != nil || !bytes.Equal(again.Bytes(),
		out.Bytes()) {
		t.Fatalf("%s: a second run changes the output, or fails: %v", name, err)
	}
}

func longestLineOf(text string) (longest int) {
	for _, line := range strings.Split(text, "\n") {
		longest = max(longest, len(strings.TrimSuffix(line, "\r")))
	}
	return longest
}

// A file that another part of the same multipart signs stays, and so does no other part.
func TestSignedBeside(t *testing.T) {
	const text = "http://old.test/x"
	for _, tt := range []struct {
		names string // of the parts; each one but the last has the text
		want  string // the names of the parts that stay
	}{
		{"x.txt x.txt.asc", "x.txt"},
		{"x.txt y.txt x.txt.sig", "x.txt"},
		{"y.txt.sig x.txt y.txt end", "y.txt"},
		{"x.txt x.asc", ""},
		{"x.txt y.txt.asc", ""},
		{"x.txt x.txt.png", ""},
		{"x.txt .asc", ""},
	} {
		head := "Content-Type: multipart/mixed; boundary=b\n\n"
		in, want := head, head
		names := strings.Fields(tt.names)
		for i, name := range names {
			part := "--b\nContent-Type: text/plain; name=" + name + "\n\n"
			in += part
			want += part
			if i == len(names)-1 {
				break
			}
			in += text + "\n"
			if name == tt.want {
				want += text + "\n"
			} else {
				want += "https://new.test/a/x\n"
			}
		}
		in += "--b--\n"
		want += "--b--\n"
		r := &rewrite.Rewriter{Site: textSite(t)}
		p := plan(t, r, in)
		if got := result(t, r, p); got != want {
			t.Errorf("%s: got\n%s", tt.names, got)
		}
		if got := staysOf(p); got != "signed:1" && tt.want != "" || got != "" && tt.want == "" {
			t.Errorf("%s: stays: got %q", tt.names, got)
		}
		r.BreakSignatures = true
		if got := result(t, r, plan(t, r, in)); strings.Contains(got, text) {
			t.Errorf("%s: with BreakSignatures: got\n%s", tt.names, got)
		}
	}
}
