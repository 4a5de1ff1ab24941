// Package inplace replaces files in place. At every moment, even after a crash, a file has either
// its whole old content or its whole new content. If the run has a journal, [Undo] can restore the
// old content.
//
//	r, err := inplace.Begin(ctx, runner, inplace.Options{Args: args, Journal: "run.jsonl"})
//	if err != nil {
//		return err
//	}
//	if r.Prepare(doc, e) {
//		err = r.Replace(doc, "", func(f *os.File, x *inplace.Exchange) error { … })
//	}
//	err = errors.Join(err, r.End())
//
// For each file, the run writes the new content to a temporary file, and the old bytes to the
// journal (package journal). When both are on the disk, the temporary file gets the name of the old
// file (package files). A mailbox stays locked while it is read and replaced ([Run.Lock], package
// lock). If a Maildir message gets new bytes and a new name ([Run.MaildirName]), it gets the bytes
// first.
//
// A journal has several lines for each file. Together they are the entry of the file. An [Exchange]
// writes the entry while the file is replaced. [Undo] restores the files of a journal, the last
// file first.
//
// A run with a journal can be resumed. The resumed run skips the files that have their new bytes,
// and works on all other files ([Run.Prepare]). It recognises new bytes by their hash. If a Maildir
// message has its new bytes but not its new name, the resumed run renames it.
//
// Files in reading order: inplace.go, inputs.go, held.go (open directories), sizes.go and
// maildir.go (messages of a Maildir), locked.go (mailboxes), resume.go, exchange.go, undo.go,
// undolist.go.
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
	Args    []string    // the inputs, as named on the command line
	Backup  string      // suffix for the names of backups, or empty for no backups
	Maildir MaildirSize // what to do if the size of a Maildir message changes
	Journal string      // path of the journal, or empty
	Resume  bool        // continue the run of the journal
	Quiet   bool        // SumUp prints nothing
	// OutputFlags holds the values of the flags that affect the output, by name. The journal
	// records these values. A resumed run must have the same values.
	OutputFlags map[string]string
}

// Run is a run that replaces files in place. It is safe for concurrent use, except End.
type Run struct {
	o      Options
	runner *run.Run // opens the inputs, and reports their outcomes

	roots        journal.Roots    // the directories that contain all files of the run
	journal      *journal.Journal // nil without a journal
	renameErrors map[string]error // why Begin failed to rename a Maildir message, by its path
	realDirs     sync.Map         // real paths of directories, by path
	sweeper      files.Sweeper    // removes left-over temporary files, once in each directory
	held         held             // the open directory of the last file
	moved        input.Moved      // finds Maildir messages that a mail program has moved
	stale        atomic.Int64     // number of messages whose size in Dovecot's index is now wrong
}

// Begin begins a run. runner opens the inputs, and reports their outcomes.
//
// If o.Journal is set, Begin opens the journal. It also cleans up after killed runs and undos of
// the same journal, but only in and below the directories that contain the inputs of this run.
// There Begin removes temporary files and locks. If a Maildir message has its new bytes but not its
// new name, Begin renames it.
//
// If the error is a *[flag.Error], it says why the run is refused.
func Begin(ctx context.Context, runner *run.Run, o Options) (*Run, error) {
	r := &Run{o: o, runner: runner, roots: rootsOf(o.Args)}
	if o.Journal == "" {
		return r, nil
	}
	this := journal.Run{Roots: r.roots, Inputs: inputsOf(o.Args), Options: o.OutputFlags}
	j, err := journal.Create(o.Journal, this)
	if err != nil { // the whole run is refused, so the error is a *flag.Error
		if errors.Is(err, fs.ErrNotExist) {
			return nil, flag.Errorf("--journal %s: %s", o.Journal, files.Why(o.Journal, err))
		}
		return nil, flag.Errorf("--journal %s", openError(o.Journal, err, "give the name of a new file"))
	}
	if err := r.checkRun(j, &this); err != nil {
		j.Close()
		return nil, err
	}
	if err := runner.Account.ClaimOutput("--journal "+o.Journal, "the journal", j.Stat); err != nil {
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

// sweepDir removes the temporary files in the directory dir. If dir is in a Maildir, sweepDir also
// removes those in its subdirectories new and cur. An undo writes its temporary file beside the
// message, and a mail program may have moved the message before that undo.
func (r *Run) sweepDir(dir string) {
	r.sweeper.Sweep(dir, r.roots.Directory)
	parent := filepath.Dir(dir)
	if input.IsMaildir(parent) {
		r.sweeper.Sweep(filepath.Join(parent, "cur"), r.roots.Directory)
		r.sweeper.Sweep(filepath.Join(parent, "new"), r.roots.Directory)
	}
}

// sweepInputs removes the temporary files and locks that killed runs and undos left. It looks at
// and below all inputs of the run that began the journal. It finds more than sweepJournal: after a
// loss of power, the journal may lack the files that were begun last. sweepInputs ends early when
// ctx is done.
func (r *Run) sweepInputs(ctx context.Context) {
	for _, arg := range r.journal.Run().AllInputs() {
		filepath.WalkDir(arg, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err == nil && d.IsDir():
				r.sweeper.Sweep(path, r.roots.Directory)
			case path == arg: // the input is a file, or it is missing: a message may have moved
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
// Call Sweep if a temporary file was found among the inputs. [Run.Prepare] does the same in the
// directory of an input.
func (r *Run) Sweep(path string) {
	if dir, err := realPath(filepath.Dir(path)); err == nil {
		r.sweeper.Sweep(dir, r.roots.Directory)
	}
}

// sweepLock removes the lock that a killed run left beside the mailbox at path.
func (r *Run) sweepLock(path string) {
	if dir, err := r.roots.Directory(filepath.Dir(path)); err == nil {
		lock.Sweep(dir, filepath.Base(path))
		dir.Close()
	}
}

// realPath returns the absolute path without symbolic links: the real path. Its errors do not
// contain the path, because the messages of the callers do.
func realPath(path string) (string, error) {
	path, err := files.RealPath(path)
	return path, input.Pathless(err)
}

// resolve does the work of realPath, but resolves each directory only once. If another program
// moves the directory later, the path is wrong. That is safe: files.Replace checks that the file at
// the path is the file that was read.
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

// realPathOf returns the real path of doc, and stores it in doc.Real.
func (r *Run) realPathOf(doc *input.Document) (string, error) {
	var err error
	if doc.Real == "" {
		doc.Real, err = r.resolve(doc.Path)
	}
	return doc.Real, err
}

// openDir opens the directory of doc. It also returns the real path of doc. openDir fails if the
// directory is neither a root of the run nor below one. The caller must close the directory.
func (r *Run) openDir(doc *input.Document) (*heldDir, string, error) {
	path, err := r.realPathOf(doc)
	if err != nil {
		return nil, "", err
	}
	dir, err := r.held.directory(filepath.Dir(path), r.roots.Directory)
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
// journal, advice follows.
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
