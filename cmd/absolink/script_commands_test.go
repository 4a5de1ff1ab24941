package main

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// code runs a command and wants an exit code: code N command args...
func code(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N command args...")
	}
	want, err := strconv.Atoi(args[0])
	if err != nil {
		ts.Fatalf("code: %v", err)
	}
	got, err := 0, ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("code: %v", err)
	}
	if got != want {
		ts.Fatalf("exit code: got %d, want %d", got, want)
	}
}

// long is the time that touch gives files.
var long = time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)

// touch gives files an old time and the mode 0640.
func touch(ts *testscript.TestScript, neg bool, args []string) {
	for _, a := range args {
		name := ts.MkAbs(a)
		ts.Check(os.Chtimes(name, long, long))
		ts.Check(os.Chmod(name, 0o640))
	}
}

// like wants files to have the time and the mode that touch gives.
func like(ts *testscript.TestScript, neg bool, args []string) {
	for _, a := range args {
		info, err := os.Stat(ts.MkAbs(a))
		ts.Check(err)
		if same := info.ModTime().Equal(long) && info.Mode().Perm() == 0o640; same == neg {
			ts.Fatalf("%s: got time %v and mode %v, want %v and 0640: %v", a, info.ModTime().UTC(), info.Mode(), long, !neg)
		}
	}
}
