//go:build unix

package lock

import (
	"testing"
	"time"
)

// Hurry makes locks be waited for only so long, until the test ends.
func Hurry(t *testing.T, d time.Duration) {
	old := waitLimit
	waitLimit = d
	t.Cleanup(func() { waitLimit = old })
}

// TouchOften makes lock files be touched all the time, until the test ends.
func TouchOften(t *testing.T) {
	old := touchInterval
	touchInterval = time.Millisecond
	t.Cleanup(func() { touchInterval = old })
}
