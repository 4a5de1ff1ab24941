package mbox

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// All messages together are the mailbox, for any content and any way of reading. Ranges together
// give the messages of the whole.
func FuzzRead(f *testing.F) {
	for _, tt := range readTests {
		f.Add(tt.in, uint8(tt.variant), uint16(20), uint16(50))
	}
	f.Fuzz(func(t *testing.T, in string, variant uint8, first, second uint16) {
		o := Options{Variant: Variant(variant % 4)}
		whole := all(t, newReader(strings.NewReader(in), o, smallWindow))
		checkWhole(t, in, whole)
		for how, r := range map[string]*Reader{
			"byte by byte": newReader(iotest.OneByteReader(strings.NewReader(in)), o, 64),
			"spooled":      newReader(stream{strings.NewReader(in)}, Options{Variant: o.Variant, Hold: 1}, 64),
		} {
			if got, want := fmt.Sprint(all(t, r)), fmt.Sprint(whole); got != want {
				t.Errorf("%s, %s: messages of %q:\n%swant\n%s", o.Variant, how, in, got, want)
			}
		}
		checkCut(t, in, o, whole, int64(first), int64(second))
	})
}

// checkWhole checks that the messages together are the mailbox, and that they count from 1.
func checkWhole(t *testing.T, in string, list []got) {
	t.Helper()
	var out strings.Builder
	number := 0
	for i, g := range list {
		if i > 0 || g.number > 0 {
			number++
		}
		if g.number != number || g.offset != int64(out.Len()) ||
			g.line != int64(1+strings.Count(out.String(), lineEndOf(in))) {
			t.Errorf("message %d of %q: %swant it to be %d, at %d", i, in, g, number, out.Len())
		}
		out.WriteString(g.all())
	}
	if out.String() != in {
		t.Errorf("messages of %q: together they are %q", in, out.String())
	}
}

func lineEndOf(in string) string { return string(eolOf([]byte(in[:min(len(in), headSize)]))) }

// checkCut checks that three ranges together give the messages of the whole.
func checkCut(t *testing.T, in string, o Options, whole []got, first, second int64) {
	t.Helper()
	if o.Variant.usesLength() {
		first, second = bound(whole, first), bound(whole, second)
	}
	first, second = min(first, second), max(first, second)
	if first == 0 || first == second {
		return
	}
	var list []got
	for _, r := range [...][2]int64{{0, first}, {first, second}, {second, 0}} {
		o.Start, o.End = r[0], r[1]
		file := all(t, newReader(strings.NewReader(in), o, 64))
		pipe := all(t, newReader(stream{strings.NewReader(in)}, o, 64))
		if got, want := fmt.Sprint(pipe), fmt.Sprint(file); got != want {
			t.Errorf("%s: range %v of a pipe %q:\n%swant\n%s", o.Variant, r, in, got, want)
		}
		list = append(list, file...)
	}
	if got, want := places(list), places(whole); got != want {
		t.Errorf("%s: messages of %q cut at %d and %d:\n%swant\n%s", o.Variant, in, first, second, got, want)
	}
}

// bound returns the offset of one of the messages.
func bound(list []got, n int64) int64 {
	if len(list) == 0 {
		return 0
	}
	return list[n%int64(len(list))].offset
}

// places describes messages without the numbers that count from the start of a range.
func places(list []got) string {
	var out strings.Builder
	for _, g := range list {
		g.number, g.line = 0, 0
		io.WriteString(&out, g.String())
	}
	return out.String()
}
