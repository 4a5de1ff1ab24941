package console_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"absolink/cmd/absolink/internal/console"
)

func TestPrintf(t *testing.T) {
	tests := []struct{ name, arg, want string }{
		{"plain", "a.html", "absolink: a.html: read\n"},
		{"escape sequence", "\x1b[2Ja", `absolink: \u001b[2Ja: read` + "\n"},
		{"line end", "a\nb", `absolink: a\u000ab: read` + "\n"},
		{"no UTF-8", "a\xffb", "absolink: a\ufffdb: read\n"},
		{"text that runs backwards", "a\u202eb", `absolink: a\u202eb: read` + "\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got bytes.Buffer
			console.New(&got, "absolink", console.Auto, false).Printf("%s: read", tt.arg)
			if got.String() != tt.want {
				t.Errorf("Printf(%q): got %q, want %q", tt.arg, got.String(), tt.want)
			}
		})
	}
}

// A mailbox moves the bar with each of its messages, and where its size is not
// known there is what is done, and how fast.
func TestBarOfItems(t *testing.T) {
	for _, total := range []int64{4096, -1} {
		var buf bytes.Buffer
		c := console.New(&buf, "absolink", console.Always, false)
		c.SetTotal(1, total)
		c.AddDone(true, 1024, 0)
		time.Sleep(110 * time.Millisecond) // it is drawn ten times a second at most
		c.AddDone(true, 1024, 1)
		c.RemoveBar()
		for _, want := range []string{"0/1 files, 2 items, 1 problems", "2.0", "KiB", "/s"} {
			if !strings.Contains(buf.String(), want) {
				t.Errorf("bar of %d bytes: got %q, want %q in it", total, buf.String(), want)
			}
		}
	}
}

func TestBar(t *testing.T) {
	tests := []struct {
		name     string
		mode     console.Mode
		terminal bool
		want     []string // substrings; nil: nothing at all
	}{
		{"always", console.Always, false, []string{"2/3 files, 5 problems", "66%", "2.0/3.0 KiB", "iB/s"}},
		{"never", console.Never, true, nil},
		{"auto without a terminal", console.Auto, false, nil},
		{"auto on a terminal, before it takes long", console.Auto, true, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var buf bytes.Buffer
			c := console.New(&buf, "absolink", tt.mode, tt.terminal)
			c.AddDone(false, 1024, 0)
			c.SetTotal(3, 3072)
			c.AddDone(false, 1024, 5)
			c.RemoveBar()
			got := buf.String()
			if tt.want == nil && got != "" {
				t.Errorf("bar: got %q, want nothing", got)
			}
			for _, want := range tt.want {
				if !strings.Contains(got, want) {
					t.Errorf("bar: got %q, want %q in it", got, want)
				}
			}
			if !strings.HasSuffix(strings.TrimRight(got, " "), "\r") && got != "" {
				t.Errorf("bar: got %q at the end, want it cleared", got)
			}
		})
	}
}

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"a é 漢 \U0001f600":             "a é 漢 \U0001f600",
		"\x1b[31m\r\n\t\x7f\u0085":     `\u001b[31m\u000d\u000a\u0009\u007f\u0085`,
		"a\xffb":                       "a\uFFFDb",
		"\u2028\u2029":                 `\u2028\u2029`,
		"\u202agnp.\u202e\u2066\u2069": `\u202agnp.\u202e\u2066\u2069`,
		"\u200e\u200f\u061c":           `\u200e\u200f\u061c`,
		"pay\u200bpal\ufeff":           `pay\u200bpal\ufeff`,
		"\u200c\u200d":                 "\u200c\u200d", // joiners of scripts that need them
		"a\U000e0041\U000e007f":        `a\U000e0041\U000e007f`,
	} {
		if got := console.Printable(in); got != want {
			t.Errorf("Printable(%q) = %s, want %s", in, got, want)
		}
	}
}

// The passwords of URLs are in no line, whatever is wrong with the URL.
func TestPasswords(t *testing.T) {
	for in, want := range map[string]string{
		"ftp://user:pw@h/: no such file":    "ftp://user@h/: no such file",
		`http:/\user:pw@h/`:                 `http:/\user@h/`,
		`"http:/\\user:pw@h/"`:              `"http:/\\user@h/"`,
		`https:\\user:pw@h\x`:               `https:\\user@h\x`,
		"HTTP:user:pw@h":                    "HTTP:user@h",
		"http:///user:pw@h/":                "http:///user@h/",
		"//user:pw@h/":                      "//user@h/",
		"s3://k:p:w@b/x and wss://a:b@c/":   "s3://k@b/x and wss://a@c/",
		"http://user:p@w@h/":                "http://user@h/",
		"http://:pw@h/":                     "http://@h/",
		`there is no "http://u:\"pw\"@h/"`:  `there is no "http://u@h/"`,
		"http://user:pw@[::1]:8080/":        "http://user@[::1]:8080/",
		"http://user@h/a:b@c":               "http://user@h/a:b@c",
		"http://h:8080/?to=me@h":            "http://h:8080/?to=me@h",
		"a.html:1:2: write to me@h":         "a.html:1:2: write to me@h",
		"http://h:80: a mailbox is me@h":    "http://h:80: a mailbox is me@h",
		"mailto:me@h, user:pw@h/x, a:b:c@d": "mailto:me@h, user:pw@h/x, a:b:c@d",
	} {
		var b strings.Builder
		c := console.New(&b, "absolink", console.Never, false)
		c.Printf("%s", in)
		c.PrintAt("f", 1, 2, in)
		c.PrintAt(in, 3, 4, "text")
		if got, want := b.String(), "absolink: "+want+"\nf:1:2: "+want+"\n"+want+":3:4: text\n"; got != want {
			t.Errorf("of %q: got %q, want %q", in, got, want)
		}
	}
}

func TestPrintableLines(t *testing.T) {
	if got, want := console.PrintableLines("-\ta\x1b[2J\r\n+\tb\u202e\n"),
		"-\ta\\u001b[2J\\u000d\n+\tb\\u202e\n"; got != want {
		t.Errorf("PrintableLines: got %q, want %q", got, want)
	}
}

// A console of Windows knows no Ctrl-D.
func TestEndKeys(t *testing.T) {
	for system, want := range map[string]string{"linux": "Ctrl-D", "darwin": "Ctrl-D", "windows": "Ctrl-Z and Enter"} {
		if got := console.EndKeys(system); got != want {
			t.Errorf("EndKeys(%q) = %q, want %q", system, got, want)
		}
	}
}
