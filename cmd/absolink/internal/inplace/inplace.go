// Package inplace replaces files where they stand. At every moment, after a crash too, the
// name of a file stands for the whole old content or the whole new one; with a journal the
// old content can be had back.
//
//	r, err := inplace.Begin(ctx, run, inplace.Options{Args: args, Journal: "run.jsonl"})
//	if err != nil {
//		return err
//	}
//	err = r.Replace(in, "", func(f *os.File, x *inplace.Exchange) error { … })
//	err = errors.Join(err, r.End())
//
// A file goes this way: it is settled already ([Run.Settled]), or its new content is written
// to a temporary file beside it, with an entry in the journal (package journal) of what gives
// way; both are on the disk before the two files exchange their names (package files). A
// mailbox is locked from reading to renaming ([Run.Lock], package lock). A message of a
// Maildir gets its bytes first and its name then ([Run.MaildirName]). [Undo] goes through a
// journal from its end.
//
// A run with a journal is resumed from that: what is finished, which is seen by its hash, is
// left alone, and whatever was under way is begun anew. Only the second step of a Maildir
// message is made up for from the journal.
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

// Options say how files are replaced. The zero value replaces them, and that is all.
type Options struct {
	Args    []string          // what the command line names: the files of the run lie below that
	Backup  string            // old files stay under their names with this suffix; "" = they do not
	Maildir MaildirSize       // what becomes of messages whose size is known elsewhere
	Journal string            // file that keeps what is replaced; "" = none
	Resume  bool              // the run that the journal tells of is gone on with
	Decides map[string]string // the values of flags that decide what is written, for the journal
	Quiet   bool
}

// Run is a run over files that are replaced. It is safe for concurrent use, but for Begin and
// End.
type Run struct {
	o Options
	r *run.Run

	below    journal.Roots    // that the files of the run lie below
	journal  *journal.Journal // nil if there is none
	unnamed  map[string]error // why a message with its new bytes still has its old name, by its path
	realDirs sync.Map         // what realPath says of directories
	sweeper  files.Sweeper
	mail     input.Moved
	stale    atomic.Int64 // messages whose size Dovecot's index has wrong now
}

// Begin opens the journal, if there is one, removes what its killed runs left, and finishes
// what is half done in it. A *[flag.Error] says why nothing is done.
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
	if err != nil { // nothing was done: it is not one file that is missing
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
	if err := in.Account.Claim("--journal "+o.Journal, "the journal", j.Stat); err != nil {
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

// sweep removes what killed runs of this journal, undos too, left beside its files. A
// message of a Maildir may have moved to the directory beside meanwhile.
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

// realPath returns the absolute path without symbolic links. Its errors leave the
// path to the message that they end in.
func realPath(path string) (string, error) {
	path, err := files.RealPath(path)
	return path, input.Pathless(err)
}

// real is realPath, but finds out only once where a directory stands. It returns where a file
// stood whose directory is elsewhere by now: who replaces it looks whether it is that file.
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

// place is real for the file of in, found out once.
func (r *Run) place(in *input.Document) (string, error) {
	var err error
	if in.Real == "" {
		in.Real, err = r.real(in.Path)
	}
	return in.Real, err
}

// locate opens the directory in which the file of in stands, below the roots of
// the run, and returns the path of the file without symbolic links. What is done to the file
// is done in that directory, and only if it is what was opened before under the path.
func (r *Run) locate(in *input.Document) (*files.Dir, string, error) {
	path, err := r.place(in)
	if err != nil {
		return nil, "", err
	}
	dir, err := r.below.Directory(filepath.Dir(path))
	return dir, path, byNow(err)
}

// byNow makes a refusal of the error that a symbolic link stands where none may.
func byNow(err error) error {
	if link := (*files.LinkError)(nil); errors.As(err, &link) {
		return &files.Refusal{Reason: err.Error() + ": it stays as it is"}
	}
	return err
}

// unopened says of an error of opening the journal at path what it is, and by format what to do
// where it is another file.
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
