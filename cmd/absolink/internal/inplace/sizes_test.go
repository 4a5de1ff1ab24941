package inplace

import (
	"io"
	"os"
	"path/filepath"
	"testing"
)

func TestCounter(t *testing.T) {
	tests := []struct {
		name, text string
		disk, crlf int64
	}{
		{"empty", "", 0, 0},
		{"no line end", "a", 1, 1},
		{"LF", "a\nb\n", 4, 6},
		{"CRLF", "a\r\nb\r\n", 6, 6},
		{"mixed", "\na\r\n\r\rb\n\n", 9, 12},
		{"CR alone", "a\rb\r", 4, 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := Sizes{Disk: tt.disk, CRLF: tt.crlf}
			var whole, single counter
			if n, err := io.WriteString(&whole, tt.text); n != len(tt.text) || err != nil {
				t.Errorf("Write: got %d, %v, want %d", n, err, len(tt.text))
			}
			for i := range len(tt.text) {
				single.Write([]byte{tt.text[i]})
				single.Write(nil)
			}
			if whole.Sizes != want || single.Sizes != want {
				t.Errorf("counter: got %+v, by single bytes %+v, want %+v", whole.Sizes, single.Sizes, want)
			}
		})
	}
}

func TestIndexed(t *testing.T) {
	for name, want := range map[string]bool{"dovecot-uidlist": true, "dovecot.index": true,
		"dovecot.index.log": true, "dovecot.index.cache": true, "maildirsize": false, "dovecot": false} {
		dir := t.TempDir()
		os.WriteFile(filepath.Join(dir, name), nil, 0o666)
		if got := hasIndex(dir); got != want {
			t.Errorf("indexed of a Maildir with %s: got %v, want %v", name, got, want)
		}
	}
}

// FuzzCounter holds the counter, in two pieces, against the text with its line
// ends replaced one by one.
func FuzzCounter(f *testing.F) {
	f.Add("a\r\nb\n\r", 2)
	f.Fuzz(func(t *testing.T, s string, cut int) {
		if cut < 0 || cut > len(s) {
			return
		}
		var c counter
		io.WriteString(&c, s[:cut])
		io.WriteString(&c, s[cut:])
		want := int64(len(s))
		for i := range len(s) {
			if s[i] == '\n' && (i == 0 || s[i-1] != '\r') {
				want++
			}
		}
		if c.Disk != int64(len(s)) || c.CRLF != want {
			t.Fatalf("counter(%q) cut at %d: got %+v, want %d and %d", s, cut, c.Sizes, len(s), want)
		}
	})
}
