package site_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/site"
	"absolink/resolve/move"
	"absolink/testdata/effort"
)

// found returns the places that a scanner finds in text that comes in pieces of a length.
func found(o *site.Old, text string, length int) (list []string) {
	s := o.Scanner(1, func(line, column int64, what string) {
		list = append(list, fmt.Sprintf("%d:%d %s", line, column, what))
	})
	for len(text) > 0 {
		n := min(length, len(text))
		s.Write([]byte(text[:n]))
		text = text[n:]
	}
	s.Close()
	return list
}

// However the text comes, also by the byte and far longer than what is held, each place is found
// once, with its line and column.
func TestOldScanner(t *testing.T) {
	m := new(move.Map)
	if err := m.Add("http://old.test/a/", "http://new.test/"); err != nil {
		t.Fatal(err)
	}
	o := site.NewOld(m, false)
	var b strings.Builder
	var want []string
	for i := range 3000 {
		fmt.Fprintf(&b, "%s\n", strings.Repeat("x", i%300))
		if i%7 == 0 {
			fmt.Fprintf(&b, "u: //old.test/a/%d //old.test/ab //old.test/\n", i)
			want = append(want, fmt.Sprintf("%d:4 //old.test/a/%d", i+i/7+2, i))
		}
	}
	pairs := effort.Pick(600_000, 150_000)
	b.WriteString(strings.Repeat("y ", pairs) + "http://OLD.test/a")
	want = append(want, fmt.Sprintf("%d:%d http://OLD.test/a", 3000+429+1, 2*pairs+1))
	for _, length := range []int{1, 4095, 100_000, b.Len()} {
		got := found(o, b.String(), length)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("in pieces of %d: got %d places, want %d; the first %q and %q",
				length, len(got), len(want), got[:min(3, len(got))], want[:3])
		}
	}
}

// A word that begins before a place where the scanner cuts the text is shown as a whole.
func TestOldScannerCuts(t *testing.T) {
	const chunk, ahead = 256 << 10, 12 << 10 // bytes that are searched at once, and bytes that are left
	const word = "a-word-of-forty-bytes-before-an-address:http://old.test/x"
	o := oldOf(t, "http://old.test/")
	for before := range len(word) {
		text := strings.Repeat("y ", chunk/2) + word + strings.Repeat(" ", ahead+before-len(word))
		var want []string
		o.Search([]byte(text), func(at int, what string) { want = append(want, fmt.Sprintf("1:%d %s", at+1, what)) })
		got := found(o, text, len(text))
		if len(want) != 1 || !slices.Equal(got, want) {
			t.Errorf("%d bytes of the word before the cut: got %q, want %q", before, got, want)
		}
	}
}

// What is passed is counted and not looked through; a place is told where it stands, and in a text
// at once.
func TestOldScannerPass(t *testing.T) {
	m := new(move.Map)
	if err := m.Add("http://old.test/", "http://new.test/"); err != nil {
		t.Fatal(err)
	}
	o := site.NewOld(m, false)
	var got []string
	s := o.Scanner(7,
		func(line, column int64, what string) { got = append(got, fmt.Sprintf("%d:%d %s", line, column, what)) })
	s.Write([]byte("old.test\nx old."))
	s.Skip([]byte("test old.test\nyy"))
	s.Report("told")
	s.Skip([]byte("zz"))
	s.Write([]byte(" old.test\nold.test"))
	s.Close()
	if want := "[7:1 old.test 9:3 told 9:6 old.test 10:1 old.test]"; fmt.Sprint(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
	got = nil
	text := "a <http://OLD.test/x> bold.test\nold.test"
	o.Search([]byte(text), func(at int, what string) { got = append(got, fmt.Sprint(at, " ", what)) })
	if want := "[3 http://OLD.test/x 32 old.test]"; fmt.Sprint(got) != want {
		t.Errorf("Text: got %s, want %s", got, want)
	}
}

// What is found does not depend on how the text comes, and stands where it is said.
func FuzzOldScanner(f *testing.F) {
	m := new(move.Map)
	if err := m.Add("//a.test/", "http://b.test/a.test/"); err != nil {
		f.Fatal(err)
	}
	o := site.NewOld(m, true)
	f.Add("x http://a.test/y\n//A.TEST \\/\\/a\\.test\\/ http://b.test/a.test/ %2fa.test", 3)
	f.Add("<img src='data:;base64,aHR0cDovL2EudGVzdC8='> \\x2fa\\x2etest http://me@a.test:80/ \\u002fa.test", 7)
	f.Fuzz(func(t *testing.T, text string, length int) {
		whole := found(o, text, max(len(text), 1))
		if got := found(o, text, max(length, 1)); fmt.Sprint(got) != fmt.Sprint(whole) {
			t.Errorf("in pieces of %d: got %q, want %q", length, got, whole)
		}
		lines := strings.Split(text, "\n")
		for _, place := range whole {
			var line, column int
			if _, err := fmt.Sscanf(place, "%d:%d", &line, &column); err != nil ||
				line > len(lines) || column < 1 || column > len(lines[line-1])+1 {
				t.Errorf("a place is %q in %d lines", place, len(lines))
			}
		}
	})
}
