package files

import (
	"io/fs"
	"os"
)

// modeBits are the bits of a mode that can be set.
const modeBits = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

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
