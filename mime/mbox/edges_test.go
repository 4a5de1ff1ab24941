package mbox

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"absolink/mime"
)

// A separator may have maxSeparator bytes, and the name of the field after it one byte less than
// maxName. Every way of reading finds such a separator, and none that is longer.
func TestLongestSeparators(t *testing.T) {
	for _, line := range []int{maxSeparator - 1, maxSeparator, maxSeparator + 1} {
		for _, name := range []int{maxName - 1, maxName} {
			sep := "From " + strings.Repeat("x", line-len("From \n")) + "\n"
			head := strings.Repeat("n", name) + ": v\n\n"
			short, field := line <= maxSeparator, name < maxName
			for before, found := range map[string]bool{"": short, bom: short, ">": short && field,
				bom + ">": short && field} {
				for how, r := range readers(t, before+sep+head, Options{}) {
					if got := all(t, r); len(got) != 1 || (got[0].sep != "") != found {
						t.Errorf("%s: a line of %d bytes at the start, after %q, with a name of %d: got the separator "+
							"%.20q, want one: %v", how, line, before, name, got[0].sep, found)
					}
				}
			}
			for _, blanks := range []string{"", "\n", "\n\n", "\r\n\r\n"} {
				for _, v := range []Variant{RD, CL} {
					in := "From a\nContent-Length: 5\n\nbody\n" + blanks + sep + head
					want := 1
					if short && field && (v == CL || blanks != "") {
						want = 2
					}
					for how, r := range readers(t, in, Options{Variant: v}) {
						if got := len(all(t, r)); got != want {
							t.Errorf("%s, %v: a line of %d bytes after %q, with a name of %d: got %d messages, want %d",
								how, v, line, blanks, name, got, want)
						}
					}
				}
			}
		}
	}
}

// A header of maxHeader bytes is found. A longer one is not, so its Content-Length has no effect.
func TestLongestHeader(t *testing.T) {
	for _, size := range []int{maxHeader - 1, maxHeader, maxHeader + 1} {
		const field = "Content-Length: 46\n"
		head := field + "A: " + strings.Repeat("x", size-len(field)-len("A: \n\n")) + "\n\n"
		body := date + "B: c\n\ntext\n" // has the separator of another message if the header is too long
		in := date + head + body + "\n" + date
		want := 2
		if size > maxHeader {
			want = 3
		}
		for how, r := range map[string]*Reader{
			"file": NewReader(strings.NewReader(in), Options{Variant: CL}),
			"pipe": newReader(stream{strings.NewReader(in)},
				Options{Variant: CL, Hold: 1, TempDir: t.TempDir()}, smallWindow),
		} {
			if got := len(all(t, r)); got != want {
				t.Errorf("%s, a header of %d bytes: got %d messages, want %d", how, size, got, want)
			}
		}
	}
}

// A message of up to Options.Hold bytes is in memory, and a small one always. The default is 16
// MiB.
func TestHold(t *testing.T) {
	for _, tt := range []struct {
		hold int
		size int64
		want bool
	}{
		{0, 1 << 20, true}, {0, 16 << 20, true}, {0, 16<<20 + 1, false}, {-1, 1 << 20, true},
		{1, 256 << 10, true}, {1, 1 << 20, false}, {2 << 20, 2 << 20, true}, {2 << 20, 2<<20 + 1, false},
	} {
		s := synthetic{heading: "From a\nA: b\n\n", size: tt.size}
		s.body = tt.size - int64(len(s.heading)) - 2
		m, err := NewReader(io.NewSectionReader(s, 0, s.size), Options{Hold: tt.hold}).Next()
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Data != nil; got != tt.want || m.Size() != tt.size {
			t.Errorf("Hold %d, a message of %d bytes, of %d: in memory: %v, want %v",
				tt.hold, m.Size(), tt.size, got, tt.want)
		}
		m.Release()
	}
}

// Messages that do not fit into the window count their lines, too.
func TestLinesOfLarge(t *testing.T) {
	in := ""
	var want []int64
	for _, lines := range []int{0, 10, 200, 3000, 1, 500, 0} {
		want = append(want, int64(1+strings.Count(in, "\n")))
		in += date + "A: b\n\n" + strings.Repeat("text\n", lines) + "\n"
	}
	for how, r := range readers(t, in, Options{}) {
		var got []int64
		for _, m := range all(t, r) {
			got = append(got, m.line)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: the messages begin on the lines %d, want %d", how, got, want)
		}
	}
}

// Lines end with CR only if no line feed is in the first headSize bytes. A pipe may give them in
// any pieces.
func TestLateLineFeed(t *testing.T) {
	for _, at := range []int{0, 10, 2000, headSize - 1, headSize} {
		in := strings.Repeat("x\r", headSize)[:at] + "\n\n" + date + "A: b\n\n"
		found := at < headSize
		for how, r := range map[string]io.Reader{
			"file": strings.NewReader(in), "pipe": stream{strings.NewReader(in)},
			"pipe in pieces": pieces{strings.NewReader(in)},
		} {
			list := all(t, NewReader(r, Options{}))
			if got := list[len(list)-1].sep == date; got != found {
				t.Errorf("%s: a line feed after %d bytes: the separator after it is found: %v, want %v",
					how, at, got, found)
			}
		}
	}
}

// pieces is a reader that reads at most 500 bytes at once.
type pieces struct{ io.Reader }

func (p pieces) Read(b []byte) (int, error) { return p.Reader.Read(b[:min(len(b), 500)]) }

// The temporary file of a pipe stays until the Reader has ended and all messages are released.
func TestLastUserOfSource(t *testing.T) {
	in := strings.Repeat(date+"Content-Length: 99\n\ntext\n\n", 3)
	for first := range 3 {
		r := newReader(stream{strings.NewReader(in)}, Options{Lengths: true, TempDir: t.TempDir()}, smallWindow)
		messages := list(r)
		for i := range messages {
			if r.src.stored == nil {
				t.Errorf("the temporary file is gone, and %d messages are not released", len(messages)-i)
			}
			messages[(first+i)%len(messages)].Release()
		}
		if r.src.stored != nil || len(messages) != 3 {
			t.Errorf("after the release of %d messages the temporary file is still there", len(messages))
		}
	}
}

// When the written mailbox has passed the offsets to which invalid fields lead, the source need not
// keep the bytes of a pipe for them.
func TestAdmitEndsHolding(t *testing.T) {
	field := func(n int) string { return fmt.Sprintf("%sContent-Length: %04d\n\n%s\n", date, n, "text\ntext\n") }
	inside, next, valid := field(3), field(30), field(10)
	for in, want := range map[string]int{
		inside + inside + inside: 0, next + inside + valid: 0, next + next + next + valid: 0, valid + valid: 0,
		inside + field(9999) + valid: 1, // it leads to no written byte
	} {
		r := newReader(stream{strings.NewReader(in)}, Options{Lengths: true, TempDir: t.TempDir()}, smallWindow)
		for _, m := range list(r) {
			if err := m.Admit(nil); err != nil {
				t.Fatal(err)
			}
		}
		if r.src.holders != want {
			t.Errorf("%q: %d fields need the bytes of the pipe at the end, want %d", in, r.src.holders, want)
		}
	}
}

// Only blanks may be around the digits of a Content-Length.
func TestLengthDigits(t *testing.T) {
	for c := range 256 {
		if c == '\n' {
			continue
		}
		blank := strings.IndexByte(" \t\r", byte(c)) >= 0
		digit := '0' <= c && c <= '9'
		for text, want := range map[string]bool{
			fmt.Sprintf("%c5", c): blank || digit || c == '+', // package mime accepts a sign, too
			fmt.Sprintf("5%c", c): blank || digit,
		} {
			if c >= 0x80 {
				text = strings.ReplaceAll(text, string(rune(c)), string([]byte{byte(c)}))
			}
			n, _, digits := findContentLength([]byte("Content-Length: "+text+"\n\n"), '\n')
			if got := digits.Len() > 0; got != want || blank && n != 5 {
				t.Errorf("Content-Length: %q: got %d and a number: %v, want one: %v", text, n, got, want)
			}
		}
	}
}

// ReadAt reads each part of a message, wherever its bytes are.
func TestReadAt(t *testing.T) {
	box := date + "A: b\n\n" + strings.Repeat("text\n", 60<<10)
	left, right := make([]byte, len(box)+1), make([]byte, len(box)+1)
	for how, r := range readers(t, box, Options{}) {
		m, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		want := strings.NewReader(box)
		size := len(box)
		for _, off := range []int{-1, 0, 1, 100, size - 1, size, size + 1} {
			for _, n := range []int{1, 50, size - 1, size, size + 1} {
				b, c := left[:n], right[:n]
				clear(b)
				k, err := m.ReadAt(b, int64(off))
				l, wantErr := want.ReadAt(c, int64(off))
				if k != l || (err == nil) != (wantErr == nil) || off >= 0 && err != wantErr ||
					!bytes.Equal(b[:k], c[:l]) {
					t.Errorf("%s: ReadAt of %d bytes at %d: got %d, %v, want %d, %v", how, n, off, k, err, l, wantErr)
				}
			}
		}
		m.Release()
	}
}

// A temporary file is needed to examine a Content-Length, and for a large message. If there is
// none, no message is cut where the field says, or read only in part.
func TestNoTempDirForLength(t *testing.T) {
	body := strings.Repeat("text\n", 20<<10)
	box := fmt.Sprintf("%sContent-Length: %d\n\n%s\n%sA: b\n\n", date, len(body), body, date)
	none := t.TempDir() + "/none"
	for name, set := range map[string]func(*Reader){
		"source": func(r *Reader) { r.src.tempDir = none },
		"store":  func(r *Reader) { r.store.dir = none },
	} {
		r := newReader(stream{strings.NewReader(box)}, Options{Variant: CL, Hold: 1, TempDir: t.TempDir()}, smallWindow)
		set(r)
		if list, err := untilError(r); len(list) > 0 || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("no directory for the %s: got %d messages and %v, want none and that it does not exist",
				name, len(list), err)
		}
	}
}

// Admit needs bytes of the mailbox if a Content-Length is invalid or leads to the end of a large
// message. If they cannot be read, it returns the error.
func TestAdmitReadError(t *testing.T) {
	body := strings.Repeat("text\n", 2<<10)
	failed := errors.New("failed")
	for name, length := range map[string]int{"in this message": 100, "in the next one": len(body) + 100,
		"to the end of this message": len(body)} {
		box := fmt.Sprintf("%sContent-Length: %d\n\n%s\n%sA: b\n\n%[3]s", date, length, body, date)
		broken := false
		file := readerAt(func(b []byte, off int64) (int, error) {
			if broken {
				return 0, failed
			}
			return strings.NewReader(box).ReadAt(b, off)
		})
		r := newReader(io.NewSectionReader(file, 0, int64(len(box))), Options{Lengths: true, Hold: 1}, smallWindow)
		m, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		start := int64(strings.Index(box, "text")) - m.Content.Start
		edits := m.Measured([]mime.Edit{{Span: mime.Span{Start: start, End: start + 4}, New: []byte("long text")}})
		broken = true
		if err := m.Admit(edits); !errors.Is(err, failed) {
			t.Errorf("a Content-Length that leads %s: got %v, want %v", name, err, failed)
		}
		if err := m.Admit(nil); err != nil {
			t.Errorf("a Content-Length that leads %s, without edits: got %v", name, err)
		}
	}
}
