package coding_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"absolink/cmd/absolink/internal/coding"
)

var text = strings.Repeat("<a href=\"x\">a link</a>\n", 5000)

// encoded returns s in the coding.
func encoded(t testing.TB, c coding.Coding, s string) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := c.Writer(&b)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, s)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

var codings = []coding.Coding{coding.None, coding.Gzip, coding.Zstd, coding.Brotli}

func TestDetect(t *testing.T) {
	tests := []struct {
		name string
		head string
		file string
		want coding.Coding
	}{
		{"nothing", "<html>", "a.html", coding.None},
		{"empty", "", "a", coding.None},
		{"gzip", "\x1f\x8b\x08\x00", "a", coding.Gzip},
		{"another method than deflate", "\x1f\x8b\x07\x00", "a", coding.None},
		{"zstd", "\x28\xb5\x2f\xfd\x00", "a.html", coding.Zstd},
		{"zstd behind a skippable frame", "\x5d\x2a\x4d\x18\x00", "a", coding.Zstd},
		{"brotli by its name", "\x0b\x02\x80", "a.html.BR", coding.Brotli},
		{"gzip named as brotli", "\x1f\x8b\x08\x00", "a.br", coding.Gzip},
		{"a name alone", "<html>", "a.gz", coding.None},
		{"bzip2", "BZh91AY&SY\x00", "a", coding.Bzip2},
		{"bzip2 of nothing", "BZh9\x17\x72\x45\x38\x50\x90\x00", "a.bz2", coding.Bzip2},
		{"a word that begins as bzip2", "BZh9 is a word", "a.bz2", coding.None},
		{"bzip2 of another size", "BZh01AY&SY\x00", "a", coding.None},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := coding.Detect([]byte(tt.head), tt.file); got != tt.want {
				t.Errorf("Detect(%q, %q): got %v, want %v", tt.head, tt.file, got, tt.want)
			}
		})
	}
}

func TestName(t *testing.T) {
	tests := []struct {
		c          coding.Coding
		name, want string
	}{
		{coding.Gzip, "a.eml.gz", "a.eml"}, {coding.Gzip, "a.eml", "a.eml"}, {coding.Gzip, "a.zst", "a.zst"},
		{coding.Zstd, "a.mbox.ZST", "a.mbox"}, {coding.Brotli,
			"a.html.br", "a.html"}, {coding.Bzip2, "a.mbox.bz2", "a.mbox"},
		{coding.None, "a.gz", "a.gz"},
	}
	for _, tt := range tests {
		if got := tt.c.Name(tt.name); got != tt.want {
			t.Errorf("%v.Name(%q): got %q, want %q", tt.c, tt.name, got, tt.want)
		}
	}
}

func TestReaderUndoesWriter(t *testing.T) {
	for _, c := range codings {
		t.Run(c.String(), func(t *testing.T) {
			raw := encoded(t, c, text)
			for name, in := range map[string]io.Reader{"whole": bytes.NewReader(raw),
				"byte by byte": iotest.OneByteReader(bytes.NewReader(raw))} {
				r, err := c.Reader(in)
				if err != nil {
					t.Fatal(err)
				}
				got, err := io.ReadAll(r)
				if err != nil || string(got) != text {
					t.Errorf("%s: got %d bytes and error %v, want %d", name, len(got), err, len(text))
				}
				r.Close()
			}
		})
	}
}

// bzipped is 50 times "<a href=\"x\">a link</a>\n", as Python's bz2 module writes it.
const bzipped = "QlpoOTFBWSZTWW3HzLMAAMfZgAAQUACAByNtEEAgAGApVQPU9TTQ/VChppgA0i8kWItotoviLSL2i0i9IvCLaLhFiLlFyi/" +
	"IsRdUWIsRcIv4u5IpwoSDbj5lmA=="

// bzip2 is read, in any pieces and several streams, and not written. A damaged stream is an error.
func TestBzip2(t *testing.T) {
	raw, err := base64.StdEncoding.DecodeString(bzipped)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Repeat("<a href=\"x\">a link</a>\n", 50)
	for n := 1; n < 3; n++ {
		r, err := coding.Bzip2.Reader(iotest.OneByteReader(bytes.NewReader(bytes.Repeat(raw, n))))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || string(got) != strings.Repeat(want, n) {
			t.Errorf("%d streams: got %d bytes and error %v, want %d", n, len(got), err, n*len(want))
		}
	}
	for n := 1; n < len(raw); n++ {
		if err := readAll(coding.Bzip2, raw[:n]); err == nil || err.Error() != "bzip2: the data end too early" {
			t.Errorf("cut after %d bytes: got error %v, want that the data end too early", n, err)
		}
	}
	raw[20] ^= 1
	if err := readAll(coding.Bzip2, raw); !errors.As(err, new(*coding.Error)) ||
		!strings.HasPrefix(err.Error(), "bzip2: the data are damaged") {
		t.Errorf("a changed bit: got error %v, want that the data are damaged", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("Writer: got no panic")
		}
	}()
	coding.Bzip2.Writer(io.Discard)
}

// Streams one after the other are one content, as their programs have it.
func TestReaderOfSeveralStreams(t *testing.T) {
	for _, c := range []coding.Coding{coding.Gzip, coding.Zstd} {
		raw := append(encoded(t, c, "one "), encoded(t, c, "two")...)
		r, err := c.Reader(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || string(got) != "one two" {
			t.Errorf("%v: got %q and error %v, want both streams", c, got, err)
		}
	}
}

// A stream that is cut off anywhere is an error, never a shorter content.
func TestReaderOfTruncated(t *testing.T) {
	for _, c := range codings[1:] {
		raw := encoded(t, c, text)
		for _, n := range []int{1, 5, 12, len(raw) / 2, len(raw) - 1} {
			if err := readAll(c, raw[:n]); !errors.As(err, new(*coding.Error)) ||
				!strings.HasSuffix(err.Error(), "the data end too early") {
				t.Errorf("%v cut after %d of %d bytes: got error %v, want that the data end too early",
					c, n, len(raw), err)
			}
		}
	}
}

func readAll(c coding.Coding, raw []byte) error {
	r, err := c.Reader(bytes.NewReader(raw))
	if err == nil {
		_, err = io.Copy(io.Discard, r)
	}
	return err
}

// Whatever is read, there is no panic, and what was written comes back.
func FuzzReader(f *testing.F) {
	for _, c := range codings {
		f.Add(encoded(f, c, text[:200]), uint8(c))
	}
	f.Fuzz(func(t *testing.T, raw []byte, n uint8) {
		c := codings[int(n)%len(codings)]
		if r, err := c.Reader(bytes.NewReader(raw)); err == nil {
			io.Copy(io.Discard, io.LimitReader(r, 1<<20))
			r.Close()
		}
		if err := readAll(c, encoded(t, c, string(raw))); err != nil {
			t.Errorf("%v: what was written is read with error %v", c, err)
		}
	})
}
