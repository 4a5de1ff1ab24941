package lines

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestNext(t *testing.T) {
	long := strings.Repeat("x", 70<<10)
	tests := []struct {
		in   string
		most int
		want string
	}{
		{"a\n\nb\r\nc", 9, `"a" "" "b\r" "c" EOF`},
		{"a\n", 9, `"a" "" EOF`},
		{"", 9, `"" EOF`},
		{"abc\nabcd\nab", 3, `"abc" long "abc" "ab" EOF`},
		{long + "\nb", 2, `long "xx" "b" EOF`},
	}
	for _, tt := range tests {
		for _, r := range []io.Reader{strings.NewReader(tt.in), iotest.OneByteReader(strings.NewReader(tt.in))} {
			var got []string
			in, line := Reader(r), []byte(nil)
			for {
				long, err := Next(in, &line, tt.most)
				text := fmt.Sprintf("%q", line)
				if long {
					text = "long " + text
				}
				got = append(got, text)
				if err != nil {
					got = append(got, err.Error())
					break
				}
			}
			if got := strings.Join(got, " "); got != tt.want {
				t.Errorf("Next of %.20q, at most %d: got %s, want %s", tt.in, tt.most, got, tt.want)
			}
		}
	}
}

// A short line is read before the next line comes: a client may wait for its answer.
func TestUTF8Waits(t *testing.T) {
	for _, line := range []string{"a\n", "é", "\xff\xfea\x00", "\ufeffa"} {
		r := UTF8(io.MultiReader(strings.NewReader(line), iotest.ErrReader(io.ErrNoProgress)))
		n, err := r.Read(make([]byte, 9))
		if n == 0 || err != nil {
			t.Errorf("UTF8(%q): got %d bytes and error %v, want the line", line, n, err)
		}
	}
}

func TestUTF8(t *testing.T) {
	tests := []struct{ in, want string }{
		{"", ""},
		{"a\r\n\xe9\xff\x00b", "a\r\n\xe9\xff\x00b"},
		{"\ufeffé\n\ufeff", "é\n\ufeff"},
		{"\xff\xfe\xe9\x00\r\x00\n\x00", "é\r\n"},
		{"\xfe\xff\x00\xe9\x00\n", "é\n"},
	}
	for _, tt := range tests {
		for _, r := range []io.Reader{strings.NewReader(tt.in), iotest.OneByteReader(strings.NewReader(tt.in))} {
			got, err := io.ReadAll(UTF8(r))
			if err != nil || string(got) != tt.want {
				t.Errorf("UTF8(%q): got %q and error %v, want %q", tt.in, got, err, tt.want)
			}
		}
	}
}
