package main

import (
	"os"

	"absolink/cmd/absolink/internal/input"
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
