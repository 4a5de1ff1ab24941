package rewrite_test

import (
	"bytes"
	"mime/quotedprintable"
	"regexp"
	"strings"
	"testing"

	"absolink/mime/rewrite"
	"absolink/resolve/move"
)

// FuzzText moves URLs in any text, in several encodings. The decoded text keeps all bytes but the
// prefixes of URLs, and a second run changes nothing.
func FuzzText(f *testing.F) {
	for _, test := range textCases {
		for how := range uint8(4) {
			f.Add(test.text, how)
		}
	}
	f.Fuzz(func(t *testing.T, text string, how uint8) {
		const old, renamed = "http://old.test/", "https://new.test/"
		encoding := []string{"8bit", "binary", "quoted-printable", "base64"}[how%4]
		text = strings.NewReplacer("\r", "", "\x00", "", renamed, "").Replace(text)
		if odd.MatchString(text) {
			return
		}
		body := text
		switch encoding {
		case "quoted-printable":
			var b strings.Builder
			w := quotedprintable.NewWriter(&b)
			w.Write([]byte(text))
			w.Close()
			body = b.String()
		case "base64":
			body = lines64([]byte(text), 76, "\n")
		}
		head := "Content-Type: text/plain\nContent-Transfer-Encoding: " + encoding + "\n\n"
		site := new(move.Site)
		if err := site.Map.Add(old, renamed); err != nil {
			t.Fatal(err)
		}
		r := &rewrite.Rewriter{Site: site, KeepDKIM: true}
		var out, again bytes.Buffer
		if _, err := r.Message(&out, strings.NewReader(head+body), ""); err != nil {
			t.Fatal(err)
		}
		got, ok := strings.CutPrefix(out.String(), head)
		if !ok {
			t.Fatalf("the heading has changed: %q", out.String())
		}
		if _, err := r.Message(&again, bytes.NewReader(out.Bytes()), ""); err != nil || !bytes.Equal(again.Bytes(),
			out.Bytes()) {
			t.Fatalf("a second run gives %q, or fails: %v", again.String(), err)
		}
		if got == body {
			return
		}
		decoded, want := string(decodedBy(t, encoding, got)), string(decodedBy(t, encoding, body))
		if n := strings.Count(decoded, "https://new.test"); n == 0 || !sameWithout(decoded, want) {
			t.Fatalf("%s: %q became %q", encoding, want, decoded)
		}
	})
}

// odd matches texts with URLs that may be replaced as a whole, since they are spelled in another
// way.
var odd = regexp.MustCompile(`(?i)http:(/?[^/]|///|//[^/?#\s]*[@%\\]|\S*\.\.|\S*%2e|\S*\\)`)

// port matches the spellings of the default port.
var port = regexp.MustCompile(`^:(0*80)?($|[^0-9])`)

// sameWithout reports whether got is want with some URLs of the old host at the new one.
func sameWithout(got, want string) bool {
	const renamed = "https://new.test"
	for {
		i := strings.Index(got, renamed)
		if i < 0 {
			return got == want
		}
		if len(want) < i || got[:i] != want[:i] {
			return false
		}
		got, want = got[i+len(renamed):], want[i:]
		end := strings.Index(strings.ToLower(want), "old.test")
		if end < 0 || !strings.HasPrefix(strings.ToLower(want), "http:") {
			return false
		}
		want = want[end+len("old.test"):]
		if !strings.HasPrefix(got, ":") {
			want = port.ReplaceAllString(want, "$2")
		}
	}
}
