package e2e

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"absolink/cmd/absolink/internal/cli"
	"absolink/testdata/effort"
)

// newCallTree makes a small tree with one file of each kind that is replaced in place, and finds
// out its final state by a run over a copy.
func newCallTree(t *testing.T, maildir bool) *crash {
	t.Helper()
	c := &crash{dir: quickDir(t)}
	put := func(name, text string) {
		save(t, filepath.Join(c.dir, "mail", name), []byte(text))
		when := time.Date(2001, 2, 3, 4, 5, len(name), 100*len(text), time.UTC) // Windows counts 100 nanoseconds
		os.Chtimes(filepath.Join(c.dir, "mail", name), when, when)
	}
	put("eml/1.eml", crashMessage(1, 30))
	put("lists/list.mbox", crashMailbox(3, 20))
	var page bytes.Buffer
	z := gzip.NewWriter(&page)
	fmt.Fprint(z, strings.Repeat(`<p><a href="x">link</a></p>`, 50))
	z.Close()
	put("page.html.gz", page.String())
	os.Chmod(filepath.Join(c.dir, "mail/page.html.gz"), 0o600)
	if maildir {
		text := crashMessage(2, 30)
		put(fmt.Sprintf("box/cur/1.host,S=%d,W=%d:2,FS", len(text), len(text)+strings.Count(text, "\n")), text)
		save(t, filepath.Join(c.dir, "mail/box/new/.keep"), nil)
		os.Remove(filepath.Join(c.dir, "mail/box/new/.keep"))
	}
	c.findStates(t, maildir)
	return c
}

// callRun is a run in place over the tree of newCallTree.
func callRun(flags ...string) []string {
	return append([]string{"rewrite", "-q", "--in-place", "--maildir-size", "rename",
		"--default-base", crashBase, "mail"}, flags...)
}

// callModes lists runs in place over the tree of newCallTree, with the steps that follow a kill.
var callModes = []struct {
	name    string
	flags   []string
	maildir bool
	journal bool
}{
	{"journal", []string{"--journal", "j", "--resume"}, true, true},
	{"no journal", nil, true, false},
	{"journal and backup", []string{"--journal", "j", "--resume", "--backup", "~"}, false, true},
	{"backup", []string{"--backup", "~"}, false, false},
}

// reset puts the old files of the tree back, and removes all other files of a run.
func (c *crash) reset(t *testing.T) {
	t.Helper()
	os.Remove(filepath.Join(c.dir, "j"))
	for _, f := range walkTree(t, filepath.Join(c.dir, "mail")) {
		os.Remove(filepath.Join(c.dir, "mail", f.path))
	}
	for _, f := range c.old {
		path := filepath.Join(c.dir, "mail", f.path)
		save(t, path, []byte(f.content))
		os.Chmod(path, f.mode)
		os.Chtimes(path, f.time, f.time)
	}
}

// sample returns every step-th number up to n, beginning with 1 + from, or two of them in a short
// test.
func sample(n, step, from int) (list []int) {
	step = effort.Pick(step, max(n/2, 1))
	for i := 1 + from; i <= n; i += step {
		list = append(list, i)
	}
	return list
}

// A run in place is killed before its system calls that change something: with the first mode of
// callModes before each of them, otherwise before every third one. At that moment
// each file is whole, old or new. The same run then ends as if it had not been killed. If there is
// a journal, an undo also gives the original tree. Both leave nothing behind.
func TestKilledAtEveryCall(t *testing.T) {
	effort.Only(t)
	for i, mode := range callModes {
		t.Run(mode.name, func(t *testing.T) {
			c := newCallTree(t, mode.maildir)
			calls := traceWhole(t, c, callRun(mode.flags...))
			for _, n := range sample(len(calls), min(1+2*i, 3), i) {
				c.reset(t)
				killAt(t, c, callRun(mode.flags...), n)
				c.check(t)
				c.goOn(t, callRun(mode.flags...), mode.journal && n%2 == 0)
				if t.Failed() {
					t.Fatalf("killed before call %d, %s", n, calls[min(n, len(calls))-1])
				}
			}
		})
	}
}

// goOn repeats a run that has ended early, or undoes it, and checks the files.
func (c *crash) goOn(t *testing.T, run []string, undo bool) {
	t.Helper()
	if !undo {
		c.succeeds(t, run)
		c.ends(t, c.new)
		return
	}
	if c.begun() {
		c.succeeds(t, []string{"rewrite", "-q", "--undo", "j"})
	}
	c.ends(t, c.old)
}

// An undo is killed before every second system call that changes something. Then the same undo
// gives the original tree.
func TestUndoKilledAtEveryCall(t *testing.T) {
	effort.Only(t)
	run := callRun("--journal", "j")
	undo := []string{"rewrite", "-q", "--undo", "j"}
	c := newCallTree(t, true)
	c.succeeds(t, run)
	calls := traceWhole(t, c, undo)
	for _, n := range sample(len(calls), 2, 0) {
		c.reset(t)
		c.succeeds(t, run)
		killAt(t, c, undo, n)
		c.check(t)
		c.goOn(t, nil, true)
		if t.Failed() {
			t.Fatalf("killed before call %d, %s", n, calls[min(n, len(calls))-1])
		}
	}
}

// traceWhole runs the command to its end, and describes the calls that change something.
func traceWhole(t *testing.T, c *crash, args []string) (calls []string) {
	t.Helper()
	r := &tracer{dir: c.dir, before: func(_ int, c *call) unix.Errno {
		calls = append(calls, strings.TrimSpace(c.name()+" "+c.path+" "+c.to))
		return 0
	}}
	if got := r.run(t, c.dir, args); got.killed || got.code != cli.ExitDone {
		t.Fatalf("%q: got %+v", args, got)
	}
	if len(calls) < 20 {
		t.Fatalf("%q: only %d calls: %q", args, len(calls), calls)
	}
	return calls
}

// killAt runs the command and kills it before the call with the number n.
func killAt(t *testing.T, c *crash, args []string, n int) {
	t.Helper()
	r := &tracer{dir: c.dir, before: func(i int, _ *call) unix.Errno {
		if i == n {
			return killed
		}
		return 0
	}}
	if got := r.run(t, c.dir, args); !got.killed && got.code != cli.ExitDone {
		t.Errorf("%q: got %+v", args, got)
	}
}

// succeeds runs the command, which must succeed.
func (c *crash) succeeds(t *testing.T, args []string) {
	t.Helper()
	if out, err := commandIn(c.dir, args).CombinedOutput(); err != nil {
		t.Errorf("%q: %v: %s", args, err, out)
	}
}
