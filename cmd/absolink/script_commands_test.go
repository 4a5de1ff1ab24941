package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/directory"
	"absolink/cmd/absolink/internal/temporary"
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

// packFiles writes files in the coding that the name of the first argument, an ending
// such as .gz, stands for: pack .gz files...
func packFiles(ts *testscript.TestScript, neg bool, args []string) {
	c := map[string]coding.Coding{".gz": coding.Gzip, ".zst": coding.Zstd, ".br": coding.Brotli}[args[0]]
	for _, a := range args[1:] {
		var b bytes.Buffer
		w, err := c.Writer(&b)
		ts.Check(err)
		io.WriteString(w, ts.ReadFile(a))
		ts.Check(w.Close())
		ts.Check(os.WriteFile(ts.MkAbs(a)+args[0], b.Bytes(), 0o666))
	}
}

// unpackFiles writes what files of any coding hold to files with .plain behind their names.
func unpackFiles(ts *testscript.TestScript, neg bool, args []string) {
	for _, a := range args {
		stored := ts.ReadFile(a)
		r, err := coding.Detect([]byte(stored), a).Reader(strings.NewReader(stored))
		ts.Check(err)
		plain, err := io.ReadAll(r)
		ts.Check(err)
		ts.Check(os.WriteFile(ts.MkAbs(a)+".plain", plain, 0o666))
	}
}

// leftOver makes files as a killed process leaves them beside those named.
func leftOver(ts *testscript.TestScript, neg bool, args []string) {
	for _, a := range args {
		dir, err := directory.Open(filepath.Dir(ts.MkAbs(a)))
		ts.Check(err)
		f, err := temporary.Create(dir, filepath.Base(a), 0o600)
		ts.Check(err)
		ts.Check(errors.Join(f.File.Close(), dir.Close()))
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
