package e2e

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"absolink/testdata/effort"
)

// counter counts the bytes that are written to it.
type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) { c.n += int64(len(p)); return len(p), nil }

// inParts is a message whose heading has the given fields. The nested multiparts below it hold n
// short pages.
func inParts(fields, nested string, depth, n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%sContent-Type: multipart/related; boundary=b0\n\n--b0\n", fields)
	for i := range depth {
		fmt.Fprintf(&b, "%sContent-Type: multipart/related; boundary=b%d\n\n--b%d\n", nested, i+1, i+1)
	}
	for range n {
		fmt.Fprintf(&b, "Content-Type: text/html\n\n<a href=x>\n--b%d\n", depth)
	}
	return b.String()
}

// The output is proportional to the input, however long a base is and however many documents and
// references repeat it. It has at most most bytes for each byte of the input. For twice the input
// it is less than two and a half times as large.
func TestOutputBounded(t *testing.T) {
	effort.Only(t)
	repeat := strings.Repeat
	tests := []struct {
		name string
		text func(n int) string // a text of about n bytes
		most int64
	}{
		{"a long Content-Base.eml", func(n int) string {
			return inParts("Content-Base: http://h/"+repeat("b", n/2)+"/\n", "", 0, n/2/50)
		}, 200},
		{"a Content-Base of 8 KiB.eml", func(n int) string {
			return inParts("Content-Base: http://h/"+repeat("b", 8000)+"/\n", "", 0, n/50)
		}, 500},
		{"a Content-Location with a long query.eml", func(n int) string {
			return inParts("Content-Base: http://h/?"+repeat("b", 32<<10)+"\n", "", 0, n/50)
		}, 500},
		{"nested Content-Locations.eml", func(n int) string {
			return inParts("Content-Location: http://h/\n", "Content-Location: "+repeat("a/", 40)+"\n", 95, n/500)
		}, 2000},
		{"nested Content-Locations that must be escaped.eml", func(n int) string {
			return inParts("Content-Location: http://h/\n", "Content-Location: "+repeat("<", 400)+"/\n", 95, n/500)
		}, 2000},
		{"a long BASE.html", func(n int) string {
			return "<!DOCTYPE html><base href='http://h/" + repeat("b", n/2) + "/'>" + repeat("<a href=x>", n/20)
		}, 200},
		{"a BASE of 8 KiB.html", func(n int) string {
			return "<!DOCTYPE html><base href='http://h/" + repeat("b", 8000) + "/'>" + repeat("<a href=x>", n/10)
		}, 2000},
		{"a BASE with a long query.html", func(n int) string {
			return "<!DOCTYPE html><base href='http://h/?" + repeat("b", 32000) + "'>" + repeat("<a href>", n/10)
		}, 7000},
		{"a long Subject.eml", func(n int) string {
			return "Subject: " + repeat("s", n/2) + "\nMessage-ID: <" + repeat("i", n/4) +
				"@h>\nContent-Type: text/html\n\n" + repeat("<a href=http://h/x>", n/80)
		}, 200},
	}
	commands := []string{"base --format jsonl", "extract --format jsonl", "rewrite", "base", "extract"}
	for _, tt := range tests {
		for _, command := range commands {
			t.Run(tt.name+"/"+command, func(t *testing.T) {
				var before int64
				for _, n := range []int{17_000, 34_000, 68_000} {
					path := filepath.Join(t.TempDir(), tt.name)
					text := tt.text(n)
					if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
					var out counter
					absolink(append(strings.Fields(command), path), strings.NewReader(""), &out, io.Discard)
					if most := tt.most * int64(len(text)); out.n > most || before > 0 && out.n > 5*before/2 {
						t.Errorf("%d bytes: %d bytes are printed, %d a byte, want at most %d, and at most 5/2 of %d",
							len(text), out.n, out.n/int64(len(text)), tt.most, before)
					}
					before = out.n
					if t.Failed() {
						break
					}
				}
			})
		}
	}
}
