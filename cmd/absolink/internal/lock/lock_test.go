//go:build unix

package lock_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/lock"
)

// holding is the mailbox that this test program locks as a process of its own.
const holding = "LOCK_TEST_HOLDS"

func TestMain(m *testing.M) {
	if path := os.Getenv(holding); path != "" {
		hold(path)
	}
	os.Exit(m.Run())
}

// hold locks the mailbox, says so, and keeps it until standard input ends.
func hold(path string) {
	how, path, _ := strings.Cut(path, ":")
	switch how {
	case "both":
		if _, err := lock.Acquire(context.Background(), here(), path); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	case "fcntl":
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err == nil {
			err = unix.FcntlFlock(f.Fd(), unix.F_SETLK, &unix.Flock_t{Type: unix.F_RDLCK})
		}
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	fmt.Println("locked")
	io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}

// holder starts a process that holds a lock on box.
func holder(t *testing.T, how string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), holding+"="+how+":box")
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kill(cmd) })
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "locked\n" {
		t.Fatalf("the process that locks: %s", line)
	}
	return cmd
}

// here is the current directory, which stays open.
func here() *files.Dir {
	d, err := files.OpenDir(".")
	if err != nil {
		panic(err)
	}
	return d
}

func kill(cmd *exec.Cmd) {
	cmd.Process.Kill()
	cmd.Wait()
}

func box(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile("box", []byte("From x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

func holds(t *testing.T, want string) {
	t.Helper()
	var got []string
	entries, _ := os.ReadDir(".")
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if g := strings.Join(got, " "); g != want {
		t.Errorf("directory: got %q, want %q", g, want)
	}
}

func TestAcquire(t *testing.T) {
	box(t)
	l, err := lock.Acquire(context.Background(), here(), "box")
	if err != nil {
		t.Fatal(err)
	}
	holds(t, "box box.lock")
	host, _ := os.Hostname()
	text, _ := os.ReadFile("box.lock")
	if want := fmt.Sprintf("%d\nabsolink\n%s\n%s\n", os.Getpid(), host, files.Boot()); string(text) != want {
		t.Errorf("box.lock: got %q, want %q", text, want)
	}
	if info, err := os.Stat("box.lock"); err != nil || info.Mode() != 0o444 {
		t.Errorf("box.lock: got mode %v and error %v, want 0444", info.Mode(), err)
	}
	lock.Hurry(t, 10*time.Millisecond)
	var busy *lock.Busy
	if _, err := lock.Acquire(context.Background(), here(), "box"); !errors.As(err, &busy) {
		t.Errorf("Acquire of a locked mailbox: got error %v, want that it is locked", err)
	}
	holds(t, "box box.lock")
	if err := l.Release(); err != nil {
		t.Errorf("Release: got error %v, want none", err)
	}
	holds(t, "box")
}

// Whoever else has a lock keeps it; only what a killed process of ours left is removed.
func TestAcquireOthers(t *testing.T) {
	host, _ := os.Hostname()
	dot := func(text string) func(*testing.T) {
		return func(*testing.T) { os.WriteFile("box.lock", []byte(text), 0o600) }
	}
	tests := []struct {
		name  string
		setup func(t *testing.T)
		want  string // pattern of the error; "" for none
		files string // after it, where there is one
	}{
		{"another process of ours", func(t *testing.T) { holder(t, "both") },
			`^is locked by another program \(fcntl\): try again when that has finished$`, "box box.lock"},
		{"one that was killed", func(t *testing.T) { kill(holder(t, "both")) }, "", ""},
		{"a reader's record lock", func(t *testing.T) { holder(t, "fcntl") },
			`^is locked by another program \(fcntl\): try again when that has finished$`, "box"},
		{"a record lock that is gone", func(t *testing.T) { kill(holder(t, "fcntl")) }, "", ""},
		{"an empty lock file", dot(""),
			`^is locked by box\.lock: try again when that program has finished, or remove this file if it runs no more$`, "box box.lock"},
		{"a lock file of another program", dot("1234\n"),
			`^is locked by box\.lock: try again when that program has finished, or remove this file if it runs no more$`, "box box.lock"},
		{"one of ours on another machine", dot("1234\nabsolink\nelsewhere\n\n"),
			`^is locked by box\.lock \(absolink, process 1234 on elsewhere\): try again when that program has finished, or remove this file`, "box box.lock"},
		{"one of ours on another kernel", dot("1234\nabsolink\nelsewhere\n00000000\n"),
			`^is locked by box\.lock \(absolink, process 1234 on elsewhere\): `, "box box.lock"},
		{"one of ours in a container that is gone",
			dot("1234\nabsolink\nelsewhere\n" + files.Boot() + "\n"), "", ""},
		{"one of ours that is dead", dot("1234\nabsolink\n" + host + "\n\n"), "", ""},
		{"one of ours that another user has left", func(t *testing.T) {
			dot("1234\nabsolink\n" + host + "\n" + files.Boot() + "\n")(t)
			if os.Geteuid() != 0 {
				t.Skip("only root can give a file to another user")
			}
			os.Chown("box.lock", 12345, -1)
		}, `^is locked by box\.lock \(absolink, process 1234 on .*\): try again`, "box box.lock"},
		{"one of ours with the number of this process",
			dot(fmt.Sprintf("%d\nabsolink\n%s\n\n", os.Getpid(), host)), "", ""},
		{"a directory", func(*testing.T) { os.Mkdir("box.lock", 0o777) },
			`^is locked by box\.lock: try again when that program has finished, or remove this file if it runs no more$`, "box box.lock"},
		{"no mailbox", func(*testing.T) { os.Remove("box") }, `^lock: no such file or directory$`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			box(t)
			tt.setup(t)
			lock.Hurry(t, 100*time.Millisecond)
			l, err := lock.Acquire(context.Background(), here(), "box")
			if err == nil {
				defer l.Release()
			}
			switch {
			case tt.want == "" && err == nil:
				holds(t, "box box.lock")
			case tt.want == "" || err == nil || !regexp.MustCompile(tt.want).MatchString(err.Error()):
				t.Errorf("Acquire: got error %v, want %q", err, tt.want)
			default:
				holds(t, tt.files)
			}
		})
	}
}

// A lock that is given up is waited for, and waiting can be ended.
func TestAcquireWaits(t *testing.T) {
	box(t)
	os.WriteFile("box.lock", nil, 0o600)
	go func() {
		time.Sleep(100 * time.Millisecond)
		os.Remove("box.lock")
	}()
	l, err := lock.Acquire(context.Background(), here(), "box")
	if err != nil {
		t.Fatalf("Acquire: got error %v, want none", err)
	}
	defer l.Release()
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := lock.Acquire(ctx, here(), "box"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Acquire: got error %v, want that the time is over", err)
	}
}

// A lock file that another has put in the place of ours stays.
func TestReleaseForeign(t *testing.T) {
	box(t)
	l, err := lock.Acquire(context.Background(), here(), "box")
	if err != nil {
		t.Fatal(err)
	}
	os.Remove("box.lock")
	os.WriteFile("box.lock", []byte("1\n"), 0o600)
	if err := l.Release(); err != nil {
		t.Errorf("Release: got error %v, want none", err)
	}
	holds(t, "box box.lock")
}

// Others take a lock for stale by its age: it is touched as long as it is held.
func TestTouch(t *testing.T) {
	box(t)
	lock.TouchOften(t)
	l, err := lock.Acquire(context.Background(), here(), "box")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Release()
	old := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	os.Chtimes("box.lock", old, old)
	for {
		info, err := os.Stat("box.lock")
		if err != nil {
			t.Fatal(err)
		}
		if info.ModTime().After(old) {
			return
		}
		time.Sleep(time.Millisecond)
	}
}
