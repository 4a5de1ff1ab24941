//go:build unix

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
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"absolink/cmd/absolink/internal/files"
)

// patience is how long a lock is waited for, and pause how long between attempts. touch is how
// often the .lock file gets a new time.
var patience, pause, touch = 5 * time.Second, 50 * time.Millisecond, 30 * time.Second

// Lock is a mailbox that is locked. It must be released.
type Lock struct {
	file *os.File // the mailbox, with the record lock
	dot  *os.File // the .lock file
	dir  *files.Dir
	name string // of the .lock file

	released chan struct{}
	touching sync.WaitGroup
}

// Acquire locks the mailbox name in dir, which must stay open until Release. name must be no
// symbolic link, for the name of the lock to be that which others look for. It waits a few
// seconds, or until ctx is done; the error is *Busy then.
//
// What was read of the mailbox before the call may have changed by its end.
func Acquire(ctx context.Context, dir *files.Dir, name string) (*Lock, error) {
	for {
		l, err := acquire(ctx, dir, name)
		if err != nil {
			return nil, err
		}
		if dir.Is(name, l.file) {
			return l, nil
		}
		if err := l.Release(); err != nil {
			return nil, failed(err)
		}
	}
}

// acquire locks the mailbox that has the name when it begins. By its end, as
// somebody else who had it locked may have replaced it, that may be another one.
func acquire(ctx context.Context, dir *files.Dir, name string) (*Lock, error) {
	file, err := dir.Open(name, os.O_RDWR, 0)
	if err != nil {
		return nil, failed(err)
	}
	l := &Lock{file: file, dir: dir, name: name + suffix}
	if err := l.both(ctx); err != nil {
		file.Close()
		return nil, err
	}
	return l, nil
}

// both takes the record lock, then makes the .lock file.
func (l *Lock) both(ctx context.Context) error {
	if err := wait(ctx, false, l.record); err != nil {
		return err
	}
	f, err := prepare(l.dir, l.name)
	if err != nil {
		return failed(err)
	}
	if err := wait(ctx, true, func() (string, error) { return give(l.dir, l.name, f.Base()) }); err != nil {
		f.Cleanup()
		return err
	}
	l.dot = f.File
	l.released = make(chan struct{})
	l.touching.Go(l.touch)
	f.Drop() // the name it was prepared under; else a later run removes it
	return nil
}

// Release unlocks the mailbox.
func (l *Lock) Release() error {
	close(l.released)
	l.touching.Wait()
	err := files.RemoveTemporary(l.dot, l.dir, l.name)
	return errors.Join(err, l.dot.Close(), l.file.Close())
}

// touch keeps the .lock file young until it is released.
func (l *Lock) touch() {
	t := time.NewTicker(touch)
	defer t.Stop()
	for {
		select {
		case <-l.released:
			return
		case <-t.C:
			unix.Futimes(int(l.dot.Fd()), nil) // one that fails is tried again
		}
	}
}

// Sweep removes the .lock file of the mailbox name in dir if a dead process of this program
// and machine left it. Locking does so too, but not every mailbox is locked again.
func Sweep(dir *files.Dir, name string) { owner(dir, name+suffix) }

// failed drops the path from an error of the operating system: the message that
// it ends in names the mailbox already.
func failed(err error) error {
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

// wait calls try until no process holds the lock. file says that the lock is a file.
func wait(ctx context.Context, file bool, try func() (holder string, err error)) error {
	for end := time.Now().Add(patience); ; {
		holder, err := try()
		if err != nil {
			return failed(err)
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
		case <-time.After(pause):
		}
	}
}

// record takes the record lock of the whole file.
func (l *Lock) record() (string, error) {
	err := unix.FcntlFlock(l.file.Fd(), setLock, &unix.Flock_t{Type: unix.F_WRLCK, Whence: io.SeekStart})
	if errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EACCES) {
		return "another program (fcntl)", nil
	}
	return "", err
}

// suffix stands behind the name of a mailbox in that of its lock.
const suffix = ".lock"

// mark is the second line of a .lock file of ours.
const mark = "absolink"

// prepare makes the .lock file under another name, so that it is complete, and
// held, when it appears.
func prepare(dir *files.Dir, name string) (*files.Temporary, error) {
	f, err := files.CreateTemporary(dir, name, 0o600)
	if err != nil {
		return nil, err
	}
	_, err = fmt.Fprintf(f, "%d\n%s\n%s\n%s\n", os.Getpid(), mark, hostname(), files.Boot())
	if err := errors.Join(err, f.Chmod(0o444)); err != nil {
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

// give gives the file prepared the name name, or says who has it.
func give(dir *files.Dir, name, prepared string) (holder string, err error) {
	if err := link(dir, prepared, name); !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	if holder := owner(dir, name); holder != "" {
		return holder, nil
	}
	err = link(dir, prepared, name)
	if errors.Is(err, fs.ErrExist) {
		return dir.Path(name), nil // another one was faster
	}
	return "", err
}

// link gives a file a second name that nothing has yet. Where the file system
// has no links it takes the name with an empty file first, and moves over it.
func link(dir *files.Dir, prepared, name string) error {
	err := dir.Link(prepared, name)
	if !errors.Is(err, unix.EPERM) && !errors.Is(err, unix.ENOTSUP) && !errors.Is(err, unix.ENOSYS) {
		return err
	}
	f, err := dir.Open(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o444)
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), dir.Rename(prepared, name))
}

// owner says who has the .lock file name. One of this user and machine that no process
// holds is removed, and no process has it.
func owner(dir *files.Dir, name string) string {
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
	if info, err := f.Stat(); here && err == nil && isOwn(info) {
		if free, err := files.Hold(f); free && err == nil && files.RemoveTemporary(f, dir, name) == nil {
			return ""
		}
	}
	return fmt.Sprintf("%s (absolink, process %.20s on %.100s)", path, lines[0], lines[2])
}

// isOwn reports whether a file belongs to the user who runs. What another user has locked, dead
// or not, is theirs to give up.
func isOwn(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}
