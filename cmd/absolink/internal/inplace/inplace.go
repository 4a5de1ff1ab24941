// Package inplace replaces files in place. At every moment, even after a crash, a file has either
// its whole old content or its whole new content. If the run has a journal, [Undo] can restore the
// old content.
//
//	r, err := inplace.Begin(ctx, run, inplace.Options{Args: args, Journal: "run.jsonl"})
//	if err != nil {
//		return err
//	}
//	if r.Prepare(in, e) {
//		err = r.Replace(in, "", func(f *os.File, x *inplace.Exchange) error { … })
//	}
//	err = errors.Join(err, r.End())
//
// A run skips a file that an earlier run finished ([Run.Prepare]). For any other file the run
// writes the new content to a temporary file, and the old bytes to the journal (package journal).
// When both are on the disk, the temporary file gets the name of the old file (package files). A
// mailbox stays locked from reading to renaming ([Run.Lock], package lock). A message of a Maildir
// first gets its new bytes, and then its new name ([Run.MaildirName]). [Undo] puts back the files
// of a journal, from the last to the first.
//
// The entry of a file consists of its lines in the journal. An [Exchange] writes the entry while it
// replaces the file.
//
// A run with a journal can be resumed. The resumed run recognises finished files by their hashes,
// and begins unfinished files again. There is one exception: a Maildir message that has its new
// bytes but not its new name is only renamed, as the journal says.
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
	Args    []string    // arguments of the command line: the names of all inputs
	Backup  string      // suffix for the names of backups, or empty for no backups
	Maildir MaildirSize // how to treat messages whose size is in their name or in Dovecot's index
	Journal string      // path of the journal, or empty
	Resume  bool        // continue the run of the journal
	Quiet   bool        // SumUp prints nothing
	// OutputFlags holds the values of the flags that affect the output, by name. The journal
	// records these values, and a resumed run must have the same.
	OutputFlags map[string]string
}

// Run is a run that replaces files. It is safe for concurrent use, except Begin and End.
type Run struct {
	o      Options
	inputs *run.Run

	below        journal.Roots    // directories below which all files of the run are
	journal      *journal.Journal // nil without a journal
	renameErrors map[string]error // errors of Begin when it renamed Maildir messages, by path
	realDirs     sync.Map         // results of realPath for directories
	sweeper      files.Sweeper    // removes left-over temporary files, once in each directory
	held         held             // the open directory of the last file
	moved        input.Moved      // finds Maildir messages that a mail reader has moved
	stale        atomic.Int64     // number of messages whose size in Dovecot's index is now wrong
}

// Begin returns a Run. If o.Journal is set, Begin opens the journal and cleans up after killed runs
// of the same journal. It removes their temporary files and locks. It also renames the Maildir
// messages to which they had given new bytes, but not the new names. If the error is a
// *[flag.Error], it says why the run is refused.
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

// End closes the journal, and the directory that the run holds open for the next file.
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

// sweepDir removes the temporary files in the directory dir. If dir is new or cur of a Maildir,
// sweepDir removes those in both, because a message may have moved after the run was killed.
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

// Sweep removes the temporary files that killed runs left in the directory of the file at path.
// Call Sweep for a temporary file that was found among the inputs. For an input itself,
// [Run.Prepare] does the same.
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

// realPath returns the absolute path without symbolic links. Its errors do not contain the path,
// because the message of the caller does.
func realPath(path string) (string, error) {
	path, err := files.RealPath(path)
	return path, input.Pathless(err)
}

// resolve does the work of realPath, but resolves each directory only once. If another program
// moves the directory later, the path may be wrong. That is safe, because files.Replace checks that
// the file at the path is the file that was read.
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

// realPathOf returns the real path of in, and stores the path in in.Real.
func (r *Run) realPathOf(in *input.Document) (string, error) {
	var err error
	if in.Real == "" {
		in.Real, err = r.resolve(in.Path)
	}
	return in.Real, err
}

// openDir opens the directory of in, and also returns the real path of in. The directory must be
// below the roots of the run. The caller must close the directory.
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
