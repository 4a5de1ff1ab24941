package reference

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// TestEachLine reads whole and byte by byte, lines that are longer than any buffer too.
func TestEachLine(t *testing.T) {
	long := strings.Repeat("x", 200<<10)
	in := "a\n\r\nb\r\n" + long + "\n" + long + "y"
	want := []string{"a", "", "b", long, long + "y"}
	for name, r := range map[string]io.Reader{
		"whole":  strings.NewReader(in),
		"halves": iotest.HalfReader(strings.NewReader(in)),
		"bytes":  iotest.OneByteReader(strings.NewReader(in)),
		"EOF":    iotest.DataErrReader(strings.NewReader(in)),
	} {
		var got []string
		err := eachLine(context.Background(), r, bufio.NewWriter(io.Discard), func(ref []byte) error {
			got = append(got, string(ref))
			return nil
		})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: eachLine gives %d lines, %v, want %d", name, len(got), err, len(want))
		}
	}
}

func TestEachLineFails(t *testing.T) {
	broken := iotest.ErrReader(errors.New("broken"))
	err := eachLine(context.Background(), io.MultiReader(strings.NewReader("a\n"), broken),
		bufio.NewWriter(io.Discard), func([]byte) error { return nil })
	if err == nil || err.Error() != "reading standard input: broken" {
		t.Errorf("eachLine on a broken reader: %v", err)
	}
	var out bytes.Buffer
	w := bufio.NewWriter(&out)
	err = eachLine(context.Background(), iotest.OneByteReader(strings.NewReader("a\nb")), w, func(ref []byte) error {
		if string(ref) == "b" && out.String() != "a" {
			t.Errorf("before the second line is read %q has been written, want %q", out.String(), "a")
		}
		_, err := w.Write(ref)
		return err
	})
	w.Flush()
	if err != nil || out.String() != "ab" {
		t.Errorf("eachLine of two lines: %v, %q has been written, want %q", err, out.String(), "ab")
	}
}
