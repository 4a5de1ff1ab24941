package input

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// isSparse reports whether a file occupies less space than its size.
func isSparse(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Blocks*512 < st.Size
}

// extent returns the first span of data in f from the offset at on. size is the size of f. If only
// a hole follows, the result is the empty span at size. If the file system cannot tell, all bytes
// count as data.
func extent(f *os.File, at, size int64) (start, end int64) {
	start, err := f.Seek(at, unix.SEEK_DATA)
	if errors.Is(err, unix.ENXIO) {
		return size, size
	}
	if err == nil {
		end, err = f.Seek(start, unix.SEEK_HOLE)
	}
	if err != nil || start < at || end <= start {
		return at, size
	}
	return min(start, size), min(end, size)
}
