// Package inplace replaces files in place. At every moment, even after a crash, the name of a file
// stands for the whole old content or the whole new content. With a journal the old content can be
// restored.
//
//	r, err := inplace.Begin(ctx, run, inplace.Options{Args: args, Journal: "run.jsonl"})
//	if err != nil {
//		return err
//	}
//	err = r.Replace(in, "", func(f *os.File, x *inplace.Exchange) error { … })
//	err = errors.Join(err, r.End())
//
// A file that an earlier run finished is left alone ([Run.Settled]). Otherwise its new content is
// written to a temporary file beside it, and the journal (package journal) gets an entry with the
// old bytes. Both are on the disk before the two files exchange their names (package files). A
// mailbox is locked from reading to renaming ([Run.Lock], package lock). A message of a Maildir
// gets its bytes first and then its name ([Run.MaildirName]). [Undo] goes through a journal from
// its end.
//
// A run with a journal is resumed from it. Finished files are recognised by their hashes and left
// alone; unfinished files are begun again. Only the second step of a Maildir message, its name, is
// completed from the journal.
//
// Files in reading order: sizes.go and maildir.go (messages of a Maildir), inplace.go, inputs.go,
// locked.go, resume.go, exchange.go, undo.go, undolist.go; system_unix.go and system_windows.go.
package inplace

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/journal"
	"absolink/cmd/absolink/internal/lock"
	"absolink/cmd/absolink/internal/run"
)

// Options say how files are replaced. With the zero value they are only replaced.
type Options struct {
	Args    []string          // arguments of the command line; all files of the run lie below them
	Backup  string            // suffix of the names under which old files stay, or empty
	Maildir MaildirSize       // how to treat messages whose size is known elsewhere
	Journal string            // file that keeps the replaced bytes, or empty
	Resume  bool              // continue the run of the journal
	Decides map[string]string // values of the flags that decide the output, for the journal
	Quiet   bool
}

// Run is a run that replaces files. It is safe for concurrent use, except Begin and End.
type Run struct {
	o Options
	r *run.Run

	below    journal.Roots    // directories that hold the files of the run
	journal  *journal.Journal // nil if there is none
	unnamed  map[string]error // errors of messages with new bytes but the old name, by path
	realDirs sync.Map         // results of realPath for directories
	sweeper  files.Sweeper
	mail     input.Moved
	stale    atomic.Int64 // messages whose size in Dovecot's index is now wrong
}

// Begin opens the journal, if there is one, removes leftovers of its killed runs, and completes
// unfinished steps. A *[flag.Error] says why nothing is done.
func Begin(ctx context.Context, in *run.Run, o Options) (*Run, error) {
	if err := refused(); err != nil {
		return nil, err
	}
	r := &Run{o: o, r: in, below: rootsOf(o.Args)}
	if o.Journal == "" {
		return r, nil
	}
	now := journal.Run{Roots: r.below, Inputs: inputsOf(o.Args), Options: o.Decides}
	j, err := journal.Create(o.Journal, now)
	if err != nil { // nothing was done, so this is not the error of a single file
		if errors.Is(err, fs.ErrNotExist) {
			return nil, flag.Errorf("--journal %s: %s", o.Journal, files.Why(o.Journal, err))
		}
		return nil, flag.Errorf("--journal %s", unopened(o.Journal, err, "give the name of a new file"))
	}
	if err := r.checkRun(j, &now); err != nil {
		j.Close()
		return nil, err
	}
	r.journal, r.unnamed = j, map[string]error{}
	if err := in.Account.ClaimOutput("--journal "+o.Journal, "the journal", j.Stat); err != nil {
		return nil, err
	}
	r.sweep()
	return r, r.finish(ctx)
}

// End closes the journal.
func (r *Run) End() error {
	if r.journal == nil {
		return nil
	}
	return r.journal.Close()
}

// sweep removes leftovers beside the files of this journal, from killed runs and undos. A message
// of a Maildir may have moved to the other directory meanwhile.
func (r *Run) sweep() {
	dirs, mailboxes := r.journal.Left()
	for _, dir := range dirs {
		r.sweeper.Sweep(dir, r.below.Directory)
		for _, beside := range []string{"cur", "new"} {
			if input.IsMaildir(filepath.Dir(dir)) {
				r.sweeper.Sweep(filepath.Join(filepath.Dir(dir), beside), r.below.Directory)
			}
		}
	}
	for _, path := range mailboxes {
		r.sweepLock(path)
	}
}

// Sweep removes the temporary files that killed runs left in the directory of a file.
func (r *Run) Sweep(path string) {
	if path, err := realPath(filepath.Dir(path)); err == nil {
		r.sweeper.Sweep(path, r.below.Directory)
	}
}

// sweepLock removes the lock of a mailbox that a killed run left.
func (r *Run) sweepLock(path string) {
	if dir, err := r.below.Directory(filepath.Dir(path)); err == nil {
		lock.Sweep(dir, filepath.Base(path))
		dir.Close()
	}
}

// realPath returns the absolute path without symbolic links. Its errors do not contain the path,
// since the final message does.
func realPath(path string) (string, error) {
	path, err := files.RealPath(path)
	return path, input.Pathless(err)
}

// real does the work of realPath, but looks up each directory only once. If the directory has moved
// since, the result is the old place; replacing a file there checks that it is the same file.
func (r *Run) real(path string) (string, error) {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&fs.ModeSymlink != 0 {
		return realPath(path)
	}
	dir, base := filepath.Split(path)
	if real, ok := r.realDirs.Load(dir); ok {
		return filepath.Join(real.(string), base), nil
	}
	real, err := realPath(cmp.Or(dir, "."))
	if err != nil {
		return "", err
	}
	r.realDirs.Store(dir, real)
	return filepath.Join(real, base), nil
}

// place returns real for the file of in, and keeps the result in in.
func (r *Run) place(in *input.Document) (string, error) {
	var err error
	if in.Real == "" {
		in.Real, err = r.real(in.Path)
	}
	return in.Real, err
}

// locate opens the directory of the file of in, which lies below the roots of the run, and returns
// the file's path without symbolic links. The file is changed in that directory only, and only if
// it is still the file that was opened.
func (r *Run) locate(in *input.Document) (*files.Dir, string, error) {
	path, err := r.place(in)
	if err != nil {
		return nil, "", err
	}
	dir, err := r.below.Directory(filepath.Dir(path))
	return dir, path, byNow(err)
}

// byNow turns the error of an unexpected symbolic link into a refusal.
func byNow(err error) error {
	if link := (*files.LinkError)(nil); errors.As(err, &link) {
		return &files.Refusal{Reason: err.Error() + ": it stays as it is"}
	}
	return err
}

// unopened describes an error of opening the journal at path. format says what to do if the file is
// not a journal.
func unopened(path string, err error, format string) string {
	var pe *fs.PathError
	switch {
	case errors.As(err, &pe):
		return path + ": " + pe.Err.Error()
	case errors.Is(err, journal.ErrFormat):
		return err.Error() + ": " + format
	}
	return err.Error()
}
