package files

import (
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// setTime sets the modification time of f. It does not use the name of f, because a user who may
// rename files in the directory could give that name to another file.
func setTime(f *os.File, at time.Time) error {
	mod, err := unix.TimeToTimespec(at)
	if err != nil {
		return err
	}
	times := [2]unix.Timespec{{Nsec: unix.UTIME_OMIT}, mod}
	// futimens is utimensat without a name, which unix.UtimesNanoAt cannot express.
	_, _, failed := unix.Syscall6(unix.SYS_UTIMENSAT, f.Fd(), 0, uintptr(unsafe.Pointer(&times)), 0, 0, 0)
	if failed != 0 {
		return &os.PathError{Op: "futimens", Path: f.Name(), Err: failed}
	}
	return nil
}
