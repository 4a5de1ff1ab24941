package mime

import (
	"encoding/base64"
	"strings"
	"testing"

	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"

	"absolink/base"
	"absolink/extract"
)

// TestCharsets edits through both layers, transfer encoding and charset. The new text is in the
// charset of the document, and nothing else changes.
func TestCharsets(t *testing.T) {
	const text = `<p>日本語 表 ソ能 <a href="x.html">リンク</a> 終`
	outer := &base.Layer{Source: base.Option, Value: "http://example.test/d/"}
	big5 := strings.NewReplacer("語", "許", "リンク", "功", "ソ", "蓋", "終", "餐") // trail bytes like \ and |
	for _, charset := range []string{"utf-8", "shift_jis", "euc-jp", "iso-2022-jp",
		"gb18030", "big5", "utf-16le", "utf-16be", "utf-16 with a mark"} {
		enc, err := htmlindex.Get(charset)
		name := charset
		if charset == "utf-16 with a mark" {
			enc = unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
			name = "utf-16"
			err = nil
		}
		if err != nil {
			t.Fatal(err)
		}
		text := text
		if charset == "big5" {
			text = big5.Replace(text)
		}
		want := strings.Replace(text, "x.html", "http://example.test/d/x.html", 1)
		raw, err := enc.NewEncoder().String(text)
		if err != nil {
			t.Fatalf("%s: %v", charset, err)
		}
		for _, transfer := range []string{"base64", "quoted-printable", "8bit"} {
			body := raw
			switch transfer {
			case "base64":
				body = base64.StdEncoding.EncodeToString([]byte(raw))
			case "quoted-printable":
				body = string(appendEscaped(nil, []byte(raw)))
			}
			msg := "Content-Type: text/html; charset=" + name +
				"\nContent-Transfer-Encoding: " + transfer + "\n\n" + body
			l := leafOf(t, msg)
			var r extract.Resolver
			edits, err := l.Edits(r.Edits(nil, l.Doc(outer)))
			if err != nil {
				t.Errorf("%s in %s: %v", charset, transfer, err)
				continue
			}
			after := leafOf(t, applied(t, msg, edits))
			got, err := enc.NewDecoder().String(string(after.Data))
			if err != nil || got != want {
				t.Errorf("%s in %s: rewritten %q, %v, want %q", charset, transfer, got, err, want)
			}
		}
	}
}
