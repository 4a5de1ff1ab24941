package input_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/input"
	"absolink/testdata/effort"
)

var codings = []coding.Coding{coding.Gzip, coding.Zstd, coding.Brotli}

// packed returns text in the coding.
func packed(t *testing.T, c coding.Coding, text string) string {
	t.Helper()
	var b bytes.Buffer
	w, err := c.Writer(&b)
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(w, struct{ io.Reader }{strings.NewReader(text)}) // in pieces
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// wantText reports an error unless r reads want. It reads pieces, so it needs little memory.
func wantText(t *testing.T, r io.Reader, want string) {
	t.Helper()
	buf := make([]byte, 64<<10)
	for rest := want; ; {
		n, err := r.Read(buf)
		if n > len(rest) || rest[:n] != string(buf[:n]) {
			t.Errorf("after %d bytes, read other bytes than %d of %d", len(want)-len(rest), n, len(want))
			return
		}
		rest = rest[n:]
		if err == io.EOF && rest == "" {
			return
		}
		if err != nil {
			t.Errorf("after %d bytes of %d, got error %v", len(want)-len(rest), len(want), err)
			return
		}
	}
}

// noise is text that no coding compresses much.
func noise(n int) string {
	b := make([]byte, n)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range b {
		b[i] = "0123456789abcdef"[r.IntN(16)]
	}
	return string(b)
}

func TestOpenUndoesCodings(t *testing.T) {
	const mail = "MIME-Version: 1.0\nSubject: x\n\n"
	block := effort.Pick(100<<10, 4<<10) // short blocks are compressed in less time
	tests := []struct {
		name, text string
		kind       input.Kind
		held       bool
	}{
		{"a page", "<html><p>text", input.HTML, true},
		{"a large page", "<html>" + noise(200<<10), input.HTML, true},
		{"a message", mail, input.Message, true},
		{"a large message", mail + strings.Repeat(noise(block), 42*(100<<10)/block), input.Message, false},
	}
	var r input.Reader
	for _, tt := range tests {
		for _, c := range codings {
			t.Run(tt.name+" in "+c.String(), func(t *testing.T) {
				stored := packed(t, c, tt.text)
				r.Options = input.Options{Stdin: strings.NewReader(stored), MaxSize: 64 << 20}
				d, err := r.Open(t.Context(), input.File{Source: "x", Rel: "x.br"})
				if err != nil {
					t.Fatal(err)
				}
				defer d.Close()
				if d.Kind != tt.kind || d.Coding != c ||
					(d.Data != nil) != tt.held || d.StoredSize != int64(len(stored)) {
					t.Errorf("Open: got %v in %v, held %v, of %d bytes; want %v in %v, held %v, of %d",
						d.Kind, d.Coding, d.Data != nil, d.StoredSize,
						tt.kind, c, tt.held, len(stored))
				}
				wantText(t, io.NewSectionReader(d.At, 0, d.Size), tt.text)
			})
		}
	}
}

// A file that cannot be decoded as a whole is not a document. Its stored bytes stay available.
func TestOpenOfSpoiled(t *testing.T) {
	const mail = "MIME-Version: 1.0\nSubject: x\n\n"
	page := packed(t, coding.Gzip, "<html>"+noise(200<<10))
	tests := []struct {
		name, stored, why string
		large             bool
	}{
		{"cut off", page[:len(page)-9], "gzip: the data end too early", false},
		{"cut off in the beginning", page[:5], "gzip: the data end too early", false},
		{"damaged", page[:len(page)-6] + "xxxxxx", "gzip: the data are damaged: gzip: invalid checksum", false},
		{"a page that is a bomb", packed(t, coding.Gzip, "<html>"+strings.Repeat("a", 512<<10)), "", true},
		{"a message that is a bomb", packed(t, coding.Zstd, mail+strings.Repeat("a", 4<<20)),
			"zstd: the data are damaged: they expand to more than 262144 bytes; --max-size allows more", false},
		{"no document", packed(t, coding.Gzip, strings.Repeat("\x00", 1<<20)),
			"cannot tell the type: it is binary data", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := input.Reader{Options: input.Options{Stdin: strings.NewReader(tt.stored), MaxSize: 256 << 10}}
			d, err := r.Open(t.Context(), input.File{Source: "x", Rel: "x"})
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			if d.Why != tt.why || d.TooLarge != tt.large || d.Kind != input.Other && !tt.large {
				t.Errorf("Open: got kind %v, %q, too large %v, want other, %q, %v",
					d.Kind, d.Why, d.TooLarge, tt.why, tt.large)
			}
			wantText(t, io.NewSectionReader(d.Stored, 0, d.StoredSize), tt.stored)
		})
	}
}

// A mailbox is not read when it is opened, whatever its source is.
func TestOpenOfMailbox(t *testing.T) {
	text := "From a@b Thu Jan  1 00:00:00 1970\nSubject: x\n\n" + strings.Repeat("text\n", 1<<20)
	for _, c := range append(codings, coding.None) {
		t.Run(c.String(), func(t *testing.T) {
			in := strings.NewReader(packed(t, c, text))
			r := input.Reader{Options: input.Options{Stdin: in, MaxSize: 1 << 20}}
			d, err := r.Open(t.Context(), input.File{Source: "x", Rel: "x.br"})
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			if c == coding.None && in.Len() < 4<<20 {
				t.Errorf("Open: read all but %d bytes", in.Len())
			}
			content, err := d.Stream(t.Context())
			if err != nil || d.Kind != input.Mbox {
				t.Fatalf("Open: got kind %v and error %v, want mbox", d.Kind, err)
			}
			wantText(t, content, text)
		})
	}
}

// The reading of a mailbox ends with the context, wherever its bytes are stored.
func TestMailboxCanceled(t *testing.T) {
	text := "From a@b Thu Jan  1 00:00:00 1970\nSubject: x\n\n" + strings.Repeat("text\n", 1<<17)
	path := filepath.Join(t.TempDir(), "x.mbox")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]input.File{"a file": {Path: path, Rel: "x.mbox"}, "a pipe": {Rel: "x.mbox"}} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		r := input.Reader{Options: input.Options{Stdin: strings.NewReader(text), MaxSize: 1 << 20}}
		d, err := r.Open(ctx, f)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		content, err := d.Stream(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.CopyN(io.Discard, content, 1); err != nil {
			t.Fatal(err)
		}
		cancel()
		if n, err := io.Copy(io.Discard, content); !errors.Is(err, context.Canceled) || n > 256<<10 {
			t.Errorf("read of %s after the end of the context: got %d bytes and error %v, want few and that it was "+
				"canceled", name, n, err)
		}
	}
}
