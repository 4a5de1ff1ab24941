package container_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"absolink/cmd/absolink/internal/account"
	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/container"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/source"
	"absolink/cmd/absolink/internal/unit"
	"absolink/extract"
	"absolink/testdata/effort"
)

// worker is a container.Worker that calls one function.
type worker func(in *input.Document, out io.Writer, e *report.Entry)

func (w worker) Work(_ context.Context, in *input.Document, out io.Writer, e *report.Entry) {
	w(in, out, e)
}

// told is a copy of the entry of an item.
type told struct {
	Name, Reason string
	Outcome      report.Outcome
	Item         int
	Unit         unit.Unit
	Bytes, Step  int64
	Problems     string
	Cancelled    bool
	Edits        int
}

// walked is the outcome of a walk through a container.
type walked struct {
	entry report.Entry
	items []told
	out   strings.Builder
}

// newLoop returns a loop with jobs goroutines. It runs work on items, and notes their entries in
// into.
func newLoop(t *testing.T, jobs int, into *walked, work worker) *container.Runner {
	t.Helper()
	a, err := account.New(new(account.Options), new(source.Set), nil, io.Discard, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	l := &container.Runner{Account: a,
		Workers: &batch.Pool[container.Worker]{New: func() container.Worker { return work }},
		Options: container.Options{MaxSize: 1 << 20, Jobs: jobs}, Reading: input.Options{MaxSize: 1 << 20}}
	l.Emit = func(e *report.Entry, _ io.Writer) { into.items = append(into.items, tell(e)...) }
	return l
}

// report copies an entry and the entries of its items.
func tell(e *report.Entry) (list []told) {
	for _, item := range e.Items.Unreported {
		list = append(list, tell(item)...)
	}
	s := &e.Subject
	var problems []string
	for _, p := range e.Problems.All() {
		problems = append(problems, p.Part+p.Text)
	}
	return append(list, told{s.Name(), e.Result.Reason(), e.Result.Outcome(), s.Item, s.Unit, s.Bytes, e.Progress,
		strings.Join(problems, "; "), e.Result.HasClass(report.Cancelled), e.Edits.Links})
}

// open opens a file with the given content.
func open(t *testing.T, name string, content []byte, u *unit.Unit) *input.Document {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
	f := input.File{Path: path, Source: name, Rel: name, Named: true, Unit: u}
	in, err := (&input.Reader{Options: input.Options{MaxSize: 1 << 20}}).Open(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close() })
	return in
}

// list lists a file.
func list(t *testing.T, jobs int, in *input.Document, work worker) *walked {
	t.Helper()
	w := new(walked)
	l := newLoop(t, jobs, w, work)
	l.List(t.Context(), in, &w.out, &w.entry)
	for _, item := range w.entry.Items.Unreported {
		w.items = append(w.items, tell(item)...)
	}
	return w
}

// echo prints the place of an item, and lists it.
func echo(in *input.Document, out io.Writer, e *report.Entry) {
	fmt.Fprintf(out, "%d %s %s\n", in.Place.Begins, e.Subject.Inner, in.Record.Target)
	e.Result.SetOutcome(report.Listed)
	e.Links.Count(&extract.Link{Status: extract.Unresolved})
	e.Links.WithoutBase = &report.Unlinked{Line: 5, Column: 2, Value: "x"}
}

// large is the number of messages of a mailbox that is not small: it has more than 1 MB.
var large = effort.Pick(4000, 600)

// mailbox returns a mailbox of n messages.
func mailbox(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		times := i % 100
		if i >= 100 {
			times *= effort.Pick(1, 10)
		}
		fmt.Fprintf(&b, "From a@b.test Thu Jan  1 00:00:00 1970\nContent-Type: text/html\n\n<a href=l%d>%s\n\n",
			i, strings.Repeat("text ", times))
	}
	return b.Bytes()
}

// noise is text that compresses badly.
var noise = sync.OnceValue(func() []byte {
	r := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, 64<<10)
	for i := range b {
		b[i] = byte(' ' + r.IntN(90))
	}
	return b
})

// gzipWriter is for the gzip members of one goroutine. A new writer needs much new memory. It looks
// for no repetitions, so noise is larger than 80 % of its size.
var gzipWriter = sync.OnceValue(func() *gzip.Writer {
	z, err := gzip.NewWriterLevel(io.Discard, gzip.HuffmanOnly)
	if err != nil {
		panic(err)
	}
	return z
})

// records returns n responses of a web archive, each in a gzip member.
func records(n, size int) []byte {
	var b bytes.Buffer
	z := gzipWriter()
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		text := noise()[r.IntN(len(noise())-size):][:r.IntN(size)]
		block := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x>%s", text)
		z.Reset(&b)
		fmt.Fprintf(z, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.test/%d\r\n"+
			"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
			i, len(block), block)
		z.Close()
	}
	return b.Bytes()
}

// The items, their order and their entries do not depend on the number of goroutines.
func TestListOrder(t *testing.T) {
	messages, pages := effort.Pick(6000, large), effort.Pick(1500, 350)
	tests := []struct {
		name    string
		content []byte
		inner   string
		n       int
	}{
		{"small.mbox", mailbox(3), "message", 3},
		{"large.mbox", mailbox(messages), "message", messages},
		{"small.warc.gz", records(20, 1000), "record", 20},
		{"large.warc.gz", records(pages, 8000), "record", pages},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if large := len(tt.content) > 1<<20; large != strings.HasPrefix(tt.name, "large") {
				t.Fatalf("%d bytes", len(tt.content))
			}
			var first *walked
			for _, jobs := range []int{1, 2, 5} {
				in := open(t, tt.name, tt.content, nil)
				w := list(t, jobs, in, echo)
				if len(w.items) != tt.n || w.entry.Result.Outcome() != report.Listed {
					t.Fatalf("with %d jobs: got %d items and %s (%s), want %d and listed",
						jobs, len(w.items), w.entry.Result.Outcome(), w.entry.Result.Reason(), tt.n)
				}
				if n := w.entry.Items.Messages + w.entry.Items.Records; n != tt.n {
					t.Errorf("with %d jobs: %d items are counted, want %d", jobs, n, tt.n)
				}
				sum := w.entry.Progress
				for i, item := range w.items {
					sum += item.Step
					want := fmt.Sprintf("%s: %s %d", tt.name, tt.inner, i+1)
					if item.Item != i+1 || !strings.HasPrefix(item.Name, want) || item.Outcome != report.Listed {
						t.Fatalf("with %d jobs: item %d is %+v, want %s, listed", jobs, i, item, want)
					}
				}
				if sum != int64(len(tt.content)) {
					t.Errorf("with %d jobs: the steps are %d bytes, want %d", jobs, sum, len(tt.content))
				}
				if first == nil {
					first = w
				}
				if !slices.Equal(w.items, first.items) || w.out.String() != first.out.String() {
					t.Errorf("with %d jobs: other items or another output than with 1", jobs)
				}
			}
			if p := first.entry.Problems.All(); len(p) != 1 || p[0].Line != 5 ||
				!strings.HasPrefix(p[0].Text, tt.inner+" 1") || !strings.Contains(p[0].Text, ": x is relative, and ") ||
				!strings.HasSuffix(p[0].Text, fmt.Sprintf(" (+%d more)", tt.n-1)) {
				t.Errorf("the problems of the container are %+v, want the first link of its items without a base", p)
			}
		})
	}
}

// The unit of an item reads only that item, with its number.
func TestUnitsReadItems(t *testing.T) {
	for name, content := range map[string][]byte{"box.mbox": mailbox(30), "a.warc.gz": records(30, 500)} {
		all := list(t, 1, open(t, name, content, nil), echo)
		lines := strings.SplitAfter(all.out.String(), "\n")
		for i, item := range all.items {
			if !effort.Whole() && i > 1 && i%7 != 0 && i < len(all.items)-1 {
				continue
			}
			u := item.Unit
			one := list(t, 1, open(t, name, content, &u), echo)
			if len(one.items) != 1 || one.items[0].Item != i+1 || one.out.String() != lines[i] {
				t.Errorf("%s: the unit of item %d reads %+v (%q), want that item (%q)",
					name, i+1, one.items, one.out.String(), lines[i])
			}
			u.Item = 0
			one = list(t, 1, open(t, name, content, &u), echo)
			if len(one.items) != 1 || one.items[0].Item != 0 || one.out.String() != lines[i] {
				t.Errorf("%s: the unit of item %d without a number reads %+v, want that item without one",
					name, i+1, one.items)
			}
		}
	}
}

// A unit fails if its item begins elsewhere: it was cut from another file.
func TestStaleUnit(t *testing.T) {
	content := mailbox(30)
	var w *walked
	for _, item := range []int{1, 2, 3} {
		u := unit.Unit{Path: "box.mbox", Ranged: true, Offset: 10, Length: int64(len(content)) - 10, Item: item}
		w = list(t, 1, open(t, "box.mbox", content, &u), echo)
		want := container.StaleUnit(&u).Error()
		if w.entry.Result.Outcome() != report.Failed || w.entry.Result.Reason() != want || len(w.items) != 0 {
			t.Errorf("List: got %s (%s) and %d items, want failed (%s)",
				w.entry.Result.Outcome(), w.entry.Result.Reason(), len(w.items), want)
		}
	}
	u := unit.Unit{Path: "box.mbox", Ranged: true, Offset: int64(len(content)), Length: 5, Item: 31}
	w = list(t, 1, open(t, "box.mbox", content, &u), echo)
	if want := container.StaleUnit(&u).Error(); w.entry.Result.Reason() != want {
		t.Errorf("List of a unit at the end: got %q, want %q", w.entry.Result.Reason(), want)
	}
	for name, content := range map[string][]byte{"box.mbox": content, "a.warc.gz": records(30, 500)} {
		end := int64(len(content))
		for _, u := range []unit.Unit{{Offset: 10}, {Offset: 0}, {Offset: 0, Item: 1}, {Offset: 10, Length: 1},
			{Offset: end, Length: 5}, {Offset: end, Length: 5, Item: 1}} {
			u.Path = name
			u.Ranged = true
			w = list(t, 1, open(t, name, content, &u), echo)
			if w.entry.Result.Outcome() != report.Listed || len(w.items) != 0 {
				t.Errorf("List of %s in the unit %+v: got %s and %d items, want listed and none",
					name, u, w.entry.Result.Outcome(), len(w.items))
			}
		}
	}
}

func TestUnitOf(t *testing.T) {
	ranged := unit.Unit{Path: "a", Ranged: true, Offset: 3}
	tests := []struct {
		f    input.File
		want unit.Unit
	}{
		{input.File{Source: "a"}, unit.Unit{Path: "a"}},
		{input.File{Source: "b", Unit: &ranged}, ranged},
		{input.File{Source: "no URL", URL: "no URL", Listed: true}, unit.Unit{}},
		{input.File{Source: "http://a/", URL: "http://a/", Listed: true}, unit.Unit{Path: "http://a/"}},
		{input.File{Source: "http://a/x.wacz/y", URL: "http://a/x.wacz", Inside: "y"},
			unit.Unit{Path: "http://a/x.wacz"}},
	}
	for _, tt := range tests {
		if got := container.UnitOf(tt.f); got != tt.want {
			t.Errorf("UnitOf(%+v): got %+v, want %+v", tt.f, got, tt.want)
		}
	}
}

// A panic on one item does not stop the work on the others.
func TestPanicCostsOneItem(t *testing.T) {
	for _, n := range []int{3, large} {
		w := list(t, 2, open(t, "a.mbox", mailbox(n), nil), func(in *input.Document, out io.Writer, e *report.Entry) {
			e.Edits.Links = 1
			if in.Place.Number == 2 {
				panic("boom")
			}
			echo(in, out, e)
		})
		const want = "internal error, please report it with the message: boom"
		if len(w.items) != n || w.items[1].Reason != want || w.items[1].Outcome != report.Failed ||
			w.items[1].Edits != 0 || w.items[0].Edits != 1 ||
			strings.Count(w.out.String(), "\n") != n-1 {
			t.Errorf("List of %d messages: got %d, the second one %+v, want it failed (%s)",
				n, len(w.items), w.items[1], want)
		}
	}
}

// Text before the first message is not an item. Its problem is a problem of the mailbox.
func TestTextBeforeMessages(t *testing.T) {
	content := append([]byte("what is this?\n\n"), mailbox(2)...)
	u := &unit.Unit{Path: "a", Ranged: true, Length: int64(len(content))}
	for text, minor := range map[string]bool{"what is this?\n\n": false, "\n\n\n": true, "\n": true, "\r\n": true} {
		in := open(t, "a.mbox", append([]byte(text), mailbox(2)...), u)
		if in.Kind != input.Mbox {
			in.Kind = input.Mbox
		}
		w := list(t, 1, in, echo)
		if len(w.items) != 2 || w.entry.Problems.Len() == 0 || w.entry.Problems.All()[0].Minor != minor {
			t.Errorf("List of %q before 2 messages: got %d items and %+v, want 2 and a problem, minor %v",
				text, len(w.items), w.entry.Problems.All(), minor)
		}
		const blank = "blank lines before the first separator"
		if got := w.entry.Problems.All()[0].Text; strings.Contains(got, blank) != minor {
			t.Errorf("List of %q before 2 messages: the problem is %q", text, got)
		}
	}
}

// Records without a document are reported with the reason, and damaged records with a problem.
func TestRecords(t *testing.T) {
	record := func(head, block string) string {
		return fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\n%sContent-Length: %d\r\n\r\n%s\r\n\r\n",
			head, len(block), block)
	}
	const ok = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
	const http = "Content-Type: application/http\r\n"
	long := "http://a.test/" + strings.Repeat("x", 40<<10)
	content := record("WARC-Target-URI: http://a.test/1\r\n"+http, ok+"<a href=x>") +
		record("WARC-Record-ID: <urn:2>\r\n"+http, ok+"<a href=y>") +
		record("WARC-Target-URI: "+long+"\r\n"+http, ok+"<a href=z>") +
		record("WARC-Target-URI: http://a.test/4\r\n"+http, ok+strings.Repeat("x", 2<<20))
	content += strings.NewReplacer("WARC/1.0", "WARC/2.0", "Type: response", "Type: metadata").
		Replace(record("WARC-Target-URI: http://a.test/5\r\n", "x"))
	w := list(t, 1, open(t, "a.warc", []byte(content), nil), echo)
	var names []string
	for _, item := range w.items {
		names = append(names, fmt.Sprintf("%s %s %s", item.Name, item.Outcome, item.Reason))
	}
	want := []string{"a.warc: record 1 http://a.test/1 listed ",
		"a.warc: record 2 <urn:2> listed ", "a.warc: record 3 listed ",
		"a.warc: record 4 http://a.test/4 skipped larger than --max-size",
		"a.warc: record 5 http://a.test/5 skipped holds no document that is read"}
	if !slices.Equal(names, want) {
		t.Errorf("List: got\n%s\nwant\n%s", strings.Join(names, "\n"), strings.Join(want, "\n"))
	}
	sum := int64(0)
	for _, item := range w.items {
		sum += item.Bytes
	}
	if n := int64(len(content) - 5*len("\r\n\r\n")); sum != n { // line ends belong to no record
		t.Errorf("the records have %d bytes, want %d", sum, n)
	}
}

// Each archive in a WACZ is reported like an input.
func TestListWACZ(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	names := []string{"datapackage.json", "archive/a.warc.gz", "archive/b.warc.gz", "archive/empty.warc"}
	for _, name := range names {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case strings.HasSuffix(name, ".gz"):
			w.Write(records(2, 100))
		case strings.HasSuffix(name, ".json"):
			io.WriteString(w, `{"profile":"data-package","resources":[]}`)
		}
	}
	lost, err := z.CreateRaw(&zip.FileHeader{Name: "archive/lost.warc", Method: 99, CompressedSize64: 3,
		UncompressedSize64: 3})
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(lost, "xyz")
	z.Close()
	w := list(t, 2, open(t, "x.wacz", b.Bytes(), nil), echo)
	names = nil
	for _, item := range w.items {
		names = append(names, item.Name)
		if empty := strings.HasSuffix(item.Name, "empty.warc"); (item.Problems == "is empty") != empty {
			t.Errorf("%s: the problems are %q", item.Name, item.Problems)
		}
		if failed := strings.HasSuffix(item.Name, "lost.warc"); (item.Outcome == report.Failed) != failed {
			t.Errorf("%s: the outcome is %s (%s)", item.Name, item.Outcome, item.Reason)
		}
		if item.Unit.Path == "" {
			t.Errorf("%s has no unit", item.Name)
		}
		if item.Cancelled || strings.HasSuffix(item.Name, "empty.warc") && item.Bytes != 0 {
			t.Errorf("%s counts as cancelled, or has bytes: %+v", item.Name, item)
		}
		if size := int64(len(records(2, 100))); strings.HasSuffix(item.Name, ".warc.gz") &&
			(item.Bytes != size || item.Unit.Path != item.Name) {
			t.Errorf("%s has %d bytes and the unit %+v, want %d and its name", item.Name, item.Bytes, item.Unit, size)
		}
	}
	want := []string{
		"x.wacz/archive/a.warc.gz: record 1 http://a.test/0", "x.wacz/archive/a.warc.gz: record 2 http://a.test/1",
		"x.wacz/archive/a.warc.gz",
		"x.wacz/archive/b.warc.gz: record 1 http://a.test/0", "x.wacz/archive/b.warc.gz: record 2 http://a.test/1",
		"x.wacz/archive/b.warc.gz", "x.wacz/archive/empty.warc",
		"x.wacz/archive/lost.warc"}
	if !slices.Equal(names, want) {
		t.Errorf("List: got\n%s\nwant\n%s", strings.Join(names, "\n"), strings.Join(want, "\n"))
	}
}

// After an interrupt, the archive of a WACZ counts as cancelled, and no further archive is read.
func TestInterruptWACZ(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range []string{"archive/a.warc.gz", "archive/b.warc.gz"} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		w.Write(records(2, 100))
	}
	z.Close()
	ctx, cancel := context.WithCancel(t.Context())
	w := new(walked)
	l := newLoop(t, 1, w, func(*input.Document, io.Writer, *report.Entry) { cancel() })
	l.List(ctx, open(t, "x.wacz", b.Bytes(), nil), &w.out, &w.entry)
	if len(w.items) != 1 || !w.items[0].Cancelled || !w.entry.Result.HasClass(report.Cancelled) {
		t.Errorf("got %+v and the class %v, want one archive, cancelled", w.items, w.entry.Result)
	}
}

// The unit of an item of a retrieved WACZ is the whole WACZ.
func TestUnitOfRetrieved(t *testing.T) {
	for _, tt := range []struct {
		url, inside, path string
		ranged            bool
	}{{"", "", "a.warc.gz", true}, {"http://a.test/x.warc.gz", "", "a.warc.gz", true},
		{"http://a.test/x.wacz", "a.warc.gz", "http://a.test/x.wacz", false}, {"", "a.warc.gz", "a.warc.gz", true}} {
		in := open(t, "a.warc.gz", records(1, 10), nil)
		in.URL = tt.url
		in.Inside = tt.inside
		if tt.url != "" && tt.inside != "" {
			in.Source = tt.url + "/" + tt.inside
		}
		for _, item := range list(t, 1, in, echo).items {
			if item.Unit.Path != tt.path || item.Unit.Ranged != tt.ranged {
				t.Errorf("URL %q, inside %q: the unit is %+v, want %q, a range: %v",
					tt.url, tt.inside, item.Unit, tt.path, tt.ranged)
			}
		}
	}
}

// A message of up to MaxHeldMessage bytes is held in memory. A larger one is read again later.
func TestHeldMessages(t *testing.T) {
	const head = "From a@b.test Thu Jan  1 00:00:00 1970\n"
	text := "Subject: x\n\n"
	for _, size := range []int{100, container.MaxHeldMessage - 1000, container.MaxHeldMessage + 1000} {
		body := text + strings.Repeat("x\n", size/2)
		content := head + body + "\n" + head + text
		n := 0
		list(t, 1, open(t, "a.mbox", []byte(content), nil), func(in *input.Document, _ io.Writer, _ *report.Entry) {
			n++
			want := body
			if in.Place.Number == 2 {
				want = text
			}
			got := make([]byte, in.Size)
			_, err := io.ReadFull(io.NewSectionReader(in.At, 0, in.Size), got)
			if err != nil || string(got) != want {
				t.Errorf("message %d has %d bytes, %v, want %d", in.Place.Number, len(got), err, len(want))
			}
			if held := in.Data != nil; held != (len(want) < container.MaxHeldMessage) {
				t.Errorf("message %d of %d bytes is held: %v", in.Place.Number, len(want), held)
			}
		})
		if n != 2 {
			t.Errorf("got %d messages, want 2", n)
		}
	}
}

// marked is an item that knows whether it was worked on. It counts its releases.
type marked struct {
	*container.Message
	worked   bool
	releases *atomic.Int32
}

func (m *marked) Release() {
	m.releases.Add(1)
	m.Message.Release()
}

func (m *marked) Work(ctx context.Context, w container.Worker, out io.Writer) {
	m.worked = true
	m.Message.Work(ctx, w, out)
}

// marker makes items, and counts them.
type marker struct {
	made, releases atomic.Int32
}

func (k *marker) Item(m *container.Message) container.Item {
	k.made.Add(1)
	return &marked{Message: m, releases: &k.releases}
}

// Each calls done with the items in their order, and releases each once. An error of done ends the
// walk.
func TestEach(t *testing.T) {
	enough := errors.New("enough")
	for _, n := range []int{3, large} {
		for _, most := range []int{n, 2} {
			w := new(walked)
			l := newLoop(t, 2, w, echo)
			in := open(t, "a.mbox", mailbox(n), nil)
			content, err := in.Stream(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			done := 0
			maker := new(marker)
			err = l.Each(t.Context(), in, l.Messages(in, content, maker),
				&w.out, &w.entry, func(m container.Item) error {
					done++
					if m := m.(*marked); m.Number != done || !m.worked {
						t.Fatalf("%d messages: number %d was done as number %d, worked on: %v",
							n, m.Number, done, m.worked)
					}
					if done > most {
						return enough
					}
					return nil
				})
			content.Close()
			want, wantErr := n, error(nil)
			if most < n {
				want = most + 1
				wantErr = enough
			}
			if done != want || !errors.Is(err, wantErr) {
				t.Errorf("%d messages of which %d may be done: got %d and error %v, want %d and %v",
					n, most, done, err, want, wantErr)
			}
			if made, released := maker.made.Load(), maker.releases.Load(); released > made ||
				released < made && most == n || int(released) < done {
				t.Errorf("%d messages of which %d may be done: %d were made and %d released", n, most, made, released)
			}
			sum := w.entry.Progress
			for _, item := range append(w.items, tell(&w.entry)...) {
				if item.Item > 0 {
					sum += item.Step
				}
			}
			if sum != in.StoredSize {
				t.Errorf("%d messages of which %d are done: the steps and the rest are %d bytes, want %d",
					n, most, sum, in.StoredSize)
			}
		}
	}
}

// After an interrupt no further item is begun, and the items in flight are not reported.
func TestInterrupt(t *testing.T) {
	for _, n := range []int{3, large} {
		ctx, cancel := context.WithCancel(t.Context())
		w := new(walked)
		l := newLoop(t, 1, w, func(*input.Document, io.Writer, *report.Entry) { cancel() })
		l.List(ctx, open(t, "a.mbox", mailbox(n), nil), &w.out, &w.entry)
		if !w.entry.Items.Empty() || w.entry.Result.Outcome() != report.Failed ||
			w.entry.Result.Reason() != context.Canceled.Error() {
			t.Errorf("List of %d messages: got %s (%s) and %+v, want failed and none",
				n, w.entry.Result.Outcome(), w.entry.Result.Reason(), w.entry.Items)
		}
	}
}

func TestIsSmall(t *testing.T) {
	large := mailbox(large)
	tests := []struct {
		name    string
		content []byte
		u       *unit.Unit
		want    bool
	}{
		{"a small one", mailbox(3), nil, true},
		{"a large one", large, nil, false},
		{"a small range of a large one", large, &unit.Unit{Ranged: true, Length: 1 << 20}, true},
		{"a large range", large, &unit.Unit{Ranged: true, Length: 1<<20 + 1}, false},
	}
	for _, tt := range tests {
		if got := container.IsSmall(open(t, "a.mbox", tt.content, tt.u)); got != tt.want {
			t.Errorf("IsSmall of %s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestHTTPBase(t *testing.T) {
	for b, want := range map[container.HTTPBase]string{container.RFC9110: "rfc9110", container.RFC2616: "rfc2616"} {
		o := container.Options{HTTPBase: b, MaxSize: 5}
		if http := o.HTTP(); b.String() != want || http.RFC2616 != (want == "rfc2616") || http.Limit != 5 {
			t.Errorf("%s: got %+v, want the fields of %s and a limit of 5", b, http, want)
		}
	}
}

// Items that are larger than the memory for items in flight are worked on, in their order.
func TestLargeItems(t *testing.T) {
	var content []byte
	const n = 4
	for i := range n {
		page := strings.Repeat("x", (3+i%3)<<19)
		block := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page
		content = fmt.Appendf(content, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.test/%d\r\n"+
			"Content-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", i, len(block), block)
	}
	var first string
	for _, jobs := range []int{1, 2, 8} {
		w := new(walked)
		l := newLoop(t, jobs, w, func(in *input.Document, out io.Writer, e *report.Entry) {
			time.Sleep(5 * time.Millisecond) // so that the next items wait for memory
			echo(in, out, e)
		})
		l.MaxSize = 10 << 20
		in := open(t, "a.warc", content, nil)
		l.List(t.Context(), in, &w.out, &w.entry)
		for _, item := range w.items {
			w.out.WriteString(item.Name + "\n")
		}
		if first == "" {
			first = w.out.String()
		}
		if w.out.String() != first || w.entry.Items.Records != n {
			t.Errorf("with %d jobs: got %d records\n%swant\n%s", jobs, w.entry.Items.Records, w.out.String(), first)
		}
	}
}

// The options for responses reach the responses in records: --http-base and --max-size.
func TestResponseOptions(t *testing.T) {
	block := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Base: http://b.test/\r\n" +
		"Content-Encoding: gzip\r\n\r\n" + zipped([]byte(strings.Repeat("x", 5000)))
	content := fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\n"+
		"Content-Length: %d\r\n\r\n%s\r\n\r\n", len(block), block)
	for _, size := range []int64{4999, 5000} {
		for _, b := range []container.HTTPBase{container.RFC9110, container.RFC2616} {
			w := new(walked)
			n := 0
			l := newLoop(t, 1, w, func(in *input.Document, _ io.Writer, e *report.Entry) {
				n++
				body, err := in.Response.Body()
				if (err == nil) != (size == 5000) {
					t.Errorf("--max-size %d: a body of 5000 bytes: error %v", size, err)
				}
				if err == nil {
					layer := body.Doc(nil).Layer
					if got := layer != nil; got != (b == container.RFC2616) {
						t.Errorf("--http-base %s: got the layer %+v", b, layer)
					}
				}
			})
			l.MaxSize = flag.Size(size)
			l.HTTPBase = b
			l.List(t.Context(), open(t, "a.warc", []byte(content), nil), &w.out, &w.entry)
			if n != 1 {
				t.Errorf("--max-size %d: got %d records", size, n)
			}
		}
	}
}

// With one job the items of a large container are worked on one by one, and with several jobs at
// the same time.
func TestItemsAtOnce(t *testing.T) {
	for _, jobs := range []int{1, 2} {
		both := make(chan struct{})
		var active, most atomic.Int32
		w := new(walked)
		l := newLoop(t, jobs, w, func(in *input.Document, out io.Writer, e *report.Entry) {
			n := active.Add(1)
			defer active.Add(-1)
			most.Store(max(most.Load(), n))
			if n == 2 && jobs == 2 {
				select {
				case <-both:
				default:
					close(both)
				}
			}
			if jobs == 2 {
				select {
				case <-both:
				case <-time.After(20 * time.Second):
				}
			}
		})
		l.List(t.Context(), open(t, "a.mbox", mailbox(large), nil), &w.out, &w.entry)
		if got := most.Load(); got != int32(jobs) {
			t.Fatalf("with %d jobs, %d items were worked on at once", jobs, got)
		}
	}
}

// A record counts as cut if it has a defect that may lose something, or if its writer shortened it.
func TestRecordsThatAreCut(t *testing.T) {
	for _, tt := range []struct {
		fields         string
		cut, truncated bool
	}{
		{"Content-Length: 38\r\n", false, false},
		{"Content-Length: 38\r\nContent-Length: 38\r\n", false, false}, // a minor defect
		{"Content-Length: 38\r\nContent-Length: 39\r\n", true, false},
		{"Content-Length: 38\r\nWARC-Truncated: length\r\n", true, true},
		{"Content-Length: 38\r\nWARC-Truncated: time\r\n", true, false},
		{"Content-Length: 60\r\n", true, false},
	} {
		content := "WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\n" + tt.fields +
			"\r\nHTTP/1.1 200 OK\r\nContent-Type: x/y\r\n\r\n\r\n\r\n" + string(archive(1))
		n := 0
		list(t, 1, open(t, "a.warc", []byte(content), nil), func(in *input.Document, _ io.Writer, _ *report.Entry) {
			n++
			want := tt
			if n > 1 {
				want.cut = false
				want.truncated = false
			}
			if in.Record.Cut != want.cut || in.Record.Truncated != want.truncated || in.Kind != input.HTTP {
				t.Errorf("%q: record %d: cut %v, truncated %v, of kind %v, want %v, %v and HTTP",
					tt.fields, n, in.Record.Cut, in.Record.Truncated, in.Kind, want.cut, want.truncated)
			}
		})
		if n != 2 {
			t.Errorf("%q: got %d records, want 2", tt.fields, n)
		}
	}
}

// The time of an item is the time of its work.
func TestSeconds(t *testing.T) {
	w := list(t, 1, open(t, "a.mbox", mailbox(3), nil), func(in *input.Document, _ io.Writer, e *report.Entry) {
		time.Sleep(time.Duration(in.Place.Number) * time.Millisecond)
	})
	for i, e := range w.entry.Items.Unreported {
		if least := float64(i+1) / 1000; e.Seconds < least {
			t.Errorf("message %d: got %g seconds, want %g or more", i+1, e.Seconds, least)
		}
	}
}

// A mailbox that another program changes while it is read has a problem. An archive has none.
func TestChanged(t *testing.T) {
	for name, content := range map[string][]byte{"a.mbox": mailbox(3), "a.warc.gz": records(3, 100)} {
		for _, change := range []bool{false, true} {
			in := open(t, name, content, nil)
			w := list(t, 1, in, func(*input.Document, io.Writer, *report.Entry) {
				if change {
					f, err := os.OpenFile(in.Path, os.O_APPEND|os.O_WRONLY, 0)
					if err != nil {
						t.Fatal(err)
					}
					f.WriteString("more\n")
					f.Close()
				}
			})
			changed := slices.ContainsFunc(w.entry.Problems.All(),
				func(p report.Problem) bool { return strings.Contains(p.Text, "changed by another program") })
			if want := change && name == "a.mbox"; changed != want {
				t.Errorf("%s, changed: %v: got a problem: %v, want %v", name, change, changed, want)
			}
		}
	}
}

// slowFile counts the calls of ReadAt that have not returned.
type slowFile struct {
	io.ReaderAt
	active atomic.Int32
}

func (f *slowFile) ReadAt(p []byte, off int64) (int, error) {
	f.active.Add(1)
	defer f.active.Add(-1)
	time.Sleep(20 * time.Millisecond)
	return f.ReaderAt.ReadAt(p, off)
}

// A walk that ends early leaves no goroutine that reads the archive.
func TestStopsReading(t *testing.T) {
	content := records(500, 8000)
	for range 2 {
		in := open(t, "a.warc.gz", content, nil)
		file := &slowFile{ReaderAt: in.At}
		in.At = file
		ctx, cancel := context.WithCancel(t.Context())
		w := new(walked)
		l := newLoop(t, 4, w, func(*input.Document, io.Writer, *report.Entry) { cancel() })
		l.List(ctx, in, &w.out, &w.entry)
		if n := file.active.Load(); n != 0 {
			t.Errorf("after List: %d calls of ReadAt are active, want none", n)
		}
	}
}
