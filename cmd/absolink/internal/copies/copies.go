// Package copies writes the outputs of many inputs below one directory, at the same relative paths,
// or the output of one input to one file.
// It replaces existing files only if asked to, and never writes through a symbolic link. Links, and
// the modes of directories, are written after all files.
//
//	t, err := copies.New(&inputs, copies.Options{Dir: "out"})
//	if err != nil {
//		return err // a *flag.Error
//	}
//	path, err := t.Place(t.Rel(&in.File), in, entry)
//	err = t.Create(path, in, func(f *os.File) error { … })
//	err = t.Finish(func(path, target string) { … })
//
// Files in reading order: maildir.go, existing.go, copies.go, finished.go.
package copies

import (
	"errors"
	"os"
	slash "path"
	"path/filepath"
	"strings"

	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/source"
)

// Options say where outputs are written.
type Options struct {
	Dir  string
	Name string // name in Dir of the output of the only input, or empty if outputs have the names of inputs
	// Layout gives the slash path of the output of the file at path, and the one of the directory
	// that its tree becomes. rel is the path without a layout. nil means no layout.
	Layout    func(path, rel string) (out, top string)
	Overwrite bool   // replace existing files
	Resume    bool   // continue an interrupted run: an output with the time of its input is finished
	KeepNames bool   // messages of Maildirs keep their names, with sizes that may become wrong
	Report    string // file that is not an output, or empty
}

// Tree is the directory of the outputs. It is safe for concurrent use, except New and Finish.
type Tree struct {
	o        Options
	inputs   *source.Set
	tree     *files.Tree
	existing existing
	sweeper  files.Sweeper
}

// New makes the directory of the outputs, after comparing its content with the inputs. A
// *[flag.Error] says why nothing is done.
func New(inputs *source.Set, o Options) (*Tree, error) {
	t := &Tree{o: o, inputs: inputs, existing: existing{dir: o.Dir, clear: make(map[string]bool)}}
	t.existing.rel = t.Rel
	t.existing.mailed = o.Name == ""
	err := t.begin()
	var refusal *files.Refusal
	switch {
	case errors.As(err, &refusal):
		return nil, flag.Errorf("%v", err)
	case err != nil:
		return nil, flag.Errorf("-o %s: %v", t.shown(), input.Pathless(err))
	}
	if o.Report != "" {
		t.tree.ReserveReport(o.Report)
	}
	return t, nil
}

// shown returns the output as the user gave it.
func (t *Tree) shown() string {
	if t.o.Name == "" {
		return t.o.Dir
	}
	return filepath.Join(t.o.Dir, t.o.Name)
}

func (t *Tree) begin() (err error) {
	args := t.inputs.Args()
	if t.o.Name != "" {
		if files.Same(args[0], t.shown()) {
			return &files.Refusal{Reason: "the output " + t.shown() + " is the input: --in-place replaces it"}
		}
		args = nil
	}
	if t.tree, err = files.NewTree(t.o.Dir, args); err != nil {
		return err
	}
	if err := t.check(); err != nil {
		return err
	}
	if t.o.Resume {
		t.tree.Resume()
	}
	return t.tree.Begin()
}

// Rel returns the slash path below the directory of the output of f. A message of a Maildir may get
// another name there: see [Tree.Counterpart].
func (t *Tree) Rel(f *input.File) string {
	if t.o.Name != "" {
		return t.o.Name
	}
	rel, _ := t.laid(f)
	return rel
}

// laid returns the slash paths of the output of f and of its tree, by the layout if there is one.
func (t *Tree) laid(f *input.File) (rel, top string) {
	if t.o.Layout == nil || f.Path == "" {
		return f.Rel, "."
	}
	return t.o.Layout(f.Path, f.Rel)
}

// prepare makes the directories above the tree of f, and those that the tree does not have. They
// are copies of no directory.
func (t *Tree) prepare(f *input.File) error {
	rel, top := t.laid(f)
	if top == "." {
		return nil
	}
	err := t.tree.Directory(slash.Dir(top), "")
	if err != nil || f.Named || strings.HasSuffix("/"+f.Rel, strings.TrimPrefix("/"+rel, "/"+top)) {
		return err
	}
	return t.tree.Directory(slash.Dir(slash.Dir(rel)), "")
}

// Place returns the path of the output of in. Its slash path below the directory is rel. A path
// that belongs to an input or to another output is a mistake of the command line. Place also
// removes leftovers of killed processes there.
func (t *Tree) Place(rel string, in *input.Document, e *report.Entry) (string, error) {
	if err := t.prepare(&in.File); err != nil {
		return "", err
	}
	path, err := t.tree.Path(rel, directoryOf(in.File), in.Info)
	var refusal *files.Refusal
	if errors.As(err, &refusal) {
		e.Result.AddClass(report.Usage)
	}
	if err != nil {
		return "", err
	}
	if _, err := os.Lstat(path); err == nil && !t.o.Overwrite && in.Skip.Target == "" {
		return "", &files.Refusal{Reason: path + " is there already: it stays as it is"}
	}
	if usual := t.Rel(&in.File); rel != usual {
		t.tree.Rename(usual, rel)
	}
	t.sweeper.Sweep(filepath.Dir(path), t.tree.Open)
	if t.inMaildir(&in.File) {
		err = t.completeMaildir(rel, in.Maildir)
	}
	return path, err
}

// Create writes the output path of in. If it is a copy of a message, Create then removes copies of
// earlier runs under other names.
func (t *Tree) Create(path string, in *input.Document, write files.Writer) error {
	if err := t.tree.Create(path, in.Info, write); err != nil {
		return err
	}
	return t.supersede(&in.File, path)
}

// directoryOf returns the directory of an input in which f was found, or "" if the user named f.
func directoryOf(f input.File) string {
	if f.Named || f.Path == "" {
		return ""
	}
	return filepath.Dir(f.Path)
}

// Link handles a link to a file of the same tree, and reports it in e. Finish makes its
// counterpart.
func (t *Tree) Link(f input.File, e *report.Entry) {
	path, err := t.Place(t.Rel(&f), &input.Document{File: f}, e)
	if err != nil {
		e.FailWrite(err)
		return
	}
	e.Result.SetOutcome(report.Copied)
	t.tree.Link(path, t.target(&f))
}

// target returns the slash path of the output of the file to which the link f leads.
func (t *Tree) target(f *input.File) string {
	dir := strings.TrimSuffix(filepath.ToSlash(f.Path), f.Rel)
	return t.Rel(&input.File{Path: filepath.FromSlash(dir + f.Skip.Target), Rel: f.Skip.Target})
}

// Finish makes the links, and calls dangling for each link to a file without a copy. Then it gives
// the directories their modes, which could have been in the way before, and closes the tree.
func (t *Tree) Finish(dangling func(path, target string)) error {
	return errors.Join(t.tree.Finish(dangling), t.tree.Close())
}
