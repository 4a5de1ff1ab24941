//go:build unix

package resolve

import (
	"syscall"
	"time"
)

// processorTime is the processor time of this process.
func processorTime() time.Duration {
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
