// Package copies writes the outputs of inputs below one directory, at the same relative paths. It
// also writes the output of a single input to a file of another name. It replaces existing files
// only if asked to, and never writes through a symbolic link. After all files it makes the symbolic
// links, and gives the directories their modes.
//
//	t, err := copies.New(&inputs, copies.Options{Dir: "out"})
//	if err != nil {
//		return err // a *flag.Error
//	}
//	path, err := t.Reserve(t.RelPath(&in.File), in, entry)
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
	Dir  string // directory of the outputs
	Name string // base name of the output of the only input; empty if outputs have the names of their inputs
	// Layout returns two slash paths below Dir for the file at path. out is the path of its output.
	// top is the directory for its whole input tree. rel is the path without a layout. nil means no
	// layout.
	Layout    func(path, rel string) (out, top string)
	Overwrite bool   // replace existing files
	Resume    bool   // continue an interrupted run: an output with the time of its input is finished
	KeepNames bool   // messages of Maildirs keep their names, even if the sizes in them become wrong
	Report    string // file of --report, which no output may replace; or empty
}

// Tree is the directory of the outputs. It is safe for concurrent use, except Finish.
type Tree struct {
	o        Options
	inputs   *source.Set
	tree     *files.Tree
	existing existing
	sweeper  files.Sweeper
}

// New makes the directory of the outputs. Before that it checks that every output can be written
// there. If one cannot, New changes nothing and returns a *[flag.Error] with the reason.
func New(inputs *source.Set, o Options) (*Tree, error) {
	t := &Tree{o: o, inputs: inputs, existing: existing{dir: o.Dir, writable: make(map[string]bool)}}
	t.existing.relPath = t.RelPath
	t.existing.hasMaildirs = o.Name == ""
	err := t.begin()
	var refusal *files.Refusal
	switch {
	case errors.As(err, &refusal):
		return nil, flag.Errorf("%v", err)
	case err != nil:
		return nil, flag.Errorf("-o %s: %v", t.argument(), input.Pathless(err))
	}
	if o.Report != "" {
		t.tree.SetReport(o.Report)
	}
	return t, nil
}

// argument returns the argument of -o.
func (t *Tree) argument() string {
	if t.o.Name == "" {
		return t.o.Dir
	}
	return filepath.Join(t.o.Dir, t.o.Name)
}

// begin checks the outputs and makes the directory.
func (t *Tree) begin() (err error) {
	args := t.inputs.Args()
	if t.o.Name != "" {
		if files.Same(args[0], t.argument()) {
			return &files.Refusal{Reason: "the output " + t.argument() + " is the input: --in-place replaces it"}
		}
		args = nil
	}
	t.tree, err = files.NewTree(t.o.Dir, args)
	if err != nil {
		return err
	}
	if err := t.checkOutputs(); err != nil {
		return err
	}
	if t.o.Resume {
		t.tree.SetResumed()
	}
	return t.tree.Begin()
}

// RelPath returns the slash path of the output of f, below the directory. An edited message of a
// Maildir may get another name: see [Tree.RelPathEdited].
func (t *Tree) RelPath(f *input.File) string {
	if t.o.Name != "" {
		return t.o.Name
	}
	rel, _ := t.layOut(f)
	return rel
}

// layOut returns the slash path of the output of f, and of the directory for its whole input tree,
// by the layout if there is one.
func (t *Tree) layOut(f *input.File) (rel, top string) {
	if t.o.Layout == nil || f.Path == "" {
		return files.OutputPath(f.Rel), "."
	}
	rel, top = t.o.Layout(f.Path, f.Rel)
	return files.OutputPath(rel), files.OutputPath(top)
}

// makeLayoutDirs makes the directories above the output of f that only the layout has. No directory
// of the input gives them its mode.
func (t *Tree) makeLayoutDirs(f *input.File) error {
	rel, top := t.layOut(f)
	if top == "." {
		return nil
	}
	err := t.tree.MakeDir(slash.Dir(top), "")
	if err != nil || f.Named || strings.HasSuffix("/"+f.Rel, strings.TrimPrefix("/"+rel, "/"+top)) {
		return err
	}
	return t.tree.MakeDir(slash.Dir(slash.Dir(rel)), "")
}

// Reserve returns the path of the output of in, whose slash path below the directory is rel. It
// makes the directories above this path, and removes the temporary files of killed processes there.
// The error is a *files.Refusal if the path belongs to an input, another output or an existing
// file. In the first two cases e gets the class Usage.
func (t *Tree) Reserve(rel string, in *input.Document, e *report.Entry) (string, error) {
	if err := t.makeLayoutDirs(&in.File); err != nil {
		return "", err
	}
	path, err := t.tree.Reserve(rel, directoryOf(in.File), in.Info)
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
	if usual := t.RelPath(&in.File); rel != usual {
		t.tree.SetOutputPath(usual, rel)
	}
	t.sweeper.Sweep(filepath.Dir(path), t.tree.Open)
	if t.toMaildir(&in.File) {
		err = t.completeMaildir(rel, in.Maildir)
	}
	return path, err
}

// ReserveUnedited returns the path for a copy of in without edits. Call it if the edited output of
// in could not be written to path, which Reserve returned. The paths differ if in is a message of a
// Maildir, and path gives the size of the edited message. ReserveUnedited then reserves the other
// path, with the errors of [Tree.Reserve].
func (t *Tree) ReserveUnedited(path string, in *input.Document, e *report.Entry) (string, error) {
	rel := t.RelPath(&in.File)
	if filepath.Base(path) == slash.Base(rel) {
		return path, nil
	}
	t.tree.SetOutputPath(rel, rel)
	return t.Reserve(rel, in, e)
}

// Create writes the output of in at path, which Reserve returned. If in is a message of a Maildir,
// Create then removes its copies that earlier runs made under other names.
func (t *Tree) Create(path string, in *input.Document, write files.Writer) error {
	if err := t.tree.Create(path, in.Info, write); err != nil {
		return err
	}
	return t.removeOldCopies(&in.File, path)
}

// directoryOf returns the directory that holds f. It returns "" if f was not found in a directory,
// but named by the user or retrieved.
func directoryOf(f input.File) string {
	if f.Named || f.Path == "" {
		return ""
	}
	return filepath.Dir(f.Path)
}

// AddLink sets the outcome for f, a symbolic link to a file of the same input tree. Finish makes
// the copy of the link.
func (t *Tree) AddLink(f input.File, e *report.Entry) {
	path, err := t.Reserve(t.RelPath(&f), &input.Document{File: f}, e)
	if err != nil {
		e.FailWrite(err)
		return
	}
	e.Result.SetOutcome(report.Copied)
	t.tree.AddLink(path, t.target(&f))
}

// target returns the slash path of the output of the file that the link f leads to.
func (t *Tree) target(f *input.File) string {
	dir := strings.TrimSuffix(filepath.ToSlash(f.Path), f.Rel)
	return t.RelPath(&input.File{Path: filepath.FromSlash(dir + f.Skip.Target), Rel: f.Skip.Target})
}

// Finish makes the symbolic links. A link to a file without an output is left out, and Finish calls
// dangling for it. Then Finish gives the directories the modes of the input directories, which may
// forbid writing, and closes the tree.
func (t *Tree) Finish(dangling func(path, target string)) error {
	return errors.Join(t.tree.Finish(dangling), t.tree.Close())
}
