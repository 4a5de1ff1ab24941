package mbox

import (
	"os"
	"runtime/debug"
	"testing"

	"absolink/testdata/effort"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(effort.GCPercent)
	os.Exit(m.Run())
}
