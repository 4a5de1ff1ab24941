package inplace_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"

	output "absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/inplace"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/lock"
	"absolink/cmd/absolink/internal/report"
)

// edit replaces a part of a file.
func edit(t *testing.T, name, old, by string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil || !bytes.Contains(text, []byte(old)) {
		t.Fatalf("%s: got %q and error %v, want %q in it", name, text, err, old)
	}
	if err := os.WriteFile(name, bytes.Replace(text, []byte(old), []byte(by), 1), 0o666); err != nil {
		t.Fatal(err)
	}
}

// A run that was killed between the bytes and the name of a message gives the name when it is
// resumed, if the message has its new bytes and nothing has the name.
func TestResumeName(t *testing.T) {
	const (
		old     = "s/cur/1.h,S=39:2,S"
		named   = "s/cur/1.h,S=53:2,S"
		another = "Content-Type: text/html\n\n<a href=zzzz>\n"
	)
	o := inplace.Options{Journal: "j", Maildir: inplace.RenameSize}
	for _, tt := range []struct {
		name          string
		text          string // of the message
		taken         bool   // another file has the new name
		want, outcome string
	}{
		{"killed", mailAfter, false, named, named + " skipped finished by an earlier run"},
		{"not begun", mail, false, named, old + " rewritten"},
		{"changed", another, false, named, old + " rewritten"},
		{"taken", mailAfter, true, old, old + " failed "},
	} {
		lay(t, map[string]string{old: mail, "s/new/2.h": "Subject: x\n\n"})
		if _, err := replace(t, o, 0, "s"); err != nil {
			t.Fatal(err)
		}
		edit(t, "j", `{"file":1,"status":"done"}`+"\n", "")
		err := errors.Join(os.Remove(named), os.WriteFile(old, []byte(tt.text), 0o666))
		if tt.taken {
			err = errors.Join(err, os.WriteFile(named, nil, 0o666))
		}
		if err != nil {
			t.Fatal(err)
		}
		again := o
		again.Resume = true
		d, err := replace(t, again, 0, "s")
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(strings.Join(d.outcomes, "\n"), tt.outcome) {
			t.Errorf("%s: the outcomes are %q, want %q", tt.name, d.outcomes, tt.outcome)
		}
		if got := files(t, "s"); len(got[tt.want]) != len(mailAfter) || !tt.taken && len(got) != 2 {
			t.Errorf("%s: the files are %q, want the message as %s", tt.name, got, tt.want)
		}
	}
}

// dead returns the name of a temporary file that a dead process of this machine has left.
func dead(t *testing.T) string {
	t.Helper()
	d, err := output.OpenDir(".")
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	live, err := output.CreateTemporary(d, "live", 0o600)
	if err != nil {
		t.Fatal(err)
	}
	live.Cleanup()
	return live.Base() // no process holds a file of this name any more
}

// deadLock returns the content of the lock of a dead process of this machine.
func deadLock(t *testing.T) []byte {
	t.Helper()
	d, err := output.OpenDir("s")
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	l, err := lock.Acquire(t.Context(), d, "box")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Release()
	text, err := os.ReadFile("s/box.lock")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Leftovers of killed processes are removed beside the inputs, and beside all files of the journal.
func TestLeftovers(t *testing.T) {
	before := map[string]string{"s/a.html": "<a href=x>", "s/d/b.html": "<a href=x>", "s/box": box,
		"s/m/cur/1.h:2,S": mail, "s/m/new/2.h": mail}
	lay(t, before)
	leftover := dead(t)
	left := map[string][]byte{"s/box.lock": deadLock(t)}
	for _, dir := range []string{"s", "s/d", "s/m/cur", "s/m/new"} {
		left[dir+"/"+leftover] = []byte("x")
	}
	leave := func() {
		for name, text := range left {
			if err := os.WriteFile(name, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	gone := func(when string) {
		t.Helper()
		for name := range left {
			if _, err := os.Stat(name); err == nil {
				t.Errorf("%s: %s is still there", when, name)
			}
		}
	}
	for _, journal := range []string{"", "j"} {
		leave()
		if _, err := replace(t, inplace.Options{Journal: journal}, 0, "s"); err != nil {
			t.Fatal(err)
		}
		gone("a run with the journal " + journal)
		if journal == "" {
			for name, text := range before {
				if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	leave()
	r, _ := newRun(t, io.Discard, "s/box")
	p, err := inplace.Begin(t.Context(), r, inplace.Options{Args: []string{"s/box"}})
	if err != nil {
		t.Fatal(err)
	}
	in, err := new(input.Reader).Open(t.Context(), input.File{Source: "s/box", Path: "s/box"})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if !p.Prepare(in, new(report.Entry)) {
		t.Error("Prepare() = false without a journal, want true")
	}
	for _, name := range []string{"s/box.lock", "s/" + leftover} {
		if _, err := os.Stat(name); err == nil {
			t.Errorf("Prepare: %s is still there", name)
		}
	}
	leave()
	r, _ = newRun(t, io.Discard, "s/a.html")
	p, err = inplace.Begin(t.Context(), r, inplace.Options{Args: []string{"s/a.html"}, Journal: "j", Resume: true})
	if err != nil {
		t.Fatal(err)
	}
	gone("a resumed run over one file")
	if err := p.End(); err != nil {
		t.Error(err)
	}
	leave()
	undo(t, "j")
	gone("an undo")
	wantFiles(t, "undone", before)
}

// A mailbox that another process keeps locked is not changed. A pipe is refused.
func TestLockRefuses(t *testing.T) {
	lay(t, map[string]string{"s/box": box, "s/box.lock": "12345\n"})
	r, _ := newRun(t, io.Discard, "s/box")
	p, err := inplace.Begin(t.Context(), r, inplace.Options{Args: []string{"s/box"}})
	if err != nil {
		t.Fatal(err)
	}
	in, err := (&input.Reader{Options: input.Options{MaxSize: 1 << 20}}).Open(t.Context(),
		input.File{Source: "s/box", Path: "s/box", Named: true})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // so that nothing waits for the other process
	if _, err := p.Lock(ctx, in); !errors.Is(err, context.Canceled) {
		t.Errorf("Lock of a locked mailbox: got error %v, want that it was canceled", err)
	}
	var refusal *output.Refusal
	if _, err := p.Lock(ctx, new(input.Document)); !errors.As(err, &refusal) ||
		!strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("Lock of a pipe: got error %v, want a refusal", err)
	}
	wantFiles(t, "locked", map[string]string{"s/box": box, "s/box.lock": "12345\n"})
}

// An undo never writes bytes that the file did not have: it refuses a journal with other bytes, and
// a directory that became a symbolic link.
func TestUndoDamaged(t *testing.T) {
	const after = "<a href=http://a.test/x>"
	for name, tt := range map[string]struct {
		damage func()
		want   string
	}{
		// the old bytes are "x", which is eA== in base64
		"other bytes": {func() { edit(t, "j", `"old":"eA=="`, `"old":"eQ=="`) },
			"refused the journal does not have its old bytes"},
		"another hash": {func() { edit(t, "j", `"before":"`, `"before":"0`) }, "failed "},
		"a link": {func() {
			err := errors.Join(os.Rename("s/d", "s/e"), os.Symlink("e", "s/d"))
			if err != nil {
				t.Fatal(err)
			}
		}, "refused "},
	} {
		lay(t, map[string]string{"s/d/a.html": "<a href=x>"})
		if _, err := replace(t, inplace.Options{Journal: "j"}, 0, "s"); err != nil {
			t.Fatal(err)
		}
		tt.damage()
		d := undo(t, "j")
		if len(d.outcomes) != 1 || !strings.Contains(d.outcomes[0], " "+tt.want) {
			t.Errorf("%s: the outcomes are %q, want %q", name, d.outcomes, tt.want)
		}
		text, err := os.ReadFile("s/d/a.html")
		if err != nil || string(text) != after {
			t.Errorf("%s: the file has %q, %v, want %q", name, text, err, after)
		}
	}
}

// An undo that is interrupted at its beginning changes nothing, and says so. A quiet undo prints
// nothing.
func TestUndoInterrupted(t *testing.T) {
	before := map[string]string{"s/a.html": "<a href=x>"}
	lay(t, before)
	if _, err := replace(t, inplace.Options{Journal: "j"}, 0, "s"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	quiet := inplace.UndoOptions{Journal: "j", Quiet: true}
	var stderr strings.Builder
	r, d := newRun(t, &stderr)
	if err := inplace.Undo(ctx, r, quiet); !errors.Is(err, context.Canceled) || len(d.outcomes) != 0 {
		t.Errorf("Undo: got error %v and %q, want that it was canceled", err, d.outcomes)
	}
	wantFiles(t, "interrupted", map[string]string{"s/a.html": "<a href=http://a.test/x>"})
	stderr.Reset()
	r, _ = newRun(t, &stderr)
	if err := inplace.Undo(t.Context(), r, quiet); err != nil || stderr.Len() != 0 {
		t.Errorf("a quiet Undo: got error %v and %q, want nothing", err, stderr.String())
	}
	wantFiles(t, "undone", before)
}

// A file that somebody changes while it is replaced stays as it is.
func TestChangedMeanwhile(t *testing.T) {
	for _, journal := range []string{"", "j"} {
		lay(t, map[string]string{"s/a.html": "<a href=x><p>"})
		d, err := replaceBy(t, inplace.Options{Journal: journal}, &absolute{during: func() {
			edit(t, "s/a.html", "<p>", "<b>")
		}}, "s")
		if err != nil {
			t.Fatal(err)
		}
		if got := d.outcome("s/a.html"); !strings.HasPrefix(got, "refused ") {
			t.Errorf("with the journal %q: the outcome is %q, want it refused", journal, got)
		}
		wantFiles(t, "changed", map[string]string{"s/a.html": "<a href=x><b>"})
	}
}

// Begin names only a few of the inputs of an earlier run.
func TestBeginNames(t *testing.T) {
	list := make(map[string]string)
	var args []string
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		list["s/"+name+".html"] = "<a href=x>"
		args = append(args, "s/"+name+".html")
	}
	lay(t, list)
	if _, err := replace(t, inplace.Options{Journal: "j"}, 0, args[:5]...); err != nil {
		t.Fatal(err)
	}
	before := files(t, "s")
	_, err := replace(t, inplace.Options{Journal: "j", Resume: true}, 0, args[5])
	var usage *flag.Error
	if !errors.As(err, &usage) || !strings.Contains(err.Error(), "/d.html and 1 more), or") {
		t.Errorf("Begin over another file: got error %v, want four files named", err)
	}
	if _, err := replace(t, inplace.Options{Journal: "j", Resume: true}, 0, args[4]); err != nil {
		t.Errorf("Begin over one of five files: got error %v", err)
	}
	if after := files(t, "s"); !maps.Equal(after, before) {
		t.Errorf("Begin changed the files to %q", after)
	}
}

func TestMaildirSizeNames(t *testing.T) {
	for size, want := range map[inplace.MaildirSize]string{inplace.RefuseSize: "refuse", inplace.RenameSize: "rename",
		inplace.KeepSize: "keep"} {
		if size.String() != want {
			t.Errorf("String of %d: got %q, want %q", size, size.String(), want)
		}
	}
}

// The refusal of other inputs names the directories of the run, if the journal does not have its
// inputs.
func TestBeginWithoutInputs(t *testing.T) {
	lay(t, map[string]string{"s/a.html": "<a href=x>", "o/b.html": "<a href=x>"})
	if _, err := replace(t, inplace.Options{Journal: "j"}, 0, "s"); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("j")
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`,"inputs":\[[^]]*\]`).FindString(string(text))
	edit(t, "j", line, "")
	_, err = replace(t, inplace.Options{Journal: "j", Resume: true}, 0, "o")
	if err == nil || line == "" || !strings.Contains(err.Error(), string(filepath.Separator)+"s), or") {
		t.Errorf("Begin over another directory: got error %v, want the directory of the run", err)
	}
	if _, err := replace(t, inplace.Options{Journal: "j", Resume: true}, 0, "s/a.html"); err != nil {
		t.Errorf("Begin over a file of the run: got error %v", err)
	}
}

// A symbolic link stays, and its file is replaced. The links of a directory are followed, too.
func TestLinks(t *testing.T) {
	for _, journal := range []string{"", "j"} {
		lay(t, map[string]string{"s/a.html": "<a href=x>", "s/d/b.html": "<a href=x>", "s/e/c.html": "<a href=x>"})
		err := errors.Join(os.Symlink("../a.html", "s/d/a.html"), os.Symlink("s", "link"))
		if err != nil {
			t.Fatal(err)
		}
		args := []string{"s/d/b.html", "s/d/a.html", "link/e/c.html"}
		d, err := replace(t, inplace.Options{Journal: journal}, 0, args...)
		if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Lstat("s/d/a.html"); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("the link is %v, %v, want a link", info, err)
		}
		const after = "<a href=http://a.test/x>"
		for _, name := range []string{"s/a.html", "s/d/b.html", "s/e/c.html"} {
			if text, err := os.ReadFile(name); err != nil || string(text) != after {
				t.Errorf("%s has %q, %v, want %q: %q", name, text, err, after, d.outcomes)
			}
		}
	}
}

// openFiles returns the open files below the current directory, except s. The arguments of a run
// keep s open.
func openFiles(t *testing.T) (paths []string) {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skipf("the open files are not known: %v", err)
	}
	here, err := filepath.EvalSymlinks(".")
	if err == nil {
		here, err = filepath.Abs(here)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		path, err := os.Readlink("/proc/self/fd/" + e.Name())
		if rest, ok := strings.CutPrefix(path, here+"/"); ok && err == nil && rest != "s" {
			paths = append(paths, rest)
		}
	}
	return paths
}

// A run, a resumed run and an undo close all files, whether the files can be replaced or not.
func TestOpenFiles(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection closes files that are lost
	for _, damage := range []func() error{
		func() error { return nil },
		func() error { return os.WriteFile("s/a.html", []byte("other"), 0o666) },
		func() error { return os.Remove("s/a.html") },
		func() error { return os.Rename("s/m/cur/1.h,S=53:2,S", "s/m/cur/1.h,S=53:2,FS") },
		func() error { return os.WriteFile("s/m/cur/1.h,S=53:2,S", []byte("other"), 0o666) },
		func() error { return errors.Join(os.RemoveAll("s/d"), os.Symlink("m", "s/d")) },
	} {
		lay(t, map[string]string{"s/a.html": "<a href=x>", "s/d/b.html": "<a href=x>", "s/b/box": box,
			"s/m/cur/1.h,S=39:2,S": mail, "s/m/new/2.h": mail, "s/z.html.gz": zip("<a href=x>")})
		o := inplace.Options{Journal: "j", Maildir: inplace.RenameSize}
		if _, err := replace(t, o, 0, "s"); err != nil {
			t.Fatal(err)
		}
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		edit(t, "j", `{"file":1,"status":"done"}`+"\n", "")
		o.Resume = true
		if _, err := replace(t, o, 0, "s"); err != nil {
			t.Fatal(err)
		}
		r, _ := newRun(t, io.Discard)
		if _, err := inplace.Begin(t.Context(), r, inplace.Options{Journal: "j", Args: []string{"s"}}); err == nil {
			t.Error("Begin over an earlier run: got no error")
		}
		r, _ = newRun(t, io.Discard)
		if err := inplace.Undo(t.Context(), r, inplace.UndoOptions{Journal: "j", List: io.Discard}); err != nil {
			t.Fatal(err)
		}
		undo(t, "j")
		undo(t, "j")
		if after := openFiles(t); len(after) > 0 {
			t.Errorf("%q are open, want none", after)
		}
	}
}

// A run that is refused after it has opened the journal closes the journal.
func TestRefusedRunClosesJournal(t *testing.T) {
	t.Chdir(t.TempDir())
	o := inplace.Options{Args: []string{"a.html"}, Journal: "j"}
	os.WriteFile("a.html", []byte("<a href=x>"), 0o600)
	os.WriteFile("j", nil, 0o600)
	r, _ := newRun(t, io.Discard, "a.html")
	stat := func() (fs.FileInfo, error) { return os.Stat("j") }
	if err := r.Account.ClaimOutput("--report j", "the report", stat); err != nil {
		t.Fatal(err)
	}
	if _, err := inplace.Begin(t.Context(), r, o); err == nil {
		t.Fatal("a journal that is the report: got no error, want one")
	}
	again, _ := newRun(t, io.Discard, "a.html")
	p, err := inplace.Begin(t.Context(), again, o)
	if err != nil {
		t.Fatalf("the next run: %v", err)
	}
	p.End()
}
