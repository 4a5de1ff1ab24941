// Package effort tells tests how much to do. Plain "go test ./..." takes a short form of each test
// that runs long: fewer cases, kills or bytes. With ABSOLINK_LONG=1, which .ci/run sets, the test
// does all of its work.
package effort

import (
	"os"
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

// Pick returns how much of something a test takes: whole in a long run, and few in a short one.
func Pick[T any](whole, few T) T {
	if Whole() {
		return whole
	}
	return few
}
