// Package effort tells tests how much to do. Plain "go test ./..." runs a short form of each long
// test, with fewer cases, kills or bytes. With ABSOLINK_LONG=1, which .ci/run sets, the test does
// all of its work.
package effort

import (
	"os"
	"runtime/debug"
	"testing"
)

// Whole reports whether tests do all of their work.
func Whole() bool { return os.Getenv("ABSOLINK_LONG") != "" }

// Only skips a test that has no short form.
func Only(t testing.TB) {
	t.Helper()
	if !Whole() {
		t.Skip("needs ABSOLINK_LONG=1: it has no short form")
	}
}

// GCPercent is the percentage of the garbage collector in packages whose tests make much garbage on
// a small heap. At the usual 100, the garbage collector takes up to half of their time. A test that
// measures the memory of a child needs the usual percentage, so it has no short form: Linux counts
// the memory of the parent at the start of a child.
const GCPercent = 400

// Main is the TestMain of a package whose tests make much garbage: it runs them at GCPercent.
func Main(m *testing.M) {
	debug.SetGCPercent(GCPercent)
	os.Exit(m.Run())
}

// Pick returns the size of a test: whole in a long run, and few in a short one.
func Pick[T any](whole, few T) T {
	if Whole() {
		return whole
	}
	return few
}
