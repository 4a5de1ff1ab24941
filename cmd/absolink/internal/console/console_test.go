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
		c.Total(1, total)
		c.Done(true, 1024, 0)
		time.Sleep(110 * time.Millisecond) // it is drawn ten times a second at most
		c.Done(true, 1024, 1)
		c.Close()
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
			c.Done(false, 1024, 0)
			c.Total(3, 3072)
			c.Done(false, 1024, 5)
			c.Close()
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
	} {
		if got := console.Printable(in); got != want {
			t.Errorf("Printable(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestPrintableLines(t *testing.T) {
	if got, want := console.PrintableLines("-\ta\x1b[2J\r\n+\tb\u202e\n"), "-\ta\\u001b[2J\\u000d\n+\tb\\u202e\n"; got != want {
		t.Errorf("PrintableLines: got %q, want %q", got, want)
	}
}
