//go:build unix

package e2e

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"absolink/testdata/effort"
)

var update = flag.Bool("update", false, "write what the command prints into the scripts")

func TestMain(m *testing.M) {
	commands := map[string]func(){"absolink": wholeSeconds, "absolink-worker": workCommands}
	maps.Copy(commands, peers)
	if commands[filepath.Base(os.Args[0])] == nil {
		syscall.Umask(0o022) // of the tests: absolink keeps no journal in a directory that the group can write to
		if !effort.Whole() {
			debug.SetGCPercent(effort.GCPercent)
		}
	}
	emulator := os.Getenv("ABSOLINK_EMULATOR")
	program := os.Getenv("ABSOLINK_PROGRAM")
	testscript.Main(emulated{m, emulator, program, slices.Collect(maps.Keys(commands))}, commands)
}

// The command is tested as a program. In a script, `code N command` runs a command that must exit
// with N. In the short form, most commands are calls within a few processes.
func TestScripts(t *testing.T) {
	dir := "testdata/script"
	var workers pool
	if !effort.Whole() && !*update {
		dir = workScripts(t, dir)
		workers = startWorkers(t)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("GORACE", os.Getenv("GORACE")) // time that the race detector waits at the end of each command
			e.Values[environment{}] = slices.Clone(e.Vars)
			e.Values[nextInput{}] = new(string)
			return nil
		},
		Condition: func(name string) (bool, error) {
			return name == "root" && os.Geteuid() == 0, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"code": code,
			"work": workers.work, "workin": workin,
			"touch": touch, "like": like,
			"pack": packFiles, "unpack": unpackFiles, "leftover": leftOver,
			"serve": serveFiles, "requests": requests, "expand": expand},
	})
}
