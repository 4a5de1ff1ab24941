package write

import (
	"strings"
	"testing"

	"absolink/extract"
)

// A long line is cut to its changes and the text near them. Other lines are shown whole.
func TestDifference(t *testing.T) {
	long := strings.Repeat("0123456789", 100)
	at := func(s string, values ...string) (edits []extract.Edit) {
		for _, v := range values {
			i := strings.Index(s, v)
			edits = append(edits, extract.Edit{Span: extract.Span{Start: i, End: i + len(v)}, New: []byte("NEW" + v)})
		}
		return edits
	}
	near := long[len(long)-nearby:]
	tests := []struct {
		name, data string
		values     []string
		was, is    string
	}{
		{"a short line", "a\nX\nb\n", []string{"X"}, "-X\n", "+NEWX\n"},
		{"a long line", "a\n" + long + "X" + long + "\nb\n", []string{"X"},
			"-…" + near + "X" + long[:nearby] + "…\n", "+…" + near + "NEWX" + long[:nearby] + "…\n"},
		{"two changes far from each other", long + "X" + long + "Y\n", []string{"X", "Y"},
			"-…" + near + "X" + long[:nearby] + "…" + near + "Y\n", "+…" +
				near + "NEWX" + long[:nearby] + "…" + near + "NEWY\n"},
		{"two changes near each other", long + "X-Y" + long, []string{"X", "Y"},
			"-…" + near + "X-Y" + long[:nearby] + "…\n", "+…" + near + "NEWX-NEWY" + long[:nearby] + "…\n"},
		{"at the ends", "X" + long + "Y", []string{"X", "Y"},
			"-X" + long[:nearby] + "…" + near + "Y\n", "+NEWX" + long[:nearby] + "…" + near + "NEWY\n"},
		{"letters of two bytes", strings.Repeat("é", 300) + "-X", []string{"X"},
			"-…" + strings.Repeat("é", 30) + "-X\n", "+…" + strings.Repeat("é", 30) + "-NEWX\n"},
		{"a long line around", "X\n" + long + "\n", []string{"X"}, "-X\n", "+NEWX\n " + long[:nearby] + "…\n"},
		{"lines like names of files", "-- X\n++ Y\n", []string{"X", "Y"}, "--- X\n", "+-- NEWX\n"},
		{"a short line after many", strings.Repeat("line\n", 200) + "X\n", []string{"X"}, "-X\n", "+NEWX\n"},
		{"the longest whole line", long[:longLine-2] + "X\n", []string{"X"},
			"-" + long[:longLine-2] + "X\n", "+" + long[:longLine-2] + "NEWX\n"},
		{"a change of a CR", long + "X\r\n", []string{"X\r"},
			"-…" + near + "X\\u000d\n", "+…" + near + "NEWX\\u000d\n"},
		{"a change near a CR", long + "X\r\n", []string{"X"},
			"-…" + near + "X\\u000d\n", "+…" + near + "NEWX\\u000d\n"},
		{"a change of a line end", "a" + long + "\nb\n", []string{"\nb"}, "-a" + long + "\n", "+a" + long + "NEW\n"},
		{"a change over a line end", long + "X\nY" + long, []string{"X\nY"}, "-" + long + "X\n", "+" + long + "NEWX\n"},
	}
	for _, tt := range tests {
		s := &Show{Terminal: true}
		got := string(s.unifiedDiff("f", []byte(tt.data), at(tt.data, tt.values...)))
		if !strings.Contains(got, "\n"+tt.was) || !strings.Contains(got, "\n"+tt.is) {
			t.Errorf("%s: got\n%s\nwant in it\n%s%s", tt.name, got, tt.was, tt.is)
		}
		s.Color = true
		colors := strings.NewReplacer("\x1b[1m", "", "\x1b[36m", "", "\x1b[31m", "", "\x1b[32m", "", "\x1b[m", "")
		shown := string(s.unifiedDiff("f", []byte(tt.data), at(tt.data, tt.values...)))
		if colors.Replace(shown) != got || !strings.Contains(shown, "\n\x1b[31m-") ||
			!strings.Contains(shown, "\n\x1b[32m+") {
			t.Errorf("%s: in colours got %q, want colours around %q", tt.name, shown, got)
		}
	}
}

// The headings of a diff are bold, its hunks cyan, removed lines red and added lines green. A
// terminal obeys no character of the name or of the text.
func TestColors(t *testing.T) {
	s := &Show{Terminal: true, Color: true}
	data := []byte("a\n-- \x1b\n++ b")
	edits := []extract.Edit{{Span: extract.Span{Start: 5, End: 6}, New: []byte("c")},
		{Span: extract.Span{Start: 11, End: 11}, New: []byte("\nd")}}
	got := string(s.unifiedDiff("\x1bf", data, edits))
	const want = "\x1b[1mdiff \\u001bf \\u001bf (absolute)\x1b[m\n\x1b[1m--- \\u001bf\x1b[m\n" +
		"\x1b[1m+++ \\u001bf (absolute)\x1b[m\n\x1b[36m@@ -1,3 +1,4 @@\x1b[m\n a\n" +
		"\x1b[31m--- \\u001b\x1b[m\n\x1b[31m-++ b\x1b[m\n\\ No newline at end of file\n" +
		"\x1b[32m+-- c\x1b[m\n\x1b[32m+++ b\x1b[m\n\x1b[32m+d\x1b[m\n\\ No newline at end of file\n"
	if got != want {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

// A file or a pipe gets the whole diff.
func TestDifferenceForPatch(t *testing.T) {
	line := strings.Repeat("x", 2*longLine) + "\x1b"
	s := &Show{}
	got := string(s.unifiedDiff("f", []byte(line+"\n"), []extract.Edit{{New: []byte("N")}}))
	if want := "\n-" + line + "\n+N" + line + "\n"; !strings.HasSuffix(got, want) {
		t.Errorf("got %q, want %q at its end", got, want)
	}
}

// Both shortened texts differ only in the edits, and short lines are whole.
func FuzzShortened(f *testing.F) {
	f.Add([]byte("a\n"+strings.Repeat("b", 500)+"\nc"), []byte{3, 2, 100, 5})
	f.Fuzz(func(t *testing.T, data, cuts []byte) {
		var edits []extract.Edit
		for at := 0; len(cuts) >= 2; cuts = cuts[2:] {
			e := extract.Edit{Span: extract.Span{Start: at + int(cuts[0]), End: at + int(cuts[0]) + int(cuts[1])%9},
				New: []byte("N")}
			at = e.End
			if e.End > len(data) {
				break
			}
			edits = append(edits, e)
		}
		was, is := shortened(data, edits)
		if len(edits) == 0 && string(was) != string(is) {
			t.Errorf("without edits %q became %q and %q", data, was, is)
		}
		if len(data) <= longLine && string(was) != string(data) {
			t.Errorf("short lines %q became %q", data, was)
		}
		if want := extract.Apply(nil, data, edits); len(data) <= longLine && string(is) != string(want) {
			t.Errorf("short lines with edits: got %q, want %q", is, want)
		}
	})
}

// characterStart returns no offset inside a character of UTF-8.
func TestCharacterStart(t *testing.T) {
	for _, tt := range []struct {
		text     string
		at, want int
	}{
		{"aéz", 0, 0}, {"aéz", 1, 1}, {"aéz", 2, 1}, {"aéz", 3, 3}, {"aéz", 4, 4}, {"aéz", 9, 4},
		{"\U0001F600x", 3, 0}, {"\U0001F600x", 4, 4}, {"é", 1, 0}, {"é", 2, 2},
		{"a\x80\x80\x80\x80\x80\x80\x80", 6, 2}, {"\x80a", 0, 0}, // no UTF-8
	} {
		if got := characterStart([]byte(tt.text), tt.at); got != tt.want {
			t.Errorf("characterStart(%q, %d) = %d, want %d", tt.text, tt.at, got, tt.want)
		}
	}
}

// A line ends after its LF, or at the end of the data. The edits that begin in it are counted, and
// lines that one edit joins are one line.
func TestFindLine(t *testing.T) {
	const data = "\n\na\n\nb"
	for _, tt := range []struct{ start, at, length, end, n int }{
		{0, 9, 0, 1, 0}, {1, 9, 0, 2, 0}, {2, 9, 0, 4, 0}, {3, 9, 0, 4, 0}, {4, 9, 0, 5, 0}, {5, 9, 0, 6, 0},
		{0, 0, 0, 1, 1}, {0, 0, 1, 1, 1}, {0, 0, 2, 2, 1}, {0, 0, 3, 4, 1}, {0, 1, 1, 1, 0}, {1, 1, 1, 2, 1},
		{2, 3, 2, 5, 1}, {4, 4, 2, 6, 1},
	} {
		edits := []extract.Edit{{Span: extract.Span{Start: tt.at, End: tt.at + tt.length}}}
		if end, n := findLine([]byte(data), tt.start, edits); end != tt.end || n != tt.n {
			t.Errorf("findLine from %d with an edit of %v = %d, %d, want %d, %d",
				tt.start, edits[0].Span, end, n, tt.end, tt.n)
		}
	}
}
