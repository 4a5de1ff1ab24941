//go:build unix

package e2e

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestWindows runs ABSOLINK_PROGRAM, the program for Windows, with ABSOLINK_EMULATOR. The files of
// the script are files of this system, so this test shows neither drives nor the rules for names.
// Wine also has no streams: a zone mark is a file of its own.
func TestWindows(t *testing.T) {
	onlyUnderWine(t)
	testscript.Run(t, testscript.Params{Dir: "testdata/windows", RequireExplicitExec: true})
}
