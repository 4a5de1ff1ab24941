package inplace_test

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/inplace"
	"absolink/testdata/effort"
	"absolink/testdata/interrupt"
)

// faultTree is a tree with a file of each kind.
func faultTree() map[string]string {
	return map[string]string{"s/b/box": box, "s/m/cur/1.h,S=39:2,S": mail,
		"s/m/new/2.h": "Subject: x\n\n", "s/z.html.gz": zip("<a href=x>")}
}

// An undo may be interrupted at any step. A file is reported only if it has its old bytes. The next
// undo gives all files their old bytes and names. The list of an undo changes nothing.
func TestUndoInterruptedAnywhere(t *testing.T) {
	for _, lists := range []bool{false, true} {
		step := effort.Pick(1, 2)
		if lists {
			step = effort.Pick(1, 5) // the list writes no file
		}
		for n := 0; ; n += step {
			before := faultTree()
			lay(t, before)
			o := inplace.Options{Journal: "j", Maildir: inplace.RenameSize}
			if _, err := replace(t, o, 0, "s"); err != nil {
				t.Fatal(err)
			}
			after := files(t, "s")
			ctx := &interrupt.Context{Left: n}
			r, d := newRun(t, io.Discard)
			undo := inplace.UndoOptions{Journal: "j"}
			var out strings.Builder
			if lists {
				undo.List = &out
			}
			err := inplace.Undo(ctx, r, undo)
			if ctx.Seen != errors.Is(err, context.Canceled) || !ctx.Seen && err != nil {
				t.Errorf("interrupted at step %d: %v: got error %v", n, ctx.Seen, err)
			}
			old := 0
			for name, text := range files(t, "s") {
				switch text {
				case before[name]:
					old++
				case after[name]:
				default:
					t.Errorf("interrupted at step %d: %s has %q", n, name, text)
				}
			}
			if lists && old != 1 || !lists && len(d.outcomes) > old-1 {
				t.Errorf("interrupted at step %d: %d files have their old bytes, and %q are reported", n, old,
					d.outcomes)
			}
			if !ctx.Seen {
				if len(d.outcomes) != 3 {
					t.Errorf("not interrupted: %q are reported, want three files", d.outcomes)
				}
				break
			}
			r, _ = newRun(t, io.Discard)
			if err := inplace.Undo(t.Context(), r, inplace.UndoOptions{Journal: "j"}); err != nil {
				t.Fatal(err)
			}
			wantFiles(t, "undone", before)
		}
	}
}

// A resumed run may be interrupted while it gives messages their names. The next run gives them.
func TestBeginInterrupted(t *testing.T) {
	for n := 0; ; n++ {
		const old, named = "s/cur/1.h,S=39:2,S", "s/cur/1.h,S=53:2,S"
		lay(t, map[string]string{old: mail, "s/new/2.h": "Subject: x\n\n"})
		o := inplace.Options{Journal: "j", Maildir: inplace.RenameSize}
		if _, err := replace(t, o, 0, "s"); err != nil {
			t.Fatal(err)
		}
		edit(t, "j", `{"file":1,"status":"done"}`+"\n", "")
		if err := os.Rename(named, old); err != nil {
			t.Fatal(err)
		}
		o.Resume = true
		o.Args = []string{"s"}
		r, _ := newRun(t, io.Discard, "s")
		ctx := &interrupt.Context{Left: n}
		p, err := inplace.Begin(ctx, r, o)
		if ctx.Seen != (err == context.Canceled) || !ctx.Seen && err != nil {
			t.Errorf("interrupted at step %d: %v: got error %v", n, ctx.Seen, err)
		}
		if err == nil {
			if err := p.End(); err != nil {
				t.Error(err)
			}
			wantFiles(t, "begun", map[string]string{named: mailAfter, "s/new/2.h": "Subject: x\n\n"})
		}
		if !ctx.Seen {
			return
		}
		if open := openFiles(t); len(open) > 0 {
			t.Errorf("interrupted at step %d: %q are open", n, open)
		}
		if _, err := replace(t, o, 0, "s"); err != nil {
			t.Error(err)
		}
		wantFiles(t, "resumed", map[string]string{named: mailAfter, "s/new/2.h": "Subject: x\n\n"})
	}
}

// A damaged entry of the journal fails its own file only.
func TestDamagedEntry(t *testing.T) {
	damaged := func() {
		lay(t, map[string]string{"s/a.html": "<a href=x>", "s/b.html": "<a href=y>"})
		if _, err := replace(t, inplace.Options{Journal: "j"}, 0, "s"); err != nil {
			t.Fatal(err)
		}
		edit(t, "j", `"before":"`, `"before":"0`)
	}
	damaged()
	var out strings.Builder
	r, d := newRun(t, io.Discard)
	if err := inplace.Undo(t.Context(), r, inplace.UndoOptions{Journal: "j", List: &out}); err != nil {
		t.Fatal(err)
	}
	if len(d.outcomes) != 2 || !strings.HasSuffix(d.outcomes[0], "b.html restored") ||
		!strings.HasPrefix(d.outcomes[1], "j failed ") || !strings.HasSuffix(out.String(), "b.html\n") {
		t.Errorf("the list is %q with the outcomes %q, want b.html and a failure", out.String(), d.outcomes)
	}
	undo(t, "j", "s/b.html")
	wantFiles(t, "undone", map[string]string{"s/a.html": "<a href=http://a.test/x>", "s/b.html": "<a href=y>"})
	damaged()
	_, err := replace(t, inplace.Options{Journal: "j", Resume: true}, 0, "s")
	if open := openFiles(t); len(open) > 0 {
		t.Errorf("resumed with error %v: %q are open", err, open)
	}
	wantFiles(t, "resumed", map[string]string{"s/a.html": "<a href=http://a.test/x>",
		"s/b.html": "<a href=http://a.test/y>"})
}

// full is a writer that fails.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space") }

// An undo whose list cannot be written, or whose journal is another output of the run, fails.
func TestUndoFails(t *testing.T) {
	lay(t, map[string]string{"s/a.html": "<a href=x>"})
	if _, err := replace(t, inplace.Options{Journal: "j"}, 0, "s"); err != nil {
		t.Fatal(err)
	}
	r, _ := newRun(t, io.Discard)
	err := inplace.Undo(t.Context(), r, inplace.UndoOptions{Journal: "j", List: full{}})
	if err == nil || !strings.Contains(err.Error(), "no space") {
		t.Errorf("Undo with a full output: got error %v", err)
	}
	r, _ = newRun(t, io.Discard)
	stat := func() (os.FileInfo, error) { return os.Stat("j") }
	if err := r.Account.ClaimOutput("--report j", "the report", stat); err != nil {
		t.Fatal(err)
	}
	if err := inplace.Undo(t.Context(), r, inplace.UndoOptions{Journal: "j"}); err == nil {
		t.Error("Undo with the journal as report: got no error")
	}
	wantFiles(t, "not undone", map[string]string{"s/a.html": "<a href=http://a.test/x>"})
}

// The entry of a listed file has the number of its bytes.
func TestUndoListBytes(t *testing.T) {
	lay(t, map[string]string{"s/a.html": "<a href=x>"})
	if _, err := replace(t, inplace.Options{Journal: "j"}, 0, "s"); err != nil {
		t.Fatal(err)
	}
	for _, list := range []io.Writer{io.Discard, nil} {
		r, d := newRun(t, io.Discard)
		if err := inplace.Undo(t.Context(), r, inplace.UndoOptions{Journal: "j", List: list}); err != nil {
			t.Fatal(err)
		}
		if want := []int64{int64(len("<a href=http://a.test/x>"))}; !slices.Equal(d.bytes, want) {
			t.Errorf("the entries have %d bytes, want %d", d.bytes, want)
		}
	}
}

// A message that has its old bytes under its new name gets its old name, unless another file has
// that name.
func TestUndoName(t *testing.T) {
	const old, named = "s/cur/1.h,S=39:2,S", "s/cur/1.h,S=53:2,S"
	for _, taken := range []bool{false, true} {
		lay(t, map[string]string{old: mail, "s/new/2.h": "Subject: x\n\n"})
		if _, err := replace(t, inplace.Options{Journal: "j", Maildir: inplace.RenameSize}, 0, "s"); err != nil {
			t.Fatal(err)
		}
		err := os.WriteFile(named, []byte(mail), 0o666)
		want := map[string]string{old: mail, "s/new/2.h": "Subject: x\n\n"}
		outcome := " restored"
		if taken {
			err = errors.Join(err, os.WriteFile(old, []byte("other"), 0o666))
			want = map[string]string{old: "other", named: mail, "s/new/2.h": "Subject: x\n\n"}
			outcome = " refused its new name "
		}
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		r, _ := newRun(t, io.Discard)
		if err := inplace.Undo(t.Context(), r, inplace.UndoOptions{Journal: "j", List: &out}); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(out.String(), "S=39:2,S\n") {
			t.Errorf("the list is %q, want the message", out.String())
		}
		if d := undo(t, "j"); len(d.outcomes) != 1 || !strings.Contains(d.outcomes[0]+" ", outcome) {
			t.Errorf("taken %v: the outcomes are %q, want %q", taken, d.outcomes, outcome)
		}
		wantFiles(t, "undone", want)
	}
}

// The inputs of a resumed run are compared by their real paths. An input in a missing directory is
// left to the run.
func TestResumeInputs(t *testing.T) {
	lay(t, map[string]string{"s/a.html": "<a href=x>", "s/b.html": "<a href=x>", "m/cur/1.h:2,S": mail,
		"m/new/2.h": ""})
	if _, err := replace(t, inplace.Options{Journal: "j"}, 0, "s/a.html", "m/cur/1.h:2,S", "s/a.html"); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Symlink("s/a.html", "link"), os.Symlink("s/b.html", "other")); err != nil {
		t.Fatal(err)
	}
	for arg, want := range map[string]string{"s/a.html": "", "link": "", "none/x": "", "m/cur/1.h:2,FS": "",
		"m/new/1.h": "", "other": "is not an input of the run", "s/none.html": "is not an input of the run",
		"s/b.html":      "is not an input of the run",
		"m/cur/3.h:2,S": "is not an input of the run", "s": "is not an input of the run"} {
		r, _ := newRun(t, io.Discard)
		p, err := inplace.Begin(t.Context(), r, inplace.Options{Journal: "j", Resume: true, Args: []string{arg}})
		var usage *flag.Error
		ok := err == nil || errors.As(err, &usage) && strings.Contains(err.Error(), want)
		if !ok || (err == nil) != (want == "") {
			t.Errorf("Begin over %s: got error %v, want %q", arg, err, want)
		}
		if err == nil {
			p.End()
		}
	}
}

// Temporary files are removed from both directories of a Maildir, since its messages move, and
// beside each file that a run finds.
func TestLeftoversOfMovedMessages(t *testing.T) {
	for _, dir := range []string{"cur", "new"} {
		other := map[string]string{"cur": "new", "new": "cur"}[dir]
		lay(t, map[string]string{"s/" + dir + "/1.h": mail, "o/b.html": "<p>"})
		if err := errors.Join(os.Mkdir("s/"+other, 0o777), os.Mkdir("s/tmp", 0o777)); err != nil {
			t.Fatal(err)
		}
		leftover := dead(t)
		if _, err := replace(t, inplace.Options{Journal: "j"}, 0, "s", "o"); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.WriteFile("s/"+other+"/"+leftover, nil, 0o600),
			os.WriteFile("o/"+leftover, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
		r, _ := newRun(t, io.Discard)
		p, err := inplace.Begin(t.Context(), r, inplace.Options{Journal: "j", Resume: true, Args: []string{"s", "o"}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat("s/" + other + "/" + leftover); err == nil {
			t.Errorf("a message in %s: the file in %s is still there", dir, other)
		}
		p.Sweep("none/x")
		if _, err := os.Stat("o/" + leftover); err != nil {
			t.Errorf("beside a file that was not replaced: %v", err)
		}
		p.Sweep("o/b.html")
		if _, err := os.Stat("o/" + leftover); err == nil {
			t.Error("Sweep: the file is still there")
		}
		p.End()
	}
}

// A mailbox stays if it is missing when it is locked, or if it cannot be locked.
func TestLockFails(t *testing.T) {
	for name, before := range map[string]func() error{
		"missing":    func() error { return os.Remove("s/b/box") },
		"not locked": func() error { return os.MkdirAll("s/b/box.lock/x", 0o777) },
	} {
		lay(t, map[string]string{"s/b/box": box})
		d, err := replaceBy(t, inplace.Options{Journal: "j"}, &absolute{before: func() {
			if err := before(); err != nil {
				t.Error(err)
			}
		}}, "s/b/box")
		if err != nil {
			t.Fatal(err)
		}
		if got := d.outcome("s/b/box"); !strings.HasPrefix(got, "failed ") && !strings.HasPrefix(got, "refused ") {
			t.Errorf("%s: the outcome is %q, want a failure", name, got)
		}
		if got, ok := files(t, "s")["s/b/box"]; ok != (name != "missing") || ok && got != box {
			t.Errorf("%s: the mailbox is %q", name, got)
		}
		if open := openFiles(t); len(open) > 0 {
			t.Errorf("%s: %q are open", name, open)
		}
	}
}

// impatient is a context that is cancelled as soon as somebody waits for something else.
type impatient struct {
	context.Context
	waited bool
}

func (c *impatient) Done() <-chan struct{} {
	c.waited = true
	done := make(chan struct{})
	close(done)
	return done
}

func (c *impatient) Err() error {
	if c.waited {
		return context.Canceled
	}
	return nil
}

// An undo leaves a mailbox that cannot be locked.
func TestUndoWithoutLock(t *testing.T) {
	lay(t, map[string]string{"s/box": box})
	if _, err := replace(t, inplace.Options{Journal: "j"}, 0, "s"); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll("s/box.lock/x", 0o777); err != nil {
		t.Fatal(err)
	}
	ctx := &impatient{Context: t.Context()}
	r, d := newRun(t, io.Discard)
	err := inplace.Undo(ctx, r, inplace.UndoOptions{Journal: "j"})
	if !errors.Is(err, context.Canceled) || !ctx.waited {
		t.Errorf("Undo waits: %t, error %v, want that it was cancelled", ctx.waited, err)
	}
	if len(d.outcomes) != 0 {
		t.Errorf("the outcomes are %q, want none", d.outcomes)
	}
	wantFiles(t, "locked", map[string]string{"s/box": boxAfter})
	if err := os.RemoveAll("s/box.lock"); err != nil {
		t.Fatal(err)
	}
	undo(t, "j")
	wantFiles(t, "undone", map[string]string{"s/box": box})
}
