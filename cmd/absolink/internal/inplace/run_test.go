package inplace_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"absolink/base"
	"absolink/cmd/absolink/internal/container"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/inplace"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/journal"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/run"
	"absolink/mime"
	"absolink/mime/rewrite"
)

// absolute is a command that makes references absolute in place. A mailbox is one message to it.
type absolute struct {
	*inplace.Run
	most   int // number of files that are replaced before the run fails; 0 = no bound
	n      int
	before func() // is called before a mailbox is locked; may be nil
	during func() // is called while another file is written; may be nil
}

func (c *absolute) NewWorker(*run.Run) container.Worker { return c }
func (c *absolute) Unmatched() []string                 { return nil }

func (c *absolute) Work(ctx context.Context, in *input.Document, _ io.Writer, e *report.Entry) {
	if !c.Prepare(in, e) {
		return
	}
	e.Result.SetOutcome(report.Unchanged)
	if err := c.rewrite(ctx, in, e); err != nil {
		e.FailWrite(err)
	}
}

func (c *absolute) rewrite(ctx context.Context, in *input.Document, e *report.Entry) error {
	if in.Kind == input.Mbox {
		if c.before != nil {
			c.before()
		}
		l, err := c.Lock(ctx, in)
		if err != nil {
			return err
		}
		defer l.Close()
		e.Result.SetOutcome(report.Rewritten)
		return l.Replace(func(f *os.File, x *inplace.Exchange) error {
			if _, err := os.Stat(in.Path + ".lock"); err != nil {
				return err
			}
			_, err := io.WriteString(f, boxAfter)
			at := int64(strings.Index(box, "abcd"))
			edit := mime.Edit{Span: mime.Span{Start: at, End: at}, New: []byte("http://a.test/")}
			return errors.Join(err, x.Note(0, slices.Values([]mime.Edit{edit})))
		})
	}
	var r rewrite.Rewriter
	p, err := r.Plan(in.DocumentSource(""), &base.Layer{Source: base.Option, Value: "http://a.test/"})
	if err != nil {
		return err
	}
	if p.Edited() {
		e.Result.SetOutcome(report.Rewritten)
	}
	name, err := c.MaildirName(in, p, e)
	if err != nil || !p.Edited() && name == "" {
		return err
	}
	c.n++
	if c.most > 0 && c.n > c.most {
		return errors.New("the machine stops")
	}
	return c.Replace(in, name, func(f *os.File, x *inplace.Exchange) error {
		if c.during != nil {
			c.during()
		}
		w, err := in.Coding.Writer(f)
		if err != nil {
			return err
		}
		return errors.Join(p.Write(w), w.Close(), x.Note(0, p.Edits()))
	})
}

// done is what a run did and said: "PATH OUTCOME REASON" of each input.
type done struct {
	outcomes []string
	bytes    []int64 // of each input
	err      string
}

// outcome returns the outcome of a path.
func (d *done) outcome(path string) string {
	for _, text := range d.outcomes {
		if rest, ok := strings.CutPrefix(text, path+" "); ok {
			return rest
		}
	}
	return ""
}

// newRun returns a run over args, and the place of its outcomes.
func newRun(t *testing.T, stderr io.Writer, args ...string) (*run.Run, *done) {
	t.Helper()
	d := new(done)
	o := &run.Options{Jobs: 1, Reading: run.Reading{MaxSize: 1 << 20}}
	o.Account.OnReport = func(e *report.Entry) {
		d.bytes = append(d.bytes, e.Subject.Bytes)
		d.outcomes = append(d.outcomes, strings.TrimSpace(
			e.Subject.Source+" "+string(e.Result.Outcome())+" "+e.Result.Reason()))
	}
	if err := o.Inputs.SetArgs(args); err != nil {
		t.Fatal(err)
	}
	r, err := run.New(run.Streams{In: strings.NewReader(""), Out: io.Discard, Err: stderr}, o)
	if err != nil {
		t.Fatal(err)
	}
	return r, d
}

// replace makes args absolute in place. most is that of absolute.
func replace(t *testing.T, o inplace.Options, most int, args ...string) (*done, error) {
	t.Helper()
	return replaceBy(t, o, &absolute{most: most}, args...)
}

// replaceBy is replace with a command, whose Run it sets.
func replaceBy(t *testing.T, o inplace.Options, c *absolute, args ...string) (*done, error) {
	t.Helper()
	var stderr strings.Builder
	r, d := newRun(t, &stderr, args...)
	o.Args = args
	p, err := inplace.Begin(t.Context(), r, o)
	if err != nil {
		return nil, err
	}
	c.Run = p
	if err := errors.Join(r.Do(t.Context(), io.Discard, c), p.End()); err != nil {
		return nil, err
	}
	p.SumUp()
	d.err = stderr.String()
	return d, nil
}

// undo takes back the run of a journal, or the paths of it.
func undo(t *testing.T, journal string, paths ...string) *done {
	t.Helper()
	var stderr strings.Builder
	r, d := newRun(t, &stderr)
	if err := inplace.Undo(t.Context(), r, inplace.UndoOptions{Journal: journal, Paths: paths}); err != nil {
		t.Fatal(err)
	}
	d.err = stderr.String()
	return d
}

// changed is the time of all files of a test.
var changed = time.Date(2020, 1, 2, 3, 4, 5, 6, time.UTC)

// lay writes files into a new directory, which becomes the current one.
func lay(t *testing.T, list map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, content := range list {
		err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(content), 0o666),
			os.Chtimes(name, changed, changed))
		if err != nil {
			t.Fatal(err)
		}
	}
}

// files returns the files below dir with their content.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	list := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		list[filepath.ToSlash(path)] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func wantFiles(t *testing.T, when string, want map[string]string) {
	t.Helper()
	if got := files(t, "s"); !maps.Equal(got, want) {
		t.Errorf("%s: the files are\n%q\nwant\n%q", when, got, want)
	}
}

const (
	mail      = "Content-Type: text/html\n\n<a href=abcd>\n"               // 39 bytes, 42 with CRLF
	mailAfter = "Content-Type: text/html\n\n<a href=http://a.test/abcd>\n" // 53 and 56
	box       = "From a Thu Jan  1 00:00:00 1970\n" + mail
	boxAfter  = "From a Thu Jan  1 00:00:00 1970\n" + mailAfter
)

func zip(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, text)
	z.Close()
	return b.String()
}

func unzip(t *testing.T, text string) string {
	t.Helper()
	z, err := gzip.NewReader(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// An undo gives all files the bytes and times that they had before the run, once.
func TestUndo(t *testing.T) {
	before := map[string]string{"s/a.html": "<a href=x>", "s/b.html": "<p>", "s/d/c.html": "<a href=y><a href=z>",
		"s/m.eml": mail, "s/box": box, "s/z.html.gz": zip("<a href=x>")}
	after := map[string]string{"s/a.html": "<a href=http://a.test/x>", "s/b.html": "<p>",
		"s/d/c.html": "<a href=http://a.test/y><a href=http://a.test/z>", "s/m.eml": mailAfter}
	lay(t, before)
	d, err := replace(t, inplace.Options{Journal: "j"}, 0, "s")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"s/a.html": "rewritten", "s/b.html": "unchanged", "s/box": "rewritten"} {
		if got := d.outcome(path); got != want {
			t.Errorf("%s: the outcome is %q, want %q", path, got, want)
		}
	}
	got := files(t, "s")
	if got["s/box"] != boxAfter || unzip(t, got["s/z.html.gz"]) != "<a href=http://a.test/x>" {
		t.Errorf("the files are %q", got)
	}
	delete(got, "s/box")
	delete(got, "s/z.html.gz")
	if !maps.Equal(got, after) {
		t.Errorf("the files are %q, want %q", got, after)
	}
	d = undo(t, "j")
	wantFiles(t, "after the undo", before)
	for path := range before {
		info, err := os.Stat(path)
		if err != nil || !info.ModTime().Equal(changed) {
			t.Errorf("%s has not the time of before: %v %v", path, info.ModTime(), err)
		}
	}
	if len(d.outcomes) != 5 || !strings.Contains(d.err, "puts back files below ") ||
		!strings.Contains(d.err, "5 files put back") {
		t.Errorf("the undo told %q and said %q, want five files", d.outcomes, d.err)
	}
	for _, text := range d.outcomes {
		if !strings.HasSuffix(text, " restored") {
			t.Errorf("the undo told %q, want the file restored", text)
		}
	}
	d = undo(t, "j")
	if len(d.outcomes) != 0 || !strings.Contains(d.err, "0 files put back") {
		t.Errorf("the second undo told %q, want nothing", d.outcomes)
	}
}

// A file that somebody changed, or removed, stays as it is. The others are restored.
func TestUndoRefuses(t *testing.T) {
	lay(t, map[string]string{"s/a.html": "<a href=x>", "s/b.html": "<a href=x>", "s/c.html": "<a href=x>",
		"s/d.html": "<a href=x>", "s/d/e.html": "<a href=x>", "s/d/box": box})
	if _, err := replace(t, inplace.Options{Journal: "j"}, 0, "s"); err != nil {
		t.Fatal(err)
	}
	const other = "<a href=http://a.test/y>"
	err := errors.Join(os.WriteFile("s/a.html", []byte(other), 0o666), os.Remove("s/b.html"),
		os.WriteFile("s/d.html", []byte("<a href=x>"), 0o666), os.RemoveAll("s/d"))
	if err != nil {
		t.Fatal(err)
	}
	d := undo(t, "j")
	wantFiles(t, "after the undo",
		map[string]string{"s/a.html": other, "s/c.html": "<a href=x>", "s/d.html": "<a href=x>"})
	dir, err := filepath.EvalSymlinks(".")
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a.html": "refused was changed after the run",
		"b.html": "failed is not there any more", "c.html": "restored", "d.html": "unchanged",
		"d/e.html": "failed is not there any more", "d/box": "failed is not there any more"} {
		if got := d.outcome(filepath.Join(dir, "s", name)); !strings.HasPrefix(got, want) {
			t.Errorf("%s: the outcome is %q, want %q", name, got, want)
		}
	}
}

// A run that stopped goes on where it was. Finished files stay as they are.
func TestResume(t *testing.T) {
	before := map[string]string{"s/a.html": "<a href=x>", "s/b.html": "<a href=x>", "s/c.html": "<a href=x>"}
	lay(t, before)
	decides := map[string]string{"base": "http://a.test/"}
	d, err := replace(t, inplace.Options{Journal: "j", OutputFlags: decides}, 2, "s")
	if err != nil {
		t.Fatal(err)
	}
	if got := d.outcome("s/c.html"); got != "failed the machine stops" {
		t.Fatalf("the third file: got %q, want the failure", got)
	}
	const after = "<a href=http://a.test/x>"
	wantFiles(t, "stopped", map[string]string{"s/a.html": after, "s/b.html": after, "s/c.html": "<a href=x>"})
	d, err = replace(t, inplace.Options{Journal: "j", OutputFlags: decides, Resume: true}, 0, "s")
	if err != nil {
		t.Fatal(err)
	}
	wantFiles(t, "resumed", map[string]string{"s/a.html": after, "s/b.html": after, "s/c.html": after})
	want := []string{"s/a.html skipped finished by an earlier run", "s/b.html skipped finished by an earlier run",
		"s/c.html rewritten"}
	if !slices.Equal(d.outcomes, want) {
		t.Errorf("resumed: got %q, want %q", d.outcomes, want)
	}
	undo(t, "j")
	wantFiles(t, "undone", before)
}

// Begin refuses a journal of another run, and changes no file.
func TestBeginRefuses(t *testing.T) {
	decides := map[string]string{"base": "http://a.test/", "map": "a=b"}
	tests := []struct {
		name string
		o    inplace.Options
		args []string
		want string
	}{
		{"an earlier run", inplace.Options{Journal: "j", OutputFlags: decides}, []string{"s"},
			"--journal j is the journal of an earlier run: add --resume to continue that run, or give the name of a " +
				"new file"},
		{"another option", inplace.Options{Journal: "j", Resume: true,
			OutputFlags: map[string]string{"base": "http://b.test/", "to": "disk"}}, []string{"s"},
			"--resume: j was begun with other options: with --base (http://a.test/, not http://b.test/), " +
				"with --map (a=b), without --to (now disk); give those options, or another journal"},
		{"another input", inplace.Options{Journal: "j", Resume: true, OutputFlags: decides}, []string{"s", "o"},
			"--resume: DIR/o is not an input of the run that began j; give inputs of that run (DIR/s), or another " +
				"journal"},
		{"no journal", inplace.Options{Journal: "s/a.html"}, []string{"s"},
			"--journal s/a.html: is not a journal of absolink: give the name of a new file"},
		{"no directory", inplace.Options{Journal: "none/j"}, []string{"s"},
			"--journal none/j: there is no directory none: make it, or give another name"},
		{"a directory", inplace.Options{Journal: "o"}, []string{"s"}, "--journal o: …"},
		{"the same run", inplace.Options{Journal: "j", Resume: true, OutputFlags: decides}, []string{"s"}, ""},
		{"a part of it", inplace.Options{Journal: "j", Resume: true, OutputFlags: decides}, []string{"s/a.html"}, ""},
	}
	lay(t, map[string]string{"s/a.html": "<a href=x>", "o/b.html": "<a href=x>"})
	if _, err := replace(t, inplace.Options{Journal: "j", OutputFlags: decides}, 0, "s"); err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(".")
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	before := files(t, ".")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := replace(t, tt.o, 0, tt.args...)
			var usage *flag.Error
			got := ""
			if errors.As(err, &usage) {
				got = strings.ReplaceAll(filepath.ToSlash(err.Error()), filepath.ToSlash(dir), "DIR")
			}
			start, open := strings.CutSuffix(tt.want, "…") // the system has texts of its own
			if (err == nil) != (tt.want == "") || got != tt.want && !(open && strings.HasPrefix(got, start)) {
				t.Errorf("Begin: got error %v, want %q", err, tt.want)
			}
			if after := files(t, "."); !maps.Equal(after, before) {
				t.Errorf("Begin changed the files to %q", after)
			}
		})
	}
	r, _ := newRun(t, io.Discard)
	var usage *flag.Error
	if err := inplace.Undo(t.Context(), r, inplace.UndoOptions{Journal: "s/a.html"}); !errors.As(err, &usage) {
		t.Errorf("Undo of another file: got error %v, want a *flag.Error", err)
	}
}

// The journal is no input, and a backup keeps the old file.
func TestJournalAmongInputs(t *testing.T) {
	lay(t, map[string]string{"s/a.html": "<a href=x>"})
	d, err := replace(t, inplace.Options{Journal: "s/j", Backup: ".orig"}, 0, "s")
	if err != nil {
		t.Fatal(err)
	}
	if got := d.outcome("s/j"); got != "skipped the journal of this run" {
		t.Errorf("the journal: got %q, want it skipped", got)
	}
	got := files(t, "s")
	if got["s/a.html"] != "<a href=http://a.test/x>" || got["s/a.html.orig"] != "<a href=x>" || len(got) != 3 {
		t.Errorf("the files are %q, want a backup", got)
	}
}

// The journal has each file once, as done, and the directories above all inputs.
func TestJournal(t *testing.T) {
	lay(t, map[string]string{"s/a.html": "<a href=x>", "s/d/b.html": "<a href=x>", "o/c.html": "<a href=x>"})
	if _, err := replace(t, inplace.Options{Journal: "j"}, 0, "s/d/b.html", "o", "s/d", "s/a.html"); err != nil {
		t.Fatal(err)
	}
	j, err := journal.Open("j")
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	var roots, paths []string
	for _, root := range j.Roots() {
		roots = append(roots, filepath.Base(root))
	}
	slices.Sort(roots)
	if !slices.Equal(roots, []string{"o", "s"}) {
		t.Errorf("the roots are %q, want o and s", j.Roots())
	}
	for f, err := range j.Backward() {
		if err != nil || f.Status != journal.Done {
			t.Errorf("%s: the status is %q and the error %v, want %q", f.Path, f.Status, err, journal.Done)
		}
		paths = append(paths, filepath.Base(f.Path))
	}
	if want := []string{"a.html", "c.html", "b.html"}; !slices.Equal(paths, want) {
		t.Errorf("the files are %q, want %q", paths, want)
	}
}

// A mailbox that another program changed before it was locked stays as it is.
func TestLockChanged(t *testing.T) {
	lay(t, map[string]string{"s/box": box})
	d, err := replaceBy(t, inplace.Options{Journal: "j"}, &absolute{before: func() {
		if err := os.WriteFile("s/box", []byte("<html>"), 0o666); err != nil {
			t.Error(err)
		}
	}}, "s")
	if err != nil {
		t.Fatal(err)
	}
	if got := d.outcome("s/box"); got != "refused was changed by another program meanwhile" {
		t.Errorf("the outcome is %q, want it refused", got)
	}
	wantFiles(t, "changed", map[string]string{"s/box": "<html>"})
}

// An Exchange notes edits of the bytes that the file has. Without a journal there is nothing to
// note.
func TestNote(t *testing.T) {
	for _, journal := range []string{"", "j"} {
		lay(t, map[string]string{"a.html": "<a href=x>"})
		r, _ := newRun(t, io.Discard, "a.html")
		p, err := inplace.Begin(t.Context(), r, inplace.Options{Args: []string{"a.html"}, Journal: journal})
		if err != nil {
			t.Fatal(err)
		}
		in, err := (&input.Reader{Options: input.Options{MaxSize: 1 << 20}}).Open(t.Context(),
			input.File{Source: "a.html", Path: "a.html", Named: true})
		if err != nil {
			t.Fatal(err)
		}
		var noted error
		err = p.Replace(in, "", func(f *os.File, x *inplace.Exchange) error {
			noted = x.Note(0, slices.Values([]mime.Edit{{Span: mime.Span{Start: 9, End: 12}}}))
			return noted
		})
		if (noted != nil) != (journal != "") || (err != nil) != (journal != "") {
			t.Errorf("with the journal %q, Note of missing bytes: got error %v, and %v of Replace", journal, noted, err)
		}
		in.Close()
		if err := p.End(); err != nil {
			t.Error(err)
		}
	}
	var none *inplace.Exchange
	if err := none.Note(0, nil); err != nil {
		t.Errorf("Note of a nil Exchange: got error %v", err)
	}
}
