package container_test

import (
	"runtime/debug"
	"testing"

	"absolink/testdata/effort"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(effort.GCPercent)
	effort.MainInMemory(m)
}
