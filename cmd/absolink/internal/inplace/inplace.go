// Package inplace replaces files in place. At every moment, even after a crash, a file has either
// its whole old content or its whole new content. With a journal the old content can be restored.
//
//	r, err := inplace.Begin(ctx, run, inplace.Options{Args: args, Journal: "run.jsonl"})
//	if err != nil {
//		return err
//	}
//	err = r.Replace(in, "", func(f *os.File, x *inplace.Exchange) error { … })
//	err = errors.Join(err, r.End())
//
// A run skips a file that an earlier run finished ([Run.Prepare]). For any other file it writes the
// new content to a temporary file, and the old bytes to the journal (package journal). Both are on
// the disk before the two files exchange their names (package files). A mailbox is locked from
// reading to renaming ([Run.Lock], package lock). A message of a Maildir first gets its new bytes,
// and then its new name ([Run.MaildirName]). [Undo] puts back the files of a journal, from the last
// to the first.
//
// A run with a journal can be resumed. It recognises finished files by their hashes, and begins
// unfinished files again. Only the new name of a Maildir message is completed from the journal.
//
// Files in reading order: sizes.go and maildir.go (messages of a Maildir), inplace.go, inputs.go,
// held.go, locked.go, resume.go, exchange.go, undo.go, undolist.go.
package inplace

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/journal"
	"absolink/cmd/absolink/internal/lock"
	"absolink/cmd/absolink/internal/run"
)

// Options say how files are replaced. The zero value keeps no old content.
type Options struct {
	Args    []string    // arguments of the command line, which name all inputs
	Backup  string      // suffix for the names of backups, or empty for no backups
	Maildir MaildirSize // how to treat messages whose size is stored in their name or in Dovecot's index
	Journal string      // path of the journal, or empty
	Resume  bool        // continue the run of the journal
	Quiet   bool        // print no messages
	// OutputFlags holds the values of the flags that affect the output, by name. The journal
	// records them.
	OutputFlags map[string]string
}

// Run is a run that replaces files. It is safe for concurrent use, except Begin and End.
type Run struct {
	o      Options
	inputs *run.Run

	below        journal.Roots    // directories that contain the files of the run
	journal      *journal.Journal // nil without a journal
	renameErrors map[string]error // errors of renaming messages that have their new bytes, by path
	realDirs     sync.Map         // results of realPath for directories
	sweeper      files.Sweeper    // removes left-over temporary files, once in each directory
	held         held             // the open directory of the last file
	moved        input.Moved      // finds Maildir messages that a mail reader has moved
	stale        atomic.Int64     // number of messages whose size in Dovecot's index is now wrong
}

// Begin returns a Run. With o.Journal it opens the journal, and removes the temporary files and
// locks of killed runs of this journal. It also completes their renaming of Maildir messages. If
// the error is a *[flag.Error], it says why the run is refused.
func Begin(ctx context.Context, inputs *run.Run, o Options) (*Run, error) {
	r := &Run{o: o, inputs: inputs, below: rootsOf(o.Args)}
	if o.Journal == "" {
		return r, nil
	}
	now := journal.Run{Roots: r.below, Inputs: inputsOf(o.Args), Options: o.OutputFlags}
	j, err := journal.Create(o.Journal, now)
	if err != nil { // the whole run is refused, so the error is a *flag.Error
		if errors.Is(err, fs.ErrNotExist) {
			return nil, flag.Errorf("--journal %s: %s", o.Journal, files.Why(o.Journal, err))
		}
		return nil, flag.Errorf("--journal %s", openError(o.Journal, err, "give the name of a new file"))
	}
	if err := r.checkRun(j, &now); err != nil {
		j.Close()
		return nil, err
	}
	if err := inputs.Account.ClaimOutput("--journal "+o.Journal, "the journal", j.Stat); err != nil {
		j.Close()
		return nil, err
	}
	r.journal = j
	r.renameErrors = make(map[string]error)
	r.sweepJournal()
	if err := r.finishNames(ctx); err != nil {
		j.Close()
		return nil, err
	}
	return r, nil
}

// End closes the journal.
func (r *Run) End() error {
	r.held.close()
	if r.journal == nil {
		return nil
	}
	return r.journal.Close()
}

// sweepJournal removes the temporary files and locks that killed runs and undos left beside the
// files of the journal.
func (r *Run) sweepJournal() {
	dirs, mailboxes := r.journal.Leftovers()
	for _, dir := range dirs {
		r.sweepDir(dir)
	}
	for _, path := range mailboxes {
		r.sweepLock(path)
	}
}

// sweepDir removes the temporary files in a directory. If it is new or cur of a Maildir, sweepDir
// sweeps both.
func (r *Run) sweepDir(dir string) {
	r.sweeper.Sweep(dir, r.below.Directory)
	above := filepath.Dir(dir)
	if input.IsMaildir(above) {
		r.sweeper.Sweep(filepath.Join(above, "cur"), r.below.Directory)
		r.sweeper.Sweep(filepath.Join(above, "new"), r.below.Directory)
	}
}

// sweepInputs removes the temporary files and locks that killed runs and undos left beside the
// inputs of the journal. It finds more than sweepJournal: after a loss of power, the journal may
// lack the files that were begun last. sweepInputs ends early when ctx is done.
func (r *Run) sweepInputs(ctx context.Context) {
	for _, arg := range r.journal.Run().AllInputs() {
		filepath.WalkDir(arg, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err == nil && d.IsDir():
				r.sweeper.Sweep(path, r.below.Directory)
			case path == arg: // a file, or a message that has moved
				r.sweepDir(filepath.Dir(path))
				r.sweepLock(path)
			case strings.HasSuffix(path, lock.Suffix):
				r.sweepLock(strings.TrimSuffix(path, lock.Suffix))
			}
			return ctx.Err()
		})
	}
}

// Sweep removes the temporary files that killed runs left in the directory of a file.
func (r *Run) Sweep(path string) {
	if path, err := realPath(filepath.Dir(path)); err == nil {
		r.sweeper.Sweep(path, r.below.Directory)
	}
}

// sweepLock removes the lock that a killed run left beside a mailbox.
func (r *Run) sweepLock(path string) {
	if dir, err := r.below.Directory(filepath.Dir(path)); err == nil {
		lock.Sweep(dir, filepath.Base(path))
		dir.Close()
	}
}

// realPath returns the absolute path without symbolic links. Its errors do not contain the path:
// the message of the caller does.
func realPath(path string) (string, error) {
	path, err := files.RealPath(path)
	return path, input.Pathless(err)
}

// resolve is realPath, but it resolves each directory only once. If another program moves the
// directory later, the result may be wrong. That is safe, because files.Replace checks that the
// file is still the same.
func (r *Run) resolve(path string) (string, error) {
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

// realPathOf returns the real path of the input, and stores it in the field Real.
func (r *Run) realPathOf(in *input.Document) (string, error) {
	var err error
	if in.Real == "" {
		in.Real, err = r.resolve(in.Path)
	}
	return in.Real, err
}

// openDir opens the directory of the input, which must be below the roots of the run. It also
// returns the real path of the input. The caller must close the directory.
func (r *Run) openDir(in *input.Document) (*heldDir, string, error) {
	path, err := r.realPathOf(in)
	if err != nil {
		return nil, "", err
	}
	dir, err := r.held.directory(filepath.Dir(path), r.below.Directory)
	return dir, path, refuseLink(err)
}

// refuseLink turns a *files.LinkError into a *files.Refusal. It returns any other error unchanged.
func refuseLink(err error) error {
	if link := (*files.LinkError)(nil); errors.As(err, &link) {
		return &files.Refusal{Reason: err.Error() + ", so the file stays as it is"}
	}
	return err
}

// openError returns the text of err, the error of opening the journal at path. If the file is not a
// journal, the text ends with advice.
func openError(path string, err error, advice string) string {
	var pe *fs.PathError
	switch {
	case errors.As(err, &pe):
		return path + ": " + pe.Err.Error()
	case errors.Is(err, journal.ErrFormat):
		return err.Error() + ": " + advice
	}
	return err.Error()
}
