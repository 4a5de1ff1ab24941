package container_test

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/unit"
	"absolink/testdata/effort"
)

// archive returns n responses of an uncompressed web archive. A record that holds no document is
// before each.
func archive(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		block := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=%d>%s",
			i, strings.Repeat("\n", i))
		fmt.Fprintf(&b, "WARC/1.0\r\nWARC-Type: metadata\r\nContent-Length: 4\r\n\r\na\n\nb\r\n\r\n")
		fmt.Fprintf(&b, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.test/%d\r\n"+
			"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
			i, len(block), block)
	}
	return b.Bytes()
}

// lineOf returns the number of the line in which an offset lies.
func lineOf(content []byte, offset int64) int64 {
	return 1 + int64(bytes.Count(content[:offset], []byte("\n")))
}

// The place of an item is where its bytes are in the file, in a whole container and in each of its
// units.
func TestPlaces(t *testing.T) {
	_, noSeparator, _ := bytes.Cut(mailbox(5), []byte("\n"))
	contents := map[string][]byte{"box.mbox": mailbox(5), "start.mbox": noSeparator, "a.warc": archive(5)}
	for name, content := range contents {
		check := func(numbered bool) worker {
			return func(in *input.Document, out io.Writer, e *report.Entry) {
				p := &in.Place
				data, err := io.ReadAll(io.NewSectionReader(in.At, 0, in.Size))
				if err != nil || p.Origin < p.Begins || !bytes.HasPrefix(content[p.Origin:], data) || len(data) == 0 {
					t.Errorf("%s: item %d at %d has %q and error %v", name, p.Number, p.Origin, data, err)
				}
				line, number := lineOf(content, p.Origin), p.Number
				if !numbered {
					line, number = 0, 0
				}
				if p.Line != line || p.Number != number || !p.Inner || p.Compressed || e.Subject.Item != number {
					t.Errorf("%s: got %+v in an entry of item %d, want the line %d and a number: %v",
						name, p, e.Subject.Item, line, numbered)
				}
				if answer := in.Response != nil; answer != (name == "a.warc") {
					t.Errorf("%s: item %d has an answer: %v", name, p.Number, answer)
				}
				begin := content[p.Begins:]
				if !bytes.HasPrefix(begin, []byte("From ")) && !bytes.HasPrefix(begin, []byte("WARC/")) &&
					(name != "start.mbox" || p.Begins > 0) {
					t.Errorf("%s: item %d begins at %d with %.10q", name, p.Number, p.Begins, begin)
				}
				echo(in, out, e)
			}
		}
		all := list(t, 1, open(t, name, content, nil), check(true))
		lines := strings.SplitAfter(all.out.String(), "\n")
		if len(lines) != 6 {
			t.Fatalf("%s: got %q, want five documents", name, lines)
		}
		for _, item := range all.items {
			if item.Unit.Length != item.Bytes && name == "box.mbox" ||
				item.Unit.Line != lineOf(content, item.Unit.Offset) {
				t.Errorf("%s: the unit of %s is %+v with %d bytes", name, item.Name, item.Unit, item.Bytes)
			}
			rest := item.Unit
			rest.Length = int64(len(content)) - rest.Offset
			numbered := list(t, 1, open(t, name, content, &rest), check(true))
			rest.Line = 0
			list(t, 1, open(t, name, content, &rest), func(in *input.Document, _ io.Writer, e *report.Entry) {
				line, start := in.Place.Line, e.Subject.Unit.Line // unknown or right
				if line != 0 && line != lineOf(content, in.Place.Origin) ||
					start != 0 && start != lineOf(content, e.Subject.Unit.Offset) {
					t.Errorf("%s: in a unit without a line, item %d has the line %d and the unit %+v",
						name, in.Place.Number, line, e.Subject.Unit)
				}
			})
			rest.Item = 0
			for _, item := range list(t, 1, open(t, name, content, &rest), check(false)).items {
				if item.Unit.Item != 0 || item.Unit.Line != 0 {
					t.Errorf("%s: the unit of an item without a number is %+v", name, item.Unit)
				}
			}
			got := numbered.out.String()
			if !strings.HasSuffix(all.out.String(), got) || got == "" && item.Outcome == report.Listed {
				t.Errorf("%s: from item %d on got %q, want the end of %q", name, item.Item, got, all.out.String())
			}
		}
	}
}

// A problem of an item has the line of its offset. In a compressed container it has no line.
func TestPlacesOfProblems(t *testing.T) {
	long := strings.Repeat("x", 40<<10) // too long for a base
	damaged := bytes.Replace(archive(3), []byte("http://a.test/1"), []byte("http://a.test/1"+long), 1)
	box := append([]byte("some\ntext\n\n"), mailbox(2)...)
	stray := bytes.Replace(archive(3), []byte("\r\n\r\nWARC/1.0\r\nWARC-Type: metadata"),
		[]byte("\r\n\r\n\r\nno\nrecord\r\nWARC/1.0\r\nWARC-Type: metadata"), 1)
	contents := map[string][]byte{"a.warc": damaged, "stray.warc": stray, "box.mbox": box,
		"end.warc": append(archive(2), "no\nrecord\n"...)}
	for name, content := range contents {
		for _, compressed := range []bool{false, true} {
			file, stored := name, content
			if compressed {
				file += ".gz"
				stored = []byte(zipped(content))
			}
			w := list(t, 1, open(t, file, stored, nil), echo)
			n := 0
			entries := append([]*report.Entry{&w.entry}, w.entry.Items.Unreported...)
			for _, e := range entries {
				for _, p := range e.Problems.All() {
					if p.Minor {
						continue // the references without a base
					}
					n++
					want := int64(0)
					if !compressed {
						want = lineOf(content, p.Offset)
					}
					if p.Line != want {
						t.Errorf("%s: %q at %d is on line %d, want %d", file, p.Text, p.Offset, p.Line, want)
					}
				}
			}
			if n == 0 {
				t.Errorf("%s: got no problem", file)
			}
		}
	}
}

// The offset of a problem in a message counts from the start of the mailbox.
func TestPlaceInLaterMessage(t *testing.T) {
	content := append(mailbox(2), "From a@b.test Thu Jan  1 00:00:00 1970\nSubject: x\n\nFrom here\nto there\n"...)
	at := int64(bytes.Index(content, []byte("From here")))
	w := list(t, 1, open(t, "a.mbox", content, nil), echo)
	var got []report.Problem
	for _, e := range w.entry.Items.Unreported {
		got = append(got, e.Problems.All()...)
	}
	want := report.Problem{Offset: at, Line: lineOf(content, at), Column: 1,
		Text: "line that begins with \"From \" and is not a separator"}
	if len(got) != 1 || got[0] != want {
		t.Errorf("the problems are %+v, want %+v", got, want)
	}
}

// The problems of a record have their lines also in an archive from a pipe or a server. There the
// bytes after the block cannot be read again, so the line of a problem among them is unknown.
func TestPlacesWithoutFile(t *testing.T) {
	header := func(text string) string { return "WARC/1.0\r\nWARC-Type: response\r\n" + text }
	block := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x>"
	typed := fmt.Sprintf("Content-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", len(block), block)
	content := header(typed) + header("no field\r\n"+typed) + header(typed) + "stray\r\n" + header(typed)
	file := open(t, "a.warc", []byte(content), nil)
	server := open(t, "a.warc", []byte(content), nil)
	server.URL = "http://a.test/a.warc"
	reader := &input.Reader{Options: input.Options{MaxSize: 1 << 20, Stdin: io.MultiReader(strings.NewReader(content))}}
	pipe, err := reader.Open(t.Context(), input.File{Source: input.Stdin, Named: true, Bytes: -1})
	if err != nil {
		t.Fatal(err)
	}
	const field, stray = "13:1 header line without a field name", "7 stray bytes after the record"
	for name, tt := range map[string]struct {
		in   *input.Document
		want []string
	}{
		"a file":   {file, []string{field, "32:1 " + stray}},
		"a server": {server, []string{field, "0:0 " + stray}},
		"a pipe":   {pipe, []string{field, "0:0 " + stray}},
	} {
		var got []string
		w := new(walked)
		l := newLoop(t, 1, w, echo)
		l.Emit = func(e *report.Entry, _ io.Writer) {
			for _, p := range e.Problems.All() {
				got = append(got, fmt.Sprintf("%d:%d %s", p.Line, p.Column, p.Text))
			}
		}
		l.List(t.Context(), tt.in, &w.out, &w.entry)
		for _, e := range w.entry.Items.Unreported {
			l.Emit(e, io.Discard)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: the problems are %q, want %q", name, got, tt.want)
		}
	}
}

// The number of bytes of each entry, and the steps of the progress, cover the container.
func TestBytes(t *testing.T) {
	for name, content := range map[string][]byte{"box.mbox": mailbox(5), "a.warc": archive(5)} {
		units := []*unit.Unit{nil}
		for part := int64(2); part < 40; part += 3 {
			length := int64(len(content)) * part / 40
			units = append(units, &unit.Unit{Path: name, Ranged: true, Length: length},
				&unit.Unit{Path: name, Ranged: true, Offset: length / 2, Length: length / 2})
		}
		for _, u := range units {
			w := list(t, 1, open(t, name, content, u), echo)
			sum, bytes := w.entry.Progress, int64(0)
			for _, item := range w.items {
				sum += item.Step
				bytes += item.Bytes
			}
			if whole := int64(len(content)); u == nil && (sum != whole || bytes > whole || bytes < whole/3) {
				t.Errorf("%s: the steps are %d bytes and the items %d of %d", name, sum, bytes, whole)
			}
			last := sum - w.entry.Progress // the end of the last item
			if u != nil && len(w.items) > 0 && sum != max(u.Length, last) || len(w.items) == 0 && last != 0 {
				t.Errorf("%s: the steps of a unit of %d bytes are %d and %d", name, u.Length, last, w.entry.Progress)
			}
		}
	}
}

func zipped(content []byte) string {
	var b bytes.Buffer
	z := gzipWriter()
	z.Reset(&b)
	z.Write(content)
	z.Close()
	return b.String()
}

// The steps of a compressed container are stored bytes.
func TestStoredBytes(t *testing.T) {
	boxes := map[string][]byte{"box.mbox.gz": mailbox(500), "large.mbox.gz": mailbox(effort.Pick(9000, 2*large))}
	for name, content := range boxes {
		stored := []byte(zipped(content))
		w := list(t, 1, open(t, name, stored, nil), echo)
		sum := w.entry.Progress
		for _, item := range w.items {
			sum += item.Step
			if item.Step < 0 || item.Step > int64(len(stored)) {
				t.Errorf("%s: %s is a step of %d bytes, of %d", name, item.Name, item.Step, len(stored))
			}
		}
		if sum != int64(len(stored)) {
			t.Errorf("%s: the steps are %d bytes, want %d", name, sum, len(stored))
		}
	}
}

// Records that share a gzip member have the unit of the member, which reads all of them.
func TestUnitOfMember(t *testing.T) {
	content := []byte(zipped(archive(2)) + zipped(archive(3)))
	all := list(t, 1, open(t, "a.warc.gz", content, nil), echo)
	lines := strings.SplitAfter(all.out.String(), "\n")
	n := 0
	for i, item := range all.items {
		if item.Outcome != report.Listed {
			continue
		}
		u := item.Unit
		some := list(t, 1, open(t, "a.warc.gz", content, &u), echo)
		if !strings.Contains(some.out.String(), lines[n]) {
			t.Errorf("the unit %+v reads %q, want %q in it", u, some.out.String(), lines[n])
		}
		for _, again := range some.items {
			if again.Name == item.Name && again.Item != item.Item {
				t.Errorf("item %d is %s in the unit, want %s", i, again.Name, item.Name)
			}
		}
		n++
	}
	if n != 5 {
		t.Errorf("got %d records, want 5", n)
	}
}

// The unit of a record in a gzip member of its own is that member. Of several records in a member,
// each unit is one byte at the offset of the member, with the number of the first of them.
func TestUnitsOfRecords(t *testing.T) {
	two := string(archive(2))
	two = two[strings.Index(two, "WARC/1.0\r\nWARC-Type: response"):] // begins with a document
	own, shared := records(3, 100), zipped([]byte(two))
	content := append(slices.Clone(own), shared...)
	all := list(t, 1, open(t, "a.warc.gz", content, nil), echo)
	var want []unit.Unit
	for i, at := range []int{0, 1, 2} {
		start := nthMember(own, at)
		end := nthMember(content, at+1)
		want = append(want, unit.Unit{Path: "a.warc.gz", Ranged: true, Offset: start, Length: end - start, Item: i + 1})
	}
	for range 2 {
		want = append(want, unit.Unit{Path: "a.warc.gz", Ranged: true, Offset: int64(len(own)), Length: 1, Item: 4})
	}
	for i, item := range all.items {
		if i >= len(want) || item.Unit != want[i] {
			t.Errorf("record %d has the unit %+v, want the units %+v", item.Item, item.Unit, want)
		}
	}
	u := want[1]
	u.Line = 5 // a line of a compressed archive means nothing
	list(t, 1, open(t, "a.warc.gz", content, &u), func(in *input.Document, _ io.Writer, e *report.Entry) {
		if in.Place.Line != 0 || e.Subject.Unit.Line != 0 {
			t.Errorf("a compressed record has the line %d and the unit %+v", in.Place.Line, e.Subject.Unit)
		}
	})
}

// nthMember returns the offset of a gzip member.
func nthMember(content []byte, n int) int64 {
	at := 0
	for range n {
		at += 3 + bytes.Index(content[at+3:], []byte("\x1f\x8b\x08"))
	}
	return int64(at)
}

// Wherever a container is cut into units without numbers, their items are those of the whole.
func TestCutAnywhere(t *testing.T) {
	inner := fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://o.test/\r\n"+
		"Content-Type: application/http\r\nContent-Length: %d\r\n\r\nHTTP/1.1 200 OK\r\n\r\n%s\r\n\r\n",
		len(archive(3))+len("HTTP/1.1 200 OK\r\n\r\n"), archive(3))
	contents := map[string]string{
		"box.mbox": string(mailbox(9)), "a.warc": string(archive(4)),
		"nested.warc":    string(archive(1)) + inner + string(archive(1)),
		"nested.warc.gz": string(records(2, 100)) + zipped([]byte(inner)) + string(records(2, 100)),
		"junk.warc":      "junk\n" + string(archive(3)),
		"text.mbox":      "a: b\n\ntext\n\n" + string(mailbox(3)),
	}
	for name, text := range contents {
		content := []byte(text)
		whole := &unit.Unit{Path: name, Ranged: true, Length: int64(len(content))}
		want := list(t, 1, open(t, name, content, nil), echo)
		problems := want.entry.Problems.Len()
		for _, item := range []int{0, 1} {
			whole.Item = item
			got := list(t, 1, open(t, name, content, whole), echo)
			if got.out.String() != want.out.String() || got.entry.Problems.Len() != problems {
				t.Errorf("%s in one unit: got\n%s%v\nwant\n%s%v", name,
					got.out.String(), got.entry.Problems.All(), want.out.String(), want.entry.Problems.All())
			}
		}
		for _, size := range append(effort.Pick([]int64{100, 37}, []int64{71}), int64(len(content))/3+1) {
			w := new(walked)
			l := newLoop(t, 1, w, echo)
			for at := int64(0); at < int64(len(content)); at += size {
				u := unit.Unit{Path: name, Ranged: true, Offset: at, Length: size}
				l.List(t.Context(), open(t, name, content, &u), &w.out, &w.entry)
			}
			if w.out.String() != want.out.String() {
				t.Errorf("%s in units of %d bytes: got\n%swant\n%s", name, size, w.out.String(), want.out.String())
			}
		}
	}
}

// A compressed mailbox whose end is missing fails after the messages before it.
func TestCutMailbox(t *testing.T) {
	for name, content := range map[string][]byte{"box.mbox.gz": mailbox(large), "small.mbox.gz": mailbox(60)} {
		whole := zipped(content)
		for _, jobs := range []int{1, 2} {
			w := list(t, jobs, open(t, name, []byte(whole[:len(whole)*3/4]), nil), echo)
			damaged := w.entry.Result.Outcome() == report.Failed
			if !damaged || len(w.items) < 10 {
				t.Errorf("%s with %d jobs: got %v, %q and %d items, want a failure after some",
					name, jobs, w.entry.Result.Outcome(), w.entry.Result.Reason(), len(w.items))
			}
		}
	}
}
