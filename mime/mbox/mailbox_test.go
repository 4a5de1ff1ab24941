package mbox

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"absolink/testdata/corpus"
)

// mails returns the project's own messages and those of the corpus.
var mails = sync.OnceValues(func() (list []string, err error) {
	dirs := []string{filepath.Join("..", "..", "testdata", "mail")}
	if !corpus.Own() {
		dirs = append(dirs, corpus.Folder("mail"))
	}
	for _, dir := range dirs {
		err = errors.Join(err, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) == ".tsv" || filepath.Ext(path) == ".md" {
				return err
			}
			msg, err := os.ReadFile(path)
			list = append(list, string(msg))
			return err
		}))
	}
	if least := 20 + 1500*(len(dirs)-1); len(list) < least {
		err = errors.Join(err, fmt.Errorf("%d messages, want at least %d", len(list), least))
	}
	return list, err
})

// layout describes how a mailbox is built.
type layout struct {
	name    string
	variant Variant
	ends    []string // line ends of separators and of the blank lines around them, in turn
	blanks  []int    // numbers of blank lines after a message, in turn
	cut     bool     // no line end at the end
}

var layouts = []layout{
	{"as it should be", RD, []string{"\n"}, []int{1}, false},
	{"as it should be", O, []string{"\n"}, []int{1}, false},
	{"as it should be", CL, []string{"\n"}, []int{1}, false},
	{"as it should be", CL2, []string{"\n"}, []int{1}, false},
	{"without blank lines", RD, []string{"\n"}, []int{0}, false},
	{"some without blank lines", CL2, []string{"\n"}, []int{1, 0, 1, 2}, false},
	{"two blank lines", O, []string{"\n"}, []int{2}, false},
	{"CRLF", RD, []string{"\r\n"}, []int{1}, false},
	{"CRLF", CL, []string{"\r\n"}, []int{1, 0}, false},
	{"mixed line ends", RD, []string{"\n", "\r\n"}, []int{1, 0, 2}, false},
	{"mixed line ends", CL2, []string{"\n", "\r\n"}, []int{1, 0, 2}, false},
	{"no line end at the end", RD, []string{"\n"}, []int{1}, true},
	{"no line end at the end", CL2, []string{"\n"}, []int{1}, true},
}

// built is a message of a mailbox as the test has written it.
type built struct {
	offset       int64
	sep, content string
	blank        string // lines after it that the mailbox needs
}

const trap = "\nFrom trap@x Thu Jan  1 00:00:00 2026\nSubject: trap\n\n>From trap@x\nA: b\n\n>>From trap@x\n"

// build makes a mailbox of messages. Every third message gets lines that look like separators. If a
// message has no blank line after it, the next message begins with a field, so that its separator
// has two signs.
func build(t testing.TB, l layout) (box string, list []built) {
	t.Helper()
	msgs, err := mails()
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	blanks := 1
	for _, msg := range msgs {
		i := len(list)
		text, ok := l.message(msg, i%3 == 0)
		if !ok || blanks == 0 && !beginsWithField(text) {
			continue
		}
		end := l.ends[i%len(l.ends)]
		blanks = l.blanks[i%len(l.blanks)]
		b := built{int64(out.Len()), l.separator(i) + end, text, strings.Repeat(end, blanks)}
		out.WriteString(b.sep + b.content + b.blank)
		list = append(list, b)
	}
	box = out.String()
	if l.cut {
		last := &list[len(list)-1]
		last.content, last.blank = strings.TrimRight(last.content, "\r\n"), ""
		if first, rest, _ := strings.Cut(last.content, "\n"); strings.HasPrefix(first, "Content-Length: ") {
			last.content = counted(rest)
		}
		box = box[:last.offset] + last.sep + last.content
	}
	return box, list
}

func beginsWithField(msg string) bool {
	name, rest, ok := strings.Cut(msg, ":")
	return ok && strings.Trim(name, "-ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") == "" &&
		!strings.HasPrefix(rest, "//") || strings.HasPrefix(msg, ">From ")
}

// separator returns one of the usual forms of separators.
func (l layout) separator(i int) string {
	return [...]string{
		"From a@x Thu Jan  1 00:00:00 2026",
		"From - Thu Jan 01 00:00:00 2026",
		"From 1789123456789012345@xxx Thu Jan 01 00:00:00 +0000 2026",
	}[i%3]
}

// message returns the message in the form of the mailbox, and whether that form exists. In CL2 only
// Content-Length tells that a line of the message is not a separator.
func (l layout) message(msg string, trapped bool) (string, bool) {
	if !strings.Contains(msg, "\n") {
		return "", false
	}
	if !strings.HasSuffix(msg, "\n") {
		msg += "\n"
	}
	if trapped {
		msg += trap
	}
	switch l.variant {
	case RD:
		return quoted(msg, true), true
	case O:
		return quoted(msg, false), true
	case CL:
		return counted(quoted(msg, true)), true
	}
	msg = strings.TrimPrefix(msg, ">")
	for strings.HasPrefix(msg, "From ") {
		_, msg, _ = strings.Cut(msg, "\n")
	}
	text := counted(msg)
	return text, text != msg || !strings.Contains(msg, "\nFrom ")
}

// quoted puts a ">" before lines that begin with "From ". If all is set, it also does so before
// lines that begin with any number of ">" and "From ".
func quoted(msg string, all bool) string {
	var out strings.Builder
	for line := range strings.Lines(msg) {
		if strings.HasPrefix(line, "From ") || all && strings.HasPrefix(strings.TrimLeft(line, ">"), "From ") {
			out.WriteByte('>')
		}
		out.WriteString(line)
	}
	return out.String()
}

// head returns the length of the header with the blank line that ends it, or 0 if there is no blank
// line.
func head(msg string) (n int) {
	for line := range strings.Lines(msg) {
		n += len(line)
		if line == "\n" || line == "\r\n" {
			return n
		}
	}
	return 0
}

// counted puts a Content-Length before the other fields of a message, if that is possible and it
// has none.
func counted(msg string) string {
	n := head(msg)
	if n == 0 || !beginsWithField(msg) || msg[0] == '>' || strings.Contains(msg[:n], "\nFrom ") ||
		strings.Contains(strings.ToLower(msg[:n]), "content-length") {
		return msg
	}
	return fmt.Sprintf("Content-Length: %d\n%s", len(msg)-n, msg)
}

// A reader finds exactly the messages that were put into a mailbox, byte by byte.
func TestMailboxes(t *testing.T) {
	for _, l := range layouts {
		t.Run(l.variant.String()+" "+l.name, func(t *testing.T) {
			box, list := build(t, l)
			for how, r := range map[string]*Reader{
				"file": newReader(strings.NewReader(box), Options{Variant: l.variant}, windowSize),
				"pipe": newReader(stream{strings.NewReader(box)},
					Options{Variant: l.variant, Hold: 16 << 10, TempDir: t.TempDir()}, smallWindow),
			} {
				checkBuilt(t, how, l, all(t, r), list)
			}
			t.Logf("%d messages", len(list))
		})
	}
}

func checkBuilt(t *testing.T, how string, l layout, got []got, want []built) {
	t.Helper()
	for i := range min(len(got), len(want)) {
		g, w := got[i], want[i]
		if g.number != i+1 || g.offset != w.offset || g.sep != w.sep || g.content+g.rest != w.content+w.blank {
			t.Fatalf("%s: message %d: got %.300s at %d of %d bytes, want %q at %d of %d bytes", how,
				i+1, g, g.offset, len(g.content+g.rest), w.sep, w.offset, len(w.content+w.blank))
		}
		if len(l.blanks) == 1 && l.blanks[0] == 1 && w.blank != "" && head(w.content) > 0 && g.content != w.content {
			t.Fatalf("%s: message %d: content ends with %q, want %q", how, i+1,
				g.content[max(0, len(g.content)-20):], w.content[max(0, len(w.content)-20):])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: %d messages, want %d", how, len(got), len(want))
	}
}

// Python's mailbox module takes every line that begins with "From " for a separator. It drops a
// blank line before it that is only an LF.
func TestPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	dir := t.TempDir()
	args := []string{filepath.Join("testdata", "messages.py")}
	var boxes []string
	var readAs []layout
	for _, l := range layouts {
		if l.variant == CL2 {
			continue // it has lines that Python takes for separators
		}
		box, _ := build(t, l)
		path := filepath.Join(dir, fmt.Sprint(len(boxes)))
		if err := os.WriteFile(path, []byte(box), 0o600); err != nil {
			t.Fatal(err)
		}
		args, boxes, readAs = append(args, path), append(boxes, box), append(readAs, l)
	}
	out, err := exec.Command(python, args...).Output()
	if err != nil {
		t.Fatalf("messages.py: %v", err)
	}
	r := bufio.NewReader(bytes.NewReader(out))
	for i, box := range boxes {
		name := readAs[i].variant.String() + " " + readAs[i].name
		comparePython(t, name, all(t, NewReader(strings.NewReader(box), Options{Variant: readAs[i].variant})), r)
	}
}

func comparePython(t *testing.T, name string, list []got, r *bufio.Reader) {
	t.Helper()
	var n int
	if _, err := fmt.Fscanf(r, "%d\n", &n); err != nil {
		t.Fatal(err)
	}
	if n != len(list) {
		t.Errorf("%s: %d messages, Python finds %d", name, len(list), n)
	}
	for i := range n {
		var size, sep int
		if _, err := fmt.Fscanf(r, "%d %d\n", &size, &sep); err != nil {
			t.Fatal(err)
		}
		content := make([]byte, size)
		if _, err := io.ReadFull(r, content); err != nil {
			t.Fatal(err)
		}
		if i < len(list) && (!asPython(list[i], string(content)) || len(list[i].sep) != sep) {
			t.Errorf("%s: message %d: %.300s\nPython has a separator of %d bytes and %.300q",
				name, i+1, list[i], sep, content)
		}
	}
}

// asPython reports whether content is the message as Python reads it: without a blank line that is
// an LF, even that of the header, but with one that is a CRLF.
func asPython(g got, content string) bool {
	whole := g.content + g.rest
	return content == whole || g.rest != "" && content == g.content && g.rest == "\n" ||
		g.rest == "" && content+"\n" == whole && strings.HasSuffix(whole, "\n\n")
}

// Ranges of a mailbox together give all its messages, wherever the mailbox is cut.
func TestRanges(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, l := range layouts {
		if l.variant.usesLength() {
			continue
		}
		box, list := build(t, l)
		least := min(64<<10, len(box)/10)
		var got []got
		for start := 0; start < len(box); {
			end := start + least + random.IntN(4*least)
			o := Options{Variant: l.variant, Start: int64(start), End: int64(end)}
			got = append(got, all(t, NewReader(strings.NewReader(box), o))...)
			start = end
		}
		for i := range got {
			got[i].number = i + 1
		}
		checkBuilt(t, "ranges of "+l.name, l, got, list)
	}
}

// Content-Length is read in ranges that begin and end at messages.
func TestCountedRanges(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, l := range layouts {
		if !l.variant.usesLength() {
			continue
		}
		box, list := build(t, l)
		var got []got
		for first := 0; first < len(list); {
			next := first + 1 + random.IntN(len(list)/5)
			o := Options{Variant: l.variant, Start: list[first].offset}
			if next < len(list) {
				o.End = list[next].offset
			}
			got = append(got, all(t, NewReader(strings.NewReader(box), o))...)
			first = next
		}
		for i := range got {
			got[i].number = i + 1
		}
		checkBuilt(t, "ranges of "+l.name, l, got, list)
	}
}

// A range with the number and the line of its first message gives the same numbers and lines as a
// Reader of the whole. A range that begins elsewhere has neither.
func TestNumberedRanges(t *testing.T) {
	const box = "From a\nA: b\n\ntext\n\nFrom b\nA: b\n\nmore\ntext\n\nFrom c\nA: b\n"
	tests := []struct {
		name string
		o    Options
		want string
	}{
		{"at a message", Options{Start: 19, Number: 2, Line: 6}, "2 at 19 line 6, 3 at 43 line 12"},
		{"at the last one", Options{Start: 43, Number: 3, Line: 12}, "3 at 43 line 12"},
		{"without a line", Options{Start: 19, End: 20, Number: 2}, "2 at 19 line 0"},
		{"without a number", Options{Start: 19}, "1 at 19 line 0, 2 at 43 line 0"},
		{"behind the first byte", Options{Start: 1}, "1 at 19 line 0, 2 at 43 line 0"},
		{"not at a message", Options{Start: 20, Number: 2, Line: 6}, "1 at 43 line 0"},
		{"at the start", Options{Number: 1, Line: 1, End: 19}, "1 at 0 line 1"},
		{"of one byte", Options{Number: 1, Line: 1, End: 1}, "1 at 0 line 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var list []string
			for _, m := range all(t, NewReader(strings.NewReader(box), tt.o)) {
				list = append(list, fmt.Sprintf("%d at %d line %d", m.number, m.offset, m.line))
			}
			if got := strings.Join(list, ", "); got != tt.want {
				t.Errorf("NewReader(%+v): got %s, want %s", tt.o, got, tt.want)
			}
		})
	}
}
