package e2e

import (
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"absolink/cmd/absolink/internal/cli"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/maildir"
	"absolink/testdata/effort"
)

var crashes = flag.Int("crash", 4, "kill runs in place at so many random moments")

const crashBase = "http://example.test/a/long/directory/page.html"

// crash holds a tree of mail, its files before and after a run in place, and the way in which runs
// of it are killed.
type crash struct {
	dir      string
	old, new tree
	whole    time.Duration // duration of a run that is not killed
	rand     *rand.Rand
	kills    int
}

// tree holds the files of a directory. A message of a Maildir may change its name, so its key is
// its unique name.
type tree map[string]treeFile

type treeFile struct {
	path, content string
	mode          fs.FileMode
	time          time.Time
}

// crashModes lists ways to kill runs, and the steps that follow. A Maildir has no room for backups.
var crashModes = []struct {
	flags           []string
	maildir, resume bool // with resume, the run is repeated until it is done; otherwise it is killed once
	journal         bool // the run is then undone
}{
	{[]string{"--journal", "j", "--resume"}, true, true, true},
	{[]string{"--journal", "j"}, true, false, true},
	{nil, true, true, false},
	{[]string{"--journal", "j", "--resume", "--backup", "~"}, false, true, true},
	{[]string{"--backup", "~"}, false, true, false},
}

// A run in place is killed at random moments, and then resumed or started again. At every moment
// each file is whole, old or new. In the end the tree is the same as after a run that was not
// killed. In other modes the run is undone, and the undo is killed too. In the end the tree is the
// original one. In every case nothing else is left behind.
func TestCrash(t *testing.T) {
	seed := uint64(1)
	if effort.Whole() {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	modes := effort.Pick(len(crashModes), 3)
	for kills, n := 0, 0; kills < *crashes || n < modes; n++ {
		mode := crashModes[n%len(crashModes)]
		c := newCrash(t, random, mode.maildir, mode.journal)
		run := append([]string{"rewrite", "-q", "--in-place", "--jobs", "3",
			"--maildir-size", "rename", "--default-base", crashBase, "mail"}, mode.flags...)
		if mode.resume {
			c.untilDone(t, run)
			c.ends(t, c.new)
		} else {
			c.killed(t, run)
		}
		if mode.journal {
			if c.begun() {
				c.undonePart(t, []string{"eml", "box"}[random.IntN(2)])
				c.untilDone(t, []string{"rewrite", "-q", "--undo", "j"})
			}
			c.ends(t, c.old)
		}
		kills += c.kills
		if t.Failed() {
			t.Fatalf("after %d kills, with %q in %s", kills, mode.flags, c.dir)
		}
		os.RemoveAll(c.dir)
	}
}

// newCrash makes a tree, and finds out its final state by a run over a copy.
func newCrash(t *testing.T, random *rand.Rand, maildir, journal bool) *crash {
	t.Helper()
	c := &crash{dir: quickDir(t), rand: random}
	mailTree(t, filepath.Join(c.dir, "mail"))
	if !maildir {
		os.RemoveAll(filepath.Join(c.dir, "mail", "box"))
	}
	c.findStates(t, journal)
	return c
}

// findStates sets c.old to the tree, and c.new and c.whole by a run over a copy of it.
func (c *crash) findStates(t *testing.T, journal bool) {
	t.Helper()
	c.old = readTree(t, filepath.Join(c.dir, "mail"))
	if err := os.CopyFS(filepath.Join(c.dir, "copy"), os.DirFS(filepath.Join(c.dir, "mail"))); err != nil {
		t.Fatal(err)
	}
	for _, f := range c.old {
		os.Chtimes(filepath.Join(c.dir, "copy", f.path), f.time, f.time)
		os.Chmod(filepath.Join(c.dir, "copy", f.path), f.mode)
	}
	args := []string{"rewrite", "-q", "--in-place", "--jobs", "3",
		"--maildir-size", "rename", "--default-base", crashBase, "copy"}
	if journal {
		args = append(args, "--journal", "copy.j")
	}
	began := time.Now()
	if out, err := commandIn(c.dir, args).CombinedOutput(); err != nil {
		t.Fatalf("run over a copy: %v: %s", err, out)
	}
	c.whole = time.Since(began)
	c.new = readTree(t, filepath.Join(c.dir, "copy"))
	for key, f := range c.old {
		if g, ok := c.new[key]; !ok || g.content == f.content {
			t.Fatalf("%s: found after the run: %v; want it edited", key, ok)
		}
	}
}

// underWine reports whether the command is a program for Windows that runs under Wine.
func underWine() bool { return os.Getenv("ABSOLINK_PROGRAM") != "" }

// onlyUnderWine skips t if the tests run no program for Windows.
func onlyUnderWine(t *testing.T) {
	t.Helper()
	if !underWine() {
		t.Skip("Wine is needed: .ci/run installs it, and names the program for Windows in ABSOLINK_PROGRAM")
	}
}

// quickDir makes a directory in memory if the system has one. Killing a process works the same
// there, and no disk has to be waited for. Programs under Wine find no names in /dev.
func quickDir(t *testing.T) string {
	t.Helper()
	if underWine() {
		return t.TempDir()
	}
	if dir, err := os.MkdirTemp("/dev/shm", "absolink-test-"); err == nil {
		t.Cleanup(func() { os.RemoveAll(dir) })
		return dir
	}
	return t.TempDir()
}

// untilDone runs the command and kills it, again and again, until a run ends by itself.
func (c *crash) untilDone(t *testing.T, args []string) {
	t.Helper()
	for !t.Failed() && !c.killed(t, args) {
	}
}

// undonePart undoes a part of the run, and kills this undo again and again. In the end the files of
// the directory are the old ones, and no other file has changed.
func (c *crash) undonePart(t *testing.T, dir string) {
	t.Helper()
	if !c.replaced(t, dir) {
		return // nothing to undo there
	}
	want := readTree(t, filepath.Join(c.dir, "mail"))
	for key, f := range want {
		_, ours := c.old[key]
		switch {
		case !ours || files.IsTemporary(filepath.Base(f.path)):
			delete(want, key) // a backup, a lock, or a temporary file
		case strings.HasPrefix(key, dir+"/"):
			want[key] = c.old[key]
		}
	}
	c.untilDone(t, []string{"rewrite", "-q", "--undo", "j", "mail/" + dir})
	for key, f := range want {
		got, err := os.ReadFile(filepath.Join(c.dir, "mail", f.path))
		if err != nil || string(got) != f.content {
			t.Errorf("%s, after the undo of %s: got %d bytes and error %v, want %d bytes", key, dir, len(got), err,
				len(f.content))
		}
	}
}

// replaced reports whether the journal has a file below a directory that an undo may put back.
func (c *crash) replaced(t *testing.T, dir string) bool {
	t.Helper()
	out, err := commandIn(c.dir, []string{"rewrite", "-q", "--undo", "j", "--dry-run"}).Output()
	if err != nil {
		t.Errorf("the list of an undo: %v", err)
	}
	return bytes.Contains(out, []byte("/mail/"+dir+"/"))
}

// begun reports whether a run has begun the journal. Before that, it has changed nothing.
func (c *crash) begun() bool {
	text, err := os.ReadFile(filepath.Join(c.dir, "j"))
	return err == nil && bytes.ContainsRune(text, '\n')
}

// killed runs the command and kills it at a random moment. It reports whether the run ended before
// that moment.
func (c *crash) killed(t *testing.T, args []string) (faster bool) {
	t.Helper()
	cmd := commandIn(c.dir, args)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := time.AfterFunc(time.Duration(c.rand.Int64N(int64(c.whole)*5/4)), func() { cmd.Process.Kill() })
	cmd.Wait()
	kill.Stop()
	c.check(t)
	if !cmd.ProcessState.Exited() {
		c.kills++
		c.whole += c.whole / 20 // so that a run ends, even if the machine has become slower
		return false
	}
	if code := cmd.ProcessState.ExitCode(); code != cli.ExitDone {
		t.Errorf("%q: got exit code %d and %s, want %d", args, code, stderr.String(), cli.ExitDone)
	}
	return true
}

// check checks that each file is whole, old or new, under its old or new name. Beside them only
// backups, locks and temporary files may exist.
func (c *crash) check(t *testing.T) {
	t.Helper()
	found := make(map[string]int)
	for _, f := range walkTree(t, filepath.Join(c.dir, "mail")) {
		if files.IsTemporary(filepath.Base(f.path)) || strings.HasSuffix(f.path, ".lock") {
			continue
		}
		path, backup := strings.CutSuffix(f.path, "~")
		old, ok := c.old[key(path)]
		now := c.new[key(path)]
		switch {
		case !ok || path != old.path && path != now.path:
			t.Errorf("%s: does not belong here", f.path)
		case f.content != old.content && (backup || f.content != now.content):
			t.Errorf("%s: got %d bytes that are neither the %d old ones nor the %d new ones",
				f.path, len(f.content), len(old.content), len(now.content))
		case !backup:
			found[key(path)]++
		}
	}
	for key := range c.old {
		if found[key] != 1 {
			t.Errorf("%s: found %d times, want once", key, found[key])
		}
	}
}

// ends checks that the tree is exactly want, except for backups.
func (c *crash) ends(t *testing.T, want tree) {
	t.Helper()
	got := walkTree(t, filepath.Join(c.dir, "mail"))
	got = slices.DeleteFunc(got, func(f treeFile) bool { return strings.HasSuffix(f.path, "~") })
	for _, f := range got {
		w := want[key(f.path)]
		sameMode := f.mode == w.mode || underWine() // Wine makes another mode of the rights of a file
		if f.path != w.path || f.content != w.content || !sameMode || !f.time.Equal(w.time) {
			t.Errorf("%s: got %d bytes, mode %v, time %v, want %s, %d bytes, mode %v, time %v",
				f.path, len(f.content), f.mode, f.time, w.path, len(w.content), w.mode, w.time)
		}
	}
	if len(got) != len(want) {
		t.Errorf("got %d files, want %d", len(got), len(want))
	}
}

func readTree(t *testing.T, dir string) tree {
	t.Helper()
	m := make(tree)
	for _, f := range walkTree(t, dir) {
		m[key(f.path)] = f
	}
	return m
}

// key returns the name of a file without the sizes in it.
func key(path string) string {
	return filepath.Join(filepath.Dir(path), maildir.Split(filepath.Base(path)).Unique)
}

func walkTree(t *testing.T, dir string) (files []treeFile) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		content, err := os.ReadFile(path)
		info, err2 := d.Info()
		if underWine() && errors.Is(err, fs.ErrNotExist) {
			return nil // Wine's server removes files of a killed program a moment later
		}
		if err == nil && err2 == nil {
			files = append(files, treeFile{rel, string(content), info.Mode(), info.ModTime()})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// mailTree makes a tree of single messages, Maildirs, mailboxes and a compressed page.
func mailTree(t *testing.T, dir string) {
	t.Helper()
	put := func(name, text string) {
		save(t, filepath.Join(dir, name), []byte(text))
		when := time.Date(2001, 2, 3, 4, 5, len(name), len(text), time.UTC)
		os.Chtimes(filepath.Join(dir, name), when, when)
	}
	for i := range effort.Pick(30, 8) {
		put(fmt.Sprintf("eml/%d.eml", i), crashMessage(i, 1+i%7*40))
		text := crashMessage(i, 1+i%5*30)
		put(fmt.Sprintf("box/cur/%d.host,S=%d,W=%d:2,FS", i, len(text), len(text)+strings.Count(text, "\n")), text)
		put(fmt.Sprintf("box/new/n%d.host", i), text)
	}
	put("eml/large.eml", crashMessage(100, effort.Pick(30_000, 3_000)))
	put("small.mbox", crashMailbox(5, 20))
	put("large.mbox", crashMailbox(effort.Pick(60, 12), effort.Pick(700, 200)))
	var page bytes.Buffer
	z := gzip.NewWriter(&page)
	fmt.Fprint(z, strings.Repeat(`<p><a href="x">link</a></p>`, 500))
	z.Close()
	put("page.html.gz", page.String())
	os.Chmod(filepath.Join(dir, "small.mbox"), 0o600)
}

func crashMailbox(messages, lines int) string {
	var b strings.Builder
	for i := range messages {
		fmt.Fprintf(&b, "From a@b.test Mon Jan  1 00:00:%02d 2001\n%s\n", i%60, crashMessage(i, lines))
	}
	return b.String()
}

// crashMessage is a message with the given number of lines, every tenth with a link.
func crashMessage(n, lines int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Subject: %d\nMIME-Version: 1.0\nContent-Type: text/html\nContent-Transfer-Encoding: %s\n\n",
		n, []string{"7bit", "quoted-printable"}[n%2])
	for i := range lines {
		if i%10 == 0 {
			fmt.Fprintf(&b, "<p><a href%s'../%d/x'>link</a> and text</p>\n", []string{"=", "=3D"}[n%2], i)
		} else {
			b.WriteString("<p>a line of text without a link</p>\n")
		}
	}
	return b.String()
}
