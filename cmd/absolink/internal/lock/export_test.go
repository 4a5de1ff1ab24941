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
