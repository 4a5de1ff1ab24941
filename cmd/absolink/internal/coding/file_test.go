package coding_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"absolink/cmd/absolink/internal/coding"
)

// A gzip file is read to the end of its last member. Bytes behind it that do not look like a member
// are counted.
func TestFile(t *testing.T) {
	one, two := string(encoded(t, coding.Gzip, "one ")), string(encoded(t, coding.Gzip, "two"))
	zeros := strings.Repeat("\x00", 100_000)
	tests := []struct {
		name, data, want string
		behind           int64
		stray            bool
		err              string
	}{
		{"one member", one, "one ", 0, false, ""},
		{"several", one + two + one, "one twoone ", 0, false, ""},
		{"an empty one", string(encoded(t, coding.Gzip, "")) + two, "two", 0, false, ""},
		{"a NUL", one + "\x00", "one ", 1, false, ""},
		{"NULs", one + two + zeros, "one two", 100_000, false, ""},
		{"a byte", one + "x", "one ", 1, true, ""},
		{"text", one + "signature\n", "one ", 10, true, ""},
		{"NULs and a byte", one + zeros + "x", "one ", 100_001, true, ""},
		{"NULs and a member", one + zeros + two, "one ", 100_000 + int64(len(two)), true, ""},
		{"the first byte of a member", one + two[:1], "one ", 0, false, "gzip: the data end too early"},
		{"two bytes of a member", one + two[:2], "one ", 0, false, "gzip: the data end too early"},
		{"half a member", one + two[:len(two)/2], "one ", 0, false, "gzip: the data end too early"},
		{"a damaged identification", one + "\x1f\x00" + two[2:], "one ", 0, false,
			"gzip: the data are damaged: gzip: invalid header"},
		{"another method", one + "\x1f\x8b\x07" + two[3:], "one ", 0, false,
			"gzip: the data are damaged: gzip: invalid header"},
		{"a wrong checksum", one[:len(one)-8] + "\x00" + one[len(one)-7:] + "x", "one ", 0, false,
			"gzip: the data are damaged: gzip: invalid checksum"},
		{"no member", "x", "", 0, false, "gzip: the data end too early"},
	}
	for _, tt := range tests {
		for _, in := range []io.Reader{strings.NewReader(tt.data), iotest.HalfReader(strings.NewReader(tt.data)),
			iotest.DataErrReader(strings.NewReader(tt.data))} {
			var got []byte
			f, err := coding.Gzip.File(in)
			if err == nil {
				got, err = io.ReadAll(f)
				if n, stray := f.Trailing(); n != tt.behind || stray != tt.stray {
					t.Errorf("%s: Behind: got %d, %v, want %d, %v", tt.name, n, stray, tt.behind, tt.stray)
				}
				f.Close()
			}
			if string(got) != tt.want || err == nil && tt.err != "" || err != nil && err.Error() != tt.err {
				t.Errorf("%s: got %q and error %v, want %q and %q", tt.name, got, err, tt.want, tt.err)
			}
		}
	}
}

// Other codings are read as Reader reads them, and an error of the file is one of the content.
func TestFileOfOthers(t *testing.T) {
	for _, c := range codings {
		f, err := c.File(bytes.NewReader(encoded(t, c, text)))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(f)
		if n, stray := f.Trailing(); err != nil || string(got) != text || n != 0 || stray {
			t.Errorf("%v: got %d bytes, error %v, %d behind, %v", c, len(got), err, n, stray)
		}
		f.Close()
	}
	broken := errors.New("broken")
	f, err := coding.Gzip.File(io.MultiReader(bytes.NewReader(encoded(t, coding.Gzip, text)),
		strings.NewReader("text"), iotest.ErrReader(broken)))
	if err == nil {
		_, err = io.ReadAll(f)
	}
	if !errors.Is(err, broken) {
		t.Errorf("a file that cannot be read: got error %v, want %v", err, broken)
	}
}
