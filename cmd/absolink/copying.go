package main

import (
	"errors"
	"os"
	"path/filepath"

	"absolink/cmd/absolink/internal/directory"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/output"
	"absolink/cmd/absolink/internal/report"
)

// Below -o a tree is copied: each file has its counterpart, and what is said of files and
// not in them, links and modes of directories, comes when all of them are written.

// target opens the directory of -o.
func (x *rewriting) target(args []string) (err error) {
	if x.shows() || x.dir == "" {
		return nil
	}
	x.tree, err = output.NewTree(x.dir, args)
	if err == nil {
		err = x.checkOutputs(args)
	}
	if err == nil {
		if x.resume {
			x.tree.Resume()
		}
		err = x.tree.Begin()
	}
	var refusal *output.Refusal
	switch {
	case errors.As(err, &refusal):
		return usagef("%v", err)
	case err != nil:
		return usagef("-o %s: %v", x.dir, pathless(err))
	}
	if x.report != "" {
		x.tree.KeepReport(x.report)
	}
	x.r.link = x.link
	if x.resume {
		x.r.finished = x.finished
	}
	return nil
}

// place returns where the counterpart of in belongs, whose slash path is rel. That it
// would lie where an input is, or another counterpart, is a mistake of the command
// line. What a killed process has left there goes.
func (x *rewriting) place(rel string, in *input.Document, e *report.Entry) (string, error) {
	path, err := x.tree.Path(rel, directoryOf(in.File), in.Info)
	var refusal *output.Refusal
	e.Usage = errors.As(err, &refusal)
	if err != nil {
		return "", err
	}
	if _, err := os.Lstat(path); err == nil && !x.overwrite && in.File.Target == "" {
		return "", &output.Refusal{Reason: path + " is there already: it stays as it is"}
	}
	if rel != in.Rel {
		x.tree.Rename(in.Rel, rel)
	}
	x.sweeper.Sweep(filepath.Dir(path), directory.Open)
	if in.Maildir != "" {
		err = x.completeMaildir(rel, in.Maildir)
	}
	return path, err
}

// create writes the output path of in. Where it is the copy of a message, those of earlier
// runs under other names go when it is whole.
func (x *rewriting) create(path string, in *input.Document, write output.Writer) error {
	if err := output.Create(path, in.Info, write); err != nil {
		return err
	}
	return x.outputs.supersede(&in.File, path)
}

// directoryOf returns the directory of an input that f was found in, "" if f was named.
func directoryOf(f input.File) string {
	if f.Named || f.Path == "" {
		return ""
	}
	return filepath.Dir(f.Path)
}

// link makes the counterpart of a link to a file of the same tree.
func (x *rewriting) link(f input.File, e *report.Entry) {
	path, err := x.place(f.Rel, &input.Document{File: f}, e)
	if err != nil {
		settle(e, err)
		return
	}
	e.Outcome = report.Copied
	x.tree.Link(path, f.Target)
}

// finishTree makes the links below -o, and gives the directories the modes that would have
// been in the way.
func (x *rewriting) finishTree() error {
	if x.tree == nil {
		return nil
	}
	return x.tree.Finish(func(path, target string) {
		x.r.con.Printf("%s: left out: a link to %s, of which there is no copy", path, target)
	})
}
