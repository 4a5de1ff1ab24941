package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"absolink/cmd/absolink/internal/input"
	"absolink/mime/maildir"
)

// What is refused of inputs before anything is read.

// checkStdout refuses to write to a file that is read, which would not end, or
// add to it what does not belong there.
func (p *program) checkStdout(args []string, urls string) error {
	out := regular(p.out)
	if out == nil {
		return nil
	}
	if len(args) == 0 && urls == "" {
		args = []string{input.Stdin}
	}
	for _, a := range args {
		in := regular(p.in)
		if a != input.Stdin {
			in, _ = os.Stat(a) // what cannot be found is named later
		}
		if in != nil && os.SameFile(in, out) {
			return usagef("the output is the input %s; give another file, or use rewrite --in-place", a)
		}
	}
	return nil
}

// regular returns what is known of a regular file that is open, nil of all else.
func regular(stream any) os.FileInfo {
	f, ok := stream.(*os.File)
	if !ok {
		return nil
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return info
}

// checkInputs refuses inputs that cannot be read; list is what --urls names.
func checkInputs(args []string, list string) error {
	n := 0
	if list == input.Stdin {
		n++
	}
	for _, a := range args {
		switch a {
		case "":
			return usagef("an input is empty; - stands for standard input")
		case input.Stdin:
			n++
		}
	}
	if n > 1 {
		return usagef("standard input can be read only once")
	}
	return nil
}

// isOne reports whether the inputs are one document, message, mailbox, Maildir or archive,
// which can have one retrieval URI.
func (o *options) isOne(args []string) bool {
	if o.urls != "" || o.units != "" || len(args) > 1 {
		return false
	}
	return len(args) == 0 || !isDir(args[0]) || maildir.Is(args[0])
}

// checkBaseOfOne refuses --base where it would be the retrieval URI of several inputs:
// relative references of all but one would lead elsewhere then.
func (o *options) checkBaseOfOne(args []string) error {
	if o.base == "" || o.isOne(args) {
		return nil
	}
	dir, why := "DIR", "units may be of several"
	switch {
	case o.urls != "":
		return usagef("--base is the retrieval URI of one input, and the URLs of --urls have their own: leave it out, or give --default-base %s to what has no base", o.base)
	case len(args) > 1:
		why = fmt.Sprintf("%d are given", len(args))
	case len(args) == 1:
		dir = cmp.Or(strings.TrimRight(args[0], "/"), "/")
		why = args[0] + " is a directory"
	}
	return usagef("--base is the retrieval URI of one input, and %s: --root %s=%s gives each file its own, --default-base %s is for what has no base", why, dir, o.base, o.base)
}

// once finds files that several arguments lead to: what is replaced is replaced once. The
// zero value is ready.
type once struct {
	files map[string]string // the arguments that led to them, by their real paths
	arg   string
	real  string // of arg
}

// pass makes f, which arg leads to, no input if an argument before led to the same file.
func (o *once) pass(f *input.File, arg string) {
	if f.Skip != "" || f.Path == "" {
		return
	}
	if o.arg != arg {
		o.arg, o.real = arg, ""
		if real, err := realPath(arg); err == nil {
			o.real = real
		}
	}
	path := o.real
	if !f.Named {
		path = filepath.Join(o.real, filepath.FromSlash(f.Rel))
	}
	if first, ok := o.files[path]; ok {
		f.Again, f.Skip = true, "the same file as "+first+", which is given too: it is done once"
		if isDir(first) {
			f.Skip = "a file of " + first + ", which is given too: it is done once"
		}
		return
	}
	if o.files == nil {
		o.files = make(map[string]string)
	}
	o.files[path] = arg
}
