package input

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	slash "path"
	"path/filepath"
	"strings"

	"absolink/cmd/absolink/internal/files"
)

// Walk yields the files that args name, in the order of args. It yields the files of a directory in
// the lexical order of their paths. If args is empty, it yields standard input. An error concerns
// the File that comes with it. After an error the walk goes on.
//
// A symbolic link on the command line is followed. A link in a directory is skipped if its target
// is in the same directory, where the target is yielded under its own name. A link to a file
// outside the directory is followed only if follow is set. If a link replaces a file before the
// file is opened, the file is not opened.
//
// In a Maildir the walk enters the directories cur and new, and the directories in it that are
// Maildirs. It never enters tmp.
func Walk(args []string, follow bool) iter.Seq2[File, error] {
	if len(args) == 0 {
		args = []string{Stdin}
	}
	return func(yield func(File, error) bool) {
		for _, arg := range args {
			if !walkArg(arg, follow, yield) {
				return
			}
		}
	}
}

// walkArg yields the files of one argument. It returns false if yield did.
func walkArg(arg string, follow bool, yield func(File, error) bool) bool {
	if arg == Stdin {
		return yield(File{Source: Stdin, Named: true, Bytes: -1}, nil)
	}
	f := File{Source: arg, Path: arg, Rel: filepath.Base(arg), Named: true, Bytes: -1}
	info, err := os.Stat(arg)
	if file, name, ok := splitZipPath(arg, err); ok {
		f.Path, f.Inside = file, name
		return yield(f, nil)
	}
	if err != nil {
		return yield(f, Pathless(err))
	}
	if info.IsDir() {
		w := &walk{root: arg, dir: withSeparator(arg, separators), follow: follow, yield: yield}
		return w.yieldAll()
	}
	if info.Mode().IsRegular() {
		f.Bytes = info.Size()
	}
	return yield(f, nil)
}

// separators are the characters that separate names in a path, the usual one first.
var separators = separatorsOf(filepath.Separator)

func separatorsOf(usual rune) string {
	if usual == '/' {
		return "/"
	}
	return string(usual) + "/"
}

// withSeparator returns the directory dir with one separator at its end. separators are those of
// the system, the usual one first. If dir contains separators, the added one is the last of these,
// so that paths below dir look like dir.
func withSeparator(dir, separators string) string {
	last := separators[:1]
	if i := strings.LastIndexAny(dir, separators); i >= 0 {
		last = dir[i : i+1]
	}
	return strings.TrimRight(dir, separators) + last
}

// walk is a walk through one directory.
type walk struct {
	root     string // as the user named it; it may be a link to a directory
	dir      string // root with a separator at its end, so that the system follows a link
	real     string // root without symbolic links, or empty until it is needed
	openRoot *root  // the root below which found files are opened
	follow   bool   // follow links to files outside the directory
	mail     maildirs
	yield    func(File, error) bool
}

// yieldAll yields the files below the directory. It returns false if yield did.
func (w *walk) yieldAll() bool {
	r, dir, err := newRoot(w.dir)
	if err != nil {
		return w.yieldEntry(".", nil, err)
	}
	defer dir.Close()
	w.openRoot = r
	w.mail.read = func(rel string) ([]fs.DirEntry, error) { return readDir(dir, rel) }
	goOn := true
	fs.WalkDir(tree{dir}, ".", func(rel string, d fs.DirEntry, err error) error {
		path := w.path(rel)
		if err == nil && d.IsDir() && !readsMaildirs && IsMaildir(path) {
			goOn = w.yieldEntry(rel, nil, errMaildir)
			if goOn {
				return fs.SkipDir
			}
			return fs.SkipAll
		}
		switch {
		case err == nil && d.IsDir() && !w.mail.isNew(path):
			return w.mail.enter(path, rel)
		case err == nil && d.IsDir():
			if w.yieldNewMail(rel) {
				return fs.SkipDir
			}
		case w.yieldEntry(rel, d, err):
			return nil
		}
		goOn = false
		return fs.SkipAll
	})
	return goOn
}

// path returns the path of the entry that is at rel below the directory.
func (w *walk) path(rel string) string { return filepath.Join(w.dir, filepath.FromSlash(rel)) }

// yieldEntry yields the entry d, which is at rel below the directory. It returns false if yield
// did.
func (w *walk) yieldEntry(rel string, d fs.DirEntry, err error) bool {
	f := w.newFile(rel)
	f.Maildir = w.mail.of(f.Path)
	switch {
	case f.Maildir != "":
		w.mail.markYielded(f.Path)
	case w.mail.entered[filepath.Dir(f.Path)] != nil:
		f.Skip = Skip{Cause: NoMessage, Why: "in a Maildir, but not one of its messages"}
	}
	if err == nil {
		err = w.examine(&f, d)
	}
	return w.yield(f, Pathless(err))
}

// yieldNewMail yields the messages in the directory new of a Maildir, and those that have left it
// during the walk. It returns false if yield did.
func (w *walk) yieldNewMail(rel string) bool {
	entries, err := w.mail.newEntries(w.path(rel), rel)
	if err != nil && !w.yieldEntry(rel, nil, err) {
		return false
	}
	for _, d := range entries {
		if !d.IsDir() && !w.yieldEntry(slash.Join(rel, d.Name()), d, nil) {
			return false
		}
	}
	return true
}

// newFile returns the File for the entry at rel below the directory.
func (w *walk) newFile(rel string) File {
	f := File{Source: w.root, Path: w.path(rel), Rel: rel, Bytes: -1, found: foundAt{w.openRoot, rel}}
	if rel != "." {
		f.Source = w.dir + strings.ReplaceAll(rel, "/", w.dir[len(w.dir)-1:])
	}
	return f
}

// examine sets the size of f, or the reason to skip it, from its entry d. d is not a directory.
func (w *walk) examine(f *File, d fs.DirEntry) error {
	info, err := d.Info()
	if f.isShortLived(err) {
		f.Skip = Skip{Cause: Temporary, Why: "a temporary file of a run that is under way, or was killed"}
		if err != nil {
			f.Skip.Cause = Vanished
		}
		return nil
	}
	if err == nil && d.Type()&fs.ModeSymlink != 0 {
		f.Link = true
		info, err = follow(f.Path)
	}
	switch {
	case err != nil:
		return err
	case !f.IsInput():
	case info.IsDir():
		f.Skip = Skip{Cause: ToDir, Why: "a link to a directory is not followed"}
	case !info.Mode().IsRegular():
		f.Skip = Skip{Cause: Special, Why: describeSpecial(info.Mode())}
	default:
		f.Bytes = info.Size()
	}
	if f.Link && f.IsInput() {
		return w.resolveLink(f)
	}
	return nil
}

// follow returns the info of the target of the link at path.
func follow(path string) (fs.FileInfo, error) {
	info, err := os.Stat(path)
	if text, failed := os.Readlink(path); failed == nil && errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("a link to %s, which is not there", text)
	}
	return info, err
}

// describeSpecial describes a file that is neither regular nor a directory.
func describeSpecial(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe, which is read only if the command line names it"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

// resolveLink finds the target of f, a link to a file. It marks f as skipped, unless the target is
// outside of the directory and w.follow is true.
func (w *walk) resolveLink(f *File) (err error) {
	if w.real == "" {
		w.real, err = files.RealPath(w.root)
	}
	target, failed := files.RealPath(f.Path)
	if err := cmp.Or(err, failed); err != nil {
		return err
	}
	rel, err := filepath.Rel(w.real, target)
	switch {
	case err == nil && filepath.IsLocal(rel):
		f.Bytes = 0
		f.Skip = Skip{Cause: ToInput, Why: "a link to " + w.dir + rel, Target: filepath.ToSlash(rel)}
	case !w.follow:
		f.Bytes = 0
		f.Skip = Skip{Cause: Outside, Why: "a link to " + target + ", which lies outside of " + w.root}
	}
	return nil
}
