//go:build unix

package lock

import (
	"testing"
	"time"
)

// Hurry makes locks be waited for only so long, until the test ends.
func Hurry(t *testing.T, d time.Duration) {
	old := patience
	patience = d
	t.Cleanup(func() { patience = old })
}

// TouchOften makes lock files be touched all the time, until the test ends.
func TouchOften(t *testing.T) {
	old := touch
	touch = time.Millisecond
	t.Cleanup(func() { touch = old })
}
