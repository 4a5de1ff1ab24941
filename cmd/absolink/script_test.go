package main

import (
	"flag"
	"maps"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write what the command prints into the scripts")

func TestMain(m *testing.M) {
	commands := map[string]func(){"absolink": main}
	maps.Copy(commands, peers)
	testscript.Main(m, commands)
}

// The command is tested as a program. In a script `code N command` runs a
// command that must exit with N.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Condition: func(name string) (bool, error) {
			return name == "root" && os.Geteuid() == 0, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"code": code, "touch": touch, "like": like,
			"pack": packFiles, "unpack": unpackFiles, "leftover": leftOver},
	})
}
