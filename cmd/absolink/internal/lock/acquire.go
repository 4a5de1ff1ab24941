package lock

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"

	"absolink/cmd/absolink/internal/files"
)

// Variables, so that tests can change them.
var (
	waitLimit     = 5 * time.Second       // how long Acquire waits for a lock
	retryPause    = 50 * time.Millisecond // between two attempts
	touchInterval = 30 * time.Second      // between two updates of the time of a .lock file
)

// Lock is a locked mailbox. The caller must release it.
type Lock struct {
	file *os.File // the mailbox, with the record lock; nil on Windows
	dot  *os.File // the .lock file
	dir  *files.Dir
	name string // of the .lock file

	released chan struct{}
	touching sync.WaitGroup // for keepRecent
}

// Acquire locks the mailbox name in dir, which must stay open until Release. name must not be a
// symbolic link, because other programs look for a .lock file beside the mailbox itself. If another
// process keeps the mailbox locked, the error is a *Busy after a few seconds. The mailbox may
// change while Acquire waits, so read it afterwards.
func Acquire(ctx context.Context, dir *files.Dir, name string) (*Lock, error) {
	for {
		l, err := acquire(ctx, dir, name)
		if err != nil {
			return nil, err
		}
		if l.file == nil || dir.Is(name, l.file) {
			return l, nil
		}
		if err := l.Release(); err != nil {
			return nil, withoutPath(err)
		}
	}
}

// acquire locks the file that has the name now. When acquire returns, another process may have
// replaced that file.
func acquire(ctx context.Context, dir *files.Dir, name string) (*Lock, error) {
	file, err := lockRecords(ctx, dir, name)
	if err != nil {
		return nil, err
	}
	l := &Lock{file: file, dir: dir, name: name + Suffix}
	if err := l.makeDotLock(ctx); err != nil {
		if file != nil {
			file.Close()
		}
		return nil, err
	}
	return l, nil
}

// makeDotLock makes the .lock file.
func (l *Lock) makeDotLock(ctx context.Context) error {
	f, err := prepareDotLock(l.dir, l.name)
	if err != nil {
		return withoutPath(err)
	}
	if err := wait(ctx, true, func() (string, error) { return tryDotLock(l.dir, l.name, f.Base()) }); err != nil {
		f.Cleanup()
		return err
	}
	l.dot = f.File
	l.released = make(chan struct{})
	l.touching.Go(l.keepRecent)
	f.Drop() // remove the temporary name; otherwise a later run would
	return nil
}

// Release unlocks the mailbox.
func (l *Lock) Release() error {
	close(l.released)
	l.touching.Wait()
	err := errors.Join(files.RemoveTemporary(l.dot, l.dir, l.name), l.dot.Close())
	if l.file == nil {
		return err
	}
	return errors.Join(err, l.file.Close())
}

// keepRecent renews the time of the .lock file until the release.
func (l *Lock) keepRecent() {
	t := time.NewTicker(touchInterval)
	defer t.Stop()
	for {
		select {
		case <-l.released:
			return
		case <-t.C:
			touch(l.dot) // a failed attempt is repeated later
		}
	}
}

// Sweep removes the .lock file of the mailbox name in dir, if a dead absolink process of this
// machine left it. Acquire does so too, but the next run may not lock this mailbox.
func Sweep(dir *files.Dir, name string) { holderOf(dir, name+Suffix) }

// withoutPath returns an error of the operating system without its path. The message of the caller
// names the mailbox.
func withoutPath(err error) error {
	var pe *fs.PathError
	var le *os.LinkError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &pe):
		err = pe.Err
	case errors.As(err, &le):
		err = le.Err
	}
	return fmt.Errorf("lock: %w", err)
}

// wait calls try until it returns no holder of the lock. file says that the lock is a .lock file.
func wait(ctx context.Context, file bool, try func() (holder string, err error)) error {
	for end := time.Now().Add(waitLimit); ; {
		holder, err := try()
		if err != nil {
			return withoutPath(err)
		}
		if holder == "" {
			return nil
		}
		if time.Now().After(end) {
			return &Busy{holder, file}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(retryPause):
		}
	}
}

// mark is the second line of a .lock file of absolink.
const mark = "absolink"

// prepareDotLock makes the .lock file under a temporary name, so that it is complete and locked
// when it gets its name. It flushes the file: otherwise an empty .lock file could be left after a
// loss of power, and nobody could tell whose it is.
func prepareDotLock(dir *files.Dir, name string) (*files.Temporary, error) {
	f, err := files.CreateTemporary(dir, name, 0o600)
	if err != nil {
		return nil, err
	}
	_, err = fmt.Fprintf(f, "%d\n%s\n%s\n%s\n", os.Getpid(), mark, hostname(), files.Boot())
	if err := errors.Join(err, f.Chmod(0o444), f.Sync()); err != nil {
		f.Cleanup()
		return nil, err
	}
	return f, nil
}

func hostname() string {
	name, err := os.Hostname()
	if err != nil {
		return "localhost"
	}
	return name
}

// tryDotLock gives the file prepared the name of the .lock file. It returns the holder if another
// process has that file.
func tryDotLock(dir *files.Dir, name, prepared string) (holder string, err error) {
	if err := link(dir, prepared, name); !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	if holder := holderOf(dir, name); holder != "" {
		return holder, nil
	}
	err = link(dir, prepared, name)
	if errors.Is(err, fs.ErrExist) {
		return dir.Path(name), nil // another process was faster
	}
	return "", err
}

// link gives the file prepared a second name that must not exist. If the file system has no hard
// links, it makes an empty file with that name, which fails if the name exists, and renames
// prepared over it.
func link(dir *files.Dir, prepared, name string) error {
	err := dir.Link(prepared, name)
	if !lacksLinks(err) {
		return err
	}
	f, err := dir.Open(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o444)
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), dir.Rename(prepared, name))
}

// holderOf returns the holder of the .lock file name, or "" if the file does not exist. If the file
// belongs to this user and machine, and no process holds it, holderOf removes it and returns "".
func holderOf(dir *files.Dir, name string) string {
	path := dir.Path(name)
	f, err := dir.Open(name, os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	if err != nil {
		return path
	}
	defer f.Close()
	text, _ := io.ReadAll(io.LimitReader(f, 64<<10))
	lines := strings.Split(string(text), "\n")
	if len(lines) < 4 || lines[1] != mark {
		return path
	}
	here := lines[2] == hostname() || lines[3] != "" && lines[3] == files.Boot()
	if info, err := f.Stat(); here && err == nil && isMine(f, info) {
		if free, err := files.Hold(f); free && err == nil && files.RemoveTemporary(f, dir, name) == nil {
			return ""
		}
	}
	return fmt.Sprintf("%s (absolink, process %.20s on %.100s)", path, lines[0], lines[2])
}
