package files

import (
	"io/fs"
	"os"
)

// modeBits are the bits of a mode that can be set.
const modeBits = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

// imitate makes f, a copy, like src. It gives f the permissions perm without the write bits that
// the umask removes, and the owner and group of src as far as the user may. If owner or group
// cannot be kept, it drops the set-user-id and set-group-id bits, which would let others act as the
// user.
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

// inherited returns the set-group-id bit that a new directory has from the directory above. Files
// in such a directory get its group. A new file does not inherit the bit.
func inherited(now fs.FileInfo) fs.FileMode { return now.Mode() & fs.ModeSetgid }

// unwritable returns the write bits of group and others that the umask removes.
func unwritable() fs.FileMode { return umask() & 0o022 }
