package input

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/kinds"
	"absolink/mime"
)

// Whatever a file claims, its message lies within it. Without an edit the file stays the same.
func FuzzEmlx(f *testing.F) {
	f.Add("36        \nContent-Type: text/html\n\n<a href=x>\n<?xml version=\"1.0\"?>")
	f.Add("36\r\nContent-Type: text/html\r\n\r\n<a href=x>")
	f.Add("0\n")
	f.Add("5\nabc")
	path := filepath.Join(f.TempDir(), "a.emlx")
	f.Fuzz(func(t *testing.T, content string) {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		r := &Reader{Options: Options{Kind: Emlx, MaxSize: 1 << 20}}
		d, err := r.Open(context.Background(), File{Path: path, Rel: "a.emlx"})
		if err != nil {
			return
		}
		defer d.Close()
		if d.Kind != Emlx {
			return // its coding is damaged
		}
		message := make([]byte, d.Size)
		if _, err := io.ReadFull(io.NewSectionReader(d.At, 0, d.Size), message); err != nil {
			t.Fatalf("message of %q: %v", content, err)
		}
		whole, size := d.Whole()
		var out strings.Builder
		add := []mime.Edit{{New: []byte("0123456789")}}
		for i, edits := range [][]mime.Edit{nil, add} {
			out.Reset()
			if err := mime.Write(&out, whole, size, slices.Collect(d.Edits(slices.Values(edits)))); err != nil {
				t.Fatal(err)
			}
			if i == 0 && d.Coding == 0 && out.String() != content {
				t.Errorf("without an edit: got %q, want %q", out.String(), content)
			}
		}
		length, at, ok := kinds.LengthLine([]byte(out.String()))
		if !ok || length != d.Size+10 || !strings.HasPrefix(out.String()[at:], "0123456789"+string(message)) {
			t.Errorf("with ten bytes more: got %q of %q", out.String(), content)
		}
	})
}
