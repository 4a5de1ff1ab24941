package files

import (
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// setTime gives f a modification time. It sets it through the open file: whoever may
// rename files in the directory could put another one under its name meanwhile.
func setTime(f *os.File, at time.Time) error {
	mod, err := unix.TimeToTimespec(at)
	if err != nil {
		return err
	}
	times := [2]unix.Timespec{{Nsec: unix.UTIME_OMIT}, mod}
	// futimens is utimensat without a name, which unix.UtimesNanoAt cannot say.
	_, _, failed := unix.Syscall6(unix.SYS_UTIMENSAT, f.Fd(), 0, uintptr(unsafe.Pointer(&times)), 0, 0, 0)
	if failed != 0 {
		return &os.PathError{Op: "futimens", Path: f.Name(), Err: failed}
	}
	return nil
}
