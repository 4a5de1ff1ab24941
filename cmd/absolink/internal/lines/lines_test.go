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
