//go:build unix

package files

import (
	"io/fs"
	"os"
	"sync"
	"syscall"
)

// replacesOpen says that a rename replaces a file that a process has opened.
const replacesOpen = true

// umask returns the umask of the process. The umask can be read only by setting it. So for a
// moment, files that other goroutines make are closed to other users.
var umask = sync.OnceValue(func() fs.FileMode {
	mask := syscall.Umask(0o077)
	syscall.Umask(mask)
	return fs.FileMode(mask)
})

// chown gives f the owner and group of src, unless f has them. now describes f.
func chown(f *os.File, now, src fs.FileInfo) error {
	want, ok := src.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	if have, ok := now.Sys().(*syscall.Stat_t); ok && have.Uid == want.Uid && have.Gid == want.Gid {
		return nil
	}
	return f.Chown(int(want.Uid), int(want.Gid))
}

// owner returns the number of the user who owns a file.
func owner(info fs.FileInfo) uint32 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Uid
	}
	return 0
}

// linkCount returns the number of names (hard links) of a file, which info describes.
func linkCount(_ *Dir, _ string, info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink)
	}
	return 1
}
