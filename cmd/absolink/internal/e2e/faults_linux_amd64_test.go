package e2e

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"absolink/cmd/absolink/internal/cli"
	"absolink/cmd/absolink/internal/files"
	"absolink/testdata/effort"
)

// fault decides whether the call c, with the number i, fails in a run whose fault begins with the
// call n. It returns the error, or 0.
type fault func(c *call, i, n int) unix.Errno

// namesAt reports whether c changes the names in a directory.
func (c *call) namesAt(dir string) bool {
	switch c.number {
	case unix.SYS_OPENAT, unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2, unix.SYS_LINKAT, unix.SYS_UNLINKAT:
		return filepath.Base(filepath.Dir(c.path)) == dir
	}
	return false
}

// needsSpace reports whether c may need free space on the disk.
func (c *call) needsSpace() bool {
	switch c.number {
	case unix.SYS_OPENAT, unix.SYS_WRITE, unix.SYS_PWRITE64, unix.SYS_LINKAT, unix.SYS_FSYNC:
		return true
	}
	return false
}

var faults = []struct {
	name string
	fault
}{
	{"one call", func(_ *call, i, n int) unix.Errno {
		if i == n {
			return []unix.Errno{unix.ENOSPC, unix.EIO, unix.EACCES}[n%3]
		}
		return 0
	}},
	{"a full disk", func(c *call, i, n int) unix.Errno {
		if i >= n && c.needsSpace() {
			return unix.ENOSPC
		}
		return 0
	}},
	{"a directory without permission", func(c *call, i, n int) unix.Errno {
		if i >= n && c.namesAt("eml") {
			return unix.EACCES
		}
		return 0
	}},
}

// System calls of a run in place fail. Each file is whole, old or new. A message names each file
// that is not done, and the files that the fault does not concern are done. The same run then ends
// as if nothing had happened, or an undo gives the original tree.
func TestFailingCalls(t *testing.T) {
	effort.Only(t)
	run := callRun("--journal", "j", "--resume")
	c := newCallTree(t, true)
	calls := traceWhole(t, c, run)
	for k, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			for _, n := range sample(len(calls), 3, k) {
				c.reset(t)
				var failed []*call
				r := &tracer{dir: c.dir, before: func(i int, call *call) unix.Errno {
					errno := f.fault(call, i, n)
					if errno != 0 {
						failed = append(failed, call)
					}
					return errno
				}}
				got := r.run(t, c.dir, run)
				c.check(t)
				c.saysAll(t, got, failed)
				c.goOn(t, run, n%2 == 0)
				if t.Failed() {
					t.Fatalf("faults from call %d on, %s: %+v", n, calls[min(n, len(calls))-1], got)
				}
			}
		})
	}
}

// saysAll checks the messages and leftovers of a run in which calls failed.
func (c *crash) saysAll(t *testing.T, got traced, failed []*call) {
	t.Helper()
	if got.killed || (got.stderr == "") != (got.code == cli.ExitDone) || strings.Contains(got.stderr, ".absolink-") {
		t.Error("want messages, without temporary names, if and only if the exit code is not 0")
	}
	couldClean := true
	var where []string // paths of the failed calls
	for _, f := range failed {
		couldClean = couldClean && f.number != unix.SYS_UNLINKAT
		where = append(where, f.path)
	}
	for _, f := range walkTree(t, filepath.Join(c.dir, "mail")) {
		want := c.new[key(f.path)]
		switch {
		case files.IsTemporary(filepath.Base(f.path)) || strings.HasSuffix(f.path, ".lock"):
			if couldClean {
				t.Errorf("%s is left", f.path)
			}
		case f.path == want.path && f.content == want.content:
		case !c.concerns(where, f.path):
			t.Errorf("%s is not done, although no fault concerns it", f.path)
		case !strings.Contains(got.stderr, f.path) && !strings.Contains(got.stderr, "--journal j"):
			t.Errorf("%s is not done, and no message names it", f.path)
		}
	}
}

// concerns reports whether calls that change the paths where may be needed for a file. All files
// need the journal.
func (c *crash) concerns(where []string, file string) bool {
	name := filepath.Base(key(file))
	return slices.ContainsFunc(where, func(path string) bool {
		return path == filepath.Join(c.dir, "j") || path == filepath.Join(c.dir, "mail", filepath.Dir(file)) ||
			strings.Contains(filepath.Base(path), name)
	})
}
