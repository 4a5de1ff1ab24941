package write

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/container"
	"absolink/cmd/absolink/internal/copies"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/inplace"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/links"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/run"
	"absolink/cmd/absolink/internal/site"
	"absolink/extract"
	"absolink/mime"
	"absolink/mime/document"
	"absolink/mime/rewrite"
	"absolink/resolve/move"
	"absolink/testdata/interrupt"
)

// newCommand returns a command for inputs that were retrieved from http://a.test/.
func newCommand(verify bool) *Command {
	return &Command{o: &Options{
		Run: &run.Options{Reading: run.Reading{MaxSize: 1 << 20}},
		Links: &links.Options{Bases: links.Bases{Retrieval: "http://a.test/"},
			Reading: links.Reading{Limits: mime.Limits{Depth: 100, Leaf: 1 << 20}}},
		Verify: verify,
	}}
}

// newPage returns a page in memory.
func newPage(text string) *input.Document {
	d := &input.Document{Decision: input.Decision{Kind: input.HTML}}
	d.Stored = strings.NewReader(text)
	d.StoredSize = int64(len(text))
	d.Hold([]byte(text))
	return d
}

// readBack returns an error that is misread if the links of the output differ from the plan.
func TestVerify(t *testing.T) {
	const page = `<html><a href="x"><img src="http://b.test/y">`
	tests := []struct {
		name   string
		output string
		want   string // part of the error, or empty if the output verifies
	}{
		{"as planned", `<html><a href="http://a.test/x"><img src="http://b.test/y">`, ""},
		{"not edited", page, "link 1 of the output is not as planned"},
		{"another URI", `<html><a href="http://a.test/z"><img src="http://b.test/y">`, "link 1"},
		{"one lost", `<html><a href="http://a.test/x">`, "the output has 1 links, the plan 2"},
		{"one more", `<html><a href="http://a.test/x"><img src="http://b.test/y"><a href="http://c.test/">`,
			"link 3"},
	}
	w := newCommand(true).NewWorker(nil).(*worker)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := newPage(page)
			p, err := w.plan(t.Context(), in, &report.Entry{})
			if err != nil {
				t.Fatal(err)
			}
			f, err := os.Create(t.TempDir() + "/out")
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			io.WriteString(f, tt.output)
			err = w.readBack(t.Context(), in, p, f)
			if tt.want == "" && err != nil ||
				tt.want != "" && (!misread(err) || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("check: got %v, want %q", err, tt.want)
			}
		})
	}
}

// newCopyCommand returns a command that writes the files of the directory in to the directory out.
func newCopyCommand(t *testing.T) *Command {
	t.Helper()
	c := newCommand(true)
	if err := c.o.Run.Inputs.SetArgs([]string{"in"}); err != nil {
		t.Fatal(err)
	}
	var err error
	if c.copies, err = copies.New(&c.o.Run.Inputs, copies.Options{Dir: "out"}); err != nil {
		t.Fatal(err)
	}
	return c
}

// An output that does not verify is refused, and the input is copied.
func TestUnverifiedIsCopied(t *testing.T) {
	t.Chdir(t.TempDir())
	const page = `<html><a href="x"><p href="y">`
	if err := errors.Join(os.Mkdir("in", 0o777), os.WriteFile("in/page.html", []byte(page), 0o666)); err != nil {
		t.Fatal(err)
	}
	c := newCopyCommand(t)
	in := newPage(page)
	in.Rel = "page.html"
	w, e := c.NewWorker(nil).(*worker), &report.Entry{}
	p, err := w.plan(t.Context(), in, e)
	if err != nil {
		t.Fatal(err)
	}
	in.Data[bytes.LastIndexByte(in.Data, 'p')] = 'a' // one more link
	if err := w.writeBelowDir(t.Context(), in, p, e); err == nil {
		t.Error("toTree: got no error, want a refusal")
	} else {
		var refusal *files.Refusal
		if !errors.As(err, &refusal) || !strings.HasPrefix(err.Error(), "verify: link 2") {
			t.Errorf("toTree: got error %v, want a refusal for link 2", err)
		}
		e.FailWrite(err)
	}
	var out strings.Builder
	var refusal *files.Refusal
	if err := w.writeToStdout(t.Context(), in, p, &out, e); !errors.As(err, &refusal) || out.String() != page {
		t.Errorf("writeToStdout: wrote %q, error %v, want the input and a refusal", out.String(), err)
	}
	got, err := os.ReadFile("out/page.html")
	if err != nil || string(got) != page || e.Result.Outcome() != report.Refused {
		t.Errorf("toTree: wrote %q (error %v) and is %s, want the input and refused", got, err, e.Result.Outcome())
	}
}

// In place, an input stays as it is if its output does not verify.
func TestUnverifiedInPlace(t *testing.T) {
	t.Chdir(t.TempDir())
	const page = `<html><a href="x"><p href="y">`
	if err := os.WriteFile("page.html", []byte(page), 0o666); err != nil {
		t.Fatal(err)
	}
	c := newCommand(true)
	streams := run.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}
	runner, err := run.New(streams, c.o.Run)
	if err == nil {
		c.run = runner
		c.inPlace, err = inplace.Begin(t.Context(), runner, inplace.Options{Args: []string{"page.html"}})
	}
	if err != nil {
		t.Fatal(err)
	}
	file := input.File{Source: "page.html", Path: "page.html", Named: true}
	in, err := (&input.Reader{Options: input.Options{MaxSize: 1 << 20}}).Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	w, e := c.NewWorker(runner).(*worker), &report.Entry{}
	p, err := w.plan(t.Context(), in, e)
	if err != nil {
		t.Fatal(err)
	}
	in.Data[bytes.LastIndexByte(in.Data, 'p')] = 'a' // one more link
	var refusal *files.Refusal
	if err := w.replace(t.Context(), in, p, e); !errors.As(err, &refusal) {
		t.Errorf("replace: got error %v, want a refusal", err)
	}
	if got, err := os.ReadFile("page.html"); err != nil || string(got) != page {
		t.Errorf("replace: the input is %q (error %v), want it as it was", got, err)
	}
	if err := c.inPlace.End(); err != nil {
		t.Error(err)
	}
}

// The edited copy of a Maildir message has its new size in its name. If this copy is refused, the
// message is copied under its own name, unless this name is taken.
func TestUnverifiedMaildirMessage(t *testing.T) {
	const (
		name    = "1.host,S=89"
		message = "Content-Type: text/html\nContent-Location: http://a.test/\n\n<html><a href=\"x\"><p href=\"y\">\n"
		other   = "another file"
	)
	if len(message) != 89 {
		t.Fatalf("the message has %d bytes", len(message))
	}
	for _, taken := range []bool{false, true} {
		t.Chdir(t.TempDir())
		if err := errors.Join(os.MkdirAll("in/cur", 0o777), os.Mkdir("in/new", 0o777),
			os.WriteFile("in/cur/"+name, []byte(message), 0o666),
			os.Symlink(name, "in/cur/link")); err != nil {
			t.Fatal(err)
		}
		c := newCopyCommand(t)
		in := newPage(message)
		in.Kind = input.Message
		in.File = input.File{Path: "in/cur/" + name, Rel: "cur/" + name, Maildir: "in"}
		w, e := c.NewWorker(nil).(*worker), &report.Entry{}
		p, err := w.plan(t.Context(), in, e)
		if err != nil || !p.Edited() {
			t.Fatalf("plan: got error %v, edited %v", err, p.Edited())
		}
		c.copies.AddLink(input.File{Path: "in/cur/link", Rel: "cur/link",
			Skip: input.Skip{Cause: input.ToInput, Target: "cur/" + name}}, &report.Entry{})
		want := message
		if taken { // a file that appears during the run
			want = other
			if err := errors.Join(os.MkdirAll("out/cur", 0o777),
				os.WriteFile("out/cur/"+name, []byte(other), 0o666)); err != nil {
				t.Fatal(err)
			}
		}
		in.Data[bytes.LastIndexByte(in.Data, 'p')] = 'a' // one more link
		err = w.writeBelowDir(t.Context(), in, p, e)
		var refusal *files.Refusal
		if !errors.As(err, &refusal) || !strings.Contains(err.Error(), "verify: link 2") {
			t.Fatalf("taken %v: got error %v, want a refusal for link 2", taken, err)
		}
		if got := strings.Contains(err.Error(), name+" is there already: it stays as it is"); got != taken {
			t.Errorf("taken %v: got error %v", taken, err)
		}
		if got, err := os.ReadFile("out/cur/" + name); err != nil || string(got) != want {
			t.Errorf("taken %v: the copy is %q (error %v), want %q", taken, got, err, want)
		}
		err = c.copies.Finish(func(path, target string) { t.Errorf("the link %s to %s is left out", path, target) })
		if err != nil {
			t.Error(err)
		}
		if target, err := os.Readlink("out/cur/link"); target != name {
			t.Errorf("taken %v: the link leads to %q (error %v), want %q", taken, target, err, name)
		}
	}
}

// mend makes a plan without the references that are not read back. It reports these references, and
// the entry counts each reference once.
func TestMend(t *testing.T) {
	const page = `<html><a href="x"><a href="y"><img src="//c.test/z"><a href="http://d.test/">`
	in := newPage(page)
	w := newCommand(true).NewWorker(nil).(*worker)
	e := &report.Entry{Subject: report.Subject{Source: "page.html"}}
	e.Problems.Note("", "before")
	p, err := w.plan(t.Context(), in, e)
	if err != nil {
		t.Fatal(err)
	}
	e.Problems.Note("", "after")
	written := func(p *plan) string {
		var b bytes.Buffer
		if err := p.write(t.Context(), &b, in); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	fits := func(p *rewrite.Plan) bool {
		text := written(&plan{Plan: p})
		return !strings.Contains(text, "http://a.test/y") && !strings.Contains(text, "http://c.test/z")
	}
	if !w.mend(t.Context(), in, p, e, fits) {
		t.Fatal("mend: got false")
	}
	if got, want := written(p), strings.Replace(page, `"x"`, `"http://a.test/x"`, 1); got != want {
		t.Errorf("mended, the plan writes %s, want %s", got, want)
	}
	if e.Links.ByStatus[extract.Resolved] != 3 || e.Links.ByStatus[extract.AbsoluteRef] != 1 ||
		e.Edits.Links != 1 || e.Result.Outcome() != report.Rewritten {
		t.Errorf("mended, the account has the references %v, %d edits and is %s, want 3 and 1, 1 edit and rewritten",
			e.Links.ByStatus, e.Edits.Links, e.Result.Outcome())
	}
	var said []string
	for _, p := range e.Problems.All() {
		said = append(said, p.Text)
	}
	const why = " in its place, this or another link would be misread"
	want := "before; stays as written: with http://a.test/y" + why + "; stays as written: with http://c.test/z" + why
	if got := strings.Join(said, "; "); got != want {
		t.Errorf("mended, the problems are %q, want %q", got, want)
	}
	was := *e
	if w.mend(t.Context(), in, p, e, func(*rewrite.Plan) bool { return false }) ||
		e.Edits.Links != was.Edits.Links || e.Problems.Len() != was.Problems.Len() {
		t.Errorf("mend although no plan is accepted: got true, or another entry: %+v", e)
	}
}

// For the beginning of a diff, only the edits are collected that fill it.
func TestDocumentEdits(t *testing.T) {
	in := newPage(strings.Repeat("<a href=x>", 10))
	for size, want := range map[int]int{-1: 10, 0: 10, 1: 1, 15: 1, 16: 2, 31: 2, 32: 3, 1000: 10} {
		w := newCommand(false).NewWorker(nil).(*worker)
		got := 0
		_, err := w.rewriter.Visit(in.DocumentSource(""), w.OuterLayers(in),
			func(p *rewrite.Plan, _ *document.Document, links iter.Seq[*rewrite.Link]) error {
				for range links {
				}
				got = len((&plan{Plan: p}).documentEdits(size))
				return nil
			})
		if err != nil || got != want {
			t.Errorf("documentEdits(%d): got %d edits of 16 bytes, %v, want %d", size, got, err, want)
		}
	}
}

// An input that cannot be read, and an output that cannot be written, are errors.
func TestUnreadable(t *testing.T) {
	broken := func(set func(*input.Document)) *input.Document {
		in := newPage("<a href=x>")
		set(in)
		return in
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	closed, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	short := broken(func(in *input.Document) { in.Stored = failingReader{} })
	tail := broken(func(in *input.Document) {
		in.Stored = failingReader{}
		in.TrailingSize = 3
		in.StoredSize = 10
	})
	for name, err := range map[string]error{
		"copyInput":           copyInput(t.Context(), io.Discard, short),
		"copyToFile":          copyToFile(t.Context(), f, short),
		"copyToFile, written": copyToFile(t.Context(), closed, newPage("<p>")),
		"copyTail":            copyTail(t.Context(), io.Discard, tail),
		"empty":               empty(closed),
	} {
		if err == nil {
			t.Errorf("%s: got no error", name)
		}
	}
	p, err := newCommand(false).NewWorker(nil).(*worker).plan(t.Context(), newPage("<a href=x>"), &report.Entry{})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.write(t.Context(), io.Discard, tail); err == nil {
		t.Error("write of a tail: got no error")
	}
	if err := p.write(t.Context(), closed, newPage("<a href=x>")); err == nil {
		t.Error("write to a closed file: got no error")
	}
	w := newCommand(true).NewWorker(nil).(*worker)
	if err := w.readBack(t.Context(), newPage("<a href=x>"), p, closed); err == nil {
		t.Error("readBack of a closed file: got no error")
	}
}

// failingReader is a file that cannot be read.
type failingReader struct{}

func (failingReader) ReadAt([]byte, int64) (int, error) { return 0, errors.New("broken") }

// The output is the document with the edits of the plan. An interrupt stops the writing.
func TestPlanWrites(t *testing.T) {
	const page = `<a href="x"><a href="y">.`
	in := newPage(page)
	p, err := newCommand(false).NewWorker(nil).(*worker).plan(t.Context(), in, &report.Entry{})
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if want := `<a href="http://a.test/x"><a href="http://a.test/y">.`; p.write(t.Context(), &got, in) != nil ||
		got.String() != want {
		t.Errorf("write: got %q, want %q", got.String(), want)
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.write(stopped, io.Discard, in); !errors.Is(err, context.Canceled) {
		t.Errorf("write after an interrupt: got error %v, want %v", err, context.Canceled)
	}
}

// A mailbox that is read back is refused if its messages differ. An error of reading is not a
// refusal.
func TestMailboxReadBack(t *testing.T) {
	b := &mailbox{c: newCommand(true)}
	var refusal *files.Refusal
	if err := b.verify(strings.NewReader("")); err != nil {
		t.Errorf("verify of an empty mailbox: got error %v", err)
	}
	err := b.verify(strings.NewReader("From a Thu Jan  1 00:00:00 1970\nSubject: x\n\n"))
	if !errors.As(err, &refusal) {
		t.Errorf("verify of another mailbox: got error %v, want a refusal", err)
	}
	err = b.verify(iotest.ErrReader(io.ErrNoProgress))
	if errors.As(err, &refusal) || !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("verify of a mailbox that cannot be read: got error %v, want %v", err, io.ErrNoProgress)
	}
}

// The output of a mailbox is replaced by a copy of the input if its verification or the
// decompression failed, or if a compressed mailbox has no edits. A pipe is never copied.
func TestMustCopyInput(t *testing.T) {
	for _, tt := range []struct {
		err     error
		outcome report.Outcome
		coding  coding.Coding
		want    bool
	}{
		{nil, report.Unchanged, coding.Gzip, true},
		{nil, report.Unchanged, coding.None, false},
		{nil, report.Rewritten, coding.Gzip, false},
		{&files.Refusal{}, report.Rewritten, coding.None, true},
		{&coding.Error{}, report.Rewritten, coding.Gzip, true},
		{io.ErrUnexpectedEOF, report.Unchanged, coding.Gzip, false},
	} {
		for _, pipe := range []bool{false, true} {
			in := newPage("")
			in.Coding = tt.coding
			if pipe {
				in.Stored = nil
			}
			b := &mailbox{in: in, e: &report.Entry{}}
			b.e.Result.SetOutcome(tt.outcome)
			if got := b.mustCopyInput(tt.err); got != (tt.want && !pipe) {
				t.Errorf("pipe %v: mustCopyInput of %T, %s in coding %v: got %v", pipe, tt.err, tt.outcome, tt.coding,
					got)
			}
		}
	}
}

// An output of a mailbox is refused if it does not hold the messages that were added, in every
// coding. An error of writing is returned, and not the difference that follows from it.
func TestMailboxOutput(t *testing.T) {
	const message = "From a Thu Jan  1 00:00:00 1970\nSubject: x\n\n"
	broken := errors.New("broken")
	for _, c := range []coding.Coding{coding.None, coding.Gzip} {
		for _, writeErr := range []error{nil, broken} {
			in := newPage(message)
			in.Kind = input.Mbox
			in.Coding = c
			b := &mailbox{c: newCommand(true), in: in}
			f := newFile(t)
			err := b.writeOutput(t.Context(), f, f, func() error {
				io.WriteString(b.output, message)
				return writeErr
			})
			var refusal *files.Refusal
			if writeErr == nil && !errors.As(err, &refusal) || writeErr != nil && err != writeErr {
				t.Errorf("writeOutput in coding %v with the error %v: got %v", c, writeErr, err)
			}
		}
	}
}

// A compressed output is refused if it decodes to other bytes, and fails if it cannot be read.
func TestCheckDecoded(t *testing.T) {
	var p plan
	p.decoded.SetSeed(seed)
	io.WriteString(&p.decoded, "<p>")
	if err := p.checkDecoded(newPage("<p>")); err != nil {
		t.Errorf("the same bytes: got error %v", err)
	}
	var refusal *files.Refusal
	if err := p.checkDecoded(newPage("<q>")); !errors.As(err, &refusal) {
		t.Errorf("other bytes: got error %v, want a refusal", err)
	}
	w := newCommand(true).NewWorker(nil).(*worker)
	in := newPage("<a href=x>")
	in.Coding = coding.Gzip
	planned, err := w.plan(t.Context(), in, &report.Entry{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := gzip.NewWriter(f)
	io.WriteString(z, "<a href=http://a.test/x> and more")
	z.Close()
	planned.decoded.SetSeed(seed)
	if err := w.readBack(t.Context(), in, planned, f); !errors.As(err, &refusal) {
		t.Errorf("readBack of other bytes: got error %v, want a refusal", err)
	}
	broken := newPage("<p>")
	broken.At = failingReader{}
	if err := p.checkDecoded(broken); err == nil || errors.As(err, &refusal) {
		t.Errorf("a broken file: got error %v, want an error of reading", err)
	}
}

// If an output cannot be searched for old addresses, its input fails. If its beginning cannot be
// read, it is not searched.
func TestFindOldFails(t *testing.T) {
	c := newCommand(false)
	var rules move.Map
	if err := rules.Add("http://old.test/", "http://new.test/"); err != nil {
		t.Fatal(err)
	}
	c.old = site.NewOld(&rules, false)
	for reads, want := range []report.Outcome{"", report.Failed, ""} {
		text := "http://old.test/" + strings.Repeat("x", binaryWithin)
		in := newPage(text)
		in.At = &interrupt.Reader{R: in.At, Left: reads}
		e := &report.Entry{}
		c.findOld(t.Context(), in, nil, e)
		if e.Result.Outcome() != want || (reads == 2) != (e.Edits.Old == 1) {
			t.Errorf("after %d reads: the outcome is %q with %d addresses, want %q", reads, e.Result.Outcome(),
				e.Edits.Old, want)
		}
	}
}

// An input from a pipe has no stored bytes: its content is copied.
func TestCopyPipe(t *testing.T) {
	in := newPage("<p>")
	in.Stored = nil
	var out strings.Builder
	if err := copyInput(t.Context(), &out, in); err != nil || out.String() != "<p>" {
		t.Errorf("copyInput: wrote %q, error %v, want <p>", out.String(), err)
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := copyToFile(t.Context(), f, in); err != nil {
		t.Errorf("copyToFile: got error %v", err)
	}
	if got, err := os.ReadFile(f.Name()); err != nil || string(got) != "<p>" {
		t.Errorf("copyToFile: wrote %q, error %v, want <p>", got, err)
	}
}

// The error of writing the redirects is returned.
func TestRedirectsFail(t *testing.T) {
	c := newCommand(false)
	c.o.Move.Redirects = filepath.Join(t.TempDir(), "none", "redirects")
	if err := c.writeRedirects(); err == nil {
		t.Error("writeRedirects to a directory that does not exist: got no error")
	}
}

// An input whose output would have the path of another output is refused, and the other output
// stays.
func TestReservedTwice(t *testing.T) {
	box := "From a Thu Jan  1 00:00:00 1970\nContent-Type: text/html\n\n<a href=x>\n"
	for kind, text := range map[input.Kind]string{input.HTML: "<a href=x>", input.Mbox: box, input.Other: "\x00\x01"} {
		t.Chdir(t.TempDir())
		if err := os.Mkdir("in", 0o777); err != nil {
			t.Fatal(err)
		}
		c := newCopyCommand(t)
		w := c.NewWorker(nil).(*worker)
		write := func(text string) error {
			in := newPage(text)
			in.Kind = kind
			in.Rel = "name"
			e := &report.Entry{}
			switch kind {
			case input.HTML:
				p, err := w.plan(t.Context(), in, e)
				if err != nil {
					t.Fatal(err)
				}
				return w.writeBelowDir(t.Context(), in, p, e)
			case input.Mbox:
				b := &mailbox{c: c, containers: &container.Runner{}, in: in, e: e}
				path, err := c.copies.Reserve(c.copies.RelPath(&in.File), in, e)
				if err == nil {
					return c.copies.Create(path, in, func(f *os.File) error { return copyToFile(t.Context(), f, in) })
				}
				return b.writeBelowDir(t.Context())
			}
			return c.copyUnedited(t.Context(), in, io.Discard, e)
		}
		if err := write(text); err != nil {
			t.Errorf("%v: got error %v", kind, err)
		}
		before, err := os.ReadFile("out/name")
		if err != nil {
			t.Fatal(err)
		}
		if err := write("another " + text); err == nil {
			t.Errorf("%v, a second time: got no error", kind)
		}
		if after, err := os.ReadFile("out/name"); err != nil || !bytes.Equal(before, after) {
			t.Errorf("%v: the first output %q became %q, error %v", kind, before, after, err)
		}
	}
}
