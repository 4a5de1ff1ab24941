//go:build unix

package resolve

import (
	"syscall"
	"time"
)

// processorTime is what this process has taken.
func processorTime() time.Duration {
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
