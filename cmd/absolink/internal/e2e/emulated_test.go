//go:build unix

package e2e

import (
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"absolink/testdata/effort"
)

// emulated runs tests for a processor or system that the machine does not have. The kernel cannot
// start programs for it, so commands of scripts are started through an emulator.
type emulated struct {
	testscript.TestingM
	emulator string // ABSOLINK_EMULATOR, such as qemu-s390x-static; empty for the machine's own processor
	program  string // ABSOLINK_PROGRAM, the absolink of another system; empty if the tests contain it
	commands []string
}

// Run replaces each command, which is already in PATH, by a script that starts it.
func (e emulated) Run() int {
	if e.emulator == "" {
		return effort.InMemory(e.TestingM.Run)
	}
	dir, err := os.MkdirTemp("", "absolink-emulated")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for _, name := range e.commands {
		path, err := exec.LookPath(name)
		if e.program != "" {
			if name != "absolink" {
				continue // it runs on this system
			}
			path = e.program
		}
		if err != nil {
			log.Fatal(err)
		}
		script := fmt.Sprintf("#!/bin/sh\nexec %s %q \"$@\"\n", e.emulator, path)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o777); err != nil {
			log.Fatal(err)
		}
	}
	os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return e.TestingM.Run()
}

// wholeSeconds is the command absolink of scripts.
func wholeSeconds() {
	setWholeSeconds()
	log.SetOutput(io.Discard)
	os.Exit(absolink(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// setWholeSeconds sets the times of the files below the current directory to whole seconds on
// s390x. There qemu-user 7.2 drops the fraction of a second in fstat, but not in newfstatat. So
// every file would seem to change between the two.
func setWholeSeconds() {
	if runtime.GOARCH != "s390x" {
		return
	}
	filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := os.Stat(path); err == nil {
				os.Chtimes(path, time.Time{}, info.ModTime())
			}
		}
		return nil
	})
}
