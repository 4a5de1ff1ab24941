package inplace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"absolink/base"
	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/journal"
	"absolink/cmd/absolink/internal/lock"
	"absolink/cmd/absolink/internal/report"
	"absolink/mime"
	"absolink/mime/rewrite"
)

// Somebody who can write the tree lays a link to a directory elsewhere in the place of one
// of it, at the worst moments: nothing is written there.
func TestSwappedDirectory(t *testing.T) {
	for _, tt := range []struct {
		name          string
		before, after bool // the file is looked for; it is written
		want          string
	}{
		{"before the file is looked for", true, false, "lies below none of the roots of the run"},
		{"while the file is written", false, true, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			sub, elsewhere := filepath.Join(dir, "tree/sub"), filepath.Join(dir, "elsewhere")
			save(t, filepath.Join(sub, "a.html"), []byte("old"))
			save(t, filepath.Join(elsewhere, "a.html"), []byte("old"))
			swap := func() error {
				return errors.Join(os.Rename(sub, sub+"2"), os.Symlink("../elsewhere", sub))
			}
			in := &input.Document{File: input.File{Path: filepath.Join(sub, "a.html")}}
			if in.Info, err = os.Stat(in.Path); err != nil {
				t.Fatal(err)
			}
			if tt.before {
				err = swap()
			}
			r := &Run{roots: journal.Roots{filepath.Join(dir, "tree")}}
			got := r.Replace(in, "", func(f *os.File, _ *Exchange) error {
				if tt.after {
					err = swap()
				}
				_, failed := f.WriteString("new")
				return failed
			})
			if err != nil {
				t.Fatal(err)
			}
			if tt.want == "" && got != nil || tt.want != "" && (got == nil || !strings.Contains(got.Error(), tt.want)) {
				t.Errorf("Replace: got error %v, want %q", got, tt.want)
			}
			text, err := os.ReadFile(filepath.Join(elsewhere, "a.html"))
			if entries, _ := os.ReadDir(elsewhere); err != nil || string(text) != "old" || len(entries) != 1 {
				t.Errorf("elsewhere: got the files %q, the text %q and error %v, want a.html as it was",
					entries, text, err)
			}
			text, err = os.ReadFile(filepath.Join(sub+"2", "a.html"))
			if want := map[bool]string{false: "old", true: "new"}[tt.want == ""]; err != nil || string(text) != want {
				t.Errorf("the file itself: got %q and error %v, want %q", text, err, want)
			}
		})
	}
}

// A lock that goes between being opened and being looked at again is no failure; a
// document is one.
func TestGoneMeanwhile(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]report.Outcome{"box.lock": report.Skipped, "page.html": report.Failed} {
		path := filepath.Join(t.TempDir(), name)
		save(t, path, []byte("1\n"))
		in, err := new(input.Reader).Open(t.Context(), input.File{Source: name, Path: path, Bytes: 2})
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		os.Remove(path)
		var e report.Entry
		if ok := new(Run).Prepare(in, &e); ok || e.Result.Outcome() != want {
			t.Errorf("%s: Prepare() = %v with the outcome %v, want false and %v: %s",
				name, ok, e.Result.Outcome(), want, e.Result.Reason())
		}
		if strings.Contains(e.Result.Reason(), path) {
			t.Errorf("%s: the reason %q says the path again", name, e.Result.Reason())
		}
	}
}

// newJournalRun returns a run with a new journal, and the path of a file below it that contains
// "old".
func newJournalRun(t *testing.T, name string) (*Run, string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, name)
	save(t, path, []byte("old"))
	j, err := journal.Create(filepath.Join(dir, "j"), journal.Run{Roots: journal.Roots{dir}})
	if err != nil {
		t.Fatal(err)
	}
	return &Run{roots: journal.Roots{dir}, journal: j}, path
}

// An undo fails if the journal cannot be written, even if nothing was left to do.
func TestUndoWithoutJournal(t *testing.T) {
	r, path := newJournalRun(t, "a.html")
	r.journal.Close()
	f := &journal.File{Path: path, Name: "a.html", Size: 3, NewSize: 9}
	var err error
	if f.Before, err = journal.SumOf(strings.NewReader("old")); err != nil {
		t.Fatal(err)
	}
	var e report.Entry
	r.restoreFile(t.Context(), f, &e)
	if e.Result.Outcome() != report.Failed || e.Subject.Source != path || e.Subject.Bytes != 9 {
		t.Errorf("restoreFile: got %s (%s) of %+v, want failed", e.Result.Outcome(), e.Result.Reason(), e.Subject)
	}
}

// Nothing is locked or replaced if the journal cannot take an entry.
func TestWithoutJournal(t *testing.T) {
	r, path := newJournalRun(t, "box")
	r.journal.Close()
	in := &input.Document{File: input.File{Path: path}}
	var err error
	if in.Info, err = os.Stat(path); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Lock(t.Context(), in); err == nil {
		t.Error("Lock: got no error")
	}
	err = r.Replace(in, "", func(*os.File, *Exchange) error {
		t.Error("Replace writes without an entry of the journal")
		return nil
	})
	if err == nil {
		t.Error("Replace: got no error")
	}
	if names, _ := os.ReadDir(filepath.Dir(path)); len(names) != 2 {
		t.Errorf("the directory has %v, want the mailbox and the journal", names)
	}
}

// A file stays as it was if the journal fails while the file is written.
func TestJournalFails(t *testing.T) {
	for _, coded := range []coding.Coding{coding.None, coding.Gzip} {
		for _, notes := range []bool{false, true} {
			r, path := newJournalRun(t, "a.html")
			in := &input.Document{File: input.File{Path: path}}
			in.Hold([]byte("old"))
			in.Stored = strings.NewReader("old")
			in.StoredSize = 3
			in.Coding = coded
			var err error
			if in.Info, err = os.Stat(path); err != nil {
				t.Fatal(err)
			}
			err = r.Replace(in, "", func(f *os.File, x *Exchange) error {
				r.journal.Close()
				if _, err := f.WriteString("new"); err != nil || !notes {
					return err
				}
				return x.Note(0, slices.Values([]mime.Edit{{Span: mime.Span{End: 3}, New: []byte("new")}}))
			})
			if text, _ := os.ReadFile(path); err == nil || string(text) != "old" {
				t.Errorf("%v: Replace: got error %v and the file %q", coded, err, text)
			}
			r.End()
		}
	}
}

// Files that are missing are neither replaced nor locked.
func TestMissing(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	save(t, filepath.Join(dir, "a"), nil)
	info, err := os.Stat(filepath.Join(dir, "a"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"none", "none/x"} {
		r := &Run{roots: journal.Roots{dir}}
		in := &input.Document{File: input.File{Path: filepath.Join(dir, name)}, Info: info}
		if _, err := r.Lock(t.Context(), in); err == nil {
			t.Errorf("Lock of %s: got no error", name)
		}
		err := r.Replace(in, "", func(*os.File, *Exchange) error { return nil })
		if err == nil {
			t.Errorf("Replace of %s: got no error", name)
		}
	}
	if names, _ := os.ReadDir(dir); len(names) != 1 {
		t.Errorf("the directory has %v, want one file", names)
	}
}

// The sizes of a message that cannot be read are an error.
func TestSizesOfUnreadable(t *testing.T) {
	const text = "Content-Type: text/html\n\n<a href=abcd>\n"
	path := filepath.Join(t.TempDir(), "cur/1.h,S=39:2,S")
	save(t, path, []byte(text))
	save(t, filepath.Join(filepath.Dir(path), "../new/2.h"), nil)
	in := &input.Document{File: input.File{Path: path}, Decision: input.Decision{Kind: input.Message}}
	in.Stored = strings.NewReader(text)
	in.StoredSize = int64(len(text))
	in.At = in.Stored
	in.Size = in.StoredSize
	outer := &base.Layer{Source: base.Option, Value: "http://a.test/"}
	p, err := new(rewrite.Rewriter).Plan(in.DocumentSource(""), outer)
	if err != nil || !p.Edited() {
		t.Fatalf("the plan is %+v, %v", p, err)
	}
	r := &Run{o: Options{Maildir: RenameSize}}
	var e report.Entry
	if name, err := r.MaildirName(in, p, &e); err != nil || name != "1.h,S=53:2,S" {
		t.Errorf("MaildirName: got %q, %v", name, err)
	}
	in.At = strings.NewReader("")
	if name, err := r.MaildirName(in, p, &e); err == nil || name != "" {
		t.Errorf("MaildirName of missing bytes: got %q and no error", name)
	}
}

// A file has the bytes of the journal only if it is a regular file of the same size and sum.
func TestFileHas(t *testing.T) {
	dir := t.TempDir()
	save(t, filepath.Join(dir, "a"), []byte("text"))
	save(t, filepath.Join(dir, "d/a"), nil)
	d, err := files.OpenDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for _, tt := range []struct {
		name, bytes string
		size        int64
		want        bool
	}{{"a", "text", 4, true}, {"a", "tex", 3, false}, {"a", "tex", 4, false}, {"a", "text", 5, false},
		{"a", "text", 3, false}, {"b", "", 0, false}, {"d", "", 0, false}} {
		sum, err := journal.SumOf(strings.NewReader(tt.bytes))
		if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(filepath.Join(dir, tt.name)); err == nil && info.IsDir() {
			tt.size = info.Size()
		}
		if got := fileHas(d, tt.name, tt.size, sum); got != tt.want {
			t.Errorf("fileHas(%s) of %q, %d bytes: got %v, want %v", tt.name, tt.bytes, tt.size, got, tt.want)
		}
	}
}

// The name of a file that is missing is an error.
func TestMaildirNameOfMissing(t *testing.T) {
	in := &input.Document{File: input.File{Path: filepath.Join(t.TempDir(), "none")}}
	if name, err := new(Run).MaildirName(in, nil, new(report.Entry)); err == nil || name != "" {
		t.Errorf("MaildirName: got %q, %v, want an error", name, err)
	}
}

// An undo removes leftovers beside all inputs of the run, even if the journal does not know the
// files: a loss of power can take the last lines. It does not look further.
func TestSweepInputs(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	leave := func(path string) (names []string) {
		save(t, path, []byte("old"))
		save(t, path+lock.Suffix, fmt.Appendf(nil, "1\nabsolink\n%s\n%s\n", host, files.Boot()))
		d, err := files.OpenDir(filepath.Dir(path))
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		f, err := files.CreateTemporary(d, filepath.Base(path), 0o600)
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
		return []string{path + lock.Suffix, filepath.Join(filepath.Dir(path), f.Base())}
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	gone := slices.Concat(leave(at("tree/a.mbox")), leave(at("tree/deep/er/b.mbox")), leave(at("named/c.mbox")),
		leave(at("gone/d"))[1:])
	moved := leave(at("md/new/message"))[1:] // beside the message that is named
	gone = append(gone, moved...)
	if err := errors.Join(os.MkdirAll(at("md/cur"), 0o777), os.Mkdir(at("md/tmp"), 0o777)); err != nil {
		t.Fatal(err)
	}
	stay := append(leave(at("named/below/e.mbox")), at("tree/a.mbox"), at("tree/deep/er/b.mbox"), at("named/c.mbox"))
	if err := os.Remove(at("gone/d")); err != nil {
		t.Fatal(err)
	}
	j, err := journal.Create(at("j"), journal.Run{Roots: journal.Roots{dir},
		Inputs: []string{at("tree"), at("named/c.mbox"), at("gone/d"), at("nowhere/f"), at("md/cur/m")}})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	r := &Run{roots: journal.Roots{dir}, journal: j}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	r.sweepInputs(done)
	if _, err := os.Lstat(at("tree/deep/er/b.mbox" + lock.Suffix)); err != nil {
		t.Errorf("after an interrupt, the whole tree is swept: %v", err)
	}
	r.sweepInputs(t.Context())
	for _, path := range gone {
		if _, err := os.Lstat(path); err == nil {
			t.Errorf("%s is left", path)
		}
	}
	for _, path := range stay {
		if _, err := os.Lstat(path); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func save(t *testing.T, name string, content []byte) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, content, 0o666)); err != nil {
		t.Fatal(err)
	}
}
