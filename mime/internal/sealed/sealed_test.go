package sealed

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Each line of a text begins with a letter for its reason: p for patch, e for encoded, c for
// encrypted, f for footer, and a blank for ordinary text. A colon follows.
var reasons = map[byte]Reason{'p': Patch, 'e': Encoded, 'c': Encrypted, 'f': Footer, ' ': ""}

// marked cuts the marks off a text. It returns the lines and the reason of each.
func marked(text string) (lines []string, want []Reason) {
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		lines = append(lines, line[2:])
		want = append(want, reasons[line[0]])
	}
	return lines, want
}

// check compares the reason of each line of a text with the marks. All lines have the same end.
func check(t *testing.T, lines []string, want []Reason, eol string) {
	t.Helper()
	text := strings.Join(lines, eol) + eol
	pieces := Pieces([]byte(text))
	at := 0
	for i, line := range lines {
		if got := ReasonAt(pieces, at, at+len(line)); len(line) > 0 && got != want[i] {
			t.Errorf("line end %q, line %d %q: got %q, want %q in\n%s", eol, i+1, line, got, want[i], text)
			return
		}
		at += len(line) + len(eol)
	}
}

var texts = map[string]string{
	"a patch of git": ` :commit message http://h/
 :
 :Signed-off-by: me
 :---
 : x | 2 +-
 :
p:diff --git a/x b/x
p:new file mode 100644
p:index 1..2
p:--- a/x
p:+++ b/x
p:@@ -1,3 +1,4 @@ func x()
p: context
p:-old
p:+new
p:+newer
p:
p:@@ -7 +8 @@
p:-- 
p:+x
p:\ No newline at end of file
f:-- 
f:2.40
f:
f:list footer
`,
	"text after a hunk": `p:@@ -1,2 +1,1 @@
p:-- old
p: context
 :text
`,
	"several files": `p:diff -u a b
p:--- a	2026
p:+++ b	2026
p:@@ -0,0 +1,2 @@
p:+one
p:+two
p:--- c
p:+++ d
p:@@ -1 +0,0 @@
p:-one
 :text
`,
	"wrapped lines of a hunk": `p:@@ -1,3 +1,3 @@
p:-a long line that
p:was wrapped
p: x
p:+b
p: y
 :text
`,
	"a hunk that breaks off": `p:@@ -1,9 +1,9 @@
p: x
p:
 :text
`,
	"an empty hunk": `p:@@ -0,0 +0,0 @@
 :text
`,
	"quoted hunks with answers between them": ` :On Monday she wrote:
p:> diff --git a/x b/x
p:> @@ -1,9 +1,9 @@
p:> +one
 :why?
p:> -two
p:> 
 :> text
 :text
`,
	"two depths of quoting": `p:> > @@ -1,2 +1,2 @@
p:> > +one
 :> answer
p:>> -two
p:>>  three
 :> > text
`,
	"subversion": `p:Index: trunk/x
p:===================================================================
p:--- trunk/x	(revision 1)
p:+++ trunk/x	(working copy)
p:@@ -1 +1 @@
p:-a
p:+b
 :
 :Index: of the book
 :see http://h/
`,
	"a text signed in clear": ` :-----BEGIN PGP SIGNED MESSAGE-----
 :Hash: SHA256
 :
 :http://h/
 :- -----BEGIN PGP SIGNED MESSAGE-----
e:-----BEGIN PGP SIGNATURE-----
e:
e:iQ
e:-----END PGP SIGNATURE-----
 :text
`,
	"properties of subversion": ` :Property changes on: x
 :___
 :Added: svn:externals
p:## -0,0 +1,2 ##
p:+http://h/ a
p:+http://h/ b
p:\ No newline at end of property
 :Modified: svn:mergeinfo
p:## -1 +1 ##
p:   Merged /y:r2
 :## heading
 :## -1 +1 @@
 :## -1 +1##
 :http://h/
`,
	"a context diff": `p:*** a	2026
p:--- b	2026
p:***************
p:*** 1,2 ****
p:  one
p:! two
p:--- 1,2 ----
p:  one
p:+ three
 :text
`,
	"a context diff and a footer": `p:***************
p:! two
f:-- 
f:x
`,
	"diff without options": `p:2c2
p:< old
p:---
p:> new
p:5a6,7
p:> more
p:> and more
 :text
 :> quoted
`,
	"a command that is none": ` :12c12
 :text
 :3x4
 :> quoted
`,
	"several parents": `p:@@@ -1,2 -1,2 +1,3 @@@
p:  one
p:++two
 :text
`,
	"darcs": `p:hunk ./x.txt 12
p:-http://h/
p:+http://h/
p:hunk ./y.txt 1
p:+one
 :text
 :hunk of bread
 :+1
`,
	"lines that are no patch": ` :--- 
 :--- a dash
 :text
 :*** stars
 :@@ -x +y @@
 :@@ -1,2
 :@@ -1 +2
 :diff the files
 :Index: x
 :+1
 :-1
`,
	"uuencode": ` :text
e:begin 644 x
e:#0V%T
 :
 :text
`,
	"uuencode with its end": "e:begin 0644 x y\ne:#0V%T\ne:`\ne:end\n :end\n :TEXT\n",
	"uuencode that breaks off": `e:begin 644 x
e:#0V%T
 :text
`,
	"begin in prose": ` :begin 100 things
 :text
 :begin 64x y
 :#0V%T
 :begin 644
 :#0V%T
 :begin 64 y
 :#0V%T
 :begin 06444 y
 :#0V%T
 :begin 644 
 :#0V%T
 :begins 644 y
 :#0V%T
`,
	"an empty line after a hunk without options": `p:2c2
p:< old
 :
 :> quoted
`,
	"a wrapped heading of a hunk": `p:@@ -1,2 +1,2 @@ func with a long
p:name
p: x
p:-y
p:+z
 :text
`,
	"base64 of uuencode": `e:begin-base64 644 x
e:aHR0cDovL2gv
e:====
 :text
`,
	"yEnc": `e:=ybegin line=128 size=1 name=x
e:http://h/
e:=yend size=1
 :text
`,
	"armor": ` :text
c:-----BEGIN PGP MESSAGE-----
c:Comment: http://h/
c:
c:hQ==
c:-----END PGP MESSAGE-----
 :text
e:-----BEGIN PGP PUBLIC KEY BLOCK-----
e:Comment: http://h/
e:-----END PGP PUBLIC KEY BLOCK-----
e:-----BEGIN CERTIFICATE----- 
e:http://h/
e:-----END CERTIFICATE-----
e:-----BEGIN OPENSSH PRIVATE KEY-----
e:-----END OPENSSH PRIVATE KEY-----
c:-----BEGIN PKCS7-----
c:-----END PKCS7-----
c:-----BEGIN CMS-----
c:-----END CMS-----
e:-----BEGIN X509 CRL-----
e:-----END X509 CRL-----
e:-----BEGIN SSH SIGNATURE-----
e:-----END SSH SIGNATURE-----
 :-----BEGIN FORWARDED MESSAGE-----
 :-----BEGIN PGP
 :text
`,
	"quoted armor": `c:> -----BEGIN PGP MESSAGE-----
c:> hQ==
 :answer
c:> -----END PGP MESSAGE-----
 :> text
`,
	"a footer": ` :text
 :--
 :no footer
f:-- 
f:me http://h/
`,
	"quoted footers": ` :> text
f:> -- 
f:> she
 :>> older text
 :> text
 :answer
f:-- 
f:me
 :> quoted behind the footer
f:list footer
`,
	"a patch in a footer": `f:-- 
p:@@ -1 +1 @@
p:-a
p:+b
f:text
`,
}

func TestPieces(t *testing.T) {
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			lines, want := marked(text)
			for _, eol := range []string{"\n", "\r\n", "\r"} {
				check(t, lines, want, eol)
			}
		})
	}
}

// A text that is quoted has the same pieces, at any depth and in all spellings of the marks.
func TestPiecesQuoted(t *testing.T) {
	never := []string{"a patch of git", "wrapped lines of a hunk",
		"quoted footers",
		"a wrapped heading of a hunk"} // blanks and lines are told apart there
	for name, text := range texts {
		if slices.Contains(never, name) || strings.Contains(name, "without options") {
			continue
		}
		lines, want := marked(text)
		for _, mark := range []string{"> ", ">", "> > ", ">> ", "> > > "} {
			if mark == ">" && strings.Contains(text, ":>") {
				continue
			}
			quoted := make([]string, len(lines))
			for i, line := range lines {
				quoted[i] = mark + line
			}
			if mark == ">" && slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, " ") }) {
				continue // the first blank belongs to the mark
			}
			check(t, quoted, want, "\n")
		}
	}
}

// Every line is in a hunk as long as the heading says, whatever the lines contain.
func TestHunkLengths(t *testing.T) {
	for before := range 5 {
		for after := range 5 {
			for common := 0; common <= min(before, after); common++ {
				lines := []string{fmt.Sprintf("@@ -1,%d +1,%d @@", before, after)}
				lines = append(lines, slices.Repeat([]string{" http://h/"}, common)...)
				lines = append(lines, slices.Repeat([]string{"-http://h/"}, before-common)...)
				lines = append(lines, slices.Repeat([]string{"+http://h/"}, after-common)...)
				want := slices.Repeat([]Reason{Patch}, len(lines))
				check(t, append(lines, "http://h/"), append(want, ""), "\n")
			}
		}
	}
}

func TestTouch(t *testing.T) {
	pieces := []Piece{{2, 4, Patch}, {6, 8, Footer}}
	for _, test := range []struct {
		start, end int
		want       Reason
	}{
		{0, 2, ""}, {0, 3, Patch}, {3, 4, Patch}, {3, 9, Patch}, {4, 6, ""}, {5, 7, Footer}, {7, 9, Footer}, {8, 9, ""},
	} {
		if got := ReasonAt(pieces, test.start, test.end); got != test.want {
			t.Errorf("ReasonAt(%d, %d) = %q, want %q", test.start, test.end, got, test.want)
		}
	}
}

func TestInClear(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "x": false, "-----BEGIN PGP SIGNED MESSAGE-----": true,
		"x\n> -----BEGIN PGP SIGNED MESSAGE-----\n":                  true,
		"PGP SIGNED MESSAGE-----":                                    false,
		"PGP SIGNED MESSAGE----- -----BEGIN PGP SIGNED MESSAGE-----": true,
		"-----BEGIN PGP MESSAGE-----":                                false,
	} {
		if got := HasClearSigned([]byte(text)); got != want {
			t.Errorf("HasClearSigned(%q) = %t, want %t", text, got, want)
		}
	}
}

// FuzzPieces checks that the pieces are whole lines in order, and that they do not depend on the
// kind of line end.
func FuzzPieces(f *testing.F) {
	for _, text := range texts {
		lines, _ := marked(text)
		f.Add(strings.Join(lines, "\n"))
	}
	f.Fuzz(func(t *testing.T, text string) {
		at := 0
		for _, p := range Pieces([]byte(text)) {
			if p.Start < at || p.End <= p.Start || p.End > len(text) || p.Reason == "" {
				t.Fatalf("%q: piece %+v after %d", text, p, at)
			}
			if p.Start > 0 && text[p.Start-1] != '\n' && text[p.Start-1] != '\r' {
				t.Fatalf("%q: piece %+v begins within a line", text, p)
			}
			if p.End < len(text) && text[p.End-1] != '\n' && text[p.End-1] != '\r' {
				t.Fatalf("%q: piece %+v ends within a line", text, p)
			}
			at = p.End
		}
		if strings.Contains(text, "\r") {
			return
		}
		crlf := strings.ReplaceAll(text, "\n", "\r\n")
		a, b := Pieces([]byte(text)), Pieces([]byte(crlf))
		if len(a) != len(b) {
			t.Fatalf("%q: %v with LF, %v with CRLF", text, a, b)
		}
	})
}
