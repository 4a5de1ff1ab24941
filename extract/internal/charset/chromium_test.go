package charset

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/chromedp/chromedp"

	"absolink/extract/internal/charset/index"
	"absolink/testdata/chromium"
)

// Chromium reads and writes the same bytes and characters. -every-pair tries all sequences and
// characters of all charsets; without it some of them are tried.
var everyPair = flag.Bool("every-pair", false, "compare every sequence and character of every charset with Chromium")

// textScript returns the charset and the text of a document.
const textScript = `[document.characterSet.toLowerCase(), document.querySelector("plaintext").textContent]`

// queriesScript makes a query of each step-th character.
const queriesScript = `(step => {
	const a = document.createElement("a"), all = []
	for (let c = 0x80; c < 0x30000; c += c < 0x10000 ? step : 16 * step) {
		if (c >= 0xd800 && c < 0xe000) continue
		a.href = "http://h/?" + String.fromCodePoint(c)
		all.push(a.search)
	}
	return all.join("\n")
})(%d)`

func TestChromium(t *testing.T) {
	browser := chromium.Start(t)
	charsets, step := []string{"iso-8859-15", "shift_jis", "gb18030", "iso-2022-jp"}, 97
	if *everyPair {
		charsets = append(slices.Clone(names), "iso-2022-jp", "iso-8859-8-i")
		step = 1
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, name := range charsets {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(browser, time.Minute)
			defer cancel()
			page := filepath.Join(t.TempDir(), "page.html")
			text := soup(name, random)
			if err := os.WriteFile(page,
				slices.Concat([]byte("<meta charset="+name+"><plaintext hidden>"), text), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := chromedp.Do(ctx, chromedp.Navigate("file://"+page)); err != nil {
				t.Fatal(err)
			}
			compareText(t, ctx, name, text)
			compareQueries(t, ctx, name, step)
		})
	}
}

// compareText compares the text of the open document with the text that this package reads.
func compareText(t *testing.T, ctx context.Context, name string, text []byte) {
	got, err := chromedp.Run(ctx, chromedp.Evaluate[[2]string](textScript))
	if err != nil || got[0] != name {
		t.Fatalf("the charset is %q, want %q: %v", got[0], name, err)
	}
	ours := string(Get(name).Decode(nil, text))
	if name == "iso-2022-jp" {
		ours = shifted(string(text))
	}
	want := strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", replacement).Replace(ours)
	lines, theirs := strings.Split(want, "\n"), strings.Split(got[1], "\n")
	if len(lines) != len(theirs) {
		t.Fatalf("%d lines, Chromium has %d", len(lines), len(theirs))
	}
	for i, line := range lines {
		if line != theirs[i] {
			t.Errorf("line %d, %+q, is %+q in Chromium", i, line, theirs[i])
		}
	}
}

// compareQueries compares queries with those that the open document makes.
func compareQueries(t *testing.T, ctx context.Context, name string, step int) {
	joined, err := chromedp.Run(ctx, chromedp.Evaluate[string](fmt.Sprintf(queriesScript, step)))
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(joined, "\n")
	e, n := Get(name), 0
	for r := rune(utf8.RuneSelf); r < 0x30000; {
		if !(0xd800 <= r && r < 0xe000) {
			if want := "?" + string(e.AppendQuery(nil, []byte(string(r)))); n >= len(got) || want != got[n] {
				t.Errorf("%U is %s, in Chromium %s", r, want, got[min(n, len(got)-1)])
			}
			n++
		}
		if r < 0x10000 {
			r += rune(step)
		} else {
			r += rune(16 * step)
		}
	}
	if n != len(got) {
		t.Errorf("%d queries, Chromium has %d", n, len(got))
	}
}

// soup returns text in a charset, including invalid sequences.
func soup(name string, random *rand.Rand) []byte {
	var b bytes.Buffer
	pieces := []string{"\x1b(B", "\x1b(J", "\x1b$B", "\x1b$@", "\x1b(I",
		"\x1b", "\x0e", "\x0f", "\n", "\"", "F|", "K\\", "~", "x"}
	if *everyPair {
		sequences(name, &b)
	}
	size := b.Len() + 20_000
	for b.Len() < size {
		switch random.IntN(8) {
		case 0:
			b.WriteString("\"\n")
		case 1:
			b.WriteByte(byte(random.IntN(0x80)))
		case 2:
			b.WriteByte('0' + byte(random.IntN(10)))
		case 3:
			b.WriteString(pieces[random.IntN(len(pieces))])
		default:
			c := byte(random.IntN(0x100))
			if name == "iso-2022-jp" {
				c &= 0x7f
			}
			b.WriteByte(c)
		}
	}
	return tamed(name, b.Bytes())
}

// tamed removes text that Chromium 156 reads differently from the standard: four pairs of Big5 that
// are two characters each, bytes after three bytes of EUC-JP whose last byte is invalid, and the
// third byte of an invalid escape sequence.
func tamed(name string, text []byte) (out []byte) {
	e := Get(name)
	for i, c := range text {
		before := text[max(i-2, 0):i]
		out = append(out, c)
		switch {
		case name == "big5" && c == 0x88:
			out[len(out)-1] = 0x89
		case name == "euc-jp" && len(before) == 2 && before[0] == 0x8f && upper(before[1]) && !upper(c):
			out = append(out, 0x8f, 0xb0, 0xa1) // the state is still JIS X 0212
		case name == "iso-2022-jp" && len(before) == 2 && before[0] == esc && (before[1] == '$' || before[1] == '('):
			if n, _ := e.escapeLen(text[i-2:]); n == 0 {
				out = append(out[:len(out)-3], before[1], c)
			}
		}
	}
	return out
}

func upper(c byte) bool { return 0xa1 <= c && c <= 0xfe }

// sequences writes each sequence of a charset, and sequences that are almost valid. A quote and a
// line end follow each one.
func sequences(name string, b *bytes.Buffer) {
	write := func(s ...byte) {
		b.Write(s)
		b.WriteString("\"\n")
	}
	for i := range 1 << 16 {
		switch lead, trail := byte(i>>8), byte(i); {
		case name == "iso-2022-jp":
			b.WriteString("\x1b$B")
			write(lead, trail, 0x1b, '(', 'B')
		case !slices.Contains(index.Doubles, name):
			if i > 0xff {
				return
			}
			write(trail)
		case lead >= 0x80:
			write(lead, trail)
		}
		if name == "euc-jp" && i >= 0x8000 {
			write(0x8f, byte(i>>8), byte(i))
		}
	}
	for i := range 126 * 10 * 126 * 10 {
		if name == "gb18030" {
			b.Write([]byte{byte(i/12600 + 0x81), byte(i/1260%10 + 0x30), byte(i/10%126 + 0x81), byte(i%10 + 0x30)})
			if i%10 == 9 {
				b.WriteByte('\n')
			}
		}
	}
}
