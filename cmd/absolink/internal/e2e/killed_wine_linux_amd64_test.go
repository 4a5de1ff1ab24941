package e2e

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"absolink/cmd/absolink/internal/cli"
	"absolink/testdata/effort"
)

// A run of the program for Windows in place, and its undo, are killed after each change of a file
// or name. At that moment each file is whole, old or new. Then the run is resumed, and ends as if
// it had not been killed. Or the run is undone, which gives the original tree. Both leave nothing
// behind. Files are replaced one after the other, so each run makes the same calls. Wine's server
// must run already (wineserver -p600): one that a traced program starts would get its filter.
func TestKilledUnderWine(t *testing.T) {
	onlyUnderWine(t)
	c := newCallTree(t, false)
	run := callRun("--jobs", "1", "--journal", "j", "--resume")
	undo := []string{"rewrite", "-q", "--undo", "j"}
	original := snapshot(t, c.dir)
	kills := 0
	for _, moment := range momentsOf(t, c, run) {
		original.putBack(t, c.dir)
		killAt(t, c, run, moment)
		c.check(t)
		left := snapshot(t, c.dir)
		c.succeeds(t, run)
		c.ends(t, c.new)
		left.putBack(t, c.dir)
		if c.begun() {
			c.succeeds(t, undo)
		}
		c.ends(t, c.old)
		kills++
		if t.Failed() {
			t.Fatalf("killed before call %d", moment)
		}
	}
	original.putBack(t, c.dir)
	c.succeeds(t, run)
	rewritten := snapshot(t, c.dir)
	for _, moment := range momentsOf(t, c, undo) {
		rewritten.putBack(t, c.dir)
		killAt(t, c, undo, moment)
		c.check(t)
		c.succeeds(t, undo)
		c.ends(t, c.old)
		kills++
		if t.Failed() {
			t.Fatalf("killed before call %d of the undo", moment)
		}
	}
	t.Logf("%d kills", kills)
	if effort.Whole() && kills < 40 {
		t.Error("want at least 40")
	}
}

// momentsOf runs the command to its end. It returns the numbers of the calls, as a tracer counts
// them, before which a file or name has changed since the last call. In a short test it returns
// only a few of them.
func momentsOf(t *testing.T, c *crash, args []string) (chosen []int) {
	t.Helper()
	var moments []int
	last := stateOf(c.dir)
	r := &tracer{dir: c.dir, before: func(n int, _ *call) unix.Errno {
		if now := stateOf(c.dir); now != last {
			moments = append(moments, n)
			last = now
		}
		return 0
	}}
	if got := r.run(t, c.dir, args); got.killed || got.code != cli.ExitDone {
		t.Fatalf("%q: got %+v", args, got)
	}
	for _, i := range sample(len(moments), 1, 0) {
		chosen = append(chosen, moments[i-1])
	}
	return chosen
}

// stateOf describes all names and contents below a directory.
func stateOf(dir string) string {
	var b strings.Builder
	filepath.WalkDir(dir, func(path string, _ fs.DirEntry, _ error) error {
		text, _ := os.ReadFile(path)
		b.WriteString(path + "\x00" + string(text) + "\x00")
		return nil
	})
	return b.String()
}

// savedFiles are the files of a snapshot.
type savedFiles []treeFile

// snapshot returns all files below a directory.
func snapshot(t *testing.T, dir string) savedFiles {
	t.Helper()
	return walkTree(t, dir)
}

// putBack makes the files of s again, and removes all others from the directory.
func (s savedFiles) putBack(t *testing.T, dir string) {
	t.Helper()
	for _, f := range walkTree(t, dir) {
		os.Remove(filepath.Join(dir, f.path))
	}
	for _, f := range s {
		path := filepath.Join(dir, f.path)
		save(t, path, []byte(f.content))
		os.Chmod(path, f.mode)
		os.Chtimes(path, f.time, f.time)
	}
}
