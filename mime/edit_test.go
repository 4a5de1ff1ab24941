package mime

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"

	"absolink/extract"
)

// long returns n bytes of attributes, each of ten bytes: ` abcdef="…`.
func long(n int) string { return strings.Repeat(` att="567"`, n/10) }

// leafEdit is an edit of a leaf that replaces old by new in the decoded text. want is the new body,
// or err says why the body stays.
type leafEdit struct{ name, body, old, new, want, err string }

func TestSpliceEdits(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	for _, c := range []struct {
		encoding string
		leafEdit
	}{
		{"7bit", leafEdit{"splice", "a OLD b\n", "OLD", "http://x/", "a http://x/ b\n", ""}},
		{"7bit", leafEdit{"8-bit text in 7bit", "a OLD\n", "OLD", "\xe9", "", "8-bit text in a 7bit body"}},
		{"7bit", leafEdit{"the last byte of ASCII in 7bit", "a OLD\n", "OLD", "\x7f", "a \x7f\n", ""}},
		{"7bit", leafEdit{"the first byte above ASCII in 7bit", "a OLD\n", "OLD", "\x80", "",
			"8-bit text in a 7bit body"}},
		{"7bit", leafEdit{"8-bit text where some was", "\xe9 OLD\n", "OLD", "\xe9", "\xe9 \xe9\n", ""}},
		{"8bit", leafEdit{"splice twice in a line", "OLD\xe9OLD", "OLD", "n", "n\xe9n", ""}},
		{"binary", leafEdit{"binary lines have no limit", x(990) + "OLD", "OLD", x(20), x(1010), ""}},
		{"7bit", leafEdit{"line broken between attributes",
			"<a" + long(980) + ` href="OLD">`, "OLD", "http://example.test/",
			"<a" + long(980) + "\n" + ` href="http://example.test/">`, ""}},
		{"7bit", leafEdit{"line broken with its own line end",
			"<a" + long(980) + ` href="OLD">` + "\r\nx\r\n", "OLD", "http://example.test/",
			"<a" + long(980) + "\r\n" + ` href="http://example.test/">` + "\r\nx\r\n", ""}},
		{"7bit", leafEdit{"line broken twice", "<a" + long(900) + ` href="OLD" src="OLD">`, "OLD", x(900),
			"<a" + long(900) + "\n" + ` href="` + x(900) + `"` + "\n" + ` src="` + x(900) + `">`, ""}},
		{"7bit", leafEdit{"line was longer", x(1000) + "OLD", "OLD", "http://x/", x(1000) + "http://x/", ""}},
		{"7bit", leafEdit{"line without attributes", x(990) + "OLD", "OLD",
			"http://example.test/", "", "a line would be longer than 998 bytes"}},
		{"7bit", leafEdit{"no break in a script", "<script>'<a" + long(960) + " href=OLD", "OLD",
			"http://example.test/ ------------------------------", "", "a line would be longer than 998 bytes"}},
		{"7bit", leafEdit{"break after a quoted value", `<a title="` + long(970) + `" href=OLD>`, "OLD",
			"http://example.test/", `<a title="` + long(970) + "\"\n" + " href=http://example.test/>", ""}},
		{"7bit", leafEdit{"line that would begin a message", "OLD x\n",
			"OLD", "From", "", "a line would begin like a separator"}},
		{"7bit", leafEdit{"line that would begin a part", "a\nOLD",
			"OLD", "--b", "", "a line would begin like a separator"}},
		{"7bit", leafEdit{"a long line that gets longer over a line end", "<a" + long(980) + "\nOLD b=c>", "\nOLD",
			" a=b" + long(20), "", "a line would be longer than 998 bytes"}},
		{"7bit", leafEdit{"line end in the new text", "a OLD b\n", "OLD",
			"c\nFrom x", "", "a line would begin like a separator"}},
	} {
		t.Run(c.name, func(t *testing.T) { c.check(t, c.encoding) })
	}
}

func TestQuotedEdits(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	for _, c := range []leafEdit{
		{"quoted-printable", "<a href=3D\"OLD\">=E9\n", "OLD",
			"http://x/?a=b", "<a href=3D\"http://x/?a=3Db\">=E9\n", ""},
		{"bytes that need an escape, and others", "OLD\n", "OLD", " !~}\x7f\x1f\t=x", " !~}=7F=1F\t=3Dx\n", ""},
		{"other lines stay", "odd=e9=\n=41 tokens \nOLD\n=zz", "OLD", "n", "odd=e9=\n=41 tokens \nn\n=zz", ""},
		{"a touched line keeps its tokens", "=41=e9 OLD =7a=\nx", "OLD", "n", "=41=e9 n =7a=\nx", ""},
		{"soft break of 76", x(60) + "OLD" + x(10) + "\n", "OLD", "http://example.test/",
			x(60) + "http://example.=\ntest/" + x(10) + "\n", ""},
		{"a hard line fills 76", x(70) + "OLD\n", "OLD", "123456", x(70) + "123456\n", ""},
		{"soft break with its own line end", x(60) + "OLD" + x(10) + "\r\n", "OLD", "http://example.test/",
			x(60) + "http://example.=\r\ntest/" + x(10) + "\r\n", ""},
		{"soft break at the longest line", x(90) + "\n" + x(80) + "OLD\n", "OLD", "0123456789abcdef",
			x(90) + "\n" + x(80) + "012345678=\n9abcdef\n", ""},
		{"no token is broken", x(69) + "OLD=3D\n", "OLD", "12345", x(69) + "12345=\n=3D\n", ""},
		{"over a soft break", "<a href=3D\"O=\nLD\">\n", "OLD", "http://x/", "<a href=3D\"http://x/\">\n", ""},
		{"before a soft break", "<a href=3D\"OLD=\n\">\n", "OLD", "http://x/", "<a href=3D\"http://x/=\n\">\n", ""},
		{"padding before a line end", "aOLD  \nb", "OLD", "n", "an  \nb", ""},
		{"padding after a soft break", "OLD= \t\nb", "OLD", "n", "n= \t\nb", ""},
		{"blank left at a line end", "a OLD\nb", "OLD", "", "a=20\nb", ""},
		{"blank inserted at a line end", "aOLD\nb", "OLD", "n ", "an=20\nb", ""},
		{"two edits in a line", "OLD=\nOLD OLD\n", "OLD", "n", "n=\nn n\n", ""},
		{"new line not From", x(73) + "OLD\n", "OLD", "zzFrom y", x(73) + "zz=\n=46rom y\n", ""},
		{"new line not >From", x(73) + "OLD\n", "OLD", "zz>From y", x(73) + "zz=\n=3EFrom y\n", ""},
		{"new line not a boundary", x(73) + "OLD\n", "OLD", "zz--b", x(73) + "zz=\n=2D-b\n", ""},
		{"line does not begin with From", "OLD x\n", "OLD", "From", "=46rom x\n", ""},
		{"line began with From", "From OLD\n", "OLD", "x", "From x\n", ""},
		{"line began with From, and is broken before another", "From " + x(68) + "OLD\n", "OLD", "zzFrom y",
			"From " + x(68) + "zz=\n=46rom y\n", ""},
		{"what is no escape must not become one", "a=3D=4OLD\n", "OLD", "1", "",
			"the edited quoted-printable body does not decode to the edited text"},
		{"what is no escape goes with the edit", "<a href=3D\"g?a=zOLD\">\n",
			"g?a=zOLD", "h?a=zb", "<a href=3D\"h?a=3Dzb\">\n", ""},
		{"one of two that are no escape goes", "a=3D=zOLD=z\n", "=zOLD", "n", "a=3Dn=z\n", ""},
		{"never encoded", "<a href=\"OLD?v=20\">\n", "OLD", "n", "", "labelled quoted-printable, but never encoded"},
		{"a stray escape beside an encoded sign", "<a href=3D\"OLD\"> 1=2\n",
			"OLD", "http://x/?a=b", "<a href=3D\"http://x/?a=3Db\"> 1=2\n", ""},
		{"a stray escape beside a soft break", "1=z a=\nOLD\n", "OLD", "n", "1=z a=\nn\n", ""},
		{"the last encoded sign goes", "1=z OLD=3D\n", "OLD=", "n", "",
			"the edited quoted-printable body does not decode to the edited text"},
		{"the last soft break goes", "1=z =E9 O=\nLD\n", "OLD", "n", "",
			"the edited quoted-printable body does not decode to the edited text"},
		{"padding does not make lines longer", x(75) + "= \nOLD" + x(71) + "=  \nx", "OLD", "123456",
			x(75) + "= \n123456" + x(69) + "=\nxx=  \nx", ""},
		{"control bytes and 8-bit", "OLD", "OLD", "\x01\xe9\r\n\t.", "=01=E9=0D=0A\t.", ""},
		{"no line end at the end", x(70) + "OLD", "OLD", "http://x/", x(70) + "http:=\n//x/", ""},
		{"soft break at the end of the body", "OLD=", "OLD", "http://x/", "http://x/=", ""},
		{"whole text goes", "=41=42", "AB", "", "", ""},
		{"half of a line end goes", "a \r\nb\r\n", "\r", "n", "an\nbn\n", ""},
		{"the other half goes", "a\r\nb", "\n", "n", "",
			"the edited quoted-printable body does not decode to the edited text"},
		{"hard line end goes", "aO \nLDb\nc", "O\nLD", "n", "anb\nc", ""},
	} {
		t.Run(c.name, func(t *testing.T) { c.check(t, "quoted-printable") })
	}
}

// A line of an edit has at most 76 bytes, including its soft break (RFC 2045 Section 6.7), at each
// length and before each kind of line end.
func TestQuotedLengths(t *testing.T) {
	for length := 60; length <= 160; length++ {
		content := strings.Repeat("x", 60) + strings.Repeat("y", length-60)
		for _, end := range []string{"\n", "=\nz\n", ""} {
			last := 76 // bytes of content in the last line
			if strings.HasPrefix(end, "=") {
				last = 75
			}
			want := ""
			rest := content
			for len(rest) > last {
				want += rest[:75] + "=\n"
				rest = rest[75:]
			}
			leafEdit{fmt.Sprint(length, " bytes before ", strconv.Quote(end)), "=41\n" + strings.Repeat("x",
				60) + "O" + end, "O",
				strings.Repeat("y", length-60), "=41\n" + want + rest + end, ""}.check(t, "quoted-printable")
		}
	}
}

func TestBase64Edits(t *testing.T) {
	for _, c := range []leafEdit{
		{"base64", "YSBPTEQgYg==\n", "OLD", "http://x/", "YSBodHRwOi8veC8gYg==\n", ""},
		{"base64 lines before stay", "YWJj\nIE9M\nRCBk\n", "OLD", "n", "YWJj\nIG4g\nZA==\n", ""},
		{"base64 width and line end", "YWJjZGVm\r\nIE9MRCBk", "OLD",
			"http://x/", "YWJjZGVm\r\nIGh0dHA6\r\nLy94LyBk", ""},
		{"base64 lines off the quartet", "YWJjZG\nVmIE9M\nRA==\n", "OLD", "n", "YWJjZG\nVmIG4=\n", ""},
		{"base64 lines off the quartet before a line of quartets", "YW\nJjZGVmZ2\nhp\nYWJjT0xE\n", "OLD", "n",
			"YW\nJjZGVmZ2\nhp\nYWJjbg==\n", ""},
		{"base64 in one long line", strings.Repeat("YWJj", 30) + "T0xE", "OLD",
			"http://x/", strings.Repeat("YWJj", 30) + "aHR0cDovL3gv", ""},
		{"base64 after a short first line", "\n  \nYWJj\nZGVmZ2hp\nT0xE\n",
			"OLD", "http://x/", "\n  \nYWJj\nZGVmZ2hp\naHR0cDov\nL3gv\n", ""},
		{"base64 in one short line", strings.Repeat("YWJj", 18) + "T0xE", "OLD",
			"http://x/", strings.Repeat("YWJj", 18) + "aHR0\ncDovL3gv", ""},
		{"base64 in one line that grows beyond a line", strings.Repeat("YWJj", 248) + "T0xE", "OLD", "http://x/",
			strings.Repeat(strings.Repeat("YWJj", 19)+"\n", 13) + "YWJjaHR0cDovL3gv", ""},
		{"base64 blank lines after", "T0xE\n\n\n", "OLD", "n", "bg==\n\n\n", ""},
		{"base64 truncated", "T0xEI\n", "OLD", "n", "", "truncated base64"},
		{"base64 without padding", "T0xEIA\n", "OLD", "n", "biA\n", ""},
		{"base64 without padding, where none is needed then", "T0xEIA\n", "OLD", "no", "bm8g\n", ""},
		{"base64 without padding, where two are needed then", "T0xEIA\n", "OLD ", "n", "bg\n", ""},
		{"base64 without the second padding", "T0xEIA=\n", "OLD", "n", "biA\n", ""},
		{"base64 without the second padding, where two are needed then", "T0xEIA=\n", "OLD ", "n", "bg=\n", ""},
		{"base64 without padding in several lines", "YWJj\r\nIE9M\r\nRCA\r\n",
			"OLD", "http://x/", "YWJj\r\nIGh0\r\ndHA6\r\nLy94\r\nLyA\r\n", ""},
		{"base64 without padding at the end of the body", "T0xEIA", "OLD", "http://x/", "aHR0cDovL3gvIA", ""},
		{"base64 whose padding would stand in a line of its own",
			"YWJjZ\nGVmT0\nxEIA\n", "OLD ", "x", "YWJjZ\nGVmeA\n", ""},
		{"HTML labelled base64", "<a href=\"OLD\">\n", "OLD", "n", "", "labelled base64, but never encoded"},
		{"base64 with other bytes", "T0xE!IA==\n", "OLD", "n", "", "bytes that are not base64"},
		{"base64 after padding", "T0xEIA==T0xE\n", "OLD", "n", "", "base64 after its end"},
	} {
		t.Run(c.name, func(t *testing.T) { c.check(t, "base64") })
	}
}

// Base64 without padding may be cut at its end. With padding it is complete.
func TestLeafCut(t *testing.T) {
	for body, want := range map[string]bool{"YWJj": false, "YWJjZA==": false, "YWJjZA=": true,
		"YWJjZA": true, "YWJjZGU": true, "YWJjZ": true, "YW*Jj": true, "": false} {
		l, _ := encodedLeaf(t, "base64", body)
		if got := l.Doc(nil).Cut; got != want {
			t.Errorf("the document of %q may be cut: %v, want %v", body, got, want)
		}
	}
}

// Base64 that lacks some or all of its padding still does so after any edit.
func TestBase64Padding(t *testing.T) {
	for old := 1; old <= 7; old++ {
		for size := range 8 {
			for width := 2; width <= 9; width++ {
				text := "ab" + strings.Repeat("O", old) + "yz"
				edited := "ab" + strings.Repeat("n", size) + "yz"
				body := string(cutLines([]byte(base64.StdEncoding.EncodeToString([]byte(text))), width, []byte("\r\n")))
				pads := strings.Count(body, "=")
				for missing := range pads + 1 {
					raw := body
					for range missing {
						raw = strings.TrimRight(strings.TrimSuffix(raw, "="), "\r\n")
					}
					l, msg := encodedLeaf(t, "base64", raw+"\r\n")
					edits, err := l.Edits(replaced(l.Data, strings.Repeat("O", old), strings.Repeat("n", size)))
					if err != nil {
						t.Fatalf("Edits of %q: %v", raw, err)
					}
					got := applied(t, msg, edits)[len(msg)-len(raw)-2:]
					digits := strings.NewReplacer("\r", "", "\n", "").Replace(got)
					decoded, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(digits, "="))
					if err != nil || string(decoded) != edited || !strings.HasSuffix(got, "\r\n") {
						t.Errorf("Edits of %q: got %q, which is %q, %v, want %q", raw, got, decoded, err, edited)
					}
					if n := strings.Count(digits, "="); missing == 0 && len(digits)%4 > 0 ||
						missing > 0 && missing == pads && n > 0 || missing > 0 && n > 1 {
						t.Errorf("Edits of %q, where %d of %d are missing: got %q", raw, missing, pads, got)
					}
				}
			}
		}
	}
}

func TestUuencodeEdits(t *testing.T) {
	leafEdit{"never", "begin 644 a\n#3TQ$\n`\nend\n", "OLD", "n",
		"", "absolink cannot write the transfer encoding x-uuencode"}.check(t, "x-uuencode")
}

// check makes the edit in a message with one leaf in the given transfer encoding.
func (c leafEdit) check(t *testing.T, encoding string) {
	t.Helper()
	l, msg := encodedLeaf(t, encoding, c.body)
	edits, err := l.Edits(replaced(l.Data, c.old, c.new))
	if err != nil {
		if got := err.(*Defect).Text; got != c.err {
			t.Errorf("Edits of %q: error %q, want %q", c.body, got, c.err)
		}
		return
	}
	if got := applied(t, msg, edits)[len(msg)-len(c.body):]; got != c.want || c.err != "" {
		t.Errorf("Edits of %q:\ngot  %q\nwant %q %s", c.body, got, c.want, c.err)
	}
}

// encodedLeaf returns the leaf of a message with one HTML body in the given transfer encoding, and
// the message.
func encodedLeaf(t *testing.T, encoding, body string) (*Leaf, string) {
	t.Helper()
	msg := "Content-Type: text/html\nContent-Transfer-Encoding: " + encoding + "\n\n" + body
	l, err := parse(t, msg).Root.Leaf()
	if err != nil {
		t.Fatalf("Leaf of %q: %v", msg, err)
	}
	return l, msg
}

// TestLongLineOf makes a line grow that looks like markup, in each format. A line end must not get
// to a place where it has a meaning.
func TestLongLineOf(t *testing.T) {
	tag := "<a" + long(980) + ` href="OLD">`
	const no = "a line would be longer than 998 bytes"
	for _, c := range []struct{ name, kind, body, err string }{
		{"HTML", "text/html", tag, ""},
		{"XHTML", "application/xhtml+xml", tag, ""},
		{"SVG", "image/svg+xml", tag, ""},
		{"XML with a CDATA section", "text/xml", "<![CDATA[ >\n" + tag, no},
		{"XML with a comment", "text/xml", "<!-->\n" + tag, no},
		{"a style sheet", "text/css", "p{content:'\n" + tag, no},
		{"a manifest", "application/manifest+json", "\"\n" + tag, no},
		{"plain text", "text/plain", tag, no},
	} {
		l, err := parse(t, "Content-Type: "+c.kind+"\n\n"+c.body).Root.Leaf()
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if _, err := l.Edits(replaced(l.Data, "OLD", "http://example.test/")); err != nil {
			got = err.(*Defect).Text
		}
		if got != c.err {
			t.Errorf("%s: Edits of a long line: error %q, want %q", c.name, got, c.err)
		}
	}
}

func TestLeafDecode(t *testing.T) {
	for _, c := range []struct{ name, encoding, body, want, problem string }{
		{"identity", "8bit", "a\xe9\r\n", "a\xe9\r\n", ""},
		{"quoted-printable", "quoted-printable", "a=3Db=\n c\n", "a=b c\n", ""},
		{"lower case digits", "quoted-printable", "=e9", "\xe9", ""},
		{"blanks at a line end", "quoted-printable", "a \t\r\nb ", "a\r\nb", ""},
		{"soft break with padding", "quoted-printable", "a= \r\nb", "ab", ""},
		{"raw 8-bit and control bytes", "quoted-printable", "\x01\xe9", "\x01\xe9", ""},
		{"no escape", "quoted-printable", "a=zb=4=3D", "a=zb=4=", "escapes that are none in quoted-printable"},
		{"soft break at the end", "quoted-printable", "a=", "a", ""},
		{"base64", "base64", "YWJj\r\nZA==\r\n", "abcd", ""},
		{"base64 with blanks", "base64", " YW Jj\n", "abc", ""},
		{"base64 over line ends", "base64", "YW\nJ\njZA=\n=", "abcd", ""},
		{"base64 without all padding", "base64", "YWJjZA=", "abcd", ""},
		{"base64 truncated", "base64", "YWJjZ", "abc", "truncated base64"},
		{"base64 cut in a byte", "base64", "YWJjZGV\n", "abcde", "truncated base64"},
		{"base64 without any padding", "base64", "YWJjZGU\n", "abcde", ""},
		{"base64 junk", "base64", "YW*Jj", "abc", "bytes that are not base64"},
		{"base64 twice", "base64", "YQ==\nYg==\n", "ab", "base64 after its end"},
		{"base64 padding inside", "base64", "Y=WJj", "abc", "padding inside base64"},
		{"base64 with blanks and without padding", "base64", "YWJjZGVmZ2hpamts\nbW 4", "abcdefghijklmn", ""},
		{"words labelled base64", "base64", "This is an attachment\n", "This is an attachment\n", ""},
		{"base64 empty", "base64", "\r\n", "", ""},
		{"uuencode", "x-uuencode", "text before\nbegin 644 a.html\n#86)C\n\"9&4 \n`\nend\nafter\n", "abcde", ""},
		{"uuencode with CRLF and blanks lost", "uuencode",
			"begin 644 a\r\n#  !C\r\n#    \r\n#86\r\n \r\nend\r\n", "\x00\x00c\x00\x00\x00a`\x00", ""},
		{"uuencode with another count than bytes", "x-uue",
			"begin 644 a\n$86)C\nend\n", "abc", "bytes that are not uuencode"},
		{"uuencode without its end", "x-uuencode", "begin 644 a\n#86)C\n", "abc", "uuencode without its end"},
		{"uuencode without its beginning", "x-uuencode", "#86)C\nend\n", "", "uuencode without its beginning"},
	} {
		l, _ := encodedLeaf(t, c.encoding, c.body)
		if string(l.Data) != c.want || l.Problem != c.problem {
			t.Errorf("%s: Leaf of %q = %q, %q, want %q, %q", c.name, c.body, l.Data, l.Problem, c.want, c.problem)
		}
	}
}

// A body that was never encoded is read unchanged. No part of it counts as an escape.
func TestLeafMislabelled(t *testing.T) {
	for _, c := range []struct{ encoding, body, want string }{
		{"quoted-printable", "<img src=\"i.png?v=20\">\r\n", "labelled quoted-printable, but never encoded"},
		{"quoted-printable", "<img src=3D\"i.png?v=20\"> 1=2", ""},
		{"quoted-printable", "v=20", ""},
		{"base64", "<p>\r\n", "labelled base64, but never encoded"},
		{"base64", "PHA+\n<p>\n", ""},
		{"7bit", "<img src=\"i.png?v=20\">", ""},
		{"x-uuencode", "<p>", ""},
	} {
		l, _ := encodedLeaf(t, c.encoding, c.body)
		if l.Mislabelled != c.want || l.Protected() != c.want {
			t.Errorf("%s: Leaf of %q is mislabelled %q and protected %q, want %q",
				c.encoding, c.body, l.Mislabelled, l.Protected(), c.want)
		}
		if c.want == "" {
			continue
		}
		if string(l.Data) != c.body || l.Problem != "" || l.Doc(nil).Cut {
			t.Errorf("%s: Leaf of %q is %q with the problem %q", c.encoding, c.body, l.Data, l.Problem)
		}
		if got := l.Source(extract.Span{Start: 1,
			End: 3}); got != (Span{l.Entity.Body.Start + 1, l.Entity.Body.Start + 3}) {
			t.Errorf("%s: bytes 1 to 3 of %q stand at %v", c.encoding, c.body, got)
		}
		if err := l.Entity.m.Change().Edit(l, replaced(l.Data, "<", "x")); err == nil || err.(*Defect).Text != c.want {
			t.Errorf("%s: Edit of %q: error %v, want %q", c.encoding, c.body, err, c.want)
		}
		if err := l.Entity.FillLeaf(l); err != nil || l.Mislabelled != c.want {
			t.Errorf("%s: filled again, Leaf of %q is mislabelled %q", c.encoding, c.body, l.Mislabelled)
		}
	}
}

func TestLeafSource(t *testing.T) {
	for _, c := range []struct{ name, encoding, body, find, want string }{
		{"identity", "7bit", "a href=x", "x", "x"},
		{"quoted-printable", "quoted-printable", "a =3D=\n=\nxy", "=xy", "=3D=\n=\nxy"},
		{"soft break before is left out", "quoted-printable", "a=\nxy", "xy", "xy"},
		{"base64 whole quartets", "base64", "YWJj\nZGVm\nZ2hp\n", "e", "ZGVm"},
		{"base64 over lines", "base64", "YWJj\nZGVm\nZ2hp\n", "cd", "YWJj\nZGVm"},
		{"base64 padded", "base64", "YWJjZA==\n", "d", "ZA=="},
	} {
		l, msg := encodedLeaf(t, c.encoding, c.body)
		i := strings.Index(string(l.Data), c.find)
		s := l.Source(extract.Span{Start: i, End: i + len(c.find)})
		if got := msg[s.Start:s.End]; got != c.want {
			t.Errorf("%s: Source of %q in %q = %q, want %q", c.name, c.find, c.body, got, c.want)
		}
	}
}

func TestLeafErrors(t *testing.T) {
	for _, c := range []struct{ name, msg, want string }{
		{"unknown encoding", "Content-Transfer-Encoding: x-nobody\n\nbegin", `unknown transfer encoding "x-nobody"`},
		{"too large", "\n12345678901", "11 bytes are more than the limit of 10 for a body"},
		{"parts", "Content-Type: multipart/mixed; boundary=b\n\n--b\n\n--b--", "has parts, so it is not a leaf"},
	} {
		m, err := Parse(strings.NewReader(c.msg), int64(len(c.msg)), Limits{Leaf: 10})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Root.Leaf(); err == nil || err.(*Defect).Text != c.want {
			t.Errorf("%s: Leaf error %v, want %q", c.name, err, c.want)
		}
	}
}

// isEdited reports each byte that differs from the edited text: before, in and behind an edit.
func TestIsEdited(t *testing.T) {
	const src, want = "abcdef", "abXYef"
	edits := replaced([]byte(src), "cd", "XY")
	if !isEdited([]byte(want), []byte(src), edits) {
		t.Errorf("isEdited(%q) is false", want)
	}
	for i := range want {
		for _, got := range []string{want[:i], want[:i] + "?" + want[i+1:], want[:i] + "?" + want[i:], want + "?"} {
			if isEdited([]byte(got), []byte(src), edits) {
				t.Errorf("isEdited(%q) is true, want only %q", got, want)
			}
		}
	}
}

func TestLongestLine(t *testing.T) {
	for text, want := range map[string]int{"": 0, "a": 1, "\n": 0, "\nab": 2, "\nab\nc": 2, "ab\n": 2, "a\nb\n": 1,
		"ab\r\nc\r\n": 2, "a\nbcd": 3, "\r": 1} {
		if got := longestLine([]byte(text), '\n'); got != want {
			t.Errorf("longestLine(%q) = %d, want %d", text, got, want)
		}
	}
}

// The memory of a leaf is kept for the next leaf, unless it is large.
func TestScratchIsKept(t *testing.T) {
	for size, want := range map[int]bool{10: true, 1 << 20: true, 1<<20 + 1: false} {
		got := keeps(&scratches, func() any {
			s := &scratch{edited: make([]byte, 0, size)}
			s.release()
			return s
		})
		if got != want {
			t.Errorf("scratch with %d bytes: kept %v, want %v", size, got, want)
		}
	}
}

// keeps reports whether pool keeps the value that release gives back. Under the race detector a
// pool loses some values at random.
func keeps(pool *sync.Pool, release func() any) bool {
	for range 20 {
		given := release()
		if pool.Get() == given {
			return true
		}
	}
	return false
}
