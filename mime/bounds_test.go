package mime

import (
	"testing"

	"absolink/extract"
)

func TestKeepsBounds(t *testing.T) {
	const head = "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n"
	tests := []struct {
		name, body string
		start, end int
		text       string
		want       bool
	}{
		{"within a line", "<a href=x>\n", 8, 9, "http://x/", true},
		{"the last byte", "<a href=x", 8, 9, "y", true},
		{"the last byte goes", "<a href=x", 8, 9, "", false},
		{"a CR in the end", "<a href=x", 9, 9, "\r", false},
		{"a CR before the last byte", "<a\rx", 4, 4, "y", true},
		{"a CR at the end of the body", "<ax\r\r", 4, 4, "y", false},
		{"a CR before the last new byte", "<a href=x", 9, 9, "\ry", true},
		{"a CR behind the last new byte", "<a href=x", 9, 9, "y\r", false},
		{"all of an empty body", "", 0, 0, "x", false},
		{"two dashes begin the body", "<a>", 0, 1, "--", false},
		{"dashes begin a new line", "<a>", 3, 3, "\n--b", false},
		{"a dash before a dash", "x\n-b\n", 2, 2, "-", false},
		{"a line end goes before dashes within a line", "x\n.\n--c\n", 1, 5, "", true},
		{"what is before dashes goes", "x--c\n", 0, 1, "", false},
		{"a line end comes before dashes", "x--c\n", 1, 1, "\n", false},
		{"a line with dashes gets longer", "--c\nx", 3, 3, "d", false},
		{"one dash", "-c\nx", 2, 2, "d", true},
		{"dashes begin lines elsewhere", "x\n--c\ny\n--d\n", 7, 8, "z", true},
	}
	for _, tt := range tests {
		m := inBytes([]byte(head+tt.body+"\n--b--\n"), Limits{})
		l, err := m.Root.Parts[0].Leaf()
		if err != nil {
			t.Fatal(err)
		}
		edits := []extract.Edit{{Span: extract.Span{Start: tt.start, End: tt.end}, New: []byte(tt.text)}}
		if got := l.keepsBounds(edits); got != tt.want {
			t.Errorf("%s: keepsBounds of %q in place of %d:%d of %q: got %v, want %v",
				tt.name, tt.text, tt.start, tt.end, tt.body, got, tt.want)
		}
	}
}
