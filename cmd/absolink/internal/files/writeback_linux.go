package files

import (
	"os"

	"golang.org/x/sys/unix"
)

// startWriteback asks the system to write a range of f to the disk now. Usually it does not wait
// for the disk. It promises nothing: an error shows when f is flushed.
func startWriteback(f *os.File, offset, size int64) {
	unix.SyncFileRange(int(f.Fd()), offset, size, unix.SYNC_FILE_RANGE_WRITE)
}
