//go:build linux

package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"absolink/cmd/absolink/internal/cli"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/lock"
	"absolink/testdata/effort"
)

// Misfortunes of a run in place, other than being killed. Each time a message names the file, which
// stays whole and old, the other files are done, and nothing is left behind.

const (
	hardBefore = "<html><a href=x>1</a>"
	hardAfter  = "<html><a href=http://example.test/x>1</a>"
)

// hardship runs absolink in dir. It checks for exit status 1 and for a line about each named file.
func hardship(t *testing.T, cmd *exec.Cmd, lines ...string) {
	t.Helper()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != cli.ExitDefects {
		t.Errorf("%q: got exit code %d, want %d", cmd.Args, code, cli.ExitDefects)
	}
	for _, line := range lines {
		if !strings.Contains(stderr.String(), "absolink: "+line+"\n") {
			t.Errorf("%q: got %q on standard error, want the line %q", cmd.Args, stderr.String(), line)
		}
	}
}

func inPlace(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command("absolink",
		append([]string{"rewrite", "-q", "--in-place", "--jobs", "1", "--default-base", "http://example.test/"},
			args...)...)
	cmd.Dir = dir
	return cmd
}

// page writes a page whose content is followed by n bytes.
func page(t *testing.T, name string, n int) {
	t.Helper()
	save(t, name, []byte(hardBefore+strings.Repeat("-", n)))
}

func wantPage(t *testing.T, name, text string, n int) {
	t.Helper()
	got, err := os.ReadFile(name)
	if err != nil || string(got) != text+strings.Repeat("-", n) {
		t.Errorf("%s: got %.60q (%d bytes) and error %v, want %q and %d bytes", name, got, len(got), err, text, n)
	}
}

func wantNames(t *testing.T, dir string, want ...string) {
	t.Helper()
	var got []string
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("%s: got %q, want %q", dir, got, want)
	}
}

// mountSmall mounts a file system of size bytes in memory.
func mountSmall(t *testing.T, size int) string {
	t.Helper()
	dir := t.TempDir()
	err := unix.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d", size))
	if errors.Is(err, os.ErrPermission) {
		t.Skip("not permitted to mount a small file system, which takes root")
	} else if err != nil {
		t.Fatalf("mount a file system of %d bytes at %s: %v", size, dir, err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, 0); err != nil {
			t.Errorf("unmount %s: %v", dir, err)
		}
	})
	return dir
}

// If the disk is full, a large file stays old. Once there is room, the run is resumed.
func TestFullDisk(t *testing.T) {
	dir := mountSmall(t, 256<<10)
	page(t, filepath.Join(dir, "a.html"), 100)
	page(t, filepath.Join(dir, "b.html"), 150<<10)
	page(t, filepath.Join(dir, "c.html"), 100)
	journal := filepath.Join(t.TempDir(), "j")
	hardship(t, inPlace(dir, "--journal", journal, "--resume", "a.html", "b.html", "c.html"),
		"b.html: write: no space left on device")
	wantPage(t, filepath.Join(dir, "a.html"), hardAfter, 100)
	wantPage(t, filepath.Join(dir, "b.html"), hardBefore, 150<<10)
	wantPage(t, filepath.Join(dir, "c.html"), hardAfter, 100)
	wantNames(t, dir, "a.html", "b.html", "c.html")
	if err := unix.Mount("tmpfs", dir, "tmpfs", unix.MS_REMOUNT, "size=1m"); err != nil {
		t.Fatal(err)
	}
	if out, err := inPlace(dir, "--journal", journal, "--resume",
		"a.html", "b.html", "c.html").CombinedOutput(); err != nil {
		t.Errorf("resumed run: %v: %s", err, out)
	}
	wantPage(t, filepath.Join(dir, "b.html"), hardAfter, 150<<10)
}

// If the journal has no room left, files stay old too, and the content of the journal is valid.
func TestFullJournal(t *testing.T) {
	small, dir := mountSmall(t, 8<<10), t.TempDir()
	args := []string{"--journal", filepath.Join(small, "j"), "--resume"}
	for i := range 40 {
		name := fmt.Sprintf("%02d.html", i)
		page(t, filepath.Join(dir, name), i)
		args = append(args, name)
	}
	hardship(t, inPlace(dir, args...), "39.html: journal "+filepath.Join(small, "j")+": no space left on device")
	done := 0
	for i := range 40 {
		name := filepath.Join(dir, fmt.Sprintf("%02d.html", i))
		if got, _ := os.ReadFile(name); strings.HasPrefix(string(got), hardAfter) {
			done++
		} else {
			wantPage(t, name, hardBefore, i)
		}
	}
	if done == 0 || done == 40 {
		t.Errorf("got %d of 40 files done, want some", done)
	}
	undo := exec.Command("absolink", "rewrite", "-q", "--undo", filepath.Join(small, "j"))
	undo.Run() // without room it cannot record its progress
	for i := range 40 {
		wantPage(t, filepath.Join(dir, fmt.Sprintf("%02d.html", i)), hardBefore, i)
	}
}

// A file that would exceed the file size limit stays unchanged.
func TestFileSizeLimit(t *testing.T) {
	dir := t.TempDir()
	page(t, filepath.Join(dir, "a.html"), 100)
	page(t, filepath.Join(dir, "b.html"), 64<<10)
	page(t, filepath.Join(dir, "c.html"), 100)
	cmd := inPlace(dir, "a.html", "b.html", "c.html")
	limited := exec.Command("sh", append([]string{"-c", `ulimit -f 32; exec "$@"`, "sh"}, cmd.Args...)...)
	limited.Dir = dir
	hardship(t, limited, "b.html: write: file too large")
	wantPage(t, filepath.Join(dir, "a.html"), hardAfter, 100)
	wantPage(t, filepath.Join(dir, "b.html"), hardBefore, 64<<10)
	wantPage(t, filepath.Join(dir, "c.html"), hardAfter, 100)
	wantNames(t, dir, "a.html", "b.html", "c.html")
}

// nobody is a user without any rights.
const nobody = 65534

// Files that may not be written are named and stay unchanged: a file in a directory that is not
// writable, a file of another owner, and a mailbox that cannot be locked. A directory need not be
// readable.
func TestNoAccess(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can run it as a user who may not write")
	}
	dir, err := os.MkdirTemp("", "absolink-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	os.Chmod(dir, 0o755)
	program := publicProgram(t, dir)
	page(t, filepath.Join(dir, "shut/a.html"), 1)
	page(t, filepath.Join(dir, "open/b.html"), 2)
	page(t, filepath.Join(dir, "open/c.html"), 3)
	page(t, filepath.Join(dir, "open/d.html"), 4)
	save(t, filepath.Join(dir, "open/box"), []byte(oneMailbox))
	page(t, filepath.Join(dir, "blind/e.html"), 5)
	for name, mode := range map[string]os.FileMode{"open": 0o777, "open/box": 0o444, "open/d.html": 0, "blind": 0o733} {
		os.Chmod(filepath.Join(dir, name), mode)
	}
	os.Chown(filepath.Join(dir, "open/c.html"), nobody, nobody)
	os.Chown(filepath.Join(dir, "blind/e.html"), nobody, nobody)
	cmd := inPlace(dir, "shut/a.html", "open/b.html", "open/d.html", "open/box", "open/c.html", "blind/e.html")
	cmd.Path = program
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	hardship(t, cmd, "shut/a.html: open: permission denied",
		"open/b.html: cannot keep its owner: chown: operation not permitted",
		"open/d.html: permission denied", "open/box: lock: permission denied")
	wantPage(t, filepath.Join(dir, "shut/a.html"), hardBefore, 1)
	wantPage(t, filepath.Join(dir, "open/b.html"), hardBefore, 2)
	wantPage(t, filepath.Join(dir, "open/c.html"), hardAfter, 3)
	wantPage(t, filepath.Join(dir, "blind/e.html"), hardAfter, 5)
	wantNames(t, filepath.Join(dir, "open"), "b.html", "box", "c.html", "d.html")
	wantNames(t, filepath.Join(dir, "blind"), "e.html")
	wantNames(t, filepath.Join(dir, "shut"), "a.html")
}

// publicProgram copies the program to a place where every user may run it.
func publicProgram(t *testing.T, dir string) string {
	t.Helper()
	path, err := exec.LookPath("absolink")
	if err != nil {
		t.Fatal(err)
	}
	binary, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	os.Mkdir(filepath.Join(dir, "bin"), 0o755)
	name := filepath.Join(dir, "bin", "absolink")
	if err := os.WriteFile(name, binary, 0o755); err != nil {
		t.Fatal(err)
	}
	return name
}

// A directory disappears while the run waits for an earlier input.
func TestDirectoryGoes(t *testing.T) {
	for wait := 50 * time.Millisecond; ; wait *= 4 {
		dir := t.TempDir()
		code, stderr := directoryGoes(t, dir, wait)
		if strings.Contains(stderr, "d/a.html: stat: ") && wait < 10*time.Second {
			continue // the run had not found the file yet
		}
		if want := "absolink: d/a.html: no such file or directory\n"; code != cli.ExitDefects ||
			!strings.Contains(stderr, want) {
			t.Errorf("run: got exit code %d and %q, want %d and %q", code, stderr, cli.ExitDefects, want)
		}
		wantPage(t, filepath.Join(dir, "b.html"), hardAfter, 2)
		return
	}
}

// directoryGoes runs over a pipe and some files. The directory of one file is removed before the
// pipe ends, some time after the run has opened the pipe.
func directoryGoes(t *testing.T, dir string, wait time.Duration) (code int, stderr string) {
	page(t, filepath.Join(dir, "d/a.html"), 1)
	page(t, filepath.Join(dir, "b.html"), 2)
	pipe := filepath.Join(dir, "pipe")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := inPlace(dir, "pipe", "d/a.html", "b.html")
	go func() {
		f, err := os.OpenFile(pipe, os.O_WRONLY, 0) // waits for the run to open it
		if err != nil {
			t.Errorf("open the pipe: %v", err)
			return
		}
		defer f.Close()
		io.WriteString(f, "<html>")
		time.Sleep(wait)
		os.RemoveAll(filepath.Join(dir, "d"))
	}()
	var said strings.Builder
	cmd.Stderr = &said
	cmd.Run()
	return cmd.ProcessState.ExitCode(), said.String()
}

const (
	oneMailbox = "From a@b.test Mon Jan  1 00:00:00 2001\nMIME-Version: 1.0\nContent-Type: text/html\n\n<a href=x>1</" +
		"a>\n\n"
	editedOnce = "From a@b.test Mon Jan  1 00:00:00 2001\nMIME-Version: 1.0\nContent-Type: text/html\n\n<a " +
		"href=http://example.test/x>1</a>\n\n"
)

// A mailbox that another program has locked stays unchanged, and the other files are done.
func TestLockedByOthers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"fcntl", "dot", "free", "stale"} {
		save(t, filepath.Join(dir, name), []byte(oneMailbox))
	}
	host, _ := os.Hostname()
	save(t, filepath.Join(dir, "dot.lock"), []byte("1\n"))
	save(t, filepath.Join(dir, "stale.lock"), []byte("1\nabsolink\n"+host+"\n/j\n"))
	f, err := os.OpenFile(filepath.Join(dir, "fcntl"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := unix.FcntlFlock(f.Fd(), unix.F_OFD_SETLK, &unix.Flock_t{Type: unix.F_RDLCK}); err != nil {
		t.Fatal(err)
	}
	cmd := inPlace(dir, "--jobs", "4", "fcntl", "dot", "free", "stale")
	hardship(t, cmd, "fcntl: is locked by another program (fcntl): try again when that has finished",
		"dot: is locked by "+filepath.Join(dir, "dot.lock")+
			": try again when that program has finished, or remove this file if it runs no more")
	for name, want := range map[string]string{"fcntl": oneMailbox,
		"dot": oneMailbox, "free": editedOnce, "stale": editedOnce} {
		if got, _ := os.ReadFile(filepath.Join(dir, name)); string(got) != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	wantNames(t, dir, "dot", "dot.lock", "fcntl", "free", "stale")
}

// Mail that is delivered while a run waits for the lock is not lost, and is rewritten.
func TestDeliveryBeforeTheLock(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	box := filepath.Join(dir, "box")
	save(t, box, []byte(oneMailbox))
	in, err := files.OpenDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	l, err := lock.Acquire(context.Background(), in, "box")
	if err != nil {
		t.Fatal(err)
	}
	cmd := inPlace(dir, "box")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond) // by now it has most likely opened the mailbox
	f, err := os.OpenFile(box, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(f, oneMailbox)
	f.Close()
	l.Release()
	if err := cmd.Wait(); err != nil {
		t.Errorf("rewrite: %v", err)
	}
	if got, _ := os.ReadFile(box); string(got) != editedOnce+editedOnce {
		t.Errorf("box: got %q, want both messages edited", got)
	}
	wantNames(t, dir, "box")
}

// A mailbox in a pipe cannot be replaced, and the run does not wait for it a second time.
func TestMailboxInPipe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	go func() {
		if err := os.WriteFile(pipe, []byte(oneMailbox), 0); err != nil {
			t.Errorf("write to the pipe: %v", err)
		}
	}()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	cmd := inPlace(dir, "pipe")
	limited := exec.CommandContext(ctx, cmd.Path, cmd.Args[1:]...)
	limited.Dir = dir
	hardship(t, limited, "pipe: is not a regular file, so it cannot be replaced in place")
	wantNames(t, dir, "pipe")
}

// A run that was killed after it finished a mailbox leaves a lock that keeps mail programs out. The
// resumed run removes the lock, although it does not change the mailbox. So does an undo.
func TestLockLeftOver(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	box, journal := filepath.Join(dir, "box"), filepath.Join(t.TempDir(), "j")
	save(t, box, []byte(oneMailbox))
	host, _ := os.Hostname()
	undo := exec.Command("absolink", "rewrite", "-q", "--undo", journal)
	again := exec.Command("absolink", "rewrite", "-q", "--undo", journal)
	for i, cmd := range []*exec.Cmd{
		inPlace(dir, "--journal", journal, "box"), inPlace(dir, "--journal", journal, "--resume", "box"), undo, again,
	} {
		save(t, box+".lock", []byte("1\nabsolink\n"+host+"\n"+journal+"\n"))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("run %d: %v: %s", i, err, out)
		}
		wantNames(t, dir, "box")
	}
	save(t, box+".lock", []byte("1\n")) // of another program
	if out, err := exec.Command("absolink", "rewrite", "-q", "--undo", journal).CombinedOutput(); err != nil {
		t.Errorf("third undo: %v: %s", err, out)
	}
	wantNames(t, dir, "box", "box.lock")
}

// If another program writes to a mailbox that is only read, a message names the mailbox.
func TestChangedWhileRead(t *testing.T) {
	t.Parallel()
	const message = "From a Thu Jan  1 00:00:00 1970\nContent-Type: text/html\n\n<a href=http://example.test/" +
		"0123456789>\n\n"
	for _, args := range [][]string{{"extract"}, {"rewrite"}} {
		box := filepath.Join(t.TempDir(), "box")
		save(t, box, []byte(strings.Repeat(message, effort.Pick(20_000, 12_000))))
		delivery := writerFunc(func(p []byte) (int, error) {
			if len(p) == 0 {
				return 0, nil
			}
			f, err := os.OpenFile(box, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				return 0, err
			}
			_, err = f.WriteString(message)
			return len(p), errors.Join(err, f.Close())
		})
		var stderr bytes.Buffer
		code := absolink(append(args, box), nil, delivery, &stderr)
		if want := "absolink: " + box +
			": was changed by another program while it was read\n"; code != cli.ExitDefects ||
			!strings.HasPrefix(stderr.String(), want) {
			t.Errorf("%s: exit status %d, %q; want %d and %q", args, code, stderr.String(), cli.ExitDefects, want)
		}
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// A large mailbox that waits for earlier inputs is not locked meanwhile.
func TestWaitsUnlocked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe, box := filepath.Join(dir, "pipe"), filepath.Join(dir, "box")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	const message = "From a Thu Jan  1 00:00:00 1970\nContent-Type: text/html\n\n<a href=%sx>%01000d\n\n"
	mailbox := func(base string) string {
		return strings.Repeat(fmt.Sprintf(message, base, 0), 1500)
	}
	save(t, box, []byte(mailbox("")))
	done := make(chan int)
	go func() {
		done <- absolink([]string{"rewrite", "--in-place", "--jobs", "2",
			"--default-base", "http://e.example/", pipe, box}, nil, io.Discard, io.Discard)
	}()
	for range 20 {
		time.Sleep(20 * time.Millisecond)
		if _, err := os.Lstat(box + ".lock"); err == nil {
			t.Error("the mailbox is locked while it waits")
			break
		}
	}
	f, err := os.OpenFile(pipe, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if code := <-done; code != cli.ExitDone {
		t.Errorf("exit status %d, want %d", code, cli.ExitDone)
	}
	got, err := os.ReadFile(box)
	if want := mailbox("http://e.example/"); err != nil || string(got) != want {
		t.Errorf("the mailbox is not rewritten as it should be: %v", err)
	}
}
