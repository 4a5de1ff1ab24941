package lock_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"absolink/cmd/absolink/internal/lock"
)

// Whoever had the mailbox locked may have replaced it: the lock is that of the new one.
func TestAcquireReplaced(t *testing.T) {
	box(t)
	first, err := lock.Acquire(context.Background(), here(), "box")
	if err != nil {
		t.Fatal(err)
	}
	acquired := make(chan error)
	go func() {
		l, err := lock.Acquire(context.Background(), here(), "box")
		if err == nil {
			defer l.Release()
		}
		acquired <- err
		<-acquired
	}()
	waitForOpen(t, "box", 2)
	os.WriteFile("new", []byte("From y\n"), 0o600)
	if err := errors.Join(os.Rename("new", "box"), first.Release(), <-acquired); err != nil {
		t.Fatal(err)
	}
	defer close(acquired)
	f, err := os.OpenFile("box", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := unix.FcntlFlock(f.Fd(), unix.F_OFD_SETLK,
		&unix.Flock_t{Type: unix.F_WRLCK}); !errors.Is(err, unix.EAGAIN) {
		t.Errorf("a record lock on the new mailbox: got error %v, want that it is locked", err)
	}
}

// waitForOpen waits until this process has a file open as often as that.
func waitForOpen(t *testing.T, path string, n int) {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		open := 0
		entries, _ := os.ReadDir("/proc/self/fd")
		for _, e := range entries {
			if to, _ := os.Readlink("/proc/self/fd/" + e.Name()); to == path {
				open++
			}
		}
		if open >= n {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s was not opened %d times", path, n)
}
