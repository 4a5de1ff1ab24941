package output

import (
	"io/fs"
	"os"
	"sync"
	"syscall"
)

// modeBits are the bits of a mode that can be set.
const modeBits = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

// umask is that of the process. Reading it means setting it: for that moment no goroutine
// but the user may use a new file.
var umask = sync.OnceValue(func() fs.FileMode {
	mask := syscall.Umask(0o077)
	syscall.Umask(mask)
	return fs.FileMode(mask)
})

// imitate makes f, a copy, like src: it gets the owner and group as far as the user may
// give them, and what perm permits. Set-user-id and set-group-id bits would let others
// act as the user where owner or group could not be kept, so they go then.
func imitate(f *os.File, src fs.FileInfo, perm fs.FileMode) error {
	now, err := f.Stat()
	if err != nil {
		return err
	}
	mode := perm&fs.ModePerm&^unwritable() | inherited(now)
	if chown(f, now, src) == nil {
		mode |= src.Mode() & (modeBits &^ fs.ModePerm)
	}
	return f.Chmod(mode)
}

// inherited returns the set-group-id bit that a new directory has from the one above: what
// is made in it gets its group. A new file has none.
func inherited(now fs.FileInfo) fs.FileMode { return now.Mode() & fs.ModeSetgid }

// unwritable are the write bits of group and others that the umask takes away.
func unwritable() fs.FileMode { return umask() & 0o022 }

// chown gives f, which is as now says, the owner and group of src where they differ.
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
